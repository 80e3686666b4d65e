"""What a file looks like, whatever its name says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from prandial.errors import MissingDataError, SchemaError
from prandial.sources.nhanes.columns import FileKind

__all__ = ["HEAD", "check_parquet", "refusal", "sniff"]

#: bytes that are looked at
HEAD: Final = 4096
_XPT: Final = b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!"
_PARQUET: Final = b"PAR1"
_AGAIN: Final = "get the file again"
_TABLE: Final = "an NHANES table (SAS transport version 5 or Parquet)"
_PAGE: Final = (
    "the server sent a page, often an error page, in place of the file: try again later,"
    " or take it from a mirror with --from"
)
_UNPACK: Final = "unpack it and give the file within"
#: first bytes of what is taken for an NHANES file, what it is and what to do
_OTHERS: Final = (
    (
        b"HEADER RECORD*******LIBV8",
        "a SAS transport file of version 8",
        "NHANES files are version 5: get the official file, or write it again as version 5",
    ),
    (b"**COMPRESSED**", "a SAS CPORT file", "get the transport (XPORT) file instead"),
    (
        bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c"),
        "a SAS data set (SAS7BDAT)",
        "get the transport (XPT) file instead, or export it as version 5 transport",
    ),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"PK\x03\x04", "a zip archive (or a spreadsheet)", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", _UNPACK),
    (b"version https://git-lfs", "a pointer to a file kept in Git LFS", "fetch the file itself"),
)


def _refuse(path: Path, looks: str, hint: str, wanted: str = _TABLE) -> SchemaError:
    return SchemaError(
        f"looks like {looks}, not {wanted}",
        where=str(path),
        hint=hint,
    )


def _text(head: bytes) -> tuple[str, str] | None:
    """Say what kind of text a file is and what to do; None when it is no text."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    lower = start[:1024].lower()
    if lower.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or b"<html" in lower:
        return (
            "a web page (HTML)",
            _PAGE,
        )
    if start.startswith(b"<"):
        return ("XML", _AGAIN)
    if start.startswith((b"{", b"[")):
        return ("JSON", "the server sent an answer in place of the file: " + _AGAIN)
    if b"\x00" in head or any(c < 32 and c not in b"\t\r\n\f" for c in head):
        return None
    line = start.splitlines()[0] if start else b""
    if any(mark in line for mark in (b",", b"\t", b";", b"|")):
        return (
            "delimited text (CSV)",
            "get the original file, or turn it into Parquet with numbers as numbers",
        )
    return ("plain text", _AGAIN)


def check_parquet(path: Path, size: int) -> None:
    """Refuse a Parquet file without its end.

    Raises
    ------
    SchemaError
    """
    with path.open("rb") as file:
        file.seek(max(0, size - 8))
        tail = file.read()
    length = int.from_bytes(tail[:4], "little") if len(tail) == 8 else 0
    if tail[-4:] == _PARQUET and 0 < length <= size - 12:
        return
    raise SchemaError("looks like a Parquet file that was cut", where=str(path), hint=_AGAIN)


def _check_name(path: Path, kind: FileKind) -> None:
    ending = path.suffix.lower()
    if (ending == ".xpt" and kind == "parquet") or (ending == ".parquet" and kind == "xpt"):
        right = ".parquet" if kind == "parquet" else ".XPT"
        what = "Parquet" if kind == "parquet" else "SAS transport"
        raise SchemaError(
            f"looks like {what}, but its name ends in {path.suffix}",
            where=str(path),
            hint=f"rename it to {path.stem}{right}",
        )


def sniff(path: Path) -> FileKind:
    """Tell the form of a file by its first and last bytes.

    Parameters
    ----------
    path : Path

    Returns
    -------
    {'xpt', 'parquet'}
        SAS transport version 5, or Parquet; a name that says otherwise is refused.

    Raises
    ------
    MissingDataError
        When there is no such file or it cannot be opened.
    SchemaError
        When it is anything else, saying what it looks like and what to do.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        raise MissingDataError("no such file", where=str(path), hint="check the path") from None
    except OSError as error:
        raise MissingDataError(
            f"cannot be opened: {error.strerror}", where=str(path), hint="check its permissions"
        ) from None
    if not head:
        raise SchemaError("the file is empty", where=str(path), hint=_AGAIN)
    if head.startswith(_XPT):
        _check_name(path, "xpt")
        return "xpt"
    if head.startswith(_PARQUET):
        check_parquet(path, size)
        _check_name(path, "parquet")
        return "parquet"
    raise _other(path, head)


def _other(path: Path, head: bytes) -> SchemaError:
    if _XPT.startswith(head):
        return SchemaError(
            "looks like a SAS transport file that was cut in its header",
            where=str(path),
            hint=_AGAIN,
        )
    return refusal(path, head, _TABLE)


def refusal(path: Path, head: bytes, wanted: str) -> SchemaError:
    """Say what a file looks like that is not what was wanted.

    Parameters
    ----------
    path : Path
    head : bytes
        Its first bytes.
    wanted : str
        What it should be, in words.
    """
    for magic, looks, hint in _OTHERS:
        if head.startswith(magic):
            return _refuse(path, looks, hint, wanted)
    if not head.strip(b"\x00"):
        return _refuse(path, "nothing but zero bytes", _AGAIN, wanted)
    looks, hint = _text(head) or ("binary data of an unknown kind", _AGAIN)
    return _refuse(path, looks, hint, wanted)
