"""Recall means: against plain arithmetic, shuffled rows, XPT, and the published food tags."""

from __future__ import annotations

import csv
import math
import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest
from tests.sources.xptfile import write_xpt

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.records import FoodMeans
from prandial.sources.nhanes.recalls import recall_files, recall_means
from prandial.tables.rules import NUTRIENT_ORDER
from prandial.tags import food_tags

Row = dict[str, float | None]


def write_parquet(path: Path, rows: list[Row]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    names = list(rows[0])
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (" + ", ".join(f"{n} DOUBLE" for n in names) + ")")
        marks = ", ".join("?" for _ in names)
        con.executemany(f"INSERT INTO t VALUES ({marks})", [[r[n] for n in names] for r in rows])
        con.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return path


def records(day: int, n: int = 200, *, vitamin_d: bool = True) -> list[Row]:
    draw = random.Random(day)
    out = []
    for _ in range(n):
        row: Row = {
            f"DR{day}IFDCD": draw.choice([11100000.0, 58100000.0, 92000000.0]),
            f"DR{day}IGRMS": draw.choice([None, 0.0, *(round(draw.uniform(1, 900), 2),) * 6]),
            f"DR{day}ICARB": draw.choice([None, *(round(draw.uniform(0, 300), 2),) * 6]),
            f"DR{day}ISODI": float(draw.randrange(3000)),
        }
        if vitamin_d:
            row[f"DR{day}IVD"] = round(draw.uniform(0, 20), 1)
        out.append(row)
    return out


def by_hand(rows: list[tuple[int, Row]], code: float, ending: str) -> float:
    """Mean of nutrient / grams * 100 over records that state both, in exact fractions."""
    ratios = [
        Fraction(r[f"DR{d}I{ending}"]) / Fraction(r[f"DR{d}IGRMS"]) * 100  # type: ignore[arg-type]
        for d, r in rows
        if r[f"DR{d}IFDCD"] == code and r[f"DR{d}IGRMS"] and r.get(f"DR{d}I{ending}") is not None
    ]
    return float(sum(ratios) / len(ratios)) if ratios else math.nan


def test_means_against_exact_fractions(tmp_path: Path) -> None:
    one, two = records(1, vitamin_d=False), records(2)
    write_parquet(tmp_path / "2003-2004" / "DR1IFF_C.slim.parquet", one)
    write_parquet(tmp_path / "2017-2020" / "P_DR2IFF.slim.parquet", two)
    means = recall_means(tmp_path)
    both = [(1, r) for r in one] + [(2, r) for r in two]
    assert means.code.tolist() == [11100000, 58100000, 92000000]
    for row, code in enumerate(means.code.tolist()):
        with_grams = sum(r[f"DR{d}IFDCD"] == code and bool(r[f"DR{d}IGRMS"]) for d, r in both)
        assert means.records[row] == with_grams
        for nutrient, ending in (("carb", "CARB"), ("sodium", "SODI"), ("vitamin_d", "VD")):
            expected = by_hand(both, code, ending)
            assert means.per_100g[nutrient][row] == pytest.approx(expected, abs=1e-6)
        assert math.isnan(means.per_100g["iron"][row])
    assert tuple(means.per_100g) == NUTRIENT_ORDER


def test_a_code_without_a_weighed_record_is_kept_and_unknown(tmp_path: Path) -> None:
    row: Row = {"DR1IFDCD": 11000000.0, "DR1IGRMS": None, "DR1ISODI": 5.0}
    write_parquet(tmp_path / "2003-2004" / "DR1IFF_C.parquet", [row])
    means = recall_means(tmp_path)
    assert (means.code.tolist(), means.records.tolist()) == ([11000000], [0])
    assert math.isnan(means.per_100g["sodium"][0])


def test_a_mean_on_a_threshold_stays_on_it(tmp_path: Path) -> None:
    """0.36 mcg in every 100 g, whatever the weight: low in no float's last bit."""
    rows: list[Row] = [
        {"DR1IFDCD": 1.0, "DR1IGRMS": g, "DR1IVB12": round(g * 0.0036, 6)}
        for g in (25.0, 50.0, 75.0, 125.0, 175.0, 350.0)
    ]
    write_parquet(tmp_path / "2003-2004" / "DR1IFF_C.parquet", rows)
    means = recall_means(tmp_path)
    assert means.per_100g["vitamin_b12"].tolist() == [0.36]
    assert food_tags(means.per_100g).high["vitamin_b12"].tolist() == [0]


def same(one: FoodMeans, other: FoodMeans) -> bool:
    return (
        one.code.tobytes() == other.code.tobytes()
        and one.records.tobytes() == other.records.tobytes()
        and all(v.tobytes() == other.per_100g[n].tobytes() for n, v in one.per_100g.items())
    )


def test_shuffled_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = records(1, 500)
    write_parquet(tmp_path / "a" / "2003-2004" / "DR1IFF_C.parquet", rows)
    random.Random(3).shuffle(rows)
    write_parquet(tmp_path / "b" / "2003-2004" / "DR1IFF_C.parquet", rows)
    assert same(recall_means(tmp_path / "a"), recall_means(tmp_path / "b"))


def test_xpt_gives_the_same_as_parquet(tmp_path: Path) -> None:
    rows = records(2)
    write_parquet(tmp_path / "a" / "2003-2004" / "DR2IFF_C.parquet", rows)
    write_xpt(tmp_path / "b" / "2003-2004" / "DR2IFF_C.XPT", rows)
    assert same(recall_means(tmp_path / "a"), recall_means(tmp_path / "b"))


def test_another_reader_can_be_passed_in(tmp_path: Path) -> None:
    path = tmp_path / "2003-2004" / "DR1IFF_C.xpt"
    path.parent.mkdir()
    path.touch()

    def read(path: Path, names: object) -> Mapping[str, np.ndarray]:
        return {
            "DR1IFDCD": np.array([7.0, 7.0]),
            "DR1IGRMS": np.array([50.0, np.nan]),
            "DR1ICARB": np.array([5.0, 9.0]),
        }

    means = recall_means(tmp_path, read=read)
    assert means.records.tolist() == [1]
    assert means.per_100g["carb"].tolist() == [10.0]


def test_the_whole_file_is_read_rather_than_the_slim_one(tmp_path: Path) -> None:
    for name in ("DR1IFF_C.slim.parquet", "DR1IFF_C.parquet", "DR1IFF_C.XPT", "DR1TOT_C.parquet"):
        (tmp_path / "2003-2004").mkdir(exist_ok=True)
        (tmp_path / "2003-2004" / name).touch()
    files = recall_files(tmp_path)
    assert [(f.cycle, f.day, f.path.name) for f in files] == [("2003-2004", 1, "DR1IFF_C.parquet")]


def test_what_is_absent_or_damaged_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        recall_means(tmp_path / "nowhere")
    with pytest.raises(MissingDataError):
        recall_means(tmp_path)
    write_parquet(tmp_path / "2003-2004" / "DR1IFF_C.parquet", records(1))
    with pytest.raises(MissingDataError) as caught:
        recall_means(tmp_path, ["2003-2004", "2005-2006"])
    assert "2005-2006" in caught.value.hint
    bad = tmp_path / "2005-2006" / "DR1IFF_D.parquet"
    bad.parent.mkdir()
    bad.write_bytes(b"<html>not found</html>")
    with pytest.raises(SchemaError) as damaged:
        recall_means(tmp_path)
    assert "DR1IFF_D" in damaged.value.where
    bad.unlink()
    bad.with_suffix(".XPT").write_bytes(b"<html>not found</html>")
    with pytest.raises(SchemaError):
        recall_means(tmp_path)
    bad.with_suffix(".XPT").unlink()
    write_parquet(bad, [{"SEQN": 1.0}])
    with pytest.raises(SchemaError) as lacking:
        recall_means(tmp_path)
    assert "DR1IFDCD" in lacking.value.what


def test_a_file_without_records_is_not_found(tmp_path: Path) -> None:
    row: Row = {"DR1IFDCD": None, "DR1IGRMS": 1.0}
    write_parquet(tmp_path / "2003-2004" / "DR1IFF_C.parquet", [row])
    with pytest.raises(NotFoundError):
        recall_means(tmp_path)


@pytest.fixture(scope="module")
def all_cycles(shared_dir: Path) -> FoodMeans:
    return recall_means(shared_dir / "data" / "nhanes")


#: code -> tags by which ours differ from the published ones, each on a threshold
ON_A_THRESHOLD = {
    27445250: {"low_protein"},  # 9.83 g here, threshold 10
    58105100: {"low_protein", "high_saturated_fat"},  # 9.66 g of 10; 4.97 g of 5
}


def test_counts_of_the_records_at_hand(all_cycles: FoodMeans) -> None:
    """9,589 codes in 2,138,717 rows, of which 13,985 state no grams (data README, CDC files)."""
    assert len(all_cycles) == 9589
    assert int(all_cycles.records.sum()) == 2_138_717 - 13_985


def test_published_food_tags(all_cycles: FoodMeans, shared_dir: Path) -> None:
    """Of the 17 published foods in the records at hand, 15 have exactly the published tags."""
    held = food_tags(all_cycles.per_100g, rules="as-published").holding()
    row_of = {code: row for row, code in enumerate(all_cycles.code.tolist())}
    with (shared_dir / "data" / "ngqa" / "food_tags_oracle.csv").open(encoding="utf-8") as file:
        oracle = [(r["food_code"], set(r["tags"].split())) for r in csv.DictReader(file)]
    seen = {int(c): tags for c, tags in oracle if c and int(c) in row_of}
    assert len(seen) == 17
    published = {"carb", "sugar", "sodium", "calorie", "protein", "cholesterol", "saturated_fat"}
    differ = {}
    for code, tags in seen.items():
        ours = {t for t in held[row_of[code]] if t.split("_", 1)[1] in published}
        if ours != tags:
            differ[code] = ours ^ tags
    assert differ == ON_A_THRESHOLD


def test_the_differing_foods_lie_near_the_threshold(all_cycles: FoodMeans) -> None:
    row_of = {code: row for row, code in enumerate(all_cycles.code.tolist())}
    protein, fat = all_cycles.per_100g["protein"], all_cycles.per_100g["saturated_fat"]
    assert protein[row_of[27445250]] == pytest.approx(10, abs=0.2)
    assert protein[row_of[58105100]] == pytest.approx(10, abs=0.4)
    assert fat[row_of[58105100]] == pytest.approx(5, abs=0.03)


def test_they_differ_because_recipes_changed(shared_dir: Path) -> None:
    """Since 2011 the pupusa, and since 2013 the almond chicken, is on the published side."""
    means = recall_means(shared_dir / "data" / "nhanes", ["2013-2014", "2017-2018"])
    held = food_tags(means.per_100g, rules="as-published").holding()
    row_of = {code: row for row, code in enumerate(means.code.tolist())}
    assert "low_protein" not in held[row_of[27445250]]
    assert {"high_saturated_fat", "high_calorie"} <= set(held[row_of[58105100]])
    assert "low_protein" not in held[row_of[58105100]]


def test_the_published_cake_without_a_code(all_cycles: FoodMeans) -> None:
    """Cake, sweetpotato, with icing, is 53118350 in DRXFCD."""
    row = all_cycles.code.tolist().index(53118350)
    held = food_tags(all_cycles.per_100g, rules="as-published").holding()[row]
    assert held[:6] == (
        "low_carb",
        "high_sugar",
        "high_sodium",
        "high_calorie",
        "low_protein",
        "high_cholesterol",
    )
    assert "saturated_fat" not in {t.split("_", 1)[1] for t in held}
