"""The graph of one question as a picture: SVG of our own, and PNG through resvg."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from math import hypot
from typing import Final, NamedTuple

from prandial.errors import InputError, MissingDataError
from prandial.graph.layout import FONT_PX, LINE_PX, Box, Layout, lay_out, wrap
from prandial.records.quiz import Edge, Node, QuestionGraph

__all__ = ["draw_png", "draw_svg"]

_FONTS: Final = "DejaVu Sans, Liberation Sans, Noto Sans, Arial, Helvetica, sans-serif"
#: what neither XML 1.0 nor a reader can do with
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class _Style(NamedTuple):
    colour: str
    width: float
    dash: str
    mark: str


_MATCH: Final = _Style("#1a7f37", 2.6, "", "tick")
_CONTRADICT: Final = _Style("#c2261f", 2.6, "9 5", "cross")
_NEED: Final = _Style("#9a6700", 2.0, "2 4", "")
_UNKNOWN: Final = _Style("#7a7f87", 2.0, "1 5", "question")
_QUIET: Final = _Style("#b9bfc7", 1.3, "", "")
_STYLES: Final = {"match": _MATCH, "contradict": _CONTRADICT, "need": _NEED}
_LEGEND: Final = (
    (_MATCH, "match: the food has what is needed"),
    (_CONTRADICT, "contradict: the food has the opposite"),
    (_NEED, "need: the food's tags say nothing"),
    (_UNKNOWN, "unknown"),
)
#: places along a line where its mark may stand, best first, and px between two marks
_SPOTS: Final = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85)
_APART: Final = 22
#: fill, border of the boxes by column
_BOXES: Final = (
    ("#f6f8fa", "#d0d7de"),
    ("#ddf4ff", "#0969da"),
    ("#fff8c5", "#9a6700"),
    ("#ffffff", "#57606a"),
    ("#ddf4ff", "#0969da"),
    ("#f6f8fa", "#d0d7de"),
)


def draw_svg(
    graph: QuestionGraph, title: str, question: str = "", answers: Sequence[str] = ()
) -> str:
    """Draw the graph of a question.

    A match is a green solid line with a tick, a contradiction a red dashed line with a
    cross, so that the two differ without colour.

    Parameters
    ----------
    graph : QuestionGraph
    title : str
    question : str
        Shown under the title.
    answers : sequence of str
        One line each, under the question.

    Returns
    -------
    str
        A whole SVG document with ``title`` and ``desc``.
    """
    told = [*wrap(question, 1180, most=6), *(li for a in answers for li in wrap(a, 1180, most=4))]
    told = [t for t in told if t]
    top = 62 + LINE_PX * len(told)
    layout = lay_out(graph, top=top)
    height = layout.height + 74
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width:g}" height="{height:g}" '
            f'viewBox="0 0 {layout.width:g} {height:g}" role="img" aria-labelledby="t d" '
            f'font-family="{_FONTS}" font-size="{FONT_PX}">'
        ),
        f'<title id="t">{_safe(title)}</title>',
        f'<desc id="d">{_safe(_description(graph, question, answers))}</desc>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        _line(24, 36, wrap(title, 780, most=1)[0], size=20, weight="bold"),
        *(_line(24, 62 + LINE_PX * i, text) for i, text in enumerate(told)),
        *(
            _line(x, top + 18, head, anchor="middle", fill="#57606a", weight="bold")
            for x, head in layout.heads
        ),
    ]
    styled = [(e, s) for e, s in _styled(graph) if {e.source, e.target} <= layout.boxes.keys()]
    by_weight = sorted(styled, key=lambda pair: pair[1].width)
    parts += [_edge(edge, style, layout) for edge, style in by_weight]
    parts += [_box(box) for box in layout.boxes.values()]
    parts += _marks(styled, layout)
    parts += [_legend(layout.height + 44), "</svg>\n"]
    return "\n".join(parts)


def draw_png(svg: str) -> bytes:
    """Turn a drawing into PNG.

    Raises
    ------
    MissingDataError
        When resvg is not installed, or the system has no font to write with.
    InputError
        When it is no SVG.
    """
    if not _has_font():
        raise MissingDataError(
            "no font to draw text with",
            where="PNG",
            hint="install one, such as DejaVu Sans (Debian: apt install fonts-dejavu-core), "
            "or write the drawing as SVG",
        )
    return _render(svg)


@cache
def _has_font() -> bool:
    """Whether a text leaves a mark (resvg leaves it out in silence when it has no font)."""
    start = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">'
    text = f'<text x="2" y="15" font-family="{_FONTS}">mw</text>'
    return _render(f"{start}{text}</svg>") != _render(f"{start}</svg>")


def _render(svg: str) -> bytes:
    try:
        import resvg_py
    except ImportError as error:
        raise MissingDataError(
            "resvg is not installed", where="PNG", hint="pip install 'prandial[ngqa]'"
        ) from error
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff"))
    except ValueError as error:
        raise InputError("not an SVG drawing", where="PNG", hint=f"resvg says: {error}") from error


def _safe(text: str) -> str:
    return escape(_CONTROLS.sub("\ufffd", text))


def _line(
    x: float,
    y: float,
    text: str,
    *,
    size: int = FONT_PX,
    anchor: str = "start",
    fill: str = "#1f2328",
    weight: str = "normal",
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" '
        f'font-weight="{weight}">{_safe(text)}</text>'
    )


def _description(graph: QuestionGraph, question: str, answers: Sequence[str]) -> str:
    named = {n.id: f"person {n.name}" if n.attr == "user" else n.attr for n in graph.nodes}
    told = [
        f"{named.get(e.source)} {e.relation} {named.get(e.target)}"
        for e, style in _styled(graph)
        if style is not _QUIET
    ]
    counts = f"Graph of {len(graph.nodes)} nodes and {len(graph.edges)} edges."
    return " ".join(filter(None, (question, *answers, counts, "; ".join(told))))


def _is_doubtful(node: Node) -> bool:
    return node.name == "nutrient" and node.attr.endswith(" unknown")


def _styled(graph: QuestionGraph) -> list[tuple[Edge, _Style]]:
    """Return the edges with how each is drawn; an unknown amount is said by its node."""
    doubtful = {n.id for n in graph.nodes if _is_doubtful(n)}
    return [
        (
            e,
            _UNKNOWN
            if "unknown" in e.relation or e.target in doubtful
            else _STYLES.get(e.relation, _QUIET),
        )
        for e in graph.edges
    ]


def _curve(edge: Edge, layout: Layout) -> tuple[float, ...]:
    """Return the eight coordinates of a cubic curve between two boxes' facing sides."""
    a, b = layout.boxes[edge.source], layout.boxes[edge.target]
    if a.column == b.column:
        x, bulge = a.x + a.width, a.x + a.width + 46
        return x, a.middle, bulge, a.middle, bulge, b.middle, b.x + b.width, b.middle
    right = a.column < b.column
    x1, x2 = (a.x + a.width, b.x) if right else (a.x, b.x + b.width)
    half = (x2 - x1) / 2
    return x1, a.middle, x1 + half, a.middle, x2 - half, b.middle, x2, b.middle


def _edge(edge: Edge, style: _Style, layout: Layout) -> str:
    x1, y1, x2, y2, x3, y3, x4, y4 = (f"{v:.1f}" for v in _curve(edge, layout))
    colour, width, dash, _ = style
    dashed = f' stroke-dasharray="{dash}" stroke-linecap="round"' if dash else ""
    return (
        f'<path d="M{x1} {y1}C{x2} {y2} {x3} {y3} {x4} {y4}" fill="none" stroke="{colour}" '
        f'stroke-width="{width}"{dashed}><title>{_safe(edge.relation)}</title></path>'
    )


def _marks(styled: Sequence[tuple[Edge, _Style]], layout: Layout) -> list[str]:
    """Return the marks of the lines, each where no other mark lies."""
    taken: list[tuple[float, float]] = []
    parts = []
    for edge, style in styled:
        if not style.mark:
            continue
        spots = [_at(edge, layout, t) for t in _SPOTS]
        free = (s for s in spots if all(hypot(s[0] - x, s[1] - y) > _APART for x, y in taken))
        spot = next(free, spots[0])
        taken.append(spot)
        parts.append(_mark(style, *spot))
    return parts


def _at(edge: Edge, layout: Layout, t: float) -> tuple[float, float]:
    x1, y1, x2, y2, x3, y3, x4, y4 = _curve(edge, layout)
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    return a * x1 + b * x2 + c * x3 + d * x4, a * y1 + b * y2 + c * y3 + d * y4


def _mark(style: _Style, x: float, y: float) -> str:
    shapes = {
        "tick": "M-4 0L-1 4L5 -4",
        "cross": "M-4 -4L4 4M-4 4L4 -4",
        "question": "M-3 -3C-3 -6 3 -6 3 -2.5C3 0 0 -0.5 0 2M0 5L0 5.4",
    }
    return (
        f'<g transform="translate({x:.1f} {y:.1f})"><circle r="9" fill="#ffffff" '
        f'stroke="{style.colour}" stroke-width="1.6"/><path d="{shapes[style.mark]}" fill="none" '
        f'stroke="{style.colour}" stroke-width="2.2" stroke-linecap="round"/></g>'
    )


def _box(box: Box) -> str:
    fill, border = _BOXES[box.column]
    node = box.node
    dotted = node.name == "user_nutrition_tag" or _is_doubtful(node)
    dash = ' stroke-dasharray="2 4"' if dotted else ""
    weight = "bold" if box.column in (1, 4) else "normal"
    text = "".join(
        f'<tspan x="{box.x + box.width / 2:g}" dy="{LINE_PX if i else 0}">{_safe(line)}</tspan>'
        for i, line in enumerate(box.lines)
    )
    baseline = box.middle - (len(box.lines) - 1) * LINE_PX / 2 + FONT_PX * 0.35
    return (
        f"<g><title>{_safe(f'{node.name}: {node.attr}')}</title>"
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="6" '
        f'fill="{fill}" stroke="{border}" stroke-width="1.4"{dash}/>'
        f'<text y="{baseline:g}" text-anchor="middle" fill="#1f2328" font-weight="{weight}">'
        f"{text}</text></g>"
    )


def _legend(y: float) -> str:
    parts, x = [], 24.0
    for style, text in _LEGEND:
        dashed = f' stroke-dasharray="{style.dash}" stroke-linecap="round"' if style.dash else ""
        parts.append(
            f'<path d="M{x:g} {y:g}h52" fill="none" stroke="{style.colour}" '
            f'stroke-width="{style.width}"{dashed}/>'
        )
        if style.mark:
            parts.append(_mark(style, x + 26, y))
        parts.append(_line(x + 62, y + 5, text, fill="#57606a"))
        x += 84 + len(text) * 8
    return "\n".join(parts)
