"""Train, dev and test without leaks: no food and no person in two of them.

A food and a person each belong to a split by a keyed hash of their number alone, so nobody
moves when rows are added. A row whose two sides fall into different splits is set aside; draw the
pairs within each split (:func:`sample_by_split`) and none is.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.quiz.sample import LEVELS, Pairs, sample_pairs
from prandial.records.quiz import QuizRow

__all__ = [
    "ASIDE",
    "SHARES",
    "SPLITS",
    "LeakReport",
    "leak_check",
    "sample_by_split",
    "split_of",
    "split_rows",
]

_T = TypeVar("_T", int, str)
SPLITS: Final = ("train", "dev", "test")
#: share of foods and of people in each split
SHARES: Final = (0.7, 0.1, 0.2)
#: the mark of a row whose food and person are of different splits
ASIDE: Final = "aside"


def split_of(
    kind: str,
    numbers: Iterable[int],
    *,
    seed: int,
    shares: tuple[float, float, float] = SHARES,
) -> list[str]:
    """Return the split of each food or person.

    Parameters
    ----------
    kind : {'food', 'person'}
    numbers : iterable of int
        Food codes or respondent numbers.
    seed : int
    shares : tuple of float
        Of train, dev and test, adding up to 1.

    Raises
    ------
    InputError
        On shares that do not add up, or another kind.
    """
    if kind not in ("food", "person"):
        raise InputError(f"no kind {kind!r}", where="split_of", hint="food or person")
    if min(shares) < 0 or abs(sum(shares) - 1) > 1e-9:
        raise InputError(
            f"shares {shares} are not parts of one", where="shares", hint="such as 0.7 0.1 0.2"
        )
    ends = np.cumsum(shares)[:-1]
    marks = [_part(f"{seed}/{kind}/{int(n)}") for n in numbers]
    return [SPLITS[i] for i in np.searchsorted(ends, marks, side="right").tolist()]


def _part(text: str) -> float:
    """Return a number in [0, 1) that depends on the text alone."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / 2.0**53


def split_rows(
    rows: Sequence[QuizRow], *, seed: int, shares: tuple[float, float, float] = SHARES
) -> list[QuizRow]:
    """Return the rows with their split; ``aside`` where food and person differ.

    Raises
    ------
    InputError
        As :func:`split_of`.
    """
    foods = split_of("food", (r.food.code for r in rows), seed=seed, shares=shares)
    people = split_of("person", (r.person.person for r in rows), seed=seed, shares=shares)
    return [
        replace(row, split=food if food == person else ASIDE)
        for row, food, person in zip(rows, foods, people, strict=True)
    ]


def sample_by_split(
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
    shares: tuple[float, float, float] = SHARES,
) -> Pairs:
    """Draw pairs whose food and person are of the same split.

    Parameters as :func:`~prandial.quiz.sample.sample_pairs`; the pairs come by split.

    Raises
    ------
    InputError
        As :func:`~prandial.quiz.sample.sample_pairs` and :func:`split_of`.
    """
    of_food = np.array(split_of("food", food_codes.tolist(), seed=seed, shares=shares))
    of_person = np.array(split_of("person", people_ids.tolist(), seed=seed, shares=shares))
    drawn = []
    for split in SPLITS:
        foods, people = np.flatnonzero(of_food == split), np.flatnonzero(of_person == split)
        pairs = sample_pairs(
            food_codes[foods],
            food_tags[foods],
            people_ids[people],
            needs[people],
            rules=rules,
            seed=seed,
            per_level=per_level,
            weights=None if weights is None else weights[people],
            food_unknown=None if food_unknown is None else food_unknown[foods],
            per_person=per_person,
        )
        drawn.append((pairs.level, foods[pairs.food_row], people[pairs.person_row]))
    return Pairs(
        level=tuple(level for levels, _, _ in drawn for level in levels),
        food_row=np.concatenate([f for _, f, _ in drawn]),
        person_row=np.concatenate([p for _, _, p in drawn]),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class LeakReport:
    """What the splits share; ``foods`` and ``people`` must be empty.

    Ingredients recur by their nature and are counted only.
    """

    rows: dict[str, int]
    levels: dict[str, dict[str, int]]
    foods: tuple[int, ...]
    people: tuple[int, ...]
    repeated_rows: tuple[str, ...]
    shared_ingredients: int

    @property
    def clean(self) -> bool:
        """Whether no food, no person and no row stands in two splits."""
        return not (self.foods or self.people or self.repeated_rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "clean": self.clean,
            "rows": self.rows,
            "levels": self.levels,
            "foods_in_two": list(self.foods),
            "people_in_two": list(self.people),
            "repeated_rows": list(self.repeated_rows),
            "shared_ingredients": self.shared_ingredients,
        }


def leak_check(rows: Sequence[QuizRow]) -> LeakReport:
    """Return which foods, people and rows stand in more than one split.

    Rows set aside or without a split are counted and not compared.
    """
    used = [r for r in rows if r.split in SPLITS]
    counts = Counter(r.split or "none" for r in rows)
    names = Counter((r.level, r.food.code, r.person.person) for r in used)
    return LeakReport(
        rows={s: counts[s] for s in (*SPLITS, ASIDE, "none") if counts[s] or s in SPLITS},
        levels={
            s: {level: sum(r.split == s and r.level == level for r in used) for level in LEVELS}
            for s in SPLITS
        },
        foods=_in_two((r.food.code, r.split) for r in used),
        people=_in_two((r.person.person, r.split) for r in used),
        repeated_rows=tuple(sorted("-".join(map(str, name)) for name, n in names.items() if n > 1)),
        shared_ingredients=len(_in_two((i, r.split) for r in used for i in r.food.ingredients)),
    )


def _in_two(found: Iterable[tuple[_T, str]]) -> tuple[_T, ...]:
    splits: dict[_T, set[str]] = {}
    for name, split in found:
        splits.setdefault(name, set()).add(split)
    return tuple(sorted(n for n, s in splits.items() if len(s) > 1))
