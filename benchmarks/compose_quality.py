"""Oddities of the published meals, leaks between versions, and the speed of the written form.

``python -m benchmarks.compose_quality`` needs the shared meals (PRANDIAL_SHARED or ../shared).
Every timed part runs in a process of its own. Lines go to
``benchmarks/history/compose/quality-<version>.jsonl``; no text of a meal is kept.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.meals import find_shared
from benchmarks.run import HISTORY, commit
from prandial.compose import compose_meals
from prandial.records.composed import DescribedMeal, EatenItem, EatenMeal, HouseholdServing
from prandial.tables import FoodTable, load_foods

ROOT = Path(__file__).resolve().parent.parent
#: names that a survey's table cut off after "boi"
_CUT = re.compile(r"\*\s?boi?$")
_BASE = 2000
_NUTRIENTS = ("carb_g", "protein_g", "fat_g", "energy_kcal")


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _item(table: FoodTable, row: int, grams: float, said: str, *, metric: bool) -> EatenItem:
    at = {n: table.nutrient_keys.index(n) for n in _NUTRIENTS}
    amounts = {n: float(table.per_100g[row, k]) * grams / 100.0 for n, k in at.items()}
    serving = HouseholdServing(
        text=said, measure=said, times=1.0, grams=grams, rule="exact", source=table.source(row)
    )
    return EatenItem(
        food=table.source(row),
        name=table.names[row],
        grams=grams,
        nutrients={n: v for n, v in amounts.items() if v == v},
        serving=None if metric else serving,
    )


def made_up(n: int, *, seed: int) -> Iterator[DescribedMeal]:
    """Yield meals of real foods that nobody ate: for times and memory, not for a benchmark."""
    table = load_foods()
    weights = [float(c) for c in table.eaten_count]
    base = []
    for composed in islice(compose_meals(table, weights, seed=seed, metric=True), _BASE):
        items, names, amounts = [], [], []
        for one in composed.items:
            grams = float(one.serving.grams)
            items.append(_item(table, one.food, grams, one.serving.before, metric=True))
            names.append(table.names[one.food])
            amounts.append(f"{grams:g} g")
        base.append((composed.text, tuple(items), tuple(names), tuple(amounts)))
    for k, (text, items, names, amounts) in enumerate(islice(cycle(base), n)):
        meal = EatenMeal(
            id=f"wweia-2017-2018-{100_000 + k}-1-lunch-720",
            survey="wweia",
            cycle="2017-2018",
            country="USA",
            person=str(100_000 + k),
            day=1,
            occasion="lunch",
            minute=720,
            items=items,
        )
        yield DescribedMeal(
            meal=meal,
            serving_type="metric",
            text=text if k < _BASE else f"{text} ({k})",
            names=names,
            amounts=amounts,
            variants=(text,) * 4,
        )


def _write(n: int, out: Path, forms: tuple[str, ...]) -> dict[str, Any]:
    from prandial.compose.written import write_build

    list(made_up(1, seed=1))  # loads the foods
    start, before = time.perf_counter(), time.process_time()
    card = write_build(
        made_up(n, seed=1),
        out,
        seed=1,
        arguments={"n": n},
        prandial_version="0",
        forms=forms,
        replace=True,
    )
    return {
        "rows": n,
        "forms": list(forms),
        "seconds": round(time.perf_counter() - start, 2),
        "cpu_s": round(time.process_time() - before, 2),
        "peak_mb": _peak_mb(),
        "files": card["files"],
    }


def _check(path: Path) -> dict[str, Any]:
    from prandial.compose.quality import beside_published, check_file

    start, before = time.perf_counter(), time.process_time()
    report = check_file(path)
    seconds, cpu_s = time.perf_counter() - start, time.process_time() - before
    return {
        "rows": report.rows,
        "rows_with_items": report.items_known,
        "findings": {
            f.rule: {"n": f.n, "checked": f.checked, "rows": f.n_rows} for f in report.findings
        },
        "highest": {k: round(v, 2) for k, (v, _) in report.highest.items()},
        "beside_published": [b.to_dict() for b in beside_published(report)],
        "cut_off_names": _cut_off(path, report),
        "seconds": round(seconds, 2),
        "cpu_s": round(cpu_s, 2),
        "peak_mb": _peak_mb(),
    }


def _cut_off(path: Path, report: Any) -> dict[str, int]:
    """Count the cooked grains weighed raw whose names were cut off within "boiled"."""
    from prandial.compose.quality import checked_meals

    hits = {(h.row, h.item) for h in report.finding("cooked_weighed_raw").hits}
    rows = {row for row, _ in hits}
    names = {m.id: m.names for m in checked_meals(path) if m.id in rows and m.names}
    cut = sum(bool(_CUT.search(names[row][item])) for row, item in hits)
    return {"cut_off": cut, "whole": len(hits) - cut}


def _leaks(path: Path, *known: Path) -> dict[str, Any]:
    from prandial.compose.leaks import leaks_of_files

    start, before = time.perf_counter(), time.process_time()
    report = leaks_of_files(path, list(known))
    body = report.to_dict()
    del body["files"]
    return {
        **body,
        "seconds": round(time.perf_counter() - start, 2),
        "cpu_s": round(time.process_time() - before, 2),
        "peak_mb": _peak_mb(),
    }


def _apart(*words: str) -> dict[str, Any]:
    """Run a part in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.compose_quality", "--one", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measure(shared: Path, rows: list[int]) -> dict[str, Any]:
    """Run every part."""
    folder = shared / "data" / "nutribench"
    v1, v2 = (str(folder / f"nutribench_{v}.parquet") for v in ("v1", "v2"))
    found: dict[str, Any] = {"published": {}, "leaks": [], "written": [], "build_checks": []}
    for name in ("v1", "v2", "v0", "v2_who_metric"):
        found["published"][name] = _apart("check", str(folder / f"nutribench_{name}.parquet"))
        print(f"{name}: {found['published'][name]['seconds']} s", file=sys.stderr)
    found["leaks"] = [_apart("leaks", v1, v2), _apart("leaks", v2, v1)]
    with tempfile.TemporaryDirectory() as work:
        for n in rows:
            found["written"].append(_apart("write", str(n), f"{work}/{n}", "parquet"))
            print(_line(found["written"][-1]), file=sys.stderr)
        for forms in ("parquet", "parquet,csv,jsonl"):
            made = _apart("write", str(rows[0]), f"{work}/again", forms)
            found["written"].append(made)
        first, again = found["written"][0]["files"], found["written"][-1]["files"]
        found["same_bytes_twice"] = first["meals.parquet"] == again["meals.parquet"]
        for n in rows:
            path = f"{work}/{n}/meals.parquet"
            checked, leaks = _apart("check", path), _apart("leaks", path, v1, v2)
            found["build_checks"].append(
                {
                    "rows": n,
                    "quality_s": checked["seconds"],
                    "quality_cpu_s": checked["cpu_s"],
                    "quality_peak_mb": checked["peak_mb"],
                    "leaks_s": leaks["seconds"],
                    "leaks_cpu_s": leaks["cpu_s"],
                    "leaks_peak_mb": leaks["peak_mb"],
                    "known_rows": leaks["known_rows"],
                    "kinds": leaks["kinds"],
                }
            )
            print(f"{n} rows: {found['build_checks'][-1]}", file=sys.stderr)
    return found


def _line(made: dict[str, Any]) -> str:
    return (
        f"{made['rows']:,} rows as {'+'.join(made['forms'])}: {made['seconds']} s,"
        f" {made['cpu_s']} s of CPU, {made['peak_mb']} MB"
    )


_PARTS: dict[str, Callable[..., dict[str, Any]]] = {
    "write": lambda n, out, forms: _write(int(n), Path(out), tuple(forms.split(","))),
    "check": lambda path: _check(Path(path)),
    "leaks": lambda path, *known: _leaks(Path(path), *map(Path, known)),
}


def main() -> None:
    """Measure, print and keep a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, nargs="*", default=[20_000, 100_000])
    parser.add_argument("--no-keep", action="store_true", help="do not write a result line")
    args = parser.parse_args()
    if args.one:
        part, *words = args.one
        print(json.dumps(_PARTS[part](*words)))
        return
    shared = find_shared()
    if shared is None:
        sys.exit("SHARED MEALS ABSENT: set PRANDIAL_SHARED to the folder that holds data/")
    from prandial import __version__

    found = {"version": __version__, "commit": commit(), **measure(shared, args.rows)}
    print(json.dumps(found, indent=1))
    if not args.no_keep:
        kept = HISTORY / "compose" / f"quality-{__version__}.jsonl"
        kept.parent.mkdir(exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
