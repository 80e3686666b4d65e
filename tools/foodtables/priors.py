"""How often each food is eaten, and how much of it at one time.

From the individual food records of NHANES/WWEIA 2003-2012, both recall days.
Later cycles are left out on purpose: public test sets of meals were made from
them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .engine import Sources, named
from .successors import shares

CYCLES = ("2003-2004", "2005-2006", "2007-2008", "2009-2010", "2011-2012")
#: commonest amounts kept for each food
TOP = 40
#: the fewest records an amount needs
LEAST = 2.0
#: parts and multiples of a household measure that count as that measure
MULTIPLES = (0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
NEAR = 0.005
#: the fewest records a food needs for percentiles
LEAST_FOR_PERCENTILES = 5.0
PERCENTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class Recalls:
    """Food records as code -> {grams x 100: records}."""

    amounts: dict[int, dict[int, int]]
    records: int
    without_amount: int
    sources: list[dict[str, str]]


def read_recalls(src: Sources, cycles: tuple[str, ...] = CYCLES) -> Recalls:
    parts, paths = [], []
    for cycle in cycles:
        for path in src.recalls(cycle):
            day = path.name[2]
            paths.append(path)
            parts.append(
                f"SELECT CAST(DR{day}IFDCD AS BIGINT) AS code,"
                f" CAST(round(DR{day}IGRMS * 100) AS BIGINT) AS cg FROM '{path}'"
            )
    amounts: dict[int, dict[int, int]] = defaultdict(dict)
    records = without = 0
    sql = " UNION ALL ".join(parts)
    for code, cg, n in src.rows(
        f"SELECT code, cg, count(*) FROM ({sql}) GROUP BY ALL ORDER BY ALL"
    ):
        records += n
        if code is None or cg is None or cg <= 0:
            without += n
        else:
            amounts[code][cg] = n
    return Recalls(dict(amounts), records, without, named(paths))


@dataclass
class Prior:
    """One release's counts, per food row."""

    eaten: npt.NDArray[np.float64]
    percentiles: npt.NDArray[np.float64]
    amount_of: list[list[tuple[float, float]]]
    facts: dict[str, Any] = field(default_factory=dict)


def _percentiles(pairs: list[tuple[int, float]]) -> list[float]:
    """Smallest amounts that at least 10, 50 and 90 % of the records do not exceed."""
    total = np.cumsum([n for _, n in pairs])
    at = np.searchsorted(total, np.array(PERCENTILES) * total[-1] * (1 - 1e-12))
    return [pairs[i][0] / 100 for i in at]


def _kept(pairs: list[tuple[int, float]], measures: npt.NDArray[np.float64]) -> list[int]:
    """Places of the amounts worth keeping."""
    order = sorted(range(len(pairs)), key=lambda i: (-pairs[i][1], pairs[i][0]))
    top = set(order[:TOP])
    targets = np.unique(np.outer(measures, MULTIPLES))
    out = []
    for i, (cg, n) in enumerate(pairs):
        if n < LEAST:
            continue
        grams = cg / 100
        near = targets.size and np.min(np.abs(targets - grams) / targets) <= NEAR
        if i in top or near:
            out.append(i)
    return out


def count(
    recalls: Recalls,
    codes: list[int],
    measures_of: list[list[float]],
    successors: dict[int, list[int]],
    chosen: dict[int, list[int]],
) -> Prior:
    """Count a release's foods; ``chosen`` are the successors picked by hand."""
    row_of = {code: row for row, code in enumerate(codes)}
    known = set(row_of)
    table = {**successors, **chosen}
    amounts: list[dict[int, float]] = [defaultdict(float) for _ in codes]
    direct = through = by_hand = 0.0
    for code in sorted(recalls.amounts):
        n_code = sum(recalls.amounts[code].values())
        share_of = shares(code, known, table)
        found = sum(share_of.values())
        without_hand = sum(shares(code, known, successors).values())
        direct += n_code * (code in known)
        through += 0 if code in known else n_code * min(found, without_hand)
        by_hand += n_code * max(found - without_hand, 0.0)
        for new, share in sorted(share_of.items()):
            target = amounts[row_of[new]]
            for cg, n in recalls.amounts[code].items():
                target[cg] += n * share
    eaten = np.zeros(len(codes))
    percentiles = np.full((len(codes), len(PERCENTILES)), np.nan)
    kept: list[list[tuple[float, float]]] = []
    for row, found_amounts in enumerate(amounts):
        pairs = sorted(found_amounts.items())
        eaten[row] = sum(n for _, n in pairs)
        if eaten[row] >= LEAST_FOR_PERCENTILES:
            percentiles[row] = _percentiles(pairs)
        keep = _kept(pairs, np.array(measures_of[row], dtype=np.float64))
        kept.append([(pairs[i][0] / 100, pairs[i][1]) for i in keep])
    mapped = float(eaten.sum())
    with_amount = recalls.records - recalls.without_amount
    facts = {
        "records": recalls.records,
        "records_without_an_amount": recalls.without_amount,
        "records_of_a_code_in_this_release": round(direct, 1),
        "records_through_published_successors": round(through, 1),
        "records_through_successors_chosen_by_hand": round(by_hand, 1),
        "records_without_a_successor": round(with_amount - mapped, 1),
        "records_behind_a_kept_amount": round(sum(n for a in kept for _, n in a), 1),
    }
    return Prior(eaten, percentiles, kept, facts)


def source_of(recalls: Recalls) -> dict[str, Any]:
    return {
        "survey": "NHANES, What We Eat in America, individual food records, day 1 and day 2",
        "publisher": "CDC/NCHS and USDA ARS",
        "cycles": list(CYCLES),
        "left_out": "cycles after 2011-2012, because public test sets of meals were made from them",
        "weights": "none: a count is a number of food records, not of people in the country",
        "inputs": recalls.sources,
    }
