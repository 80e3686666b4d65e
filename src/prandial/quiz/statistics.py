"""Statistics of a set of questions: size, balance, nodes, edges, signal, trivial baselines.

Signal to total ratio as published: nodes on all simple paths between user and food,
whichever way the edges point, over all nodes; and the food tags among them over all food tags.
Paths through an unmet need are none: it leads to no food. Published graphs have no such path,
for there an unmet need hangs on one status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from prandial.quiz.paths import useful_nodes
from prandial.quiz.sample import LEVELS
from prandial.records.quiz import QuestionGraph, QuizRow

__all__ = ["stats_dict"]

_VERDICT: Final = frozenset({"match", "contradict"})
_FIGURES: Final = ("nodes", "edges", "useful_nodes", "node_snr", "tags", "useful_tags", "tag_snr")


def stats_dict(rows: Sequence[QuizRow]) -> dict[str, Any]:
    """Return the statistics of questions in their JSON form.

    Parameters
    ----------
    rows : sequence of QuizRow

    Returns
    -------
    dict
        ``rows``, ``users``, ``foods``, ``ingredients``, ``categories``;
        ``levels.sparse|standard|complex`` with ``rows``, ``yes``, ``no``, ``yes_ratio``, means of
        ``nodes``, ``edges``, ``useful_nodes``, ``node_snr``, ``tags``, ``useful_tags``,
        ``tag_snr``, ``ties`` and ``baselines``; ``statuses_per_row`` and ``rows_per_status``.
        A mean over nothing is None. ``tag_snr`` is over the rows whose food has a tag.
    """
    statuses = Counter(s for r in rows for s in r.person.statuses)
    held = Counter(len(r.person.statuses) for r in rows)
    return {
        "rows": len(rows),
        "users": len({r.person.person for r in rows}),
        "foods": len({r.food.code for r in rows}),
        "ingredients": len({i for r in rows for i in r.food.ingredients}),
        "categories": len({r.food.category for r in rows}),
        "rows_with_conflict": sum(bool(r.gold.conflicts) for r in rows),
        "levels": {level: _level([r for r in rows if r.level == level]) for level in LEVELS},
        "statuses_per_row": {str(n): held[n] for n in sorted(held)},
        "rows_per_status": dict(sorted(statuses.items(), key=lambda kv: (-kv[1], kv[0]))),
    }


def _level(rows: Sequence[QuizRow]) -> dict[str, Any]:
    yes = sum(r.gold.verdict == "Yes" for r in rows)
    figures = np.array([_figures(r) for r in rows], dtype=np.float64).reshape(-1, len(_FIGURES))
    means = {n: _mean(figures[:, i]) if rows else None for i, n in enumerate(_FIGURES)}
    return {
        "rows": len(rows),
        "yes": yes,
        "no": len(rows) - yes,
        "yes_ratio": yes / len(rows) if rows else None,
        **means,
        "ties": sum(len(r.gold.matches) == len(r.gold.contradicts) for r in rows),
        "baselines": _baselines(rows),
    }


def _figures(row: QuizRow) -> tuple[float, ...]:
    """Return the figures of a graph; one without verdict edges marks nothing as useful (NaN)."""
    tags = [n.id for n in row.graph.nodes if n.name == "food_nutrition_tag"]
    if not any(e.relation in _VERDICT for e in row.graph.edges):
        unmarked = (np.nan, np.nan, len(tags), np.nan, np.nan)
        return (len(row.graph.nodes), len(row.graph.edges), *unmarked)
    led = tuple(e for e in row.graph.edges if e.relation != "need")
    useful = useful_nodes(QuestionGraph(row.graph.nodes, led))
    nodes, signal = len(row.graph.nodes), sum(t in useful for t in tags)
    return (
        nodes,
        len(row.graph.edges),
        len(useful),
        len(useful) / nodes,
        len(tags),
        signal,
        signal / len(tags) if tags else np.nan,
    )


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _baselines(rows: Sequence[QuizRow]) -> dict[str, float | None]:
    """Return what answers without any model score: accuracy (-B) or mean Jaccard (-ML).

    ``count_edges`` says Yes when a graph has more match than contradict edges; None for graphs
    without any such edge.
    """
    if not rows:
        return dict.fromkeys(("always_no", "always_yes", "count_edges", "all_tags_jaccard"))
    shares = []
    for row in rows:
        listed = {n.attr for n in row.graph.nodes if n.name == "food_nutrition_tag"}
        listed = listed or set(row.food.tags)
        gold = set(row.gold.tags)
        shares.append(len(gold & listed) / len(gold | listed) if gold | listed else 0.0)
    no = sum(r.gold.verdict == "No" for r in rows) / len(rows)
    relations = [Counter(e.relation for e in r.graph.edges) for r in rows]
    told = any(c["match"] or c["contradict"] for c in relations)
    right = sum(
        (c["match"] > c["contradict"]) == (r.gold.verdict == "Yes")
        for c, r in zip(relations, rows, strict=True)
    )
    return {
        "always_no": no,
        "always_yes": 1 - no,
        "count_edges": right / len(rows) if told else None,
        "all_tags_jaccard": sum(shares) / len(rows),
    }
