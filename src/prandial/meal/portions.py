"""From an amount and a food's measures to grams, with how they came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prandial.meal.amounts import Amount
from prandial.meal.index import FoodIndex
from prandial.meal.measures import UNHIT, MeasureBook, Row
from prandial.records import Basis

__all__ = ["Option", "portion_options"]


@dataclass(slots=True)
class Option:
    """One reading of a span: a food, its grams and how they came about."""

    food: int
    score: float
    grams: tuple[float, float, float]
    measure: str
    basis: Basis
    stated: bool
    step: str
    food_score: float


def _density(rows: Sequence[Row], words: set[str]) -> tuple[float, Row] | None:
    """Grams a millilitre from the volume measure that shares most words."""
    best: tuple[float, Row] | None = None
    best_key: tuple[float, ...] = ()
    for row in rows:
        if row.volume_ml > 0:
            extra = len(row.words - words)
            key = (-extra, len(row.words & words), row.volume_ml)
            if best is None or key > best_key:
                best, best_key = (row.grams / row.volume_ml, row), key
    return best


#: units that stand for one another in everyday speech
_LIKE: Final[dict[str, frozenset[str]]] = {
    unit: frozenset(others)
    for unit, others in {
    "slice": ("piece",),
    "piece": ("slice",),
    "packet": ("pouch", "envelope", "package", "packet"),
    "pouch": ("packet", "package", "bag"),
    "package": ("bag", "packet", "pouch"),
    "bag": ("package", "pouch"),
    "carton": ("container", "box"),
    "box": ("carton", "container", "package"),
    "container": ("carton", "tub", "box", "cup"),
    "tub": ("container",),
    "tiny": ("miniature", "small"),
    "bottle": ("can",),
    "can": ("bottle",),
    "glass": ("cup",),
    "mug": ("cup",),
    "patty": ("piece",),
    }.items()
}
_ROW_MARGIN: Final = 3.5


def _ounces(
    food: int, food_score: float, rows: Sequence[Row], amount: Amount, said: set[str]
) -> Option | None:
    """Ounces by the food's own ounce measure (fluid, dry-yield, with bone)."""
    if amount.mass_g is None:
        return None
    fluid = next((r for r in rows if r.volume_unit == "fl oz" and r.lead == 1), None)
    best = fluid
    if best is None:
        own = [r for r in rows if r.volume_unit == "oz" and r.lead == 1 and r.volume_ml == 0]
        if not own:
            return None
        best = max(own, key=lambda r: (len(r.words & said), -abs(r.grams - 28.35)))
        if abs(best.grams - 28.35) < 0.4 or amount.package:
            return None
    factor = best.grams / 28.349523125
    low, mid, high = amount.mass_g
    kind = "ounces of a drink read as fluid ounces" if best is fluid else "by the food's own ounce"
    return Option(
        food,
        food_score,
        (low * factor, mid * factor, high * factor),
        best.name,
        "measure",
        True,
        f"{kind}: {best.name} = {best.grams:g} g",
        food_score,
    )


def portion_options(
    food: int,
    doc_terms: frozenset[str],
    food_score: float,
    terms: Sequence[tuple[str, float]],
    sizes: Sequence[str],
    amount: Amount,
    book: MeasureBook,
    index: FoodIndex,
    implied: Sequence[str] = (),
) -> list[Option]:
    """List the ways a food's grams could follow from an amount.

    Parameters
    ----------
    food : int
        Row of the food.
    doc_terms : frozenset of str
        Words of the food document that matched.
    food_score : float
    terms : sequence of (word, weight)
        Words of the span with the cost paid for those the food lacks.
    sizes : sequence of str
    amount : Amount
    book, index
        Measures and foods.
    implied : sequence of str
        Words suggested by the span.

    Returns
    -------
    list of Option
        In no order.
    """
    w = index.weights
    measures = book.of(food)
    rows = measures.rows
    count = amount.count
    words = set(amount.words)
    words.update(sizes)
    left = {t: v for t, v in terms if t not in doc_terms}
    said = words | {t for t, v in terms if v > 0.45}
    said.update(implied)
    said.update(amount.extra)
    if amount.mass_g is not None:
        if "oz" in amount.extra:
            ounce = _ounces(food, food_score, rows, amount, said)
            if ounce is not None:
                return [ounce]
        mid = amount.mass_g[1]
        step = f"stated weight {mid:g} g"
        return [Option(food, food_score, amount.mass_g, "g", "weighed", True, step, food_score)]
    options: list[Option] = []
    scores = list(measures.base)
    places = measures.places
    full = list(measures.heavy)
    unmissed = [0.0] * len(rows)
    hit = [False] * len(rows)
    missing = 0.0
    for a in words:
        if a in doc_terms and not a[0].isdigit():
            continue
        cost = _word_cost(a, w.unit_miss)
        missing += cost
        found = places.get(a)
        if found is not None:
            for r, _ in found:
                unmissed[r] += cost
        for like in _LIKE.get(a, ()):
            for r, _ in places.get(like, ()):
                if found is None or all(r != q for q, _ in found):
                    unmissed[r] = max(unmissed[r], cost * (1 - w.like_unit))
    for word in said:
        found = places.get(word)
        if found is None:
            continue
        gain = 0.0
        if word in words or word in amount.extra:
            gain = w.row_gain * (0.4 if word[0].isdigit() else 0.6)
        elif word in left:
            gain = w.alpha * left[word]
        for r, cost in found:
            scores[r] += w.row_miss * cost + gain
            full[r] -= cost >= 0.3
            if not hit[r]:
                hit[r] = True
                scores[r] += UNHIT
    itself = (amount.singular or amount.counted) and not words
    unit = amount.volume_unit
    for r, row in enumerate(rows):
        if itself and hit[r] and full[r] <= 0:
            scores[r] += w.self_row
        if unit and not row.default and row.volume_unit != unit:
            scores[r] -= w.wrong_cup
        scores[r] += unmissed[r]
    if scores:
        floor = max(scores) - _ROW_MARGIN
        for r, row in enumerate(rows):
            if scores[r] < floor:
                continue
            low, mid, high = count.low / row.lead, count.mid / row.lead, count.high / row.lead
            if row.default:
                stated = not words and not amount.counted
            else:
                stated = missing - unmissed[r] < 0.3
            if row.lead != 1.0 and not row.default and not amount.counted:
                low = mid = high = 1.0
            if unit and amount.volume_ml is not None and row.volume_unit == unit:
                low, mid, high = (v / row.volume_ml for v in amount.volume_ml)
            options.append(
                Option(
                    food,
                    food_score + scores[r] - missing,
                    (row.grams * low, row.grams * mid, row.grams * high),
                    row.name,
                    "default" if row.default or not amount.said else "measure",
                    stated and amount.said,
                    "",
                    food_score,
                )
            )
    if amount.volume_ml is not None or amount.household:
        options.extend(_volume_options(food, food_score, rows, amount, said, doc_terms))
    if not options:
        nan = float("nan")
        options.append(Option(food, food_score - 1.0, (nan, nan, nan), "", "default", False, "", food_score))
    return options


_VAGUE = {"serving": 0.1, "unit": 0.1, "piece": 0.7, "order": 0.6, "drink": 0.3, "round": 0.3, "inch": 0.2}


def _word_cost(word: str, cost: float) -> float:
    if word[0].isdigit():
        return cost * 0.5
    return cost * _VAGUE.get(word, 1.0)


#: the density assumed when a food has no volume measure of its own, g/ml
_ASSUMED = (0.4, 1.0, 1.1)


def _volume_options(
    food: int,
    food_score: float,
    rows: Sequence[Row],
    amount: Amount,
    said: set[str],
    doc_terms: frozenset[str],
) -> list[Option]:
    """Stated or household volumes by the food's own volume measures."""
    if amount.volume_ml is not None:
        low, mid, high = amount.volume_ml
        penalty, stated, what = 1.0, True, f"{mid:.4g} ml"
    else:
        household = amount.household
        if household is None:
            return []
        name, span = household
        count = amount.count
        low, mid, high = span[0] * count.low, span[1] * count.mid, span[2] * count.high
        penalty, stated, what = 0.8, False, f"'{name}' taken as {mid:.4g} ml"
    found = _density(rows, said | doc_terms)
    if found is None:
        thin, usual, thick = _ASSUMED
        return [
            Option(
                food,
                food_score - penalty - 2.5,
                (low * thin, mid * usual, high * thick),
                "ml",
                "measure",
                False,
                f"{what}; 1 g = 1 ml assumed: the food has no volume measure of its own",
                food_score,
            )
        ]
    density, row = found
    return [
        Option(
            food,
            food_score - penalty - (0.4 if amount.volume_unit != row.volume_unit else 0.1),
            (low * density, mid * density, high * density),
            row.name,
            "measure",
            stated,
            f"{what} at {density:.3f} g/ml, from this food's '{row.name}' = {row.grams:g} g",
            food_score,
        )
    ]
