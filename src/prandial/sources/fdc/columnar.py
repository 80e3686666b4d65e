"""Foods as columns: the plain form that a retrieval table is made of.

One Parquet file: ``description``; where it comes from (``table``, ``release``, ``id``);
``carb_g`` (total, with fibre), ``protein_g``, ``fat_g``, ``energy_kcal``, ``fibre_g`` in 100 of
``basis`` (``g`` or ``ml``), null where unknown; ``data_type``, ``category``, ``brand``;
``carbohydrate`` (the definition of the source); ``flags``; ``portions``, a list of
``{name, grams}``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError
from prandial.sources.fdc.food import FdcFood

__all__ = ["COLUMNS", "food_columns", "write_food_columns"]

#: column -> SQL type
COLUMNS: Final[dict[str, str]] = {
    "description": "VARCHAR",
    "table": "VARCHAR",
    "release": "VARCHAR",
    "id": "VARCHAR",
    "data_type": "VARCHAR",
    "brand": "VARCHAR",
    "category": "VARCHAR",
    "basis": "VARCHAR",
    "carbohydrate": "VARCHAR",
    "carb_g": "DOUBLE",
    "protein_g": "DOUBLE",
    "fat_g": "DOUBLE",
    "energy_kcal": "DOUBLE",
    "fibre_g": "DOUBLE",
    "portions": 'STRUCT("name" VARCHAR, grams DOUBLE)[]',
    "flags": "VARCHAR[]",
}
_TABLE: Final = "fdc"
#: units of labels by their code (UN/ECE Recommendation 20) -> in words
_LABEL_UNITS: Final = {"oza": "fl oz", "onz": "oz", "grm": "g", "mlt": "ml", "ltr": "l"}
_ROW_GROUP: Final = 20_480


def _portions(food: FdcFood) -> list[dict[str, Any]]:
    """Return the measures of a food, its label's serving last; each name once."""
    found: dict[str, float] = {}
    for one in food.portions:
        found.setdefault(one.name, one.grams)
    label = food.serving
    if label is not None and label.grams is not None:
        told = " ".join(_LABEL_UNITS.get(w, w) for w in label.text.lower().split())
        found.setdefault(told or "1 serving", label.grams)
    return [{"name": name, "grams": grams} for name, grams in found.items() if name]


def food_columns(food: FdcFood) -> dict[str, Any]:
    """Return one food as a row of :data:`COLUMNS`.

    Carbohydrate of labels that leave fibre out is made total with the fibre they state, and is
    null where they state none.
    """
    known = food.nutrients
    return {
        "description": food.description,
        "table": _TABLE,
        "release": food.release,
        "id": str(food.fdc_id),
        "data_type": food.data_type,
        "brand": food.brand,
        "category": food.category,
        "basis": food.basis,
        "carbohydrate": food.carbohydrate,
        "carb_g": food.total_carb_g,
        "protein_g": known.get("protein_g"),
        "fat_g": known.get("fat_g"),
        "energy_kcal": known.get("energy_kcal"),
        "fibre_g": known.get("fiber_g"),
        "portions": _portions(food),
        "flags": list(food.flags),
    }


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def write_food_columns(foods: Iterable[FdcFood], path: Path | str) -> int:
    """Write foods as a Parquet file of :data:`COLUMNS`, in their order.

    Parameters
    ----------
    foods : iterable of FdcFood
        Taken one by one.
    path : Path or str
        Replaced when it is there.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    import duckdb

    target = Path(path)
    try:
        with tempfile.TemporaryDirectory(prefix="prandial-fdc-") as folder:
            lines = Path(folder) / "foods.jsonl"
            with lines.open("w", encoding="utf-8") as file:
                count = sum(1 for row in _told(foods) if file.write(row))
            _turn(lines, target)
    except (duckdb.Error, OSError) as error:
        raise InputError(
            "the Parquet file could not be written",
            where=str(target),
            hint=str(error).splitlines()[0],
        ) from error
    return count


def _turn(lines: Path, target: Path) -> None:
    import duckdb

    listed = ", ".join(f"{_literal(k)}: {_literal(v)}" for k, v in COLUMNS.items())
    with duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}) as con:
        con.execute(
            f"COPY (SELECT * FROM read_json({_literal(str(lines))},"  # noqa: S608
            f" format = 'newline_delimited', columns = {{{listed}}}))"
            f" TO {_literal(str(target))}"
            f" (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP})"
        )


def _told(foods: Iterable[FdcFood]) -> Iterator[str]:
    for food in foods:
        yield json.dumps(food_columns(food), ensure_ascii=False) + "\n"
