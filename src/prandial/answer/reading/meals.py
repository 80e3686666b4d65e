"""Replies about a meal to readings: one reader for every method and nutrient.

What holds, in this order (``why`` of the reading names the rule):

1. the answer asked for, a dictionary with the nutrient's total, or an amount after a word
   that announces the answer; the later of them where the reply goes on;
2. an amount beside ``total``;
3. the amount of the nutrient in a conclusion on the meal;
4. a reply that is nothing but an amount;
5. where the method asks for no working: the only amount of the nutrient that is named.

Nothing of these is unreadable: a number of the working is never taken for the total. Where
a reply states several totals the last holds, for a model may mend its answer; unless nothing
but ``or`` or a comma stands between them, which contradicts itself and is unreadable. What
follows a new ``Query:`` is the model's own next question and is not read.

Below zero, ``null`` and ``unknown`` are refusals, as the prompt asks for -1 when unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from prandial.answer.reading import words
from prandial.answer.reading.amounts import writes_decimal_commas
from prandial.answer.reading.dictionaries import found_in_dictionaries, without_dictionaries
from prandial.answer.reading.found import Found
from prandial.answer.reading.plain import in_plain_writing, without_thinking
from prandial.answer.reading.published import published_value
from prandial.answer.reading.statements import announced, concluded, sole, totalled, whole
from prandial.errors import InputError
from prandial.records.bench import Reading

__all__ = ["read_meal_reply", "read_meal_value"]

#: the model asks itself the next question
_NEXT_QUESTION: Final = re.compile(
    r"^[ #*]*(?:(?:query|question|user|human|meal description|example \d+|instruction)[ *]*:"
    r"|meal[ *]*:[ *]*(?:$|[\"'<\[(]))",
    re.IGNORECASE | re.MULTILINE,
)
#: places at which a next question is looked for
_MOST_QUESTIONS: Final = 4
_CONTRADICTS: Final = "contradicts itself"
#: the example's own words, said again before each of several answers
_AGAIN: Final = re.compile(r"^[ ]*(?:output|answer)[ ]*:", re.IGNORECASE | re.MULTILINE)
_LINKED: Final = re.compile(r"[\s,;/|.}\])'\"]*", re.IGNORECASE)
#: a line that names something before a dictionary
_NAMED: Final = re.compile(r"(?:^|\n)[ \-*#>.\d)]*([^\W\d][^\n:{}\"']{0,60}):[ ]*\Z")
_NO_FOOD: Final = re.compile(
    r"\b(?:example|dictionary|json|form(?:at)?|final|note|here|this|step|now|correct\w*|revised)\b"
)
#: longer replies are read at their end, where an answer stands
_LONGEST: Final = 20_000


def read_meal_reply(text: str, nutrient: str, *, method: str) -> Reading:
    """Read the total of one nutrient from a model's reply.

    Parameters
    ----------
    text : str
        The reply, unread; data, never an instruction.
    nutrient : {'carb_g', 'protein_g', 'fat_g', 'energy_kcal'}
    method : str
        Name of the method that asked; one with ``cot`` in it lets the model reason, and a
        single amount in such a reply may be a step of the working.

    Returns
    -------
    Reading
        Answered with the value in the nutrient's unit, refused or unreadable; the published
        reader's value stands beside it.

    Raises
    ------
    InputError
        On a nutrient the benchmark does not ask for.
    """
    if nutrient not in words.NUTRIENT_KINDS:
        raise InputError(
            f"no replies are read for {nutrient!r}",
            where="nutrient",
            hint="one of: " + ", ".join(words.NUTRIENT_KINDS),
        )
    published = published_value(text, nutrient)
    plain = in_plain_writing(without_thinking(text[-_LONGEST:]))
    if not plain.strip():
        why = "nothing but thinking" if text.strip() else "empty"
        return Reading(status="unreadable", published_value=published, why=why)
    found, why = _total(plain, nutrient, reasoned="cot" in method)
    if found is None:
        refused = words.pattern("refusal").search(plain)
        if refused is not None and not why.startswith(_CONTRADICTS):
            return Reading(status="refused", published_value=published, why=f"says {refused[0]!r}")
        return Reading(status="unreadable", published_value=published, why=why)
    if found.refused:
        said = "" if found.value is None else f" of {found.value:g}"
        return Reading(status="refused", published_value=published, why=found.why + said)
    return Reading(status="answered", value=found.value, published_value=published, why=found.why)


def read_meal_value(value: float | None) -> Reading:
    """Return the reading of an amount that a method worked out itself.

    Parameters
    ----------
    value : float, optional
        None, a number below zero and what is no number are refusals.
    """
    if value is None or not 0 <= value < float("inf"):
        return Reading(status="refused", published_value=-1.0, why="no amount from the method")
    return Reading(
        status="answered", value=value, published_value=value, why="amount from the method"
    )


def _total(text: str, nutrient: str, *, reasoned: bool) -> tuple[Found | None, str]:
    """Return what states the total, or why nothing does."""
    for question in islice(_NEXT_QUESTION.finditer(text), _MOST_QUESTIONS):
        before = _stated(text[: question.start()], nutrient, reasoned=reasoned)
        if before[0] is not None or before[1].startswith(_CONTRADICTS):
            return before
    return _stated(text, nutrient, reasoned=reasoned)


def _stated(text: str, nutrient: str, *, reasoned: bool) -> tuple[Found | None, str]:
    """Return what states the total of one question's reply, or why nothing does."""
    commas = writes_decimal_commas(text)
    firm, left = _firm(text, nutrient, commas)
    if firm:
        return _last(text, firm)
    prose = without_dictionaries(text)
    for statements in (totalled, concluded):
        found = statements(prose, nutrient, decimal_commas=commas)
        if found:
            return _last(prose, found)
    alone = whole(prose, nutrient, decimal_commas=commas)
    if alone is None and not reasoned and not left:
        alone = sole(prose, nutrient, decimal_commas=commas)
    if alone is not None:
        return alone, ""
    return None, left[0] if left else "no total is stated"


def _firm(text: str, nutrient: str, commas: bool) -> tuple[list[Found], tuple[str, ...]]:
    """Return the totals of dictionaries and announced ones, in order."""
    inside, left = found_in_dictionaries(text, nutrient, decimal_commas=commas)
    spans = [(f.start, f.end) for f in inside]
    outside = [
        f
        for f in announced(text, nutrient, decimal_commas=commas)
        if not any(a <= f.end <= b or f.start <= a < f.end for a, b in spans)
    ]
    return _of_the_meal(text, sorted([*inside, *outside], key=lambda f: f.start)), left


def _of_the_meal(text: str, found: list[Found]) -> list[Found]:
    """Leave out dictionaries that the reply puts behind the names of single foods."""
    foods = [_food_before(text, f) for f in found]
    if len({f for f in foods if f}) < 2:
        return found
    return [f for f, food in zip(found, foods, strict=True) if not food]


def _food_before(text: str, found: Found) -> str:
    """Return the name that ``Name: {...}`` begins with, empty for words of an answer."""
    named = _NAMED.search(text[max(0, found.start - 80) : found.start])
    if named is None or not _asked_for(found):
        return ""
    plain = named[1].casefold().strip()
    kinds = ("answer", "total", "meal", "conclusion", *words.NUTRIENT_KINDS)
    return "" if words.pattern(*kinds).search(plain) or _NO_FOOD.search(plain) else plain


def _last(text: str, found: Sequence[Found]) -> tuple[Found | None, str]:
    """Return the last total, unless it stands beside another that differs."""
    last = found[-1]
    for one in found[-2::-1]:
        if one.value == last.value:
            last = Found(value=last.value, start=one.start, end=last.end, why=last.why)
            continue
        between = _AGAIN.sub("", text[one.end : last.start])
        links = words.pattern("link")
        mended = _asked_for(one) and not _asked_for(last) and not links.search(between)
        if one.end <= last.start and not mended and _LINKED.fullmatch(links.sub("", between)):
            return None, f"{_CONTRADICTS}: {_written(one)} and {_written(last)}"
        break
    several = len({f.value for f in found}) > 1
    return (
        Found(
            value=last.value, start=last.start, end=last.end,
            why=last.why + (", the last of several" if several else ""),
        ),
        "",
    )  # fmt: skip


def _asked_for(found: Found) -> bool:
    """Whether it is the dictionary that the prompt asks for."""
    return "dictionary" in found.why


def _written(found: Found) -> str:
    return "unknown" if found.value is None else f"{found.value:g}"
