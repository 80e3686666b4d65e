"""Compile the built-in food tables from USDA's public-domain releases.

Reads the releases from a folder (``--shared``, or ``PRANDIAL_SHARED``, or
``../shared``) and writes one column file with a card for each table into the
package, and the page that describes them. Same input, same bytes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "prandial" / "tables" / "data"
PAGE = ROOT / "docs" / "data" / "builtin-foods.md"
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]

from foodtables import priors, successors  # noqa: E402
from foodtables.engine import Sources, find_shared  # noqa: E402
from foodtables.fndds import RELEASES, compile_release, read_foods  # noqa: E402
from foodtables.page import KINDS, write_page  # noqa: E402
from foodtables.sr import compile_sr  # noqa: E402


def main() -> None:
    """Compile all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=None, help="folder that holds data/foods")
    parser.add_argument("--out", type=Path, default=DATA, help="folder of the compiled tables")
    parser.add_argument("--page", type=Path, default=None, help="page to write from the cards")
    args = parser.parse_args()
    shared = find_shared(args.shared)
    if not (shared / "data" / "foods").is_dir():
        parser.error(f"no data/foods in {shared}; name the folder with --shared or PRANDIAL_SHARED")
    args.out.mkdir(parents=True, exist_ok=True)
    src = Sources.open(shared)
    recalls = priors.read_recalls(src)
    published = successors.published(src)
    foods = {r.name: read_foods(src, r) for r in RELEASES}
    names = {name: f.names_by_code for name, f in foods.items()}
    for i, release in enumerate(RELEASES):
        chosen = successors.by_hand([r.name for r in RELEASES[: i + 1]], names)
        compile_release(src, args.out, release, foods[release.name], recalls, published, chosen)
    compile_sr(src, args.out)
    page = args.page or (PAGE if args.out == DATA else None)
    if page is not None:
        write_page(page, args.out)
    made = [p for kind in KINDS for p in args.out.glob(f"*.{kind}.npz")]
    total = sum(p.stat().st_size for p in made)
    print(f"{len(made)} tables, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
