"""What the words of a text account for: the edges of an item, and what is left over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prandial.meal.match import Match, Matcher
from prandial.meal.reading import (
    CONTENT,
    DROPPED,
    FILLER,
    JOIN,
    NUMBER,
    PUNCT,
    SIZE,
    STATED,
    STOP,
    UNIT,
    Reading,
)
from prandial.meal.segment import Segment
from prandial.records import MealItem

__all__ = [
    "NOT_UNDERSTOOD",
    "NO_DOSE",
    "as_total",
    "explained_share",
    "first_word",
    "list_like",
    "parts_of",
    "too_vague",
    "trimmed",
    "words_of",
]

#: begins the note about words that a chosen food does not account for
NOT_UNDERSTOOD: Final = "not understood"
NO_DOSE: Final = (
    "prandial gives no insulin dose: ask your diabetes team; if you cannot keep food or drink"
    " down, or feel unwell, contact a clinic or emergency service now"
)
_LEAD: Final = frozenset((STOP, FILLER, JOIN, PUNCT, DROPPED, STATED))
_SOME: Final = frozenset(("some", "the", "my", "more"))
_ARTICLE: Final = frozenset(("a", "an"))
_ROLES: Final = {
    STOP: "plain word",
    FILLER: "wording",
    UNIT: "amount",
    SIZE: "amount",
    NUMBER: "amount",
    CONTENT: "food word",
    PUNCT: "punctuation",
    JOIN: "joining word",
    DROPPED: "not food",
    STATED: "stated nutrient",
}


def as_total(
    reading: Reading, stated: list[tuple[str, float]], text: str, notes: list[str]
) -> list[tuple[str, float]]:
    """Turn an EU label's available carbohydrate into total carbohydrate.

    Labels of the European Union give carbohydrate without fibre (Regulation
    (EU) No 1169/2011, Annex I); total carbohydrate includes it.
    """
    values = dict(stated)
    if "carb_g" not in values or not any(t.text == "eu" for t in reading.tokens):
        return stated
    if "fiber_g" not in values:
        notes.append(f"'{text}': EU label carbohydrate is without fibre, and no fibre is stated")
        return stated
    total = values["carb_g"] + values["fiber_g"]
    notes.append(
        f"'{text}': EU label carbohydrate {values['carb_g']:g} g + fibre {values['fiber_g']:g} g"
        f" = {total:g} g total carbohydrate"
    )
    return [(k, total if k == "carb_g" else v) for k, v in stated]


def words_of(reading: Reading, seg: Segment) -> str:
    """Return a segment's own words."""
    atoms = reading.atoms[seg.first : seg.last]
    start, end = trimmed(reading, atoms[0].start, atoms[-1].end)
    return reading.text[reading.tokens[start].start : reading.tokens[end - 1].end]


def first_word(reading: Reading, seg: Segment) -> int:
    """Return the place where a segment's own words begin."""
    return trimmed(reading, reading.atoms[seg.first].start, reading.atoms[seg.last - 1].end)[0]


def trimmed(reading: Reading, start: int, end: int) -> tuple[int, int]:
    """Return a run of tokens without leading and trailing words of no food."""
    classes = reading.classes
    while start < end and classes[start] in _LEAD:
        start += 1
    tokens = reading.tokens
    while end > start and (
        classes[end - 1] in _LEAD
        or (classes[end - 1] == NUMBER and tokens[end - 1].text in _ARTICLE)
    ):
        end -= 1
    return start, end


def too_vague(match: Match, matcher: Matcher) -> bool:
    """Tell whether too little of the words is explained to name a food."""
    return explained_share(match, matcher) < (0.6 if match.query.head_unknown else 0.25)


def explained_share(match: Match, matcher: Matcher) -> float:
    """Share of the words' weight that the chosen food accounts for."""
    if match.explained is None:
        match.explained = _explained(match, matcher)
    return match.explained


def _explained(match: Match, matcher: Matcher) -> float:
    doc = matcher.index.food_terms(match.options[0].food)
    q = match.query
    if q.content and not q.corrected and doc.issuperset(q.content) and not q.unknown:
        return 1.0
    weight_of = dict(q.terms)
    explained = unexplained = 0.0
    for word in (*dict.fromkeys(q.content), *(fixed for _, fixed in q.corrected)):
        if word in q.unknown:
            unexplained += 3.0 if word == q.head else 1.5
        elif word in doc or not doc.isdisjoint(q.standins.get(word, ())):
            explained += max(weight_of.get(word, 1.0), 1.0)
        else:
            unexplained += 0.5 * weight_of.get(word, 1.0)
    explained += sum(matcher.index.word_weight[t] for t in set(q.implied) if t in doc)
    return explained / max(explained + unexplained, 1e-9)


def list_like(reading: Reading, lead: int, start: int, end: int) -> bool:
    """Tell whether words stand like an entry of a list."""
    classes = reading.classes
    content = sum(classes[k] == CONTENT for k in range(start, end))
    inside = all(
        classes[k] == CONTENT or reading.tokens[k].text in ("-", "'", "of", "de")
        for k in range(start, end)
    )
    before = all(
        classes[k] in (JOIN, PUNCT) or reading.tokens[k].text in _SOME for k in range(lead, start)
    )
    return content <= 3 and inside and before


def parts_of(
    text: str, reading: Reading | None, items: Sequence[MealItem]
) -> tuple[tuple[int, int, str, int], ...]:
    """Return ``(start, end, role, item)`` of all characters of a text, in order."""
    if reading is None:
        return ((0, len(text), "not read", -1),) if text else ()
    parts: list[tuple[int, int, str, int]] = []
    at = 0
    k = 0
    for token, cls in zip(reading.tokens, reading.classes, strict=True):
        if token.start > at:
            parts.append((at, token.start, "space", -1))
        while k < len(items) and items[k].span[1] <= token.start:
            k += 1
        owner = k if k < len(items) and items[k].span[0] <= token.start else -1
        parts.append((token.start, token.end, _ROLES.get(cls, "joining word"), owner))
        at = token.end
    if at < len(text):
        parts.append((at, len(text), "space", -1))
    return tuple(parts)
