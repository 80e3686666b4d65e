"""Records of advice: amounts, tags, reasons, what instead, and the verdict on a meal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from prandial.records.meals import Source

__all__ = [
    "Amount",
    "Answer",
    "Change",
    "NutritionTag",
    "Outcome",
    "Reason",
    "SmallerPortion",
    "Swap",
    "TagsOf",
    "Verdict",
]

#: whether something holds, as a word
Answer = Literal["yes", "no", "unknown"]
#: what a meal says to one need; ``neither`` is neither low nor high
Outcome = Literal["match", "contradict", "neither", "unknown", "conflict"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Amount:
    """An amount with its range, of which ends may be open.

    Parameters
    ----------
    low : float
        What is there at least, in ``unit``; 0 when nothing is known.
    mid : float or None
        None when the amount is unknown.
    high : float or None
        None when there is no upper end to tell.
    unit : str
        ``g``, ``mg``, ``mcg`` or ``kcal``.
    """

    low: float
    mid: float | None
    high: float | None
    unit: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, rounded to 4 decimals; an open end is null."""
        ends = {"low": self.low, "mid": self.mid, "high": self.high}
        return {
            **{k: None if v is None else round(v, 4) for k, v in ends.items()},
            "unit": self.unit,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class NutritionTag:
    """Whether something is low (or high) in a nutrient, by which rule, and why."""

    nutrient: str
    direction: Literal["low", "high"]
    holds: Answer
    rule_id: str
    because: str

    @property
    def name(self) -> str:
        """Such as ``low_sodium``."""
        return f"{self.direction}_{self.nutrient}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "tag": self.name,
            "holds": self.holds,
            "rule_id": self.rule_id,
            "because": self.because,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class TagsOf:
    """All tags of a meal (``item`` is None) or of one of its items, on one basis."""

    item: int | None
    basis: str
    amounts: Mapping[str, Amount]
    tags: tuple[NutritionTag, ...]

    def tag(self, name: str) -> NutritionTag:
        """Return a tag by its name, such as ``low_sodium``."""
        return next(t for t in self.tags if t.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; a tag that is not listed does not hold."""
        return {
            "item": self.item,
            "basis": self.basis,
            "amounts": {n: a.to_dict() for n, a in self.amounts.items()},
            "tags": [t.to_dict() for t in self.tags if t.holds != "no"],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """What the meal says to one need of one status.

    Parameters
    ----------
    status, need, nutrient : str
        Such as hypertension, ``low_sodium``, sodium.
    status_holds : {'yes', 'unknown'}
        ``unknown`` when the person only may have the status; then the need is not
        counted, but it widens the worst and the best case.
    outcome : Outcome
    meal_tag : str
        The tag that holds of the meal, empty when neither or unknown.
    amount : Amount
        Of the meal, on the verdict's basis.
    low, high : float
        Thresholds in the amount's unit: low at or below, high above.
    high_includes : bool
        Whether ``high`` itself is high.
    per : str
        What the thresholds are for: ``serving``, ``100 g`` or ``100 kcal``.
    rule_id, tag_rule_id : str
        Keys in ``Verdict.rules``: of the need, and of the thresholds.
    most_from : int or None
        Number of the item that holds most of the nutrient.
    share : float or None
        Its share of the known amount, 0 to 1.
    """

    status: str
    status_holds: Answer
    need: str
    nutrient: str
    outcome: Outcome
    meal_tag: str
    amount: Amount
    low: float
    high: float
    high_includes: bool
    per: str
    rule_id: str
    tag_rule_id: str
    most_from: int | None
    share: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "status": self.status,
            "status_holds": self.status_holds,
            "need": self.need,
            "nutrient": self.nutrient,
            "outcome": self.outcome,
            "meal_tag": self.meal_tag or None,
            "amount": self.amount.to_dict(),
            "low_at_most": self.low,
            "high_from" if self.high_includes else "high_above": self.high,
            "per": self.per,
            "rule_id": self.rule_id,
            "tag_rule_id": self.tag_rule_id,
            "most_from": self.most_from,
            "share": None if self.share is None else round(self.share, 4),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A nutrient of the meal before and after, in the middle, on the verdict's basis."""

    nutrient: str
    unit: str
    before: float | None
    after: float | None
    #: what the middle amount says to the need; ``energy`` alone has none
    outcome_before: Outcome | None
    outcome_after: Outcome | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "nutrient": self.nutrient,
            "unit": self.unit,
            "before": None if self.before is None else round(self.before, 4),
            "after": None if self.after is None else round(self.after, 4),
            "outcome_before": self.outcome_before,
            "outcome_after": self.outcome_after,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Swap:
    """Another food of the same category in place of an item, at the same grams.

    ``answer_after``, ``worst_after`` and ``best_after`` judge the whole meal again, with
    ranges; ``changes`` compare middle amounts.
    """

    item: int
    food_id: str
    name: str
    category: str
    source: Source
    grams: float
    changes: tuple[Change, ...]
    answer_after: Answer
    worst_after: int
    best_after: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "item": self.item,
            "food": {
                "id": self.food_id,
                "name": self.name,
                "category": self.category,
                "table": self.source.table,
                "release": self.source.release,
            },
            "grams": round(self.grams, 4),
            "changes": [c.to_dict() for c in self.changes],
            "answer_after": self.answer_after,
            "worst_after": self.worst_after,
            "best_after": self.best_after,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class SmallerPortion:
    """So much of every item that named nutrients are no longer high in the middle."""

    scale: float
    grams_before: float
    grams: float
    brings_down: tuple[str, ...]
    changes: tuple[Change, ...]
    answer_after: Answer
    worst_after: int
    best_after: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "scale": round(self.scale, 4),
            "grams_before": round(self.grams_before, 4),
            "grams": round(self.grams, 4),
            "brings_down": list(self.brings_down),
            "changes": [c.to_dict() for c in self.changes],
            "answer_after": self.answer_after,
            "worst_after": self.worst_after,
            "best_after": self.best_after,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether a meal is right for a person, why, and what instead.

    Parameters
    ----------
    text : str
        The meal as given.
    answer : {'yes', 'no', 'unknown'}
        By the rule of the worst and the best case: ``yes`` when more speaks for than
        against in the worst case, ``no`` when more speaks against in the best case.
    lean : {'for', 'against', 'even', 'nothing'}
        What is known alone; never a replacement of the answer.
    matches, contradicts : tuple of str
        Tags of the meal that speak for and against, one a nutrient.
    neither, unknowns, conflicts : tuple of str
        Needed nutrients in which the meal is neither low nor high; whose tag cannot be
        told; and that are needed both low and high and so left out.
    worst, best : int
        Nutrients for, less nutrients against, should every unknown turn out that way.
    rules : mapping of str to str
        Rule id to its source, of every rule used.
    """

    text: str
    answer: Answer
    lean: Literal["for", "against", "even", "nothing"]
    basis: str
    matches: tuple[str, ...]
    contradicts: tuple[str, ...]
    neither: tuple[str, ...]
    unknowns: tuple[str, ...]
    conflicts: tuple[str, ...]
    worst: int
    best: int
    reasons: tuple[Reason, ...]
    rules: Mapping[str, str]
    statuses: tuple[str, ...]
    unknown_statuses: tuple[str, ...]
    person: int | None
    items: tuple[Mapping[str, Any], ...]
    tags: tuple[TagsOf, ...]
    swaps: tuple[Swap, ...] = ()
    smaller: tuple[SmallerPortion, ...] = ()
    complete: bool = True
    release: str = ""
    estimator: str = ""
    rule_set: str = "default"
    notes: tuple[str, ...] = field(default_factory=tuple)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "text": self.text,
            "answer": self.answer,
            "lean": self.lean,
            "basis": self.basis,
            "matches": list(self.matches),
            "contradicts": list(self.contradicts),
            "neither": list(self.neither),
            "unknowns": list(self.unknowns),
            "conflicts": list(self.conflicts),
            "worst": self.worst,
            "best": self.best,
            "statuses": list(self.statuses),
            "unknown_statuses": list(self.unknown_statuses),
            "person": self.person,
            "reasons": [r.to_dict() for r in self.reasons],
            "swaps": [s.to_dict() for s in self.swaps],
            "smaller": [s.to_dict() for s in self.smaller],
            "items": [dict(i) for i in self.items],
            "tags": [t.to_dict() for t in self.tags],
            "rules": dict(self.rules),
            "complete": self.complete,
            "release": self.release,
            "estimator": self.estimator,
            "rule_set": self.rule_set,
            "notes": list(self.notes),
        }
