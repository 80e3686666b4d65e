"""What the Loop function returns: the recommendation and every effect behind it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

__all__ = [
    "CORRECTION_KINDS",
    "Correction",
    "CorrectionKind",
    "LoopOutput",
    "Notice",
    "TempBasal",
    "Timeline",
    "Velocities",
]

#: how the prediction lies to the target
CorrectionKind = Literal["suspend", "below_range", "in_range", "above_range"]
CORRECTION_KINDS: Final[tuple[CorrectionKind, ...]] = get_args(CorrectionKind)
#: remark on a bolus
Notice = Literal["glucose_below_suspend_threshold", "predicted_glucose_below_target"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Timeline:
    """Glucose, or an effect on it, at points of time; effects count by their changes."""

    at_min: tuple[float, ...] = ()
    mg_dl: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.at_min)

    @property
    def change_mg_dl(self) -> float:
        """Last value less the first, mg/dL; 0 where there is none."""
        return self.mg_dl[-1] - self.mg_dl[0] if self.mg_dl else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Velocities:
    """Speed of glucose between two readings, mg/dL per minute."""

    start_min: tuple[float, ...] = ()
    end_min: tuple[float, ...] = ()
    mg_dl_per_min: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.start_min)


@dataclass(frozen=True, kw_only=True, slots=True)
class Correction:
    """How the prediction lies to the target, and the insulin that would correct it.

    Parameters
    ----------
    kind : {'suspend', 'below_range', 'in_range', 'above_range'}
    min_mg_dl : float or None
        Lowest predicted glucose; for ``suspend`` the first below the threshold.
    corrected_mg_dl : float or None
        Predicted glucose that the insulin corrects (``above_range``).
    target_low_mg_dl : float or None
        Lower end of the target at the lowest (below) or at the last point (above).
    units_u : float
        Insulin, U; negative below the range.
    """

    kind: CorrectionKind
    min_mg_dl: float | None = None
    corrected_mg_dl: float | None = None
    target_low_mg_dl: float | None = None
    units_u: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class TempBasal:
    """A temporary basal rate to set, or the word to cancel the running one."""

    rate_u_per_h: float
    duration_min: float
    action: Literal["set", "cancel"] = "set"


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopOutput:
    """One decision of Loop. Research use, not dosing advice.

    ``prediction`` is that of the temp basal, ``prediction_for_bolus`` leaves out effects that
    push up: momentum and retrospective correction. ``discrepancy_mg_dl`` is what counteraction
    exceeded the expected carbohydrate effect by; None where there is no correction.
    """

    insulin_effect: Timeline
    carb_effect: Timeline
    counteraction: Velocities
    retrospective_correction: Timeline
    momentum: Timeline
    prediction: Timeline
    prediction_for_bolus: Timeline
    discrepancy_mg_dl: float | None
    correction: Correction
    temp_basal: TempBasal | None
    bolus_u: float
    notice: Notice | None
    iob_u: float
    cob_g: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)
