"""Replies as small and large models write them, beside what a careful reader takes from them.

``careful_replies.jsonl``: task, reply, and what it says; null where it says nothing, or both.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prandial.answer.reading.graphs import read_graph_reply

FILE = Path(__file__).with_name("careful_replies.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[f"{r['task']} {r['reply'][:50]}" for r in ROWS])
def test_it_is_read_as_a_careful_reader_would(row):
    found = read_graph_reply(row["reply"], row["task"])
    answered = found.status == "answered"
    if row["task"] != "ML":
        assert (found.verdict if answered else None) == row["verdict"]
    if row["task"] == "B":
        return
    assert (None if row["tags"] is None else sorted(row["tags"])) == (
        sorted(found.tags or ()) if answered else None
    )
