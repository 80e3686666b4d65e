"""A built folder: same bytes twice, comes back equal, damage is named."""

from __future__ import annotations

import hashlib
import json
from math import nan

import pytest
from tests.quiz.made import RULES, food, person

from prandial.errors import ChecksumError, InputError, MissingDataError, NotFoundError, SchemaError
from prandial.quiz import check_file, make_row, read_dataset, split_rows, write_dataset

FILES = {"questions.parquet", "NGQA_benchmark.csv", "card.json"}


def _rows(rules, mode="published", count=60):
    rows = [
        make_row(
            food(
                "low_carb", "high_sodium", code=10_000_000 + i, name=f"Früit's \"{i}\", \\ raw",
                per_100g={"carb": 1.5, "sodium": 400.0 + i}, unknown=("protein",),
            ),
            person("diabetes", "Renal/Kidney diet", number=i % 7 + 1, habits=("Ü",),
                   unknown=("hypertension",)),
            # a renal diet needs low sodium too by default
            level="sparse" if rules == "as-published" else "complex",
            rules=rules,
            mode=mode,
        )
        for i in range(count)
    ]  # fmt: skip
    return split_rows(rows, seed=1)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("mode", ["published", "no-verdict", "merged"])
def test_comes_back_equal(rules, mode, tmp_path):
    rows = _rows(rules, mode)
    card = write_dataset(rows, tmp_path, rules=rules, mode=mode, seed=3, sources=[{"name": "x"}])
    found = read_dataset(tmp_path)
    assert found.rows == tuple(rows)
    assert found.card == card == json.loads((tmp_path / "card.json").read_text())
    assert (card["rules"], card["graph"], card["seed"]) == (rules, mode, 3)
    assert card["counts"]["rows"] == 60
    assert {p.name for p in tmp_path.iterdir()} == FILES
    for name, stated in card["files"].items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == stated["sha256"]


def test_same_rows_same_bytes(tmp_path):
    rows = _rows("default", count=5000)  # more than one row group
    for name in ("a", "b"):
        write_dataset(rows, tmp_path / name, rules="default", mode="published", seed=1)
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("mode", ["published", "no-verdict"])
def test_csv_of_a_built_folder_passes_its_check(rules, mode, tmp_path):
    rows = _rows(rules, mode)
    write_dataset(rows, tmp_path, rules=rules, mode=mode, seed=1)
    report = check_file(tmp_path / "NGQA_benchmark.csv", rules=rules)
    assert (report.rows, report.rows_equal, report.rows_same_text) == (60, 60, 60)


def test_an_unknown_amount_stays_unknown(tmp_path):
    row = make_row(
        food("low_carb", per_100g={"iron": nan}),
        person("diabetes"),
        level="sparse",
        rules="default",
    )
    write_dataset([row], tmp_path, rules="default", mode="published", seed=1)
    (found,) = read_dataset(tmp_path).rows
    assert found.food.per_100g["iron"] != found.food.per_100g["iron"]


def test_nothing_at_all(tmp_path):
    write_dataset([], tmp_path, rules="default", mode="published", seed=1)
    assert read_dataset(tmp_path).rows == ()


def test_damage_is_named(tmp_path):
    write_dataset(_rows("default"), tmp_path, rules="default", mode="published", seed=1)
    with (tmp_path / "NGQA_benchmark.csv").open("a") as file:
        file.write("x")
    with pytest.raises(ChecksumError):
        read_dataset(tmp_path)
    read_dataset(tmp_path, verify=False)
    (tmp_path / "questions.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(SchemaError):
        read_dataset(tmp_path, verify=False)
    (tmp_path / "questions.parquet").unlink()
    with pytest.raises(MissingDataError):
        read_dataset(tmp_path)
    for text in ("{}", "[]", "{", '{"form": 2, "files": {}, "rules": "x", "graph": "x"}'):
        (tmp_path / "card.json").write_text(text)
        with pytest.raises(SchemaError):
            read_dataset(tmp_path)
    (tmp_path / "card.json").unlink()
    with pytest.raises(MissingDataError):
        read_dataset(tmp_path)
    with pytest.raises(NotFoundError):
        read_dataset(tmp_path / "none")


def test_a_row_twice_and_a_file_in_the_way(tmp_path):
    rows = _rows("default", count=1)
    with pytest.raises(InputError):
        write_dataset(rows * 2, tmp_path, rules="default", mode="published", seed=1)
    (tmp_path / "x").write_text("")
    with pytest.raises(InputError):
        write_dataset(rows, tmp_path / "x", rules="default", mode="published", seed=1)
