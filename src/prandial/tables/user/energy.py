"""Energy without a unit: kcal or kJ, told by what the food is made of.

The general Atwater factors (Merrill and Watt, USDA Handbook 74, 1973) give the
energy of a food in kcal within a few per cent; a value about 4.184 times as
large is the same energy in kJ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from prandial.nutrients import NUTRIENTS, atwater_energy_kcal
from prandial.units import KJ_PER_KCAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prandial.tables.user.notes import Notebook
    from prandial.tables.user.rows import Row

__all__ = ["settle_energy"]

_KEYS: Final = list(NUTRIENTS)
_C, _P, _F, _A, _E = (
    _KEYS.index(k) for k in ("carb_g", "protein_g", "fat_g", "alcohol_g", "energy_kcal")
)
#: how near a ratio must be to 1 (kcal) or 4.184 (kJ)
_NEAR: Final = 0.12
#: foods with less energy than this tell nothing, kcal per 100 g
_LEAST_KCAL: Final = 20.0


def _ratio(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return energy over 4 C + 4 P + 9 F + 7 alcohol; NaN where that tells nothing."""
    alcohol = np.nan_to_num(values[:, _A], nan=0.0)
    atwater = atwater_energy_kcal(
        carb_g=values[:, _C], protein_g=values[:, _P], fat_g=values[:, _F], alcohol_g=alcohol
    )
    known = np.where(atwater >= _LEAST_KCAL, atwater, np.nan)
    return np.asarray(values[:, _E] / known, dtype=np.float64)


def _near(ratio: npt.NDArray[np.float64], factor: float) -> npt.NDArray[np.bool_]:
    return np.abs(ratio / factor - 1.0) <= _NEAR


def _places(mask: npt.NDArray[np.bool_]) -> list[int]:
    return [int(i) for i in np.flatnonzero(mask)]


def _convert(
    rows: Sequence[Row], values: npt.NDArray[np.float64], kj: npt.NDArray[np.bool_]
) -> None:
    for i in _places(kj):
        values[i, _E] /= KJ_PER_KCAL
        rows[i].values[_E] = values[i, _E]


def settle_energy(
    rows: Sequence[Row], values: npt.NDArray[np.float64], *, column: str, notes: Notebook
) -> None:
    """Turn energy that is in kJ, though nothing says so, into kcal.

    The column is in kJ when most foods that can be checked are within 12 % of
    4.184 times their Atwater energy; a food that fits kcal within 12 % is then
    left alone. In a column of kcal, a single food that fits kJ is converted
    only when its alcohol is known, because alcohol left out of the sum raises
    the ratio of a drink in the same way.

    Parameters
    ----------
    rows : sequence of Row
    values : ndarray of float64, shape (rows, nutrients)
        Per 100 g; its energy is changed in place.
    column : str
        Name of the energy column in the file.
    notes : Notebook
    """
    unstated = np.array([not r.energy_stated for r in rows], dtype=np.bool_)
    ratio = _ratio(values)
    kj, kcal = _near(ratio, KJ_PER_KCAL), _near(ratio, 1.0)
    for i in _places(~unstated & kj):
        place = f"line {rows[i].line}"
        notes.count(f"foods whose energy in column {column!r} fits kJ against its unit", place)
    asked = unstated & np.isfinite(values[:, _E])
    if not asked.any():
        return
    checked = asked & np.isfinite(ratio)
    n = int(checked.sum())
    if n == 0:
        notes.say(f"column {column!r} has no unit and no food to check it by: taken to be kcal")
    elif int((kj & checked).sum()) * 2 > n:
        _convert(rows, values, asked & ~kcal)
        typical = float(np.median(ratio[checked]))
        notes.say(
            f"column {column!r} has no unit and is {typical:.2f} times 4 C + 4 P + 9 F + 7 alcohol "
            f"(middle of {n} foods): read as kJ and converted to kcal"
        )
        for i in _places(checked & kcal):
            notes.count(f"foods left in kcal in column {column!r}", f"line {rows[i].line}")
    else:
        lone = checked & kj & np.isfinite(values[:, _A])
        typical = float(np.median(ratio[checked]))
        notes.say(
            f"column {column!r} has no unit and is {typical:.2f} times 4 C + 4 P + 9 F + 7 alcohol "
            f"(middle of {n} foods): taken to be kcal"
        )
        for i in _places(lone):
            place = f"line {rows[i].line}: {values[i, _E]:g} kJ"
            notes.count(f"foods of column {column!r} read as kJ and converted to kcal", place)
        _convert(rows, values, lone)
        for i in _places(checked & kj & ~lone):
            place = f"line {rows[i].line}"
            notes.count(f"foods of column {column!r} that might be kJ, left as kcal", place)
