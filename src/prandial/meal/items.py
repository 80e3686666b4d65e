"""From matched spans to items with grams, nutrients, status and steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from prandial.meal.match import Match, Matcher
from prandial.meal.portions import Option
from prandial.meal.reading import Reading
from prandial.meal.spread import item_bands, option_shares
from prandial.records import Band, Candidate, Food, MealItem, Portion, Status
from prandial.tables import FoodTable

__all__ = ["ItemMaker", "unmatched_item"]

_CANDIDATES: Final = 5
#: an amount above this is not believed
_MOST_GRAMS: Final = 100_000.0
_KEPT_ITEMS: Final = 12_000


def unmatched_item(text: str, span: tuple[int, int], why: str) -> MealItem:
    """Return an item whose food is not known."""
    return MealItem(text=text, span=span, status="unmatched", steps=(why,))


class ItemMaker:
    """Makes items for one table; results for equal spans are kept.

    Parameters
    ----------
    table : FoodTable
    matcher : Matcher
    """

    def __init__(self, table: FoodTable, matcher: Matcher) -> None:
        self.table = table
        self.matcher = matcher
        self._foods: dict[int, Food] = {}
        self._made: dict[tuple[int, tuple[int, ...]], MealItem] = {}
        self._alive: dict[int, Match] = {}

    def food(self, row: int) -> Food:
        """Return a food's record (kept)."""
        found = self._foods.get(row)
        if found is None:
            found = self._foods[row] = self.table.food(row)
        return found

    def make(
        self,
        reading: Reading,
        span: tuple[int, int],
        match: Match,
        columns: tuple[int, ...],
        stated: Sequence[tuple[str, float]],
    ) -> MealItem:
        """Make the item of a matched span.

        Parameters
        ----------
        reading : Reading
        span : tuple of int
            Character range of the item.
        match : Match
        columns : tuple of int
            Nutrient columns.
        stated : sequence of (nutrient, value)
            Nutrients the writer stated for this item.

        Returns
        -------
        MealItem
        """
        key = (id(match), columns)
        made = self._made.get(key)
        if made is None:
            made = self._make(match, columns)
            if len(self._made) > _KEPT_ITEMS:
                self._made.clear()
                self._alive.clear()
            self._made[key] = made
            self._alive[id(match)] = match
        nutrients = dict(made.nutrients)
        steps = made.steps
        for name, value in stated:
            if name == "energy_kj":
                name, value = "energy_kcal", value / 4.184
            if name in nutrients:
                nutrients[name] = Band.exact(value)
                steps = (*steps, f"{name} {value:g}: stated in the text, used instead of the table")
        return MealItem(
            text=reading.text[span[0] : span[1]],
            span=span,
            status=made.status,
            food=made.food,
            portion=made.portion,
            nutrients=nutrients,
            candidates=made.candidates,
            steps=steps,
        )

    def _make(self, match: Match, columns: tuple[int, ...]) -> MealItem:
        table = self.table
        options = match.options
        best = options[0]
        weights = self.matcher.index.weights
        shares = option_shares(options, weights.temperature)
        keys = [table.nutrient_keys[c] for c in columns]
        candidates = tuple(
            Candidate(
                food_id=table.ids[o.food],
                name=table.names[o.food],
                source=table.source(o.food),
                measure=o.measure,
                grams=o.grams[1],
                score=o.score,
                share=s,
            )
            for o, s in zip(options[:_CANDIDATES], shares, strict=False)
        )
        count = match.amount.count
        if best.by_unit and match.amount.stated is not None and not match.amount.package:
            count = match.amount.stated
        quantity = Band(low=count.low, mid=count.mid, high=count.high)
        grams_said = best.grams[1]
        if math.isnan(grams_said) or grams_said > _MOST_GRAMS:
            why = (
                "amount: not said, and the table has none"
                if math.isnan(grams_said)
                else f"amount: {grams_said:.3g} g is more than a meal can weigh; not used"
            )
            return MealItem(
                text="",
                span=(0, 0),
                status="amount_unknown",
                food=self.food(best.food),
                nutrients=dict.fromkeys(keys),
                candidates=candidates,
                steps=(
                    *self._food_steps(match, best, shares),
                    why,
                ),
            )
        grams, bands = item_bands(table, options, shares, columns, match.amount.count.mid)
        status: Status = "matched" if best.stated else "estimated"
        return MealItem(
            text="",
            span=(0, 0),
            status=status,
            food=self.food(best.food),
            portion=Portion(quantity=quantity, measure=best.measure, grams=grams, basis=best.basis),
            nutrients=dict(zip(keys, bands, strict=True)),
            candidates=candidates,
            steps=(*self._food_steps(match, best, shares), *_gram_steps(match, best, grams)),
        )

    def _food_steps(self, match: Match, best: Option, shares: Sequence[float]) -> tuple[str, ...]:
        table = self.table
        q = match.query
        share = sum(s for o, s in zip(match.options, shares, strict=False) if o.food == best.food)
        source = table.source(best.food)
        steps = [
            (
                f"food: {table.names[best.food]} ({source.table} {source.release} {source.id}),"
                f" share {share:.0%}; head word '{q.head}'"
            )
        ]
        if q.staple:
            steps.append(q.staple)
        steps += [f"spelling: '{a}' read as '{b}'" for a, b in q.corrected]
        if q.unknown:
            steps.append("words no food has: " + ", ".join(q.unknown))
        unused = self.matcher.unused_words(match)
        if unused:
            steps.append("words not used: " + ", ".join(unused))
        if q.negated:
            steps.append("ruled out by the text: " + ", ".join(q.negated))
        if q.implied:
            steps.append("words implied: " + ", ".join(dict.fromkeys(q.implied)))
        return tuple(steps)


def _gram_steps(match: Match, best: Option, grams: Band) -> tuple[str, ...]:
    amount = match.amount
    steps = list(amount.notes)
    count = amount.count
    if best.by_unit and amount.stated is not None and not amount.package:
        count = amount.stated
    said = f"{count.mid:g}" if count.low == count.high else f"{count.low:g} to {count.high:g}"
    if best.step:
        steps.append("amount: " + best.step)
    elif best.basis == "default":
        steps.append(f"amount: usual amount of this food ('{best.measure}') x {said}")
    else:
        steps.append(f"amount: '{best.measure}' x {said}")
    steps.append(f"grams: {grams.mid:.1f} ({grams.low:.1f} to {grams.high:.1f})")
    return tuple(steps)
