"""Retrieved nodes against those on a path between person and food, and signal after retrieval.

``strict`` compares node ids. ``published`` compares texts, as the published code does: what is
retrieved twice counts twice in precision, and nodes of one text are one; figures to three places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from prandial.records.bench import Score
from prandial.records.quiz import QuestionGraph
from prandial.score.quizzes.figures import DRAWS, Figures
from prandial.score.quizzes.pairs import Pair, by_task, cut_by_level, groups_of

__all__ = ["quality_of_ids", "quality_of_texts", "retrieval_scores", "tag_signal"]

_NAMES: Final = ("precision", "recall", "f1")
_DECIMALS: Final = 3
_TAG: Final = "food_nutrition_tag"
_UNDEFINED: Final = (np.nan, np.nan, np.nan)


def retrieval_scores(
    pairs: Iterable[Pair],
    useful: Mapping[str, frozenset[int]],
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[Score, ...]:
    """Return how good the retrieval of a run was, over all and by level.

    Parameters
    ----------
    pairs : iterable of (GraphQuestion, Prediction)
        Tasks are taken together: what is retrieved does not depend on the task's name.
    useful : mapping of str to frozenset of int
        Question id -> ids of the nodes on simple paths between person and food. A question
        without an entry, or with none, is unscored.
    seed, draws : int

    Returns
    -------
    tuple of Score
        ``retrieval_precision``, ``_recall``, ``_f1`` in both rule sets; ``node_snr`` and
        ``tag_snr`` of the whole graph, ``node_snr_retrieved`` and ``tag_snr_retrieved``: useful
        over all, means of questions. A tag ratio without any tag is undefined.
    """
    every = [p for of_task in by_task(pairs).values() for p in of_task]
    scores: list[Score] = []
    for name, part in cut_by_level(every):
        scores += _of_slice(part, useful, name, seed, draws)
    return tuple(scores)


def _of_slice(
    pairs: Sequence[Pair],
    useful: Mapping[str, frozenset[int]],
    name: str,
    seed: int,
    draws: int,
) -> list[Score]:
    groups = groups_of(pairs)
    ids, texts, signal = [], [], []
    for question, prediction in pairs:
        graph, wanted = question.row.graph, useful.get(question.id)
        found = prediction.retrieved if prediction.reading.status != "failed" else None
        ids.append(quality_of_ids(found, wanted) if found is not None and wanted else _UNDEFINED)
        texts.append(
            quality_of_texts(graph, found, wanted) if found is not None and wanted else _UNDEFINED
        )
        signal.append(_signals(graph, found, wanted) if wanted else (np.nan,) * 4)
    ours = Figures(rules="strict", slice=name, total=len(pairs), seed=seed, draws=draws)
    theirs = Figures(
        rules="published", slice=name, total=len(pairs), seed=seed, draws=draws, decimals=_DECIMALS
    )
    scores = [
        figures.mean(f"retrieval_{metric}", [row[i] for row in rows], groups)
        for figures, rows in ((ours, ids), (theirs, texts))
        for i, metric in enumerate(_NAMES)
    ]
    names = ("node_snr", "tag_snr", "node_snr_retrieved", "tag_snr_retrieved")
    scores += [ours.mean(n, [row[i] for row in signal], groups) for i, n in enumerate(names)]
    return scores


def quality_of_ids(retrieved: Iterable[int], useful: frozenset[int]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of distinct node ids; precision of nothing is NaN."""
    found = set(retrieved)
    right = len(found & useful)
    precision = right / len(found) if found else np.nan
    return precision, right / len(useful), 2 * right / (len(found) + len(useful))


def quality_of_texts(
    graph: QuestionGraph, retrieved: Sequence[int], useful: frozenset[int]
) -> tuple[float, float, float]:
    """Return precision, recall and F1 as published: by text, repeats counted in precision.

    What would be divided by nothing is 0, as there.
    """
    text = {n.id: n.attr for n in graph.nodes}
    found = [text[i] for i in retrieved if i in text]
    wanted = {text[i] for i in useful if i in text}
    right = len(set(found) & wanted)
    precision = right / len(found) if found else 0.0
    recall = right / len(wanted) if wanted else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _signals(
    graph: QuestionGraph, retrieved: Sequence[int] | None, useful: frozenset[int]
) -> tuple[float, float, float, float]:
    nodes = {n.id for n in graph.nodes}
    before = len(useful & nodes) / len(nodes), tag_signal(graph, nodes, useful)
    if retrieved is None:
        return (*before, np.nan, np.nan)
    kept = set(retrieved) & nodes
    node = len(useful & kept) / len(kept) if kept else np.nan
    return (*before, node, tag_signal(graph, kept, useful))


def tag_signal(graph: QuestionGraph, kept: Iterable[int], useful: frozenset[int]) -> float:
    """Return the share of useful ones among the food tags kept; NaN without a tag."""
    held = {n.id for n in graph.nodes if n.name == _TAG} & set(kept)
    return len(held & useful) / len(held) if held else np.nan
