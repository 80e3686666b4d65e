"""Foods of the JSON form: one list in one file, read food by food."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Collection, Iterator
from typing import IO, Any, Final

from prandial.errors import SchemaError
from prandial.sources.fdc.archive import AGAIN, Download
from prandial.sources.fdc.assemble import RawFood, assemble, portion, serving
from prandial.sources.fdc.food import DATA_TYPES, DataType, FdcFood, FdcPortion
from prandial.sources.fdc.notes import FdcNotes
from prandial.sources.fdc.nutrients import (
    ENERGY,
    Measured,
    find_nutrient,
    measured,
)
from prandial.sources.fdc.table import words

__all__ = ["count_json_foods", "json_foods"]

_PIECE: Final = 1 << 20
#: characters of one food that are waited for; a whole one has less than 1 million
_MOST: Final = 1 << 26
_START: Final = re.compile(r'\s*(?:\{\s*"[^"]{1,80}"\s*:\s*)?\[')
_BETWEEN: Final = re.compile(r"[\s,]*")


def objects(stream: IO[bytes], where: str) -> Iterator[Any]:
    """Yield the members of the list, keeping only one piece of the file in memory.

    Raises
    ------
    SchemaError
        When it is no list of foods, was cut, or is not JSON: says after how many.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
    decoder = json.JSONDecoder()
    buffer = text.read(_PIECE)
    start = _START.match(buffer)
    if start is None:
        raise SchemaError("no list of foods in it", where=where, hint=AGAIN)
    place, count = start.end(), 0
    while True:
        between = _BETWEEN.match(buffer, place)
        place = place if between is None else between.end()
        if buffer.startswith("]", place):
            return
        try:
            found, place = decoder.raw_decode(buffer, place)
        except json.JSONDecodeError as error:
            piece = text.read(_PIECE)
            if not piece or len(buffer) - place > _MOST:
                what = "was cut" if not piece else f"is not JSON ({error.msg})"
                raise SchemaError(
                    f"the list {what} after {count:,} foods", where=where, hint=AGAIN
                ) from None
            buffer, place = buffer[place:] + piece, 0
            continue
        except (ValueError, RecursionError) as error:
            raise SchemaError(
                f"the list holds what cannot be read after {count:,} foods: {error}",
                where=where,
                hint=AGAIN,
            ) from None
        count += 1
        yield found


def _kind(food: dict[str, Any]) -> DataType | None:
    return DATA_TYPES.get(str(food.get("dataType", "")).strip().casefold())


class _Reader:
    """Turns objects into foods."""

    def __init__(self, where: str, notes: FdcNotes, release: str) -> None:
        self.where, self.notes, self.release = where, notes, release
        self._measured: dict[tuple[str, str], Measured | None] = {}

    def text(self, food: dict[str, Any], name: str, place: str) -> str:
        value = food.get(name)
        if isinstance(value, int | float):
            return f"{value:g}" if isinstance(value, float) else str(value)
        return words(value, self.notes, place) if isinstance(value, str) else ""

    def _named(self, entry: dict[str, Any]) -> Measured | None:
        """Return the nutrient of an entry, as food details or as the search words it."""
        about = entry.get("nutrient")
        about = about if isinstance(about, dict) else {}
        name = about.get("id", entry.get("nutrientId"))
        if name is None:
            name = about.get("number", entry.get("nutrientNumber", ""))
        unit = str(about.get("unitName", entry.get("unitName", "")) or "")
        key = str(name), unit
        if key not in self._measured:
            nutrient = find_nutrient(key[0])
            self._measured[key] = (
                None
                if nutrient is None
                else measured(nutrient, unit, where=f"{self.where}, nutrient {name}")
            )
        return self._measured[key]

    def amounts(self, food: dict[str, Any], place: str) -> tuple[dict[int, float], bool]:
        """Return amounts by id in house units, and whether energy has a unit."""
        out: dict[int, float] = {}
        stated = True
        for entry in food.get("foodNutrients") or ():
            if not isinstance(entry, dict):
                continue
            one = self._named(entry)
            if one is None:
                continue
            amount = entry.get("amount", entry.get("value"))
            if amount is None and entry.get("loq") is not None:
                self.notes.repair("amounts below a limit of quantification, unknown", place)
            value = _number(amount)
            if one.nutrient.id == ENERGY:
                stated = bool(one.unit)
            if not math.isnan(value):
                out.setdefault(one.nutrient.id, value * one.factor)
        return out, stated

    def portions(self, food: dict[str, Any], place: str) -> tuple[FdcPortion, ...]:
        found = [p for p in food.get("foodPortions") or () if isinstance(p, dict)]
        found.sort(key=lambda p: _number(p.get("sequenceNumber")) if p.get("sequenceNumber") else 0)
        out = []
        for entry in found:
            unit = entry.get("measureUnit")
            one = portion(
                amount=_number(entry.get("amount", entry.get("value"))),
                measure=self.text(unit, "name", place) if isinstance(unit, dict) else "",
                modifier=self.text(entry, "modifier", place),
                description=self.text(entry, "portionDescription", place),
                grams=_number(entry.get("gramWeight")),
            )
            if one is None:
                self.notes.leave_out("portions without a weight", place)
            else:
                out.append(one)
        return tuple(out)

    def category(self, food: dict[str, Any], place: str) -> str:
        for name, inner in (
            ("wweiaFoodCategory", "wweiaFoodCategoryDescription"),
            ("foodCategory", "description"),
        ):
            value = food.get(name)
            if isinstance(value, dict):
                return self.text(value, inner, place)
        return self.text(food, "brandedFoodCategory", place) or self.text(
            food, "foodCategory", place
        )

    def food(self, food: dict[str, Any], kind: DataType) -> FdcFood | None:
        name = food.get("fdcId")
        place = f"fdc_id {name}"
        description = self.text(food, "description", place)
        if not isinstance(name, int) or not description:
            self.notes.leave_out("foods without fdcId or description", place)
            return None
        amounts, stated = self.amounts(food, place)
        raw = RawFood(
            fdc_id=name,
            data_type=kind,
            description=description,
            amounts=amounts,
            brand=self.text(food, "brandName", place) or self.text(food, "brandOwner", place),
            category=self.category(food, place),
            published=self.text(food, "publicationDate", place)
            or self.text(food, "publishedDate", place),
            code=next(
                (
                    t
                    for n in ("foodCode", "gtinUpc", "ndbNumber")
                    if (t := self.text(food, n, place))
                ),
                "",
            ),
            country=self.text(food, "marketCountry", place),
            portions=self.portions(food, place),
            energy_stated=stated,
        )
        if kind == "branded":
            raw.serving = serving(
                _number(food.get("servingSize")),
                self.text(food, "servingSizeUnit", place),
                self.text(food, "householdServingFullText", place),
            )
        return assemble(raw, self.notes, release=self.release)


def _number(value: Any) -> float:
    """Return a number of JSON; NaN for anything else."""
    if isinstance(value, bool) or value is None:
        return math.nan
    try:
        found = float(value)
    except (TypeError, ValueError):
        return math.nan
    return found if math.isfinite(found) else math.nan


def json_foods(
    download: Download, kinds: Collection[DataType], notes: FdcNotes, *, release: str
) -> Iterator[FdcFood]:
    """Yield foods in the order of the list.

    Raises
    ------
    SchemaError
        When the list is damaged, or states a unit that is not known.
    """
    name = download.json_member
    reader = _Reader(download.where(name), notes, release)
    with download.open(name) as stream:
        for found in objects(stream, download.where(name)):
            notes.rows[name] += 1
            if not isinstance(found, dict):
                notes.left_out["empty places in the list"] += 1
                continue
            kind = _kind(found)
            if kind is None or kind not in kinds:
                notes.left_out[f"rows of type {found.get('dataType') or '(none)'}"] += 1
                continue
            food = reader.food(found, kind)
            if food is not None:
                yield food


def count_json_foods(download: Download, kinds: Collection[DataType]) -> int:
    """Return the foods of some types in the list.

    Raises
    ------
    SchemaError
        When the list is damaged.
    """
    name = download.json_member
    with download.open(name) as stream:
        return sum(
            isinstance(f, dict) and _kind(f) in kinds for f in objects(stream, download.where(name))
        )
