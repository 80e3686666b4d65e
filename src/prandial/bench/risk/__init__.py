"""Risk of carbohydrate estimates: files and tables joined with the glucose room."""

from __future__ import annotations

from prandial.bench.risk.assessment import Study, assess_file, assess_table
from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.bench.risk.files import FileReport, simulate_file
from prandial.bench.risk.metrics import NOTICE
from prandial.bench.risk.patients import patients_csv, read_patients
from prandial.bench.risk.report import RiskReport
from prandial.bench.risk.settings import read_settings
from prandial.bench.risk.single import Simulation, scenario_of, simulate_one

__all__ = [
    "NOTICE",
    "EstimateTable",
    "FileReport",
    "RiskReport",
    "Simulation",
    "Study",
    "assess_file",
    "assess_table",
    "patients_csv",
    "read_estimates",
    "read_patients",
    "read_settings",
    "scenario_of",
    "simulate_file",
    "simulate_one",
]
