"""Amounts in a reply: numbers, ranges and sums, with the unit and nutrient beside them.

Rules, on purpose:

* ``40-50 g`` is its middle; ``50 - 5`` falls, and is a difference.
* ``28 + 27 + 12`` is worked out; of ``27 + 13 = 40`` the right side is what is stated.
* ``1,234`` are thousands; ``45,5`` and ``84,642`` (thousands would be past any meal) are
  decimals; three figures after a comma are decimals too where the reply writes other
  numbers with a decimal comma. ``1.234`` is a decimal unless the reply does.
* ``between 40 and 50`` is a range as well; ``45 ± 5`` is 45.
* ``27 (oats) + 13 (half a banana)`` is a sum with notes.
* ``40 / 50`` alone says nothing of a meal: a quotient counts where it is a whole shared by a
  small number, as in ``27/2``.
* ``< 5 g`` is a limit, ``30 %`` a share and ``20 g/100 g`` a density: no amounts of a meal;
  nor is a number that counts things (``3 items``), runs into letters or into another number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from prandial.answer.reading import words
from prandial.arithmetic import calculate
from prandial.units import KJ_PER_KCAL

__all__ = ["Amount", "amounts_in", "first_amount", "number_of", "writes_decimal_commas"]

#: no meal has as much, in g or kcal; a comma before three figures is then a decimal comma
_BEYOND_A_MEAL: Final = 20_000.0
_MASS: Final = {"g": 1.0, "mg": 0.001, "kg": 1000.0}
_ENERGY: Final = {"kcal": 1.0, "kJ": 1.0 / KJ_PER_KCAL}

_NUMBER: Final = re.compile(r"(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d{1,2}(?!\w))?")
_START: Final = re.compile(r"(?<![-(])[-(]*(?:\d|\.\d)")
#: a longer sum than any meal's is cut, so that no reply takes long
_LONGEST_RUN: Final = 100
_COMMA_DECIMALS: Final = re.compile(r"(?<![\d.,])\d+,(?:\d{1,2}|\d{4,})(?![.,]?\d)")
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+\Z")
_DOTTED: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+\Z")
_OPERATOR: Final = re.compile(r"\s*([-+*/]|[x](?=\s*[\d(.]))[ ]*(?=[-\d(.])")
_EQUALS: Final = re.compile(r"[ ]*(?:=>|=+|~)[ ]*(?:~[ ]*)?(?=[-\d(.])")
_PARTED: Final = re.compile(r"[+*/][ ]*\Z")
_OPEN_END: Final = re.compile(r"[ ]*(?:\+|[*/](?![\s/*]|\Z))")
_CLOSING: Final = re.compile(r"[ ]*\)")
_PER: Final = re.compile(r"[ ]*/")
#: words in brackets within a sum: ``27 (oats) + 13 (half a banana)``
_NOTE: Final = re.compile(r"[ ]*\((?=[^()\n]*[^\W\d_])[^()\n]{1,80}\)(?=[ ]*[-+*=])")
_GLUED: Final = re.compile(r"(?!x|ish\b)[A-Za-z]+(?![^\W\d_])|[ ]\d(?!\d*[.)]\s)")
_TOLERANCE: Final = re.compile(r"±[ ]*\Z")
_EACH: Final = re.compile(
    r"[ ]*per[ ]+(?:\d|(?:cup|slice|piece|tablespoon|teaspoon|tbsp|tsp|ounce|oz|gram|g|kg|ml)\b)",
    re.IGNORECASE,
)
#: a portion is a whole, shared by no more than this
_MOST_SHARES: Final = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Amount:
    """A number in a text and what stands beside it.

    Parameters
    ----------
    value : float
        As written, in ``unit``.
    unit : str
        ``g``, ``mg``, ``kg``, ``kcal``, ``kJ``, ``%`` or empty.
    nutrient : str
        House name of the nutrient named right after it, ``other`` for what is none, or empty.
    start, end : int
        Place in the text.
    how : str
        How it was read, empty for a plain number.
    usable : bool
        False for limits, shares, densities and pieces of a sum that is not whole.
    piece : bool
        Whether a sum with words in it goes on beside it.
    """

    value: float
    unit: str
    nutrient: str
    start: int
    end: int
    how: str
    usable: bool
    piece: bool = False

    def of(self, nutrient: str) -> float | None:
        """Return the value in the unit of a nutrient; None where the unit is of another kind."""
        factors = _ENERGY if nutrient == "energy_kcal" else _MASS
        if not self.unit:
            return self.value
        factor = factors.get(self.unit)
        return None if factor is None else self.value * factor


def writes_decimal_commas(text: str) -> bool:
    """Whether some number of the text can only have a decimal comma."""
    return _COMMA_DECIMALS.search(text) is not None


def number_of(written: str, *, decimal_commas: bool) -> float | None:
    """Return a number without its sign, or None for what is no number.

    Parameters
    ----------
    written : str
        Digits, points, commas, perhaps a power of ten.
    decimal_commas : bool
        Whether the text writes decimal commas elsewhere.
    """
    digits, _, power = written.lower().partition("e")
    factor = 10.0 ** int(power) if power else 1.0
    if "," in digits and "." in digits:
        last = max(digits.rfind(","), digits.rfind("."))
        whole = re.sub(r"[.,]", "", digits[:last])
        text = f"{whole}.{digits[last + 1 :]}"
        separators = set(re.findall(r"[.,]", digits[:last]))
        return float(text) * factor if digits[last] not in separators else None
    if "," in digits:
        if _GROUPED.fullmatch(digits) and not digits.startswith("0"):
            thousands = float(digits.replace(",", ""))
            several = digits.count(",") > 1
            if several or not (decimal_commas or thousands > _BEYOND_A_MEAL):
                return thousands * factor
        return float(digits.replace(",", ".")) * factor if digits.count(",") == 1 else None
    if digits.count(".") > 1 or (decimal_commas and _DOTTED.fullmatch(digits)):
        joined = digits.replace(".", "")
        if not _DOTTED.fullmatch(digits):
            return None
        several = digits.count(".") > 1
        return float(joined if several or float(joined) <= _BEYOND_A_MEAL else digits) * factor
    return float(digits) * factor


@lru_cache(maxsize=1)
def _unit() -> re.Pattern[str]:
    return re.compile(r"[ ]*(" + words.unit_source() + ")", re.IGNORECASE)


@lru_cache(maxsize=1)
def _beside() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return, by kind, the pattern of a nutrient right after an amount."""
    between = f"[ ]*(?:{words.source(words.words('of'))}[ ]*)?"
    between += f"(?:{words.source(words.words('total'))}[ ]*)?"
    return tuple(
        (kind, re.compile(between + words.source(words.words(kind)), re.IGNORECASE))
        for kind in (*words.NUTRIENT_KINDS, "other")
    )


@lru_cache(maxsize=1)
def _until() -> re.Pattern[str]:
    to = words.source(words.words("to"))
    return re.compile(rf"[ ]*(?:–|~|{to})[ ]*(?=[\d.])", re.IGNORECASE)


@lru_cache(maxsize=1)
def _between() -> re.Pattern[str]:
    about = words.source(words.words("about"))
    return re.compile(
        rf"{words.source(words.words('between'))}[ ]+(?:{about}[ ]+)?\Z", re.IGNORECASE
    )


@lru_cache(maxsize=1)
def _and() -> re.Pattern[str]:
    return re.compile(rf"[ ]*{words.source(words.words('and'))}[ ]*(?=[\d.])", re.IGNORECASE)


@lru_cache(maxsize=1)
def _counted() -> re.Pattern[str]:
    """Return the pattern of a thing, or of things of one nutrient, right after a number."""
    return re.compile(r"[ ]*" + words.source(words.words("counted")), re.IGNORECASE)


@lru_cache(maxsize=1)
def _counts() -> re.Pattern[str]:
    """Return the pattern of ``total number of items in the meal is`` right before a number."""
    things, lead = words.source(words.words("counted")), words.source(words.words("is"))
    return re.compile(
        rf"\b(?:total|number of|count of)\s+(?:[^\W\d]+\s+)?{things}(?:\s+[^\W\d]+){{0,4}}"
        rf"\s*(?:[:=|]|{lead})\s*\Z",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _limit() -> re.Pattern[str]:
    bounds = words.source(words.words("bound"))
    return re.compile(rf"(?:[<>≤≥]=?|\bper|{bounds})[ ]*\Z", re.IGNORECASE)


def amounts_in(text: str, *, decimal_commas: bool) -> tuple[Amount, ...]:
    """Return all amounts of a text in plain writing, in order."""
    found, at = [], 0
    while (start := _START.search(text, at)) is not None:
        amount, at = _Run(text, start.start(), decimal_commas).read()
        if amount is not None:
            found.append(amount)
    return tuple(found)


def first_amount(text: str, at: int = 0, *, decimal_commas: bool) -> Amount | None:
    """Return the amount a text goes on with at a place, or None."""
    if _START.match(text, at) is None:
        return None
    return _Run(text, at, decimal_commas).read()[0]


class _Run:
    """Reads one amount: numbers, signs and brackets without other words between them."""

    def __init__(self, text: str, start: int, decimal_commas: bool) -> None:
        self.text, self.start, self.at = text, start, start
        self.commas = decimal_commas
        self.side: list[str] = []
        self.equations = 0
        self.unit = self.nutrient = ""
        self.density = False
        self.between = _between().search(text[max(0, start - 40) : start]) is not None
        before = text[start - 1 : start]
        if text[start] == "-" and (before.isalnum() or before in (")", ".")):
            self.at += 1  # a dash, not a sign

    def read(self) -> tuple[Amount | None, int]:
        """Return the amount, or None, and where to go on."""
        kept = self._state()
        while len(self.side) < _LONGEST_RUN and self._operand():
            kept = self._state()
            if not self._joined():
                break
        else:
            self.side, self.at, self.unit, self.nutrient, self.equations = kept
        end = max(self.at, self.start + 1)
        value, how = self._value()
        if value is None:
            return None, end
        if self.equations:
            how = "right side of an equation" + (f", {how}" if how else "")
        before = self.text[max(0, self.start - 60) : self.start]
        piece = bool(_PARTED.search(before) or _OPEN_END.match(self.text, self.at))
        each = _EACH.match(self.text, self.at) is not None
        barred = self.density or each or self.unit == "%" or piece or self._is_no_amount()
        usable = not (barred or _limit().search(before) or _TOLERANCE.search(before))
        return (
            Amount(
                value=value, unit=self.unit, nutrient=self.nutrient, start=self.start,
                end=self.at, how=how, usable=usable, piece=piece,
            ),
            end,
        )  # fmt: skip

    def _is_no_amount(self) -> bool:
        """Whether it counts things, runs into what follows, or is the quotient of two amounts."""
        if not self.equations and set(self.side[1::2]) == {"/"} and "?" not in self.side:
            whole, shares = float(self.side[0]), float(self.side[2])
            if len(self.side) > 3 or whole < shares or shares > _MOST_SHARES:
                return True
        if self.unit:
            return False
        if _counted().match(self.text, self.at):
            return True
        if self.nutrient:
            return False
        before = self.text[max(0, self.start - 120) : self.start]
        return bool(_GLUED.match(self.text, self.at) or _counts().search(before))

    def _state(self) -> tuple[list[str], int, str, str, int]:
        return list(self.side), self.at, self.unit, self.nutrient, self.equations

    def _operand(self) -> bool:
        """Take signs, opening brackets, a number, its unit and nutrient, closing brackets."""
        while self.text[self.at : self.at + 1] in ("-", "("):
            self.side.append(self.text[self.at])
            self.at += 1
            while self.text[self.at : self.at + 1] == " ":
                self.at += 1
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            return False
        value = number_of(number[0], decimal_commas=self.commas)
        self.at = number.end()
        if value is None:
            self.side.append("?")
            return True
        self.side.append(repr(value))
        unit = _unit().match(self.text, self.at)
        if unit is not None:
            self.unit = words.unit_of_word(unit[1]) or ""
            self.at = unit.end()
            if _PER.match(self.text, self.at):
                self.density = True
        for kind, pattern in _beside():
            named = pattern.match(self.text, self.at)
            if named is not None:
                self.nutrient, self.at = kind, named.end()
                break
        self._close()
        note = _NOTE.match(self.text, self.at)
        if note is not None:
            self.at = note.end()
        return True

    def _close(self) -> None:
        """Take closing brackets that were opened, and a unit after them."""
        while closing := _CLOSING.match(self.text, self.at):
            if self.side.count("(") <= self.side.count(")"):
                break
            self.side.append(")")
            self.at = closing.end()
            late = _unit().match(self.text, self.at)
            if late is not None:
                self.unit, self.at = words.unit_of_word(late[1]) or "", late.end()

    def _joined(self) -> bool:
        """Take what joins this number to the next; False at the end."""
        until = _until().match(self.text, self.at)
        if until is None and self.between and len(self.side) == 1:
            until = _and().match(self.text, self.at)
        if until is not None and "~" not in until[0][:1]:
            self.side.append("to")
            self.at = until.end()
            return True
        equals = _EQUALS.match(self.text, self.at)
        if equals is not None:
            self.equations += "=" in equals[0]
            self.side, self.at = [], equals.end()
            self.unit = self.nutrient = ""
            return True
        operator = None if self.density else _OPERATOR.match(self.text, self.at)
        if operator is not None and "/" in operator[0] and self.nutrient:
            return False
        if operator is not None and "\n" not in operator[0]:
            self.side.append("*" if operator[1] == "x" else operator[1])
            self.at = operator.end()
            return True
        return False

    def _value(self) -> tuple[float | None, str]:
        side = _balanced(self.side)
        numbers = [s for s in side if s not in ("(", ")")]
        if len(numbers) == 3 and numbers[1] in ("to", "-") and "?" not in numbers:
            low, high = numbers[0], numbers[2]
            if high != "-" and low != "-" and float(high) > float(low):
                return (float(low) + float(high)) / 2, "middle of a range"
        value = calculate(" ".join(side))
        return value, "sum worked out" if len([n for n in numbers if n != "-"]) > 1 else ""


def _balanced(side: list[str]) -> list[str]:
    """Leave out brackets that have no other."""
    opened: list[int] = []
    drop: set[int] = set()
    for i, sign in enumerate(side):
        if sign == "(":
            opened.append(i)
        elif sign == ")":
            if opened:
                opened.pop()
            else:
                drop.add(i)
    drop.update(opened)
    return [t for i, t in enumerate(side) if i not in drop]
