"""GIFT files: the real survey counted, the official CSV in its odd forms, clear errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from prandial.errors import DataError, InputError, NotFoundError, SchemaError
from prandial.sources.gift import GiftSurvey, read_gift, read_gift_subjects

BOLIVIA = "fao_gift_bolivia_2010_consumption.parquet"
#: names of columns as the platform gives them out (2024), shortened to those that meals need
HEADER = (
    "SUBJECT", "ROUND", "SURVEY_DAY", "CONSUMPTION_TIME_HOUR", "CONSUMPTION_TIME_MINUTES",
    "MEAL_NAME", "CODE_INGREDIENT", "INGREDIENT", "FOODEX2_INGR_CODE", "FOODEX2_INGR_DESCR",
    "FOOD_AMOUNT_UNPROC", "FOOD_AMOUNT_CONS", "FOOD_AMOUNT_REPORTED", "ENERGY_kcal", "PROTEIN_g",
    "CARBOH_g", "FIBTG_g", "FAT_g", "VERSION",
)  # fmt: skip
RICE = (
    "1", "1", "1", "7", "30", "2", "12", "RIZ BLANC, CUIT À L'EAU", "A003D#F28.A07GG",
    "Rice grain, polished, PROCESS = Cooking in water", "", "150.5", "150.5", "195.7", "4", "42.9",
    "0.6", "0.4", "02 July 2024",
)  # fmt: skip
TEA = (
    "1", "1", "1", "7", "30", "2", "13", "TEA", "A03LB", "Tea beverages", "", "240", "", "2", "0",
    "0.7", "", "", "",
)  # fmt: skip


def lines(*rows: tuple[str, ...], separator: str = ",", end: str = "\n") -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if set(text) & {separator, '"', "\n"} else text

    return end.join(separator.join(cell(c) for c in row) for row in (HEADER, *rows)) + end


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(data: bytes, name: str = "consumption_user.csv", folder: str = "LBN_00090") -> Path:
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return path

    return _write


@pytest.fixture(scope="module")
def bolivia(shared_dir: Path) -> GiftSurvey:
    return read_gift(shared_dir / "data" / "foods" / BOLIVIA, cycle="BOL-00006")


def test_real_survey_is_counted(bolivia: GiftSurvey) -> None:
    """7,908 records of 155 people, as its README says; 70 of them weigh nothing."""
    assert (bolivia.rows, len(bolivia.records)) == (7908, 7838)
    assert bolivia.dropped == {"an amount of 0 g": 70}
    assert (bolivia.cycle, bolivia.country) == ("BOL-00006", "BOL")
    assert len({r.foodex2 for r in bolivia.records}) == 126
    assert bolivia.occasions_told
    assert {r.occasion_code for r in bolivia.records} == {"8"}
    assert {r.occasion for r in bolivia.records} == {""}


def test_real_records_hold_their_numbers(bolivia: GiftSurvey) -> None:
    first = bolivia.records[0]
    assert (first.line, first.subject, first.day, first.sequence) == (1, "101", 1, "1")
    assert first.foodex2 == "A003D#F10.A0F6D$F28.A0CQY$F28.A07GG"
    assert first.name.startswith("Rice grain, polished, PROCESS = ")
    assert first.grams == 165
    assert dict(first.nutrients) == pytest.approx(
        {"carb_g": 47.17, "protein_g": 3.93, "fat_g": 0.35, "energy_kcal": 214.6271511,
         "fiber_g": 0.0}
    )  # fmt: skip
    assert first.minute is None


def test_sums_are_those_of_the_file(bolivia: GiftSurvey, shared_dir: Path) -> None:
    import duckdb

    path = str(shared_dir / "data" / "foods" / BOLIVIA)
    carb, grams = duckdb.execute(
        "SELECT sum(carboh), sum(food_amount_proc) FROM read_parquet(?)"
        " WHERE food_amount_proc > 0", [path]
    ).fetchall()[0]  # fmt: skip
    assert sum(r.nutrients["carb_g"] for r in bolivia.records) == pytest.approx(carb)
    assert sum(r.grams for r in bolivia.records) == pytest.approx(grams)


def test_real_people(shared_dir: Path) -> None:
    found = read_gift_subjects(
        shared_dir / "data" / "foods" / "fao_gift_bolivia_2010_subjects.parquet"
    )
    assert len(found.people) == 155
    assert Counter(p.sex for p in found.people) == {"female": 95, "male": 60}
    assert sum(p.age_years is None for p in found.people) == 2
    first = found.people[0]
    assert (first.subject, first.sex, first.age_years, first.body_mass_kg) == (
        "101", "male", 21, 74.7,
    )  # fmt: skip


FORMS = {
    "commas": lines(RICE, TEA).encode(),
    "windows lines": lines(RICE, TEA, end="\r\n").encode(),
    "byte order mark": lines(RICE, TEA).encode("utf-8-sig"),
    "semicolons": lines(RICE, TEA, separator=";").encode(),
    "tabs": lines(RICE, TEA, separator="\t").encode(),
    "latin-1": lines(RICE, TEA).encode("latin-1"),
    "utf-16": lines(RICE, TEA).encode("utf-16"),
    "decimal commas": lines(
        tuple(c.replace(".", ",") if c[:1].isdigit() else c for c in RICE), TEA, separator=";"
    ).encode(),
    "empty line": lines(RICE, TEA).replace("\n1,", "\n\n1,").encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_csv_hold_the_same(write: Callable[..., Path], form: str) -> None:
    survey = read_gift(write(FORMS[form]))
    assert (survey.cycle, survey.country, survey.rows) == ("LBN-00090", "LBN", 2)
    rice, tea = survey.records
    assert (rice.subject, rice.grams, rice.minute) == ("1", 150.5, 450)
    assert rice.ingredient == "RIZ BLANC, CUIT À L'EAU"
    assert dict(rice.nutrients) == {
        "carb_g": 42.9, "protein_g": 4, "fat_g": 0.4, "energy_kcal": 195.7, "fiber_g": 0.6,
    }  # fmt: skip
    assert dict(tea.nutrients) == {"carb_g": 0.7, "protein_g": 0, "energy_kcal": 2}
    assert "fat_g" not in tea.nutrients, "an empty cell is unknown, not 0"
    told = {"latin-1": "Windows-1252", "utf-16": "UTF-16"}.get(form)
    assert [told in n for n in survey.notes] == ([True] if told else [])


def test_line_breaks_in_quotes(write: Callable[..., Path]) -> None:
    broken = tuple(c.replace("BLANC, ", "BLANC,\n") for c in RICE)
    survey = read_gift(write(lines(broken, TEA).encode()))
    assert [r.ingredient for r in survey.records] == ["RIZ BLANC, CUIT À L'EAU", "TEA"]


def test_occasions_in_words(write: Callable[..., Path]) -> None:
    """Words of the file stand; codes get words only from a code list that is told."""
    path = write(lines(RICE, (*TEA[:5], "Breakfast", *TEA[6:])).encode())
    assert [r.occasion for r in read_gift(path).records] == ["", "breakfast"]
    told = read_gift(path, occasions={"2": "breakfast"})
    assert [r.occasion for r in told.records] == ["breakfast", "breakfast"]


def test_rows_left_out_are_counted(write: Callable[..., Path]) -> None:
    none = (*RICE[:11], "", "", *RICE[13:])
    naught = (*RICE[:11], "0", "0", *RICE[13:])
    less = (*RICE[:11], "-9", "", *RICE[13:])
    tons = (*RICE[:11], "1000000", "", *RICE[13:])
    nameless = (*RICE[:7], "", "", "", *RICE[10:])
    nobody = ("", *RICE[1:])
    survey = read_gift(write(lines(RICE, none, naught, less, tons, nameless, nobody).encode()))
    assert len(survey.records) == 1
    assert survey.rows == 7
    assert survey.dropped == {
        "no amount": 1, "an amount of 0 g": 1, "an amount below 0 g": 1, "no food": 1,
        "no person or day": 1, "an amount above 20 kg": 1,
    }  # fmt: skip


def test_amount_as_eaten_comes_first(write: Callable[..., Path]) -> None:
    reported = (*RICE[:11], "", "99", *RICE[13:])
    assert read_gift(write(lines(reported).encode())).records[0].grams == 99


def test_energy_in_kilojoules(write: Callable[..., Path]) -> None:
    text = lines((*RICE[:13], "836.8", *RICE[14:])).replace("ENERGY_kcal", "ENERGY_kJ")
    record = read_gift(write(text.encode())).records[0]
    assert record.nutrients["energy_kcal"] == pytest.approx(200)


def test_nutrients_below_zero_are_unknown(write: Callable[..., Path]) -> None:
    survey = read_gift(write(lines((*RICE[:13], "-1", *RICE[14:])).encode()))
    assert "energy_kcal" not in survey.records[0].nutrients
    assert survey.notes == ("consumption_user.csv: 1 nutrients below 0 taken for unknown",)


def test_nutrients_that_no_food_can_hold_are_unknown(write: Callable[..., Path]) -> None:
    """More fat than the food weighs, more energy than that weight of fat."""
    many = lines((*RICE[:13], "99999", "50000", *RICE[15:]))
    survey = read_gift(write(many.encode()))
    assert set(survey.records[0].nutrients).isdisjoint({"energy_kcal"})
    assert len(survey.notes) == 1
    assert "cannot hold taken for unknown" in survey.notes[0]


def _cut(text: str) -> bytes:
    return text.encode()[: len(text) - 40]


BAD = {
    "cut": (_cut(lines(RICE, TEA)), "cells, the header has 19"),
    "renamed column": (
        lines(RICE).replace("FOODEX2_INGR_DESCR", "FOODEX_INGR_DESCR").encode(),
        "no column FOODEX2_INGR_DESCR",
    ),
    "no number": (lines((*RICE[:11], "a cup", *RICE[12:])).encode(), "'a cup' is no number"),
    "twice": (lines(RICE).replace("ROUND", "SUBJECT").encode(), "'subject' is there twice"),
    "no rows": (lines().encode(), "no records"),
    "empty": (b"", "no column SUBJECT"),
    "zip": (b"PK\x03\x04rest", "a zip or an Excel workbook"),
    "page": (b"<!DOCTYPE html><html></html>", "a web page"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\n", "kept elsewhere"),
    "binary": (lines(RICE).encode() + b"\0\0", "null characters"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_told(write: Callable[..., Path], what: str) -> None:
    data, told = BAD[what]
    with pytest.raises(SchemaError) as caught:
        read_gift(write(data))
    assert told in caught.value.what
    assert "consumption_user.csv" in caught.value.where
    assert caught.value.hint


def test_place_of_a_bad_cell(write: Callable[..., Path]) -> None:
    with pytest.raises(SchemaError) as caught:
        read_gift(write(lines(RICE, (*TEA[:11], "x", *TEA[12:])).encode()))
    assert caught.value.where.endswith("record 2, column FOOD_AMOUNT_CONS")


def test_near_names_are_hinted(write: Callable[..., Path]) -> None:
    text = lines(RICE).replace("SURVEY_DAY", "SURVEYDAY")
    with pytest.raises(SchemaError) as caught:
        read_gift(write(text.encode()))
    assert "surveyday" in caught.value.hint


def test_other_errors(write: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_gift(tmp_path / "none.csv")
    with pytest.raises(InputError, match="format"):
        read_gift(write(b"x", name="a.dta"))
    with pytest.raises(InputError, match="no country code"):
        read_gift(write(lines(RICE).encode()), country="XYZ")
    with pytest.raises(DataError):
        read_gift(write(b"PAR1", name="a.parquet"))


def test_people_as_csv(write: Callable[..., Path]) -> None:
    head = "SUBJECT;ROUND;SEX;AGE_YEAR;AGE_MONTH;WEIGHT;HEIGHT\n"
    path = write(f"{head}1;1;2;;18;11,3;80\n2;1;;40;;;\n".encode(), name="subject_user.csv")
    child, other = read_gift_subjects(path).people
    assert (child.sex, child.age_years, child.body_mass_kg) == ("female", 1.5, 11.3)
    assert (other.sex, other.age_years, other.height_cm) == ("", 40, None)
    twice = write(f"{head}1;1;2;;18;11;80\n1;1;;40;;;\n".encode(), name="twice.csv")
    with pytest.raises(SchemaError, match="twice"):
        read_gift_subjects(twice)
