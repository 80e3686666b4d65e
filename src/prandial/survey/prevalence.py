"""Weighted prevalence with a standard error from the survey's design."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError, NotFoundError
from prandial.records import PeopleTable, Profiles
from prandial.survey.measures import derive
from prandial.survey.rules import statuses_of
from prandial.tables.rules import read_rules
from prandial.truth import Truth, TruthArray

__all__ = [
    "MOST_UNKNOWN",
    "WEIGHTS",
    "Prevalence",
    "prevalence",
    "survey_weight",
    "t_quantile",
    "weight_of",
]

#: weight by the part of the survey that a status needs
WEIGHTS: Final = {
    "interview": "weight_interview_persons",
    "exam": "weight_exam_persons",
    "fasting": "weight_fasting_persons",
    "recall": "weight_recall_persons",
    "two recalls": "weight_two_recalls_persons",
}
#: years of fieldwork of a release: 2017 to March 2020 counts 3.2 (NCHS, Vital Health Stat 2(190))
_YEARS: Final = {"2017-2020": 3.2}
_TWO_YEARS: Final = 2.0
#: largest share of unknown people in an age group beside which the others may stand for it
MOST_UNKNOWN: Final = 0.25
_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prevalence:
    """Share of the population with a status.

    Parameters
    ----------
    status, rules, weight, ages : str
        ``ages`` such as ``20 and over, age-adjusted``.
    share, standard_error, low, high : float
        0 to 1; ``low`` and ``high`` bound 95 % by Student's t.
    n, n_yes, n_unknown : int
        Records of these ages and a weight: told, of these with the status, not told.
    degrees : int
        Primary sampling units less strata.
    unknown_share : float
        Largest weighted share, of the age groups, of people of whom it cannot be told.
    """

    status: str
    rules: str
    weight: str
    ages: str
    share: float
    standard_error: float
    low: float
    high: float
    n: int
    n_yes: int
    n_unknown: int
    degrees: int
    unknown_share: float

    @property
    def doubt(self) -> str:
        """Why the share is no estimate of the population's; empty when it is one."""
        if self.n_unknown and self.n_yes == self.n:
            return "only yes can be told, never no"
        if self.unknown_share > MOST_UNKNOWN:
            return (
                f"{100 * self.unknown_share:.0f} % of an age group are unknown,"
                f" more than {100 * MOST_UNKNOWN:.0f} %"
            )
        return ""


def weight_of(rules: str, status: str) -> str:
    """Return the weight that a condition's prevalence takes, by ``prevalence_weights.csv``.

    Raises
    ------
    NotFoundError
        When the table has none for it.
    """
    rows = read_rules("prevalence_weights")
    known = {r["status"]: r["weight"] for r in rows if r["rules"] == rules}
    if status not in known:
        raise NotFoundError(
            f"no survey weight for {status!r} by the rules {rules!r}",
            where="prevalence_weights",
            hint="known: " + (", ".join(known) or "the rules default"),
        )
    return known[status]


def t_quantile(share: float, degrees: int) -> float:
    """Return a quantile of Student's t.

    By the expansion of Cornish and Fisher around the normal quantile (Abramowitz and Stegun,
    26.7.5); within 0.001 from 8 degrees of freedom on.

    Raises
    ------
    InputError
        When there is no degree of freedom.
    """
    if degrees < 1:
        raise InputError(
            "no degree of freedom", where="survey design", hint="at least two units in a stratum"
        )
    z, v = NormalDist().inv_cdf(share), float(degrees)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / v + second / v**2 + third / v**3 + fourth / v**4


def survey_weight(people: PeopleTable, weight: str) -> _Numbers:
    """Return the weight of each record; of several cycles each counts by its years.

    Raises
    ------
    NotFoundError
        On any weight but those of ``WEIGHTS``.
    """
    if weight not in WEIGHTS:
        raise NotFoundError(
            f"no survey weight {weight!r}", where="weight", hint="known: " + ", ".join(WEIGHTS)
        )
    raw = people[WEIGHTS[weight]]
    years = {str(c): _YEARS.get(str(c), _TWO_YEARS) for c in np.unique(people.cycle)}
    total = sum(years.values())
    share = np.zeros(len(people))
    for cycle, length in years.items():
        share[people.cycle == cycle] = length / total
    return np.where(np.isnan(raw), 0.0, raw) * share


def _told(profiles: Profiles, status: str, rules: str) -> TruthArray:
    if rules == profiles.rules and status in profiles.statuses:
        return profiles.statuses[status]
    people = profiles.people
    found = statuses_of(rules, derive(people, rules), people.cycle)
    if status not in found:
        raise NotFoundError(
            f"no status {status!r} by the rules {rules!r}",
            where="status",
            hint="known: " + ", ".join(found),
        )
    return found[status]


def _groups(ages: int | tuple[int, int], *, adjusted: bool) -> list[tuple[float, float, float]]:
    if not isinstance(ages, int):
        return [(float(ages[0]), float(ages[1]), 1.0)]
    if not adjusted:
        return [(float(ages), np.inf, 1.0)]
    rows = [r for r in read_rules("standard_population") if r["ages"] == str(ages)]
    if not rows:
        known = dict.fromkeys(r["ages"] for r in read_rules("standard_population"))
        raise InputError(
            f"no standard population from {ages} years on",
            where="ages",
            hint="known: " + ", ".join(known),
        )
    return [(float(r["low"]), float(r["high"]), float(r["share"])) for r in rows]


def _linearised(
    yes: _Flags, weight: _Numbers, groups: list[tuple[_Flags, float]]
) -> tuple[float, _Numbers]:
    """Return the share, and what each record adds to its error."""
    share, scores = 0.0, np.zeros(len(yes))
    for member, standard in groups:
        total = float(weight[member].sum())
        if total == 0:
            raise InputError(
                "an age group holds nobody of whom it can be told",
                where="prevalence",
                hint="leave out the age adjustment",
            )
        part = float(weight[member & yes].sum()) / total
        share += standard * part
        scores[member] += standard * weight[member] * (yes[member] - part) / total
    return share, scores


def _design_error(scores: _Numbers, people: PeopleTable, weight: _Numbers) -> tuple[float, int]:
    """Return the standard error by Taylor linearisation, and degrees of freedom.

    Units are drawn with replacement within strata: Korn and Graubard, Analysis of Health
    Surveys (1999), section 2.4. All units of the sample count, also those without anybody
    in the domain.
    """
    present = weight > 0
    stratum, psu = people["stratum_code"][present], people["psu_code"][present]
    units, index = np.unique(np.stack([stratum, psu]), axis=1, return_inverse=True)
    totals = np.bincount(index.ravel(), weights=scores[present], minlength=units.shape[1])
    strata, place, sizes = np.unique(units[0], return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=totals) / sizes
    spread = np.bincount(place, weights=(totals - means[place]) ** 2)
    factor = np.where(sizes > 1, sizes / np.maximum(sizes - 1, 1), 0.0)
    return sqrt(float((factor * spread).sum())), int(units.shape[1] - len(strata))


def _words(ages: int | tuple[int, int], *, adjusted: bool) -> str:
    if not isinstance(ages, int):
        return f"{ages[0]}-{ages[1]}"
    return f"{ages} and over" + (", age-adjusted" if adjusted else "")


def prevalence(
    profiles: Profiles,
    status: str,
    *,
    weight: str = "exam",
    ages: int | tuple[int, int] = 20,
    adjusted: bool = True,
    among: _Flags | None = None,
    rules: str = "",
) -> Prevalence:
    """Estimate the share of US adults with a status.

    Parameters
    ----------
    profiles : Profiles
        Of one cycle, or of several that hold nobody twice.
    status : str
    weight : {'exam', 'interview', 'fasting', 'recall', 'two recalls'}
        Of the part of the survey that the status needs.
    ages : int or pair of int
        First age of the population, or first and last age of one group (never adjusted).
    adjusted : bool, optional
        Directly age-adjusted to the 2000 US standard population, as NCHS does, which is given
        from 20 and from 18 years on; else crude.
    among : ndarray of bool, shape (n,), optional
        Whom to look at, such as men; the design stays that of the whole sample.
    rules : str, optional
        Another rule set, such as ``cdc`` with the definitions of published figures.

    Returns
    -------
    Prevalence
        Unknown people are left out: the estimate is of those of whom it can be told.

    Raises
    ------
    NotFoundError
        On a status or weight that is not there.
    InputError
        When an age group is empty, or people have no survey design (made-up people).
    """
    people = profiles.people
    told = _told(profiles, status, rules or profiles.rules)
    raw = survey_weight(people, weight)
    raw = np.where(np.isnan(people["stratum_code"]), 0.0, raw)
    age = people["age_years"]
    groups = _groups(ages, adjusted=adjusted)
    member = (age >= groups[0][0]) & (age <= groups[-1][1]) & (raw > 0)
    if among is not None:
        member &= among
    domain = member & (told != Truth.UNKNOWN)
    if not domain.any():
        raise InputError(
            "nobody of these ages has a weight and an answer",
            where=f"prevalence of {status}",
            hint="survey people have weights; made-up people have none",
        )
    parts = [(domain & (age >= low) & (age <= high), share) for low, high, share in groups]
    share, scores = _linearised(told == Truth.YES, raw, parts)
    error, degrees = _design_error(scores, people, raw)
    of_ages = [member & (age >= low) & (age <= high) for low, high, _ in groups]
    unknown = [float(raw[part & ~domain].sum() / raw[part].sum()) for part in of_ages]
    margin = t_quantile(0.975, degrees) * error
    return Prevalence(
        status=status,
        rules=rules or profiles.rules,
        weight=weight,
        ages=_words(ages, adjusted=adjusted),
        share=share,
        standard_error=error,
        low=max(0.0, share - margin),
        high=min(1.0, share + margin),
        n=int(domain.sum()),
        n_yes=int((domain & (told == Truth.YES)).sum()),
        n_unknown=int((member & ~domain).sum()),
        degrees=degrees,
        unknown_share=max(unknown),
    )
