"""Questions over a graph answered by rule: what the person's statuses need against the food's tags.

Every nutrient that some status needs and the food is tagged on counts once; Yes when more speak
for the food than against it, a tie is No (NGQA, arXiv 2412.15547, appendix B). Food tags and
statuses are all that is read, so graphs without match and contradict edges are answered just
as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from prandial.errors import InputError
from prandial.records.bench import GraphQuestion, Replied
from prandial.tags.judged import judge
from prandial.tags.needed import needed_by, split_tag
from prandial.tags.sentences import sentence_of

__all__ = ["LEAD", "Symbolic", "symbolic_reply", "symbolic_verdict"]

#: what stands before the answer where something else is said
LEAD: Final = "Answer: "


#: ids of user and food
_ENDS: Final = (0, 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Symbolic:
    """An answer by rule.

    Parameters
    ----------
    verdict : {'Yes', 'No'}
    tags : tuple of str
        Food tags that decide, in the order of the needs.
    matches, contradicts : tuple of str
        Those that speak for the food and against it.
    unknown : tuple of str
        Nutrients that are needed low or high and whose amount in the food is not known: the
        verdict rests on the others.
    conflicts : tuple of str
        Nutrients needed both low and high: not counted in ``default``, high in
        ``as-published``.
    strange : tuple of str
        Tags of the food that are none.
    could_change : bool
        Whether what is unknown could turn the verdict.
    nodes : tuple of int, optional
        Ids of user, food, and the nodes that were read; None of a merged question.
    """

    verdict: Literal["Yes", "No"]
    tags: tuple[str, ...]
    matches: tuple[str, ...]
    contradicts: tuple[str, ...]
    unknown: tuple[str, ...]
    conflicts: tuple[str, ...]
    strange: tuple[str, ...] = ()
    could_change: bool = False
    nodes: tuple[int, ...] | None = field(default=None, compare=False)


def symbolic_verdict(question: GraphQuestion) -> Symbolic:
    """Answer a question by the table of needs.

    Statuses and tags are read from the question's own graph; in mode ``merged``, where it names
    food and person only, from what the one graph of all holds about the two.

    Parameters
    ----------
    question : GraphQuestion

    Returns
    -------
    Symbolic

    Raises
    ------
    NotFoundError, InputError
        On a status or rule set that is not known.
    """
    read = _read(question)
    needs = needed_by(read.statuses, rules=question.rules)
    strange = tuple(t for t in read.tags if not _is_tag(t))
    found = judge((t for t in read.tags if t not in strange), needs.directions)
    unknown = tuple(
        n for n, d in needs.directions.items() if len(d) == 1 and n in question.row.food.unknown
    )
    lead = len(found.matches) - len(found.contradicts)
    return Symbolic(
        verdict=found.verdict,
        tags=found.tags,
        matches=found.matches,
        contradicts=found.contradicts,
        unknown=unknown,
        conflicts=needs.conflicts,
        strange=strange,
        could_change=lead - len(unknown) <= 0 if lead > 0 else lead + len(unknown) > 0,
        nodes=read.nodes,
    )


def symbolic_reply(question: GraphQuestion) -> Replied:
    """Answer a question by rule, in the words of the gold; what is not known is said before.

    The nodes that were read count as retrieved.

    Raises
    ------
    NotFoundError, InputError
        As :func:`symbolic_verdict`.
    """
    found = symbolic_verdict(question)
    if question.task == "B":
        answer: str = found.verdict
    elif question.task == "ML":
        answer = ", ".join(found.tags)
    else:
        answer = _sentence(found, question.rules)
    open_point = ", which could change the verdict" if found.could_change else ""
    notes = [f"Not known: {', '.join(found.unknown)}{open_point}."] if found.unknown else []
    notes += [f"Not understood: {', '.join(found.strange)}."] if found.strange else []
    return Replied(
        text="\n".join([*notes, LEAD + (answer or "none")]) if notes else answer or "none",
        retrieved=found.nodes,
        detail={
            "for": list(found.matches),
            "against": list(found.contradicts),
            "unknown": list(found.unknown),
            "conflicts": list(found.conflicts),
            "not_tags": list(found.strange),
            "could_change": found.could_change,
        },
    )


def _sentence(found: Symbolic, rules: str) -> str:
    if not found.tags and rules == "as-published":
        return f"{found.verdict}."  # the template has no words for it
    return sentence_of(
        found.verdict, found.matches, found.contradicts, found.conflicts, rules=rules
    ).strip()


class _Read(NamedTuple):
    """What the graph says."""

    tags: tuple[str, ...]
    statuses: tuple[str, ...]
    nodes: tuple[int, ...] | None


def _read(question: GraphQuestion) -> _Read:
    row = question.row
    if question.mode == "merged":
        return _Read(_once(row.food.tags), _once(row.person.statuses), None)
    nodes = row.graph.nodes
    held = [n for n in nodes if n.name in ("food_nutrition_tag", "status") or n.id in _ENDS]
    return _Read(
        _once(tuple(n.attr for n in held if n.name == "food_nutrition_tag")),
        _once(tuple(n.attr for n in held if n.name == "status")),
        tuple(n.id for n in held),
    )


def _once(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _is_tag(text: str) -> bool:
    try:
        split_tag(text)
    except InputError:
        return False
    return True
