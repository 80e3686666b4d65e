"""Splits: nothing shared, nobody moves, leaks are found."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from tests.quiz.made import food, person

from prandial.errors import InputError
from prandial.quiz import (
    leak_check,
    make_row,
    sample_by_split,
    split_of,
    split_rows,
)
from prandial.tags import LOW


def _rows(count: int, seed: int = 1):
    random = Random(seed)
    pairs = {(random.randrange(40), random.randrange(60)) for _ in range(count)}
    return [
        make_row(
            food("low_carb", code=10_000_000 + f),
            person("diabetes", number=p),
            level="sparse",
            rules="default",
        )
        for f, p in sorted(pairs)
    ]


def test_no_food_and_no_person_in_two_splits():
    rows = split_rows(_rows(600), seed=4, shares=(0.4, 0.3, 0.3))
    report = leak_check(rows)
    assert report.clean
    used = [r for r in rows if r.split != "aside"]
    assert {r.split for r in used} == {"train", "dev", "test"}
    for side in (lambda r: r.food.code, lambda r: r.person.person):
        of = {}
        assert all(of.setdefault(side(r), r.split) == r.split for r in used)
    assert sum(report.rows.values()) == len(rows)
    assert report.rows["aside"] == sum(r.split == "aside" for r in rows) > 0


def test_added_rows_move_nobody():
    few, many = _rows(100), _rows(600)
    of = {(r.food.code, r.person.person): r.split for r in split_rows(few + many, seed=4)}
    for row in split_rows(few, seed=4):
        assert row.split == of[row.food.code, row.person.person]


def test_shares_are_kept():
    found = split_of("person", range(20_000), seed=1, shares=(0.7, 0.1, 0.2))
    for name, share in (("train", 0.7), ("dev", 0.1), ("test", 0.2)):
        assert found.count(name) / 20_000 == pytest.approx(share, abs=0.02)
    assert split_of("person", range(50), seed=1) != split_of("person", range(50), seed=2)
    assert split_of("person", range(50), seed=1) != split_of("food", range(50), seed=1)
    assert set(split_of("food", range(50), seed=1, shares=(0, 0, 1))) == {"test"}


def test_a_leak_is_found():
    rows = [r for r in split_rows(_rows(600), seed=4) if r.split == "train"]
    moved = [replace(rows[0], split="test"), *rows]
    report = leak_check(moved)
    assert not report.clean
    assert report.foods == (rows[0].food.code,)
    assert report.people == (rows[0].person.person,)
    assert len(report.repeated_rows) == 1
    assert report.to_dict()["clean"] is False


def test_pairs_drawn_within_splits_are_all_kept():
    rng = np.random.default_rng(1)
    codes, ids = np.arange(60) + 11_000_000, np.arange(500)
    tags = rng.choice(np.array([-1, 0, 1], dtype=np.int8), size=(60, 16))
    needs = rng.choice(np.array([0, 0, 0, 0, LOW], dtype=np.uint8), size=(500, 16))
    pairs = sample_by_split(codes, tags, ids, needs, rules="default", seed=2)
    assert len(pairs) > 100
    of_food = split_of("food", codes[pairs.food_row].tolist(), seed=2)
    of_person = split_of("person", ids[pairs.person_row].tolist(), seed=2)
    assert of_food == of_person
    assert set(of_food) == {"train", "dev", "test"}


def test_refusals():
    with pytest.raises(InputError):
        split_of("food", [1], seed=1, shares=(0.5, 0.1, 0.1))
    with pytest.raises(InputError):
        split_of("food", [1], seed=1, shares=(1.5, -0.5, 0.0))
    with pytest.raises(InputError):
        split_of("meal", [1], seed=1)
