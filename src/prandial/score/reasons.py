"""Why an estimate missed its label: classes worked out by rule.

docs/error-browser.md tells the same rules in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.records import Estimate, MealItem
from prandial.score.gold import GoldItem
from prandial.score.numbers import LIMITS, Outcome
from prandial.score.pairing import Pair, name_words, pair_items, same_food

__all__ = [
    "REASONS",
    "ItemReview",
    "guess_reason",
    "item_reason",
    "marks_of",
    "review_items",
]

#: reason -> (label, what the rule is)
REASONS: Final[dict[str, tuple[str, str]]] = {
    "not_answered": ("not answered", "there is no estimate"),
    "missed_item": ("missed item", "a gold item has no counterpart in the estimate"),
    "extra_item": ("extra item", "an estimated item has no counterpart in the gold list"),
    "segmentation": ("segmentation", "two gold items were read as one item, or one as two"),
    "other_group": ("wrong food, other group", "another food of another category"),
    "sibling": ("wrong food, same group", "another food of the same category"),
    "portion_by_food": (
        "wrong portion because wrong food",
        "another food, and most of the error comes from its grams",
    ),
    "wrong_portion": ("right food, wrong portion", "the gold food with other grams"),
    "unlisted_portion": (
        "unlisted food, wrong portion",
        "no food of the table has the gold name; most of the error comes from grams",
    ),
    "dry_or_cooked": (
        "unlisted food, as if dry for cooked",
        "no food of the table has the gold name; a word agrees, 100 g hold twice as much or half",
    ),
    "unlisted_similar": (
        "unlisted food, similar name",
        "no food of the table has the gold name; a word agrees with the food read",
    ),
    "unlisted_food": (
        "unlisted food",
        "no food of the table has the gold name; no word agrees with the food read",
    ),
    "unmatched_words": ("unmatched words", "an item has no food, or no grams"),
    "default_amount": (
        "amount not said",
        "a usual amount was used where it can matter: its range reaches beyond the limit",
    ),
    "unused_words": ("words not used", "words of an item that neither food nor measure explains"),
    "many_items": ("many items", "five or more items, so small errors add up"),
    "wide_range": ("label inside the range", "nothing of the above; the range holds the label"),
    "outside_range": ("label outside the range", "nothing of the above; the range misses it"),
    "left_out": ("as if one item were left out", "the error is one gold item's amount"),
    "said_zero": ("said zero", "the estimate is 0 and the label is not"),
    "tenfold": ("tenfold", "ten times the label or a tenth, within a fifth"),
    "about_double": ("about double", "twice the label, within a tenth"),
    "about_half": ("about half", "half the label, within a tenth"),
    "too_high": ("too high", "nothing of the above; more than the label"),
    "too_low": ("too low", "nothing of the above; less than the label"),
}

#: verdicts on items that need no explanation
_FINE: Final = frozenset(("right", "no_harm"))
_MANY_ITEMS: Final = 5
#: grams this close are the same portion
_NEAR_SHARE: Final = 0.05
_NEAR_G: Final = 1.0
#: an item's error below this share of the nutrient's usual limit does no harm
_NO_HARM: Final = 1 / 15
#: dry grain and flour hold two to four times as much as cooked
_DRY: Final = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemReview:
    """A gold item beside the item estimated for it; one of the two may be missing.

    ``verdict`` is a reason, or ``right`` or ``no_harm`` (another food with the
    same amount), or None without a gold list. ``error`` is estimate minus gold
    in the nutrient under review.
    """

    item: MealItem | None
    gold: GoldItem | None
    verdict: str | None
    error: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        gold = self.gold
        body = None if self.item is None else self.item.to_dict()
        if body is not None and self.item is not None:
            body.pop("candidates")
            if self.item.food is not None:
                body["food"]["category"] = self.item.food.category
        return {
            "item": body,
            "gold": None
            if gold is None
            else {
                "name": gold.name,
                "food_id": gold.food_id,
                "category": gold.category,
                "grams": None if gold.grams is None else round(gold.grams, 2),
                "amount": None if gold.amount is None else round(gold.amount, 3),
            },
            "verdict": self.verdict,
            "error": None if self.error is None else round(self.error, 3),
        }


def review_items(
    items: Sequence[MealItem], gold: Sequence[GoldItem] | None, *, nutrient: str
) -> tuple[ItemReview, ...]:
    """Set estimated items beside gold ones.

    Parameters
    ----------
    items : sequence of MealItem
    gold : sequence of GoldItem, optional
        None where the meal has no gold list.
    nutrient : str
        The nutrient under review.

    Returns
    -------
    tuple of ItemReview
    """
    if gold is None:
        return tuple(ItemReview(item=i, gold=None, verdict=None, error=None) for i in items)
    pairs = pair_items(gold, items)
    out = []
    for pair in pairs:
        g = None if pair.gold is None else gold[pair.gold]
        i = None if pair.item is None else items[pair.item]
        verdict, error = _judge(g, i, nutrient)
        if verdict in ("missed_item", "extra_item") and _is_segmentation(pair, pairs, gold, items):
            verdict = "segmentation"
        out.append(ItemReview(item=i, gold=g, verdict=verdict, error=error))
    return tuple(out)


def _judge(gold: GoldItem | None, item: MealItem | None, nutrient: str) -> tuple[str, float | None]:
    band = None if item is None else item.nutrients.get(nutrient)
    if gold is None:
        return "extra_item", None if band is None else band.mid
    missing = None if gold.amount is None else -gold.amount
    if item is None:
        return "missed_item", missing
    if item.food is None or item.portion is None or band is None:
        return "unmatched_words", missing
    error = None if gold.amount is None else band.mid - gold.amount
    harmless = error is not None and abs(error) <= LIMITS.get(nutrient, 0.0) * _NO_HARM
    grams = item.portion.grams.mid
    if gold.food_id is None:
        return ("no_harm" if harmless else _unlisted(gold, item.food.name, grams, error)), error
    if same_food(gold, item):
        near = gold.grams is not None and abs(grams - gold.grams) <= max(
            _NEAR_G, _NEAR_SHARE * gold.grams
        )
        return ("right" if harmless or (error is None and near) else "wrong_portion"), error
    if harmless:
        return "no_harm", error
    if _by_grams(gold, grams, error):
        return "portion_by_food", error
    return ("sibling" if item.food.category == gold.category else "other_group"), error


def _by_grams(gold: GoldItem, grams: float, error: float | None) -> bool:
    """Tell whether most of an error comes from grams; False where that is unknown.

    error = density x (grams - gold grams) + (density - gold density) x gold grams
    """
    if error is None or gold.amount is None or not gold.grams or grams <= 0:
        return False
    by_grams = (gold.amount + error) / grams * (grams - gold.grams)
    return abs(by_grams) > abs(error - by_grams)


def _unlisted(gold: GoldItem, name: str, grams: float, error: float | None) -> str:
    """Return the verdict on a gold food whose name is not in the table."""
    if _by_grams(gold, grams, error):
        return "unlisted_portion"
    if not name_words(gold.name) & name_words(name):
        return "unlisted_food"
    if gold.amount and gold.grams and error is not None and grams > 0:
        ratio = (gold.amount + error) / grams / (gold.amount / gold.grams)
        if ratio >= _DRY or 0 < ratio <= 1 / _DRY:
            return "dry_or_cooked"
    return "unlisted_similar"


def _is_segmentation(
    pair: Pair, pairs: Sequence[Pair], gold: Sequence[GoldItem], items: Sequence[MealItem]
) -> bool:
    """Tell whether what is left over stands inside another pair's item or gold name."""
    if pair.gold is not None:
        heads = name_words(gold[pair.gold].name.split(",", 1)[0])
        return any(
            p.item is not None and p.gold != pair.gold and _most(heads, items[p.item].text)
            for p in pairs
        )
    said = name_words(items[pair.item].text) if pair.item is not None else frozenset()
    return any(
        p.gold is not None and p.item is not None and _most(said, gold[p.gold].name) for p in pairs
    )


def _most(words: frozenset[str], text: str) -> bool:
    return bool(words) and 2 * len(words & name_words(text)) >= len(words)


def marks_of(estimate: Estimate, outcome: Outcome, *, nutrient: str, limit: float) -> list[str]:
    """Return every reason that can be seen without a gold list, the strongest first.

    Parameters
    ----------
    estimate : Estimate
    outcome : Outcome
        Label and estimate of the nutrient under review.
    nutrient : str
    limit : float
        Largest error that counts as right.

    Returns
    -------
    list of str
    """
    items = estimate.items
    holds = outcome.covered
    seen = {
        "not_answered": outcome.mid is None,
        "unmatched_words": any(i.food is None or i.portion is None for i in items),
        "default_amount": any(
            i.portion is not None
            and i.portion.basis == "default"
            and (band := i.nutrients.get(nutrient)) is not None
            and max(band.high - band.mid, band.mid - band.low) > limit
            for i in items
        ),
        "unused_words": any(s.startswith("words not used") for i in items for s in i.steps),
        "many_items": len(items) >= _MANY_ITEMS,
        "wide_range": holds is True,
        "outside_range": holds is False,
    }
    return [k for k, yes in seen.items() if yes]


def item_reason(items: Sequence[ItemReview]) -> str | None:
    """Return the verdict to which most of the error belongs; None where no item has one."""
    weight: dict[str, float] = defaultdict(float)
    for review in items:
        if review.verdict is not None and review.verdict not in _FINE:
            weight[review.verdict] += 0.0 if review.error is None else abs(review.error)
    order = list(REASONS)
    return min(weight, key=lambda k: (-weight[k], order.index(k)), default=None)


def guess_reason(outcome: Outcome, gold: Sequence[GoldItem] | None) -> str:
    """Return the reason class of a number whose maker showed no items.

    Parameters
    ----------
    outcome : Outcome
    gold : sequence of GoldItem, optional

    Returns
    -------
    str
    """
    mid, truth = outcome.mid, outcome.truth
    if mid is None:
        return "not_answered"
    if mid == 0 and truth > 0:
        return "said_zero"
    if len(gold or ()) > 1 and any(
        g.amount and abs(truth - g.amount - mid) <= 0.05 * g.amount for g in gold or ()
    ):
        return "left_out"
    ratio = mid / truth if truth > 0 else 0.0
    for reason, factor, width in (
        ("tenfold", 10.0, 0.2),
        ("tenfold", 0.1, 0.2),
        ("about_double", 2.0, 0.1),
        ("about_half", 0.5, 0.1),
    ):
        if abs(ratio / factor - 1) <= width:
            return reason
    return "too_high" if mid > truth else "too_low"
