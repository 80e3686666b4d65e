"""The data card of a build as Markdown: from its card, its quality report and its leak checks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from prandial.compose.written import COLUMNS, open_build
from prandial.errors import InputError, SchemaError
from prandial.tables.rules import read_rules

__all__ = ["DATA_CARD", "data_card", "write_data_card"]

DATA_CARD: Final = "README.md"
_QUALITY: Final = "quality.json"
_LEAKS: Final = "leaks.json"
_VERIFIED: Final = "verified.json"
_SLICED: Final = {
    "serving_type": "Serving type",
    "country": "Country",
    "cycle": "Cycle",
    "occasion": "Occasion",
    "items": "Foods in the meal",
    "band": "Carbohydrate, g",
}
_KINDS: Final = {
    "same_text": "the same text, letter by letter",
    "same_words": "the same words, but for capitals, punctuation, the writing of numbers and grams",
    "near_text": "a share of neighbouring word pairs in common",
    "same_meal": "the same foods in the same grams",
    "same_foods_and_labels": "the same foods and labels, where one side does not tell grams",
}
#: rules shown as columns of the slices; all are in the JSON
_SHOWN_RULES: Final = 4


def write_data_card(directory: Path | str) -> str:
    """Write ``README.md`` of a build's folder from the reports that lie in it.

    Parameters
    ----------
    directory : Path or str
        As :func:`prandial.compose.written.write_build` wrote it; with ``quality.json`` and
        ``leaks.json`` when those checks were run.

    Returns
    -------
    str
        The text.

    Raises
    ------
    PrandialError
        As :func:`prandial.compose.written.open_build`; on a report that cannot be read.
    """
    directory = Path(directory)
    build = open_build(directory, verify=False)
    leaks = _report(directory / _LEAKS)
    text = data_card(
        build.card,
        verified=_report(directory / _VERIFIED),
        quality=_report(directory / _QUALITY),
        leaks=[leaks] if leaks else (),
    )
    try:
        (directory / DATA_CARD).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            "the data card cannot be written", where=str(directory), hint=error.strerror or ""
        ) from error
    return text


def _report(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SchemaError("not JSON", where=str(path), hint="run the check again") from error
    if not isinstance(body, dict):
        raise SchemaError("no report", where=str(path), hint="run the check again")
    return body


def data_card(
    card: Mapping[str, Any],
    *,
    verified: Mapping[str, Any] | None = None,
    quality: Mapping[str, Any] | None = None,
    leaks: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Return the data card.

    Parameters
    ----------
    card : mapping
        Of a build.
    verified : mapping, optional
        Rows verified, failing and doubtful, and rows by kind of fault.
    quality : mapping, optional
        As :meth:`prandial.compose.quality.QualityReport.to_dict` returns it.
    leaks : sequence of mapping
        As :meth:`prandial.compose.leaks.LeakReport.to_dict` returns them.

    Returns
    -------
    str
        Markdown; what was not checked is said to be so.
    """
    parts = [
        f"# {_cell(card['title'])}",
        _made(card),
        _files(card),
        _sources(card),
        _counts(card["counts"]),
        _texts(verified),
        _quality(quality),
        _leaks(leaks),
        _columns(),
        _limits(card),
    ]
    return "\n\n".join(p for p in parts if p) + "\n"


def _made(card: Mapping[str, Any]) -> str:
    counts = card["counts"]
    told = [
        f"{counts['rows']:,} rows with {counts['foods']:,} foods, seed {card['seed']}.",
        "Every food has its table, release, id, grams and nutrients; totals are their sums.",
        _origin(card) + ", ".join(f"{name} {v}" for name, v in card["versions"].items()) + ".",
    ]
    rows = [(k, _value(v)) for k, v in card["arguments"].items()]
    return "\n".join(told) + "\n\n## Arguments\n\n" + _table(("argument", "value"), rows)


def _origin(card: Mapping[str, Any]) -> str:
    if "reviewed" in card.get("notes", {}):
        return (
            "A reviewed build: texts were kept, corrected and left out by people (reviewed.json);"
            " arguments are those of the build that they looked at. Written by: "
        )
    return "The same arguments and files give the same bytes by the same versions: "


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _files(card: Mapping[str, Any]) -> str:
    rows = [(n, f"{f['bytes']:,}", f["sha256"]) for n, f in card["files"].items()]
    return "## Files\n\n" + _table(("file", "bytes", "sha256"), rows)


def _sources(card: Mapping[str, Any]) -> str:
    sources = card["sources"]
    if not sources:
        return "## Sources\n\nThe build names no source files."
    header = tuple(dict.fromkeys(key for s in sources for key in s))
    rows = [tuple(_value(s[key]) if key in s else "" for key in header) for s in sources]
    return "## Sources\n\n" + _table(header, rows)


def _counts(counts: Mapping[str, Any]) -> str:
    parts = ["## Rows"]
    names = {**_SLICED, "described_by": "Described by", "serving_rules": "Rule of the serving"}
    for key, title in names.items():
        cells = counts.get(key) or {}
        of = "foods" if key == "serving_rules" else "rows"
        rows = [(name, f"{n:,}") for name, n in cells.items()]
        parts.append(_table((title, of), rows))
    unlabelled = counts.get("unlabelled") or {}
    told = ", ".join(f"{n:,} without {label}" for label, n in unlabelled.items())
    parts.append(f"Labels unknown: {told or 'none'}.")
    return "\n\n".join(parts)


def _texts(verified: Mapping[str, Any] | None) -> str:
    if verified is None:
        return "## Texts\n\nNot verified."
    told = (
        f"## Texts\n\n{verified['verified']:,} texts were verified: {verified['failing']:,} fail,"
        f" {verified['doubtful']:,} pass with doubts."
    )
    kinds = [(kind, f"{n:,}") for kind, n in verified["rows_by_fault"].items()]
    return f"{told}\n\n{_table(('fault', 'rows'), kinds)}" if kinds else told


def _quality(quality: Mapping[str, Any] | None) -> str:
    if quality is None:
        return "## Quality\n\nNot checked."
    rows = []
    for one in quality["findings"]:
        share = f"{100.0 * one['n'] / one['checked']:.2f} %" if one["checked"] else "not checked"
        checked = f"{one['checked']:,} {one['of']}s"
        rows.append((one["rule"], one["what"], f"{one['n']:,}", checked, share))
    parts = [
        "## Quality",
        "Nothing was repaired. A rule that lacks what it needs was not checked, which is not 0.",
        _table(("rule", "what", "found", "of", "share"), rows),
    ]
    highest = quality.get("highest") or {}
    if highest:
        told = ", ".join(f"{k} {v['value']:g} ({_cell(v['row'])})" for k, v in highest.items())
        parts.append(f"Largest labels: {told}.")
    most = sorted((f for f in quality["findings"] if f["n"]), key=lambda f: -f["n"])[:_SHOWN_RULES]
    rules = [f["rule"] for f in quality["findings"] if f in most]
    for key, title in _SLICED.items():
        cells = quality["slices"].get(key) or {}
        if set(cells) - {"unknown"}:
            lines = [(v, f"{c['rows']:,}", *(_part(c, r) for r in rules)) for v, c in cells.items()]
            parts.append(_table((title, "rows", *rules), lines))
    return "\n\n".join(parts)


def _part(cell: Mapping[str, Any], rule: str) -> str:
    return f"{cell[rule][0]:,} of {cell[rule][1]:,}" if rule in cell else "not checked"


def _leaks(leaks: Sequence[Mapping[str, Any]]) -> str:
    if not leaks:
        return "## Leaks\n\nNot checked against any file."
    parts = ["## Leaks"]
    for one in leaks:
        rows = [
            (
                kind,
                _KINDS[kind]
                + (f" (from {one['near_from_share']:g})" if kind == "near_text" else ""),
                f"{cell['n']:,}",
                f"{cell['checked']:,}" if cell["checked"] else "not comparable",
            )
            for kind, cell in one["kinds"].items()
        ]
        parts.append(
            f"Against {_cell(one['against'])} ({one['known_rows']:,} rows):"
            f" {one['rows_with_text_leak']:,} of {one['rows']:,} rows repeat a text."
        )
        parts.append(_table(("kind", "what", "rows", "compared"), rows))
    return "\n\n".join(parts)


def _columns() -> str:
    rows = [(r["column"], COLUMNS[r["column"]], r["what"]) for r in read_rules("build_columns")]
    return "## Columns\n\n" + _table(("column", "type", "what"), rows)


def _limits(card: Mapping[str, Any]) -> str:
    notes = card.get("notes") or {}
    told = _table(("note", "value"), [(k, _value(v)) for k, v in notes.items()])
    use = f"## Use\n\n{_cell(card['use'])}."
    return f"## Notes\n\n{told}\n\n{use}" if notes else use


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(c) for c in line) + " |" for line in lines)


def _cell(text: str) -> str:
    """Return a text that stays in its cell: no line breaks, no bars, no markup of its own."""
    plain = " ".join(str(text).split())
    return plain.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
