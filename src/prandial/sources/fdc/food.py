"""What FoodData Central says of one food, in the house's names and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

__all__ = ["DATA_TYPES", "DataType", "FdcFood", "FdcPortion", "LabelServing"]

DataType = Literal["foundation", "sr_legacy", "survey", "branded"]
#: name in food.csv and name in the JSON form -> the house's
DATA_TYPES: Final[dict[str, DataType]] = {
    "foundation_food": "foundation",
    "sr_legacy_food": "sr_legacy",
    "survey_fndds_food": "survey",
    "branded_food": "branded",
    "foundation": "foundation",
    "sr legacy": "sr_legacy",
    "survey (fndds)": "survey",
    "branded": "branded",
}
_NO_UNIT: Final = frozenset(["", "undetermined"])


@dataclass(frozen=True, kw_only=True, slots=True)
class FdcPortion:
    """A household measure of a food and what it weighs.

    Parameters
    ----------
    amount : float or None
        How many of the measure; None where the description says it.
    measure : str
        FoodData Central's unit of measure, empty when it is "undetermined".
    modifier, description : str
        As published: SR Legacy words its measures in the modifier, FNDDS in the description
        (its modifier is a code).
    grams : float
        Of ``amount`` measures together, above 0.
    """

    amount: float | None
    measure: str
    modifier: str
    description: str
    grams: float

    @property
    def name(self) -> str:
        """The measure in words, such as ``1 cup slices`` or ``2 tablespoon``."""
        number = "" if self.amount is None else f"{self.amount:g}"
        unit = "" if self.measure.casefold() in _NO_UNIT else self.measure
        if self.description:
            words = [unit, self.description]
            if self.description[0].isdigit() or self.amount is None:
                number = ""
        else:
            words = [unit, self.modifier]
        return " ".join(w for w in (number, *words) if w)


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelServing:
    """The serving of a label.

    Parameters
    ----------
    amount : float or None
        In ``unit``.
    unit : {'g', 'ml', ''}
        Empty where the label's is neither.
    text : str
        As the label words it, such as ``8 OZA`` or ``1 CUP``.
    """

    amount: float | None
    unit: Literal["g", "ml", ""]
    text: str

    @property
    def grams(self) -> float | None:
        """Grams of one serving; None where it is a volume or not told."""
        return self.amount if self.unit == "g" else None


@dataclass(frozen=True, kw_only=True, slots=True)
class FdcFood:
    """One food.

    Parameters
    ----------
    fdc_id : int
    data_type : {'foundation', 'sr_legacy', 'survey', 'branded'}
    description : str
    brand, category : str
        Empty when there is none.
    published : str
        ISO date, empty when not told.
    release : str
        Of the download, such as ``2024-10-31``.
    code : str
        FNDDS food code, NDB number or GTIN, as the type has it.
    country : str
        Market of a label, as published.
    nutrients : mapping of str to float
        House name to amount in 100 of ``basis``; what is unknown is absent.
    basis : {'g', 'ml'}
        Labels with servings in millilitres give amounts per 100 ml.
    carbohydrate : {'total', 'available'}
        What ``carb_g`` means: US values include fibre, labels of New Zealand leave it out.
    energy_from : int
        FoodData Central's id of the energy taken (1008 reported, 2048 Atwater specific, 2047
        Atwater general, 1062 kilojoules); 0 when unknown.
    portions : tuple of FdcPortion
    serving : LabelServing or None
    flags : tuple of str
        What was odd, see :data:`prandial.sources.fdc.checks.FLAGS`.
    """

    fdc_id: int
    data_type: DataType
    description: str
    brand: str = ""
    category: str = ""
    published: str = ""
    release: str = ""
    code: str = ""
    country: str = ""
    nutrients: Mapping[str, float] = field(default_factory=dict)
    basis: Literal["g", "ml"] = "g"
    carbohydrate: Literal["total", "available"] = "total"
    energy_from: int = 0
    portions: tuple[FdcPortion, ...] = ()
    serving: LabelServing | None = None
    flags: tuple[str, ...] = ()

    @property
    def total_carb_g(self) -> float | None:
        """Carbohydrate with fibre; None where it or the fibre needed for it is unknown."""
        carb, fibre = self.nutrients.get("carb_g"), self.nutrients.get("fiber_g")
        if carb is None or self.carbohydrate == "total":
            return carb
        return None if fibre is None else carb + fibre

    @property
    def available_carb_g(self) -> float | None:
        """Carbohydrate without fibre, never below 0; None where it cannot be told."""
        carb, fibre = self.nutrients.get("carb_g"), self.nutrients.get("fiber_g")
        if carb is None or self.carbohydrate == "available":
            return carb
        return None if fibre is None else max(0.0, carb - fibre)
