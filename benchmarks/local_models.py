"""Small local models on both benchmarks: ``python -m benchmarks.local_models --out DIR``.

Runs go on where they stopped when the command is given again. It needs the shared data, a
build of NGQA (``prandial ngqa build --rules as-published``), the weights (``prandial models
pull qwen2.5-0.5b``) and a machine that does nothing else: about two hours on two cores. The
figures are kept by ``python -m benchmarks.bench_keep DIR/*``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import prandial
from benchmarks.meals import find_shared

#: seed of every draw of questions
SEED = 6
#: of the meals for ``extract``: its answers to an earlier draw (seed 6) were read
FRESH = 7
SMALL, LARGER = "qwen2.5-0.5b", "qwen2.5-1.5b"
MEAL_METHODS = ("base", "grounded_rag", "rag", "cot")
GRAPH_METHODS = (
    "plain", "kaping", "kaping_published", "g_retriever", "cot_zero", "cot_bag", "tog",
    "cot_zero_two_stage", "tog_published",
)  # fmt: skip
#: our own and the trivial answers, which take no time
MEAL_FLOORS = ("grounded", "median", "ridge")
GRAPH_FLOORS = ("rules", "always_no", "all_tags", "edges")


def fact_plans(meals: Path, tables: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield runs on the two facts tables of ``benchmarks.retrieval_facts --out FOLDER``."""
    for method, limit, forms in (
        ("rag", 100, ("portions", "published")),
        ("rag_cot", 30, ("portions", "published")),
    ):
        for form in forms:
            yield f"nutribench_{method}_{form}", {
                "benchmark": "nutribench", "model": "prandial/local", "data": str(meals),
                "half": "test", "seed": SEED, "method": method, "limit": limit,
                "options": {"bound": "integer"} if method == "rag" else {},
                "retriever": f"facts:{tables / form}", "model_args": _local(SMALL, 2, 4096),
            }  # fmt: skip


def plans(meals: Path, graphs: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each run and its arguments, those that matter most first."""
    drawn = {"data": str(meals), "half": "test", "seed": SEED}
    asked = {"benchmark": "nutribench", "model": "prandial/local", **drawn}
    yield "extract_0.5b", {
        **asked, "method": "extract", "limit": 600, "seed": FRESH,
        "model_args": _local(SMALL, 4, 2048),
    }  # fmt: skip
    yield "grounded", {
        **drawn, "benchmark": "nutribench", "model": "prandial/grounded", "limit": 600,
        "seed": FRESH,
    }  # fmt: skip
    for method in MEAL_METHODS:
        yield f"nutribench_{method}", {
            **asked, "method": method, "limit": 100, "options": {"bound": "integer"},
            "model_args": _local(SMALL, 2, 3072),
        }  # fmt: skip
    for method in GRAPH_METHODS:
        bound = "reasoned" if method.startswith("cot") else "grammar"
        yield f"ngqa_{method}", {
            "benchmark": "ngqa", "model": "prandial/local", "data": str(graphs), "limit": 20,
            "seed": SEED, "method": method, "options": {"bound": bound},
            "model_args": _local(SMALL, 1, 4096),
        }  # fmt: skip
    for model in MEAL_FLOORS:  # on the same meals
        yield f"nutribench_{model}", {
            **drawn, "benchmark": "nutribench", "model": f"prandial/{model}", "limit": 100,
        }  # fmt: skip
    for model in GRAPH_FLOORS:
        yield f"ngqa_{model}", {
            "benchmark": "ngqa", "model": f"prandial/{model}", "data": str(graphs), "limit": 20,
            "seed": SEED,
        }  # fmt: skip
    yield "extract_1.5b", {
        **asked, "method": "extract", "limit": 150, "seed": FRESH,
        "model_args": _local(LARGER, 2, 2048),
    }  # fmt: skip


def _local(name: str, parallel: int, context: int) -> dict[str, Any]:
    return {"name": name, "parallel": parallel, "context": context}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--ngqa", type=Path, help="folder of an NGQA build")
    parser.add_argument("--facts", type=Path, help="folder of both facts tables: only those runs")
    parser.add_argument("--only", action="append", help="name of a run, again for each")
    args = parser.parse_args()
    shared = find_shared()
    if shared is None:
        print("SHARED DATA ABSENT: set PRANDIAL_SHARED", file=sys.stderr)
        return 4
    meals = shared / "data" / "nutribench" / "nutribench_v1.parquet"
    if (args.ngqa is None) == (args.facts is None):
        parser.error("give --ngqa or --facts")
    chosen = plans(meals, args.ngqa) if args.facts is None else fact_plans(meals, args.facts)
    for name, plan in chosen:
        if args.only and name not in args.only:
            continue
        for run in prandial.bench_run(out=args.out / name, **plan):
            print(f"{name}: {len(run.predictions)} answers, {run.record.seconds} s", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except prandial.PrandialError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
