"""Compile the ingredients of the built-in FNDDS foods from USDA's public-domain releases.

Reads the releases from a folder (``--shared``, or ``PRANDIAL_SHARED``, or
``../shared``) and writes one column file with a card for each built-in release.
Same input, same bytes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "prandial" / "tables" / "data"
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]

from foodtables.cards import write_card  # noqa: E402
from foodtables.columnfile import labelled, write_columns  # noqa: E402
from foodtables.engine import Sources, find_shared, named  # noqa: E402
from foodtables.fndds import RELEASES, Release, squeeze  # noqa: E402


def compile_release(src: Sources, out: Path, release: Release) -> Path:
    """Write the ingredients of a release's foods, in the row order of its foods file."""
    foods = src.foods(f"{release.stem}_foods")
    recipes = src.foods(f"{release.stem}_ingredients")
    codes = [int(r[0]) for r in src.rows(f"SELECT food_code FROM '{foods}' ORDER BY food_code")]
    row_of = {code: row for row, code in enumerate(codes)}
    found: list[tuple[int, int, str]] = []
    left_out = 0
    for code, seq, text in src.rows(
        f"SELECT food_code, seq, ingredient_description FROM '{recipes}'"
    ):
        if code in row_of and squeeze(text):
            found.append((row_of[code], int(seq), squeeze(text)))
        else:
            left_out += 1
    found.sort()
    labels, levels = labelled([text for _, _, text in found])
    per_food = np.bincount([row for row, _, _ in found], minlength=len(codes)).astype(np.uint8)
    assert int(per_food.sum()) == len(found), "a food with more than 255 ingredients"
    path = out / f"{release.name}.ingredients.npz"
    content = write_columns(
        path, {"per_food": per_food, "ingredient": labels, "ingredient_levels": levels}
    )
    write_card(
        path,
        content_sha256=content,
        rows=len(found),
        title=f"Ingredients of the foods of {release.title}",
        source=release.source,
        origin="compiled from the release's table of ingredients",
        inputs=named([foods, recipes]),
        how="descriptions by food in the order of their sequence number; white space squeezed",
        columns={
            "per_food": {"unit": "ingredients of each food, foods sorted by code"},
            "ingredient": {"unit": "place in ingredient_levels", "different": len(levels)},
        },
        foods=len(codes),
        foods_without_an_ingredient=int((per_food == 0).sum()),
        left_out=left_out,
        gaps="no weights, no codes, no retention factors",
    )
    return path


def main() -> None:
    """Compile all releases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=None, help="folder that holds data/foods")
    parser.add_argument("--out", type=Path, default=DATA, help="folder of the compiled tables")
    args = parser.parse_args()
    shared = find_shared(args.shared)
    if not (shared / "data" / "foods").is_dir():
        parser.error(f"no data/foods in {shared}; name the folder with --shared or PRANDIAL_SHARED")
    args.out.mkdir(parents=True, exist_ok=True)
    src = Sources.open(shared)
    for release in RELEASES:
        path = compile_release(src, args.out, release)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
