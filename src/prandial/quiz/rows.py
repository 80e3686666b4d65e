"""Rows of the quiz: a level, a food, a person, their graph and the right answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from prandial.graph.question import question_graph
from prandial.quiz.gold import gold_of_facts
from prandial.records.quiz import FoodFacts, Gold, GraphMode, Level, PersonFacts, QuizRow

if TYPE_CHECKING:
    from prandial.quiz.sample import Pairs

__all__ = ["build_rows", "level_of", "make_row", "row_id"]


def row_id(row: QuizRow) -> str:
    """Return the row's name, the same in every build: level, food code, person."""
    return f"{row.level}-{row.food.code}-{row.person.person}"


def level_of(gold: Gold) -> Level | None:
    """Return the level that a row of this gold belongs to, None when no tag decides.

    Sparse: one nutrient decides; standard: several that agree; complex: several that do not.
    """
    if not gold.tags:
        return None
    if len(gold.tags) == 1:
        return "sparse"
    return "complex" if gold.matches and gold.contradicts else "standard"


def make_row(
    food: FoodFacts, person: PersonFacts, *, level: Level, rules: str, mode: GraphMode = "published"
) -> QuizRow:
    """Return one row with its graph and gold.

    Raises
    ------
    NotFoundError, InputError
        On a status, rule set or graph mode that is not known.
    """
    return QuizRow(
        level=level,
        food=food,
        person=person,
        graph=question_graph(food, person, rules=rules, mode=mode),
        gold=gold_of_facts(food, person, rules=rules),
    )


def build_rows(
    pairs: Pairs,
    foods: Sequence[FoodFacts],
    people: Mapping[int, PersonFacts] | Sequence[PersonFacts],
    *,
    rules: str,
    mode: GraphMode = "published",
) -> list[QuizRow]:
    """Return the rows of sampled pairs, in their order.

    Parameters
    ----------
    pairs : Pairs
        Levels and rows into ``foods`` and ``people``.
    foods : sequence of FoodFacts
    people : sequence of PersonFacts, or mapping of row number to PersonFacts
        A mapping need hold only the people who were drawn.
    rules, mode
        As :func:`make_row`.

    Raises
    ------
    NotFoundError, InputError
        As :func:`make_row`.
    """
    drawn = zip(pairs.level, pairs.food_row.tolist(), pairs.person_row.tolist(), strict=True)
    return [
        make_row(foods[f], people[p], level=level, rules=rules, mode=mode) for level, f, p in drawn
    ]
