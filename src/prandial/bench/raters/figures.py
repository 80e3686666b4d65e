"""All figures of a study of people, for a page, a terminal or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from prandial.errors import InputError
from prandial.score.answers.meals import MealRules
from prandial.score.people import (
    Disagreement,
    PairedRow,
    PeopleRow,
    PublishedRow,
    Rated,
    Sweeps,
    TimeRow,
    Wins,
    common_meals,
    disagreement,
    paired_rows,
    published_rows,
    serving_rows,
    sweeps,
    time_rows,
    win_counts,
    with_ids_of,
)

__all__ = ["PeopleFigures", "figures_of_people"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleFigures:
    """A study in figures.

    Parameters
    ----------
    rules : {'ours', 'published'}
    serving : tuple of PeopleRow
        Table 10.
    published : tuple of PublishedRow
        That of the paper.
    wins : mapping of str to tuple of Wins
        By arm: its people and the models.
    sweeps : mapping of str to tuple of Sweeps
        By arm: one a model.
    disagreement : mapping of str to tuple of Disagreement
        By arm of two or more people: highest, lowest. Everybody else has figures there too.
    time : tuple of TimeRow
    paired : tuple of PairedRow
    notes : tuple of str
        What could not be made, and why.
    """

    rules: str
    serving: tuple[PeopleRow, ...]
    published: tuple[PublishedRow, ...]
    wins: dict[str, tuple[Wins, ...]]
    sweeps: dict[str, tuple[Sweeps, ...]]
    disagreement: dict[str, tuple[Disagreement, ...]]
    time: tuple[TimeRow, ...]
    paired: tuple[PairedRow, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        body = asdict(self)
        body["paired"] = [
            {
                **asdict(p),
                "acc_difference": p.acc_difference._asdict(),
                "error_difference": p.error_difference._asdict(),
            }
            for p in self.paired
        ]
        return body


def figures_of_people(
    rated: Sequence[Rated], *, rules: MealRules = "ours", seed: int = 0, count: int | None = None
) -> PeopleFigures:
    """Make all figures of a study.

    Parameters
    ----------
    rated : sequence of Rated
        People of any arms, and models; meals of another file are known by words and label.
    rules : {'ours', 'published'}
    seed : int
    count : int, optional
        Meals at each end of the variance over people; a quarter when None.

    Raises
    ------
    InputError
        Without people, or when two of an arm have one name, or meals have two labels.
    """
    people = [r for r in rated if r.arm]
    models = [with_ids_of(r, people) for r in rated if not r.arm]
    rated = [*people, *models]
    if not people:
        raise InputError("no run of people", where="runs", hint="prandial bench people import")
    names = [(r.name, r.arm) for r in rated]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise InputError(f"{' '.join(twice).strip()} is there twice", where="runs", hint="keep one")
    arms = sorted({p.arm for p in people})
    by_arm = {arm: [p for p in people if p.arm == arm] for arm in arms}
    notes: list[str] = []
    beside = {arm: _beside(some, models, notes) for arm, some in by_arm.items()}
    return PeopleFigures(
        rules=rules,
        serving=serving_rows(rated, rules=rules, seed=seed),
        published=published_rows(),
        wins={arm: win_counts([*some, *beside[arm]]) for arm, some in by_arm.items()},
        sweeps={arm: tuple(sweeps(some, m) for m in beside[arm]) for arm, some in by_arm.items()},
        disagreement=_disagreement(by_arm, rated, rules, count, notes),
        time=time_rows(people),
        paired=_paired(people, models, rules, seed, notes),
        notes=tuple(notes),
    )


def _beside(people: Sequence[Rated], models: Sequence[Rated], notes: list[str]) -> list[Rated]:
    """Return the models that were asked a meal that all people of an arm were asked."""
    found = [m for m in models if common_meals([*people, m])]
    notes += [
        f"{people[0].arm}: {m.name} was not asked these meals" for m in models if m not in found
    ]
    return found


def _disagreement(
    by_arm: dict[str, list[Rated]],
    rated: Sequence[Rated],
    rules: MealRules,
    count: int | None,
    notes: list[str],
) -> dict[str, tuple[Disagreement, ...]]:
    found = {}
    for arm, some in by_arm.items():
        others = [r for r in rated if r.arm != arm]
        try:
            found[arm] = tuple(disagreement(some, others, rules=rules, count=count))
        except InputError as error:
            notes.append(f"{arm}: no groups of disagreement: {error.what}")
    return found


def _paired(
    people: Sequence[Rated],
    models: Sequence[Rated],
    rules: MealRules,
    seed: int,
    notes: list[str],
) -> tuple[PairedRow, ...]:
    rows: list[PairedRow] = []
    for model in models:
        try:
            rows += paired_rows(people, model, rules=rules, seed=seed)
        except InputError as error:
            if "in common" not in error.what:
                raise
            notes.append(error.what)
    return tuple(rows)
