"""Drawings: glucose over six hours with its bands, a response surface, a table of estimators.

By altair and vl-convert, which are loaded only when something is drawn. The same figures give
the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.bench.drawing import altair, legal, png_of, svg_of
from prandial.bench.risk.metrics import NOTICE
from prandial.bench.risk.outputs import check_output, write_whole
from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.bench.risk.single import Simulation

__all__ = ["check_plot", "draw_surface", "draw_table", "draw_traces", "save_chart"]

_SUFFIXES: Final = (".svg", ".png")
_SIZE: Final = {"width": 620, "height": 340}
_LOW, _HIGH = 70.0, 180.0
#: red below 70, green to 180, yellow above, mg/dL
_BANDS: Final = ("#f4b6b0", "#cfe8c8", "#fbeab0")
_LINES: Final = ("#1f4e8c", "#6d6d6d")


def check_plot(path: Path, *, replace: bool = False) -> None:
    """Refuse a drawing that cannot be made, before the work.

    Raises
    ------
    InputError
        On another ending than ``.svg`` and ``.png``, and on a file that is there.
    NotFoundError
        When its folder is not there.
    MissingDataError
        When altair or vl-convert is absent.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(
            f"cannot tell the format of {path.name!r}",
            where=str(path),
            hint="known endings: " + ", ".join(_SUFFIXES),
        )
    check_output(path, replace=replace)
    _altair()


def _altair() -> Any:
    return altair("risk")


def save_chart(chart: Any, path: Path, *, replace: bool = False) -> None:
    """Write a drawing as ``.svg`` or ``.png``, by its ending."""
    check_plot(path, replace=replace)
    png = path.suffix.lower() == ".png"
    data = png_of(chart) if png else svg_of(chart).encode("utf-8")
    write_whole(path, data, replace=replace)


def _titled(alt: Any, chart: Any, title: str, lines: Sequence[str]) -> Any:
    """Return a chart with its title, and under it what it is and what it is not."""
    return (
        chart.properties(
            title=alt.TitleParams(
                text=legal(title),
                subtitle=[*legal(lines), NOTICE],
                anchor="start",
                fontSize=14,
                subtitleFontSize=11,
            )
        )
        .configure(font="Liberation Sans, Arial, sans-serif", background="white")
        .configure_view(stroke=None)
    )


def draw_traces(simulation: Simulation) -> Any:
    """Draw glucose of a simulation over six hours, and that of a perfect estimate.

    Red below 70 mg/dL, green to 180, yellow above.
    """
    s = simulation.scenario
    shown = {f"estimate {s.estimated_carb_g:g} g": simulation.trace.glucose_mg_dl}
    if s.estimated_carb_g != s.true_carb_g:
        shown[f"perfect estimate {s.true_carb_g:g} g"] = simulation.perfect.glucose_mg_dl
    p = s.patient
    who = (
        f"virtual patient: ISF {p.isf_mg_dl_per_u:g} mg/dL per U, CIR {p.cir_g_per_u:g} g per U,"
        f" basal {p.basal_u_per_h:g} U/h; mode {s.setup.mode}, quirks {s.setup.quirks.name}"
    )
    title = f"Glucose after a meal of {s.true_carb_g:g} g carbohydrate, simulated"
    return _traces(shown, simulation.trace.at_min, title=title, lines=[who])


def _traces(
    shown: Mapping[str, Sequence[float]],
    at_min: Sequence[float],
    *,
    title: str,
    lines: Sequence[str],
) -> Any:
    alt = _altair()
    every = [v for values in shown.values() for v in values]
    bottom, top = min(40.0, min(every) - 10), max(220.0, max(every) + 10)
    edges = (bottom, _LOW, _HIGH, top)
    bands = [
        {
            "from": edges[k],
            "to": edges[k + 1],
            "color": color,
            "left": at_min[0],
            "right": at_min[-1],
        }
        for k, color in enumerate(_BANDS)
    ]
    points = [
        {"min": t, "glucose": round(v, 3), "who": who}
        for who, values in shown.items()
        for t, v in zip(at_min, values, strict=True)
    ]
    y = alt.Scale(domain=[bottom, top], nice=False, zero=False)
    x = alt.Scale(domain=[at_min[0], at_min[-1]], nice=False)
    axis = alt.Axis(values=list(range(0, int(at_min[-1]) + 1, 60)), grid=False)
    back = (
        alt.Chart(alt.Data(values=bands))
        .mark_rect()
        .encode(
            x=alt.X("left:Q", scale=x, axis=axis, title="minutes since the meal"),
            x2="right:Q",
            y=alt.Y("from:Q", scale=y, title="glucose, mg/dL", axis=alt.Axis(grid=False)),
            y2="to:Q",
            color=alt.Color("color:N", scale=None),
        )
    )
    front = (
        alt.Chart(alt.Data(values=points))
        .mark_line(strokeWidth=2.5)
        .encode(
            x=alt.X("min:Q", scale=x),
            y=alt.Y("glucose:Q", scale=y),
            stroke=alt.Stroke(
                "who:N",
                sort=list(shown),
                scale=alt.Scale(domain=list(shown), range=list(_LINES[: len(shown)])),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
            strokeDash=alt.StrokeDash(
                "who:N",
                sort=list(shown),
                scale=alt.Scale(domain=list(shown), range=[[1, 0], [6, 4]][: len(shown)]),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
        )
    )
    return _titled(alt, alt.layer(back, front).properties(**_SIZE), title, lines)


def draw_surface(
    rows: Sequence[Mapping[str, Any]],
    *,
    x: str = "relative_error",
    y: str = "csf_mg_dl_per_g",
    value: str = "bgri_1_401",
    title: str = "Risk by error of the estimate and carbohydrate sensitivity",
    lines: Sequence[str] = (),
) -> Any:
    """Draw a response surface as a heat map.

    Parameters
    ----------
    rows : sequence of mapping
        One a cell, with the numbers named by ``x``, ``y`` and ``value``.
    x, y, value : str
        Relative error (-0.5 is half the carbohydrate), sensitivity factor mg/dL per g, risk.
    title : str
    lines : sequence of str
        What a reader must know: meals, setups.
    """
    alt = _altair()
    _need(rows, (x, y, value))
    cells = [{k: round(float(row[k]), 6) for k in (x, y, value)} for row in rows]
    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X(f"{x}:O", title=_words(x), axis=alt.Axis(labelAngle=0, format="+.0%")),
        y=alt.Y(f"{y}:O", title=_words(y), sort="descending"),
    )
    positive = min(c[value] for c in cells) > 0
    scale = alt.Scale(scheme="yelloworangered", type="log" if positive else "linear")
    colors = base.mark_rect().encode(color=alt.Color(f"{value}:Q", scale=scale, legend=None))
    numbers = base.mark_text(fontSize=11).encode(text=alt.Text(f"{value}:Q", format=".0f"))
    chart = alt.layer(colors, numbers).properties(**_SIZE)
    return _titled(alt, chart, title, [f"{_words(value)}; 0 is no risk", *lines, _ARTEFACT])


def draw_table(
    rows: Sequence[Mapping[str, Any]],
    *,
    values: Sequence[str] = ("bgri_1_401", "bgri_20_600"),
    group: str = "estimator",
    facet: str = "setup",
    title: str = "Risk of each estimator",
    lines: Sequence[str] = (),
) -> Any:
    """Draw values of each estimator as dots with their intervals, a panel a value.

    Parameters
    ----------
    rows : sequence of mapping
        With ``group``, each value, and where known ``VALUE_low``, ``VALUE_high`` and ``facet``.
    values : sequence of str
    group, facet, title : str
    lines : sequence of str
        What a reader must know: meals, patients, starts.
    """
    alt = _altair()
    _need(rows, (group, *values))
    panels = [_panel(alt, rows, value, group, facet) for value in values]
    chart = alt.vconcat(*panels) if len(panels) > 1 else panels[0]
    told = "dot: mean; line: bootstrap interval; lower is better"
    return _titled(alt, chart, title, [told, *lines])


def _panel(alt: Any, rows: Sequence[Mapping[str, Any]], value: str, group: str, facet: str) -> Any:
    points = [
        {
            "who": legal(str(row[group])),
            "mode": _SETUPS.get(str(row.get(facet, "")), str(row.get(facet, ""))),
            "value": row[value],
            "low": row.get(f"{value}_low", row[value]),
            "high": row.get(f"{value}_high", row[value]),
        }
        for row in rows
    ]
    order = list(dict.fromkeys(p["who"] for p in points))
    modes = list(dict.fromkeys(p["mode"] for p in points))
    base = alt.Chart(alt.Data(values=points)).encode(
        y=alt.Y("who:N", sort=order, title=None),
        color=alt.Color(
            "mode:N", sort=modes, legend=alt.Legend(title=None) if len(modes) > 1 else None
        ),
        yOffset=alt.YOffset("mode:N", sort=modes),
    )
    bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=_words(value)), x2="high:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(x="value:Q")
    height = 28 * max(len(order) * max(len(modes), 1), 3)
    return alt.layer(bars, dots).properties(width=_SIZE["width"], height=height)


def _need(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> None:
    if not rows:
        raise InputError("nothing to draw", where="plot", hint="there are no rows")
    for name in names:
        if name not in rows[0]:
            raise InputError(
                f"no column {name!r} to draw", where="plot", hint="there are: " + ", ".join(rows[0])
            )


#: under each surface
_ARTEFACT: Final = (
    "less risk above 0 % is an artefact (a meal acts before insulin; a manual bolus corrects no"
    " high start): estimating high is not safer"
)
_SETUPS: Final = {"all": "all setups together"}
_WORDS: Final = {
    "relative_error": "relative error of the estimate",
    "csf_mg_dl_per_g": "carbohydrate sensitivity, mg/dL per g",
    "bgri_1_401": "blood glucose risk index (BGRI), glucose clipped to 1-401 mg/dL",
    "bgri_20_600": "blood glucose risk index (BGRI), glucose clipped to 20-600 mg/dL",
}


def _words(name: str) -> str:
    return _WORDS.get(name, name.replace("_", " "))
