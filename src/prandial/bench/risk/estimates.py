"""Estimates of carbohydrate to assess: wide and long tables, run records, dietitians' sheets.

* wide: ``meal_id``, ``true_g`` and a column for each estimator; ``NAME_low`` and ``NAME_high``
  beside ``NAME`` are its range
* long: ``meal_id``, ``true_g``, ``estimator``, ``estimate_g`` (and ``low_g``, ``high_g``)
* run records: JSON lines with ``id``, a truth, and an estimate (``totals``) or a ``prediction``;
  also the flat files that ``prandial estimate --output`` writes

No answer is no number: an empty cell, ``NA`` or NaN is an abstention, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prandial.bench.risk.cells import Grams, grams_of
from prandial.bench.risk.numbers import first_of
from prandial.bench.risk.predictions import is_flat_run, is_run, marked, run_answers
from prandial.bench.risk.sheets import Sheet, read_sheet
from prandial.errors import InputError, NotFoundError

__all__ = ["EstimateTable", "read_estimates"]

_MEAL: Final = ("meal_id", "id", "meal", "row")
_TRUE: Final = ("true_g", "true_carb_g", "truth", "true_carbs", "target")
_LONG: Final = ("estimate_g", "estimated_g", "estimate")
_LOW: Final = ("low_g", "estimate_low_g", "estimate_g_low", "low")
_HIGH: Final = ("high_g", "estimate_high_g", "estimate_g_high", "high")
#: what an estimate of a part of a meal is
INCOMPLETE: Final = ("count", "abstain")
#: endings and beginnings of columns that hold something else
_OTHER: Final = re.compile(
    r"_(?:kcal|kj|mg|mcg|ug)$|^(?:protein|fat|energy|kcal|fiber|fibre|sugar|sodium)(?:_|$)",
    re.IGNORECASE,
)
_FORMS: Final = (
    "wide: meal_id, true_g, a column for each estimator;"
    " long: meal_id, true_g, estimator, estimate_g"
)

#: where, meal, truth (None: not said), estimator, grams
Answer = tuple[str, str, float | None, str, Grams | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class EstimateTable:
    """Estimates of the same meals by several estimators.

    Parameters
    ----------
    meal_ids : tuple of str, length m
    true_g : ndarray, shape (m,)
    estimators : tuple of str, length k
    low_g, mid_g, high_g : ndarray, shape (k, m)
        Grams; NaN where the estimator gave no answer. Without a range all three are equal.
    told : ndarray of bool, shape (k, m)
        Whether the answer came with a range.
    ranged : tuple of str
        Estimators that gave a range.
    notes : tuple of str
    """

    meal_ids: tuple[str, ...]
    true_g: NDArray[np.float64]
    estimators: tuple[str, ...]
    low_g: NDArray[np.float64]
    mid_g: NDArray[np.float64]
    high_g: NDArray[np.float64]
    told: NDArray[np.bool_]
    ranged: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def abstained(self) -> dict[str, int]:
        """Number of meals without an answer, by estimator."""
        return {name: int(np.isnan(self.mid_g[k]).sum()) for k, name in enumerate(self.estimators)}

    def estimates(self) -> dict[str, NDArray[np.float64]]:
        """Return the middle estimates by estimator, grams, shape (m,)."""
        return {name: self.mid_g[k] for k, name in enumerate(self.estimators)}

    def ranges(self) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return low and high of the estimators that gave ranges, grams; NaN where untold."""
        return {
            name: (
                np.where(self.told[k], self.low_g[k], np.nan),
                np.where(self.told[k], self.high_g[k], np.nan),
            )
            for k, name in enumerate(self.estimators)
            if name in self.ranged
        }


def read_estimates(
    path: Path,
    *,
    estimators: Sequence[str] = (),
    truth: Path | None = None,
    large_meals: bool = False,
    incomplete: str = "count",
) -> EstimateTable:
    """Read estimates of any of the forms above.

    Parameters
    ----------
    path : Path
        CSV, TSV, Excel, Parquet or JSON lines.
    estimators : sequence of str
        Use these only; all when empty.
    truth : Path, optional
        A table with ``meal_id`` and ``true_g``, for files without a truth.
    large_meals : bool
        Whether meals above 250 g are meant.
    incomplete : {'count', 'abstain'}
        What an estimate of a part of the meal is: an answer, or none.

    Raises
    ------
    NotFoundError
        When the file or a named estimator is not there.
    InputError
        On columns that are not there, a cell that cannot be read or is outside its bound, a
        meal that is there twice, or without a truth: names row, column and bound.
    """
    if incomplete not in INCOMPLETE:
        raise InputError(
            f"no policy {incomplete!r}",
            where="incomplete",
            hint="known: " + ", ".join(INCOMPLETE),
        )
    sheet = read_sheet(path)
    known = _truths(truth, large_meals=large_meals) if truth is not None else {}
    if is_run(sheet):
        answers = list(run_answers(sheet, large_meals=large_meals, ids=_MEAL, truths=_TRUE))
    elif "estimator" in sheet.header and first_of(_LONG, sheet.header):
        answers = list(_long(sheet, large_meals=large_meals, known=known))
    else:
        answers = list(_wide(sheet, estimators, large_meals=large_meals, known=known))
    return _table(sheet, answers, known, estimators, abstain=incomplete == "abstain")


def _columns(sheet: Sheet, known: Mapping[str, float]) -> tuple[str, str | None]:
    """Return the columns of meal and truth."""
    meal, true = first_of(_MEAL, sheet.header), first_of(_TRUE, sheet.header)
    if meal is None or (true is None and not known):
        lacking = "meal_id" if meal is None else "true_g"
        raise InputError(
            f"no column {lacking!r}",
            where=str(sheet.path),
            hint=f"found: {', '.join(sheet.header)}; {_FORMS}; --truth FILE brings true_g",
        )
    return meal, true


def _meals(sheet: Sheet, column: str) -> list[str]:
    ids = []
    for label, cell in zip(sheet.labels, sheet.column(column), strict=True):
        text = "" if cell is None else str(cell).strip()
        if not text:
            raise InputError(
                "a meal without an id",
                where=f"{sheet.path.name}, {label}, {column}",
                hint="give each meal its own id",
            )
        ids.append(text)
    return ids


def _true(cell: Any, where: str, large_meals: bool) -> float:
    grams = grams_of(cell, where=where, large_meals=large_meals)
    if grams is None or grams.low != grams.high:
        raise InputError(
            "a meal without its true carbohydrate",
            where=where,
            hint="give the grams the meal really held; leave meals without a truth out",
        )
    return grams.mid


def _truths(path: Path, *, large_meals: bool) -> dict[str, float]:
    sheet = read_sheet(path)
    meal, true = _columns(sheet, {})
    ids = _meals(sheet, meal)
    _once(ids, sheet)
    return {
        i: _true(cell, f"{path.name}, {label}, {true}", large_meals)
        for i, cell, label in zip(ids, sheet.column(str(true)), sheet.labels, strict=True)
    }


def _once(ids: Iterable[str], sheet: Sheet) -> None:
    seen: dict[str, str] = {}
    for meal, label in zip(ids, sheet.labels, strict=True):
        if meal in seen:
            raise InputError(
                f"meal {meal!r} is there twice, first in {seen[meal]}",
                where=f"{sheet.path.name}, {label}",
                hint="give each meal one row",
            )
        seen[meal] = label


def _wide(
    sheet: Sheet, chosen: Sequence[str], *, large_meals: bool, known: Mapping[str, float]
) -> Iterable[Answer]:
    meal, true = _columns(sheet, known)
    ids = _meals(sheet, meal)
    _once(ids, sheet)
    if is_flat_run(sheet.header):
        names = {"prandial": "carb_g"}
    else:
        others = [h for h in sheet.header if h not in (meal, true)]
        ends = {f"{h}{e}" for h in others for e in ("_low", "_high")}
        names = {h: h for h in others if h not in ends and (not chosen or h in chosen)}
        if not names and chosen:
            raise NotFoundError(
                f"no estimator {chosen[0]!r}",
                where=str(sheet.path),
                hint="there are: " + (", ".join(h for h in others if h not in ends) or "none"),
            )
        _no_other_nutrient(names, sheet)
    for i, label in enumerate(sheet.labels):
        where = f"{sheet.path.name}, {label} (meal {ids[i]})"
        row = dict(zip(sheet.header, sheet.rows[i], strict=True))
        truth = _true(row[true], f"{where}, {true}", large_meals) if true else None
        if not names:
            yield where, ids[i], truth, "", None
        for name, column in names.items():
            grams = _ranged(row, column, (f"{column}_low", f"{column}_high"), where, large_meals)
            grams = marked(grams, row.get("complete")) if is_flat_run(sheet.header) else grams
            yield where, ids[i], truth, name, grams


def _no_other_nutrient(names: Iterable[str], sheet: Sheet) -> None:
    """Refuse a column of energy, milligrams or another nutrient: it is no estimate in grams."""
    for name in names:
        if _OTHER.search(name):
            raise InputError(
                f"the column {name!r} is named like no estimate of carbohydrate in grams",
                where=str(sheet.path),
                hint="name those that are with --estimator NAME, or rename it",
            )


def _long(sheet: Sheet, *, large_meals: bool, known: Mapping[str, float]) -> Iterable[Answer]:
    meal, true = _columns(sheet, known)
    column = str(first_of(_LONG, sheet.header))
    ends = (first_of(_LOW, sheet.header) or "", first_of(_HIGH, sheet.header) or "")
    ids = _meals(sheet, meal)
    for i, label in enumerate(sheet.labels):
        where = f"{sheet.path.name}, {label} (meal {ids[i]})"
        row = dict(zip(sheet.header, sheet.rows[i], strict=True))
        truth = _true(row[true], f"{where}, {true}", large_meals) if true else None
        name = str(row["estimator"] or "").strip()
        if not name:
            raise InputError(
                "no estimator named", where=f"{where}, estimator", hint="name who estimated"
            )
        yield where, ids[i], truth, name, _ranged(row, column, ends, where, large_meals)


def _ranged(
    row: Mapping[str, Any], column: str, ends: tuple[str, str], where: str, large_meals: bool
) -> Grams | None:
    """Return the estimate of a row with the range of its neighbours, where there are any."""
    mid = grams_of(row[column], where=f"{where}, {column}", large_meals=large_meals)
    told = [grams_of(row.get(e), where=f"{where}, {e}", large_meals=large_meals) for e in ends]
    low, high = told
    if low is None and high is None:
        return mid
    if mid is None:
        if low is None or high is None:
            raise InputError(
                "half a range without an estimate",
                where=f"{where}, {column}",
                hint=f"give {column}, or both {ends[0]} and {ends[1]}",
            )
        found = Grams(low.mid, (low.mid + high.mid) / 2, high.mid, ranged=True)
    else:
        found = Grams(
            low.mid if low else mid.low, mid.mid, high.mid if high else mid.high, ranged=True
        )
    if not found.low <= found.mid <= found.high:
        raise InputError(
            f"the range {found.low:g} to {found.high:g} does not hold {found.mid:g}",
            where=f"{where}, {column}",
            hint=f"{ends[0]} <= {column} <= {ends[1]}",
        )
    return found


def _table(
    sheet: Sheet,
    answers: Sequence[Answer],
    known: Mapping[str, float],
    chosen: Sequence[str],
    *,
    abstain: bool,
) -> EstimateTable:
    """Put answers together, meals and estimators in the order they are first met."""
    truths: dict[str, float] = {}
    given: dict[tuple[str, str], Grams | None] = {}
    names: dict[str, None] = {}
    parts: dict[str, int] = {}
    for where, meal, truth, name, grams in answers:
        value = known.get(meal, truth)
        if truth is not None and value != truth:
            raise InputError(
                f"meal {meal!r} holds {truth:g} g in the file and {value:g} g in --truth",
                where=where,
                hint="a meal has one truth: correct one of them",
            )
        if value is None:
            raise InputError(
                f"no true carbohydrate of meal {meal!r}",
                where=where,
                hint="give true_g in the file, or a table of meal_id and true_g with --truth; meals"
                " of `prandial estimate --output` have the ids of its --id-column",
            )
        if truths.setdefault(meal, value) != value:
            raise InputError(
                f"meal {meal!r} holds {value:g} g here and {truths[meal]:g} g before",
                where=where,
                hint="a meal has one truth",
            )
        if not name or (chosen and name not in chosen):
            continue
        names[name] = None
        if (name, meal) in given:
            raise InputError(
                f"{name!r} estimates meal {meal!r} twice", where=where, hint="keep one of them"
            )
        if grams is not None and grams.partial:
            parts[name] = parts.get(name, 0) + 1
            grams = None if abstain else grams
        given[name, meal] = grams
    missing = [c for c in chosen if c not in names]
    if missing:
        raise NotFoundError(
            f"no estimator {missing[0]!r}",
            where=str(sheet.path),
            hint="there are: " + (", ".join(dict.fromkeys(a[3] for a in answers)) or "none"),
        )
    silent = [meal for meal in known if meal not in truths]
    truths |= {meal: known[meal] for meal in silent}
    found = _arrays(truths, given, tuple(names))
    taken = "taken as no answer" if abstain else "counted as answers (--incomplete abstain: not)"
    notes = [
        f"{name}: {n} of {len(truths)} estimates are of a part of the meal; {taken}"
        for name, n in parts.items()
    ]
    if silent:
        notes.append(
            f"{len(silent)} of {len(known)} meals of --truth are not in the file: no answer"
        )
    return replace(found, notes=(*found.notes, *notes))


def _arrays(
    truths: Mapping[str, float],
    given: Mapping[tuple[str, str], Grams | None],
    names: tuple[str, ...],
) -> EstimateTable:
    meals = tuple(truths)
    band = np.full((3, len(names), len(meals)), np.nan)
    for k, name in enumerate(names):
        for m, meal in enumerate(meals):
            grams = given.get((name, meal))
            if grams is not None:
                band[:, k, m] = (grams.low, grams.mid, grams.high)
    told = np.array(
        [[(g := given.get((n, m))) is not None and g.ranged for m in meals] for n in names],
        dtype=np.bool_,
    ).reshape(len(names), len(meals))
    ranged = tuple(n for k, n in enumerate(names) if told[k].any())
    return EstimateTable(
        meal_ids=meals,
        true_g=np.array([truths[m] for m in meals]),
        estimators=names,
        low_g=band[0],
        mid_g=band[1],
        high_g=band[2],
        told=told,
        ranged=ranged,
        notes=tuple(_notes(band[1], names, len(meals))),
    )


def _notes(mid: NDArray[np.float64], names: tuple[str, ...], meals: int) -> Iterable[str]:
    if not names:
        yield "the file has no estimator: only perfect estimates are assessed"
    if meals == 1:
        yield "one meal only: no interval over meals, nor over both"
    for k, name in enumerate(names):
        gone = int(np.isnan(mid[k]).sum())
        if gone:
            yield f"{name}: no answer for {gone} of {meals} meals"
