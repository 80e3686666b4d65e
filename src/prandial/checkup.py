"""What is at hand in this installation, and whether it is sound."""

from __future__ import annotations

import platform
import sys
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

from prandial.errors import PrandialError
from prandial.meal import ESTIMATOR, get_estimator
from prandial.tables import DEFAULT_RELEASE, list_cards, read_card, verify
from prandial.tables.user import list_user_tables, load_user_table

__all__ = ["DoctorReport", "TableInfo", "examine", "list_food_tables"]

_PACKAGES: Final = ("prandial", "numpy", "duckdb", "rapidfuzz", "typer", "rich")


@dataclass(frozen=True, kw_only=True, slots=True)
class TableInfo:
    """One table at hand; ``rows`` is None when its card cannot be read."""

    name: str
    kind: Literal["built-in", "user"]
    title: str
    rows: int | None
    licence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DoctorReport:
    """Versions, tables and speed of an installation.

    ``problems`` is empty when all is well. ``load_s`` is seconds until the
    first estimate can be made, ``estimate_ms`` milliseconds of one estimate
    after that; both are None when no estimate could be made.
    """

    versions: dict[str, str]
    python: str
    system: str
    estimator: str
    tables: tuple[TableInfo, ...]
    user_tables_home: Path
    load_s: float | None
    estimate_ms: float | None
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "ok": self.ok,
            "versions": self.versions,
            "python": self.python,
            "system": self.system,
            "estimator": self.estimator,
            "tables": [asdict(t) for t in self.tables],
            "user_tables_home": str(self.user_tables_home),
            "load_s": self.load_s,
            "estimate_ms": self.estimate_ms,
            "problems": list(self.problems),
        }


def list_food_tables(home: Path) -> tuple[TableInfo, ...]:
    """Return the built-in tables and those in a user's folder.

    Parameters
    ----------
    home : Path
        Folder of the user's tables.

    Returns
    -------
    tuple of TableInfo
    """
    cards = [read_card(name) for name in list_cards()]
    built_in = [
        TableInfo(name=c.name, kind="built-in", title=c.title, rows=c.rows, licence=c.licence)
        for c in cards
    ]
    added = [
        TableInfo(
            name=t.name,
            kind="user",
            title=f"from {t.source_file}" if t.state == "ok" else "damaged: add it again",
            rows=t.rows_kept,
            licence="as its owner says",
        )
        for t in list_user_tables(home)
    ]
    return (*built_in, *added)


def examine(home: Path, *, text: str) -> DoctorReport:
    """Look over the installation.

    Parameters
    ----------
    home : Path
        Folder of the user's tables.
    text : str
        Meal to time an estimate with.

    Returns
    -------
    DoctorReport
    """
    problems: list[str] = []
    tables: tuple[TableInfo, ...] = ()
    try:
        problems += verify()
        tables = list_food_tables(home)
    except PrandialError as error:
        problems.append(str(error))
    problems += _damaged(home)
    load_s = estimate_ms = None
    try:
        start = time.perf_counter()
        estimator = get_estimator(DEFAULT_RELEASE)
        estimator.estimate(text)
        loaded = time.perf_counter()
        # other words than before, so that nothing kept is timed
        estimator.estimate(f"{text} and a glass of milk")
        load_s = round(loaded - start, 3)
        estimate_ms = round(1000 * (time.perf_counter() - loaded), 2)
    except PrandialError as error:
        problems.append(str(error))
    return DoctorReport(
        versions=_versions(problems),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}, {sys.implementation.name}",
        estimator=ESTIMATOR,
        tables=tables,
        user_tables_home=home,
        load_s=load_s,
        estimate_ms=estimate_ms,
        problems=tuple(problems),
    )


def _damaged(home: Path) -> list[str]:
    """Return a line for each user table that cannot be loaded."""
    found = []
    for table in list_user_tables(home):
        try:
            load_user_table(home, table.name)
        except PrandialError as error:
            found.append(str(error))
    return found


def _versions(problems: list[str]) -> dict[str, str]:
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            problems.append(f"{package} is not installed as a package")
    return versions
