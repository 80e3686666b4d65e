"""The tables of words: whole, and what the cards say."""

from __future__ import annotations

import csv
import json
from collections import Counter
from importlib.resources import files

import pytest

from prandial.answer.reading import words

LANGUAGES = "de el en es fa fr hi id it ja ko pt ru sv th tr uk vi zh".split()


@pytest.mark.parametrize("name", ["words", "unit_words"])
def test_the_card_agrees_with_the_table(name):
    folder = files("prandial.answer.reading")
    rows = list(csv.DictReader((folder / f"{name}.csv").read_text("utf-8").splitlines()))
    card = json.loads((folder / f"{name}.card.json").read_text("utf-8"))
    assert card["rows"] == len(rows)
    assert list(card["columns"]) == list(rows[0])
    assert max(Counter(tuple(r.values()) for r in rows).values()) == 1
    for row in rows:
        assert row["word"] == row["word"].lower().strip()


def test_every_language_has_what_an_answer_needs():
    for kind in ("total", "answer", "conclusion", "meal", "unknown", *words.NUTRIENT_KINDS):
        assert {language for language, _ in words.words(kind)} == set(LANGUAGES), kind


def test_words_are_whole_words():
    carb = words.pattern("carb_g")
    assert carb.search("12 g carbs")
    assert carb.search("spaghetti carbonara, carbonated water") is None
    assert words.pattern("total").search("totaal") is None
    assert words.pattern("fat_g").search("father") is None
    assert words.unit_of_word("Gramm") == "g"
    assert words.unit_of_word("slice") is None
