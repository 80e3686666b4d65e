"""What answers cost: time, calls and tokens a question, questions a second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from prandial.records.bench import Score
from prandial.score.quizzes.figures import DRAWS, Figures, ratio
from prandial.score.quizzes.pairs import Pair, by_task, cut_by_level, groups_of

__all__ = ["cost_scores"]


def cost_scores(pairs: Iterable[Pair], *, seed: int = 0, draws: int = DRAWS) -> tuple[Score, ...]:
    """Return the costs of a run by task and level; what a call does not tell is unscored.

    Parameters
    ----------
    pairs : iterable of (GraphQuestion, Prediction)
    seed, draws : int

    Returns
    -------
    tuple of Score
        ``b_seconds``, ``b_calls``, ``b_input_tokens``, ``b_output_tokens`` (means a question) and
        ``b_questions_per_second``, the number of questions over the sum of their seconds: the
        speed of one question after the other, whatever ran beside. Also ``ml_*`` and ``tg_*``.
        Questions that got no reply are unscored.
    """
    scores: list[Score] = []
    for task, of_task in by_task(pairs).items():
        for name, part in cut_by_level(of_task):
            figures = Figures(rules="strict", slice=name, total=len(part), seed=seed, draws=draws)
            scores += _of_slice(f"{task.lower()}_", part, figures)
    return tuple(scores)


def _of_slice(prefix: str, pairs: Sequence[Pair], figures: Figures) -> list[Score]:
    run = [(q, p) for q, p in pairs if p.reading.status != "failed"]
    groups = groups_of(run)
    told: dict[str, tuple[Sequence[float | None], str]] = {
        "seconds": ([p.seconds for _, p in run], "s"),
        "calls": ([p.calls for _, p in run], "calls"),
        "input_tokens": ([p.input_tokens for _, p in run], "tokens"),
        "output_tokens": ([p.output_tokens for _, p in run], "tokens"),
    }
    scores = [
        figures.mean(
            prefix + name,
            [np.nan if v is None else float(v) for v in values],
            groups,
            higher=False,
            unit=unit,
        )
        for name, (values, unit) in told.items()
    ]
    timed = [(p.seconds, g) for (_, p), g in zip(run, groups, strict=True) if p.seconds is not None]
    columns = np.array([(1.0, s) for s, _ in timed]).reshape(-1, 2)
    scores.append(
        figures.of_sums(
            f"{prefix}questions_per_second",
            lambda s: ratio(s[:, 0], s[:, 1]),
            columns,
            [g for _, g in timed],
            unit="1/s",
        )
    )
    return scores
