"""Fit the ``trained`` configuration: ``python -m benchmarks.train --out FILE``.

Needs the shared meals (PRANDIAL_SHARED or ../shared) and uses their tuning half
only. The file it writes holds what was learned from non-commercial data
(CC BY-NC-SA 4.0): it is for research, and is not part of prandial.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.meals import find_shared
from benchmarks.train.crossfit import cross_fit
from benchmarks.train.gold import FOLDS, load_meals
from benchmarks.train.recipe import Recipe, Settings
from prandial.meal.trained import save_trained

LICENCE = "CC BY-NC-SA 4.0 (NutriBench): not for commercial use"
INPUTS = (
    "nutribench_v1.parquet",
    "nutribench_v2.parquet",
    "nutribench_v2_who_metric.parquet",
    "nutribench_us_natural_carb.parquet",
)


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def main() -> int:
    """Fit, or score by cross-fitting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=None, help="write the fitted ranking here")
    parser.add_argument(
        "--cross-fit",
        type=int,
        default=0,
        metavar="FOLDS",
        help=f"score this many of {FOLDS} folds, each by a fit on the others",
    )
    parser.add_argument("--artefact", action="store_true", help="use 'grams equal a measure'")
    parser.add_argument("--without", default="", help="families of features to leave out")
    parser.add_argument("--pull", type=float, default=Settings.pull)
    parser.add_argument("--steps", type=int, default=Settings.steps)
    args = parser.parse_args()
    if args.out is None and not args.cross_fit:
        parser.error("say --out FILE, --cross-fit FOLDS or both")
    shared = find_shared()
    if shared is None:
        print("SHARED DATA ABSENT: set PRANDIAL_SHARED to its folder", file=sys.stderr)
        return 4
    settings = Settings(
        pull=args.pull,
        steps=args.steps,
        artefact=args.artefact,
        without=tuple(filter(None, args.without.split(","))),
    )
    begun = time.perf_counter()
    recipe = Recipe(shared, load_meals(shared), settings, tell=lambda s: print(s, flush=True))
    if args.cross_fit:
        cross_fit(recipe, range(args.cross_fit))
    if args.out is not None:
        fitted = recipe.fit()
        card = {
            **fitted.card,
            "half": "tune",
            "recipe": "python -m benchmarks.train",
            "settings": asdict(settings),
            "commit": _commit(),
            "release": settings.release,
            "licence": LICENCE,
            "sha256_of_inputs": {
                n: hashlib.sha256((shared / "data" / "nutribench" / n).read_bytes()).hexdigest()
                for n in INPUTS
            },
        }
        save_trained(replace(fitted, card=card), args.out)
        size = args.out.stat().st_size / 1e6
        print(f"{args.out}: {size:.1f} MB after {time.perf_counter() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
