"""What a carbohydrate estimate does to blood glucose of virtual patients.

Research use, not dosing advice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from prandial.bench.risk import FileReport, RiskReport, Simulation
    from prandial.bench.risk.files import OnError
    from prandial.glucose import Engine
    from prandial.records import LoopSettings, Patient

__all__ = ["risk_assess", "risk_patients", "risk_simulate", "risk_simulate_file"]


def _settings(given: LoopSettings | Path | str | None) -> LoopSettings:
    from prandial.bench import risk
    from prandial.records import LoopSettings

    if isinstance(given, LoopSettings):
        return given
    return LoopSettings() if given is None else risk.read_settings(Path(given))


def risk_simulate(
    *,
    isf_mg_dl_per_u: float,
    cir_g_per_u: float,
    basal_u_per_h: float,
    true_carb_g: float,
    estimated_carb_g: float,
    start_glucose_mg_dl: float = 120.0,
    mode: str = "manual",
    settings: LoopSettings | Path | str | None = None,
    true_absorption_min: float = 180.0,
    reported_absorption_min: float = 180.0,
    quirks: str = "pyloopkit",
    large_meals: bool = False,
    engine: str = "auto",
    names: Mapping[str, str] | None = None,
) -> Simulation:
    """Simulate six hours after one meal of a virtual patient.

    Parameters
    ----------
    isf_mg_dl_per_u, cir_g_per_u, basal_u_per_h : float
        The patient.
    true_carb_g, estimated_carb_g : float
        What the meal holds, and what insulin is given for.
    start_glucose_mg_dl : float
    mode : {'manual', 'loop_accept', 'loop_temp', 'loop_userbolus'}
    settings : LoopSettings or Path, optional
        A JSON file has the names of Tidepool's simulator.
    true_absorption_min, reported_absorption_min : float
        25 to 595 min.
    quirks : {'pyloopkit', 'exact'}
    large_meals : bool
        Whether meals above 250 g are meant.
    engine : {'auto', 'numpy', 'numba'}
    names : mapping, optional
        What a number is called where it was given, for errors.

    Returns
    -------
    Simulation
        The trace, that of a perfect estimate, and metrics. No dosing advice.

    Raises
    ------
    InputError
        On a number outside its bound or an unknown choice.
    """
    from prandial.bench import risk

    scenario = risk.scenario_of(
        {
            "isf_mg_dl_per_u": isf_mg_dl_per_u,
            "cir_g_per_u": cir_g_per_u,
            "basal_u_per_h": basal_u_per_h,
            "true_carb_g": true_carb_g,
            "estimated_carb_g": estimated_carb_g,
            "start_glucose_mg_dl": start_glucose_mg_dl,
            "true_absorption_min": true_absorption_min,
            "reported_absorption_min": reported_absorption_min,
        },
        mode=mode,
        settings=_settings(settings),
        quirks=quirks,
        large_meals=large_meals,
        names=names,
    )
    return risk.simulate_one(scenario, large_meals=large_meals, engine=cast("Engine", engine))


def risk_simulate_file(
    input: Path | str,  # noqa: A002 - the option's name
    output: Path | str,
    *,
    quirks: str = "pyloopkit",
    on_error: str = "stop",
    large_meals: bool = False,
    engine: str = "auto",
    replace: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> FileReport:
    """Simulate a file of scenarios, JSON lines in and out.

    Parameters
    ----------
    input, output : Path
        Records as of Tidepool's simulator; `docs/cli.md` lists their keys.
    quirks : {'pyloopkit', 'exact'}
    on_error : {'stop', 'keep'}
        With a line that cannot be used: write nothing, or write it with its error.
    large_meals : bool
        Whether meals above 250 g are meant.
    engine : {'auto', 'numpy', 'numba'}
    replace : bool
        Write over a file that is there.
    progress : callable, optional
        Called with records done and in all.

    Raises
    ------
    InputError
        Naming line, key and bound.
    """
    from prandial.bench import risk

    return risk.simulate_file(
        Path(input),
        Path(output),
        quirks=quirks,
        on_error=cast("OnError", on_error),
        large_meals=large_meals,
        engine=cast("Engine", engine),
        replace=replace,
        progress=progress,
    )


def risk_assess(
    file: Path | str,
    *,
    patients: Path | str | Sequence[Patient] | None = None,
    n_patients: int = 20,
    seed: int = 0,
    starts_mg_dl: Sequence[float] = (80.0, 120.0, 160.0, 200.0),
    modes: Sequence[str] = ("manual", "loop_accept"),
    quirks: str = "pyloopkit",
    settings: LoopSettings | Path | str | None = None,
    true_absorption_min: float = 180.0,
    reported_absorption_min: float = 180.0,
    abstain: str = "exclude",
    reference: str | None = None,
    bootstrap: int = 2000,
    sensitivity: bool = False,
    surface: bool = False,
    second_patient: str | None = None,
    incomplete: str = "count",
    large_meals: bool = False,
    engine: str = "auto",
    estimators: Sequence[str] = (),
    truth: Path | str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> RiskReport:
    """Assess carbohydrate estimates of meals by what they do to virtual patients.

    Parameters
    ----------
    file : Path
        Estimates: CSV, TSV, Excel, Parquet or JSON lines, with ``meal_id``, ``true_g`` and a
        column for each estimator; or run records. `docs/cli.md` lists the forms.
    patients : Path or sequence of Patient, optional
        A table with isf, cir, basal, or patients; the synthetic population when None.
    n_patients, seed : int
        Of the synthetic population; the seed is that of the bootstrap too.
    starts_mg_dl : sequence of float
    modes : sequence of str
    quirks : {'pyloopkit', 'exact'}
    settings : LoopSettings or Path, optional
        Of the setups that run Loop; a JSON file has Tidepool's names.
    true_absorption_min, reported_absorption_min : float
        25 to 595 min.
    abstain : {'exclude', 'no_bolus', 'skip'}
    reference : str, optional
        Column that the others are compared with; every pair of columns when None.
    bootstrap : int
        Draws over meals and over patients.
    sensitivity, surface : bool
        Also vary each open choice; also compute risk against relative error and sensitivity.
    second_patient : {'uva'}, optional
    incomplete : {'count', 'abstain'}
        What an estimate of a part of the meal is: an answer, or none.
    large_meals : bool
    engine : {'auto', 'numpy', 'numba'}
    estimators : sequence of str
        Only these; all when empty.
    truth : Path, optional
        Table with ``meal_id`` and ``true_g`` for files without a truth.
    progress : callable, optional
        Called with simulations done and in all.
    """
    from prandial import __version__
    from prandial.bench import risk

    study = risk.Study(
        version=__version__,
        starts_mg_dl=starts_mg_dl,
        modes=modes,
        quirks=quirks,
        settings=_settings(settings),
        true_absorption_min=true_absorption_min,
        reported_absorption_min=reported_absorption_min,
        abstain=abstain,
        reference=reference,
        bootstrap=bootstrap,
        seed=seed,
        n_patients=n_patients,
        sensitivity=sensitivity,
        surface=surface,
        second_patient=second_patient,
        incomplete=incomplete,
        large_meals=large_meals,
        engine=cast("Engine", engine),
    )
    return risk.assess_file(
        Path(file),
        study,
        patients=Path(patients) if isinstance(patients, str | Path) else patients,
        estimators=estimators,
        truth=None if truth is None else Path(truth),
        progress=progress,
    )


def risk_patients(*, n_patients: int = 20, seed: int = 0) -> tuple[Patient, ...]:
    """Return the seeded synthetic population."""
    from prandial.glucose import draw_patients

    return draw_patients(n_patients, seed=seed)
