"""Get the published NutriBench files: from the hub, a mirror of it or a folder; verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prandial.sources.fetch import (
    Offer,
    Wanted,
    address_or_folder,
    check_rows,
    check_target,
    file_sha256,
    get_files,
)
from prandial.sources.nutribench.find import meals_home
from prandial.sources.nutribench.meals import read_meals
from prandial.sources.nutribench.registry import MealFile, load_meal_files
from prandial.sources.report import GetReport, Progress
from prandial.sources.web import Web

__all__ = ["get_nutribench"]

_FORM: Final = ".parquet"


class _Shelf:
    """``TARGET/VERSION/SUBSET.parquet``."""

    def there(self, target: Path, entry: MealFile) -> Path | None:
        path = target / entry.file
        return path if path.is_file() else None

    def form(self, name: str) -> str:
        return _FORM if name.lower().endswith(_FORM) else ""

    def partial(self, form: str) -> bool:  # noqa: ARG002  no form holds a part only
        return False

    def place(self, target: Path, entry: MealFile, form: str) -> Path:  # noqa: ARG002
        return target / entry.file

    def verify(self, path: Path, entry: MealFile, *, revised: bool) -> str:
        """Read every meal with its label; a part has no ending that would tell its form."""
        found = read_meals(path, nutrient="carb_g", form=_FORM)
        check_rows(path, entry.rows, found.rows, revised=revised)
        return file_sha256(path)


class _Site:
    """The hub, or a mirror: ``URL/VERSION/SUBSET.parquet``."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix.rstrip("/")

    def offers(self, entry: MealFile) -> Iterator[Offer]:
        url = f"{self.prefix}/{entry.file}" if self.prefix else entry.url
        yield Offer(url=url, form=_FORM)

    def found(self, entry: MealFile, offer: Offer) -> None:
        pass

    def absent(self, entry: MealFile) -> str:
        return f"the source has no such file (HTTP 404): {entry.file}"


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path

    def find(self, entry: MealFile) -> Path | None:
        for name in (entry.file, Path(entry.file).name):
            if (self.root / name).is_file():
                return self.root / name
        return None


def get_nutribench(
    version: str,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get the files of a version into ``TARGET/VERSION/``.

    The files are CC BY-NC-SA 4.0: for evaluation and research, not for sale.

    Parameters
    ----------
    version : {'v1', 'v2'}
    source : str or Path, optional
        None is the hub; an address below which files are ``VERSION/SUBSET.parquet``; a folder.
    target : Path or str, optional
        Default :func:`meals_home`.
    revised : bool
        Take a file with more rows than the registry states.
    on_progress, web, pause
        As for :func:`prandial.sources.nhanes.get_nhanes`.

    Returns
    -------
    GetReport
        One record a file; ``cycle`` is the version and ``table`` the subset.

    Raises
    ------
    NotFoundError
        On a version that there is not.
    MissingDataError
        When the source folder is missing, or httpx is not installed.
    DataError
        When nothing more can be fetched: no network, disk full, folder forbidden.
    """
    wanted = [Wanted(entry=f, named=True) for f in load_meal_files(version)]
    place = None if source is None else address_or_folder(source)
    folder = _Folder(place) if isinstance(place, Path) else None
    into = meals_home() if target is None else Path(target)
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
