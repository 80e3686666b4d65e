"""The virtual patients: read at run time from simglucose's files or a folder of one's own.

None of their numbers is kept here. Which columns are needed and which values admitted is
told by the table ``uva_parameters``.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError, MissingDataError, NotFoundError, SchemaError
from prandial.tables.rules import read_rules

__all__ = ["STATES", "UvaPatients", "load_uva_patients"]

Floats = NDArray[np.float64]

#: start values of the 13 states, in the order of the model
STATES: Final[tuple[str, ...]] = tuple(f"x0_{i:>2}" for i in range(1, 14))
_HINT: Final = "pip install --no-deps simglucose==0.2.11, or give a folder with its two files"
#: pmol in a unit of insulin
PMOL_PER_U: Final = 6000.0


@dataclass(frozen=True, kw_only=True, eq=False)
class UvaPatients:
    """Virtual patients as columns, one row a patient.

    Parameters
    ----------
    names : tuple of str
    columns : mapping of str to array
        Column of the table ``uva_parameters`` -> values, shape (n,), in its unit.
    """

    names: tuple[str, ...]
    columns: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, column: str) -> Floats:
        return self.columns[column]

    @property
    def cr_g_per_u(self) -> Floats:
        """Carbohydrate-to-insulin ratio of each patient."""
        return self["CR"]

    @property
    def cf_mg_dl_per_u(self) -> Floats:
        """Correction factor of each patient."""
        return self["CF"]

    @property
    def body_weight_kg(self) -> Floats:
        """Body weight of each patient."""
        return self["BW"]

    @property
    def basal_u_per_min(self) -> Floats:
        """Basal rate that keeps each patient's own start state, ``u2ss * BW / 6000``."""
        basal: Floats = self["u2ss"] * self["BW"] / PMOL_PER_U
        return basal

    @property
    def own_glucose_mg_dl(self) -> Floats:
        """Plasma glucose of each patient's own start state."""
        own: Floats = self[STATES[3]] / self["Vg"]
        return own

    def take(self, rows: Any) -> UvaPatients:
        """Return some rows, by slice, mask, or positions (which may repeat)."""
        places = np.atleast_1d(np.arange(len(self))[rows])
        return UvaPatients(
            names=tuple(self.names[i] for i in places),
            columns={name: values[places] for name, values in self.columns.items()},
        )

    def named(self, names: Sequence[str]) -> UvaPatients:
        """Return patients by name, in the order asked for.

        Raises
        ------
        NotFoundError
            When there is no such patient; the hint names those there are.
        """
        place = {name: i for i, name in enumerate(self.names)}
        unknown = [name for name in names if name not in place]
        if unknown:
            raise NotFoundError(
                f"no virtual patient {unknown[0]!r}",
                where="patients",
                hint="there are " + ", ".join(self.names),
            )
        return self.take(np.array([place[name] for name in names], dtype=np.intp))

    def distinct(self) -> tuple[UvaPatients, NDArray[np.intp]]:
        """Return each different patient once, and for every row its place among them."""
        table = np.column_stack([self.columns[name] for name in sorted(self.columns)])
        _, first, place = np.unique(table, axis=0, return_index=True, return_inverse=True)
        return self.take(first), place.reshape(-1)


def load_uva_patients(folder: str | Path | None = None) -> UvaPatients:
    """Read the virtual patients.

    Parameters
    ----------
    folder : str or Path, optional
        Folder with ``vpatient_params.csv`` and ``Quest.csv``; else the one of an installed
        simglucose, which is found and not imported.

    Returns
    -------
    UvaPatients
        In the order of ``vpatient_params.csv``.

    Raises
    ------
    MissingDataError
        When neither simglucose nor the files are there.
    SchemaError
        On a missing column, a patient listed twice or without a ratio, a cell that is no
        number or outside its bound; names file, row and column.
    """
    home = _installed() if folder is None else Path(folder)
    needed: dict[str, list[dict[str, str]]] = {}
    for rule in read_rules("uva_parameters"):
        needed.setdefault(rule["file"], []).append(rule)
    names: tuple[str, ...] = ()
    columns: dict[str, Floats] = {}
    for file, rules in needed.items():
        path = home / file
        cells = _read(path, [rule["column"] for rule in rules])
        names = names or tuple(cells)
        lacking = [name for name in names if name not in cells]
        if lacking:
            raise SchemaError(
                f"no row for patient {lacking[0]!r}", where=str(path), hint="add its row"
            )
        for rule in rules:
            columns[rule["column"]] = np.array(
                [_value(cells[name][rule["column"]], rule, path, name) for name in names]
            )
    return UvaPatients(names=names, columns=columns)


def _installed() -> Path:
    spec = find_spec("simglucose")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise MissingDataError(
            "the parameters of the UVA/Padova patients are not installed",
            where="simglucose",
            hint=_HINT,
        )
    return Path(places[0]) / "params"


def _read(path: Path, wanted: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the rows of a file by patient's name."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            header = tuple(reader.fieldnames or ())
            rows = list(reader)
    except FileNotFoundError:
        raise MissingDataError(f"no file {path.name}", where=str(path), hint=_HINT) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SchemaError(
            f"{path.name} cannot be read as CSV: {error}", where=str(path), hint=_HINT
        ) from None
    missing = [name for name in ("Name", *wanted) if name not in header]
    if missing:
        raise SchemaError(
            "missing columns: " + ", ".join(repr(name) for name in missing),
            where=str(path),
            hint="take the files of simglucose 0.2.11, or name the columns as they do",
        )
    if not rows:
        raise SchemaError("no patients", where=str(path), hint=_HINT)
    by_name: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, start=2):
        name = (row["Name"] or "").strip()
        if not name or name in by_name:
            what = f"patient {name!r} is listed twice" if name else "a patient without a name"
            raise SchemaError(what, where=f"{path}, line {number}", hint="one row a patient")
        by_name[name] = row
    return by_name


def _value(cell: str | None, rule: Mapping[str, str], path: Path, name: str) -> float:
    """Return a cell as a number within its bound."""
    where = f"{path}, patient {name!r}, column {rule['column']!r}"
    low, high = float(rule["low"]), float(rule["high"])
    try:
        value = float(cell or "")
    except ValueError:
        raise SchemaError(
            f"{rule['what']}: {cell!r} is no number", where=where, hint=f"unit: {rule['unit']}"
        ) from None
    if not low <= value <= high:
        raise SchemaError(
            f"{rule['what']}: {value:g} is outside {low:g} to {high:g} {rule['unit']}",
            where=where,
            hint=f"defined in {rule['source']}",
        )
    return value


def check_patients(patients: UvaPatients) -> None:
    """Refuse a simulation without patients."""
    if not len(patients):
        raise InputError("no virtual patients", where="patients", hint="give at least one")
