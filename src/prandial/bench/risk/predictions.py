"""Run records: what an estimator or a language model answered, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from prandial.bench.risk.cells import Grams, grams_of
from prandial.bench.risk.numbers import first_of
from prandial.bench.risk.sheets import Sheet
from prandial.errors import InputError

__all__ = ["is_flat_run", "is_run", "marked", "run_answers"]

#: keys that hold an answer: a whole estimate, an estimate inside, a model's prediction
_ANSWER: Final = ("totals", "estimate", "prediction")
_NUTRIENT: Final = "carb_g"
_STATUSES: Final = ("answered", "refused", "unreadable", "failed")

Answer = tuple[str, str, float | None, str, Grams | None]


def is_run(sheet: Sheet) -> bool:
    """Whether rows are run records: an answer is an object, not a cell."""
    at = [i for i, name in enumerate(sheet.header) if name in _ANSWER]
    return any(isinstance(row[i], Mapping) for row in sheet.rows for i in at)


def is_flat_run(header: Sequence[str]) -> bool:
    """Whether columns are those of a flat file of ``prandial estimate --output``."""
    return {_NUTRIENT, "status", "n_items", "n_unmatched"} <= set(header)


def run_answers(
    sheet: Sheet, *, large_meals: bool, ids: Sequence[str], truths: Sequence[str]
) -> Iterator[Answer]:
    """Yield place, meal, truth, estimator and grams of each record.

    Parameters
    ----------
    sheet : Sheet
        Records, a row each.
    large_meals : bool
    ids, truths : sequence of str
        Keys that may hold the meal and its truth, best first.

    Raises
    ------
    InputError
        On a record without a meal, and an answer that cannot be read.
    """
    for label, cells in zip(sheet.labels, sheet.rows, strict=True):
        record = {k: v for k, v in zip(sheet.header, cells, strict=True) if v is not None}
        key = first_of(ids, record)
        if key is None:
            raise InputError(
                "a record without a meal",
                where=f"{sheet.path.name}, {label}",
                hint="one of these keys names it: " + ", ".join(ids),
            )
        meal = str(record[key])
        where = f"{sheet.path.name}, {label} (meal {meal})"
        true_key = first_of(truths, record)
        truth = None
        if true_key is not None:
            told = _of_nutrient(record[true_key])
            grams = grams_of(told, where=f"{where}, {true_key}", large_meals=large_meals)
            truth = grams.mid if grams is not None else None
        name, grams = _answer(record, where, large_meals)
        yield where, meal, truth, name or sheet.path.stem, grams


def _of_nutrient(value: Any) -> Any:
    return value.get(_NUTRIENT) if isinstance(value, Mapping) else value


def _answer(record: Mapping[str, Any], where: str, large: bool) -> tuple[str, Grams | None]:
    """Return who answered, and what."""
    name = str(record.get("estimator") or record.get("model") or record.get("method") or "")
    if "totals" in record:
        found = _grams(_of_nutrient(record["totals"]), f"{where}, totals.{_NUTRIENT}", large)
        return name, marked(found, record.get("complete"))
    if "prediction" in record:
        told = record["prediction"]
        if isinstance(told, Mapping):
            name = name or str(told.get("estimator") or told.get("model") or "")
            told = _predicted(told, where)
        return name, _grams(_of_nutrient(told), f"{where}, prediction", large)
    told = record.get("estimate")
    if isinstance(told, Mapping):
        name = name or str(told.get("estimator") or "")
        told = _of_nutrient(told["totals"]) if isinstance(told.get("totals"), Mapping) else told
    whole = record["estimate"] if isinstance(record.get("estimate"), Mapping) else {}
    return name, marked(_grams(told, f"{where}, estimate", large), whole.get("complete"))


def marked(grams: Grams | None, complete: Any) -> Grams | None:
    """Return grams marked as of a part of the meal where the estimate says so."""
    is_part = complete is False or str(complete).strip().lower() in ("false", "0")
    return replace(grams, partial=True) if grams is not None and is_part else grams


def _predicted(told: Mapping[str, Any], where: str) -> Any:
    """Return the value of a model's prediction, None where it gave none."""
    status = told.get("status", "answered")
    if status not in _STATUSES:
        raise InputError(
            f"no status {str(status)[:40]!r}",
            where=f"{where}, prediction.status",
            hint="known: " + ", ".join(_STATUSES),
        )
    return told.get("value") if status == "answered" else None


def _grams(told: Any, where: str, large: bool) -> Grams | None:
    """Return the grams of a number, or of a band with low, mid and high."""
    if isinstance(told, Mapping) and _NUTRIENT in told:
        told = told[_NUTRIENT]
    if not isinstance(told, Mapping):
        if isinstance(told, list):
            raise InputError("a list is no amount", where=where, hint="give a number or a band")
        return grams_of(told, where=where, large_meals=large)
    if "mid" not in told:
        raise InputError(
            "an estimate without a middle",
            where=where,
            hint='such as {"low": 40, "mid": 45, "high": 50}',
        )
    low, mid, high = (
        grams_of(told.get(k, told["mid"]), where=f"{where}.{k}", large_meals=large)
        for k in ("low", "mid", "high")
    )
    if mid is None:
        return None
    found = Grams(
        low.mid if low else mid.mid,
        mid.mid,
        high.mid if high else mid.mid,
        ranged="low" in told or "high" in told,
    )
    if not found.low <= found.mid <= found.high:
        raise InputError(
            f"the range {found.low:g} to {found.high:g} does not hold {found.mid:g}",
            where=where,
            hint="low <= mid <= high",
        )
    return found
