"""Keep the figures of runs: ``python -m benchmarks.bench_keep RUN...``.

Scores each run under both rule sets and writes a JSON line a figure into
``benchmarks/history/bench/runs.jsonl``; lines of the same run are put in their place. Without
texts of questions, replies and paths. ``--pair FIRST SECOND`` keeps the paired differences of
two runs. ``python -m benchmarks.bench_page`` then makes the page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.run import HISTORY

__all__ = ["KEPT", "cost_lines", "kept_with", "pair_lines", "run_lines"]

KEPT = HISTORY / "bench" / "runs.jsonl"
#: keys that say which figures a line belongs to
SAME = ("run", "versus", "rules")
_FIGURES = ("metric", "value", "low", "high", "n_scored", "n_unscored", "unit")


def run_lines(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a line for each figure of ``bench_score``, the whole run and its slices."""
    head = _head(told["record"])
    lines = [
        {**head, "rules": rules, "slice": s["slice"], **{k: _rounded(s[k]) for k in _FIGURES}}
        for rules, scores in told["scores"].items()
        for s in scores
        if not s["slice"].startswith("level=")
    ]
    return lines + [{**head, "rules": "cost", "slice": "", **one} for one in cost_lines(told)]


def cost_lines(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return time and tokens a question, and tokens a second over all sittings of a run."""
    summary = told["summary"]
    asked = summary["questions"] - summary["failed"] - summary["not_asked"]
    left = summary["questions"] - asked
    seconds, out = summary["seconds"], summary["output_tokens"]
    figures = [("seconds", _share(seconds, asked), "s")]
    if summary["calls"]:
        figures += [
            ("calls", _share(summary["calls"], asked), "calls"),
            ("input_tokens", _share(summary["input_tokens"], asked), "tokens"),
            ("output_tokens", _share(out, asked), "tokens"),
            ("output_tokens_per_s", _share(out, seconds), "tokens/s"),
        ]
    return [
        {
            "metric": name, "value": _rounded(value), "low": None, "high": None,
            "n_scored": asked, "n_unscored": left, "unit": unit,
        }
        for name, value, unit in figures
        if value is not None
    ]  # fmt: skip


def pair_lines(
    first: Mapping[str, Any], second: Mapping[str, Any], found: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a line for each difference of two runs, second minus first."""
    head, other = _head(second), _head(first)
    asked = len(found["not_run"]) + max((d["n_pairs"] for d in found["differences"]), default=0)
    return [
        {
            **head, "versus": other["run"], "versus_model": other["model"],
            "versus_method": other["method"], "rules": found["rules"], "slice": "",
            "metric": d["metric"], "value": _rounded(d["difference"]), "low": _rounded(d["low"]),
            "high": _rounded(d["high"]), "n_scored": d["n_pairs"],
            "n_unscored": asked - d["n_pairs"], "unit": d["unit"],
            "first": _rounded(d["first"]), "second": _rounded(d["second"]),
            "p": d["p"],
        }
        for d in found["differences"]
    ]  # fmt: skip


def kept_with(kept: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the kept lines with new ones in the place of those of the same run and rules."""
    fresh = {_key(line) for line in new}
    return [line for line in kept if _key(line) not in fresh] + list(new)


def _key(line: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(line.get(k) for k in SAME)


def _head(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line says of its run: no path, and of options what is not usual."""
    weights = record["model_args"].get("name") or record["model_args"].get("file")
    model = record["model"]
    if model == "prandial/local" and isinstance(weights, str):
        model = f"{model} {Path(weights).name}"
    return {
        "run": record["run"],
        "benchmark": record["benchmark"],
        "model": model,
        "method": record["method"],
        "data": record["data"]["name"] or ", ".join(record["data"]["files"]),
        "asked": _asked(record["settings"]),
        "options": _options(record),
        "version": record["versions"]["prandial"],
        "commit": record["commit"],
    }


def _asked(settings: Mapping[str, Any]) -> str:
    """Return which questions were asked, in words."""
    told = [str(settings[k]) for k in ("nutrient", "mode") if settings.get(k)]
    told += [
        f"{k} {settings[k]}"
        for k in ("serving", "items", "half", "split", "limit", "seed")
        if settings.get(k) not in (None, "", [])
    ]
    for name, whole in (("country", 0), ("level", 3), ("task", 3)):
        if len(some := settings.get(name) or ()) not in (0, whole):
            told.append(f"{name} {' '.join(some)}")
    return ", ".join(told)


def _options(record: Mapping[str, Any]) -> str:
    import prandial

    usual = {
        m["method"]: m["options"] for m in prandial.bench_methods(record["benchmark"])
    }.get(record["method"], {})  # fmt: skip
    settings = record["settings"]
    told = [
        f"{k}={v}" for k, v in settings["options"].items() if v != usual.get(k) and k != "graph"
    ]
    told += [
        f"{k} {str(settings[k]).partition(', sha256:')[0]}"
        for k in ("retriever", "textualizer")
        if settings.get(k)
    ]
    return ", ".join(told)


def _share(whole: float | None, parts: float | None) -> float | None:
    return None if whole is None or not parts else whole / parts


def _rounded(value: Any) -> Any:
    return round(value, 5) if isinstance(value, float) else value


def read_kept(path: Path = KEPT) -> list[dict[str, Any]]:
    """Return the kept lines, none when there are none yet."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _written(lines: Iterable[Mapping[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    path.write_text(text, "utf-8")


def main() -> None:
    """Score runs, compare pairs, and keep both."""
    import prandial
    from prandial.bench.runs import forms, read_run

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("runs", nargs="*", type=Path, help="folders of runs")
    parser.add_argument("--by", default="", help="slices of meals too: serving,items,band,country")
    parser.add_argument(
        "--pair", nargs=2, action="append", default=[], type=Path, metavar=("FIRST", "SECOND"),
        help="keep second minus first, again for each",
    )  # fmt: skip
    parser.add_argument("--to", type=Path, default=KEPT, help="file of lines")
    args = parser.parse_args()
    if not args.runs and not args.pair:
        parser.error("name a run, or --pair")
    slices = [s for s in args.by.split(",") if s]
    lines = read_kept(args.to)
    for folder in args.runs:
        found = prandial.bench_score(folder)
        if slices and found["record"]["benchmark"] == "nutribench":
            found = prandial.bench_score(folder, by=slices)
        new = run_lines(found)
        lines = kept_with(lines, new)
        print(f"{folder}: {len(new)} figures of {new[0]['model']} {new[0]['method']}")
    for first, second in args.pair:
        told = [forms.record_to(read_run(f).record) for f in (first, second)]
        for rules in ("ours", "published"):
            new = pair_lines(*told, prandial.bench_compare(first, second, rules=rules))
            lines = kept_with(lines, new)
        print(f"{first}, {second}: {len(new)} differences a rule set")
    _written(lines, args.to)


if __name__ == "__main__":
    main()
