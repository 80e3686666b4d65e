"""The judged pairs: as many as told, foods that exist, and the mapping that found them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from prandial.compose.mapping import AskedFood, FoodMapper
from prandial.errors import PrandialError
from prandial.sources.weights import weights_home, weights_path
from prandial.tables import load_foods


@pytest.fixture
def pairs(repo: Path) -> list[dict[str, str]]:
    path = repo / "benchmarks" / "data" / "gift_mapping.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert len(rows) == json.loads(path.with_suffix(".card.json").read_text("utf-8"))["rows"]
    return rows


def test_a_hundred_pairs_are_judged(pairs: list[dict[str, str]]) -> None:
    survey = [p for p in pairs if p["draw"] == "survey"]
    assert len({p["name"] + p["code"] for p in survey}) == len(survey) == 100
    assert Counter(p["verdict"] for p in survey) == {"right": 89, "near": 7, "wrong": 4}
    assert all(p["why"] for p in pairs)
    assert {p["verdict"] for p in pairs} == {"right", "near", "wrong"}


def test_foods_of_the_pairs_are_in_the_table(pairs: list[dict[str, str]]) -> None:
    table = load_foods()
    for pair in pairs:
        assert table.names[table.row_of(pair["id"], pair["table"])] == pair["food"]


@pytest.mark.full
def test_the_mapping_finds_the_pairs_again(pairs: list[dict[str, str]]) -> None:
    """Without the survey's carbohydrate a few differ: of 100, 94 are the same."""
    from prandial.answer.encoder import load_encoder

    try:
        where = weights_path("minilm-l6", weights_home())
    except PrandialError as error:
        pytest.skip(f"WEIGHTS ABSENT: {error.hint} (or PRANDIAL_WEIGHTS=FOLDER)")
    survey = [p for p in pairs if p["draw"] == "survey"]
    found = FoodMapper(load_foods(), load_encoder(where)).map(
        [AskedFood(name=p["name"], code=p["code"]) for p in survey]
    )
    same = [m.alternatives[0].source.id == p["id"] for m, p in zip(found, survey, strict=True)]
    assert sum(same) >= 92
