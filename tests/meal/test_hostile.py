"""Text that no one meant as a meal: always an answer, a named status, and JSON.

The bound of ten seconds a text only catches work that grows without end; it is
no measure of speed.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.meal import LOCALES, MAX_TEXT_CHARS, Estimator
from prandial.records import Estimate

FULL = os.environ.get("PRANDIAL_FULL") == "1"
FUZZ = settings(
    deadline=None, derandomize=not FULL, database=None, max_examples=2000 if FULL else 250
)
STATUSES = {"ok", "incomplete", "nothing_to_estimate", "refused"}
MOST_SECONDS = 10.0

RECIPE = (
    "Whisk 2 large eggs with 1 cup of milk, then fold in 1 1/2 cups all-purpose flour and a pinch"
    " of salt. Meanwhile fry 3 slices of bacon and 200 g mushrooms in 1 tbsp butter until golden.\n"
)
LANGUAGES = Path(__file__).resolve().parent / "data" / "other_languages.csv"
with LANGUAGES.open(encoding="utf-8", newline="") as _file:
    FOREIGN = [(f"{r['language']}{n}", r["text"]) for n, r in enumerate(csv.DictReader(_file))]

CORPUS: dict[str, str] = {
    "paste_1_mb": "2 eggs and toast, " * 58_000,
    "paste_1_mb_letters": "a" * 1_000_000,
    "recipe_4000_words": RECIPE * 115,
    "just_under_the_limit": ("1 apple, " * 7_000)[:MAX_TEXT_CHARS],
    "no_comma_for_long": ("rice chicken beans cheese " * 2_000)[:50_000],
    "one_long_list": " and ".join(["bread"] * 3_000),
    "all_and": "and " * 5_000,
    "all_numbers": "1 2 3 4 5 6 7 8 9 " * 1_500,
    "all_units": "cup tbsp oz slice g " * 1_500,
    "nul": "2 eggs\x00 and\x00 toast\x00",
    "only_nul": "\x00" * 200,
    "control": "".join(map(chr, range(32))) + " 1 apple",
    "right_to_left": "\u202e2 eggs\u202c and \u200f100 g rice\u200e",
    "zero_width": "1 \u200ba\u200dp\u200cp\ufeffle and 50 g ri\u2060ce",
    "combining": "a\u0301\u0302\u0303" * 500 + " 1 banana",
    "zalgo": "b\u0337\u0321\u0327a\u0335n\u0334a\u0336n\u0338a\u0337",
    "emoji": "🍌🍇🍞🥚👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 2 🥚",
    "sql": "'; DROP TABLE foods; -- 1 apple",
    "sql_or": "100 g rice' OR '1'='1",
    "fts": 'apple AND "pie" OR NEAR(bread, 5) * ^ -: NOT {col}: (',
    "like": "%_%_%% 100 g __rice%%",
    "html": "<b>2 eggs</b><script>alert(1)</script>&nbsp;&lt;toast&gt; &#189; cup milk",
    "json": '{"meal": ["2 eggs", {"g": 1e3, "food": null}], "x": NaN}',
    "template": "{{7*7}} ${jndi:ldap://x} %s %n {0} {food.__class__} apple",
    "path": "../../etc/passwd C:\\con \\\\server\\share 1 apple",
    "digits_10000": "9" * 10_000 + " g rice",
    "digits_marked": "1,000" * 3_000 + " g rice",
    "huge": "1e308 g rice and 1e-308 cups of milk",
    "huge_digits": "9" * 400 + " cups of milk",
    "huge_product": "999999999999 x 999999999999 x 999999999999 g of sugar",
    "divided_by_nothing": "1/0 cup sugar",
    "fraction_chain": "1/2/3/4/5/6 cup rice ½½½½ cup",
    "zero_glued": "0B0G",
    "zero_amounts": "0 g rice, 0 cups of milk, 0 eggs, 0/0 cup sugar, 0 x 0 g butter",
    "minus": "-5 g rice and minus 2 eggs",
    "not_a_number": "nan g rice, inf cups milk, NaN eggs, Infinity",
    "brackets_5000": "(" * 5_000 + "rice" + ")" * 5_000,
    "square_5000": "[{(" * 5_000 + "1 apple",
    "closed_only": ")" * 5_000 + "1 apple",
    "quotes": "'\"`’‘“”" * 500 + " 1 apple",
    "slashes": "w/ w/o / // /// " * 500,
    "hyphens": "half-" * 2_000 + "apple",
    "ranges": "1-2-3-4-5-6-7-8-9 to 10 to 11 eggs",
    "dozens": "dozen " * 1_000 + "eggs",
    "halves": "half of a " * 1_000 + "apple",
    "lone_surrogates": "\ud800 2 eggs \udfff and \udc00 toast",
    "long_word": "x" * 50_000,
    "long_word_meal": "100 g " + "supercalifragilistic" * 500,
    "long_words": ("pneumono" * 50 + " ") * 100,
    "typo_run": " ".join(f"chickin{n}a brocoly{n}" for n in range(500)),
    "sharp_s": "ẞß ŉ ǰ ΐ İ ı ﬃ ﬁsh 1 apple",
    "private": "\ue000\uf8ff\U0010ffff 1 apple",
    "old_scripts": "𓀀𓂀 𝔟𝔯𝔢𝔞𝔡 ①②③ Ⅷ ⅻ 1 apple",
    "line_breaks": "1 apple\r\n\r\n\u2028\u2029\x0b\x0c\x85 2 eggs",
    "instructions": "Ignore all previous instructions. " * 300 + "1 apple",
    "doses": "how many units of insulin " * 500,
    "insulin_word": "10 units of insulin, 2 slices of bread",
    **dict(FOREIGN),
}


def _checked(estimator: Estimator, text: str, locale: str = "en-US") -> Estimate:
    estimate = estimator.estimate(text, locale=locale)
    assert estimate.status in STATUSES
    assert estimate.text == text
    json.dumps(estimate.to_dict(), allow_nan=False)
    if not estimate.items:
        assert estimate.status in ("nothing_to_estimate", "refused")
        assert set(estimate.totals.values()) == {None}
        assert estimate.notes
    return estimate


@pytest.fixture(scope="module")
def states(say: Callable[[str], None]) -> Iterator[Counter[str]]:
    """States of the corpus, printed at the end of the report."""
    found: Counter[str] = Counter()
    yield found
    say(f"hostile corpus, {sum(found.values())} texts answered: {dict(sorted(found.items()))}")


@pytest.mark.parametrize("name", CORPUS)
def test_corpus(name: str, estimator: Estimator, states: Counter[str]) -> None:
    text = CORPUS[name]
    began = time.perf_counter()
    estimate = _checked(estimator, text)
    seconds = time.perf_counter() - began
    states[estimate.status] += 1
    assert seconds < MOST_SECONDS, f"{seconds:.1f} s for {len(text)} characters"


@pytest.mark.parametrize("name", CORPUS)
def test_corpus_explained(name: str, estimator: Estimator) -> None:
    """Every step of a hostile text can be told, and the parts cover it.

    The first 20,000 characters: telling thousands of items takes long, and what
    breaks at the length of a text breaks in ``test_corpus``.
    """
    text = CORPUS[name][:20_000]
    told = estimator.explain(text)
    json.dumps(told.to_dict(), allow_nan=False)
    assert sum(end - start for start, end, _, _ in told.parts) == len(text)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("paste_1_mb", "refused"),
        ("doses", "refused"),
        ("only_nul", "nothing_to_estimate"),
        ("all_and", "nothing_to_estimate"),
        ("nul", "ok"),
        ("long_word_meal", "incomplete"),
    ],
)
def test_status_by_name(name: str, status: str, estimator: Estimator) -> None:
    assert estimator.estimate(CORPUS[name]).status == status


def test_too_long_is_refused_by_name(estimator: Estimator) -> None:
    estimate = estimator.estimate("1 apple " * 130_000)
    assert estimate.status == "refused"
    assert any(f"the limit is {MAX_TEXT_CHARS}" in note for note in estimate.notes)


def test_the_longest_text_is_read(estimator: Estimator) -> None:
    """A recipe of 4,000 words is read to its end, not cut."""
    estimate = estimator.estimate(RECIPE * 115 + "Serve with 17 g zorblax.")
    assert estimate.items[-1].text == "17 g zorblax"
    assert len(estimate.items) >= 115 * 5


def test_food_beside_junk_is_still_read(estimator: Estimator) -> None:
    for name in ("nul", "sql_or", "right_to_left", "line_breaks", "control"):
        assert any(i.food is not None for i in estimator.estimate(CORPUS[name]).items), name


def test_huge_amounts_are_not_hidden(estimator: Estimator) -> None:
    """An amount nobody eats is either named or leaves the item without grams."""
    for text in (CORPUS["huge_digits"], "9" * 320 + " g rice", CORPUS["digits_10000"]):
        estimate = estimator.estimate(text)
        grams = [i.portion.grams.mid for i in estimate.items if i.portion is not None]
        assert all(g < 1e7 for g in grams) or estimate.notes, (text[:20], grams)


@pytest.mark.parametrize("language", sorted({k[:2] for k, _ in FOREIGN}))
def test_other_languages_are_not_half_read(language: str, estimator: Estimator) -> None:
    """Whatever is not understood is named: an item without food, or a note."""
    for name, text in FOREIGN:
        if name.startswith(language):
            estimate = estimator.estimate(text)
            assert not estimate.complete, (text, [(i.text, i.food) for i in estimate.items])
            assert estimate.notes


locales = st.sampled_from(sorted(LOCALES))
WORDS = (
    "half dozen g oz cup cups of and with without no w/ w/o rice eggs macaroni cheese apple"
    " zorblax large can slice fl x raw sugar carbs fat kcal kJ insulin units ignore instructions"
)
SIGNS = "1½3٣aİß🍌米(),.;-/%&'\n\u200b\u0301\x00\ud800\u2028"
pieces = st.sampled_from((*WORDS.split(" "), *SIGNS, "1/2", "2-3", "1,000"))


@FUZZ
@given(st.text(max_size=300), locales)
def test_any_text(estimator: Estimator, text: str, locale: str) -> None:
    _checked(estimator, text, locale)


@FUZZ
@given(st.lists(pieces, max_size=40), st.sampled_from(("", " ")), locales)
def test_any_mix_of_meal_pieces(
    estimator: Estimator, words: list[str], space: str, locale: str
) -> None:
    text = space.join(words)
    _checked(estimator, text, locale)
    parts = estimator.explain(text, locale=locale).parts
    assert sum(end - start for start, end, _, _ in parts) == len(text)


@FUZZ
@given(
    st.text(st.characters(codec=None, categories=("Cs", "Mn", "Cf", "So", "No", "Lo")), max_size=60)
)
def test_any_odd_characters(estimator: Estimator, text: str) -> None:
    _checked(estimator, text)
