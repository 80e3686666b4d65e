"""Scores by the rules of the published code, from the reply as it came.

-B: exactly ``Yes`` or ``No``; any other text counts as the wrong one of the two. -ML: split at
commas, 14 labels, others dropped. -TG: overlap of words with the one gold sentence. Figures
are rounded to four places as printed there. Unlike there, a question that got no reply is not
scored, unless asked for.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from prandial.records.bench import GraphQuestion, Prediction, Score
from prandial.score.quizzes.figures import DRAWS, Figures, Floats, Statistic, ratio
from prandial.score.quizzes.libraries import library
from prandial.score.quizzes.pairs import Pair, by_task, cut_by_level, groups_of
from prandial.score.quizzes.sentences import SENTENCE_FIGURES, BertScorer
from prandial.score.quizzes.tagsets import TAG_FIGURES, TagCounts, jaccard
from prandial.score.quizzes.verdicts import counts_of
from prandial.tables.rules import FOOD_TAG_ORDER

__all__ = ["PUBLISHED_LABELS", "RULES", "published_scores", "published_tags", "published_verdict"]

RULES: Final = "published"
_PUBLISHED: Final = 7
PUBLISHED_LABELS: Final = tuple(
    f"{level}_{nutrient}" for nutrient in FOOD_TAG_ORDER[:_PUBLISHED] for level in ("low", "high")
)
_DECIMALS: Final = 4


def published_scores(
    pairs: Iterable[Pair],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    errors_as_answers: bool = False,
    swapped: bool = False,
    bert: BertScorer | None = None,
) -> tuple[Score, ...]:
    """Return the published scores of every task and level that occurs.

    Parameters
    ----------
    pairs : iterable of (GraphQuestion, Prediction)
    seed, draws : int
        Of the bootstrap over foods; 0 draws give no intervals.
    errors_as_answers : bool
        Score the error text of a question without a reply like a reply, as published.
    swapped : bool
        Add ``ml_*_swapped``: gold and answer in the order in which the published code passes
        them, which gives other figures than the published tables.
    bert : BertScorer, optional
        Adds ``tg_bertscore[ID]`` with the id of the encoder.

    Returns
    -------
    tuple of Score
        ``b_accuracy``, ``ml_accuracy``, ``tg_rouge1`` ... as in the published tables, and
        ``tg_bleu_sacrebleu``, which is not there.

    Raises
    ------
    InputError
        When a prediction is of another question, or a question stands twice.
    MissingDataError
        When scikit-learn, rouge-score, nltk or sacrebleu is not installed.
    """
    scores: list[Score] = []
    sentences = _Sentences(bert)
    for task, of_task in by_task(pairs).items():
        for name, part in cut_by_level(of_task):
            figures = Figures(
                rules=RULES, slice=name, total=len(part), seed=seed, draws=draws,
                decimals=_DECIMALS,
            )  # fmt: skip
            run = [(q, _reply(p)) for q, p in part if errors_as_answers or not _failed(p)]
            groups = groups_of((q, p) for q, p in part if errors_as_answers or not _failed(p))
            if task == "B":
                scores += _verdicts(run, groups, figures)
            elif task == "ML":
                scores += _tags(run, groups, figures, swapped=swapped)
            else:
                scores += sentences.scores(run, groups, figures)
    return tuple(scores)


def _failed(prediction: Prediction) -> bool:
    return prediction.reading.status == "failed"


def _reply(prediction: Prediction) -> str:
    return (prediction.raw_text or prediction.error) if _failed(prediction) else prediction.raw_text


def published_verdict(reply: str, gold: bool) -> bool:
    """Return the verdict the published code takes; what is not exactly Yes or No flips the gold."""
    return {"Yes": True, "No": False}.get(reply, not gold)


def published_tags(reply: str) -> frozenset[str]:
    """Return the published labels among the parts of a reply between commas."""
    return frozenset(p.strip() for p in reply.split(",")) & frozenset(PUBLISHED_LABELS)


def _verdicts(
    run: Sequence[tuple[GraphQuestion, str]], groups: Sequence[str], figures: Figures
) -> list[Score]:
    gold = [q.row.gold.verdict == "Yes" for q, _ in run]
    said = [published_verdict(reply, g) for (_, reply), g in zip(run, gold, strict=True)]
    columns = counts_of(gold, said)
    labels = np.array(gold, dtype=int), np.array(said, dtype=int)
    return [
        figures.of_sums(
            f"b_{name}",
            statistic,
            columns,
            groups,
            value=_of_library(name, *labels),
            share=name == "accuracy",
        )
        for name, statistic in _VERDICTS.items()
    ]


def _of_library(name: str, gold: Any, said: Any) -> float | None:
    if not len(gold):
        return None
    metrics = library("sklearn.metrics", "scikit-learn")
    match name:
        case "accuracy":
            return float(metrics.accuracy_score(gold, said))
        case "auc":
            return _auc(gold, said)
    return float(getattr(metrics, f"{name}_score")(gold, said, zero_division=0))


def _auc(gold: Any, said: Any, **options: Any) -> float | None:
    """Return the area under the ROC curve of hard labels; None with one class only."""
    metrics = library("sklearn.metrics", "scikit-learn")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = float(metrics.roc_auc_score(gold, said, **options))
        except ValueError:
            return None
    return value if np.isfinite(value) else None


_VERDICTS: Final[dict[str, Statistic]] = {
    "accuracy": lambda s: ratio(s[:, 0] + s[:, 3], s.sum(axis=1)),
    "precision": lambda s: ratio(s[:, 0], s[:, 0] + s[:, 1], empty=0.0),
    "recall": lambda s: ratio(s[:, 0], s[:, 0] + s[:, 2], empty=0.0),
    "f1": lambda s: ratio(2 * s[:, 0], 2 * s[:, 0] + s[:, 1] + s[:, 2], empty=0.0),
    "auc": lambda s: (ratio(s[:, 0], s[:, 0] + s[:, 2]) + ratio(s[:, 3], s[:, 3] + s[:, 1])) / 2,
}


def _tags(
    run: Sequence[tuple[GraphQuestion, str]],
    groups: Sequence[str],
    figures: Figures,
    *,
    swapped: bool,
) -> list[Score]:
    gold = [published_tags(", ".join(q.row.gold.tags)) for q, _ in run]
    said = [published_tags(reply) for _, reply in run]
    overlap = [jaccard(g, s, empty=0.0) for g, s in zip(gold, said, strict=True)]
    scores = [figures.mean("ml_accuracy", overlap, groups)]
    for suffix, one, other in (("", gold, said), ("_swapped", said, gold)):
        if suffix and not swapped:
            continue
        counts = TagCounts(one, other, PUBLISHED_LABELS)
        columns = np.column_stack([counts.columns, np.ones(len(run))])
        scores += [
            figures.of_sums(
                f"ml_{name}{suffix}",
                counts.statistic(name, "weighted", empty=0.0),
                counts.columns,
                groups,
                value=counts.value(name, "weighted", empty=0.0),
            )
            for name in TAG_FIGURES
        ]
        auc = _auc(counts.gold, counts.said, average="weighted") if run else None
        statistic = _weighted_auc if auc is not None else _undefined
        scores.append(figures.of_sums(f"ml_auc{suffix}", statistic, columns, groups, value=auc))
    return scores


def _undefined(sums: Floats) -> Floats:
    return np.full(len(sums), np.nan)


def _weighted_auc(sums: Floats) -> Floats:
    """Return the mean area by label, weighted by its gold; NaN when a label has one class only."""
    size = len(PUBLISHED_LABELS)
    right, told, held = (sums[:, i * size : (i + 1) * size] for i in range(3))
    others = sums[:, -1:] - held
    each = (ratio(right, held) + ratio(others - (told - right), others)) / 2
    return ratio((each * held).sum(axis=1), held.sum(axis=1))


class _Sentences:
    """Figures of sentences, each pair of gold and reply worked out once for all slices."""

    def __init__(self, bert: BertScorer | None) -> None:
        self._bert = bert
        self._known: dict[tuple[str, str], dict[str, float]] = {}
        self.names = [f"tg_{n}" for names, _ in SENTENCE_FIGURES for n in names]
        self.names += [f"tg_bertscore[{bert.id}]"] if bert else []

    def scores(
        self, run: Sequence[tuple[GraphQuestion, str]], groups: Sequence[str], figures: Figures
    ) -> list[Score]:
        pairs = [(q.row.gold.sentence, reply) for q, reply in run]
        new = [p for p in dict.fromkeys(pairs) if p not in self._known]
        if new:
            gold, said = [g for g, _ in new], [s for _, s in new]
            found = {f"tg_{n}": v for _, of in SENTENCE_FIGURES for n, v in of(gold, said).items()}
            if self._bert is not None:
                found[self.names[-1]] = self._bert.f1(gold, said)
            for i, pair in enumerate(new):
                self._known[pair] = {n: found[n][i] for n in self.names}
        return [figures.mean(n, [self._known[p][n] for p in pairs], groups) for n in self.names]
