"""Where weights are kept, which are at hand, and how one is found or removed.

``HOME/NAME/FILE``; weights that the user brought have ``weights.json`` beside them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.errors import DataError, InputError, MissingDataError, NotFoundError
from prandial.sources.download import StopError, disk
from prandial.sources.fetch import file_sha256
from prandial.sources.weights.table import Weights, find_weights, load_weights
from prandial.tables.user import user_tables_home

__all__ = [
    "OWN",
    "AtHand",
    "list_weights",
    "model_file",
    "remove_weights",
    "weights_home",
    "weights_path",
    "weights_sha256",
    "write_own",
]

#: record of weights that the user brought
OWN: Final = "weights.json"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,80}")


@dataclass(frozen=True, kw_only=True, slots=True)
class AtHand:
    """Weights known or brought, and whether they are here.

    Parameters
    ----------
    name, title, licence : str
        ``licence`` is empty for weights that the user brought.
    bytes : int
    files : mapping of str to str
        File name to SHA-256.
    path : Path, optional
        The file, or the folder of several; None when it is not here.
    origin : str
        Publisher's repository, or where the user took it from.
    own : bool
        Brought by the user.
    notes : tuple of str
    """

    name: str
    title: str
    licence: str
    bytes: int
    files: Mapping[str, str]
    path: Path | None
    origin: str
    own: bool = False
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "title": self.title,
            "licence": self.licence or None,
            "bytes": self.bytes,
            "files": dict(self.files),
            "at_hand": self.path is not None,
            "path": None if self.path is None else str(self.path),
            "origin": self.origin,
            "own": self.own,
            "notes": list(self.notes),
        }


def weights_home(environ: Mapping[str, str] | None = None, *, platform: str = sys.platform) -> Path:
    """Return the folder of weights; it may not exist yet.

    ``$PRANDIAL_WEIGHTS``; else ``weights`` beside the user's tables, see
    :func:`prandial.tables.user.user_tables_home`.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    known = os.environ if environ is None else environ
    if known.get("PRANDIAL_WEIGHTS"):
        return Path(known["PRANDIAL_WEIGHTS"]).expanduser()
    return user_tables_home(known, platform=platform).with_name("weights")


def list_weights(home: Path) -> tuple[AtHand, ...]:
    """Return the weights known by name, and those that the user brought, by name.

    A file counts as here when it has the right size; ``pull`` and a run check its digest.
    """
    known = tuple(_known(w, home) for w in load_weights())
    names = {w.name for w in known}
    own = [_own(folder) for folder in sorted(home.glob("*")) if folder.name not in names]
    return (*known, *(w for w in own if w is not None))


def weights_path(name: str, home: Path) -> Path:
    """Return the file of weights, or the folder where there are several.

    Raises
    ------
    NotFoundError
        On a name that is neither known nor brought.
    MissingDataError
        When they are not here; the hint is the command that gets them.
    """
    found = {w.name: w for w in list_weights(home)}
    if name not in found:
        find_weights(name)  # names those there are
    path = found[name].path
    if path is None:
        raise MissingDataError(
            f"the weights {name} are not here",
            where=str(home / name),
            hint=f"prandial models pull {name}",
        )
    return path


def model_file(name: str, home: Path) -> Path:
    """Return the GGUF file of a language model by name.

    Raises
    ------
    NotFoundError, MissingDataError
        As :func:`weights_path`.
    InputError
        When the weights are no language model.
    """
    path = weights_path(name, home)
    if path.is_dir():
        models = [w.name for w in list_weights(home) if len(w.files) == 1]
        raise InputError(
            f"{name} is no language model", where="name", hint="such as " + ", ".join(models)
        )
    return path


def weights_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, from its record while size and date agree.

    Raises
    ------
    DataError
        When the file cannot be read.
    """
    body = _record(path.parent)
    try:
        stat = path.stat()
        if body is not None and (body["file"], body["bytes"], body["mtime_ns"]) == (
            path.name,
            stat.st_size,
            stat.st_mtime_ns,
        ):
            return str(body["sha256"])
        return file_sha256(path)
    except OSError as error:
        raise DataError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            hint="check the path and its permissions",
        ) from None


def write_own(path: Path, *, origin: str, sha256: str) -> None:
    """Record what a file is that the user brought."""
    stat = path.stat()
    body = {
        "file": path.name,
        "bytes": stat.st_size,
        "mtime_ns": stat.st_mtime_ns,
        "sha256": sha256,
        "origin": origin,
    }
    with disk(path.parent):
        (path.parent / OWN).write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


def remove_weights(name: str, home: Path) -> Path:
    """Remove weights from the disk and return the folder they were in.

    Raises
    ------
    NotFoundError
        When there is nothing of that name here.
    DataError
        When they cannot be removed.
    """
    folder = home / name
    if _NAME.fullmatch(name) is None or not folder.is_dir():
        here = [w.name for w in list_weights(home) if w.path is not None]
        raise NotFoundError(
            f"no weights {name!r} here",
            where=str(home),
            hint="here: " + (", ".join(here) or "none"),
        )
    try:
        with disk(folder):
            shutil.rmtree(folder)
    except StopError as error:
        raise error.error or DataError("cannot be removed", where=str(folder)) from None
    return folder


def _known(weights: Weights, home: Path) -> AtHand:
    folder = home / weights.name
    here = all(_size(folder / f.file) == f.bytes for f in weights.files)
    whole = folder if len(weights.files) > 1 else folder / weights.files[0].file
    return AtHand(
        name=weights.name,
        title=weights.title,
        licence=weights.licence,
        bytes=weights.bytes,
        files={f.file: f.sha256 for f in weights.files},
        path=whole if here else None,
        origin=weights.source,
        notes=tuple(dict.fromkeys(f.note for f in weights.files if f.note)),
    )


def _own(folder: Path) -> AtHand | None:
    body = _record(folder)
    if body is None:
        return None
    path = folder / str(body["file"])
    here = _size(path) == body["bytes"]
    return AtHand(
        name=folder.name,
        title=path.name,
        licence="",
        bytes=int(body["bytes"]),
        files={path.name: str(body["sha256"])},
        path=path if here else None,
        origin=str(body["origin"]),
        own=True,
    )


def _record(folder: Path) -> dict[str, Any] | None:
    try:
        body = json.loads((folder / OWN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    keys = {"file", "bytes", "mtime_ns", "sha256", "origin"}
    return body if isinstance(body, dict) and keys <= set(body) else None


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
