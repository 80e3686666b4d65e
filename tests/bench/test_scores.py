"""Scores, cycles, ablation and tables: small cases worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks import printing
from benchmarks.ablation import INGREDIENTS, TAKEN_OUT, without
from benchmarks.carbs import compared, right, summary
from benchmarks.cycles import meal_items
from benchmarks.peers import measure_peers
from benchmarks.run import PARTS, main
from benchmarks.words import DATA, read_rows

from prandial.meal.weights import Weights
from prandial.tables import load_foods

NAN = float("nan")


def test_an_unanswered_text_is_wrong_and_not_in_the_mean() -> None:
    told = summary(np.array([0.0, 7.5, 7.6, NAN]))
    assert (told["n"], told["acc"], told["answered"]) == (4, 50.0, 75.0)
    assert told["mae"] == pytest.approx(15.1 / 3, abs=0.001)
    assert told["acc_low"] <= told["acc"] <= told["acc_high"]


def test_nothing_answered_has_no_mean() -> None:
    assert summary(np.array([NAN, NAN]))["mae"] is None
    assert right(np.array([NAN])).tolist() == [0.0]


def test_a_change_is_paired() -> None:
    before, after = np.array([0.0, 0.0, 20.0, 0.0]), np.array([0.0, 20.0, 0.0, 20.0])
    told = compared(before, after)
    assert (told["acc_before"], told["acc_after"], told["change"]) == (75.0, 50.0, -25.0)
    assert told["change_low"] <= -25.0 <= told["change_high"]


def test_rows_of_one_meal_are_drawn_together() -> None:
    """Two meals, four rows each, one all right: the interval must reach 0 and 100."""
    errors = np.array([0.0] * 4 + [99.0] * 4)
    told = summary(errors, ["a"] * 4 + ["b"] * 4)
    assert (told["acc_low"], told["acc_high"]) == (0.0, 100.0)


FOODS = {
    "plum, raw": (63_143_010, (10.0, 1.0, 0.5, 50.0)),
    "water, tap": (94_000_100, (0.0, 0.0, 0.0, 0.0)),
    "bread, rye": (51_401_010, (50.0, 8.0, 3.0, 260.0)),
}


def test_a_meal_as_codes_and_grams() -> None:
    text = "I had 60 grams of plum, 240 g of water and 32.5 grams of rye bread."
    names = ["Plum,  raw", "Water, tap", "Bread, rye"]
    labels = [(6.0, 0.6, 0.3, 30.0), (0.0, 0.0, 0.0, 0.0), (16.25, 2.6, 0.98, 84.5)]
    assert meal_items(text, names, labels, FOODS) == (
        (51_401_010, 3250),
        (63_143_010, 6000),
        (94_000_100, 24000),
    )


def test_a_meal_that_cannot_be_told() -> None:
    assert meal_items("a plum", ["Plum, raw"], [(6.0, 0.6, 0.3, 30.0)], FOODS) is None
    assert meal_items("60 g of fig", ["Fig, raw"], [(1.0, 1.0, 1.0, 1.0)], FOODS) is None


def test_every_ingredient_changes_a_constant() -> None:
    for name, constants in INGREDIENTS.items():
        assert constants, name
        for constant, value in constants.items():
            assert getattr(Weights(), constant) != value, name


def test_spelling_can_be_taken_out() -> None:
    estimator = without("spelling", load_foods())
    assert set(TAKEN_OUT) == {"spelling", "table of everyday names"}
    food = estimator.estimate("100 g of brocoli").items[0].food
    assert food is None or "roccoli" not in food.name


def test_the_artefact_is_off_by_default() -> None:
    assert Weights().listed_grams == 0.0


def test_the_peer_is_optional() -> None:
    found = measure_peers(["a plum", "two slices of rye bread"])
    assert found["prandial"]["quantity_and_unit"]["n"] == 40
    table = printing.peers_table(found)
    assert ("left_out" in found) != ("ingredient-parser-nlp" in found)
    assert ("PEER LEFT OUT" in table) == ("left_out" in found)


def test_gold_lines_are_forty() -> None:
    assert len(read_rows("ingredient_lines.csv")) == 40


@pytest.mark.parametrize("path", sorted(DATA.glob("*.csv")), ids=lambda p: p.stem)
def test_each_table_has_a_card_with_its_rows(path: Path) -> None:
    card = json.loads(path.with_suffix(".card.json").read_text(encoding="utf-8"))
    assert card["rows"] == len(read_rows(path.name))
    assert card["licence"] == "Apache-2.0"


def test_without_shared_data_the_benchmark_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PRANDIAL_SHARED", str(tmp_path))
    assert main(["--half", "tune", "--no-keep"]) == 4
    assert "SHARED DATA ABSENT" in capsys.readouterr().err


def test_every_table_is_followed_by_the_caveat(
    shared_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--half", "tune", "--only", "languages", "--no-keep"]) == 0
    out = capsys.readouterr().out
    assert out.rstrip().endswith(printing.CAVEAT)
    assert "| all | prandial |" in out


def test_every_part_is_on_the_page(repo: Path) -> None:
    page = (repo / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert [p for p in PARTS if f"`{p}`" not in page] == []
    assert printing.CAVEAT in " ".join(page.replace("\n> ", "\n").split())
