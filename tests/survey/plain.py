"""A plain reader of survey files for tests: the shared folder as it lies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_OLD = {
    "GHB": "L10_C",
    "GLU": "L10AM_C",
    "BIOPRO": "L40_C",
    "CBC": "L25_C",
    "TRIGLY": "L13AM_C",
    "ALB_CR": "L16_C",
    "DSQTOT": "DSQ1_C",
}
_LETTER = {
    "2003-2004": "C",
    "2005-2006": "D",
    "2007-2008": "E",
    "2009-2010": "F",
    "2011-2012": "G",
    "2013-2014": "H",
    "2015-2016": "I",
    "2017-2018": "J",
    "2017-2020": "P",
}
CYCLES = tuple(_LETTER)


class PlainTables:
    """Reads Parquet and XPT of one folder of cycles."""

    def __init__(self, root: Path, without: Sequence[str] = ()) -> None:
        self.root = root
        self.without = without

    def _path(self, cycle: str, table: str) -> Path | None:
        if table in self.without:
            return None
        letter = _LETTER.get(cycle)
        if letter is None:
            stem = table
        elif letter == "P":
            stem = f"P_{table}"
        elif letter == "C" and table in _OLD:
            stem = _OLD[table]
        elif letter == "D" and table == "DSQTOT":
            stem = "DSQ1_D"
        else:
            stem = f"{table}_{letter}"
        return next(iter(sorted((self.root / cycle).glob(f"{stem}.*"))), None)

    def has(self, cycle: str, table: str) -> bool:
        return self._path(cycle, table) is not None

    def read(
        self, cycle: str, table: str, columns: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        path = self._path(cycle, table)
        assert path is not None, (cycle, table)
        data = _xpt(path) if path.suffix == ".XPT" else _parquet(path, (*columns, *optional))
        wanted = [*columns, *(c for c in optional if c in data)]
        return {c: data[c] for c in wanted}


@cache
def _xpt(path: Path) -> dict[str, Any]:
    import pyreadstat

    raw, _ = pyreadstat.read_xport(str(path), output_format="dict")
    return {k.upper(): _column(v) for k, v in raw.items()}


def _column(values: Any) -> Any:
    if any(isinstance(v, str) for v in values):
        return tuple("" if v is None else str(v) for v in values)
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)


def _parquet(path: Path, columns: Sequence[str]) -> dict[str, Any]:
    import duckdb

    con = duckdb.connect()
    names = {
        str(r[0]).upper(): str(r[0])
        for r in con.execute("describe select * from read_parquet(?)", [str(path)]).fetchall()
    }
    wanted = [c for c in dict.fromkeys(columns) if c in names]
    picked = ", ".join(f'"{names[c]}" as "{c}"' for c in wanted)
    found = con.execute(f"select {picked} from read_parquet(?)", [str(path)]).fetchnumpy()
    out: dict[str, Any] = {}
    for name, column in found.items():
        whole = column
        if isinstance(column, np.ma.MaskedArray):
            whole = column.filled(np.nan if column.dtype.kind == "f" else "")
        out[name] = tuple(map(str, whole)) if whole.dtype.kind == "O" else whole
    return out
