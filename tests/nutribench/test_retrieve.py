"""Facts by the door: the built-in tables at once, a table of one's own, downloads of USDA."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.sources import fdczip
from tests.sources.test_fdc_reading import members

import prandial
from prandial.errors import InputError, MissingDataError, PrandialError, SchemaError
from prandial.sources.exclusive import held


def test_the_built_in_tables_answer_at_once() -> None:
    found = prandial.retrieve("brown rice", top=3)
    first = found.foods[0]
    assert first.food.name.startswith("Rice, brown, cooked")
    source = first.food.sources[0]
    assert (source.table, source.release) == ("fndds", "fndds-2017-2018")
    food = prandial.show_food(source.id)
    cup = next(m for m in food.measures if m.name.startswith("1 cup"))
    carb = food.per_100g["carb_g"]
    assert first.sentences[-1] == f"100 g has {carb:.1f} g carbohydrates"
    assert f"({cup.grams:g} g) has {carb * cup.grams / 100:.1f} g" in " ".join(first.sentences)
    assert "not specified" not in " ".join(first.sentences)


def test_an_amount_decides_only_which_measure_comes_first() -> None:
    plain, said = prandial.retrieve("brown rice"), prandial.retrieve("a cup of brown rice")
    assert [f.food.name for f in plain.foods] == [f.food.name for f in said.foods]
    assert said.foods[0].sentences[0].startswith("1 cup")


def test_other_nutrients_and_json() -> None:
    found = prandial.retrieve("whole milk", nutrient="protein_g", top=1)
    assert "protein" in found.foods[0].sentences[-1]
    body = json.loads(json.dumps(found.to_dict()))
    assert body["foods"][0]["sources"][0]["id"] == found.foods[0].food.sources[0].id


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"query": "  "}, "QUERY"),
        ({"by": "magic"}, "--by"),
        ({"by": "vector"}, "--by"),
        ({"nutrient": "salt"}, "nutrient"),
        ({"top": 0}, "top"),
        ({"release": "fndds-1999"}, "release"),
    ],
)
def test_what_cannot_be_looked_up(options: dict, where: str) -> None:
    with pytest.raises(prandial.PrandialError) as caught:
        prandial.retrieve(**{"query": "rice", **options})
    assert caught.value.where == where


def test_a_table_from_a_download(tmp_path: Path) -> None:
    zipped = tmp_path / "FoodData_Central_survey_food_csv_2024-10-31.zip"
    zipped.write_bytes(fdczip.pack(members()))
    card = prandial.build_facts(tmp_path / "facts", downloads=[zipped])
    assert card["counts"]["foods"] >= 1
    assert list(card["counts"]["rows_by_source"]) == ["fdc|2024-10-31"]
    name = next(iter(_foods(tmp_path / "facts")))
    found = prandial.retrieve(name, facts=tmp_path / "facts")
    assert found.foods[0].food.name == name
    assert found.table.startswith("facts portions")
    again = prandial.build_facts(tmp_path / "again", downloads=[zipped])
    assert again["files"] == card["files"]


def _foods(folder: Path) -> list[str]:
    from prandial.compose.index import open_index

    index = open_index(folder)
    return [index[n].name for n in range(len(index))]


def test_measures_that_people_use_come_first() -> None:
    (cola,) = prandial.retrieve("coke", top=1, servings=3).foods
    assert [m.name for m in cola.food.measures][:2] == ["a usual serving", "1 can (12 fl oz)"]
    assert any("can (12 fl oz)" in s for s in cola.sentences)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("skim milk", "Milk, fat free (skim)"),
        ("a banana", "Banana, raw"),
        ("red wine", "Wine, table, red"),
    ],
)
def test_everyday_words_find_the_plain_food(query: str, meant: str) -> None:
    assert prandial.retrieve(query, top=3).foods[0].food.name == meant


def test_what_is_no_query_is_told() -> None:
    for odd in (None, 5, b"rice"):
        with pytest.raises(InputError, match="no words"):
            prandial.retrieve(odd)  # type: ignore[arg-type]
    for options in ({"top": 2.5}, {"top": True}, {"servings": -1}):
        with pytest.raises(InputError) as caught:
            prandial.retrieve("rice", **options)  # type: ignore[arg-type]
        assert caught.value.where == next(iter(options))
    assert prandial.retrieve("rice", nutrient="carb") == prandial.retrieve("rice")
    assert len(prandial.retrieve("rice", top=10**9).foods) > 100
    prandial.retrieve("🍚" * 100_000)


def test_a_download_s_oddities_are_told(tmp_path: Path) -> None:
    made = members()
    lines = made["food_nutrient.csv"].decode().splitlines()
    made["food_nutrient.csv"] = "\n".join([*lines, "x,y"]).encode()
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, body in made.items():
        (folder / name).write_bytes(body)
    card = prandial.build_facts(tmp_path / "facts", downloads=[folder])
    (told,) = card["downloads"]
    assert told["notes"]["left_out"]["rows of another length than the heading"]["count"] == 1
    assert {s["name"] for s in card["sources"]}
    assert all(name.endswith("undated") for name in card["counts"]["rows_by_source"])
    found = prandial.retrieve("apples", facts=tmp_path / "facts", top=10**9)
    assert found.foods[0].food.sources[0].release == "undated"


def test_a_build_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(PrandialError):
        prandial.build_facts(tmp_path / "out", downloads=[tmp_path / "empty"])
    assert not (tmp_path / "out").exists()


def test_tables_that_cannot_be_built(tmp_path: Path) -> None:
    broken = tmp_path / "FoodData_Central_csv_2024-10-31.zip"
    broken.write_bytes(fdczip.pack(members())[:200])
    with pytest.raises(InputError, match="no files"):
        prandial.build_facts(tmp_path / "out")
    with pytest.raises(SchemaError):
        prandial.build_facts(tmp_path / "out", downloads=[broken])
    with pytest.raises(InputError, match="no form"):
        prandial.build_facts(tmp_path / "out", downloads=[broken], form="poem")
    with pytest.raises(InputError, match="no vectors"):
        prandial.build_facts(tmp_path / "out", downloads=[broken], vectors="some")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    with pytest.raises(InputError, match="other things"):
        prandial.build_facts(tmp_path / "mine", downloads=[broken])
    with (
        held(tmp_path / "out"),
        pytest.raises(InputError, match="another process is at this table"),
    ):
        prandial.build_facts(tmp_path / "out", downloads=[broken])
    with pytest.raises(MissingDataError, match="no table of facts") as caught:
        prandial.retrieve("rice", facts=tmp_path)
    assert "prandial facts build" in caught.value.hint


def test_words_of_a_query_are_no_commands(tmp_path: Path) -> None:
    zipped = tmp_path / "FoodData_Central_survey_food_csv_2024-10-31.zip"
    zipped.write_bytes(fdczip.pack(members()))
    prandial.build_facts(tmp_path / "facts", downloads=[zipped])
    for query in (
        'NEAR("a" 5) OR *',
        "'; DROP TABLE food; --",
        "\x00",
        "米饭",
        "a" * 10_000,
        "%s{}",
    ):
        found = prandial.retrieve(query, facts=tmp_path / "facts")
        assert found.query == query


def test_the_estimator_is_heard_in_a_table_of_ones_own(shared_dir: Path, tmp_path: Path) -> None:
    folder = shared_dir / "data" / "foods"
    out = tmp_path / "foods"
    out.mkdir()
    for name in ("fndds_2017_2018_foods", "fndds_2017_2018_portions"):
        (out / f"{name}.parquet").symlink_to(folder / f"{name}.parquet")
    prandial.build_facts(tmp_path / "facts", source=out)
    found = prandial.retrieve("banana", facts=tmp_path / "facts", top=3)
    assert found.foods[0].food.name == "Banana, raw"
    for said, meant in (
        ("brown rice", "Rice, brown, cooked, no added fat"),
        ("an apple", "Apple, raw"),
        ("white bread", "Bread, white"),
        ("peanut butter", "Peanut butter"),
    ):
        first = prandial.retrieve(said, facts=tmp_path / "facts", top=1).foods[0]
        assert first.food.name == meant
    words = prandial.retrieve("banana", facts=tmp_path / "facts", by="lexical", top=3)
    assert [f.food.name for f in words.foods] != [f.food.name for f in found.foods]
