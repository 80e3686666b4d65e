"""User tables beside the built-in foods: one table to search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from prandial.tables.user import UserTable, load_user_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from prandial.tables.foods import FoodTable

__all__ = ["with_user_tables"]


def with_user_tables(table: FoodTable, paths: Sequence[Path]) -> FoodTable:
    """Return the foods of a table with those of user tables behind them.

    Parameters
    ----------
    table : FoodTable
        The built-in foods.
    paths : sequence of Path
        Compiled user tables (``HOME/NAME.parquet``).

    Returns
    -------
    FoodTable

    Raises
    ------
    NotFoundError
        When a table is not there; the hint names the nearest.
    ChecksumError
        When a compiled table differs from its card.
    """
    for path in paths:
        table = _append(table, load_user_table(path.parent, path.stem))
    return table


def _append(table: FoodTable, user: UserTable) -> FoodTable:
    n, more = len(table.ids), len(user.ids)
    unknown = np.full(more, np.nan, dtype=np.float32)
    own = sorted(user.measures, key=lambda m: m[0])
    rows = np.array([n + m[0] for m in own], dtype=np.int32)
    measure_food = np.concatenate([table.measure_food, rows]).astype(np.int32)
    offsets = np.searchsorted(measure_food, np.arange(n + more + 1)).astype(np.int64)
    grams = np.array([m[2] for m in own], dtype=np.float32)
    amounts = np.full(more, table.amount_offset[-1], dtype=np.int64)
    return replace(
        table,
        ids=table.ids + user.ids,
        names=table.names + user.names,
        alt_names=table.alt_names + user.alt_names,
        categories=table.categories + user.categories,
        table_of=table.table_of + ("user",) * more,
        release_of=table.release_of + (user.name,) * more,
        per_100g=np.concatenate([table.per_100g, user.per_100g]).astype(np.float32),
        measure_food=measure_food,
        measure_name=table.measure_name + tuple(m[1] for m in own),
        measure_grams=np.concatenate([table.measure_grams, grams]).astype(np.float32),
        measure_offset=offsets,
        eaten_count=np.concatenate([table.eaten_count, np.zeros(more, np.float32)]),
        eaten_p10=np.concatenate([table.eaten_p10, unknown]),
        eaten_p50=np.concatenate([table.eaten_p50, unknown]),
        eaten_p90=np.concatenate([table.eaten_p90, unknown]),
        amount_offset=np.concatenate([table.amount_offset, amounts]),
    )
