"""Cards of the built-in tables: origin, licence, rows, units, digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prandial.errors import MissingDataError, NotFoundError

__all__ = ["Card", "data_path", "list_cards", "read_card", "verify"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """What a compiled table is, where it comes from, and its digest."""

    name: str
    title: str
    licence: str
    rows: int
    sha256: str
    body: dict[str, Any]


def _folder() -> Path:
    return Path(__file__).with_name("data")  # importlib.resources costs 10 ms at every start


def data_path(name: str) -> Path:
    """Return the path of a built-in data file.

    Raises
    ------
    MissingDataError
        When the installation lacks it.
    """
    path = _folder() / name
    if not path.is_file():
        raise MissingDataError(
            f"the built-in table {name} is missing",
            where=str(path.parent),
            hint="reinstall prandial: pip install --force-reinstall prandial",
        )
    return path


def list_cards() -> tuple[str, ...]:
    """Return the names of the built-in tables."""
    return tuple(sorted(p.name.removesuffix(".card.json") for p in _folder().glob("*.card.json")))


def read_card(name: str) -> Card:
    """Read a table's card.

    Raises
    ------
    NotFoundError
        Naming the cards there are.
    """
    path = _folder() / f"{name}.card.json"
    if not path.is_file():
        raise NotFoundError(
            f"no table card {name!r}", where="cards", hint="known: " + ", ".join(list_cards())
        )
    body = json.loads(path.read_text(encoding="utf-8"))
    return Card(
        name=name,
        title=body["title"],
        licence=body["licence"],
        rows=int(body["rows"]),
        sha256=body["sha256"],
        body=body,
    )


def verify() -> tuple[str, ...]:
    """Compare every built-in table with its card.

    Returns
    -------
    tuple of str
        One line a table whose digest differs; empty when all agree.
    """
    problems = []
    for name in list_cards():
        card = read_card(name)
        digest = hashlib.sha256(data_path(card.body["file"]).read_bytes()).hexdigest()
        if digest != card.sha256:
            problems.append(
                f"{card.body['file']}: sha256 {digest[:12]}…, card says {card.sha256[:12]}…"
            )
    return tuple(problems)
