"""The registry: which NHANES files exist, where CDC keeps them and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from prandial.errors import NotFoundError
from prandial.tables.rules import read_rules

__all__ = ["ALL_CYCLES", "Cycle", "NhanesFile", "find_file", "list_files", "load_cycles"]

#: folder and cycle name of the tables that belong to no single cycle
ALL_CYCLES: Final = "all-cycles"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cycle:
    """One release of the survey."""

    cycle: str
    title: str
    #: suffix letter of file names, empty for the ``P_`` release
    letter: str
    prefix: str
    first_seqn: int
    last_seqn: int
    respondents: int
    #: cycle whose people are released again within this one, under new numbers
    contains: str
    note: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NhanesFile:
    """One published file; None and ``""`` are unknown."""

    cycle: str
    #: the same in every cycle, such as ``GHB`` for both ``L10_C`` and ``P_GHB``
    table: str
    #: CDC's file name without ending
    file: str
    #: address of the SAS transport file, empty when CDC offers none
    url: str
    rows: int | None
    columns: int | None
    #: bytes and digest of the original transport file
    bytes: int | None
    sha256: str
    note: str
    source: str


@cache
def load_cycles() -> dict[str, Cycle]:
    """Return the cycles by name, oldest first."""
    return {
        r["cycle"]: Cycle(
            cycle=r["cycle"],
            title=r["title"],
            letter=r["letter"],
            prefix=r["prefix"],
            first_seqn=int(r["first_seqn"]),
            last_seqn=int(r["last_seqn"]),
            respondents=int(r["respondents"]),
            contains=r["contains"],
            note=r["note"],
            source=r["source"],
        )
        for r in read_rules("nhanes_cycles")
    }


def _number(cell: str) -> int | None:
    return int(cell) if cell else None


@cache
def _files() -> dict[tuple[str, str], NhanesFile]:
    return {
        (r["cycle"], r["table"]): NhanesFile(
            cycle=r["cycle"],
            table=r["table"],
            file=r["file"],
            url=r["url"],
            rows=_number(r["rows"]),
            columns=_number(r["columns"]),
            bytes=_number(r["bytes"]),
            sha256=r["sha256"],
            note=r["note"],
            source=r["source"],
        )
        for r in read_rules("nhanes_files")
    }


def _check_cycle(cycle: str) -> None:
    known = [*load_cycles(), ALL_CYCLES]
    if cycle not in known:
        raise NotFoundError(
            f"no NHANES cycle {cycle!r}", where="cycle", hint="cycles: " + ", ".join(known)
        )


def list_files(cycle: str) -> tuple[NhanesFile, ...]:
    """Return the files of a cycle, by table; those of no single cycle are ``all-cycles``.

    Raises
    ------
    NotFoundError
        Naming the cycles there are.
    """
    _check_cycle(cycle)
    return tuple(f for f in _files().values() if f.cycle == cycle)


def find_file(cycle: str, table: str) -> NhanesFile:
    """Return one file by cycle and table.

    Parameters
    ----------
    cycle : str
        Such as ``2017-2018``.
    table : str
        Such as ``BPX``, in any case; a file name of that cycle (``BPX_J``) does too.
        A table of no single cycle (``RXQ_DRUG``) is found under every cycle.

    Raises
    ------
    NotFoundError
        Naming the cycles there are, those that have the table, or the nearest tables.
    """
    _check_cycle(cycle)
    name = table.upper()
    for where in (cycle, ALL_CYCLES):
        if (where, name) in _files():
            return _files()[where, name]
    for entry in _files().values():
        if entry.cycle in (cycle, ALL_CYCLES) and entry.file.upper() == name:
            return entry
    elsewhere = [c for c, t in _files() if t == name]
    near = get_close_matches(name, [f.table for f in list_files(cycle)], 3)
    hints = ["cycles that have it: " + ", ".join(elsewhere)] if elsewhere else []
    hints += ["nearest here: " + ", ".join(near)] if near else []
    raise NotFoundError(
        f"NHANES {cycle} has no table {table!r}",
        where="table",
        hint="; ".join(hints) or "tables: " + ", ".join(f.table for f in list_files(cycle)),
    )
