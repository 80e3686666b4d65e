"""Sampling of pairs: which people are asked about which food, on arrays.

An attempt selects some of the food's tagged nutrients (one for sparse, several otherwise) and
takes the first unused person, in a shuffled order, who needs all of them and none of the food's
other ones. People with the same needs are interchangeable, so eligibility is looked up by pattern
of needs; the order is a keyed one, so that only the eligible need be ordered.

``as-published``: the keys chain from attempt to attempt and food to food, as shuffles in place
do, and a selection that nobody has is an attempt lost. ``default``: every food and level has keys
of its own, selects only what somebody needs, never draws a tie, leaves out people whose needs
on the food's nutrients are not known, and takes weights: then nothing is selected and all
people of the level compete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.quiz.patterns import NeedPatterns, Wish
from prandial.records.quiz import FoodFacts, Level
from prandial.tables.rules import FOOD_TAG_ORDER
from prandial.tags.needed import rule_nutrients, split_tag

__all__ = ["ATTEMPTS", "LEVELS", "Pairs", "food_arrays", "mix64", "sample_pairs"]

LEVELS: Final[tuple[Level, ...]] = ("sparse", "standard", "complex")
#: attempts a food and level, as published
ATTEMPTS: Final = 51
_MASK: Final = (1 << 64) - 1
_UINT = np.uint64


@dataclass(frozen=True, kw_only=True, slots=True)
class Pairs:
    """Drawn pairs, by food code, level and order of drawing; rows are those of the input."""

    level: tuple[Level, ...]
    food_row: npt.NDArray[np.int64]
    person_row: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.level)


def food_arrays(
    foods: Sequence[FoodFacts], *, rules: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
    """Return codes, tag directions and unknown nutrients of foods as arrays.

    Returns
    -------
    codes : ndarray of int64, shape (foods,)
    tags : ndarray of int8, shape (foods, nutrients)
        -1 low, +1 high, 0 neither or unknown; columns as
        :func:`~prandial.tags.needed.rule_nutrients`.
    unknown : ndarray of bool, same shape

    Raises
    ------
    InputError
        On a tag or rule set that is not known.
    """
    column = {n: i for i, n in enumerate(rule_nutrients(rules))}
    tags = np.zeros((len(foods), len(column)), dtype=np.int8)
    unknown = np.zeros(tags.shape, dtype=np.bool_)
    for row, food in enumerate(foods):
        for direction, nutrient in map(split_tag, food.tags):
            if nutrient in column:
                tags[row, column[nutrient]] = -1 if direction == "low" else 1
        for nutrient in food.unknown:
            if nutrient in column:
                unknown[row, column[nutrient]] = True
    return np.array([f.code for f in foods], dtype=np.int64), tags, unknown


def sample_pairs(
    food_codes: npt.NDArray[np.int64],
    food_tags: npt.NDArray[np.int8],
    people_ids: npt.NDArray[np.int64],
    needs: npt.NDArray[np.uint8],
    *,
    rules: str,
    seed: int,
    per_level: tuple[int, int, int] = (10, 5, 2),
    weights: npt.NDArray[np.float64] | None = None,
    food_unknown: npt.NDArray[np.bool_] | None = None,
    per_person: int | None = None,
) -> Pairs:
    """Draw pairs of food and person for the three levels.

    Inputs may come in any order: foods are taken by code and people by number.

    Parameters
    ----------
    food_codes : ndarray of int64, shape (foods,)
    food_tags : ndarray of int8, shape (foods, nutrients)
        As :func:`food_arrays`.
    people_ids : ndarray of int64, shape (people,)
    needs : ndarray of uint8, shape (people, nutrients)
        As :func:`~prandial.tags.needed.need_bits`.
    rules : {'as-published', 'default'}
    seed : int
    per_level : tuple of int
        Most pairs a food at sparse, standard and complex.
    weights : ndarray of float64, shape (people,), optional
        Survey weights, ``default`` only: a person is drawn with a chance in proportion, without
        replacement within a food and level (Efraimidis and Spirakis, Information Processing
        Letters 97, 2006, 181-185: the least of ``-log(u) / w``). A weight that is 0 or NaN is
        never drawn.
    food_unknown : ndarray of bool, shape (foods, nutrients), optional
        Nutrients of unknown amount; in ``default`` nobody who may need one is asked.
    per_person : int, optional
        Most pairs of one person, ``default`` only; without it few people with rare needs
        stand in many pairs. Foods then take their turn in an order drawn by the seed.

    Raises
    ------
    InputError
        When shapes do not fit, codes or people repeat, a weight is negative, or weights are given
        ``as-published``.
    """
    _refuse(food_codes, food_tags, people_ids, needs, rules, weights, food_unknown)
    unknown = np.zeros(food_tags.shape, np.bool_) if food_unknown is None else food_unknown
    order = np.argsort(people_ids, kind="stable")
    published = rules == "as-published"
    drawing = _Drawing(
        NeedPatterns(needs[order], published=published),
        mix64(people_ids[order].astype(_UINT)),
        None if weights is None else weights[order],
        per_person,
    )
    turns = np.argsort(food_codes, kind="stable")
    if per_person is not None and not published:
        turns = np.array(sorted(turns.tolist(), key=lambda r: mix(seed, int(food_codes[r]))))
    draw = _published_pairs if rules == "as-published" else _default_pairs
    levels: list[Level] = []
    found: list[tuple[int, int]] = []
    wishes = (
        (int(row), int(food_codes[row]), Wish.of(food_tags[row], unknown[row])) for row in turns
    )
    for level, row, person in draw(drawing, wishes, seed, per_level):
        levels.append(level)
        found.append((row, int(order[person])))
    rows = np.array(found, dtype=np.int64).reshape(-1, 2)
    by_code = np.argsort(food_codes[rows[:, 0]], kind="stable")
    return Pairs(
        level=tuple(levels[i] for i in by_code.tolist()),
        food_row=rows[by_code, 0],
        person_row=rows[by_code, 1],
    )


_Wishes = Iterable[tuple[int, int, Wish]]
_Drawn = Iterator[tuple[Level, int, int]]


def _published_pairs(
    drawing: _Drawing, wishes: _Wishes, seed: int, per_level: tuple[int, int, int]
) -> _Drawn:
    """Draw with attempts seeded by food code and number, and shuffles that carry over."""
    columns = _tag_columns("as-published")
    chain = mix(seed, 0)
    for row, code, wish in wishes:
        tagged = [c for c in columns if (wish.low | wish.high) >> c & 1]
        for level, most in zip(LEVELS, per_level, strict=True):
            if len(tagged) < (1 if level == "sparse" else 2):
                continue
            used: set[int] = set()
            for attempt in range(1, ATTEMPTS + 1):
                if len(used) >= most:
                    break
                chain = mix(chain, code + attempt)
                random = Random(code + attempt)  # noqa: S311
                random.shuffle(tagged)
                count = 1 if level == "sparse" else random.randint(2, len(tagged))
                selected = sum(1 << c for c in tagged[:count])
                person = drawing.first(wish.asks(selected), level, chain, used)
                if person is not None:
                    used.add(person)
                    yield level, row, person


def _default_pairs(
    drawing: _Drawing, wishes: _Wishes, seed: int, per_level: tuple[int, int, int]
) -> _Drawn:
    """Draw for each food and level on its own, selecting only what somebody needs."""
    for row, code, wish in wishes:
        for number, (level, most) in enumerate(zip(LEVELS, per_level, strict=True)):
            selections = drawing.selections(wish, level)
            used: set[int] = set()
            for attempt in range(1, ATTEMPTS + 1):
                if len(used) >= most or not selections:
                    break
                chain = mix(mix(mix(seed, code), number), attempt)
                selected = selections[mix(chain, 2) % len(selections)]
                person = drawing.first(wish.asks(selected), level, chain, used)
                if person is not None:
                    used.add(person)
                    drawing.count(person)
                    yield level, row, person


def _tag_columns(rules: str) -> list[int]:
    """Return the columns in the order in which a food's tags are listed."""
    column = {n: i for i, n in enumerate(rule_nutrients(rules))}
    return [column[n] for n in FOOD_TAG_ORDER if n in column]


class _Drawing:
    """People in pinned order, with the keys that order them anew at every attempt."""

    def __init__(
        self,
        patterns: NeedPatterns,
        hashes: npt.NDArray[np.uint64],
        weights: npt.NDArray[np.float64] | None,
        most: int | None,
    ) -> None:
        self._most = np.iinfo(np.int64).max if most is None else most
        self._asked = np.zeros(len(hashes), dtype=np.int64)
        self._patterns = patterns
        self._people = patterns.people
        self._hashes = hashes[patterns.people]
        self._weights = None if weights is None else weights[patterns.people]

    def selections(self, wish: Wish, level: Level) -> list[int]:
        """Return what an attempt may select: with weights only nothing, so that all compete."""
        found = self._patterns.selections(wish, level)
        return found if self._weights is None or not found else [0]

    def first(self, wish: Wish, level: Level, chain: int, used: set[int]) -> int | None:
        """Return the first eligible person who is not used, None when there is none."""
        slices = self._patterns.eligible(wish, level)
        if not slices:
            return None
        people = np.concatenate([self._people[s] for s in slices])
        keys = (np.concatenate([self._hashes[s] for s in slices]) ^ _UINT(chain)) * _UINT(
            mix(chain, 1) | 1
        )
        if self._weights is None:
            keys[self._worn_out(people)] = _MASK
            return self._unused(people, keys, used, _MASK)
        weights = np.concatenate([self._weights[s] for s in slices])
        weights[self._worn_out(people)] = 0.0
        waits = np.full(len(weights), np.inf)
        # the top 53 bits as a number in (0, 1)
        u = ((keys >> _UINT(11)).astype(np.float64) + 0.5) / 2.0**53
        np.divide(-np.log(u), weights, out=waits, where=weights > 0)
        return self._unused(people, waits, used, np.inf)

    def count(self, person: int) -> None:
        """Note that a person is asked about once more."""
        self._asked[person] += 1

    def _worn_out(self, people: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return who has been asked about as often as anybody may be."""
        return self._asked[people] >= self._most

    @staticmethod
    def _unused(
        people: npt.NDArray[np.int64],
        keys: npt.NDArray[np.uint64] | npt.NDArray[np.float64],
        used: set[int],
        never: float,
    ) -> int | None:
        for at in _ascending(keys, len(used) + 1, never):
            if int(people[at]) not in used:
                return int(people[at])
        return None


def _ascending(
    keys: npt.NDArray[np.uint64] | npt.NDArray[np.float64], most: int, never: float
) -> Iterator[int]:
    """Yield the places of the least keys in order; ``keys`` is used up."""
    for _ in range(min(most, len(keys))):
        at = int(np.argmin(keys))
        if keys[at] == never:
            return
        yield at
        keys[at] = never


def mix(state: int, value: int) -> int:
    """Return a 64-bit number that depends on both (SplitMix64's finaliser)."""
    x = (state * 0x9E3779B97F4A7C15 + value + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def mix64(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a random-looking number for each value, all different (SplitMix64's finaliser).

    Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    """
    x = values + _UINT(0x9E3779B97F4A7C15)
    x = (x ^ (x >> _UINT(30))) * _UINT(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> _UINT(27))) * _UINT(0x94D049BB133111EB)
    mixed: npt.NDArray[np.uint64] = x ^ (x >> _UINT(31))
    return mixed


def _refuse(
    food_codes: npt.NDArray[np.int64],
    food_tags: npt.NDArray[np.int8],
    people_ids: npt.NDArray[np.int64],
    needs: npt.NDArray[np.uint8],
    rules: str,
    weights: npt.NDArray[np.float64] | None,
    food_unknown: npt.NDArray[np.bool_] | None,
) -> None:
    width = len(rule_nutrients(rules))
    told = {
        f"food_tags are {food_tags.shape}, not {(len(food_codes), width)}": food_tags.shape
        != (len(food_codes), width),
        f"needs are {needs.shape}, not {(len(people_ids), width)}": needs.shape
        != (len(people_ids), width),
        "food_unknown has another shape than food_tags": food_unknown is not None
        and food_unknown.shape != food_tags.shape,
        "a food code stands twice": len(np.unique(food_codes)) != len(food_codes),
        "a person stands twice": len(np.unique(people_ids)) != len(people_ids),
        "weights are of the default rules only": weights is not None and rules == "as-published",
        "weights are not one a person, none negative": weights is not None
        and (weights.shape != people_ids.shape or bool((weights < 0).any())),
    }
    for what, wrong in told.items():
        if wrong:
            raise InputError(what, where="sample_pairs", hint=f"columns of the rule set {rules}")
