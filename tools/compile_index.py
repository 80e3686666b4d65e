"""Compile the name documents of the built-in releases.

Run after ``tools/compile_foods.py``, and again whenever the reading of names
or the constants of the ranking change; a test compares the compiled columns
with freshly made ones. Same input, same bytes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]

from foodtables.cards import write_card  # noqa: E402
from foodtables.columnfile import write_columns  # noqa: E402
from prandial.meal.documents import make_documents  # noqa: E402
from prandial.meal.weights import Weights  # noqa: E402
from prandial.tables import RELEASES, load_foods  # noqa: E402


def coded(
    values: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64]]:
    """Replace numbers that repeat by their place in a sorted list of them."""
    levels, places = np.unique(values, return_inverse=True)
    if len(levels) > np.iinfo(np.uint16).max:
        raise ValueError("too many different numbers")
    return places.astype(np.uint16), levels


def compile_names(release: str, out: Path) -> None:
    """Write the words, documents and entries of one release."""
    docs = make_documents(load_foods(release), Weights())
    match, match_levels = coded(docs.entry_match)
    miss, miss_levels = coded(docs.entry_miss)
    columns: dict[str, Any] = {
        "terms": docs.terms,
        "food": docs.food.astype(np.uint16),
        "alt": docs.alt.astype(np.uint8),
        "size": np.bincount(docs.entry_doc, minlength=len(docs.food)).astype(np.uint16),
        "head": docs.head.astype(np.int32),
        "entry_term": docs.entry_term.astype(np.uint32),
        "entry_match": match,
        "entry_match_levels": match_levels,
        "entry_miss": miss,
        "entry_miss_levels": miss_levels,
    }
    path = out / f"{release}.names.npz"
    content = write_columns(path, columns)
    write_card(
        path,
        content_sha256=content,
        rows=len(docs.food),
        title=f"{release} and SR28: food names read for matching",
        source={"publisher": "prandial", "release": f"made from {release}.foods and sr28.foods"},
        how="tools/compile_index.py: the words of names, brands and additional descriptions, with"
        " what a document gains by holding a word (match) and pays when it is not said (miss)",
        columns={
            "terms": {"unit": "words"},
            "food": {"unit": "row of the foods, SR28 behind FNDDS"},
            "alt": {"unit": "1 for an entry of an additional description"},
            "size": {"unit": "words of the document"},
            "head": {"unit": "place in terms, -1 none; one a food"},
            "entry_term": {"unit": "place in terms"},
            "entry_match": {"unit": "place in entry_match_levels (share)"},
            "entry_miss": {"unit": "place in entry_miss_levels (share)"},
        },
    )
    print(f"{path.name}: {len(docs.food)} documents, {path.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    """Compile all releases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "src" / "prandial" / "tables" / "data")
    args = parser.parse_args()
    for release in RELEASES:
        compile_names(release, args.out)


if __name__ == "__main__":
    main()
