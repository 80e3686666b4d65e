"""Whether a file is what it claims to be: rows, people, digest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import numpy as np

from prandial.errors import ChecksumError, SchemaError
from prandial.sources.nhanes.columns import Columns
from prandial.sources.nhanes.registry import NhanesFile, load_cycles
from prandial.sources.nhanes.table import read_table

__all__ = ["file_sha256", "verify_file"]

_CHUNK: Final = 1 << 20


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _check_rows(path: Path, entry: NhanesFile, rows: int, *, revised: bool) -> None:
    if entry.rows is None or rows == entry.rows or (revised and rows > entry.rows):
        return
    why = "it was cut" if rows < entry.rows else "it is another file or a newer release"
    raise SchemaError(
        f"{rows:,} rows, the registry states {entry.rows:,}: {why}",
        where=str(path),
        hint="get the file again",
    )


def _check_seqn(entry: NhanesFile, table: Columns) -> None:
    cycle = load_cycles().get(entry.cycle)
    if cycle is None or "SEQN" not in table:
        return
    seqn = table.numbers("SEQN")
    outside = ~((seqn >= cycle.first_seqn) & (seqn <= cycle.last_seqn))
    if outside.any():
        raise SchemaError(
            f"{int(np.count_nonzero(outside)):,} respondent numbers lie outside"
            f" {cycle.first_seqn}-{cycle.last_seqn}: not a file of {entry.cycle}",
            where=str(table.path),
            hint="check the cycle and the source",
        )


def verify_file(path: Path, entry: NhanesFile, *, revised: bool = False) -> str:
    """Check a file against the registry.

    The digest where the registry has it (of transport files); form, rows and range of
    respondent numbers always. A damaged file is told by its form before its digest.

    Parameters
    ----------
    path : Path
    entry : NhanesFile
    revised : bool
        Take another digest than the registry's, or more rows, if all else holds.

    Returns
    -------
    str
        Its SHA-256.

    Raises
    ------
    SchemaError
        When it has another form, was cut, or holds other rows or people.
    ChecksumError
        When all that holds and its digest differs.
    """
    table = read_table(path, [], optional=["SEQN"])
    _check_rows(path, entry, table.rows, revised=revised)
    _check_seqn(entry, table)
    digest = file_sha256(path)
    if table.kind == "xpt" and entry.sha256 and digest != entry.sha256 and not revised:
        raise ChecksumError(
            f"SHA-256 is {digest}, the registry states {entry.sha256}",
            where=str(path),
            hint="get it again; if CDC has released a corrected file, take it with"
            " --accept-revised",
        )
    return digest
