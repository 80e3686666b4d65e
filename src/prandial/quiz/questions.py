"""Question texts by task and rule set, from the table ``questions``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal

from prandial.errors import InputError
from prandial.tables.rules import read_rules

__all__ = ["TASKS", "Task", "alternatives_text", "question_text"]

#: yes or no, tags, sentence: the published tasks, there called easy, medium and hard
Task = Literal["B", "ML", "TG"]
TASKS: Final[tuple[Task, ...]] = ("B", "ML", "TG")


@cache
def _template(task: str, rules: str) -> str:
    for row in read_rules("questions"):
        if (row["rules"], row["task"]) == (rules, task):
            return row["template"]
    known = sorted({f"{r['task']} of {r['rules']}" for r in read_rules("questions")})
    raise InputError(
        f"no wording for task {task!r} in the rule set {rules!r}",
        where="task",
        hint="known: " + ", ".join(known),
    )


def question_text(task: Task, food: str, *, rules: str) -> str:
    """Return the question of a task about a food.

    Parameters
    ----------
    task : {'B', 'ML', 'TG'}
    food : str
        Its description, put in as it is.
    rules : {'as-published', 'default'}

    Raises
    ------
    InputError
        On an unknown task or rule set.
    """
    return _template(task, rules).replace("{food}", food)


def alternatives_text(category: str, candidates: Sequence[str], *, rules: str) -> str:
    """Return the question which of some foods of a category would suit the person.

    Raises
    ------
    InputError
        On an unknown rule set.
    """
    names = "; ".join(candidates)
    before, after = _template("ALT", rules).split("{candidates}")
    return before.replace("{category}", category) + names + after
