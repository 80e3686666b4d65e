"""From matched spans to items with grams, nutrients, status and steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from prandial.meal.doubt import doubt_of, signs_of
from prandial.meal.match import Match, Matcher
from prandial.meal.portions import Option
from prandial.meal.reading import Reading
from prandial.meal.spread import Floats, GroupValues, bands_of, item_draws, option_shares
from prandial.records import Band, Candidate, Food, MealItem, Portion, Source, Status
from prandial.tables import FoodTable, RangeConstants, load_range_constants

__all__ = ["UNUSED", "ItemMaker", "Made", "unmatched_item"]

#: a step that begins so names words of an item that neither food nor measure explains
UNUSED: Final = "words not used"

_CANDIDATES: Final = 5
#: an amount above this is not believed
_MOST_GRAMS: Final = 100_000.0
_KEPT_ITEMS: Final = 4_000


#: an item's portion, nutrients, steps and candidates once it has bands
Banded = tuple[Portion | None, Mapping[str, Band | None], tuple[str, ...], tuple[Candidate, ...]]


@dataclass(frozen=True, slots=True)
class Made:
    """An item with what its range is made of.

    Attributes
    ----------
    item : MealItem
        Its bands are without width until :meth:`ItemMaker.with_bands`.
    draws : ndarray or None
        Grams and nutrients, shape (1 + nutrients, DRAWS); None without grams.
    sure : float
        Share of the reading taken, 0 to 1.
    match : Match or None
    readings : tuple of (Option, share)
        What the words may mean, best first.
    text : str
        The item's words.
    span : tuple of int
        Their character range.
    banded : dict
        tails -> portion, nutrients and steps with bands, made once; None where
        the writer stated a nutrient.
    """

    item: MealItem
    draws: Floats | None = None
    sure: float = 0.0
    match: Match | None = None
    readings: tuple[tuple[Option, float], ...] = ()
    text: str = ""
    span: tuple[int, int] = (0, 0)
    banded: dict[tuple[float, float], Banded] | None = None

    def place(self) -> tuple[float, str, str]:
        """Order among the items of a meal, whatever their order in the text."""
        food, portion = self.item.food, self.item.portion
        return (portion.grams.mid if portion else 0.0, food.food_id if food else "", self.text)


def unmatched_item(text: str, span: tuple[int, int], why: str) -> Made:
    """Return an item whose food is not known."""
    item = MealItem(text=text, span=span, status="unmatched", steps=(why,))
    return Made(item, text=text, span=span)


class ItemMaker:
    """Makes items for one table; results for equal spans are kept.

    Parameters
    ----------
    table : FoodTable
    matcher : Matcher
    """

    def __init__(
        self, table: FoodTable, matcher: Matcher, constants: RangeConstants | None = None
    ) -> None:
        self.table = table
        self.constants = constants or load_range_constants()
        self._groups = GroupValues(table)
        self.matcher = matcher
        self._foods: dict[int, Food] = {}
        self._sources: dict[int, Source] = {}
        self._made: dict[tuple[int, tuple[int, ...], bool], Made] = {}
        self._alive: dict[int, Match] = {}

    def _source(self, row: int) -> Source:
        found = self._sources.get(row)
        if found is None:
            found = self._sources[row] = self.table.source(row)
        return found

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
        *,
        abroad: bool = False,
    ) -> Made:
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
        abroad : bool
            The country is given and is not that of the table.

        Returns
        -------
        Made
        """
        key = (id(match), columns, abroad)
        made = self._made.get(key)
        if made is None:
            made = self._make(match, columns, abroad)
            if len(self._made) > _KEPT_ITEMS:
                self._made.clear()
                self._alive.clear()
            self._made[key] = made
            self._alive[id(match)] = match
        text = reading.text[span[0] : span[1]]
        if not stated:
            return Made(
                *(made.item, made.draws, made.sure, match, made.readings),
                *(text, span, made.banded),
            )
        nutrients = dict(made.item.nutrients)
        draws = made.draws
        steps = made.item.steps
        for name, value in stated:
            if name == "energy_kj":
                name, value = "energy_kcal", value / 4.184
            if name in nutrients:
                nutrients[name] = Band.exact(value)
                if draws is not None:
                    draws = draws.copy()
                    draws[1 + list(nutrients).index(name)] = value
                steps = (*steps, f"{name} {value:g}: stated in the text, used instead of the table")
        item = replace(made.item, nutrients=nutrients, steps=steps)
        return Made(item, draws, made.sure, match, made.readings, text, span)

    def with_bands(self, made: Made, tails: tuple[float, float] | None) -> MealItem:
        """Return the item with bands that leave out a share of the draws at each end.

        Without tails its bands have no width; a flat row shows none of them.
        """
        item = made.item
        kept = made.banded
        if tails is None:
            banded: Banded = (item.portion, item.nutrients, item.steps, item.candidates)
        elif kept is not None and tails in kept:
            banded = kept[tails]
        else:
            banded = self._banded(made, tails)
            if kept is not None:
                kept[tails] = banded
        portion, nutrients, steps, candidates = banded
        return MealItem(
            text=made.text,
            span=made.span,
            status=item.status,
            food=item.food,
            portion=portion,
            nutrients=dict(nutrients),
            candidates=candidates,
            steps=steps,
        )

    def _banded(self, made: Made, tails: tuple[float, float]) -> Banded:
        item, draws = made.item, made.draws
        if draws is None or item.portion is None:
            return item.portion, dict(item.nutrients), item.steps, item.candidates
        names = list(item.nutrients)
        known = [k for k, n in enumerate(names) if item.nutrients[n] is not None]
        mids = [item.portion.grams.mid]
        mids += [b.mid for b in item.nutrients.values() if b is not None]
        grams, *bands = bands_of(draws[[0, *(1 + k for k in known)]], mids, tails)
        nutrients = dict(item.nutrients)
        nutrients.update(zip((names[k] for k in known), bands, strict=True))
        step = f"grams: {grams.mid:.1f} ({grams.low:.1f} to {grams.high:.1f})"
        portion = replace(item.portion, grams=grams)
        options, shares = zip(*made.readings, strict=True)
        return portion, nutrients, (*item.steps, step), self._candidates(options, shares)

    def _candidates(
        self, options: Sequence[Option], shares: Sequence[float]
    ) -> tuple[Candidate, ...]:
        table = self.table
        return tuple(
            Candidate(
                food_id=table.ids[o.food],
                name=table.names[o.food],
                source=self._source(o.food),
                measure=o.measure,
                grams=o.grams[1],
                score=o.score,
                share=s,
            )
            for o, s in zip(options[:_CANDIDATES], shares, strict=False)
        )

    def narrowed(
        self, made: Made, options: Sequence[Option], columns: tuple[int, ...], answer: str
    ) -> Made:
        """Return the item with the readings that an answer leaves."""
        if made.match is None:
            return made
        new = self._make(made.match, columns, False, options)
        item = replace(new.item, steps=(*new.item.steps, f"answered: {answer}"))
        return replace(new, item=item, text=made.text, span=made.span)

    def _make(
        self,
        match: Match,
        columns: tuple[int, ...],
        abroad: bool,
        left: Sequence[Option] | None = None,
    ) -> Made:
        table = self.table
        options = match.options if left is None else left
        best = options[0]
        shares = option_shares(options, self.constants.temperature)
        keys = [table.nutrient_keys[c] for c in columns]
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
            item = MealItem(
                text="",
                span=(0, 0),
                status="amount_unknown",
                food=self.food(best.food),
                nutrients=dict.fromkeys(keys),
                candidates=self._candidates(options, shares),
                steps=(
                    *self._food_steps(match, best, shares),
                    why,
                ),
            )
            return Made(item, match=match)
        signs = signs_of(match, options, shares, self.matcher, abroad=abroad)
        doubt = doubt_of(signs, self.constants) if left is None else 0.0
        draws = item_draws(
            table,
            options,
            shares,
            columns,
            quantity=match.amount.count.mid,
            doubt=doubt,
            groups=self._groups,
            said=match.amount.said,
            abroad=abroad,
        )
        rows = table.per_100g[best.food].tolist()
        bands = [
            None if math.isnan(rows[c]) else Band.exact(rows[c] / 100.0 * best.factor * grams_said)
            for c in columns
        ]
        status: Status = "matched" if best.stated else "estimated"
        item = MealItem(
            text="",
            span=(0, 0),
            status=status,
            food=self.food(best.food),
            portion=Portion(
                quantity=quantity,
                measure=best.measure,
                grams=Band.exact(grams_said),
                basis=best.basis,
            ),
            nutrients=dict(zip(keys, bands, strict=True)),
            steps=(*self._food_steps(match, best, shares), *_gram_steps(match, best)),
        )
        readings = tuple(zip(options, shares, strict=False))
        return Made(item, draws, (1.0 - doubt) * shares[0], match, readings, banded={})

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
            steps.append(f"{UNUSED}: " + ", ".join(unused))
        if q.negated:
            steps.append("ruled out by the text: " + ", ".join(q.negated))
        if q.implied:
            steps.append("words implied: " + ", ".join(dict.fromkeys(q.implied)))
        return tuple(steps)


def _gram_steps(match: Match, best: Option) -> tuple[str, ...]:
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
    return tuple(steps)
