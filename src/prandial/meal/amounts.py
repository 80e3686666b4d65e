"""Amounts in a text: numbers with units, counts, sizes and packages.

All marks of a text are read once, before it is cut into items; a span of text
then combines the marks inside it into one :class:`Amount`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from prandial.meal.lexicon import Lexicon, Unit
from prandial.meal.numbers import Number, read_number
from prandial.meal.tokens import Token
from prandial.units import MASS_G, VOLUME_ML

__all__ = ["Amount", "Mark", "combine", "read_marks"]


@dataclass(frozen=True, slots=True)
class Mark:
    """An amount at tokens ``[start, end)``: a number, a unit, or both.

    ``bracketed`` marks stand inside round brackets; ``of`` tells that the word
    "of" follows, so that the unit measures what comes after it; ``whole`` that it
    is the weight of all ("two slices weighing 56 g").
    """

    start: int
    end: int
    number: Number
    unit: Unit | None
    bracketed: bool
    numbered: bool
    of: bool = False
    whole: bool = False


@dataclass(slots=True)
class Amount:
    """What the marks of one span come to.

    Attributes
    ----------
    count : Number
        How many of the measure.
    counted : bool
        True when a number (not an article) was said.
    mass_g, volume_ml : tuple of (low, mid, high) or None
        Stated mass or volume in all.
    package : bool
        True when ``mass_g`` or ``volume_ml`` is a count times a package size.
    words : tuple of str
        Unit and size words that a measure's name should hold.
    extra : tuple of str
        Numbers and units of stated sizes, which a measure's name may hold.
    household : tuple of (name, millilitres) or None
        A household amount such as a pinch.
    stated : Number or None
        Number of ``stated_unit`` (a mass or volume unit) in all.
    notes : list of str
    """

    count: Number
    counted: bool = False
    mass_g: tuple[float, float, float] | None = None
    volume_ml: tuple[float, float, float] | None = None
    volume_unit: str = ""
    package: bool = False
    words: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    said: bool = False
    singular: bool = False
    household: tuple[str, tuple[float, float, float]] | None = None
    stated: Number | None = None
    stated_unit: str = ""


_ONE = Number(1, 1, 1, 0, explicit=False)
_AFTER_NUMBER_ONLY = frozenset(("g", "l", "c", "t", "m", "el", "tl", "gr", "pt", "gal", "dose"))
_FRESH_UNITS = {"c": Unit("cup", "volume", "en"), "t": Unit("tsp", "volume", "en")}
_FL_OZ = Unit("fl oz", "volume", "en")
_LONG = frozenset(("fl", "fluid"))
_INCH = Unit("inch", "length", "en")
_FRENCH_SPOONS = {
    "soupe": Unit("tbsp", "volume", "fr"),
    "table": Unit("tbsp", "volume", "fr"),
    "cafe": Unit("tsp", "volume", "fr"),
    "the": Unit("tsp", "volume", "fr"),
}


def _unit_at(
    tokens: Sequence[Token], i: int, lexicon: Lexicon, *, after_number: bool
) -> tuple[Unit, int] | None:
    if i >= len(tokens):
        return None
    text = tokens[i].text
    if text == '"' and after_number:
        return _INCH, i + 1
    if tokens[i].kind != "word":
        return None
    long = _long_unit(tokens, i)
    if long is not None:
        return long
    if not after_number and text in _AFTER_NUMBER_ONLY:
        return None
    if after_number and text in _FRESH_UNITS:
        dot = i + 2 < len(tokens) and tokens[i + 1].text == "." and tokens[i + 2].kind == "word"
        return _FRESH_UNITS[text], i + 2 if dot else i + 1
    unit = lexicon.units.get(text) or lexicon.units.get(tokens[i].stem)
    if unit is None:
        return None
    end = i + 1
    if end < len(tokens) and tokens[end].text == "." and len(text) <= 4 and unit.kind != "size":
        end += 1
    return unit, end


def _long_unit(tokens: Sequence[Token], i: int) -> tuple[Unit, int] | None:
    """Read "fluid ounce" and the French spoons."""
    n = len(tokens)
    if tokens[i].text in _LONG and i + 1 < n:
        j = i + 2 if tokens[i + 1].text == "." and i + 2 < n else i + 1
        if tokens[j].stem in ("oz", "ounce"):
            return _FL_OZ, j + 1
    if tokens[i].text.startswith("cuiller") and i + 2 < n and tokens[i + 1].text == "a":
        spoon = _FRENCH_SPOONS.get(tokens[i + 2].text)
        if spoon is not None:
            return spoon, i + 3
    return None


def read_marks(tokens: Sequence[Token], lexicon: Lexicon, *, locale: str) -> list[Mark]:
    """Read all amounts of a text.

    Parameters
    ----------
    tokens : sequence of Token
    lexicon : Lexicon
    locale : str
        Decides thousands and decimal marks.

    Returns
    -------
    list of Mark
        In order of place, not overlapping.
    """
    marks: list[Mark] = []
    n = len(tokens)
    i = 0
    depth = 0
    while i < n:
        text = tokens[i].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth = max(depth - 1, 0)
        number = read_number(tokens, i, locale=locale)
        if number is not None and number.end < n and tokens[number.end].text == "%":
            i = number.end + 1
            continue
        if number is not None and number.explicit and _names_calories(tokens, number.end):
            i = number.end
            continue
        mark = (
            _bare_unit(tokens, i, lexicon, bracketed=depth > 0)
            if number is None
            else _counted(tokens, i, number, lexicon, locale=locale, bracketed=depth > 0)
        )
        if mark is not None and (number is not None or _is_english(mark) or mark.of):
            if _is_whole(tokens, mark):
                mark = replace(mark, whole=True)
            marks.append(mark)
        i = i + 1 if mark is None else max(mark.end, i + 1)
    return marks


_WEIGHING: Final = frozenset(
    "weighing weighed weighs weigh totaling totalling totaled totalled totals total".split()
)
_EACH: Final = frozenset(("each", "apiece"))


def _is_whole(tokens: Sequence[Token], mark: Mark) -> bool:
    """Tell whether an amount is said to be that of all: "two slices weighing 56 g"."""
    before = tokens[max(mark.start - 3, 0) : mark.start]
    after = tokens[mark.end : mark.end + 2]
    return (
        mark.unit is not None
        and mark.unit.kind in ("mass", "volume")
        and any(t.text in _WEIGHING for t in before)
        and not any(t.text in _EACH for t in after)
    )


def _names_calories(tokens: Sequence[Token], i: int) -> bool:
    """Tell whether "90-calorie" describes the food that follows it."""
    if i < len(tokens) and tokens[i].text == "-":
        i += 1
    return (
        i + 1 < len(tokens)
        and tokens[i].stem in ("calorie", "cal")
        and tokens[i + 1].kind == "word"
    )


def _counted(
    tokens: Sequence[Token],
    i: int,
    number: Number,
    lexicon: Lexicon,
    *,
    locale: str,
    bracketed: bool,
) -> Mark:
    """Read the unit after a number, if there is one."""
    n = len(tokens)
    j = number.end
    if number.explicit and j + 1 < n and tokens[j].text == "x":
        inner = read_number(tokens, j + 1, locale=locale)
        if inner is not None and inner.explicit:
            return Mark(i, j + 1, number, None, bracketed, True)
    k = j
    if number.explicit and k < n and tokens[k].text in ("-", "of"):
        k += 2 if k + 1 < n and tokens[k + 1].text in ("a", "an") else 1
    found = _unit_at(tokens, k, lexicon, after_number=number.explicit)
    if found is None and k != j:
        found = _unit_at(tokens, j, lexicon, after_number=number.explicit)
    if found is not None and found[0].kind != "size":
        unit, end = found
        return Mark(i, end, number, unit, bracketed, number.explicit, _of(tokens, end))
    return Mark(i, j, number, None, bracketed, number.explicit)


def _bare_unit(
    tokens: Sequence[Token], i: int, lexicon: Lexicon, *, bracketed: bool
) -> Mark | None:
    """Read a unit word without a number: "pinch of salt"."""
    text, stem, kind, _, _ = tokens[i]
    units = lexicon.units
    if kind != "word" or not (
        text in units or stem in units or text in _LONG or text.startswith("cuiller")
    ):
        return None
    found = _unit_at(tokens, i, lexicon, after_number=False)
    if found is None or found[0].kind not in ("measure", "container", "household", "volume"):
        return None
    unit, end = found
    return Mark(i, end, _ONE, unit, bracketed, False, _of(tokens, end))


def _is_english(mark: Mark) -> bool:
    return mark.unit is not None and mark.unit.language == "en"


def _of(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].text in ("of", "de", "di", "d'", "du")


def number_text(value: float) -> str:
    """Return a number as it would stand in a measure's name."""
    return f"{value:.4g}"


def _times(a: Number, value: Number, factor: float) -> tuple[float, float, float]:
    return (a.low * value.low * factor, a.mid * value.mid * factor, a.high * value.high * factor)


def combine(
    marks: Sequence[Mark], household_ml: Mapping[str, tuple[float, float, float]]
) -> Amount:
    """Combine the marks of one span into an amount.

    A mass or volume in brackets after a count of containers is the size of one
    ("2 (28 oz) jars"); after a count of anything else it is the whole ("2
    bananas (240 g)"). A mass beats a volume.
    """
    sums = _Sums()
    for mark in marks:
        sums.take(mark, first=marks[0])
    amount = sums.finish(household_ml)
    amount.singular = bool(marks) and not amount.words and amount.count.mid == 1
    chosen = sums.size or sums.volume
    if chosen is not None and chosen.unit is not None:
        _measure(amount, sums, marks, chosen, chosen.unit)
    return amount


@dataclass(slots=True)
class _Sums:
    """What the marks of a span add up to, while they are read."""

    count: Number | None = None
    container: bool = False
    size: Mark | None = None
    volume: Mark | None = None
    household: str = ""
    said: bool = False
    words: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    measured: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def take(self, mark: Mark, *, first: Mark) -> None:
        """Take one mark."""
        if mark.number.note:
            self.notes.append(mark.number.note)
        unit = mark.unit
        if unit is None:
            self._number(mark, first=first)
        elif unit.kind == "mass":
            self.size = self.size or mark
            self.extra += [number_text(mark.number.mid), unit.name]
            self.said = True
        elif unit.kind == "volume" and mark.numbered:
            self.volume = self.volume or mark
            self.extra.append(number_text(mark.number.mid))
            self.measured += unit.name.split()
            self.said = True
        elif unit.kind == "length":
            self.words += [number_text(mark.number.mid), unit.name]
        else:
            self._unit(mark, unit, first=first)

    def _number(self, mark: Mark, *, first: Mark) -> None:
        if not mark.numbered:
            return
        self.said = True
        after_article = first is not mark and not first.numbered
        if self.count is None and not mark.bracketed and self.size is None and not after_article:
            self.count = mark.number
        else:
            self.words.append(number_text(mark.number.mid))

    def _unit(self, mark: Mark, unit: Unit, *, first: Mark) -> None:
        if unit.name != "unit":
            self.words += unit.name.split()
        self.said = self.said or mark.number.explicit or unit.kind != "volume"
        if unit.kind == "volume":
            self.volume = self.volume or mark
        elif unit.kind == "household":
            self.household = unit.name
        else:
            self.container = self.container or unit.kind == "container" or unit.name == "block"
        # "a serving of rolls, 6 pieces": the pieces describe the serving
        described = first is not mark and not first.numbered and first.unit is not None
        if mark.numbered and self.count is None and not mark.bracketed and not described:
            self.count = mark.number
        elif mark.numbered:
            self.words.append(number_text(mark.number.mid))

    def finish(self, household_ml: Mapping[str, tuple[float, float, float]]) -> Amount:
        """Return the amount, before stated masses and volumes."""
        (self.extra if self.container else self.words).extend(self.measured)
        amount = Amount(
            self.count or _ONE,
            self.count is not None,
            words=tuple(self.words),
            extra=tuple(self.extra),
            notes=self.notes,
            said=self.said,
        )
        if self.household:
            amount.household = (self.household, household_ml[self.household])
        return amount


def _measure(amount: Amount, sums: _Sums, marks: Sequence[Mark], chosen: Mark, unit: Unit) -> None:
    """Put a stated mass or volume into an amount, times the count of packages."""
    amount.said = True
    times = _ONE
    count = sums.count
    after = count is not None and any(m.number is count and m.start < chosen.start for m in marks)
    if chosen.whole:
        after = False
        if count is not None and count.mid != 1:
            amount.notes.append("weight taken as that of all")
    elif count is not None and after and (sums.container or not chosen.bracketed):
        times = count
        amount.package = True
    elif after:
        amount.notes.append("bracketed amount taken as the whole")
    low, mid, high = _times(times, chosen.number, 1.0)
    amount.stated = Number(low, mid, high, 0)
    amount.stated_unit = unit.name
    if chosen is sums.size:
        amount.mass_g = _times(times, chosen.number, MASS_G[unit.name])
    else:
        amount.volume_ml = _times(times, chosen.number, VOLUME_ML[unit.name])
        amount.volume_unit = unit.name
    if not amount.package and not after:
        amount.package = sums.container
