"""Read a user's food table: the one way in from a file to foods per 100 g."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.nutrients import NUTRIENTS, unit_of
from prandial.tables.user.columns import Column, check_map, hoped_for, resolve
from prandial.tables.user.energy import settle_energy
from prandial.tables.user.notes import Notebook
from prandial.tables.user.rawtable import read_raw
from prandial.tables.user.rows import Row, read_rows
from prandial.tables.user.table import Problem, UserTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

__all__ = ["Basis", "Carbohydrate", "read_user_table"]

#: what the file's values are per
Basis = Literal["100g", "100ml", "serving"]
#: whether the file's carbohydrate includes fibre
Carbohydrate = Literal["total", "available"]

_KEYS: Final = list(NUTRIENTS)
_PARTS: Final = ("protein_g", "carb_g", "fat_g", "water_g", "alcohol_g")
_PART_COLUMNS: Final = [_KEYS.index(k) for k in _PARTS]
_PER_G: Final = {"g": 1.0, "mg": 1e3, "µg": 1e6}
#: the most of each nutrient 100 g can hold; fat, the densest, has about 900 kcal
_MOST: Final = np.array([950.0 if k == "energy_kcal" else 100 * _PER_G[unit_of(k)] for k in _KEYS])
#: the most main parts of 100 g may weigh together, g; 5 g for rounding and analysis
_MOST_PARTS_G: Final = 105.0
#: slack for values that were scaled to 100 g
_ROUNDING: Final = 1e-6


def _one_of(value: str, allowed: Sequence[str], where: str) -> None:
    if value not in allowed:
        raise InputError(
            f"{where} cannot be {value!r}", where=where, hint="one of: " + ", ".join(allowed)
        )


def _check_basis(basis: str, columns: Mapping[str, str], density_g_per_ml: float | None) -> None:
    _one_of(basis, get_args(Basis), "basis")
    if basis == "serving" and "serving_g" not in columns:
        raise InputError(
            "basis 'serving' needs the grams of a serving",
            where="columns",
            hint="map serving_g to the column that holds them",
        )
    if density_g_per_ml is None:
        return
    if basis != "100ml":
        raise InputError(
            f"a density means nothing with basis {basis!r}",
            where="density_g_per_ml",
            hint="leave it out, or give basis '100ml'",
        )
    if not (math.isfinite(density_g_per_ml) and density_g_per_ml > 0):
        raise InputError(
            f"no density: {density_g_per_ml}", where="density_g_per_ml", hint="water has 1.0"
        )


def _problem(row: Row, column: str, value: str, reason: str) -> Problem:
    return Problem(line=row.line, column=column, value=value, reason=reason)


def _per_100g(
    rows: list[Row],
    found: dict[str, Column],
    basis: str,
    density_g_per_ml: float | None,
    notes: Notebook,
) -> tuple[list[Row], list[Problem]]:
    """Scale every row to 100 g; a row without its serving's weight is a problem."""
    kept, problems = [], []
    if basis == "100ml":
        if density_g_per_ml is None:
            notes.say("values are per 100 ml and no density was given: 1 g = 1 ml assumed")
        else:
            notes.say(f"values per 100 ml divided by {density_g_per_ml:g} g/ml")
    elif basis == "serving":
        notes.say("values per serving divided by the serving's grams and multiplied by 100")
    for row in rows:
        if basis == "serving":
            if math.isnan(row.serving_g):
                column, cell = found["serving_g"].header, row.cells["serving_g"]
                problems.append(_problem(row, column, cell, "is no weight of a serving"))
                continue
            row.values *= 100.0 / row.serving_g
        elif basis == "100ml":
            row.values /= density_g_per_ml or 1.0
        kept.append(row)
    return kept, problems


def _add_fibre(rows: list[Row], notes: Notebook) -> None:
    """Make available carbohydrate total: plus fibre, unknown where fibre is."""
    carb, fibre = _KEYS.index("carb_g"), _KEYS.index("fiber_g")
    lost = 0
    for row in rows:
        lost += not math.isnan(row.values[carb]) and math.isnan(row.values[fibre])
        row.values[carb] += row.values[fibre]
    notes.say("carbohydrate is available: fibre was added to make it total")
    if lost:
        notes.say(f"fibre is unknown for {lost} foods: their total carbohydrate is unknown")


def _implausible(row: Row, found: dict[str, Column]) -> list[Problem]:
    """Return why 100 g of a food cannot hold what the row says."""
    out = []
    for k in np.flatnonzero(row.values > _MOST * (1 + _ROUNDING)):
        key = _KEYS[k]
        value, unit = float(row.values[k]), unit_of(key)
        limit = "more than pure fat has" if unit == "kcal" else "more than 100 g"
        reason = f"comes to {value:.6g} {unit} in 100 g, {limit}"
        out.append(_problem(row, found[key].header, row.cells[key], reason))
    parts = row.values[_PART_COLUMNS]
    total = float(np.nansum(parts))
    if not out and total > _MOST_PARTS_G:
        listed = " + ".join(
            f"{k} {v:g}" for k, v in zip(_PARTS, parts, strict=True) if not math.isnan(v)
        )
        reason = f"protein, carbohydrate, fat, water and alcohol come to {total:.4g} g in 100 g"
        out.append(_problem(row, "(row)", listed, reason))
    return out


def _sift(rows: list[Row], found: dict[str, Column]) -> tuple[list[Row], list[Problem]]:
    """Leave out what is implausible, and a later row with an id already kept."""
    kept: list[Row] = []
    problems: list[Problem] = []
    first: dict[str, int] = {}
    for row in rows:
        bad = _implausible(row, found)
        if row.id in first:
            column = found["id"].header
            bad.append(_problem(row, column, row.id, f"is already the id of line {first[row.id]}"))
        problems += bad
        if not bad:
            first[row.id] = row.line
            kept.append(row)
    return kept, problems


def _stack(rows: Sequence[Row]) -> npt.NDArray[np.float64]:
    return np.array([r.values for r in rows], dtype=np.float64).reshape(len(rows), len(_KEYS))


def _measures(rows: Sequence[Row]) -> tuple[tuple[int, str, float], ...]:
    """Return all measures; a serving's weight is the measure ``1 serving``."""
    out = []
    for i, row in enumerate(rows):
        named = list(row.measures)
        if not math.isnan(row.serving_g) and not any("serving" in n.casefold() for n, _ in named):
            named.append(("1 serving", row.serving_g))
        out += [(i, name, grams) for name, grams in named]
    return tuple(out)


def read_user_table(
    path: str | PathLike[str],
    *,
    columns: Mapping[str, str],
    name: str,
    basis: Basis = "100g",
    carbohydrate: Carbohydrate = "total",
    density_g_per_ml: float | None = None,
) -> UserTable:
    """Read a food table of the user's own.

    A row that cannot be used is left out and named in ``problems`` with its
    line, column, value and reason; all others are kept. Whatever was assumed,
    repaired or converted is in ``notes``.

    Parameters
    ----------
    path : path-like
        A CSV, TSV or Parquet file with a heading line.
    columns : mapping of str to str
        House name to column name: ``name``, at least one of
        :data:`prandial.nutrients.NUTRIENTS`, and if wanted ``id``,
        ``alt_names``, ``category``, ``measures`` (cells such as
        ``1 cup=240; 1 slice=30``, in grams) and ``serving_g``. A column may be
        followed by its unit: ``Sodium[g]``.
    name : str
        The table's name.
    basis : {"100g", "100ml", "serving"}
        What the file's values are per.
    carbohydrate : {"total", "available"}
        ``available`` carbohydrate leaves out fibre; fibre is added to it.
    density_g_per_ml : float, optional
        For ``100ml``, g/ml; 1 when not given, with a note.

    Returns
    -------
    UserTable
        Values per 100 g in house units.

    Raises
    ------
    InputError
        For a map, unit or option that cannot be used, or a file not readable.
    NotFoundError
        For a file or column that is not there.
    SchemaError
        For a file that is no table; the message says what it looks like.
    """
    check_map(columns)
    _check_basis(basis, columns, density_g_per_ml)
    _one_of(carbohydrate, get_args(Carbohydrate), "carbohydrate")
    notes = Notebook()
    raw = read_raw(Path(path), hoped_for(columns), notes)
    found = resolve(columns, raw.header, notes)
    rows, bad_cells = read_rows(raw, found, notes)
    rows, no_serving = _per_100g(rows, found, basis, density_g_per_ml, notes)
    if "energy_kcal" in found:
        settle_energy(rows, _stack(rows), column=found["energy_kcal"].header, notes=notes)
    if carbohydrate == "available" and "carb_g" in found:
        _add_fibre(rows, notes)
    kept, implausible = _sift(rows, found)
    per_100g = _stack(kept).astype(np.float32)
    per_100g.setflags(write=False)
    problems = [*raw.problems, *bad_cells, *no_serving, *implausible]
    return UserTable(
        name=name,
        ids=tuple(r.id for r in kept),
        names=tuple(r.name for r in kept),
        alt_names=tuple(r.alt_names for r in kept),
        categories=tuple(r.category for r in kept),
        nutrient_keys=tuple(_KEYS),
        per_100g=per_100g,
        measures=_measures(kept),
        rows_read=raw.rows_read,
        rows_kept=len(kept),
        problems=tuple(sorted(problems, key=lambda p: p.line)),
        notes=notes.lines(),
    )
