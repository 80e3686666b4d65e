"""Ingredients of the built-in FNDDS foods, in the order in which USDA lists them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from prandial.errors import SchemaError
from prandial.tables.cards import data_path, read_card
from prandial.tables.columnfile import read_columns

__all__ = ["read_ingredients"]


@lru_cache(maxsize=4)
def read_ingredients(release: str) -> tuple[tuple[str, ...], ...]:
    """Return the ingredients of each FNDDS food of a built-in release.

    Parameters
    ----------
    release : str
        Such as ``fndds-2017-2018``.

    Returns
    -------
    tuple of tuple of str
        Descriptions by food, rows as in :func:`prandial.tables.load_foods` (the FNDDS
        foods come first there); empty for a food without a recipe.

    Raises
    ------
    MissingDataError
        When the installation lacks the table.
    SchemaError
        When it is damaged or disagrees with its card.
    """
    name = f"{release}.ingredients"
    columns = read_columns(data_path(f"{name}.npz"))
    texts = columns.labels("ingredient")
    ends = np.cumsum(columns.array("per_food").astype(np.int64))
    if len(texts) != read_card(name).rows or not len(ends) or int(ends[-1]) != len(texts):
        raise SchemaError(
            "ingredients and foods do not fit",
            where=name,
            hint="reinstall prandial: pip install --force-reinstall prandial",
        )
    starts = [0, *ends[:-1].tolist()]
    return tuple(texts[a:b] for a, b in zip(starts, ends.tolist(), strict=True))
