"""A report as a folder: Markdown, its drawings as SVG and PNG, and everything as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from prandial.bench.drawing import png_of, svg_of
from prandial.bench.report.cells import for_markdown, shown, table_body
from prandial.bench.report.page import html_of
from prandial.bench.report.records import Figure, Report, Table
from prandial.bench.risk.outputs import check_output, write_whole
from prandial.errors import InputError

__all__ = ["check_folder", "check_page", "json_of", "markdown_of", "write_folder", "write_page"]

PAGE: Final = "report.md"
BODY: Final = "report.json"
FIGURES: Final = "figures"


def json_of(report: Report) -> dict[str, Any]:
    """Return the report as JSON: undefined is null, with its reason; drawings by their words."""
    return {
        "title": report.title,
        "notes": list(report.notes),
        "facts": dict(report.facts),
        "sections": [
            {
                "title": s.title,
                "notes": list(s.notes),
                "tables": [table_body(p) for p in s.parts if isinstance(p, Table)],
                "figures": [
                    {"name": p.name, "title": p.title, "alt": p.alt, "notes": list(p.notes)}
                    for p in s.parts
                    if isinstance(p, Figure)
                ],
            }
            for s in report.sections
        ],
    }


def markdown_of(report: Report) -> str:
    """Return the report as Markdown; drawings are files beside it."""
    lines = [f"# {for_markdown(report.title)}", ""]
    lines += [f"- {for_markdown(note)}" for note in report.notes]
    for section in report.sections:
        lines += ["", f"## {for_markdown(section.title)}", ""]
        lines += [f"- {for_markdown(note)}" for note in section.notes]
        for part in section.parts:
            lines += ["", f"### {for_markdown(part.title)}", ""]
            lines += _table(part) if isinstance(part, Table) else _figure(part)
            lines += ["", *(f"- {for_markdown(note)}" for note in part.notes)]
    return "\n".join(lines).rstrip() + "\n"


def _table(table: Table) -> list[str]:
    told = [f"rules: {table.rules}"] if table.rules else []
    told += [f"n = {table.n}"] if table.n is not None else []
    lines = [for_markdown("; ".join(told)), ""] if told else []
    lines += [*(f"- {for_markdown(line)}" for line in table.lead), ""] if table.lead else []
    grouped = any(row.group for row in table.rows)
    heads = (["set"] if grouped else []) + [c.heading for c in table.columns]
    marks = ["---" if c.form in ("text", "long") else "---:" for c in table.columns]
    lines += [_bar(heads), "| " + " | ".join((["---"] if grouped else []) + marks) + " |"]
    for row in table.rows:
        cells = [shown(row.cells.get(c.key), c.form) for c in table.columns]
        if row.kind != "run" and cells:
            cells[0] = f"{cells[0]} ({row.kind})"
        lines.append(_bar(([row.group] if grouped else []) + cells))
    return lines


def _bar(cells: list[str]) -> str:
    return "| " + " | ".join(for_markdown(c) for c in cells) + " |"


def _figure(figure: Figure) -> list[str]:
    alt = for_markdown(figure.alt)
    return [
        f"![{alt}]({FIGURES}/{figure.name}.png)",
        "",
        f"{alt} ([SVG]({FIGURES}/{figure.name}.svg))",
    ]


def check_page(path: Path, *, replace: bool = False) -> None:
    """Refuse a page that cannot be written, before the work.

    Raises
    ------
    InputError, NotFoundError
        On another ending than ``.html``, a file that is there, and a folder that is not.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError(
            f"cannot tell the format of {path.name!r}",
            where=str(path),
            hint="a page ends in .html; --md DIR writes Markdown",
        )
    check_output(path, replace=replace)


def check_folder(folder: Path, *, replace: bool = False) -> None:
    """Refuse a folder that cannot be written, before the work.

    Raises
    ------
    InputError
        On a file, and on a folder that holds something, unless it may be replaced.
    NotFoundError
        When the folder above is not there.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file, no folder", where=str(folder), hint="choose another name")
    if folder.is_dir():
        if any(folder.iterdir()) and not replace:
            raise InputError(
                "the folder is not empty", where=str(folder), hint="name a new one, or --replace"
            )
        return
    check_output(folder)


def write_page(report: Report, path: Path, *, replace: bool = False) -> None:
    """Write the report as one page of HTML.

    Raises
    ------
    InputError, NotFoundError
        As :func:`check_page`.
    MissingDataError
        When altair or vl-convert is absent.
    """
    check_page(path, replace=replace)
    write_whole(path, html_of(report), replace=replace)


def write_folder(report: Report, folder: Path, *, replace: bool = False) -> tuple[Path, ...]:
    """Write the report as Markdown with its drawings, and as JSON.

    Returns
    -------
    tuple of Path
        The files written, the Markdown first.

    Raises
    ------
    InputError, NotFoundError
        As :func:`check_folder`.
    MissingDataError
        When altair or vl-convert is absent.
    """
    check_folder(folder, replace=replace)
    drawn: dict[str, str | bytes] = {}
    for figure in report.figures:
        drawn[f"{figure.name}.svg"] = svg_of(figure.chart)
        drawn[f"{figure.name}.png"] = png_of(figure.chart)
    body = json.dumps(json_of(report), ensure_ascii=True, allow_nan=False, indent=1) + "\n"
    (folder / FIGURES).mkdir(parents=True, exist_ok=True)
    written = [folder / PAGE, folder / BODY, *(folder / FIGURES / name for name in drawn)]
    for path, data in zip(written, [markdown_of(report), body, *drawn.values()], strict=True):
        write_whole(path, data, replace=replace)
    return tuple(written)
