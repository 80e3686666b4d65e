"""A build of described meals as a folder: its files and the card that names them."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from prandial.compose.written.columns import meal_of, row_of
from prandial.compose.written.counts import Counts
from prandial.compose.written.forms import (
    FORMS,
    join_files,
    parquet_of_lines,
    read_rows,
    write_lines,
)
from prandial.errors import ChecksumError, InputError, MissingDataError, NotFoundError, SchemaError
from prandial.records.composed import DescribedMeal
from prandial.sources.exclusive import LOCK, held
from prandial.sources.fetch import file_entry, file_sha256
from prandial.sources.parquet import ask

__all__ = [
    "CARD",
    "JOURNAL",
    "Build",
    "Part",
    "check_target",
    "open_build",
    "source_entry",
    "write_build",
    "write_part",
    "write_parts",
]

CARD: Final = "card.json"
_FORM: Final = 1
_KIND: Final = "nutribench-build"
#: a folder within the build while it is written
_PARTS: Final = ".parts-"
_AGAIN: Final = "build it again: prandial nutribench build"
#: what must stand on a card
_ON_CARD: Final = {"files": dict, "counts": dict, "seed": int, "arguments": dict, "sources": list}
#: what a folder of a build may hold beside the meals and the card
BESIDE: Final = (
    "quality.json",
    "findings.csv",
    "leaks.json",
    "leaks.csv",
    "verified.json",
    "faults.csv",
    "README.md",
    "reviewed.json",
)
#: what a model said of each meal; a build of the same name goes on with it
JOURNAL: Final = "described.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Build:
    """A folder of meals and its card; the meals are read as they are asked for."""

    directory: Path
    card: Mapping[str, Any]
    path: Path

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows in order."""
        return read_rows(self.path)

    def meals(self) -> Iterator[DescribedMeal]:
        """Yield the described meals in order."""
        for number, row in enumerate(self.rows(), start=1):
            yield meal_of(row, f"{self.path}, row {number}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """Rows of a build in files, and their counts."""

    lines: Path
    table: Path | None
    counts: Counts


def source_entry(path: Path | str, **facts: Any) -> dict[str, Any]:
    """Return what a card says of a source file: its name, bytes and sha256, and what is told.

    Parameters
    ----------
    path : Path or str
    **facts
        Such as ``release``, ``rows``, ``licence``, ``citation``.
    """
    path = Path(path)
    return {"name": path.name, **file_entry(path), **facts}


def write_part(meals: Iterable[DescribedMeal], stem: Path, *, seed: int, table: bool) -> Part:
    """Write described meals as one part of a build: a file of lines, counted.

    Parameters
    ----------
    meals : iterable of DescribedMeal
        Taken one by one.
    stem : Path
        Of the files, which get endings of their own.
    seed : int
    table : bool
        Whether the build will have a CSV form.
    """
    lines = stem.with_name(stem.name + ".jsonl")
    cells = stem.with_name(stem.name + ".csv") if table else None
    counts = Counts()
    write_lines((row_of(meal, seed=seed) for meal in meals), lines, cells, seen=counts.add)
    return Part(lines=lines, table=cells, counts=counts)


def write_build(
    meals: Iterable[DescribedMeal],
    directory: Path | str,
    *,
    seed: int,
    arguments: Mapping[str, Any],
    prandial_version: str,
    sources: Sequence[Mapping[str, Any]] = (),
    notes: Mapping[str, Any] | None = None,
    forms: Sequence[str] = ("parquet",),
    replace: bool = False,
) -> dict[str, Any]:
    """Write described meals, one row each, with a card; memory does not grow with the meals.

    The same meals, seed and arguments give the same bytes, by the same versions.

    Parameters
    ----------
    meals : iterable of DescribedMeal
        Taken one by one.
    directory : Path or str
        Made when it is not there.
    seed : int
        The build was drawn with it; it stands in every row.
    arguments : mapping
        What was asked for.
    prandial_version : str
    sources : sequence of mapping
        The files that the meals are from: name, release, sha256, rows, licence, citation.
    notes : mapping, optional
        More for the card, such as what was dropped and why.
    forms : sequence of {'parquet', 'csv', 'jsonl'}
    replace : bool
        Whether an older build in the folder may be replaced.

    Returns
    -------
    dict
        The card.

    Raises
    ------
    InputError
        On a folder that holds other things, a meal that stands twice or cannot be written, no
        meals at all, or another form.
    """

    def parts(stem: Path, table: bool) -> Iterator[tuple[Part, Mapping[str, Any]]]:
        yield write_part(meals, stem, seed=seed, table=table), notes or {}

    return write_parts(
        parts,
        directory,
        seed=seed,
        arguments=arguments,
        prandial_version=prandial_version,
        sources=sources,
        forms=forms,
        replace=replace,
    )


def write_parts(
    parts: Callable[[Path, bool], Iterable[tuple[Part, Mapping[str, Any]]]],
    directory: Path | str,
    *,
    seed: int,
    arguments: Mapping[str, Any],
    prandial_version: str,
    sources: Sequence[Mapping[str, Any]] = (),
    forms: Sequence[str] = ("parquet",),
    replace: bool = False,
) -> dict[str, Any]:
    """Write a build from parts that others wrote, such as one a cycle.

    Parameters
    ----------
    parts : callable
        Of a stem for names of files, and whether a CSV form is wanted; gives the parts in order,
        each with the notes to stand on the card once it is there (the last ones hold).
    directory, seed, arguments, prandial_version, sources, forms, replace
        As for :func:`write_build`.

    Raises
    ------
    InputError
        As :func:`write_build`.
    """
    directory = Path(directory)
    wanted = _forms(forms)
    _make_folder(directory, replace=replace)
    with held(directory, by="build", leave=False):
        _make_folder(directory, replace=replace)  # another process may have been here
        for left in directory.glob(f"{_PARTS}*"):
            shutil.rmtree(left, ignore_errors=True)  # of a build that was killed
        try:
            counts, told = _joined(parts, directory, wanted, arguments.get("serving"))
            card = {
                "title": "Meals in words with traceable nutrients, built from dietary recalls",
                "kind": _KIND,
                "form": _FORM,
                "seed": seed,
                "arguments": dict(arguments),
                "counts": counts.to_dict(),
                "files": {FORMS[form]: file_entry(directory / FORMS[form]) for form in wanted},
                "sources": [dict(s) for s in sources],
                "versions": _versions(prandial_version),
                "notes": dict(told),
                "use": "research and evaluation; not dosing advice, not medical advice",
            }
            text = json.dumps(card, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
            (directory / CARD).write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(
                "the build cannot be written", where=str(directory), hint=error.strerror or ""
            ) from error
    return card


def _joined(
    parts: Callable[[Path, bool], Iterable[tuple[Part, Mapping[str, Any]]]],
    directory: Path,
    wanted: Sequence[str],
    serving: object,
) -> tuple[Counts, Mapping[str, Any]]:
    """Write the files of a build; they take their names when all are there."""
    counts = Counts()
    told: Mapping[str, Any] = {}
    with TemporaryDirectory(prefix=_PARTS, dir=directory) as folder:
        inside = Path(folder)
        made = []
        for part, told in parts(inside / "part", "csv" in wanted):  # noqa: B007 - the last holds
            made.append(part)
            counts.take(part.counts)
        if not counts.rows:
            raise InputError("no meals", where=str(directory), hint=_why_none(told, serving))
        ready = {form: inside / name for form, name in FORMS.items()}
        parquet_of_lines([p.lines for p in made], ready["parquet"])
        if "jsonl" in wanted:
            join_files([p.lines for p in made], ready["jsonl"])
        if "csv" in wanted:
            join_files([p.table for p in made if p.table], ready["csv"], header=True)
        for name in (*FORMS.values(), *BESIDE, CARD):
            (directory / name).unlink(missing_ok=True)  # of the build that is replaced
        for form in wanted:
            os.replace(ready[form], directory / FORMS[form])  # noqa: PTH105 - replaces anywhere
    return counts, told


def _why_none(told: Mapping[str, Any], serving: object) -> str:
    """Say why there is no meal, from the notes of a build, and what to ask for."""
    counts = [*told.get("recalls", ())[-1:], *told.get("gift", ())]
    reasons = [f"{r} {n}" for c in counts for r, n in c.get("records_dropped", {}).items()]
    known = told.get("meals_of_known_sets_left_out")
    reasons += [f"meals of known sets {known}"] if known else []
    why = f"left out: {', '.join(reasons)}; " if reasons else ""
    metric = "" if serving == "metric" else ", or for metric: no meal may have household servings"
    return f"{why}ask for other cycles{metric}"


def check_target(directory: Path | str, forms: Sequence[str], *, replace: bool = False) -> None:
    """Check, before the work begins, that a build can be written there.

    Raises
    ------
    InputError
        As :func:`write_build`.
    """
    _forms(forms)
    _make_folder(Path(directory), replace=replace)


def _forms(forms: Sequence[str]) -> tuple[str, ...]:
    unknown = [f for f in forms if f not in FORMS]
    if unknown or not forms:
        raise InputError(
            f"no form {unknown[0]!r}" if unknown else "no form",
            where="forms",
            hint="known: " + ", ".join(FORMS),
        )
    return tuple(f for f in FORMS if f in forms)


def _versions(prandial: str) -> dict[str, str]:
    import duckdb

    return {
        "prandial": prandial,
        "python": platform.python_version(),
        "duckdb": str(duckdb.__version__),
    }


def _make_folder(directory: Path, *, replace: bool) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        there = {p.name for p in directory.iterdir()}
    except OSError as error:
        raise InputError(
            "the folder cannot be made", where=str(directory), hint=error.strerror or ""
        ) from error
    own = {*FORMS.values(), *BESIDE, CARD}
    foreign = sorted(n for n in there - own - {JOURNAL, LOCK} if not n.startswith(_PARTS))
    if foreign:
        raise InputError(
            f"the folder holds other things: {', '.join(foreign[:3])}",
            where=str(directory),
            hint="name a new folder",
        )
    if there & own and not replace:
        raise InputError(
            "a build is there already", where=str(directory), hint="name a new folder, or --replace"
        )


def open_build(directory: Path | str, *, verify: bool = True) -> Build:
    """Open a folder that :func:`write_build` wrote.

    Parameters
    ----------
    directory : Path or str
    verify : bool
        Whether to compare each file's sha256 with the card's, and the number of rows.

    Raises
    ------
    NotFoundError
        When there is no such folder.
    MissingDataError
        When it lacks the card or a file.
    ChecksumError
        When a file is not the one on the card.
    SchemaError
        When the card is of another kind.
    """
    directory = Path(directory)
    if not directory.is_dir():
        raise NotFoundError("no such folder", where=str(directory), hint="check the path")
    card = _card(directory)
    for name, stated in card["files"].items():
        path = directory / name
        if not path.is_file():
            raise MissingDataError(f"{name} is missing", where=str(directory), hint=_AGAIN)
        if verify and file_sha256(path) != stated["sha256"]:
            raise ChecksumError("not the file on its card", where=str(path), hint=_AGAIN)
    path = next(directory / n for n in FORMS.values() if n in card["files"])
    if verify and path.suffix == ".parquet":
        ((rows,),) = ask(path, "count(*)", hint=_AGAIN)
        if rows != card["counts"]["rows"]:
            raise ChecksumError(
                f"the card counts {card['counts']['rows']} rows, {path.name} has {rows}",
                where=str(directory / CARD),
                hint=_AGAIN,
            )
    return Build(directory=directory, card=card, path=path)


def _card(directory: Path) -> dict[str, Any]:
    path = directory / CARD
    if not path.is_file():
        raise MissingDataError(f"{CARD} is missing", where=str(directory), hint=_AGAIN)
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        right = card["kind"] == _KIND and card["form"] == _FORM
        right = right and all(isinstance(card[k], t) for k, t in _ON_CARD.items())
        right = right and all(isinstance(f["sha256"], str) for f in card["files"].values())
        right = right and card["counts"].keys() >= Counts().to_dict().keys()
        right = right and isinstance(card["counts"]["rows"], int)
        right = right and bool(card["files"]) and set(card["files"]) <= set(FORMS.values())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SchemaError("not a card of a build", where=str(path), hint=_AGAIN) from error
    if not right:
        raise SchemaError("a card of another form", where=str(path), hint=_AGAIN)
    return card  # type: ignore[no-any-return]
