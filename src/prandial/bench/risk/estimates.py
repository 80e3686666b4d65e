"""Estimates of carbohydrate to assess: wide and long tables, run records, dietitians' sheets.

* wide: ``meal_id``, ``true_g`` and a column for each estimator; ``NAME_low`` and ``NAME_high``
  beside ``NAME`` are its range
* long: ``meal_id``, ``true_g``, ``estimator``, ``estimate_g`` (and ``low_g``, ``high_g``)
* run records: JSON lines with ``id``, a truth, and an estimate (``totals``) or a ``prediction``,
  which may be plain numbers beside the name of a ``model``
* the flat files that ``prandial estimate --output`` writes: estimator ``prandial`` unless a column
  ``estimator`` says another; JSON lines keep the name they hold

No answer is no number: an empty cell, ``NA`` or NaN is an abstention, and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prandial.bench.risk.cells import Grams, banded, grams_of, is_blank, true_grams
from prandial.bench.risk.columns import (
    MEAL,
    TRUE,
    ends_of,
    estimator_columns,
    meal_and_truth,
    plain,
    spelled,
)
from prandial.bench.risk.ids import name_of, no_totals
from prandial.bench.risk.predictions import (
    holds_objects,
    is_flat_run,
    is_run,
    is_silent,
    marked,
    run_answers,
    who_of,
)
from prandial.bench.risk.sheets import Sheet, read_sheet
from prandial.errors import InputError, NotFoundError

__all__ = ["EstimateTable", "read_estimates"]

_LONG: Final = ("estimate_g", "estimated_g", "estimate", "prediction")
_WHO: Final = ("estimator", "model", "method")
_LOW: Final = ("low_g", "estimate_low_g", "estimate_g_low", "low")
_HIGH: Final = ("high_g", "estimate_high_g", "estimate_g_high", "high")
_ENDS: Final = (*_LOW, *_HIGH)
#: what an estimate of a part of a meal is
INCOMPLETE: Final = ("count", "abstain")
#: who answered in a flat file of prandial's that names nobody
_OURS: Final = "prandial"

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
        On columns that are not there or there by two names, a cell that cannot be read or is
        outside its bound, a meal that is there twice, or without a truth: names row, column and
        bound.
    """
    if isinstance(estimators, str):
        raise InputError(
            f"estimators is one text, {estimators[:40]!r}",
            where="estimators",
            hint=f"give a list: [{estimators[:40]!r}]",
        )
    if incomplete not in INCOMPLETE:
        raise InputError(
            f"no policy {incomplete!r}",
            where="incomplete",
            hint="known: " + ", ".join(INCOMPLETE),
        )
    chosen = tuple(dict.fromkeys(e.strip() for e in estimators))
    sheet = read_sheet(path, fits=_has_meals if truth is not None else _has_truths)
    beside = read_sheet(truth, fits=_has_truths) if truth is not None else None
    known = _truths(beside, large_meals=large_meals) if beside is not None else {}
    answers: Iterable[Answer]
    if _is_long(sheet):
        answers = _long(sheet, chosen, large_meals=large_meals, known=known)
    elif is_run(sheet):
        answers = run_answers(sheet, large_meals=large_meals, ids=MEAL, truths=TRUE, chosen=chosen)
    elif is_flat_run(sheet.header):
        answers = _flat(sheet, chosen, large_meals=large_meals, known=known)
    else:
        answers = _wide(sheet, chosen, large_meals=large_meals, known=known)
    table = _table(sheet, list(answers), known, chosen, abstain=incomplete == "abstain")
    odd = (*sheet.notes, *(beside.notes if beside is not None else ()))
    return replace(table, notes=(*odd, *table.notes))


def _is_long(sheet: Sheet) -> bool:
    """Whether each row is one estimator's amount of one meal."""
    who = spelled(_WHO, sheet.header)
    if not who or not spelled(_LONG, sheet.header):
        return False
    # models and methods may be estimators themselves: then their cells hold amounts
    if plain(who[0]) != _WHO[0] and not any(_is_name(c) for c in sheet.column(who[0])):
        return False
    has_ends = bool(spelled(_ENDS, sheet.header))
    return not holds_objects(sheet) and (has_ends or not is_run(sheet))


def _is_name(cell: Any) -> bool:
    """Whether a cell is a text that is no amount."""
    if not isinstance(cell, str) or is_blank(cell):
        return False
    try:
        grams_of(cell, where="")
    except InputError:
        return True
    return False


def _has_meals(header: Sequence[str]) -> bool:
    return bool(spelled(MEAL, header))


def _has_truths(header: Sequence[str]) -> bool:
    return bool(spelled(MEAL, header) and spelled(TRUE, header))


def _meals(sheet: Sheet, column: str, hint: str = "give each meal its own id") -> list[str]:
    ids = [
        name_of(cell, where=f"{sheet.path.name}, {label}, {column}", hint=hint)
        for label, cell in zip(sheet.labels, sheet.column(column), strict=True)
    ]
    no_totals(ids, f"{sheet.path.name}, {sheet.labels[-1]}, {column}")
    return ids


def _truths(sheet: Sheet, *, large_meals: bool) -> dict[str, float]:
    meal, true = meal_and_truth(sheet, {})
    ids = _meals(sheet, meal)
    _once(ids, sheet)
    return {
        i: true_grams(cell, where=f"{sheet.path.name}, {label}, {true}", large_meals=large_meals)
        for i, cell, label in zip(ids, sheet.column(str(true)), sheet.labels, strict=True)
    }


def _once(ids: Iterable[str], sheet: Sheet, more: str = "") -> None:
    seen: dict[str, str] = {}
    for meal, label in zip(ids, sheet.labels, strict=True):
        if meal in seen:
            raise InputError(
                f"meal {meal!r} is there twice, first in {seen[meal]}",
                where=f"{sheet.path.name}, {label}",
                hint="give each meal one row" + more,
            )
        seen[meal] = label


#: where, meal, truth, cells by column
_Row = tuple[str, str, float | None, dict[str, Any]]


def _rows(sheet: Sheet, ids: Sequence[str], true: str | None, large_meals: bool) -> Iterable[_Row]:
    for meal, label, cells in zip(ids, sheet.labels, sheet.rows, strict=True):
        where = f"{sheet.path.name}, {label} (meal {meal})"
        row = dict(zip(sheet.header, cells, strict=True))
        truth = None
        if true:
            truth = true_grams(row[true], where=f"{where}, {true}", large_meals=large_meals)
        yield where, meal, truth, row


def _wide(
    sheet: Sheet, chosen: Sequence[str], *, large_meals: bool, known: Mapping[str, float]
) -> Iterable[Answer]:
    meal, true = meal_and_truth(sheet, known, chosen)
    ids = _meals(sheet, meal)
    _once(ids, sheet, "; or is it a long table? name its columns estimator and estimate_g")
    names = estimator_columns(sheet, meal, true, chosen)
    ends = ends_of(names, sheet.header)
    is_json = sheet.is_objects
    status = next((h for h in spelled(["status"], sheet.header) if h not in names), "")
    for where, name, truth, row in _rows(sheet, ids, true, large_meals):
        if not names:
            yield where, name, truth, "", None
        for column in names:
            silent = is_silent(row.get(status), f"{where}, {status}")
            grams = (
                None if silent else _ranged(row, column, ends[column], where, large_meals, is_json)
            )
            yield where, name, truth, column, grams


def _flat(
    sheet: Sheet, chosen: Sequence[str], *, large_meals: bool, known: Mapping[str, float]
) -> Iterable[Answer]:
    """Yield what ``prandial estimate --output`` wrote as a flat file."""
    meal, true = meal_and_truth(sheet, known)
    ids = _meals(sheet, meal)
    ends = ("carb_g_low", "carb_g_high")
    for where, name, truth, row in _rows(sheet, ids, true, large_meals):
        said = str(row.get("estimator") or "").strip() or _OURS
        if chosen and said not in chosen:
            yield where, name, truth, said, None
            continue
        grams = marked(_ranged(row, "carb_g", ends, where, large_meals), row["complete"])
        silent = is_silent(row["status"], f"{where}, status")
        yield where, name, truth, said, None if silent else grams


def _long(
    sheet: Sheet, chosen: Sequence[str], *, large_meals: bool, known: Mapping[str, float]
) -> Iterable[Answer]:
    meal, true = meal_and_truth(sheet, known)
    author, column = spelled(_WHO, sheet.header)[0], spelled(_LONG, sheet.header)[0]
    low, high = ((spelled(e, sheet.header) or [""])[0] for e in (_LOW, _HIGH))
    ends, status = (low, high), (spelled(["status"], sheet.header) or [""])[0]
    is_json = sheet.is_objects
    ids = _meals(sheet, meal, "fill merged cells: the id stands in each row")
    for where, name, truth, row in _rows(sheet, ids, true, large_meals):
        who = who_of({plain(author): row[author]}, where)
        if not who:
            raise InputError(
                "no estimator named", where=f"{where}, {author}", hint="name who estimated"
            )
        if chosen and who not in chosen:
            yield where, name, truth, who, None
            continue
        silent = is_silent(row.get(status), f"{where}, {status}")
        grams = None if silent else _ranged(row, column, ends, where, large_meals, is_json)
        yield where, name, truth, who, grams


def _ranged(
    row: Mapping[str, Any],
    column: str,
    ends: tuple[str, str],
    where: str,
    large_meals: bool,
    is_json: bool = False,
) -> Grams | None:
    """Return the estimate of a row with the range of its neighbours, where there are any."""
    mid, low, high = (
        grams_of(row.get(name), where=f"{where}, {name}", large_meals=large_meals, is_json=is_json)
        for name in (column, *ends)
    )
    return banded(mid, low, high, where=f"{where}, {column}", names=(ends[0], column, ends[1]))


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
