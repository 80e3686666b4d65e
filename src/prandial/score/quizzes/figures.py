"""One figure with its n and interval: means of rows, and figures that need sums of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prandial.records.bench import Score
from prandial.score.answers.bootstrap import (
    DRAWS,
    Interval,
    cluster_interval_of_sums,
    exact_interval,
)

__all__ = ["DRAWS", "Figures", "Floats", "Statistic", "ratio"]

Floats = npt.NDArray[np.float64]
#: from sums (draws, columns) to the figure of each draw, NaN undefined
Statistic = Callable[[Floats], Floats]


def ratio(above: Floats, below: Floats, *, empty: float = np.nan) -> Floats:
    """Return a ratio; where nothing is below it is ``empty``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: Floats = np.where(below > 0, above / below, empty)
    return quotient


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Makes scores of one slice under one rule set.

    Parameters
    ----------
    rules : {'strict', 'published'}
    slice : str
        Empty for all.
    total : int
        Questions of the slice; those a figure does not rest on are its ``n_unscored``.
    seed : int
    draws : int
        Of the bootstrap; 0 for no intervals.
    decimals : int, optional
        Places the published code rounds to; None keeps all.
    """

    rules: str
    slice: str
    total: int
    seed: int
    draws: int = DRAWS
    decimals: int | None = None

    def mean(
        self,
        metric: str,
        values: Sequence[float] | Floats,
        groups: Sequence[str],
        *,
        higher: bool = True,
        unit: str = "",
    ) -> Score:
        """Return the mean of the values that are known (not NaN).

        Where every value is 0, or every one 1, the interval is the exact one of a share.
        """
        told = np.asarray(values, dtype=np.float64)
        known = ~np.isnan(told)
        kept = [g for g, k in zip(groups, known.tolist(), strict=True) if k]
        columns = np.column_stack([told[known], np.ones(int(known.sum()))])
        return self.of_sums(
            metric,
            lambda s: ratio(s[:, 0], s[:, 1]),
            columns,
            kept,
            higher=higher,
            unit=unit,
            share=set(told[known].tolist()) in ({0.0}, {1.0}),
        )

    def of_sums(
        self,
        metric: str,
        statistic: Statistic,
        columns: Floats,
        groups: Sequence[str],
        *,
        value: float | None = None,
        higher: bool = True,
        unit: str = "",
        share: bool = False,
    ) -> Score:
        """Return a figure of the sums of columns.

        Parameters
        ----------
        value : float, optional
            The figure as a library has it; it stands in place of the statistic's where that is
            defined.
        share : bool
            Whether it is a share of rows, whose interval at 0 and at 1 is the exact one.
        """
        found, low, high = self._interval(statistic, columns, groups)
        if share and not unit:
            found, low, high = exact_interval(Interval(found, low, high), len(set(groups)))
        if found is not None and value is not None:
            found = value
        return Score(
            metric=metric,
            value=self._rounded(found),
            low=self._rounded(low),
            high=self._rounded(high),
            n_scored=len(groups),
            n_unscored=self.total - len(groups),
            rules=self.rules,
            higher_is_better=higher,
            slice=self.slice,
            unit=unit,
            seed=self.seed if low is not None else None,
        )

    def _interval(
        self, statistic: Statistic, columns: Floats, groups: Sequence[str]
    ) -> tuple[float | None, float | None, float | None]:
        if not groups:
            return None, None, None
        if self.draws < 1:
            value = float(statistic(columns.sum(axis=0, keepdims=True))[0])
            return (value if np.isfinite(value) else None), None, None
        return cluster_interval_of_sums(
            statistic, columns, groups, seed=self.seed, draws=self.draws
        )

    def _rounded(self, value: float | None) -> float | None:
        if value is None or self.decimals is None:
            return value
        return round(value, self.decimals)
