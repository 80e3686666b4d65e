"""Answers in one sentence: the published template and a plain one naming both sides."""

from __future__ import annotations

from functools import cache
from typing import Final

from prandial.tables.rules import read_rules
from prandial.tags.needed import split_tag

__all__ = ["plain_sentence", "published_sentence", "sentence_of"]

_SUITS: Final = {"Yes": "suits", "No": "does not suit"}


def sentence_of(
    verdict: str,
    matches: tuple[str, ...],
    contradicts: tuple[str, ...],
    conflicts: tuple[str, ...],
    *,
    rules: str,
) -> str:
    """Return the sentence of a rule set: the gold of task -TG, and what the rules answer."""
    if rules == "as-published":
        return published_sentence(verdict, matches if verdict == "Yes" else contradicts)
    return plain_sentence(verdict, matches, contradicts, conflicts)


def published_sentence(verdict: str, reasons: tuple[str, ...]) -> str:
    """Return the published sentence: the winning side only, a blank at the end.

    Nutrients are written as in tags (``saturated_fat``), as published.
    """
    parts = ", ".join("{} in {}".format(*split_tag(tag)) for tag in reasons)
    return f"{verdict}, because the food is {parts}. "


def plain_sentence(
    verdict: str,
    matches: tuple[str, ...],
    contradicts: tuple[str, ...],
    conflicts: tuple[str, ...] = (),
) -> str:
    """Return a sentence that names what speaks for the food, against it, and what clashes."""
    parts = []
    if matches:
        parts.append(f"it is {_listed([_words(t) for t in matches])}, as needed")
    if contradicts:
        parts.append(f"it is {_listed([_words(t) for t in contradicts])}, against what is needed")
    if conflicts:
        names = _listed([_names()[n] for n in conflicts])
        parts.append(f"the needs for {names} contradict each other and are left out")
    said = "; ".join(parts) or "no tag of the food is about anything needed"
    return f"{verdict}, the food {_SUITS[verdict]} this person: {said}."


def _words(tag: str) -> str:
    direction, nutrient = split_tag(tag)
    return f"{direction} in {_names()[nutrient]}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


@cache
def _names() -> dict[str, str]:
    return {r["nutrient"]: r["words"] for r in read_rules("tag_nutrients")}
