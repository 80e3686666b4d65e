"""One job for many meals: in this process, or shared out among several.

Workers are started by *spawn*, so they share no state with this process; a
worker ends by itself when the process that started it is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from prandial.batch.cells import Form, csv_line, field_names, flat_cells, json_line
from prandial.batch.rows import Row
from prandial.batch.workers import seldom_collected, shared_out
from prandial.countries import as_alpha3
from prandial.errors import InputError, PrandialError
from prandial.meal import Estimator, get_estimator
from prandial.nutrients import MAIN
from prandial.records import Estimate

__all__ = ["Chunk", "Job", "run_chunks"]

_Result = TypeVar("_Result")
_AHEAD: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """What to do with each row; can be sent to another process.

    Parameters
    ----------
    release, locale : str
        As for a single estimate.
    nutrients : tuple of str, optional
        Nutrients to estimate; the estimator's own choice when None.
    country : str, optional
        ISO 3166 alpha-3 code for rows that name none.
    user_tables : tuple of Path
        Compiled user tables.
    trained : Path, optional
        File of a learned ranking.
    form : str
        How :meth:`write` writes a row.
    with_id : bool
        Whether rows carry an id.
    """

    release: str
    locale: str = "en-US"
    nutrients: tuple[str, ...] | None = None
    country: str | None = None
    user_tables: tuple[Path, ...] = ()
    trained: Path | None = None
    form: Form = "csv"
    with_id: bool = False

    def fields(self) -> tuple[str, ...]:
        """Return the columns of the flat output."""
        return field_names(self.nutrients or (), with_id=self.with_id)

    def _estimator(self) -> Estimator:
        return get_estimator(self.release, user_tables=self.user_tables, trained=self.trained)

    def estimate(self, row: Row, *, reason: bool = True) -> Estimate:
        """Estimate one row; its oddities go to the notes, why a range is wide if wished."""
        notes = [row.note] if row.note else []
        country = self.country
        if row.country is not None and row.country.strip():
            country = as_alpha3(row.country)
            if country is None:
                notes.append(f"country {row.country!r} is no ISO 3166 alpha-3 code; not used")
        estimator = self._estimator()
        estimate = estimator.estimate(
            row.text,
            locale=self.locale,
            nutrients=self.nutrients,
            country=country,
            reason=reason,
        )
        if row.cut and estimate.status == "ok":
            estimate = replace(estimate, status="incomplete", complete=False)
        return replace(estimate, notes=(*notes, *estimate.notes)) if notes else estimate

    def records(self, rows: Sequence[Row]) -> list[Estimate]:
        """Return the estimates of some rows."""
        return [self.estimate(row) for row in rows]

    def write(self, rows: Sequence[Row]) -> Chunk:
        """Return some rows as written lines.

        A row on which the estimator itself fails is written as refused, with
        the failure in its note, and listed in ``broken``: one odd cell does not
        stop a long run.
        """
        chunk = Chunk(rows=len(rows))
        lines = []
        names = self.fields()
        for row in rows:
            try:
                estimate = self.estimate(row, reason=self.form == "record-json")
                line = self._line(row, estimate, names)
            except PrandialError:
                raise
            except Exception as error:  # noqa: BLE001 - reported with the row, see above
                chunk.broken.append(row.row)
                estimate = self.broken(row, error)
                line = self._line(row, estimate, names)
            chunk.statuses[estimate.status] += 1
            lines.append(line)
        chunk.text = "".join(lines).encode("utf-8", errors="replace")
        return chunk

    def _line(self, row: Row, estimate: Estimate, names: Sequence[str]) -> str:
        if self.form == "record-json":
            head: dict[str, object] = {"row": row.row}
            if self.with_id:
                head["id"] = row.id
            return json_line(head | estimate.to_dict())
        cells = flat_cells(row, estimate, names)
        return csv_line(cells) if self.form == "csv" else json_line(dict(cells))

    def broken(self, row: Row, error: Exception) -> Estimate:
        """Return the refused estimate of a row on which the estimator failed."""
        estimator = self._estimator()
        return Estimate(
            text=row.text,
            items=(),
            totals=dict.fromkeys(self.nutrients or MAIN),
            complete=False,
            status="refused",
            carbohydrate_definition=estimator.table.carbohydrate_definition,
            release=self.release,
            estimator=estimator.name,
            notes=(f"not estimated: prandial failed here ({type(error).__name__}: {error})",),
        )


@dataclass(kw_only=True, slots=True)
class Chunk:
    """Written lines of some consecutive rows."""

    rows: int
    text: bytes = b""
    statuses: Counter[str] = field(default_factory=Counter)
    broken: list[int] = field(default_factory=list)


def run_chunks(
    rows: Iterable[Row],
    work: Callable[[Sequence[Row]], _Result],
    *,
    workers: int,
    chunk_rows: int,
) -> Iterator[_Result]:
    """Do some work chunk by chunk, in the order of the rows.

    Parameters
    ----------
    rows : iterable of Row
        Read as needed, so the input may be endless.
    work : callable
        Takes a list of rows; with several workers it must be picklable.
    workers : int
        Processes; 1 works in this process.
    chunk_rows : int
        Rows given to ``work`` at a time.

    Yields
    ------
    object
        What ``work`` returned for each chunk.
    """
    if workers < 1:
        raise InputError(f"workers must be 1 or more, not {workers}", where="workers", hint="try 2")
    source = iter(rows)
    chunks = iter(lambda: list(islice(source, chunk_rows)), [])
    if workers == 1:
        for chunk in chunks:
            with seldom_collected():
                done = work(chunk)
            yield done
        return
    yield from shared_out(chunks, work, workers, again="it goes on where it stopped")
