"""Write SAS transport files, version 5, for tests: from arrays, without pandas.

Follows SAS Technical Support note TS-140. ``pyreadstat.write_xport`` would do as
well, but needs a data frame library. Limits of the format: names of at most 8
characters, text of at most 200 bytes, numbers of 56 bits of fraction (so every
double from 5.4e-79 to 7.2e75 is exact), at most 9,999 columns.

    python tools/write_xpt.py IN.parquet OUT.XPT [TABLE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

Column = npt.NDArray[np.float64] | Sequence[str]
WHEN = b"01JAN00:00:00:00"


def ibm_doubles(values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return IBM base-16 doubles, shape (n, 8), big end first; NaN becomes the SAS missing."""
    fraction, exponent = np.frexp(np.nan_to_num(values, nan=0.0))
    power = -(-exponent // 4)
    shift = 56 - (4 * power - exponent)
    whole = np.ldexp(np.abs(fraction), shift).astype(np.uint64)
    sign = (values < 0).astype(np.uint64) << np.uint64(63)
    bits = sign | ((power + 64).astype(np.uint64) << np.uint64(56)) | whole
    bits = np.where(fraction == 0, np.uint64(0), bits)
    bits = np.where(np.isnan(values), np.uint64(0x2E << 56), bits)
    return bits.astype(">u8").view(np.uint8).reshape(-1, 8)


def _texts(values: Sequence[str]) -> npt.NDArray[np.uint8]:
    raw = [v.encode("utf-8") for v in values]
    width = max([1, *map(len, raw)])
    if width > 200:
        raise ValueError("a text is longer than 200 bytes")
    return np.frombuffer(b"".join(r.ljust(width) for r in raw), np.uint8).reshape(-1, width)


def _header(kind: str, numbers: str = "0" * 30) -> bytes:
    return f"HEADER RECORD*******{kind:<8}HEADER RECORD!!!!!!!{numbers}  ".encode()


def _name(name: str, number: int, width: int, place: int, *, text: bool) -> bytes:
    return b"".join(
        (
            (2 if text else 1).to_bytes(2, "big"),
            (0).to_bytes(2, "big"),
            width.to_bytes(2, "big"),
            number.to_bytes(2, "big"),
            name.encode("ascii").ljust(8),
            b" " * 40,
            b" " * 8,
            bytes(8),
            b" " * 8,
            bytes(4),
            place.to_bytes(4, "big"),
            bytes(52),
        )
    )


def _filled(data: bytes) -> bytes:
    return data + b" " * (-len(data) % 80)


def xpt_bytes(columns: Mapping[str, Column], table_name: str) -> bytes:
    """Return a transport file of one data set; a sequence of str becomes text."""
    blocks, entries, place = [], [], 0
    for number, (name, values) in enumerate(columns.items(), 1):
        if not 1 <= len(name) <= 8:
            raise ValueError(f"the name {name!r} has not 1 to 8 characters")
        text = not isinstance(values, np.ndarray)
        block = ibm_doubles(values) if isinstance(values, np.ndarray) else _texts(values)
        entries.append(_name(name, number, block.shape[1], place, text=text))
        blocks.append(block)
        place += block.shape[1]
    rows = np.concatenate(blocks, axis=1) if blocks else np.zeros((0, 0), np.uint8)
    member = b"SAS     " + table_name.upper().encode("ascii").ljust(8) + b"SASDATA "
    return b"".join(
        (
            _header("LIBRARY"),
            b"SAS     SAS     SASLIB  9.4     TEST    ".ljust(64) + WHEN,
            _filled(WHEN),
            _header("MEMBER", "000000000000000001600000000140"),
            _header("DSCRPTR"),
            (member + b"9.4     TEST    ").ljust(64) + WHEN,
            _filled(WHEN),
            _header("NAMESTR", f"000000{len(entries):04d}00000000000000000000"),
            _filled(b"".join(entries)),
            _header("OBS"),
            _filled(rows.tobytes()),
        )
    )


def write_xpt(path: Path, columns: Mapping[str, Column], table_name: str) -> None:
    """Write a transport file of one data set."""
    path.write_bytes(xpt_bytes(columns, table_name))


def main() -> None:
    from prandial.sources.nhanes import read_table

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("table", nargs="?")
    args = parser.parse_args()
    read = read_table(args.source)
    write_xpt(args.out, read.values, args.table or args.out.stem)
    print(f"{read.rows:,} rows, {len(read.names)} columns")


if __name__ == "__main__":
    main()
