"""Known problems of question rows, told from the row itself; named in ``label_problems``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import nan
from typing import Final

from prandial.quiz.gold import countings, is_tie
from prandial.records.quiz import FoodFacts, Gold, PersonFacts, QuestionGraph
from prandial.tables.rules import read_rules

__all__ = ["label_problems", "problem_words", "verdict_problems"]

#: kcal of a gram of carbohydrate (Atwater general factor)
_CARB_KCAL: Final = 4.0
#: lower end of the acceptable range of energy from carbohydrate: Institute of Medicine,
#: Dietary Reference Intakes for Energy, Carbohydrate, Fiber, ... (2005)
_MOST_ENERGY: Final = 0.45
_RENAL: Final = "Renal/Kidney diet"


@cache
def problem_words(rules: str) -> dict[str, str]:
    """Return the problems a rule set can have with what each means there, in the table's order."""
    rows = read_rules("label_problems")
    return {r["problem"]: r["what"] for r in rows if r["rules"] in ("both", rules)}


@cache
def _opposites() -> tuple[frozenset[str], ...]:
    rows = read_rules("habit_marks")
    return tuple(frozenset((r["first"], r["second"])) for r in rows if r["kind"] == "opposites")


@cache
def _diet_habits() -> dict[str, str]:
    return {r["first"]: r["second"] for r in read_rules("habit_marks") if r["kind"] == "diet"}


def label_problems(
    food: FoodFacts,
    person: PersonFacts,
    graph: QuestionGraph,
    per_100g: Mapping[str, float] | None = None,
) -> list[str]:
    """Return the problems that stand in a row's graph and facts, whatever the verdict.

    Parameters
    ----------
    food : FoodFacts
    person : PersonFacts
    graph : QuestionGraph
        As found in the file.
    per_100g : mapping of str to float, optional
        Amounts of the food in the units of the tag nutrients; those of ``food`` otherwise.
    """
    targets: dict[str, set[int]] = {"match": set(), "contradict": set()}
    for edge in graph.edges:
        if edge.relation in targets:
            targets[edge.relation].add(edge.target)
    needs = [n.attr for n in graph.nodes if n.name == "user_nutrition_tag"]
    lows = {t[4:] for t in food.tags if t.startswith("low_")}
    highs = {t[5:] for t in food.tags if t.startswith("high_")}
    habits = frozenset(person.habits)
    told = {
        "label_edges_inside": any(targets.values()),
        "match_and_contradict": not targets["match"].isdisjoint(targets["contradict"]),
        "low_carb_most_energy": "low_carb" in food.tags
        and _mostly_carb(per_100g if per_100g is not None else food.per_100g),
        "low_and_high": not lows.isdisjoint(highs),
        "habit_pair": any(pair <= habits for pair in _opposites()),
        "diet_habit_differs": _diets_differ(person),
        "repeated_need": _repeats(needs),
        "repeated_ingredient": _repeats(food.ingredients),
    }
    return [name for name, holds in told.items() if holds]


def verdict_problems(food: FoodFacts, person: PersonFacts, gold: Gold, rules: str) -> list[str]:
    """Return the problems of a row's verdict and answers.

    Raises
    ------
    NotFoundError, InputError
        On a status or rule set that is not known.
    """
    told = {
        "tie": bool(gold.tags) and is_tie(gold),
        "conflicting_needs": bool(gold.conflicts),
        "edges_disagree": not countings(food, person, rules=rules).agree,
        "winning_side_only": rules == "as-published" and bool(gold.matches and gold.contradicts),
        "renal_protein_only": rules == "as-published" and _RENAL in person.statuses,
    }
    return [name for name, holds in told.items() if holds]


def _repeats(texts: tuple[str, ...] | list[str]) -> bool:
    return any(n > 1 for n in Counter(texts).values())


def _mostly_carb(per_100g: Mapping[str, float]) -> bool:
    energy, carb = per_100g.get("calorie", nan), per_100g.get("carb", nan)
    return bool(energy > 0 and carb * _CARB_KCAL >= _MOST_ENERGY * energy)


def _diets_differ(person: PersonFacts) -> bool:
    """Return whether habits name other diets than statuses; only diets with a known habit count."""
    known = _diet_habits()
    by_habit = {known[h] for h in person.habits if h in known}
    return by_habit != {s for s in person.statuses if s in set(known.values())}
