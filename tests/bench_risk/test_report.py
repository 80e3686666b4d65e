"""Reports: the same numbers as JSON, CSV and Markdown; unknown is null, empty, 'unknown'."""

from __future__ import annotations

import csv
import io
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


ODD = "=1+1|<b>[x](y)\n\x1b[31m\ud800`"


@pytest.fixture
def odd() -> RiskReport:
    rows = [
        {"estimator": ODD, "bgri": -1.5},
        {"estimator": "+a", "bgri": 2.0},
        {"estimator": "plain", "bgri": None},
    ]
    return RiskReport(
        title="Risk", tables={"table": rows}, facts={ODD: [ODD]}, notes=(ODD,), body={"rows": rows}
    )


def test_odd_names_stay_text_in_markdown(odd):
    text = odd.to_markdown()
    assert "\x1b" not in text
    assert "\ud800" not in text
    cell = "=1+1\\|\\<b>\\[x](y) \ufffd\\[31m\ufffd\\`"
    assert f"| {cell} | -1.50 |" in text
    assert f"- note: {cell}" in text.splitlines()
    # nothing but our own marks begins a line
    assert {line[:1] for line in text.splitlines()} == {"#", "R", "", "-", "|"}
    assert "| a\\\\\\|b |" in RiskReport(
        title="", tables={"t": [{"x": "a\\|b"}]}, facts={}
    ).to_markdown()  # fmt: skip


def test_a_text_is_no_formula_in_csv(odd):
    first, second, third = csv.DictReader(io.StringIO(odd.to_csv(), newline=""))
    # nor does it steer a terminal that shows the file
    assert first["estimator"] == "'" + ODD.translate(dict.fromkeys([10, 27, 0xD800], "\ufffd"))
    assert float(first["bgri"]) == -1.5  # a number stays one
    assert (second["estimator"], third["estimator"]) == ("'+a", "plain")
    heading = RiskReport(title="", tables={"t": [{"@x": 1}]}, facts={}).to_csv()
    assert heading.splitlines()[0] == "'@x,notice"


@pytest.mark.parametrize("ending", ["json", "csv", "md"])
def test_half_characters_are_written_as_replaced(odd, tmp_path, ending):
    path = tmp_path / f"r.{ending}"
    odd.write(path)
    assert "\ufffd" in path.read_bytes().decode("utf-8")


def test_a_report_is_whole_or_not_there(report, tmp_path, monkeypatch):
    path = tmp_path / "r.md"
    path.write_text("old", "utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="space"):
        report.write(path, replace=True)
    assert path.read_text("utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.md"]


def test_json_files_do_not_steer_a_terminal(tmp_path):
    """Direction marks and control characters are escaped, letters stand as they are."""
    name = "m\u202eb\x9bc \u00fc"
    RiskReport(title="", tables={}, facts={}, body={"x": name}).write(tmp_path / "r.json")
    text = (tmp_path / "r.json").read_text("utf-8")
    assert '"m\\u202eb\\u009bc \u00fc"' in text
    assert json.loads(text)["x"] == name
