"""Worked examples of an extraction: a prompt file of meals and items, put as turns.

A block begins with ``Meal:`` and the meal; each line below is one item, ``quantity | unit |
food``. A small model follows such turns far better than the same examples in one message.
"""

from __future__ import annotations

import json

from prandial.answer.meals.fences import fenced
from prandial.answer.texts import fill
from prandial.errors import InputError

__all__ = ["turns_of"]

_MEAL = "Meal:"
_FIELDS = ("quantity", "unit", "food")


def turns_of(examples: str, prompt: str) -> tuple[tuple[str, str], ...]:
    """Return the examples as turns in the form of the request and of the reply.

    Parameters
    ----------
    examples : str
        Text of the file; nothing in it leaves out the examples.
    prompt : str
        The request's prompt, with ``{{open}}``, ``{{meal}}``, ``{{close}}``.

    Raises
    ------
    InputError
        On a line that is neither a meal nor an item, and a meal without items.
    """
    shown: list[tuple[str, list[dict[str, str]]]] = []
    for number, raw in enumerate(examples.splitlines(), 1):
        line = raw.strip()
        if not line:
            continue
        cells = [c.strip() for c in line.split("|")]
        if line.startswith(_MEAL):
            shown.append((line.removeprefix(_MEAL).strip(), []))
        elif shown and len(cells) == len(_FIELDS) and cells[-1]:
            shown[-1][1].append(dict(zip(_FIELDS, cells, strict=True)))
        else:
            raise _wrong("neither 'Meal: ...' nor 'quantity | unit | food'", number)
    if any(not items for _, items in shown):
        raise _wrong("an example without items")
    return tuple((_user(meal, prompt), _reply(items)) for meal, items in shown)


def _user(meal: str, prompt: str) -> str:
    marked = fenced(meal, "meal")
    return fill(prompt, {"open": marked.open, "meal": marked.text, "close": marked.close})


def _reply(items: list[dict[str, str]]) -> str:
    return json.dumps({"items": items}, ensure_ascii=False, separators=(",", ":"))


def _wrong(what: str, number: int | None = None) -> InputError:
    where = "prompt nutribench_extract_examples"
    return InputError(
        what,
        where=where if number is None else f"{where}, line {number}",
        hint="write each meal as 'Meal: ...' with its items below, 'half a | cup of | rice'",
    )
