"""A file of labelled meals: estimated, compared with its labels, the worst kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from prandial.batch.labelled import Unreadable, as_names, as_number, as_numbers
from prandial.batch.rows import MAX_NAMED, Columns, Findings, Row, RowFile, columns_hint
from prandial.batch.run import Progress, open_rows
from prandial.batch.work import Job, run_chunks
from prandial.errors import InputError, NotFoundError, PrandialError
from prandial.meal import ESTIMATOR, get_estimator
from prandial.nutrients import MAIN
from prandial.records import Estimate
from prandial.score import (
    LIMITS,
    ErrorReview,
    GoldFoods,
    GoldItem,
    Outcome,
    Tally,
    review_meal,
    review_number,
)

__all__ = ["LabelColumns", "review_rows"]

_CHUNK_ROWS: Final = 128
_ITEMS: Final = "item_descriptions"
_ITEM_GRAMS: Final = "item_grams"


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelColumns:
    """Columns beside the text: labels, another estimator's numbers, gold items.

    Parameters
    ----------
    truth : mapping of str to str, optional
        Nutrient to its column; columns with house names when None.
    predicted : mapping of str to str, optional
        Nutrient to the column of another estimator's numbers; ``carb_g_low`` and
        ``carb_g_high`` name those of its range.
    items, item_grams : str, optional
        Lists of gold names and grams; ``item_descriptions`` and ``item_grams``
        where the file has them. Labels of items are read from ``item_carb_g``
        and so on.
    """

    truth: Mapping[str, str] | None = None
    predicted: Mapping[str, str] = field(default_factory=dict)
    items: str | None = None
    item_grams: str | None = None

    def wanted(self) -> tuple[str, ...]:
        """Return the columns the file must have."""
        named = (*(self.truth or {}).values(), *self.predicted.values())
        return (*named, *(c for c in (self.items, self.item_grams) if c is not None))

    def usual(self) -> tuple[str, ...]:
        """Return the columns that are read where the file has them."""
        labels = MAIN if self.truth is None else ()
        return (*labels, _ITEMS, _ITEM_GRAMS, *(f"item_{k}" for k in MAIN))


@dataclass(kw_only=True, slots=True)
class _Odd:
    """Cells that could not be used: counted, the first few named."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, what: str, row: int, why: str = "") -> None:
        self.counts[what] = self.counts.get(what, 0) + 1
        told = self.examples.setdefault(what, [])
        if len(told) < MAX_NAMED:
            told.append(f"row {row}: {why}" if why else f"row {row}")

    def merge(self, other: _Odd) -> None:
        for what, count in other.counts.items():
            self.counts[what] = self.counts.get(what, 0) + count
            told = self.examples.setdefault(what, [])
            told += other.examples[what][: MAX_NAMED - len(told)]

    def lines(self) -> list[str]:
        return [
            f"{what}: {n} ({'; '.join(self.examples[what])}{'; ...' if n > MAX_NAMED else ''})"
            for what, n in self.counts.items()
        ]


@lru_cache(maxsize=2)
def _gold_foods(release: str, user_tables: tuple[Path, ...]) -> GoldFoods:
    return GoldFoods(get_estimator(release, user_tables=user_tables).table)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    """What to do with each row; can be sent to another process."""

    job: Job
    truth: dict[str, str]
    predicted: dict[str, str]
    limits: dict[str, float]
    items: str | None
    item_grams: str | None
    item_labels: dict[str, str]

    @property
    def nutrient(self) -> str:
        """The nutrient by which meals are listed: the first that is labelled."""
        return next(iter(self.truth))

    def review(self, rows: Sequence[Row]) -> tuple[Tally, _Odd]:
        """Review some rows."""
        tally, odd = Tally(outcomes={k: [] for k in self.truth}), _Odd()
        for row in rows:
            self._one(row, tally, odd)
        return tally, odd

    def _one(self, row: Row, tally: Tally, odd: _Odd) -> None:
        labels = {
            k: self._number(row, column, f"labels of {column!r} that cannot be used", odd)
            for k, column in self.truth.items()
        }
        truth = labels[self.nutrient]
        if truth is None and self._is_empty(row, self.truth[self.nutrient]):
            odd.add(f"rows without a label in {self.truth[self.nutrient]!r}, not scored", row.row)
        if all(v is None for v in labels.values()):
            return
        estimate = None if self.predicted else self._estimate(row, odd)
        outcomes = {
            k: self._predicted(row, k, v, odd) if estimate is None else _estimated(estimate, k, v)
            for k, v in labels.items()
            if v is not None
        }
        for key, outcome in outcomes.items():
            tally.outcomes[key].append(outcome)
        if truth is None:
            return
        limit = self.limits[self.nutrient]
        gold = self._gold(row, odd)
        wrong = not outcomes[self.nutrient].right(limit)
        if estimate is None:
            if wrong:
                found = review_number(
                    row.text, outcomes[self.nutrient], row=row.row, gold=gold, id=row.id,
                    country=row.country,
                )  # fmt: skip
                tally.reasons[found.reason] += 1
                tally.wrong.append(found)
            return
        if gold is None and not wrong:
            return
        found = review_meal(
            estimate, outcomes[self.nutrient], row=row.row, nutrient=self.nutrient, limit=limit,
            gold=gold, id=row.id, country=row.country,
        )  # fmt: skip
        if gold is not None:
            tally.with_gold += 1
            tally.confusion.add(found.items)
        if wrong:
            tally.reasons[found.reason] += 1
            tally.wrong.append(found)

    def _estimate(self, row: Row, odd: _Odd) -> Estimate:
        try:
            return self.job.estimate(row)
        except PrandialError:
            raise
        except Exception as error:  # noqa: BLE001 - one odd meal does not stop a long run
            odd.add("meals on which prandial failed: please report", row.row, type(error).__name__)
            return self.job.broken(row, error)

    def _predicted(self, row: Row, key: str, truth: float, odd: _Odd) -> Outcome:
        low, mid, high = (
            self._number(row, column, f"numbers of {column!r} that cannot be read", odd)
            if (column := self.predicted.get(name)) is not None
            else None
            for name in (f"{key}_low", key, f"{key}_high")
        )
        if low is not None and high is not None and low > high:
            odd.add(f"ranges of {key} that end before they begin, not used", row.row)
            low = high = None
        return Outcome(truth=truth, mid=mid, low=low, high=high)

    def _gold(self, row: Row, odd: _Odd) -> tuple[GoldItem, ...] | None:
        """Return the gold items of a row; None, and a finding, where they cannot be used."""
        if self.items is None:
            return None
        try:
            names = as_names(row.cells.get(self.items))
            if names is None:
                return None
            n = len(names)
            grams = as_numbers(row.cells.get(self.item_grams), n) if self.item_grams else None
            labels = {
                k: values
                for k, column in self.item_labels.items()
                if (values := as_numbers(row.cells.get(column), n)) is not None
            }
        except Unreadable as error:
            odd.add("gold items that cannot be used", row.row, str(error))
            return None
        foods = _gold_foods(self.job.release, self.job.user_tables)
        return foods.items(names, nutrient=self.nutrient, grams=grams, labels=labels)

    @staticmethod
    def _number(row: Row, column: str, what: str, odd: _Odd) -> float | None:
        try:
            return as_number(row.cells.get(column))
        except Unreadable as error:
            odd.add(what, row.row, str(error))
            return None

    @staticmethod
    def _is_empty(row: Row, column: str) -> bool:
        try:
            return as_number(row.cells.get(column)) is None
        except Unreadable:
            return False


def _estimated(estimate: Estimate, key: str, truth: float) -> Outcome:
    band = estimate.totals.get(key)
    if band is None:
        return Outcome(truth=truth)
    return Outcome(truth=truth, mid=band.mid, low=band.low, high=band.high)


def review_rows(
    path: Path,
    *,
    columns: Columns,
    labels: LabelColumns,
    job: Job,
    limit: float | None = None,
    worst: int = 20,
    workers: int = 1,
    progress: Progress | None = None,
) -> ErrorReview:
    """Review the errors over a file of labelled meals.

    The file is read twice, as for a batch: the first pass finds what is wrong
    with it as a whole. Memory holds the labels and the worst meals only.

    Parameters
    ----------
    path : Path
        As for :func:`estimate_rows`, but no plain text.
    columns : Columns
        Columns of text, id and country.
    labels : LabelColumns
        Columns of labels, numbers and gold items.
    job : Job
        How to estimate.
    limit : float, optional
        Largest error that counts as right, in the unit of the nutrient under review.
    worst : int
        Wrong meals to keep.
    workers : int
        Processes.
    progress : callable, optional
        Called with rows done and rows in all.

    Returns
    -------
    ErrorReview
    """
    _check(labels, limit, worst)
    source, plan = _plan(path, columns, labels, job, limit)
    findings = Findings()
    total = sum(1 for _ in source.rows(findings))
    tally, odd = Tally(outcomes={k: [] for k in plan.truth}), _Odd()
    done = 0
    hear: Callable[[int, int], None] = progress or (lambda _done, _total: None)
    hear(done, total)
    work = plan.review
    rows = source.rows(Findings())
    for chunk, cells in run_chunks(rows, work, workers=workers, chunk_rows=_CHUNK_ROWS):
        tally.merge(chunk, worst=worst)
        odd.merge(cells)
        done = min(done + _CHUNK_ROWS, total)
        hear(done, total)
    return ErrorReview.of(
        tally,
        limits=plan.limits,
        predicted=bool(plan.predicted),
        file=path.name,
        rows=total,
        nutrient=plan.nutrient,
        estimator=f"column {plan.predicted[plan.nutrient]!r}" if plan.predicted else ESTIMATOR,
        release=job.release,
        findings=(*findings.lines(), *odd.lines()),
    )


def _check(labels: LabelColumns, limit: float | None, worst: int) -> None:
    """Refuse a nutrient that is not reviewed, and numbers that make no sense."""
    ranges = [f"{k}_{end}" for k in MAIN for end in ("low", "high")]
    for where, names, known in (
        ("truth", labels.truth or {}, list(MAIN)),
        ("predicted", labels.predicted, [*MAIN, *ranges]),
    ):
        for name in names:
            if name not in known:
                raise InputError(
                    f"{name!r} cannot be reviewed",
                    where=where,
                    hint=columns_hint(name, known, "known"),
                )
    if limit is not None and not (math.isfinite(limit) and limit >= 0):
        raise InputError(f"limit must be 0 or more, not {limit}", where="limit", hint="try 7.5")
    if worst < 0:
        raise InputError(f"worst must be 0 or more, not {worst}", where="worst", hint="try 20")


def _plan(
    path: Path, columns: Columns, labels: LabelColumns, job: Job, limit: float | None
) -> tuple[RowFile, _Plan]:
    """Open the file and settle which columns are used."""
    if path.suffix.lower() == ".txt":
        raise InputError(
            "a text file has no labels",
            where=str(path),
            hint="give a .csv, .jsonl or .parquet file with a label column",
        )

    def opened(more: tuple[str, ...]) -> RowFile:
        return open_rows(
            path,
            Columns(
                text=columns.text, id=columns.id, country=columns.country, more=more,
                maybe=labels.usual(),
            ),
        )  # fmt: skip

    source = opened(labels.wanted())
    there = set(source.further)
    truth = labels.truth or {k: k for k in MAIN if k in there}
    if not truth:
        try:
            opened(("carb_g",))
        except NotFoundError as error:
            raise NotFoundError(
                "no column with labels",
                where=str(path),
                hint=f"name it with --truth carb_g=COLUMN; {error.hint}",
            ) from None
    truth = {k: truth[k] for k in MAIN if k in truth}
    if labels.predicted:
        truth = {k: v for k, v in truth.items() if k in labels.predicted}
    if not truth:
        raise InputError(
            "the numbers and the labels are of different nutrients",
            where=str(path),
            hint=f"labelled: {', '.join(labels.truth or sorted(there & set(MAIN)))};"
            f" predicted: {', '.join(labels.predicted)}",
        )
    limits = {k: LIMITS[k] for k in truth}
    if limit is not None:
        limits[next(iter(truth))] = limit
    grams = labels.item_grams or (_ITEM_GRAMS if _ITEM_GRAMS in there else None)
    return source, _Plan(
        job=job,
        truth=truth,
        predicted=dict(labels.predicted),
        limits=limits,
        items=labels.items or (_ITEMS if _ITEMS in there else None),
        item_grams=grams,
        item_labels={k: f"item_{k}" for k in MAIN if f"item_{k}" in there},
    )
