"""Questions for the tests of the methods: real rows, and rows made by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from prandial.answer.ask import AskedModel, Request
from prandial.answer.graphs import METHODS
from prandial.answer.methods import Kit
from prandial.answer.texts import Prompts
from prandial.graph import question_graph
from prandial.quiz import facts_of, gold_of, gold_of_facts, question_text, read_published
from prandial.records.bench import GraphQuestion, Replied
from prandial.records.quiz import FoodFacts, PersonFacts, QuestionGraph, QuizRow

LEVELS = {"easy": "sparse", "medium": "standard", "hard": "complex"}
TASKS = {"B": "easy", "ML": "medium", "TG": "hard"}


def real_questions(shared: Path, task: str) -> list[tuple[GraphQuestion, str]]:
    """The 50 published rows in a task, each with its published answer."""
    file = read_published(shared / "data" / "ngqa" / "ngqa_benchmark_sample50.csv")
    found = []
    for row in file.rows:
        food, person = facts_of(row.graph)
        quiz = QuizRow(
            level=LEVELS[row.texts["difficulty"]],
            food=food,
            person=person,
            graph=row.graph,
            gold=gold_of(row.graph),
        )
        question = GraphQuestion(
            id=f"{quiz.level}-{food.code}-{person.person}-{task}",
            text=row.texts[f"question_{TASKS[task]}"],
            task=task,
            row=quiz,
            mode="published",
            rules="as-published",
        )
        found.append((question, row.texts[f"answer_{TASKS[task]}"]))
    return found


def made_question(
    task: str = "B",
    *,
    tags: tuple[str, ...] = ("low_carb", "high_sodium"),
    statuses: tuple[str, ...] = ("hypertension", "diabetes"),
    habits: tuple[str, ...] = ("Eats lots of fish",),
    name: str = "Lentil pie",
    ingredients: tuple[str, ...] = ("Lentils, cooked", "Pie crust"),
    unknown: tuple[str, ...] = (),
    rules: str = "as-published",
    mode: str = "published",
    graph: QuestionGraph | None = None,
) -> GraphQuestion:
    """A question of a made-up food and person."""
    food = FoodFacts(
        code=58100000,
        name=name,
        category="Pies",
        ingredients=ingredients,
        tags=tags,
        unknown=unknown,
        per_100g={"carb": 20.5, "sodium": 410.0},
    )
    person = PersonFacts(person=71234, statuses=statuses, habits=habits)
    return GraphQuestion(
        id=f"made-{task}",
        text=question_text(task, name, rules=rules),
        task=task,
        row=QuizRow(
            level="standard",
            food=food,
            person=person,
            graph=graph or question_graph(food, person, rules=rules, mode=mode),
            gold=gold_of_facts(food, person, rules=rules),
        ),
        mode=mode,
        rules=rules,
    )


def run(
    method: str,
    question: GraphQuestion,
    answer: Callable[[Request], str] = lambda _: "Yes",
    options: Mapping[str, Any] | None = None,
    **kit: Any,
) -> tuple[Replied, AskedModel]:
    """Run a method against a function; return what it replied and the model that was asked."""
    model = AskedModel(answer)
    held = Kit(prompts=Prompts(), options=dict(options or {}), **kit)
    replied = asyncio.run(METHODS[method].run(question, model, held))
    return replied, model
