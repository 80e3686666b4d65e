"""The published GPT-4o answers in 18 languages, read and scored again under both rule sets.

``python -m benchmarks.multilingual`` needs the shared meals (PRANDIAL_SHARED or ../shared).
The answers were recorded by others (gpt-4o-2024-08-06, chain of thought; 100 meals, of which
73 are shared, each in every language); no model is asked. What is printed is kept as one
JSON line in ``benchmarks/history/bench/multilingual.json``.

The meals were drawn by band of carbohydrate, so that large ones are more frequent than in
v2: the figures are not those of GPT-4o on v2.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.meals import find_shared
from benchmarks.run import HISTORY, commit
from prandial.answer.reading.differences import reading_differences
from prandial.answer.reading.meals import read_meal_reply
from prandial.answer.reading.plain import in_plain_writing
from prandial.records.bench import MealQuestion, Prediction, Score
from prandial.score.analyses.reasoning import count_faults, far_answers
from prandial.score.answers.meals import (
    MealPair,
    MealRules,
    one_rule_set,
    score_meal_slices,
    score_meals,
)

__all__ = ["load", "measure", "table"]

KEPT = HISTORY / "bench" / "multilingual.json"
RULES: tuple[MealRules, ...] = ("ours", "published")
SHOWN = {
    "ours": ("acc_all", "acc_answered", "mae_g", "bias_g", "answer_rate", "unreadable"),
    "published": ("acc_all", "mae_g", "answer_rate"),
}
SEED = 1


def load(shared: Path) -> tuple[list[MealPair], list[tuple[str, str, float | None]]]:
    """Return pairs to score, and rows of id, reply and the authors' parse."""
    folder = shared / "data" / "nutribench"
    found = (
        duckdb.connect()
        .execute(
            "SELECT m.language, m.language || '/' || m.source_index, m.translated_query,"
            " m.gpt4o_output, m.gpt4o_carb_g, m.carb_g, m.meal_group, v.country,"
            " v.serving_type, v.n_items"
            " FROM read_parquet(?) m LEFT JOIN read_parquet(?) v ON v.row = m.v2_row"
            " ORDER BY m.language, m.source_index",
            [
                str(folder / "nutribench_v2_multilingual_gpt4o.parquet"),
                str(folder / "nutribench_v2.parquet"),
            ],
        )
        .fetchall()
    )
    pairs: list[MealPair] = []
    replies = []
    for language, name, text, reply, theirs, label, group, country, serving, items in found:
        question = MealQuestion(
            id=name,
            text=text,
            nutrient="carb_g",
            label=label,
            group=group,
            serving=serving or "",
            country=country or "",
            items=items,
            language=language,
        )
        reading = read_meal_reply(reply, "carb_g", method="cot")
        pairs.append((question, Prediction(question=name, raw_text=reply, reading=reading)))
        replies.append((name, reply, theirs))
    return pairs, replies


def measure(shared: Path) -> dict[str, Any]:
    """Read, compare and score all answers."""
    start = time.perf_counter()
    pairs, replies = load(shared)
    read_s = time.perf_counter() - start
    scores = {
        rules: [
            *score_meals(pairs, rules=rules, seed=SEED),
            *score_meal_slices(pairs, rules=rules, by=("language",), seed=SEED),
        ]
        for rules in RULES
    }
    far = far_answers(pairs, plain=in_plain_writing)
    return {
        "rows": len(pairs),
        "read_s": round(read_s, 2),
        "seconds": round(time.perf_counter() - start, 2),
        "scores": {rules: [_kept(s) for s in found] for rules, found in scores.items()},
        "differences": [
            {"row": d.row, "kind": d.kind, "theirs": d.theirs, "ours": d.ours.value,
             "why": d.ours.why}
            for d in reading_differences(replies, "carb_g", method="cot")
        ],
        "beyond_50_g": {"answers": len(far), **count_faults(far)},
        "tables": {rules: table(found) for rules, found in scores.items()},
    }  # fmt: skip


def _kept(score: Score) -> dict[str, Any]:
    figures = asdict(score)
    for name in ("value", "low", "high"):
        if figures[name] is not None:
            figures[name] = round(figures[name], 5)
    return figures


def table(scores: list[Score]) -> str:
    """Return the scores of one rule set as Markdown, a language a row."""
    shown = SHOWN[one_rule_set(scores)]
    names = list(dict.fromkeys(s.slice for s in scores))
    cells = {(s.slice, s.metric): s for s in scores}
    lines = ["| language | n | " + " | ".join(_head(m) for m in shown) + " |"]
    lines.append("|---" * (len(shown) + 2) + "|")
    for name in names:
        row = [cells[name, m] for m in shown]
        title = name.removeprefix("language=") or "all"
        lines.append(f"| {title} | {row[0].n_scored} | " + " | ".join(map(_cell, row)) + " |")
    return "\n".join(lines)


def _head(metric: str) -> str:
    return metric.replace("_g", ", g") if metric.endswith("_g") else f"{metric}, %"


def _cell(score: Score) -> str:
    if score.value is None:
        return "none"
    factor = 1 if score.unit else 100
    value = f"{factor * score.value:.1f}"
    if score.low is None or score.high is None:
        return value
    return f"{value} [{factor * score.low:.1f}, {factor * score.high:.1f}]"


def main() -> None:
    """Measure, print and keep a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-keep", action="store_true", help="do not write the result line")
    args = parser.parse_args()
    shared = find_shared()
    if shared is None:
        sys.exit("SHARED MEALS ABSENT: set PRANDIAL_SHARED to the folder that holds data/")
    from prandial import __version__

    found = measure(shared)
    tables = found.pop("tables")
    for rules in RULES:
        print(f"Rule set {rules}: 95 % intervals over meals, seed {SEED}\n\n{tables[rules]}\n")
    print(f"Read otherwise than by the answers' authors: {len(found['differences'])} of", end=" ")
    print(found["rows"])
    for d in found["differences"]:
        print(f"  {d['row']}: {d['kind']}; theirs {d['theirs']}, ours {d['ours']} ({d['why']})")
    print(f"Errors beyond 50 g by first fault: {found['beyond_50_g']}")
    print(f"{found['rows']} replies read in {found['read_s']} s; all in {found['seconds']} s")
    if not args.no_keep:
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        line = {"version": __version__, "commit": commit(), **found}
        KEPT.write_text(json.dumps(line) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
