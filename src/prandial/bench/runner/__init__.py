"""Runs of both benchmarks: asked, kept as they come, and gone on with."""

from prandial.bench.runner.cost import CostEstimate, Price, estimate_cost, read_price
from prandial.bench.runner.keeping import Progress
from prandial.bench.runner.logs import import_log
from prandial.bench.runner.run import cost_of, questions_of, run_bench
from prandial.bench.runner.settings import DIRECT, BenchSettings
from prandial.bench.runner.summary import run_summary

__all__ = [
    "DIRECT",
    "BenchSettings",
    "CostEstimate",
    "Price",
    "Progress",
    "cost_of",
    "estimate_cost",
    "import_log",
    "questions_of",
    "read_price",
    "run_bench",
    "run_summary",
]
