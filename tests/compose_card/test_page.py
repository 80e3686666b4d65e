"""The page of quality and leaks shows the newest kept line."""

from __future__ import annotations

from benchmarks import compose_quality_page


def test_the_page_is_current():
    told = compose_quality_page.PAGE.read_text("utf-8")
    assert told == compose_quality_page.filled(), "run: python -m benchmarks.compose_quality_page"
    line = compose_quality_page.last_line()
    assert line["same_bytes_twice"]
    assert "dirty" not in line["commit"]
