"""Run the benchmarks, print their tables, keep the result lines.

``python -m benchmarks.run`` needs the shared meals (PRANDIAL_SHARED or
../shared). Without ``--only`` it runs accuracy and speed; ``--only all`` runs
everything. Result lines go to ``benchmarks/history/<version>.jsonl``. What each
benchmark is: ``docs/benchmarks.md``.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks import printing
from benchmarks.ablation import measure_ablation
from benchmarks.accuracy import measure, v1_whole
from benchmarks.asking import ask_once
from benchmarks.carbs import carb_errors, compared
from benchmarks.cycles import later_priors, measure_cycles
from benchmarks.languages import measure_languages
from benchmarks.meals import MealSet, find_shared, load_sets
from benchmarks.peers import measure_peers
from benchmarks.perturbed import item_names, measure_rewritten
from benchmarks.printing import CAVEAT
from benchmarks.speed import measure_speed
from prandial.meal import Estimator, get_estimator
from prandial.meal.weights import Weights
from prandial.tables import DEFAULT_RELEASE, RELEASES, load_foods

HISTORY = Path(__file__).resolve().parent / "history"
US = ("v1_us_natural", "v2_us_natural", "v1_us_metric", "v2_us_metric")
#: what a stated weight gains when it equals a listed measure, in the artefact's own row
LISTED_GRAMS = 2.5


def commit() -> str:
    """Return the commit that is measured, marked when files were changed since.

    The result lines themselves do not count as a change.
    """

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git(
        "status", "--porcelain", "--untracked-files=no", "--", ".", ":!benchmarks/history"
    )
    return (git("describe", "--always") or "unknown") + ("-dirty" if changed else "")


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _picked(meals: MealSet, places: Sequence[int]) -> MealSet:
    return replace(
        meals,
        texts=[meals.texts[i] for i in places],
        labels={k: [v[i] for i in places] for k, v in meals.labels.items()},
        countries=[meals.countries[i] for i in places],
        groups=[meals.groups[i] for i in places],
    )


def _sets(shared: Path, args: argparse.Namespace, half: str | None = None) -> list[MealSet]:
    """Load the sets of the half; ``--limit`` takes the first rows, ``--sample`` a seeded draw."""
    out = []
    for meals in load_sets(shared, half=half or args.half):
        places = list(range(len(meals.texts)))
        if args.sample and args.sample < len(places):
            places = sorted(random.Random(f"{meals.name}|{args.seed}").sample(places, args.sample))
        out.append(_picked(meals, places[: args.limit]))
    return out


def _us(sets: Sequence[MealSet]) -> list[MealSet]:
    return [s for s in sets if s.name in US]


def _side_by_side(first: Estimator, second: Estimator, sets: Sequence[MealSet]) -> list[Any]:
    rows = []
    for meals in sets:
        labels = meals.labels["carb_g"]
        both = [carb_errors(e, meals.texts, labels) for e in (first, second)]
        rows.append({"set": meals.title, **compared(both[0], both[1], meals.groups)})
    return rows


def accuracy(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Every set, every labelled nutrient, and the ranges beside their rivals."""
    estimator = get_estimator(args.release, trained=args.trained)
    tune = (
        {s.name: s for s in _sets(shared, args, "tune")}
        if args.half == "test" and not args.trained
        else {}
    )
    rows = []
    for meals in _sets(shared, args):
        rows.append(measure(estimator, meals, tune.get(meals.name)))
        _say(f"{meals.title}: {rows[-1]['carb_g']}")
    whole = v1_whole(rows)
    print(printing.accuracy_table(rows))
    print(f"\nv1 whole, weighted to its 11,857 rows: {whole}")
    print(f"\nRanges of carbohydrate\n\n{printing.ranges_table(rows)}")
    print(f"\nBy confidence, a quarter of the meals each\n\n{printing.confidence_table(rows)}")
    return {"accuracy": rows, "v1_whole": whole}


def asking(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Score the natural sets before and after one question."""
    estimator = get_estimator(args.release, trained=args.trained)
    sets = [s for s in _us(_sets(shared, args)) if s.name.endswith("natural")]
    rows = [ask_once(estimator, s) for s in sets]
    print(printing.asking_table(rows))
    return {"asking": rows}


def speed(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Measure meals a second, single calls, start-up, memory."""
    texts = [t for s in _sets(shared, args) if s.name.startswith("v1_us") for t in s.texts]
    result = measure_speed(texts)
    print("Speed\n" + json.dumps(result, indent=1))
    return {"speed": result}


def perturbed(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Score the same meals rewritten."""
    names = item_names(shared, half=args.half)
    rows = measure_rewritten(get_estimator(args.release), _us(_sets(shared, args)), names)
    print(printing.rewritten_table(rows))
    return {"perturbed": rows}


def cycles(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Where the meals come from, and priors of later cycles."""
    found = measure_cycles(shared, half=args.half)
    print(f"{found['told']} of {found['meals']} v2 US metric meals told by food code and grams\n")
    print(printing.cycles_table(found))
    later = Estimator(later_priors(shared))
    rows = _side_by_side(get_estimator(DEFAULT_RELEASE), later, _us(_sets(shared, args)))
    print("\nPriors of the recalls 2003-2012 (default) and 2003-2018 (never shipped)\n")
    print(printing.compared_table(rows, before="2003-2012", after="2003-2018"))
    return {"cycles": found, "later_priors": rows}


def artefact(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Score with and without the benchmark artefact "grams equal a listed portion"."""
    with_it = Estimator(load_foods(args.release), Weights(listed_grams=LISTED_GRAMS))
    sets = [s for s in _us(_sets(shared, args)) if s.name.endswith("metric")]
    rows = _side_by_side(get_estimator(args.release), with_it, sets)
    print("The artefact is off by default: real scales do not round to listed portions\n")
    print(printing.compared_table(rows, before="off (default)", after="on"))
    return {"artefact": {"listed_grams": LISTED_GRAMS, "rows": rows}}


def ablation(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Switch off one ingredient at a time."""
    rows = measure_ablation(load_foods(args.release), _us(_sets(shared, args)), _say)
    print(printing.ablation_table(rows))
    return {"ablation": rows}


def peers(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Side by side with ingredient-parser-nlp on single lines."""
    lines = [t for s in _sets(shared, args) if s.name == "single_foods" for t in s.texts]
    found = measure_peers(lines)
    if "left_out" in found:
        _say(f"PEER LEFT OUT: {found['left_out']}")
    print(printing.peers_table(found))
    return {"peers": found}


def languages(shared: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Score the English originals of the 18-language file beside gpt-4o."""
    rows = measure_languages(get_estimator(args.release), shared, half=args.half)
    print(printing.languages_table(rows))
    return {"languages": rows}


PARTS: dict[str, Callable[[Path, argparse.Namespace], dict[str, Any]]] = {
    "accuracy": accuracy,
    "asking": asking,
    "speed": speed,
    "perturbed": perturbed,
    "cycles": cycles,
    "artefact": artefact,
    "ablation": ablation,
    "peers": peers,
    "languages": languages,
}
_DEFAULT = ("accuracy", "speed")


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("test", "tune"), default="test")
    parser.add_argument("--release", choices=RELEASES, default=DEFAULT_RELEASE)
    parser.add_argument("--trained", type=Path, default=None, help="score a learned ranking")
    parser.add_argument("--only", choices=(*PARTS, "all"), default=None)
    parser.add_argument("--limit", type=int, default=None, help="first N rows of each set")
    parser.add_argument(
        "--sample", type=int, default=None, help="N rows of each set, drawn by seed"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of --sample")
    parser.add_argument("--no-keep", action="store_true", help="do not write a history line")
    args = parser.parse_args(argv)
    shared = find_shared()
    if shared is None:
        print(
            "SHARED DATA ABSENT: no meals to score; set PRANDIAL_SHARED to its folder",
            file=sys.stderr,
        )
        return 4
    result: dict[str, Any] = {
        "version": version("prandial"),
        "commit": commit(),
        "release": args.release,
        "half": args.half,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    if args.limit or args.sample:
        result |= {"limit": args.limit, "sample": args.sample, "seed": args.seed}
    asked = PARTS if args.only == "all" else (args.only,) if args.only else _DEFAULT
    name_of = get_estimator(args.release, trained=args.trained).name
    result["estimator"] = name_of
    for name in asked:
        print(f"\n{name}, {args.half} half, {args.release}, {name_of}\n")
        result |= PARTS[name](shared, args)
        print(f"\n{CAVEAT}")
    if not args.no_keep:
        HISTORY.mkdir(exist_ok=True)
        path = HISTORY / f"{result['version']}.jsonl"
        with path.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(result) + "\n")
        print(f"kept in {path.relative_to(HISTORY.parent.parent)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
