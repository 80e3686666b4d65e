"""Write a card beside each compiled file."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from prandial.nutrients import NUTRIENTS, unit_of

from .engine import digest

LICENCE = "US public domain (CC0)"
CARBOHYDRATE = "total, by difference (includes fibre)"


def nutrient_columns(per_100g: npt.NDArray[np.float32], keys: list[str]) -> dict[str, Any]:
    """Unit, missing count of each nutrient of a foods file."""
    return {
        key: {"unit": f"{unit_of(key)} per 100 g", "missing": int(np.isnan(column).sum())}
        for key, column in zip(keys, per_100g, strict=True)
    }


def not_held(keys: list[str]) -> list[str]:
    return [k for k in NUTRIENTS if k not in keys]


def write_card(path: Path, *, content_sha256: str, rows: int, **facts: Any) -> None:
    """Write ``NAME.card.json`` for ``NAME.npz``; the digest is of the file as written."""
    body = {
        "file": path.name,
        "form": "column file: a zip of .npy arrays and .txt columns (UTF-8, one line a row)",
        "licence": LICENCE,
        "rows": rows,
        **facts,
        "bytes": path.stat().st_size,
        "sha256": digest(path),
        "content_sha256": content_sha256,
        "compressed_by": f"zlib {zlib.ZLIB_RUNTIME_VERSION}",
    }
    text = json.dumps(body, indent=1, ensure_ascii=False) + "\n"
    path.with_name(f"{path.stem}.card.json").write_text(text, encoding="utf-8")
