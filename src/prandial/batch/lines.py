"""Lines of text files whose encoding nobody wrote down.

A line is UTF-8 where it can be and Windows-1252 where it cannot, so that one
stray line does not spoil the others. A byte order mark is dropped; UTF-16 is
read when its mark says so.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from prandial.batch.rows import Findings

__all__ = ["read_lines"]

_CP1252 = "lines that are not UTF-8, read as Windows-1252"


def read_lines(path: Path, findings: Findings) -> Iterator[str]:
    """Yield a file's lines with their line ends as they are.

    Parameters
    ----------
    path : Path
        Text file.
    findings : Findings
        Lines that are not UTF-8 are counted here.

    Yields
    ------
    str
        A line with its end: LF, CR LF or CR; the last may have none.
    """
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        with path.open(encoding="utf-16", errors="replace", newline="") as text:
            yield from text
        return
    # latin-1 keeps every byte, so lines can be cut first and decoded one by one
    with path.open(encoding="latin-1", newline="") as text:
        for number, raw in enumerate(text, start=1):
            if number == 1 and raw.startswith("\u00ef\u00bb\u00bf"):
                raw = raw[3:]
            if raw.isascii():
                yield raw
                continue
            data = raw.encode("latin-1")
            try:
                yield data.decode("utf-8")
            except UnicodeDecodeError:
                findings.add(_CP1252, number)
                yield data.decode("cp1252", errors="replace")
