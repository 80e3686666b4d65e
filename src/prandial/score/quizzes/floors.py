"""What answers without a model score, to be shown beside every result.

``always_no`` says No (-B). ``all_tags`` names every tag of the food (-ML): its mean Jaccard is
the tag signal ratio. ``fixed_sentence`` gives one sentence to every question (-TG).
``edge_reading`` counts match against contradict edges, which is the gold's own label in
``published`` graphs; without such edges it has no answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from prandial.records.bench import GraphQuestion, Prediction, Reading, Score
from prandial.score.quizzes.figures import DRAWS
from prandial.score.quizzes.pairs import Pair
from prandial.score.quizzes.published import published_scores
from prandial.score.quizzes.strict import strict_scores

__all__ = ["FLOORS", "floor_pairs", "floor_scores"]

FLOORS: Final = ("always_no", "all_tags", "fixed_sentence", "edge_reading")
_TASKS: Final = {
    "always_no": ("B",),
    "all_tags": ("ML",),
    "fixed_sentence": ("TG",),
    "edge_reading": ("B", "ML", "TG"),
}
_FIXED: Final = "high_sodium"
_TAG: Final = "food_nutrition_tag"


def floor_scores(
    questions: Iterable[GraphQuestion],
    *,
    rules: Literal["strict", "published"] = "strict",
    seed: int = 0,
    draws: int = DRAWS,
) -> dict[str, tuple[Score, ...]]:
    """Return the scores of each floor that has a question of its task.

    Raises
    ------
    InputError
        When a question stands twice.
    MissingDataError
        When a library of the scores is not installed.
    """
    asked = list(questions)
    score = strict_scores if rules == "strict" else published_scores
    found = {name: floor_pairs(asked, name) for name in FLOORS}
    return {n: score(pairs, seed=seed, draws=draws) for n, pairs in found.items() if pairs}


def floor_pairs(questions: Iterable[GraphQuestion], floor: str) -> tuple[Pair, ...]:
    """Return the questions of a floor's tasks with its answers.

    Parameters
    ----------
    questions : iterable of GraphQuestion
    floor : str
        One of :data:`FLOORS`.
    """
    return tuple((q, _answer(q, floor)) for q in questions if q.task in _TASKS[floor])


def _answer(question: GraphQuestion, floor: str) -> Prediction:
    if floor == "edge_reading":
        return _edges(question)
    tags = _tags_of(question) if floor == "all_tags" else (_FIXED,)
    return _said(question, "No", tags, floor)


def _tags_of(question: GraphQuestion) -> tuple[str, ...]:
    listed = tuple(n.attr for n in question.row.graph.nodes if n.name == _TAG)
    return listed or question.row.food.tags


def _edges(question: GraphQuestion) -> Prediction:
    graph = question.row.graph
    texts = {n.id: n.attr for n in graph.nodes}
    counts = Counter(e.relation for e in graph.edges)
    ends: dict[str, list[str]] = {"match": [], "contradict": []}
    for edge in graph.edges:
        if edge.relation in ends:
            ends[edge.relation].append(texts[edge.target])
    if not (counts["match"] or counts["contradict"]):
        return Prediction(
            question=question.id,
            raw_text="",
            reading=Reading(status="failed", why="no match or contradict edge to read"),
            error="no match or contradict edge to read",
        )
    verdict: Literal["Yes", "No"] = "Yes" if counts["match"] > counts["contradict"] else "No"
    named = ends["match" if verdict == "Yes" else "contradict"]
    tags = named if question.task == "TG" else [*ends["match"], *ends["contradict"]]
    return _said(question, verdict, tuple(dict.fromkeys(tags)), "edge_reading")


def _said(
    question: GraphQuestion, verdict: Literal["Yes", "No"], tags: tuple[str, ...], why: str
) -> Prediction:
    parts = ", ".join("{0} in {2}".format(*t.partition("_")) for t in tags)
    text = {
        "B": verdict,
        "ML": ", ".join(tags),
        "TG": f"{verdict}, because the food is {parts}. ",
    }[question.task]
    return Prediction(
        question=question.id,
        raw_text=text,
        reading=Reading(
            status="answered",
            verdict=None if question.task == "ML" else verdict,
            tags=None if question.task == "B" else tags,
            why=why,
        ),
    )
