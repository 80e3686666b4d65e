"""Which rater gets which meals in which arm: seeded, even over servings, one meal of a group.

The natural and the metric wording of one meal must not meet the same rater: the second would
give the first away. So at most one row of a group is drawn.

The paper gave 72 US meals of both servings to three nutritionists, first without looking up;
one of them rated the same meals again with look-up (section 6, appendix L).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

import numpy as np

from prandial.errors import InputError
from prandial.records.bench import MealQuestion

__all__ = ["ARMS", "SHARED", "Arm", "Assigned", "Shared", "assign_meals", "seeded"]

Arm = Literal["look-up", "no look-up"]
Shared = Literal["all", "arm", "none"]

ARMS: Final[tuple[Arm, ...]] = ("look-up", "no look-up")
#: who has the same meals: everybody in both arms, everybody within an arm, nobody
SHARED: Final[tuple[Shared, ...]] = ("all", "arm", "none")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Assigned:
    """The meals of one rater in one arm, in the order they are put to them."""

    rater: str
    arm: Arm
    questions: tuple[MealQuestion, ...]


def seeded(*parts: object) -> np.random.Generator:
    """Return a generator that depends on the parts alone, the same on every machine."""
    text = "\x1f".join(map(str, parts))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def assign_meals(
    questions: Sequence[MealQuestion],
    *,
    raters: Sequence[str],
    arms: Sequence[str] = ARMS,
    per_rater: int,
    seed: int,
    shared: str = "all",
) -> tuple[Assigned, ...]:
    """Draw the meals of every rater and arm.

    Parameters
    ----------
    questions : sequence of MealQuestion
        All that may be drawn; their order changes nothing.
    raters : sequence of str
        Code names, as they may stand in a file name.
    arms : sequence of {'look-up', 'no look-up'}
    per_rater : int
        Meals a rater gets in an arm, as even over the servings as there are meals.
    seed : int
    shared : {'all', 'arm', 'none'}
        ``all``: one set of meals for every rater and arm, as in the paper. ``arm``: one set
        for each arm, so that nobody meets a meal twice. ``none``: another set for each sheet.

    Returns
    -------
    tuple of Assigned
        Every sheet is shuffled on its own.

    Raises
    ------
    InputError
        On a name that cannot stand in a file name, an arm that is not known, a question
        without words, and when there are too few meals.
    """
    _check(questions, raters, arms, per_rater, shared)
    used: set[str] = set()
    sets: dict[tuple[str, str], tuple[MealQuestion, ...]] = {}
    out = []
    for arm in sorted(arms):
        for rater in raters:
            name = {"all": ("", ""), "arm": (arm, ""), "none": (arm, rater)}[shared]
            if name not in sets:
                sets[name] = _draw(questions, per_rater, used, seeded(seed, "meals", *name))
                used.update(q.group for q in sets[name])
            meals = sets[name]
            order = seeded(seed, "order", rater, arm).permutation(len(meals))
            out.append(
                Assigned(
                    rater=rater,
                    arm=cast("Arm", arm),
                    questions=tuple(meals[int(i)] for i in order),
                )
            )
    return tuple(out)


def _draw(
    questions: Iterable[MealQuestion], n: int, used: set[str], rng: np.random.Generator
) -> tuple[MealQuestion, ...]:
    """Draw meals of unused groups, a turn for each serving while it has some."""
    ordered = sorted(questions, key=lambda q: (q.serving, q.id))
    shuffled = [ordered[int(i)] for i in rng.permutation(len(ordered))]
    waiting = {s: iter([q for q in shuffled if q.serving == s]) for s in _servings(ordered)}
    taken, found = set(used), list[MealQuestion]()
    while waiting and len(found) < n:
        for serving in tuple(waiting):
            if len(found) == n:
                break
            one = next((q for q in waiting[serving] if q.group not in taken), None)
            if one is None:
                del waiting[serving]
                continue
            taken.add(one.group)
            found.append(one)
    if len(found) < n:
        raise InputError(
            f"{n} meals are wanted for a sheet, and {len(found)} of a group of their own are left",
            where="per_rater",
            hint="ask for fewer, take more meals, or let raters share them",
        )
    return tuple(found)


def _servings(questions: Iterable[MealQuestion]) -> list[str]:
    return sorted({q.serving for q in questions})


def _check(
    questions: Sequence[MealQuestion],
    raters: Sequence[str],
    arms: Sequence[str],
    per_rater: int,
    shared: str,
) -> None:
    for name, given, known in (("arms", arms, ARMS), ("shared", (shared,), SHARED)):
        if odd := [g for g in given if g not in known]:
            raise InputError(f"no {odd[0]!r} in {name}", where=name, hint=", ".join(known))
    for name, given in (("raters", raters), ("arms", arms)):
        if not given or len({g.casefold() for g in given}) < len(given):
            raise InputError(
                f"{name} are named once each",
                where=name,
                hint="two names that differ in capitals only are one" if given else "name one",
            )
    if odd := [r for r in raters if _NAME.fullmatch(r) is None]:
        raise InputError(
            f"the rater {odd[0]!r} cannot stand in a file name",
            where="raters",
            hint="a code of letters, digits, - and _, such as R1; no names of people",
        )
    if per_rater < 1:
        raise InputError("a sheet has one meal or more", where="per_rater", hint="such as 72")
    ids = {q.id for q in questions}
    if len(ids) < len(questions):
        raise InputError("two meals have one id", where="questions", hint="name each once")
    if len({q.nutrient for q in questions}) > 1:
        raise InputError(
            "meals of several nutrients", where="questions", hint="sheets ask for one nutrient"
        )
    if blank := [q.id for q in questions if not q.text.strip()]:
        raise InputError("a meal without words", where=blank[0], hint="leave it out")
