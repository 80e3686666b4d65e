"""From an amount and a food's measures to grams, with how they came about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from prandial.meal.amounts import Amount
from prandial.meal.measures import LIGHT, UNHIT, FoodMeasures, MeasureBook, Row, is_listed
from prandial.meal.weights import Weights
from prandial.records import Basis
from prandial.units import MASS_G

__all__ = [
    "Draft",
    "Option",
    "Said",
    "draft_options",
    "draft_weighed",
    "finish",
    "is_weighed",
    "prepare",
    "scaled",
]


@dataclass(slots=True)
class Option:
    """One reading of a span: a food, its grams and how they came about.

    ``by_unit`` tells that the quantity is the number of the unit said (0.5
    cup), not a count of measures; ``factor`` is grams of the table's food in one
    gram as said.
    """

    food: int
    score: float
    grams: tuple[float, float, float]
    measure: str
    basis: Basis
    stated: bool
    step: str
    food_score: float
    by_unit: bool = False
    factor: float = 1.0


def _density(rows: Sequence[Row], words: AbstractSet[str]) -> tuple[float, Row] | None:
    """Grams a millilitre from the volume measure that shares most words."""
    best: tuple[float, Row] | None = None
    best_key: tuple[float, ...] = ()
    for row in rows:
        if row.volume_ml > 0:
            held = len(row.words & words)
            key = (held - len(row.words), held, row.volume_ml)
            if best is None or key > best_key:
                best, best_key = (row.grams / row.volume_ml, row), key
    return best


#: units that stand for one another in everyday speech
_LIKE: Final[dict[str, tuple[str, ...]]] = {
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
#: words that rule out a weight before cooking
_COOKED: Final = frozenset(("cook", "cooked", "boil", "boiled"))
#: a count of pieces is not a count of usual servings, where the food has a piece
_COUNT_IS_NO_SERVING: Final = 3.0
#: cost of taking a named measure when no amount was said
_NOTHING_SAID: Final = 1.5
#: words of a measure that is simply one of the food
_WHOLE: Final = ("fruit", "whole", "each", "nut", "berry")
#: sizes; a food whose measures have none is not held to them
_SIZES: Final = frozenset(("small", "medium", "large"))
#: measures this far below a food's best are not kept
_ROW_MARGIN: Final = 3.5
#: words of less weight do not count as said when measures are compared
_SPOKEN: Final = 0.45
#: an amount is stated when less than this cost of its words is unsaid
_UNSAID: Final = 0.3


@dataclass(slots=True)
class Said:
    """The amount words of a span, prepared once for all its foods.

    Attributes
    ----------
    amount : Amount
    wanted : list of (word, cost, other words)
        Unit and size words, what it costs when a measure lacks them, and the
        words that may stand in for them.
    gains : dict
        word -> what a measure gains by holding it, for all words said.
    weights : dict
        word -> what a measure gains by holding it where the food lacks it.
    words : frozenset of str
        Unit and size words.
    itself : bool
        One of the food is meant: "an apple", "2 almonds".
    nothing : bool
        No amount was said at all.
    lookup : list of (word, gain, gain where the food lacks it)
        The gains, ready for going through.
    """

    amount: Amount
    wanted: list[tuple[str, float, tuple[str, ...]]]
    gains: dict[str, float]
    weights: dict[str, float]
    words: frozenset[str]
    itself: bool
    nothing: bool
    lookup: list[tuple[str, float, float]]


def prepare(
    terms: Sequence[tuple[str, float]],
    sizes: Sequence[str],
    amount: Amount,
    implied: Sequence[str],
    w: Weights,
) -> Said:
    """Prepare the amount words of a span.

    Parameters
    ----------
    terms : sequence of (word, weight)
        Words of the span with the cost paid for those a food lacks.
    sizes : sequence of str
        Size words of the span.
    amount : Amount
    implied : sequence of str
        Words suggested by the span.
    w : Weights

    Returns
    -------
    Said
    """
    words = frozenset((*amount.words, *sizes))
    wanted = [(a, _word_cost(a, w.unit_miss), _LIKE.get(a, ())) for a in sorted(words)]
    gains = dict.fromkeys(implied, 0.0)
    weights = {}
    for word, weight in terms:
        if weight > _SPOKEN:
            gains[word] = 0.0
            weights[word] = w.alpha * weight
    for word in (*amount.words, *sizes, *amount.extra):
        gains[word] = w.row_gain * (0.4 if word[0].isdigit() else 0.6)
    itself = (amount.singular or amount.counted) and not words
    if itself:
        for word in (*_WHOLE, "medium") if amount.counted else _WHOLE:
            gains.setdefault(word, 0.0)
    nothing = not (amount.said or amount.singular or words)
    lookup = [(word, gain, gain or weights.get(word, 0.0)) for word, gain in gains.items()]
    return Said(amount, wanted, gains, weights, words, itself, nothing, lookup)


def _ounces(food: int, food_score: float, rows: Sequence[Row], said: Said) -> Option | None:
    """Ounces by the food's own ounce measure (fluid, dry-yield, with bone)."""
    amount = said.amount
    if amount.mass_g is None:
        return None
    fluid = next((r for r in rows if r.volume_unit == "fl oz" and r.lead == 1), None)
    best = fluid
    if best is None:
        own = [r for r in rows if r.volume_unit == "oz" and r.lead == 1 and r.volume_ml == 0]
        off_scale = amount.stated is not None and amount.stated.mid % 1  # "8.47 oz"
        if (off_scale or not _COOKED.isdisjoint(said.gains)) and "dry" not in said.gains:
            own = [r for r in own if "dry" not in r.words]
        if not own:
            return None
        best = max(
            own, key=lambda r: (len(r.words & said.gains.keys()), -abs(r.grams - MASS_G["oz"]))
        )
        if abs(best.grams - MASS_G["oz"]) < 0.4 or amount.package:
            return None
    factor = best.grams / MASS_G["oz"]
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
        by_unit=True,
    )


#: (minus score, food, place, food score, cost unsaid, finished option or None);
#: sorts best first, and only the best are finished
Draft = tuple[float, int, int, float, float, "Option | None"]
_LAST: Final = 1_000_000
#: place of a stated weight, which needs no measure
_WEIGHED: Final = _LAST + 1


def is_weighed(amount: Amount) -> bool:
    """Tell whether a stated weight is taken as it is, whatever the food's measures."""
    return amount.mass_g is not None and "oz" not in amount.extra


def draft_weighed(food: int, food_score: float) -> Draft:
    """Return the draft of a food whose weight is stated."""
    return (-food_score, food, _WEIGHED, food_score, 0.0, None)


def draft_options(
    food: int,
    doc_terms: AbstractSet[str],
    food_score: float,
    said: Said,
    book: MeasureBook,
    w: Weights,
) -> list[Draft]:
    """List the ways a food's grams could follow from what was said.

    Parameters
    ----------
    food : int
        Row of the food.
    doc_terms : set of str
        Words of the food document that matched.
    food_score : float
    said : Said
    book : MeasureBook
    w : Weights

    Returns
    -------
    list of Draft
        In no order; never empty.
    """
    measures = book.of(food)
    rows = measures.rows
    amount = said.amount
    if amount.mass_g is not None:
        if "oz" in amount.extra:
            ounce = _ounces(food, food_score, rows, said)
            if ounce is not None:
                return [_finished(ounce)]
        score = food_score
        if w.listed_grams and is_listed(amount.mass_g[1], rows):
            score += w.listed_grams
        return [draft_weighed(food, score)]
    drafts: list[Draft] = []
    if rows:
        scores, unmissed, missing = _row_scores(measures, doc_terms, said, w)
        floor = max(scores) - _ROW_MARGIN
        cost = missing - food_score
        drafts = [
            (cost - score, food, r, food_score, missing - unmissed[r], None)
            for r, score in enumerate(scores)
            if score >= floor
        ]
    if amount.volume_ml is not None or amount.household:
        words = doc_terms | said.gains.keys()
        drafts.append(_finished(_volume_option(food, food_score, rows, amount, words)))
    if not drafts:
        nan = float("nan")
        grams = (nan, nan, nan)
        option = Option(food, food_score - 1.0, grams, "", "default", False, "", food_score)
        drafts.append(_finished(option))
    return drafts


def _finished(option: Option) -> Draft:
    return (-option.score, option.food, _LAST, option.food_score, 0.0, option)


def scaled(option: Option, factor: float) -> Draft:
    """Return an option whose food weighs ``factor`` grams in one gram as said."""
    return _finished(replace(option, factor=factor))


def finish(draft: Draft, amount: Amount, book: MeasureBook) -> Option:
    """Return the option of a draft."""
    minus, food, place, food_score, unsaid, option = draft
    if option is not None:
        return option
    if place == _WEIGHED:
        return _weighed_option(food, food_score, amount)
    return _row_option(food, food_score, -minus, book.of(food).rows[place], amount, unsaid)


def _weighed_option(food: int, food_score: float, amount: Amount) -> Option:
    """Take a stated weight as it is."""
    grams = amount.mass_g or (math.nan, math.nan, math.nan)
    unit = amount.stated_unit
    if amount.package and amount.stated is not None:
        unit = f"package of {amount.stated.mid / (amount.count.mid or 1.0):g} {unit}"
    step = f"stated weight {grams[1]:g} g"
    return Option(food, food_score, grams, unit, "weighed", True, step, food_score, by_unit=True)


def _row_scores(
    measures: FoodMeasures, doc_terms: AbstractSet[str], said: Said, w: Weights
) -> tuple[list[float], list[float], float]:
    """Score a food's measures; also what each saves of the cost of missing words."""
    scores = measures.base.copy()
    places = measures.places
    full: dict[int, int] = {}
    for word, gain, gain_where_lacking in said.lookup:
        if word not in places:
            continue
        if not gain and word not in doc_terms:
            gain = gain_where_lacking
        for r, cost in places[word]:
            scores[r] += w.row_miss * cost + gain
            if r not in full:
                full[r] = measures.heavy[r]
                scores[r] += UNHIT
            if cost >= LIGHT:
                full[r] -= 1
    if said.itself or said.nothing:
        _prefer_pieces(scores, measures, full, said, w)
    if said.amount.volume_unit:
        _prefer_unit(scores, measures, said.amount.volume_unit, w)
    if not said.wanted:
        return scores, measures.none, 0.0
    unmissed, missing = _wanted(measures, doc_terms, said, w)
    for r, saved in enumerate(unmissed):
        scores[r] += saved
    return scores, unmissed, missing


def _prefer_unit(scores: list[float], measures: FoodMeasures, unit: str, w: Weights) -> None:
    """Prefer the measures in the unit said."""
    for r, row in enumerate(measures.rows):
        if not row.default and row.volume_unit != unit:
            scores[r] -= w.wrong_cup


def _prefer_pieces(
    scores: list[float], measures: FoodMeasures, full: dict[int, int], said: Said, w: Weights
) -> None:
    """Prefer one of the food for a count, and the usual amount when nothing is said."""
    default = measures.default
    if said.itself:
        single = [r for r, lacking in full.items() if lacking <= 0]
        for r in single:
            scores[r] += w.self_row
        if said.amount.counted:  # "2 almonds" counts nuts, not cups, bags or usual amounts
            barred = (*default, *measures.volumes)
            for r in range(len(scores)) if single else barred:
                scores[r] -= 0.0 if r in single else _COUNT_IS_NO_SERVING
    if said.nothing and default:
        for r in range(len(scores)):
            if r not in default:
                scores[r] -= _NOTHING_SAID


def _wanted(
    measures: FoodMeasures, doc_terms: AbstractSet[str], said: Said, w: Weights
) -> tuple[list[float], float]:
    """Return what each measure saves by holding the wanted words, and their cost in all."""
    places = measures.places
    unmissed = measures.none.copy()
    missing = 0.0
    for word, full_cost, likes in said.wanted:
        if word in doc_terms and not word[0].isdigit():
            continue
        cost = full_cost
        if word in _SIZES and _SIZES.isdisjoint(places):
            cost = full_cost * w.odd_size
        missing += cost
        holders = [r for r, _ in places[word]] if word in places else ()
        for r in holders:
            unmissed[r] += cost
        if likes:
            held = cost * (1 - w.like_unit)
            for like in likes:
                for r, _ in places.get(like, ()):
                    if r not in holders:
                        unmissed[r] = max(unmissed[r], held)
    return unmissed, missing


def _row_option(
    food: int, food_score: float, score: float, row: Row, amount: Amount, unsaid: float
) -> Option:
    count = amount.count
    low, mid, high = count.low / row.lead, count.mid / row.lead, count.high / row.lead
    if row.lead != 1.0 and not row.default and not amount.counted:
        low = mid = high = 1.0
    by_unit = amount.volume_ml is not None and row.volume_unit == amount.volume_unit
    if amount.volume_ml is not None and by_unit:
        low, mid, high = (v / row.volume_ml for v in amount.volume_ml)
    stated = (not amount.words and not amount.counted) if row.default else unsaid < _UNSAID
    return Option(
        food,
        score,
        (row.grams * low, row.grams * mid, row.grams * high),
        row.name,
        "default" if row.default or not amount.said else "measure",
        stated and amount.said,
        "",
        food_score,
        by_unit=by_unit,
    )


_VAGUE = {
    "serving": 0.1,
    "unit": 0.1,
    "piece": 0.7,
    "order": 0.6,
    "drink": 0.3,
    "round": 0.3,
    "inch": 0.2,
}


def _word_cost(word: str, cost: float) -> float:
    if word[0].isdigit():
        return cost * 0.5
    return cost * _VAGUE.get(word, 1.0)


#: the density assumed when a food has no volume measure of its own, g/ml
_ASSUMED: Final = (0.4, 1.0, 1.1)


def _volume_option(
    food: int, food_score: float, rows: Sequence[Row], amount: Amount, words: AbstractSet[str]
) -> Option:
    """Take a stated or household volume by the food's own volume measures."""
    penalty, stated, mid = 1.0, True, 0.0
    by_unit = amount.volume_ml is not None
    measure = amount.stated_unit if by_unit else (amount.household or ("",))[0]
    if amount.volume_ml is not None:
        low, mid, high = amount.volume_ml
        what = f"{mid:.4g} ml"
    else:
        name, span = amount.household or ("", (0.0, 0.0, 0.0))
        count = amount.count
        low, mid, high = span[0] * count.low, span[1] * count.mid, span[2] * count.high
        penalty, stated, what = 0.8, False, f"'{name}' taken as {mid:.4g} ml"
    found = _density(rows, words)
    if found is None:
        thin, usual, thick = _ASSUMED
        return Option(
            food,
            food_score - penalty - 2.5,
            (low * thin, mid * usual, high * thick),
            measure,
            "measure",
            False,
            f"{what}; 1 g = 1 ml assumed: the food has no volume measure of its own",
            food_score,
            by_unit=by_unit,
        )
    density, row = found
    return Option(
        food,
        food_score - penalty - (0.4 if amount.volume_unit != row.volume_unit else 0.1),
        (low * density, mid * density, high * density),
        measure,
        "measure",
        stated,
        f"{what} at {density:.3f} g/ml, from this food's '{row.name}' = {row.grams:g} g",
        food_score,
        by_unit=by_unit,
    )
