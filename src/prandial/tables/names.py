"""Ready-made name documents of the built-in releases (see ``meal.documents``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from prandial.errors import MissingDataError
from prandial.tables.cards import data_path

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
        ``foods`` (count), ``terms`` (list of str), and the arrays ``food``,
        ``alt``, ``head``, ``entry_term``, ``entry_doc``, ``entry_match`` and
        ``entry_miss``.
    """
    import duckdb  # a costly import, paid once and only here

    try:
        paths = {k: str(data_path(f"{release}.{k}.parquet")) for k in ("words", "docs", "entries")}
    except MissingDataError:
        return None
    with duckdb.connect() as con:
        columns = {
            k: con.execute("SELECT * FROM read_parquet(?)", [path]).fetchnumpy()
            for k, path in paths.items()
        }
    words, docs, entries = columns["words"], columns["docs"], columns["entries"]
    sizes = np.asarray(docs["size"], dtype=np.int64)
    head = np.asarray(docs["head"], dtype=np.int64)
    foods = int(np.count_nonzero(head > -2))
    return {
        "foods": foods,
        "terms": words["term"].tolist(),
        "food": np.asarray(docs["food"], dtype=np.int64),
        "alt": np.asarray(docs["alt"], dtype=np.bool_),
        "head": head[:foods],
        "entry_doc": np.repeat(np.arange(len(sizes)), sizes),
        "entry_term": np.asarray(entries["term"], dtype=np.int64),
        "entry_match": np.asarray(entries["match"], dtype=np.float64),
        "entry_miss": np.asarray(entries["miss"], dtype=np.float64),
    }
