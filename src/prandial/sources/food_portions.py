"""Household measures of FNDDS foods: what each is called and what it weighs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

from prandial.errors import MissingDataError, SchemaError
from prandial.sources import workbooks
from prandial.sources.food_files import chosen_files, find_food_file
from prandial.sources.parquet import ask

__all__ = ["read_food_portions"]

_GET: Final = "prandial data get fndds"


def read_food_portions(folder: Path, release: str) -> dict[int, tuple[tuple[str, float], ...]]:
    """Read the measures of a release, from Parquet or USDA's workbook.

    Parameters
    ----------
    folder : Path
        Folder of releases.
    release : str
        Such as ``2017-2018``.

    Returns
    -------
    dict
        Food code to measures in the order of the file, each its name and grams above 0; those
        without a weight (USDA leaves some of "Quantity not specified" empty) are not in it.

    Raises
    ------
    NotFoundError
        When there is no such release.
    MissingDataError
        When its portions are not in the folder, or openpyxl is absent.
    SchemaError
        When the file is damaged, lacks a column or holds a weight that is no number.
    """
    wanted = [f for f in chosen_files([release]) if (f.cycle, f.table) == (release, "portions")]
    path = find_food_file([folder], wanted[0]) if wanted else None
    if path is None:
        names = " or ".join(n for f in wanted for n in (f.parquet, f.workbook))
        raise MissingDataError(
            f"no portions of FNDDS {release}",
            where=str(folder),
            hint=f"{_GET}" + (f", or name the folder that holds {names}" if names else ""),
        )
    if path.suffix.lower() == ".parquet":
        rows = ask(path, "food_code, description, grams", hint=f"get it again: {_GET}")
    else:
        rows = workbooks.read_workbook(path, workbooks.PORTIONS)
    out: dict[int, list[tuple[str, float]]] = {}
    for code, name, grams in rows:
        weight = _weight(grams, path, code)
        if weight > 0 and name:
            out.setdefault(int(code), []).append((" ".join(str(name).split()), weight))
    return {code: tuple(found) for code, found in out.items()}


def _weight(cell: Any, path: Path, code: Any) -> float:
    """Return grams; 0 where there are none."""
    if cell is None or cell == "":
        return 0.0
    try:
        weight = float(cell)
    except (TypeError, ValueError):
        weight = math.nan
    if not math.isfinite(weight) or weight < 0:
        raise SchemaError(
            f"a weight that is no number of grams: {cell!r}",
            where=f"{path}, food {code}",
            hint=f"get it again: {_GET}",
        )
    return weight
