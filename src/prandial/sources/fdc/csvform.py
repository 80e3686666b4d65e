"""Foods of the CSV form: food.csv and the tables that belong to it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from prandial.errors import SchemaError
from prandial.sources.fdc.archive import AGAIN, Download
from prandial.sources.fdc.assemble import RawFood, assemble, portion, serving
from prandial.sources.fdc.categories import Categories, small_table
from prandial.sources.fdc.food import DATA_TYPES, DataType, FdcFood, FdcPortion
from prandial.sources.fdc.notes import FdcNotes
from prandial.sources.fdc.nutrients import ENERGY, Measured, nutrients_of
from prandial.sources.fdc.staging import Stage, open_stage
from prandial.sources.fdc.table import Table, number, open_table, words

__all__ = ["count_csv_foods", "csv_foods"]

_FOOD: Final = ("fdc_id", "data_type", "description")
_NUTRIENT: Final = ("fdc_id", "nutrient_id", "amount")
_PORTION: Final = ("fdc_id", "gram_weight")
_TWICE: Final = "a nutrient of a food given twice with two amounts, the first taken"
_LAST_ID: Final = 2**63 - 1
_NO_ID: Final = "rows without an fdc_id that is a whole number"


def _id(cell: str, table: Table) -> int | None:
    """Return an fdc_id; None when it is none, and counted."""
    try:
        found = int(cell)
    except ValueError:
        text = cell.strip().removesuffix(".0")
        found = int(text) if text.isdecimal() else 0
    if 0 < found <= _LAST_ID:
        return found
    table.notes.leave_out(_NO_ID, table.line)
    return None


def _stage_foods(
    download: Download, stage: Stage, kinds: Collection[DataType], notes: FdcNotes
) -> set[DataType]:
    """Stage food.csv; return the types there are."""
    categories = Categories(download, notes)
    found: set[DataType] = set()
    optional = ("food_category_id", "publication_date")

    def rows(table: Table) -> Iterator[tuple[Any, ...]]:
        for fdc_id, told, description, category, published in table.rows():
            kind = DATA_TYPES.get(told.strip().casefold())
            if kind is None or kind not in kinds:
                named = words(told, notes, table.line) or "(none)"
                notes.left_out[f"rows of type {named}"] += 1
                continue
            number_ = _id(fdc_id, table)
            if number_ is None:
                continue
            found.add(kind)
            group, code = categories.of(fdc_id, kind, category)
            text = words(description, notes, table.line)
            if not text:
                notes.leave_out("foods without a description", table.line)
                continue
            date = words(published, notes, table.line)
            yield number_, kind, text, words(group, notes, table.line), date, code

    with open_table(download, "food.csv", _FOOD, notes, optional=optional) as table:
        stage.add("food", rows(table))
    if twice := stage.twice():
        notes.left_out["foods whose fdc_id is there twice, the first taken"] += twice
    return found


def _stage_labels(download: Download, stage: Stage, notes: FdcNotes) -> None:
    columns = ("fdc_id", "serving_size", "serving_size_unit")
    optional = (
        "brand_owner",
        "brand_name",
        "gtin_upc",
        "household_serving_fulltext",
        "branded_food_category",
        "market_country",
    )

    def rows(table: Table) -> Iterator[tuple[Any, ...]]:
        for fdc_id, size, unit, owner, brand, gtin, text, category, country in table.rows():
            label = _id(fdc_id, table)
            if label is None:
                continue
            line = table.line
            yield (
                label,
                words(brand, notes, line) or words(owner, notes, line),
                words(gtin, notes, line),
                number(size, table),
                words(unit, notes, line),
                words(text, notes, line),
                words(category, notes, line),
                words(country, notes, line),
            )

    with open_table(download, "branded_food.csv", columns, notes, optional=optional) as table:
        stage.add("label", rows(table))


def _stage_portions(download: Download, stage: Stage, notes: FdcNotes) -> None:
    if "food_portion.csv" not in download.members:
        notes.absent.append("food_portion.csv")
        return
    units = small_table(download, "measure_unit.csv", "id", "name", notes)
    optional = ("seq_num", "amount", "measure_unit_id", "portion_description", "modifier")

    def rows(table: Table) -> Iterator[tuple[Any, ...]]:
        for fdc_id, grams, seq, amount, unit, description, modifier in table.rows():
            food = _id(fdc_id, table)
            if food is not None:
                line = table.line
                yield (
                    food,
                    number(seq, table),
                    number(amount, table),
                    units.get(unit.strip(), ""),
                    words(modifier, notes, line),
                    words(description, notes, line),
                    number(grams, table, "g"),
                )

    with open_table(download, "food_portion.csv", _PORTION, notes, optional=optional) as table:
        stage.add("portion", rows(table))


def _named_so(measured: dict[int, Measured]) -> dict[str, tuple[int, Measured, bool]]:
    """Return what nutrient_id may say: an id, or the older number in its place."""
    out: dict[str, tuple[int, Measured, bool]] = {}
    for name, one in measured.items():
        out[str(name)] = name, one, False
        out[one.nutrient.number] = name, one, True
    return out


def _stage_nutrients(
    download: Download, stage: Stage, measured: dict[int, Measured], notes: FdcNotes
) -> None:
    names = _named_so(measured)

    def rows(table: Table) -> Iterator[tuple[int, int, float]]:
        numbered = below = 0
        for fdc_id, nutrient, cell, limit in table.rows():
            found = names.get(nutrient) or names.get(nutrient.strip().removesuffix(".0"))
            if found is None:
                continue
            name, one, by_number = found
            if not cell:
                below += bool(limit)
                continue
            food = _id(fdc_id, table)
            if food is None:
                continue
            numbered += by_number
            yield food, name, number(cell, table, one.unit) * one.factor
        if numbered:
            notes.repair("nutrient numbers in place of ids, read as such", table.name, numbered)
        if below:
            notes.repair("amounts below a limit of quantification, unknown", table.name, below)

    with open_table(download, "food_nutrient.csv", _NUTRIENT, notes, optional=("loq",)) as table:
        stage.add_amounts(rows(table))
    if not notes.rows["food_nutrient.csv"]:
        raise SchemaError(
            "no row of nutrients", where=download.where("food_nutrient.csv"), hint=AGAIN
        )


def _units(download: Download, notes: FdcNotes) -> dict[int, Measured]:
    with open_table(
        download, "nutrient.csv", ("id", "unit_name"), notes, optional=("nutrient_nbr",)
    ) as table:
        rows = [(i.strip(), u, n) for i, u, n in table.rows()]
    return nutrients_of(iter(rows), where=download.where("nutrient.csv"), notes=notes)


def _by_food(rows: list[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    return {int(k): list(g) for k, g in groupby(rows, key=itemgetter(0))}


def _told(value: float | None) -> float:
    """Return a number of the stage; NaN comes out of it as null."""
    return math.nan if value is None else value


def _amounts(rows: list[tuple[Any, ...]], notes: FdcNotes) -> dict[int, float]:
    """Return amounts by id; of a nutrient that is there twice the first."""
    out: dict[int, float] = {}
    for food, name, amount in rows:
        if amount is None:
            continue
        before = out.setdefault(name, amount)
        if before != amount:
            notes.repair(_TWICE, f"fdc_id {food}, nutrient {name}: {before:g} and {amount:g}")
    return out


def _portions(rows: list[tuple[Any, ...]], notes: FdcNotes) -> tuple[FdcPortion, ...]:
    out = []
    for food, _, amount, measure, modifier, description, grams in rows:
        one = portion(
            amount=_told(amount),
            measure=measure,
            modifier=modifier,
            description=description,
            grams=_told(grams),
        )
        if one is None:
            notes.leave_out("portions without a weight", f"fdc_id {food}")
        else:
            out.append(one)
    return tuple(out)


def csv_foods(
    download: Download,
    kinds: Collection[DataType],
    notes: FdcNotes,
    *,
    release: str,
    memory_mb: int,
) -> Iterator[FdcFood]:
    """Yield foods by fdc_id.

    Raises
    ------
    SchemaError
        When a table is missing or damaged.
    """
    measured = _units(download, notes)
    stated = ENERGY not in measured or bool(measured[ENERGY].unit)
    if not stated:
        notes.repair("energy without a unit, checked against 4/4/9", "nutrient.csv")
    with open_stage(memory_mb) as stage:
        found = _stage_foods(download, stage, kinds, notes)
        if "branded" in found:
            _stage_labels(download, stage, notes)
        if found - {"branded"} or "food_portion.csv" in download.members:
            _stage_portions(download, stage, notes)
        if found:
            _stage_nutrients(download, stage, measured, notes)
        for span in stage.spans():
            amounts = _by_food(stage.rows("nutrient", span, "rowid"))
            portions = _by_food(stage.rows("portion", span, "seq, rowid"))
            for row in stage.foods(span):
                raw = _raw(row, _amounts(amounts.get(row[0], []), notes))
                raw.portions = _portions(portions.get(row[0], []), notes)
                raw.energy_stated = stated
                if raw.data_type == "branded" and not row[6]:
                    notes.repair("branded foods without a label", f"fdc_id {row[0]}")
                yield assemble(raw, notes, release=release)


def _raw(row: tuple[Any, ...], amounts: dict[int, float]) -> RawFood:
    fdc_id, kind, description, category, published, code = row[:6]
    labelled, brand, gtin, size, unit, text, group, country = row[6:]
    raw = RawFood(
        fdc_id=fdc_id,
        data_type=kind,
        description=description,
        amounts=amounts,
        category=category,
        published=published,
        code=code,
    )
    if labelled and kind == "branded":
        raw.brand, raw.code, raw.country = brand, gtin, country
        raw.category = group or category
        raw.serving = serving(_told(size), unit, text)
    return raw


def count_csv_foods(download: Download, kinds: Collection[DataType]) -> int:
    """Return the rows of food.csv that are foods of some types.

    Raises
    ------
    SchemaError
        When the table is missing or damaged.
    """
    with open_table(download, "food.csv", _FOOD, FdcNotes()) as table:
        return sum(DATA_TYPES.get(row[1].strip().casefold()) in kinds for row in table.rows())
