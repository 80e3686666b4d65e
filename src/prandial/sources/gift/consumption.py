"""Food records of a GIFT survey: who, when, which food in FoodEx2, grams, nutrients.

Amounts are grams as eaten; nutrients are of these grams. A nutrient without a cell is unknown
and absent, never 0. FAO/WHO GIFT does not say in its files whether carbohydrate includes
fibre; that is as in the survey's own food table.

Reference: C. Leclercq et al., FAO/WHO GIFT, Proc. Nutr. Soc. 78 (2019) 484-495,
doi:10.1017/S0029665119000491.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from prandial.countries import as_alpha3
from prandial.errors import InputError, SchemaError
from prandial.records.meals import ReadOnly
from prandial.sources.gift.cells import GiftFile, open_gift
from prandial.units import kcal_from_kj

__all__ = ["GiftRecord", "GiftSurvey", "read_gift"]

_CODE: Final = re.compile(r"^([A-Z]{3})[_-](\d{3,5})$")
_NUTRIENTS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal", "fiber_g")
#: nobody takes so much of a food on one occasion
_MOST_GRAMS: Final = 20_000.0
_MACROS: Final = ("carb_g", "protein_g", "fat_g")
#: kcal in a gram of fat, the most there is (FAO Food and Nutrition Paper 77, 2003, table 3.6), and
#: what rounding and small weights may make more
_MOST_KCAL: Final = 9.02
_ROUNDED: Final = {"energy_kcal": 5.0, **dict.fromkeys(_MACROS, 0.5)}
_NEEDED: Final = ("subject", "day", "name", "grams")


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftRecord:
    """One food that one person ate.

    Parameters
    ----------
    line : int
        Number of the record in its file, from 1.
    subject : str
    round : str
        Of the survey; empty where it has none.
    day : int
        Of the recall, from 1.
    occasion_code : str
        As in the file; its words are the survey's affair.
    occasion : str
        In words, where the file has words or they were told; else empty.
    sequence : str
        Number of the eating occasion of the day, where the file has one.
    minute : int, optional
        Of the day, from midnight.
    foodex2 : str
        Code of the food as eaten, empty if none.
    name : str
        Its FoodEx2 description, facets included.
    ingredient : str
        As the survey itself called it.
    recipe : str
        The dish the food was part of, if any.
    grams : float
        As eaten, above 0.
    nutrients : mapping of str to float
        Of these grams: ``carb_g``, ``protein_g``, ``fat_g``, ``energy_kcal``, ``fiber_g``.
    """

    line: int
    subject: str
    round: str
    day: int
    occasion_code: str
    occasion: str
    sequence: str
    minute: int | None
    foodex2: str
    name: str
    ingredient: str
    recipe: str
    grams: float
    nutrients: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftSurvey:
    """The food records of a file.

    Parameters
    ----------
    cycle : str
        Such as ``BOL-00006``.
    country : str
        ISO 3166 alpha-3.
    records : tuple of GiftRecord
        In the order of the file.
    rows : int
        Rows read, kept or not.
    dropped : mapping of str to int
        Why rows were left out -> how many.
    notes : tuple of str
        What was odd in the file.
    """

    cycle: str
    country: str
    records: tuple[GiftRecord, ...]
    rows: int
    dropped: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def occasions_told(self) -> bool:
        """Whether anything tells the meals of a day apart."""
        return any(r.occasion_code or r.sequence or r.minute is not None for r in self.records)


def read_gift(
    path: Path | str,
    *,
    cycle: str = "",
    country: str = "",
    occasions: Mapping[str, str] | None = None,
) -> GiftSurvey:
    """Read a consumption file of FAO/WHO GIFT.

    Parameters
    ----------
    path : Path or str
        ``consumption_user.csv`` as given out, or the same columns as Parquet.
    cycle : str
        Code of the survey; by default the name of the folder or file where that is one
        (``IND_00062``), else the file's stem.
    country : str
        ISO 3166 alpha-3; by default the first letters of the survey's code.
    occasions : mapping of str to str, optional
        Code of an eating occasion -> its words, from the survey's code list.

    Returns
    -------
    GiftSurvey

    Raises
    ------
    NotFoundError, InputError
        When there is no such file, or a country is no ISO code.
    SchemaError
        When it is no such file, a column is missing, or a cell cannot be read.
    """
    where = Path(path)
    code = cycle or _code_of(where)
    file = open_gift(where, "consumption", _NEEDED)
    dropped: Counter[str] = Counter()
    records: list[GiftRecord] = []
    rows = below = above = 0
    words = {k.casefold(): v for k, v in (occasions or {}).items()}
    for line, cells in file.rows:
        rows = line
        why, record = _record(file, cells, line, words)
        below += _below_zero(file, cells, line)
        if record is None:
            dropped[why] += 1
            continue
        possible = {n: v for n, v in record.nutrients.items() if _possible(n, v, record.grams)}
        if len(possible) < len(record.nutrients):
            above += len(record.nutrients) - len(possible)
            record = replace(record, nutrients=ReadOnly(possible))
        records.append(record)
    if below:
        file.notes.append(f"{where.name}: {below} nutrients below 0 taken for unknown")
    if above:
        file.notes.append(
            f"{where.name}: {above} amounts of carbohydrate, protein, fat or energy that their food"
            " cannot hold taken for unknown"
        )
    if not rows:
        raise SchemaError("no records", where=str(where), hint="one row a food eaten")
    return GiftSurvey(
        cycle=code,
        country=_country(country, code),
        records=tuple(records),
        rows=rows,
        dropped=dict(dropped),
        notes=tuple(file.notes),
    )


def _code_of(path: Path) -> str:
    for name in (path.parent.name, path.stem):
        found = _CODE.match(name.upper())
        if found:
            return f"{found[1]}-{found[2]}"
    return path.stem


def _country(told: str, code: str) -> str:
    if told:
        known = as_alpha3(told)
        if known is None:
            raise InputError(
                f"{told!r} is no country code", where="country", hint="ISO 3166 alpha-3, as BOL"
            )
        return known
    found = _CODE.match(code.upper())
    return (as_alpha3(found[1]) or "") if found else ""


def _record(
    file: GiftFile, cells: Mapping[str, Any], line: int, words: Mapping[str, str]
) -> tuple[str, GiftRecord | None]:
    grams = file.number(cells, "grams", line)
    name = file.text(cells, "name") or file.text(cells, "ingredient")
    if grams is None:
        return "no amount", None
    if grams <= 0:
        return "an amount of 0 g" if grams == 0 else "an amount below 0 g", None
    if grams > _MOST_GRAMS:
        return "an amount above 20 kg", None
    if not name:
        return "no food", None
    subject, day = file.text(cells, "subject"), file.number(cells, "day", line)
    if not subject or day is None or day < 1 or day != int(day):
        return "no person or day", None
    code = file.text(cells, "occasion")
    return "", GiftRecord(
        line=line,
        subject=subject,
        round=file.text(cells, "round"),
        day=int(day),
        occasion_code=code,
        occasion=words.get(code.casefold(), "" if _is_number(code) else code.casefold()),
        sequence=file.text(cells, "sequence"),
        minute=_minute(file, cells, line),
        foodex2=file.text(cells, "foodex2"),
        name=name,
        ingredient=file.text(cells, "ingredient"),
        recipe=file.text(cells, "recipe"),
        grams=grams,
        nutrients=_nutrients(file, cells, line),
    )


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _minute(file: GiftFile, cells: Mapping[str, Any], line: int) -> int | None:
    hour = file.number(cells, "hour", line)
    if hour is None or not 0 <= hour < 24:
        return None
    minutes = file.number(cells, "minute", line) or 0.0
    return int(hour) * 60 + (int(minutes) if 0 <= minutes < 60 else 0)


def _possible(nutrient: str, amount: float, grams: float) -> bool:
    """Whether so many grams of a food can hold an amount: fat alone has 9 kcal a gram."""
    most = _MOST_KCAL * grams if nutrient == "energy_kcal" else grams
    return nutrient not in _ROUNDED or amount <= most + _ROUNDED[nutrient]


def _below_zero(file: GiftFile, cells: Mapping[str, Any], line: int) -> int:
    return sum((file.number(cells, n, line) or 0) < 0 for n in _NUTRIENTS)


def _nutrients(file: GiftFile, cells: Mapping[str, Any], line: int) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for nutrient in _NUTRIENTS:
        amount = file.number(cells, nutrient, line)
        if amount is not None and amount >= 0:
            found[nutrient] = kcal_from_kj(amount) if file.unit(nutrient) == "kJ" else amount
    return ReadOnly(found)
