"""The answer of a row: NutriBench's dictionary, and the steps that lead to it.

A step gives the amount of an item to one decimal; the total is the sum of what the steps say,
so that a reader who adds them up comes to the answer. It lies within 0.05 per item of the
exact amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from prandial.compose.tuning.rows import TaughtItem

__all__ = ["AnswerForm", "dictionary", "total", "worked"]

_STEP: Final = Decimal("0.1")


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerForm:
    """How a nutrient is asked for, as the benchmark's prompts have it.

    Parameters
    ----------
    nutrient : str
        House name.
    word : str
        As in "g of carbohydrates".
    unit : str
        ``g`` or ``kcal``.
    key : str
        Key of the dictionary.
    """

    nutrient: str = "carb_g"
    word: str = "carbohydrates"
    unit: str = "g"
    key: str = "total_carbohydrates"


def total(items: Sequence[TaughtItem], form: AnswerForm) -> Decimal:
    """Return the answer: the sum of the items' amounts, each to one decimal."""
    return sum((_amount(i, form) for i in items), Decimal(0))


def dictionary(items: Sequence[TaughtItem], form: AnswerForm) -> str:
    """Return the answer alone, ``{"total_carbohydrates": 52.9}``.

    Parameters
    ----------
    items : sequence of TaughtItem
    form : AnswerForm
    """
    return f'{{"{form.key}": {_plain(total(items, form))}}}'


def worked(items: Sequence[TaughtItem], form: AnswerForm) -> str:
    """Return the steps and the answer: items, grams, the amount in each, the sum.

    Parameters
    ----------
    items : sequence of TaughtItem
    form : AnswerForm

    Returns
    -------
    str
        What follows ``Steps:`` in the prompt; the last line is ``Output:`` and the dictionary.
    """
    lines = [f"- The meal is {_listed([i.words for i in items])}."]
    for item in items:
        grams, per = _plain(Decimal(str(item.grams))), Decimal(str(item.per_100g[form.nutrient]))
        lines.append(
            f"- {item.words}: {grams} g with {_plain(per)} {form.unit} of {form.word} in 100 g,"
            f" so {grams} x {_plain(per)} / 100 = {_plain(_amount(item, form))} {form.unit}."
        )
    parts = " + ".join(_plain(_amount(i, form)) for i in items)
    result = _plain(total(items, form))
    sum_of = f"{parts} = {result}" if len(items) > 1 else result
    lines.append(f"- The sum is {sum_of} {form.unit}.")
    return "\n".join([*lines, f"Output: {dictionary(items, form)}"])


def _amount(item: TaughtItem, form: AnswerForm) -> Decimal:
    return item.exact(form.nutrient).quantize(_STEP, rounding=ROUND_HALF_UP)


def _plain(value: Decimal) -> str:
    """Return a number without trailing zeros or an exponent."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
