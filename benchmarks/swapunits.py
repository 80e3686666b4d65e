"""US units to metric and metric to US, with the amounts worked out.

``oz``, ``lb`` to grams; ``fl oz``, ``cup``, ``pint`` and spoons to millilitres;
grams to ounces and millilitres to fluid ounces, both with two decimals. Metric
results are rounded to the gram or millilitre. A text that gives grams or
millilitres is turned to US units, any other to metric.

Bare ounces are left alone before a word such as "can", "glass" or "drink":
there they may be fluid ounces. A cup is left alone where it is food or vessel
("peanut butter cup", "cup noodles"): only "N cup(s) of" and "N cup(s)" before a
food are converted.
"""

from __future__ import annotations

import re

from benchmarks.words import NUMBER, number_of

__all__ = ["swap_units"]

_OZ_G = 28.349523125
_LB_G = 453.59237
#: unit pattern -> (factor, unit after); US customary measures
_TO_METRIC = (
    (r"(?:fl\.?|fluid)[\s-]?(?:oz\.?|ounces?)", 29.5735295625, "ml"),
    (r"(?:cups?)", 236.5882365, "ml"),
    (r"(?:pints?)", 473.176473, "ml"),
    (r"(?:tablespoons?|tbsps?\.?)", 14.78676478125, "ml"),
    (r"(?:teaspoons?|tsps?\.?)", 4.92892159375, "ml"),
    (r"(?:pounds?|lbs?\.?)", _LB_G, "g"),
    (r"(?:oz\.?|ounces?)", _OZ_G, "g"),
)
_TO_US = (
    (r"(?:kg|kilograms?|kilos?)", 1000 / _LB_G, "lb"),
    (r"(?:g|gr|grams?)", 1 / _OZ_G, "oz"),
    (r"(?:ml|milliliters?|millilitres?)", 1 / 29.5735295625, "fl oz"),
)
_VESSEL = (
    r"(?!\s*-?\s*(?:cans?|bottles?|glass(?:es)?|cups?|drinks?|sodas?|mugs?|container|noodles?))"
)
_METRIC = re.compile(r"\d\s*-?(?:g|kg|grams?|ml|milliliters?)\b", re.IGNORECASE)


def _metric(text: str) -> str:
    for unit, factor, name in _TO_METRIC:
        after = _VESSEL if name == "g" or unit == r"(?:cups?)" else ""
        pattern = rf"(?<![\w./-])(?P<n>{NUMBER})(?P<gap>[\s-]*)(?P<unit>{unit})\b{after}(?!-)"

        def swapped(match: re.Match[str], factor: float = factor, name: str = name) -> str:
            value = number_of(match["n"])
            return match[0] if not value else f"{max(value * factor, 1):.0f} {name}"

        text = re.sub(pattern, swapped, text, flags=re.IGNORECASE)
    return text


def _us(text: str) -> str:
    for unit, factor, name in _TO_US:
        pattern = rf"(?<![\w./-])(?P<n>{NUMBER})(?P<gap>[\s-]*)(?P<unit>{unit})\b"

        def swapped(match: re.Match[str], factor: float = factor, name: str = name) -> str:
            value = number_of(match["n"])
            return match[0] if not value else f"{value * factor:.2f} {name}"

        text = re.sub(pattern, swapped, text, flags=re.IGNORECASE)
    return text


def swap_units(text: str) -> str:
    """Turn metric amounts to US ones, or else US amounts to metric."""
    out = _us(text) if _METRIC.search(text) else _metric(text)
    return out if out == text else re.sub(r"\b([Aa])n (?=\d)", r"\1 ", out)
