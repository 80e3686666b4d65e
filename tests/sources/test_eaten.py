"""Food records as they stand in the files: whole or slim, Parquet or transport, both days."""

from __future__ import annotations

import math
from pathlib import Path

import duckdb
import numpy as np
import pytest
from tests.sources.test_recalls import write_parquet
from tests.sources.xptfile import write_xpt

from prandial.errors import MissingDataError, SchemaError
from prandial.sources.nhanes.eaten import food_records

Row = dict[str, float | None]


def row(day: int, person: int, line: int, **more: float | None) -> Row:
    cells: Row = {
        "SEQN": float(person),
        f"DR{day}ILINE": float(line),
        f"DR{day}DRSTZ": 1.0,
        f"DR{day}_020": 27_000.0,
        f"DR{day}_030Z": 1.0,
        f"DR{day}IFDCD": 11111000.0,
        f"DR{day}IGRMS": 244.0,
        f"DR{day}IKCAL": 149.0,
        f"DR{day}IPROT": 7.69,
        f"DR{day}ICARB": 11.71,
        f"DR{day}ITFAT": 7.93,
    }
    return cells | {f"DR{day}{k}": v for k, v in more.items()}


def test_both_days_of_a_cycle(tmp_path: Path) -> None:
    folder = tmp_path / "2015-2016"
    one = [row(1, 7, 1), row(1, 7, 2, IGRMS=None, _020=None)]
    write_parquet(folder / "DR1IFF_I.slim.parquet", one)
    write_xpt(folder / "DR2IFF_I.XPT", [row(2, 8, 1, _030Z=6.0, ICARB=None)])
    (found,) = food_records(tmp_path)
    assert found.cycle == "2015-2016"
    assert found.person.tolist() == [7, 7, 8]
    assert found.day.tolist() == [1, 1, 2]
    assert found.line.tolist() == [1, 2, 1]
    np.testing.assert_array_equal(found.minute, [450, math.nan, 450])
    np.testing.assert_array_equal(found.grams, [244, math.nan, 244])
    np.testing.assert_array_equal(found.occasion, [1, 1, 6])
    np.testing.assert_allclose(found.stated["carb_g"], [11.71, 11.71, math.nan])
    assert set(found.stated) == {"carb_g", "protein_g", "fat_g", "energy_kcal"}


def test_a_file_in_the_folder_of_another_cycle(tmp_path: Path) -> None:
    """People are numbered on from cycle to cycle: 83732 is the first of 2015-2016."""
    write_parquet(tmp_path / "2017-2018" / "DR1IFF_J.parquet", [row(1, 83732, 1)])
    with pytest.raises(SchemaError, match="people of 2015-2016, in the folder of 2017-2018"):
        list(food_records(tmp_path))


def test_what_a_slim_file_lacks_is_unknown(tmp_path: Path) -> None:
    kept = ("SEQN", "DR1ILINE", "DR1_030Z", "DR1IFDCD", "DR1IGRMS")
    slim = [{n: v for n, v in row(1, 7, 1).items() if n in kept}]
    write_parquet(tmp_path / "2015-2016" / "DR1IFF_I.slim.parquet", slim)
    (found,) = food_records(tmp_path)
    for column in (found.minute, found.status, found.stated["carb_g"]):
        assert np.isnan(column).all()


@pytest.mark.parametrize("lacking", ["SEQN", "DR1ILINE", "DR1_030Z", "DR1IFDCD", "DR1IGRMS"])
def test_a_column_that_must_be_there(tmp_path: Path, lacking: str) -> None:
    cut = [{n: v for n, v in row(1, 7, 1).items() if n != lacking}]
    write_parquet(tmp_path / "2015-2016" / "DR1IFF_I.parquet", cut)
    with pytest.raises(SchemaError, match=f"lacks the column {lacking}") as caught:
        list(food_records(tmp_path))
    assert "DR1IFF_I.parquet" in caught.value.where


def test_a_record_of_nobody(tmp_path: Path) -> None:
    rows = [row(1, 7, 1), row(1, 7, 2) | {"SEQN": None}, row(1, 7, 3) | {"DR1ILINE": 3.5}]
    write_parquet(tmp_path / "2015-2016" / "DR1IFF_I.parquet", rows)
    with pytest.raises(SchemaError, match="1 records without a whole number in SEQN") as caught:
        list(food_records(tmp_path))
    assert "first in record 2" in caught.value.where


def test_a_damaged_file_and_an_absent_cycle(tmp_path: Path) -> None:
    (tmp_path / "2015-2016").mkdir()
    (tmp_path / "2015-2016" / "DR1IFF_I.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(SchemaError):
        list(food_records(tmp_path))
    with pytest.raises(MissingDataError, match="no food records of 2013-2014"):
        list(food_records(tmp_path, ["2013-2014"]))


def test_a_real_file(shared_dir: Path) -> None:
    """Day 2 of the pre-pandemic release: rows, people and grams as a plain query counts them."""
    nhanes = shared_dir / "data" / "nhanes"
    (found,) = food_records(nhanes, ["2017-2020"])
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        rows, people, grams, weighed = con.execute(
            "SELECT count(*), count(DISTINCT SEQN), sum(DR2IGRMS), count(DR2IGRMS)"
            f" FROM '{nhanes}/2017-2020/P_DR2IFF.slim.parquet'"
        ).fetchone() or (0, 0, 0.0, 0)
    assert (len(found), len(np.unique(found.person))) == (rows, people)
    assert np.nansum(found.grams) == pytest.approx(grams)
    assert int(np.isfinite(found.grams).sum()) == weighed
    assert found.day.tolist() == [2] * rows
    assert 0 <= np.nanmin(found.minute) <= np.nanmax(found.minute) < 1440
