"""Get downloads of FoodData Central: from USDA, a mirror or a folder; verified, resumed."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from prandial.errors import ChecksumError, InputError, SchemaError
from prandial.sources.fdc.archive import AGAIN, open_download, whole
from prandial.sources.fdc.food import DataType
from prandial.sources.fdc.reading import count_foods
from prandial.sources.fdc.registry import FdcFile, chosen_fdc_files, load_fdc_files
from prandial.sources.fetch import (
    Offer,
    Wanted,
    address_or_folder,
    check_rows,
    check_target,
    file_sha256,
    get_files,
)
from prandial.sources.home import data_home
from prandial.sources.report import GetReport, Progress
from prandial.sources.web import Web

__all__ = ["FdcAtHand", "fdc_at_hand", "fdc_home", "get_fdc", "verify_fdc_file"]

_WITHIN: Final = "fdc"
_FORM: Final = ".zip"
_AMOUNTS: Final = "food_nutrient.csv"
_TYPES: Final[dict[str, DataType]] = {
    "foundation": "foundation",
    "sr_legacy": "sr_legacy",
    "survey": "survey",
    "branded": "branded",
}


def fdc_home() -> Path:
    """Return the folder where fetched downloads are kept; it may not exist yet.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    return data_home(os.environ) / _WITHIN


@dataclass(frozen=True, kw_only=True, slots=True)
class FdcAtHand:
    """A download of the registry and where it is, None when it is not here."""

    entry: FdcFile
    path: Path | None


def fdc_at_hand(folder: Path | None = None) -> tuple[FdcAtHand, ...]:
    """Return all downloads of the registry with those that are in a folder.

    Raises
    ------
    InputError
        When the folder is a file.
    """
    place = fdc_home() if folder is None else folder
    if place.exists() and not place.is_dir():
        raise InputError("a file, not a folder", where=str(place), hint="give a folder to --to")
    return tuple(
        FdcAtHand(entry=f, path=place / f.file if (place / f.file).is_file() else None)
        for f in load_fdc_files()
    )


def _unbroken(path: Path) -> None:
    """Read a zip to its end, against the checksums within.

    Raises
    ------
    SchemaError
        When it is no zip, was cut, or a member is damaged.
    """
    with open_download(path) as download:
        if not download.form:
            raise SchemaError(
                "holds neither food.csv nor one JSON list",
                where=str(path),
                hint="it holds: " + (", ".join(sorted(download.members)[:12]) or "nothing"),
            )
        if download.form == "csv" and _AMOUNTS not in download.members:
            with download.open(_AMOUNTS):  # says what is missing and what there is
                pass
    with whole(str(path)), zipfile.ZipFile(path) as archive:
        bad = archive.testzip()
    if bad is not None:
        raise SchemaError(
            f"looks like a zip that was cut or damaged: {bad}", where=str(path), hint=AGAIN
        )


def verify_fdc_file(path: Path, entry: FdcFile, *, revised: bool = False) -> str:
    """Check a download.

    One whose SHA-256 is on record is sound. Any other is unpacked to the end; where a checksum
    is on record it is refused then, because USDA replaces files under the same name and this
    may be another one: ``revised`` takes it, if it has as many foods as stated or more.

    Parameters
    ----------
    path : Path
    entry : FdcFile
    revised : bool

    Returns
    -------
    str
        Its SHA-256.

    Raises
    ------
    SchemaError
        When it is no download, was cut or damaged, or has other foods than stated.
    ChecksumError
        When it is sound, but not the one on record.
    """
    digest = file_sha256(path)
    if digest in entry.sha256:
        return digest
    _unbroken(path)
    if entry.sha256 and not revised:
        raise ChecksumError(
            f"another file than the one on record: SHA-256 {digest[:12]}…,"
            f" on record {', '.join(s[:12] + '…' for s in entry.sha256)}",
            where=str(path),
            hint="get it again, or take it as a newer one with --accept-revised",
        )
    kind = _TYPES.get(entry.table)
    if entry.foods is not None and kind is not None:
        check_rows(path, entry.foods, count_foods(path, kinds=[kind]), revised=revised)
    return digest


class _Shelf:
    """``TARGET/NAME.zip``."""

    def there(self, target: Path, entry: FdcFile) -> Path | None:
        path = target / entry.file
        return path if path.is_file() else None

    def form(self, name: str) -> str:  # noqa: ARG002  there is one
        return _FORM

    def partial(self, form: str) -> bool:  # noqa: ARG002  no form holds a part only
        return False

    def place(self, target: Path, entry: FdcFile, form: str) -> Path:  # noqa: ARG002
        return target / entry.file

    def verify(self, path: Path, entry: FdcFile, *, revised: bool) -> str:
        return verify_fdc_file(path, entry, revised=revised)


class _Site:
    """USDA's own addresses, or a mirror: ``URL/NAME`` or ``URL/fdc/NAME``."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix.rstrip("/")

    def offers(self, entry: FdcFile) -> Iterator[Offer]:
        if not self.prefix:
            yield Offer(url=entry.url, form=_FORM)
            return
        for below in ("", f"{_WITHIN}/"):
            yield Offer(url=f"{self.prefix}/{below}{quote(entry.file)}", form=_FORM)

    def found(self, entry: FdcFile, offer: Offer) -> None:
        pass

    def absent(self, entry: FdcFile) -> str:
        return f"the source has no such file (HTTP 404): {entry.file}"


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path

    def find(self, entry: FdcFile) -> Path | None:
        for place in (self.root, self.root / _WITHIN):
            if (place / entry.file).is_file():
                return place / entry.file
        return None


def get_fdc(
    kinds: Sequence[str] | None = None,
    *,
    form: str = "csv",
    release: str | None = None,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get downloads of FoodData Central into ``TARGET/``, as zips.

    As :func:`prandial.sources.nhanes.get_nhanes` does: files that are there and hold are kept,
    damaged ones put aside as ``NAME.bad``; what arrives is checked before it gets its name; a
    part is continued on the next call.

    Parameters
    ----------
    kinds : sequence of str, optional
        Of ``foundation``, ``sr_legacy``, ``survey``, ``branded`` (450 MB), ``full`` (480 MB);
        the first three when None.
    form : {'csv', 'json'}
    release : str, optional
        Such as ``2024-10-31``; the newest on record of each kind when None.
    source : str or Path, optional
        None is USDA; an address below which files are ``NAME`` or ``fdc/NAME``; a folder.
    target : Path or str, optional
        Default :func:`fdc_home`.
    revised : bool
        Take a sound file that is not the one on record.
    on_progress, web, pause
        As for ``get_nhanes``.

    Returns
    -------
    GetReport
        One record a file; ``cycle`` is the release and ``table`` the kind.

    Raises
    ------
    NotFoundError, InputError
        On a kind, release or form that there is not; a target that is a file or the source.
    MissingDataError
        When the source folder is missing, or httpx is not installed.
    DataError
        When nothing more can be fetched: no network, disk full, folder forbidden.
    """
    wanted = [
        Wanted(entry=f, named=True) for f in chosen_fdc_files(kinds, form=form, release=release)
    ]
    place = None if source is None else address_or_folder(source)
    folder = _Folder(place) if isinstance(place, Path) else None
    into = fdc_home() if target is None else Path(target)
    check_target(into, None if folder is None else folder.root)
    return get_files(
        _Shelf(),
        wanted,
        folder=folder,
        site=None if folder is not None else _Site("" if place is None else str(place)),
        target=into,
        revised=revised,
        on_progress=on_progress,
        web=web,
        pause=pause,
    )
