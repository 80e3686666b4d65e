"""UVA/Padova parameters: two files of simglucose, found without importing it."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.glucose.uva_made import published_patients, write_patients

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.glucose.uva import load_uva_patients, parameters


def edited(folder, file, old, new, count=1):
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, count))
    return folder


def test_a_folder_of_ones_own(tmp_path):
    patients = load_uva_patients(write_patients(tmp_path))
    assert patients.names == ("average", "slow", "small")
    assert patients.cr_g_per_u.tolist() == [10, 15, 25]
    assert patients.body_weight_kg.tolist() == [78, 78, 30]
    assert patients.own_glucose_mg_dl == pytest.approx(140)
    # pmol/kg/min times kg over 6000 pmol a unit
    assert patients.basal_u_per_min == pytest.approx(patients["u2ss"] * [78, 78, 30] / 6000)
    assert load_uva_patients(str(tmp_path)).names == patients.names


def test_rows_are_matched_by_name_not_by_place(tmp_path):
    write_patients(tmp_path)
    lines = (tmp_path / "Quest.csv").read_text().splitlines()
    (tmp_path / "Quest.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]))
    assert load_uva_patients(tmp_path).cr_g_per_u.tolist() == [10, 15, 25]


def test_take_and_name(tmp_path):
    patients = load_uva_patients(write_patients(tmp_path))
    some = patients.named(["small", "average", "small"])
    assert some.names == ("small", "average", "small")
    people, place = some.distinct()
    assert len(people) == 2
    assert people.take(place).names == some.names
    with pytest.raises(NotFoundError) as raised:
        patients.named(["nobody"])
    assert "slow" in raised.value.hint


def test_absent_simglucose_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(parameters, "find_spec", lambda name: None)
    with pytest.raises(MissingDataError) as raised:
        load_uva_patients()
    assert "pip install --no-deps simglucose==0.2.11" in raised.value.hint


@pytest.mark.parametrize("file", ["vpatient_params.csv", "Quest.csv"])
def test_absent_file_is_named(tmp_path, file):
    (write_patients(tmp_path) / file).unlink()
    with pytest.raises(MissingDataError) as raised:
        load_uva_patients(tmp_path)
    assert file in str(raised.value)


@pytest.mark.parametrize(("file", "old", "new", "words"), [
    ("vpatient_params.csv", "kabs", "kabz", ["'kabs'", "vpatient_params.csv"]),
    ("Quest.csv", "Name,CR,CF", "Name,CIR,ISF", ["'CR', 'CF'", "Quest.csv"]),
    ("Quest.csv", "slow", "fast", ["no row for patient 'slow'"]),
    ("Quest.csv", "slow", "average", ["'average' is listed twice", "line 3"]),
    ("Quest.csv", "slow", "", ["without a name"]),
    ("Quest.csv", "15.0", "many", ["'many' is no number", "'slow'", "'CR'"]),
    ("Quest.csv", "15.0", "", ["is no number", "'slow'"]),
    ("Quest.csv", "15.0", "nan", ["outside 1 to 150 g/U"]),
    ("Quest.csv", "15.0", "0.07", ["0.07 is outside 1 to 150 g/U", "'slow'"]),
    ("vpatient_params.csv", "average,78.0", "average,-78.0", ["body weight", "5 to 300 kg"]),
])  # fmt: skip
def test_bad_files_name_row_and_column(tmp_path, file, old, new, words):
    with pytest.raises(SchemaError) as raised:
        load_uva_patients(edited(write_patients(tmp_path), file, old, new))
    for word in words:
        assert word in str(raised.value)


def test_files_without_text_or_rows(tmp_path):
    write_patients(tmp_path)
    (tmp_path / "Quest.csv").write_bytes(b"\xff\xfe\x00Name")
    with pytest.raises(SchemaError, match="cannot be read"):
        load_uva_patients(tmp_path)
    (tmp_path / "vpatient_params.csv").write_text(
        (tmp_path / "vpatient_params.csv").read_text().splitlines()[0]
    )
    with pytest.raises(SchemaError, match="no patients"):
        load_uva_patients(tmp_path)


def test_the_installed_files_are_read_without_importing():
    published = published_patients()
    assert "simglucose" not in sys.modules
    assert len(published) == len(set(published.names)) == 30
    kinds = [name.split("#")[0] for name in published.names]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "adolescent": 10,
        "adult": 10,
        "child": 10,
    }
    assert np.isfinite(published.basal_u_per_min).all()
