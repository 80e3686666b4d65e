"""Filled sheets: read as people fill them in, and refused where a guess would be needed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.bench_models.raters_made import filled_in, meals, rows_of, write_rows

from prandial.bench.raters import Exported, export_sheets, import_sheets, read_filled, read_key
from prandial.bench.raters.cells import estimate_of, minutes_of
from prandial.bench.runs import read_run
from prandial.errors import InputError, PrandialError, SchemaError
from prandial.records.bench import MealQuestion

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def study(tmp_path: Path) -> Exported:
    return export_sheets(meals(), tmp_path / "study", raters=["R1", "R2"], per_rater=6, seed=1)


def by_meal() -> dict[str, MealQuestion]:
    return {q.text: q for q in meals()}


def label(meal: str) -> tuple[str, str, str]:
    return f"{by_meal()[meal].label:g}", "0.5", ""


# cell -> status and amount in grams; what a rater writes, and what must come of it
CELLS = [
    ("45", "answered", 45.0),
    ("45.5", "answered", 45.5),
    ("1,5", "answered", 1.5),
    (",5", "answered", 0.5),
    ("0", "answered", 0.0),
    (0, "answered", 0.0),
    (45, "answered", 45.0),
    (45.25, "answered", 45.25),
    ("'45", "answered", 45.0),
    ("45g", "answered", 45.0),
    ("45 grams", "answered", 45.0),
    ("45 g.", "answered", 45.0),
    ("about 45", "answered", 45.0),
    ("~45 g", "answered", 45.0),
    ("40-50", "answered", 45.0),
    ("40 to 50 g", "answered", 45.0),
    ("between 40 and 50 g", "answered", 45.0),
    ("40 + 5", "answered", 45.0),
    ("", "refused", None),
    (None, "refused", None),
    ("  ", "refused", None),
    ("?", "refused", None),
    ("-", "refused", None),
    ("n/a", "refused", None),
    ("don't know", "refused", None),
    ("Don\u2019t know.", "refused", None),
    ("a lot", "unreadable", None),
    ("40/50", "unreadable", None),
    ("30 or 60", "unreadable", None),
    ("45 (rice 30, beans 15)", "unreadable", None),
    (True, "unreadable", None),
    ("abt 45", "answered", 45.0),
    ("c. 45", "answered", 45.0),
    ("I guess 45 g", "answered", 45.0),
    ("45 +/- 5", "answered", 45.0),
    ("45\u00b15 g", "answered", 45.0),
    ("forty", "answered", 40.0),
    ("about forty-five grams", "answered", 45.0),
    ("zero", "answered", 0.0),
    # the ends of a range, whichever stands first; never a difference
    ("50-40", "answered", 45.0),
    ("45-50g", "answered", 47.5),
    # no limit is an estimate
    ("<5", "unreadable", None),
    ("> 100 g", "unreadable", None),
    ("less than 5", "unreadable", None),
    ("45+", "unreadable", None),
    # 0 grams, or nothing said
    ("none", "unreadable", None),
    ("no carbs", "unreadable", None),
    ("trace", "unreadable", None),
    ("-5", "unreadable", None),
    ("1,234", "unreadable", None),
    ("9" * 400, "unreadable", None),
    ("1/2", "unreadable", None),
]


@pytest.mark.parametrize(("cell", "status", "value"), CELLS)
def test_estimates_as_people_write_them(cell: object, status: str, value: float | None) -> None:
    read = estimate_of(cell, "carb_g", "here")
    assert (read.status, read.value) == (status, value)
    # the published code scores no answer as a guess of -1
    assert read.published_value == (-1.0 if value is None else value)
    assert read.why


@pytest.mark.parametrize(
    "cell",
    ["45 oz", "200 kcal", "3 exchanges", "2 carb choices", "45 %", "450 mg", "1 lb", "800kJ"],
)
def test_another_unit_is_an_error_that_names_the_cell(cell: str) -> None:
    with pytest.raises(InputError, match="the sheet asks for g") as caught:
        estimate_of(cell, "carb_g", "sheet.csv, line 3, column 'x'")
    assert caught.value.where == "sheet.csv, line 3, column 'x'"


def test_grams_are_another_unit_where_energy_is_asked() -> None:
    assert estimate_of("450 kcal", "energy_kcal", "").value == 450
    assert estimate_of("1,250", "energy_kcal", "").value == 1250
    for cell in ("45 g", "1800 kJ"):
        with pytest.raises(InputError, match="the sheet asks for kcal"):
            estimate_of(cell, "energy_kcal", "")


@pytest.mark.parametrize(
    "cell", [datetime(2026, 12, 10, tzinfo=UTC), "10-Dec", "Oct-12", "2026-10-12"]
)
def test_a_range_that_became_a_date_is_an_error(cell: object) -> None:
    with pytest.raises(InputError, match="a date"):
        estimate_of(cell, "carb_g", "here")


@pytest.mark.parametrize(
    ("cell", "minutes"),
    [
        ("2", 2.0),
        (2, 2.0),
        ("0,5", 0.5),
        ("2 min", 2.0),
        ("90 s", 1.5),
        ("1:30", 1.5),
        ("1 h", 60.0),
        ("about 2", 2.0),
        ("1/2", 0.5),
        ("1 1/2", 1.5),
        ("\u00bd", 0.5),
        ("1 min 30 s", 1.5),
        ("1'30\"", 1.5),
        ("0", 0.0),
        ("", None),
        (None, None),
        ("?", None),
    ],
)
def test_minutes(cell: object, minutes: float | None) -> None:
    assert minutes_of(cell, "here") == minutes


@pytest.mark.parametrize("cell", ["soon", "-1", "9999", "2-3", True])
def test_no_minutes(cell: object) -> None:
    with pytest.raises(InputError, match="no number of minutes"):
        minutes_of(cell, "here")


def test_sheets_become_runs(study: Exported, tmp_path: Path) -> None:
    def fill(meal: str) -> tuple[str, str, str]:
        number = by_meal()[meal].label
        return (f"about {number + 5:g}", "1,5", "") if int(number) % 2 else ("", "0.5", "hm")

    back = [filled_in(p, tmp_path / f"back {i}.csv", fill) for i, p in enumerate(study.sheets)]
    done = import_sheets(back, study.key, tmp_path / "runs", version="1", now=NOW, commit="abc")
    assert [(d.rater, d.arm) for d in done] == [
        ("R1", "look-up"),
        ("R2", "look-up"),
        ("R1", "no look-up"),
        ("R2", "no look-up"),
    ]
    key = read_key(study.key)
    for one, sheet in zip(done, key.sheets, strict=True):
        run = read_run(one.folder)
        assert run.record.model == f"person/{sheet.rater}"
        assert run.record.method == sheet.arm
        assert run.record.benchmark == "nutribench"
        assert run.record.versions["prandial"] == "1"
        assert (run.record.commit, run.record.started) == ("abc", "2026-01-02T03:04:05+00:00")
        # every meal, in the order of the sheet, with its label and slices
        assert [q.id for q in run.questions] == list(sheet.rows.values())
        assert {q.country for q in run.questions} == {"USA"}  # type: ignore[union-attr]
        minutes = 0.0
        for q in run.questions:
            assert isinstance(q, MealQuestion)
            got = run.predictions[q.id]
            if int(q.label) % 2:
                assert (got.reading.status, got.reading.value) == ("answered", q.label + 5)
                assert got.seconds == 90
                minutes += 1.5
            else:
                assert (got.reading.status, got.reading.value) == ("refused", None)
                assert got.detail["note"] == "hm"
                minutes += 0.5
        assert one.minutes == pytest.approx(minutes)
        assert run.record.seconds == pytest.approx(60 * minutes)
        assert one.answered + one.refused == one.meals == 6
    # the same files again are the same runs; nothing is there twice
    again = import_sheets(back, study.key, tmp_path / "runs", version="1", now=NOW)
    lines = (again[0].folder / "answers.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 6
    # a corrected sheet is another run
    filled_in(study.sheets[0], back[0], label)
    with pytest.raises(InputError, match="another sheet of R1, look-up") as caught:
        import_sheets(back, study.key, tmp_path / "runs", version="1", now=NOW)
    assert "corrected sheet" in caught.value.hint


def test_minutes_of_the_whole_sheet(study: Exported, tmp_path: Path) -> None:
    # the paper's nutritionists told 43 minutes for all 72 meals
    path = filled_in(study.sheets[0], tmp_path / "a.csv", lambda m: (label(m)[0], "", ""))
    rows = rows_of(path)
    rows[-1]["minutes"] = "43"
    write_rows(path, rows)
    filled = read_filled(path, read_key(study.key))
    assert filled.minutes == 43
    assert {p.seconds for p in filled.predictions} == {None}


def test_some_minutes_are_no_time_of_the_sheet(study: Exported, tmp_path: Path) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    rows = rows_of(path)
    rows[0]["minutes"] = ""
    write_rows(path, rows)
    filled = read_filled(path, read_key(study.key))
    assert filled.minutes is None
    assert "5 of 6" in filled.notes[0]


def test_two_times_of_a_sheet_are_told(study: Exported, tmp_path: Path) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    rows = rows_of(path)
    rows[-1]["minutes"] = "12"
    filled = read_filled(write_rows(path, rows), read_key(study.key))
    # six meals of half a minute
    assert filled.minutes == 3
    assert filled.notes == (
        "minutes of the meals add up to 3, the last row says 12: the sum counts",
    )


def test_a_sheet_as_it_was_sent_is_told(study: Exported) -> None:
    filled = read_filled(study.sheets[0], read_key(study.key))
    (note,) = filled.notes
    assert "not one cell is filled in" in note


def test_much_for_one_meal_is_told(study: Exported, tmp_path: Path) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    rows = rows_of(path)
    rows[1]["your_estimate_carb_g"] = "4500"
    filled = read_filled(write_rows(path, rows), read_key(study.key))
    assert [n for n in filled.notes if "line 3" in n and "'4500' is much for one meal" in n]


@pytest.mark.parametrize(
    ("separator", "encoding"),
    [(",", "utf-8-sig"), (";", "utf-8-sig"), (";", "cp1252"), ("\t", "utf-16"), ("|", "latin-1")],
)
def test_csv_as_spreadsheets_save_it(tmp_path: Path, separator: str, encoding: str) -> None:
    words = "For brunch: crème brûlée, ½ baguette & ⅓ cup jam — “the good one”; that’s it."
    questions = [
        MealQuestion(id="a", text=words, nutrient="carb_g", label=50.0, group="a"),
        MealQuestion(id="b", text="=SUM(1,2) eggs", nutrient="carb_g", label=1.0, group="b"),
    ]
    done = export_sheets(
        questions, tmp_path / "s", raters=["R1"], arms=["look-up"], per_rater=2, seed=0
    )
    suffix = ".tsv" if separator == "\t" else ".csv"
    path = filled_in(
        done.sheets[0],
        tmp_path / f"back{suffix}",
        lambda m: ("12,5", "1", ""),
        separator=separator,
        encoding=encoding,
    )
    filled = read_filled(path, read_key(done.key))
    assert [p.reading.value for p in filled.predictions] == [12.5, 12.5]


def test_cells_that_cannot_be_read_are_named(study: Exported, tmp_path: Path) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    rows = rows_of(path)
    rows[2]["your_estimate_carb_g"] = "loads"
    filled = read_filled(write_rows(path, rows), read_key(study.key))
    (note,) = filled.notes
    assert note.startswith("a.csv, line 4, column 'your_estimate_carb_g': 'loads' cannot be read")


def test_jsonl(study: Exported, tmp_path: Path) -> None:
    rows = rows_of(study.sheets[1])[:-1]
    for i, row in enumerate(rows):
        row["your_estimate_carb_g"] = 10 * i  # type: ignore[assignment]
    path = tmp_path / "back.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    filled = read_filled(path, read_key(study.key))
    assert filled.sheet.rater == "R2"
    assert [p.reading.value for p in filled.predictions] == [0, 10, 20, 30, 40, 50]


def test_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    done = export_sheets(meals(), tmp_path / "s", raters=["R1"], per_rater=4, seed=0, form="xlsx")
    book = openpyxl.load_workbook(done.sheets[0])
    for i, value in enumerate((45, "40-50", 1.5, None), start=2):
        book["meals"].cell(row=i, column=3).value = value
        book["meals"].cell(row=i, column=4).value = 2
    book.save(tmp_path / "back.xlsx")
    filled = read_filled(tmp_path / "back.xlsx", read_key(done.key))
    assert [p.reading.value for p in filled.predictions] == [45, 45, 1.5, None]
    assert filled.minutes == 8
    # our own page of instructions is not worth a note
    assert filled.notes == ()


def test_rows_may_be_sorted_and_blank_lines_added(study: Exported, tmp_path: Path) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    rows = sorted(rows_of(path), key=lambda r: r["meal"])
    write_rows(path, [*rows, dict.fromkeys(rows[0], "")])
    filled = read_filled(path, read_key(study.key))
    wanted = {q.id: q.label for q in filled.questions}
    assert {p.question: p.reading.value for p in filled.predictions} == wanted


def _change(rows: list[dict[str, str]], what: str) -> list[dict[str, str]]:
    if what == "meal":
        rows[1]["meal"] = rows[1]["meal"].replace("rice", "beans")
    elif what == "code":
        rows[1]["row"] = "ZZZZZ"
    elif what == "no code":
        rows[1]["row"] = ""
    elif what == "twice":
        rows.insert(3, dict(rows[1]))
    elif what == "gone":
        del rows[1]
    elif what == "oz":
        rows[1]["your_estimate_carb_g"] = "3 oz"
    elif what == "minutes":
        rows[1]["minutes"] = "yes"
    elif what == "swapped":
        rows[1]["meal"], rows[2]["meal"] = rows[2]["meal"], rows[1]["meal"]
    return rows


@pytest.mark.parametrize(
    ("what", "told", "where"),
    [
        ("meal", "the meal was changed", "a.csv, line 3, column 'meal'"),
        ("swapped", "the meal was changed", "a.csv, line 3, column 'meal'"),
        ("code", "no row 'ZZZZZ' was sent", "a.csv, line 3, column 'row'"),
        ("no code", "without a row code", "a.csv, line 3, column 'row'"),
        ("twice", "is there twice, first on line 3", "a.csv, line 5, column 'row'"),
        ("gone", "1 of 6 rows are missing", ""),
        ("oz", "is in oz", "a.csv, line 3, column 'your_estimate_carb_g'"),
        ("minutes", "no number of minutes", "a.csv, line 3, column 'minutes'"),
    ],
)
def test_errors_name_file_row_and_column(
    study: Exported, tmp_path: Path, what: str, told: str, where: str
) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    write_rows(path, _change(rows_of(path), what))
    with pytest.raises(PrandialError, match=told) as caught:
        read_filled(path, read_key(study.key))
    assert caught.value.where == (where or str(path))
    assert caught.value.hint


@pytest.mark.parametrize("column", ["row", "meal", "your_estimate_carb_g", "minutes"])
def test_a_missing_column_is_named(study: Exported, tmp_path: Path, column: str) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    rows = [{k: v for k, v in r.items() if k != column} for r in rows_of(path)]
    with pytest.raises(PrandialError, match=f"no column '{column}'") as caught:
        read_filled(write_rows(path, rows), read_key(study.key))
    assert str(path) in caught.value.where


def test_a_sheet_of_another_unit_is_named(study: Exported, tmp_path: Path) -> None:
    path = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    text = path.read_text("utf-8").replace("your_estimate_carb_g", "your_estimate_carb_oz")
    path.write_text(text, "utf-8")
    with pytest.raises(SchemaError) as caught:
        read_filled(path, read_key(study.key))
    assert "your_estimate_carb_oz" in caught.value.hint


def test_sheets_are_told_apart_and_taken_once(study: Exported, tmp_path: Path) -> None:
    one = filled_in(study.sheets[0], tmp_path / "a.csv", label)
    two = filled_in(study.sheets[0], tmp_path / "b.csv", label)
    runs = tmp_path / "runs"
    with pytest.raises(InputError, match="is there twice"):
        import_sheets([one, two], study.key, runs, version="1", now=NOW)
    other = filled_in(study.sheets[1], tmp_path / "c.csv", label)
    write_rows(two, [*rows_of(one)[:3], *rows_of(other)[3:6]])
    with pytest.raises(InputError, match="of another sheet, R2_look-up"):
        import_sheets([two], study.key, runs, version="1", now=NOW)
    with pytest.raises(InputError, match="no sheet is named"):
        import_sheets([], study.key, runs, version="1", now=NOW)
    # nothing was written before all was checked
    assert not runs.exists()


def test_the_sheet_of_another_study_is_refused(study: Exported, tmp_path: Path) -> None:
    other = export_sheets(meals(), tmp_path / "other", raters=["R1"], per_rater=6, seed=2)
    path = filled_in(other.sheets[0], tmp_path / "a.csv", label)
    with pytest.raises(InputError, match="was sent") as caught:
        read_filled(path, read_key(study.key))
    assert "key" in caught.value.hint
