"""Records of the glucose room: patient, settings of the pump, scenario, trace, risk.

Carbohydrate in g, glucose in mg/dL, insulin in U, times in minutes since the meal.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Literal, get_args

from prandial.errors import InputError

__all__ = [
    "MODES",
    "QUIRK_SETS",
    "GlucoseTrace",
    "LoopSettings",
    "Mode",
    "Patient",
    "QuirkSet",
    "Quirks",
    "Risk",
    "Scenario",
    "Setup",
]

#: how insulin is given: a bolus of the user's, or a pump run by Loop in one of three ways
Mode = Literal["manual", "loop_accept", "loop_temp", "loop_userbolus"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
#: ``pyloopkit`` equals the reference; ``exact`` has its quirks repaired
QuirkSet = Literal["pyloopkit", "exact"]
QUIRK_SETS: Final[tuple[QuirkSet, ...]] = get_args(QuirkSet)


@dataclass(frozen=True, kw_only=True, slots=True)
class Patient:
    """A virtual patient with type 1 diabetes.

    Parameters
    ----------
    name : str
    isf_mg_dl_per_u : float
        Insulin sensitivity factor: fall of glucose by one unit.
    cir_g_per_u : float
        Carbohydrate-to-insulin ratio: grams covered by one unit.
    basal_u_per_h : float
        Scheduled basal rate, which balances the liver's glucose exactly.
    """

    name: str
    isf_mg_dl_per_u: float
    cir_g_per_u: float
    basal_u_per_h: float

    @property
    def csf_mg_dl_per_g(self) -> float:
        """Carbohydrate sensitivity factor: rise of glucose by one gram (ISF / CIR)."""
        return self.isf_mg_dl_per_u / self.cir_g_per_u

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**asdict(self), "csf_mg_dl_per_g": round(self.csf_mg_dl_per_g, 6)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Quirks:
    """Which oddities of PyLoopKit are kept; each true one equals the reference.

    `docs/loop-quirks.md` describes each one with its repair.
    """

    #: a suspended pump (temp basal of 0) counts by its whole run, rounded to 1/20 U
    zero_temp_by_run: bool = True
    #: carbohydrate still to come starts without its delay
    absorption_without_delay: bool = True
    #: an integration interval of ``True`` is one minute
    true_is_one_minute: bool = True
    #: retrospective correction takes 7 carb changes, one interval later than counteraction
    correction_shifted: bool = True
    #: without a carb entry, or after its last date, there is no retrospective correction
    correction_needs_carbs: bool = True
    #: a running temp basal goes on when Loop wants the scheduled rate
    temp_runs_out: bool = True
    #: the prediction for a bolus ends with its effects
    bolus_prediction_short: bool = True

    @classmethod
    def named(cls, name: str) -> Quirks:
        """Return a quirk set by name.

        Raises
        ------
        InputError
            On a name other than ``pyloopkit`` and ``exact``.
        """
        if name not in QUIRK_SETS:
            raise InputError(
                f"no quirk set {name!r}", where="quirks", hint="known: " + ", ".join(QUIRK_SETS)
            )
        return cls(**{f.name: name == "pyloopkit" for f in fields(cls)})

    @property
    def name(self) -> str:
        """``pyloopkit``, ``exact``, or the kept ones joined by ``+``."""
        kept = [f.name for f in fields(self) if getattr(self, f.name)]
        if len(kept) == len(fields(self)):
            return "pyloopkit"
        return "+".join(kept) or "exact"


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopSettings:
    """Settings of Loop; the defaults are those of Tidepool's published risk runs.

    ``correction_interval_min`` is the integration interval of retrospective correction.
    """

    dia_min: float = 360.0
    peak_min: float = 75.0
    insulin_delay_min: float = 10.0
    carb_delay_min: float = 10.0
    target_low_mg_dl: float = 100.0
    target_high_mg_dl: float = 120.0
    suspend_mg_dl: float = 70.0
    max_basal_u_per_h: float = 35.0
    max_bolus_u: float = 30.0
    #: pump steps of rates and boluses, U/h and U; None: no rounding
    step_u: float | None = 0.05
    momentum_min: float = 15.0
    retrospective_correction: bool = True
    #: minutes, or True as in Tidepool's canonical configuration (see ``Quirks``)
    correction_interval_min: float | bool = 30.0
    correction_group_min: float = 30.0
    dynamic_carbs: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """How insulin is given: mode, settings of Loop, quirks."""

    mode: Mode = "manual"
    settings: LoopSettings = field(default_factory=LoopSettings)
    quirks: Quirks = field(default_factory=Quirks)

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise InputError(
                f"no mode {self.mode!r}", where="mode", hint="known: " + ", ".join(MODES)
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """One meal of one patient: what was eaten, what was estimated, where glucose starts."""

    patient: Patient
    setup: Setup = field(default_factory=Setup)
    true_carb_g: float
    estimated_carb_g: float
    start_glucose_mg_dl: float = 120.0
    #: minutes until the carbohydrate of the meal is absorbed
    true_absorption_min: float = 180.0
    #: absorption time told to Loop
    reported_absorption_min: float = 180.0


@dataclass(frozen=True, kw_only=True, slots=True)
class GlucoseTrace:
    """Six hours of one scenario: 73 points, every five minutes, both ends.

    Parameters
    ----------
    at_min : tuple of float
        0, 5, ..., 360.
    glucose_mg_dl : tuple of float
        True glucose, not clipped: the model is linear and may fall below 0.
    iob_u : tuple of float
        True insulin on board, basal included.
    basal_delivered_u : tuple of float
        Given in the five minutes that end at the point.
    bolus_u : tuple of (float, float)
        Minutes and units of each bolus given.
    temp_basal_u_per_h : tuple of float or None
        Rate in force after the decision at the point; None where no temp basal runs.
    """

    at_min: tuple[float, ...]
    glucose_mg_dl: tuple[float, ...]
    iob_u: tuple[float, ...]
    basal_delivered_u: tuple[float, ...]
    bolus_u: tuple[tuple[float, float], ...]
    temp_basal_u_per_h: tuple[float | None, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class Risk:
    """What one trace means for safety; bounds and windows: table ``glucose_ranges``.

    Shares of time are in % of all points, of true glucose that is not clipped. Mean, SD, CV
    and GMI are of glucose clipped to 20 to 600 mg/dL, as the linear model may fall below 0 and
    no reading does. The risk indices are given for two windows to which glucose is clipped:
    1 to 401 mg/dL (as the published study seems to have done) and 20 to 600 (the scale's own).

    Parameters
    ----------
    tir_percent, tbr_percent, tar_percent : float
        Within 70 to 180 mg/dL, below 70, above 180.
    below_54_percent, above_250_percent : float
        Part of ``tbr_percent`` and ``tar_percent``.
    mean_mg_dl, sd_mg_dl, cv_percent : float
        SD divides by n - 1; CV = 100 SD / mean. NaN for a single reading.
    gmi_percent : float
        Glucose management indicator, 3.31 + 0.02392 * mean (Bergenstal et al. 2018).
    lbgi_1_401, hbgi_1_401, bgri_1_401, lbgi_20_600, hbgi_20_600, bgri_20_600 : float
        Low and high blood glucose index and their sum, no unit.
    below_1, below_20 : bool
        Whether glucose fell below the floor of either window.
    """

    tir_percent: float
    tbr_percent: float
    tar_percent: float
    below_54_percent: float
    above_250_percent: float
    mean_mg_dl: float
    sd_mg_dl: float
    cv_percent: float
    gmi_percent: float
    lbgi_1_401: float
    hbgi_1_401: float
    bgri_1_401: float
    lbgi_20_600: float
    hbgi_20_600: float
    bgri_20_600: float
    below_1: bool
    below_20: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: what is not known is null."""
        return {k: None if v != v else v for k, v in asdict(self).items()}
