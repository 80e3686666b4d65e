"""Intervals of a figure by drawing groups, not rows: rows of one meal or food belong together.

Groups are drawn with replacement, as many as there are, and the figure is taken of all rows
of the drawn groups (Field and Welsh 2007, doi:10.1111/j.1467-9868.2007.00593.x); the
interval is from the 2.5th to the 97.5th percentile of the draws. Groups are put in the order
of their names first, so that the order of the rows changes nothing. A draw of which the
figure is undefined (NaN) is left out. No draws give no interval.

Draws of rows that are all alike are all alike, and an interval without width would say that 12
right answers of 12 are sure. A share of 0 or 1 has the exact interval instead (Clopper and Pearson
1934, doi:10.1093/biomet/26.4.404), with the number of groups as n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "DRAWS",
    "Interval",
    "cluster_interval",
    "cluster_interval_of",
    "cluster_interval_of_sums",
    "cluster_means",
    "cluster_median",
    "exact_interval",
    "sign_flip_p",
]

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]

DRAWS: Final = 2000
_PERCENTILES: Final = (2.5, 97.5)
#: of one side of the interval
_LEVEL: Final = 0.975
#: cells of a block of draws, so that memory stays flat (32 MB)
_CELLS: Final = 4_000_000
#: draws are kept for the next figure of as many groups: so many, of at most 80 MB each
_KEPT: Final = 4
_KEPT_CELLS: Final = 40_000_000


class Interval(NamedTuple):
    """A figure and its 95 % interval; None is undefined."""

    value: float | None
    low: float | None
    high: float | None


def cluster_interval(
    values: Floats, groups: Sequence[str], *, seed: int, draws: int = DRAWS
) -> Interval:
    """Return the mean of the scored rows and its interval over groups.

    Parameters
    ----------
    values : ndarray of float
        One a row; NaN is unscored and has no part in the mean.
    groups : sequence of str
        One a row.
    seed : int
    draws : int

    Returns
    -------
    Interval
        All None when nothing is scored; no interval with fewer than two scored groups.
    """
    return cluster_means(values[:, None], groups, seed=seed, draws=draws)[0]


def cluster_means(
    values: Floats,
    groups: Sequence[str],
    *,
    seed: int,
    draws: int = DRAWS,
    shares: Sequence[bool] = (),
) -> tuple[Interval, ...]:
    """Return :func:`cluster_interval` of each column, all from the same draws.

    Parameters
    ----------
    values : ndarray of float
        Shape (rows, columns); NaN is unscored.
    groups : sequence of str
        One a row.
    seed : int
    draws : int
    shares : sequence of bool, optional
        Which columns are shares, of 0 and 1 only.

    Returns
    -------
    tuple of Interval
    """
    scored = ~np.isnan(values)
    width = values.shape[1]
    columns = np.hstack([np.where(scored, values, 0.0), scored.astype(np.float64)])
    numbers, n_groups = _numbered(groups)
    sums = _sums(columns, numbers, n_groups)
    totals = columns.sum(axis=0)
    drawn = np.full((0, 2 * width), np.nan)
    if n_groups > 1 and draws > 0:
        drawn = np.vstack([w @ sums for w in _weights(n_groups, seed, draws)])
    found = []
    for i in range(width):
        several = int(np.count_nonzero(sums[:, width + i]))
        pair = drawn[:, [i, width + i]] if several > 1 else np.full((0, 2), np.nan)
        value = float(_quiet(_ratio, totals[None, [i, width + i]])[0])
        interval = _interval(value, _quiet(_ratio, pair))
        if shares and shares[i]:
            interval = exact_interval(interval, several)
        found.append(interval)
    return tuple(found)


def cluster_interval_of_sums(
    statistic: Callable[[Floats], Floats],
    columns: Floats,
    groups: Sequence[str],
    *,
    seed: int,
    draws: int = DRAWS,
) -> Interval:
    """Return a figure that only needs the sums of some columns, and its interval.

    Ratios, F1, balanced accuracy and MCC are such figures; this is the fast way for them.

    Parameters
    ----------
    statistic : callable
        From sums, an array (draws, columns), to the figure of each draw; NaN is undefined.
    columns : ndarray of float
        Shape (rows, columns), without NaN.
    groups : sequence of str
        One a row.
    seed : int
    draws : int

    Returns
    -------
    Interval
    """
    numbers, n_groups = _numbered(groups)
    sums = _sums(columns, numbers, n_groups)
    value = float(_quiet(statistic, columns.sum(axis=0, keepdims=True))[0])
    if n_groups < 2 or draws < 1:
        return _interval(value, np.empty(0))
    drawn = [_quiet(statistic, w @ sums) for w in _weights(n_groups, seed, draws)]
    return _interval(value, np.concatenate(drawn))


def cluster_interval_of(
    statistic: Callable[[Rows], float],
    groups: Sequence[str],
    *,
    seed: int,
    draws: int = DRAWS,
) -> Interval:
    """Return a figure of the drawn rows, and its interval: for what sums cannot tell.

    Parameters
    ----------
    statistic : callable
        From row indices, with repeats, to the figure; NaN is undefined.
    groups : sequence of str
        One a row.
    seed : int
    draws : int

    Returns
    -------
    Interval
    """
    numbers, n_groups = _numbered(groups)
    if n_groups == 0:
        return Interval(None, None, None)
    value = float(statistic(np.arange(len(numbers), dtype=np.intp)))
    if n_groups < 2 or draws < 1:
        return _interval(value, np.empty(0))
    order = np.argsort(numbers, kind="stable")
    sizes = np.bincount(numbers, minlength=n_groups)
    starts = np.cumsum(sizes) - sizes
    found = [
        float(statistic(order[_rows_of(one, starts, sizes)]))
        for block in _drawn(n_groups, seed, draws)
        for one in block
    ]
    return _interval(value, np.array(found, dtype=np.float64))


def cluster_median(
    values: Floats, groups: Sequence[str], *, seed: int, draws: int = DRAWS
) -> Interval:
    """Return the median of the rows and its interval over groups.

    The same numbers as :func:`cluster_interval_of` of the median, from the same draws, in a
    fraction of its time: values are sorted once, and a draw's median is where half of its
    rows are passed.

    Parameters
    ----------
    values : ndarray of float
        One a row, without NaN.
    groups : sequence of str
        One a row.
    seed : int
    draws : int

    Returns
    -------
    Interval
        All None without rows; no interval with fewer than two groups.
    """
    numbers, n_groups = _numbered(groups)
    if n_groups == 0:
        return Interval(None, None, None)
    value = float(np.median(values))
    if n_groups < 2 or draws < 1:
        return _interval(value, np.empty(0))
    order = np.argsort(values, kind="stable")
    ordered, theirs = values[order], numbers[order]
    step = max(1, _CELLS // len(values))
    found = [
        _medians(ordered, counts[start : start + step][:, theirs])
        for counts in _counts(n_groups, seed, draws)
        for start in range(0, len(counts), step)
    ]
    return _interval(value, np.concatenate(found))


def _medians(ordered: Floats, times: npt.NDArray[np.integer]) -> Floats:
    """Return the median of each draw: ``times`` tells how often it has each of the values."""
    passed = np.cumsum(times, axis=1, dtype=np.int32)
    many = passed[:, -1]
    # of an even number of rows, the mean of the two in the middle
    lower = np.count_nonzero(passed <= ((many - 1) // 2)[:, None], axis=1)
    upper = np.count_nonzero(passed <= (many // 2)[:, None], axis=1)
    medians: Floats = (ordered[lower] + ordered[upper]) / 2
    return medians


def sign_flip_p(
    differences: Floats, groups: Sequence[str], *, seed: int, draws: int = DRAWS
) -> float | None:
    """Return the two-sided p of a mean difference of nothing, by turning groups round.

    If neither run is better, a group's differences might as well have the other sign.
    The share of random signs of which the sum is at least as far from nothing; the
    observed signs count as one draw, so that p is never 0 (Phipson and Smyth 2010,
    doi:10.2202/1544-6115.1585). With few groups every pattern of signs is taken.

    Parameters
    ----------
    differences : ndarray of float
        One a row scored in both runs, without NaN.
    groups : sequence of str
        One a row.
    seed : int
    draws : int

    Returns
    -------
    float or None
        None without rows or draws.
    """
    if differences.size == 0 or draws < 1:
        return None
    numbers, n_groups = _numbered(groups)
    sums = np.bincount(numbers, weights=differences, minlength=n_groups)
    sums = sums[sums != 0]
    if sums.size == 0:
        return 1.0
    far = abs(float(sums.sum())) * (1 - 1e-12) - 1e-12
    if 2**sums.size <= draws:
        patterns = (np.arange(2**sums.size)[:, None] >> np.arange(sums.size)) & 1
        return float(np.mean(np.abs((1.0 - 2.0 * patterns) @ sums) >= far))
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // sums.size)
    beyond = 0
    for start in range(0, draws, step):
        signs = rng.integers(0, 2, size=(min(step, draws - start), sums.size)) * 2.0 - 1.0
        beyond += int(np.count_nonzero(np.abs(signs @ sums) >= far))
    return (1 + beyond) / (1 + draws)


def _ratio(sums: Floats) -> Floats:
    quotient: Floats = sums[:, 0] / sums[:, 1]
    return quotient


def _quiet(statistic: Callable[[Floats], Floats], sums: Floats) -> Floats:
    """Take the figure; division by nothing is NaN without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(statistic(sums), dtype=np.float64)


def _numbered(groups: Sequence[str]) -> tuple[Rows, int]:
    """Return each row's group by its place in the order of names, and how many groups there are."""
    names = sorted(set(groups))
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[g] for g in groups], dtype=np.intp), len(names)


def _drawn(n_groups: int, seed: int, draws: int) -> Iterator[Rows]:
    """Yield blocks (some draws, n_groups) of drawn groups."""
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // n_groups)
    for start in range(0, draws, step):
        yield rng.integers(0, n_groups, size=(min(step, draws - start), n_groups), dtype=np.intp)


def _weights(n_groups: int, seed: int, draws: int) -> Iterator[Floats]:
    """Yield blocks (some draws, n_groups): how often each group was drawn, as factors."""
    for counts in _counts(n_groups, seed, draws):
        yield counts.astype(np.float64)


def _counts(n_groups: int, seed: int, draws: int) -> Iterable[npt.NDArray[np.integer]]:
    """Return blocks (some draws, n_groups): how often each group was drawn.

    The figures of a report are over the same groups again and again: the last draws are kept.
    """
    kept = n_groups * draws <= _KEPT_CELLS
    return _counts_kept(n_groups, seed, draws) if kept else _counted(n_groups, seed, draws)


@lru_cache(maxsize=_KEPT)
def _counts_kept(n_groups: int, seed: int, draws: int) -> tuple[npt.NDArray[np.integer], ...]:
    return tuple(_counted(n_groups, seed, draws))


def _counted(n_groups: int, seed: int, draws: int) -> Iterator[npt.NDArray[np.integer]]:
    # a group can be drawn n_groups times
    small = np.uint8 if n_groups < 2**8 else np.uint16 if n_groups < 2**16 else np.uint32
    for block in _drawn(n_groups, seed, draws):
        many = len(block)
        flat = (block + np.arange(many)[:, None] * n_groups).ravel()
        counts = np.bincount(flat, minlength=many * n_groups).reshape(many, n_groups)
        yield counts.astype(small)


def _sums(columns: Floats, numbers: Rows, n_groups: int) -> Floats:
    """Return the sums of each column by group."""
    sums = np.empty((n_groups, columns.shape[1]))
    for i in range(columns.shape[1]):
        sums[:, i] = np.bincount(numbers, weights=columns[:, i], minlength=n_groups)
    return sums


def _rows_of(drawn: Rows, starts: Rows, sizes: Rows) -> Rows:
    """Return places, in the order by group, of all rows of the drawn groups."""
    many = sizes[drawn]
    ends = np.cumsum(many)
    places: Rows = np.arange(int(ends[-1])) + np.repeat(starts[drawn] - (ends - many), many)
    return places


def exact_interval(interval: Interval, n_groups: int) -> Interval:
    """Return the exact interval of a share of 0 or 1, any other as it is.

    Parameters
    ----------
    interval : Interval
        From draws; without an interval it stays without one.
    n_groups : int
        Groups with a scored row.
    """
    if interval.low is None:
        return interval
    bound = (1 - _LEVEL) ** (1 / n_groups)
    if interval.value == 0:
        return Interval(0.0, 0.0, 1 - bound)
    return Interval(1.0, bound, 1.0) if interval.value == 1 else interval


def _interval(value: float, drawn: Floats) -> Interval:
    if not np.isfinite(value):
        return Interval(None, None, None)
    found = drawn[np.isfinite(drawn)]
    if found.size == 0:
        return Interval(value, None, None)
    low, high = np.percentile(found, _PERCENTILES)
    return Interval(value, float(low), float(high))
