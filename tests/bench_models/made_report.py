"""Runs on disk for tests of the report: made-up meals and graphs, answers written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prandial.bench.runs import RunFolder
from prandial.quiz import make_row, row_id
from prandial.quiz.questions import question_text
from prandial.records.bench import (
    Call,
    GraphQuestion,
    MealQuestion,
    Prediction,
    Reading,
    RunRecord,
)
from prandial.records.quiz import FoodFacts, PersonFacts, QuizRow

#: label, items, serving, country
MEALS = (
    (10.0, 1, "natural", "USA"),
    (20.0, 1, "metric", "USA"),
    (30.0, 2, "natural", "USA"),
    (40.0, 2, "metric", "ITA"),
    (80.0, 3, "natural", "IND"),
    (100.0, 11, "metric", "STP"),
    (5.0, 1, "natural", "USA"),
    (60.0, 1, "metric", ""),
)


def record(benchmark: str = "nutribench", **given: Any) -> RunRecord:
    """The record of a run, complete; what is given stands instead."""
    facts: dict[str, Any] = {
        "run": "0123456789abcdef",
        "model": "made/model",
        "method": "base" if benchmark == "nutribench" else "plain",
        "settings": {"nutrient": "carb_g", "seed": 7},
        "data": {"name": "made up", "sha256": "ab" * 32, "rows": 8},
        "prompts": {"answer": "cd" * 32},
        "model_args": {"temperature": 0.0},
        "versions": {"prandial": "0.0", "python": "3.11"},
        "commit": "0" * 40,
        "started": "2030-01-02T03:04:05Z",
        "seconds": 12.5,
    }
    return RunRecord(benchmark=benchmark, **facts | given)


def meals(rows: Sequence[tuple[float, int, str, str]] = MEALS) -> list[MealQuestion]:
    """Meals in words of our own."""
    return [
        MealQuestion(
            id=f"m{k}",
            text=f"Meal {k}: {items} plates of made-up porridge",
            nutrient="carb_g",
            label=label,
            group=f"g{k}",
            serving=serving,
            country=country,
            items=items,
        )
        for k, (label, items, serving, country) in enumerate(rows)
    ]


def answer(question: str, value: float | str | None, *, text: str = "", **more: Any) -> Prediction:
    """An answer: a number, or a status in words."""
    if isinstance(value, str):
        reading = Reading(status=value, published_value=-1.0 if value != "failed" else None)
    else:
        reading = Reading(status="answered", value=value, published_value=value)
    given: dict[str, Any] = {
        "calls": 1,
        "input_tokens": 100,
        "output_tokens": 10,
        "seconds": 0.5,
        "raw_text": "" if value == "failed" else text or f"Output: {value}",
        "error": "no reply after 3 tries" if value == "failed" else "",
    }
    return Prediction(question=question, reading=reading, **given | more)


def write(
    folder: Path,
    questions: Sequence[MealQuestion | GraphQuestion],
    answers: Sequence[Prediction],
    **given: Any,
) -> Path:
    """Write a run and return its folder."""
    benchmark = "ngqa" if questions and isinstance(questions[0], GraphQuestion) else "nutribench"
    run = RunFolder(folder)
    run.begin(record(given.pop("benchmark", benchmark), **given), questions)
    for one in answers:
        run.add(one)
    return folder


def meal_run(folder: Path, values: Sequence[float | str | None], **given: Any) -> Path:
    """A run over ``MEALS``; None leaves a meal unasked."""
    asked = meals()
    answers = [answer(q.id, v) for q, v in zip(asked, values, strict=True) if v is not None]
    return write(folder, asked, answers, **given)


def quiz_rows() -> list[QuizRow]:
    """Three rows, a level each, gold worked out by the product's own rule."""

    def food(code: int, *tags: str) -> FoodFacts:
        return FoodFacts(
            code=code, name=f"Made food {code}", category="Pizza", ingredients=("Salt",), tags=tags
        )

    def person(number: int, *statuses: str) -> PersonFacts:
        return PersonFacts(person=number, statuses=statuses, habits=("Drinks water",))

    given = [
        ("sparse", food(11111111, "low_sodium", "high_sugar"), person(1, "hypertension")),
        ("standard", food(22222222, "low_carb", "low_sugar", "high_sodium"), person(2, "diabetes")),
        (
            "complex",
            food(33333333, "low_carb", "high_sugar", "high_sodium", "high_protein"),
            person(3, "hypertension", "diabetes"),
        ),
    ]
    return [make_row(f, p, level=level, rules="as-published") for level, f, p in given]


def quiz_questions(*tasks: str) -> list[GraphQuestion]:
    """The rows' questions in these tasks."""
    return [
        GraphQuestion(
            id=f"{row_id(row)}-{task}",
            text=question_text(task, row.food.name, rules="as-published"),
            task=task,
            row=row,
            mode="published",
            rules="as-published",
        )
        for task in tasks or ("B", "ML", "TG")
        for row in quiz_rows()
    ]


def quiz_answer(
    question: GraphQuestion, text: str, reading: Mapping[str, Any], **more: Any
) -> Prediction:
    """An answer to a question over a graph."""
    given: dict[str, Any] = {
        "calls": 1,
        "input_tokens": 200,
        "output_tokens": 5,
        "seconds": 0.25,
        "retrieved": tuple(n.id for n in question.row.graph.nodes),
        "replies": (Call(name="answer", reply=text, input_tokens=200, output_tokens=5),),
    }
    return Prediction(
        question=question.id,
        raw_text=text,
        reading=Reading(**{"status": "answered", **reading}),
        **given | more,
    )
