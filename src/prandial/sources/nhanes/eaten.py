"""Food records of the recalls (DR1IFF, DR2IFF) as they stand: who ate what, when, how much.

The files of a cycle differ in form (Parquet, whole or a choice of columns; SAS transport) and
in columns; what identifies a record, its food and its grams must be there, the rest may lack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import SchemaError
from prandial.records.recalled import FoodRecords
from prandial.sources.nhanes.columns import Columns
from prandial.sources.nhanes.recalls import RecallFile, recall_files
from prandial.sources.nhanes.table import read_table
from prandial.tables.rules import read_rules

__all__ = ["food_records", "read_food_records"]

#: house name -> ending of the variable of the nutrient (``CARB`` of DR1ICARB)
_STATED: Final = {
    "energy_kcal": "KCAL",
    "protein_g": "PROT",
    "carb_g": "CARB",
    "fat_g": "TFAT",
}
_DAY_MINUTES: Final = 24 * 60
_Numbers = npt.NDArray[np.float64]


def _needed(day: int) -> list[str]:
    return ["SEQN", *(f"DR{day}{n}" for n in ("ILINE", "_030Z", "IFDCD", "IGRMS"))]


def _maybe(day: int) -> list[str]:
    return [f"DR{day}{n}" for n in ("_020", "DRSTZ", *(f"I{v}" for v in _STATED.values()))]


def _whole(columns: Columns, name: str) -> npt.NDArray[np.int64]:
    numbers = columns.numbers(name)
    odd = ~np.isfinite(numbers) | (numbers != np.round(numbers))
    if odd.any():
        raise SchemaError(
            f"{int(odd.sum())} records without a whole number in {name}",
            where=f"{columns.path}, first in record {int(np.flatnonzero(odd)[0]) + 1}",
            hint="get the file again: prandial data get nhanes",
        )
    return numbers.astype(np.int64)


def _minute(seconds: _Numbers) -> _Numbers:
    """Return whole minutes of the day of seconds from midnight; NaN for what is no such time."""
    minute = np.floor(seconds / 60)
    with np.errstate(invalid="ignore"):
        return np.where((minute >= 0) & (minute < _DAY_MINUTES), minute, np.nan)


def _unknown(n: int) -> _Numbers:
    return np.full(n, np.nan)


def _check_people(file: RecallFile, person: npt.NDArray[np.int64]) -> None:
    """Refuse a file of another cycle: each cycle numbers its people on from the one before."""
    spans = {
        r["cycle"]: (int(r["first_seqn"]), int(r["last_seqn"]))
        for r in read_rules("nhanes_cycles")
        if r["first_seqn"] and r["last_seqn"]
    }
    if file.cycle not in spans or not len(person):
        return

    def inside(span: tuple[int, int]) -> bool:
        return bool(span[0] <= person.min() and person.max() <= span[1])

    others = [cycle for cycle, span in spans.items() if inside(span)]
    if others and not inside(spans[file.cycle]):
        raise SchemaError(
            f"people of {others[0]}, in the folder of {file.cycle}",
            where=f"{file.path}, SEQN {person.min()} to {person.max()}",
            hint="put each cycle's files into its own folder: prandial data get nhanes",
        )


def read_food_records(files: Sequence[RecallFile]) -> FoodRecords:
    """Read the files of one cycle.

    Parameters
    ----------
    files : sequence of RecallFile
        Of one cycle, one a day.

    Returns
    -------
    FoodRecords
        In the order of the files.

    Raises
    ------
    SchemaError
        When a file is damaged, lacks a column, numbers a record without whole numbers, or is of
        another cycle than its folder.
    MissingDataError
        When the reader of transport files is absent.
    """
    parts: list[FoodRecords] = []
    for file in files:
        day = file.day
        columns = read_table(file.path, _needed(day), optional=_maybe(day))
        n = len(columns)

        def told(name: str, columns: Columns = columns, n: int = n) -> _Numbers:
            return columns.numbers(name) if name in columns else _unknown(n)

        person = _whole(columns, "SEQN")
        _check_people(file, person)
        parts.append(
            FoodRecords(
                cycle=file.cycle,
                person=person,
                day=np.full(n, day, dtype=np.int64),
                line=_whole(columns, f"DR{day}ILINE"),
                minute=_minute(told(f"DR{day}_020")),
                occasion=told(f"DR{day}_030Z"),
                code=told(f"DR{day}IFDCD"),
                grams=told(f"DR{day}IGRMS"),
                status=told(f"DR{day}DRSTZ"),
                stated={k: told(f"DR{day}I{v}") for k, v in _STATED.items()},
            )
        )
    return _joined(parts)


def _joined(parts: Sequence[FoodRecords]) -> FoodRecords:
    if len(parts) == 1:
        return parts[0]
    return FoodRecords(
        cycle=parts[0].cycle,
        person=np.concatenate([p.person for p in parts]),
        day=np.concatenate([p.day for p in parts]),
        line=np.concatenate([p.line for p in parts]),
        minute=np.concatenate([p.minute for p in parts]),
        occasion=np.concatenate([p.occasion for p in parts]),
        code=np.concatenate([p.code for p in parts]),
        grams=np.concatenate([p.grams for p in parts]),
        status=np.concatenate([p.status for p in parts]),
        stated={k: np.concatenate([p.stated[k] for p in parts]) for k in _STATED},
    )


def food_records(nhanes: Path, cycles: Iterable[str] | None = None) -> Iterator[FoodRecords]:
    """Return the food records of a folder of cycles, one cycle at a time.

    Parameters
    ----------
    nhanes : Path
        Folder of cycles, as :func:`recall_files` reads it.
    cycles : iterable of str, optional
        All that have food records when None.

    Yields
    ------
    FoodRecords
        By cycle.

    Raises
    ------
    MissingDataError, SchemaError
        As :func:`recall_files` and :func:`read_food_records`.
    """
    for _, files in groupby(recall_files(nhanes, cycles), key=lambda f: f.cycle):
        yield read_food_records(list(files))
