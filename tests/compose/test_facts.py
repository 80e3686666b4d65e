"""Facts tables: the z filter and median by hand and by a slow version, names, servings, text."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from statistics import median

import duckdb
import pytest
from tests.compose.facts_at_hand import LABELS, labels, two_releases, write

from prandial.compose.facts import (
    FactsFile,
    build_facts,
    fact_sentences,
    fact_text,
    fdc_files,
    find_files,
)
from prandial.compose.facts.servings import USUAL, serving_words
from prandial.compose.index import build_index, open_index
from prandial.errors import InputError, MissingDataError, NotFoundError, SchemaError
from prandial.records.facts import FactsFood


def built(folder: Path, files: tuple[FactsFile, ...], **how: object) -> dict[str, tuple]:
    build_facts(files, folder / "out", **how)  # type: ignore[arg-type]
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT name, carb_g, values_all, values_kept, fdc_ids, measure_texts, measure_grams,"
            f" other_names, kind, sources FROM read_parquet('{folder}/out/facts.parquet')"
            " ORDER BY number"
        ).fetchall()
    return {r[0]: r[1:] for r in rows}


def foods_of(folder: Path, files: tuple[FactsFile, ...], form: str = "portions") -> list[FactsFood]:
    build_facts(files, folder / form, form=form)  # type: ignore[arg-type]
    build_index(folder / form)
    index = open_index(folder / form, verify=True)
    return [index[n] for n in range(len(index))]


@pytest.mark.parametrize(
    ("values", "ddof", "middle", "kept"),
    [
        # mean 20, sd 14.14: z of 40 is 1.41
        ((10, 10, 40), 0, 10, 2),
        # mean 21.5, sd 16.5: z of 50 is 1.73, the others' at most 0.70
        ((10, 12, 14, 50), 0, 12, 3),
        # mean 3, sd 1.41: z of 1 and 5 is 1.41
        ((1, 2, 3, 4, 5), 0, 3, 3),
        # two values: |z| is exactly 1, not above it
        ((3.1, 4.7), 0, 3.9, 2),
        ((0.1, 0.3), 0, 0.2, 2),
        # mean 22; sd 10.7 of the population: only 20 stays; 13.1 of the sample: 10 too
        ((10, 20, 36), 0, 20, 1),
        ((10, 20, 36), 1, 15, 2),
        # |z| of the sample is exactly 1 for both ends
        ((10, 20, 30), 1, 20, 3),
        ((7, 7, 7), 0, 7, 3),
        ((7,), 1, 7, 1),
    ],
)
def test_values_too_far_off_are_dropped_by_hand(
    tmp_path: Path, values: tuple[float, ...], ddof: int, middle: float, kept: int
) -> None:
    files = (labels(tmp_path, [("SNACK", v, "", "") for v in values]),)
    for form in ("published", "portions"):
        found = built(tmp_path, files, form=form, ddof=ddof)["SNACK"]
        assert found[0] == pytest.approx(middle, abs=1e-12)
        assert found[1:3] == (len(values), kept)


def slow_middle(values: list[Fraction], ddof: int) -> tuple[Fraction, int]:
    mean = sum(values) / len(values)
    squares = sum((v - mean) ** 2 for v in values)
    # |z| <= 1: (v - mean)^2 <= squares / (n - ddof)
    kept = [v for v in values if (v - mean) ** 2 * (len(values) - ddof) <= squares]
    return Fraction(median(kept)), len(kept)


def test_values_agree_with_a_slow_exact_version(tmp_path: Path) -> None:
    rng = random.Random(7)
    groups = {
        f"FOOD {n}": [
            Fraction(rng.randrange(0, 100_0000), 10_000) for _ in range(rng.randint(1, 9))
        ]
        for n in range(150)
    }
    groups |= {
        f"EVEN {n}": [Fraction(rng.randint(0, 5)) for _ in range(rng.randint(2, 6))]
        for n in range(150)
    }
    rows = [(name, float(v), "", "") for name, values in groups.items() for v in values]
    rng.shuffle(rows)
    for ddof in (0, 1):
        found = built(tmp_path, (labels(tmp_path, rows),), form="published", ddof=ddof)
        for name, values in groups.items():
            middle, kept = slow_middle(values, ddof)
            assert found[name][0] == pytest.approx(float(middle), abs=1e-9), name
            assert found[name][2] == kept, name


def test_published_form_pools_equal_descriptions_only(tmp_path: Path) -> None:
    found = built(tmp_path, two_releases(tmp_path), form="published")
    # the same spelling in two releases is one food: middle of 22.73 and 22.84
    assert found["Banana, raw"][0] == pytest.approx(22.785)
    assert found["Banana, raw"][3] == [2709224, 2344720]
    assert found["Banana, raw"][4] == ["1 banana"]
    # 12, 14, 50: mean 25.3, sd 17.5, z of 50 is 1.41; "Cereal" is another description
    assert found["CEREAL"][:3] == (13.0, 3, 2)
    assert found["Cereal"][:3] == (10.0, 1, 1)
    assert found["CEREAL"][4] == []
    assert {"Rice, brown, cooked, no added fat"} < set(found)
    assert "Rice, brown, cooked, fat not added in cooking" in found
    assert not any("KNOWN" in n.upper() or "TOLD" in n for n in found)


def test_our_form_joins_releases_and_keeps_labels_apart(tmp_path: Path) -> None:
    found = built(tmp_path, two_releases(tmp_path), form="portions")
    rice = found["Rice, brown, cooked, no added fat"]
    # the newest release's value, name and measures; the older name can be looked for
    assert rice[0] == 25.5
    assert rice[3] == [2708001, 2342001]
    assert rice[6] == "Rice, brown, cooked, fat not added in cooking; basmati"
    assert rice[4] == [USUAL, "1 cup, cooked"]
    assert found["Banana, raw"][0] == 22.73
    assert found["Banana, raw"][4:6] == (["1 banana", "1 cup, sliced"], [126.0, 150.0])
    assert found["BANANA, RAW"][0] == 30.0
    assert found["BANANA, RAW"][7] == "label"
    # 10, 12, 14, 50 whatever their case, as above
    assert found["CEREAL"][:3] == (12.0, 4, 3)
    # "3 pieces" are of the one with 50
    assert found["CEREAL"][4] == ["1/2 cup"]
    assert [r[7] for r in found.values()] == ["reference"] * 3 + ["label"] * 2


def test_servings_of_a_label_that_is_another_food_stay_out(tmp_path: Path) -> None:
    rows = [
        ("BROWN RICE", 77.0, "1/4 cup", 45.0),
        ("BROWN RICE", 78.0, "1/4 cup, dry", 45.0),
        ("Brown rice", 77.5, "1/3 cup", 60.0),
        # cooked: 34 g in its cup, where the name's value would tell 108 g
        ("BROWN RICE", 24.5, "1 cup", 140.0),
        # so little of it that the difference is less than a label is rounded to
        ("BROWN RICE", 40.0, "1 pinch", 2.0),
        # unknown is not near
        ("BROWN RICE", "", "1 tray", 300.0),
        # 21 CFR 101.9(g)(5): a food may be a fifth off its label
        ("BEANS", 20.0, "1 can", 200.0),
        ("BEANS", 20.0, "1 jar", 300.0),
        ("BEANS", 16.6, "1 bag", 400.0),
        ("BEANS", 16.7, "1 box", 400.0),
        ("BEANS", 24.9, "1 tin", 400.0),
        ("BEANS", 25.1, "1 tub", 400.0),
    ]
    found = built(tmp_path, (labels(tmp_path, rows),), form="portions")
    # 24.5 is dropped by z; the middle of 40, 77, 77.5 and 78
    assert found["BROWN RICE"][0] == 77.25
    assert found["BROWN RICE"][4] == ["1 pinch", "1/4 cup", "1/4 cup, dry", "1/3 cup"]
    assert found["BEANS"][0] == 20.0
    assert found["BEANS"][4] == ["1 can", "1 jar", "1 box", "1 tin"]


def test_measures_of_tons_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [("APPLE", 14.0, "1 apple", 182.0), ("PEAR", 15.0, "1 pear", 1e6)]
    card = build_facts((labels(tmp_path, rows),), tmp_path / "facts")
    assert card["counts"]["measures_too_heavy"] == 1
    assert card["counts"]["household_measures"] == 1


def test_a_file_of_fooddata_central_is_reference_foods_and_labels(tmp_path: Path) -> None:
    path = tmp_path / "fdc.parquet"
    portions = "[{'name': '1 cup', 'grams': 244.0}, {'name': '1 fl oz', 'grams': 30.5}]"
    bottle = "[{'name': '8 fl oz', 'grams': 240.0}]"
    with duckdb.connect() as con:
        con.execute(
            "COPY (SELECT * FROM (VALUES"
            f" ('Milk, whole', '171265', 'sr_legacy', 'Dairy', 4.8, 3.2, 3.3, 61.0, {portions}),"
            f" ('Milk, whole', '2705385', 'survey', 'Milk', 4.6, 3.3, 3.2, 61.0, {portions}),"
            f" ('MILK, WHOLE', '999', 'branded', 'Milk', 5.0, 3.3, 3.3, 60.0, {bottle}),"
            " ('ICE', '998', 'branded', '', NULL, NULL, NULL, NULL, []))"
            " t(description, id, data_type, category, carb_g, protein_g, fat_g, energy_kcal,"
            f" portions)) TO '{path}' (FORMAT parquet)"
        )
    found = built(tmp_path, fdc_files(path, release="2024-04"))
    # middle of 4.8 and 4.6, both at |z| = 1
    assert found["Milk, whole"][0] == 4.7
    assert found["Milk, whole"][3:6] == ([171265, 2705385], ["1 cup", "1 fl oz"], [244.0, 30.5])
    assert found["MILK, WHOLE"][3:6] == ([999], ["8 fl oz"], [240.0])
    assert len(found) == 2
    with pytest.raises(NotFoundError):
        fdc_files(tmp_path / "nowhere.parquet", release="2024-04")


def test_counts_stand_on_the_card(tmp_path: Path) -> None:
    files = two_releases(tmp_path)
    counts = build_facts(files, tmp_path / "out", form="published")["counts"]
    assert counts["rows"] == 12
    assert counts["rows_without_carbohydrate"] == 2
    assert counts["descriptions"] == counts["groups"] == 9
    assert counts["foods"] == 7
    assert counts["values_dropped"] == counts["foods_with_values_dropped"] == 1
    assert counts["with_household_measure"] == 3


def test_labels_filled_with_zeros_are_unknown(tmp_path: Path) -> None:
    """Energy without any macronutrient, unless a small serving may round each to 0."""
    file = labels(tmp_path, [])
    write(
        file.foods,
        LABELS,
        [
            ("FILLED", 0, 0, 0, 100, "Snacks", "1 bar", 40),
            ("FILLED, NO SERVING", 0, 0, 0, 100, "Snacks", "", ""),
            ("A PINCH", 0, 0, 0, 100, "Herbs", "1 tsp", 2),
            ("WATER", 0, 0, 0, 0, "Water", "1 cup", 240),
            ("PLAIN", 0, 10, 0, 40, "Meat", "1 oz", 28),
        ],
    )
    counts = build_facts((file,), tmp_path / "out")["counts"]
    assert counts["rows_without_carbohydrate"] == 2
    with duckdb.connect() as con:
        names = con.execute(f"SELECT name FROM read_parquet('{tmp_path}/out/facts.parquet')")
        assert {n for (n,) in names.fetchall()} == {"A PINCH", "WATER", "PLAIN"}


def test_same_files_same_bytes(tmp_path: Path) -> None:
    files = two_releases(tmp_path)
    one = build_facts(files, tmp_path / "one")
    two = build_facts(files, tmp_path / "two")
    assert one == two


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("8 OZA", "8 fl oz"),
        ("1 ONZ", "1 oz"),
        ("0.5 cup", "1/2 cup"),
        ("1.5 cup", "1 1/2 cup"),
        ("0.333 Bar", "1/3 bar"),
        ("1/4 cup", "1/4 cup"),
        ("1.0 CUP | ABOUT", "1 cup"),
        ("PER 1 CUP", "1 cup"),
        ("2oz (56g)", "2 oz"),
        ("1 piece (40g)", "1 piece"),
        ("3 PIECES", "3 pieces"),
        ("1 cup, NFS", "1 cup"),
        ("1 fl oz (NFS)", "1 fl oz"),
        ("0.031 CAKE", "0.031 cake"),
        ("35 GRM", ""),
        ("17 grams", ""),
        ("250 MLT", ""),
        ("Amount per serving", ""),
        ("Guideline amount per slice of bread", ""),
        ("Quantity not specified", USUAL),
        ("", ""),
    ],
)
def test_servings_in_words(raw: str, said: str) -> None:
    assert serving_words(raw) == said


def test_sentences_name_the_servings_that_are_asked_for_first(tmp_path: Path) -> None:
    foods = {f.name: f for f in foods_of(tmp_path, two_releases(tmp_path))}
    banana = foods["Banana, raw"]
    assert fact_sentences(banana, "carb_g") == (
        "1 banana (126 g) has 28.6 g carbohydrates",
        "1 cup, sliced (150 g) has 34.1 g carbohydrates",
        "100 g has 22.7 g carbohydrates",
    )
    first = fact_sentences(banana, "carb_g", said="two bananas", servings=1)[0]
    assert first.startswith("1 banana")
    # the food's own name does not name the measure "1 banana"
    first = fact_sentences(banana, "carb_g", said="two cups of bananas", servings=1)[0]
    assert first == "1 cup, sliced (150 g) has 34.1 g carbohydrates"
    assert fact_sentences(foods["Lemonade"], "carb_g")[0] == (
        "1 cup of 8 fl oz (248 g) has 24.8 g carbohydrates"
    )
    assert fact_text(foods["CEREAL"], "carb_g", servings=1) == (
        "CEREAL (middle of 3 labels): 1/2 cup (30 g) has 3.6 g carbohydrates;"
        " 100 g has 12 g carbohydrates"
    )
    assert fact_text(banana, "sodium_mg") is None


def test_published_sentences_have_bare_servings(tmp_path: Path) -> None:
    foods = {f.name: f for f in foods_of(tmp_path, two_releases(tmp_path), "published")}
    assert fact_sentences(foods["Banana, raw"], "carb_g", form="published") == (
        "1 banana has 28.7 g carbohydrates",
        "100 g has 22.8 g carbohydrates",
    )
    assert fact_sentences(foods["CEREAL"], "carb_g", form="published") == (
        "100 g has 13 g carbohydrates",
    )


def test_faults_name_file_and_next_step(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        find_files(tmp_path / "nowhere")
    with pytest.raises(MissingDataError, match="sr28_foods"):
        find_files(tmp_path)
    (tmp_path / "sr28_foods.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingDataError, match=r"sr28_portions\.parquet is missing"):
        find_files(tmp_path)
    (tmp_path / "sr28_portions.parquet").write_bytes(b"PAR1")
    with pytest.raises(SchemaError, match=r"sr28_foods\.parquet"):
        build_facts(find_files(tmp_path), tmp_path / "out")
    with pytest.raises(InputError):
        build_facts((), tmp_path / "out")
    with pytest.raises(InputError):
        build_facts(two_releases(tmp_path), tmp_path / "out", form="ours")  # type: ignore[arg-type]
    broken = labels(tmp_path, [])
    broken.foods.write_text("name,carbs\nA,1\n", encoding="utf-8")
    with pytest.raises(SchemaError, match=r"labels\.csv"):
        build_facts((broken,), tmp_path / "out")


def test_known_files_have_the_rows_of_their_table(shared_dir: Path) -> None:
    for file in find_files(shared_dir / "data" / "foods"):
        with duckdb.connect() as con:
            rows = con.execute(f"SELECT count(*) FROM read_parquet('{file.foods}')").fetchone()
        assert rows == (file.rows,), file.name


def test_reference_tables_as_at_hand(tmp_path: Path, shared_dir: Path) -> None:
    """Foundation Foods and SR28: 13,048 foods with natural servings in the paper's table."""
    names = {"fndds_2019_2020", "foundation_2024_10", "sr28"}
    known = find_files(shared_dir / "data" / "foods")
    files = [f for f in known if f.name in names]
    counts = build_facts(files, tmp_path / "out", form="published")["counts"]
    assert counts["rows"] == 5624 + 316 + 8789
    assert 13_000 < counts["with_household_measure"] < 14_200
    with duckdb.connect() as con:
        found = con.execute(
            "SELECT carb_g, measure_texts, measure_grams FROM"
            f" read_parquet('{tmp_path}/out/facts.parquet') WHERE name = 'Butter, salted'"
        ).fetchone()
    assert found == (0.06, ['1 pat (1" sq, 1/3" high)'], [5.0])
