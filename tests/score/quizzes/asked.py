"""Questions and answers for tests: made by hand, and from the published rows."""

from __future__ import annotations

from pathlib import Path

from tests.quiz.made import food, person

from prandial.answer.reading.graphs import read_graph_reply
from prandial.quiz import make_row, read_published
from prandial.quiz.facts import facts_of
from prandial.quiz.questions import question_text
from prandial.records.bench import GraphQuestion, Prediction, Reading

LEVELS = {"easy": "sparse", "medium": "standard", "hard": "complex"}


def question(row, task="B", *, rules="as-published", mode="published", name=""):
    """A question about a row."""
    return GraphQuestion(
        id=name or f"{row.level}-{row.food.code}-{row.person.person}-{task}",
        text=question_text(task, row.food.name, rules=rules),
        task=task,
        row=row,
        mode=mode,
        rules=rules,
    )


def made(tags, statuses, task="B", *, level="sparse", code=58150530, name="", **more):
    """A question about a made food and person."""
    rules = more.get("rules", "as-published")
    mode = more.get("mode", "published")
    row = make_row(
        food(*tags.split(), code=code), person(*statuses), level=level, rules=rules, mode=mode
    )
    return question(row, task, name=name, rules=rules, mode=mode)


def said(asked, text, **more):
    """The question with this reply, read as our reader reads it."""
    reading = more.pop("reading", None) or read_graph_reply(text, asked.task)
    return asked, Prediction(question=asked.id, raw_text=text, reading=reading, **more)


def failed(asked, error="429 too many requests"):
    """The question without any reply."""
    reading = Reading(status="failed", why=error)
    return asked, Prediction(question=asked.id, raw_text="", reading=reading, error=error)


def real_questions(shared: Path, task: str, *, mode: str = "published"):
    """The 50 published rows as questions of a task."""
    found = []
    for row in read_published(shared / "data/ngqa/ngqa_benchmark_sample50.csv").rows:
        asked, who = facts_of(row.graph)
        level = LEVELS[row.texts["difficulty"]]
        built = make_row(asked, who, level=level, rules="as-published", mode=mode)
        found.append(question(built, task, mode=mode))
    return found


def by_name(scores, slice=""):  # noqa: A002 - as the record names it
    """Scores of a slice by metric."""
    return {s.metric: s for s in scores if s.slice == slice}
