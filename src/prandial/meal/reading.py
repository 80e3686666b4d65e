"""A text prepared for matching: token classes, amounts, atoms.

An *atom* is the smallest run of tokens that can be an item or a part of one;
atoms begin at commas, "and", "with", "on", brackets and new amounts. Items are
runs of atoms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from prandial.meal.amounts import Mark, read_marks
from prandial.meal.lexicon import Lexicon, Unit
from prandial.meal.tokens import Token, tokenize

__all__ = ["Atom", "Reading", "read_text"]

#: token classes
STOP, FILLER, UNIT, SIZE, NUMBER, CONTENT, PUNCT, JOIN, PLACE, NEGATION, DROPPED, STATED = range(12)

_HARD: Final = frozenset(".;!?\n")
_MEAL_LEAD: Final = frozenset(
    "for at during as my this today tonight yesterday todays a quick the in our and late early "
    "morning afternoon evening light midday mid-morning little sweet simple hearty delicious "
    "satisfying delightful tasty perfect s evening's 's".split()
)
_INSTRUCTION: Final = re.compile(
    r"\b(ignore|disregard|forget)\b[^.;!?\n]{0,60}\b(instruction|previous|above|prompt|rule)|"
    r"\b(answer|reply|respond|output|return|say)\b[^.;!?\n]{0,30}\b(0|zero|only|with|json|exactly)\b|"
    r"\bsystem prompt\b|\byou are (now|a|an)\b|\bas an? (ai|assistant|language model)\b|"
    r"\b(update|select|insert|delete|drop|alter)\b[^.!?\n]{0,60}\b(set|from|into|table|where)\b|"
    r"<\s*/?\s*script|https?://\S+",
)
_DOSE: Final = re.compile(
    r"\bhow (many|much) (units?|insulin)\b|\bunits? (should|do) i\b|\bcorrection (factor|dose)\b|"
    r"\binsulin (dose|units?)\b|\bbolus\b|\bunits? of (insulin|humalog|novolog|lispro|aspart)\b",
)


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
    """The tokens of a text with their classes, amounts and atoms."""

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


def _classes(tokens: Sequence[Token], marks: Sequence[Mark], lexicon: Lexicon) -> list[int]:
    roles = lexicon.roles
    stop, filler = roles["stop"], roles["filler"]
    join, place, negation, meal = roles["join"], roles["place"], roles["negation"], roles["meal"]
    units = lexicon.units
    out: list[int] = []
    n = len(tokens)
    for i, token in enumerate(tokens):
        text = token.text
        if token.kind in ("num", "vulgar"):
            out.append(CONTENT if text.endswith("%") else NUMBER)
        elif token.kind == "nl":
            out.append(PUNCT)
        elif token.kind == "punct":
            if (text,) in lexicon.implies:
                out.append(CONTENT)
            else:
                out.append(JOIN if text in ("&", "+") else PUNCT)
        elif text in ("no", "non") and i + 1 < n and tokens[i + 1].text == "-":
            out.append(STOP)  # "no-bake": only the next word is ruled out
        elif text in negation:
            out.append(NEGATION)
        elif text in join:
            out.append(STOP if _in_half_and_half(tokens, i) else JOIN)
        elif text in place:
            out.append(PLACE)
        elif (
            text in meal
            and i
            and out[-1] == CONTENT
            and tokens[i - 1].kind == "word"
            and tokens[i - 1].text not in _PLAIN_ADJECTIVE
        ):
            out.append(CONTENT)  # "fruit snacks", "chicken dinner"
        elif text in meal and _is_meal_word(tokens, i, n):
            out.append(DROPPED)
        elif text in stop or ("'" in text and text.replace("'", "") in stop):
            out.append(STOP)
        else:
            unit = units.get(text)
            if unit is not None and unit.kind == "size":
                crust = i + 1 < n and tokens[i + 1].stem == "crust"
                out.append(CONTENT if crust else SIZE)
            elif text in filler or token.stem in filler:
                out.append(FILLER)
            else:
                out.append(CONTENT)
    _drop_occasions(tokens, out, meal)
    _soften_adjectives(tokens, out, marks)
    for mark in marks:
        end = mark.end
        for k in range(mark.start, end):
            if out[k] in (CONTENT, FILLER, STOP, PLACE, JOIN, SIZE) or tokens[k].kind == "punct":
                out[k] = UNIT if tokens[k].kind == "word" and out[k] == CONTENT else NUMBER
        if (
            mark.unit is not None
            and not mark.numbered
            and not mark.of
            and mark.unit.kind != "household"
            and mark.start > 0
            and mark.end == mark.start + 1
            and out[mark.start - 1] in (CONTENT,)
        ):
            out[mark.start] = CONTENT  # "peanut butter cup": the unit word names the food
    return out


_PLAIN_ADJECTIVE: Final = frozenset("light small little late early mid big main typical".split())


def _in_half_and_half(tokens: Sequence[Token], i: int) -> bool:
    return 0 < i < len(tokens) - 1 and tokens[i - 1].text == "half" and tokens[i + 1].text == "half"


def _soften_adjectives(tokens: Sequence[Token], out: list[int], marks: Sequence[Mark]) -> None:
    """In "a crisp 200 g apple" the words before the amount only decorate."""
    for first, second in zip(marks, marks[1:], strict=False):
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
                or (previous.text in ("with", "and", "has"))
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
        if name.startswith("energy") and mark.unit is None and ends:
            found.append((mark.start, at, name, mark.number.mid))
        elif name in ("carb_g", "protein_g") and mass and ends:
            found.append((mark.start, at, name, mark.number.mid))
    return found


def read_text(text: str, lexicon: Lexicon, *, locale: str) -> Reading:
    """Prepare a text for matching.

    Parameters
    ----------
    text : str
    lexicon : Lexicon
    locale : str

    Returns
    -------
    Reading
    """
    tokens = tokenize(text)
    marks = read_marks(tokens, lexicon, locale=locale)
    marks = _slovak_teaspoons(text, tokens, marks, lexicon)
    stated = _stated_nutrients(tokens, marks)
    classes = _classes(tokens, marks, lexicon)
    if stated:
        gone = [(s, e) for s, e, _, _ in stated]
        marks = [m for m in marks if not any(s <= m.start < e for s, e in gone)]
        for s, e in gone:
            for k in range(s, e):
                classes[k] = STATED
    low = text.lower()
    instruction = (
        tuple(m.span() for m in _INSTRUCTION.finditer(low)) if len(low) == len(text) else ()
    )
    spans = tuple(dict.fromkeys(_sentence(low, s) for s, _ in instruction))
    doses = tuple(m.start() for m in _DOSE.finditer(low)) if len(low) == len(text) else ()
    for start, end in (*spans, *(_sentence(low, s) for s in doses)):
        for k, token in enumerate(tokens):
            if start <= token.start < end:
                classes[k] = DROPPED
        marks = [m for m in marks if not start <= tokens[m.start].start < end]
    atoms = _atoms(tokens, classes, marks)
    return Reading(text, tokens, classes, marks, atoms, [], spans, bool(doses), stated, locale)


def _slovak_teaspoons(
    text: str, tokens: Sequence[Token], marks: list[Mark], lexicon: Lexicon
) -> list[Mark]:
    """Read "ML" beside a Slovak food word as a teaspoon (mala lyzicka), and say so."""
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


def _sentence(text: str, at: int) -> tuple[int, int]:
    start = max((text.rfind(c, 0, at) for c in ".;!?\n"), default=-1) + 1
    ends = [e for e in (text.find(c, at) for c in ".!?\n") if e >= 0]
    end = min(ends) + 1 if ends else len(text)
    return start, end


def _measured_brackets(tokens: Sequence[Token], marks: Sequence[Mark]) -> set[int]:
    """Positions of the round brackets that hold an amount."""
    found: set[int] = set()
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
    n = len(tokens)
    mark_at = {m.start: m for m in marks}
    brackets = _measured_brackets(tokens, marks)
    inside = {k for m in marks for k in range(m.start + 1, m.end)}
    cuts: list[tuple[int, bool]] = []
    hard = False
    content_seen = False
    for i in range(n):
        if i in inside:
            continue
        text = tokens[i].text
        cls = classes[i]
        cut = False
        if cls == PUNCT and (text in _HARD or tokens[i].kind == "nl"):
            hard = True
            cut = True
        elif cls == PUNCT and text == ",":
            cut = True
        elif cls == PUNCT and text in "()":
            cut = i in brackets
        elif cls in (JOIN, PLACE, NEGATION):
            cut = content_seen
        elif i in mark_at and content_seen:
            mark = mark_at[i]
            cut = mark.numbered or classes[i - 1] in (CONTENT, FILLER)
            if cut and not mark.numbered and not mark.number.explicit:
                cut = tokens[i].text in ("a", "an", "another")
        if cut:
            cuts.append((i, hard))
            content_seen = False
            hard = False
        if cls in (CONTENT, UNIT, NUMBER, SIZE):
            content_seen = True
    starts = [(0, False)] if not cuts or cuts[0][0] > 0 else []
    starts += cuts
    atoms: list[Atom] = []
    depth = 0
    m = 0
    carry_hard = False
    carry_start: int | None = None
    for index, (start, is_hard) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else n
        for k in range(start, end):
            if k in brackets and tokens[k].text == "(":
                depth += 1
                break
        own: list[Mark] = []
        while m < len(marks) and marks[m].start < end:
            own.append(marks[m])
            m += 1
        content = sum(1 for k in range(start, end) if classes[k] == CONTENT)
        negated = any(classes[k] == NEGATION for k in range(start, end))
        has_any = content or own or any(classes[k] in (SIZE, STATED) for k in range(start, end))
        if not has_any and not depth:
            # words without food or amount join the next atom's lead
            carry_hard = carry_hard or is_hard
            if carry_start is None:
                carry_start = start
            continue
        atoms.append(
            Atom(
                start if carry_start is None else carry_start,
                end,
                is_hard or carry_hard,
                tuple(own),
                content,
                negated,
                depth > 0,
            )
        )
        carry_start = None
        carry_hard = False
        for k in range(start, end):
            if k in brackets and tokens[k].text == ")":
                depth = max(depth - 1, 0)
    return atoms
