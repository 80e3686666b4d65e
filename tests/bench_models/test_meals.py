"""NutriBench files in every form: rows, ids, groups, labels, and errors that name the cell."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path

import duckdb
import pytest

from prandial.errors import InputError, MissingDataError, NotFoundError, SchemaError
from prandial.sources.nutribench import find_meals, read_meals

#: shared rows of the README beside the files, and the id of a row that was looked up there
SHARED = {
    "nutribench_v1": (8905, "v1-wweia_meal_natural-1", 63.41),
    "nutribench_v2": (11768, "v2-0", 90.8),
    "nutribench_v2_who_metric": (3468, "who-ARG-1086", 23.43),
    "nutribench_v2_multilingual_gpt4o": (1314, "multilingual-english-10775", 77.08),
    "nutribench_v0": (3753, "v0-metric_indirect_double_multiple-1", 4.27125),
    "nutribench_us_natural_carb": (7544, "us-natural-carb-0", 26.2444),
}


@pytest.mark.parametrize("name", SHARED)
def test_shared_files_are_read_whole(nutribench: Path, name: str) -> None:
    rows, id_, carb = SHARED[name]
    found = read_meals(nutribench / f"{name}.parquet", nutrient="carb_g")
    assert (found.rows, found.unlabelled, len(found.questions)) == (rows, 0, rows)
    by_id = {q.id: q for q in found.questions}
    assert len(by_id) == rows
    assert by_id[id_].label == pytest.approx(carb)


def test_all_four_labels_agree_with_the_file(nutribench: Path) -> None:
    path = nutribench / "nutribench_v2.parquet"
    for nutrient in ("carb_g", "protein_g", "fat_g", "energy_kcal"):
        found = read_meals(path, nutrient=nutrient)
        ((total,),) = duckdb.sql(f"SELECT sum({nutrient}) FROM '{path}'").fetchall()
        assert sum(q.label for q in found.questions) == pytest.approx(total)
        assert {q.nutrient for q in found.questions} == {nutrient}


def test_a_translated_meal_is_asked_in_its_language(nutribench: Path) -> None:
    path = nutribench / "nutribench_v2_multilingual_gpt4o.parquet"
    found = read_meals(path, nutrient="carb_g")
    told = dict(
        duckdb.sql(
            f"SELECT language || '-' || source_index, translated_query FROM '{path}'"
        ).fetchall()
    )
    assert {q.id.removeprefix("multilingual-"): q.text for q in found.questions} == told
    assert len({q.language for q in found.questions}) == 18


def test_v1_of_wweia_is_american_and_who_is_of_no_country(nutribench: Path) -> None:
    found = read_meals(nutribench / "nutribench_v1.parquet", nutrient="carb_g")
    assert {(q.id.split("-")[1][:3], q.country) for q in found.questions} == {
        ("wwe", "USA"),
        ("who", ""),
    }


def test_the_published_form_gives_the_same_meals_and_groups(
    nutribench: Path, tmp_path: Path
) -> None:
    """The published file has no groups: rounded labels make the same ones."""
    path = nutribench / "nutribench_v2.parquet"
    ours = read_meals(path, nutrient="carb_g").questions
    form = tmp_path / "nutribench_v2.csv"
    duckdb.sql(
        "COPY (SELECT meal_description, carb_g AS carb, fat_g AS fat, energy_kcal AS energy,"
        f" protein_g AS protein, country, serving_type FROM '{path}' ORDER BY row) TO '{form}'"
    )
    theirs = read_meals(form, nutrient="carb_g").questions
    assert [(q.text, q.label, q.country, q.serving) for q in theirs] == [
        (q.text, q.label, q.country, q.serving) for q in ours
    ]
    pairs = {(a.group, b.group) for a, b in zip(ours, theirs, strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) == 7246


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".parquet", ".tsv"])
def test_every_format_gives_the_same(meals: Path, tmp_path: Path, ending: str) -> None:
    other = tmp_path / f"meals{ending}"
    rows = list(csv.DictReader(meals.read_text(encoding="utf-8").splitlines()))
    if ending == ".parquet":
        duckdb.sql(f"COPY (SELECT * FROM read_csv('{meals}')) TO '{other}' (FORMAT parquet)")
    elif ending == ".json":
        other.write_text(json.dumps({"train": rows}), encoding="utf-8-sig")
    elif ending == ".jsonl":
        other.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    else:
        lines = ["\t".join(rows[0]), *("\t".join(r.values()) for r in rows)]
        other.write_text("\n".join(lines), encoding="utf-8")
    assert (
        read_meals(other, nutrient="fat_g").questions
        == read_meals(meals, nutrient="fat_g").questions
    )


def test_a_meal_in_grams_and_in_portions_is_one_group(meals: Path) -> None:
    groups = defaultdict(list)
    for question in read_meals(meals, nutrient="carb_g").questions:
        groups[question.group].append(question.id)
    assert ["meals-0", "meals-1"] in groups.values()
    assert len(groups) == 11


def test_rows_without_a_label_are_counted_and_never_zero(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("id,text,carb\na,toast,\nb,rice,28\nc,tea,NA\nd,water,0\n", encoding="utf-8")
    found = read_meals(path, nutrient="carb_g")
    assert [(q.id, q.label) for q in found.questions] == [("some-b", 28.0), ("some-d", 0.0)]
    assert (found.rows, found.unlabelled) == (4, 2)
    assert found.notes == ("some.csv: 2 rows without carb_g",)


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("mahlzeit;kh\nein Brot;15\n", encoding="utf-8")
    with pytest.raises(SchemaError, match="no column holds the meals"):
        read_meals(path, nutrient="carb_g")
    found = read_meals(path, nutrient="carb_g", columns={"text": "mahlzeit", "carb_g": "kh"})
    assert [(q.text, q.label) for q in found.questions] == [("ein Brot", 15.0)]
    with pytest.raises(InputError, match="no column 'kohl'"):
        read_meals(path, nutrient="carb_g", columns={"text": "mahlzeit", "carb_g": "kohl"})
    with pytest.raises(InputError, match="cannot be named as 'meal'"):
        read_meals(path, nutrient="carb_g", columns={"meal": "mahlzeit"})


@pytest.mark.parametrize(
    ("body", "what", "where"),
    [
        ("text,carb\ntoast,much\n", "'much' is no number", "line 2, column carb"),
        ("text,carb\ntoast,15\nrice,-1\n", "-1 is no amount", "line 3, column carb"),
        ("text,carb\ntoast,inf\n", "inf is no amount", "line 2, column carb"),
        ("text,carb\n  ,15\n", "no meal", "line 2, column text"),
        ("text,carb\ntoast,15,3\n", "3 cells, the header has 2", "line 2"),
        ("id,text,carb\na,toast,15\na,rice,28\n", "'bad-a' is there twice", ""),
        ("id,text,carb\n,toast,15\n", "no id", "line 2, column id"),
        ("text,text,carb\na,b,15\n", "'text' is there twice", ""),
        ("text,carb\n", "no rows", ""),
        ("text,salt\ntoast,1\n", "no column holds a label", ""),
        ("text,protein\ntoast,1\n", "no column holds carb_g", ""),
    ],
)
def test_errors_name_file_row_and_column(tmp_path: Path, body: str, what: str, where: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(body, encoding="utf-8")
    with pytest.raises(SchemaError) as caught:
        read_meals(path, nutrient="carb_g")
    assert what in caught.value.what
    assert "bad.csv" in caught.value.where
    assert where in caught.value.where
    assert caught.value.hint


@pytest.mark.parametrize(
    ("body", "told"),
    [("[{", "not JSON"), ("[1]", "no list of objects"), ('{"a": [], "b": []}', "no list")],
)
def test_a_json_file_that_is_no_list_of_meals(tmp_path: Path, body: str, told: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(body)
    with pytest.raises(SchemaError, match=told) as caught:
        read_meals(path, nutrient="carb_g")
    assert caught.value.where == str(path)
    assert caught.value.hint


@pytest.mark.parametrize("body", ["{not json\n", "[1]\n"])
def test_broken_json_lines_are_told_by_line(tmp_path: Path, body: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "toast", "carb": 15}\n' + body, encoding="utf-8")
    with pytest.raises(SchemaError) as caught:
        read_meals(path, nutrient="carb_g")
    assert caught.value.where.endswith("bad.jsonl, line 2")


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(SchemaError, match="not readable as Parquet"):
        read_meals(tmp_path / "a.parquet", nutrient="carb_g")
    (tmp_path / "b.csv").write_bytes(b"text,carb\n\xff\xfe,1\n")
    with pytest.raises(SchemaError, match="not UTF-8"):
        read_meals(tmp_path / "b.csv", nutrient="carb_g")
    with pytest.raises(InputError, match="a folder"):
        read_meals(tmp_path, nutrient="carb_g")
    with pytest.raises(InputError, match="no labels of 'sodium_mg'"):
        read_meals(tmp_path / "b.csv", nutrient="sodium_mg")


def test_odd_countries_and_servings_are_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(
        "text,carb,country,serving_type\ntoast,15,usa,Natural\nrice,28,Atlantis,heaped\n",
        encoding="utf-8",
    )
    found = read_meals(path, nutrient="carb_g")
    assert [(q.country, q.serving) for q in found.questions] == [("USA", "natural"), ("", "")]
    assert len(found.notes) == 2


def test_versions_are_found_by_name(tmp_path: Path, meals: Path) -> None:
    with pytest.raises(MissingDataError) as caught:
        find_meals("v1", home=tmp_path)
    assert "--data FILE" in caught.value.hint
    target = tmp_path / "nutribench_v1.csv"
    target.write_bytes(meals.read_bytes())
    assert find_meals("v1", home=tmp_path) == ("v1", (target,))
    with pytest.raises(NotFoundError, match="no file 'v3'"):
        find_meals("v3", home=tmp_path)


def test_the_published_subsets_make_one_set(tmp_path: Path, meals: Path) -> None:
    folder = tmp_path / "v1"
    folder.mkdir()
    for part in ("wweia_meal_natural", "wweia_meal_metric", "who_meal_natural", "who_meal_metric"):
        path = folder / f"{part}.parquet"
        duckdb.sql(f"COPY (SELECT * FROM read_csv('{meals}')) TO '{path}' (FORMAT parquet)")
    name, files = find_meals("v1", home=tmp_path)
    found = read_meals(files, nutrient="carb_g", name=name)
    assert (len(files), len(found.questions)) == (4, 48)
    assert found.questions[13].id == "v1-wweia_meal_metric-1"


def test_half_a_character_in_json_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(
        '{"meal": "an apple \\ud83d", "carbs": 25, "id": "a\\udc00"}\n', encoding="utf-8"
    )
    (one,) = read_meals(path, nutrient="carb_g").questions
    assert one.text == "an apple \ufffd"
    assert one.id.encode("utf-8")


def test_meals_of_one_round_label_are_not_one_meal(tmp_path: Path) -> None:
    """25 g of carbohydrate may be of anything; 45.37 g twice is most likely one meal twice."""
    path = tmp_path / "m.csv"
    rows = "an apple,25\ntwo slices of toast,25\nAn  apple,25\nrice,45.37\n160 g of rice,45.37\n"
    path.write_text("meal,carbs\n" + rows, encoding="utf-8")
    apple, toast, again, rice, grams = (
        q.group for q in read_meals(path, nutrient="carb_g").questions
    )
    assert apple == again != toast
    assert rice == grams
