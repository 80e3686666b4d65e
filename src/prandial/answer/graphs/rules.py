"""The symbolic method: no model, the rules over what the graph says of food and person.

Distinct nutrients are counted, not edges: a tag in the direction that a status needs speaks
for the food, one in the other direction against it, a tie is No. It reads food tags and
statuses only, so that it works on graphs with and without verdict edges.
"""

from __future__ import annotations

from typing import NamedTuple

from prandial.answer.ask import Ask
from prandial.answer.graphs.asking import LEAD
from prandial.answer.methods import Kit
from prandial.errors import InputError
from prandial.records.bench import GraphQuestion, Replied
from prandial.tags.needed import needed_by, split_tag

__all__ = ["rules"]


async def rules(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:  # noqa: ARG001
    """Answer by the rules; what is not known is said, and whether it could change the verdict.

    The nodes that were read count as retrieved.
    """
    read = _read(question)
    needs = needed_by(read.statuses, rules=question.rules)
    clear = {n: wanted[0] for n, wanted in needs.directions.items() if len(wanted) == 1}
    tags = [t for nutrient in clear for t in read.tags if split_tag(t)[1] == nutrient]
    sides: dict[bool, list[str]] = {True: [], False: []}
    for tag in tags:
        direction, nutrient = split_tag(tag)
        sides[direction == clear[nutrient]].append(tag)
    lead = len(sides[True]) - len(sides[False])
    verdict = "Yes" if lead > 0 else "No"
    unknown = [n for n in clear if n in question.row.food.unknown]
    could_change = lead - len(unknown) <= 0 if lead > 0 else lead + len(unknown) > 0
    answer = {
        "B": verdict,
        "ML": ", ".join(tags),
        "TG": _sentence(verdict, sides, published=question.rules == "as-published"),
    }[question.task]
    open_point = ", which could change the verdict" if could_change else ""
    notes = [f"Not known: {', '.join(unknown)}{open_point}."] if unknown else []
    notes += [f"Not understood: {', '.join(read.strange)}."] if read.strange else []
    return Replied(
        text="\n".join([*notes, LEAD + answer]) if notes else answer,
        retrieved=read.nodes,
        detail={
            "for": sides[True],
            "against": sides[False],
            "unknown": unknown,
            "conflicts": list(needs.conflicts),
            "not_tags": list(read.strange),
            "could_change": could_change,
        },
    )


class _Read(NamedTuple):
    """What the graph says; ``strange`` are tags that are none."""

    tags: tuple[str, ...]
    statuses: tuple[str, ...]
    strange: tuple[str, ...]
    nodes: tuple[int, ...] | None


def _read(question: GraphQuestion) -> _Read:
    """Read tags and statuses; a merged question's graph holds neither, its facts do."""
    row = question.row
    held = [n for n in row.graph.nodes if n.name in ("food_nutrition_tag", "status")]
    tags = [n.attr for n in held if n.name == "food_nutrition_tag"]
    statuses = [n.attr for n in held if n.name == "status"]
    if question.mode == "merged":
        tags, statuses = list(row.food.tags), list(row.person.statuses)
    strange = [t for t in dict.fromkeys(tags) if not _is_tag(t)]
    return _Read(
        tuple(t for t in dict.fromkeys(tags) if t not in strange),
        tuple(statuses),
        tuple(strange),
        None if question.mode == "merged" else (*(n.id for n in held),),
    )


def _is_tag(text: str) -> bool:
    try:
        split_tag(text)
    except InputError:
        return False
    return True


def _sentence(verdict: str, sides: dict[bool, list[str]], *, published: bool) -> str:
    """Return the reasons for a verdict, and what stands against it unless as published."""
    winning, losing = _reasons(sides[verdict == "Yes"]), _reasons(sides[verdict != "Yes"])
    parts = [f"because the food is {winning}"] if winning else []
    if losing and not published:
        parts.append(f"although it is {losing}")
    return ", ".join([verdict, *parts]) + "."


def _reasons(tags: list[str]) -> str:
    return ", ".join("{} in {}".format(*split_tag(tag)) for tag in tags)
