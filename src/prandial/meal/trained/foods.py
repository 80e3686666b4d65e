"""Learned foods behind the built-in ones: one table, one index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from prandial.meal.documents import Documents, documents_of, make_documents

if TYPE_CHECKING:
    from prandial.meal.trained.record import LearnedFood
    from prandial.meal.weights import Weights
    from prandial.tables import FoodTable

__all__ = ["documents_with", "table_with"]

_KEYS = ("carb_g", "protein_g", "fat_g", "energy_kcal")


def table_with(table: FoodTable, foods: Sequence[LearnedFood]) -> FoodTable:
    """Return a table with learned foods behind its own.

    Parameters
    ----------
    table : FoodTable
    foods : sequence of LearnedFood

    Returns
    -------
    FoodTable
        Ids of the learned foods are ``COUNTRY:name``; their table is ``trained``.
    """
    more = len(foods)
    if not more:
        return table
    values = np.full((more, len(table.nutrient_keys)), np.nan, dtype=np.float32)
    columns = [table.nutrient_keys.index(k) for k in _KEYS]
    values[:, columns] = [f.per_100g for f in foods]
    unknown = np.full(more, np.nan, dtype=np.float32)
    last = table.measure_offset[-1]
    return replace(
        table,
        ids=table.ids + tuple(f"{f.country}:{f.name}" for f in foods),
        names=table.names + tuple(f.name for f in foods),
        alt_names=table.alt_names + ("",) * more,
        categories=table.categories + ("",) * more,
        table_of=table.table_of + ("trained",) * more,
        release_of=table.release_of + tuple(f"trained {f.country}" for f in foods),
        per_100g=np.concatenate([table.per_100g, values]),
        measure_offset=np.concatenate([table.measure_offset, np.full(more, last)]),
        eaten_count=np.concatenate([table.eaten_count, np.zeros(more, np.float32)]),
        eaten_p10=np.concatenate([table.eaten_p10, unknown]),
        eaten_p50=np.concatenate([table.eaten_p50, unknown]),
        eaten_p90=np.concatenate([table.eaten_p90, unknown]),
        amount_offset=np.concatenate([table.amount_offset, np.full(more, table.amount_offset[-1])]),
    )


def documents_with(table: FoodTable, whole: FoodTable, weights: Weights) -> Documents:
    """Return the documents of a table and of the learned foods behind it.

    Words weigh as in the built-in names, so learned names do not change how
    those are ranked.

    Parameters
    ----------
    table : FoodTable
        The built-in foods.
    whole : FoodTable
        The same with learned foods behind.
    weights : Weights

    Returns
    -------
    Documents
    """
    base = documents_of(table, weights)
    n = len(table.ids)
    more = make_documents(
        replace(
            whole,
            names=whole.names[n:],
            alt_names=whole.alt_names[n:],
            categories=whole.categories[n:],
            table_of=whole.table_of[n:],
        ),
        weights,
    )
    number = {t: k for k, t in enumerate(base.terms)}
    to = np.array([number.setdefault(t, len(number)) for t in more.terms], dtype=np.int64)
    k = len(more.food)
    base_doc = np.where(base.entry_doc < n, base.entry_doc, base.entry_doc + k)
    entry_doc = np.concatenate([base_doc, more.entry_doc + n])
    order = np.argsort(entry_doc, kind="stable")
    return Documents(
        list(number),
        np.concatenate([base.food[:n], more.food + n, base.food[n:]]),
        np.concatenate([base.alt[:n], more.alt, base.alt[n:]]),
        np.concatenate([base.entry_term, to[more.entry_term]])[order],
        entry_doc[order],
        np.concatenate([base.entry_match, more.entry_match])[order],
        np.concatenate([base.entry_miss, more.entry_miss])[order],
        np.concatenate([base.head, np.where(more.head >= 0, to[more.head], -1)]),
        counted=n,
    )
