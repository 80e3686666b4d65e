"""Rows of a user's file of answers: CSV, TSV, JSONL or Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.sources.longcells import long_cells

__all__ = ["ENDINGS", "read_rows"]

ENDINGS: Final = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_MARKS: Final = {".csv": (",", ";", "\t"), ".tsv": ("\t",)}


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file by column; cells of text files are text.

    Raises
    ------
    MissingDataError
        When there is no such file.
    InputError
        On another kind of file.
    SchemaError
        When it cannot be read as what its name says.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"no file of answers: {ending or 'no ending'}",
            where=str(path),
            hint="one of: " + ", ".join(ENDINGS),
        )
    if not path.is_file():
        raise MissingDataError("no such file", where=str(path), hint="check the path")
    try:
        if ending == ".parquet":
            return list(_parquet(path))
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SchemaError("not UTF-8 text", where=str(path), hint="save it as UTF-8") from None
    except OSError as error:
        raise SchemaError(
            f"cannot be read: {error.strerror or error}", where=str(path), hint="check permissions"
        ) from None
    return list(_lines(path, text) if "json" in ending else _cells(path, text, _MARKS[ending]))


#: whole replies of models may stand in a cell
_MOST_CHARS: Final = 2**31 - 1


def _cells(path: Path, text: str, marks: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    heading = text.partition("\n")[0]
    mark = max(marks, key=heading.count)
    reader = csv.DictReader(text.splitlines(keepends=True), delimiter=mark)
    try:
        with long_cells(_MOST_CHARS):
            for row in reader:
                if None in row:
                    raise SchemaError(
                        "more cells than the heading names",
                        where=f"{path}, line {reader.line_num}",
                        hint="put cells with commas between double quotes",
                    )
                yield {k.strip(): v for k, v in row.items()}
    except csv.Error as error:
        raise SchemaError(
            f"cannot be read: {error}", where=f"{path}, line {reader.line_num}", hint="save it anew"
        ) from None


def _lines(path: Path, text: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            row = error
        if not isinstance(row, Mapping):
            raise SchemaError(
                "not a JSON object", where=f"{path}, line {number}", hint="one object a line"
            )
        yield dict(row)


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    import duckdb

    from prandial.sources.parquet import ask

    hint = "save it as Parquet or CSV"
    with duckdb.connect() as con:
        try:
            described = con.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)])
            names = [r[0] for r in described.fetchall()]
        except duckdb.Error as error:
            raise SchemaError(
                f"not a Parquet file: {str(error).splitlines()[0]}", where=str(path), hint=hint
            ) from None
    for row in ask(path, "*", hint=hint):
        yield dict(zip(names, row, strict=True))
