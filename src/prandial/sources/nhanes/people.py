"""People of the survey: tables of any cycles to columns by house name.

Which raw variable stands behind a name is in ``people_variables.csv``. A table that a
cycle lacks leaves its measures missing and a note on the result. Rows are sorted by
cycle and respondent number, whatever the order in the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.records import MissingTable, PeopleTable, Prescriptions
from prandial.tables.rules import read_rules

__all__ = ["DOUBLE_RELEASE", "Tables", "read_people"]

#: the people of the first were released again, under new numbers, within the second
DOUBLE_RELEASE: Final = ("2017-2018", "2017-2020")
_DRUGS: Final = ("all-cycles", "RXQ_DRUG")
#: one row a drug: whether any is taken stands alike in each of a person's rows
_REPEATING: Final = frozenset({"RXQ_RX"})
_REASONS: Final = ("RXDRSC1", "RXDRSC2", "RXDRSC3")
#: Multum categories: up to four a drug, three levels each
_LEVELS: Final = tuple(tuple(f"RXDDCI{n}{level}" for level in "ABC") for n in (1, 2, 3, 4))
_BLANK: Final = frozenset({"", "NA", "."})
_Numbers = npt.NDArray[np.float64]
_Whole = npt.NDArray[np.int64]


class Named(Protocol):
    """Columns by name, such as a mapping."""

    def __contains__(self, name: object, /) -> bool:
        """Return whether the column is there."""

    def __getitem__(self, name: str, /) -> Any:
        """Return a column."""


class Tables(Protocol):
    """Reads survey tables by cycle and logical name."""

    def has(self, cycle: str, table: str) -> bool:
        """Return whether the table is at hand."""

    def read(
        self, cycle: str, table: str, columns: Sequence[str], optional: Sequence[str] = ()
    ) -> Named:
        """Return columns: numbers as float64 with NaN, text as a sequence of str."""


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    table: str
    raw: str
    missing: tuple[float, ...]
    recode: tuple[tuple[float, float], ...]
    factor: float
    offset: float

    def value(self, raw: _Numbers) -> _Numbers:
        """Return the house value of raw numbers: codes to NaN, recoded, converted."""
        out = np.where(np.isin(raw, self.missing), np.nan, raw)
        for code, value in self.recode:
            out[raw == code] = value
        if (self.factor, self.offset) == (1.0, 0.0):
            return out
        return self.offset + self.factor * out


def _variables(cycle: str) -> dict[str, list[_Variable]]:
    found: dict[str, list[_Variable]] = {}
    for row in read_rules("people_variables"):
        if cycle not in row["cycles"].split(";"):
            continue
        pairs = [p.split(":") for p in row["recode"].split(";") if p]
        variable = _Variable(
            name=row["name"],
            table=row["table"],
            raw=row["raw"],
            missing=tuple(float(c) for c in row["missing"].split(";") if c),
            recode=tuple((float(a), float(b)) for a, b in pairs),
            factor=float(row["factor"]),
            offset=float(row["offset"]),
        )
        found.setdefault(variable.table, []).append(variable)
    return found


def _names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(row["name"] for row in read_rules("people_variables")))


def _cycles() -> tuple[str, ...]:
    rows = read_rules("people_variables")
    return tuple(sorted({c for row in rows for c in row["cycles"].split(";")}))


def _asked(cycles: Iterable[str], *, keep_double_release: bool) -> list[str]:
    asked = sorted(set(cycles))
    known = _cycles()
    for cycle in asked:
        if cycle not in known:
            raise InputError(
                f"no survey cycle {cycle!r}", where="cycles", hint="known: " + ", ".join(known)
            )
    if not asked:
        raise InputError("no cycle was asked for", where="cycles", hint=", ".join(known))
    first, second = DOUBLE_RELEASE
    if first in asked and second in asked and not keep_double_release:
        asked.remove(first)
    return asked


def _people_of(tables: Tables, cycle: str) -> _Whole:
    if not tables.has(cycle, "DEMO"):
        raise MissingDataError(
            f"no table of people (DEMO) for {cycle}",
            where=cycle,
            hint=f"prandial data get nhanes --cycle {cycle}",
        )
    numbers = np.sort(_whole(tables.read(cycle, "DEMO", ["SEQN"])["SEQN"]))
    if len(np.unique(numbers)) != len(numbers):
        raise SchemaError(
            "a respondent occurs twice in DEMO", where=cycle, hint="get the file again"
        )
    return numbers


def _whole(numbers: Any) -> _Whole:
    return np.asarray(numbers, dtype=np.float64).astype(np.int64)


def _numbers(column: Any, where: str) -> _Numbers:
    """Return numbers; some mirrors keep them as text, with NA for what is missing."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "fiu":
        return column.astype(np.float64)
    try:
        return np.array(
            ["nan" if x is None or x in _BLANK else x for x in column], dtype=np.float64
        )
    except ValueError:
        raise SchemaError(
            "a column of numbers holds text", where=where, hint="get the file again"
        ) from None


def _fill(
    tables: Tables,
    cycle: str,
    seqn: _Whole,
    variables: list[_Variable],
    into: dict[str, _Numbers],
) -> list[str]:
    """Put a table's measures into columns; return the names of those it lacks."""
    raws = list(dict.fromkeys(v.raw for v in variables))
    data = tables.read(cycle, variables[0].table, ["SEQN"], optional=raws)
    numbers = _whole(data["SEQN"])
    at, first = np.unique(numbers, return_index=True)
    if len(at) != len(numbers) and variables[0].table not in _REPEATING:
        raise SchemaError(
            f"a respondent occurs twice in {variables[0].table}",
            where=cycle,
            hint=f"get it again: prandial data get nhanes --cycle {cycle}",
        )
    place = np.searchsorted(seqn, at)
    known = (place < len(seqn)) & (seqn[np.minimum(place, len(seqn) - 1)] == at)
    place, first = place[known], first[known]
    absent = []
    for variable in variables:
        if variable.raw not in data:
            absent.append(variable.name)
            continue
        raw = _numbers(data[variable.raw], f"{cycle} {variable.table} {variable.raw}")
        into[variable.name][place] = variable.value(raw)[first]
    return absent


def _one_cycle(
    tables: Tables, cycle: str
) -> tuple[_Whole, dict[str, _Numbers], list[MissingTable]]:
    seqn = _people_of(tables, cycle)
    values = {name: np.full(len(seqn), np.nan) for name in _names()}
    notes = []
    for table, variables in _variables(cycle).items():
        if tables.has(cycle, table):
            absent = _fill(tables, cycle, seqn, variables, values)
        else:
            absent = [v.name for v in variables]
        if absent:
            notes.append(MissingTable(cycle=cycle, table=table, measures=tuple(absent)))
    return seqn, values, notes


def _text(column: Any) -> list[str]:
    return [str(x).strip() if x is not None else "" for x in column]


def _classes(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Return the Multum classes of each drug code, such as ``57/58/60``."""
    columns = [c for levels in _LEVELS for c in levels]
    data = tables.read(*_DRUGS, ["RXDDRGID"], optional=columns)
    codes = _text(data["RXDDRGID"])
    found: list[list[str]] = [[] for _ in codes]
    for levels in _LEVELS:
        if any(c not in data for c in levels):
            continue
        parts = np.stack([np.asarray(data[c], dtype=np.float64) for c in levels], axis=1)
        for row in np.flatnonzero(~np.isnan(parts[:, 0])):
            known = parts[row][~np.isnan(parts[row])]
            found[row].append("/".join(f"{x:.0f}" for x in known))
    return {code: tuple(dict.fromkeys(row)) for code, row in zip(codes, found, strict=True)}


def _prescriptions_of(
    tables: Tables, cycle: str, classes: Mapping[str, tuple[str, ...]]
) -> list[tuple[int, str, str, float, tuple[str, ...], tuple[str, ...]]]:
    """Return the records of a cycle, sorted; days of 77777 and 99999 are not known."""
    data = tables.read(
        cycle, "RXQ_RX", ["SEQN", "RXDDRUG", "RXDDRGID", "RXDDAYS"], optional=_REASONS
    )
    seqn = _whole(data["SEQN"]).tolist()
    days = np.asarray(data["RXDDAYS"], dtype=np.float64)
    days = np.where(np.isin(days, (77777.0, 99999.0)), np.nan, days).tolist()
    reasons = [_text(data[c]) for c in _REASONS if c in data]
    why = (
        [tuple(filter(None, r)) for r in zip(*reasons, strict=True)]
        if reasons
        else [()] * len(seqn)
    )
    drugs, codes = _text(data["RXDDRUG"]), _text(data["RXDDRGID"])
    rows = zip(seqn, codes, drugs, days, [classes.get(c, ()) for c in codes], why, strict=True)
    known = [row for row in rows if row[1] or row[2]]
    return sorted(known, key=lambda r: (r[0], r[2], r[1], -1.0 if isnan(r[3]) else r[3], r[5]))


def _prescriptions(
    tables: Tables, cycles: list[str], notes: list[MissingTable]
) -> Prescriptions | None:
    at_hand = [c for c in cycles if tables.has(c, "RXQ_RX")]
    if not at_hand:
        return None
    if tables.has(*_DRUGS):
        classes = _classes(tables)
    else:
        classes = {}
        notes.append(
            MissingTable(cycle=_DRUGS[0], table=_DRUGS[1], measures=("opioid_prescription_days",))
        )
    rows, of = [], []
    for cycle in at_hand:
        found = _prescriptions_of(tables, cycle, classes)
        rows += found
        of += [cycle] * len(found)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    return Prescriptions(
        seqn=np.array(columns[0], dtype=np.int64),
        cycle=np.array(of, dtype="U9"),
        drug_code=tuple(columns[1]),
        drug=tuple(columns[2]),
        days=np.array(columns[3], dtype=np.float64),
        classes=tuple(columns[4]),
        reasons=tuple(columns[5]),
        identified=np.array([code in classes for code in columns[1]], dtype=bool),
    )


def read_people(
    tables: Tables, cycles: Iterable[str], *, keep_double_release: bool = False
) -> PeopleTable:
    """Read the people of survey cycles with their measures, answers and prescriptions.

    Parameters
    ----------
    tables : Tables
        Such as a folder of NHANES files.
    cycles : iterable of str
        Such as ``2017-2018``; ``2017-2020`` is the release of 2017 to March 2020.
    keep_double_release : bool, optional
        The people of 2017-2018 were released again within 2017-2020 under new numbers. When
        both are asked for, 2017-2018 is left out by default: the later release holds the
        same people, 6,306 more, and one set of weights for all. True keeps both, as NGQA
        did (95,872 records of 2003 to March 2020).

    Returns
    -------
    PeopleTable
        Sorted by cycle and respondent; what a cycle lacks is NaN, and noted.

    Raises
    ------
    InputError
        On a cycle that no variable is listed for.
    MissingDataError
        When a cycle has no DEMO table.
    SchemaError
        When DEMO names a respondent twice.
    """
    asked = _asked(cycles, keep_double_release=keep_double_release)
    parts = [_one_cycle(tables, cycle) for cycle in asked]
    notes = [note for _, _, found in parts for note in found]
    prescriptions = _prescriptions(tables, asked, notes)
    return PeopleTable(
        cycle=np.repeat(np.array(asked, dtype="U9"), [len(seqn) for seqn, _, _ in parts]),
        seqn=np.concatenate([seqn for seqn, _, _ in parts]),
        values={n: np.concatenate([v[n] for _, v, _ in parts]) for n in _names()},
        prescriptions=prescriptions,
        notes=tuple(notes),
    )
