"""Records of the survey: people as columns, their profiles, and one person alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from prandial.errors import NotFoundError
from prandial.truth import Truth, TruthArray

__all__ = [
    "HealthProfile",
    "MissingTable",
    "PeopleTable",
    "Prescriptions",
    "Profiles",
    "RuleSet",
    "StatusReason",
]

#: the two rule sets: the paper's pipeline quirk for quirk, or the repaired one
RuleSet = Literal["as-published", "default"]
_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prescriptions:
    """Prescription records, one a drug and person; days are NaN where unknown."""

    seqn: npt.NDArray[np.int64]
    cycle: npt.NDArray[np.str_]
    drug_code: tuple[str, ...]
    drug: tuple[str, ...]
    days: _Numbers
    #: Multum classes of each record, such as ``57/58/60``
    classes: tuple[tuple[str, ...], ...]
    #: ICD-10 reasons of each record
    reasons: tuple[tuple[str, ...], ...]
    #: whether it is known what drug it is and of which classes; all when None
    identified: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MissingTable:
    """A table, or some of its columns, that a cycle lacks: these measures are unknown there."""

    cycle: str
    table: str
    measures: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleTable:
    """People of one or more survey cycles as columns by house name.

    Parameters
    ----------
    cycle : ndarray of str, shape (n,)
        Such as ``2017-2018``.
    seqn : ndarray of int64, shape (n,)
        NHANES respondent number; rows are sorted by it.
    values : mapping of str to ndarray of float64, shape (n,)
        The unit ends each name; NaN is missing.
    prescriptions : Prescriptions, optional
        None when no prescription file was read.
    notes : tuple of MissingTable
        What was not at hand, so that these measures are unknown.
    """

    cycle: npt.NDArray[np.str_]
    seqn: npt.NDArray[np.int64]
    values: Mapping[str, _Numbers]
    prescriptions: Prescriptions | None = None
    notes: tuple[MissingTable, ...] = ()

    def __len__(self) -> int:
        return len(self.seqn)

    def __getitem__(self, name: str) -> _Numbers:
        """Return a column.

        Raises
        ------
        NotFoundError
            Naming the columns there are.
        """
        try:
            return self.values[name]
        except KeyError:
            raise NotFoundError(
                f"no column {name!r} in the people table",
                where="people",
                hint="columns: " + ", ".join(self.values),
            ) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Profiles:
    """What the rules say of each person of a :class:`PeopleTable`, same row order.

    Parameters
    ----------
    rules : RuleSet
    people : PeopleTable
    statuses : mapping of str to truth array, shape (n,)
        Conditions and diets in the order of the needs table.
    severity : mapping of str to ndarray of str, shape (n,)
        A grade for each condition that has one; an empty text where there is none to tell.
    habits : mapping of str to truth array, shape (n,)
        By label, in the order of the habits table.
    """

    rules: RuleSet
    people: PeopleTable
    statuses: Mapping[str, TruthArray]
    severity: Mapping[str, npt.NDArray[np.str_]]
    habits: Mapping[str, TruthArray]

    def __len__(self) -> int:
        return len(self.people)


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusReason:
    """What decided a status: one rule and what it saw.

    Parameters
    ----------
    rule : str
        Its id in ``indicators.csv``.
    words : str
        Such as ``HbA1c 6.2 %, limit 6.5 (ADA Standards of Care, section 2)``.
    source : str
        Where the rule comes from, in full.
    value : float, str or None
        The measure, or an answer in words; None where it is not known.
    limit : float, str or None
        The threshold for this person, or the answers that the rule asks for.
    unit : str
        Of value and limit when they are numbers.
    """

    rule: str
    words: str
    source: str
    value: float | str | None
    limit: float | str | None
    unit: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "rule": self.rule,
            "words": self.words,
            "source": self.source,
            "value": self.value,
            "limit": self.limit,
            "unit": self.unit,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class HealthProfile:
    """One person: measures with unit, conditions, diets and habits, each yes, no or unknown."""

    person: int
    cycle: str
    rules: RuleSet
    measures: Mapping[str, float]
    conditions: Mapping[str, Truth]
    diets: Mapping[str, Truth]
    habits: Mapping[str, Truth]
    severity: Mapping[str, str] = field(default_factory=dict)
    #: status -> one sentence: what decided it
    because: Mapping[str, str] = field(default_factory=dict)
    #: status -> the rules that decided it and what they saw
    reasons: Mapping[str, tuple[StatusReason, ...]] = field(default_factory=dict)
    #: such as ``woman, 66 years``
    about: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form (a missing measure is null)."""
        return {
            "person": self.person,
            "about": self.about,
            "cycle": self.cycle,
            "rules": self.rules,
            "measures": {k: None if isnan(v) else v for k, v in self.measures.items()},
            "conditions": {k: Truth(v).word for k, v in self.conditions.items()},
            "diets": {k: Truth(v).word for k, v in self.diets.items()},
            "habits": {k: Truth(v).word for k, v in self.habits.items()},
            "severity": dict(self.severity),
            "because": dict(self.because),
            "reasons": {s: [r.to_dict() for r in why] for s, why in self.reasons.items()},
        }
