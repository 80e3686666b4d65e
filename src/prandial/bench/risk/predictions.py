"""Run records: what an estimator or a language model answered, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from prandial.bench.risk.cells import Grams, banded, grams_of, is_blank, true_grams
from prandial.bench.risk.columns import spelled
from prandial.bench.risk.ids import name_of, no_totals, one_name
from prandial.bench.risk.numbers import first_of
from prandial.bench.risk.sheets import Sheet
from prandial.errors import InputError

__all__ = ["holds_objects", "is_flat_run", "is_run", "is_silent", "marked", "run_answers", "who_of"]

#: keys that hold an answer: a whole estimate, a model's prediction, an estimate inside
_ANSWER: Final = ("totals", "prediction", "estimate")
#: keys that name who answered
_WHO: Final = ("estimator", "model", "method")
_NUTRIENT: Final = "carb_g"
#: statuses of an answer: of language models, and of prandial itself
_ANSWERED: Final = ("answered", "ok", "incomplete")
_SILENT: Final = ("refused", "unreadable", "failed", "nothing_to_estimate")
_BAND: Final = ("low", "mid", "high")

Answer = tuple[str, str, float | None, str, Grams | None]


def holds_objects(sheet: Sheet) -> bool:
    """Whether an answer is an object, not a cell."""
    answers = [i for i, name in enumerate(sheet.header) if name in _ANSWER]
    return any(isinstance(row[i], Mapping) for row in sheet.rows for i in answers)


def is_run(sheet: Sheet) -> bool:
    """Whether rows are run records.

    An answer is an object, not a cell; or, in lines of JSON, a plain answer beside a text that
    names who gave it, or a prediction beside a status.
    """
    if holds_objects(sheet):
        return True
    if sheet.is_objects and {"prediction", "status"} <= set(sheet.header):
        return True
    who = [i for i, name in enumerate(sheet.header) if name in _WHO]
    return (
        sheet.is_objects
        and first_of(_ANSWER, sheet.header) is not None
        and any(isinstance(row[i], str | Mapping) for row in sheet.rows for i in who)
    )


def is_flat_run(header: Sequence[str]) -> bool:
    """Whether columns are those of a flat file of ``prandial estimate --output``."""
    return {_NUTRIENT, "status", "n_items", "n_unmatched"} <= set(header)


def is_silent(status: Any, where: str) -> bool:
    """Whether a status says that there is no answer.

    Raises
    ------
    InputError
        On a status that is not known.
    """
    if is_blank(status):
        return False
    told = str(status).strip().lower()
    if told not in _ANSWERED + _SILENT:
        raise InputError(
            f"no status {str(status)[:40]!r}",
            where=where,
            hint="known: " + ", ".join(_ANSWERED + _SILENT),
        )
    return told in _SILENT


def run_answers(
    sheet: Sheet,
    *,
    large_meals: bool,
    ids: Sequence[str],
    truths: Sequence[str],
    chosen: Sequence[str] = (),
) -> Iterator[Answer]:
    """Yield place, meal, truth, estimator and grams of each record.

    Parameters
    ----------
    sheet : Sheet
        Records, a row each.
    large_meals : bool
    ids, truths : sequence of str
        Keys that may hold the meal and its truth, best first.
    chosen : sequence of str
        Estimators to read, all when empty: what others answered is not looked at.

    Raises
    ------
    InputError
        On a record without a meal, an answer that cannot be read, and a record that names nobody
        where others name several.
    """
    answers = list(_answers(sheet, large_meals, ids, truths, chosen))
    no_totals([a[1] for a in answers], f"{sheet.path.name}, {sheet.labels[-1]}")
    names = list(dict.fromkeys(a[3] for a in answers if a[3]))
    for where, meal, truth, name, grams in answers:
        yield where, meal, truth, name or one_name(names, sheet.path.stem, where), grams


def _answers(
    sheet: Sheet, large: bool, ids: Sequence[str], truths: Sequence[str], chosen: Sequence[str]
) -> Iterator[Answer]:
    for label, cells in zip(sheet.labels, sheet.rows, strict=True):
        record = {k: v for k, v in zip(sheet.header, cells, strict=True) if v is not None}
        key = next(iter(spelled(ids, record)), None)
        if key is None:
            raise InputError(
                "a record without a meal",
                where=f"{sheet.path.name}, {label}",
                hint="one of these keys names it: " + ", ".join(ids),
            )
        meal = name_of(record[key], where=f"{sheet.path.name}, {label}, {key}")
        where = f"{sheet.path.name}, {label} (meal {meal})"
        truth = _truth(record, where, large, truths)
        name = who_of(record, where) or _who_inside(record, where)
        if chosen and name and name not in chosen:
            yield where, meal, truth, name, None
            continue
        yield where, meal, truth, name, _answer(record, where, large)


def _truth(
    record: Mapping[str, Any], where: str, large: bool, truths: Sequence[str]
) -> float | None:
    """Return the truth of a record, None where it tells none."""
    found: dict[str, float] = {}
    for key in spelled(truths, record):
        told = record[key]
        told = told.get(_NUTRIENT) if isinstance(told, Mapping) else told
        if not is_blank(told):
            found[key] = true_grams(told, where=f"{where}, {key}", large_meals=large)
    if len(set(found.values())) > 1:
        raise InputError(
            "two truths of a meal: " + ", ".join(f"{k} {v:g}" for k, v in found.items()),
            where=where,
            hint="keep one of them",
        )
    return next(iter(found.values()), None)


def who_of(holder: Mapping[str, Any], where: str) -> str:
    """Return who answered, empty where nobody is named.

    Raises
    ------
    InputError
        When the name is no text.
    """
    for key in _WHO:
        told = holder.get(key)
        if told is None or told == "":
            continue
        if isinstance(told, bool) or not isinstance(told, str | int):
            raise InputError(
                f"{str(told)[:40]} is no name of an estimator",
                where=f"{where}, {key}",
                hint="give a text",
            )
        if str(told).strip():
            return str(told).strip()
    return ""


def _who_inside(record: Mapping[str, Any], where: str) -> str:
    """Return who answered by the answer itself, empty where nobody is named."""
    for key in _ANSWER[1:]:
        told = record.get(key)
        if isinstance(told, Mapping) and (name := who_of(told, f"{where}, {key}")):
            return name
    return ""


def _answer(record: Mapping[str, Any], where: str, large: bool) -> Grams | None:
    """Return what was answered.

    Raises
    ------
    InputError
        On several answers, an amount that cannot be read, and a status that is not known.
    """
    there = [k for k in _ANSWER if not is_blank(record.get(k))]
    if len(there) > 1:
        raise InputError(
            "several answers in one record: " + ", ".join(there),
            where=where,
            hint="keep one of them, or give each a record of its own",
        )
    key = next((k for k in (*there, *_ANSWER) if k in record), None)
    if key is None:
        is_silent(record.get("status"), f"{where}, status")
        return None
    told, place = record[key], f"{where}, {key}"
    inside = told if isinstance(told, Mapping) and key != "totals" else {}
    silent = is_silent(record.get("status"), f"{where}, status")
    if is_silent(inside.get("status"), f"{place}.status") or silent:
        return None
    if key == "totals":
        return marked(_of_totals(told, place, large), record.get("complete"))
    if "totals" in inside:
        found = _of_totals(inside["totals"], f"{place}.totals", large)
        return marked(found, inside.get("complete"))
    if key == "prediction" and "value" in inside:
        told = inside["value"]
    return marked(_grams(told, place, large), inside.get("complete"))


def _of_totals(totals: Any, where: str, large: bool) -> Grams | None:
    """Return the carbohydrate of totals, None where it is null."""
    if isinstance(totals, Mapping) and _NUTRIENT not in totals:
        raise _nothing(totals, where, f'such as {{"{_NUTRIENT}": 45}}, or null for no answer')
    return _grams(totals, where, large)


def marked(grams: Grams | None, complete: Any) -> Grams | None:
    """Return grams marked as of a part of the meal where the estimate says so."""
    is_part = complete is False or str(complete).strip().lower() in ("false", "0")
    return replace(grams, partial=True) if grams is not None and is_part else grams


def _grams(told: Any, where: str, large: bool) -> Grams | None:
    """Return the grams of a number, or of a band with low, mid and high."""
    if isinstance(told, Mapping) and _NUTRIENT in told:
        told, where = told[_NUTRIENT], f"{where}.{_NUTRIENT}"
    if isinstance(told, list):
        raise InputError("a list is no amount", where=where, hint="give a number or a band")
    if not isinstance(told, Mapping):
        return grams_of(told, where=where, large_meals=large, is_json=True)
    if not any(k in told for k in _BAND):
        raise _nothing(
            told,
            where,
            f'such as {{"value": 45}}, {{"{_NUTRIENT}": 45}},'
            ' {"low": 40, "mid": 45, "high": 50}, or {"status": "refused"}',
        )
    low, mid, high = (
        grams_of(told.get(k), where=f"{where}.{k}", large_meals=large, is_json=True) for k in _BAND
    )
    return banded(mid, low, high, where=where)


def _nothing(told: Mapping[str, Any], where: str, hint: str) -> InputError:
    keys = ", ".join(map(str, told))[:80] or "none"
    return InputError(f"no amount of carbohydrate; keys: {keys}", where=where, hint=hint)
