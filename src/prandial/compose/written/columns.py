"""The row of a described meal: its columns, and the way there and back.

The columns are named as in published NutriBench files where those have them, so that a build is
read by whatever reads those. Lists run over the items, in the order of the records; unknown is
null.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, cast, get_args

from prandial.errors import InputError, SchemaError
from prandial.records.composed import (
    DescribedMeal,
    EatenItem,
    EatenMeal,
    HouseholdServing,
    ServingRule,
    ServingType,
)
from prandial.records.meals import Source

__all__ = ["COLUMNS", "LABELS", "LISTS", "meal_group", "meal_of", "row_of"]

LABELS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal")
#: column -> type in SQL
COLUMNS: Final[dict[str, str]] = {
    "id": "VARCHAR",
    "meal_id": "VARCHAR",
    "meal_group": "VARCHAR",
    "survey": "VARCHAR",
    "cycle": "VARCHAR",
    "country": "VARCHAR",
    "person": "VARCHAR",
    "day": "BIGINT",
    "occasion": "VARCHAR",
    "minute": "BIGINT",
    "serving_type": "VARCHAR",
    "meal_description": "VARCHAR",
    **dict.fromkeys(LABELS, "DOUBLE"),
    "n_items": "BIGINT",
    "item_descriptions": "VARCHAR[]",
    "item_grams": "DOUBLE[]",
    **{f"item_{label}": "DOUBLE[]" for label in LABELS},
    "item_tables": "VARCHAR[]",
    "item_releases": "VARCHAR[]",
    "item_ids": "VARCHAR[]",
    "item_lines": "BIGINT[]",
    "item_recorded": "VARCHAR[]",
    "item_said_names": "VARCHAR[]",
    "item_said_amounts": "VARCHAR[]",
    "item_servings": "VARCHAR[]",
    "item_measures": "VARCHAR[]",
    "item_times": "DOUBLE[]",
    "item_serving_grams": "DOUBLE[]",
    "item_serving_rules": "VARCHAR[]",
    "item_serving_sources": "VARCHAR[]",
    "variants": "VARCHAR[]",
    "described_by": "VARCHAR",
    "seed": "BIGINT",
}
LISTS: Final = frozenset(name for name, kind in COLUMNS.items() if kind.endswith("[]"))
_SERVINGS: Final = get_args(ServingType)
_RULES: Final = get_args(ServingRule)
#: what no file can hold: halves of characters, and NUL
_UNWRITABLE: Final = re.compile("[\ud800-\udfff\x00]")

_OF_ITEM: Final = (
    "item_descriptions",
    "item_grams",
    "item_tables",
    "item_releases",
    "item_ids",
    "item_lines",
    "item_recorded",
)
_OF_SERVING: Final = (
    "item_servings",
    "item_measures",
    "item_times",
    "item_serving_grams",
    "item_serving_rules",
    "item_serving_sources",
)
_NO_SERVING: Final = (None,) * len(_OF_SERVING)


def _item_cells(item: EatenItem) -> tuple[object, ...]:
    food = item.food
    return (item.name, item.grams, food.table, food.release, food.id, item.line, item.recorded)


def _serving_cells(serving: HouseholdServing | None) -> tuple[object, ...]:
    if serving is None:
        return _NO_SERVING
    source = None if serving.source is None else _source_text(serving.source)
    s = serving
    return (s.text, s.measure, s.times, s.grams, s.rule, source)


def _writable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose texts every file can hold."""
    parts = [c for v in row.values() for c in (v if isinstance(v, list) else (v,))]
    together = "".join([c for c in parts if isinstance(c, str)])
    if together.isascii() and "\x00" not in together:
        return row
    return {name: _replaced(cell) for name, cell in row.items()}


def _replaced(cell: Any) -> Any:
    if isinstance(cell, str):
        return _UNWRITABLE.sub("\ufffd", cell)
    return [_replaced(c) for c in cell] if isinstance(cell, list) else cell


@lru_cache(maxsize=100_000)
def _source_text(source: Source) -> str:
    return json.dumps([source.table, source.release, source.id], ensure_ascii=False)


def meal_group(foods: Iterable[tuple[Source, float]]) -> str:
    """Return the same name for meals of the same foods and grams.

    The natural and the metric row of a meal share it, and so do two people who ate alike, so that
    halves and splits by group leak nothing.

    Parameters
    ----------
    foods : iterable of (Source, float)
        Food and grams of each item, in any order.

    Returns
    -------
    str
        The first 12 hexadecimal digits of a sha256.
    """
    told = sorted(f"{f.table}|{f.release}|{f.id}|{grams:.3f}" for f, grams in foods)
    return hashlib.sha256("\n".join(told).encode("utf-8")).hexdigest()[:12]


def row_of(described: DescribedMeal, *, seed: int) -> dict[str, Any]:
    """Return the row of a described meal, all columns in order.

    Parameters
    ----------
    described : DescribedMeal
    seed : int
        Of the build.

    Raises
    ------
    InputError
        When the names or amounts are not as many as the items, there is no text, or a number is
        no amount.
    """
    meal, where = described.meal, f"meal {described.meal.id}"
    _check(described, where)
    row: dict[str, Any] = {
        "id": f"{meal.id}#{described.serving_type}",
        "meal_id": meal.id,
        "meal_group": meal_group((i.food, i.grams) for i in meal.items),
        "survey": meal.survey,
        "cycle": meal.cycle,
        "country": meal.country,
        "person": meal.person,
        "day": meal.day,
        "occasion": meal.occasion,
        "minute": meal.minute,
        "serving_type": described.serving_type,
        "meal_description": described.text,
        "n_items": len(meal.items),
        "item_said_names": list(described.names),
        "item_said_amounts": list(described.amounts),
        "variants": list(described.variants),
        "described_by": described.by,
        "seed": seed,
    }
    for label in LABELS:
        cells = [_known(i.nutrients.get(label), where) for i in meal.items]
        row[label] = (
            None if None in cells else _known(sum(c for c in cells if c is not None), where)
        )
        row[f"item_{label}"] = cells
    row.update(zip(_OF_ITEM, _columns(_item_cells(i) for i in meal.items), strict=True))
    row.update(
        zip(_OF_SERVING, _columns(_serving_cells(i.serving) for i in meal.items), strict=True)
    )
    return _writable({name: row[name] for name in COLUMNS})


def _columns(cells: Iterable[tuple[object, ...]]) -> list[list[object]]:
    """Return a list for each column."""
    return [list(column) for column in zip(*cells, strict=True)]


def _check(described: DescribedMeal, where: str) -> None:
    meal = described.meal
    n = len(meal.items)
    if not n:
        raise InputError("a meal without items", where=where, hint="leave it out")
    if len(described.names) != n or len(described.amounts) != n:
        raise InputError(
            f"{len(described.names)} names and {len(described.amounts)} amounts of {n} items",
            where=where,
            hint="say each item and its amount once",
        )
    if not described.text.strip():
        raise InputError("a meal without words", where=where, hint="describe it")
    if described.serving_type not in _SERVINGS:
        raise InputError(
            f"no serving type {described.serving_type!r}",
            where=where,
            hint="known: " + ", ".join(_SERVINGS),
        )
    for item in meal.items:
        if not (math.isfinite(item.grams) and item.grams > 0):
            raise InputError(f"{item.grams} g of {item.name!r}", where=where, hint="above 0")


def _known(value: float | None, where: str) -> float | None:
    if value is None or math.isnan(value):
        return None
    if not math.isfinite(value) or value < 0:
        raise InputError(f"{value} is no amount", where=where, hint="0 or more; leave out unknown")
    return float(value)


def meal_of(row: Mapping[str, Any], where: str = "") -> DescribedMeal:
    """Return the described meal of a row.

    Parameters
    ----------
    row : mapping of str to object
        As :func:`row_of` returns it.
    where : str
        For errors.

    Raises
    ------
    SchemaError
        When a column is missing, lists differ in length, or a cell is of another kind.
    """
    try:
        return _meal_of(row)
    except (KeyError, TypeError, ValueError) as error:
        raise SchemaError(
            f"not a row of a build: {error}", where=where, hint="build it again"
        ) from error


def _meal_of(row: Mapping[str, Any]) -> DescribedMeal:
    lists = {name: row[name] for name in LISTS - {"variants"}}
    n = row["n_items"]
    short = sorted(name for name, cells in lists.items() if len(cells) != n)
    if short:
        msg = f"{short[0]} has {len(lists[short[0]])} entries of {n} items"
        raise ValueError(msg)
    if row["serving_type"] not in _SERVINGS:
        msg = f"serving type {row['serving_type']!r}"
        raise ValueError(msg)
    meal = EatenMeal(
        id=row["meal_id"],
        survey=row["survey"],
        cycle=row["cycle"],
        country=row["country"],
        person=row["person"],
        day=row["day"],
        occasion=row["occasion"],
        minute=row["minute"],
        items=tuple(_item(lists, k) for k in range(n)),
    )
    return DescribedMeal(
        meal=meal,
        serving_type=cast("ServingType", row["serving_type"]),
        text=row["meal_description"],
        names=tuple(lists["item_said_names"]),
        amounts=tuple(lists["item_said_amounts"]),
        variants=tuple(row["variants"]),
        by=row["described_by"],
    )


def _item(lists: Mapping[str, Sequence[Any]], k: int) -> EatenItem:
    nutrients = {label: lists[f"item_{label}"][k] for label in LABELS}
    return EatenItem(
        food=Source(
            table=lists["item_tables"][k],
            release=lists["item_releases"][k],
            id=lists["item_ids"][k],
        ),
        name=lists["item_descriptions"][k],
        grams=lists["item_grams"][k],
        nutrients={label: value for label, value in nutrients.items() if value is not None},
        serving=_serving({name: lists[name][k] for name in _OF_SERVING}),
        line=lists["item_lines"][k],
        recorded=lists["item_recorded"][k],
    )


def _serving(cells: Mapping[str, Any]) -> HouseholdServing | None:
    if cells["item_servings"] is None:
        return None
    if cells["item_serving_rules"] not in _RULES:
        msg = f"serving rule {cells['item_serving_rules']!r}"
        raise ValueError(msg)
    told = cells["item_serving_sources"]
    source = None
    if told is not None:
        table, release, key = json.loads(told)
        source = Source(table=table, release=release, id=key)
    return HouseholdServing(
        text=cells["item_servings"],
        measure=cells["item_measures"],
        times=cells["item_times"],
        grams=cells["item_serving_grams"],
        rule=cast("ServingRule", cells["item_serving_rules"]),
        source=source,
    )
