"""A text prepared for matching: token classes, amounts, atoms.

An *atom* is the smallest run of tokens that can be an item or a part of one;
atoms begin at commas, "and", "with", "on", brackets and new amounts. Items are
runs of atoms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from prandial.meal.amounts import Mark, read_marks
from prandial.meal.aside import set_aside
from prandial.meal.bare import read_bare_numbers
from prandial.meal.lexicon import Lexicon, Unit
from prandial.meal.shorthand import expand
from prandial.meal.tokens import Token, fold, tokenize

__all__ = ["Atom", "Reading", "read_text"]

#: token classes
STOP, FILLER, UNIT, SIZE, NUMBER, CONTENT, PUNCT, JOIN, PLACE, NEGATION, DROPPED, STATED = range(12)

#: classes and texts on which the match of a span depends
_MATCHED: Final = frozenset((CONTENT, FILLER, UNIT, SIZE, NUMBER, NEGATION, JOIN, PLACE))
_MATCHED_TEXTS: Final = frozenset(("(", ")", ",", "of", "from", "made", "that", '"'))
_HARD: Final = frozenset(".;!?\n")
_MEAL_LEAD: Final = frozenset(
    "for at during as my this today tonight yesterday todays a quick the in our and late early "
    "morning afternoon evening light midday mid-morning little sweet simple hearty delicious "
    "satisfying delightful tasty perfect s evening's 's".split()
)
_INSTRUCTION: Final = re.compile(
    r"\b(ignore|disregard|forget|override|bypass)\b[^.;!?\n]{0,60}"
    r"\b(instructions?|previous|above|prompts?|rules?|everything|orders?)\b|"
    r"\b(answer|reply|respond|output|return|say)\b[^.;!?\n]{0,30}\b(0|zero|only|with|json|exactly)\b|"
    r"\bsystem prompt\b|\byou are (now|a|an)\b|\bas an? (ai|assistant|language model)\b|"
    r"\b(update|select|insert|delete|drop|alter)\b[^.!?\n]{0,60}\b(set|from|into|table|where)\b|"
    r"<\s*/?\s*script|https?://\S+",
)
_DOSE: Final = re.compile(
    r"\bhow (many|much) (units?|insulin)\b|\bunits? (should|do) i\b|\bcorrection (factor|dose)\b|"
    r"\binsulin (dose|units?)\b|\bbolus\b|\binject(ed|ing)?\b|\bunits? for (a|an|the|my|this)\b|"
    r"\bunits? of (insulin|humalog|novolog|novorapid|fiasp|apidra|lispro|aspart)\b|"
    r"\bhow much (humalog|novolog|novorapid|fiasp|apidra|lantus|lispro|aspart)\b|"
    r"\bwhat (dose|ratio)\b|\bcarb ratio\b|\bmy ratio\b|\bunits\s*\?|\bcorrect with\b",
)
#: every match of a pattern holds one of its hints; most texts hold none
_INSTRUCTION_HINTS: Final = (
    *"ignore disregard forget override bypass answer reply respond output return say".split(),
    *"update select insert delete drop alter script http".split(),
    *("system prompt", "you are", "as a"),
)
_DOSE_HINTS: Final = ("how m", "unit", "correct", "insulin", "bolus", "inject", "dose", "ratio")


def _found(pattern: re.Pattern[str], hints: Sequence[str], text: str) -> Iterable[re.Match[str]]:
    """Find a slow pattern, when a text holds any of its hints."""
    for hint in hints:
        if hint in text:
            return pattern.finditer(text)
    return ()


@dataclass(frozen=True, slots=True)
class Atom:
    """Tokens ``[start, end)``; ``hard`` when a sentence ended before it."""

    start: int
    end: int
    hard: bool
    marks: tuple[Mark, ...]
    content: int
    negated: bool
    bracketed: bool


@dataclass(slots=True)
class Reading:
    """The tokens of a text with their classes, amounts and atoms.

    ``keys`` hold what a span's match can depend on, token by token; ``country``
    is an ISO 3166 alpha-3 code, or empty.
    """

    text: str
    tokens: list[Token]
    classes: list[int]
    marks: list[Mark]
    atoms: list[Atom]
    notes: list[str]
    instruction: tuple[tuple[int, int], ...]
    dose_question: bool
    stated: list[tuple[int, int, str, float]]
    locale: str
    keys: list[tuple[str, int] | None]
    country: str = ""


def _classes(tokens: Sequence[Token], marks: Sequence[Mark], lexicon: Lexicon) -> list[int]:
    out: list[int] = []
    for i, token in enumerate(tokens):
        if token.kind == "word":
            out.append(_word_class(tokens, i, out, lexicon))
        elif token.kind in ("num", "vulgar"):
            out.append(CONTENT if token.text.endswith("%") else NUMBER)
        elif (token.text,) in lexicon.implies:
            out.append(CONTENT)
        else:
            out.append(JOIN if token.text in ("&", "+") else PUNCT)
    _drop_occasions(tokens, out, lexicon.roles["meal"])
    _soften_adjectives(tokens, out, marks)
    for mark in marks:
        for k in range(mark.start, mark.end):
            if out[k] not in (DROPPED, NEGATION):
                out[k] = UNIT if tokens[k].kind == "word" and out[k] == CONTENT else NUMBER
        if _names_the_food(mark) and mark.start > 0 and out[mark.start - 1] == CONTENT:
            out[mark.start] = CONTENT  # "peanut butter cup": the unit word names the food
    return out


def _names_the_food(mark: Mark) -> bool:
    """Tell whether a unit word may be part of a food's name."""
    return (
        mark.unit is not None
        and not mark.numbered
        and not mark.of
        and mark.unit.kind != "household"
        and mark.end == mark.start + 1
    )


def _word_class(tokens: Sequence[Token], i: int, before: Sequence[int], lexicon: Lexicon) -> int:
    """Class of a word by its role tables and its neighbours."""
    roles = lexicon.roles
    text, stem = tokens[i].text, tokens[i].stem
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if text in ("no", "non") and following is not None and following.text == "-":
        return STOP  # "no-bake": only the next word is ruled out
    if text in roles["negation"]:
        return NEGATION
    if text in roles["join"]:
        return STOP if _in_half_and_half(tokens, i) else JOIN
    if text in roles["place"]:
        return PLACE
    if text in roles["meal"]:
        if _follows_food(tokens, i, before):
            return CONTENT  # "fruit snacks", "chicken dinner"
        if _is_meal_word(tokens, i, len(tokens)):
            return DROPPED
    if text == "sweet" and following is not None and following.text in ("and", "&", "n"):
        return CONTENT  # "sweet and sour"
    if text in roles["stop"] or ("'" in text and text.replace("'", "") in roles["stop"]):
        return STOP
    unit = lexicon.units.get(text)
    if unit is not None and unit.kind == "size":
        return CONTENT if following is not None and following.stem == "crust" else SIZE
    return FILLER if text in roles["filler"] or stem in roles["filler"] else CONTENT


def _follows_food(tokens: Sequence[Token], i: int, before: Sequence[int]) -> bool:
    return (
        i > 0
        and before[-1] == CONTENT
        and tokens[i - 1].kind == "word"
        and tokens[i - 1].text not in _PLAIN_ADJECTIVE
    )


_PLAIN_ADJECTIVE: Final = frozenset("light small little late early mid big main typical".split())


def _in_half_and_half(tokens: Sequence[Token], i: int) -> bool:
    return 0 < i < len(tokens) - 1 and tokens[i - 1].text == "half" and tokens[i + 1].text == "half"


def _soften_adjectives(tokens: Sequence[Token], out: list[int], marks: Sequence[Mark]) -> None:
    """In "a crisp 200 g apple" the words before the amount only decorate."""
    for first, second in pairwise(marks):
        between = range(first.end, second.start)
        if (
            first.unit is None
            and not first.number.explicit
            and second.numbered
            and 0 < len(between) <= 3
            and second.end < len(tokens)
            and (out[second.end] in (CONTENT, FILLER, SIZE) or tokens[second.end].text == "of")
            and all(out[k] in (CONTENT, FILLER, SIZE) for k in between)
        ):
            for k in between:
                if out[k] == CONTENT:
                    out[k] = FILLER


_OCCASION_LEAD: Final = frozenset(("for", "at", "during", "as", "in"))


def _drop_occasions(tokens: Sequence[Token], out: list[int], meal: frozenset[str]) -> None:
    """Drop the words of "for a sweet afternoon snack", which name no food."""
    for i, token in enumerate(tokens):
        if token.text not in meal:
            continue
        follows = i + 1 < len(tokens) and out[i + 1] == CONTENT and tokens[i + 1].kind == "word"
        for k in range(i - 1, max(i - 7, -1), -1):
            if tokens[k].kind in ("punct", "nl") and tokens[k].text not in ("'", "-"):
                break
            if tokens[k].text in _OCCASION_LEAD:
                if not follows:
                    for m in range(k, i + 1):
                        out[m] = DROPPED
                break
            if tokens[k].text in ("and", "with", "of"):
                break


def _is_meal_word(tokens: Sequence[Token], i: int, n: int) -> bool:
    """Tell "for lunch" from "lunch meat"."""
    before = tokens[i - 1].text if i else ""
    return (i == 0 or before in _MEAL_LEAD or tokens[i - 1].kind in ("punct", "nl")) or (
        i + 1 < n
        and tokens[i + 1].text in ("today", "this", "tonight", "i", "consisted", "is", "was")
    )


_NUTRIENT_WORDS: Final = {
    "carb": "carb_g",
    "carbohydrate": "carb_g",
    "protein": "protein_g",
    "fat": "fat_g",
    "fiber": "fiber_g",
    "sugar": "sugars_g",
    "calorie": "energy_kcal",
    "kcal": "energy_kcal",
    "kj": "energy_kj",
}


def _stated_nutrients(
    tokens: Sequence[Token], marks: Sequence[Mark]
) -> list[tuple[int, int, str, float]]:
    """Nutrients the writer states ("fat 9gr carbs 3gr protein 3gr", "42 kcal")."""
    n = len(tokens)
    found: list[tuple[int, int, str, float]] = []
    for mark in marks:
        if not mark.numbered:
            continue
        mass = mark.unit is not None and mark.unit.name == "g"
        before = tokens[mark.start - 1] if mark.start else None
        lead = mark.start - 1
        if before is not None and before.text == ":" and lead > 0:
            lead -= 1
            before = tokens[lead]
        if mass and before is not None and before.stem in _NUTRIENT_WORDS:
            previous = tokens[lead - 1] if lead else None
            chained = (
                previous is None
                or previous.kind != "word"
                or bool(found)
                or previous.text in ("with", "and", "has", "label")
            )
            if chained:
                name = _NUTRIENT_WORDS[before.stem]
                if not name.startswith("energy"):
                    found.append((lead, mark.end, name, mark.number.mid))
                    continue
        after = tokens[mark.end] if mark.end < n else None
        if after is not None and after.text == "of" and mark.end + 1 < n:
            after = tokens[mark.end + 1]
        if after is None:
            continue
        name = _NUTRIENT_WORDS.get(after.stem, "")
        at = mark.end + (2 if tokens[mark.end].text == "of" else 1)
        ends = at >= n or tokens[at].kind == "punct" or tokens[at].text in ("and", "per", "with")
        energy = name.startswith("energy") and mark.unit is None
        if ends and (energy or (name in ("carb_g", "protein_g") and mass)):
            found.append((mark.start, at, name, mark.number.mid))
    return found


def read_text(text: str, lexicon: Lexicon, *, locale: str, country: str = "") -> Reading:
    """Prepare a text for matching.

    Parameters
    ----------
    text : str
    lexicon : Lexicon
    locale : str
    country : str, optional
        ISO 3166 alpha-3 code.

    Returns
    -------
    Reading
    """
    tokens = expand(tokenize(text), text, lexicon.shorthand)
    marks, aside = set_aside(tokens, read_marks(tokens, lexicon, locale=locale))
    marks = read_bare_numbers(tokens, marks)
    marks = _slovak_teaspoons(text, tokens, marks, lexicon)
    stated = _stated_nutrients(tokens, marks)
    classes = _classes(tokens, marks, lexicon)
    for k in aside:
        classes[k] = DROPPED
    if stated:
        gone = [(s, e) for s, e, _, _ in stated]
        marks = [m for m in marks if not any(s <= m.start < e for s, e in gone)]
        for s, e in gone:
            for k in range(s, e):
                classes[k] = STATED
    low = fold(text)
    instruction = tuple(m.span() for m in _found(_INSTRUCTION, _INSTRUCTION_HINTS, low))
    spans = tuple(dict.fromkeys(_sentence(low, s) for s, _ in instruction))
    doses = tuple(m.start() for m in _found(_DOSE, _DOSE_HINTS, low))
    for start, end in (*spans, *(_sentence(low, s, ".;!?\n,") for s in doses)):
        for k, token in enumerate(tokens):
            if start <= token.start < end:
                classes[k] = DROPPED
        marks = [m for m in marks if not start <= tokens[m.start].start < end]
    stated = [s for s in stated if classes[s[0]] != DROPPED]
    atoms = _atoms(tokens, classes, marks)
    keys = _keys(tokens, classes)
    return Reading(
        text, tokens, classes, marks, atoms, [], spans, bool(doses), stated, locale, keys, country
    )


def _keys(tokens: Sequence[Token], classes: Sequence[int]) -> list[tuple[str, int] | None]:
    """Return what a span's match can depend on, token by token.

    A word that says nothing still counts where it parts two food words, since
    those are then no neighbours ("pot pie", "pot-pie"), and so does the hyphen
    of "no-bake".
    """
    keys: list[tuple[str, int] | None] = []
    before = PUNCT
    last = ""
    for token, cls in zip(tokens, classes, strict=True):
        if cls in _MATCHED or token.text in _MATCHED_TEXTS:
            keys.append((token.text, cls))
        elif token.text == "-" and last in ("no", "non"):
            keys.append(("no-", cls))
        elif before in (CONTENT, FILLER):
            keys.append(("", cls))
        else:
            keys.append(None)
        before, last = cls, token.text
    return keys


def _slovak_teaspoons(
    text: str, tokens: Sequence[Token], marks: list[Mark], lexicon: Lexicon
) -> list[Mark]:
    """Read "ML" beside a Slovak food word as a teaspoon (mala lyzicka), and say so."""
    if "ML" not in text:
        return marks
    if not any(lexicon.foreign.get((t.stem,)) == "sk" for t in tokens):
        return marks
    out = []
    for mark in marks:
        unit = mark.unit
        last = tokens[mark.end - 1]
        if unit is not None and unit.name == "ml" and text[last.start : last.end] == "ML":
            note = "'ML' beside a Slovak food word read as teaspoon (malá lyžička), not millilitre"
            out.append(
                replace(
                    mark, unit=Unit("tsp", "volume", "sk"), number=replace(mark.number, note=note)
                )
            )
        else:
            out.append(mark)
    return out


def _sentence(text: str, at: int, marks: str = ".;!?\n") -> tuple[int, int]:
    """Return the sentence (or clause) around a place."""
    start = max((text.rfind(c, 0, at) for c in marks), default=-1) + 1
    ends = [e for e in (text.find(c, at) for c in marks if c != ";") if e >= 0]
    end = min(ends) + 1 if ends else len(text)
    return start, end


def _measured_brackets(tokens: Sequence[Token], marks: Sequence[Mark]) -> set[int]:
    """Positions of the round brackets that hold an amount."""
    found: set[int] = set()
    if not any(token.text == ")" for token in tokens):
        return found
    starts = {m.start for m in marks if m.numbered}
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token.text == "(":
            opened.append(i)
        elif token.text == ")" and opened:
            left = opened.pop()
            if any(left < k < i for k in starts):
                found.update((left, i))
    return found


def _atoms(tokens: Sequence[Token], classes: Sequence[int], marks: Sequence[Mark]) -> list[Atom]:
    brackets = _measured_brackets(tokens, marks)
    starts = _cuts(tokens, classes, marks, brackets)
    atoms: list[Atom] = []
    depth = 0
    m = 0
    carried: tuple[int, bool] | None = None
    for index, (start, is_hard) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(tokens)
        if brackets:
            depth += any(k in brackets and tokens[k].text == "(" for k in range(start, end))
        own: list[Mark] = []
        while m < len(marks) and marks[m].start < end:
            own.append(marks[m])
            m += 1
        inside = classes[start:end]
        content = inside.count(CONTENT)
        if not (content or own or depth or SIZE in inside or STATED in inside):
            # words without food or amount join the next atom's lead
            carried = (start, is_hard) if carried is None else (carried[0], carried[1] or is_hard)
            continue
        first, hard = (start, False) if carried is None else carried
        negated = NEGATION in inside
        atoms.append(Atom(first, end, is_hard or hard, tuple(own), content, negated, depth > 0))
        carried = None
        if brackets:
            closed = sum(k in brackets and tokens[k].text == ")" for k in range(start, end))
            depth = max(depth - closed, 0)
    return atoms


def _cuts(
    tokens: Sequence[Token],
    classes: Sequence[int],
    marks: Sequence[Mark],
    brackets: set[int],
) -> list[tuple[int, bool]]:
    """Where atoms begin, and whether a sentence ended there."""
    mark_at = {m.start: m for m in marks}
    inside = {k for m in marks for k in range(m.start + 1, m.end)}
    cuts: list[tuple[int, bool]] = []
    hard = seen = False
    for i, token in enumerate(tokens):
        if i in inside:
            continue
        cls = classes[i]
        cut = False
        if cls == PUNCT:
            ends = token.text in _HARD or token.kind == "nl"
            hard = hard or ends
            cut = ends or token.text == "," or i in brackets
        elif cls in (JOIN, PLACE, NEGATION):
            cut = seen
        elif i in mark_at and seen:
            cut = _mark_cuts(mark_at[i], token, classes[i - 1])
        if cut:
            cuts.append((i, hard))
            hard = seen = False
        seen = seen or cls in (CONTENT, UNIT, NUMBER, SIZE)
    return cuts if cuts and cuts[0][0] == 0 else [(0, False), *cuts]


def _mark_cuts(mark: Mark, token: Token, before: int) -> bool:
    """Tell whether an amount after food words begins another atom."""
    if mark.numbered or mark.number.explicit:
        return mark.numbered or before in (CONTENT, FILLER)
    return before in (CONTENT, FILLER) and token.text in ("a", "an", "another")
