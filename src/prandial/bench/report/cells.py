"""Cells as text: what stands in a table, in a page and in Markdown.

Meals and replies are data of strangers: here, and only here, they are made harmless.
"""

from __future__ import annotations

import html
import math
import re
import unicodedata
from typing import Any, Final

from prandial.bench.report.records import Cell, Column, Form, Table

__all__ = ["LONGEST", "cut", "for_html", "for_markdown", "shown", "table_body"]

#: characters of a meal, a reply or a list that a cell shows
LONGEST: Final = 600
#: from here on a number is written short: a reply can name a number of 300 digits
_VAST: Final = 1e9
_CUT: Final = " […]"
_LINE_ENDS: Final = "\n\r\t\u2028\u2029\v\f\x85"
#: what Markdown takes for markup, wherever it stands
_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|~$&])")
#: and what only at the beginning
_STARTS: Final = re.compile(r"^(\s*)([-=+#:])")
#: addresses that some readers of Markdown make links of by themselves
_ADDRESS: Final = re.compile(r"(?i)(https?|ftp|www)(:|\.)")


def shown(cell: Cell | None, form: Form = "text") -> str:
    """Return what a cell says, as plain text on one line."""
    if cell is None:
        return "–"
    if _absent(cell.value):
        return f"undefined ({cell.why})" if cell.why else "undefined"
    if isinstance(cell.value, str):
        text = cut(cell.value)
        return f"{text} ({cell.why})" if cell.why else text
    value, low, high = cell.value, cell.low, cell.high
    text = _number(value, form)
    if low is not None and high is not None:
        text += f" [{_number(low, form)}, {_number(high, form)}]"
    told = [f"n={cell.n}"] if cell.n is not None else []
    told += [cell.why] if cell.why else []
    return f"{text} ({'; '.join(told)})" if told else text


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _number(value: Any, form: Form) -> str:
    if form == "share":
        return f"{100 * value:.2f} %"
    if form == "p":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if form == "ratio":
        return f"{value:.4f}"
    if isinstance(value, float) and abs(value) >= _VAST:
        return f"{value:.3g}"
    if form == "count" and float(value).is_integer():
        return f"{int(value)}"
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


def cut(text: str, longest: int = LONGEST) -> str:
    """Return a text, cut with a mark where it is longer."""
    return text if len(text) <= longest else text[:longest].rstrip() + _CUT


def _seen(text: str) -> str:
    """Return a text without characters that steer a reader or turn the order of letters."""
    out = []
    for c in text:
        if c in _LINE_ENDS:
            out.append(" ")
        elif unicodedata.category(c) in ("Cc", "Cf", "Cs", "Cn", "Co"):
            out.append("\ufffd")
        else:
            out.append(c)
    return "".join(out)


def for_html(text: str) -> str:
    """Return a text that a page shows as it is."""
    return html.escape(_seen(text), quote=True)


def for_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line: no table, link, image or markup."""
    marked = _MARKUP.sub(r"\\\1", _seen(text))
    marked = _STARTS.sub(r"\1\\\2", marked)
    return _ADDRESS.sub(r"\1\\\2", marked)


def table_body(table: Table) -> dict[str, Any]:
    """Return a table as JSON: values as they are, undefined as null with its reason."""
    return {
        "name": table.name,
        "title": table.title,
        "n": table.n,
        "rules": table.rules or None,
        "lead": list(table.lead),
        "notes": list(table.notes),
        "columns": [{"key": c.key, "heading": c.heading, "form": c.form} for c in table.columns],
        "rows": [
            {
                "kind": row.kind,
                "group": row.group or None,
                **{c.key: _json(row.cells.get(c.key), c) for c in table.columns},
            }
            for row in table.rows
        ],
    }


def _json(cell: Cell | None, column: Column) -> Any:
    if cell is None:
        return None
    value = None if _absent(cell.value) else cell.value
    if column.form in ("text", "long") and not cell.why:
        return value
    body: dict[str, Any] = {"value": value}
    given = {"low": cell.low, "high": cell.high, "n": cell.n, "why": cell.why or None}
    body.update({k: v for k, v in given.items() if v is not None})
    return body if len(body) > 1 or value is None else value
