"""The foods of a facts table one by one: lines of JSON and where each begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from prandial.compose.facts.build import FACTS
from prandial.errors import SchemaError
from prandial.nutrients import MAIN
from prandial.records import Measure, Source
from prandial.records.facts import FactsFood

__all__ = ["FOOD_FILES", "StoredFoods", "facts_rows", "open_foods"]

_LINES: Final = "foods.jsonl"
_STARTS: Final = "food_starts.npy"
FOOD_FILES: Final = (_LINES, _STARTS)
_COLUMNS: Final = (
    "name",
    "other_names",
    "category",
    "kind",
    *MAIN,
    "sources",
    "fdc_ids",
    "measure_texts",
    "measure_grams",
    "values_kept",
)
_AT_ONCE: Final = 8192


class StoredFoods:
    """Foods by number, read from disk when asked for."""

    def __init__(self, lines: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> None:
        self._lines = lines
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> FactsFood:
        one, two = int(self._starts[number]), int(self._starts[number + 1])
        return _food(number, json.loads(self._lines[one:two].tobytes()))


def facts_rows(folder: Path) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a facts table and write them as lines on the way.

    Parameters
    ----------
    folder : Path
        Has ``facts.parquet``.

    Yields
    ------
    tuple
        Name, other names, category, kind and what follows in the table.

    Raises
    ------
    SchemaError
        When the table cannot be read.
    """
    import duckdb

    path = folder / FACTS
    starts = [0]
    try:
        with (
            duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}) as con,
            (folder / _LINES).open("wb") as lines,
        ):
            query = f"SELECT {', '.join(_COLUMNS)} FROM read_parquet(?)"  # noqa: S608 - our columns
            found = con.execute(query, [str(path)])
            while rows := found.fetchmany(_AT_ONCE):
                for row in rows:
                    line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
                    starts.append(starts[-1] + lines.write(line.encode("utf-8") + b"\n"))
                    yield row
    except duckdb.Error as error:
        raise SchemaError(
            f"not a table of facts: {str(error).splitlines()[0]}",
            where=str(path),
            hint="build the facts again",
        ) from None
    np.save(folder / _STARTS, np.array(starts, dtype=np.int64))


def open_foods(folder: Path) -> StoredFoods:
    """Open the foods that :func:`facts_rows` wrote."""
    lines = np.memmap(folder / _LINES, dtype=np.uint8, mode="r")
    return StoredFoods(lines, np.load(folder / _STARTS))


def _food(number: int, row: list[Any]) -> FactsFood:
    told = dict(zip(_COLUMNS, row, strict=True))
    sources = tuple(Source(table=t, release=r, id=i) for t, r, i in _split(told["sources"]))
    measures = zip(told["measure_texts"], told["measure_grams"], strict=True)
    return FactsFood(
        number=number,
        name=told["name"],
        other_names=told["other_names"],
        category=told["category"],
        kind=told["kind"],
        per_100g={n: told[n] for n in MAIN if told[n] is not None},
        measures=tuple(Measure(name=n, grams=g, source=sources[0]) for n, g in measures),
        sources=sources,
        fdc_ids=tuple(told["fdc_ids"]),
        values=told["values_kept"],
    )


def _split(sources: list[str]) -> Iterator[tuple[str, str, str]]:
    for text in sources:
        table, release, code = text.split("|", 2)
        yield table, release, code
