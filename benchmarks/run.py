"""Run the benchmarks, print their tables, keep the result lines.

``python -m benchmarks.run`` needs the shared meals (PRANDIAL_SHARED or
../shared). Result lines go to ``benchmarks/history/<version>.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.accuracy import measure, v1_whole
from benchmarks.meals import find_shared, load_sets
from benchmarks.speed import measure_speed
from prandial.meal import ESTIMATOR, get_estimator
from prandial.tables import DEFAULT_RELEASE, RELEASES

HISTORY = Path(__file__).resolve().parent / "history"
CAVEAT = (
    "These texts were generated from FNDDS names and portions, so looking them up inverts the"
    " generator: a high figure here is not proof of better counting of real plates."
)


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def _table(rows: list[dict[str, Any]]) -> str:
    lines = [
        (
            "| set | n | carb Acc@7.5 [95 %] | MAE g | answered | protein ±5 g | fat ±5 g |"
            " energy ±50 kcal | range covers | median width g | constant |"
        ),
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        c = r["carb_g"]
        other = [
            f"{r[k]['acc']:.1f} (MAE {r[k]['mae']:.1f})" if k in r else "no label"
            for k in ("protein_g", "fat_g", "energy_kcal")
        ]
        lines.append(
            f"| {r['title']} | {c['n']} |"
            f" {c['acc']:.1f} [{c['acc_low']:.1f}, {c['acc_high']:.1f}] |"
            f" {c['mae']:.2f} | {c['answered']:.1f} % | {' | '.join(other)} |"
            f" {r['range']['covers']:.1f} % | {r['range']['median_width_g']:.1f} |"
            f" {r['constant_median_acc']:.1f} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("test", "tune"), default="test")
    parser.add_argument("--release", choices=RELEASES, default=DEFAULT_RELEASE)
    parser.add_argument("--trained", type=Path, default=None, help="score a learned ranking")
    parser.add_argument("--only", choices=("accuracy", "speed"), default=None)
    parser.add_argument("--limit", type=int, default=None, help="first N rows of each set")
    parser.add_argument("--no-keep", action="store_true", help="do not write a history line")
    args = parser.parse_args()
    shared = find_shared()
    if shared is None:
        print(
            "SHARED DATA ABSENT: no meals to score; set PRANDIAL_SHARED to its folder",
            file=sys.stderr,
        )
        return 4
    sets = load_sets(shared, half=args.half)
    result: dict[str, Any] = {
        "version": version("prandial"),
        "commit": _commit(),
        "estimator": ESTIMATOR,
        "release": args.release,
        "half": args.half,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    if args.only != "speed":
        estimator = get_estimator(args.release, trained=args.trained)
        result["estimator"] = estimator.name
        rows = []
        for meals in sets:
            if args.limit:
                for values in (
                    meals.texts,
                    meals.countries,
                    meals.groups,
                    *meals.labels.values(),
                ):
                    del values[args.limit :]
            rows.append(measure(estimator, meals))
            print(f"{meals.title}: {rows[-1]['carb_g']}", file=sys.stderr)
        result["accuracy"] = rows
        result["v1_whole"] = v1_whole(rows)
        print(f"Accuracy, {args.half} half, {args.release}, {estimator.name}\n")
        print(_table(rows))
        print(f"\nv1 whole, weighted to its 11,857 rows: {result['v1_whole']}\n\n{CAVEAT}\n")
    if args.only != "accuracy":
        texts = [t for s in sets if s.name.startswith("v1_us") for t in s.texts]
        result["speed"] = measure_speed(texts[: args.limit] if args.limit else texts)
        print("Speed\n" + json.dumps(result["speed"], indent=1))
    if not args.no_keep:
        HISTORY.mkdir(exist_ok=True)
        path = HISTORY / f"{result['version']}.jsonl"
        with path.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(result) + "\n")
        print(f"kept in {path.relative_to(HISTORY.parent.parent)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
