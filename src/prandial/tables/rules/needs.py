"""What each status needs of a food: nutrition tags, in order, by rule set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from prandial.errors import InputError
from prandial.tables.rules.reading import read_rules

__all__ = ["FOOD_TAG_ORDER", "NUTRIENT_ORDER", "Needs", "load_needs"]

#: nutrients in the order in which gold answers name them; the first seven are the published ones
NUTRIENT_ORDER: Final[tuple[str, ...]] = (
    "carb",
    "sugar",
    "sodium",
    "cholesterol",
    "saturated_fat",
    "calorie",
    "protein",
    "fiber",
    "potassium",
    "phosphorus",
    "iron",
    "calcium",
    "folate_acid",
    "vitamin_c",
    "vitamin_d",
    "vitamin_b12",
)

#: nutrients in the order in which a graph lists a food's tags; the first seven are published
FOOD_TAG_ORDER: Final[tuple[str, ...]] = (
    "carb",
    "sugar",
    "sodium",
    "calorie",
    "protein",
    "cholesterol",
    "saturated_fat",
    *NUTRIENT_ORDER[7:],
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Needs:
    """Statuses of a rule set, in order, with the tags each one needs."""

    rules: str
    #: status -> needed tags, in order
    tags: dict[str, tuple[str, ...]]
    #: status -> ``condition`` or ``diet``
    kinds: dict[str, str]
    #: (status, tag) -> source of the rule
    sources: dict[tuple[str, str], str]


@cache
def load_needs(rules: str) -> Needs:
    """Return the needs of a rule set.

    Parameters
    ----------
    rules : {'as-published', 'default'}

    Raises
    ------
    InputError
        On any other name.
    """
    rows = [r for r in read_rules("needs") if r["rules"] == rules]
    if not rows:
        known = dict.fromkeys(r["rules"] for r in read_rules("needs"))
        raise InputError(f"no rule set {rules!r}", where="rules", hint="known: " + ", ".join(known))
    tags: dict[str, tuple[str, ...]] = {}
    for row in rows:
        tags[row["status"]] = (*tags.get(row["status"], ()), *filter(None, (row["tag"],)))
    return Needs(
        rules=rules,
        tags=tags,
        kinds={r["status"]: r["kind"] for r in rows},
        sources={(r["status"], r["tag"]): r["source"] for r in rows},
    )
