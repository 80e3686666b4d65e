"""The house's own form of a kept graph: two Parquet files and a card with the hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from prandial.errors import ChecksumError, MissingDataError, SchemaError
from prandial.graph.merged import MergedGraph, canonical_graph
from prandial.graph.schema import KINDS, RELATIONS
from prandial.tables.parquetfile import write_columns

__all__ = ["load_graph", "save_graph"]

_CARD: Final = "graph.card.json"
_NODES: Final = "nodes.parquet"
_EDGES: Final = "edges.parquet"
#: DuckDB's own size; smaller groups would cost millions of edges dear
_ROW_GROUP: Final = 122_880


def save_graph(graph: MergedGraph, folder: Path | str) -> tuple[Path, ...]:
    """Write a graph as ``nodes.parquet``, ``edges.parquet`` and ``graph.card.json``.

    The same graph gives the same bytes (with the same release of DuckDB).

    Parameters
    ----------
    graph : MergedGraph
    folder : path
        Made if it is not there.

    Returns
    -------
    tuple of Path
        The files written.
    """
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    units = np.array(graph.units, dtype=object)
    kinds, relations = np.array(KINDS, dtype=object), np.array(RELATIONS, dtype=object)
    write_columns(
        into / _NODES,
        {
            "kind": kinds[graph.kind],
            "key": np.array(graph.key, dtype=object),
            "label": np.array(graph.label, dtype=object),
            "value": graph.value,
            "unit": units[graph.unit],
        },
        row_group=_ROW_GROUP,
        null=False,
    )
    write_columns(
        into / _EDGES,
        {
            "source": graph.source,
            "relation": relations[graph.relation],
            "target": graph.target,
            "value": graph.edge_value,
            "unit": units[graph.edge_unit],
        },
        row_group=_ROW_GROUP,
        null=False,
    )
    card = {
        "title": "Merged graph of people, foods and rules",
        "content_hash": graph.content_hash,
        "nodes": len(graph),
        "edges": graph.n_edges,
        "nodes_by_kind": {k: len(graph.of_kind(k)) for k in KINDS},
        "edges_by_relation": {
            r: int(n)
            for r, n in zip(
                RELATIONS, np.bincount(graph.relation, minlength=len(RELATIONS)), strict=True
            )
        },
        "columns": "nodes: kind, key, label, value, unit; edges: source and target (rows of the "
        "nodes, from 0), relation, value, unit; units in UCUM; a value that is NaN with a unit "
        "is unknown",
    }
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (into / _CARD).write_text(text, encoding="utf-8")
    return into / _NODES, into / _EDGES, into / _CARD


def load_graph(folder: Path | str) -> MergedGraph:
    """Read a graph that :func:`save_graph` wrote.

    Raises
    ------
    MissingDataError
        When a file is not there.
    SchemaError
        When one cannot be read.
    ChecksumError
        When the graph is not the one its card tells of.
    """
    where = Path(folder)
    for name in (_CARD, _NODES, _EDGES):
        if not (where / name).is_file():
            raise MissingDataError(
                f"{name} is missing", where=str(where), hint="write it with: prandial graph export"
            )
    try:
        stated = json.loads((where / _CARD).read_text(encoding="utf-8"))["content_hash"]
        nodes, edges = _fetch(where / _NODES), _fetch(where / _EDGES)
        graph = _graph(nodes, edges)
    except (ValueError, KeyError, IndexError) as error:
        raise SchemaError(
            "not a graph in the form of prandial", where=str(where), hint=f"found {error}"
        ) from error
    if graph.content_hash != stated:
        raise ChecksumError(
            f"the graph's hash is {graph.content_hash[:12]}…, its card says {stated[:12]}…",
            where=str(where),
            hint="write it again with: prandial graph export",
        )
    return graph


def _graph(nodes: Mapping[str, Any], edges: Mapping[str, Any]) -> MergedGraph:
    units, unit = np.unique(edges["unit"].astype(object), return_inverse=True)
    names, relation = np.unique(edges["relation"].astype(object), return_inverse=True)
    codes = np.array([RELATIONS.index(n) for n in names], dtype=np.int64)
    return canonical_graph(
        kind=[KINDS.index(k) for k in nodes["kind"]],
        key=nodes["key"].tolist(),
        label=nodes["label"].tolist(),
        value=np.asarray(nodes["value"], dtype=np.float64),
        unit=nodes["unit"].tolist(),
        source=np.asarray(edges["source"], dtype=np.int64),
        relation=codes[relation] if len(codes) else np.zeros(0, dtype=np.int64),
        target=np.asarray(edges["target"], dtype=np.int64),
        edge_value=np.asarray(edges["value"], dtype=np.float64),
        edge_unit=unit,
        edge_units=units.tolist(),
    )


def _fetch(path: Path) -> dict[str, Any]:
    import duckdb

    try:
        with duckdb.connect(config={"threads": 1}) as con:
            found = con.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchnumpy()
    except duckdb.Error as error:
        raise ValueError(str(error).splitlines()[0]) from error
    # DuckDB keeps NaN as NULL
    return {
        name: np.ma.filled(column, np.nan) if column.dtype.kind == "f" else np.ma.getdata(column)
        for name, column in found.items()
    }
