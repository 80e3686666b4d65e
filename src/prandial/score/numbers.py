"""Labels and estimates to numbers, each with its n and, for shares, an interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

__all__ = ["LIMITS", "RANGE_MEANT", "Outcome", "Summary", "summarise", "wilson"]

#: an estimate within this of the label counts as right, in the nutrient's unit
LIMITS: Final[dict[str, float]] = {
    "carb_g": 7.5,
    "protein_g": 5.0,
    "fat_g": 5.0,
    "energy_kcal": 50.0,
}
#: share of labels that a range from low to high is meant to hold (5th to 95th percentile)
RANGE_MEANT: Final = 0.90
#: labels are rounded; a range that ends this close to one holds it (g or kcal)
_ROUNDING: Final = 0.005
#: standard normal quantile of a two-sided 95 % interval
_Z95: Final = 1.959963984540054


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """One meal's label and estimate of one nutrient; None is unknown."""

    truth: float
    mid: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float | None:
        """Estimate minus label."""
        return None if self.mid is None else self.mid - self.truth

    @property
    def covered(self) -> bool | None:
        """Whether the range holds the label; None without a range."""
        if self.low is None or self.high is None:
            return None
        return self.low - _ROUNDING <= self.truth <= self.high + _ROUNDING

    def right(self, limit: float) -> bool:
        """Whether the estimate is within ``limit`` of the label; never without an estimate."""
        return self.error is not None and abs(self.error) <= limit + 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """Figures of one nutrient over all labelled meals; shares are of 1, None is undefined.

    A meal without an answer counts as wrong in ``right`` and has no part in the
    errors. Intervals are 95 % Wilson score intervals; errors are in the
    nutrient's unit.
    """

    nutrient: str
    limit: float
    n: int
    answered: int
    right: float | None
    right_low: float | None
    right_high: float | None
    mae: float | None
    median_error: float | None
    p90_error: float | None
    mean_signed_error: float | None
    ranges: int
    covered: float | None
    covered_low: float | None
    covered_high: float | None
    median_width: float | None
    range_meant: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Wilson score interval of a share, 95 %.

    Parameters
    ----------
    hits, n : int
        Successes and trials, ``n`` > 0.

    Returns
    -------
    low, high : float
        Wilson (1927), doi:10.1080/01621459.1927.10502953.
    """
    p, z2 = hits / n, _Z95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def summarise(
    outcomes: Sequence[Outcome],
    *,
    nutrient: str,
    limit: float,
    range_meant: float | None = RANGE_MEANT,
) -> Summary:
    """Return the figures of one nutrient.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One a labelled meal.
    nutrient : str
        House name.
    limit : float
        Largest error that counts as right, in the nutrient's unit.
    range_meant : float, optional
        Share of labels the ranges are meant to hold; None where nobody said.

    Returns
    -------
    Summary
    """
    n = len(outcomes)
    errors = np.array([e for o in outcomes if (e := o.error) is not None])
    size = np.abs(errors)
    hits = sum(o.right(limit) for o in outcomes)
    inside = [c for o in outcomes if (c := o.covered) is not None]
    widths = [o.high - o.low for o in outcomes if o.low is not None and o.high is not None]
    right_low, right_high = wilson(hits, n) if n else (None, None)
    covered_low, covered_high = wilson(sum(inside), len(inside)) if inside else (None, None)
    some = size.size > 0
    return Summary(
        nutrient=nutrient,
        limit=limit,
        n=n,
        answered=int(size.size),
        right=hits / n if n else None,
        right_low=right_low,
        right_high=right_high,
        mae=float(size.mean()) if some else None,
        median_error=float(np.median(size)) if some else None,
        p90_error=float(np.quantile(size, 0.9)) if some else None,
        mean_signed_error=float(errors.mean()) if some else None,
        ranges=len(inside),
        covered=sum(inside) / len(inside) if inside else None,
        covered_low=covered_low,
        covered_high=covered_high,
        median_width=float(np.median(widths)) if widths else None,
        range_meant=range_meant if inside else None,
    )
