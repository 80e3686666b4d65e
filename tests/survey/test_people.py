"""Reading people: counts stated in the data's own description, order, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tests.survey.plain import CYCLES, PlainTables

from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.records import PeopleTable
from prandial.sources.nhanes.people import read_people
from prandial.tables.rules import read_rules


class Fake:
    """Tables from dictionaries: (cycle, table) to columns."""

    def __init__(self, tables: dict[tuple[str, str], dict[str, Any]]) -> None:
        self.tables = tables

    def has(self, cycle: str, table: str) -> bool:
        return (cycle, table) in self.tables

    def read(
        self, cycle: str, table: str, columns: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        data = self.tables[cycle, table]
        return {c: data[c] for c in (*columns, *optional) if c in data or c in columns}


class Shuffled:
    """The same tables with the rows of each in another order."""

    def __init__(self, tables: PlainTables) -> None:
        self.tables = tables

    def has(self, cycle: str, table: str) -> bool:
        return self.tables.has(cycle, table)

    def read(
        self, cycle: str, table: str, columns: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        data = self.tables.read(cycle, table, columns, optional)
        size = len(next(iter(data.values())))
        order = np.random.default_rng(size).permutation(size)
        return {
            c: v[order] if isinstance(v, np.ndarray) else tuple(v[i] for i in order)
            for c, v in data.items()
        }


def small() -> dict[tuple[str, str], dict[str, Any]]:
    two = np.array([8.0, 5.0])
    return {
        ("2017-2018", "DEMO"): {"SEQN": two, "RIDAGEYR": np.array([40.0, 9.0])},
        ("2017-2018", "DIQ"): {"SEQN": two, "DIQ010": np.array([9.0, 3.0])},
        ("2017-2018", "CBC"): {"SEQN": [5.0], "LBXHGB": ["NA"], "LBXRBCSI": ["4.5"]},
        ("2017-2018", "DBQ"): {"SEQN": two, "DBD895": np.array([5555.0, 0.0])},
        ("2005-2006", "DEMO"): {"SEQN": np.array([1.0])},
        ("2005-2006", "BIOPRO"): {"SEQN": np.array([1.0]), "LBXSCR": np.array([1.0])},
    }


def test_codes_texts_and_conversions() -> None:
    found = read_people(Fake(small()), ["2017-2018"])
    assert found.seqn.tolist() == [5, 8]
    assert found["age_years"].tolist() == [9, 40]
    assert np.isnan(found["diabetes_told_code"][1]), "9 is don't know"
    assert found["diabetes_told_code"][0] == 3
    assert np.isnan(found["haemoglobin_g_dl"]).all(), "NA is missing"
    assert found["red_cells_million_ul"][0] == 4.5
    assert found["meals_out_per_week"].tolist() == [0, 22]


def test_creatinine_of_2005_is_set_to_the_standard() -> None:
    """-0.016 + 0.978 x 1.0, as the documentation of that file asks."""
    found = read_people(Fake(small()), ["2005-2006"])
    assert found["creatinine_mg_dl"][0] == pytest.approx(0.962)


def test_a_missing_table_is_unknown_and_noted() -> None:
    found = read_people(Fake(small()), ["2017-2018"])
    assert np.isnan(found["bmi_kg_m2"]).all()
    note = next(n for n in found.notes if n.table == "BMX")
    assert note.cycle == "2017-2018"
    assert "bmi_kg_m2" in note.measures
    lacking = next(n for n in found.notes if n.table == "DIQ")
    assert "insulin_code" in lacking.measures, "a column that the table lacks is noted too"


def test_no_people_no_answer() -> None:
    with pytest.raises(MissingDataError) as caught:
        read_people(Fake({}), ["2017-2018"])
    assert "prandial data get nhanes --cycle 2017-2018" in caught.value.hint


@pytest.mark.parametrize("cycles", [[], ["1917-1918"]])
def test_unknown_cycles(cycles: list[str]) -> None:
    with pytest.raises(InputError):
        read_people(Fake(small()), cycles)


def test_a_respondent_twice() -> None:
    twice = {("2017-2018", "DEMO"): {"SEQN": np.array([5.0, 5.0])}}
    with pytest.raises(SchemaError):
        read_people(Fake(twice), ["2017-2018"])


def test_text_among_numbers() -> None:
    tables = small()
    tables["2017-2018", "CBC"]["LBXHGB"] = ["high"]
    with pytest.raises(SchemaError, match="holds text"):
        read_people(Fake(tables), ["2017-2018"])


def test_double_release() -> None:
    demo = {
        ("2017-2018", "DEMO"): {"SEQN": np.array([5.0])},
        ("2017-2020", "DEMO"): {"SEQN": np.array([9.0])},
    }
    both = ["2017-2020", "2017-2018"]
    assert read_people(Fake(demo), both).cycle.tolist() == ["2017-2020"]
    kept = read_people(Fake(demo), both, keep_double_release=True)
    assert kept.cycle.tolist() == ["2017-2018", "2017-2020"]


def test_2017_as_its_description_counts(people_2017: PeopleTable) -> None:
    adult = people_2017["age_years"] >= 18
    bmi = people_2017["bmi_kg_m2"]
    assert len(people_2017) == 9254
    assert adult.sum() == 5856
    assert (adult & ~np.isnan(bmi)).sum() == 5434
    assert (adult & (bmi >= 30)).sum() == 2236
    assert (adult & (people_2017["diabetes_told_code"] == 1)).sum() == 878
    assert (people_2017["special_diet_code"] == 1).sum() == 905
    assert people_2017.notes == ()


def test_order_of_rows_changes_nothing(nhanes: PlainTables, people_2017: PeopleTable) -> None:
    other = read_people(Shuffled(nhanes), ["2017-2018"])
    assert (other.seqn == people_2017.seqn).all()
    for name, column in people_2017.values.items():
        assert np.array_equal(column, other[name], equal_nan=True), name
    a, b = people_2017.prescriptions, other.prescriptions
    assert a is not None
    assert b is not None
    assert a.drug == b.drug
    assert a.reasons == b.reasons
    assert np.array_equal(a.days, b.days, equal_nan=True)


def test_each_variable_has_a_unit_and_a_cycle() -> None:
    units = (
        "_code", "_count", "_years", "_cm", "_kg", "_kg_m2", "_mmhg", "_percent", "_mmol_l",
        "_mg_dl", "_mg_l", "_g_dl", "_million_ul", "_persons", "_ratio", "_g", "_per_week",
        "_per_30_days", "_per_day", "_per_drinking_day",
    )  # fmt: skip
    for row in read_rules("people_variables"):
        assert row["name"].endswith(units), row["name"]
        assert set(row["cycles"].split(";")) <= set(CYCLES)
        assert row["about"]


@pytest.mark.full
def test_each_raw_name_is_in_its_files(nhanes: PlainTables) -> None:
    for row in read_rules("people_variables"):
        for cycle in row["cycles"].split(";"):
            assert row["raw"] in nhanes.read(cycle, row["table"], ["SEQN"], [row["raw"]])


@pytest.mark.full
def test_all_cycles(everyone: PeopleTable, nhanes: PlainTables) -> None:
    assert len(everyone) == 95_872
    adults = {str(c): int((everyone["age_years"][everyone.cycle == c] >= 18).sum()) for c in CYCLES}
    assert list(adults.values()) == [5620, 5563, 6228, 6527, 5864, 6113, 5992, 5856, 9693]
    single = read_people(nhanes, CYCLES)
    assert len(single) == 95_872 - 9_254
