"""Food records sorted into meals, and every loss counted.

Person, day, eating occasion and, unless told otherwise, time make a meal. All is done on whole
columns; nothing depends on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.recalls.reference import Reference
from prandial.records.recalled import FoodRecords
from prandial.tables.rules import read_rules

__all__ = ["GroupedRecords", "SeenDays", "group_records", "occasion_words"]

_Whole = npt.NDArray[np.int64]
_Bools = npt.NDArray[np.bool_]
#: the survey's code of a recall that is not reliable
_NOT_RELIABLE: Final = 2
_HUMAN_MILK: Final = 11_000_000
_HALF_CENTIGRAM: Final = 0.005 + 1e-9
#: food and grams as one number: grams in steps of 0.0001 g
_GRAM_STEPS, _FOOD_STEP = 1e4, 1 << 40
#: stand for an unknown minute and occasion in sorting only: behind all known ones
_NO_MINUTE, _NO_OCCASION = 2047, 127


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class GroupedRecords:
    """Records of a cycle in the order of meals.

    Rows stand by person, day, minute, occasion and line.

    Parameters
    ----------
    order : ndarray of int64
        Row of the food records at each place.
    start : ndarray of int64, shape (meals + 1,)
        Place of the first record of each meal, and the number of records behind them.
    reason : ndarray of int64
        At each place: 0 kept, else 1 + place in :attr:`reasons`.
    reasons : tuple of str
    pair : ndarray of int64
        At each place the number of its food and grams in ``pair_row`` and ``pair_grams``; of a
        record that is not kept, whatever stands there means nothing.
    pair_row, pair_grams : ndarray
        Distinct foods (rows of the reference) and grams among the kept records.
    minute, occasion : ndarray of int64, shape (meals,)
        Of each meal, 2047 and 127 where unknown or not one.
    """

    order: _Whole
    start: _Whole
    reason: _Whole
    reasons: tuple[str, ...]
    pair: _Whole
    pair_row: _Whole
    pair_grams: npt.NDArray[np.float64]
    minute: _Whole
    occasion: _Whole


def occasion_words() -> Mapping[int, str]:
    """Return the word of each known code of an eating occasion; empty where it has none."""
    return {int(r["code"]): r["word"] for r in read_rules("occasions") if r["known"] == "yes"}


def _mixed(state: npt.NDArray[np.uint64], column: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Stir a column into a hash (splitmix64, Steele et al. 2014, doi 10.1145/2660193.2660195)."""
    x = state ^ column.astype(np.uint64)
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)), dtype=np.uint64)


class SeenDays:
    """Recall days that another release of the same people repeats.

    NHANES 2017-March 2020 holds the people of 2017-2018 again under new numbers, so that a day
    is known by all its records: line, time, occasion, food and grams.
    """

    def __init__(self) -> None:
        self._twins: dict[str, set[str]] = {}
        for row in read_rules("nhanes_cycles"):
            if row["contains"]:
                self._twins.setdefault(row["cycle"], set()).add(row["contains"])
                self._twins.setdefault(row["contains"], set()).add(row["cycle"])
        self._seen: dict[str, npt.NDArray[np.uint64]] = {}

    def repeated(self, records: FoodRecords) -> _Bools:
        """Tell which records are of a day seen in a twin release, and remember these days."""
        twins = self._twins.get(records.cycle)
        if twins is None or not len(records):
            return np.zeros(len(records), dtype=np.bool_)
        days, of = np.unique(records.person * 16 + records.day, return_inverse=True)
        mark = np.zeros(len(records), dtype=np.uint64)
        for column in (records.line, records.minute, records.occasion, records.code):
            mark = _mixed(mark, np.nan_to_num(column, nan=-1.0).astype(np.int64))
        mark = _mixed(mark, np.round(np.nan_to_num(records.grams, nan=-1.0) * 100).astype(np.int64))
        sums = np.zeros(len(days), dtype=np.uint64)
        np.add.at(sums, of, mark)
        self._seen[records.cycle] = sums
        known = [self._seen[c] for c in sorted(twins) if c in self._seen]
        if not known:
            return np.zeros(len(records), dtype=np.bool_)
        return np.asarray(np.isin(sums, np.concatenate(known))[of], dtype=np.bool_)


def _coded(codes: npt.NDArray[np.float64], nothing: int) -> _Whole:
    """Return codes as whole numbers; what is unknown or out of range becomes ``nothing``."""
    with np.errstate(invalid="ignore"):
        fits = (codes >= 0) & (codes < nothing)
    return np.where(fits, codes, nothing).astype(np.int64)


def _again(records: FoodRecords) -> _Bools:
    """Tell which records stand before: same person, day, line, food and grams."""
    columns = (records.grams, records.code, records.line, records.person * 16 + records.day)
    order = np.lexsort(columns)  # keeps the order of rows that are alike
    same = np.ones(max(len(order) - 1, 0), dtype=np.bool_)
    for column in columns:
        held = np.nan_to_num(column[order], nan=-1.0)
        same &= held[1:] == held[:-1]
    again = np.zeros(len(order), dtype=np.bool_)
    again[order[1:]] = same
    return again


def _checks(
    records: FoodRecords,
    reference: Reference,
    rows: _Whole,
    without: Collection[str],
    repeated: _Bools,
) -> list[tuple[str, _Bools]]:
    """Return the reasons to drop a record in the order in which they count."""
    words = occasion_words()
    occasion = _coded(records.occasion, _NO_OCCASION)
    left_out = [c for c, word in words.items() if word in without]
    with np.errstate(invalid="ignore"):
        light = records.grams <= 0
    return [
        ("already_counted", repeated),
        ("record_repeated", _again(records)),
        ("recall_not_reliable", records.status == _NOT_RELIABLE),
        ("code_missing", np.isnan(records.code)),
        ("code_not_in_reference", rows == len(reference.codes)),
        ("human_milk", records.code == _HUMAN_MILK),
        ("grams_missing", ~np.isfinite(records.grams)),
        ("grams_not_above_zero", light),
        ("occasion_missing", ~np.isin(occasion, list(words))),
        ("occasion_left_out", np.isin(occasion, left_out)),
    ]


def group_records(
    records: FoodRecords,
    reference: Reference,
    *,
    served: Callable[[int, float], object],
    without: Collection[str] = (),
    by_time: bool = True,
    seen: SeenDays | None = None,
) -> GroupedRecords:
    """Sort the records of a cycle into meals, and give each record that is dropped its reason.

    Parameters
    ----------
    records : FoodRecords
    reference : Reference
    served : callable
        Row of a food and grams -> its household serving, None where it has none; asked of the
        grams that the table gives where a quantity was not specified.
    without : collection of str
        Occasions to leave out, in words.
    by_time : bool
        Whether records of another time are another meal.
    seen : SeenDays, optional
        Days of other releases, so that none counts twice.

    Returns
    -------
    GroupedRecords
        All records, dropped ones too.
    """
    n = len(records)
    rows = reference.rows_of(records.code)
    repeated = np.zeros(n, dtype=np.bool_) if seen is None else seen.repeated(records)
    reason = np.zeros(n, dtype=np.int64)
    checks = _checks(records, reference, rows, without, repeated)
    reasons = (*(name for name, _ in checks), "quantity_not_specified")
    for number, (_, holds) in enumerate(checks, start=1):
        reason[(reason == 0) & holds] = number
    kept = np.flatnonzero(reason == 0)
    keys = rows[kept] * _FOOD_STEP + np.round(records.grams[kept] * _GRAM_STEPS).astype(np.int64)
    _, first, of = np.unique(keys, return_index=True, return_inverse=True)
    pair_row, pair_grams = rows[kept[first]], records.grams[kept[first]]
    vague = _unspecified(reference, pair_row, pair_grams, served)
    pair = np.zeros(n, dtype=np.int64)
    pair[kept] = of
    reason[kept[vague[of]]] = len(reasons)
    minute, occasion = _coded(records.minute, _NO_MINUTE), _coded(records.occasion, _NO_OCCASION)
    clock = minute if by_time else np.zeros_like(minute)
    meal = ((records.person * 16 + records.day) * 2048 + clock) * 128 + occasion
    order = np.lexsort((records.grams, rows, records.line, meal))
    meal = meal[order]
    start = np.flatnonzero(np.concatenate([[True], meal[1:] != meal[:-1]])) if n else meal
    return GroupedRecords(
        order=order,
        start=np.concatenate([start, [n]]).astype(np.int64),
        reason=reason[order],
        reasons=reasons,
        pair=pair[order],
        pair_row=pair_row,
        pair_grams=pair_grams,
        minute=_of_meals(minute[order], start),
        occasion=occasion[order][start],
    )


def _of_meals(minute: _Whole, start: _Whole) -> _Whole:
    """Return the minute that all records of a meal share, 2047 where they do not."""
    if not len(minute):
        return minute
    first, last = np.minimum.reduceat(minute, start), np.maximum.reduceat(minute, start)
    return np.where(first == last, first, _NO_MINUTE)


def _unspecified(
    reference: Reference,
    rows: _Whole,
    grams: npt.NDArray[np.float64],
    served: Callable[[int, float], object],
) -> _Bools:
    """Tell which foods and grams are amounts where none was specified, and nothing else."""
    with np.errstate(invalid="ignore"):
        vague = np.abs(grams - reference.unspecified_g[rows]) <= _HALF_CENTIGRAM
    for place in np.flatnonzero(vague).tolist():
        vague[place] = served(int(rows[place]), float(grams[place])) is None
    return vague
