"""What foods hold by the food records of the recalls: means per 100 g, code by code.

The NGQA code takes a food's nutrients from the records themselves, not from the
composition table: for each code the mean, over all records of both days, of
nutrient / grams * 100. The same is done here in one query over the files as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.records import FoodMeans
from prandial.sources.nhanes.table import read_table
from prandial.tables.rules import read_rules

if TYPE_CHECKING:
    import duckdb

__all__ = ["RecallFile", "read_xpt_columns", "recall_files", "recall_means"]

#: reads some columns of a file that is not Parquet
ReadColumns = Callable[[Path, Sequence[str]], Mapping[str, Any]]
_FILE: Final = re.compile(r"(?:P_)?DR([12])IFF(?:_[A-Z])?(\.slim)?\.(parquet|xpt)", re.IGNORECASE)
#: sums are of whole millionths, so that no order of rows can change a digit
_STEPS: Final = 1e6


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallFile:
    """A file of individual food records: its cycle, recall day (1 or 2) and path."""

    cycle: str
    day: int
    path: Path


def _of_cycle(folder: Path) -> list[RecallFile]:
    """Return the best file of each day: whole before slim, Parquet before XPT."""
    found: dict[int, tuple[tuple[bool, bool, str], Path]] = {}
    for path in folder.iterdir():
        match = _FILE.fullmatch(path.name)
        if match is None or not path.is_file():
            continue
        day, rank = int(match[1]), (match[3].lower() != "parquet", bool(match[2]), path.name)
        if day not in found or rank < found[day][0]:
            found[day] = rank, path
    return [RecallFile(cycle=folder.name, day=d, path=found[d][1]) for d in sorted(found)]


def recall_files(nhanes: Path, cycles: Iterable[str] | None = None) -> tuple[RecallFile, ...]:
    """Return the files of food records in a folder of cycles.

    Parameters
    ----------
    nhanes : Path
        Holds one folder a cycle (``2017-2018``) with ``DR1IFF_J`` and ``DR2IFF_J``, Parquet
        (``.slim`` too) or XPT.
    cycles : iterable of str, optional
        All that have food records when None.

    Returns
    -------
    tuple of RecallFile
        By cycle and day. A day may be absent: the 2017-2020 release is often had with
        day 2 alone.

    Raises
    ------
    MissingDataError
        When the folder, or a named cycle, holds no food records.
    """
    if not nhanes.is_dir():
        raise MissingDataError(
            "no folder of NHANES files", where=str(nhanes), hint="prandial data get nhanes"
        )
    names = sorted(p.name for p in nhanes.iterdir() if p.is_dir()) if cycles is None else cycles
    out: list[RecallFile] = []
    for cycle in sorted(set(names)):
        files = _of_cycle(nhanes / cycle) if (nhanes / cycle).is_dir() else []
        if not files and cycles is not None:
            raise MissingDataError(
                f"no food records of {cycle}",
                where=str(nhanes / cycle),
                hint=f"prandial data get nhanes --cycle {cycle}",
            )
        out += files
    if not out:
        raise MissingDataError(
            "no food records (DR1IFF, DR2IFF) in any cycle",
            where=str(nhanes),
            hint="prandial data get nhanes --cycle 2017-2018",
        )
    return tuple(out)


def read_xpt_columns(path: Path, names: Sequence[str]) -> Mapping[str, Any]:
    """Read those of some columns that a transport file has.

    Raises
    ------
    MissingDataError
        When the reader of such files is not installed.
    SchemaError
        When the file is no transport file.
    """
    return read_table(path, (), optional=names).values


def _relation(
    con: duckdb.DuckDBPyConnection, number: int, file: RecallFile, read: ReadColumns
) -> tuple[str, set[str]]:
    """Return a file as something to select from, and its columns."""
    import duckdb

    if file.path.suffix.lower() == ".parquet":
        source = "'{}'".format(str(file.path).replace("'", "''"))
        try:
            rows = con.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()  # noqa: S608
        except duckdb.Error as err:
            raise SchemaError(
                f"not a readable Parquet file: {str(err).splitlines()[0]}",
                where=str(file.path),
                hint="download it again: prandial data get nhanes",
            ) from None
        return source, {r[0] for r in rows}
    wanted = [f"DR{file.day}I{n}" for n in ("FDCD", "GRMS", *_variables().values())]
    columns = read(file.path, wanted)
    con.register(
        f"recalls_{number}", {n: np.array(v, dtype=np.float64) for n, v in columns.items()}
    )
    return f"recalls_{number}", set(columns)


def _variables() -> dict[str, str]:
    """Tag nutrient -> ending of its variable (``CARB`` of DR1ICARB)."""
    return {r["nutrient"]: r["recall"] for r in read_rules("food_tags")}


def _select(file: RecallFile, source: str, columns: set[str]) -> str:
    """Return the query of code, grams and millionths per 100 g; what a cycle lacks is missing."""
    stem = f"DR{file.day}I"
    lacking = [f"{stem}{n}" for n in ("FDCD", "GRMS") if f"{stem}{n}" not in columns]
    if lacking:
        raise SchemaError(
            f"no column {lacking[0]}",
            where=str(file.path),
            hint=f"individual foods of day {file.day} have it; is the file another table?",
        )
    ratios = ", ".join(
        (
            f"CAST(round(CASE WHEN isfinite({stem}{v}) THEN {stem}{v} / grams * 100 * {_STEPS} END)"
            f' AS BIGINT) AS "{n}"'
            if f"{stem}{v}" in columns
            else f'CAST(NULL AS BIGINT) AS "{n}"'
        )
        for n, v in _variables().items()
    )
    weighed = f"isfinite({stem}GRMS) AND {stem}GRMS > 0"
    return (
        f"SELECT CAST({stem}FDCD AS BIGINT) AS code, grams, {ratios} FROM"  # noqa: S608
        f" (SELECT *, CASE WHEN {weighed} THEN {stem}GRMS END AS grams FROM {source})"
        f" WHERE isfinite({stem}FDCD)"
    )


def _column(value: Any) -> npt.NDArray[np.float64]:
    return np.asarray(np.ma.filled(np.ma.asarray(value, dtype=np.float64), np.nan))


def recall_means(
    nhanes: Path, cycles: Iterable[str] | None = None, *, read: ReadColumns | None = None
) -> FoodMeans:
    """Return the mean nutrients per 100 g of each food code eaten in the recalls.

    Parameters
    ----------
    nhanes : Path
        Folder of cycles, as :func:`recall_files` reads it.
    cycles : iterable of str, optional
        All that have food records when None. The 2017-2020 release repeats the people of
        2017-2018; the published means count both.
    read : callable, optional
        Reads named columns of a file that is not Parquet; by default XPT by pyreadstat.

    Returns
    -------
    FoodMeans
        Sorted by code. A mean is over the records with grams above 0 that state the
        nutrient; NaN where no record does. ``records`` counts those with grams.

    Raises
    ------
    MissingDataError
        When files, or the reader of XPT, are absent.
    SchemaError
        When a file is damaged or lacks codes or grams.
    NotFoundError
        When the files hold no record.

    Notes
    -----
    Each record's nutrient / grams * 100 is rounded to a millionth of the unit and the
    millionths are summed as whole numbers, so that neither the order of rows nor the
    number of threads changes a bit. A mean is so at most half a millionth off, far below
    the three decimals of the records. Source of the rule: NGQA paper, arXiv 2412.15547,
    appendix B.3, and its code.
    """
    import duckdb

    names = list(_variables())
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        parts = [
            _select(file, *_relation(con, i, file, read or read_xpt_columns))
            for i, file in enumerate(recall_files(nhanes, cycles))
        ]
        means = ", ".join(
            f'CAST(sum("{n}") AS DOUBLE) / count("{n}") / {_STEPS} AS "{n}"' for n in names
        )
        try:
            columns = con.execute(
                f"SELECT code, count(grams) AS records, {means}"  # noqa: S608
                f" FROM ({' UNION ALL '.join(parts)}) GROUP BY code ORDER BY code"
            ).fetchnumpy()
        except duckdb.Error as err:
            raise SchemaError(
                f"food records that cannot be counted: {str(err).splitlines()[0]}",
                where=str(nhanes),
                hint="codes, grams and nutrients are numbers; is a file another table?",
            ) from None
    if not len(columns["code"]):
        raise NotFoundError("no food record in the files", where=str(nhanes))
    return FoodMeans(
        code=np.asarray(columns["code"], dtype=np.int64),
        records=np.asarray(columns["records"], dtype=np.int64),
        per_100g={n: _column(columns[n]) for n in names},
    )
