"""Compile ingredients, names of an older release, and successors of codes from USDA's releases.

Reads the releases from a folder (``--shared``, or ``PRANDIAL_SHARED``, or
``../shared``) and writes a column file with a card each: ingredients of every built-in
release; names, categories and ingredients of FNDDS 2019-2020, which has no other
built-in table; and which code took the place of a discontinued one. Same input, same bytes.
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


NAMES_ONLY = Release("fndds-2019-2020", "fndds_2019_2020", "FNDDS 2019-2020", 2022)


def compile_names(src: Sources, out: Path, release: Release) -> Path:
    """Write codes, names and categories of a release, foods sorted by code."""
    foods = src.foods(f"{release.stem}_foods")
    rows = src.rows(
        f"SELECT food_code, description, wweia_category FROM '{foods}' ORDER BY food_code"
    )
    labels, levels = labelled([squeeze(r[2]) for r in rows])
    path = out / f"{release.name}.names-only.npz"
    content = write_columns(
        path,
        {
            "code": np.array([int(r[0]) for r in rows], dtype=np.int64),
            "name": [squeeze(r[1]) for r in rows],
            "category": labels,
            "category_levels": levels,
        },
    )
    write_card(
        path,
        content_sha256=content,
        rows=len(rows),
        title=f"Names and categories of the foods of {release.title}",
        source=release.source,
        origin="compiled from the release's table of foods",
        inputs=named([foods]),
        how="white space squeezed",
        columns={
            "code": {"unit": "FNDDS food code"},
            "name": {"unit": "FNDDS description"},
            "category": {"unit": "place in category_levels (WWEIA)", "different": len(levels)},
        },
        gaps="no nutrients, no portions: this release serves the published NGQA pool only",
    )
    return path


def compile_successors(src: Sources, out: Path) -> Path:
    """Write pairs of a discontinued code and a code that took its place."""
    table = src.foods("fndds_code_crosswalk")
    pairs = sorted(
        {
            (int(old), int(new))
            for old, new in src.rows(f"SELECT old_food_code, new_food_code FROM '{table}'")
        }
    )
    path = out / "fndds.successors.npz"
    content = write_columns(
        path,
        {
            "old": np.array([a for a, _ in pairs], dtype=np.int64),
            "new": np.array([b for _, b in pairs], dtype=np.int64),
        },
    )
    write_card(
        path,
        content_sha256=content,
        rows=len(pairs),
        title="Codes that took the place of discontinued FNDDS food codes",
        source={
            "publisher": "USDA Agricultural Research Service, Food Surveys Research Group",
            "release": "FNDDS 2009-2010 to 2017-2018",
            "citation": "lists of discontinued codes of the FNDDS releases",
        },
        origin="compiled from the releases' lists of discontinued codes",
        inputs=named([table]),
        how="pairs, each once, sorted",
        columns={"old": {"unit": "FNDDS food code"}, "new": {"unit": "FNDDS food code"}},
        gaps="one old code may have several successors; codes dropped since 2017-2018 are not here",
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
    paths = [compile_release(src, args.out, r) for r in (*RELEASES, NAMES_ONLY)]
    paths += [compile_names(src, args.out, NAMES_ONLY), compile_successors(src, args.out)]
    for path in paths:
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
