"""Get files of FNDDS releases: from USDA, from a mirror or from a folder; verified, resumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from prandial.sources.fetch import (
    Offer,
    Wanted,
    Work,
    address_or_folder,
    check_target,
    get_files,
    run,
)
from prandial.sources.food_files import (
    ALL_RELEASES,
    FORMS,
    FoodFile,
    chosen_files,
    find_food_file,
    load_food_files,
    name_of,
    verify_food_file,
)
from prandial.sources.home import data_home
from prandial.sources.report import Fetched, GetReport, Progress
from prandial.sources.web import Web
from prandial.sources.workbooks import need_openpyxl

__all__ = ["foods_home", "get_foods"]

_WITHIN: Final = "foods"
_NONE: Final = "the source has no such file (HTTP 404)"


def foods_home() -> Path:
    """Return the folder where fetched files of foods are kept; it may not exist yet.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    return data_home(os.environ) / _WITHIN


class _Shelf:
    """``TARGET/NAME``, as Parquet or a workbook."""

    def there(self, target: Path, entry: FoodFile) -> Path | None:
        return find_food_file([target], entry)

    def form(self, name: str) -> str:
        return next((f for f in FORMS if name.lower().endswith(f)), "")

    def partial(self, form: str) -> bool:  # noqa: ARG002  no form holds a part only
        return False

    def place(self, target: Path, entry: FoodFile, form: str) -> Path:
        return target / name_of(entry, form)

    def verify(self, path: Path, entry: FoodFile, *, revised: bool) -> str:
        return verify_food_file(path, entry, revised=revised)


class _Official:
    """USDA's own addresses, of workbooks."""

    def offers(self, entry: FoodFile) -> Iterator[Offer]:
        if entry.url:
            yield Offer(url=entry.url, form=FORMS[1])

    def found(self, entry: FoodFile, offer: Offer) -> None:
        pass

    def absent(self, entry: FoodFile) -> str:
        return f"{_NONE}: {entry.url}" if entry.url else "no address known: take it with --from"


class _Mirror:
    """A mirror on the web: ``URL/NAME`` or ``URL/foods/NAME``, Parquet or a workbook."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix.rstrip("/")
        self._lucky: tuple[str, str] | None = None

    def offers(self, entry: FoodFile) -> Iterator[Offer]:
        ways = [(form, below) for form in FORMS for below in ("", f"{_WITHIN}/")]
        for form, below in sorted(ways, key=lambda way: way != self._lucky):
            name = name_of(entry, form)
            if name:
                yield Offer(url=f"{self.prefix}/{below}{quote(name)}", form=form)

    def found(self, entry: FoodFile, offer: Offer) -> None:
        plain = offer.url == f"{self.prefix}/{quote(name_of(entry, offer.form))}"
        self._lucky = (offer.form, "" if plain else f"{_WITHIN}/")

    def absent(self, entry: FoodFile) -> str:  # noqa: ARG002
        return _NONE


@dataclass(frozen=True, slots=True)
class _Folder:
    """A local folder, files directly in it."""

    root: Path

    def find(self, entry: FoodFile) -> Path | None:
        return find_food_file([self.root], entry)


def _folder(root: Path) -> _Folder:
    """Return a folder of foods: the one given, or ``foods`` within it."""
    own = any(find_food_file([root], f) is not None for f in load_food_files())
    within = root / _WITHIN
    return _Folder(within if within.is_dir() and not own else root)


def _wanted(releases: Sequence[str] | None, *, official: bool) -> list[Wanted[FoodFile]]:
    return [
        Wanted(entry=f, named=releases is not None and f.cycle != ALL_RELEASES)
        for f in chosen_files(releases)
        if f.url or not official
    ]


def _run(work: Work[FoodFile], wanted: Sequence[Wanted[FoodFile]]) -> tuple[Fetched, ...]:
    """Fetch one after the other; foods as Parquet hold the nutrients too."""
    done: list[Fetched] = []
    whole: set[str] = set()
    for one in wanted:
        if one.entry.table == "nutrients" and one.entry.cycle in whole:
            continue
        (record,) = run(work, [one], 1)
        done.append(record)
        if record.table == "foods" and record.path and record.path.suffix.lower() == FORMS[0]:
            whole.add(record.cycle)
    return tuple(done)


def get_foods(
    releases: Sequence[str] | None = None,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get the files of FNDDS releases that a build reads into ``TARGET/``.

    As :func:`prandial.sources.nhanes.get_nhanes` does: files that are there and hold are
    kept, damaged ones put aside as ``NAME.bad``; what arrives is opened and its columns and
    rows are checked before it gets its name; a part is continued on the next call.

    Parameters
    ----------
    releases : sequence of str, optional
        Such as ``["2017-2018"]``; all that are known when None. The table of old food
        codes, which belongs to no single release, comes along where the source has it.
    source : str or Path, optional
        None is USDA (workbooks); an address below which files are ``NAME`` or
        ``foods/NAME``; a folder of files, or one that holds it as ``foods``. Mirrors may
        hold Parquet or workbooks; of both, Parquet is taken.
    target : Path or str, optional
        Default :func:`foods_home`.
    revised : bool
        Take a file with more rows than the registry states.
    on_progress, web, pause
        As for ``get_nhanes``.

    Returns
    -------
    GetReport
        One record a file; ``cycle`` is the release and ``table`` the kind. Nutrients have
        none of their own where foods came as Parquet.

    Raises
    ------
    NotFoundError
        When the registry knows no such release.
    InputError
        When the target is a file, or the source itself.
    MissingDataError
        When the source folder is missing, or httpx or openpyxl are not installed.
    DataError
        When nothing more can be fetched: no network, disk full, folder forbidden.
    """
    place = None if source is None else address_or_folder(source)
    folder = _folder(place) if isinstance(place, Path) else None
    site = _Official() if place is None else _Mirror(str(place))
    wanted = _wanted(releases, official=place is None)
    into = foods_home() if target is None else Path(target)
    check_target(into, None if folder is None else folder.root)
    if place is None:
        need_openpyxl("workbooks of USDA")
    return get_files(
        _Shelf(),
        wanted,
        folder=folder,
        site=None if folder is not None else site,
        target=into,
        fetch_all=lambda work: _run(work, wanted),
        revised=revised,
        on_progress=on_progress,
        web=web,
        pause=pause,
    )
