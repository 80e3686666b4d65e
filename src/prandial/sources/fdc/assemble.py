"""One food out of its raw parts, the same for tables and lists."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from prandial.sources.fdc.checks import Facts, check
from prandial.sources.fdc.food import DataType, FdcFood, FdcPortion, LabelServing
from prandial.sources.fdc.notes import FdcNotes
from prandial.sources.fdc.nutrients import ASH, ENERGY_KJ, SUMMATION, fill, known_nutrients

__all__ = ["RawFood", "assemble", "iso_date", "portion", "serving"]

_UNITS: Final[dict[str, Literal["g", "ml", ""]]] = {
    "g": "g", "gm": "g", "grm": "g", "gram": "g", "grams": "g",
    "ml": "ml", "mlt": "ml", "milliliter": "ml", "millilitre": "ml",
}  # fmt: skip
_US_DATE: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_ISO_DATE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?")
#: markets whose labels leave fibre out of carbohydrate (Food Standards Code, standard 1.2.8)
_AVAILABLE: Final = frozenset(["new zealand", "nz", "nzl", "australia", "au", "aus"])


@dataclass(slots=True)
class RawFood:
    """Parts of a food; amounts by FoodData Central's id, in house units, NaN unknown."""

    fdc_id: int
    data_type: DataType
    description: str
    amounts: Mapping[int, float]
    brand: str = ""
    category: str = ""
    published: str = ""
    code: str = ""
    country: str = ""
    portions: tuple[FdcPortion, ...] = ()
    serving: LabelServing | None = None
    energy_stated: bool = True
    places: str = field(default="")


def iso_date(text: str) -> str:
    """Return ``2024-10-31`` of that or of ``10/31/2024``; empty for anything else."""
    found = _ISO_DATE.fullmatch(text.strip())
    if found is not None:
        return found[1]
    found = _US_DATE.fullmatch(text.strip())
    return "" if found is None else f"{found[3]}-{int(found[1]):02d}-{int(found[2]):02d}"


def serving(amount: float, unit: str, text: str) -> LabelServing | None:
    """Return a label's serving; None when the label tells none."""
    known = _UNITS.get(unit.strip().casefold().rstrip("."), "")
    size = amount if known and amount > 0 else None
    if size is None and not text:
        return None
    return LabelServing(amount=size, unit=known if size is not None else "", text=text)


def portion(
    *, amount: float, measure: str, modifier: str, description: str, grams: float
) -> FdcPortion | None:
    """Return a household measure; None without a weight (USDA writes 0 or -9 for unknown)."""
    if not grams > 0 or math.isinf(grams):
        return None
    return FdcPortion(
        amount=amount if amount > 0 else None,
        measure=measure,
        modifier=modifier,
        description=description,
        grams=grams,
    )


def _basis(raw: RawFood) -> Literal["g", "ml"]:
    label = raw.data_type == "branded" and raw.serving is not None
    return "ml" if label and raw.serving is not None and raw.serving.unit == "ml" else "g"


def assemble(raw: RawFood, notes: FdcNotes, *, release: str) -> FdcFood:
    """Return a checked food, counted in the notes."""
    place = f"fdc_id {raw.fdc_id}"
    values, energy_from = fill(raw.amounts)
    _note_definitions(raw, values, notes, place)
    basis = _basis(raw)
    kj = raw.amounts.get(ENERGY_KJ, math.nan) if energy_from != ENERGY_KJ else math.nan
    flags = check(
        values,
        Facts(
            data_type=raw.data_type,
            basis=basis,
            texts=f"{raw.description} {raw.category}",
            country=raw.country,
            serving=raw.serving,
            energy_stated=raw.energy_stated,
            energy_kj_kcal=kj,
            ash_g=raw.amounts.get(ASH, math.nan),
        ),
    )
    notes.foods[raw.data_type] += 1
    notes.flags.update(flags)
    abroad = raw.data_type == "branded" and raw.country.strip().casefold() in _AVAILABLE
    return FdcFood(
        fdc_id=raw.fdc_id,
        data_type=raw.data_type,
        description=raw.description,
        brand=raw.brand,
        category=raw.category,
        published=iso_date(raw.published),
        release=release,
        code=raw.code,
        country=raw.country,
        nutrients=values,
        basis=basis,
        carbohydrate="available" if abroad else "total",
        energy_from=energy_from if "energy_kcal" in values else 0,
        portions=raw.portions,
        serving=raw.serving,
        flags=flags,
    )


def _note_definitions(
    raw: RawFood, values: Mapping[str, float], notes: FdcNotes, place: str
) -> None:
    """Count what is there under another definition only."""
    amounts = raw.amounts
    if "carb_g" not in values and not math.isnan(amounts.get(SUMMATION, math.nan)):
        notes.repair("carbohydrate by summation alone, left unknown", place)
    if "vitamin_a_rae_mcg" not in values and any(
        known_nutrients()[i].key == "vitamin_a_iu" for i in amounts
    ):
        notes.repair("vitamin A in IU alone, left unknown", place)
