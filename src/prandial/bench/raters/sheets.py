"""Sheets for raters: what to send, and the key to keep.

``send/`` holds a sheet for each rater and arm and the instructions of each arm. A sheet has
row codes of its own and the words of the meals, and nothing that tells the answer: no label,
no id, no country, no serving. ``keep/key.json`` has all that; ``keep/meals.jsonl`` has the
same meals for models, as ``prandial bench run nutribench --data`` takes them.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from prandial.bench.raters.drawing import ARMS, Assigned, assign_meals, seeded
from prandial.bench.raters.instructions import (
    TEXT_PAGE,
    WHOLE,
    WHOLE_TEXT,
    column_of,
    instructions_for,
)
from prandial.bench.raters.keyfile import Key, SheetKey, key_text, read_key
from prandial.bench.raters.texts import escaped
from prandial.bench.runs.forms import question_to
from prandial.errors import InputError, PrandialError
from prandial.records.bench import MealQuestion
from prandial.sources.workbooks import need_openpyxl

__all__ = ["FORMS", "Exported", "columns_of", "export_sheets"]

Form = Literal["csv", "xlsx"]
FORMS: Final = ("csv", "xlsx")
#: no vowels, so that no code is a word or the name of a month; no digits, so that none is 1E5
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_CODE_CHARS: Final = 5
_WIDTHS: Final = (12, 90, 24, 10, 40)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """What was written."""

    sheets: tuple[Path, ...]
    instructions: tuple[Path, ...]
    key: Path
    meals: int
    servings: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "sheets": [str(p) for p in self.sheets],
            "instructions": [str(p) for p in self.instructions],
            "key": str(self.key),
            "meals": self.meals,
            "servings": dict(self.servings),
        }


def columns_of(nutrient: str) -> tuple[str, ...]:
    """Return the columns of a sheet."""
    return ("row", "meal", column_of(nutrient), "minutes", "note")


def export_sheets(
    questions: Sequence[MealQuestion],
    folder: Path,
    *,
    raters: Sequence[str],
    arms: Sequence[str] = ARMS,
    per_rater: int = 72,
    seed: int = 0,
    form: str = "csv",
    shared: str = "all",
    replace: bool = False,
) -> Exported:
    """Write blinded sheets for raters, and the key.

    Parameters
    ----------
    questions, raters, arms, per_rater, seed, shared
        As :func:`prandial.bench.raters.assign_meals`.
    folder : Path
        Gets ``send/`` and ``keep/``.
    form : {'csv', 'xlsx'}
    replace : bool
        Write over a study that is there: its sheets are removed from ``send/``, and what was
        sent can no longer be read in.

    Raises
    ------
    InputError
        As :func:`prandial.bench.raters.assign_meals`; and when a study is there already.
    MissingDataError
        Workbooks without openpyxl.
    """
    if form not in FORMS:
        raise InputError(f"no form {form!r}", where="form", hint=", ".join(FORMS))
    if form == "xlsx":
        need_openpyxl(str(folder))
    assigned = assign_meals(
        questions, raters=raters, arms=arms, per_rater=per_rater, seed=seed, shared=shared
    )
    send, keep = folder / "send", folder / "keep"
    path = keep / "key.json"
    if path.exists() and not replace:
        raise InputError(
            "there is a study already",
            where=str(folder),
            hint="name another folder; its sheets cannot be read without its key",
        )
    if path.exists():
        _clear(send, path)
    _make(send, keep)
    nutrient = assigned[0].questions[0].nutrient
    texts = {a.arm: instructions_for(nutrient, a.arm, meals=per_rater) for a in assigned}
    told = tuple(
        _write(send / f"instructions_{_slug(arm)}.txt", text.encode("utf-8"))
        for arm, text in texts.items()
    )
    codes = _codes(per_rater * len(assigned), seeded(seed, "codes"))
    sheets, files = [], []
    for at, one in enumerate(assigned):
        own = codes[at * per_rater : (at + 1) * per_rater]
        data = _BYTES[form](one, own, nutrient, texts[one.arm])
        files.append(_write(send / f"{one.rater}_{_slug(one.arm)}.{form}", data))
        sheets.append(
            SheetKey(
                rater=one.rater,
                arm=one.arm,
                file=files[-1].name,
                sha256=hashlib.sha256(data).hexdigest(),
                rows={c: q.id for c, q in zip(own, one.questions, strict=True)},
            )
        )
    asked = {q.id: q for a in assigned for q in a.questions}
    key = Key(
        nutrient=nutrient,
        settings={
            "seed": seed,
            "per_rater": per_rater,
            "shared": shared,
            "form": form,
            "raters": list(raters),
            "arms": sorted(arms),
        },
        instructions={a: hashlib.sha256(t.encode()).hexdigest() for a, t in texts.items()},
        questions=tuple(asked[i] for i in sorted(asked)),
        sheets=tuple(sheets),
    )
    _write(path, key_text(key).encode("utf-8"))
    _write(keep / "meals.jsonl", "".join(map(_meal_line, key.questions)).encode("utf-8"))
    servings: dict[str, int] = {}
    for q in key.questions:
        servings[q.serving] = servings.get(q.serving, 0) + 1
    return Exported(
        sheets=tuple(files),
        instructions=told,
        key=path,
        meals=len(key.questions),
        servings=servings,
    )


def _clear(send: Path, key: Path) -> None:
    """Remove the sheets and instructions of the study that stood here, so that none is sent."""
    try:
        old = read_key(key)
    except PrandialError:
        return
    names = [s.file for s in old.sheets] + [f"instructions_{_slug(a)}.txt" for a in ARMS]
    for name in names:
        try:
            (send / Path(name).name).unlink(missing_ok=True)
        except OSError as error:
            raise InputError(
                "a sheet of the study that stands here cannot be removed",
                where=str(send / name),
                hint=error.strerror or "",
            ) from error


def _slug(arm: str) -> str:
    return arm.replace(" ", "-")


def _codes(n: int, rng: np.random.Generator) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < n:
        letters = rng.integers(0, len(_LETTERS), size=_CODE_CHARS)
        found["".join(_LETTERS[int(i)] for i in letters)] = None
    return list(found)


def _rows(one: Assigned, codes: Sequence[str]) -> list[list[str]]:
    meals = [[c, escaped(q.text), "", "", ""] for c, q in zip(codes, one.questions, strict=True)]
    return [*meals, [WHOLE, WHOLE_TEXT, "", "", ""]]


def _csv(one: Assigned, codes: Sequence[str], nutrient: str, text: str) -> bytes:
    del text  # stands in a file of its own
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns_of(nutrient))
    writer.writerows(_rows(one, codes))
    # the mark by which Excel knows UTF-8
    return out.getvalue().encode("utf-8-sig")


def _xlsx(one: Assigned, codes: Sequence[str], nutrient: str, text: str) -> bytes:
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.active
    sheet.title = "meals"
    names = columns_of(nutrient)
    for i, cells in enumerate([list(names), *_rows(one, codes)], start=1):
        for j, value in enumerate(cells, start=1):
            cell = sheet.cell(row=i, column=j)
            # text, also where it is empty: 10-12 must not become a date
            cell.number_format = "@"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if value:
                _put(cell, value)
            if i == 1:
                cell.font = Font(bold=True)
    for letter, width in zip("ABCDE", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A2"
    page = book.create_sheet(TEXT_PAGE)
    page.column_dimensions["A"].width = 110
    for i, line in enumerate(text.splitlines(), start=1):
        _put(page.cell(row=i, column=1), line)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _put(cell: Any, text: str) -> None:
    """Put a text into a cell; it stays one though it may begin like a formula."""
    cell.value = text
    cell.data_type = "s"


_BYTES: Final = {"csv": _csv, "xlsx": _xlsx}


def _meal_line(question: MealQuestion) -> str:
    body = {k: v for k, v in question_to(question).items() if k not in ("benchmark", "nutrient")}
    body[question.nutrient] = body.pop("label")
    kept = {k: v for k, v in body.items() if v not in ("", None)}
    return json.dumps(kept, ensure_ascii=False) + "\n"


def _make(*folders: Path) -> None:
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                "the folder cannot be made", where=str(folder), hint=error.strerror or ""
            ) from error


def _write(path: Path, data: bytes) -> Path:
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(path), hint=error.strerror or ""
        ) from error
    return path
