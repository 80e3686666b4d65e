"""Which encoder BERTScore of a run's sentences is taken with."""

from __future__ import annotations

from typing import Final

from prandial.bench.encoders import ENCODER, open_encoder
from prandial.errors import InputError, MissingDataError
from prandial.score.quizzes import BertScorer, EncodedBert

__all__ = ["NO_ENCODER", "bert_of"]

NO_ENCODER: Final = "none"
_LEXICAL: Final = "lexical"


def bert_of(encoder: str = "") -> BertScorer | None:
    """Return what gives BERTScore with an encoder that is at hand.

    The paper's encoder is roberta-large; values of two encoders do not compare, so each figure
    carries the id of its own.

    Parameters
    ----------
    encoder : str
        Weights by name, a folder with ``model.onnx`` and ``tokenizer.json``, or ``none``; the
        sentence encoder that was pulled when empty, and none where it was not.

    Returns
    -------
    BertScorer or None

    Raises
    ------
    InputError
        On an encoder that knows no tokens.
    NotFoundError
        On a name that there is not.
    MissingDataError, SchemaError
        When a named encoder is not there, or damaged.
    """
    if encoder == NO_ENCODER:
        return None
    if encoder == _LEXICAL:
        raise InputError(
            "BERTScore needs states of tokens, and 'lexical' has none",
            where="encoder",
            hint=f"{ENCODER}, a folder, or {NO_ENCODER}",
        )
    try:
        return EncodedBert(open_encoder(encoder or ENCODER))
    except MissingDataError:
        if encoder:
            raise
        return None
