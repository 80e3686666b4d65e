"""Write SAS transport files for tests, by SAS technical note TS-140 (version 5)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

Cell = float | str | None
WIDTH = 40


def _ibm(value: float | None) -> bytes:
    """IBM System/360 double: sign, exponent of 16 in excess 64, 56 bits of fraction."""
    if value is None:
        return b"." + bytes(7)
    if value == 0:
        return bytes(8)
    exponent = 64
    fraction = Fraction(value)
    while fraction >= 1:
        fraction, exponent = fraction / 16, exponent + 1
    while fraction < Fraction(1, 16):
        fraction, exponent = fraction * 16, exponent - 1
    return struct.pack(">Q", exponent << 56 | round(fraction * 2**56))


def _cell(value: Cell) -> bytes:
    return f"{value:<{WIDTH}}".encode() if isinstance(value, str) else _ibm(value)


def write_xpt(path: Path, rows: Sequence[Mapping[str, Cell]]) -> Path:
    """Write rows of numbers and of texts up to 40 letters; the first row tells which is which."""
    head = "HEADER RECORD*******{:<8}HEADER RECORD!!!!!!!{:<30}  "
    date = "01JAN00:00:00:00"
    library = "SAS     SAS     SASLIB  9.4     " + " " * 32 + date
    member = "SAS     T       SASDATA 9.4     " + " " * 32 + date
    text = head.format("LIBRARY", "0" * 30) + library + f"{date:<80}"
    text += head.format("MEMBER", "0" * 17 + "1600000000140") + head.format("DSCRPTR", "0" * 30)
    text += member + f"{date:<80}"
    text += head.format("NAMESTR", f"{len(rows[0]):010d}" + "0" * 20)
    described, at = b"", 0
    for i, (name, value) in enumerate(rows[0].items()):
        kind, width = (2, WIDTH) if isinstance(value, str) else (1, 8)
        described += struct.pack(
            ">hhhh8s40s8shhh2s8shhl52s",
            *(kind, 0, width, i + 1, f"{name:<8}".encode(), b" " * 40, b" " * 8, 0, 0, 0),
            *(b"", b" " * 8, 0, 0, at, b""),
        )
        at += width
    out = text.encode() + described + b" " * (-len(described) % 80)
    body = b"".join(_cell(value) for row in rows for value in row.values())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out + head.format("OBS", "0" * 30).encode() + body + b" " * (-len(body) % 80))
    return path
