"""Facts and retrievers: the right foods, amounts by hand, unknown passed over."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from prandial.answer.facts import (
    amount_text,
    embedded_rows,
    embedding_retriever,
    fact_of,
    lexical_retriever,
    name_vectors,
)
from prandial.answer.meals.retrieved import retriever_of
from prandial.answer.meals.settings import Settings
from prandial.answer.methods import Kit
from prandial.answer.texts import Prompts
from prandial.errors import InputError, MissingDataError
from prandial.records import Food, Measure, Source
from prandial.tables import load_foods

SOURCE = Source(table="fndds", release="r", id="1")
SIZE = 512


def embed(texts):
    """Make vectors of hashed words: two names are near when they share words."""
    out = np.zeros((len(texts), SIZE), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in re.findall(r"[a-z]+", text.lower()):
            place = sum(ord(c) * 31**k for k, c in enumerate(word)) % SIZE
            out[row, place] += 1
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def made(per_100g=12.5, measures=()) -> Food:
    return Food(
        food_id="1",
        name="Thing",
        category="c",
        per_100g={"carb_g": per_100g, "energy_kcal": 50.0},
        measures=tuple(Measure(name=n, grams=g, source=SOURCE) for n, g in measures),
        source=SOURCE,
    )


def test_a_fact_by_hand():
    food = made(
        measures=(
            ("1 cup", 200.0),
            ("Quantity not specified", 150.0),
            ("Guideline amount per cup of cereal", 30.0),
            ("1 bowl", 200.0),
        )
    )
    assert fact_of(food, "carb_g") == (
        "Thing: a usual serving (150 g) has 18.8 g carbohydrates; "
        "1 cup (200 g) has 25 g carbohydrates; 100 g has 12.5 g carbohydrates"
    )
    assert fact_of(food, "energy_kcal", servings=0) == "Thing: 100 g has 50 kcal energy"


def test_fluid_ounces_make_a_cup():
    food = made(measures=(("1 fl oz (with ice)", 23.0), ("1 fl oz (no ice)", 31.0)))
    fact = fact_of(food, "carb_g")
    assert "1 cup of 8 fl oz (248 g) has 31 g carbohydrates" in fact  # 8 x 31 x 0.125


def test_unknown_is_no_fact():
    assert fact_of(made(per_100g=math.nan), "carb_g") is None
    assert amount_text(0.0, "fat_g") == "0 g fat"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("oatmeal", "Oatmeal"),
        ("1 cup of cooked white rice", "Rice, white, cooked"),
        ("scrambled eggs", "Egg omelet or scrambled egg"),
        ("peanut butter and jelly sandwich", "Peanut butter and jelly sandwich"),
        ("Big Mac", "Big Mac"),
    ],
)
def test_lexical_finds_the_food(query, first):
    facts = lexical_retriever("carb_g")(query, 3)
    assert len(facts) == 3
    assert facts[0].startswith(first)
    assert all(re.search(r"100 g has [\d.]+ g carbohydrates$", f) for f in facts)


def test_lexical_finds_nothing_for_no_food():
    assert list(lexical_retriever("carb_g")("xyzzy", 3)) == []


def test_embedding_takes_the_nearest_names():
    """Against a slow obvious version: every name compared, one after another."""
    table = load_foods()
    rows = embedded_rows()
    assert len(rows) == 7083
    look_up = embedding_retriever("carb_g", embed)
    for query in ("rice, white, cooked", "orange juice", "bread, white, toasted"):
        target = embed([query])[0]
        cosines = [(float(embed([table.names[r]])[0] @ target), -k) for k, r in enumerate(rows)]
        best = [rows[-k] for _, k in sorted(cosines, reverse=True)[:3]]
        found = [fact.split(": ")[0] for fact in look_up(query, 3)]
        near = sorted(cosines, reverse=True)
        if near[2][0] - near[3][0] > 1e-5:  # no tie at the edge
            assert set(found) == {table.names[r] for r in best}
    assert look_up("bread, white, toasted", 1)[0].startswith("Bread, white, toasted:")


def test_names_are_embedded_once_a_process():
    calls: list[int] = []

    def counted(texts):
        calls.append(len(texts))
        return embed(texts)

    for _ in range(2):
        embedding_retriever("carb_g", counted)("rice", 1)
        embedding_retriever("fat_g", counted)("rice", 1)
    assert calls == [7083, 1, 1, 1, 1]


def test_kept_vectors_can_be_passed_on():
    vectors = name_vectors(embed)
    with pytest.raises(InputError, match="vectors of shape"):
        embedding_retriever("carb_g", embed, vectors=vectors[:5])
    assert embedding_retriever("carb_g", embed, vectors=vectors)("oatmeal", 2)


def test_the_runs_encoder_decides():
    defaults = {"retriever": "auto", "servings": 2, "release": "fndds-2017-2018"}

    def of(how, encoder):
        kit = Kit(prompts=Prompts(), embed=encoder)
        return retriever_of(kit, Settings(defaults, {"retriever": how}), "carb_g")

    assert of("auto", None).__qualname__.startswith("lexical")
    assert of("auto", embed).__qualname__.startswith("embedding")
    assert of("lexical", embed).__qualname__.startswith("lexical")
    with pytest.raises(MissingDataError) as error:
        of("embedding", None)
    assert "prandial[bench]" in error.value.hint


@pytest.mark.parametrize("release", ["fndds-2017-2018", "fndds-2021-2023"])
def test_other_releases_serve_too(release):
    assert lexical_retriever("protein_g", release=release)("cheddar cheese", 2)
