"""Numbers in every spelling people use, against hand arithmetic and Python's Decimal."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from prandial.meal.numbers import read_digits, read_number
from prandial.meal.tokens import tokenize

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=300)

#: spelling -> value
EXACT: dict[str, float] = {
    "3": 3,
    "007": 7,
    "2.5": 2.5,
    ".5": 0.5,
    "0.25": 0.25,
    "1,5": 1.5,
    "1,000": 1000,
    "1,000.5": 1000.5,
    "12,345,678": 12_345_678,
    # digits of other scripts
    "١٠٠": 100,
    "١٫٥": 1.5,
    "۱۲": 12,
    "१२": 12,
    "১২": 12,
    "๑๒": 12,
    "１２": 12,
    "𝟓": 5,
    # fractions
    "1/2": 0.5,
    "3/4": 0.75,
    "2/3": 2 / 3,
    "1 1/2": 1.5,
    "1-1/2": 1.5,
    "1 and 1/2": 1.5,
    "1⁄2": 0.5,
    "1∕2": 0.5,
    "1 3⁄4": 1.75,
    "½": 0.5,
    "¼": 0.25,
    "¾": 0.75,
    "⅓": 1 / 3,
    "⅔": 2 / 3,
    "⅕": 0.2,
    "⅙": 1 / 6,
    "⅐": 1 / 7,
    "⅛": 0.125,
    "⅜": 0.375,
    "⅞": 0.875,
    "⅑": 1 / 9,
    "⅒": 0.1,
    "2½": 2.5,
    "1 ½": 1.5,
    "10¾": 10.75,
    "2 and ½": 2.5,
    "\\u00bd": 0.5,
    "\\u00bc": 0.25,
    "\\u2153": 1 / 3,
    "&frac12;": 0.5,
    "&frac34;": 0.75,
    "1 &frac12;": 1.5,
    # words
    "zero": 0,
    "one": 1,
    "seven": 7,
    "thirteen": 13,
    "twenty": 20,
    "twenty-one": 21,
    "twenty one": 21,
    "ninety-nine": 99,
    "a hundred": 100,
    "two hundred": 200,
    "one hundred and fifty": 150,
    "one half": 0.5,
    "one-half": 0.5,
    "a half": 0.5,
    "half a": 0.5,
    "half an": 0.5,
    "half of a": 0.5,
    "half of one": 0.5,
    "a quarter of a": 0.25,
    "quarter of a": 0.25,
    "one third": 1 / 3,
    "a third of a": 1 / 3,
    "two thirds": 2 / 3,
    "two-thirds of a": 2 / 3,
    "three quarters": 0.75,
    "three-fourths": 0.75,
    "three quarters of a": 0.75,
    "one eighth": 0.125,
    "one and a half": 1.5,
    "one and one half": 1.5,
    "one and one-half": 1.5,
    "two and a quarter": 2.25,
    "2 and a half": 2.5,
    "six and three-quarters": 6.75,
    # dozens and pairs
    "dozen": 12,
    "a dozen": 12,
    "half a dozen": 6,
    "half-dozen": 6,
    "a half dozen": 6,
    "2 dozen": 24,
    "two dozen": 24,
    "a pair of": 2,
}
#: spelling -> low, middle, high
RANGES: dict[str, tuple[float, float, float]] = {
    "2-3": (2, 2.5, 3),
    "2–3": (2, 2.5, 3),
    "2 — 3": (2, 2.5, 3),
    "2 to 3": (2, 2.5, 3),
    "2 or 3": (2, 2.5, 3),
    "between 2 and 3": (2, 2.5, 3),
    "one or two": (1, 1.5, 2),
    "two to three": (2, 2.5, 3),
    "½-1": (0.5, 0.75, 1),
    "1/2-1": (0.5, 0.75, 1),
    "2 1/2-3": (2.5, 2.75, 3),
    "1½–2": (1.5, 1.75, 2),
    "2-3 dozen": (24, 30, 36),
    "100-150": (100, 125, 150),
    "a couple of": (2, 2, 3),
    "a couple": (2, 2, 3),
    "a few": (2, 3, 5),
    "several": (3, 4, 6),
}
#: spelling, locale -> value, and a word its note must hold ("" when nothing is odd)
BY_LOCALE: dict[tuple[str, str], tuple[float, str]] = {
    ("1,000", "en-US"): (1000, "groups thousands"),
    ("1,000", "de-DE"): (1, "decimal"),
    ("1.000", "de-DE"): (1000, "groups thousands"),
    ("1.000", "en-US"): (1, ""),
    ("1,5", "de-DE"): (1.5, ""),
    ("1,5", "en-US"): (1.5, "decimal comma"),
    ("0,5", "en-US"): (0.5, "decimal comma"),
    ("1.234,5", "de-DE"): (1234.5, ""),
    ("1,234.5", "en-US"): (1234.5, ""),
    ("1,234,567", "en-GB"): (1_234_567, ""),
    ("1.234.567", "it-IT"): (1_234_567, ""),
    ("0,125", "en-US"): (0.125, "decimal comma"),
    ("0,125", "fr-FR"): (0.125, "decimal"),
    ("2.5", "de-DE"): (2.5, ""),
    ("1.2.3", "en-US"): (1.2, "not a plain number"),
    ("1 000", "fr-FR"): (1000, ""),
    ("1 000", "en-US"): (1000, "read as 1000"),
}


def _read(text: str, locale: str = "en-US") -> tuple[float, float, float, str, bool, str]:
    tokens = tokenize(f"{text} cups")
    number = read_number(tokens, 0, locale=locale)
    assert number is not None, [t.text for t in tokens]
    rest = " ".join(t.text for t in tokens[number.end :])
    return number.low, number.mid, number.high, rest, number.explicit, number.note


@pytest.mark.parametrize("text", EXACT)
def test_exact(text: str) -> None:
    """The whole spelling is read, and nothing of the unit behind it."""
    low, mid, high, rest, explicit, _ = _read(text)
    assert (low, mid, high) == pytest.approx((EXACT[text],) * 3)
    assert rest == "cups"
    assert explicit


@pytest.mark.parametrize("text", RANGES)
def test_range_is_kept(text: str) -> None:
    low, mid, high, rest, _, _ = _read(text)
    assert (low, mid, high) == pytest.approx(RANGES[text])
    assert rest == "cups"


@pytest.mark.parametrize(("text", "locale"), BY_LOCALE, ids=lambda v: str(v))
def test_marks_by_locale(text: str, locale: str) -> None:
    """An ambiguous mark is read by the locale, and the note says how."""
    value, word = BY_LOCALE[text, locale]
    _, mid, _, rest, _, note = _read(text, locale)
    assert mid == pytest.approx(value)
    assert rest == "cups"
    assert (word in note) if word else (note == "")


@pytest.mark.parametrize("text", ["a", "an", "another"])
def test_article_is_one_but_not_said(text: str) -> None:
    low, mid, high, rest, explicit, _ = _read(text)
    assert (low, mid, high, rest, explicit) == (1, 1, 1, "cups", False)


@pytest.mark.parametrize("text", ["cups", "5% milk", "the", "half and half", "and", "-", "fifth"])
def test_no_number_here(text: str) -> None:
    assert read_number(tokenize(text), 0) is None


def test_no_number_past_the_end() -> None:
    assert read_number(tokenize("2"), 1) is None


def test_enough_spellings() -> None:
    assert len(EXACT) + len(RANGES) + len(BY_LOCALE) >= 60


@pytest.mark.parametrize("text", ["1/0", "5/0"])
def test_nothing_is_divided_by_zero(text: str) -> None:
    low, mid, high, _, _, note = _read(text)
    assert low == mid == high == float(text[0])
    assert "is no number" in note


@LAW
@given(st.integers(0, 10**9), st.integers(0, 999), st.integers(1, 3), st.booleans())
def test_grouped_numbers_equal_decimal(whole: int, part: int, places: int, fraction: bool) -> None:
    """Grouped by commas in en-US and by points in de-DE, both equal to Decimal."""
    digits = f"{part % 10**places:0{places}d}" if fraction else ""
    truth = float(Decimal(f"{whole}.{digits}" if fraction else whole))
    english = f"{whole:,}" + (f".{digits}" if fraction else "")
    german = english.translate(str.maketrans(",.", ".,"))
    assert read_digits(english, locale="en-US")[0] == truth
    assert read_digits(german, locale="de-DE")[0] == truth


@LAW
@given(st.decimals(0, 10**6, allow_nan=False, allow_infinity=False, places=2))
def test_plain_decimals_equal_decimal(value: Decimal) -> None:
    assert read_digits(str(value), locale="en-US") == (float(value), "")
    assert read_digits(str(value).replace(".", ","), locale="de-DE")[0] == float(value)


#: forms whose marks can be read in one way only, by locale
PLAIN = {
    "en-US": re.compile(r"\d+(\.\d+)?|\d{1,3}(,\d{3}){2,}(\.\d+)?|\d{1,3}(,\d{3})+\.\d+"),
    "de-DE": re.compile(r"\d+([.,]\d+)?|\d{1,3}(\.\d{3}){2,}(,\d+)?|\d{1,3}(\.\d{3})+,\d+"),
}


@LAW
@given(st.from_regex(r"\A[0-9]{1,12}([.,][0-9]{1,6}){0,4}\Z"), st.sampled_from(["en-US", "de-DE"]))
@example("1,234.5", "de-DE")
@example("1.234,5", "en-US")
def test_odd_marks_are_said(piece: str, locale: str) -> None:
    """Any digits give a finite value; marks in no known order come with a note."""
    value, note = read_digits(piece, locale=locale)
    assert 0 <= value < 10**31
    assert note or PLAIN[locale].fullmatch(piece), value


@LAW
@given(st.integers(1, 99), st.integers(1, 15), st.integers(2, 16))
def test_mixed_fractions_by_arithmetic(whole: int, top: int, bottom: int) -> None:
    top = top % bottom or 1
    expected = whole + top / bottom
    for text in (f"{whole} {top}/{bottom}", f"{whole}-{top}/{bottom}", f"{whole} {top}⁄{bottom}"):
        low, mid, high, rest, _, _ = _read(text)
        assert low == mid == high == pytest.approx(expected), text
        assert rest == "cups"


@LAW
@given(st.integers(1, 10**6), st.sampled_from([0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10, 0x1D7CE]))
def test_any_script(value: int, zero: int) -> None:
    text = "".join(chr(zero + int(d)) for d in str(value))
    assert _read(text)[1] == value
