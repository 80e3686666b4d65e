"""Time, memory and agreement of the NGQA build; result lines are kept.

``python -m benchmarks.ngqa`` needs the shared survey files (PRANDIAL_SHARED or
../shared). Every build runs in a process of its own. Lines go to
``benchmarks/history/ngqa/<version>.jsonl``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.meals import find_shared
from benchmarks.run import HISTORY, commit

ROOT = Path(__file__).resolve().parent.parent
ONE = "2017-2018"
_FILES = (
    "questions.parquet",
    "NGQA_benchmark.csv",
    "alternatives.jsonl",
    "people.parquet",
    "card.json",
)
_SCANNED_FOODS = 15


def _build(root: Path, out: Path, rules: str, graph: str, cycles: list[str]) -> dict[str, Any]:
    """Build in this process; what it took goes to the caller as JSON."""
    from prandial import api

    start = time.perf_counter()
    report = api.build_ngqa(
        out, root=root, rules=rules, graph=graph, cycles=cycles or None, replace=True
    )
    levels = {
        name: {
            k: figures[k] for k in ("rows", "yes_ratio", "nodes", "edges", "node_snr", "tag_snr")
        }
        for name, figures in report.stats["levels"].items()
    }
    return {
        "rules": rules,
        "graph": graph,
        "cycles": len(cycles) or "all",
        "seconds": round(time.perf_counter() - start, 2),
        "steps_s": {k: round(v, 2) for k, v in report.seconds.items()},
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "people": report.card["notes"]["people_read"],
        "counts": report.card["counts"],
        "levels": levels,
    }


def _apart(root: Path, out: Path, rules: str, graph: str, *cycles: str) -> dict[str, Any]:
    """Build in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.ngqa", "--one", str(root), str(out), rules, graph]
    start = time.perf_counter()
    done = subprocess.run([*command, *cycles], capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, Any] = json.loads(done.stdout)
    found["process_s"] = round(time.perf_counter() - start, 2)
    return found


def _digests(folder: Path) -> dict[str, str]:
    return {f: hashlib.sha256((folder / f).read_bytes()).hexdigest()[:16] for f in _FILES}


def _root_of(shared: Path, target: Path) -> Path:
    target.mkdir(parents=True, exist_ok=True)
    for name in ("nhanes", "foods"):
        (target / name).symlink_to((shared / "data" / name).resolve())
    return target


def _as_xpt(shared: Path, target: Path, cycle: str) -> tuple[Path, int]:
    """Write every table of a cycle as a transport file; the originals are copied."""
    import duckdb
    from tools.write_xpt import write_xpt

    source, nhanes = shared / "data" / "nhanes", target / "nhanes"
    (target / "foods").parent.mkdir(parents=True, exist_ok=True)
    (target / "foods").symlink_to((shared / "data" / "foods").resolve())
    size = 0
    for folder in (cycle, "all-cycles"):
        (nhanes / folder).mkdir(parents=True)
        for path in sorted((source / folder).iterdir()):
            table = path.name.split(".")[0]
            goal = nhanes / folder / f"{table}.XPT"
            if path.suffix.upper() == ".XPT":
                goal.write_bytes(path.read_bytes())
            elif table in ("FPED_1718", "codebook", "variables"):
                continue  # no survey table: names too long for the format
            else:
                with duckdb.connect() as con:
                    read = con.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchnumpy()
                write_xpt(goal, {k: _column(v) for k, v in read.items()}, table)
            size += goal.stat().st_size
    return target, size


def _column(values: Any) -> Any:
    if values.dtype == object:
        return ["" if v is None else str(v) for v in np.ma.filled(values, "")]
    return np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)


def scanning(root: Path) -> dict[str, Any]:
    """Draw pairs for the same foods by shuffling and scanning everybody, and by patterns."""
    from prandial.bench.ngqa.inputs import Roots, read_foods, read_people
    from prandial.quiz.sample import food_arrays, sample_pairs
    from prandial.tags import HIGH, LOW, need_bits

    roots = Roots.under(root)
    people = read_people(roots, rules="as-published")
    foods = read_foods(roots, rules="as-published", cycles=people.cycles)
    codes, tags, _ = food_arrays(foods.facts[:_SCANNED_FOODS], rules="as-published")
    needs = need_bits(people.profiles.statuses, rules="as-published")
    pool = np.flatnonzero(((needs & (LOW | HIGH)) != 0).any(axis=1))
    start = time.perf_counter()
    made = sample_pairs(
        codes, tags, people.profiles.people.seqn[pool], needs[pool], rules="as-published", seed=0
    )
    fast = time.perf_counter() - start
    start = time.perf_counter()
    scanned = _scan(codes.tolist(), tags, needs[pool])
    slow = time.perf_counter() - start
    return {
        "foods": _SCANNED_FOODS,
        "people": len(pool),
        "by_patterns_s": round(fast, 3),
        "by_patterns_pairs": len(made),
        "by_scanning_s": round(slow, 3),
        "by_scanning_pairs": scanned,
    }


def _scan(codes: list[int], tags: Any, needs: Any) -> int:
    """The obvious way for sparse questions alone: shuffle all people, take the first that fits."""
    want = [frozenset(np.flatnonzero(row).tolist()) for row in needs]
    users = list(range(len(want)))
    found = 0
    for code, row in zip(codes, tags, strict=True):
        used: set[int] = set()
        tagged = np.flatnonzero(row).tolist()
        for attempt in range(1, 52):
            if len(used) >= 10:
                break
            draw = random.Random(code + attempt)
            draw.shuffle(tagged)
            draw.shuffle(users)
            avoid = frozenset(tagged[1:])
            for user in users:
                if user not in used and tagged[0] in want[user] and not want[user] & avoid:
                    used.add(user)
                    break
        found += len(used)
    return found


def measure(shared: Path) -> dict[str, Any]:
    """Run every part."""
    from prandial.sources.nhanes import NhanesFolder

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        root = _root_of(shared, work / "root")
        builds = []
        for rules, graph in (
            ("as-published", "published"),
            ("default", "published"),
            ("default", "no-verdict"),
            ("default", "merged"),
        ):
            builds.append(_apart(root, work / f"{rules}-{graph}", rules, graph))
            print(_line(builds[-1]), file=sys.stderr)
        _apart(root, work / "again", "as-published", "published")
        first, again = _digests(work / "as-published-published"), _digests(work / "again")
        growth = []
        cycles = list(NhanesFolder(root / "nhanes").cycles())
        for n in range(1, len(cycles) + 1):
            made = _apart(root, work / "grown", "as-published", "published", *cycles[:n])
            growth.append({"cycles": n, "seconds": made["seconds"], "peak_mb": made["peak_mb"]})
            print(f"{n} cycles: {made['seconds']} s", file=sys.stderr)
        xpt, size = _as_xpt(shared, work / "xpt", ONE)
        from_xpt = _apart(xpt, work / "from-xpt", "as-published", "published", ONE)
        from_parquet = _apart(root, work / "from-parquet", "as-published", "published", ONE)
        equal = _digests(work / "from-xpt") == _digests(work / "from-parquet")
        return {
            "builds": builds,
            "same_bytes_twice": first == again,
            "digests": first,
            "growth": growth,
            "per_added_cycle_s": _slope(growth),
            "one_cycle": {
                "xpt_s": from_xpt["seconds"],
                "xpt_peak_mb": from_xpt["peak_mb"],
                "xpt_mb": round(size / 1e6, 1),
                "parquet_s": from_parquet["seconds"],
                "parquet_peak_mb": from_parquet["peak_mb"],
                "same_bytes": equal,
            },
            "sampler": scanning(root),
        }


def _slope(growth: list[dict[str, Any]]) -> float:
    x = np.array([g["cycles"] for g in growth], dtype=np.float64)
    y = np.array([g["seconds"] for g in growth], dtype=np.float64)
    return round(float(np.polyfit(x, y, 1)[0]), 2)


def _line(build: dict[str, Any]) -> str:
    return (
        f"{build['rules']} {build['graph']}: {build['counts']['rows']:,} rows,"
        f" {build['seconds']} s, {build['peak_mb']} MB"
    )


def main() -> None:
    """Measure, print and keep a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--no-keep", action="store_true", help="do not write a result line")
    args = parser.parse_args()
    if args.one:
        root, out, rules, graph, *cycles = args.one
        print(json.dumps(_build(Path(root), Path(out), rules, graph, cycles)))
        return
    shared = find_shared()
    if shared is None or not (shared / "data" / "nhanes").is_dir():
        sys.exit("SHARED SURVEY FILES ABSENT: set PRANDIAL_SHARED to the folder that holds data/")
    from prandial import __version__

    found = {"version": __version__, "commit": commit(), **measure(shared)}
    print(json.dumps(found, indent=1))
    if not args.no_keep:
        kept = HISTORY / "ngqa" / f"{__version__}.jsonl"
        kept.parent.mkdir(exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
