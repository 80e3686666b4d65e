"""Made-up foods and people for tests, as hypothesis strategies and by hand."""

from __future__ import annotations

from hypothesis import strategies as st

from prandial.records.quiz import FoodFacts, PersonFacts
from prandial.tables.rules import FOOD_TAG_ORDER, load_needs

RULES = ("as-published", "default")
ORDER = {
    "as-published": FOOD_TAG_ORDER[:7],
    "default": FOOD_TAG_ORDER,
}


def food(*tags: str, code: int = 58150530, **more) -> FoodFacts:
    """A food with these tags."""
    facts = {"name": f"Food {code}", "category": "Pizza", "ingredients": ("Salt", "Rice, raw")}
    return FoodFacts(code=code, tags=tags, **facts | more)


def person(*statuses: str, number: int = 21005, **more) -> PersonFacts:
    """A person with these statuses."""
    return PersonFacts(person=number, statuses=statuses, **more)


@st.composite
def foods(draw, rules: str) -> FoodFacts:
    directions = {n: draw(st.sampled_from(("", "low", "high"))) for n in ORDER[rules]}
    unknown = tuple(n for n, d in directions.items() if not d and draw(st.booleans()))
    return FoodFacts(
        code=draw(st.integers(10_000_000, 99_999_999)),
        name=draw(st.text(min_size=1, max_size=12)),
        category=draw(st.sampled_from(("Pizza", "Soups", "Cakes and pies"))),
        ingredients=tuple(draw(st.lists(st.text(max_size=8), max_size=4))),
        tags=tuple(f"{d}_{n}" for n, d in directions.items() if d),
        unknown=unknown,
        per_100g={n: 1.5 for n, d in directions.items() if d},
    )


@st.composite
def people(draw, rules: str) -> PersonFacts:
    known = list(load_needs(rules).tags)
    held = draw(st.sets(st.sampled_from(known), max_size=6))
    return PersonFacts(
        person=draw(st.integers(1, 130_000)),
        statuses=tuple(s for s in known if s in held),
        habits=tuple(draw(st.lists(st.text(max_size=8), max_size=3))),
    )
