"""Risk of carbohydrate estimates: files and tables joined with the glucose room."""

from __future__ import annotations

from prandial.bench.risk.assessment import ABSTAIN, Design, assess_file, population
from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.bench.risk.files import FileReport, simulate_file
from prandial.bench.risk.metrics import NOTICE
from prandial.bench.risk.patients import patients_csv, read_patients
from prandial.bench.risk.report import RiskReport
from prandial.bench.risk.single import Simulation, scenario_of, simulate_one

__all__ = [
    "ABSTAIN",
    "NOTICE",
    "Design",
    "EstimateTable",
    "FileReport",
    "RiskReport",
    "Simulation",
    "assess_file",
    "patients_csv",
    "population",
    "read_estimates",
    "read_patients",
    "scenario_of",
    "simulate_file",
    "simulate_one",
]
