"""Reports: the same numbers as JSON, CSV and Markdown; unknown is null, empty, 'unknown'."""

from __future__ import annotations

import csv
import json
import math

import pytest

from prandial.bench.risk.report import RiskReport
from prandial.errors import InputError

TABLES = {
    "table": [
        {"estimator": "a|b", "n": 3, "bgri": 12.3456, "bgri_low": 11.0, "bgri_high": 14.25},
        {"estimator": "perfect", "n": 3, "bgri": math.nan},
    ],
    "paired": [{"estimator": "a|b", "reference": "perfect", "bgri": 0.5}],
}


@pytest.fixture
def report() -> RiskReport:
    return RiskReport(
        title="Risk",
        tables=TABLES,
        facts={"quirks": "pyloopkit"},
        notes=("first", "told"),
        body={"rows": TABLES["table"], "floor": [1.0, math.inf]},
    )


def test_json(report):
    body = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert list(body) == ["rows", "floor", "notes", "notice"]
    assert body["rows"][0] == TABLES["table"][0]
    assert body["rows"][1]["bgri"] is None
    assert body["floor"] == [1.0, None]
    assert body["notes"] == ["first", "told"]
    assert body["notice"] == "Research use, not dosing advice."


def test_csv(report):
    first, second = csv.DictReader(report.to_csv().splitlines())
    assert first["estimator"] == "a|b"
    assert float(first["bgri"]) == 12.3456
    assert (second["bgri"], second["bgri_low"]) == ("", "")
    assert first["notice"] == "Research use, not dosing advice."


def test_markdown(report):
    text = report.to_markdown()
    assert "| a\\|b | 3 | 12.35 [11.00, 14.25] |" in text
    assert "| perfect | 3 | unknown |" in text
    assert "- quirks: pyloopkit" in text
    assert "- note: told" in text
    # what it is not, and the design, come before the tables
    assert text.index("Research use, not dosing advice.") < text.index("note: told")
    assert text.index("note: told") < text.index("## table")


def test_files(report, tmp_path):
    for name in ("r.json", "r.csv", "r.md"):
        report.write(tmp_path / name)
        with pytest.raises(InputError, match="there already"):
            report.write(tmp_path / name)
        before = (tmp_path / name).read_bytes()
        report.write(tmp_path / name, replace=True)
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(InputError, match="format"):
        report.write(tmp_path / "r.xlsx")
