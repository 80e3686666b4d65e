"""The figures in docs/model-card.md and docs/history.md, made from the kept result lines.

Run as ``python -m benchmarks.pages`` (``make docs`` does); a test checks that the
pages are current. A key that this module does not know is shown as it is, and one
that a line lacks leaves a gap: a kept line never has to be written again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "benchmarks" / "history"
CARD = ROOT / "docs" / "model-card.md"
PAGE = ROOT / "docs" / "history.md"
CAVEAT = (
    "These texts were generated from FNDDS names and portions, so look-up inverts the generator;"
    " it is not proof of better counting of real plates."
)
NONE = "–"
_BLOCK = r"(<!-- {0} -->\n)(.*?)(<!-- /{0} -->)"
_NUTRIENTS = {
    "carb_g": "carbs", "protein_g": "protein", "fat_g": "fat", "energy_kcal": "energy",
}  # fmt: skip
#: keys that say which run a line is of; a later line of the same run takes an earlier one's place
_RUN = ("version", "estimator", "configuration", "release", "half")
_ORIGIN = ("commit", "python", "machine", "selection")
_TOP = 15

Line = Mapping[str, Any]
Table = tuple[Sequence[str], list[Sequence[str]]]


def read_lines(folder: Path = HISTORY) -> list[dict[str, Any]]:
    """Return the kept lines of all versions, oldest version first, in their order."""
    paths = sorted(folder.glob("*.jsonl"), key=lambda p: _version(p.name.removesuffix(".jsonl")))
    return [
        json.loads(line)
        for path in paths
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", text))


def last_runs(lines: Iterable[Line], key: str) -> list[Line]:
    """Return the last line with a key of each run, the newest version first."""
    last: dict[tuple[str, ...], Line] = {}
    for line in lines:
        if line.get(key):
            run = tuple(str(line.get(k, "")) for k in _RUN)
            last.pop(run, None)
            last[run] = line
    runs = list(last.values())
    return sorted(runs, key=lambda x: _version(str(x.get("version", ""))), reverse=True)


def _cell(value: Any) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, list):
        return " to ".join(_cell(v) for v in value)
    return str(value).replace("|", "/").replace("\n", " ").replace("<", "&lt;")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(r) + " |" for r in rows)])


def _flat(body: Mapping[str, Any], start: str = "") -> dict[str, Any]:
    """Return nested values by their joined keys."""
    out: dict[str, Any] = {}
    for key, value in body.items():
        name = f"{start} {key}".strip().replace("_", " ")
        if isinstance(value, Mapping):
            out |= _flat(value, name)
        elif isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
            continue  # a table of its own
        else:
            out[name] = value
    return out


def _grid(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return rows of any flat keys as one table, a gap where a row lacks a key."""
    keys = list(dict.fromkeys(k for row in rows for k in row))
    body = [
        [name, *(_cell(row.get(k)) for k in keys)] for name, row in zip(names, rows, strict=True)
    ]
    return _table(["", *keys], body)


def _accuracy(line: Line) -> str:
    """Return the table of one accuracy line."""
    rows = []
    for r in line["accuracy"]:
        c = r.get("carb_g", {})
        cells = [str(r.get("title", r.get("set", NONE))), _cell(c.get("n"))]
        acc = _cell(c.get("acc"))
        if "acc_low" in c and "acc_high" in c:
            acc += f" ({_cell(c['acc_low'])} to {_cell(c['acc_high'])})"
        cells += [acc, _cell(c.get("mae")), _cell(c.get("median")), _cell(c.get("answered"))]
        for key in list(_NUTRIENTS)[1:]:
            n = r.get(key, {})
            cells.append(f"{_cell(n.get('acc'))} / {_cell(n.get('mae'))}" if n else "no label")
        cells.append(_cell(r.get("constant_median_acc")))
        rows.append(cells)
    head = (
        "set", "n", "carbs within 7.5 g, % (95 %)", "mean error g", "median error g", "answered %",
        "protein within 5 g, % / mean error g", "fat within 5 g, % / mean error g",
        "energy within 50 kcal, % / mean error kcal", "a constant guess, %",
    )  # fmt: skip
    return _table(head, rows)


def _rest_of_sets(line: Line) -> str:
    """Return ranges and whatever else the rows of an accuracy line hold."""
    known = {"set", "title", "constant_median_acc", *_NUTRIENTS}
    rest = [_flat({k: v for k, v in r.items() if k not in known}) for r in line["accuracy"]]
    names = [str(r.get("title", r.get("set", NONE))) for r in line["accuracy"]]
    return _grid(rest, names) if any(rest) else ""


def _other_parts(line: Line) -> list[str]:
    """Return a table for each further key of a line, such as v1_whole or an ablation."""
    known = {*_RUN, *_ORIGIN, "accuracy", "speed"}
    parts = []
    for key, value in line.items():
        if key in known or not value:
            continue
        title = f"**{key.replace('_', ' ')}**"
        if isinstance(value, list) and all(isinstance(v, Mapping) for v in value):
            names = [str(v.get("title", v.get("set", v.get("name", i)))) for i, v in
                     enumerate(value, start=1)]  # fmt: skip
            rows = [
                _flat({k: x for k, x in v.items() if k not in ("title", "set", "name")})
                for v in value
            ]
            parts.append(f"{title}\n\n{_grid(rows, names)}")
        elif isinstance(value, Mapping) and all(isinstance(v, Mapping) for v in value.values()):
            rows = [_flat(v) for v in value.values()]
            parts.append(f"{title}\n\n{_grid(rows, [str(k) for k in value])}")
        elif isinstance(value, Mapping):
            parts.append(
                f"{title}: " + "; ".join(f"{k} {_cell(v)}" for k, v in _flat(value).items())
            )
        else:
            parts.append(f"{title}: {_cell(value)}")
    return parts


def _origin(line: Line) -> str:
    told = [f"prandial {line.get('version', NONE)}, {line.get('estimator', NONE)}"]
    told += [
        f"{k} {line[k]}" for k in ("configuration", "release", "half", "commit") if line.get(k)
    ]
    return "; ".join(told)


def run_tables(line: Line, heading: str = "###") -> str:
    """Return everything about one accuracy line, the caveat before each table."""
    parts = [f"{heading} {line.get('half', 'unknown')} half, {line.get('estimator', NONE)}"]
    parts += [_origin(line) + ".", CAVEAT, _accuracy(line)]
    rest = _rest_of_sets(line)
    if rest:
        parts += [f"Ranges and further figures. {CAVEAT}", rest]
    for part in _other_parts(line):
        parts += [part, CAVEAT]
    return "\n\n".join(parts)


def figures_block(lines: Sequence[Line]) -> str:
    """Return the model card's figures: the newest version's runs, test half first."""
    runs = last_runs(lines, "accuracy")
    newest = [r for r in runs if r.get("version") == runs[0].get("version")] if runs else []
    newest.sort(key=lambda r: r.get("half") != "test")
    parts = [run_tables(r) for r in newest] or ["No figures are kept yet."]
    speed = last_runs(lines, "speed")
    if speed:
        parts.append(
            f"### Speed\n\n{_origin(speed[0])}.\n\n{_grid([_flat(speed[0]['speed'])], [''])}"
        )
    return "\n\n".join(parts) + "\n"


def groups_block(folder: Path = HISTORY) -> str:
    """Return where the newest version loses carbohydrate, by food group."""
    paths = sorted(folder.glob("*.groups.json"), key=lambda p: _version(p.name))
    if not paths:
        return "No figures by food group are kept yet.\n"
    body = json.loads(paths[-1].read_text("utf-8"))
    parts = [f"{_origin(body)}."]
    for one in body.get("sets", []):
        total = sum(g.get("lost", 0.0) for g in one.get("groups", [])) or 1.0
        rows = [
            (
                _cell(g.get("gold")), _cell(g.get("items")), _cell(g.get("same_food")),
                f"{g.get('lost', 0.0):.0f}", f"{100 * g.get('lost', 0.0) / total:.0f} %",
                f"{g.get('lost', 0.0) / max(1, g.get('items', 1)):.2f}",
            )
            for g in one.get("groups", [])
            if g.get("lost")
        ]  # fmt: skip
        head = ("eaten", "items", "with the right food", "carbs lost g", "share", "lost g an item")
        parts.append(
            f"**{one.get('set')}**: {one.get('meals')} meals, {one.get('items')} items. {CAVEAT}"
        )
        parts.append(_table(head, rows))
        cells = [
            (
                *(_cell(c.get(k)) for k in ("gold", "read", "items", "same_food")),
                f"{c.get('lost', 0.0):.0f}",
                f"{c.get('signed', 0.0):+.0f}",
            )
            for c in one.get("category_cells", [])[:_TOP]
        ]
        head = (
            "eaten",
            "read as",
            "items",
            "with the right food",
            "carbs lost g",
            "read minus eaten g",
        )
        parts += [f"Top confusions by category. {CAVEAT}", _table(head, cells)]
    return "\n\n".join(parts) + "\n"


def history_block(lines: Sequence[Line]) -> str:
    """Return one section a version, one row a set and run."""
    runs = last_runs(lines, "accuracy")
    sections = []
    for version in dict.fromkeys(str(r.get("version")) for r in runs):
        mine = [r for r in runs if str(r.get("version")) == version]
        sections.append("\n\n".join([f"## {version}", *(run_tables(r) for r in mine)]))
    return "\n\n".join(sections or ["No figures are kept yet."]) + "\n"


def course_block(lines: Sequence[Line]) -> str:
    """Return carbohydrate accuracy of each set over the versions."""
    runs = last_runs(lines, "accuracy")
    titles: dict[str, str] = {}  # of a set's titles the newest counts
    for run in runs:
        for r in run["accuracy"]:
            titles.setdefault(str(r.get("set")), str(r.get("title", r.get("set"))))
    rows = []
    for run in runs:
        acc = {str(r.get("set")): r.get("carb_g", {}) for r in run["accuracy"]}
        rows.append(
            [
                str(run.get("version", NONE)),
                _cell(run.get("configuration") or run.get("estimator")),
                _cell(run.get("release")),
                _cell(run.get("half")),
                *(
                    f"{_cell(acc[s].get('acc'))} / {_cell(acc[s].get('mae'))}" if s in acc else NONE
                    for s in titles
                ),
            ]
        )
    head = ("version", "estimator", "release", "half", *titles.values())
    return f"{CAVEAT}\n\n{_table(head, rows)}\n"


def with_block(page: Path, text: str, name: str = "figures") -> str:
    """Return a page's text with one block replaced."""
    pattern = re.compile(_BLOCK.format(name), re.DOTALL)
    told = page.read_text("utf-8")
    if not pattern.search(told):
        raise SystemExit(f"{page.name} has no block <!-- {name} -->")
    return pattern.sub(lambda m: m[1] + text + m[2 + 1], told)


def blocks() -> dict[Path, dict[str, str]]:
    """Return the current blocks of each page."""
    lines = read_lines()
    return {
        CARD: {"figures": figures_block(lines), "groups": groups_block()},
        PAGE: {"course": course_block(lines), "history": history_block(lines)},
    }


def filled(page: Path, parts: Mapping[str, str]) -> str:
    """Return a page's text with its blocks made anew."""
    text = page.read_text("utf-8")
    for name, body in parts.items():
        pattern = re.compile(_BLOCK.format(name), re.DOTALL)
        if not pattern.search(text):
            raise SystemExit(f"{page.name} has no block <!-- {name} -->")
        text = pattern.sub(lambda m, body=body: m[1] + body + m[3], text)  # type: ignore[misc]
    return text


def refresh() -> None:
    """Write the current blocks into the pages."""
    for page, parts in blocks().items():
        page.write_text(filled(page, parts), "utf-8")


if __name__ == "__main__":
    refresh()
