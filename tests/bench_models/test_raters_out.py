"""Sheets for raters: blind, even over servings, the same for the same seed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.bench_models.raters_made import meals, rows_of

from prandial.bench.questions import meal_questions
from prandial.bench.raters import assign_meals, export_sheets, read_key
from prandial.bench.raters.texts import escaped, same_text, unescaped
from prandial.errors import ChecksumError, InputError, NotFoundError, SchemaError


def test_a_sheet_tells_nothing_but_the_words(tmp_path: Path) -> None:
    questions = meals()
    done = export_sheets(questions, tmp_path, raters=["R1", "R2"], per_rater=10, seed=3)
    assert [p.name for p in done.sheets] == [
        "R1_look-up.csv",
        "R2_look-up.csv",
        "R1_no-look-up.csv",
        "R2_no-look-up.csv",
    ]
    by_text = {q.text: q for q in questions}
    for sheet in done.sheets:
        rows = rows_of(sheet)
        assert list(rows[0]) == ["row", "meal", "your_estimate_carb_g", "minutes", "note"]
        assert len(rows) == 11
        for row in rows[:-1]:
            assert row["meal"] in by_text
            assert row["your_estimate_carb_g"] == row["minutes"] == row["note"] == ""
        text = sheet.read_text(encoding="utf-8-sig")
        for q in questions:
            assert q.id not in text
            assert q.group not in text
        assert "USA" not in text
        assert "natural" not in text
    # nothing that is sent lies beside the key
    assert done.key == tmp_path / "keep" / "key.json"
    assert {p.parent for p in (*done.sheets, *done.instructions)} == {tmp_path / "send"}


def test_draws_are_even_over_servings_and_take_one_wording_of_a_meal() -> None:
    questions = meals(30)
    # 72 US meals in the paper were 38 metric and 34 natural: about half
    (one,) = assign_meals(questions, raters=["R1"], arms=["look-up"], per_rater=11, seed=0)
    servings = [q.serving for q in one.questions]
    assert sorted((servings.count("metric"), servings.count("natural"))) == [5, 6]
    assert len({q.group for q in one.questions}) == 11
    # 30 groups and no more
    (all_,) = assign_meals(questions, raters=["R1"], arms=["look-up"], per_rater=30, seed=0)
    assert len({q.group for q in all_.questions}) == 30
    with pytest.raises(InputError, match="31 meals are wanted"):
        assign_meals(questions, raters=["R1"], arms=["look-up"], per_rater=31, seed=0)


@pytest.mark.parametrize(
    ("shared", "sets"),
    [("all", 1), ("arm", 2), ("none", 4)],
)
def test_who_shares_meals(shared: str, sets: int) -> None:
    assigned = assign_meals(meals(60), raters=["A", "B"], per_rater=8, seed=5, shared=shared)
    found = {frozenset(q.id for q in a.questions) for a in assigned}
    assert len(found) == sets
    # other sets share no meal in any wording
    groups = [{q.id: q.group for q in a.questions} for a in assigned]
    union = {g for one in groups for g in one.values()}
    assert len(union) == 8 * sets
    # and nobody has the order of another
    if shared == "all":
        orders = {tuple(q.id for q in a.questions) for a in assigned}
        assert len(orders) == 4


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_the_file() -> None:
    questions = meals(40)
    given = {"raters": ["A"], "per_rater": 10}
    one = assign_meals(questions, seed=1, **given)  # type: ignore[arg-type]
    assert one == assign_meals(questions[::-1], seed=1, **given)  # type: ignore[arg-type]
    assert one != assign_meals(questions, seed=2, **given)  # type: ignore[arg-type]
    # a further rater changes nothing for the first
    more = assign_meals(questions, seed=1, raters=["A", "B"], per_rater=10)
    assert [a for a in more if a.rater == "A"] == list(one)


def test_row_codes_are_no_words_numbers_or_dates(tmp_path: Path) -> None:
    done = export_sheets(meals(), tmp_path, raters=["R1", "R2", "R3"], per_rater=30, seed=9)
    codes = [r["row"] for p in done.sheets for r in rows_of(p)[:-1]]
    assert len(codes) == len(set(codes)) == 180
    assert all(len(c) == 5 and c.isalpha() and not set(c) & set("AEIOUY") for c in codes)


def test_instructions_carry_the_published_examples(tmp_path: Path) -> None:
    done = export_sheets(meals(), tmp_path, raters=["R1"], per_rater=4, seed=0)
    look, none = (p.read_text("utf-8") for p in done.instructions)
    for text in (look, none):
        # NutriBench's three worked examples
        assert [s in text for s in ("66.5 g", "15 g", "25.3 g")] == [True] * 3
        assert "your_estimate_carb_g" in text
        assert "{{" not in text
    assert "look nothing up" in none
    assert "look nothing up" not in look


def test_another_nutrient_has_its_own_column_and_unit(tmp_path: Path) -> None:
    questions = meals(nutrient="energy_kcal")
    done = export_sheets(questions, tmp_path, raters=["R1"], per_rater=4, seed=0)
    assert "your_estimate_energy_kcal" in rows_of(done.sheets[0])[0]
    assert "in kcal" in " ".join(done.instructions[0].read_text("utf-8").split())


def test_the_key_knows_what_was_sent_and_when_it_was_changed(tmp_path: Path) -> None:
    done = export_sheets(meals(), tmp_path, raters=["R1"], per_rater=6, seed=0)
    key = read_key(done.key)
    for path, sheet in zip(done.sheets, key.sheets, strict=True):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sheet.sha256
        rows = {r["row"]: r["meal"] for r in rows_of(path)[:-1]}
        assert {c: key.question(q).text for c, q in sheet.rows.items()} == rows
    body = json.loads(done.key.read_text("utf-8"))
    body["questions"][0]["label"] += 1
    done.key.write_text(json.dumps(body), "utf-8")
    with pytest.raises(ChecksumError, match="changed"):
        read_key(done.key)
    done.key.write_text("{}", "utf-8")
    with pytest.raises(SchemaError):
        read_key(done.key)
    with pytest.raises(NotFoundError):
        read_key(tmp_path / "none.json")


def test_models_can_be_asked_the_same_meals(tmp_path: Path, shared_dir: Path) -> None:
    data = shared_dir / "data" / "nutribench" / "nutribench_v2.parquet"
    questions = meal_questions(data, country=["USA"], limit=200).questions
    done = export_sheets(questions, tmp_path, raters=["R1"], per_rater=20, seed=0)  # type: ignore[arg-type]
    again = meal_questions(done.key.with_name("meals.jsonl")).questions
    # words, label, slices and group; the id begins with the name of the file
    own = {q.id: q for q in read_key(done.key).questions}
    assert {q.id: replace(q, id=q.id.removeprefix("meals-")) for q in again} == {  # type: ignore[union-attr]
        f"meals-{k}": q for k, q in own.items()
    }
    assert len(again) == 20


def test_a_second_study_does_not_take_the_place_of_the_first(tmp_path: Path) -> None:
    given = {"raters": ["R1"], "per_rater": 2, "seed": 0}
    export_sheets(meals(), tmp_path, **given)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a study already"):
        export_sheets(meals(), tmp_path, **given)  # type: ignore[arg-type]
    export_sheets(meals(), tmp_path, replace=True, **given)  # type: ignore[arg-type]


def test_sheets_of_the_study_before_are_not_left_to_be_sent(tmp_path: Path) -> None:
    export_sheets(meals(), tmp_path, raters=["R1", "R2"], per_rater=4, seed=1)
    (tmp_path / "send" / "letter.txt").write_text("of ours", "utf-8")
    export_sheets(meals(), tmp_path, raters=["R3"], arms=["look-up"], per_rater=4, replace=True)
    assert sorted(p.name for p in (tmp_path / "send").iterdir()) == [
        "R3_look-up.csv",
        "instructions_look-up.txt",
        "letter.txt",
    ]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"raters": []}, "raters"),
        ({"raters": ["R1", "r1"]}, "raters"),
        ({"raters": ["../R1"]}, "raters"),
        ({"arms": ["with phone"]}, "arms"),
        ({"shared": "some"}, "shared"),
        ({"per_rater": 0}, "per_rater"),
    ],
)
def test_what_cannot_be_meant_is_refused(change: dict[str, object], where: str) -> None:
    given: dict[str, object] = {"raters": ["R1"], "per_rater": 2, "seed": 0} | change
    with pytest.raises(InputError) as caught:
        assign_meals(meals(), **given)  # type: ignore[arg-type]
    assert caught.value.where == where
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'),
        ("+2 eggs", "'+2 eggs"),
        ("-1 egg", "'-1 egg"),
        ("@home I had rice", "'@home I had rice"),
        ("\t=1+1", "'=1+1"),
        ("'=1", "''=1"),
        ("'twas a bowl of rice", "'twas a bowl of rice"),
        ("two\nlines", "two lines"),
        ("a = b", "a = b"),
    ],
)
def test_no_cell_is_a_formula_and_every_text_comes_back(text: str, cell: str) -> None:
    assert escaped(text) == cell
    assert cell[0] not in "=+-@"
    assert same_text(text, cell)
    # what a spreadsheet shows and saves of a text cell
    assert same_text(text, unescaped(cell))
    assert not same_text(text, cell + " and more")


def test_formulas_stay_texts_in_a_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    odd = [replace(q, text=f"=1+{i}") for i, q in enumerate(meals(4))]
    done = export_sheets(odd, tmp_path, raters=["R1"], per_rater=4, seed=0, form="xlsx")
    book = openpyxl.load_workbook(done.sheets[0])
    assert book.sheetnames == ["meals", "instructions"]
    cells = [c for row in book["meals"].iter_rows(min_row=2) for c in row]
    assert {c.data_type for c in cells if c.value is not None} == {"s"}
    # a range typed into an empty cell must not become a date
    assert {c.number_format for c in cells} == {"@"}
    book.close()
