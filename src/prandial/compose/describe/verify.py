"""Check that a text states every item of a meal with its amount, and nothing else.

Works on texts made here and on published ones: foods may be paraphrased, numbers written as
words. What is certain fails the text; what may be a paraphrase is a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from prandial.compose.describe.amounts import grams_text
from prandial.compose.describe.foods import (
    food_nouns,
    names_of,
    no_food,
    too_general,
    word_senses,
)
from prandial.compose.describe.governing import amounts_of, fits, serving_of
from prandial.compose.describe.mentions import Mention, find_mentions
from prandial.compose.describe.reading import Stated, Token, read_amounts, read_tokens
from prandial.compose.describe.stating import (
    Fault,
    FaultKind,
    ItemToState,
    Verification,
    items_to_state,
)
from prandial.records.composed import DescribedMeal

__all__ = ["verify_described", "verify_text"]

_SLACK: Final = 1e-6
#: words behind grams that do not begin a food's name
_NOT_FOOD_NEXT: Final = frozenset(
    "and with along plus for in to as but while alongside then followed paired on at or each "
    "together respectively too also total during when which that is was".split()
)


def verify_described(described: DescribedMeal) -> Verification:
    """Verify the text of a described meal; see :func:`verify_text`."""
    return verify_text(described.text, items_to_state(described))


def verify_text(text: str, items: Sequence[ItemToState]) -> Verification:
    """Check a text against the items it must state.

    Parameters
    ----------
    text : str
    items : sequence of ItemToState

    Returns
    -------
    Verification
        ``food_missing``, ``amount_missing``, ``amount_wrong`` name an item;
        ``food_invented``, ``amount_invented`` and ``number_malformed`` name a place of the
        text.
    """
    return _Check(text, items).outcome()


class _Check:
    """One text while it is checked."""

    def __init__(self, text: str, items: Sequence[ItemToState]) -> None:
        self.text, self.items = text, items
        self.tokens = read_tokens(text)
        self.names = [names_of(i.name, tuple(m for m, _ in i.servings)) for i in items]
        self.senses = _senses(self.tokens)
        self.amounts = self._amounts()
        self.counted = {k for a in self.amounts for k in range(a.start, a.end)}
        weighed = ("g",) if any(i.servings for i in items) else ("g", "ml")
        self.grams = [a for a in self.amounts if a.unit in weighed]
        self.by_value = self._by_value()
        self.mentions = find_mentions(
            self.senses,
            self.names,
            barriers=frozenset(a.start for a in self.amounts),
            preferred=[self._segment(a) if a is not None else None for a in self.by_value],
        )
        self.used: set[int] = {id(a) for a in self.by_value if a is not None}
        self.faults: list[Fault] = []
        self.doubts: list[Fault] = []

    def outcome(self) -> Verification:
        for stated in self.grams:
            if stated.malformed:
                said = self._quote(stated.start, stated.end)
                self._fault("number_malformed", None, f"the number in {said!r} is malformed")
        for k, item in enumerate(self.items):
            if item.grams == 0:
                continue
            if item.servings:
                self._serving(k)
            else:
                self._weight(k)
        self._swapped()
        self._extra_amounts()
        self._extra_foods()
        return Verification(
            text=self.text, faults=tuple(self.faults), doubts=tuple(self.doubts)
        )

    def _amounts(self) -> list[Stated]:
        """Return amounts but for shares and for numbers that are part of a name."""
        named = {pair for i in self.items for pair in _pairs(i.name)}
        out = []
        for a in read_amounts(self.tokens):
            follows = [t.stem for t in self.tokens[a.end : a.end + 1]]
            in_name = a.exact and (self.tokens[a.start].text, *follows) in named
            if a.unit != "%" and (a.unit == "g" or not in_name):
                out.append(a)
        return out

    def _by_value(self) -> list[Stated | None]:
        """Give each weighed item the grams that equal its own; the rarest value first."""
        out: list[Stated | None] = [None] * len(self.items)
        free = list(self.grams)
        fitting = {
            k: [a for a in free if _equal(a, i)]
            for k, i in enumerate(self.items)
            if not i.servings and i.grams
        }
        for k in sorted(fitting, key=lambda k: (len(fitting[k]), k)):
            left = [a for a in fitting[k] if any(a is f for f in free)]
            if left:
                best = max(left, key=lambda a: self._affinity(k, a))
                out[k] = best
                free = [f for f in free if f is not best]
        return out

    def _affinity(self, k: int, stated: Stated) -> float:
        start, end = self._segment(stated)
        told = [self.names[k].told(s) for at in range(start, end) for s in self.senses[at]]
        return sum({word: weight for weight, word in filter(None, told)}.values())

    def _segment(self, stated: Stated) -> tuple[int, int]:
        """Return the tokens of the food whose weight is stated: behind it, or before it."""
        at = next(n for n, a in enumerate(self.grams) if a is stated)
        if self._leads(stated):
            after = self.grams[at + 1].start if at + 1 < len(self.grams) else len(self.tokens)
            return stated.end, after
        before = self.grams[at - 1].end if at else 0
        return before, stated.start

    def _leads(self, stated: Stated) -> bool:
        """Tell whether the food follows its weight: "20 g of carrots", not "carrots (20 g)"."""
        if stated.start and self.tokens[stated.start - 1].text == "(":
            return False
        if stated.end >= len(self.tokens):
            return False
        after = self.tokens[stated.end]
        return after.text == "of" or (after.word and after.text not in _NOT_FOOD_NEXT)

    def _weight(self, k: int) -> None:
        """Check an item that is said in grams."""
        item, stated, mention = self.items[k], self.by_value[k], self.mentions[k]
        grams = "an amount" if item.grams is None else f"{grams_text(item.grams)} g"
        if mention is None:
            self._unnamed(k, stated, grams)
            return
        if stated is not None:
            return
        near = self._gram_at(mention)
        if item.grams is None and near is not None:
            self.used.add(id(near))
        elif near is not None:
            self.used.add(id(near))
            said = self._quote(near.start, near.end)
            self._fault("amount_wrong", k, f"{item.name}: {said!r}, not {grams}")
        elif item.grams is None and self._others(mention, k):
            self.doubts.append(
                Fault(kind="amount_missing", item=k, reason=f"{item.name}: not in grams")
            )
        else:
            self._fault("amount_missing", k, f"{item.name}: {grams} is not stated")

    def _others(self, mention: Mention, k: int) -> list[Stated]:
        others = [m for n, m in enumerate(self.mentions) if m is not None and n != k]
        return amounts_of(self.tokens, self.amounts, mention, others)

    def _unnamed(self, k: int, stated: Stated | None, amount: str) -> None:
        """Fail an item that nothing names, unless its weight stands with words unaccounted for."""
        item = self.items[k]
        if stated is not None:
            start, end = self._segment(stated)
            left = [at for at in range(start, end) if self._unknown(at)]
            if left and not any(self._is_food(at) for at in left):
                said = " ".join(self.tokens[at].text for at in left)
                self.doubts.append(
                    Fault(kind="food_missing", item=k, reason=f"{item.name}: is it {said!r}?")
                )
                return
        self._fault("food_missing", k, f"{item.name} ({amount}) is not named")

    def _gram_at(self, mention: Mention) -> Stated | None:
        """Return grams not yet given away in whose reach a mention stands."""
        for stated in self.grams:
            start, end = self._segment(stated)
            if id(stated) not in self.used and start <= mention.start < end:
                return stated
        return None

    def _serving(self, k: int) -> None:
        """Check an item that is said in household measures."""
        item, mention = self.items[k], self.mentions[k]
        measures = " or ".join(
            dict.fromkeys(f"{t:g} x {m}" if t != 1 else m for m, t in item.servings[:3])
        )
        if mention is None:
            self._fault("food_missing", k, f"{item.name} ({measures}) is not named")
            return
        stated = self._others(mention, k)
        if not stated:
            self._fault("amount_missing", k, f"{item.name}: {measures} is not stated")
            return
        self.used.update(id(a) for a in stated)
        first = min(stated[0].start, mention.start)
        zone = self.tokens[first : max(mention.end, stated[-1].end) + 6]
        numbers, unit = fits(stated, zone, [serving_of(m, t) for m, t in item.servings])
        said = self._quote(first, max(mention.end, stated[-1].end))
        if not numbers:
            self._fault("amount_wrong", k, f"{item.name}: {said!r}, not {measures}")
        elif not unit:
            reason = f"{item.name}: {said!r} leaves out the measure of {measures}"
            if item.certain:
                self._fault("amount_wrong", k, reason)
            else:
                self.doubts.append(Fault(kind="amount_wrong", item=k, reason=reason))

    def _swapped(self) -> None:
        """Fail two items whose weights each stand with the other's name."""
        for i, one in enumerate(self.by_value):
            for j in range(i):
                other = self.by_value[j]
                if one is None or other is None or self._alike(i, j):
                    continue
                if self._stands_with(i, other) and self._stands_with(j, one):
                    names = f"{self.items[j].name} and {self.items[i].name}"
                    self._fault("amount_wrong", i, f"the weights of {names} are exchanged")

    def _alike(self, i: int, j: int) -> bool:
        one, other = self.items[i].grams, self.items[j].grams
        return one is not None and other is not None and abs(one - other) <= _SLACK

    def _stands_with(self, k: int, stated: Stated) -> bool:
        """Tell whether an item is named where another's weight is stated, and not at its own."""
        mention, own = self.mentions[k], self.by_value[k]
        if mention is None or own is None or not (self._leads(stated) and self._leads(own)):
            return False
        start, end = self._segment(stated)
        return start <= mention.start < end and self._affinity(k, own) < 1

    def _extra_amounts(self) -> None:
        """Fail grams that belong to no item, unless they say again what is known."""
        known = [i.grams for i in self.items if i.grams]
        for stated in self.grams:
            if id(stated) in self.used or _again(stated, known):
                continue
            start, end = self._segment(stated)
            strange = [self.tokens[at].text for at in range(start, end) if self._unknown(at)]
            said = self._quote(stated.start, stated.end)
            if strange:
                what = " ".join(strange[:4])
                self._fault("food_invented", None, f"{said} of {what!r} is not in the meal")
            else:
                self._fault("amount_invented", None, f"{said} is the amount of no item")

    def _extra_foods(self) -> None:
        """Fail names of foods that no item explains."""
        at = 0
        while at < len(self.tokens):
            end = at
            while end < len(self.tokens) and self._unknown(end):
                end += 1
            if end == at:
                at += 1
                continue
            said = self._quote(at, end)
            fault = Fault(
                kind="food_invented", item=None, reason=f"{said!r} is not in the meal"
            )
            food = any(self._is_food(k) for k in range(at, end))
            (self.faults if food else self.doubts).append(fault)
            at = end

    def _unknown(self, at: int) -> bool:
        """Tell whether a token is a word that neither an item nor plain speech explains."""
        token = self.tokens[at]
        if not token.word or len(token.text) < 3 or at in self.counted:
            return False
        if token.stem in no_food() or token.text in no_food() or too_general(token.stem):
            return False
        return all(n.told(s) is None for n in self.names for s in self.senses[at])

    def _is_food(self, at: int) -> bool:
        return self.tokens[at].stem in food_nouns()

    def _quote(self, start: int, end: int) -> str:
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def _fault(self, kind: FaultKind, item: int | None, reason: str) -> None:
        self.faults.append(Fault(kind=kind, item=item, reason=reason))


@lru_cache(maxsize=100_000)
def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a name two by two: its numbers with what they count."""
    tokens = read_tokens(name)
    return tuple((a.text, b.stem) for a, b in zip(tokens, tokens[1:], strict=False))


def _senses(tokens: Sequence[Token]) -> list[frozenset[str]]:
    senses = word_senses([t.stem for t in tokens])
    return [s if t.word else frozenset() for t, s in zip(tokens, senses, strict=True)]


def _equal(stated: Stated, item: ItemToState) -> bool:
    if item.grams is None:
        return False
    return abs(stated.value - item.grams) <= max(item.tolerance_g, _SLACK)


def _again(stated: Stated, known: Sequence[float]) -> bool:
    sums = (*known, sum(known))
    return any(abs(stated.value - g) <= 0.05 for g in sums)
