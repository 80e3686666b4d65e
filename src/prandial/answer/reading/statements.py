"""The total in a reply's sentences: after ``Output:``, beside ``total``, in a conclusion.

A number of the working is no total. What counts, in this order:

1. an amount right after a word that announces the answer (``Answer: 45 g``), or in a
   LaTeX box;
2. the amount of a sentence that says ``total``;
3. the amount of the nutrient in a sentence that concludes and speaks of the meal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from prandial.answer.reading import words
from prandial.answer.reading.amounts import Amount, amounts_in, first_amount
from prandial.answer.reading.found import Found

__all__ = ["announced", "concluded", "sole", "totalled", "whole"]

_SENTENCE: Final = re.compile(r"[^\n]*?(?:[.!?;](?=\s)|\n|\Z)")
_BOXED: Final = re.compile(r"\\boxed\s*\{([^{}]*)\}")
_TAGGED: Final = re.compile(r"<(answer|output|result)>([^<>]*)</\1>", re.IGNORECASE)
_AFTER: Final = re.compile(r"\s*\(?(?:est\.|estimate)?\)?\s*(?:\Z|[.,;!?})\]\n|(]|–|-\s)")
#: of a sentence that says total more often, the last are looked at
_MOST_TOTALS: Final = 8
#: longer ones are read at their end
_LONGEST_SENTENCE: Final = 2_000
_EDGES: Final = "\"'{}[]()<>*_.,;:!?|# \n"


@lru_cache(maxsize=1)
def _announcing() -> re.Pattern[str]:
    """Return the pattern of an answer word, perhaps ``is`` or a colon, perhaps ``about``."""
    answer = words.source(words.words("answer"))
    leads = words.source(words.words("is", "about", "total"))
    nutrients = words.source(words.words(*words.NUTRIENT_KINDS))
    return re.compile(
        rf"{answer}(?=[^\n]{{0,60}}[:=]|\s+{words.source(words.words('is'))})"
        rf"(?:\s|[:=~]|{leads}|{nutrients})*",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _linking() -> re.Pattern[str]:
    """Return the pattern of ``or`` between two answers."""
    return re.compile(rf"\s*{words.source(words.words('link'))}\s*", re.IGNORECASE)


@lru_cache(maxsize=1)
def _said() -> re.Pattern[str]:
    """Return the pattern of what links a name and its amount: a sign or ``is``, ``about``."""
    lead, about = words.source(words.words("is")), words.source(words.words("about"))
    return re.compile(rf"(?:[=:|~]|{lead})\s*(?:{about}|[=:|~\s])*\Z", re.IGNORECASE)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    for match in _SENTENCE.finditer(text):
        if match[0].strip():
            start = max(match.start(), match.end() - _LONGEST_SENTENCE)
            yield start, text[start : match.end()]


def _why(rule: str, amount: Amount) -> str:
    how = f", {amount.how}" if amount.how else ""
    return rule + how + (f", from {amount.unit}" if amount.unit not in ("", "g", "kcal") else "")


def announced(text: str, nutrient: str, *, decimal_commas: bool) -> tuple[Found, ...]:
    """Return amounts, and words for none, right after what announces an answer."""
    found = []
    for pattern, group in ((_BOXED, 1), (_TAGGED, 2)):
        for match in pattern.finditer(text):
            inner = whole(match[group], nutrient, decimal_commas=decimal_commas)
            if inner is not None:
                why = "box" if group == 1 else "tag"
                found.append(
                    Found(value=inner.value, start=match.start(), end=match.end(), why=why)
                )
    for match in _announcing().finditer(text):
        rest = text[match.end() :].split("\n", 1)[0]
        unknown = words.pattern("unknown").match(rest)
        if unknown is not None:
            end = match.end() + unknown.end()
            found.append(Found(value=None, start=match.start(), end=end, why="answer unknown"))
            continue
        amount = first_amount(rest, decimal_commas=decimal_commas)
        if amount is None or not amount.usable or amount.nutrient not in ("", nutrient):
            continue
        value = amount.of(nutrient)
        tail = rest[amount.end :]
        if value is None or not (amount.unit or amount.nutrient or _AFTER.match(tail)):
            continue
        end = match.end() + amount.end
        found.append(Found(value=value, start=match.start(), end=end, why=_why("answer", amount)))
        link = _linking().match(tail)
        other = first_amount(tail[link.end() :], decimal_commas=decimal_commas) if link else None
        if link and other is not None and (rival := other.of(nutrient)) is not None:
            at = end + link.end()
            why = _why("answer", other)
            found.append(Found(value=rival, start=at, end=at + other.end, why=why))
    return tuple(sorted(found, key=lambda f: f.start))


def totalled(text: str, nutrient: str, *, decimal_commas: bool) -> tuple[Found, ...]:
    """Return the amounts of sentences that say ``total``."""
    found = []
    for start, sentence in _sentences(text):
        marks = [m.start() for m in words.pattern("total").finditer(sentence)][-_MOST_TOTALS:]
        if not marks:
            continue
        clauses = [
            _Clause(sentence, a, b, decimal_commas)
            for a, b in zip(marks, [*marks[1:], len(sentence)], strict=True)
        ]
        ours = [c for c in clauses if nutrient in c.names] or [
            c
            for c in clauses
            if not c.names and _Clause(sentence, 0, c.start, decimal_commas).last in ("", nutrient)
        ]
        chosen = [f for c in ours if (f := c.total(nutrient)) is not None]
        if ours and not any(c.firm for c in ours):
            before = _Clause(sentence, 0, marks[0], decimal_commas)
            one = before.total(nutrient)
            if one is not None and one.value is not None and (before.firm or not chosen):
                chosen = [one]
        found += [
            Found(value=f.value, start=start + f.start, end=start + f.end, why=f.why)
            for f in chosen
        ]
    return tuple(found)


def concluded(text: str, nutrient: str, *, decimal_commas: bool) -> tuple[Found, ...]:
    """Return the amounts of the nutrient in sentences that conclude and name the meal."""
    found = []
    for start, sentence in _sentences(text):
        opening = sentence.lstrip(" -*#>,")
        if not words.pattern("conclusion").match(opening):
            continue
        if not words.pattern("meal").search(sentence):
            continue
        clause = _Clause(sentence, 0, len(sentence), decimal_commas)
        one = clause.total(nutrient) if nutrient in clause.names else None
        if one is not None:
            why = one.why.replace("total", "conclusion on the meal")
            found.append(
                Found(value=one.value, start=start + one.start, end=start + one.end, why=why)
            )
    return tuple(found)


def whole(text: str, nutrient: str, *, decimal_commas: bool) -> Found | None:
    """Return the amount that is all there is in a text, or the word for none."""
    inner = text.strip(_EDGES + "=")
    if words.pattern("unknown").fullmatch(inner):
        return Found(value=None, start=0, end=len(text), why="unknown")
    negative = text.strip().lstrip(_EDGES.replace("-", "")).startswith("-")
    inner = text.strip("\"'{}[]<>*_,;:!?|# \n=").rstrip(".")
    about = words.pattern("about", "is").match(inner)
    inner = inner[about.end() :].lstrip(" ~:=") if about else inner.lstrip("~ ")
    amount = first_amount(inner, decimal_commas=decimal_commas)
    if amount is None or not amount.usable or inner[amount.end :].strip(_EDGES):
        return None
    value = amount.of(nutrient)
    if value is None or amount.nutrient not in ("", nutrient):
        return None
    value = -value if negative and value > 0 and not inner.startswith("-") else value
    return Found(value=value, start=0, end=len(text), why=_why("only an amount", amount))


def sole(text: str, nutrient: str, *, decimal_commas: bool) -> Found | None:
    """Return the one amount of the nutrient that a short reply names."""
    clause = _Clause(text, 0, len(text), decimal_commas)
    one = clause.total(nutrient) if nutrient in clause.names else None
    if one is None or one.value is None or len(clause.fitting(nutrient)) > 1:
        return None
    return Found(value=one.value, start=one.start, end=one.end, why="only amount named")


class _Clause:
    """A piece of a sentence: which nutrients it names, and which amount is its total."""

    def __init__(self, text: str, start: int, end: int, decimal_commas: bool) -> None:
        self.text, self.start = text[start:end], start
        self.amounts = amounts_in(self.text, decimal_commas=decimal_commas)
        self.places = sorted(
            (m.end(), kind)
            for kind in (*words.NUTRIENT_KINDS, "other")
            for m in words.pattern(kind).finditer(self.text)
        )
        self.names = {kind for _, kind in self.places}
        if any(a.unit in ("kcal", "kJ") for a in self.amounts):
            self.names.add("energy_kcal")
        self.last = self.places[-1][1] if self.places else ""
        #: whether a unit, a nutrient or a sign stood beside the total
        self.firm = False

    def total(self, nutrient: str) -> Found | None:
        """Return the amount meant; None where none or several could be."""
        fits = self.fitting(nutrient)
        for kind in (self._beside(fits, nutrient), self._after_sign(fits), self._weighed(fits)):
            if kind:
                self.firm = True
                return self._one(kind, nutrient)
        if fits:
            return self._one(fits, nutrient)
        unknown = _said_unknown().search(self.text)
        if unknown is not None:
            self.firm = True
            return Found(value=None, start=self.start, end=self.start + unknown.end(), why="total")
        return None

    def fitting(self, nutrient: str) -> list[Amount]:
        """Return the amounts that could be of the nutrient."""
        fits = [a for a in self.amounts if a.usable and a.of(nutrient) is not None]
        return [a for a in fits if self._named(a) in ("", nutrient)]

    def _named(self, amount: Amount) -> str:
        """Return the nutrient after the amount, else the last one named before it."""
        if amount.nutrient:
            return amount.nutrient
        if amount.unit in ("kcal", "kJ"):
            return "energy_kcal"
        before = [kind for place, kind in self.places if place <= amount.start]
        return before[-1] if before else ""

    @staticmethod
    def _beside(fits: list[Amount], nutrient: str) -> list[Amount]:
        return [a for a in fits if a.nutrient == nutrient]

    def _after_sign(self, fits: list[Amount]) -> list[Amount]:
        """Return the last amount after an equals sign, a colon or ``is``."""
        return [a for a in fits if "equation" in a.how or _said().search(self.text[: a.start])][-1:]

    def _weighed(self, fits: list[Amount]) -> list[Amount]:
        of = words.source(words.words("of"))
        return [
            a
            for a in fits
            if a.unit and not re.match(rf"[ ]*{of}\s", self.text[a.end :], re.IGNORECASE)
        ]

    def _one(self, amounts: list[Amount], nutrient: str) -> Found | None:
        if len({a.of(nutrient) for a in amounts}) != 1:
            return None
        amount = amounts[-1]
        if any(a.piece for a in self.amounts) and "equation" not in amount.how:
            return None
        return Found(
            value=amount.of(nutrient), start=self.start + amount.start,
            end=self.start + amount.end, why=_why("total", amount),
        )  # fmt: skip


@lru_cache(maxsize=1)
def _said_unknown() -> re.Pattern[str]:
    lead = words.source(words.words("is"))
    unknown = words.source(words.words("unknown"))
    return re.compile(rf"(?:[=:]|{lead})\s*{unknown}", re.IGNORECASE)
