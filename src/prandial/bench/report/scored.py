"""Scores as cells; how their intervals are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from prandial.bench.report.records import Cell
from prandial.records.bench import Score

__all__ = ["Bootstrap", "score_cell"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bootstrap:
    """Seed and number of draws of every interval of a report."""

    seed: int
    draws: int


def score_cell(score: Score | None, *, why: str = "not scored", total: bool = False) -> Cell:
    """Return a score as a cell with its n and interval.

    Parameters
    ----------
    score : Score, optional
    why : str
        Told when there is no score, or nothing was scored.
    total : bool
        Tell the questions asked as n, not those answered.
    """
    if score is None:
        return Cell(why=why)
    n = score.n_scored + (score.n_unscored if total else 0)
    if score.value is None:
        return Cell(why="nothing was scored" if not score.n_scored else "nothing to divide by", n=n)
    return Cell(value=score.value, low=score.low, high=score.high, n=n)
