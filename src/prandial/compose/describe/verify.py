"""Check that a text states every item of a meal with its amount, and nothing else.

Works on texts made here and on published ones: foods may be paraphrased, numbers written as
words. What is certain fails the text; what may be a paraphrase is a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prandial.compose.describe.amounts import grams_text
from prandial.compose.describe.foods import is_talk, names_of
from prandial.compose.describe.governing import fits, fits_together, serving_of, unit_words
from prandial.compose.describe.matched import NOUN, SLACK_G, Matched
from prandial.compose.describe.reading import Stated, read_tokens
from prandial.compose.describe.stating import (
    Fault,
    FaultKind,
    ItemToState,
    Verification,
    items_to_state,
)
from prandial.records.composed import DescribedMeal

__all__ = ["verify_described", "verify_text"]

_SAME_G: Final = 0.05
#: characters of a text that is still read, and more for each item
_LONG: Final = 1_000
_LONG_EACH: Final = 250
#: tokens that may part a phrase from the rest of its food
_HEAD: Final = 2.0
#: tokens from a word of talk to what it is about
_NEAR_TALK: Final = 4
_NEXT: Final = 12
#: words with which a phrase may say more of the food before it
#: words behind which another food comes
_ADDED: Final = frozenset(("plus", "alongside"))
_ALONG: Final = frozenset(("along", "together", "paired", "followed"))
#: words behind the noun of a phrase
_BEHIND_NOUN: Final = frozenset("from with on in made of without".split())
#: signs and words between the foods of a list
_PARTED: Final = frozenset((*",;.:+/", "and", "plus", "along", "followed", "together"))
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
        text. A text of more than 1,000 characters and 250 for each item is not read: it fails
        as ``text_too_long``.
    """
    most = _LONG + _LONG_EACH * len(items)
    if len(text) > most:
        reason = f"{len(text)} characters, more than {most}: not read"
        return Verification(
            text=text, faults=(Fault(kind="text_too_long", item=None, reason=reason),)
        )
    return _Check(text, items).outcome()


class _Check(Matched):
    """One text while it is checked."""

    def __init__(self, text: str, items: Sequence[ItemToState]) -> None:
        super().__init__(text, items)
        self.together: dict[int, int] = {}
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
                self._nothing(k)
                continue
            if item.servings:
                self._serving(k)
            else:
                self._weight(k)
        self._swapped()
        self._extra_amounts()
        self._extra_foods()
        self._extra_phrases()
        return Verification(text=self.text, faults=tuple(self.faults), doubts=tuple(self.doubts))

    def _nothing(self, k: int) -> None:
        """Doubt a text that does not state an item of which nothing was eaten; it need not."""
        if self.mentions[k] is None or self.by_value[k] is None:
            reason = f"{self.items[k].name}: 0 g eaten, not stated"
            self.doubts.append(Fault(kind="amount_missing", item=k, reason=reason))

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
        elif item.grams is None and (said_so := self._others(mention, k) or self._elsewhere(k)):
            self.used.update(id(a) for a in said_so)
            self.doubts.append(
                Fault(kind="amount_missing", item=k, reason=f"{item.name}: not in grams")
            )
        else:
            self._fault("amount_missing", k, f"{item.name}: {grams} is not stated")

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
        if item.certain and not self._named_itself(k):
            self._fault("food_missing", k, f"{item.name} is named by {measures} alone")
            return
        stated = self._others(mention, k) or self._elsewhere(k)
        if not stated:
            reason = f"{item.name}: {measures} is not stated"
            if any(t.text == "each" for t in self.tokens[: mention.end]):
                self.doubts.append(Fault(kind="amount_missing", item=k, reason=reason))
            else:
                self._fault("amount_missing", k, reason)
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

    def _named_itself(self, k: int) -> bool:
        """Tell whether a word of the food's own name is said, not of its measure alone."""
        own = names_of(self.items[k].name)
        if not any(told >= 1 for told in own.words.values()):
            return True  # a name of general words
        told = (own.told(s) for sense in self.senses for s in sense)
        return any(t is not None and t[0] >= 1 for t in told)

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
                if self._said(i, i)[0] or not self._one_of_them(j):
                    continue
                both = [[serving_of(m, t) for m, t in item.servings] for item in (one, other)]
                if fits_together(self._others(mention, i), *both):
                    out |= {i: j, j: i}
        return out

    def _one_of_them(self, j: int) -> bool:
        """Tell whether an item has no number of its own, or is "one with ..."."""
        mention = self.mentions[j]
        stated = self._others(mention, j) if mention is not None else []
        if not stated:
            return True
        return self.tokens[stated[0].start].text == "one" and self._named_with(j) is not None

    def _same_words(self, i: int, j: int) -> bool:
        """Tell whether each of two items could be what the other's mention names."""
        return self._could_be(i, j) and self._could_be(j, i)

    def _could_be(self, k: int, at: int) -> bool:
        mention = self.mentions[at]
        if mention is None:
            return False
        told = [self.names[k].told(s) for p in mention.places for s in self.senses[p]]
        return any(t is not None and t[0] >= 1 for t in told)

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
        return one is not None and other is not None and abs(one - other) <= SLACK_G

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
            fault = Fault(kind="food_invented", item=None, reason=f"{said!r} is not in the meal")
            food = any(self._is_food(k) for k in range(at, end)) and not self._talk(at, end)
            (self.faults if food else self.doubts).append(fault)
            at = end

    def _talk(self, at: int, end: int) -> bool:
        """Tell whether a food's word is talk: "a craving for chocolate", "a sugar boost"."""
        around = (*self.tokens[max(0, at - _NEAR_TALK) : at], *self.tokens[end : end + 2])
        return any(is_talk(t.stem) for t in around)

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
            if self._before_bracket(at, owned | inside):
                continue
            strange = [k for k in self._strange_words(at, begin, end) if k not in owned]
            if not strange or owned & set(range(begin, end)):
                continue
            if self._talk(at, end) or any(is_talk(t.stem) for t in self.tokens[begin:end]):
                continue
            if self._restated(at, begin, end) or self._of_measure(at, begin, end):
                continue
            if not (self._of_last(at, strange) or self._of_next(at, end, strange)):
                said = self._quote(at, end)
                self._fault("food_invented", None, f"{said!r} is not in the meal")

    def _before_bracket(self, at: int, owned: set[int]) -> bool:
        """Fail "soft taco (one taco)" where no item explains a word before the bracket."""
        if not at or self.tokens[at - 1].text != "(":
            return False
        first = at - 1
        while first and (self.tokens[first - 1].text not in _PARTED or first - 1 in self.counted):
            first -= 1
        before = range(first, at - 1)
        if any(a.start in before for a in self.amounts):
            return False  # "two bottles (500 ml) of water"
        if owned & set(before) or not any(self._strange(k) or self._dish(k) for k in before):
            return False
        said = self._quote(first, at - 1)
        self._fault("food_invented", None, f"{said!r} is not in the meal")
        return True

    def _strange_words(self, at: int, begin: int, end: int) -> list[int]:
        """Return what may name a food in "some ...", "a ...", "two cups of ...".

        The more certain it is that an amount is stated, the more general the words may be.
        """
        article = self.tokens[at].text in ("a", "an", "another")
        unit = [k for k in range(begin, end) if self._is_unit(k)]
        if article and not unit:
            strange = [k for k in range(begin, end) if self._strange(k)]
            # "..., along with a breakfast bar": its noun is general, and still one thing more
            return strange or [k for k in self._head(begin, end) if self._added(at)]
        first = unit[0] + 1 if unit else begin
        if unit and end == first:
            return unit
        return [
            k for k in range(first, end) if self._strange(k) or self._dish(k) or self._unknown(k)
        ]

    def _head(self, begin: int, end: int) -> list[int]:
        """Return the noun of a phrase where it is a general one: "bar" of "breakfast bar"."""
        behind = (k for k in range(begin, end) if self.tokens[k].text in _BEHIND_NOUN)
        last = next(behind, end) - 1
        return [last] if last >= begin and self._dish(last) else []

    def _of_measure(self, at: int, begin: int, end: int) -> bool:
        """Tell whether a bracket says more of a measure: "a sandwich (1 slice bread)"."""
        bare = not any(self._strange(k) or self._dish(k) for k in range(begin, end))
        if not bare and (not at or self.tokens[at - 1].text not in ("(", ";")):
            return False
        close = next((k for k in range(end, len(self.tokens)) if self.tokens[k].text == ")"), end)
        if bare and "of" in [t.text for t in self.tokens[close : close + 2]]:
            return False
        said = {t.stem for t in self.tokens[begin:end] if t.word}
        measures = [m for i in self.items for m, _ in i.servings]
        return any(said <= {t.stem for t in read_tokens(m)} for m in measures)

    def _restated(self, at: int, begin: int, end: int) -> bool:
        """Tell whether "a ..." names an item in full once more."""
        if self.tokens[at].text not in ("a", "an", "one", "1"):
            return False
        if self.tokens[at + 1].text == "single":
            return False
        if any(self._is_unit(k) for k in range(begin, end)):
            return False
        spoken = [k for k in range(begin, end) if self._strange(k) or self._unknown(k)]
        for names in self.names:
            heads = {w for w, told in names.words.items() if told >= _HEAD}
            told = [names.told(s) for k in range(begin, end) for s in self.senses[k]]
            own = all(any(names.told(s) for s in self.senses[k]) for k in spoken)
            if own and heads and heads <= {t[1] for t in told if t is not None}:
                return True
        return False

    def _is_unit(self, at: int) -> bool:
        """Tell whether a unit stands here, with "of" or a note in brackets behind it."""
        if self.tokens[at].stem not in unit_words() or at + 1 >= len(self.tokens):
            return False
        return self.tokens[at + 1].text in ("of", "(")

    def _of_last(self, at: int, strange: Sequence[int]) -> bool:
        """Tell whether a phrase says more of the food before it: "with a chocolate coating"."""
        article = self.tokens[at].text in ("a", "an", "another")
        if article and not any(i.servings for i in self.items):
            return not any(self._unknown(k) for k in strange)
        before = [(m.end, k) for k, m in enumerate(self.mentions) if m and m.end <= at]
        if not before:
            return False
        names = self.names[max(before)[1]]
        counted = not article and self.tokens[at].text != "some"
        most = 0.0 if counted else 1.0
        if self._added(at) or (at and self.tokens[at - 1].text in ",;"):
            most = 0.0 if not article else most
        elif at and self.tokens[at - 1].text in _OF_LAST:
            most = NOUN
        told = [max(filter(None, map(names.told, self.senses[k])), default=None) for k in strange]
        return all(t is not None and t[0] <= most for t in told)

    def _added(self, at: int) -> bool:
        """Tell whether what comes is told as one thing more: "along with some ..."."""
        before = [t.text for t in self.tokens[max(0, at - 2) : at]]
        if not before:
            return False
        return before[-1] in _ADDED or (before[-1] in ("with", "by") and before[0] in _ALONG)

    def _of_next(self, at: int, end: int, strange: Sequence[int]) -> bool:
        """Tell whether a phrase begins the food named next: "a cup of pasta with a sauce"."""
        plain = (
            self.tokens[at].text in ("a", "an", "another") and self.tokens[at + 1].text != "single"
        )
        if not plain and end < len(self.tokens) and self.tokens[end].text in ",;":
            return False  # but "a hamburger, a Whopper" is one
        after = [(m.start, k) for k, m in enumerate(self.mentions) if m and m.start >= end]
        if not after or min(after)[0] > end + _NEXT:
            return False
        names = self.names[min(after)[1]]
        return all(any(names.told(s) for s in self.senses[k]) for k in strange)

    def _fault(self, kind: FaultKind, item: int | None, reason: str) -> None:
        self.faults.append(Fault(kind=kind, item=item, reason=reason))
