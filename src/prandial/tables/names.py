"""Ready-made name documents of the built-in releases (see ``meal.documents``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from prandial.errors import MissingDataError
from prandial.tables.cards import data_path
from prandial.tables.columnfile import Columns, read_columns

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["read_names"]


def read_names(release: str) -> dict[str, Any] | None:
    """Return a release's name documents as columns, or None when none ship.

    Parameters
    ----------
    release : str
        Food table release.

    Returns
    -------
    dict or None
        ``terms`` (list of str) and the arrays ``food``, ``alt``, ``head``,
        ``entry_term``, ``entry_doc``, ``entry_match`` and ``entry_miss``.

    Raises
    ------
    SchemaError
        When the file is damaged.
    """
    try:
        path = data_path(f"{release}.names.npz")
    except MissingDataError:
        return None
    columns = read_columns(path)
    sizes = columns.array("size").astype(np.int64)
    return {
        "terms": list(columns.text("terms")),
        "food": columns.array("food").astype(np.int64),
        "alt": columns.array("alt").astype(np.bool_),
        "head": columns.array("head").astype(np.int64),
        "entry_doc": np.repeat(np.arange(len(sizes)), sizes),
        "entry_term": columns.array("entry_term").astype(np.int64),
        "entry_match": _decoded(columns, "entry_match"),
        "entry_miss": _decoded(columns, "entry_miss"),
    }


def _decoded(columns: Columns, name: str) -> npt.NDArray[Any]:
    levels: npt.NDArray[Any] = columns.array(f"{name}_levels")
    decoded: npt.NDArray[Any] = levels[columns.array(name)]
    return decoded
