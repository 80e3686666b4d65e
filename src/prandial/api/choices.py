"""Choices by name, and where raw files are: shared by the functions over surveys."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.bench.ngqa import Roots

__all__ = ["Checked", "Form", "Graph", "People", "Rules", "one_of", "roots_at"]

Rules = Literal["default", "as-published"]
Checked = Literal["auto", "default", "as-published"]
Graph = Literal["published", "no-verdict", "merged"]
People = Literal["survey", "demo"]
Form = Literal["graphml", "turtle", "neo4j", "parquet"]


def one_of(value: str, known: Any, where: str) -> str:
    """Return a value that is one of a literal's.

    Raises
    ------
    InputError
        Naming the choices there are.
    """
    names = get_args(known)
    if value not in names:
        raise InputError(
            f"no such choice: {value!r}", where=where, hint="one of: " + ", ".join(names)
        )
    return value


def roots_at(root: Path | str | None) -> Roots:
    """Return the folders of raw files below a root, or in prandial's data folder."""
    from prandial.bench.ngqa import Roots
    from prandial.sources.home import data_home

    if root is not None:
        return Roots.under(Path(root))
    home = data_home(os.environ)
    if not home.is_dir():
        return Roots(nhanes=None, foods=None)
    return Roots.under(home)
