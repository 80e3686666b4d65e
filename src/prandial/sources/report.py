"""What a fetch did, file by file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

__all__ = ["Fetched", "GetReport", "Progress", "Status"]

#: got: fetched and verified; kept: was there and holds; absent: the source does not offer it and
#: it was not asked for by name; failed: see ``why``
Status = Literal["got", "kept", "absent", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetched:
    """One file of a fetch."""

    cycle: str
    table: str
    #: CDC's file name without ending
    file: str
    status: Status
    #: where it is; None unless got or kept
    path: Path | None = None
    bytes: int | None = None
    #: bytes that came over the line this time
    downloaded: int = 0
    sha256: str = ""
    #: what went wrong, or was noteworthy
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "cycle": self.cycle,
            "table": self.table,
            "file": self.file,
            "status": self.status,
            "path": None if self.path is None else str(self.path),
            "bytes": self.bytes,
            "downloaded": self.downloaded,
            "sha256": self.sha256 or None,
            "why": self.why or None,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class GetReport:
    """All files of a fetch, by cycle and table."""

    target: Path
    files: tuple[Fetched, ...]

    @property
    def counts(self) -> dict[Status, int]:
        """Number of files by status."""
        found = Counter(f.status for f in self.files)
        order: tuple[Status, ...] = ("got", "kept", "absent", "failed")
        return {status: found[status] for status in order}

    @property
    def ok(self) -> bool:
        """No file failed, and there is at least one."""
        counts = self.counts
        return not counts["failed"] and bool(counts["got"] + counts["kept"])

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "target": str(self.target),
            "counts": dict(self.counts),
            "files": [f.to_dict() for f in self.files],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """A step of one file, for a progress bar."""

    cycle: str
    table: str
    file: str
    #: bytes at hand, and in all (None unknown)
    done: int
    total: int | None
    #: ``fetching`` or the final status
    status: Literal["fetching"] | Status
