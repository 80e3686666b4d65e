"""A download's tables on disk, so that millions of foods are joined in little memory.

food_nutrient.csv has no order that can be relied on; its rows (27 million for Branded) go into
a temporary database, and foods are taken out of it some thousands at a time.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from prandial.errors import DataError

if TYPE_CHECKING:
    import duckdb

__all__ = ["CHUNK_FOODS", "Stage", "open_stage"]

CHUNK_FOODS: Final = 5_000
#: rows kept until they are written: of texts, of amounts
_BATCH: Final = 10_000
_AMOUNTS: Final = 100_000
_TABLES: Final[dict[str, dict[str, str]]] = {
    "food": {
        "fdc_id": "BIGINT",
        "data_type": "VARCHAR",
        "description": "VARCHAR",
        "category": "VARCHAR",
        "published": "VARCHAR",
        "code": "VARCHAR",
    },
    "label": {
        "fdc_id": "BIGINT",
        "brand": "VARCHAR",
        "gtin": "VARCHAR",
        "serving": "DOUBLE",
        "unit": "VARCHAR",
        "household": "VARCHAR",
        "category": "VARCHAR",
        "country": "VARCHAR",
    },
    "portion": {
        "fdc_id": "BIGINT",
        "seq": "DOUBLE",
        "amount": "DOUBLE",
        "measure": "VARCHAR",
        "modifier": "VARCHAR",
        "description": "VARCHAR",
        "grams": "DOUBLE",
    },
    "nutrient": {"fdc_id": "BIGINT", "id": "BIGINT", "amount": "DOUBLE"},
}
_KINDS: Final[dict[str, Any]] = {"BIGINT": np.int64, "DOUBLE": np.float64, "VARCHAR": object}


class Stage:
    """The temporary database."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        for name, columns in _TABLES.items():
            listed = ", ".join(f"{c} {t}" for c, t in columns.items())
            con.execute(f"CREATE TABLE {name} ({listed})")

    def _insert(self, table: str, columns: Mapping[str, Any]) -> None:
        self._con.register("batch", dict(columns))
        listed = ", ".join(columns)
        self._con.execute(f"INSERT INTO {table} SELECT {listed} FROM batch")  # noqa: S608
        self._con.unregister("batch")

    def add(self, table: str, rows: Iterator[Sequence[Any]]) -> None:
        """Add rows, cells in the order of the table."""
        columns = _TABLES[table]
        batch: list[Sequence[Any]] = []

        def flush() -> None:
            if batch:
                cells = zip(columns.items(), zip(*batch, strict=True), strict=True)
                self._insert(table, {c: np.array(v, dtype=_KINDS[t]) for (c, t), v in cells})
                batch.clear()

        for row in rows:
            batch.append(row)
            if len(batch) >= _BATCH:
                flush()
        flush()

    def add_amounts(self, rows: Iterator[tuple[int, int, float]]) -> None:
        """Add nutrients: food, id, amount in house units."""
        foods, ids, amounts = array("q"), array("q"), array("d")

        def flush() -> None:
            if foods:
                self._insert(
                    "nutrient",
                    {
                        "fdc_id": np.array(foods, dtype=np.int64),
                        "id": np.array(ids, dtype=np.int64),
                        "amount": np.array(amounts, dtype=np.float64),
                    },
                )
                for one in (foods, ids, amounts):
                    del one[:]

        for food, nutrient, amount in rows:
            foods.append(food)
            ids.append(nutrient)
            amounts.append(amount)
            if len(foods) >= _AMOUNTS:
                flush()
        flush()

    def twice(self) -> int:
        """Return how many rows of food repeat an fdc_id."""
        (found,) = self._con.execute(
            "SELECT count(*) - count(DISTINCT fdc_id) FROM food"
        ).fetchall()
        return int(found[0])

    def spans(self) -> list[tuple[int, int]]:
        """Return spans of fdc_id of :data:`CHUNK_FOODS` foods each, in order."""
        found = self._con.execute(
            "SELECT fdc_id FROM (SELECT fdc_id, row_number() OVER (ORDER BY fdc_id) AS n"
            " FROM (SELECT DISTINCT fdc_id FROM food)) WHERE (n - 1) % ? = 0 ORDER BY fdc_id",
            [CHUNK_FOODS],
        ).fetchall()
        starts = [int(r[0]) for r in found]
        ends = [s - 1 for s in starts[1:]] + [int(np.iinfo(np.int64).max)]
        return list(zip(starts, ends, strict=False))

    def foods(self, span: tuple[int, int]) -> list[tuple[Any, ...]]:
        """Return foods of a span with their labels, the first row of each fdc_id."""
        return self._con.execute(
            "SELECT DISTINCT ON (f.fdc_id) f.fdc_id, f.data_type, f.description, f.category,"
            " f.published, f.code, l.fdc_id IS NOT NULL, l.brand, l.gtin, l.serving, l.unit,"
            " l.household, l.category, l.country"
            " FROM (SELECT *, rowid AS n FROM food WHERE fdc_id BETWEEN ? AND ?) f"
            " LEFT JOIN (SELECT *, rowid AS m FROM label WHERE fdc_id BETWEEN ? AND ?) l"
            " ON f.fdc_id = l.fdc_id ORDER BY f.fdc_id, f.n, l.m",
            [*span, *span],
        ).fetchall()

    def rows(self, table: str, span: tuple[int, int], order: str) -> list[tuple[Any, ...]]:
        """Return rows of a span, by food and then as told."""
        columns = ", ".join(_TABLES[table])
        return self._con.execute(
            f"SELECT {columns} FROM {table} WHERE fdc_id BETWEEN ? AND ?"  # noqa: S608
            f" ORDER BY fdc_id, {order}",
            [*span],
        ).fetchall()


@contextmanager
def open_stage(memory_mb: int) -> Iterator[Stage]:
    """Open an empty stage in a temporary folder; it is removed at the end.

    Raises
    ------
    DataError
        When the disk is full.
    """
    import duckdb

    config: dict[str, Any] = {"threads": 1, "memory_limit": f"{memory_mb}MB"}
    place = tempfile.gettempdir()
    try:
        with tempfile.TemporaryDirectory(prefix="prandial-fdc-") as folder:
            config["temp_directory"] = str(Path(folder) / "spill")
            with duckdb.connect(str(Path(folder) / "stage.duckdb"), config=config) as con:
                yield Stage(con)
    except (duckdb.Error, OSError) as error:
        raise DataError(
            f"cannot keep the tables on disk: {str(error).splitlines()[0]}",
            where=place,
            hint="free some space: Branded needs about 2 GB in the temporary folder (TMPDIR)",
        ) from None
