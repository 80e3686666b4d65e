"""A build as files: every record comes back, the same bytes twice, our own bench reads it."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from prandial.bench.questions import meal_questions
from prandial.compose.written import (
    COLUMNS,
    FORMS,
    meal_group,
    meal_of,
    open_build,
    read_rows,
    row_of,
    source_entry,
    write_build,
)
from prandial.errors import (
    ChecksumError,
    InputError,
    MissingDataError,
    NotFoundError,
    SchemaError,
)

ALL = ("parquet", "csv", "jsonl")
SOURCE = {"name": "DR1IFF_J.XPT", "release": "2017-2018", "sha256": "0" * 64, "rows": 112683}


def _write(meals, folder, **more):
    asked = {"seed": 7, "arguments": {"cycles": ["2017-2018"]}, "prandial_version": "0.1.0"}
    return write_build(meals, folder, **{**asked, **more})


@pytest.fixture(scope="module")
def built(small, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("build") / "one"
    _write(small, folder, forms=ALL, sources=[SOURCE], notes={"dropped": {"no code": 3}})
    return folder


def test_totals_by_hand(small):
    """320 g of rice at 28 g/100 g and 60 g of banana at 22: 89.6 + 13.2 = 102.8 g."""
    row = row_of(small[0], seed=7)
    assert row["carb_g"] == pytest.approx(102.8)
    assert row["protein_g"] == pytest.approx(8.6)
    assert row["fat_g"] == pytest.approx(1.9)
    assert row["energy_kcal"] == pytest.approx(462.7)
    assert row["item_carb_g"] == pytest.approx([89.6, 13.2])
    assert row["item_times"] == [2.0, 0.5]
    assert row["item_serving_grams"] == [320.0, 60.0]
    assert row["seed"] == 7
    assert tuple(row) == tuple(COLUMNS)


def test_unknown_is_null_not_zero(small):
    row = row_of(small[2], seed=0)
    assert row["carb_g"] == pytest.approx(12.2065)
    assert row["protein_g"] is None
    assert row["item_energy_kcal"] == [None]
    assert row["item_servings"] == [None]


@pytest.mark.parametrize("form", ALL)
def test_every_record_comes_back(small, built, form):
    found = [meal_of(row) for row in read_rows(built / FORMS[form])]
    assert found == list(small)


def test_a_float_keeps_its_last_bit(many, tmp_path):
    meals = list(many(500, 3))
    _write(meals, tmp_path / "b")
    assert list(open_build(tmp_path / "b").meals()) == meals


def test_the_card_tells_files_counts_and_sources(built):
    card = json.loads((built / "card.json").read_text("utf-8"))
    for name, entry in card["files"].items():
        body = (built / name).read_bytes()
        assert entry == {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    assert card["counts"]["rows"] == 5
    assert card["counts"]["foods"] == 8
    assert card["counts"]["items"] == {"1": 2, "2": 3}
    assert card["counts"]["serving_type"] == {"metric": 4, "natural": 1}
    assert card["counts"]["occasion"] == {"lunch": 4, "unknown": 1}
    assert card["counts"]["serving_rules"] == {"exact": 4, "none": 4}
    assert card["counts"]["unlabelled"] == {"energy_kcal": 1, "fat_g": 1, "protein_g": 1}
    assert card["sources"] == [SOURCE]
    assert card["seed"] == 7
    assert set(card["versions"]) == {"prandial", "python", "duckdb"}


def test_an_entry_of_a_source_file(tmp_path):
    (tmp_path / "DR1IFF_J.XPT").write_bytes(b"abc")
    told = source_entry(tmp_path / "DR1IFF_J.XPT", release="2017-2018", rows=3)
    assert told["name"] == "DR1IFF_J.XPT"
    assert told["bytes"] == 3
    # FIPS 180-2, appendix B.1: the digest of "abc"
    assert told["sha256"].startswith("ba7816bf8f01cfea414140de5dae2223")
    assert told["rows"] == 3


def test_same_seed_same_bytes(many, tmp_path):
    cards = [_write(many(3000, 11), tmp_path / name, forms=ALL) for name in ("a", "b")]
    other = _write(many(3000, 12), tmp_path / "c", forms=ALL)
    assert cards[0] == cards[1]
    for name in (*FORMS.values(), "card.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert (tmp_path / "a" / name).read_bytes() != (tmp_path / "c" / name).read_bytes()
    assert other["files"] != cards[0]["files"]


def test_same_bytes_in_another_process(small, built, tmp_path):
    """A process with another hash seed reads the build and writes it again."""
    script = (
        "import sys\n"
        "from prandial.compose.written import open_build, write_build\n"
        "b = open_build(sys.argv[1])\n"
        "write_build(b.meals(), sys.argv[2], seed=7, arguments=b.card['arguments'],"
        " prandial_version='0.1.0', forms=('parquet', 'csv', 'jsonl'),"
        " sources=b.card['sources'], notes=b.card['notes'])\n"
    )
    env = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, str(built), str(tmp_path / "again")]
    subprocess.run(command, check=True, env=env)
    for name in (*FORMS.values(), "card.json"):
        assert (tmp_path / "again" / name).read_bytes() == (built / name).read_bytes(), name


@pytest.mark.parametrize("form", ALL)
def test_our_bench_reads_it(small, built, form):
    asked = meal_questions(built / FORMS[form], nutrient="carb_g")
    by_text = {q.text: q for q in asked.questions}
    assert len(asked.questions) == len(small) == 5
    for meal in small:
        question = by_text[meal.text]
        assert question.label == pytest.approx(meal.meal.total("carb_g"))
        assert question.serving == meal.serving_type
        assert question.country == "USA"
        assert question.items == len(meal.meal.items)
    first, second = (by_text[m.text] for m in small[:2])
    assert first.group == second.group
    assert len({q.group for q in asked.questions}) == 4
    assert len(meal_questions(built / FORMS[form], nutrient="fat_g").questions) == 4


def test_rows_of_equal_foods_and_grams_share_a_group(small):
    foods = [(i.food, i.grams) for i in small[0].meal.items]
    assert meal_group(foods) == meal_group(reversed(foods))
    assert meal_group(foods) != meal_group([(foods[0][0], 321.0), foods[1]])


def test_other_tools_see_lists_and_numbers(built):
    with duckdb.connect() as con:
        found = con.execute(
            f"SELECT item_ids, item_grams FROM '{built}/meals.parquet' WHERE n_items = 2 LIMIT 1"
        ).fetchall()
    assert found == [(["56205000", "63107010"], [320.0, 60.0])]
    with (built / "meals.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert json.loads(rows[0]["item_ids"]) == ["56205000", "63107010"]
    assert rows[2]["protein_g"] == ""


def test_what_no_file_can_hold_is_replaced(small, tmp_path):
    odd = replace(small[1], text="half \ud83d and \x00 nul")
    _write([odd], tmp_path / "b", forms=ALL)
    for form in ALL:
        (row,) = read_rows(tmp_path / "b" / FORMS[form])
        assert row["meal_description"] == "half \ufffd and \ufffd nul"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"names": ("rice",)}, "1 names and 2 amounts of 2 items"),
        ({"text": "  "}, "without words"),
        ({"serving_type": "mixed"}, "no serving type 'mixed'"),
    ],
)
def test_a_meal_that_cannot_be_written(small, tmp_path, change, what):
    with pytest.raises(InputError, match=what):
        _write([small[0], replace(small[1], **change)], tmp_path / "b")
    assert list((tmp_path / "b").iterdir()) == []


def test_no_grams_no_items_no_amount(small):
    meal = small[1].meal
    none = replace(small[1], meal=replace(meal, items=()), names=(), amounts=())
    with pytest.raises(InputError, match="without items"):
        row_of(none, seed=0)
    for grams in (0.0, -1.0, float("nan"), float("inf")):
        bad = replace(meal, items=(replace(meal.items[0], grams=grams), meal.items[1]))
        with pytest.raises(InputError, match="g of 'Rice"):
            row_of(replace(small[1], meal=bad), seed=0)
    wrong = replace(meal.items[0], nutrients={"carb_g": -3.0})
    with pytest.raises(InputError, match="no amount"):
        row_of(replace(small[1], meal=replace(meal, items=(wrong, wrong))), seed=0)


def test_a_meal_twice_is_refused_and_leaves_nothing(small, tmp_path):
    with pytest.raises(InputError, match="stands twice"):
        _write([small[0], small[1], small[1]], tmp_path / "b")
    assert list((tmp_path / "b").iterdir()) == []


def test_no_meals_other_forms_other_folders(small, tmp_path):
    with pytest.raises(InputError, match="no meals"):
        _write([], tmp_path / "b")
    with pytest.raises(InputError, match="no form 'xlsx'"):
        _write(small, tmp_path / "b", forms=("xlsx",))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x", "utf-8")
    with pytest.raises(InputError, match=r"thesis\.txt"):
        _write(small, tmp_path / "mine", replace=True)
    with pytest.raises(InputError, match="cannot be made"):
        _write(small, tmp_path / "mine" / "thesis.txt" / "b")


def test_an_older_build_is_replaced_only_when_told(small, tmp_path):
    _write(small, tmp_path / "b", forms=ALL)
    before = (tmp_path / "b" / "card.json").read_bytes()
    with pytest.raises(InputError, match="already"):
        _write(small[:2], tmp_path / "b")
    with pytest.raises(InputError, match="stands twice"):
        _write([small[0]] * 2, tmp_path / "b", replace=True)
    assert (tmp_path / "b" / "card.json").read_bytes() == before
    open_build(tmp_path / "b")
    _write(small[:2], tmp_path / "b", replace=True)
    assert sorted(p.name for p in (tmp_path / "b").iterdir()) == ["card.json", "meals.parquet"]
    assert len(list(open_build(tmp_path / "b").rows())) == 2


def test_a_changed_or_missing_file_is_told(small, tmp_path):
    folder = tmp_path / "b"
    with pytest.raises(NotFoundError):
        open_build(folder)
    _write(small, folder)
    with (folder / "meals.parquet").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ChecksumError):
        open_build(folder)
    open_build(folder, verify=False)
    (folder / "meals.parquet").unlink()
    with pytest.raises(MissingDataError, match=r"meals\.parquet"):
        open_build(folder)
    (folder / "card.json").write_text('{"kind": "other", "form": 1}', "utf-8")
    with pytest.raises(SchemaError):
        open_build(folder)
    (folder / "card.json").unlink()
    with pytest.raises(MissingDataError, match=r"card\.json"):
        open_build(folder)


def test_a_file_of_another_form_is_told(small, tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,rice\n", "utf-8")
    (tmp_path / "a.jsonl").write_text('{"id": 1}\n', "utf-8")
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    for form in ALL:
        with pytest.raises(SchemaError):
            list(read_rows(tmp_path / f"a.{form}"))
    row = row_of(small[0], seed=0)
    with pytest.raises(SchemaError, match="item_grams has 1 entries of 2 items"):
        meal_of({**row, "item_grams": [1.0]})
    with pytest.raises(SchemaError, match="serving rule"):
        meal_of({**row, "item_serving_rules": ["exact", "guessed"]})
