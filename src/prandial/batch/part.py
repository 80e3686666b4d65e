"""The unfinished output of a batch: a part file and what is known about it.

Beside ``OUTPUT`` stand ``OUTPUT.part``, to which finished rows are appended,
and ``OUTPUT.part.json``, which says how many rows and bytes of it count and of
which run they are. A run that was killed in the middle of a write is cut back
to the last bytes that count, so a resumed output equals an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from prandial.batch.work import Chunk
from prandial.errors import InputError
from prandial.sources.exclusive import only_writer

__all__ = ["Part", "digest_of", "fingerprint"]


@dataclass(kw_only=True, slots=True)
class _State:
    fingerprint: str
    rows: int = 0
    size: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)


def digest_of(path: Path) -> str:
    """Return the sha256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(inputs: dict[str, Any]) -> str:
    """Return a digest of everything that decides a run's output."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


class Part:
    """An open part file.

    Parameters
    ----------
    output : Path
        The output it will become.
    fingerprint : str
        From :func:`fingerprint`.
    header : bytes
        What stands before the first row.
    fresh : bool
        Forget an earlier part instead of going on with it.

    Raises
    ------
    InputError
        When the part belongs to another run, or another run is writing it.
    """

    def __init__(self, output: Path, *, fingerprint: str, header: bytes, fresh: bool) -> None:
        self.path = output.with_name(output.name + ".part")
        self._state_path = output.with_name(output.name + ".part.json")
        self._file: IO[bytes] = self._open()
        try:
            earlier = None if fresh else self._earlier(fingerprint, header)
            if earlier is None:
                self._state = _State(fingerprint=fingerprint)
                self._file.truncate(0)
                self._append(header)
            else:
                self._state = earlier
                self._file.truncate(earlier.size)
                self._file.seek(earlier.size)
        except BaseException:
            self._file.close()
            raise

    @property
    def rows(self) -> int:
        """Rows that are written for good."""
        return self._state.rows

    @property
    def statuses(self) -> Counter[str]:
        """How often each status was written."""
        return Counter(self._state.statuses)

    @property
    def broken(self) -> tuple[int, ...]:
        """Rows on which the estimator failed."""
        return tuple(self._state.broken)

    def add(self, chunk: Chunk) -> None:
        """Append finished rows and make them count."""
        state = self._state
        state.rows += chunk.rows
        state.statuses = dict(self.statuses + chunk.statuses)
        state.broken += chunk.broken
        self._append(chunk.text)

    def close(self) -> None:
        """Leave the part where it is."""
        self._file.close()

    def become(self, output: Path) -> None:
        """Turn the part into the finished output."""
        self._file.close()
        self.path.replace(output)
        self._state_path.unlink()

    def discard(self) -> None:
        """Remove the part; its content is elsewhere now."""
        self._file.close()
        self._state_path.unlink()
        self.path.unlink()

    def _open(self) -> IO[bytes]:
        try:
            file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise InputError(
                f"cannot write here: {error.strerror}",
                where=str(self.path),
                hint="choose another --output",
            ) from error
        if not only_writer(file):
            file.close()
            raise InputError(
                "another run is writing this output",
                where=str(self.path),
                hint="wait for it, or choose another --output",
            )
        return file

    def _earlier(self, fingerprint: str, header: bytes) -> _State | None:
        """Return the state of an unfinished run that can go on, or None for a new start."""
        state = self._read_state()
        if state is None:
            # nothing was written yet, or this is no file of ours
            start = self._file.read(len(header) + 1)
            if not header.startswith(start):
                raise self._in_the_way("a file that is no unfinished run is in the way")
            return None
        if state.fingerprint != fingerprint:
            raise self._in_the_way(
                "an unfinished run with another input, other options or another version of"
                " prandial is in the way"
            )
        return state if state.size <= self.path.stat().st_size else None

    def _read_state(self) -> _State | None:
        try:
            return _State(**json.loads(self._state_path.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def _in_the_way(self, what: str) -> InputError:
        return InputError(
            what,
            where=str(self.path),
            hint="start again with --fresh (this discards the file), or choose another --output",
        )

    def _append(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._state.size = self._file.tell()
        new = self._state_path.with_name(self._state_path.name + ".new")
        new.write_text(json.dumps(asdict(self._state)), "utf-8")
        new.replace(self._state_path)
