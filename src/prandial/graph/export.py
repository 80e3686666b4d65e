"""One way out into other forms, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, get_args

from prandial.errors import InputError, MissingDataError
from prandial.graph.graphml import read_graphml, write_graphml
from prandial.graph.merged import MergedGraph
from prandial.graph.neo4j import read_neo4j, write_neo4j
from prandial.graph.query import excerpt
from prandial.graph.store import load_graph, save_graph
from prandial.graph.turtle import read_turtle, write_turtle

__all__ = ["FORMS", "Form", "export_graph", "import_graph"]

#: ``parquet`` and ``neo4j`` are folders, ``graphml`` and ``turtle`` files
Form = Literal["parquet", "graphml", "turtle", "neo4j"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)


def export_graph(
    graph: MergedGraph,
    path: Path | str,
    form: Form,
    *,
    people: Sequence[int] | int | None = None,
) -> tuple[Path, ...]:
    """Write a graph in one of the forms.

    Parameters
    ----------
    graph : MergedGraph
    path : path
        A file for ``graphml`` and ``turtle``, a folder for ``parquet`` and ``neo4j``.
    form : {'parquet', 'graphml', 'turtle', 'neo4j'}
    people : sequence of int, int or None
        Only these people, or only so many of the first; by default all.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    InputError
        On an unknown form, or when the path cannot be written.
    NotFoundError
        When one of the people is not in the graph.
    MissingDataError
        When the form needs a library that is not installed.
    """
    to = Path(path)
    _check(form)
    part = excerpt(graph, people)
    try:
        if form == "parquet":
            return save_graph(part, to)
        if form == "neo4j":
            return write_neo4j(part, to)
        to.parent.mkdir(parents=True, exist_ok=True)
        (write_graphml if form == "graphml" else write_turtle)(part, to)
    except OSError as error:
        raise InputError(
            "the graph cannot be written there",
            where=str(to),
            hint=f"{error.strerror}; graphml and turtle are files, parquet and neo4j folders",
        ) from error
    return (to,)


def import_graph(path: Path | str, form: Form) -> MergedGraph:
    """Read a graph that :func:`export_graph` wrote.

    Raises
    ------
    InputError
        On an unknown form.
    MissingDataError
        When nothing is there, or the form needs a library that is not installed.
    SchemaError
        When what is there has another form.
    """
    where = Path(path)
    _check(form)
    parts = (where / "nodes.csv", where / "edges.csv") if form == "neo4j" else (where,)
    for part in parts:
        if not part.exists():
            raise MissingDataError(
                "no graph there", where=str(part), hint="write it with: prandial graph export"
            )
    readers = {
        "parquet": load_graph,
        "graphml": read_graphml,
        "turtle": read_turtle,
        "neo4j": read_neo4j,
    }
    return readers[form](where)


def _check(form: str) -> None:
    if form not in FORMS:
        raise InputError(f"no form {form!r}", where="form", hint="forms: " + ", ".join(FORMS))
