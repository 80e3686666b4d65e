"""A reply against one gold sentence: ROUGE, BLEU, BERTScore.

ROUGE by rouge-score with its stemmer (C.-Y. Lin 2004, ACL W04-1013); BLEU-4 of a sentence by
nltk without smoothing (Papineni et al. 2002, doi:10.3115/1073083.1073135) and by sacrebleu
with its own; BERTScore F1 by greedy matching (Zhang et al., arXiv 1904.09675).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from prandial.score.quizzes.libraries import library

__all__ = [
    "SENTENCE_FIGURES",
    "BertScorer",
    "EncodedBert",
    "LibraryBert",
    "TokenEncoder",
    "bleu",
    "greedy_f1",
    "rouge",
]

#: ends of sentences; nltk's own splitter needs a model that is no part of the library
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")
_ROUGE: Final = {"rouge1": "rouge1", "rouge2": "rouge2", "rougeL": "rougeL"}


def rouge(gold: Sequence[str], said: Sequence[str]) -> dict[str, list[float]]:
    """Return ROUGE-1, -2 and -L F of each reply.

    Raises
    ------
    MissingDataError
        When rouge-score is not installed.
    """
    scorer = library("rouge_score.rouge_scorer", "rouge-score").RougeScorer(
        list(_ROUGE), use_stemmer=True
    )
    found = [scorer.score(g, s) for g, s in zip(gold, said, strict=True)]
    return {name: [float(f[name].fmeasure) for f in found] for name in _ROUGE}


def bleu(gold: Sequence[str], said: Sequence[str]) -> dict[str, list[float]]:
    """Return sentence BLEU-4 of each reply, by nltk (``bleu``) and sacrebleu, as shares.

    nltk's words are those of its own tokenizer; sentences are split at full stops, question
    and exclamation marks, because nltk's splitter needs a model that has to be downloaded.

    Raises
    ------
    MissingDataError
        When nltk or sacrebleu is not installed.
    """
    nltk_bleu = library("nltk.translate.bleu_score", "nltk").sentence_bleu
    words = library("nltk.tokenize.destructive", "nltk").NLTKWordTokenizer().tokenize
    sacre = library("sacrebleu", "sacrebleu").sentence_bleu

    def split(text: str) -> list[str]:
        return [w for s in _SENTENCE_END.split(text.strip()) for w in words(s)]

    plain, smoothed = [], []
    for g, s in zip(gold, said, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of every order without an overlap
            plain.append(float(nltk_bleu([split(g)], split(s))))
        smoothed.append(float(sacre(s, [g]).score) / 100.0)
    return {"bleu": plain, "bleu_sacrebleu": smoothed}


#: names of the figures, and from gold and replies to their values
SENTENCE_FIGURES: Final[
    tuple[
        tuple[tuple[str, ...], Callable[[Sequence[str], Sequence[str]], Mapping[str, list[float]]]],
        ...,
    ]
] = ((tuple(_ROUGE), rouge), (("bleu", "bleu_sacrebleu"), bleu))


class BertScorer(Protocol):
    """Gives BERTScore F1; its id names the encoder, for values of two encoders do not compare."""

    @property
    def id(self) -> str:
        """Name and digest of the encoder."""

    def f1(self, gold: Sequence[str], said: Sequence[str]) -> list[float]:
        """Return F1 of each reply."""


class TokenEncoder(Protocol):
    """Gives the states of each text's tokens, without marks of begin and end."""

    @property
    def id(self) -> str:
        """Name and digest."""

    def token_states(self, texts: Sequence[str]) -> Sequence[npt.NDArray[np.float32]]:
        """Return an array (tokens, dimensions) a text."""


@dataclass(frozen=True)
class EncodedBert:
    """BERTScore over any encoder that gives token states: no weights, no rescaling."""

    encoder: TokenEncoder
    _known: dict[tuple[str, str], float] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def id(self) -> str:
        """Name and digest of the encoder."""
        return self.encoder.id

    def f1(self, gold: Sequence[str], said: Sequence[str]) -> list[float]:
        """Return F1 of each reply; pairs that come again, in another run too, are kept."""
        pairs = list(zip(gold, said, strict=True))
        new = [p for p in dict.fromkeys(pairs) if p not in self._known]
        texts = list(dict.fromkeys(t for p in new for t in p))
        states = dict(zip(texts, self.encoder.token_states(texts), strict=True))
        self._known.update({p: greedy_f1(states[p[0]], states[p[1]]) for p in new})
        return [self._known[p] for p in pairs]


def greedy_f1(gold: npt.NDArray[np.float32], said: npt.NDArray[np.float32]) -> float:
    """Return BERTScore F1 of two arrays of token states; 0 when one has no token.

    Every token is matched with the one on the other side of largest cosine; recall is the mean
    over gold tokens, precision over those of the reply.
    """
    if not len(gold) or not len(said):
        return 0.0
    one, other = _unit(gold), _unit(said)
    cosines = one @ other.T
    recall, precision = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    wide = rows.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit: npt.NDArray[np.float64] = wide / np.where(lengths > 0, lengths, 1.0)
    return unit


class LibraryBert:
    """BERTScore of the library bert-score, for those who have it and the weights.

    Parameters
    ----------
    model : str
        Name or folder of the encoder, such as ``roberta-large``.
    layers : int, optional
        Layer to take; needed for a folder, since the library knows names only.

    Raises
    ------
    MissingDataError
        When bert-score is not installed.
    """

    def __init__(self, model: str = "roberta-large", *, layers: int | None = None) -> None:
        module = library("bert_score", "bert-score", hint="pip install bert-score (brings torch)")
        self._scorer: Any = module.BERTScorer(model_type=model, num_layers=layers, lang="en")
        self._id = f"{model} layer {layers}" if layers else model

    @property
    def id(self) -> str:
        """Name of the encoder."""
        return self._id

    def f1(self, gold: Sequence[str], said: Sequence[str]) -> list[float]:
        """Return F1 of each reply, without rescaling."""
        _, _, f1 = self._scorer.score(list(said), list(gold))
        return [float(v) for v in f1]
