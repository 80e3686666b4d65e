"""Labelled meals reviewed: one by one, and all together."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from prandial.records import Estimate, MealItem
from prandial.score.confusion import Confusion
from prandial.score.gold import GoldItem
from prandial.score.numbers import RANGE_MEANT, Outcome, Summary, summarise
from prandial.score.reasons import ItemReview, guess_reason, item_reason, marks_of, review_items

__all__ = ["ErrorReview", "MealReview", "Tally", "review_meal", "review_number"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MealReview:
    """One meal that missed its label, and why.

    ``reason`` is the class of the meal; ``marks`` are all the classes that can be
    seen without a gold list. ``items`` are empty for a number from elsewhere
    without a gold list.
    """

    row: int
    id: str | int | None
    text: str
    country: str | None
    outcome: Outcome
    reason: str
    marks: tuple[str, ...]
    items: tuple[ItemReview, ...]
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        """What the meal is ranked by: its absolute error; its label where it has no answer."""
        error = self.outcome.error
        return abs(self.outcome.truth if error is None else error)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form (unknown is null)."""
        o = self.outcome
        return {
            "row": self.row,
            "id": self.id,
            "text": self.text,
            "country": self.country,
            "truth": o.truth,
            "estimate": None if o.mid is None else round(o.mid, 4),
            "low": None if o.low is None else round(o.low, 4),
            "high": None if o.high is None else round(o.high, 4),
            "error": None if o.error is None else round(o.error, 4),
            "reason": self.reason,
            "marks": list(self.marks),
            "items": [i.to_dict() for i in self.items],
            "notes": list(self.notes),
        }


def review_meal(
    estimate: Estimate,
    outcome: Outcome,
    *,
    row: int,
    nutrient: str,
    limit: float,
    gold: Sequence[GoldItem] | None = None,
    id: str | int | None = None,  # noqa: A002 - the field's name
    country: str | None = None,
) -> MealReview:
    """Review one estimated meal.

    Parameters
    ----------
    estimate : Estimate
    outcome : Outcome
        Its label and its total, of the nutrient under review.
    row : int
        0-based position in the file.
    nutrient : str
    limit : float
        Largest error that counts as right, in the nutrient's unit.
    gold : sequence of GoldItem, optional
        What the meal held.
    id, country
        As in the file.

    Returns
    -------
    MealReview
    """
    items = review_items(estimate.items, gold, nutrient=nutrient)
    marks = tuple(marks_of(estimate, outcome, nutrient=nutrient, limit=limit))
    reason = None if marks[:1] == ("not_answered",) else item_reason(items)
    return MealReview(
        row=row,
        id=id,
        text=estimate.text,
        country=country,
        outcome=outcome,
        reason=reason or marks[0],
        marks=marks,
        items=tuple(replace(i, item=_slim(i.item)) for i in items),
        notes=estimate.notes,
    )


def review_number(
    text: str,
    outcome: Outcome,
    *,
    row: int,
    gold: Sequence[GoldItem] | None = None,
    id: str | int | None = None,  # noqa: A002 - the field's name
    country: str | None = None,
) -> MealReview:
    """Review one meal whose number came from elsewhere; parameters as in :func:`review_meal`."""
    return MealReview(
        row=row,
        id=id,
        text=text,
        country=country,
        outcome=outcome,
        reason=guess_reason(outcome, gold),
        marks=(),
        items=tuple(ItemReview(item=None, gold=g, verdict=None, error=None) for g in gold or ()),
    )


def _slim(item: MealItem | None) -> MealItem | None:
    """Return an item without what a review does not show."""
    if item is None or item.food is None:
        return item
    return replace(item, candidates=(), food=replace(item.food, measures=(), per_100g={}))


@dataclass(kw_only=True, slots=True)
class Tally:
    """Reviewed meals put together chunk by chunk; holds the worst meals only.

    ``outcomes`` has the labelled meals of each nutrient; ``wrong`` the meals
    beyond the limit or without an answer, each with its reason.
    """

    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    confusion: Confusion = field(default_factory=Confusion)
    wrong: list[MealReview] = field(default_factory=list)
    with_gold: int = 0

    def merge(self, other: Tally, *, worst: int) -> None:
        """Add a chunk; keep its worst meals."""
        for key, outcomes in other.outcomes.items():
            self.outcomes.setdefault(key, []).extend(outcomes)
        self.reasons.update(other.reasons)
        self.confusion.merge(other.confusion)
        self.with_gold += other.with_gold
        both = (*self.wrong, *other.wrong)
        self.wrong = heapq.nsmallest(worst, both, key=lambda m: (-m.size, m.row))


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorReview:
    """The errors of an estimator over a file of labelled meals.

    Attributes
    ----------
    file : str
        Name of the file.
    rows : int
        Rows read; those without a usable label have no part in the figures.
    nutrient : str
        The nutrient by which meals are listed.
    estimator, release : str
        What made the estimates; for numbers from a column its name and "".
    summaries : mapping of str to Summary
        Figures of each labelled nutrient.
    reasons : mapping of str to int
        Wrong meals by reason, the most frequent first.
    worst : tuple of MealReview
        The worst of the wrong meals, the worst first.
    confusion : Confusion
        Over the items of all meals with a gold list.
    findings : tuple of str
        What was odd about the file, with counts and rows.
    """

    file: str
    rows: int
    nutrient: str
    estimator: str
    release: str
    summaries: Mapping[str, Summary]
    reasons: Mapping[str, int]
    worst: tuple[MealReview, ...]
    confusion: Confusion
    with_gold: int
    findings: tuple[str, ...]

    @property
    def summary(self) -> Summary:
        """Figures of the nutrient by which meals are listed."""
        return self.summaries[self.nutrient]

    @classmethod
    def of(
        cls,
        tally: Tally,
        *,
        limits: Mapping[str, float],
        predicted: bool,
        **rest: Any,
    ) -> ErrorReview:
        """Put a tally's figures together; ``rest`` are the other attributes."""
        return cls(
            summaries={
                key: summarise(
                    outcomes,
                    nutrient=key,
                    limit=limits[key],
                    range_meant=None if predicted else RANGE_MEANT,
                )
                for key, outcomes in tally.outcomes.items()
            },
            reasons=dict(sorted(tally.reasons.items(), key=lambda x: (-x[1], x[0]))),
            worst=tuple(tally.wrong),
            confusion=tally.confusion,
            with_gold=tally.with_gold,
            **rest,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "file": self.file,
            "rows": self.rows,
            "nutrient": self.nutrient,
            "estimator": self.estimator,
            "release": self.release,
            "summaries": {k: s.to_dict() for k, s in self.summaries.items()},
            "reasons": dict(self.reasons),
            "wrong": sum(self.reasons.values()),
            "worst": [m.to_dict() for m in self.worst],
            "with_gold": self.with_gold,
            "confusion": self.confusion.to_dict() if self.with_gold else None,
            "findings": list(self.findings),
            "caveat": "research software: not dosing advice",
        }

    def to_html(self) -> str:
        """Return a self-contained page: needs no network and no other file."""
        from prandial.score.page import render

        return render(self)
