"""The figures in docs/meal-quality.md, made from the kept lines of ``benchmarks.compose_quality``.

Run as ``python -m benchmarks.compose_quality_page``; a test checks that the page is current.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.pages import ROOT

KEPT = ROOT / "benchmarks" / "history" / "compose"
PAGE = ROOT / "docs" / "meal-quality.md"
_PUBLISHED = {"v2": "v2", "v1": "v1", "v0": "v0", "v2_who_metric": "v2, GIFT with items"}


def last_line() -> dict[str, Any]:
    """Return the newest kept line."""
    path = max(KEPT.glob("quality-*.jsonl"))
    found: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[-1])
    return found


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _beside(published: Mapping[str, Any]) -> str:
    rows = []
    for one in published["v2"]["beside_published"]:
        stated = one["published"]
        told = f"{100 * stated:.1f} %" if stated < 1 else f"{stated:.0f}"
        told += f" of {one['published_of']}" if one["published_of"] else ""
        found = f"{one['n']:,} of {one['checked']:,}"
        found += f" ({100 * one['n'] / one['checked']:.2f} %)" if stated < 1 else ""
        expected = f"{one['expected']:.0f} ({one['low']:.0f}–{one['high']:.0f})"
        rows.append((one["oddity"], told, expected, found, "yes" if one["agrees"] else "**no**"))
    return _table(("oddity of v2", "known of the whole", "expected here", "found", "agrees"), rows)


def figures() -> str:
    """Return the block of the published files."""
    published = last_line()["published"]
    rules = list(published["v2"]["findings"])
    rows = []
    for rule in rules:
        cells = [published[name]["findings"][rule] for name in _PUBLISHED]
        rows.append((f"`{rule}`", *(_found(c) for c in cells)))
    sizes = [f"{title}, {published[name]['rows']:,} rows" for name, title in _PUBLISHED.items()]
    cut = published["v2"]["cut_off_names"]
    highest = published["v2"]["highest"]
    named = (
        f"Of the cooked grains weighed raw, {cut['cut_off']} have a name that its table cut off"
        f' within "boiled" (`*boi`), {cut["whole"]} a whole one. The most carbohydrate of a meal'
        f" here is {highest['carb_g']:g} g; the meal of 1,289 g known of the whole set is not among"
        " these rows."
    )
    parts = (
        _beside(published),
        named,
        "All rules on all files, found of looked at:",
        _table(("rule", *sizes), rows),
    )
    return "\n\n".join(parts) + "\n"


def _found(cell: Mapping[str, int]) -> str:
    return f"{cell['n']:,} of {cell['checked']:,}" if cell["checked"] else "not checked"


def leaks() -> str:
    """Return the block of leaks between the published versions."""
    reports = last_line()["leaks"]
    kinds = list(reports[0]["kinds"])
    rows = []
    for one in reports:
        cells = [one["kinds"][k] for k in kinds]
        which = f"{one['name']} ({one['rows']:,}) in {one['against']} ({one['known_rows']:,})"
        rows.append((which, *(_found(c) if c["checked"] else "not comparable" for c in cells)))
    return _table(("rows", *(f"`{k}`" for k in kinds)), rows) + "\n"


def times() -> str:
    """Return the block of times."""
    line = last_line()
    rows = [
        (
            f"write {one['rows']:,} rows as {', '.join(one['forms'])}",
            f"{one['seconds']:.1f}",
            f"{one['cpu_s']:.1f}",
            f"{one['peak_mb']:,}",
        )
        for one in line["written"]
    ]
    for one in line["build_checks"]:
        what = {
            "quality": f"quality of {one['rows']:,} rows",
            "leaks": f"leaks of {one['rows']:,} rows in {one['known_rows']:,}",
        }
        for part, words in what.items():
            told = (f"{one[f'{part}_s']:.1f}", f"{one[f'{part}_cpu_s']:.1f}")
            rows.append((words, *told, f"{one[f'{part}_peak_mb']:,}"))
    same = line["same_bytes_twice"]
    return (
        _table(("part", "seconds", "of CPU", "peak MB"), rows)
        + f"\n\nThe same bytes twice, in processes apart: {'yes' if same else 'NO'}."
        + f" Commit {line['commit']}.\n"
    )


def filled() -> str:
    """Return the page with its blocks made anew."""
    told = PAGE.read_text("utf-8")
    for name, make in (("figures", figures), ("leaks", leaks), ("times", times)):
        pattern = re.compile(rf"(<!-- {name} -->\n)(.*?)(<!-- /{name} -->)", re.DOTALL)
        told = pattern.sub(lambda m, make=make: m[1] + make() + m[3], told)
    return told


if __name__ == "__main__":
    PAGE.write_text(filled(), "utf-8")
