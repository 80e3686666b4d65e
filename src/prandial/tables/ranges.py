"""Constants of ranges, set on generated text: ``words/ranges.csv`` and its card."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

__all__ = ["RangeConstants", "load_range_constants"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeConstants:
    """Constants of ranges.

    Attributes
    ----------
    temperature : float
        Softmax temperature that turns scores into shares.
    doubt : dict
        sign -> its weight (log odds).
    levels : tuple of float
        Confidence (0 to 1) below which a meal is in the first, second ... group.
    tails : dict
        group -> share of draws left out at each end: (90 % band, 50 % band).
    """

    temperature: float
    doubt: dict[str, float] = field(default_factory=dict)
    levels: tuple[float, ...] = ()
    tails: dict[str, tuple[float, float]] = field(default_factory=dict)

    def tails_for(self, serving: str, confidence: float) -> tuple[float, float]:
        """Return the shares left out at each end, for a 90 % and a 50 % band.

        Parameters
        ----------
        serving : str
            ``household``, ``weighed`` or ``abroad``.
        confidence : float
            0 to 1.
        """
        level = sum(confidence >= x for x in self.levels)
        return self.tails.get(f"{serving}{level}", (0.05, 0.25))


@lru_cache(maxsize=1)
def load_range_constants() -> RangeConstants:
    """Read the shipped constants."""
    path = Path(__file__).with_name("words") / "ranges.csv"
    rows: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            rows.setdefault(row["kind"], {})[row["name"]] = float(row["value"])
    half = rows.get("tail_50", {})
    return RangeConstants(
        temperature=rows["shares"]["temperature"],
        doubt=rows["doubt"],
        levels=tuple(sorted(rows.get("level", {}).values())),
        tails={k: (v, half[k]) for k, v in rows.get("tail_90", {}).items()},
    )
