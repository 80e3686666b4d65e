"""Scores by the strict rules: what a reply says, read; what was not answered counted apart.

``*_all`` counts a question without a readable answer as wrong; every other figure rests on
answered questions only. Questions that got no reply at all (failed) are in no denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from prandial.records.bench import GraphQuestion, Prediction, Score, TaskName
from prandial.score.quizzes.figures import DRAWS, Figures
from prandial.score.quizzes.pairs import Pair, by_task, cut_by_level, groups_of
from prandial.score.quizzes.tagsets import TAG_FIGURES, Average, TagCounts, jaccard
from prandial.score.quizzes.verdicts import VERDICT_FIGURES, counts_of, verdict_value

__all__ = ["RULES", "named_by_gold", "strict_scores"]

RULES: Final = "strict"
_AVERAGES: Final[tuple[Average, ...]] = ("micro", "macro")


def strict_scores(pairs: Iterable[Pair], *, seed: int = 0, draws: int = DRAWS) -> tuple[Score, ...]:
    """Return the scores of every task and level that occurs.

    Parameters
    ----------
    pairs : iterable of (GraphQuestion, Prediction)
    seed, draws : int
        Of the bootstrap over foods; 0 draws give no intervals.

    Returns
    -------
    tuple of Score
        Metrics begin with the task: ``b_``, ``ml_``, ``tg_``. A sentence's tags are scored twice:
        ``tg_reasons_*`` against the tags that the gold sentence names, ``tg_tags_*`` against all
        tags that decide.

    Raises
    ------
    InputError
        When a prediction is of another question, or a question stands twice.
    MissingDataError
        When scikit-learn is not installed.
    """
    scores: list[Score] = []
    for task, of_task in by_task(pairs).items():
        for name, part in cut_by_level(of_task):
            figures = Figures(rules=RULES, slice=name, total=len(part), seed=seed, draws=draws)
            scores += _status(task, part, figures)
            if task != "ML":
                scores += _verdicts(task, part, figures)
            if task == "ML":
                scores += _tags("ml_", part, figures, _deciding)
            if task == "TG":
                scores += _tags("tg_reasons_", part, figures, named_by_gold)
                scores += _tags("tg_tags_", part, figures, _deciding)
    return tuple(scores)


def named_by_gold(question: GraphQuestion) -> frozenset[str]:
    """Return the tags that the gold sentence names: by ``as-published`` the winning side only."""
    gold = question.row.gold
    if question.rules == "as-published":
        return frozenset(gold.matches if gold.verdict == "Yes" else gold.contradicts)
    return frozenset(gold.tags)


def _deciding(question: GraphQuestion) -> frozenset[str]:
    return frozenset(question.row.gold.tags)


def _status(task: TaskName, pairs: Sequence[Pair], figures: Figures) -> list[Score]:
    groups = groups_of(pairs)
    status = [p.reading.status for _, p in pairs]

    def share(name: str, wanted: str, *, higher: bool = False) -> Score:
        values = [np.nan if s == "failed" else float(s == wanted) for s in status]
        return figures.mean(f"{task.lower()}_{name}", values, groups, higher=higher)

    failed = [float(s == "failed") for s in status]
    return [
        share("answer_rate", "answered", higher=True),
        share("refused", "refused"),
        share("unreadable", "unreadable"),
        figures.mean(f"{task.lower()}_failed", failed, groups, higher=False),
    ]


def _verdicts(task: TaskName, pairs: Sequence[Pair], figures: Figures) -> list[Score]:
    prefix = f"{task.lower()}_"
    right = [_counted(p, float(p.reading.verdict == q.row.gold.verdict)) for q, p in pairs]
    scores = [figures.mean(f"{prefix}accuracy_all", right, groups_of(pairs))]
    answered = [(q, p) for q, p in pairs if p.reading.status == "answered" and p.reading.verdict]
    gold = [q.row.gold.verdict == "Yes" for q, _ in answered]
    said = [p.reading.verdict == "Yes" for _, p in answered]
    columns, groups = counts_of(gold, said), groups_of(answered)
    for figure, statistic in VERDICT_FIGURES.items():
        share = figure == "accuracy"
        name = prefix + ("accuracy_answered" if share else figure)
        value = verdict_value(figure, gold, said)
        scores.append(figures.of_sums(name, statistic, columns, groups, value=value, share=share))
    return scores


def _counted(prediction: Prediction, value: float) -> float:
    """Return a value over all questions: NaN when none was run, 0 when it has no answer."""
    if prediction.reading.status == "failed":
        return np.nan
    return value if prediction.reading.status == "answered" else 0.0


def _tags(
    prefix: str,
    pairs: Sequence[Pair],
    figures: Figures,
    of_gold: Callable[[GraphQuestion], frozenset[str]],
) -> list[Score]:
    golds = [of_gold(q) for q, _ in pairs]
    tags = [frozenset(p.reading.tags or ()) for _, p in pairs]
    overlap = [
        _counted(p, jaccard(g, t, empty=1.0))
        for (_, p), g, t in zip(pairs, golds, tags, strict=True)
    ]
    equal = [_counted(p, float(g == t)) for (_, p), g, t in zip(pairs, golds, tags, strict=True)]
    answered = [i for i, (_, p) in enumerate(pairs) if p.reading.status == "answered"]
    groups = groups_of(pairs)
    scores = [
        figures.mean(f"{prefix}jaccard_all", overlap, groups),
        figures.mean(f"{prefix}exact_all", equal, groups),
    ]
    kept = [groups[i] for i in answered]
    scores += [
        figures.mean(f"{prefix}jaccard_answered", [overlap[i] for i in answered], kept),
        figures.mean(f"{prefix}exact_answered", [equal[i] for i in answered], kept),
    ]
    labels = sorted(frozenset().union(*golds, *tags))
    counts = TagCounts([golds[i] for i in answered], [tags[i] for i in answered], labels)
    for average in _AVERAGES:
        for figure in TAG_FIGURES:
            scores.append(
                figures.of_sums(
                    f"{prefix}{average}_{figure}",
                    counts.statistic(figure, average),
                    counts.columns,
                    kept,
                    value=counts.value(figure, average),
                )
            )
    return scores
