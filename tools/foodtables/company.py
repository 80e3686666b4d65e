"""What foods that differ only by where they were made are eaten with.

"Potato, french fries, fast food" and "... NS as to fresh or frozen" are siblings:
speakers seldom say which. What else is on the plate often tells. For each food that
has siblings and each category, the log ratio of two shares of eating occasions of
2003-2012: those with the food that hold the category too, over all that hold it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from prandial.meal.tokens import tokenize

from .engine import Sources
from .priors import CYCLES
from .successors import shares

#: occasions added to each food's, spread as the categories are in all
SMOOTHING = 20.0
#: fewest occasions of a food
LEAST = 20.0
#: log ratios nearer to nought than this are left out
LEAST_RATIO = 0.1
MOST_RATIO = 3.0
#: a log ratio is kept as a whole number of these
STEP = 1 / 32
#: words of a name that tell where a food was made, bought or kept, or nothing
PLACE_WORDS = frozenset(
    "fast food restaurant school cafeteria home recipe frozen fresh bakery purchased lunch ready"
    " from ns nfs as to or and of with type".split()
)


@dataclass(frozen=True)
class Company:
    """Columns of the table, and facts for its card."""

    columns: dict[str, Any]
    facts: dict[str, Any]


def sibling_groups(names: list[str], categories: list[str]) -> list[int]:
    """Number of each food's group of siblings, -1 for a food without."""
    key_of = []
    for name, category in zip(names, categories, strict=True):
        words = frozenset(
            t.stem for t in tokenize(name) if t.kind == "word" and t.text not in PLACE_WORDS
        )
        key_of.append((category, words))
    sizes = Counter(key_of)
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(k, len(numbers)) if sizes[k] > 1 else -1 for k in key_of]


def occasions(src: Sources) -> Any:
    """Food codes of each eating occasion: same person, day, time and name of the occasion."""
    parts = []
    for cycle in CYCLES:
        for path in src.recalls(cycle):
            d = path.name[2]
            parts.append(
                f"SELECT '{path.name}' AS f, SEQN AS s, DR{d}_020 AS t, DR{d}_030Z AS o,"
                f" CAST(DR{d}IFDCD AS BIGINT) AS c FROM '{path}' WHERE DR{d}IGRMS > 0"
            )
    return src.rows(
        f"SELECT list(c ORDER BY c) FROM ({' UNION ALL '.join(parts)}) GROUP BY f, s, t, o"
        " ORDER BY f, s, t, o"
    )


@dataclass
class Counts:
    """Occasions in all, with each category, with each sibling, and with both."""

    occasions: int
    with_category: Counter[int]
    with_food: dict[int, float]
    with_both: dict[tuple[int, int], float]


def count(
    src: Sources,
    codes: list[int],
    groups: list[int],
    category_of: list[int],
    successors: dict[int, list[int]],
) -> Counts:
    """Count the occasions of a release's siblings."""
    row_of = {code: row for row, code in enumerate(codes)}
    known = set(row_of)
    share_of: dict[int, list[tuple[int, float]]] = {}
    found = Counts(0, Counter(), defaultdict(float), defaultdict(float))
    for (eaten,) in occasions(src):
        found.occasions += 1
        for code in eaten:
            if code not in share_of:
                parts = shares(code, known, successors)
                share_of[code] = [(row_of[c], s) for c, s in sorted(parts.items())]
        items = [share_of[code] for code in eaten if share_of[code]]
        held = {category_of[i[0][0]] for i in items}
        found.with_category.update(held)
        for item in items:
            others = held - {category_of[item[0][0]]}
            for row, share in item:
                if groups[row] >= 0:
                    found.with_food[row] += share
                    for category in others:
                        found.with_both[row, category] += share
    return found


def compile_company(
    src: Sources,
    codes: list[int],
    names: list[str],
    categories: list[str],
    successors: dict[int, list[int]],
) -> Company:
    """Count a release's siblings; ``successors`` are the published and the chosen ones."""
    groups = sibling_groups(names, categories)
    levels = sorted(set(categories))
    place = {c: k for k, c in enumerate(levels)}
    category_of = [place[c] for c in categories]
    found = count(src, codes, groups, category_of, successors)
    ratios: list[list[tuple[int, int]]] = [[] for _ in codes]
    for row, n in found.with_food.items():
        if n < LEAST:
            continue
        for category, k in found.with_category.items():
            base = k / found.occasions
            both = found.with_both.get((row, category), 0.0)
            value = math.log((both + SMOOTHING * base) / ((n + SMOOTHING) * base))
            if category != category_of[row] and abs(value) >= LEAST_RATIO:
                value = max(-MOST_RATIO, min(MOST_RATIO, value))
                ratios[row].append((category, round(value / STEP)))
    return Company(
        columns={
            "group": groups,
            "size": [len(r) for r in ratios],
            "category": [c for r in ratios for c, _ in sorted(r)],
            "ratio": [v for r in ratios for _, v in sorted(r)],
            "category_levels": levels,
        },
        facts={
            "occasions": found.occasions,
            "foods_with_siblings": sum(g >= 0 for g in groups),
            "foods_with_ratios": sum(bool(r) for r in ratios),
        },
    )
