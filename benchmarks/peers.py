"""Side by side with ingredient-parser-nlp on single lines, in one run.

The peer reads an ingredient line into quantity, unit and name; it finds no food
in a table and no nutrient. Both are timed on the same lines, each line once
after a warm-up, one thread. How often quantity and unit agree with a small list
of our own lines (``data/ingredient_lines.csv``) is counted for both.

The peer is needed by nobody but this comparison. It wants a tagger resource of
NLTK, which it fetches at first use; without the package or the resource the
comparison is left out, and says so.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version
from typing import Any

import numpy as np

from benchmarks.carbs import summary
from benchmarks.words import read_rows
from prandial.meal import Estimator
from prandial.meal.reading import read_text
from prandial.nutrients import MAIN
from prandial.tables import load_foods

__all__ = ["measure_peers"]

Parsed = tuple[float, float, str]
#: units of the peer that go by another name here
_SAME = {
    "teaspoon": "tsp",
    "tablespoon": "tbsp",
    "ounce": "oz",
    "pound": "lb",
    "gram": "g",
    "kilogram": "kg",
    "milliliter": "ml",
    "deciliter": "dl",
    "fluid_ounce": "fl oz",
    "fluid ounce": "fl oz",
}
#: a size is a word about the food, not its unit
_NO_UNIT = frozenset(("small", "medium", "large", "dozen", "none"))


def _peer() -> tuple[Callable[[str], Any] | None, str]:
    """Return the peer's function, or None with the reason."""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            from ingredient_parser import parse_ingredient  # type: ignore[import-not-found]

            parse_ingredient("1 cup water")
    except ImportError:
        return None, "ingredient-parser-nlp is not installed (pip install ingredient-parser-nlp)"
    except LookupError:
        return None, "the NLTK resource averaged_perceptron_tagger_eng is missing (set NLTK_DATA)"
    return parse_ingredient, ""


def _peer_amount(parse: Callable[[str], Any], line: str) -> Parsed | None:
    amounts = parse(line).amount
    if not amounts:
        return None
    first = amounts[0]
    first = first.amounts[0] if hasattr(first, "amounts") else first
    try:
        low, high = float(first.quantity), float(first.quantity_max)
    except (TypeError, ValueError):
        return None
    return low, high, _unit(str(first.unit))


def _our_amount(estimator: Estimator, line: str) -> Parsed | None:
    marks = read_text(line, estimator.lexicon, locale="en-US").marks
    if not marks:
        return None
    first = marks[0]
    unit = first.unit.name if first.unit is not None and first.unit.kind != "size" else ""
    for mark in marks[1:]:
        if not unit and not mark.numbered and mark.unit is not None:
            unit = mark.unit.name
    return first.number.low, first.number.high, _unit(unit)


def _unit(name: str) -> str:
    name = name.lower().rstrip(".")
    name = "leaf" if name == "leaves" else name.removesuffix("s")
    return "" if name in _NO_UNIT else _SAME.get(name, name)


def _agreement(read: Callable[[str], Parsed | None]) -> tuple[dict[str, Any], list[str]]:
    """Share of the gold lines whose quantity and unit are read right."""
    hits, wrong = [], []
    for row in read_rows("ingredient_lines.csv"):
        gold = (float(row["quantity"]), float(row["quantity_max"]), row["unit"])
        found = read(row["line"])
        fits = (
            found is not None
            and abs(found[0] - gold[0]) < 0.005
            and abs(found[1] - gold[1]) < 0.005
            and found[2] == gold[2]
        )
        hits.append(0.0 if fits else np.nan)
        if not fits:
            wrong.append(f"{row['line']!r}: {found}")
    told = summary(np.array(hits))
    return {k: told[k] for k in ("n", "acc", "acc_low", "acc_high")}, wrong


def _timed(work: Callable[[str], Any], lines: Sequence[str]) -> dict[str, float]:
    """Lines a second and the median and 99th percentile of single calls."""
    for line in lines[:50]:
        work(line)
    each = []
    start = time.perf_counter()
    for line in lines:
        at = time.perf_counter()
        work(line)
        each.append(1000 * (time.perf_counter() - at))
    total = time.perf_counter() - start
    low, high = np.quantile(each, [0.5, 0.99])
    return {
        "lines": len(lines),
        "per_s": round(len(lines) / total),
        "p50_ms": round(float(low), 3),
        "p99_ms": round(float(high), 3),
    }


def measure_peers(lines: Sequence[str], *, most: int = 2_000) -> dict[str, Any]:
    """Time both on the same lines and count agreement with the gold lines."""
    estimator = Estimator(load_foods())
    short = list(dict.fromkeys(lines))[:most]
    agreement, wrong = _agreement(lambda line: _our_amount(estimator, line))
    out: dict[str, Any] = {
        "prandial": {
            "does": "food, grams and four nutrients with ranges",
            **_timed(lambda line: estimator.estimate(line, nutrients=MAIN), short),
            "quantity_and_unit": agreement,
            "not_agreed": wrong,
        }
    }
    parse, why = _peer()
    if parse is None:
        out["left_out"] = why
        return out
    agreement, wrong = _agreement(lambda line: _peer_amount(parse, line))
    out["ingredient-parser-nlp"] = {
        "version": version("ingredient-parser-nlp"),
        "does": "quantity, unit and name",
        **_timed(parse, short),
        "quantity_and_unit": agreement,
        "not_agreed": wrong,
    }
    return out
