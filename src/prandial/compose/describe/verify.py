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
    is_dish,
    names_of,
    no_food,
    too_general,
    word_senses,
)
from prandial.compose.describe.governing import LINKS, amounts_of, fits, fits_together, serving_of
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
_SAME_G: Final = 0.05
#: tokens behind a mention and its amount in which the measure may be said
_ZONE: Final = 8
#: from here a word is the noun of a name
_NOUN: Final = 3.0
#: words behind grams that do not begin a food's name
_NOT_FOOD_NEXT: Final = frozenset(
    "and with along plus for in to as but while alongside then followed paired on at or each "
    "together respectively too also total during when which that is was".split()
)
#: words with which a phrase may say more of the food before it
_OF_LAST: Final = frozenset("with on in of from made using".split())


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
            links=self._links(),
            preferred=[self._segment(a) if a is not None else None for a in self.by_value],
        )
        self.used: set[int] = {id(a) for a in self.by_value if a is not None}
        self.together: dict[int, int] = {}
        self._walled: dict[int, set[int]] = {}
        self.faults: list[Fault] = []
        self.doubts: list[Fault] = []

    def outcome(self) -> Verification:
        for stated in self.grams:
            if stated.malformed:
                said = self._quote(stated.start, stated.end)
                self._fault("number_malformed", None, f"the number in {said!r} is malformed")
        self._exchange()
        self.together = self._together()
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
        self._extra_phrases()
        return Verification(
            text=self.text, faults=tuple(self.faults), doubts=tuple(self.doubts)
        )

    def _amounts(self) -> list[Stated]:
        """Return amounts but for shares and for numbers that are part of a name."""
        named = {pair for i in self.items for pair in _pairs(i.name)}
        out = []
        for a in read_amounts(self.tokens):
            follows = [t.stem for t in self.tokens[a.end : a.end + 1]]
            in_name = a.exact and (self.tokens[a.end - 1].text, *follows) in named
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
            if t.text in LINKS
            and not (t.text == "with" and k and too_general(tokens[k - 1].stem))
        )

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
        return amounts_of(self.tokens, self.amounts, mention, others, self._walls(k))

    def _walls(self, k: int) -> set[int]:
        """Return words of foods that are not this item's."""
        if k not in self._walled:
            self._walled[k] = {
                at
                for at, sense in enumerate(self.senses)
                if not any(self.names[k].told(s) for s in sense)
                and (
                    self._strange(at)
                    or any((t := n.told(s)) and t[0] >= _NOUN for n in self.names for s in sense)
                )
            }
        return self._walled[k]

    def _unnamed(self, k: int, stated: Stated | None, amount: str) -> None:
        """Fail an item that nothing names, unless its weight stands with words unaccounted for."""
        item = self.items[k]
        if stated is not None:
            shared = self._named_with(k)
            if shared is not None:
                self.doubts.append(
                    Fault(
                        kind="food_missing",
                        item=k,
                        reason=f"{item.name}: named together with {self.items[shared].name}?",
                    )
                )
                return
            start, end = self._segment(stated)
            left = [at for at in range(start, end) if self._unknown(at)]
            if left and not any(self._is_food(at) for at in left):
                said = " ".join(self.tokens[at].text for at in left)
                self.doubts.append(
                    Fault(kind="food_missing", item=k, reason=f"{item.name}: is it {said!r}?")
                )
                return
        self._fault("food_missing", k, f"{item.name} ({amount}) is not named")

    def _named_with(self, k: int) -> int | None:
        """Return an item of the same noun that is named: "onions weighing 7 g and 2 g"."""
        nouns = {w for w, told in self.names[k].words.items() if told >= _NOUN}
        for n, names in enumerate(self.names):
            theirs = {w for w, told in names.words.items() if told >= _NOUN}
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

    def _serving(self, k: int) -> None:
        """Check an item that is said in household measures."""
        item, mention = self.items[k], self.mentions[k]
        measures = " or ".join(
            dict.fromkeys(f"{t:g} x {m}" if t != 1 else m for m, t in item.servings[:3])
        )
        if k in self.together:
            said = self.items[self.together[k]].name
            reason = f"{item.name}: counted together with {said}?"
            self.doubts.append(Fault(kind="amount_wrong", item=k, reason=reason))
            return
        if mention is None:
            self._fault("food_missing", k, f"{item.name} ({measures}) is not named")
            return
        stated = self._others(mention, k)
        if not stated:
            self._fault("amount_missing", k, f"{item.name}: {measures} is not stated")
            return
        self.used.update(id(a) for a in stated)
        first, zone = min(stated[0].start, mention.start), self._zone(mention, stated)
        servings = [serving_of(m, t) for m, t in item.servings]
        numbers, unit = fits(stated, zone, servings, self.names[k])
        said = self._quote(first, max(mention.end, stated[-1].end))
        if not numbers:
            self._fault("amount_wrong", k, f"{item.name}: {said!r}, not {measures}")
        elif not unit:
            reason = f"{item.name}: {said!r} leaves out the measure of {measures}"
            if item.certain:
                self._fault("amount_wrong", k, reason)
            else:
                self.doubts.append(Fault(kind="amount_wrong", item=k, reason=reason))

    def _exchange(self) -> None:
        """Give mentions of the same words to the items whose servings they state."""
        for i, one in enumerate(self.items):
            for j in range(i):
                other = self.items[j]
                if not (one.servings and other.servings and self._same_words(i, j)):
                    continue
                as_is = self._said(i, i) + self._said(j, j)
                if sum(self._said(i, j) + self._said(j, i)) > sum(as_is):
                    self.mentions[i], self.mentions[j] = self.mentions[j], self.mentions[i]

    def _together(self) -> dict[int, int]:
        """Return items that one number counts, where the other has none of its own."""
        out: dict[int, int] = {}
        for i, one in enumerate(self.items):
            for j, other in enumerate(self.items):
                mention = self.mentions[i]
                if i == j or mention is None or not (one.servings and other.servings):
                    continue
                if self._said(i, i)[0] or self._said(j, j)[0]:
                    continue
                both = [[serving_of(m, t) for m, t in item.servings] for item in (one, other)]
                if fits_together(self._others(mention, i), *both):
                    out |= {i: j, j: i}
        return out

    def _same_words(self, i: int, j: int) -> bool:
        """Tell whether each of two items could be what the other's mention names."""
        return self._could_be(i, j) and self._could_be(j, i)

    def _could_be(self, k: int, at: int) -> bool:
        mention = self.mentions[at]
        if mention is None:
            return False
        told = [self.names[k].told(s) for p in mention.places for s in self.senses[p]]
        return any(t is not None and t[0] >= 1 for t in told)

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
        return self.tokens[first : max(mention.end, stated[-1].end) + _ZONE]

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
        for stated in self.grams:
            start, end = self._segment(stated)
            if id(stated) in self.used or self._again(stated, start, end):
                continue
            strange = [self.tokens[at].text for at in range(start, end) if self._unknown(at)]
            said = self._quote(stated.start, stated.end)
            if strange:
                what = " ".join(strange[:4])
                self._fault("food_invented", None, f"{said} of {what!r} is not in the meal")
            else:
                self._fault("amount_invented", None, f"{said} is the amount of no item")

    def _again(self, stated: Stated, start: int, end: int) -> bool:
        """Tell whether grams say again what is known: an item's weight, or that of them all."""
        known = [(k, i.grams) for k, i in enumerate(self.items) if i.grams is not None]
        if abs(stated.value - sum(g for _, g in known)) <= _SAME_G:
            return True
        near = [k for k, g in known if abs(stated.value - g) <= _SAME_G]
        strange = any(self._strange(at) for at in range(start, end))
        return any(self._affinity(k, stated) >= 1 or not strange for k in near)

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

    def _extra_phrases(self) -> None:
        """Fail "some milk", "a cup of milk" where the milk of the meal is another one."""
        owned = {p for m in self.mentions if m is not None for p in m.places}
        inside = {k for m in self.mentions if m is not None for k in range(m.start, m.end)}
        starts = {a.start: a.end for a in self.amounts if id(a) not in self.used}
        starts |= {k: k + 1 for k, t in enumerate(self.tokens) if t.text == "some"}
        for at, begin in sorted(starts.items()):
            if at in inside:
                continue
            end = self._phrase_end(begin)
            counted = self.tokens[at].text not in ("a", "an", "another")
            loose = counted or any(self.tokens[k].text == "of" for k in range(begin, end))
            strange = [
                k
                for k in range(begin, end)
                if k not in owned and (self._strange(k) or (loose and self._dish(k)))
            ]
            if not strange or owned & set(range(begin, end)):
                continue
            if not self._of_last(at, strange):
                said = self._quote(at, end)
                self._fault("food_invented", None, f"{said!r} is not in the meal")

    def _phrase_end(self, begin: int) -> int:
        starts = {a.start for a in self.amounts}
        for k in range(begin, len(self.tokens)):
            text = self.tokens[k].text
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

    def _of_last(self, at: int, strange: Sequence[int]) -> bool:
        """Tell whether a phrase says more of the food before it: "with a chocolate coating"."""
        loose = self.tokens[at].text != "some" and not any(i.servings for i in self.items)
        if loose and self.tokens[at].number is None:
            return not any(self._unknown(k) for k in strange)
        before = [(m.end, k) for k, m in enumerate(self.mentions) if m and m.end <= at]
        if not before:
            return False
        names = self.names[max(before)[1]]
        most = 9.0 if at and self.tokens[at - 1].text in _OF_LAST else 1.0
        told = [max(filter(None, map(names.told, self.senses[k])), default=None) for k in strange]
        return all(t is not None and t[0] <= most for t in told)

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
