"""Read a download of FoodData Central: the one way in from a zip to foods."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, get_args

from prandial.errors import InputError, SchemaError
from prandial.sources.fdc.archive import AGAIN, Download, open_download
from prandial.sources.fdc.csvform import count_csv_foods, csv_foods
from prandial.sources.fdc.food import DataType, FdcFood
from prandial.sources.fdc.jsonform import count_json_foods, json_foods
from prandial.sources.fdc.notes import FdcNotes

__all__ = ["count_foods", "read_fdc"]

_ALL: Final[tuple[DataType, ...]] = get_args(DataType)
#: memory of the temporary database, MB; Python's own comes on top
_MEMORY_MB: Final = 400


def _chosen(kinds: Collection[DataType] | None) -> tuple[DataType, ...]:
    if kinds is None:
        return _ALL
    for kind in kinds:
        if kind not in _ALL:
            raise InputError(
                f"no data type {kind!r}", where="kinds", hint="there are: " + ", ".join(_ALL)
            )
    return tuple(kinds)


def _neither(download: Download) -> SchemaError:
    held = ", ".join(sorted(download.members)[:12]) or "nothing"
    return SchemaError(
        "holds neither food.csv nor one JSON list",
        where=str(download.path),
        hint=f"it holds: {held}; {AGAIN}",
    )


def read_fdc(
    path: Path | str,
    *,
    kinds: Collection[DataType] | None = None,
    notes: FdcNotes | None = None,
    release: str = "",
    memory_mb: int = _MEMORY_MB,
) -> Iterator[FdcFood]:
    """Read foods of a download, one by one, in little memory whatever its size.

    The file is read while the foods are taken; what it met is in the notes when the last food
    has been. Nothing unknown becomes 0, and what was set right is counted.

    Parameters
    ----------
    path : Path or str
        A zip as USDA offers it (CSV or JSON), or the folder it was unpacked to.
    kinds : collection of str, optional
        Of ``foundation``, ``sr_legacy``, ``survey``, ``branded``; all when None. Laboratory
        samples and experimental foods are always left out, and counted.
    notes : FdcNotes, optional
        Receives rows, foods, what was left out, repairs and flags.
    release : str
        Told of every food; the date in the file's name when empty.
    memory_mb : int
        Of the temporary database that joins CSV tables.

    Yields
    ------
    FdcFood
        CSV by fdc_id, JSON in the order of its list.

    Raises
    ------
    InputError
        On an unknown data type.
    MissingDataError
        When there is no such file.
    SchemaError
        When it is damaged or no download: says what, where and what to do.
    DataError
        When the temporary folder is full.
    """
    chosen = _chosen(kinds)
    told = FdcNotes() if notes is None else notes
    with open_download(Path(path)) as download:
        name = release or download.release
        if download.form == "csv":
            yield from csv_foods(download, chosen, told, release=name, memory_mb=memory_mb)
        elif download.form == "json":
            yield from json_foods(download, chosen, told, release=name)
        else:
            raise _neither(download)


def count_foods(path: Path | str, *, kinds: Collection[DataType] | None = None) -> int:
    """Count the foods of a download without reading their nutrients.

    Raises
    ------
    InputError, MissingDataError, SchemaError
        As :func:`read_fdc`.
    """
    chosen = _chosen(kinds)
    with open_download(Path(path)) as download:
        if download.form == "csv":
            return count_csv_foods(download, chosen)
        if download.form == "json":
            return count_json_foods(download, chosen)
        raise _neither(download)
