"""What each ingredient of the estimator is worth: one switched off at a time."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.carbs import carb_errors, compared
from benchmarks.meals import MealSet
from prandial.meal import Estimator
from prandial.meal.weights import Weights
from prandial.tables import FoodTable

__all__ = ["INGREDIENTS", "SETS", "measure_ablation", "without"]

SETS = ("v1_us_natural", "v2_us_natural", "v1_us_metric", "v2_us_metric")
#: a cost that no other explanation can outweigh
_NEVER = 60.0

#: ingredient -> constants of the ranking that switch it off
INGREDIENTS: dict[str, dict[str, float]] = {
    "popularity prior": {"gamma": 0.0},
    "popularity of portions (row prior)": {"row_prior": 0.0},
    "head noun": {"head": 0.0, "same_head": 0.0, "doc_head": 1.0},
    "neighbouring words (pairs)": {"bigram": 0.0},
    "rare words weigh more": {"idf_power": 0.0},
    "words left unsaid cost": {"beta": 0.0},
    "brand words": {"brand": 1.0, "brand_rest": 1.0},
    "synonym names": {"alt": _NEVER},
    "SR foods": {"sr": _NEVER},
    "unspecified foods preferred (NFS)": {"nfs": 0.0},
    "long names shrink": {"crowd": 0.0},
    "qualifiers, origin and inner words weigh less": {
        "where_from": 1.0,
        "inner": 1.0,
        "later": 1.0,
    },
    "implied words": {"implied": 0.0},
    "negation": {"negated": 0.0, "no_gain": 0.0},
    "raw against cooked": {"state": 0.0},
    "junk cost": {"junk": 0.0, "junk_atom": 0.0},
    "lost amounts": {"lost_weight": 0.0, "lost_amount": 0.0},
    "one weight an item (metric)": {"no_weight": 0.0},
    "one amount an item": {"extra_amount": 0.0, "unamounted": 0.0, "late_amount": 0.0},
    "commas part items": {"comma": 0.0},
    "measure words (unit miss)": {"unit_miss": 0.0},
    "measure words left unsaid cost": {"row_miss": 0.0},
    "a count prefers one of the food": {"self_row": 0.0},
    "what else is in the meal (siblings)": {"company": 0.0},
    "foods newer than the recalls: part of their category": {"new_food": 0.0},
}


def _no_spelling(estimator: Estimator) -> None:
    setattr(estimator.matcher, "correct", lambda _word: None)  # noqa: B010


def _no_phrases(estimator: Estimator) -> None:
    nothing = replace(
        estimator.lexicon,
        implies={},
        implies_first={},
        foreign={},
        replaced=frozenset(),
        implies_words=frozenset(),
    )
    estimator.lexicon = estimator.matcher.lexicon = nothing


#: ingredient -> what is taken out of a ready estimator
TAKEN_OUT: dict[str, Callable[[Estimator], None]] = {
    "spelling": _no_spelling,
    "table of everyday names": _no_phrases,
}


def without(ingredient: str, table: FoodTable) -> Estimator:
    """Return an estimator that lacks one ingredient."""
    known = INGREDIENTS.get(ingredient, {})
    estimator = Estimator(table, replace(Weights(), **known))
    if ingredient in TAKEN_OUT:
        TAKEN_OUT[ingredient](estimator)
    return estimator


def measure_ablation(
    table: FoodTable, sets: Sequence[MealSet], say: Callable[[str], None] = lambda _: None
) -> list[dict[str, Any]]:
    """Score each set with each ingredient off; changes are against the whole estimator."""

    def errors(estimator: Estimator) -> list[Any]:
        return [carb_errors(estimator, s.texts, s.labels["carb_g"]) for s in sets]

    whole = errors(Estimator(table))
    natural = [k for k, s in enumerate(sets) if s.name.endswith("natural")]
    metric = [k for k, s in enumerate(sets) if s.name.endswith("metric")]
    rows = []
    for ingredient in (*INGREDIENTS, *TAKEN_OUT):
        lacking = errors(without(ingredient, table))
        row: dict[str, Any] = {"ingredient": ingredient}
        for title, places in (("natural", natural), ("metric", metric)):
            if places:
                row[title] = compared(
                    np.concatenate([whole[k] for k in places]),
                    np.concatenate([lacking[k] for k in places]),
                    [g for k in places for g in sets[k].groups],
                )
        rows.append(row)
        say(f"{ingredient}: {row}")
        gc.collect()
    return rows
