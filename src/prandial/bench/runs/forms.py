"""Records of a run as JSON and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any, get_args

from prandial.records.bench import (
    Call,
    GraphQuestion,
    MealQuestion,
    Prediction,
    Reading,
    ReadingStatus,
    RunRecord,
    Score,
)
from prandial.records.quiz import Edge, FoodFacts, Gold, Node, PersonFacts, QuestionGraph, QuizRow

__all__ = [
    "prediction_from",
    "prediction_to",
    "question_from",
    "question_to",
    "questions_from",
    "record_from",
    "record_to",
    "score_from",
    "score_to",
]


def question_to(question: MealQuestion | GraphQuestion) -> dict[str, Any]:
    """Return a question as JSON; NaN amounts become null."""
    if isinstance(question, MealQuestion):
        return {"benchmark": "nutribench", **_fields(question)}
    row = question.row
    amounts = {k: None if v != v else v for k, v in row.food.per_100g.items()}
    graph = {
        "nodes": [[n.id, n.name, n.attr] for n in row.graph.nodes],
        "edges": [[e.source, e.relation, e.target] for e in row.graph.edges],
    }
    facts = {
        "food": _fields(row.food) | {"per_100g": amounts},
        "person": _fields(row.person),
        "graph": graph,
        "gold": _fields(row.gold),
    }
    return {"benchmark": "ngqa", **_fields(question), "row": _fields(row) | facts}


def question_from(body: Mapping[str, Any]) -> MealQuestion | GraphQuestion:
    """Return a question from its JSON."""
    return next(iter(questions_from((body,))))


def questions_from(bodies: Iterable[Mapping[str, Any]]) -> Iterator[MealQuestion | GraphQuestion]:
    """Return questions from their JSON; neighbours about the same row share its record."""
    told: Mapping[str, Any] = {}
    row: QuizRow | None = None
    for body in bodies:
        given = {k: v for k, v in body.items() if k != "benchmark"}
        if body["benchmark"] == "nutribench":
            yield MealQuestion(**given)
            continue
        if row is None or given["row"] != told:
            told = given["row"]
            row = _row_from(told)
        yield GraphQuestion(**{**given, "row": row})


def _row_from(row: Mapping[str, Any]) -> QuizRow:
    food = row["food"]
    amounts = {k: float("nan") if v is None else float(v) for k, v in food["per_100g"].items()}
    graph = row["graph"]
    return QuizRow(
        level=row["level"],
        split=row["split"],
        food=FoodFacts(**(_tuples(food) | {"per_100g": amounts})),
        person=PersonFacts(**_tuples(row["person"])),
        graph=QuestionGraph(
            tuple([Node(*n) for n in graph["nodes"]]), tuple([Edge(*e) for e in graph["edges"]])
        ),
        gold=Gold(**_tuples(row["gold"])),
    )


def prediction_to(prediction: Prediction) -> dict[str, Any]:
    """Return a prediction as JSON."""
    return _fields(prediction) | {
        "reading": _fields(prediction.reading),
        "replies": [_fields(c) for c in prediction.replies],
        "detail": dict(prediction.detail),
    }


def prediction_from(body: Mapping[str, Any]) -> Prediction:
    """Return a prediction from its JSON."""
    given = dict(body)
    given["reading"] = _reading(given["reading"])
    given["replies"] = tuple(Call(**c) for c in given["replies"])
    if given.get("retrieved") is not None:
        given["retrieved"] = tuple(given["retrieved"])
    return Prediction(**given)


def _reading(body: Mapping[str, Any]) -> Reading:
    reading = Reading(**_tuples(body))
    if reading.status not in get_args(ReadingStatus):
        raise ValueError(f"no status {reading.status!r}")
    for value in (reading.value, reading.published_value):
        if value is not None and (isinstance(value, str | bool) or not isfinite(value)):
            raise ValueError(f"no amount {value!r}")
    return reading


def record_to(record: RunRecord) -> dict[str, Any]:
    """Return the record of a run as JSON."""
    return asdict(record)


def record_from(body: Mapping[str, Any]) -> RunRecord:
    """Return the record of a run from its JSON."""
    return RunRecord(**body)


def score_to(score: Score) -> dict[str, Any]:
    """Return a score as JSON."""
    return asdict(score)


def score_from(body: Mapping[str, Any]) -> Score:
    """Return a score from its JSON."""
    return Score(**body)


def _fields(record: Any) -> dict[str, Any]:
    """Return the fields of a record as they are; a copy of all below them takes far longer."""
    return {name: getattr(record, name) for name in record.__slots__}


def _tuples(body: Mapping[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in body.items()}
