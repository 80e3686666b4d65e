"""Where the boxes of a question's graph lie: six columns, the person left, the food right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prandial.records.quiz import Node, QuestionGraph

__all__ = ["FONT_PX", "LINE_PX", "Box", "Layout", "lay_out", "wrap"]

FONT_PX: Final = 14
LINE_PX: Final = 18
_PAD: Final = 9
_GAP: Final = 12
_HEAD: Final = 34
_MOST_LINES: Final = 4
#: width of the columns and of the gap to the next, px
_COLUMNS: Final = ((210, 50), (110, 80), (190, 190), (180, 110), (190, 70), (270, 0))
_TITLES: Final = ("habits", "person", "statuses", "tags and needs", "food", "inside the food")
#: published type of node -> column; all else stands in the middle
_PLACE: Final = {"dietary habit": 0, "status": 2, "category": 5, "ingredient": 5, "nutrient": 5}
_MIDDLE: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """A node with its place, px from the top left, and its text in lines."""

    node: Node
    column: int
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]

    @property
    def middle(self) -> float:
        """Height of the middle of the box."""
        return self.y + self.height / 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Boxes by node id, the heads of the columns in use (x, text) and the size, px."""

    boxes: dict[int, Box]
    heads: tuple[tuple[float, str], ...]
    width: float
    height: float


def _advance(character: str) -> float:
    """Return a width of a character in ems that no common sans-serif font exceeds by much."""
    if character in "iljtfIr.,:;'|!()[] ":
        return 0.42
    if character in "mwMW@%":
        return 1.0
    return 1.05 if ord(character) > 0x2E80 else 0.68 if not character.islower() else 0.63


def _width(text: str) -> float:
    return sum(_advance(c) for c in text) * FONT_PX


def wrap(text: str, width: float, *, most: int = _MOST_LINES) -> tuple[str, ...]:
    """Break a text into lines no wider than a width in px; what is left over ends in ``…``."""
    lines = [""]
    for word in text.replace("_", "_\u200b").replace("/", "/\u200b").split():
        for i, part in enumerate(word.split("\u200b")):
            space = " " if i == 0 and lines[-1] else ""
            if _width(lines[-1] + space + part) <= width:
                lines[-1] += space + part
                continue
            if lines[-1]:
                lines.append("")
            for character in part:
                if _width(lines[-1] + character) > width:
                    lines.append("")
                lines[-1] += character
    if len(lines) > most:
        last = lines[most - 1]
        while last and _width(last + "…") > width:
            last = last[:-1]
        lines = [*lines[: most - 1], last + "…"]
    return tuple(lines)


def _column(node: Node) -> int:
    if node.attr == "user":
        return 1
    if isinstance(node.name, int):
        return 4
    return _PLACE.get(node.name, _MIDDLE)


def _text(node: Node) -> str:
    return f"person {node.name}" if node.attr == "user" else node.attr


def _ordered(nodes: Sequence[Node], graph: QuestionGraph, row: dict[int, float]) -> list[Node]:
    """Sort nodes by the mean row of their neighbours that have one (barycentre; Sugiyama 1981)."""
    near: dict[int, list[float]] = {n.id: [] for n in nodes}
    for edge in graph.edges:
        for a, b in ((edge.source, edge.target), (edge.target, edge.source)):
            if a in near and b in row:
                near[a].append(row[b])
    place = {n.id: i for i, n in enumerate(nodes)}
    return sorted(
        nodes,
        key=lambda n: (sum(near[n.id]) / len(near[n.id]) if near[n.id] else 0.5, place[n.id]),
    )


def lay_out(graph: QuestionGraph, *, top: float) -> Layout:
    """Place the boxes; no two overlap.

    Parameters
    ----------
    graph : QuestionGraph
    top : float
        Height kept free above the columns, px.
    """
    columns: list[list[Node]] = [[] for _ in _COLUMNS]
    for node in graph.nodes:
        columns[_column(node)].append(node)
    count = max(len(columns[2]), 1)
    row = {n.id: (i + 0.5) / count for i, n in enumerate(columns[2])}
    columns[_MIDDLE] = _ordered(columns[_MIDDLE], graph, row)
    lines = {
        n.id: wrap(_text(n), _COLUMNS[c][0] - 2 * _PAD)
        for c, held in enumerate(columns)
        for n in held
    }
    heights = {i: len(text) * LINE_PX + 2 * _PAD for i, text in lines.items()}
    tall = [sum(heights[n.id] + _GAP for n in col) - _GAP if col else 0 for col in columns]
    tallest = max(*tall, 0)
    boxes: dict[int, Box] = {}
    heads = []
    x = 24.0
    for c, (width, gap) in enumerate(_COLUMNS):
        if not columns[c]:
            continue
        heads.append((x + width / 2, _TITLES[c]))
        spread = (tallest - tall[c]) / (len(columns[c]) + 1) if c in (2, _MIDDLE) else 0
        y = top + _HEAD + (spread or (tallest - tall[c]) / 2)
        for node in columns[c]:
            boxes[node.id] = Box(
                node=node,
                column=c,
                x=x,
                y=y,
                width=width,
                height=heights[node.id],
                lines=lines[node.id],
            )
            y += heights[node.id] + _GAP + spread
        x += width + gap
    return Layout(
        boxes=boxes, heads=tuple(heads), width=max(x + 24, 900.0), height=top + _HEAD + tallest
    )
