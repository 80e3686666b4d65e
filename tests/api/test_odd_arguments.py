"""Arguments of the wrong kind: an InputError that says what, never a TypeError."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import prandial
from prandial.errors import InputError, NotFoundError, SchemaError


@pytest.mark.parametrize(
    "odd",
    [
        {"trained": 5},
        {"trained": b"x"},
        {"nutrients": 5},
        {"user_tables": 5},
        {"user_tables": "mine"},
        {"locale": ["en-US"]},
        {"answers": b"0"},
        {"answers": "0"},
        {"answers": [True]},
        {"answers": [0.0]},
        {"country": 4},
    ],
    ids=str,
)
def test_one_meal(odd: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        prandial.estimate("an apple", **odd)
    assert caught.value.where


@pytest.mark.parametrize("workers", [0, -1, "2", None, 1.5, True])
def test_workers(workers: Any) -> None:
    with pytest.raises(InputError, match="whole number"):
        prandial.estimate_batch(["an apple"], workers=workers)


def test_a_damaged_ranking_is_refused_at_once(tmp_path: Path) -> None:
    junk = tmp_path / "junk.npz"
    junk.write_bytes(b"not a zip")
    with pytest.raises(SchemaError):
        prandial.estimate_batch(["an apple"], trained=junk)
    meals = tmp_path / "meals.csv"
    meals.write_text("text\nan apple\n", encoding="utf-8")
    with pytest.raises(SchemaError):
        prandial.estimate_file(meals, tmp_path / "out.csv", trained=junk)
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("out")] == []
    with pytest.raises(NotFoundError):
        prandial.estimate_batch(["an apple"], trained=tmp_path / "none.npz")
