"""A run's folder: ``run.json``, ``questions.jsonl``, ``answers.jsonl``.

An answer is one line, written and flushed to disk as soon as it is there, so that a run
that is killed loses at most the answers in flight. A half line at the end is what a kill
left behind: it is cut off when the run goes on.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.bench.runs import forms
from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction, RunRecord

__all__ = ["ANSWERS", "QUESTIONS", "RECORD", "Run", "RunFolder", "read_run"]

RECORD: Final = "run.json"
QUESTIONS: Final = "questions.jsonl"
ANSWERS: Final = "answers.jsonl"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A run read back: predictions by question id; a question without one was not run."""

    folder: Path
    record: RunRecord
    questions: tuple[MealQuestion | GraphQuestion, ...]
    predictions: dict[str, Prediction]


class RunFolder:
    """The folder of a run while it is written.

    Parameters
    ----------
    folder : Path
        Made when it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(
        self, record: RunRecord, questions: Iterable[MealQuestion | GraphQuestion]
    ) -> dict[str, Prediction]:
        """Start a run or go on with it, and return the answers that are there already.

        Failed answers are not among them: they are asked again.

        Raises
        ------
        InputError
            When the folder holds another run that has answers, or files of something else, or
            cannot be written.
        """
        path = self.folder / RECORD
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                "the folder cannot be made", where=str(self.folder), hint=error.strerror or ""
            ) from error
        there = _json(path) if path.exists() else {}
        if not _is_ours(there, self.folder):
            raise InputError(
                "the folder holds a file that a run would write over, and no run",
                where=str(self.folder),
                hint="name another folder",
            )
        is_other = there.get("run") != record.run
        if is_other and not _has_answers(self.folder):
            (self.folder / QUESTIONS).unlink(missing_ok=True)
            self.write_record(record)  # first: questions without a record are of something else
            self._write_questions(questions)
            return {}
        if is_other:
            raise InputError(
                "the folder holds another run: "
                f"{there.get('benchmark')} {there.get('method')} {there.get('model')}",
                where=str(self.folder),
                hint="name another folder, or give the settings of that run to go on with it",
            )
        self._write_questions(questions)  # the same; they may have been lost or damaged
        self._cut_half_line()
        found = read_answers(self.folder / ANSWERS)
        return {k: p for k, p in found.items() if p.reading.status != "failed"}

    def _write_questions(self, questions: Iterable[MealQuestion | GraphQuestion]) -> None:
        _whole(self.folder / QUESTIONS, "".join(_line(forms.question_to(q)) for q in questions))

    def write_record(self, record: RunRecord) -> None:
        """Write the record, whole or not at all."""
        text = json.dumps(forms.record_to(record), ensure_ascii=False, indent=1)
        _whole(self.folder / RECORD, _SURROGATE.sub("\ufffd", text) + "\n")

    def add(self, prediction: Prediction) -> None:
        """Write one answer to disk."""
        self.add_all((prediction,))

    def add_all(self, predictions: Iterable[Prediction]) -> None:
        """Write several answers to disk at once."""
        lines = [_line(forms.prediction_to(p)) for p in predictions]
        with (self.folder / ANSWERS).open("a", encoding="utf-8") as out:
            out.writelines(lines)
            out.flush()
            os.fsync(out.fileno())

    def _cut_half_line(self) -> None:
        path = self.folder / ANSWERS
        if not path.exists():
            return
        body = path.read_bytes()
        if body and not body.endswith(b"\n"):
            with path.open("r+b") as out:
                out.truncate(body.rfind(b"\n") + 1)


def _has_answers(folder: Path) -> bool:
    path = folder / ANSWERS
    return path.exists() and path.stat().st_size > 0


def read_answers(path: Path) -> dict[str, Prediction]:
    """Return the answers by question; of several to one question the last that did not fail.

    Raises
    ------
    SchemaError
        On a line that is no answer; a half line at the end is left out.
    """
    if not path.exists():
        return {}
    found: dict[str, Prediction] = {}
    body = path.read_bytes()
    body = body[: body.rfind(b"\n") + 1]  # a half line may end within a character
    try:
        lines = body.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        number = body[: error.start].count(b"\n") + 1
        raise SchemaError(
            "not UTF-8 text",
            where=f"{path}, line {number}",
            hint="remove the line; its question is then asked again",
        ) from error
    for number, line in enumerate(lines[:-1], 1):
        try:
            one = forms.prediction_from(json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            raise SchemaError(
                "not an answer of a run",
                where=f"{path}, line {number}",
                hint="remove the line; its question is then asked again",
            ) from error
        old = found.get(one.question)
        if old is None or one.reading.status != "failed" or old.reading.status == "failed":
            found[one.question] = one
    return found


def read_run(folder: Path) -> Run:
    """Read a run back, finished or not.

    Raises
    ------
    MissingDataError
        When there is no run in the folder.
    SchemaError
        When its files are not what they should be.
    """
    path = folder / RECORD
    if not path.is_file():
        inside = sorted(str(p.parent) for p in folder.glob(f"*/{RECORD}"))
        raise MissingDataError(
            "no run here",
            where=str(folder),
            hint=f"runs are in: {', '.join(inside)}" if inside else "prandial bench run",
        )
    try:
        record = forms.record_from(_json(path))
        lines = (folder / QUESTIONS).read_text(encoding="utf-8").split("\n")
        questions = tuple(forms.questions_from(json.loads(line) for line in lines if line))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise SchemaError(
            "not a run of this version", where=str(folder), hint="run it again: prandial bench run"
        ) from error
    predictions = read_answers(folder / ANSWERS)
    strange = next(iter(predictions.keys() - {q.id for q in questions}), None)
    if strange is not None:
        raise SchemaError(
            f"an answer to {strange!r}, which is no question of the run",
            where=str(folder / ANSWERS),
            hint="remove its line",
        )
    return Run(folder=folder, record=record, questions=questions, predictions=predictions)


def _json(path: Path) -> dict[str, Any]:
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SchemaError(
            "not the record of a run", where=str(path), hint="remove the folder and run again"
        ) from error
    if not isinstance(body, dict):
        raise SchemaError(
            "not the record of a run", where=str(path), hint="remove the folder and run again"
        )
    return body


def _is_ours(record: dict[str, Any], folder: Path) -> bool:
    """Whether a folder has a run's record, or nothing that a run would write over."""
    if record:
        return "run" in record and "benchmark" in record
    return not any((folder / name).exists() for name in (RECORD, QUESTIONS, ANSWERS))


def _line(body: dict[str, Any]) -> str:
    """Return a line of JSON that every file can hold: U+FFFD for halves of characters."""
    return _SURROGATE.sub("\ufffd", json.dumps(body, ensure_ascii=False)) + "\n"


def _whole(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
