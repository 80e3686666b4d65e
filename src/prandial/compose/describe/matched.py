"""A text and the items it must state, matched: amounts to items, words to items.

What :mod:`prandial.compose.describe.verify` draws its conclusions from.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from prandial.compose.describe.foods import (
    food_nouns,
    is_dish,
    names_of,
    no_food,
    too_general,
    word_senses,
)
from prandial.compose.describe.governing import LINKS, amounts_of, fits, serving_of
from prandial.compose.describe.mentions import Mention, find_mentions
from prandial.compose.describe.reading import Stated, Token, read_amounts, read_tokens
from prandial.compose.describe.stating import ItemToState

__all__ = ["NOUN", "SLACK_G", "Matched"]

#: words after which another food begins
_TURNS: Final = frozenset("along alongside plus then also followed paired accompanied".split())
SLACK_G: Final = 1e-6
#: from here a word is the noun of a name
NOUN: Final = 3.0
#: from here it is a word of the name's first part
_HEAD: Final = 2.0
#: tokens behind a mention and its amount in which the measure may be said
_ZONE: Final = 8
#: words behind grams that do not begin a food's name
_NOT_FOOD_NEXT: Final = frozenset(
    "and with along plus for in to as but while alongside then followed paired on at or each "
    "together respectively too also total during when which that is was".split()
)


class Matched:
    """One text with its tokens, amounts, and the mention of each item."""

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
            links=self._links(),
            turns=frozenset(k for k, t in enumerate(self.tokens) if t.text in _TURNS),
            commas=frozenset(k for k, t in enumerate(self.tokens) if t.text in ",;+/"),
            ands=frozenset(k for k, t in enumerate(self.tokens) if t.text in ("and", "plus")),
            preferred=[self._segment(a) if a is not None else None for a in self.by_value],
        )
        self.used: set[int] = {id(a) for a in self.by_value if a is not None}
        self._walled: dict[int, set[int]] = {}

    def _amounts(self) -> list[Stated]:
        """Return amounts but for shares and for numbers that are part of a name."""
        inches = any("inch" in measure for i in self.items for measure, _ in i.servings)
        named = {pair for i in self.items for pair in _counted(i.name)}
        out = []
        for a in read_amounts(self.tokens):
            follows = [t.stem for t in self.tokens[a.end : a.end + 2]]
            ahead = self.tokens[a.end : a.end + 3]
            if [t.text for t in ahead[:1]] == ["-"] and [t.text for t in ahead[2:]] == ["%"]:
                continue  # "40-50% juice"
            if not inches and a.exact and any(t.stem == "inch" for t in ahead):
                continue
            said = (self.tokens[a.end - 1].text, *follows)
            in_name = a.exact and (said in named or said[:2] in named)
            if a.unit == "g" or not (in_name or a.unit == "%"):
                out.append(a)
            elif in_name and self.tokens[a.start].text in ("a", "an") and a.end > a.start + 1:
                out.append(Stated(a.start, a.start + 1, 1.0, exact=False))
        return out

    def _links(self) -> frozenset[int]:
        """Return words that join foods; "with" joins none in "a sandwich with egg"."""
        tokens = self.tokens
        return frozenset(
            k
            for k, t in enumerate(tokens)
            if t.text in LINKS and not (t.text == "with" and k and too_general(tokens[k - 1].stem))
        )

    def _by_value(self) -> list[Stated | None]:
        """Give each weighed item the grams that equal its own; the rarest value first."""
        out: list[Stated | None] = [None] * len(self.items)
        free = list(self.grams)
        fitting = {
            k: [a for a in free if _equal(a, i)]
            for k, i in enumerate(self.items)
            if not i.servings and i.grams is not None
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

    def _others(self, mention: Mention, k: int) -> list[Stated]:
        others = [m for n, m in enumerate(self.mentions) if m is not None and n != k]
        return amounts_of(
            self.tokens, self.amounts, mention, others, (self._walls(k), self._own(k))
        )

    def _own(self, k: int) -> set[int]:
        """Return words that tell of an item, however little."""
        names = self.names[k]
        return {at for at, sense in enumerate(self.senses) if any(map(names.told, sense))}

    def _elsewhere(self, k: int) -> list[Stated]:
        """Return the amounts stated where an item is named once more."""
        owned = {p for m in self.mentions if m is not None for p in m.places}
        for at, sense in enumerate(self.senses):
            told = [t for s in sense if (t := self.names[k].told(s)) is not None]
            if at not in owned and told and max(told)[0] >= _HEAD:
                stated = self._others(Mention(at, at + 1, 0.0, (at,)), k)
                if stated:
                    return stated
        return []

    def _walls(self, k: int) -> set[int]:
        """Return words of foods that are not this item's."""
        if k not in self._walled:
            self._walled[k] = {
                at
                for at, sense in enumerate(self.senses)
                if not any(self.names[k].told(s) for s in sense)
                and self.tokens[at].stem not in no_food()
                and (
                    self._strange(at)
                    or any((t := n.told(s)) and t[0] >= NOUN for n in self.names for s in sense)
                )
            }
        return self._walled[k]

    def _named_with(self, k: int) -> int | None:
        """Return an item of the same noun that is named: "onions weighing 7 g and 2 g"."""
        nouns = {w for w, told in self.names[k].words.items() if told >= NOUN}
        for n, names in enumerate(self.names):
            theirs = {w for w, told in names.words.items() if told >= NOUN}
            if n != k and self.mentions[n] is not None and nouns & theirs:
                return n
        return None

    def _gram_at(self, mention: Mention) -> Stated | None:
        """Return grams not yet given away in whose reach a mention stands."""
        for stated in self.grams:
            start, end = self._segment(stated)
            if id(stated) not in self.used and start <= mention.start < end:
                return stated
        return None

    def _said(self, k: int, at: int) -> tuple[bool, bool]:
        """Tell whether the amounts of another item's mention are a serving of this one."""
        mention = self.mentions[at]
        stated = self._others(mention, at) if mention is not None else []
        if mention is None or not stated:
            return False, False
        zone = self._zone(mention, stated)
        return fits(
            stated, zone, [serving_of(m, t) for m, t in self.items[k].servings], self.names[k]
        )

    def _zone(self, mention: Mention, stated: Sequence[Stated]) -> list[Token]:
        first = min(stated[0].start, mention.start)
        last = max(mention.end, stated[-1].end)
        other = [a.start for a in self.amounts if a.start >= last]
        other += [m.start for m in self.mentions if m is not None and m.start >= last]
        return self.tokens[first : min([last + _ZONE, *other])]

    def _phrase_end(self, begin: int) -> int:
        starts = {a.start for a in self.amounts}
        for k in range(begin, len(self.tokens)):
            text = self.tokens[k].text
            around = [t.text for t in self.tokens[k - 1 : k + 2]]
            if around == ["half", "and", "half"]:
                continue
            if k in starts or text in LINKS or text in ".,;:!?()" or text == "some":
                return k
        return len(self.tokens)

    def _strange(self, at: int) -> bool:
        """Tell whether a token is a food's word, whether or not an item explains it."""
        token = self.tokens[at]
        if not token.word or token.stem in no_food() or too_general(token.stem):
            return False
        return token.stem in food_nouns()

    def _dish(self, at: int) -> bool:
        return is_dish(self.tokens[at].stem)

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


@lru_cache(maxsize=100_000)
def _counted(name: str) -> frozenset[tuple[str, ...]]:
    """Return the words of a name with the two behind them, at its end the one: "two crust"."""
    tokens = read_tokens(name)
    out = []
    for k, token in enumerate(tokens[:-1]):
        after = [t.stem for t in tokens[k + 1 : k + 3] if t.word]
        out.append((token.text, *after))
    return frozenset(o for o in out if len(o) > 1)


def _senses(tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    senses = word_senses([t.stem for t in tokens])
    return [s if t.word else () for t, s in zip(tokens, senses, strict=True)]


def _equal(stated: Stated, item: ItemToState) -> bool:
    if item.grams is None:
        return False
    return abs(stated.value - item.grams) <= max(item.tolerance_g, SLACK_G)
