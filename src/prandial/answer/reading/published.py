"""What the published scoring code reads, rebuilt from what it does, faults included.

For comparison with published figures only (spec of NutriBench, section 5; the scoring code
of the lm-evaluation-harness task in github.com/DongXzz/NutriBench). What it does:

* of a reply with ``Output:`` only what stands between the first and the second is looked at;
* the first quoted key ``total_carbohydrates`` (``total_protein``, ``total_fat``,
  ``total_energy``) with a number after it counts, up to the first sign that is no part of
  the number: ``45 + 20`` is 45 and ``1,234`` is 1;
* ``40-50`` without spaces is 45; for carbohydrate the number may be quoted, and of a list
  the first two are averaged;
* without such a key, a reply that is a number and nothing else is that number;
* all else is -1, as is what the prompt asks for when the answer is unknown.

One difference: ``nan`` and ``inf`` as a whole reply are -1 here, where the published code
would make its mean undefined.
"""

from __future__ import annotations

import math
import re
from typing import Final

__all__ = ["PUBLISHED_NONE", "published_value"]

PUBLISHED_NONE: Final = -1.0
_KEYS: Final = {
    "carb_g": "total_carbohydrates",
    "protein_g": "total_protein",
    "fat_g": "total_fat",
    "energy_kcal": "total_energy",
}
_DIGITS: Final = r"[0-9]+(?:\.[0-9]*)?"
_AMOUNT: Final = re.compile(rf"(-?{_DIGITS})(?:-({_DIGITS}))?")
_LIST: Final = re.compile(rf"\[(-?{_DIGITS}(?:,\s*-?{_DIGITS})*)\]")


def published_value(text: str, nutrient: str) -> float:
    """Return the amount the published code takes from a reply; -1 where it finds none.

    Parameters
    ----------
    text : str
        The reply, unread.
    nutrient : {'carb_g', 'protein_g', 'fat_g', 'energy_kcal'}

    Returns
    -------
    float
    """
    parts = text.split("Output:")
    looked_at = (parts[1] if len(parts) > 1 else text).strip()
    for place in re.finditer(rf"[\"']\s*{_KEYS[nutrient]}[\"']:", looked_at):
        value = _after(looked_at, place.end(), nutrient)
        if value is not None:
            return value
    return _number(looked_at)


def _after(text: str, at: int, nutrient: str) -> float | None:
    """Return the amount after a key's colon, or None where the next key is tried."""
    if nutrient == "carb_g":
        while text[at : at + 1].isspace():
            at += 1
        listed = _LIST.match(text, at)
        if listed is not None:
            numbers = [float(n) for n in listed[1].split(",")]
            return (numbers[0] + numbers[1]) / 2 if len(numbers) > 1 else PUBLISHED_NONE
        at += text[at : at + 1] in ("'", '"')
    elif text[at : at + 1] == " ":
        at += 1
    else:
        return None
    amount = _AMOUNT.match(text, at)
    if amount is None:
        return None
    low, high = amount.groups()
    if high is None:
        return float(low)
    return PUBLISHED_NONE if low.startswith("-") else (float(low) + float(high)) / 2


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return PUBLISHED_NONE
    return value if math.isfinite(value) else PUBLISHED_NONE
