"""Limits and words of the quality rules, as numbers and patterns."""

from __future__ import annotations

import re
from functools import cache

from prandial.tables.rules import read_rules

__all__ = ["alcoholic", "cooked_grain", "holds", "limits", "rule_words"]


@cache
def rule_words() -> dict[str, tuple[str, str]]:
    """Return each rule's subject, ``item`` or ``meal``, and what it is in words."""
    return {r["rule"]: (r["of"], r["what"]) for r in read_rules("quality_rules")}


@cache
def limits(rule: str) -> dict[str, float]:
    """Return the limits of a rule by name."""
    rows = [r for r in read_rules("quality_limits") if r["rule"] == rule]
    return {r["limit"]: float(r["value"]) for r in rows}


@cache
def _pattern(which: str) -> re.Pattern[str]:
    """Return a pattern of a list of words, each as a whole or with an s, longest first."""
    words = [r["word"] for r in read_rules("quality_words") if r["list"] == which]
    either = "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![a-z])(?:{either})s?(?![a-z])", re.IGNORECASE)


def holds(text: str, which: str) -> bool:
    """Tell whether a word of a list stands in a text.

    Parameters
    ----------
    text : str
    which : {'cooked', 'grain', 'not_grain', 'alcohol', 'not_alcohol'}

    Returns
    -------
    bool
    """
    return _pattern(which).search(text) is not None


def cooked_grain(name: str) -> bool:
    """Tell whether a food's name says that it is a cooked grain or pulse."""
    return holds(name, "cooked") and holds(name, "grain") and not holds(name, "not_grain")


def alcoholic(text: str) -> bool:
    """Tell whether a text names an alcoholic drink; root beer and wine vinegar are struck out."""
    return holds(_pattern("not_alcohol").sub(" ", text), "alcohol")
