"""What a carbohydrate estimate does to blood glucose: arrays only, no food, no people."""

from __future__ import annotations

from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.assess import assess, count_simulations
from prandial.glucose.bounds import Bound, bounds, check_within, numbers_of, whole_number
from prandial.glucose.design import PERFECT, POLICIES, Design, Estimates, Policy
from prandial.glucose.engine import (
    ENGINES,
    Engine,
    check_engine,
    engine_for,
    simulate,
    simulate_glucose,
)
from prandial.glucose.kernels import GRID_MIN
from prandial.glucose.manual import manual_glucose
from prandial.glucose.plan import check_settings
from prandial.glucose.population import (
    csf_summary,
    draw_patients,
    published_patients,
)
from prandial.glucose.ranking import Agreement, kendall_tau, ranking_agreement
from prandial.glucose.result import Assessment, Difference, Measured, RangeRow, Row, StartRow
from prandial.glucose.risk import METRICS, WINDOWS, risk_indices, risk_metrics, risk_of
from prandial.glucose.sensitivity import (
    Sensitivity,
    SensitivityRow,
    Variant,
    count_sensitivity,
    open_choices,
    sensitivity,
)
from prandial.glucose.streamed import MeanRisk, mean_risk
from prandial.glucose.surface import RELATIVE_ERRORS, Surface, response_surface, typical_meals

__all__ = [
    "ENGINES",
    "GRID_MIN",
    "METRICS",
    "PERFECT",
    "POLICIES",
    "RELATIVE_ERRORS",
    "WINDOWS",
    "Agreement",
    "Assessment",
    "Bound",
    "Design",
    "Difference",
    "Engine",
    "Estimates",
    "MeanRisk",
    "Measured",
    "Policy",
    "RangeRow",
    "Row",
    "Scenarios",
    "Sensitivity",
    "SensitivityRow",
    "StartRow",
    "Surface",
    "Traces",
    "Variant",
    "assess",
    "bounds",
    "check_engine",
    "check_settings",
    "check_within",
    "count_sensitivity",
    "count_simulations",
    "csf_summary",
    "draw_patients",
    "engine_for",
    "kendall_tau",
    "manual_glucose",
    "mean_risk",
    "numbers_of",
    "open_choices",
    "published_patients",
    "ranking_agreement",
    "response_surface",
    "risk_indices",
    "risk_metrics",
    "risk_of",
    "sensitivity",
    "simulate",
    "simulate_glucose",
    "typical_meals",
    "whole_number",
]
