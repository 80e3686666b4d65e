"""Published meals found again among the recalls, by foods and grams, and their labels checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from prandial.records.composed import EatenMeal

__all__ = ["LabelMatch", "LabelReason", "PublishedMeal", "find_labels", "stated_grams"]

#: why a published meal has no recall: its foods cannot be told; a food's name is not one of
#: the reference; its text does not state one weight a food; its foods and grams are part of
#: what a larger meal holds; its foods were eaten together, in other grams; they never were
LabelReason = Literal[
    "", "no_items", "name_unknown", "grams_not_stated", "part_of_larger", "other_grams", "no_meal"
]
_GRAMS: Final = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)[\s-]*(?:g|gm|grams?)\b", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedMeal:
    """A published meal: what it is made of and what its label says.

    Parameters
    ----------
    id : str
    foods : tuple of str
        Names as in the reference release; empty where they are not known.
    grams : tuple of float
        As its text states them, in any order.
    label : mapping of str to float
        Totals by nutrient (``carb_g``, ...).
    """

    id: str
    foods: tuple[str, ...]
    grams: tuple[float, ...]
    label: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelMatch:
    """What was found of a published meal.

    Parameters
    ----------
    id : str
    reason : LabelReason
        Why nothing was found; empty where something was.
    recalls : mapping of str to int
        Recalled meals of the same foods and grams by cycle.
    example : EatenMeal, optional
        The first of them.
    off : mapping of str to float
        By nutrient the recalled total less the label: of several recalls whose totals differ
        (the same weights on other foods), of the nearest in sum.
    """

    id: str
    reason: LabelReason
    recalls: Mapping[str, int] = field(default_factory=dict)
    example: EatenMeal | None = None
    off: Mapping[str, float] = field(default_factory=dict)

    def equal(self, within: float = 0.01) -> bool:
        """Tell whether every total is that of the label; no is the answer without a recall."""
        return bool(self.off) and all(abs(v) <= within + 1e-9 for v in self.off.values())


def stated_grams(text: str) -> tuple[float, ...]:
    """Return the weights in grams that a text states, in its order.

    Examples
    --------
    >>> stated_grams("28.35 grams of cheese, a 1,200-gram melon and 5g of salt")
    (28.35, 1200.0, 5.0)
    """
    return tuple(float(found.replace(",", "")) for found in _GRAMS.findall(text))


def _centigrams(grams: float) -> int:
    return round(grams * 100)


@dataclass(slots=True)
class _Found:
    """Recalls of one published meal, while they are looked for."""

    meal: PublishedMeal
    weights: tuple[int, ...]
    recalls: Counter[str] = field(default_factory=Counter)
    example: EatenMeal | None = None
    off: dict[str, float] = field(default_factory=dict)
    other_grams: bool = False
    larger: bool = False

    def take(self, recall: EatenMeal) -> None:
        self.recalls[recall.cycle] += 1
        totals = {n: recall.total(n) for n in self.meal.label}
        off = {n: t - self.meal.label[n] for n, t in totals.items() if t is not None}
        if self.example is None or _far(off) < _far(self.off):
            self.example, self.off = self.example or recall, off

    def match(self) -> LabelMatch:
        reason: LabelReason = ""
        if not self.recalls:
            reason = "no_meal"
            if self.larger:
                reason = "part_of_larger"
            elif self.other_grams:
                reason = "other_grams"
        return LabelMatch(
            id=self.meal.id,
            reason=reason,
            recalls=dict(sorted(self.recalls.items())),
            example=self.example,
            off=self.off,
        )


def _far(off: Mapping[str, float]) -> float:
    return sum(abs(v) for v in off.values())


def _unusable(meal: PublishedMeal, known: Mapping[str, str]) -> LabelReason:
    if not meal.foods:
        return "no_items"
    if any(f not in known for f in meal.foods):
        return "name_unknown"
    return "grams_not_stated" if len(meal.grams) != len(meal.foods) else ""


def find_labels(
    published: Sequence[PublishedMeal], recalls: Iterable[EatenMeal], codes: Mapping[str, str]
) -> tuple[LabelMatch, ...]:
    """Find published meals among recalled ones.

    Parameters
    ----------
    published : sequence of PublishedMeal
    recalls : iterable of EatenMeal
        Gone through once.
    codes : mapping of str to str
        Name of a food in the reference -> its code.

    Returns
    -------
    tuple of LabelMatch
        One for each published meal, in their order.

    Notes
    -----
    A recall is the same meal when its food codes are the same, each as often, and its grams
    are the same to 0.01 g. Which weight belongs to which food is told by the recall, for texts
    give them in an order of their own.
    """
    usable = {place: _unusable(meal, codes) for place, meal in enumerate(published)}
    found = {
        place: _Found(meal=meal, weights=tuple(sorted(map(_centigrams, meal.grams))))
        for place, meal in enumerate(published)
        if not usable[place]
    }
    by_foods: dict[tuple[str, ...], list[_Found]] = {}
    for one in found.values():
        foods = tuple(sorted(codes[f] for f in one.meal.foods))
        by_foods.setdefault(foods, []).append(one)
    anchors = _anchors(by_foods)
    for recall in recalls:
        eaten = tuple(sorted(item.food.id for item in recall.items))
        same = by_foods.get(eaten)
        if same is not None:
            weights = tuple(sorted(_centigrams(item.grams) for item in recall.items))
            for one in same:
                if one.weights == weights:
                    one.take(recall)
                else:
                    one.other_grams = True
        if len(eaten) > 1:
            _larger(recall, eaten, anchors)
    return tuple(
        found[place].match() if place in found else LabelMatch(id=meal.id, reason=usable[place])
        for place, meal in enumerate(published)
    )


_Anchors = dict[str, list[tuple[Counter[str], _Found]]]


def _anchors(by_foods: Mapping[tuple[str, ...], list[_Found]]) -> _Anchors:
    """Return the published meals by the food of theirs that the fewest of them hold."""
    often = Counter(food for foods, ones in by_foods.items() for food in set(foods) for _ in ones)
    out: _Anchors = {}
    for foods, ones in by_foods.items():
        rarest = min(foods, key=lambda f: (often[f], f))
        out.setdefault(rarest, []).extend((Counter(foods), one) for one in ones)
    return out


def _larger(recall: EatenMeal, eaten: tuple[str, ...], anchors: _Anchors) -> None:
    """Mark the published meals that are part of a recalled one."""
    held: Counter[str] | None = None
    for food in dict.fromkeys(eaten):
        for foods, one in anchors.get(food, ()):
            if one.larger or one.recalls or foods.total() >= len(eaten):
                continue
            held = held or Counter(eaten)
            if foods <= held and _weights_fit(recall, foods, one.weights):
                one.larger = True


def _weights_fit(recall: EatenMeal, foods: Counter[str], weights: tuple[int, ...]) -> bool:
    """Tell whether some records of a meal, one for each food, have just these weights."""
    options = [
        [_centigrams(i.grams) for i in recall.items if i.food.id == food]
        for food in foods.elements()
    ]
    return _assigned(options, Counter(weights))


def _assigned(options: Sequence[Sequence[int]], left: Counter[int]) -> bool:
    if not options:
        return True
    for weight in dict.fromkeys(options[0]):
        if left[weight] > 0:
            left[weight] -= 1
            fits = _assigned(options[1:], left)
            left[weight] += 1
            if fits:
                return True
    return False
