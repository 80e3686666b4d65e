"""A published file against the raw ones: statuses and habits of its people, facts of its foods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from prandial.bench.ngqa.inputs import Roots, person_facts, read_facts, read_people
from prandial.errors import SchemaError
from prandial.quiz import facts_of, read_published

if TYPE_CHECKING:
    from prandial.records import FoodFacts, PersonFacts
    from prandial.records.people import RuleSet

_Facts = TypeVar("_Facts", "PersonFacts", "FoodFacts")

__all__ = ["Compared", "DerivedReport", "check_derived"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """One part of one person or food: what only the file has, and what only we derive.

    ``same_order`` tells whether the parts that both have stand in the same order.
    """

    subject: int
    part: str
    only_file: tuple[str, ...]
    only_derived: tuple[str, ...]
    same_order: bool = True
    note: str = ""

    @property
    def equal(self) -> bool:
        """Whether both hold the same."""
        return not (self.only_file or self.only_derived or self.note)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "subject": self.subject,
            "part": self.part,
            "equal": self.equal,
            "same_order": self.same_order,
            "only_file": list(self.only_file),
            "only_derived": list(self.only_derived),
            "note": self.note or None,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class DerivedReport:
    """All comparisons of a file with the raw data."""

    people: int
    foods: int
    compared: tuple[Compared, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """Return by part how many are equal, differ or could not be derived."""
        out: dict[str, dict[str, int]] = {}
        for c in self.compared:
            row = out.setdefault(c.part, {"equal": 0, "different": 0, "not at hand": 0})
            row["not at hand" if c.note else "equal" if c.equal else "different"] += 1
        return out

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "people": self.people,
            "foods": self.foods,
            "counts": self.counts(),
            "compared": [c.to_dict() for c in self.compared],
        }


def check_derived(path: Path, roots: Roots, *, rules: RuleSet = "as-published") -> DerivedReport:
    """Derive what a published file says of people and foods from the raw files.

    Parameters
    ----------
    path : Path
        File in the published CSV form.
    roots : Roots
        Raw files; all cycles at hand are read.
    rules : {'as-published', 'default'}

    Raises
    ------
    NotFoundError, SchemaError, MissingDataError
        When the file or the raw files cannot be read.
    """
    people: dict[int, list[PersonFacts]] = {}
    foods: dict[int, list[FoodFacts]] = {}
    for row in read_published(path).rows:
        try:
            food, person = facts_of(row.graph)
        except SchemaError:
            continue  # a row that cannot be read is a finding of the check itself
        _add(people.setdefault(person.person, []), person)
        _add(foods.setdefault(food.code, []), food)
    survey = read_people(roots, rules=rules)
    numbers = survey.profiles.people.seqn
    at = np.flatnonzero(np.isin(numbers, list(people)))
    derived = {p.person: p for p in person_facts(survey.profiles, at.tolist()).values()}
    raw, _ = read_facts(roots, rules=rules, cycles=survey.cycles)
    by_code = {f.code: f for f in raw if f.code in foods}
    compared = [*_people(people, derived), *_foods(foods, by_code, rules)]
    return DerivedReport(people=len(people), foods=len(foods), compared=tuple(compared))


def _add(told: list[_Facts], facts: _Facts) -> None:
    """Keep each way in which the rows of a file tell of a food or person."""
    if facts not in told:
        told.append(facts)


def _people(
    stated: Mapping[int, Sequence[PersonFacts]], derived: Mapping[int, PersonFacts]
) -> Iterable[Compared]:
    for number, person in ((n, p) for n, told in sorted(stated.items()) for p in told):
        ours = derived.get(number)
        for part in ("statuses", "habits"):
            if ours is None:
                yield _absent(number, part, "this person is in no cycle at hand")
            else:
                yield _compare(number, part, getattr(person, part), getattr(ours, part))


def _foods(
    stated: Mapping[int, Sequence[FoodFacts]], derived: Mapping[int, FoodFacts], rules: RuleSet
) -> Iterable[Compared]:
    from prandial.tags import rule_nutrients, split_tag

    asked = rule_nutrients(rules)
    for code, food in ((c, f) for c, told in sorted(stated.items()) for f in told):
        ours = derived.get(code)
        if ours is None:
            for part in ("name", "category", "tags", "ingredients"):
                yield _absent(code, part, "this food is in no release at hand")
            continue
        tags = tuple(t for t in ours.tags if split_tag(t)[1] in asked)
        yield _compare(code, "name", (food.name,), (ours.name,))
        yield _compare(code, "category", (food.category,), (ours.category,))
        yield _compare(code, "tags", food.tags, tags)
        yield _compare(code, "ingredients", food.ingredients, ours.ingredients)


def _absent(subject: int, part: str, note: str) -> Compared:
    return Compared(subject=subject, part=part, only_file=(), only_derived=(), note=note)


def _compare(subject: int, part: str, stated: Sequence[str], ours: Sequence[str]) -> Compared:
    shared = set(stated) & set(ours)
    return Compared(
        subject=subject,
        part=part,
        only_file=_beyond(stated, ours),
        only_derived=_beyond(ours, stated),
        same_order=[x for x in stated if x in shared] == [x for x in ours if x in shared],
    )


def _beyond(some: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return what one list has more often than the other, in its order."""
    left = Counter(others)
    beyond = []
    for text in some:
        if left[text]:
            left[text] -= 1
        else:
            beyond.append(text)
    return tuple(beyond)
