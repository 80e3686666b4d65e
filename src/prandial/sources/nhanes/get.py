"""Get NHANES files: from CDC, from a mirror or from a folder; verified, resumed, in parallel."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from prandial.errors import InputError, NotFoundError
from prandial.sources.fetch import (
    Wanted,
    check_target,
    get_files,
)
from prandial.sources.home import data_home
from prandial.sources.nhanes.folder import FORMS, find_form, form_of
from prandial.sources.nhanes.mirror import FolderMirror, Official, target_name, the_source
from prandial.sources.nhanes.registry import ALL_CYCLES, NhanesFile, find_file, list_files
from prandial.sources.nhanes.verify import verify_file
from prandial.sources.report import GetReport, Progress
from prandial.sources.web import Web

__all__ = ["get_nhanes", "nhanes_home"]

_MOST_JOBS: Final = 32


def nhanes_home() -> Path:
    """Return the folder where fetched NHANES files are kept; it may not exist yet.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    return data_home(os.environ) / "nhanes"


def _wanted(
    cycles: Sequence[str], tables: Sequence[str] | None, source: object
) -> list[Wanted[NhanesFile]]:
    """Return the files asked for, each once, by cycle and table."""
    found: dict[tuple[str, str], Wanted[NhanesFile]] = {}
    if tables is None:
        for cycle in dict.fromkeys([*cycles, ALL_CYCLES]):
            for entry in list_files(cycle):
                if entry.url or not isinstance(source, Official):
                    found[entry.cycle, entry.table] = Wanted(entry=entry, named=False)
        return list(found.values())
    for table in tables:
        last: NotFoundError | None = None
        held = 0
        for cycle in cycles:
            try:
                entry = find_file(cycle, table)
            except NotFoundError as error:
                list_files(cycle)
                last = error
            else:
                held += 1
                found[entry.cycle, entry.table] = Wanted(entry=entry, named=True)
        if last is not None and not held:
            raise last
    return [found[key] for key in sorted(found)]


class _Shelf:
    """``TARGET/CYCLE/NAME.XPT``, or Parquet."""

    def there(self, target: Path, entry: NhanesFile) -> Path | None:
        return find_form([target / entry.cycle], entry.file)

    def form(self, name: str) -> str:
        return form_of(name)

    def partial(self, form: str) -> bool:
        return form == FORMS[2]

    def place(self, target: Path, entry: NhanesFile, form: str) -> Path:
        return target / entry.cycle / target_name(entry.file, form)

    def verify(self, path: Path, entry: NhanesFile, *, revised: bool) -> str:
        return verify_file(path, entry, revised=revised)


def get_nhanes(
    cycles: Sequence[str] | str,
    tables: Sequence[str] | None = None,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    jobs: int = 4,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get NHANES files into ``TARGET/CYCLE/``.

    Files that are there and hold are kept; damaged ones are put aside as ``NAME.bad``. What
    arrives is verified before it gets its name, so no bad file is ever in place. A part is
    continued on the next call.

    Parameters
    ----------
    cycles : sequence of str
        Such as ``["2017-2018"]``.
    tables : sequence of str, optional
        Such as ``["DEMO", "BPX"]``; None is all of the registry, and those of no single cycle.
    source : str or Path, optional
        None is CDC; an address, below which files are ``CYCLE/NAME`` or ``NAME``; or a folder
        laid out likewise, or one that holds it as ``nhanes``. Mirrors may hold XPT or Parquet.
    target : Path or str, optional
        Default :func:`nhanes_home`.
    jobs : int
        Files at a time, 1 to 32.
    revised : bool
        Take a file whose digest differs from the registry's, or that has more rows, if it is
        sound otherwise.
    on_progress : callable, optional
        Told each step, never from two threads at once.
    web : Web, optional
        The network; default :class:`prandial.sources.web.HttpxWeb`.
    pause : callable, optional
        Waits the given seconds between two tries.

    Returns
    -------
    GetReport
        One record a file, by cycle and table.

    Raises
    ------
    NotFoundError
        When the registry knows no such cycle, or none of the cycles has a table.
    InputError
        When jobs or source make no sense, or the target is a file.
    MissingDataError
        When the source folder is missing, or httpx is not installed.
    DataError
        When nothing more can be fetched: no network, disk full, folder forbidden.
    """
    if not 1 <= jobs <= _MOST_JOBS:
        raise InputError(f"{jobs} jobs", where="jobs", hint=f"give 1 to {_MOST_JOBS}")
    where = the_source(source)
    wanted = _wanted([cycles] if isinstance(cycles, str) else list(cycles), tables, where)
    into = nhanes_home() if target is None else Path(target)
    folder = where if isinstance(where, FolderMirror) else None
    site = None if isinstance(where, FolderMirror) else where
    check_target(into, None if folder is None else folder.root)
    return get_files(
        _Shelf(),
        wanted,
        folder=folder,
        site=site,
        target=into,
        jobs=jobs,
        revised=revised,
        on_progress=on_progress,
        web=web,
        pause=pause,
    )
