"""The figures in docs/ngqa.md, made from the kept result lines of ``benchmarks.ngqa``.

Run as ``python -m benchmarks.ngqa_page`` (``make docs`` does); a test checks that the
page is current.
"""

from __future__ import annotations

import json
import re
from typing import Any

from benchmarks.pages import NONE, ROOT, with_block
from prandial.tables.rules import read_rules

KEPT = ROOT / "benchmarks" / "history" / "ngqa"
PAGE = ROOT / "docs" / "ngqa.md"
_DECIMALS = {"rows": 0, "yes_ratio": 3, "nodes": 2, "edges": 2, "node_snr": 3, "tag_snr": 3}


def last_line() -> dict[str, Any]:
    """Return the newest kept line."""
    path = max(KEPT.glob("*.jsonl"), key=lambda p: [int(n) for n in re.findall(r"\d+", p.stem)])
    found: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[-1])
    return found


def _cell(name: str, value: float | None) -> str:
    return NONE if value is None else f"{value:,.{_DECIMALS[name]}f}"


def _levels(build: dict[str, Any]) -> str:
    lines = [
        "| level | | rows | Yes ratio | nodes | edges | node SNR | tag SNR |",
        "|---|---|---|---|---|---|---|---|",
    ]
    paper = {r["level"]: r for r in read_rules("published_levels")}
    for level, figures in build["levels"].items():
        ours = " | ".join(_cell(k, figures[k]) for k in _DECIMALS)
        theirs = " | ".join(_cell(k, float(paper[level][k])) for k in _DECIMALS)
        lines += [f"| {level} | here | {ours} |", f"| | published | {theirs} |"]
    return "\n".join(lines)


def _times(line: dict[str, Any]) -> str:
    lines = ["| build | rows | seconds | peak MB |", "|---|---|---|---|"]
    for b in line["builds"]:
        name = f"{b['rules']}, {b['graph']} graph, {b['people']:,} people"
        lines.append(f"| {name} | {b['counts']['rows']:,} | {b['seconds']:.1f} | {b['peak_mb']} |")
    one = line["one_cycle"]
    for form, name in (("parquet", "Parquet"), ("xpt", "transport files (XPT)")):
        told = f"as-published, 2017-2018 alone, from {name}"
        lines.append(f"| {told} | | {one[f'{form}_s']:.1f} | {one[f'{form}_peak_mb']} |")
    return "\n".join(lines)


def block() -> str:
    """Return the figures as they should stand on the page."""
    line = last_line()
    published = next(b for b in line["builds"] if b["rules"] == "as-published")
    sampler = line["sampler"]
    return (
        "\n\n".join(
            (
                f"`as-published`, nine cycles, {published['counts']['foods']} foods and"
                f" {published['counts']['people']:,} people in {published['counts']['rows']:,} rows"
                " (published: 849, 5,644 and 13,802), commit " + line["commit"] + ":",
                _levels(published),
                "Whole builds, each in a process of its own, on two shared cores:",
                _times(line),
                (
                    f"Each further cycle costs {line['per_added_cycle_s']:.1f} s. Two runs give the"
                    f" same bytes: {'yes' if line['same_bytes_twice'] else 'NO'}; XPT and Parquet"
                    f" too: {'yes' if line['one_cycle']['same_bytes'] else 'NO'}. Drawing for"
                    f" {sampler['foods']} foods out of {sampler['people']:,} people takes"
                    f" {sampler['by_patterns_s']:.2f} s for all levels by patterns of needs, and"
                    f" {sampler['by_scanning_s']:.2f} s for sparse questions alone by shuffling and"
                    " scanning everybody."
                ),
            )
        )
        + "\n"
    )


def filled() -> str:
    """Return the page with its block made anew."""
    return with_block(PAGE, block())


if __name__ == "__main__":
    PAGE.write_text(filled(), "utf-8")
