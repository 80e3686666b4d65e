"""Published figures of the analyses, by name."""

from __future__ import annotations

from prandial.bench.report.published import published

__all__ = ["published_facts"]


def published_facts(analysis: str) -> tuple[dict[str, str], ...]:
    """Return the rows of one analysis: figure, value, unit, place, note."""
    return tuple(r for r in published("published_analyses") if r["analysis"] == analysis)
