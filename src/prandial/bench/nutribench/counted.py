"""What a build, or any file of meals, holds: rows by serving, country, cycle, foods."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from prandial.compose.quality import check_file
from prandial.compose.written import open_build

__all__ = ["PUBLISHED", "nutribench_stats"]

#: rows of the published sets (arXiv 2407.12843, section 3; the v2 release of the same authors)
PUBLISHED: Final = {"v1": 11_857, "v2": 15_617}
_SLICES: Final = ("serving_type", "country", "cycle", "occasion", "items", "band")


def nutribench_stats(path: Path, columns: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Count the rows of a build or file.

    Parameters
    ----------
    path : Path
        Folder of a build, or a file of meals such as a published one.
    columns : mapping, optional
        Of a file, as for :func:`prandial.compose.quality.check_file`.

    Returns
    -------
    dict
        ``rows``, ``foods`` (None where a row does not tell them), the rows by ``serving_type``,
        ``country``, ``cycle``, ``occasion``, ``items`` and ``band`` (carbohydrate, g), the
        ``published_rows``, and of a build its ``arguments`` and ``notes``.

    Raises
    ------
    PrandialError
        On a folder or file that cannot be read.
    """
    if path.is_dir():
        card = open_build(path).card
        counts = card["counts"]
        return {
            "name": path.name,
            "rows": counts["rows"],
            "foods": counts["foods"],
            **{name: dict(counts[name]) for name in _SLICES},
            "serving_rules": dict(counts["serving_rules"]),
            "published_rows": PUBLISHED,
            "arguments": dict(card["arguments"]),
            "notes": dict(card.get("notes", {})),
        }
    report = check_file(path, columns=columns)
    return {
        "name": report.name,
        "rows": report.rows,
        "foods": report.items if report.items_known == report.rows else None,
        **{
            name: {value: cell["rows"] for value, cell in report.slices[name].items()}
            for name in _SLICES
        },
        "published_rows": PUBLISHED,
    }
