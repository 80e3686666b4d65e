"""Estimates of a file assessed on virtual patients: reading, the study, the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.bench.risk.facts import facts_of, notes_of
from prandial.bench.risk.numbers import one_number
from prandial.bench.risk.patients import read_patients
from prandial.bench.risk.report import RiskReport
from prandial.bench.risk.second import SecondPatient, manual_alone
from prandial.bench.risk.tables import (
    assessment_tables,
    meals_table,
    ranking_table,
    sensitivity_table,
    surface_table,
)
from prandial.errors import InputError, NotFoundError
from prandial.glucose import (
    PERFECT,
    POLICIES,
    RELATIVE_ERRORS,
    Design,
    Engine,
    Estimates,
    Policy,
    assess,
    bounds,
    check_engine,
    count_sensitivity,
    count_simulations,
    draw_patients,
    engine_for,
    response_surface,
    sensitivity,
    simulate_glucose,
    typical_meals,
    whole_number,
)
from prandial.records import MODES, LoopSettings, Mode, Patient, Quirks, Setup

__all__ = ["SECOND_PATIENTS", "Study", "assess_file", "assess_table"]

#: other patient models, to see whether a ranking holds
SECOND_PATIENTS: Final = ("uva",)
#: estimates of single meals that are shown
_RISKIEST: Final = 10
_MOST_PATIENTS: Final = 10_000
_LEAST_DRAWS: Final = 100
_MOST_DRAWS: Final = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Study:
    """Choices of an assessment; each is recorded in its result.

    Parameters
    ----------
    starts_mg_dl : sequence of float
        Glucose when the meal begins.
    modes : sequence of str
        Setups; of :data:`prandial.records.MODES`.
    quirks : {'pyloopkit', 'exact'}
    settings : LoopSettings
        Of the setups that run Loop.
    true_absorption_min, reported_absorption_min : float
        Of the meals, and as told to Loop.
    abstain : {'exclude', 'no_bolus', 'skip'}
        A meal without an answer: leave it out for all estimators; take it as 0 g (Loop still
        corrects what it sees); leave it out for the estimator that did not answer.
    reference : str, optional
        Column that the others are compared with; every pair of columns when None.
    bootstrap : int
        Draws; 0 for no intervals.
    seed : int
        Of the bootstrap; of the synthetic population too.
    n_patients : int
        Size of the synthetic population.
    sensitivity, surface : bool
        Also vary each open choice, also compute the response surface.
    second_patient : str, optional
        ``uva``: check the ranking on the UVA/Padova model.
    incomplete : {'count', 'abstain'}
        What an estimate of a part of the meal is: an answer, or none.
    large_meals : bool
    engine : {'auto', 'numpy', 'numba'}
    version : str
        Of prandial, for the record.
    """

    starts_mg_dl: Sequence[float] = (80.0, 120.0, 160.0, 200.0)
    modes: Sequence[str] = ("manual", "loop_accept")
    quirks: str = "pyloopkit"
    settings: LoopSettings = field(default_factory=LoopSettings)
    true_absorption_min: float = 180.0
    reported_absorption_min: float = 180.0
    abstain: str = "exclude"
    reference: str | None = None
    bootstrap: int = 2000
    seed: int = 0
    n_patients: int = 20
    sensitivity: bool = False
    surface: bool = False
    second_patient: str | None = None
    incomplete: str = "count"
    large_meals: bool = False
    engine: Engine = "auto"
    version: str = ""
    setups: tuple[Setup, ...] = field(init=False)

    def __post_init__(self) -> None:
        if isinstance(self.modes, str):
            raise InputError("modes are no list", where="modes", hint="give ['manual']")
        if not np.iterable(self.starts_mg_dl):
            raise InputError("starts are no list", where="starts", hint="give [80, 120]")
        object.__setattr__(self, "starts_mg_dl", tuple(self.starts_mg_dl))
        object.__setattr__(self, "modes", tuple(self.modes))
        for start in self.starts_mg_dl:
            one_number("start_glucose", start, where="starts")
        for name in ("true_absorption_min", "reported_absorption_min"):
            one_number("absorption", getattr(self, name), where=name)
        for name, values in (("starts", self.starts_mg_dl), ("modes", self.modes)):
            if not values or len(set(values)) < len(values):
                raise InputError(
                    f"{name} are named twice or not at all", where=name, hint="name each once"
                )
        _one_of(self.abstain, POLICIES, "abstain")
        if self.second_patient is not None:
            _one_of(self.second_patient, SECOND_PATIENTS, "second_patient")
        for mode in self.modes:
            _one_of(mode, MODES, "modes")
        for name, value, low, high in (
            ("bootstrap", self.bootstrap, 0, _MOST_DRAWS),
            ("n_patients", self.n_patients, 1, _MOST_PATIENTS),
            ("seed", self.seed, 0, 2**32 - 1),
        ):
            whole_number(value, where=name, low=low, high=high)
        if 0 < self.bootstrap < _LEAST_DRAWS:
            raise InputError(
                f"{self.bootstrap} draws",
                where="bootstrap",
                hint=f"give {_LEAST_DRAWS} to {_MOST_DRAWS}, or 0 for no intervals",
            )
        quirks = Quirks.named(self.quirks)
        setups = tuple(
            Setup(mode=cast("Mode", m), settings=self.settings, quirks=quirks) for m in self.modes
        )
        object.__setattr__(self, "setups", setups)


def _one_of(value: str, known: Sequence[str], where: str) -> None:
    if value not in known:
        raise InputError(f"no {where} {value!r}", where=where, hint="known: " + ", ".join(known))


def assess_file(
    path: Path,
    study: Study,
    *,
    patients: Path | Sequence[Patient] | None = None,
    estimators: Sequence[str] = (),
    truth: Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> RiskReport:
    """Assess the estimates of a file.

    Parameters
    ----------
    path : Path
        See :func:`.estimates.read_estimates`, also for ``estimators`` and ``truth``.
    study : Study
    patients : Path or sequence of Patient, optional
        Table of patients, or patients; the synthetic population when None.
    progress : callable, optional
        Called with simulations done and in all.

    Raises
    ------
    InputError, NotFoundError
        On a file or choice that cannot be used.
    """
    table = read_estimates(
        path,
        estimators=estimators,
        truth=truth,
        large_meals=study.large_meals,
        incomplete=study.incomplete,
    )
    if PERFECT in table.estimators:
        raise InputError(
            f"an estimator is called {PERFECT!r}",
            where=str(path),
            hint="rename it: the baseline without error has that name",
        )
    if study.reference not in (None, PERFECT, *table.estimators):
        raise NotFoundError(
            f"no estimator {study.reference!r}",
            where="reference",
            hint="there are: " + ", ".join((*table.estimators, PERFECT)),
        )
    return assess_table(
        table,
        study,
        patients=read_patients(patients) if isinstance(patients, Path) else patients,
        patients_origin=f"table {patients.name}" if isinstance(patients, Path) else "",
        progress=progress,
    )


def assess_table(
    table: EstimateTable,
    study: Study,
    *,
    patients: Sequence[Patient] | None = None,
    patients_origin: str = "",
    progress: Callable[[int, int], object] | None = None,
) -> RiskReport:
    """Assess a table of estimates; see :func:`assess_file`."""
    estimates = Estimates(
        meal_ids=table.meal_ids,
        true_g=table.true_g,
        columns=table.estimates(),
        bands=table.ranges(),
        large_meals=study.large_meals,
    )
    if patients is None:
        patients = draw_patients(study.n_patients, seed=study.seed)
        patients_origin = f"synthetic, {study.n_patients} drawn with seed {study.seed}"
    design = Design(
        patients=patients,
        patients_origin=patients_origin,
        start_glucose_mg_dl=tuple(study.starts_mg_dl),
        setups=study.setups,
        true_absorption_min=study.true_absorption_min,
        reported_absorption_min=study.reported_absorption_min,
        policy=cast("Policy", study.abstain),
        bootstrap=study.bootstrap,
        seed=study.seed,
        reference=study.reference,
    )
    second = None if study.second_patient is None else SecondPatient.of(design)
    total = _total(estimates, design, study, second)
    hear = _Heard(total, progress)
    check_engine(study.engine)
    # a study comes in blocks: the engine is chosen by all of it
    engine = engine_for(study.engine, total if any(m != "manual" for m in study.modes) else 0)
    simulate = partial(simulate_glucose, engine=engine)
    found = assess(estimates, design, simulate=simulate, model="tidepool", progress=hear)
    tables: dict[str, list[dict[str, Any]]] = assessment_tables(found)
    tables["riskiest_estimates"] = meals_table(found, worst=_RISKIEST)
    body = {"prandial": study.version, "engine": engine, **found.to_dict()}
    del body["note"]
    if study.sensitivity:
        varied = sensitivity(estimates, design, simulate=simulate, model="tidepool", progress=hear)
        tables["sensitivity"] = sensitivity_table(varied, found)
        told = varied.to_dict()
        body["sensitivity"] = {"rows": told["rows"], "left_out": told["left_out"]}
    if study.surface:
        meals = typical_meals(table.true_g[found.kept])
        surface = response_surface(
            meals,
            design,
            relative_errors=_errors_within(meals),
            simulate=simulate,
            model="tidepool",
            large_meals=study.large_meals,
        )
        tables["surface"] = surface_table(surface)
        body["surface"] = surface.to_dict()
    if second is not None:
        other = second.assess(estimates, progress=hear)
        plain = manual_alone(estimates, design, found, simulate, hear)
        tables["second_patient"] = ranking_table(plain, other)
        body["second_patient"] = {"table": tables["second_patient"], **second.told(other)}
    hear.finish()
    return RiskReport(
        title="Risk of carbohydrate estimates to the glucose of virtual patients",
        tables=tables,
        facts=facts_of(found),
        notes=(*table.notes, *notes_of(table, found)),
        body=body,
        assessment=found,
    )


def _errors_within(meals: Any) -> tuple[float, ...]:
    """Return the relative errors that keep an estimate of the largest meal within its bound."""
    most = bounds()["carb_when_asked"].high
    return tuple(e for e in RELATIVE_ERRORS if float(meals.max()) * (1 + e) <= most)


class _Heard:
    """Adds up simulations for a progress bar."""

    def __init__(self, total: int, progress: Callable[[int, int], object] | None) -> None:
        self.total, self.progress, self.done = total, progress, 0
        self(0)

    def __call__(self, more: int) -> None:
        self.done += more
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)

    def finish(self) -> None:
        if self.progress is not None:
            self.progress(self.total, self.total)


def _total(estimates: Estimates, design: Design, study: Study, second: SecondPatient | None) -> int:
    total = count_simulations(estimates, design)[1]
    if study.sensitivity:
        total += count_sensitivity(estimates, design)
    if second is not None:
        total += count_simulations(estimates, second.design)[1]
    return total
