"""Rows of a CSV, JSON, JSON lines or Parquet file, each with a name for errors."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.sources.longcells import long_cells
from prandial.sources.parquet import ask

__all__ = ["FORMATS", "Rows", "open_rows"]

FORMATS: Final = (".parquet", ".csv", ".tsv", ".jsonl", ".ndjson", ".json")
_DAMAGED: Final = "get the file again, or check how it was written"
#: CSV of language models holds long cells
_MOST_CHARS: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Rows:
    """A file's columns, and a function that yields the rows of some of them."""

    header: tuple[str, ...]
    read: Callable[[tuple[str, ...]], Iterator[tuple[str, Mapping[str, Any]]]]


def open_rows(path: Path, form: str = "", *, decode: Callable[[bytes], str] | None = None) -> Rows:
    """Open a table by its ending, or by the one that is told.

    Parameters
    ----------
    path : Path
    form : str
        An ending to go by.
    decode : callable, optional
        Of the bytes of a CSV or TSV file that a person's spreadsheet wrote; UTF-8 else.

    Raises
    ------
    NotFoundError
        When there is no such file.
    InputError
        On another ending.
    SchemaError
        When it is not what its ending says, or has no rows.
    """
    suffix = form or path.suffix.lower()
    if path.is_dir():
        inside = sorted(p.name for p in path.iterdir() if p.suffix.lower() in FORMATS)[:5]
        raise InputError(
            "this is a folder",
            where=str(path),
            hint="name a file in it" + (": " + ", ".join(inside) if inside else ""),
        )
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    if suffix not in FORMATS:
        raise InputError(
            f"cannot tell the format of {path.name!r}",
            where=str(path),
            hint="known endings: " + ", ".join(FORMATS),
        )
    if suffix == ".parquet":
        return _parquet(path)
    try:
        if suffix == ".json":
            return _list(path)
        if suffix in (".jsonl", ".ndjson"):
            return _objects(path)
        return _delimited(path, suffix, None if decode is None else decode(path.read_bytes()))
    except UnicodeDecodeError as error:
        raise SchemaError(
            f"not UTF-8 text (byte {error.start})", where=str(path), hint="save it as UTF-8"
        ) from error


def _parquet(path: Path) -> Rows:
    import duckdb

    with duckdb.connect() as con:
        literal = "".join(f"[{c}]" if c in "*?[" else c for c in str(path))
        try:
            found = con.execute("SELECT * FROM read_parquet(?) LIMIT 0", [literal])
        except duckdb.Error as error:
            raise SchemaError(
                f"not readable as Parquet: {str(error).splitlines()[0]}",
                where=str(path),
                hint=_DAMAGED,
            ) from None
        header = tuple(str(d[0]) for d in found.description or ())

    def read(columns: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        picked = ", ".join('"' + c.replace('"', '""') + '"' for c in columns)
        for number, cells in enumerate(ask(path, picked, hint=_DAMAGED), start=1):
            yield f"row {number}", dict(zip(columns, cells, strict=True))

    return Rows(header, read)


def _delimited(path: Path, suffix: str, text: str | None) -> Rows:
    def opened() -> TextIO:
        if text is not None:
            return io.StringIO(text, newline="")
        return path.open(encoding="utf-8-sig", newline="")

    with opened() as file, long_cells(_MOST_CHARS):
        first = file.readline()
        told = first.strip().strip('"')  # a line that spreadsheets write for one another
        skipped = told[:4].lower() == "sep=" and len(told) == len("sep=,")
        if not skipped:
            file.seek(0)
        start = file.tell()
        head = file.readline() if skipped else first
        separators = told[4] if skipped else "\t" if suffix == ".tsv" else ",;\t|"
        separator = max(separators, key=head.count)
        file.seek(start)
        header = tuple(next(csv.reader(file, delimiter=separator), ()))
    twice = sorted({h for h in header if header.count(h) > 1})
    if twice:
        raise SchemaError(
            f"column {twice[0]!r} is there twice", where=str(path), hint="name each column once"
        )

    def read(columns: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        at = {c: header.index(c) for c in columns}
        with opened() as lines, long_cells(_MOST_CHARS):
            if skipped:
                lines.readline()
            reader = csv.reader(lines, delimiter=separator)
            next(reader)
            start = reader.line_num + 1 + skipped
            for cells in reader:
                if any(c.strip() for c in cells):
                    if len(cells) != len(header):
                        raise SchemaError(
                            f"{len(cells)} cells, the header has {len(header)}",
                            where=f"{path}, line {start}",
                            hint="put quotes round a text with commas",
                        )
                    yield f"line {start}", {c: cells[i] for c, i in at.items()}
                start = reader.line_num + 1 + skipped

    return Rows(header, read)


def _list(path: Path) -> Rows:
    """Read one list of objects, or an object that holds one list and nothing else."""
    try:
        body = json.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"not JSON: {error}", where=str(path), hint=_DAMAGED) from None
    if isinstance(body, dict) and len(body) == 1:
        (body,) = body.values()
    if not isinstance(body, list) or not all(isinstance(row, dict) for row in body):
        raise SchemaError(
            "no list of objects",
            where=str(path),
            hint="one list with an object a meal, or JSON lines (.jsonl)",
        )
    header = tuple(dict.fromkeys(str(key) for row in body for key in row))

    def read(columns: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for number, row in enumerate(body, start=1):
            yield f"row {number}", {c: row.get(c) for c in columns}

    return Rows(header, read)


def _objects(path: Path) -> Rows:
    def every() -> Iterator[tuple[str, dict[str, Any]]]:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    body = json.loads(line)
                except ValueError as error:
                    raise SchemaError(
                        f"not JSON: {error}", where=f"{path}, line {number}", hint=_DAMAGED
                    ) from None
                if not isinstance(body, dict):
                    raise SchemaError(
                        f"a JSON {type(body).__name__}, not an object",
                        where=f"{path}, line {number}",
                        hint="one object a line",
                    )
                yield f"line {number}", body

    header = tuple(dict.fromkeys(key for _, body in every() for key in body))

    def read(columns: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for place, body in every():
            yield place, {c: body.get(c) for c in columns}

    return Rows(header, read)
