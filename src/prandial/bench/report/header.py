"""First and last section: what the runs were, what became of their questions, how they differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from prandial.bench.report.records import Cell, Column, Row, Section, Table
from prandial.bench.report.sets import STATUSES, Part, QuestionSet, labels_of
from prandial.bench.runs import Run

__all__ = ["records_section", "runs_section"]


def runs_section(runs: Sequence[Run], sets: Sequence[QuestionSet]) -> Section:
    """Return what the runs were, what became of their questions, how they differ."""
    return Section(
        title="Runs",
        parts=(_overview(runs), _statuses(sets)),
        notes=tuple(_differences(runs, sets)),
    )


def records_section(runs: Sequence[Run]) -> Section:
    """Return the record of every run, enough to do it again."""
    return Section(title="Records of the runs", parts=(_records(runs),))


def _overview(runs: Sequence[Run]) -> Table:
    rows = []
    for label, run in zip(labels_of(runs), runs, strict=True):
        r, data = run.record, run.record.data
        name = str(data.get("name") or data.get("file") or "unnamed")
        told: dict[str, str | int] = {
            "run": label,
            "name": r.run,
            "data": f"{name} ({str(data.get('sha256') or 'no digest')[:8]})",
            "questions": len(run.questions),
            "started": r.started,
            "commit": _short(r.commit),
        }
        cells = {k: Cell(value=v) for k, v in told.items()}
        cells["seconds"] = Cell(value=r.seconds, why="" if r.seconds is not None else "not told")
        cells["sittings"] = Cell(value=r.sittings)
        rows.append(Row(cells=cells))
    return Table(
        name="runs",
        title="What was run",
        columns=(
            Column(key="run", heading="run"),
            Column(key="name", heading="name"),
            Column(key="data", heading="data (sha256)"),
            Column(key="questions", heading="questions", form="count"),
            Column(key="started", heading="started"),
            Column(key="seconds", heading="seconds", form="amount"),
            Column(key="sittings", heading="sittings", form="count"),
            Column(key="commit", heading="commit"),
        ),
        rows=tuple(rows),
        notes=("models, prompts, versions and all settings: the last section",),
    )


def _short(commit: str) -> str:
    bare = commit.removesuffix("-dirty")
    return (bare[:8] + commit[len(bare) :]) or "not told"


def _statuses(sets: Sequence[QuestionSet]) -> Table:
    rows = tuple(
        Row(cells=_counted(part), group=s.title, kind=part.kind) for s in sets for part in s.parts
    )
    return Table(
        name="statuses",
        title="What became of the questions",
        columns=(
            Column(key="run", heading="run"),
            Column(key="asked", heading="questions", form="count"),
            *(Column(key=s, heading=s, form="count") for s in STATUSES),
        ),
        rows=rows,
        notes=(
            "failed: no reply was had; not run: not asked yet. Neither is ever scored",
            *([] if rows else ["no run holds a question"]),
        ),
    )


def _counted(part: Part) -> dict[str, Cell]:
    counts = part.statuses()
    return {
        "run": Cell(value=part.label),
        "asked": Cell(value=len(part.questions)),
        **{s: Cell(value=counts[s]) for s in STATUSES},
    }


def _records(runs: Sequence[Run]) -> Table:
    rows = []
    for label, run in zip(labels_of(runs), runs, strict=True):
        for fact, value in _facts(run).items():
            cells = {"fact": Cell(value=fact), "value": Cell(value=_words(value))}
            rows.append(Row(cells=cells, group=label))
    return Table(
        name="records",
        title="Records of the runs",
        columns=(
            Column(key="fact", heading="fact"),
            Column(key="value", heading="value", form="long"),
        ),
        rows=tuple(rows),
    )


def _facts(run: Run) -> dict[str, Any]:
    r = run.record
    return {
        "run": r.run,
        "benchmark": r.benchmark,
        "model": r.model,
        "model arguments": r.model_args,
        "method": r.method,
        "settings": r.settings,
        "data": r.data,
        "prompts (sha256)": r.prompts,
        "versions": r.versions,
        "commit": r.commit or None,
        "started": r.started,
        "seconds": r.seconds,
        "sittings": r.sittings,
    }


def _words(value: Any) -> str:
    if value is None:
        return "not told"
    if isinstance(value, Mapping):
        if not value:
            return "none"
        return "; ".join(f"{k}: {_words(v)}" for k, v in sorted(value.items()))
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _differences(runs: Sequence[Run], sets: Sequence[QuestionSet]) -> list[str]:
    """Say what a reader must not overlook before runs are compared."""
    notes = []
    kinds: dict[tuple[str, tuple[str, ...]], list[QuestionSet]] = {}
    for s in sets:
        kinds.setdefault((s.benchmark, s.key), []).append(s)
    for (_, key), same in kinds.items():
        if len(same) > 1:
            told = "; ".join(f"{s.name}, n={s.n}, {len(s.parts)} runs" for s in same)
            notes.append(
                f"{', '.join(key)}: the runs were not asked the same questions ({told});"
                " figures of different sets must not be compared"
            )
    for s in sets:
        short = [p for p in s.parts if p.statuses()["not run"]]
        notes += [
            f"{p.label}: {p.statuses()['not run']} of {s.n} questions of {s.name} were not run;"
            " its figures are of the rest"
            for p in short
        ]
    notes += _versions(runs)
    notes += [
        f"{label}: made from changed files ({run.record.commit})"
        for label, run in zip(labels_of(runs), runs, strict=True)
        if run.record.commit.endswith("-dirty")
    ]
    return notes


def _versions(runs: Sequence[Run]) -> list[str]:
    found: dict[str, set[str]] = {}
    for run in runs:
        for name, version in run.record.versions.items():
            found.setdefault(str(name), set()).add(str(version))
    return [
        f"the runs were made with different versions of {name}: {', '.join(sorted(told))}"
        for name, told in sorted(found.items())
        if len(told) > 1
    ]
