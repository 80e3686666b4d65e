"""The fourth task: which food of a category would suit this person? Gold by rule.

Of the foods of a category those suit best whose verdict is Yes with the most tags for, net of
those against. Several may be equally right, or none may suit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from prandial.errors import InputError, NotFoundError
from prandial.quiz.gold import gold_of_facts, undecided_needs, unknown_needs
from prandial.quiz.questions import alternatives_text
from prandial.quiz.split import SPLITS, split_of
from prandial.records.quiz import FoodFacts, Gold, PersonFacts, QuizRow

__all__ = [
    "AlternativesQuestion",
    "Candidate",
    "alternatives_for",
    "alternatives_of_rows",
    "alternatives_stats",
]

#: right answers among the candidates, at most
_MOST_RIGHT: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A food to choose from: its gold for the person, and tags for net of tags against."""

    code: int
    name: str
    verdict: str
    net: int
    matches: tuple[str, ...]
    contradicts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class AlternativesQuestion:
    """A question which food of a category would suit a person.

    Parameters
    ----------
    person : PersonFacts
    category : str
    instead_of : int or None
        Food that does not suit and is asked to be replaced.
    text : str
    candidates : tuple of Candidate
        In the order in which the text names them.
    right : tuple of int
        Codes of all candidates that are right; empty when none suits.
    answers : tuple of str
        Their names, or ``None`` alone.
    in_category, unknown, suiting : int
        Foods of the category; those left out because their verdict hangs on an unknown
        amount or status; those whose verdict is Yes.
    split : str
        Of the row it was made from; empty without one.
    """

    person: PersonFacts
    category: str
    instead_of: int | None
    text: str
    candidates: tuple[Candidate, ...]
    right: tuple[int, ...]
    answers: tuple[str, ...]
    in_category: int
    unknown: int
    suiting: int
    split: str = ""

    @property
    def none_suits(self) -> bool:
        """Whether the right answer is that none of the candidates suits."""
        return not self.right

    @property
    def id(self) -> str:
        """The question's name: one a person and food, or a person and category without one."""
        of = self.category if self.instead_of is None else self.instead_of
        return f"alternatives-{of}-{self.person.person}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: what is asked, and all that tells the answer under ``gold``."""
        return {
            "id": self.id,
            "split": self.split,
            "person": self.person.person,
            "statuses": list(self.person.statuses),
            "category": self.category,
            "instead_of": self.instead_of,
            "question": self.text,
            "candidates": [{"code": c.code, "name": c.name} for c in self.candidates],
            "gold": {
                "right": list(self.right),
                "answers": list(self.answers),
                "judged": [
                    {
                        "code": c.code,
                        "verdict": c.verdict,
                        "net": c.net,
                        "matches": list(c.matches),
                        "contradicts": list(c.contradicts),
                    }
                    for c in self.candidates
                ],
                "suiting": self.suiting,
            },
            "in_category": self.in_category,
            "unknown": self.unknown,
        }

    @classmethod
    def from_dict(
        cls, told: Mapping[str, Any], person: PersonFacts | None = None
    ) -> AlternativesQuestion:
        """Return the question of a JSON form, which tells of the person only number and statuses.

        Raises
        ------
        KeyError, TypeError, ValueError
            When it is not that form.
        """
        gold = told["gold"]
        return cls(
            person=person or PersonFacts(person=told["person"], statuses=tuple(told["statuses"])),
            category=told["category"],
            instead_of=told["instead_of"],
            text=told["question"],
            candidates=tuple(
                Candidate(
                    code=c["code"],
                    name=c["name"],
                    verdict=j["verdict"],
                    net=j["net"],
                    matches=tuple(j["matches"]),
                    contradicts=tuple(j["contradicts"]),
                )
                for c, j in zip(told["candidates"], gold["judged"], strict=True)
            ),
            right=tuple(gold["right"]),
            answers=tuple(gold["answers"]),
            in_category=told["in_category"],
            unknown=told["unknown"],
            suiting=gold["suiting"],
            split=told["split"],
        )


def alternatives_stats(questions: Sequence[AlternativesQuestion]) -> dict[str, Any]:
    """Return how many questions there are and what answers without a model score.

    Returns
    -------
    dict
        ``questions``; ``none_suits``, how many have ``None`` for an answer; ``baselines`` with
        ``always_none`` and ``first_named``, shares of questions answered right by ``None`` and
        by the food named first; None without questions.
    """
    count = len(questions)
    none = sum(q.none_suits for q in questions)
    first = sum(q.candidates[0].code in q.right for q in questions)
    return {
        "questions": count,
        "none_suits": none,
        "baselines": {
            "always_none": none / count if count else None,
            "first_named": first / count if count else None,
        },
    }


def alternatives_for(
    person: PersonFacts,
    category: str,
    foods: Sequence[FoodFacts],
    *,
    rules: str,
    seed: int,
    instead_of: int | None = None,
    candidates: int = 5,
) -> AlternativesQuestion:
    """Return the question which food of a category would suit a person.

    Up to two of the best foods are offered among distractors: foods that do not suit, then
    such as suit less well. Names that stand twice are offered once.

    Parameters
    ----------
    person : PersonFacts
    category : str
        WWEIA category.
    foods : sequence of FoodFacts
        All foods; those of the category are taken, in any order.
    rules : {'as-published', 'default'}
        In ``default`` a food with a needed nutrient unknown is no candidate, nor one whose
        tags a status that could not be told might need.
    seed : int
        Decides which foods are offered and in which order.
    instead_of : int, optional
        Food code that is not offered.
    candidates : int
        Most foods to offer, at least 2.

    Raises
    ------
    NotFoundError
        When fewer than two foods of the category can be offered, or on an unknown status.
    InputError
        On fewer than two candidates or an unknown rule set.
    """
    if candidates < 2:
        raise InputError("fewer than two candidates", where="candidates", hint="5 is usual")
    of_category = [f for f in foods if f.category == category]
    left = [f for f in of_category if f.code != instead_of]
    known = [f for f in left if rules == "as-published" or not _unsure(f, person, rules)]
    judged = {f.code: _candidate(f, gold_of_facts(f, person, rules=rules)) for f in known}
    order = sorted(judged.values(), key=lambda c: _key(seed, person.person, c.code))
    offered = _offered(_distinct(order), candidates)
    if len(offered) < 2:
        raise NotFoundError(
            f"{len(offered)} foods of the category {category!r} to choose from",
            where=f"person {person.person}",
            hint="choose a category with at least two foods",
        )
    best = max((c.net for c in offered if c.verdict == "Yes"), default=None)
    right = tuple(c for c in offered if c.verdict == "Yes" and c.net == best)
    return AlternativesQuestion(
        person=person,
        category=category,
        instead_of=instead_of,
        text=alternatives_text(category, [c.name for c in offered], rules=rules),
        candidates=offered,
        right=tuple(c.code for c in right),
        answers=tuple(c.name for c in right) or ("None",),
        in_category=len(of_category),
        unknown=len(left) - len(known),
        suiting=sum(c.verdict == "Yes" for c in judged.values()),
    )


def _unsure(food: FoodFacts, person: PersonFacts, rules: str) -> bool:
    """Return whether the verdict may change once an amount or a status is known."""
    return bool(
        unknown_needs(food, person, rules=rules) or undecided_needs(food, person, rules=rules)
    )


def _candidate(food: FoodFacts, gold: Gold) -> Candidate:
    return Candidate(
        code=food.code,
        name=food.name,
        verdict=gold.verdict,
        net=len(gold.matches) - len(gold.contradicts),
        matches=gold.matches,
        contradicts=gold.contradicts,
    )


def _key(seed: int, person: int, code: int) -> bytes:
    return hashlib.blake2b(f"{seed}/{person}/{code}".encode(), digest_size=8).digest()


def _distinct(order: list[Candidate]) -> list[Candidate]:
    return list({c.name: c for c in reversed(order)}.values())[::-1]


def _offered(order: list[Candidate], most: int) -> tuple[Candidate, ...]:
    """Choose from foods in random order, and give them back in that order."""
    best = max((c.net for c in order if c.verdict == "Yes"), default=None)
    right = [c for c in order if c.verdict == "Yes" and c.net == best]
    wrong = [c for c in order if c.verdict == "No"]
    lesser = [c for c in order if c.verdict == "Yes" and c.net != best]
    chosen = right[: min(_MOST_RIGHT, most - 1)]
    chosen += (wrong + lesser)[: most - len(chosen)]
    if len(chosen) < 2:
        chosen = right[:most]  # all of the category are equally right
    kept = {c.code for c in chosen}
    return tuple(c for c in order if c.code in kept)


def alternatives_of_rows(
    rows: Sequence[QuizRow],
    foods: Sequence[FoodFacts],
    *,
    rules: str,
    seed: int,
    candidates: int = 5,
) -> list[AlternativesQuestion]:
    """Return a question for every row whose answer is No: what to eat instead.

    One a person and category; categories without a choice are passed over. Where a row
    belongs to a split, only foods of that split are offered, so that splits stay clean.

    Raises
    ------
    InputError
        As :func:`alternatives_for`.
    """
    splits = split_of("food", [f.code for f in foods], seed=seed)
    by_category: dict[tuple[str, str], list[FoodFacts]] = {}
    for food, split in zip(foods, splits, strict=True):
        for part in (split, ""):
            by_category.setdefault((food.category, part), []).append(food)
    found: dict[tuple[int, str], AlternativesQuestion] = {}
    for row in rows:
        key = (row.person.person, row.food.category)
        if row.gold.verdict == "Yes" or key in found:
            continue
        part = row.split if row.split in SPLITS else ""
        same = by_category.get((row.food.category, part), [])
        if len({f.name for f in same if f.code != row.food.code}) < 2:
            continue
        try:
            asked = alternatives_for(
                row.person,
                row.food.category,
                same,
                rules=rules,
                seed=seed,
                instead_of=row.food.code,
                candidates=candidates,
            )
        except NotFoundError:
            continue  # too few foods whose needed nutrients are known
        found[key] = replace(asked, split=row.split)
    return list(found.values())
