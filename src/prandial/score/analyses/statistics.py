"""Classic tests, by a well-kept library that is loaded only when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prandial.errors import MissingDataError

__all__ = ["chi_square_tail", "friedman", "levene", "mann_whitney"]


def _scipy() -> Any:
    try:
        from scipy import stats  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise MissingDataError(
            "this analysis needs scipy",
            where="analyses",
            hint="pip install 'prandial[bench]'",
        ) from error
    return stats


def levene(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return W and p of equal spread of two groups.

    Levene (1960) with deviations from the median (Brown and Forsythe 1974,
    doi:10.1080/01621459.1974.10482955).

    Parameters
    ----------
    first, second : sequence of float
        Two values at least in each.

    Returns
    -------
    statistic, p : float
    """
    found = _scipy().levene(list(first), list(second), center="median")
    return float(found.statistic), float(found.pvalue)


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return U of the first group and the two-sided p of no shift.

    Mann and Whitney (1947), doi:10.1214/aoms/1177730491; normal approximation with ties.

    Parameters
    ----------
    first, second : sequence of float
        One value at least in each.

    Returns
    -------
    statistic, p : float
        p is 1 when all values are the same.
    """
    if len({*first, *second}) == 1:
        return len(first) * len(second) / 2, 1.0
    found = _scipy().mannwhitneyu(
        list(first), list(second), alternative="two-sided", method="asymptotic"
    )
    return float(found.statistic), float(found.pvalue)


def friedman(columns: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return chi-square and p of no difference of three and more runs on the same items.

    Friedman (1937), doi:10.1080/01621459.1937.10503522, with ties.

    Parameters
    ----------
    columns : sequence of sequence of float
        One a run, items in the same order.

    Returns
    -------
    statistic, p : float
        0 and 1 when no item tells the runs apart.
    """
    if all(len(set(row)) == 1 for row in zip(*columns, strict=True)):
        return 0.0, 1.0
    found = _scipy().friedmanchisquare(*[list(c) for c in columns])
    return float(found.statistic), float(found.pvalue)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the chance of a chi-square of at least ``statistic``."""
    return float(_scipy().chi2.sf(statistic, degrees))
