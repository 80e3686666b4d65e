"""Small tables of foods, made up, in the columns of the compiled USDA files."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from prandial.compose.facts import FactsFile

LABELS = "description,carbohydrate_g,protein_g,total_fat_g,energy_kcal,cat,serving,grams"
SURVEY = "code,fdc,description,more,carbohydrate_g,protein_g,total_fat_g,energy_kcal"
PORTIONS = "code,seq,description,grams"


def write(path: Path, header: str, rows: Sequence[Sequence[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header.split(","))
        writer.writerows(rows)
    return path


def labels(folder: Path, rows: Sequence[Sequence[object]]) -> FactsFile:
    """Rows of name, carbohydrate, serving, grams."""
    full = [(n, c, 1, 2, 100, "Snacks", s, g) for n, c, s, g in rows]
    return FactsFile(
        name="labels",
        table="branded",
        release="test",
        kind="label",
        rank=6,
        foods=write(folder / "labels.csv", LABELS, full),
        category="cat",
        serving_text="serving",
        serving_grams="grams",
    )


def survey(
    folder: Path,
    release: str,
    rank: int,
    foods: Sequence[Sequence[object]],
    portions: Sequence[Sequence[object]],
) -> FactsFile:
    """Rows of code, fdc id, name, other names, carbohydrate; and of code, seq, words, grams."""
    full = [(*f, 1, 2, 100) for f in foods]
    return FactsFile(
        name=f"survey_{release}",
        table="fndds",
        release=release,
        kind="reference",
        rank=rank,
        foods=write(folder / f"foods_{release}.csv", SURVEY, full),
        food_id="code",
        fdc_id="fdc",
        other_names="more",
        portions=write(folder / f"portions_{release}.csv", PORTIONS, portions),
        portion_food="code",
        portion_form="said",
    )


def two_releases(folder: Path) -> tuple[FactsFile, ...]:
    """A survey food that was renamed, a label of the same name, and labels that differ."""
    new = survey(
        folder,
        "2021-2023",
        1,
        [
            ("56205101", 2708001, "Rice, brown, cooked, no added fat", "basmati", 25.5),
            ("63107010", 2709224, "Banana, raw", "", 22.73),
            ("92205000", 2710001, "Lemonade", "", 10.0),
            ("99999999", 2710002, "Water, of no known carbohydrate", "", ""),
        ],
        [
            ("56205101", 1, "1 cup, cooked", 196),
            ("56205101", 2, "Quantity not specified", 196),
            ("63107010", 1, "1 banana", 126),
            ("63107010", 2, "1 cup, sliced", 150),
            ("63107010", 3, "Guideline amount per cereal", 40),
            ("92205000", 1, "1 fl oz (no ice)", 31),
        ],
    )
    old = survey(
        folder,
        "2019-2020",
        2,
        [
            ("56205101", 2342001, "Rice, brown, cooked, fat not added in cooking", "", 24.0),
            ("63107010", 2344720, "Banana, raw", "", 22.84),
        ],
        [("63107010", 1, "1 banana, old", 120)],
    )
    own = labels(
        folder,
        [
            ("BANANA, RAW", 30.0, "1 ONZ", 28),
            ("Cereal", 10, "0.5 cup", 30),
            ("CEREAL", 12, "0.5 cup", 30),
            ("CEREAL", 14, "30 GRM", 30),
            ("CEREAL", 50, "3 PIECES", 45),
            ("GUM, OF NO CARBOHYDRATE TOLD", "", "1 STICK", 3),
        ],
    )
    return new, old, own
