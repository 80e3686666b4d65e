"""Forms of drawings: points, bars, lines, a map. Each takes plain rows and knows no run.

The first colours are those of Okabe and Ito, told apart by people who see colours otherwise;
shapes of points say the same again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prandial.bench.drawing import altair
from prandial.bench.report.published import outlines, place_of

__all__ = ["bars", "differences", "lines", "points", "world"]

Rows = Sequence[Mapping[str, Any]]
_WIDTH: Final = 620
_HEIGHT: Final = 320
_PANEL: Final = 130
#: steps of an axis of shares; a span below ``_FINE`` is told to a tenth of a per cent
_STEPS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
_FINE: Final = 0.07
_MOST_TICKS: Final = 10
#: names under an axis that still stand side by side
_MANY: Final = 9
_COLOURS: Final = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#4d4d4d",
    "#8c6d1f",
    "#7fc97f",
    "#b15928",
    "#6a3d9a",
    "#f0a6ca",
    "#a6a6a6",
    "#1b4d3e",
)
_SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_LEGEND: Final = {"title": None, "orient": "bottom", "columns": 2, "labelLimit": 420}


def _finished(chart: Any) -> Any:
    return (
        chart.configure(font="Liberation Sans, Arial, sans-serif", background="white")
        .configure_view(stroke=None)
        .configure_axis(labelFontSize=11, titleFontSize=12, labelLimit=280, titlePadding=8)
        .configure_legend(labelFontSize=11)
    )


def _colour(alt: Any, field: str, names: Sequence[str]) -> Any:
    palette = [_COLOURS[k % len(_COLOURS)] for k in range(len(names))]
    return alt.Color(
        f"{field}:N",
        sort=list(names),
        scale=alt.Scale(domain=list(names), range=palette),
        legend=alt.Legend(**_LEGEND),
    )


def _names(rows: Rows, field: str) -> list[str]:
    return list(dict.fromkeys(str(row[field]) for row in rows))


def points(
    rows: Rows,
    *,
    x: str,
    y: str,
    name: str,
    kind: str,
    x_title: str,
    y_title: str,
) -> Any:
    """Draw shares against shares: a numbered point a row, its form by ``kind``, and the names."""
    alt = altair("bench")
    kinds = _names(rows, kind)
    spans = {f: _domain([float(r[f]) for r in rows]) for f in (x, y)}
    place = {
        axis: channel(
            f"{field}:Q",
            title=title,
            axis=alt.Axis(
                values=_ticks(spans[field]),
                format=".0%" if spans[field][1] - spans[field][0] > _FINE else ".1%",
            ),
            scale=alt.Scale(domain=spans[field], nice=False, padding=10),
        )
        for axis, channel, field, title in (("x", alt.X, x, x_title), ("y", alt.Y, y, y_title))
    }
    dots = (
        alt.Chart(alt.Data(values=list(rows)))
        .mark_point(filled=True, size=90, opacity=0.9, clip=True)
        .encode(
            **place,
            color=_colour(alt, kind, kinds),
            shape=alt.Shape(
                f"{kind}:N",
                sort=kinds,
                scale=alt.Scale(domain=kinds, range=list(_SHAPES[: len(kinds)])),
                legend=alt.Legend(**_LEGEND),
            ),
        )
    )
    numbers = (
        alt.Chart(alt.Data(values=_joined(rows, x, y, spans)))
        .mark_text(align="left", dx=8, dy=-6, fontSize=11)
        .encode(**place, text="label:N")
    )
    drawn = alt.layer(dots, numbers).properties(width=440, height=_HEIGHT + 40)
    keyed = [
        {"line": k, "text": f"{k + 1}  {row[name]}", "kind": row[kind]}
        for k, row in enumerate(rows)
    ]
    height = 16 * len(keyed)
    key = (
        alt.Chart(alt.Data(values=keyed))
        .mark_text(align="left", fontSize=11, limit=330, x=0)
        .encode(
            y=alt.Y("line:O", axis=None),
            text="text:N",
            color=_colour(alt, kind, kinds),
        )
        .properties(width=330, height=height)
    )
    return _finished(alt.hconcat(drawn, key, spacing=18))


def _domain(values: Sequence[float]) -> list[float]:
    """Return a part of 0 to 1 that holds the values with room around them."""
    low, high = min(values), max(values)
    room = max(0.05 * (high - low), 0.01)
    return [max(0.0, low - room), min(1.0, high + room)]


def _ticks(domain: Sequence[float]) -> list[float]:
    """Return round shares within a domain, at most ten."""
    low, high = domain
    step = next(s for s in _STEPS if (high - low) / s <= _MOST_TICKS)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 6) for k in range(first, last + 1)]


def _joined(
    rows: Rows, x: str, y: str, spans: Mapping[str, Sequence[float]]
) -> list[dict[str, Any]]:
    """Return labels of points; points that would be written over each other share one."""
    near = {f: 0.04 * (high - low) for f, (low, high) in spans.items()}
    out: list[dict[str, Any]] = []
    for k, row in enumerate(rows, 1):
        for label in out:
            if all(abs(float(label[f]) - float(row[f])) <= near[f] for f in (x, y)):
                label["label"] += f", {k}"
                break
        else:
            out.append({x: row[x], y: row[y], "label": str(k)})
    return out


def bars(
    rows: Rows,
    *,
    x: str,
    value: str,
    colour: str,
    x_title: str | None,
    value_title: str,
    n: str | None = None,
    sort: Sequence[str] | None = None,
    panel: str | None = None,
) -> Any:
    """Draw bars side by side for each ``x``, with whiskers where ``low`` and ``high`` are told.

    ``n`` names the field that stands under the name of an ``x``; ``panel`` one that parts the
    drawing in rows.
    """
    alt = altair("bench")
    names = _names(rows, colour)

    def part(own: Rows, *, title: str | None) -> Any:
        order = list(sort or _names(own, x))
        many = len(order) > _MANY
        shown = [{**row, "_x": _under(row, x, n, many=many)} for row in own]
        ticks = list(dict.fromkeys(r["_x"] for o in order for r in shown if str(r[x]) == o))
        base = alt.Chart(alt.Data(values=shown)).encode(
            x=alt.X(
                "_x:N",
                sort=ticks,
                title=x_title,
                axis=alt.Axis(labelAngle=-40)
                if many
                else alt.Axis(labelAngle=0, labelExpr="split(datum.label, '|')"),
            ),
            xOffset=alt.XOffset(f"{colour}:N", sort=names),
        )
        boxes = base.mark_bar().encode(
            y=alt.Y(f"{value}:Q", title=value_title, scale=alt.Scale(zero=True)),
            color=_colour(alt, colour, names),
        )
        whiskers = (
            base.transform_filter("isValid(datum.low) && isValid(datum.high)")
            .mark_rule(color="#222")
            .encode(y="low:Q", y2="high:Q")
        )
        size = {"width": _WIDTH, "height": _HEIGHT if title is None else _PANEL}
        drawn = alt.layer(boxes, whiskers).properties(**size)
        if title is None:
            return drawn
        words = alt.TitleParams(text=title, anchor="start", fontSize=11, fontWeight="normal")
        return drawn.properties(title=words)

    if panel is None:
        return _finished(part(rows, title=None))
    parts = [part([r for r in rows if str(r[panel]) == p], title=p) for p in _names(rows, panel)]
    return _finished(alt.vconcat(*parts, spacing=12))


def _under(row: Mapping[str, Any], x: str, n: str | None, *, many: bool) -> str:
    if n is None:
        return str(row[x])
    if many:
        return f"{row[x]} (n={row[n]})"
    # one below the other: names of several sets are wider than their bars
    return f"{str(row[x]).replace(' (', '|(')}|n={row[n]}"


def lines(
    rows: Rows,
    *,
    x: str,
    value: str,
    colour: str,
    x_title: str,
    value_title: str,
    n: str,
) -> Any:
    """Draw a line a ``colour`` over named steps, above a histogram of how many stand behind."""
    alt = altair("bench")
    steps, names = _names(rows, x), _names(rows, colour)
    counts = [{x: s, n: next(r[n] for r in rows if str(r[x]) == s)} for s in steps]
    place = alt.X(f"{x}:N", sort=steps, title=None, axis=alt.Axis(labelAngle=0))
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        x=place,
        y=alt.Y(f"{value}:Q", title=value_title, scale=alt.Scale(zero=True)),
        color=_colour(alt, colour, names),
    )
    drawn = alt.layer(
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=60, opacity=1),
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_rule()
        .encode(y="low:Q", y2="high:Q"),
    ).properties(width=_WIDTH, height=_HEIGHT - 60)
    under = alt.X(f"{x}:N", sort=steps, title=x_title, axis=alt.Axis(labelAngle=0))
    histogram = alt.Chart(alt.Data(values=counts)).encode(
        x=under, y=alt.Y(f"{n}:Q", title="meals", axis=alt.Axis(tickCount=3))
    )
    below = alt.layer(
        histogram.mark_bar(color="#c9c9c9"),
        histogram.mark_text(dy=-6, fontSize=10).encode(text=f"{n}:Q"),
    ).properties(width=_WIDTH, height=90)
    return _finished(alt.vconcat(drawn, below, spacing=8))


def differences(rows: Rows, *, name: str, value: str, title: str, kind: str) -> Any:
    """Draw a bar to either side of nothing for each name, coloured by ``kind``."""
    alt = altair("bench")
    kinds = _names(rows, kind)
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        y=alt.Y(f"{name}:N", sort=_names(rows, name), title=None)
    )
    boxes = base.mark_bar(height=14).encode(
        x=alt.X(f"{value}:Q", title=title), color=_colour(alt, kind, kinds)
    )
    whiskers = (
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_rule(color="#222")
        .encode(x=alt.X("low:Q", title=title), x2="high:Q")
    )
    nothing = alt.Chart(alt.Data(values=[{"at": 0}])).mark_rule(color="#777").encode(x="at:Q")
    height = 30 * max(len(_names(rows, name)), 3)
    return _finished(
        alt.layer(boxes, whiskers, nothing).properties(width=_WIDTH - 120, height=height)
    )


def world(rows: Rows, *, code: str, value: str, title: str) -> Any:
    """Draw countries by a value: their outlines, and a dot at each country that has one."""
    alt = altair("bench")
    shape = alt.Data(
        values=outlines(), format=alt.TopoDataFormat(feature="countries", type="topojson")
    )
    land = alt.Chart(shape).mark_geoshape(fill="#e4e4e4", stroke="white", strokeWidth=0.4)
    scale = alt.Scale(scheme="viridis", reverse=True)
    dots = []
    for row in rows:
        place = place_of(str(row[code]))
        if place is not None:
            dots.append({**row, "longitude": place[0], "latitude": place[1]})
    filled = (
        alt.Chart(shape)
        .transform_lookup(
            lookup="id",
            from_=alt.LookupData(data=alt.Data(values=list(rows)), key=code, fields=[value]),
        )
        .transform_filter(f"isValid(datum.{value})")
        .mark_geoshape(stroke="white", strokeWidth=0.4)
        .encode(color=alt.Color(f"{value}:Q", scale=scale, legend=alt.Legend(title=title)))
    )
    marked = (
        alt.Chart(alt.Data(values=dots))
        .mark_circle(size=55, stroke="#222", strokeWidth=0.8, opacity=1)
        .encode(
            longitude="longitude:Q",
            latitude="latitude:Q",
            color=alt.Color(f"{value}:Q", scale=scale),
        )
    )
    names = alt.Chart(alt.Data(values=dots)).encode(
        longitude="longitude:Q", latitude="latitude:Q", text=f"{code}:N"
    )
    halo = names.mark_text(dy=-9, fontSize=9, stroke="white", strokeWidth=3)
    chart = alt.layer(land, filled, marked, halo, names.mark_text(dy=-9, fontSize=9)).project(
        type="equalEarth"
    )
    return _finished(chart.properties(width=_WIDTH + 120, height=_HEIGHT + 40))
