"""Small made-up people and foods, and drawn ones for the laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from prandial.graph import MergedGraph, build_merged
from prandial.records.people import PeopleTable, Profiles
from prandial.records.quiz import FoodFacts
from prandial.tables.rules import NUTRIENT_ORDER, load_needs

HOSTILE = [
    'a "quoted", name',
    "line\nbreak\r\nand\rreturn",
    "(a has b), (c need d)",
    "<script>alert('x')</script>&amp;",
    "مرحبا‏ עברית",
    "=cmd|' /C calc'!A0",
    "@sum",
    "'already",
    "-1+2",
    "\ttab",
    " padded ",
    "日本語 🍣 crème",
    "50% of a/b;c:d#e?f",
    "",
]


def table(seqn: list[int], **columns: list[float]) -> PeopleTable:
    return PeopleTable(
        cycle=np.array(["2015-2016" if s % 2 else "2017-2018" for s in seqn], dtype=np.str_),
        seqn=np.array(seqn, dtype=np.int64),
        values={k: np.array(v, dtype=np.float64) for k, v in columns.items()},
    )


def profiles(
    seqn: list[int],
    statuses: dict[str, list[int]],
    habits: dict[str, list[int]] | None = None,
    rules: str = "as-published",
    **columns: list[float],
) -> Profiles:
    return Profiles(
        rules=rules,
        people=table(seqn, **columns),
        statuses={k: np.array(v, dtype=np.uint8) for k, v in statuses.items()},
        severity={},
        habits={k: np.array(v, dtype=np.uint8) for k, v in (habits or {}).items()},
    )


@pytest.fixture
def people() -> Profiles:
    """Three people: hypertension and a weight gain diet; renal and high protein; unknown."""
    return profiles(
        [100001, 99998, 99999],
        {
            "hypertension": [1, 0, 2],
            "Weight gain/Muscle building diet": [1, 0, 0],
            "Renal/Kidney diet": [0, 1, 0],
            "High protein diet": [0, 1, 0],
        },
        {"Eats lots of fish": [1, 0, 2]},
        bmi_kg_m2=[31.5, np.nan, 20.0],
    )


@pytest.fixture
def foods() -> list[FoodFacts]:
    return [
        FoodFacts(
            code=58100100,
            name="Burrito with beef",
            category="Burritos and tacos",
            ingredients=("Beef, ground", "Tortilla", "Beef, ground"),
            tags=("low_carb", "high_sodium", "high_protein"),
            unknown=("calorie",),
            per_100g={"carb": 20.0, "sodium": 410.5, "protein": 16.0, "sugar": 8.0},
        ),
        FoodFacts(
            code=1100,
            name="Soup, broth",
            category="Soups",
            ingredients=(),
            tags=("low_calorie", "low_protein"),
            unknown=("sodium",),
            per_100g={"calorie": 15.0, "protein": 1.0, "sodium": float("nan")},
        ),
    ]


@pytest.fixture
def graph(people: Profiles, foods: list[FoodFacts]) -> MergedGraph:
    return build_merged(people, foods)


names = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(
        st.characters(
            exclude_categories=("Cs", "Cc"), include_characters="\t\n\r", max_codepoint=0x1FFFF
        ).filter(lambda c: c not in "\ufffe\uffff"),
        max_size=12,
    ),
)
amounts = st.one_of(st.floats(allow_infinity=False, width=64), st.just(0.1), st.just(1e-300))


@st.composite
def food_facts(draw: st.DrawFn, code: int) -> FoodFacts:
    tags, unknown, per_100g = [], [], {}
    for nutrient in NUTRIENT_ORDER:
        said = draw(st.sampled_from(["low", "high", "middle", "unknown", "absent"]))
        if said in ("low", "high"):
            tags.append(f"{said}_{nutrient}")
        if said == "unknown":
            unknown.append(nutrient)
        elif said != "absent":
            per_100g[nutrient] = draw(amounts)
    return FoodFacts(
        code=code,
        name=draw(names),
        category=draw(names),
        ingredients=tuple(draw(st.lists(names, max_size=4))),
        tags=tuple(tags),
        unknown=tuple(unknown),
        per_100g=per_100g,
    )


@st.composite
def worlds(
    draw: st.DrawFn, rules: str | None = None, least: int = 0
) -> tuple[Profiles, list[FoodFacts]]:
    chosen = rules or draw(st.sampled_from(["as-published", "default"]))
    seqn = draw(st.lists(st.integers(1, 200000), unique=True, min_size=least, max_size=5))
    truths = st.lists(st.integers(0, 2), min_size=len(seqn), max_size=len(seqn))
    made = profiles(
        seqn,
        {s: draw(truths) for s in load_needs(chosen).tags},
        {h: draw(truths) for h in draw(st.lists(names, unique=True, max_size=3))},
        chosen,
        bmi_kg_m2=draw(st.lists(amounts, min_size=len(seqn), max_size=len(seqn))),
    )
    codes = draw(st.lists(st.integers(1, 99999999), unique=True, min_size=least, max_size=3))
    return made, [draw(food_facts(c)) for c in codes]
