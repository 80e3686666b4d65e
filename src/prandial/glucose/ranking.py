"""Orders of estimators, and how far two patient models agree on them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from prandial.errors import InputError
from prandial.glucose.design import PERFECT
from prandial.glucose.risk import HIGHER_IS_BETTER, NO_DIRECTION

if TYPE_CHECKING:
    from prandial.glucose.result import Assessment

__all__ = ["Agreement", "kendall_tau", "ranked", "ranking_agreement"]


def ranked(values: Mapping[str, float], metric: str) -> tuple[str, ...]:
    """Return the names best first; equal ones in the order given, unknown ones last.

    Raises
    ------
    InputError
        When neither more nor less of the metric is better.
    """
    if metric in NO_DIRECTION:
        raise InputError(
            f"neither more nor less {metric} is better",
            where="metric",
            hint="rank by bgri_1_401, bgri_20_600 or tir_percent",
        )
    sign = -1.0 if metric in HIGHER_IS_BETTER else 1.0

    def key(name: str) -> tuple[bool, float]:
        value = values[name]
        return math.isnan(value), 0.0 if math.isnan(value) else sign * value

    return tuple(sorted(values, key=key))


def kendall_tau(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Return Kendall's tau-b of two sets of values with the same names.

    Ties are allowed for. NaN when there are fewer than two names, or one side has all equal.

    Raises
    ------
    InputError
        When the names differ.
    """
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        raise InputError(
            "the two sides are no mappings", where="kendall_tau", hint="give name -> value"
        )
    if set(first) != set(second):
        raise InputError(
            "the two sides name different estimators",
            where="kendall_tau",
            hint="only in one: " + ", ".join(sorted(set(first) ^ set(second))),
        )
    names = [n for n in first if not (math.isnan(first[n]) or math.isnan(second[n]))]
    agreed = tied_first = tied_second = pairs = 0
    for i, a in enumerate(names):
        for b in names[:i]:
            x, y = first[a] - first[b], second[a] - second[b]
            pairs += 1
            tied_first += x == 0
            tied_second += y == 0
            agreed += ((x > 0) - (x < 0)) * ((y > 0) - (y < 0))
    room = (pairs - tied_first) * (pairs - tied_second)
    return agreed / math.sqrt(room) if room else math.nan


@dataclass(frozen=True, kw_only=True, slots=True)
class Agreement:
    """Whether two assessments put the estimators in the same order.

    Parameters
    ----------
    tau : float
        Kendall's tau-b over the estimators, without the baseline: 1 same order, -1 reversed.
    swapped : tuple of (str, str)
        Pairs of which the better one differs.
    """

    metric: str
    models: tuple[str, str]
    first: tuple[str, ...]
    second: tuple[str, ...]
    tau: float
    swapped: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        told = asdict(self)
        told["tau"] = None if math.isnan(self.tau) else round(self.tau, 6)
        return {**told, "same_order": self.same_order}

    @property
    def same_order(self) -> bool | None:
        """Whether no pair is swapped; None where fewer than two can be compared."""
        return None if math.isnan(self.tau) else not self.swapped


def ranking_agreement(
    first: Assessment, second: Assessment, *, metric: str = "bgri_1_401"
) -> Agreement:
    """Compare the orders of the same estimators in two assessments.

    Parameters
    ----------
    first, second : Assessment
        Such as of two patient models, the same estimates and design otherwise.
    metric : str

    Raises
    ------
    InputError
        When they assess other estimators, or the metric has no better side.
    """
    ours, theirs = (
        {n: v for n, v in a.values(metric).items() if n != PERFECT} for a in (first, second)
    )
    tau = kendall_tau(ours, theirs)
    names = list(ours)
    swapped = tuple(
        (b, a)
        for i, a in enumerate(names)
        for b in names[:i]
        if (ours[a] - ours[b]) * (theirs[a] - theirs[b]) < 0
    )
    return Agreement(
        metric=metric,
        models=(first.model, second.model),
        first=ranked(ours, metric),
        second=ranked(theirs, metric),
        tau=tau,
        swapped=swapped,
    )
