"""What the open choices of the published study do to the result: each changed by itself.

The study fixes patients, estimators, start glucose, setups and meals by number only. Which
patients, which use of the pump's recommendation, which absorption times, settings of Loop, floor
of glucose and way of taking the mean are open; here each is changed alone, and the order of the
estimators is compared with that of the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from prandial.glucose.assess import assess, count_simulations
from prandial.glucose.cells import Progress, Simulate
from prandial.glucose.design import PERFECT, Design, Estimates
from prandial.glucose.population import draw_patients, published_patients
from prandial.glucose.ranking import kendall_tau, ranked
from prandial.glucose.result import NOTE, Assessment, json_safe, metric_named
from prandial.glucose.risk import NO_DIRECTION, WINDOWS
from prandial.records import Patient, Quirks, Setup

__all__ = [
    "Sensitivity",
    "SensitivityRow",
    "Variant",
    "count_sensitivity",
    "open_choices",
    "sensitivity",
]

#: other draws of the population
_SEEDS: Final = (1, 2)


@dataclass(frozen=True, kw_only=True)
class Variant:
    """The base with one choice changed.

    Parameters
    ----------
    choice, value : str
        What is changed, and to what.
    design : Design or None
        None where the base's own simulations tell it, looked at in another way.
    metric : str
    view : dict
        How the base is looked at, see ``Assessment.values``.
    """

    choice: str
    value: str
    metric: str
    design: Design | None = None
    view: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SensitivityRow:
    """One changed choice.

    Parameters
    ----------
    values : dict of str to float
        The metric of each estimator and of the baseline.
    ranking : tuple of str
        Estimators, best first, without the baseline.
    tau : float
        Kendall's tau-b with the base; NaN with a single estimator.
    changed : bool
        Whether the order of the estimators is another than that of the base.
    n_simulations : int
        Behind the values.
    """

    choice: str
    value: str
    metric: str
    n_simulations: int
    values: dict[str, float]
    ranking: tuple[str, ...]
    tau: float
    changed: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; ``ranks`` counts from 1."""
        said: dict[str, Any] = json_safe(
            {
                "choice": self.choice,
                "value": self.value,
                "metric": self.metric,
                "n_simulations": self.n_simulations,
                "values": self.values,
                "ranks": {name: place for place, name in enumerate(self.ranking, start=1)},
                "tau": self.tau,
                "changed": self.changed,
            }
        )
        return said


@dataclass(frozen=True, kw_only=True)
class Sensitivity:
    """All changed choices beside the base, which is the first row.

    ``left_out`` names choices that do not touch this design, with the reason.
    """

    base: Assessment
    rows: tuple[SensitivityRow, ...]
    left_out: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form with the base's choices."""
        base = self.base.to_dict()
        return {
            "note": NOTE,
            "parameters": base["parameters"],
            "n_meals": base["n_meals"],
            "abstained": base["abstained"],
            "rows": [r.to_dict() for r in self.rows],
            "left_out": self.left_out,
        }


def _with_loop(design: Design, change: Callable[[Setup], Setup]) -> Design:
    """Return the design with each Loop setup changed, equal ones kept once."""
    setups = [s if s.mode == "manual" else change(s) for s in design.setups]
    return replace(design, setups=tuple(dict.fromkeys(setups)))


def _settings(**changed: Any) -> Callable[[Setup], Setup]:
    return lambda setup: replace(setup, settings=replace(setup.settings, **changed))


def _loop_changes() -> list[tuple[str, str, Callable[[Setup], Setup]]]:
    return [
        ("loop_mode", "loop_accept", lambda s: replace(s, mode="loop_accept")),
        ("loop_mode", "loop_temp", lambda s: replace(s, mode="loop_temp")),
        ("loop_mode", "loop_userbolus", lambda s: replace(s, mode="loop_userbolus")),
        ("loop_peak_min", "65", _settings(peak_min=65.0)),
        (
            "loop_target_mg_dl",
            "110-110",
            _settings(target_low_mg_dl=110.0, target_high_mg_dl=110.0),
        ),
        ("loop_suspend_mg_dl", "80", _settings(suspend_mg_dl=80.0)),
        ("loop_correction_interval_min", "True", _settings(correction_interval_min=True)),
        (
            "loop_configuration",
            "Tidepool canonical: peak 65, interval True",
            _settings(peak_min=65.0, correction_interval_min=True),
        ),
        ("loop_max_basal_u_per_h", "5", _settings(max_basal_u_per_h=5.0)),
        ("loop_max_bolus_u", "10", _settings(max_bolus_u=10.0)),
        ("quirks", "pyloopkit", lambda s: replace(s, quirks=Quirks.named("pyloopkit"))),
        ("quirks", "exact", lambda s: replace(s, quirks=Quirks.named("exact"))),
    ]


def _populations(design: Design) -> list[tuple[str, tuple[Patient, ...]]]:
    n = len(design.patients)
    drawn = [
        (f"synthetic, {n} drawn with seed {seed}", draw_patients(n, seed=seed)) for seed in _SEEDS
    ]
    return [*drawn, ("published profiles", published_patients())]


def _simulated_choices(design: Design, metric: str) -> list[Variant]:
    found = [
        Variant(
            choice="patients",
            value=origin,
            metric=metric,
            design=replace(design, patients=patients, patients_origin=origin),
        )
        for origin, patients in _populations(design)
    ]
    loops = [s for s in design.setups if s.mode != "manual"]
    for true_min, reported_min in ((120.0, 180.0), (180.0, 240.0)):
        if reported_min != design.reported_absorption_min and not loops:
            continue  # told to nobody
        found.append(
            Variant(
                choice="absorption_min, true/reported",
                value=f"{true_min:g}/{reported_min:g}",
                metric=metric,
                design=replace(
                    design, true_absorption_min=true_min, reported_absorption_min=reported_min
                ),
            )
        )
    found += [
        Variant(choice=choice, value=value, metric=metric, design=_with_loop(design, change))
        for choice, value, change in _loop_changes()
        if loops and (choice != "loop_mode" or len(loops) == 1)
    ]
    return [v for v in found if v.design is not None and not _same(v.design, design)]


def _same(a: Design, b: Design) -> bool:
    return (
        a.patients == b.patients
        and a.setups == b.setups
        and (a.true_absorption_min, a.reported_absorption_min)
        == (b.true_absorption_min, b.reported_absorption_min)
    )


def _viewed_choices(design: Design, metric: str) -> list[Variant]:
    found = []
    stem = next((metric[: -len(w)] for w in WINDOWS if metric.endswith(w)), None)
    if stem is not None:
        found += [
            Variant(choice="window_mg_dl", value=w, metric=stem + w, view={})
            for w in WINDOWS
            if stem + w != metric
        ]
    found.append(
        Variant(
            choice="aggregation",
            value="median over (meal, patient)",
            metric=metric,
            view={"aggregation": "median"},
        )
    )
    if len(design.setups) > 1:
        found += [
            Variant(choice="setups", value=f"{label} alone", metric=metric, view={"setup": label})
            for label in design.labels
        ]
    if len(design.start_glucose_mg_dl) > 1:
        found += [
            Variant(
                choice="start_glucose_mg_dl",
                value=f"{start:g} alone",
                metric=metric,
                view={"start_glucose_mg_dl": start},
            )
            for start in design.start_glucose_mg_dl
        ]
    return found


def open_choices(design: Design, *, metric: str = "bgri_1_401") -> tuple[Variant, ...]:
    """Return every open choice of the published study, each as the base with one change.

    Changes that give the base again are not among them; those of Loop are left out of a design
    without Loop.

    Raises
    ------
    NotFoundError
        On an unknown metric.
    InputError
        On a metric of which neither more nor less is better.
    """
    metric_named(metric)
    if metric in NO_DIRECTION:
        ranked({}, metric)
    return (*_simulated_choices(design, metric), *_viewed_choices(design, metric))


def _chosen(
    estimates: Estimates, design: Design, metric: str, variants: Sequence[Variant] | None
) -> tuple[Variant, ...]:
    """Return the variants: those given, or every open choice, silence too where there is any."""
    if variants is not None:
        return tuple(variants)
    chosen = open_choices(design, metric=metric)
    if design.policy == "no_bolus" or not any(estimates.abstained.values()):
        return chosen
    silent = replace(design, policy="no_bolus")
    return (*chosen, Variant(choice="abstain", value="no_bolus", metric=metric, design=silent))


def count_sensitivity(
    estimates: Estimates, design: Design, variants: Sequence[Variant] | None = None
) -> int:
    """Return how many simulations :func:`sensitivity` carries out."""
    chosen = _chosen(estimates, design, "bgri_1_401", variants)
    designs = [design, *(v.design for v in chosen if v.design is not None)]
    return sum(count_simulations(estimates, d)[1] for d in designs)


def _row(
    variant: Variant, values: dict[str, float], n: int, base: dict[str, float]
) -> SensitivityRow:
    ours, theirs = (
        {name: v for name, v in found.items() if name != PERFECT} for found in (values, base)
    )
    ranking = ranked(ours, variant.metric)
    return SensitivityRow(
        choice=variant.choice,
        value=variant.value,
        metric=variant.metric,
        n_simulations=n,
        values=values,
        ranking=ranking,
        tau=kendall_tau(ours, theirs),
        changed=ranking != ranked(theirs, variant.metric),
    )


def sensitivity(
    estimates: Estimates,
    design: Design | None = None,
    *,
    metric: str = "bgri_1_401",
    variants: Sequence[Variant] | None = None,
    simulate: Simulate | None = None,
    model: str = "",
    progress: Progress | None = None,
) -> Sensitivity:
    """Change each open choice by itself and tell what becomes of the estimators' order.

    Parameters
    ----------
    estimates : Estimates
    design : Design, optional
        The base; the published study's choices unless given.
    metric : str
        By which estimators are ranked.
    variants : sequence of Variant, optional
        Those of :func:`open_choices` unless given.
    simulate, model, progress
        As in :func:`prandial.glucose.assess.assess`.

    Raises
    ------
    InputError, NotFoundError
        As :func:`open_choices` and :func:`prandial.glucose.assess.assess`.
    """
    design = Design() if design is None else design
    chosen = _chosen(estimates, design, metric, variants)

    def run(of: Design) -> Assessment:
        plain = replace(of, bootstrap=0)
        return assess(estimates, plain, simulate=simulate, model=model, progress=progress)

    base = run(design)
    base_values = base.values(metric)
    first = Variant(choice="base", value="", metric=metric)
    rows = [_row(first, base_values, base.n_simulations, base_values)]
    for variant in chosen:
        if variant.design is None:
            view = dict(variant.view or {})
            n = base.n_simulations
            if "setup" in view:
                n //= len(design.setups)
            if "start_glucose_mg_dl" in view:
                n //= len(design.start_glucose_mg_dl)
            values = base.values(variant.metric, **view)
        else:
            changed = run(variant.design)
            n, values = changed.n_simulations, changed.values(variant.metric)
        rows.append(_row(variant, values, n, base_values))
    left_out = {}
    if variants is None and all(s.mode == "manual" for s in design.setups):
        left_out["loop_mode, loop_*, quirks, reported absorption"] = (
            "no setup of the design runs Loop"
        )
    if variants is None and sum(s.mode != "manual" for s in design.setups) > 1:
        left_out["loop_mode"] = "several setups of the design run Loop"
    return Sensitivity(base=base, rows=tuple(rows), left_out=left_out)
