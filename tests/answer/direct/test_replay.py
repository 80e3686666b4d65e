"""Recorded answers: found by id or exact text, missing and doubtful ones told apart."""

from __future__ import annotations

import csv
import json

import pytest
from tests.answer.direct.made import asked, meal, row_of

from prandial.answer.direct import make_direct
from prandial.errors import InputError, MissingDataError, ModelError, SchemaError


def write(path, rows):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    elif path.suffix == ".parquet":
        import duckdb

        source = path.with_suffix(".jsonl")
        write(source, rows)
        duckdb.execute(f"COPY (SELECT * FROM read_json('{source}')) TO '{path}' (FORMAT parquet)")
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        with path.open("w", encoding="utf-8-sig", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]), delimiter=mark)
            writer.writeheader()
            writer.writerows(rows)
    return path


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_every_form(tmp_path, ending):
    rows = [
        {"id": "a", "reply": 'One, two\n{"total_carbohydrates": 12}'},
        {"id": "b", "reply": "I cannot tell."},
    ]
    answer = make_direct("replay", file=write(tmp_path / f"f{ending}", rows))
    assert [answer(meal("x", id=r["id"])).text for r in rows] == [r["reply"] for r in rows]
    with pytest.raises(ModelError, match="not in the file"):
        answer(meal("x", id="c"))


def test_numbers_of_a_sheet(tmp_path):
    """A dietitian's sheet: texts and amounts; a blank is no answer, a number below 0 not known."""
    rows = [
        {"meal_description": "an apple", "carb_g": "25.5", "fat_g": "0.3"},
        {"meal_description": "a pear", "carb_g": "", "fat_g": "0.2"},
        {"meal_description": "a plum", "carb_g": "-1", "fat_g": "0"},
        {"meal_description": "a fig", "carb_g": "about 10", "fat_g": "0"},
    ]
    answer = make_direct("replay", file=write(tmp_path / "f.csv", rows))
    assert answer(meal("an apple", id="7")).value == 25.5
    assert answer(meal("an apple", nutrient="fat_g")).value == 0.3
    assert answer(meal("a plum", nutrient="fat_g")).value == 0.0
    with pytest.raises(ModelError, match="empty answer"):
        answer(meal("a pear"))
    assert answer(meal("a plum")).value is None
    assert "-1" in answer(meal("a plum")).text
    fig = answer(meal("a fig"))
    assert (fig.value, fig.text) == (None, "about 10")
    with pytest.raises(ModelError, match="not in the file"):
        answer(meal("An apple"))  # exact text only


def test_duplicates_are_listed_and_never_chosen_from(tmp_path):
    rows = [
        {"id": "a", "value": 1}, {"id": "a", "value": 1}, {"id": "b", "value": 2},
        {"id": "b", "value": 3},
    ]  # fmt: skip
    answer = make_direct("replay", file=write(tmp_path / "f.jsonl", rows))
    assert (answer.duplicates, answer.rows) == (("b",), 4)
    assert answer(meal("x", id="a")).value == 1.0
    with pytest.raises(ModelError, match="2 answers in the file, and they differ"):
        answer(meal("x", id="b"))


def test_graph_questions_by_id(tmp_path):
    question = asked(row_of(("high_sugar",), ("diabetes",)), "TG", id="s-1-TG")
    rows = [{"question": "s-1-TG", "raw_text": "No, it is too sweet."}]
    assert make_direct("replay", file=write(tmp_path / "f.jsonl", rows))(question).text == (
        "No, it is too sweet."
    )
    # one text is asked about many people: answers that differ are not told apart by it
    rows = [{"text": question.text, "reply": r} for r in ("Yes", "No")]
    with pytest.raises(ModelError, match="differ"):
        make_direct("replay", file=write(tmp_path / "g.jsonl", rows))(question)
    rows = [{"text": question.text, "value": 3}]
    with pytest.raises(ModelError, match="empty"):
        make_direct("replay", file=write(tmp_path / "h.jsonl", rows))(question)


def test_columns_by_name(tmp_path):
    file = write(tmp_path / "f.csv", [{"nr": "a", "said": "12 g", "value": "5"}])
    with pytest.raises(SchemaError, match="id or text") as caught:
        make_direct("replay", file=file)
    assert "nr, said, value" in caught.value.hint
    assert make_direct("replay", file=file, id="nr")(meal("x", id="a")).value == 5.0
    assert make_direct("replay", file=file, id="nr", reply="said")(meal("x", id="a")).text == "12 g"
    with pytest.raises(SchemaError, match="no column 'none'"):
        make_direct("replay", file=file, id="none")
    with pytest.raises(SchemaError, match="no column holds an answer"):
        make_direct("replay", file=write(tmp_path / "g.csv", [{"id": "1", "x": ""}]))


def test_an_id_may_lack_the_name_of_the_data_file(tmp_path):
    """``m1`` of ``my meals.csv`` is ``my-meals-m1`` in the bench."""
    file = write(
        tmp_path / "answers.csv", [{"id": "m1", "reply": "5 g"}, {"id": "7", "reply": "6 g"}]
    )
    replay = make_direct("replay", file=file)
    for name in ("m1", "six-m1", "my-meals-m1"):
        assert replay(meal("x", id=name)).text == "5 g"
    # but a table within a published file is no name of a file: 7 may be another meal there
    with pytest.raises(ModelError, match="not in the file"):
        replay(meal("x", id="v1-wweia_meal_metric-7"))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(MissingDataError):
        make_direct("replay", file=tmp_path / "none.csv")
    for name, body, error in (
        ("a.xlsx", b"PK", InputError),
        ("a.csv", b"id,reply\n1,a,b\n", SchemaError),
        ("b.csv", b"id,reply\n1,\xff\n", SchemaError),
        ("a.jsonl", b'{"id": 1}\n[]\n', SchemaError),
        ("b.jsonl", b'{"id": 1', SchemaError),
        ("a.parquet", b"no", SchemaError),
        ("c.csv", b"", SchemaError),
    ):
        (tmp_path / name).write_bytes(body)
        with pytest.raises(error):
            make_direct("replay", file=tmp_path / name)


def test_the_published_multilingual_answers(shared_dir):
    """1,314 answers of GPT-4o in 18 languages, found by the translated text."""
    import duckdb

    file = shared_dir / "data/nutribench/nutribench_v2_multilingual_gpt4o.parquet"
    rows = duckdb.execute(
        "SELECT translated_query, gpt4o_output FROM read_parquet(?)", [str(file)]
    ).fetchall()
    answer = make_direct("replay", file=file, text="translated_query", reply="gpt4o_output")
    assert answer.rows == len(rows) == 1314
    assert len(answer.duplicates) < 20
    found = [answer(meal(t)).text == r for t, r in rows if t not in answer.duplicates]
    assert all(found)


def test_true_is_no_amount(tmp_path):
    file = tmp_path / "f.jsonl"
    file.write_text('{"id": "a", "value": true}\n{"id": "b", "value": 1}\n', encoding="utf-8")
    answer = make_direct("replay", file=file)
    assert answer(meal("x", id="a")).value is None
    assert answer(meal("x", id="b")).value == 1


def test_a_reply_in_a_list_of_one_is_taken_out(tmp_path):
    file = write(tmp_path / "f.jsonl", [{"id": "a", "resps": [["Total: 12 g"]]}])
    assert make_direct("replay", file=file, reply="resps")(meal("x", id="a")).text == "Total: 12 g"


def test_ids_of_the_file_are_shown_where_none_fits(tmp_path):
    answer = make_direct("replay", file=write(tmp_path / "f.csv", [{"id": "zz7", "value": 3}]))
    with pytest.raises(ModelError, match="ids such as 'zz7'"):
        answer(meal("x", id="a"))


@pytest.mark.parametrize("name", [123, True])
def test_a_file_that_is_typed_as_a_number_is_told(name):
    with pytest.raises(InputError, match="no file of answers"):
        make_direct("replay", file=name)
