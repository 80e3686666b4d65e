"""How much of a food, drawn from what was eaten, and how it is said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

    from prandial.tables import FoodTable

__all__ = ["TIMES", "VOLUMES", "Serving", "draw_serving", "pieces", "usual"]

#: multiples of a measure that people say
TIMES: Final = {
    0.25: "a quarter",
    1 / 3: "a third of a",
    0.5: "half a",
    1.0: "",
    1.5: "1.5",
    2.0: "two",
    3.0: "three",
    4.0: "four",
    5.0: "5",
    6.0: "six",
    8.0: "8",
    10.0: "10",
    12.0: "a dozen",
}
_LEAD: Final = re.compile(r"^(\d+(?:\.\d+)?)\s+")
_BRACKET: Final = re.compile(r"\s*\(([^()]*)\)")
#: measures that are notes to coders
_UNSAID: Final = re.compile(r"guideline|filled with|yield after|\bNFS\b", re.IGNORECASE)
#: least and most of a unit that people say
_USUAL: Final = {"fl oz": (4.0, 12.0), "cup": (0.25, 3.0), "oz": (1.0, 12.0), "inch": (2.0, 12.0)}
_NEAR: Final = 0.006
_SIZES: Final = ("small", "medium", "large", "miniature", "regular", "individual", "extra large")
VOLUMES: Final = ("cup", "tablespoon", "teaspoon", "fl oz", "pint", "quart", "oz", "gallon")
_CONTAINERS: Final = re.compile(
    r"\b(can|bottle|package|bag|box|bar|container|packet|slice|piece|stick|jar|bowl|glass|"
    r"carton|pouch|serving|scoop|order|leaf|stalk|ring|wedge|chip|link|strip|patty|roll)\b"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Serving:
    """An amount of a food: ``grams``, the measure's name, and how it is said.

    ``before`` goes in front of the food's name ("a cup of"), ``after`` behind it.
    """

    grams: float
    measure: str
    before: str
    after: str = ""


def draw_serving(
    table: FoodTable, food: int, rng: Random, *, metric: bool, articles: tuple[str, ...]
) -> Serving | None:
    """Draw an amount of a food and a way to say it.

    Amounts of the recalls are drawn by how often they were eaten; a food
    without recalls gives one of its measures.

    Parameters
    ----------
    table : FoodTable
    food : int
    rng : Random
    metric : bool
        Say grams instead of a measure.
    articles : tuple of str
        Ways to say one.

    Returns
    -------
    Serving or None
        None when the table has no amount that can be said.
    """
    lo, hi = int(table.measure_offset[food]), int(table.measure_offset[food + 1])
    measures = [
        (name, float(g))
        for name, g in zip(table.measure_name[lo:hi], table.measure_grams[lo:hi], strict=True)
        if g > 0 and not _UNSAID.search(name)
    ]
    grams = _amount(table, food, rng, measures)
    if grams is None:
        return None
    if metric:
        return _weighed(grams, rng)
    fits = [
        (name, times, g)
        for name, g in measures
        for times in TIMES
        if abs(g * times - grams) <= _NEAR * grams and usual(name, times)
    ]
    if not fits:
        if not measures:
            return None
        fits = [(name, 1.0, g) for name, g in measures if usual(name, 1.0)]
        if not fits:
            return None
    likely = [1.0 if times == 1.0 else 0.25 for _, times, _ in fits]
    name, times, g = rng.choices(fits, likely)[0]
    return _said(name, times, g * times, rng, articles)


def _amount(
    table: FoodTable, food: int, rng: Random, measures: list[tuple[str, float]]
) -> float | None:
    lo, hi = int(table.amount_offset[food]), int(table.amount_offset[food + 1])
    if hi > lo:
        counts = table.amount_count[lo:hi].tolist()
        return float(rng.choices(table.amount_grams[lo:hi].tolist(), counts)[0])
    if measures:
        return rng.choice(measures)[1]
    return None


def usual(name: str, times: float) -> bool:
    """Tell whether people say that many of a unit."""
    for unit, (least, most) in _USUAL.items():
        if unit in name:
            return least <= times <= most
    return times >= 1.0 or times == 0.5


def _weighed(grams: float, rng: Random) -> Serving:
    value = f"{grams:.4g}"
    grams = float(value)
    kind = rng.randrange(6)
    if kind == 0:
        return Serving(grams=grams, measure="g", before=f"{value}g")
    if kind == 1:
        return Serving(grams=grams, measure="g", before="", after=f"({value} g)")
    if kind == 2:
        return Serving(grams=grams, measure="g", before=f"a {value}-gram serving of")
    if kind == 3:
        return Serving(grams=grams, measure="g", before=f"{value} grams of")
    return Serving(grams=grams, measure="g", before=f"{value}g of")


@lru_cache(maxsize=20_000)
def pieces(name: str) -> tuple[float, str, str]:
    """Leading number, words, and the words in brackets of a measure's name."""
    lead = _LEAD.match(name)
    number = float(lead.group(1)) if lead else 1.0
    rest = name[lead.end() :] if lead else name
    brackets = _BRACKET.findall(rest)
    words = re.sub(r"\s*\[[^\]]*\]", "", _BRACKET.sub("", rest)).strip()
    return number, words, brackets[0] if brackets else ""


def _said(
    name: str, times: float, grams: float, rng: Random, articles: tuple[str, ...]
) -> Serving | None:
    if name.lower().startswith("quantity not specified"):
        if times != 1.0:
            return None
        before = rng.choice(("", "", "some", "a serving of", "a portion of"))
        return Serving(grams=grams, measure=name, before=before)
    number, words, bracket = pieces(name)
    words = words.split(", ")[0] if rng.random() < 0.4 else words
    size = bracket if bracket and rng.random() < 0.5 and bracket[0].isdigit() else ""
    if times == 1.0 and number == 1.0:
        count = rng.choice(articles)
        if count == "a" and words[:1] in tuple("aeiou"):
            count = "an"
    elif number == 1.0:
        count = TIMES[times]
    else:
        count = f"{number * times:g}"
    if times > 1.0 and not words.endswith("s") and words not in VOLUMES:
        first, _, tail = words.partition(",")
        words = f"{first}s" + (f",{tail}" if tail else "")
    what = f"{size} {words}" if size and rng.random() < 0.6 else words
    after = f"({size})" if size and what == words else ""
    if words.lower() in _SIZES:
        return Serving(grams=grams, measure=name, before=f"{count} {what}", after=after)
    return Serving(grams=grams, measure=name, before=f"{count} {what} of", after=after)


def own_name(measure: str, food: str) -> bool:
    """Tell whether a measure is one of the food itself ("1 banana" of bananas)."""
    _, words, _ = pieces(measure)
    last = words.split(",")[0].split()[-1:] or [""]
    return not _CONTAINERS.search(words) and last[0].lower().rstrip("s") in food.lower()
