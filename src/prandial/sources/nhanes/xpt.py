"""SAS transport files, version 5: header, number of rows, columns.

Layout: SAS Technical Support note TS-140, "The Record Layout of a Data Set in
SAS Transport (XPORT) Format". Everything is in records of 80 bytes; the file
does not state its number of rows, which follows from its length.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from prandial.errors import MissingDataError, SchemaError
from prandial.sources.nhanes.columns import Column

__all__ = ["XptHeader", "read_xpt", "xpt_header"]

_RECORD: Final = 80
_MEMBER: Final = b"HEADER RECORD*******MEMBER  HEADER RECORD!!!!!!!"
_NAMES: Final = b"HEADER RECORD*******NAMESTR HEADER RECORD!!!!!!!"
_ROWS: Final = b"HEADER RECORD*******OBS     HEADER RECORD!!!!!!!"
_AGAIN: Final = "get the file again: it was cut, or changed on its way"


@dataclass(frozen=True, kw_only=True, slots=True)
class XptHeader:
    """What the header of a transport file states, and its rows by length."""

    table: str
    names: tuple[str, ...]
    #: names of the columns of text
    texts: frozenset[str]
    rows: int
    #: length of one row, bytes
    row_bytes: int
    #: where the rows begin, bytes
    start: int


def _broken(path: Path, what: str, hint: str = _AGAIN) -> SchemaError:
    return SchemaError(what, where=str(path), hint=hint)


def _int(raw: bytes, path: Path, what: str) -> int:
    try:
        return int(raw)
    except ValueError:
        raise _broken(
            path, f"looks like a SAS transport file whose {what} cannot be read"
        ) from None


def _count_rows(data: mmap.mmap, start: int, row_bytes: int, path: Path) -> int:
    """Return the number of rows; the last record is filled up with blanks."""
    rows, rest = divmod(len(data) - start, row_bytes)
    end = start + rows * row_bytes
    if rest >= _RECORD or data[end:].strip(b" "):
        raise _broken(path, "looks like a SAS transport file that ends in the middle of a row")
    blank = b" " * row_bytes
    while rows and row_bytes < _RECORD and len(data) - end + row_bytes < _RECORD:
        if data[end - row_bytes : end] != blank:
            break
        rows, end = rows - 1, end - row_bytes
    return rows


def xpt_header(path: Path) -> XptHeader:
    """Read the header of a transport file and count its rows.

    Parameters
    ----------
    path : Path
        A file that begins as a version-5 transport file.

    Raises
    ------
    SchemaError
        When it was cut in its header or in a row, holds several data sets or is damaged.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _parse(data, path)


def _parse(data: mmap.mmap, path: Path) -> XptHeader:
    member = 3 * _RECORD
    names_at = member + 4 * _RECORD
    if len(data) < names_at + _RECORD:
        raise _broken(path, "looks like a SAS transport file that was cut in its header")
    if data[member : member + len(_MEMBER)] != _MEMBER:
        raise _broken(path, "looks like a SAS transport file without a data set header")
    if data[names_at : names_at + len(_NAMES)] != _NAMES:
        raise _broken(path, "looks like a SAS transport file without a list of columns")
    width = _int(data[member + 74 : member + 78], path, "length of a column's description")
    count = _int(data[names_at + 54 : names_at + 58], path, "number of columns")
    if not count or width not in (136, 140):
        raise _broken(path, "looks like a SAS transport file with an impossible header")
    first = names_at + _RECORD
    rows_at = first + -(-count * width // _RECORD) * _RECORD
    if len(data) < rows_at + _RECORD:
        raise _broken(path, "looks like a SAS transport file that was cut in its header")
    if data[rows_at : rows_at + len(_ROWS)] != _ROWS:
        raise _broken(path, "looks like a SAS transport file whose list of columns is damaged")
    names, texts, row_bytes = [], set(), 0
    for k in range(count):
        entry = data[first + k * width : first + (k + 1) * width]
        name = entry[8:16].decode("ascii", "replace").strip()
        names.append(name)
        if int.from_bytes(entry[0:2], "big") == 2:
            texts.add(name)
        row_bytes += int.from_bytes(entry[4:6], "big")
    start = rows_at + _RECORD
    if not row_bytes:
        raise _broken(path, "looks like a SAS transport file whose rows have no length")
    if len(data) % _RECORD:
        raise _broken(
            path,
            f"looks like a SAS transport file that was cut: {len(data):,} bytes are no whole"
            f" number of {_RECORD}-byte records",
        )
    if data.find(_MEMBER, start) >= 0:
        raise _broken(
            path,
            "looks like a SAS transport file with several data sets",
            "NHANES files hold one data set each: get the official file",
        )
    return XptHeader(
        table=data[5 * _RECORD + 8 : 5 * _RECORD + 16].decode("ascii", "replace").strip(),
        names=tuple(names),
        texts=frozenset(texts),
        rows=_count_rows(data, start, row_bytes, path),
        row_bytes=row_bytes,
        start=start,
    )


def _reader() -> Any:
    try:
        import pyreadstat
    except ImportError:
        raise MissingDataError(
            "SAS transport files need the package pyreadstat",
            where="NHANES",
            hint="pip install 'prandial[ngqa]'",
        ) from None
    return pyreadstat


def _read(path: Path, names: Sequence[str]) -> dict[str, list[Any]]:
    """Read by pyreadstat; text that is no UTF-8 is read as Windows-1252."""
    pyreadstat = _reader()
    why = ""
    for encoding in (None, "WINDOWS-1252"):
        try:
            values, _ = pyreadstat.read_xport(
                str(path),
                usecols=list(names),
                output_format="dict",
                disable_datetime_conversion=True,
                encoding=encoding,
            )
        except UnicodeDecodeError as error:
            why = str(error)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OSError) as error:
            raise _broken(
                path, f"looks like a SAS transport file, but cannot be read: {error}"
            ) from None
        else:
            return dict(values)
    raise _broken(path, f"holds text in an unknown encoding: {why}")


def read_xpt(path: Path, header: XptHeader, names: Sequence[str]) -> dict[str, Column]:
    """Read columns of a transport file.

    Parameters
    ----------
    path : Path
    header : XptHeader
    names : sequence of str
        As spelt in the file.

    Returns
    -------
    dict of str to column
        A SAS zero is 0, every kind of missing number NaN, text without trailing blanks.

    Raises
    ------
    SchemaError
        When the file is damaged.
    MissingDataError
        When pyreadstat is not installed.
    """
    if not names:
        return {}
    raw = _read(path, names)
    done: dict[str, Column] = {}
    for name in names:
        if name not in raw:
            raise _broken(path, f"the column {name} of its header could not be read")
        cells = raw[name]
        if len(cells) != header.rows:
            raise _broken(path, f"{len(cells)} rows were read, its length says {header.rows}")
        if name in header.texts:
            done[name] = tuple("" if c is None else str(c) for c in cells)
        else:
            done[name] = np.array(cells, dtype=np.float64)
    return done
