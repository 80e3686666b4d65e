"""Records of words to nutrients: foods, portions, items, the estimate.

An estimate made by the built-in estimator, by a language model or by a person
is the same :class:`Estimate`, so one scorer and one simulator serve them all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Ask",
    "Band",
    "Basis",
    "Candidate",
    "Choice",
    "Estimate",
    "EstimateStatus",
    "Food",
    "MealItem",
    "Measure",
    "Portion",
    "ReadOnly",
    "Source",
    "Status",
]

#: where an item's grams came from
Basis = Literal["weighed", "measure", "count", "default"]
#: what became of an item
Status = Literal["matched", "estimated", "amount_unknown", "unmatched"]
#: what became of a whole text
EstimateStatus = Literal["ok", "incomplete", "nothing_to_estimate", "refused"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Band:
    """A value with its range; ``low <= mid <= high``."""

    low: float
    mid: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.mid <= self.high:
            msg = f"a Band needs low <= mid <= high, got {self.low}, {self.mid}, {self.high}"
            raise ValueError(msg)

    @classmethod
    def exact(cls, value: float) -> Band:
        """Return a band without width."""
        return cls(low=value, mid=value, high=value)

    def scaled(self, factor: float) -> Band:
        """Return the band times a factor >= 0."""
        return Band(low=self.low * factor, mid=self.mid * factor, high=self.high * factor)

    def to_dict(self) -> dict[str, float]:
        """Return ``{"low", "mid", "high"}``, rounded to 4 decimals."""
        return {
            "low": round(self.low, 4),
            "mid": round(self.mid, 4),
            "high": round(self.high, 4),
        }


class ReadOnly(dict[str, float]):
    """A mapping that cannot be changed, so that kept records stay as they are."""

    def _refuse(self, *_: object, **__: object) -> None:
        msg = "this mapping is read-only; make a dict of it to change a copy"
        raise TypeError(msg)

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[ReadOnly], tuple[dict[str, float]]]:
        """Pickle as a plain dict made read-only again."""
        return ReadOnly, (dict(self),)


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Origin of a fact: table, release, and the id within it."""

    table: str
    release: str
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """A household measure of one food and its weight."""

    name: str
    grams: float
    source: Source


@dataclass(frozen=True, kw_only=True, slots=True)
class Food:
    """One food of a table; ``per_100g`` maps nutrient to value, NaN unknown."""

    food_id: str
    name: str
    category: str
    per_100g: Mapping[str, float]
    measures: tuple[Measure, ...]
    source: Source

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of the food (unknown is null)."""
        return {
            "id": self.food_id,
            "name": self.name,
            "category": self.category,
            "table": self.source.table,
            "release": self.source.release,
            "per_100g": {
                k: None if math.isnan(v) else round(v, 4) for k, v in self.per_100g.items()
            },
            "measures": [{"name": m.name, "grams": round(m.grams, 4)} for m in self.measures],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Portion:
    """How much was eaten: ``quantity`` times ``measure`` gives ``grams``."""

    quantity: Band
    measure: str
    grams: Band
    basis: Basis


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A food that was considered for an item, with its score and share."""

    food_id: str
    name: str
    source: Source
    measure: str
    grams: float
    score: float
    share: float


@dataclass(frozen=True, kw_only=True, slots=True)
class MealItem:
    """One item of a meal, with everything that led to it.

    ``span`` is the half-open character range in the meal's text.
    ``nutrients`` maps nutrient to a :class:`Band`, or None where the table has
    no value.
    """

    text: str
    span: tuple[int, int]
    status: Status
    food: Food | None = None
    portion: Portion | None = None
    nutrients: Mapping[str, Band | None] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    steps: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of the item."""
        food = self.food
        portion = self.portion
        return {
            "text": self.text,
            "span": list(self.span),
            "status": self.status,
            "food": None
            if food is None
            else {
                "id": food.food_id,
                "name": food.name,
                "table": food.source.table,
                "release": food.source.release,
            },
            "grams": None if portion is None else portion.grams.to_dict(),
            "basis": None if portion is None else portion.basis,
            "measure": None if portion is None else portion.measure,
            "quantity": None if portion is None else portion.quantity.to_dict(),
            "nutrients": {
                k: None if band is None else band.to_dict() for k, band in self.nutrients.items()
            },
            "candidates": [
                {
                    "id": c.food_id,
                    "name": c.name,
                    "table": c.source.table,
                    "release": c.source.release,
                    "measure": c.measure,
                    "grams": None if math.isnan(c.grams) else round(c.grams, 4),
                    "score": round(c.score, 4),
                    "share": round(c.share, 4),
                }
                for c in self.candidates
            ],
            "steps": list(self.steps),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """An answer to a question: a food, or an amount of it.

    ``value`` is the item's amount of the question's nutrient, in that nutrient's
    unit, were this the answer.
    """

    label: str
    food_id: str
    source: Source
    measure: str
    grams: float
    value: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of the choice."""
        return {
            "label": self.label,
            "id": self.food_id,
            "table": self.source.table,
            "release": self.source.release,
            "measure": self.measure,
            "grams": round(self.grams, 4),
            "value": None if math.isnan(self.value) else round(self.value, 4),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """The question that would narrow a meal's range most.

    ``item`` is the number of the item, from 0; ``nutrient`` the one whose range
    counts. An answer is the number of a choice, from 0, or None for "not known".
    """

    item: int
    kind: Literal["food", "amount"]
    text: str
    nutrient: str
    choices: tuple[Choice, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of the question."""
        return {
            "item": self.item,
            "kind": self.kind,
            "text": self.text,
            "nutrient": self.nutrient,
            "choices": [c.to_dict() for c in self.choices],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """What a meal's words come to.

    ``totals`` are sums over the items that were understood; a nutrient is None
    when it is unknown for one of them; its :class:`Band` is meant to hold the
    truth in 90 of 100 meals, that of ``totals_50`` in 50. ``confidence`` (0 to 1)
    is the share of the readings taken; ``because`` says in one line why a range is
    wide, and ``ask`` is the question to put, when one was wished for.
    ``complete`` is False when something in
    the text could not be read as food with an amount; ``notes`` say what.
    """

    text: str
    items: tuple[MealItem, ...]
    totals: Mapping[str, Band | None]
    complete: bool
    status: EstimateStatus
    carbohydrate_definition: str
    release: str
    estimator: str
    notes: tuple[str, ...] = ()
    totals_50: Mapping[str, Band | None] = field(default_factory=dict)
    confidence: float | None = None
    because: str | None = None
    ask: Ask | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of the estimate (unknown is null)."""
        return {
            "text": self.text,
            "totals": {
                k: None if band is None else band.to_dict() for k, band in self.totals.items()
            },
            "totals_50": {
                k: None if band is None else band.to_dict() for k, band in self.totals_50.items()
            },
            "confidence": None if self.confidence is None else round(self.confidence, 4),
            "because": self.because,
            "ask": None if self.ask is None else self.ask.to_dict(),
            "complete": self.complete,
            "status": self.status,
            "items": [item.to_dict() for item in self.items],
            "carbohydrate_definition": self.carbohydrate_definition,
            "release": self.release,
            "estimator": self.estimator,
            "notes": list(self.notes),
        }
