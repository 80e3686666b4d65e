"""Whether a file is what it claims to be: rows, people, digest."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from prandial.errors import ChecksumError, SchemaError
from prandial.sources.fetch import check_rows, file_sha256
from prandial.sources.nhanes.columns import Columns
from prandial.sources.nhanes.registry import NhanesFile, load_cycles
from prandial.sources.nhanes.table import read_table

__all__ = ["verify_file"]


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
    check_rows(path, entry.rows, table.rows, revised=revised)
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
