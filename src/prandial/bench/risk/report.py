"""A report of tables, facts and notes: as JSON, CSV, Markdown; the same for every study."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prandial.bench.risk.metrics import NOTICE
from prandial.bench.risk.outputs import check_output, write_whole
from prandial.bench.risk.tables import HEADINGS
from prandial.errors import InputError
from prandial.glucose import Assessment

__all__ = ["OUTPUTS", "RiskReport", "cells_of"]

OUTPUTS: Final = (".json", ".csv", ".md")
#: what a spreadsheet takes for the beginning of a formula
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class RiskReport:
    """What a study found.

    Parameters
    ----------
    title : str
    tables : mapping of str to rows
        The first is the main one; a row is flat, and ``X_low``, ``X_high`` beside ``X`` are its
        interval.
    facts : mapping
        Settings and counts, by name.
    notes : tuple of str
    body : mapping
        The JSON form, without notes and notice.
    assessment : Assessment, optional
        What the tables were made from: rows, differences, rankings as records.
    """

    title: str
    tables: Mapping[str, Sequence[Row]]
    facts: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    assessment: Assessment | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form (unknown is null)."""
        body = {**self.body, "notes": list(self.notes), "notice": NOTICE}
        return dict(_known(body))

    def to_csv(self) -> str:
        """Return the main table as CSV; unknown is an empty cell.

        A text that a spreadsheet would take for a formula (it begins with ``=``, ``+``, ``-``,
        ``@``, a tab or a line end) has an apostrophe before it.
        """
        rows = next(iter(self.tables.values()), ())
        names = [*dict.fromkeys(k for row in rows for k in row), "notice"]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([_csv(n) for n in names])
        for row in rows:
            writer.writerow([_csv(row.get(n)) for n in names[:-1]] + [NOTICE])
        return out.getvalue()

    def to_markdown(self) -> str:
        """Return all tables with facts and notes as Markdown."""
        lines = [f"# {_marked(self.title)}", "", NOTICE, ""]
        lines += [f"- {_marked(k)}: {_marked(_told(v))}" for k, v in self.facts.items()]
        lines += [*(f"- note: {_marked(note)}" for note in self.notes), ""]
        for name, rows in self.tables.items():
            columns, cells = cells_of(rows)
            lines += [
                f"## {_marked(name.replace('_', ' '))}",
                "",
                _bar(columns),
                _bar("---" for _ in columns),
            ]
            lines += [_bar(row) for row in cells]
            lines.append("")
        return "\n".join(lines)

    def write(self, path: Path | str, *, replace: bool = False) -> None:
        """Write the report as ``.json``, ``.csv`` (main table) or ``.md``, by its ending.

        Raises
        ------
        InputError
            On another ending, or a file that is there.
        """
        path = Path(path)
        self.check(path, replace=replace)
        text = {
            ".json": lambda: (
                _escaped(json.dumps(self.to_dict(), ensure_ascii=False, indent=2)) + "\n"
            ),
            ".csv": self.to_csv,
            ".md": self.to_markdown,
        }[path.suffix.lower()]()
        write_whole(path, text, replace=replace)

    @staticmethod
    def check(path: Path, *, replace: bool = False) -> None:
        """Refuse an output that cannot be written, before the work."""
        if path.suffix.lower() not in OUTPUTS:
            raise InputError(
                f"cannot tell the format of {path.name!r}",
                where=str(path),
                hint="known endings: " + ", ".join(OUTPUTS),
            )
        check_output(path, replace=replace)


def cells_of(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells of a table for Markdown: ``12.90 [11.20, 14.50]``."""
    names = list(dict.fromkeys(k for row in rows for k in row))
    ends = {f"{n}{e}" for n in names for e in ("_low", "_high")}
    columns = [n for n in names if n not in ends]
    headings = [HEADINGS.get(n) or _marked(n.replace("_", " ")) for n in columns]
    return headings, [[_cell(row, n) for n in columns] for row in rows]


def _cell(row: Row, name: str) -> str:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    middle = _marked(_told(row.get(name)))
    return middle if low is None or high is None else f"{middle} [{_told(low)}, {_told(high)}]"


def _told(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "unknown"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return json.dumps(_known(value), ensure_ascii=False, default=str)
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _steers(c: str) -> bool:
    """Whether a character would steer a terminal or turn the order of letters."""
    return unicodedata.category(c) in ("Cc", "Cf", "Cs")


def _escaped(text: str) -> str:
    """Return JSON whose characters that steer are escaped; its line ends stand."""
    return "".join(
        json.dumps(c)[1:-1] if unicodedata.category(c) in ("Cc", "Cf") and c != "\n" else c
        for c in text
    )


def _marked(text: str) -> str:
    """Return a text that Markdown shows as it is: no link, no markup, no further line."""
    out = []
    for c in text:
        if c in "\n\r\t\u2028\u2029":
            out.append(" ")
        elif _steers(c):
            out.append("\ufffd")
        else:
            out.append(f"\\{c}" if c in "\\|<[`" else c)
    return "".join(out)


def _bar(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _csv(value: Any) -> Any:
    if isinstance(value, str):
        seen = "".join("\ufffd" if _steers(c) else c for c in value)
        return f"'{seen}" if seen.startswith(_FORMULA) else seen
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return round(value, 6)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _known(value: Any) -> Any:
    """Return a value with null for NaN and infinities, at any depth."""
    if isinstance(value, Mapping):
        return {str(k): _known(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_known(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
