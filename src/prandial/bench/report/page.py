"""A report as one page of HTML: no network, no scripts, everything inside."""

from __future__ import annotations

import base64
import re
from importlib.resources import files
from typing import Final

from prandial.bench.drawing import svg_of
from prandial.bench.report.cells import for_html, shown
from prandial.bench.report.records import Cell, Column, Figure, Report, Row, Section, Table

__all__ = ["html_of"]

_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_ASIDE: Final = re.compile(r"^(.*?)( \[[^\]]*\](?: \(.*\))?| \(n=\d.*\))$", re.DOTALL)
_KINDS: Final = (
    "italic: baselines that know nothing of the meal or the graph; shaded: figures others have"
    " published, on their questions, not on these; square brackets: 95 % bootstrap interval"
)


def html_of(report: Report) -> str:
    """Return the page; drawings are SVG inside it."""
    css = files("prandial.bench.report").joinpath("report.css").read_text("utf-8")
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{for_html(report.title)}</title>",
        f"<style>\n{css}</style>\n</head>\n<body>\n<header>",
        f"<h1>{for_html(report.title)}</h1>",
        *(f'<p class="notice">{for_html(note)}</p>' for note in report.notes),
        "</header>",
        _contents(report),
        "<main>",
        *(_section(k, s) for k, s in enumerate(report.sections)),
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _contents(report: Report) -> str:
    items = "".join(
        f'<li><a href="#section-{k}">{for_html(s.title)}</a></li>'
        for k, s in enumerate(report.sections)
    )
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>\n<p class="kinds">{_KINDS}</p>'


def _section(k: int, section: Section) -> str:
    parts = [f'<section id="section-{k}">', f"<h2>{for_html(section.title)}</h2>"]
    parts += [_notes(section.notes)]
    parts += [_table(p) if isinstance(p, Table) else _figure(p) for p in section.parts]
    return "\n".join([*parts, "</section>"])


def _notes(notes: tuple[str, ...]) -> str:
    if not notes:
        return ""
    return '<ul class="notes">' + "".join(f"<li>{for_html(n)}</li>" for n in notes) + "</ul>"


def _table(table: Table) -> str:
    told = [f"rules: {table.rules}"] if table.rules else []
    told += [f"n = {table.n}"] if table.n is not None else []
    caption = f"<caption>{for_html('; '.join(told))}</caption>" if told else ""
    head = "".join(
        f'<th scope="col"{_class(c, header=True)}>{for_html(c.heading)}</th>' for c in table.columns
    )
    return "\n".join(
        [
            f'<h3 id="{table.name}">{for_html(table.title)}</h3>',
            _notes(table.lead),
            f'<div class="scroll" role="region" aria-labelledby="{table.name}" tabindex="0">',
            f"<table>{caption}<thead><tr>{head}</tr></thead>",
            *_bodies(table),
            "</table></div>",
            _notes(table.notes),
        ]
    )


def _bodies(table: Table) -> list[str]:
    out: list[str] = []
    group: str | None = None
    for row in table.rows:
        if row.group != group:
            group = row.group
            out.append("</tbody><tbody>" if out else "<tbody>")
            if group:
                out.append(
                    f'<tr class="group"><th scope="rowgroup" colspan="{len(table.columns)}">'
                    f"{for_html(group)}</th></tr>"
                )
        out.append(_row(table, row))
    return [*out, "</tbody>"] if out else ["<tbody></tbody>"]


def _row(table: Table, row: Row) -> str:
    cells = []
    for k, column in enumerate(table.columns):
        text = _cell(row.cells.get(column.key), column)
        cells.append(
            f'<th scope="row">{text}</th>' if k == 0 else f"<td{_class(column)}>{text}</td>"
        )
    mark = "" if row.kind == "run" else f' class="{row.kind}"'
    return f"<tr{mark}>{''.join(cells)}</tr>"


def _class(column: Column, *, header: bool = False) -> str:
    if column.form == "text" or (header and column.form == "long"):
        return ""
    return f' class="{"long" if column.form == "long" else "number"}"'


def _cell(cell: Cell | None, column: Column) -> str:
    text = shown(cell, column.form)
    if column.form in ("text", "long"):
        return for_html(text)
    found = _ASIDE.match(text)
    if found is None:
        return for_html(text)
    return f'{for_html(found[1])}<span class="interval">{for_html(found[2].strip())}</span>'


def _figure(figure: Figure) -> str:
    data = base64.b64encode(svg_of(figure.chart).encode("utf-8")).decode("ascii")
    return "\n".join(
        [
            f'<h3 id="{figure.name}">{for_html(figure.title)}</h3>',
            f'<figure><img alt="{for_html(figure.alt)}" src="data:image/svg+xml;base64,{data}">',
            f"<figcaption>{for_html(figure.alt)}</figcaption></figure>",
            _notes(figure.notes),
        ]
    )
