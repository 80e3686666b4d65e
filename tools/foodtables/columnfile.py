"""Write a column file: a zip of numpy arrays and of texts, one line a row.

Same columns, same bytes for one version of zlib; ``content_digest`` does not
depend on zlib at all.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any] | Sequence[str]
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def _member(name: str, column: Column) -> tuple[str, bytes]:
    if isinstance(column, np.ndarray):
        out = io.BytesIO()
        np.lib.format.write_array(out, np.ascontiguousarray(column), version=(1, 0))
        return f"{name}.npy", out.getvalue()
    if any("\n" in line or "\r" in line for line in column):
        raise ValueError(f"{name}: a text holds a line break")
    return f"{name}.txt", "".join(f"{line}\n" for line in column).encode()


def write_columns(path: Path, columns: Mapping[str, Column]) -> str:
    """Write the columns in the given order; return the digest of their content."""
    content = hashlib.sha256()
    with zipfile.ZipFile(path, "w") as zf:
        for name, column in columns.items():
            member, data = _member(name, column)
            info = zipfile.ZipInfo(member, date_time=_LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            zf.writestr(info, data, compresslevel=9)
            content.update(f"{member} {len(data)}\n".encode())
            content.update(data)
    return content.hexdigest()


def labelled(values: Sequence[str]) -> tuple[npt.NDArray[np.uint16], list[str]]:
    """Replace texts that repeat by their place in a sorted list of them."""
    levels = sorted(set(values))
    if len(levels) > np.iinfo(np.uint16).max:
        raise ValueError("too many different texts")
    place = {level: i for i, level in enumerate(levels)}
    return np.array([place[v] for v in values], dtype=np.uint16), levels
