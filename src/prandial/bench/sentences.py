"""Which encoder BERTScore of a run's sentences is taken with."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from prandial.answer.encoder import load_encoder
from prandial.errors import InputError, MissingDataError
from prandial.score.quizzes import BertScorer, EncodedBert

__all__ = ["ENCODER", "NO_ENCODER", "bert_of"]

#: taken where it was pulled and nothing is said
ENCODER: Final = "minilm-l6"
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
    from prandial.sources.weights import weights_home, weights_path

    if encoder and Path(encoder).is_dir():
        return EncodedBert(load_encoder(encoder))
    try:
        path = weights_path(encoder or ENCODER, weights_home())
        if path.is_dir():
            return EncodedBert(load_encoder(path))
    except MissingDataError:
        if encoder:
            raise
        return None
    raise InputError(
        f"{encoder!r} are weights of a language model, not of an encoder",
        where="encoder",
        hint=f"{ENCODER}, a folder, or {NO_ENCODER}",
    )
