"""Recorded answers of anybody: models of others, published predictions, dietitians' sheets."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.answer.direct.replies import KEYS, meal_reply
from prandial.answer.direct.rows import read_rows
from prandial.errors import ModelError, SchemaError
from prandial.records.bench import GraphQuestion, MealQuestion, Replied

__all__ = ["Replay", "replay"]

#: names under which a column is looked for, first come
_IDS: Final = ("id", "question_id", "question", "meal_id", "row")
_TEXTS: Final = (
    *"text meal meal_description description query queries prompt question original_query".split(),
)
_REPLIES: Final = (
    *"reply raw_text answer output response completion prediction_text gpt4o_output".split(),
)
_VALUES: Final = ("value", "estimate", "predicted", "prediction", "pred")
_SHOWN_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class _Answer:
    reply: str
    value: float | None


class Replay:
    """Answers of a file, found by a question's id or else by the exact text of its meal.

    The id is that of the bench, or that of the data file before its name was put in front.

    Parameters
    ----------
    rows : iterable of mapping
    columns : mapping, optional
        Which columns hold ``id``, ``text``, ``reply`` and ``value``; found by name when not
        given. A value column may also have the nutrient's name, such as ``carb_g``.
    where : str
        The file, for messages.

    Attributes
    ----------
    duplicates : tuple of str
        Ids and texts that have different answers; a question that finds one of them fails.

    Raises
    ------
    SchemaError
        When no column holds what is needed.
    """

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        *,
        columns: Mapping[str, str] | None = None,
        where: str = "",
    ) -> None:
        self.where = where
        kept = list(rows)
        names = list(dict.fromkeys(k for row in kept for k in row))
        given = dict(columns or {})
        self._ids = _chosen(given.get("id"), _IDS, names, where)
        self._texts = _chosen(given.get("text"), _TEXTS, names, where)
        self._reply = _chosen(given.get("reply"), _REPLIES, names, where)[:1]
        self._value = _chosen(given.get("value"), _VALUES, names, where)[:1]
        self._nutrients = () if given.get("value") else tuple(k for k in KEYS if k in names)
        if not self._ids and not self._texts:
            raise _lacking("a question's id or text", names, where, "id=COLUMN or text=COLUMN")
        if not self._reply and not self._value and not self._nutrients:
            raise _lacking("an answer", names, where, "reply=COLUMN or value=COLUMN")
        self.rows = len(kept)
        self._found: dict[str, dict[str, list[Mapping[str, Any]]]] = {"id": {}, "text": {}}
        for row in kept:
            self._keep(row)
        self.duplicates = tuple(
            key
            for found in self._found.values()
            for key, same in found.items()
            if len({json.dumps(self._said(r), default=str) for r in same}) > 1
        )
        self._ambiguous = frozenset(self.duplicates)
        self._example = "no answers"
        for kind, what in (("text", "texts"), ("id", "ids")):
            if self._found[kind]:
                self._example = f"{what} such as {next(iter(self._found[kind]))[:_SHOWN_CHARS]!r}"

    def _keep(self, row: Mapping[str, Any]) -> None:
        for kind, names in (("id", self._ids), ("text", self._texts)):
            for key in dict.fromkeys(str(row[n]) for n in names if row.get(n) not in (None, "")):
                self._found[kind].setdefault(key, []).append(row)

    def _said(self, row: Mapping[str, Any]) -> list[Any]:
        return [row.get(n) for n in (*self._reply, *self._value, *self._nutrients)]

    def __call__(self, question: MealQuestion | GraphQuestion) -> Replied:
        """Return the recorded answer.

        Raises
        ------
        ModelError
            When there is none, or there are several that differ: the question was not run.
        """
        for kind, key in (("id", question.id), ("text", question.text), *_own_ids(question.id)):
            same = self._found[kind].get(key)
            if same is None:
                continue
            if key in self._ambiguous:
                raise ModelError(
                    f"{len(same)} answers in the file, and they differ",
                    where=f"{self.where}: {question.id}",
                    hint="keep one answer a question",
                )
            return self._replied(question, same[0])
        raise ModelError(
            f"not in the file, which has {self._example}",
            where=f"{self.where}: {question.id}",
            hint="no answer was recorded",
        )

    def _replied(self, question: MealQuestion | GraphQuestion, row: Mapping[str, Any]) -> Replied:
        reply = "" if not self._reply else _text(row.get(self._reply[0]))
        if isinstance(question, GraphQuestion):
            if not reply:
                raise self._empty(question)
            return Replied(text=reply)
        if reply:
            return Replied(text=reply)
        column = question.nutrient if question.nutrient in self._nutrients else None
        column = column or next(iter(self._value), None)
        cell = None if column is None else row.get(column)
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            raise self._empty(question)
        value = _number(cell)
        if value is None:
            return Replied(text=_text(cell))
        if value < 0:
            return meal_reply(question, None, why=f"the file says {cell}")
        return meal_reply(question, value)

    def _empty(self, question: MealQuestion | GraphQuestion) -> ModelError:
        return ModelError(
            "an empty answer in the file",
            where=f"{self.where}: {question.id}",
            hint="no answer was recorded",
        )


def replay(
    *,
    file: Path | str,
    id: str | None = None,  # noqa: A002 - the name of the option
    text: str | None = None,
    reply: str | None = None,
    value: str | None = None,
) -> Replay:
    """Return the recorded answers of a file as an answerer.

    Parameters
    ----------
    file : Path
        CSV, TSV, JSONL or Parquet; one row an answer.
    id, text, reply, value : str, optional
        Columns; found by name when not given. Where there is a reply it is read as a model's
        would be; a value is taken as it stands, and one below 0 is "not known".

    Raises
    ------
    MissingDataError, InputError, SchemaError
        When the file cannot be read, or lacks a column.
    """
    columns = {"id": id, "text": text, "reply": reply, "value": value}
    return Replay(
        read_rows(Path(str(file))),  # a name of digits comes as a number
        columns={k: str(v) for k, v in columns.items() if v is not None and v != ""},
        where=str(file),
    )


def _own_ids(name: str) -> Iterator[tuple[str, str]]:
    """Yield an id as a file of data may have it: without the file's name before it.

    ``six-m1`` of ``six.csv`` is ``m1`` there; names of files have letters, digits and hyphens.
    """
    for found in re.finditer("-", name):
        if re.fullmatch(r"[a-z0-9-]+", name[: found.start()]):
            yield "id", name[found.end() :]


def _chosen(
    given: str | None, known: tuple[str, ...], names: list[str], where: str
) -> tuple[str, ...]:
    if given is None:
        lower = {n.lower(): n for n in reversed(names)}
        return tuple(lower[k] for k in known if k in lower)
    if given not in names:
        raise SchemaError(
            f"no column {given!r}", where=where, hint="columns: " + ", ".join(names[:20])
        )
    return (given,)


def _lacking(what: str, names: list[str], where: str, option: str) -> SchemaError:
    return SchemaError(
        f"no column holds {what}",
        where=where,
        hint=f"name it: {option}; columns: " + (", ".join(names[:20]) or "none"),
    )


def _text(cell: Any) -> str:
    while isinstance(cell, list | tuple) and len(cell) == 1:
        cell = cell[0]  # other tools keep a reply as one of a list
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)


def _number(cell: Any) -> float | None:
    try:
        value = math.nan if isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None
