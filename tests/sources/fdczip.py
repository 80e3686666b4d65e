"""Small downloads of FoodData Central, made by hand in the layout of the official ones.

Columns as in the downloads of 2024 and 2026; every cell quoted, quotation marks doubled. Foods
and amounts are USDA's (public domain) unless a test changes them.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HEADINGS = {
    "food.csv": "fdc_id data_type description food_category_id publication_date",
    "nutrient.csv": "id name unit_name nutrient_nbr rank",
    "food_nutrient.csv": (
        "id fdc_id nutrient_id amount data_points derivation_id min max median loq footnote"
        " min_year_acquired percent_daily_value"
    ),
    "food_portion.csv": (
        "id fdc_id seq_num amount measure_unit_id portion_description modifier gram_weight"
        " data_points footnote min_year_acquired"
    ),
    "measure_unit.csv": "id name",
    "food_category.csv": "id code description",
    "foundation_food.csv": "fdc_id NDB_number footnote",
    "sr_legacy_food.csv": "fdc_id NDB_number",
    "survey_fndds_food.csv": "fdc_id food_code wweia_category_number start_date end_date",
    "wweia_food_category.csv": "wweia_food_category wweia_food_category_description",
    "branded_food.csv": (
        "fdc_id brand_owner brand_name subbrand_name gtin_upc ingredients"
        " not_a_significant_source_of serving_size serving_size_unit household_serving_fulltext"
        " branded_food_category data_source package_weight modified_date available_date"
        " market_country discontinued_date preparation_state_code trade_channel"
        " short_description material_code"
    ),
}
NUTRIENTS = [
    (1003, "Protein", "G", "203"),
    (1004, "Total lipid (fat)", "G", "204"),
    (1005, "Carbohydrate, by difference", "G", "205"),
    (1007, "Ash", "G", "207"),
    (1008, "Energy", "KCAL", "208"),
    (1018, "Alcohol, ethyl", "G", "221"),
    (1050, "Carbohydrate, by summation", "G", "205.2"),
    (1051, "Water", "G", "255"),
    (1062, "Energy", "kJ", "268"),
    (1079, "Fiber, total dietary", "G", "291"),
    (1085, "Total fat (NLEA)", "G", "298"),
    (1093, "Sodium, Na", "MG", "307"),
    (1103, "Selenium, Se", "UG", "317"),
    (1104, "Vitamin A, IU", "IU", "318"),
    (1106, "Vitamin A, RAE", "UG", "320"),
    (1110, "Vitamin D (D2 + D3), International Units", "IU", "324"),
    (1114, "Vitamin D (D2 + D3)", "UG", "328"),
    (1269, "PUFA 18:2", "G", "618"),
    (2000, "Total Sugars", "G", "269"),
    (2047, "Energy (Atwater General Factors)", "KCAL", "957"),
    (2048, "Energy (Atwater Specific Factors)", "KCAL", "958"),
]
UNITS = [(1000, "cup"), (1001, "tablespoon"), (9999, "undetermined")]


def cells(row: Sequence[Any], delimiter: str = ",") -> str:
    return delimiter.join('"' + str(c).replace('"', '""') + '"' for c in row)


def table(name: str, rows: Sequence[Sequence[Any]], delimiter: str = ",") -> bytes:
    """Return a table; short rows are filled up with empty cells."""
    heading = HEADINGS[name].split()
    full = [heading, *([*r, *[""] * (len(heading) - len(r))] for r in rows)]
    return ("\n".join(cells(r, delimiter) for r in full) + "\n").encode()


def amounts(foods: Mapping[int, Mapping[int | str, Any]]) -> list[tuple[Any, ...]]:
    """Return rows of food_nutrient.csv: fdc_id -> nutrient id -> amount."""
    rows: list[tuple[Any, ...]] = []
    for food, values in foods.items():
        rows += [(900_000 + len(rows) + i, food, n, v) for i, (n, v) in enumerate(values.items())]
    return rows


def pack(
    members: Mapping[str, bytes], folder: str = "FoodData_Central_test_csv_2024-10-31"
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            # of one day, for the same bytes whenever it is packed
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name)
            archive.writestr(entry, body, compress_type=zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tables(
    foods: Sequence[Sequence[Any]],
    nutrients: Mapping[int, Mapping[int | str, Any]],
    *,
    portions: Sequence[Sequence[Any]] = (),
    labels: Sequence[Sequence[Any]] = (),
    **more: bytes,
) -> dict[str, bytes]:
    """Return the members of a CSV download."""
    named = [(*n, i) for i, n in enumerate(NUTRIENTS)]
    out = {
        "food.csv": table("food.csv", foods),
        "nutrient.csv": table("nutrient.csv", named),
        "food_nutrient.csv": table("food_nutrient.csv", amounts(nutrients)),
        "measure_unit.csv": table("measure_unit.csv", UNITS),
        "food_portion.csv": table("food_portion.csv", portions),
        "food_category.csv": table(
            "food_category.csv",
            [(9, "0900", "Fruits and Fruit Juices"), (16, "1600", "Legumes and Legume Products")],
        ),
        "foundation_food.csv": table("foundation_food.csv", [(321358, 16158, "")]),
        "sr_legacy_food.csv": table("sr_legacy_food.csv", [(171688, 9003)]),
    }
    if labels:
        out["branded_food.csv"] = table("branded_food.csv", labels)
    return out | more


def label(
    fdc_id: int,
    *,
    size: Any = "",
    unit: str = "",
    text: str = "",
    category: str = "Snacks",
    country: str = "United States",
    owner: str = "Example Foods",
    brand: str = "",
    gtin: str = "00000000000017",
) -> tuple[Any, ...]:
    """Return a row of branded_food.csv."""
    start = (fdc_id, owner, brand, "", gtin, "WATER", "", size, unit, text, category)
    return (*start, "LI", "", "2024-01-02", "2024-01-03", country)


def listed(key: str, foods: Sequence[Any], folder: str = "") -> bytes:
    """Return a JSON download."""
    body = json.dumps({key: list(foods)}, ensure_ascii=False).encode()
    return pack({"brandedDownload.json": body}, folder)


def put(path: Path, body: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return path
