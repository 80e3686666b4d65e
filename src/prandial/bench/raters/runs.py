"""Filled sheets as runs: a folder for each rater and arm, scored as any other run."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from prandial.bench.questions import digest_of
from prandial.bench.raters.drawing import ARMS
from prandial.bench.raters.filled import FilledSheet, read_filled
from prandial.bench.raters.keyfile import Key, read_key
from prandial.bench.runner.record import run_name
from prandial.bench.runs import Run, RunFolder
from prandial.errors import InputError
from prandial.records.bench import MealQuestion, RunRecord
from prandial.score.people import Rated

__all__ = ["Imported", "import_sheets", "rated_of", "record_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """One sheet that is now a run."""

    folder: Path
    file: str
    rater: str
    arm: str
    meals: int
    answered: int
    refused: int
    unreadable: int
    minutes: float | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        names = ("file", "rater", "arm", "meals", "answered", "refused", "unreadable", "minutes")
        body = {name: getattr(self, name) for name in names}
        return {"folder": str(self.folder), **body, "notes": list(self.notes)}


def import_sheets(
    files: Sequence[Path],
    key: Path,
    folder: Path,
    *,
    version: str,
    now: datetime,
    commit: str = "",
) -> tuple[Imported, ...]:
    """Make runs of filled sheets: ``folder/RATER_ARM``.

    All files are read and checked before anything is written. The same file twice is the same
    run; a corrected one is another.

    Parameters
    ----------
    files : sequence of Path
        As :func:`prandial.bench.raters.read_filled`.
    key : Path
        ``keep/key.json`` of the export.
    folder : Path
    version, commit : str
        Of prandial.
    now : datetime
        With its zone.

    Raises
    ------
    InputError
        When no file is named, two are one sheet, or a folder holds another run.
    PrandialError
        As :func:`prandial.bench.raters.read_key` and :func:`prandial.bench.raters.read_filled`.
    """
    if not files:
        raise InputError("no sheet is named", where="files", hint="name the filled sheets")
    known = read_key(key)
    sheets = [read_filled(path, known) for path in files]
    first: dict[str, Path] = {}
    for one in sheets:
        if one.sheet.file in first:
            raise InputError(
                f"the sheet {one.sheet.file} is there twice",
                where=f"{first[one.sheet.file]} and {one.path}",
                hint="name the one that counts",
            )
        first[one.sheet.file] = one.path
    return tuple(
        _write(one, folder, record_of(one, known, version=version, now=now, commit=commit))
        for one in sheets
    )


def record_of(
    filled: FilledSheet, key: Key, *, version: str, now: datetime, commit: str = ""
) -> RunRecord:
    """Return the record of a sheet's run."""
    settings = {
        "nutrient": key.nutrient,
        "rater": filled.sheet.rater,
        "arm": filled.sheet.arm,
        "minutes": filled.minutes,
        **{k: key.settings[k] for k in ("seed", "per_rater", "shared") if k in key.settings},
    }
    data = {
        "name": "people",
        "files": {filled.path.name: filled.sha256},
        "rows": len(filled.questions),
        "questions": len(filled.questions),
        "sha256": digest_of(filled.questions),
        "key_sha256": key.sha256,
    }
    prompts = {"instructions": key.instructions.get(filled.sheet.arm, "")}
    return RunRecord(
        run=run_name(benchmark="nutribench", settings=settings, data=data, prompts=prompts),
        benchmark="nutribench",
        model=f"person/{filled.sheet.rater}",
        method=filled.sheet.arm,
        settings=settings,
        data=data,
        prompts=prompts,
        model_args={},
        versions={"prandial": version, "python": platform.python_version()},
        commit=commit,
        started=now.isoformat(timespec="seconds"),
        seconds=None if filled.minutes is None else filled.minutes * 60,
    )


def _write(filled: FilledSheet, folder: Path, record: RunRecord) -> Imported:
    sheet = filled.sheet
    place = folder / f"{sheet.rater}_{sheet.arm.replace(' ', '-')}"
    run = RunFolder(place)
    try:
        there = run.begin(record, filled.questions)
    except InputError as error:
        if "another run" not in error.what:
            raise
        raise InputError(
            f"another sheet of {sheet.rater}, {sheet.arm}, was read into this folder",
            where=str(place),
            hint="a corrected sheet is another run: name another folder, or remove this one first",
        ) from error
    for prediction in filled.predictions:
        if prediction.question not in there:
            run.add(prediction)
    counts = [p.reading.status for p in filled.predictions]
    return Imported(
        folder=place,
        file=str(filled.path),
        rater=sheet.rater,
        arm=sheet.arm,
        meals=len(counts),
        answered=counts.count("answered"),
        refused=counts.count("refused"),
        unreadable=counts.count("unreadable"),
        minutes=filled.minutes,
        notes=filled.notes,
    )


def rated_of(run: Run) -> Rated:
    """Return a run as the analyses of people take it; a model's run too.

    Raises
    ------
    InputError
        When the run is of another benchmark.
    """
    meals = [q for q in run.questions if isinstance(q, MealQuestion)]
    if len(meals) < len(run.questions):
        raise InputError("no run of meals", where=str(run.folder), hint="name NutriBench runs")
    # what failed, or was not reached yet, was not run: it is neither right nor wrong
    ran = {k for k, p in run.predictions.items() if p.reading.status != "failed"}
    meals = [q for q in meals if q.id in ran]
    person = run.record.model.startswith("person/")
    arm = run.record.method if run.record.method in ARMS and person else ""
    name = run.record.model.removeprefix("person/")
    return Rated(
        name=name if person else f"{name} {run.record.method}",
        arm=arm,
        questions=tuple(meals),
        readings={k: p.reading for k, p in run.predictions.items()},
        seconds={k: p.seconds for k, p in run.predictions.items()},
        total_seconds=run.record.seconds,
    )
