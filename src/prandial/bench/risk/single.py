"""One simulation: a meal of a virtual patient, beside the same meal estimated without error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from prandial.bench.risk.metrics import NOTICE, metrics_of
from prandial.bench.risk.numbers import one_number
from prandial.bench.risk.records import ScenarioRecord, record_of, written
from prandial.errors import InputError
from prandial.glucose import Engine, Scenarios, simulate
from prandial.records import (
    MODES,
    GlucoseTrace,
    LoopSettings,
    Patient,
    Quirks,
    Scenario,
    Setup,
)

__all__ = ["Simulation", "scenario_of", "simulate_one"]

_PATIENT: Final = {"isf_mg_dl_per_u": "isf", "cir_g_per_u": "cir", "basal_u_per_h": "basal"}
_MEAL: Final = {
    "true_carb_g": "carb",
    "estimated_carb_g": "carb",
    "start_glucose_mg_dl": "start_glucose",
    "true_absorption_min": "absorption",
    "reported_absorption_min": "absorption",
}


#: keys of a record that hold insulin
_INSULIN: Final = ("iob", "basal_delivered_U", "bolus_U", "temp_basal_U_per_h")


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulation:
    """A scenario with its trace, and that of a perfect estimate.

    Glucose in mg/dL; ``metrics`` by window of glucose, ``metrics`` and ``metrics_20_600``.
    """

    scenario: Scenario
    trace: GlucoseTrace
    perfect: GlucoseTrace
    metrics: Mapping[str, Mapping[str, float]]
    perfect_metrics: Mapping[str, Mapping[str, float]]
    body: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: a record as the batch form writes, and the perfect estimate.

        What the simulated pump gave is left out: nobody is to take it for a dose of a meal of
        their own. Records of the batch form have it, to be compared with Tidepool's.
        """
        out = {k: v for k, v in self.body.items() if k not in _INSULIN}
        notice = out.pop("notice")
        out["at_min"] = [int(t) for t in self.trace.at_min]
        out["perfect_estimate"] = {
            "bg": [round(v, 6) for v in self.perfect.glucose_mg_dl],
            **self.perfect_metrics,
        }
        return out | {"notice": notice}

    def plot(self, path: Path, *, replace: bool = False) -> None:
        """Draw both traces into a ``.svg`` or ``.png`` file; see :mod:`.plots`."""
        from prandial.bench.risk.plots import draw_traces, save_chart

        save_chart(draw_traces(self), path, replace=replace)


def scenario_of(
    numbers: Mapping[str, float],
    *,
    mode: str = "manual",
    settings: LoopSettings | None = None,
    quirks: str = "pyloopkit",
    large_meals: bool = False,
    names: Mapping[str, str] | None = None,
) -> Scenario:
    """Return a scenario whose numbers are within their bounds.

    Parameters
    ----------
    numbers : mapping
        ``isf_mg_dl_per_u``, ``cir_g_per_u``, ``basal_u_per_h``, ``true_carb_g``,
        ``estimated_carb_g``, ``start_glucose_mg_dl``, ``true_absorption_min``,
        ``reported_absorption_min``.
    mode, quirks : str
    settings : LoopSettings, optional
        Tidepool's when None.
    large_meals : bool
        Whether meals above 250 g are meant.
    names : mapping, optional
        What a number is called where it was given, for errors.

    Raises
    ------
    InputError
        On an unknown mode or quirk set, or a number outside its bound.
    """
    called = names or {}
    if mode not in MODES:
        raise InputError(f"no mode {mode!r}", where="mode", hint="known: " + ", ".join(MODES))
    checked = {
        name: one_number(
            quantity, numbers[name], where=called.get(name, name), large_meals=large_meals
        )
        for name, quantity in {**_PATIENT, **_MEAL}.items()
    }
    return Scenario(
        patient=Patient(name="", **{k: checked[k] for k in _PATIENT}),
        setup=Setup(
            mode=mode,
            settings=settings or LoopSettings(),
            quirks=Quirks.named(quirks),
        ),
        **{k: checked[k] for k in _MEAL},
    )


def simulate_one(
    scenario: Scenario, *, large_meals: bool = False, engine: Engine = "auto"
) -> Simulation:
    """Simulate a scenario, and the same with a perfect estimate."""
    both = [scenario, replace(scenario, estimated_carb_g=scenario.true_carb_g)]
    traces = simulate(Scenarios.of(both, large_meals=large_meals), engine=engine)
    records = [ScenarioRecord(line=0, given=record_of(s), scenario=s) for s in both]
    metrics = metrics_of(traces.glucose_mg_dl)
    return Simulation(
        scenario=scenario,
        trace=traces.one(0),
        perfect=traces.one(1),
        metrics=metrics[0],
        perfect_metrics=metrics[1],
        body={**written(records, traces)[0], "notice": NOTICE},
    )
