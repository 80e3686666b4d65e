"""What a file looks like by its first bytes, and what to do when it is no table."""

from __future__ import annotations

import difflib
import io
import zipfile
from typing import TYPE_CHECKING, Final, Literal

from prandial.errors import InputError, NotFoundError, SchemaError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["kind_of", "read_bytes"]

_SAVE_AS_CSV: Final = "open it in a spreadsheet program and save the sheet as CSV (UTF-8)"
_MAGIC: Final[tuple[tuple[bytes, str, str], ...]] = (
    (b"\xd0\xcf\x11\xe0", "an OLE file such as an old Excel workbook (.xls)", _SAVE_AS_CSV),
    (b"%PDF", "a PDF", "copy its table into a spreadsheet and save that as CSV (UTF-8)"),
    (b"\x1f\x8b", "a gzip file", "unpack it first: gzip -d FILE"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"BZh", "a bzip2 file", "unpack it first: bzip2 -d FILE"),
)


def _zip_kind(raw: bytes) -> tuple[str, str]:
    try:
        names = zipfile.ZipFile(io.BytesIO(raw)).namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return "a zip file that is damaged", "get the file again"
    if any(n.startswith("xl/") for n in names):
        return "an Excel workbook (.xlsx, a zip file)", _SAVE_AS_CSV
    if "content.xml" in names:
        return "an OpenDocument file (a zip file)", _SAVE_AS_CSV
    inside = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    return f"a zip file (holds {inside})", "unpack it and give the table inside"


def _markup(raw: bytes) -> tuple[str, str] | None:
    start = raw[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or (
        start.startswith((b"<?xml", b"<!--")) and b"<html" in start
    ):
        return "an HTML page", "download the table itself, not the page that links to it"
    if start.startswith(b"<?xml"):
        return "an XML file", _SAVE_AS_CSV
    if start.startswith((b'{"', b"{\n", b"{\r", b"[{", b"[\n")):
        return "a JSON file", "write its records as CSV with one column a field"
    return None


def read_bytes(path: Path) -> bytes:
    """Read a whole file.

    Raises
    ------
    NotFoundError
        When there is none; the hint names files of nearly that name.
    InputError
        When it is a folder or may not be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        folder = path.parent
        names = [p.name for p in folder.iterdir()] if folder.is_dir() else []
        near = difflib.get_close_matches(path.name, names, n=3)
        raise NotFoundError(
            f"no file {path.name!r}",
            where=str(path),
            hint="nearest: " + ", ".join(near) if near else "check the folder and the spelling",
        ) from None
    except IsADirectoryError:
        raise InputError(
            f"{path.name!r} is a folder", where=str(path), hint="give one CSV, TSV or Parquet file"
        ) from None
    except OSError as err:
        raise InputError(
            f"{path.name!r} cannot be read: {err.strerror}",
            where=str(path),
            hint="check that it is a file you may read",
        ) from None


def kind_of(raw: bytes, path: Path) -> Literal["text", "parquet"]:
    """Tell text from Parquet, and refuse what is no table.

    Parameters
    ----------
    raw : bytes
        The whole file.
    path : Path
        Its name, for the error.

    Raises
    ------
    SchemaError
        Saying what the file looks like and what to do.
    """
    if raw[:4] == b"PAR1":
        if raw[-4:] != b"PAR1" or len(raw) < 12:
            raise SchemaError(
                f"{path.name!r} starts as Parquet but is cut off",
                where=path.name,
                hint="copy or download it again",
            )
        return "parquet"
    look: tuple[str, str] | None = None
    if not raw.strip():
        look = ("an empty file", "give a file with a heading line and one food a line")
    elif raw[:4] == b"PK\x03\x04":
        look = _zip_kind(raw)
    else:
        look = next(((what, do) for magic, what, do in _MAGIC if raw.startswith(magic)), None)
    look = look or _markup(raw)
    if look is None and raw[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        head = raw[:4096]
        if head.count(0) > max(8, len(head) // 50):
            look = ("a binary file, or UTF-16 without its mark", _SAVE_AS_CSV)
    if look is None:
        return "text"
    raise SchemaError(
        f"{path.name!r} is not a CSV, TSV or Parquet table: it looks like {look[0]}",
        where=path.name,
        hint=look[1],
    )
