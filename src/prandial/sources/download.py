"""Download one file: resumed where it broke off, started again when the source changed."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from prandial.errors import DataError, SchemaError
from prandial.sources.exclusive import only_writer
from prandial.sources.web import Answer, LinkError, Web

__all__ = ["AbsentError", "Arrived", "StopError", "disk", "download", "drop", "state_file"]

#: tries in a row that brought nothing, and tries in all
TRIES: Final = 5
TRIES_IN_ALL: Final = 25
_LONGEST_PAUSE: Final = 30.0
_LATER: Final = "try again later: what has arrived is kept and continued"


class AbsentError(Exception):
    """The source has no such file."""


class StopError(Exception):
    """Nothing more can be fetched at all; ``error`` is for the user.

    Parameters
    ----------
    error : DataError or None
        None when another thread has stopped the work.
    """

    def __init__(self, error: DataError | None = None) -> None:
        super().__init__(str(error or "stopped"))
        self.error = error


class _AgainError(Exception):
    """A try failed; the next may not."""

    def __init__(self, why: str, *, pause: float | None = None, unreachable: bool = False) -> None:
        super().__init__(why)
        self.pause = pause
        self.unreachable = unreachable


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrived:
    """A complete download, not yet verified."""

    bytes: int
    #: bytes that came over the line this time
    downloaded: int
    #: some bytes came from an earlier run or an earlier try
    resumed: bool


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Turn a full disk or a forbidden folder into a :class:`StopError`."""
    try:
        yield
    except OSError as error:
        hints = {
            errno.ENOSPC: "free some space and run it again: what has arrived is kept",
            errno.EDQUOT: "free some space and run it again: what has arrived is kept",
            errno.EACCES: "choose a folder you may write to",
            errno.EPERM: "choose a folder you may write to",
            errno.EROFS: "choose a folder on a disk that can be written to",
            errno.EEXIST: "a file is where a folder is needed: choose another target",
            errno.ENOTDIR: "a file is where a folder is needed: choose another target",
        }
        hint = hints.get(error.errno or 0, "check the disk and the folder")
        what = f"cannot write: {error.strerror or error}"
        raise StopError(DataError(what, where=str(path), hint=hint)) from None


def state_file(part: Path) -> Path:
    """Return the file that remembers which release a part is of."""
    return part.with_name(part.name + ".json")


def drop(part: Path) -> None:
    """Remove a part and what is remembered of it."""
    with disk(part):
        part.unlink(missing_ok=True)
        state_file(part).unlink(missing_ok=True)


def _remembered(part: Path, url: str) -> dict[str, Any] | None:
    try:
        state = json.loads(state_file(part).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    keys = {"url", "etag", "last_modified", "length"}
    sound = isinstance(state, dict) and keys <= set(state) and state["url"] == url
    return state if sound else None


def _marks(url: str, headers: Mapping[str, str], length: int | None) -> dict[str, Any]:
    return {
        "url": url,
        "etag": headers.get("etag", ""),
        "last_modified": headers.get("last-modified", ""),
        "length": length,
    }


def _length(headers: Mapping[str, str]) -> int | None:
    stated = headers.get("content-length", "")
    return int(stated) if stated.isdigit() and not _encoded(headers) else None


def _encoded(headers: Mapping[str, str]) -> bool:
    return headers.get("content-encoding", "identity").lower() != "identity"


def _continues(answer: Answer, have: int, state: Mapping[str, Any]) -> bool:
    """Tell whether a partial answer goes on where the part ends, in the same release."""
    stated = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("content-range", ""))
    if stated is None or int(stated.group(1)) != have or _encoded(answer.headers):
        return False
    total = None if stated.group(2) == "*" else int(stated.group(2))
    now = _marks(state["url"], answer.headers, total)
    both = {k: (state[k], now[k]) for k in ("etag", "last_modified", "length")}
    told = {k for k, (before, after) in both.items() if before and after}
    # a length alone does not tell one release from the next
    return all(both[k][0] == both[k][1] for k in told) and bool(told - {"length"})


def _asking(have: int, state: Mapping[str, Any] | None) -> dict[str, str]:
    if not have or state is None:
        return {}
    etag = str(state.get("etag", ""))
    mark = etag if etag and not etag.startswith("W/") else str(state.get("last_modified", ""))
    return {"Range": f"bytes={have}-", **({"If-Range": mark} if mark else {})}


def _refuse(answer: Answer, url: str) -> None:
    """Raise what a status other than 200 and 206 means."""
    status = answer.status
    if status in (404, 410):
        raise AbsentError(f"the source has no such file (HTTP {status})")
    if status in (408, 425, 429) or status >= 500:
        after = answer.headers.get("retry-after", "")
        wait = float(after) if after.isdigit() else None
        raise _AgainError(f"the server answered HTTP {status}", pause=wait)
    hint = (
        "the server forbids it: check the address, or take the file from elsewhere with --from"
        if status in (401, 403)
        else "check the address"
    )
    raise DataError(f"the server answered HTTP {status}", where=url, hint=hint)


class _Download:
    """One download in progress."""

    def __init__(
        self, web: Web, url: str, part: Path, file: IO[bytes], on_bytes: Callable[..., None]
    ) -> None:
        self.web, self.url, self.part, self.file = web, url, part, file
        self.on_bytes = on_bytes
        self.downloaded = 0
        self.have = file.seek(0, 2)
        self.resumed = False
        self.state = _remembered(part, url)
        if self.state is None:
            self._restart()

    def _restart(self) -> None:
        if self.have:
            with disk(self.part):
                self.file.truncate(0)
        self.have, self.state, self.resumed = 0, None, False

    def _begin(self, answer: Answer) -> None:
        self._restart()
        self.state = _marks(self.url, answer.headers, _length(answer.headers))
        with disk(self.part):
            state_file(self.part).write_text(json.dumps(self.state), encoding="utf-8")

    def _write(self, answer: Answer) -> None:
        total = None if self.state is None else self.state["length"]
        self.on_bytes(self.have, total)
        for chunk in answer.chunks:
            with disk(self.part):
                self.file.write(chunk)
            self.have += len(chunk)
            self.downloaded += len(chunk)
            self.on_bytes(self.have, total)
        with disk(self.part):
            self.file.flush()
        if total is not None and self.have < total:
            raise _AgainError(f"the line was cut after {self.have:,} of {total:,} bytes")
        if total is not None and self.have > total:
            self._restart()
            raise _AgainError(f"more than the stated {total:,} bytes arrived")

    def once(self) -> None:
        """Make one try; what arrives is kept."""
        if self.state and self.have and self.have == self.state["length"]:
            self.resumed = True
            return
        asking = _asking(self.have, self.state)
        try:
            with self.web.get(self.url, asking) as answer:
                if (
                    answer.status == 206
                    and self.state
                    and _continues(answer, self.have, self.state)
                ):
                    self.resumed = True
                elif answer.status in (206, 416):
                    self._restart()
                    raise _AgainError("the file at the source has changed", pause=0.0)
                elif answer.status != 200:
                    _refuse(answer, self.url)
                else:
                    self._begin(answer)
                self._write(answer)
        except LinkError as error:
            unreachable = error.kind == "unreachable"
            what = {"timeout": "no answer in time", "cut": "the line was cut"}
            why = what.get(error.kind, f"cannot be reached: {error}")
            raise _AgainError(why, unreachable=unreachable) from None


@contextmanager
def _opened(part: Path) -> Iterator[IO[bytes]]:
    """Open a part for appending, and keep other processes off it where the system can."""
    with disk(part):
        part.parent.mkdir(parents=True, exist_ok=True)
        file = part.open("a+b")
    with file:
        if not only_writer(file):
            raise DataError(
                "another run is fetching this file", where=str(part), hint="wait until it is done"
            )
        yield file


def download(
    web: Web,
    url: str,
    part: Path,
    *,
    pause: Callable[[float], object],
    on_bytes: Callable[[int, int | None], None],
) -> Arrived:
    """Download an address into a part, going on where an earlier try broke off.

    Parameters
    ----------
    web : Web
    url : str
    part : Path
        The part; beside it, ``NAME.json`` remembers ETag, date and length of its release.
    pause : callable
        Waits the given seconds between two tries.
    on_bytes : callable
        Told bytes at hand and bytes in all (None unknown), after each piece.

    Returns
    -------
    Arrived
        The part is complete as far as the server says; it is not verified.

    Raises
    ------
    AbsentError
        When the source has no such file.
    StopError
        When the source cannot be reached at all, or the disk cannot be written.
    DataError
        When the server refuses, or every try failed.
    SchemaError
        When what the source sent is empty.
    """
    ours = False
    try:
        with _opened(part) as file:
            ours = True
            return _tries(_Download(web, url, part, file, on_bytes), pause)
    finally:
        # another run's part may still be empty: it is not ours to remove
        if ours and part.is_file() and not part.stat().st_size:
            drop(part)


def _tries(work: _Download, pause: Callable[[float], object]) -> Arrived:
    idle = 0
    for _ in range(TRIES_IN_ALL):
        before = work.downloaded
        try:
            work.once()
        except _AgainError as error:
            idle = 0 if work.downloaded > before else idle + 1
            last = error
        else:
            if not work.have:
                raise SchemaError("the source sent an empty file", where=work.url, hint=_LATER)
            return Arrived(bytes=work.have, downloaded=work.downloaded, resumed=work.resumed)
        if idle >= TRIES:
            break
        wait = 0.5 * 2**idle if last.pause is None else last.pause
        pause(min(wait, _LONGEST_PAUSE))
    if last.unreachable:
        raise StopError(
            DataError(
                f"no way to the source: {last}",
                where=work.url,
                hint="check the network (and proxy settings), or take the files from a folder"
                " with --from FOLDER",
            )
        )
    raise DataError(f"gave up: {last}", where=work.url, hint=_LATER)
