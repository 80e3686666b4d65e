"""From an amount and a food's measures to grams, with how they came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prandial.meal.amounts import Amount
from prandial.meal.index import FoodIndex
from prandial.meal.measures import MeasureBook, Row
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
        if row.volume_ml > 0 and not row.guideline:
            extra = len(row.words - words)
            key = (-extra, len(row.words & words), row.volume_ml)
            if best is None or key > best_key:
                best, best_key = (row.grams / row.volume_ml, row), key
    return best


#: units that stand for one another in everyday speech
_LIKE = {
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
}


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
    rows = book.rows(food)
    count = amount.count
    words = set(amount.words)
    words.update(sizes)
    left = {t: v for t, v in terms if t not in doc_terms}
    said = words | {t for t, _ in terms}
    said.update(implied)
    if amount.mass_g is not None:
        if "oz" in words:
            ounce = _ounces(food, food_score, rows, amount, said)
            if ounce is not None:
                return [ounce]
        mid = amount.mass_g[1]
        step = f"stated weight {mid:g} g"
        return [Option(food, food_score, amount.mass_g, "g", "weighed", True, step, food_score)]
    options: list[Option] = []
    wanted = [a for a in words if not (a in doc_terms and not a[0].isdigit())]
    for row in rows:
        if row.guideline:
            continue
        score = food_score + w.row_prior * row.share
        missing = 0.0
        for a in wanted:
            if a in row.words:
                continue
            cost = _word_cost(a, w.unit_miss)
            if any(b in row.words for b in _LIKE.get(a, ())):
                cost *= w.like_unit
            missing += cost
        score -= missing
        if row.default:
            stated = not wanted and not amount.counted
        else:
            stated = missing < 0.3
            hit = False
            whole = bool(row.words)
            for word, cost in row.costs:
                if word in said:
                    hit = True
                    refund = left.get(word)
                    if refund is not None and word not in words:
                        score += w.alpha * refund
                    elif word in words:
                        score += w.row_gain * (0.4 if word[0].isdigit() else 0.6)
                else:
                    whole = whole and cost < 0.3
                    score -= w.row_miss * cost
            if whole and (amount.singular or amount.counted) and not words:
                score += w.self_row
            if not hit and row.words:
                score -= 0.5
            if amount.volume_unit and row.volume_unit != amount.volume_unit:
                score -= w.wrong_cup
        low, mid, high = count.low / row.lead, count.mid / row.lead, count.high / row.lead
        if row.lead != 1.0 and not row.default and not amount.counted:
            low = mid = high = 1.0
        options.append(
            Option(
                food,
                score,
                (row.grams * low, row.grams * mid, row.grams * high),
                row.name,
                "default" if row.default else ("measure" if amount.said else "default"),
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


_VAGUE = {"serving": 0.1, "unit": 0.1, "piece": 0.7, "order": 0.6, "drink": 0.3, "round": 0.3}


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
