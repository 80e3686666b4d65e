"""The one exception tree of prandial.

Every error a user can meet is a :class:`PrandialError` with three parts: *what*
went wrong, *where* it happened, and a *hint* that names the next thing to do.
"Not sure" is never an error: an unmatched food or an unreadable amount is a
status on the result.

::

    PrandialError            exit 1  HTTP 500
    ├── InputError           exit 2  HTTP 422
    ├── NotFoundError        exit 3  HTTP 404
    ├── DataError            exit 4  HTTP 503
    │   ├── ChecksumError
    │   ├── SchemaError
    │   └── MissingDataError
    ├── ModelError           exit 5  HTTP 502
    └── SimulationError      exit 6  HTTP 500
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ChecksumError",
    "DataError",
    "InputError",
    "MissingDataError",
    "ModelError",
    "NotFoundError",
    "PrandialError",
    "SchemaError",
    "SimulationError",
]


class PrandialError(Exception):
    """Root of all errors raised by prandial.

    Parameters
    ----------
    what : str
        What went wrong, in one sentence.
    where : str, optional
        File, row, column, option or function the error belongs to.
    hint : str, optional
        The next thing to do.
    """

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        parts = [self.what]
        if self.where:
            parts.append(f"where: {self.where}")
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return " | ".join(parts)

    def to_dict(self) -> dict[str, dict[str, str]]:
        """Return the one JSON error shape used by every door."""
        return {
            "error": {
                "kind": type(self).__name__,
                "what": self.what,
                "where": self.where,
                "hint": self.hint,
            }
        }


class InputError(PrandialError):
    """What the caller gave cannot be used."""

    exit_code: ClassVar[int] = 2
    http_status: ClassVar[int] = 422


class NotFoundError(PrandialError):
    """A named thing does not exist; the hint names the nearest ones."""

    exit_code: ClassVar[int] = 3
    http_status: ClassVar[int] = 404


class DataError(PrandialError):
    """A table or data file is missing, damaged or of the wrong form."""

    exit_code: ClassVar[int] = 4
    http_status: ClassVar[int] = 503


class ChecksumError(DataError):
    """A file's digest differs from the one on its card."""


class SchemaError(DataError):
    """A table lacks a column, or a cell has the wrong form."""


class MissingDataError(DataError):
    """Data is not at hand; the hint is the command that gets it."""


class ModelError(PrandialError):
    """A language model or its server failed."""

    exit_code: ClassVar[int] = 5
    http_status: ClassVar[int] = 502


class SimulationError(PrandialError):
    """A glucose simulation could not be carried out."""

    exit_code: ClassVar[int] = 6
    http_status: ClassVar[int] = 500
