"""Read a column file: a zip of numpy arrays and of texts, one line a row.

The form needs nothing but numpy and is quick to open; ``docs/data/storage.md``
says why the built-in tables use it and how to read one without prandial.
"""

from __future__ import annotations

import zipfile
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from prandial.errors import SchemaError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

__all__ = ["Columns", "read_columns"]

_HINT = "reinstall prandial: pip install --force-reinstall prandial"


class Columns:
    """The columns of one file, by name.

    Parameters
    ----------
    name : str
        Name of the file, for errors.
    arrays : dict of str to ndarray
    texts : dict of str to tuple of str
    """

    def __init__(
        self, name: str, arrays: dict[str, npt.NDArray[Any]], texts: dict[str, tuple[str, ...]]
    ) -> None:
        self._name = name
        self._arrays = arrays
        self._texts = texts

    def array(self, column: str) -> npt.NDArray[Any]:
        """Return a column of numbers.

        Raises
        ------
        SchemaError
            When the file has no such column.
        """
        if column not in self._arrays:
            raise self._lacks(column)
        return self._arrays[column]

    def text(self, column: str) -> tuple[str, ...]:
        """Return a column of texts.

        Raises
        ------
        SchemaError
            When the file has no such column.
        """
        if column not in self._texts:
            raise self._lacks(column)
        return self._texts[column]

    def labels(self, column: str) -> tuple[str, ...]:
        """Return a column of texts that is kept as places in a list of them.

        Raises
        ------
        SchemaError
            When the file has no such column, or a place is outside the list.
        """
        levels = self.text(f"{column}_levels")
        places = self.array(column)
        if places.size and int(places.max()) >= len(levels):
            raise SchemaError(f"{column} has no such text", where=self._name, hint=_HINT)
        return tuple(map(levels.__getitem__, places.tolist()))

    def _lacks(self, column: str) -> SchemaError:
        return SchemaError(f"the column {column!r} is missing", where=self._name, hint=_HINT)


def read_columns(path: Path) -> Columns:
    """Read all columns of a file.

    Parameters
    ----------
    path : Path
        A column file.

    Returns
    -------
    Columns

    Raises
    ------
    SchemaError
        When the file is damaged or of another form.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    texts: dict[str, tuple[str, ...]] = {}
    try:
        # opened here, so that it is closed again when numpy refuses it
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
            for member in file.files:
                value = file[member]
                if isinstance(value, bytes):
                    lines = value.decode().split("\n")
                    texts[member.removesuffix(".txt")] = tuple(lines[:-1])
                else:
                    arrays[member] = value
    except (OSError, ValueError, EOFError, TypeError, zipfile.BadZipFile, zlib.error) as err:
        raise SchemaError(
            f"{path.name} cannot be read as a column file: {err}", where=path.name, hint=_HINT
        ) from err
    return Columns(path.name, arrays, texts)
