"""Estimates of a file assessed on virtual patients: reading, the study, the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, cast

from prandial.bench.risk.engine import Engine
from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.bench.risk.numbers import one_number
from prandial.bench.risk.patients import read_patients
from prandial.bench.risk.report import RiskReport
from prandial.errors import InputError, NotFoundError
from prandial.records import MODES, Mode, Patient, Quirks, Setup

__all__ = ["ABSTAIN", "PERFECT", "Design", "assess_file", "population"]

#: what becomes of a meal that an estimator did not answer
Abstain = Literal["exclude", "no_bolus", "skip"]
ABSTAIN: Final[tuple[Abstain, ...]] = ("exclude", "no_bolus", "skip")
#: name of the baseline that estimates without error
PERFECT: Final = "perfect"
_MOST_PATIENTS: Final = 10_000
_MOST_DRAWS: Final = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """Choices of an assessment; each is recorded in its result.

    Parameters
    ----------
    starts_mg_dl : sequence of float
        Glucose when the meal begins.
    modes : sequence of str
        Setups; of :data:`prandial.records.MODES`.
    quirks : {'pyloopkit', 'exact'}
    abstain : {'exclude', 'no_bolus', 'skip'}
        Leave the meal out for all estimators; give no insulin for it; leave it out for the
        estimator that did not answer.
    reference : str, optional
        Estimator that others are compared with; the perfect one when None.
    bootstrap : int
        Draws; 0 for no intervals.
    seed : int
        Of population and bootstrap.
    n_patients : int
        Size of the synthetic population.
    sensitivity, surface : bool
        Also vary each open choice, also compute the response surface.
    second_patient : str, optional
        ``uva``: check the ranking on the UVA/Padova model.
    large_meals : bool
    engine : {'auto', 'numpy', 'numba'}
    """

    starts_mg_dl: Sequence[float] = (80.0, 120.0, 160.0, 200.0)
    modes: Sequence[str] = ("manual", "loop_accept")
    quirks: str = "pyloopkit"
    abstain: str = "exclude"
    reference: str | None = None
    bootstrap: int = 1000
    seed: int = 0
    n_patients: int = 20
    sensitivity: bool = False
    surface: bool = False
    second_patient: str | None = None
    large_meals: bool = False
    engine: Engine = "auto"
    setups: tuple[Setup, ...] = field(init=False)

    def __post_init__(self) -> None:
        for start in self.starts_mg_dl:
            one_number("start_glucose", start, where="starts")
        for name, values in (("starts", self.starts_mg_dl), ("modes", self.modes)):
            if not values or len(set(values)) < len(values):
                raise InputError(
                    f"{name} are named twice or not at all", where=name, hint="name each once"
                )
        _one_of(self.abstain, ABSTAIN, "abstain")
        if self.second_patient is not None:
            _one_of(self.second_patient, ("uva",), "second_patient")
        for mode in self.modes:
            _one_of(mode, MODES, "modes")
        for name, value, low, high in (
            ("bootstrap", self.bootstrap, 0, _MOST_DRAWS),
            ("n_patients", self.n_patients, 1, _MOST_PATIENTS),
            ("seed", self.seed, 0, 2**32 - 1),
        ):
            if not low <= value <= high:
                raise InputError(
                    f"{value} is outside {low} to {high}", where=name, hint=f"{low} to {high}"
                )
        quirks = Quirks.named(self.quirks)
        setups = tuple(Setup(mode=cast("Mode", m), quirks=quirks) for m in self.modes)
        object.__setattr__(self, "setups", setups)


def _one_of(value: str, known: Sequence[str], where: str) -> None:
    if value not in known:
        raise InputError(f"no {where} {value!r}", where=where, hint="known: " + ", ".join(known))


def assess_file(
    path: Path,
    design: Design,
    *,
    patients: Path | None = None,
    estimators: Sequence[str] = (),
    truth: Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> RiskReport:
    """Assess the estimates of a file.

    Parameters
    ----------
    path : Path
        See :func:`.estimates.read_estimates`, also for ``estimators`` and ``truth``.
    design : Design
    patients : Path, optional
        Table of patients; the synthetic population when None.
    progress : callable, optional
        Called with simulations done and in all.

    Raises
    ------
    InputError, NotFoundError
        On a file or choice that cannot be used.
    """
    table = read_estimates(path, estimators=estimators, truth=truth, large_meals=design.large_meals)
    if design.reference not in (None, PERFECT, *table.estimators):
        raise NotFoundError(
            f"no estimator {design.reference!r}",
            where="reference",
            hint="there are: " + ", ".join((*table.estimators, PERFECT)),
        )
    if PERFECT in table.estimators:
        raise InputError(
            f"an estimator is called {PERFECT!r}",
            where=str(path),
            hint="rename it: the baseline without error has that name",
        )
    people = read_patients(patients) if patients else population(design.n_patients, design.seed)
    found = _study(table, people, design, progress)
    notes = [*table.notes]
    if table.ranged:
        notes.append("estimates with a range: " + ", ".join(table.ranged))
    return RiskReport.of("Risk of carbohydrate estimates", found, notes=notes)


def population(n_patients: int, seed: int) -> tuple[Patient, ...]:
    """Return the seeded synthetic population."""
    room: Any = import_module("prandial.glucose.population")
    return tuple(room.synthetic_population(n_patients, seed=seed))


def _study(
    table: EstimateTable,
    patients: Sequence[Patient],
    design: Design,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """Carry out the study in the glucose room; return its JSON form."""
    room: Any = import_module("prandial.glucose.assess")
    total = _simulations(table, patients, design)
    done = 0

    def hear(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(min(done, total), total)

    hear(0)
    given: dict[str, Any] = {
        "true_carb_g": table.true_g,
        "estimates": table.estimates(),
        "patients": patients,
        "start_glucose_mg_dl": tuple(design.starts_mg_dl),
        "setups": design.setups,
        "large_meals": design.large_meals,
        "engine": design.engine,
    }
    found: dict[str, Any] = room.assess(
        **given,
        meal_ids=table.meal_ids,
        ranges=table.ranges(),
        abstain=design.abstain,
        reference=design.reference or PERFECT,
        bootstrap=design.bootstrap,
        seed=design.seed,
        progress=hear,
    ).to_dict()
    if design.sensitivity:
        more: Any = import_module("prandial.glucose.sensitivity")
        found["sensitivity"] = more.sensitivity(**given).to_dict()["rows"]
    if design.surface:
        more = import_module("prandial.glucose.surface")
        found["surface"] = more.surface(**given).to_dict()["rows"]
    if design.second_patient:
        more = import_module("prandial.glucose.uva")
        found["second_patient"] = more.assess(**given).to_dict()["rows"]
    return found


def _simulations(table: EstimateTable, patients: Sequence[Patient], design: Design) -> int:
    """Return how many simulations the full factorial has, the perfect baseline included."""
    each = len(patients) * len(design.starts_mg_dl) * len(design.modes) * len(table.meal_ids)
    return each * (len(table.estimators) + 1)
