"""NutriBench methods that ask a model, by name."""

from __future__ import annotations

from typing import Final

from prandial.answer.meals.direct import direct
from prandial.answer.meals.extract import extract
from prandial.answer.meals.grounded import grounded
from prandial.answer.meals.nutrients import NUTRIENTS_ASKED, NutrientAsked, nutrient_asked
from prandial.answer.meals.retrieved import retrieved
from prandial.answer.methods import Method

__all__ = ["METHODS", "NUTRIENTS_ASKED", "NutrientAsked", "nutrient_asked"]

METHODS: Final[dict[str, Method]] = {
    method.name: method
    for method in (
        direct("base", "the question alone, one call", "nutribench_base"),
        direct("cot", "step by step: items, each amount, sum", "nutribench_cot", reasoned=True),
        retrieved("rag", "a parse call, facts on each food, the question", "nutribench_rag"),
        retrieved(
            "rag_cot",
            "a parse call, facts on each food, step by step",
            "nutribench_rag_cot",
            reasoned=True,
        ),
        *(
            direct(f"base_p{n}", f"base in other words, wording {n} of 4", f"nutribench_base_p{n}")
            for n in range(1, 5)
        ),
        grounded(
            "grounded_rag",
            "our parser's foods and portions, then the question",
            "nutribench_grounded",
        ),
        extract("extract", "the model lists what was eaten; our tables look up and add"),
    )
}
