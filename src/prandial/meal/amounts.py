"""Amounts in a text: numbers with units, counts, sizes and packages.

All marks of a text are read once, before it is cut into items; a span of text
then combines the marks inside it into one :class:`Amount`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prandial.meal.lexicon import Lexicon, Unit
from prandial.meal.numbers import Number, read_number
from prandial.meal.tokens import Token
from prandial.units import MASS_G, VOLUME_ML

__all__ = ["Amount", "Mark", "combine", "read_marks"]


@dataclass(frozen=True, slots=True)
class Mark:
    """An amount at tokens ``[start, end)``: a number, a unit, or both.

    ``bracketed`` marks stand inside round brackets; ``of`` tells that the word
    "of" follows, so that the unit measures what comes after it.
    """

    start: int
    end: int
    number: Number
    unit: Unit | None
    bracketed: bool
    numbered: bool
    of: bool = False


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


_ONE = Number(1, 1, 1, 0, explicit=False)
_AFTER_NUMBER_ONLY = frozenset(("g", "l", "c", "t", "m", "el", "tl", "gr", "pt", "gal", "dose"))
_FRESH_UNITS = {"c": Unit("cup", "volume", "en"), "t": Unit("tsp", "volume", "en")}
_FL_OZ = Unit("fl oz", "volume", "en")


def _unit_at(
    tokens: Sequence[Token], i: int, lexicon: Lexicon, *, after_number: bool
) -> tuple[Unit, int] | None:
    n = len(tokens)
    if i >= n:
        return None
    token = tokens[i]
    text = token.text
    if token.kind == "punct" and text == '"' and after_number:
        return Unit("inch", "length", "en"), i + 1
    if token.kind != "word":
        return None
    if text in ("fl", "fluid") and i + 1 < n:
        j = i + 1
        if tokens[j].text == "." and j + 1 < n:
            j += 1
        if tokens[j].stem in ("oz", "ounce"):
            return _FL_OZ, j + 1
    if text in ("cuillere", "cuilleres", "cuiller") and i + 2 < n and tokens[i + 1].text == "a":
        if tokens[i + 2].text in ("soupe", "table"):
            return Unit("tbsp", "volume", "fr"), i + 3
        if tokens[i + 2].text in ("cafe", "the"):
            return Unit("tsp", "volume", "fr"), i + 3
    if not after_number and text in _AFTER_NUMBER_ONLY:
        return None
    if after_number and text in _FRESH_UNITS:
        return _FRESH_UNITS[text], i + 1
    unit = lexicon.units.get(text) or lexicon.units.get(token.stem)
    if unit is None:
        return None
    end = i + 1
    if end < n and tokens[end].text == "." and len(text) <= 4 and unit.kind != "size":
        end += 1
    return unit, end


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
        if number is not None:
            j = number.end
            if j < n and tokens[j].text == "%":
                i = j + 1
                continue
            if number.explicit and j < n and tokens[j].text == "x" and j + 1 < n:
                inner = read_number(tokens, j + 1, locale=locale)
                if inner is not None and inner.explicit:
                    marks.append(Mark(i, j + 1, number, None, depth > 0, True))
                    i = j + 1
                    continue
            k = j
            if k < n and tokens[k].text in ("-", "of") and number.explicit:
                k += 1
                if k < n and tokens[k].text in ("a", "an"):
                    k += 1
            found = _unit_at(tokens, k, lexicon, after_number=number.explicit)
            if found is None and k != j:
                k = j
                found = _unit_at(tokens, j, lexicon, after_number=number.explicit)
            if found is not None and found[0].kind != "size":
                unit, end = found
                of = end < n and tokens[end].text in ("of", "de", "di", "d'", "du")
                marks.append(Mark(i, end, number, unit, depth > 0, number.explicit, of))
                i = end
                continue
            marks.append(Mark(i, j, number, None, depth > 0, number.explicit))
            i = max(j, i + 1)
            continue
        found = _unit_at(tokens, i, lexicon, after_number=False)
        if found is not None and found[0].kind in ("measure", "container", "household", "volume"):
            unit, end = found
            of = end < n and tokens[end].text in ("of", "de", "di")
            if unit.language == "en" or of:
                marks.append(Mark(i, end, _ONE, unit, depth > 0, False, of))
            i = end
            continue
        i += 1
    return marks


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
    count: Number | None = None
    counted = False
    container = False
    words: list[str] = []
    extra: list[str] = []
    measured: list[str] = []
    notes: list[str] = []
    size: Mark | None = None
    volume: Mark | None = None
    said = False
    leading = marks[0] if marks else None
    for mark in marks:
        if mark.number.note:
            notes.append(mark.number.note)
        unit = mark.unit
        if unit is not None and unit.kind == "mass":
            if size is None:
                size = mark
            extra.append(number_text(mark.number.mid))
            extra.append(unit.name)
            said = True
            continue
        if unit is not None and unit.kind == "volume" and mark.numbered:
            if volume is None:
                volume = mark
            extra.append(number_text(mark.number.mid))
            measured.extend(unit.name.split())
            said = True
            continue
        if unit is not None and unit.kind == "length":
            words.append(number_text(mark.number.mid))
            words.append(unit.name)
            continue
        if unit is not None:
            words.extend(unit.name.split())
            said = said or mark.number.explicit or unit.kind != "volume"
            if unit.kind == "volume" and volume is None:
                volume = mark
            elif unit.kind in ("container", "measure"):
                container = container or unit.kind == "container" or unit.name == "block"
            if mark.numbered and count is None and not mark.bracketed:
                count, counted = mark.number, True
            elif mark.numbered:
                words.append(number_text(mark.number.mid))
            continue
        if mark.numbered:
            said = True
            article = leading is not mark and leading is not None and not leading.numbered
            if count is None and not mark.bracketed and size is None and not article:
                count, counted = mark.number, True
            else:
                words.append(number_text(mark.number.mid))
    (extra if container else words).extend(measured)
    amount = Amount(
        count or _ONE, counted, words=tuple(words), extra=tuple(extra), notes=notes, said=said
    )
    for mark in marks:
        if mark.unit is not None and mark.unit.kind == "household":
            amount.household = (mark.unit.name, household_ml[mark.unit.name])
    amount.singular = bool(marks) and not words and amount.count.mid == 1
    chosen = size or volume
    if chosen is not None and chosen.unit is not None:
        amount.said = True
        times = _ONE
        after = count is not None and any(
            m.number is count and m.start < chosen.start for m in marks
        )
        if after and (container or not chosen.bracketed):
            times = count if count is not None else _ONE
            amount.package = True
        elif after and chosen.bracketed:
            amount.notes.append("bracketed amount taken as the whole")
        if chosen is size:
            amount.mass_g = _times(times, chosen.number, MASS_G[chosen.unit.name])
        else:
            amount.volume_ml = _times(times, chosen.number, VOLUME_ML[chosen.unit.name])
            amount.volume_unit = chosen.unit.name
        if not amount.package and not after:
            amount.package = container
    return amount
