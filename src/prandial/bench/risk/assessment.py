"""Estimates of a file assessed on virtual patients: reading, the study, the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.bench.risk.numbers import one_number
from prandial.bench.risk.patients import read_patients
from prandial.bench.risk.report import RiskReport
from prandial.bench.risk.tables import (
    assessment_tables,
    ranking_table,
    sensitivity_table,
    surface_table,
)
from prandial.errors import InputError, NotFoundError
from prandial.glucose import (
    PERFECT,
    POLICIES,
    Assessment,
    Design,
    Engine,
    Estimates,
    Policy,
    assess,
    count_sensitivity,
    count_simulations,
    draw_patients,
    response_surface,
    sensitivity,
    simulate_glucose,
    typical_meals,
)
from prandial.records import MODES, Mode, Patient, Quirks, Setup

__all__ = ["SECOND_PATIENTS", "Study", "assess_file", "assess_table"]

#: other patient models, to see whether a ranking holds
SECOND_PATIENTS: Final = ("uva",)
_MOST_PATIENTS: Final = 10_000
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
    abstain : {'exclude', 'no_bolus', 'skip'}
        Leave the meal out for all estimators; give no insulin for it; leave it out for the
        estimator that did not answer.
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
    large_meals : bool
    engine : {'auto', 'numpy', 'numba'}
    """

    starts_mg_dl: Sequence[float] = (80.0, 120.0, 160.0, 200.0)
    modes: Sequence[str] = ("manual", "loop_accept")
    quirks: str = "pyloopkit"
    abstain: str = "exclude"
    reference: str | None = None
    bootstrap: int = 2000
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
    study: Study,
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
    study : Study
    patients : Path, optional
        Table of patients; the synthetic population when None.
    progress : callable, optional
        Called with simulations done and in all.

    Raises
    ------
    InputError, NotFoundError
        On a file or choice that cannot be used.
    """
    table = read_estimates(path, estimators=estimators, truth=truth, large_meals=study.large_meals)
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
        patients=None if patients is None else read_patients(patients),
        patients_origin="" if patients is None else f"table {patients.name}",
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
        bands=_bands(table),
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
        policy=cast("Policy", study.abstain),
        bootstrap=study.bootstrap,
        seed=study.seed,
        reference=study.reference,
    )
    second = None if study.second_patient is None else _Second.of(design)
    hear = _Heard(_total(estimates, design, study, second), progress)
    simulate = partial(simulate_glucose, engine=study.engine)
    found = assess(estimates, design, simulate=simulate, model="tidepool", progress=hear)
    tables: dict[str, list[dict[str, Any]]] = assessment_tables(found)
    body = found.to_dict()
    del body["note"]
    if study.sensitivity:
        varied = sensitivity(estimates, design, simulate=simulate, model="tidepool", progress=hear)
        tables["sensitivity"] = sensitivity_table(varied)
        told = varied.to_dict()
        body["sensitivity"] = {"rows": told["rows"], "left_out": told["left_out"]}
    if study.surface:
        surface = response_surface(
            typical_meals(table.true_g[found.kept]),
            design,
            simulate=simulate,
            model="tidepool",
            large_meals=study.large_meals,
        )
        tables["surface"] = surface_table(surface)
        body["surface"] = surface.to_dict()
    if second is not None:
        other = second.assess(estimates, progress=hear)
        plain = _manual_alone(estimates, design, found, simulate, hear)
        tables["second_patient"] = ranking_table(plain, other)
        body["second_patient"] = {
            "table": tables["second_patient"],
            "parameters": other.to_dict()["parameters"],
            "rows": other.to_dict()["rows"],
        }
    hear.finish()
    return RiskReport(
        title="Risk of carbohydrate estimates to the glucose of virtual patients",
        tables=tables,
        facts=_facts(found),
        notes=(*table.notes, *_notes(table, found)),
        body=body,
    )


def _bands(table: EstimateTable) -> dict[str, tuple[Any, Any]]:
    """Return the ranges; NaN for a meal that was answered without one."""
    bands: dict[str, tuple[Any, Any]] = {}
    for name, (low, high) in table.ranges().items():
        none = low == high
        bands[name] = (np.where(none, np.nan, low), np.where(none, np.nan, high))
    return bands


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


@dataclass(frozen=True, kw_only=True)
class _Second:
    """The UVA/Padova patients under the same design, manual bolus alone."""

    design: Design
    simulate: Any

    @classmethod
    def of(cls, design: Design) -> _Second:
        from prandial.glucose.uva import load_uva_patients, uva_model, uva_records

        patients = load_uva_patients()
        changed = replace(
            design,
            patients=uva_records(patients),
            patients_origin=f"UVA/Padova 2008, {len(patients)} virtual patients of simglucose",
            setups=(Setup(mode="manual"),),
        )
        return cls(design=changed, simulate=uva_model(patients))

    def assess(self, estimates: Estimates, *, progress: Callable[[int], None]) -> Assessment:
        return assess(
            estimates, self.design, simulate=self.simulate, model="uva_padova", progress=progress
        )


def _manual_alone(
    estimates: Estimates,
    design: Design,
    found: Assessment,
    simulate: Any,
    hear: Callable[[int], None],
) -> Assessment:
    """Return the assessment with a manual bolus alone, as the second patient has it."""
    if [s.mode for s in design.setups] == ["manual"]:
        return found
    plain = replace(design, setups=(Setup(mode="manual"),), bootstrap=0)
    return assess(estimates, plain, simulate=simulate, model="tidepool", progress=hear)


def _total(estimates: Estimates, design: Design, study: Study, second: _Second | None) -> int:
    total = count_simulations(estimates, design)[1]
    if study.sensitivity:
        total += count_sensitivity(estimates, design)
    if second is not None:
        total += count_simulations(estimates, second.design)[1]
    return total


def _facts(found: Assessment) -> dict[str, Any]:
    """Return what a reader must know beside the tables."""
    design = found.design
    csf = design.to_dict()["csf_mg_dl_per_g"]
    return {
        "patients": f"{len(design.patients)} ({design.patients_origin}),"
        f" CSF {csf['min']:.2f} to {csf['max']:.2f}, median {csf['median']:.2f} mg/dL per g",
        "start glucose": ", ".join(f"{g:g}" for g in design.start_glucose_mg_dl) + " mg/dL",
        "setups": ", ".join(design.labels),
        "quirks": design.setups[0].quirks.name,
        "meals": f"{int(found.kept.sum())} of {len(found.kept)}; abstention policy:"
        f" {design.policy}",
        "simulations": f"{found.n_simulations:,} ({found.n_simulated:,} carried out: equal ones"
        " once, ends of ranges too)",
        "intervals": "none"
        if not design.bootstrap
        else f"{100 * design.level:g} %, {design.bootstrap:,} draws of meals and of patients,"
        f" seed {design.seed}",
        "risk index": "BGRI [1,401]: glucose clipped to 1-401 mg/dL, as the published study did by"
        " all signs; BGRI [20,600]: to the range of the scale",
        "floor": "share of simulations in which glucose fell below 1 mg/dL",
    }


def _notes(table: EstimateTable, found: Assessment) -> list[str]:
    notes = []
    if table.ranged:
        notes.append("estimates with a range: " + ", ".join(table.ranged))
    if not all(r.same_meals for r in found.rows):
        notes.append("rows are of other meals where an estimator abstained: compare differences")
    return notes
