"""The column map: house names to the file's columns, with their units."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from prandial.errors import InputError, NotFoundError
from prandial.nutrients import NUTRIENTS, unit_of
from prandial.tables.user.text import clean
from prandial.tables.user.unitnames import (
    KNOWN_UNITS,
    canonical_unit,
    factor_to_house,
    header_unit,
    split_unit,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prandial.tables.user.notes import Notebook

__all__ = ["PLAIN_NAMES", "Column", "check_map", "hoped_for", "resolve"]

#: house names that are no nutrient
PLAIN_NAMES: Final = ("name", "id", "alt_names", "category", "measures", "serving_g")


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """Where a house name is found.

    Attributes
    ----------
    unit : str or None
        Unit of the values, None when neither map nor heading states one.
    """

    key: str
    index: int
    header: str
    unit: str | None
    stated_by: Literal["map", "heading", "nothing"]


def check_map(columns: Mapping[str, str]) -> None:
    """Refuse a map that cannot work, whatever the file.

    Raises
    ------
    InputError
        For an unknown house name, no ``name``, no nutrient, or an empty column.
    """
    known = (*PLAIN_NAMES, *NUTRIENTS)
    for key, column in columns.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=3)
            raise InputError(
                f"no house name {key!r}",
                where="columns",
                hint=("nearest: " + ", ".join(near)) if near else "known: " + ", ".join(known),
            )
        if not clean(column)[0]:
            raise InputError(f"no column given for {key}", where="columns", hint="name one")
    if "name" not in columns:
        raise InputError(
            "the map lacks 'name'", where="columns", hint="say which column holds the food's name"
        )
    if not any(key in NUTRIENTS for key in columns):
        raise InputError(
            "the map names no nutrient",
            where="columns",
            hint="add at least one, such as carb_g; known: " + ", ".join(NUTRIENTS),
        )


def hoped_for(columns: Mapping[str, str]) -> list[str]:
    """Return the column names a map may mean, with and without ``[unit]``."""
    names = []
    for value in columns.values():
        text = clean(value)[0]
        split = split_unit(text)
        names += [text, *([split[0]] if split else [])]
    return names


def _place(name: str, header: Sequence[str]) -> int | None:
    """Return the column's index: exact, else the only one but for case."""
    if name in header:
        return list(header).index(name)
    folded = [i for i, h in enumerate(header) if h.casefold() == name.casefold()]
    return folded[0] if len(folded) == 1 else None


def _missing(key: str, name: str, header: Sequence[str]) -> NotFoundError:
    near = difflib.get_close_matches(
        name.casefold(), [h.casefold() for h in header], n=1, cutoff=0.5
    )
    nearest = next((h for h in header if near and h.casefold() == near[0]), None)
    listed = ", ".join(repr(h) for h in header)
    return NotFoundError(
        f"no column {name!r} for {key}",
        where="columns",
        hint=(f"nearest: {nearest!r}; " if nearest else "") + f"the file has: {listed}",
    )


def _unknown_unit(key: str, unit: str, column: str) -> InputError:
    return InputError(
        f"unknown unit {unit!r} for {key}",
        where=f"column {column!r}",
        hint="known units: " + ", ".join(KNOWN_UNITS) + "; write 'COLUMN[unit]'",
    )


def _find(key: str, value: str, header: Sequence[str]) -> Column:
    text = clean(value)[0]
    index = _place(text, header)
    split = split_unit(text)
    measured = key in NUTRIENTS or key == "serving_g"
    if index is None and split and measured:
        name, spelling = split
        unit = canonical_unit(spelling)
        if unit is None:
            raise _unknown_unit(key, spelling, name)
        index = _place(name, header)
        if index is None:
            raise _missing(key, name, header)
        return Column(key=key, index=index, header=header[index], unit=unit, stated_by="map")
    if index is None:
        raise _missing(key, text, header)
    unit, foreign = header_unit(header[index]) if measured else (None, None)
    if foreign is not None:
        raise _unknown_unit(key, foreign, header[index])
    stated: Literal["heading", "nothing"] = "heading" if unit else "nothing"
    return Column(key=key, index=index, header=header[index], unit=unit, stated_by=stated)


def _tell(column: Column, notes: Notebook) -> None:
    """Note a conversion, and refuse a unit that cannot be one of the nutrient."""
    key, unit = column.key, column.unit
    if unit is None:
        return
    factor = factor_to_house(key, unit, where=f"column {column.header!r}")
    house = unit_of(key)
    source = f"column {column.header!r} ({key}) is in {unit}"
    if unit == "IU" and factor == factor:
        form = ", if retinol" if key != "vitamin_d_mcg" else ""
        notes.say(f"{source}: read as {factor:g} µg per IU{form}")
    elif unit == "IU":
        notes.say(f"{source}, which is no fixed mass for it: unknown")
    elif unit != house:
        notes.say(f"{source}: converted to {house}")


def resolve(
    columns: Mapping[str, str], header: Sequence[str], notes: Notebook
) -> dict[str, Column]:
    """Find every mapped column.

    Parameters
    ----------
    columns : mapping of str to str
        House name to column name, which may end in ``[unit]``.
    header : sequence of str
        Clean column names of the file.
    notes : Notebook
        Receives conversions and units taken on trust.

    Returns
    -------
    dict of str to Column
        In the order of the map.

    Raises
    ------
    NotFoundError
        For a column that is not there, naming those that are.
    InputError
        For an unknown unit, or a name that several columns bear.
    """
    found = {key: _find(key, value, header) for key, value in columns.items()}
    counts = Counter(header)
    for column in found.values():
        if counts[column.header] > 1:
            raise InputError(
                f"{counts[column.header]} columns are called {column.header!r}",
                where="columns",
                hint="rename all but one of them in the file",
            )
    trusted = []
    for key, column in found.items():
        if key in NUTRIENTS:
            _tell(column, notes)
            if column.unit is None and key != "energy_kcal":
                trusted.append(f"{column.header!r} in {unit_of(key)}")
    if trusted:
        notes.say("no unit stated, taken to be the house's: " + ", ".join(trusted))
    return found
