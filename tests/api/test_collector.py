"""A batch leaves the caller's garbage collector as it was."""

from __future__ import annotations

import gc

import pytest

from prandial.batch.rows import Row
from prandial.batch.work import run_chunks
from prandial.batch.workers import seldom_collected


def test_threshold_returns_after_each_chunk() -> None:
    before = gc.get_threshold()
    rows = [Row(row=k, text="") for k in range(5)]
    seen = run_chunks(rows, lambda _: gc.get_threshold()[0], workers=1, chunk_rows=2)
    assert next(seen) > before[0]
    assert gc.get_threshold() == before
    assert len(list(seen)) == 2
    assert gc.get_threshold() == before


def fail_while_sparing() -> None:
    with seldom_collected():
        raise ZeroDivisionError


def test_threshold_returns_after_an_error() -> None:
    before = gc.get_threshold()
    with pytest.raises(ZeroDivisionError):
        fail_while_sparing()
    assert gc.get_threshold() == before
