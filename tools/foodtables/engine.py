"""Read the source files: an engine, their paths, their digests."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parents[2]


def find_shared(given: Path | None) -> Path:
    """Return ``--shared``, else PRANDIAL_SHARED, else ``../shared``."""
    return given or Path(os.environ.get("PRANDIAL_SHARED") or ROOT.parent / "shared")


@dataclass(frozen=True)
class Sources:
    """The folder of source files, and the engine that reads them."""

    shared: Path
    con: duckdb.DuckDBPyConnection

    @classmethod
    def open(cls, shared: Path) -> Sources:
        con = duckdb.connect()
        con.execute("SET threads = 1")  # the order of rows must not depend on the machine
        return cls(shared, con)

    def foods(self, stem: str) -> Path:
        return self.shared / "data" / "foods" / f"{stem}.parquet"

    def recalls(self, cycle: str) -> list[Path]:
        """Individual food records of both days of a cycle."""
        found = sorted((self.shared / "data" / "nhanes" / cycle).glob("DR[12]IFF_*.parquet"))
        if len(found) != 2:
            raise SystemExit(f"expected two files of food records of {cycle}, found {len(found)}")
        return found

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.con.execute(sql).fetchall()

    def columns(self, path: Path) -> set[str]:
        return {r[0] for r in self.rows(f"DESCRIBE SELECT * FROM '{path}'")}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def named(paths: list[Path]) -> list[dict[str, str]]:
    """Name and digest of source files, for a card."""
    return [{"file": p.name, "sha256": digest(p)} for p in paths]
