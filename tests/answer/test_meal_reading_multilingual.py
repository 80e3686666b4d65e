"""1,314 real answers of GPT-4o in 18 languages: our reading against their authors'."""

from __future__ import annotations

from collections import Counter

import duckdb
import pytest

from prandial.answer.reading.differences import reading_differences
from prandial.answer.reading.meals import read_meal_reply


@pytest.fixture(scope="module")
def rows(shared_dir):
    path = shared_dir / "data" / "nutribench" / "nutribench_v2_multilingual_gpt4o.parquet"
    return (
        duckdb.connect()
        .execute(
            "SELECT language || '/' || source_index, gpt4o_output, gpt4o_carb_g"
            " FROM read_parquet(?) ORDER BY language, source_index",
            [str(path)],
        )
        .fetchall()
    )


def test_every_difference_is_one_of_two_kinds(rows):
    differences = reading_differences(rows, "carb_g", method="cot")
    assert len(rows) == 1314
    assert [(d.row, d.kind, d.theirs, d.ours.value) for d in differences] == [
        # quotes escaped in English replies, which their parser did not take
        ("english/10775", "only we read it", None, 65.0),
        ("english/11359", "only we read it", None, 23.0),
        ("english/11561", "only we read it", None, 75.0),
        ("english/12057", "only we read it", None, 58.0),
        ("english/15279", "only we read it", None, 45.0),
        # -1 is what the prompt asks for when the answer is unknown
        ("greek/15382", "refusal kept as a number", -1.0, None),
        ("italian/9345", "refusal kept as a number", -1.0, None),
        ("swedish/2568", "refusal kept as a number", -1.0, None),
        ("ukrainian/15382", "refusal kept as a number", -1.0, None),
    ]


def test_the_published_reader_is_their_parser(rows):
    for row, reply, theirs in rows:
        found = read_meal_reply(reply, "carb_g", method="cot").published_value
        assert found == (-1.0 if theirs is None else theirs), row


def test_totals_in_words_are_those_of_the_dictionary(rows):
    """With the dictionary cut off, the sentence before it states the same total, or none does."""
    kinds: Counter[str] = Counter()
    for row, reply, _ in rows:
        answer = read_meal_reply(reply, "carb_g", method="cot")
        working = reply[: reply.index("Output:")]
        stated = read_meal_reply(working, "carb_g", method="cot")
        if stated.status == "unreadable":
            kinds["none stated"] += 1
        else:
            assert (stated.status, stated.value) == (answer.status, answer.value), row
            kinds["stated"] += 1
    assert kinds["stated"] >= 1240
