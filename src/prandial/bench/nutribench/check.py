"""Check a build: its texts by the verifier, its labels and oddities, its repeats of known sets."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.batch.workers import shared_out, usual_workers
from prandial.compose.datacard import write_data_card
from prandial.compose.describe import (
    ItemToState,
    Verification,
    verify_described,
    verify_text,
)
from prandial.compose.leaks import leaks_of_files
from prandial.compose.quality import CheckedMeal, check_file, checked_meals, write_quality
from prandial.compose.written import COLUMNS, Build, meal_of, open_build, read_rows
from prandial.errors import InputError
from prandial.sources.nutribench.rows import open_rows

if TYPE_CHECKING:
    from prandial.compose.leaks import LeakReport
    from prandial.compose.quality import QualityReport

__all__ = ["Checked", "TextFault", "check_texts", "verify_file", "verify_nutribench"]

#: rows that a process takes at a time
_CHUNK: Final = 2_000
#: how far a text may be from grams that are published to 0.1 g
_PUBLISHED_G: Final = 0.051
_COLUMNS: Final = ("row", "kind", "item", "reason")


@dataclass(frozen=True, kw_only=True, slots=True)
class TextFault:
    """What the verifier says of a row: the kind, the item's number from 0, and in words."""

    row: str
    kind: str
    item: int | None
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """What was found in a build or file.

    Parameters
    ----------
    folder : Path
    rows : int
    verified : int
        Rows whose text could be verified: what it should state is known.
    failing, doubtful : int
        Of these, rows with faults, and with doubts only.
    faults : tuple of TextFault
    quality : QualityReport
    leaks : LeakReport, optional
        None when nothing was named to compare with.
    """

    folder: Path
    rows: int
    verified: int
    failing: int
    doubtful: int
    faults: tuple[TextFault, ...]
    quality: QualityReport
    leaks: LeakReport | None

    @property
    def ok(self) -> bool:
        """Whether texts were verified, none fails, and no label lacks or differs from its items."""
        labels = ("label_not_sum", "label_missing")
        wrong = self.failing or any(self.quality.finding(r).n for r in labels)
        return bool(self.verified) and not wrong

    @property
    def kinds(self) -> dict[str, int]:
        """Count the rows with each kind of fault."""
        pairs = {(f.row, f.kind) for f in self.faults}
        return dict(sorted(Counter(kind for _, kind in pairs).items()))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, without the single faults and findings."""
        return {
            "folder": str(self.folder),
            "rows": self.rows,
            "ok": self.ok,
            "texts": texts_dict(self),
            "quality": self.quality.to_dict(),
            "leaks": None if self.leaks is None else self.leaks.to_dict(),
        }


def texts_dict(found: Checked) -> dict[str, Any]:
    """Return what was found in the texts."""
    return {
        "rows": found.rows,
        "verified": found.verified,
        "failing": found.failing,
        "doubtful": found.doubtful,
        "rows_by_fault": found.kinds,
    }


_Rows = Sequence[Mapping[str, Any]]
_Seen = tuple[int, int, list[TextFault]]


def _look(rows: _Rows) -> _Seen:
    """Verify rows: how many fail, how many are in doubt, and the faults."""
    failing = doubtful = 0
    faults: list[TextFault] = []
    for row in rows:
        found = verify_described(meal_of(row, row["id"]))
        failing += not found.passed
        doubtful += found.passed and bool(found.doubts)
        faults += _faults(row["id"], found)
    return failing, doubtful, faults


def check_texts(
    build: Build,
    *,
    workers: int | None = None,
    hear: Callable[[str, int, int], object] | None = None,
) -> _Seen:
    """Verify the texts of a build.

    Parameters
    ----------
    build : Build
    workers : int, optional
        As many as there are cores, 4 at most, when None.
    hear : callable, optional
        Told ``(what, rows so far, rows in all)``.

    Returns
    -------
    failing, doubtful : int
        Rows with faults, and with doubts only.
    faults : list of TextFault
    """
    of = int(build.card["counts"]["rows"])
    many = usual_workers(workers, -(-of // _CHUNK))
    chunks = _chunks(build.rows())
    seen: Iterable[_Seen] = map(_look, chunks) if many == 1 else shared_out(chunks, _look, many)
    failing = doubtful = done = 0
    faults: list[TextFault] = []
    for some_failing, some_doubtful, some in seen:
        failing, doubtful = failing + some_failing, doubtful + some_doubtful
        faults += some
        done = min(done + _CHUNK, of)
        if hear is not None:
            hear("texts", done, of)
    return failing, doubtful, faults


def _chunks(rows: Iterator[dict[str, Any]]) -> Iterator[_Rows]:
    while some := list(islice(rows, _CHUNK)):
        yield some


def verify_nutribench(
    folder: Path,
    *,
    against: Sequence[Path] = (),
    workers: int | None = None,
    hear: Callable[[str, int, int], object] | None = None,
) -> Checked:
    """Check a build, and write what was found into its folder.

    Written are ``verified.json`` and ``faults.csv`` (texts), ``quality.json`` and
    ``findings.csv`` (labels, oddities, repeats within), ``leaks.json`` and ``leaks.csv`` where
    there is something to compare with, and the data card anew.

    Parameters
    ----------
    folder : Path
        Of a build; its files must be those on its card.
    against : sequence of Path
        Files of known sets, such as published ones, whose texts and meals should not come back.
    workers : int, optional
    hear : callable, optional
        As for :func:`check_texts`.

    Raises
    ------
    PrandialError
        As :func:`prandial.compose.written.open_build`; on a known file that cannot be read.
    """
    build = open_build(folder)
    failing, doubtful, faults = check_texts(build, workers=workers, hear=hear)
    quality = check_file(build.path, name=folder.name)
    leaks = leaks_of_files(build.path, list(against)) if against else None
    found = Checked(
        folder=folder,
        rows=int(build.card["counts"]["rows"]),
        verified=int(build.card["counts"]["rows"]),
        failing=failing,
        doubtful=doubtful,
        faults=tuple(faults),
        quality=quality,
        leaks=leaks,
    )
    write_quality(quality, folder)
    if leaks is not None:
        leaks.write(folder)
    _write(found)
    write_data_card(folder)
    return found


def verify_file(
    path: Path, *, against: Sequence[Path] = (), columns: Mapping[str, str] | None = None
) -> Checked:
    """Check a file of meals, such as a published one; nothing is written.

    Texts are verified where the file tells what they should state: all rows of a build's file,
    of others the metric rows with grams of every food.

    Parameters
    ----------
    path : Path
    against : sequence of Path
    columns : mapping, optional
        As for :func:`prandial.compose.quality.check_file`.

    Raises
    ------
    PrandialError
        On a file that cannot be read.
    """
    ours = set(COLUMNS) <= set(open_rows(path).header)
    quality = check_file(path, columns=columns)
    verified = failing = doubtful = 0
    faults: list[TextFault] = []
    if ours:
        verified = quality.rows
        for some_failing, some_doubtful, some in map(_look, _chunks(read_rows(path))):
            failing, doubtful = failing + some_failing, doubtful + some_doubtful
            faults += some
    for meal in () if ours else checked_meals(path, columns=columns):
        items = _due(meal)
        if items:
            found = verify_text(meal.text, items)
            verified, failing = verified + 1, failing + (not found.passed)
            doubtful += found.passed and bool(found.doubts)
            faults += _faults(meal.id, found)
    return Checked(
        folder=path,
        rows=quality.rows,
        verified=verified,
        failing=failing,
        doubtful=doubtful,
        faults=tuple(faults),
        quality=quality,
        leaks=leaks_of_files(path, list(against), columns=columns) if against else None,
    )


def _due(meal: CheckedMeal) -> list[ItemToState]:
    """Return what a metric row should state, nothing where that is not known."""
    if meal.serving != "metric" or not meal.names or not meal.grams or None in meal.grams:
        return []
    pairs = zip(meal.names, meal.grams, strict=True)
    return [
        ItemToState(name=n, grams=round(g, 4), tolerance_g=_PUBLISHED_G)
        for n, g in pairs
        if g is not None
    ]


def _faults(row: str, found: Verification) -> list[TextFault]:
    return [TextFault(row=row, kind=f.kind, item=f.item, reason=f.reason) for f in found.faults]


def _write(found: Checked) -> None:
    try:
        text = json.dumps(texts_dict(found), indent=1, ensure_ascii=False) + "\n"
        (found.folder / "verified.json").write_text(text, encoding="utf-8")
        with (found.folder / "faults.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(_COLUMNS)
            writer.writerows([f.row, f.kind, f.item, f.reason] for f in found.faults)
    except OSError as error:
        raise InputError(
            "the report cannot be written", where=str(found.folder), hint=error.strerror or ""
        ) from error
