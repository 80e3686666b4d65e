"""What answers cost: time, tokens and calls a question; after Figure 4 of NGQA."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from prandial.bench.report.charts import bars
from prandial.bench.report.published import published
from prandial.bench.report.records import Cell, Column, Figure, Row, Table
from prandial.bench.report.sets import Part, QuestionSet
from prandial.records.bench import Prediction

__all__ = ["Effort", "efficiency_figures", "efficiency_table", "effort_of"]

_HOW: Final = (
    "questions a second: questions by the sum of their times, one after another; tokens and calls"
    " are means a question over the replies that tell; a method that asks no model has no calls"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Effort:
    """What a part's replies took; each mean is over the replies that tell, None without any.

    Questions a second are the questions that tell their time by the sum of those times: of
    one question at a time, as the paper counts. A run that asks several at once takes less
    wall time.
    """

    n: int
    timed: int
    per_second: float | None
    seconds: float | None
    calls: float | None
    input_tokens: float | None
    output_tokens: float | None
    tokens_told: int


def effort_of(predictions: Sequence[Prediction]) -> Effort:
    """Return what the replies took; failed questions have no reply and no part in it."""
    had = [p for p in predictions if p.reading.status != "failed"]
    seconds = [p.seconds for p in had if p.seconds is not None]
    total = sum(seconds)
    told = [p for p in had if p.input_tokens is not None and p.output_tokens is not None]
    return Effort(
        n=len(had),
        timed=len(seconds),
        per_second=len(seconds) / total if total > 0 else None,
        seconds=_mean(seconds),
        calls=_mean([p.calls for p in had]),
        input_tokens=_mean([p.input_tokens for p in told if p.input_tokens is not None]),
        output_tokens=_mean([p.output_tokens for p in told if p.output_tokens is not None]),
        tokens_told=len(told),
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def efficiency_table(name: str, sets: Sequence[QuestionSet]) -> Table:
    """Return time, tokens and calls of every part; published speeds of NGQA beside them."""
    rows = [
        Row(cells=_cells(part), group=s.title, kind=part.kind) for s in sets for part in s.parts
    ]
    graphs = any(s.benchmark == "ngqa" for s in sets)
    notes = [_HOW]
    if graphs:
        rows += _published()
        notes.append(
            "published: NGQA, Figure 4, gpt-4o-mini over a network; it stands on an earlier run"
            " than Table 3"
        )
    return Table(
        name=name,
        title="Time, tokens and calls a question",
        columns=(
            Column(key="run", heading="run"),
            Column(key="n", heading="replies", form="count"),
            Column(key="speed", heading="questions/s", form="amount"),
            Column(key="seconds", heading="s a question", form="amount"),
            Column(key="calls", heading="calls", form="amount"),
            Column(key="input", heading="tokens in", form="amount"),
            Column(key="output", heading="tokens out", form="amount"),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _cells(part: Part) -> dict[str, Cell]:
    e = effort_of(part.predictions)

    def told(value: float | None, n: int, why: str) -> Cell:
        return Cell(value=value, n=n if n != e.n else None, why="" if value is not None else why)

    return {
        "run": Cell(value=part.label),
        "n": Cell(value=e.n),
        "speed": told(e.per_second, e.timed, "no times" if not e.timed else "no time passed"),
        "seconds": told(e.seconds, e.timed, "no times"),
        "calls": told(e.calls, e.n, "no replies"),
        "input": told(e.input_tokens, e.tokens_told, "not told"),
        "output": told(e.output_tokens, e.tokens_told, "not told"),
    }


def _published() -> list[Row]:
    return [
        Row(
            kind="published",
            group="published: NGQA, Figure 4",
            cells={
                "run": Cell(value=f"gpt-4o-mini · {r['method']} · {r['level']} · task {r['task']}"),
                "speed": Cell(value=float(r["questions_per_s"])),
            },
        )
        for r in published("published_ngqa_speed")
    ]


def efficiency_figures(stem: str, sets: Sequence[QuestionSet]) -> list[Figure]:
    """Return bars of questions a second, tokens and calls a question of runs that ask a model.

    A figure that no run tells is left out.
    """
    figures = []
    for key, words, value in _FIGURES:
        rows = _bars(sets, value)
        if not rows:
            continue
        most = max(rows, key=lambda r: float(r["value"]))
        figures.append(
            Figure(
                name=f"{stem}-{key}",
                title=f"{words[0].upper()}{words[1:]} (Figure 4)",
                alt=f"Bars of {words} of {len({r['run'] for r in rows})} runs that ask a model; the"
                f" most is {most['value']:.2f}: {most['run']}, {most['task']}, {most['set']}"
                f" (n={most['n']}).",
                chart=bars(
                    rows,
                    x="set",
                    value="value",
                    colour="run",
                    x_title=None,
                    value_title=words,
                    n="n",
                    panel="task",
                ),
            )
        )
    return figures


def _tokens(e: Effort) -> float | None:
    if e.input_tokens is None or e.output_tokens is None:
        return None
    return e.input_tokens + e.output_tokens


_FIGURES: Final[tuple[tuple[str, str, Callable[[Effort], float | None]], ...]] = (
    ("speed", "questions a second", lambda e: e.per_second),
    ("tokens", "tokens a question", _tokens),
    ("calls", "calls a question", lambda e: e.calls),
)


def _bars(
    sets: Sequence[QuestionSet], figure: Callable[[Effort], float | None]
) -> list[dict[str, Any]]:
    places = Counter((s.benchmark, s.key) for s in sets)
    out = []
    for s in sets:
        level = s.key[1] if s.benchmark == "ngqa" else s.key[0]
        named = level if places[s.benchmark, s.key] == 1 else f"{level} ({s.name})"
        task = f"task {s.key[0]}, {s.key[2]}" if s.benchmark == "ngqa" else "meals"
        for part in s.parts:
            effort = effort_of(part.predictions)
            value = figure(effort)
            if value is not None and effort.calls:
                place = {"set": named, "task": task, "n": s.n}
                out.append({**place, "run": part.label, "value": value})
    return out
