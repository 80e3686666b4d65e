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
#: how models trained on sums in words end them
_HASHED: Final = re.compile(r"^#{4}[ ]*([^\n]*)$", re.MULTILINE)
_TAGGED: Final = re.compile(r"<(answer|output|result)>([^<>]*)</\1>", re.IGNORECASE)
_AFTER: Final = re.compile(r"\s*\(?(?:est\.|estimate)?\)?\s*(?:\Z|[.,;!?})\]\n|(]|–|-\s)")
#: of a sentence that says total more often, the last are looked at
_MOST_TOTALS: Final = 8
#: characters of an answer in words
_LONGEST_ANSWER: Final = 300
#: longer ones are read at their end
_LONGEST_SENTENCE: Final = 2_000
#: what stands between two amounts of which neither is said to hold
_BESIDE: Final = re.compile(r"[\s,;/|]*")
#: a line that ends with a colon, before a line that is nothing but an amount
_HEADING: Final = re.compile(
    r"(?<=[:=])[ ]*\n\s*"
    r"(?=(?:[~=(]|\b[^\W\d_]+[ ])?[ ]*\d[\d.,]*[ ]*[^\W\d_]*[ ).]*(?:\n|\Z))"
)
_OF_WHAT: Final = re.compile(
    r"\b(?:in|from|for|of)[ ]+(?:(?:the|a|an|one|half|\d\S*)[ ]+)*([^\W\d_]+)", re.IGNORECASE
)
#: ``result`` is one of the meal where nothing else is named before it on its line
_OF_A_STEP: Final = re.compile(r"results?\b", re.IGNORECASE)
_OPENING: Final = re.compile(
    r"[\W\d]*(?:(?:so|thus|hence|therefore|the|my|our|final|overall|total|end)[\W\d]*)*",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"[ ]*from\b", re.IGNORECASE)
_LIMIT: Final = re.compile(r"[<>≤≥]=?\s*[\d.]+\s*[^\W\d_]*\W*\Z")
#: what an amount that is all there is may be called
_HEDGED: Final = re.compile(r"\([^()\d]*\)|\b(?:an?|estimated?|in|total)\b", re.IGNORECASE)
_NAMELESS: Final = re.compile(
    r"(?:it|that|this|there|estimate|the (?:value|number))\b", re.IGNORECASE
)
_EVERYTHING: Final = frozenset(
    "this that these those them it all both everything whole entire your my our day".split()
)
_EDGES: Final = "\"'{}[]()<>*_.,;:!?|# \n"


@lru_cache(maxsize=1)
def _announcing() -> re.Pattern[str]:
    """Return the pattern of an answer word, perhaps ``is`` or a colon, perhaps ``about``."""
    answer = words.source(words.words("answer"))
    leads = words.source(words.words("is", "about", "total", "between", "from"))
    nutrients = words.source(words.words(*words.NUTRIENT_KINDS))
    return re.compile(
        rf"{answer}(?=[^\n]{{0,60}}[:=]|\s+{words.source(words.words('is'))})"
        rf"(?:\s|[:=~{{\[\"']|{leads}|{nutrients})*",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _linking() -> re.Pattern[str]:
    """Return the pattern of ``or`` between two answers."""
    return re.compile(rf"\s*{words.source(words.words('link'))}\s*", re.IGNORECASE)


@lru_cache(maxsize=1)
def _part() -> re.Pattern[str]:
    """Return the pattern of what makes a nutrient a part of it, right before its name."""
    return re.compile(words.source(words.words("part")) + r"[ -]\Z", re.IGNORECASE)


@lru_cache(maxsize=1)
def _lead() -> re.Pattern[str]:
    """Return the pattern of what may stand before the amount that is all there is."""
    lead = words.source(words.words("about", "is", "between", "from"))
    return re.compile(rf"(?:{lead}|[\s~:=])*", re.IGNORECASE)


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
    for pattern, group, why in ((_BOXED, 1, "box"), (_TAGGED, 2, "tag"), (_HASHED, 1, "####")):
        for match in pattern.finditer(text):
            inner = whole(match[group], nutrient, decimal_commas=decimal_commas)
            if inner is not None:
                found.append(
                    Found(value=inner.value, start=match.start(), end=match.end(), why=why)
                )
    for match in _announcing().finditer(text):
        found += _after_word(text, match, nutrient, decimal_commas=decimal_commas)
    return tuple(sorted(found, key=lambda f: f.start))


def _after_word(
    text: str, word: re.Match[str], nutrient: str, *, decimal_commas: bool
) -> Iterator[Found]:
    """Yield the answer that an answer word announces on its line, and another after ``or``."""
    start, at = word.span()
    if _OF_A_STEP.match(word[0]) and not _OPENING.fullmatch(
        text[text.rfind("\n", 0, start) + 1 : start]
    ):
        return
    line = text[: (text + "\n").index("\n", at)]
    unknown = words.pattern("unknown").match(line, at)
    if unknown is not None:
        yield Found(value=None, start=start, end=unknown.end(), why="answer unknown")
        return
    amount = first_amount(line, at, decimal_commas=decimal_commas)
    if amount is None:
        sentence = next(_sentences(line[at : at + _LONGEST_ANSWER]), (0, ""))[1]
        if any(c.isdigit() for c in sentence) and words.pattern("meal").search(sentence):
            one = sole(sentence, nutrient, decimal_commas=decimal_commas)
            if one is not None:
                yield Found(
                    value=one.value, start=start, end=at + one.end, why="answer, a sentence"
                )
        return
    if not amount.usable or amount.nutrient not in ("", nutrient):
        return
    value = amount.of(nutrient)
    if value is None or not (amount.unit or amount.nutrient or _AFTER.match(line, amount.end)):
        return
    yield Found(value=value, start=start, end=amount.end, why=_why("answer", amount))
    link = _linking().match(line, amount.end)
    other = first_amount(line, link.end(), decimal_commas=decimal_commas) if link else None
    if link and other is not None and (rival := other.of(nutrient)) is not None:
        yield Found(value=rival, start=link.end(), end=other.end, why=_why("answer", other))


def totalled(text: str, nutrient: str, *, decimal_commas: bool) -> tuple[Found, ...]:
    """Return the amounts of sentences that say ``total``.

    Totals of single foods (``Total in the rice: 45 g``) are left out where another total is
    stated; several of nothing but single foods are no total of the meal.
    """
    found: list[Found] = []
    foods: list[str] = []
    text = _HEADING.sub(lambda m: " " * len(m[0]), text)
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
        for one in chosen:
            mark = max((m for m in marks if m <= one.start), default=one.start)
            foods.append(_food_of(sentence[mark : one.start]))
            end = start + one.end
            found.append(Found(value=one.value, start=start + one.start, end=end, why=one.why))
    if "" in foods:
        return tuple(f for f, food in zip(found, foods, strict=True) if not food)
    if len(set(foods)) > 1 and len({f.value for f in found}) > 1:
        return ()
    return tuple(found)


def _food_of(text: str) -> str:
    """Return the single food that a total is said to be of, empty for the meal."""
    for match in _OF_WHAT.finditer(text):
        word = match[1].casefold()
        kinds = ("meal", "total", "counted", *words.NUTRIENT_KINDS)
        known = words.unit_of_word(word) or words.pattern(*kinds).fullmatch(word)
        if not known and word not in _EVERYTHING:
            return " ".join(text[match.start() :].casefold().split()).rstrip(" :=|~")
    return ""


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
    if _LIMIT.match(text.strip()):
        return None
    name = _NAMELESS.match(inner)
    lead = _lead().match(inner, name.end() if name else 0)
    amount = first_amount(inner, lead.end() if lead else 0, decimal_commas=decimal_commas)
    if amount is None or not amount.usable:
        return None
    tail = _HEDGED.sub("", words.pattern("about").sub("", inner[amount.end :]))
    if tail.strip(_EDGES):
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
            (m.end(), "other" if _part().search(self.text[: m.start()][-20:]) else kind)
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
        if len(fits) > 1:  # "15 g from toast and 30 g from juice"
            fits = [a for a in fits if not _FROM.match(self.text, a.end)]
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
        fits = [a for a in fits if self._named(a) in ("", nutrient)]
        units = {a.unit for a in fits}
        return [a for a in fits if not (a.unit == "kJ" and "kcal" in units)]

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

    def _has_rival(self, amount: Amount, nutrient: str) -> bool:
        """Whether another amount stands beside it, with ``or``, a comma or a bar between."""
        value = amount.of(nutrient)
        for one in self.fitting(nutrient):
            first, second = sorted((one, amount), key=lambda a: a.start)
            between = words.pattern("link").sub("", self.text[first.end : second.start])
            if (
                one.of(nutrient) != value
                and first.end <= second.start
                and _BESIDE.fullmatch(between)
            ):
                return True
        return False

    def _one(self, amounts: list[Amount], nutrient: str) -> Found | None:
        if len({a.of(nutrient) for a in amounts}) != 1:
            return None
        amount = amounts[-1]
        if self._has_rival(amount, nutrient):
            return None
        if (
            any(a.piece and a.of(nutrient) is not None for a in self.amounts)
            and "equation" not in amount.how
        ):
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
