"""A folder of NHANES files: where each table is, and reading it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.sources.nhanes.columns import Columns
from prandial.sources.nhanes.registry import ALL_CYCLES, NhanesFile, find_file, load_cycles
from prandial.sources.nhanes.table import read_table

__all__ = ["FORMS", "NhanesFolder", "command", "find_form", "form_of"]

#: endings in the order in which a table is looked for: the original first, a part of it last
FORMS: Final = (".xpt", ".parquet", ".slim.parquet")


def command(entry: NhanesFile) -> str:
    """Return the command that gets a file."""
    return f"prandial data get nhanes --cycle {entry.cycle} --table {entry.table}"


def form_of(name: str) -> str:
    """Return the ending of a file name, one of :data:`FORMS`, or ``""``."""
    lower = name.lower()
    return next((f for f in reversed(FORMS) if lower.endswith(f)), "")


def find_form(folders: Iterable[Path], file: str) -> Path | None:
    """Find a file by CDC's name in the first form there is, whatever the case of its name."""
    found: dict[str, Path] = {}
    for folder in folders:
        try:
            names = sorted(p.name for p in folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            continue
        for name in names:
            form = form_of(name)
            if form and name[: -len(form)].upper() == file.upper():
                found.setdefault(form, folder / name)
    return next((found[form] for form in FORMS if form in found), None)


class NhanesFolder:
    """A folder that holds ``CYCLE/NAME.XPT`` files, or the same as Parquet.

    Of ``NAME.XPT``, ``NAME.parquet`` and ``NAME.slim.parquet`` (some columns only) the
    first there is gets read. The case of file names does not matter.

    Parameters
    ----------
    root : Path or str
    check_rows : bool
        Refuse a file with fewer rows than the registry states; False suits a folder
        that holds some of the people only.
    """

    def __init__(self, root: Path | str, *, check_rows: bool = True) -> None:
        self.root = Path(root)
        self.check_rows = check_rows

    def __repr__(self) -> str:
        return f"NhanesFolder({str(self.root)!r})"

    def _find(self, entry: NhanesFile) -> Path | None:
        return find_form([self.root / entry.cycle], entry.file)

    def cycles(self) -> tuple[str, ...]:
        """Return the cycles whose DEMO file is here, oldest first."""
        return tuple(c for c in load_cycles() if self._find(find_file(c, "DEMO")))

    def has(self, cycle: str, table: str) -> bool:
        """Tell whether a table is here; one that the cycle never had is not.

        Raises
        ------
        NotFoundError
            When there is no such cycle.
        """
        if cycle not in load_cycles() and cycle != ALL_CYCLES:
            find_file(cycle, table)
        try:
            return self._find(find_file(cycle, table)) is not None
        except NotFoundError:
            return False

    def path(self, cycle: str, table: str) -> Path:
        """Return the file of a table.

        Parameters
        ----------
        cycle : str
            Such as ``2017-2018``.
        table : str
            Such as ``BPX``; one of no single cycle (``RXQ_DRUG``) is found under any cycle.

        Raises
        ------
        NotFoundError
            When the registry knows no such cycle, or no such table in it.
        MissingDataError
            When the file is not here; the hint is the command that gets it.
        """
        entry = find_file(cycle, table)
        found = self._find(entry)
        if found is None:
            raise MissingDataError(
                f"NHANES {entry.cycle} {entry.table} ({entry.file}) is not here",
                where=str(self.root / entry.cycle),
                hint=command(entry),
            )
        return found

    def read(
        self,
        cycle: str,
        table: str,
        columns: Sequence[str] | None = None,
        optional: Sequence[str] = (),
    ) -> Columns:
        """Read columns of a table; see :func:`read_table`.

        Raises
        ------
        NotFoundError, MissingDataError
            As :meth:`path` does.
        SchemaError
            As :func:`read_table` does, and when rows are missing.
        """
        entry = find_file(cycle, table)
        done = read_table(self.path(cycle, table), columns, optional=optional)
        if self.check_rows and entry.rows is not None and done.rows < entry.rows:
            raise SchemaError(
                f"{done.rows:,} rows, the registry states {entry.rows:,}: the file was cut",
                where=str(done.path),
                hint=f"get it again: {command(entry)}",
            )
        return done
