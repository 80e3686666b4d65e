"""A quality report as files: JSON with the counts, CSV with every finding."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, Final

from prandial.compose.quality.published import beside_published
from prandial.compose.quality.report import QualityReport
from prandial.errors import InputError

__all__ = ["FINDINGS", "QUALITY", "write_quality"]

QUALITY: Final = "quality.json"
FINDINGS: Final = "findings.csv"
_COLUMNS: Final = ("rule", "row", "item", "value", "like")
#: hits of a rule that stand in the JSON; all are in the CSV
_SHOWN: Final = 20


def write_quality(
    report: QualityReport, directory: Path | str, *, published: bool = False
) -> dict[str, Any]:
    """Write ``quality.json`` and ``findings.csv``.

    Parameters
    ----------
    report : QualityReport
    directory : Path or str
        Made when it is not there.
    published : bool
        Whether the rows are of the published v2, so that its known counts stand beside ours.

    Returns
    -------
    dict
        What stands in ``quality.json``.

    Raises
    ------
    InputError
        When the files cannot be written.
    """
    directory = Path(directory)
    body = report.to_dict(most_hits=_SHOWN)
    if published:
        body["beside_published"] = [b.to_dict() for b in beside_published(report)]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / FINDINGS).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
            writer.writeheader()
            for finding in report.findings:
                writer.writerows({"rule": finding.rule, **h.to_dict()} for h in finding.hits)
        text = json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        (directory / QUALITY).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            "the report cannot be written", where=str(directory), hint=error.strerror or ""
        ) from error
    return body
