"""What raters are told: one text an arm, and the words around it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from prandial.answer.texts import fill
from prandial.bench.raters.drawing import Arm
from prandial.nutrients import unit_of
from prandial.tables.rules import read_rules

__all__ = ["TEXT_PAGE", "WHOLE", "WHOLE_TEXT", "column_of", "instructions_for", "what_of"]

#: the last row of a sheet, for the time of all of it
WHOLE: Final = "whole sheet"
WHOLE_TEXT: Final = "(minutes for the whole sheet, if you did not note them meal by meal)"
#: name of the page of a workbook that holds the instructions
TEXT_PAGE: Final = "instructions"
_WHAT: Final = {
    "carb_g": "carbohydrate",
    "protein_g": "protein",
    "fat_g": "fat",
    "energy_kcal": "energy",
}
#: meal of the table of examples -> what a rater reads; models get the same figures
_EXAMPLES: Final = {
    "oatmeal": "This morning I had a cup of oatmeal with half a sliced banana on it, and a"
    " glass of orange juice.",
    "eggs": "Breakfast was two scrambled eggs with one slice of toast.",
    "sandwich": "As a snack I ate one half of a sandwich with peanut butter and jelly.",
}
_ARMS: Final[Mapping[str, str]] = {
    "look-up": "arm_look_up.txt",
    "no look-up": "arm_no_look_up.txt",
}


def column_of(nutrient: str) -> str:
    """Return the column of the estimates; its name carries the unit."""
    return f"your_estimate_{nutrient}"


def what_of(nutrient: str) -> str:
    """Return what is asked for in a word."""
    return _WHAT.get(nutrient, nutrient)


def instructions_for(nutrient: str, arm: Arm, *, meals: int) -> str:
    """Return the text that goes with the sheets of an arm."""
    return (
        fill(
            _text("instructions.txt"),
            {
                "what": what_of(nutrient),
                "unit": {"g": "grams (g)"}.get(unit_of(nutrient), unit_of(nutrient)),
                "meals": str(meals),
                "column": column_of(nutrient),
                "arm": _text(_ARMS[arm]).strip(),
                "examples": _examples(nutrient),
            },
        )
        + "\n"
    )


def _examples(nutrient: str) -> str:
    unit = unit_of(nutrient)
    lines = [
        f"- {sentence}\n  {_total(meal, nutrient):g} {unit} {what_of(nutrient)}"
        for meal, sentence in _EXAMPLES.items()
    ]
    return "\n".join(["Three examples", *lines])


def _total(meal: str, nutrient: str) -> float:
    rows = [
        r
        for r in read_rules("nutribench_examples")
        if (r["meal"], r["nutrient"]) == (meal, nutrient)
    ]
    return round(sum(float(r["share"]) * float(r["whole"]) for r in rows), 1)


def _text(name: str) -> str:
    return (files("prandial.bench.raters") / name).read_text("utf-8")
