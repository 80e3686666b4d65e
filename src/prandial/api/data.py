"""Public files: get them, and see which are at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.bench.ngqa import CycleAtHand
    from prandial.sources.datasets import PartAtHand
    from prandial.sources.food_files import ReleaseAtHand
    from prandial.sources.report import GetReport, Progress

__all__ = ["get_dataset", "get_foods", "get_nhanes", "list_dataset", "list_foods", "list_nhanes"]

_ALL: Final = "all"


def get_nhanes(
    cycles: Sequence[str],
    *,
    tables: Sequence[str] | None = None,
    source: str | Path | None = None,
    target: Path | str | None = None,
    jobs: int = 4,
    revised: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> GetReport:
    """Fetch public NHANES files, verified; cut downloads are continued.

    Parameters
    ----------
    cycles : sequence of str
        Such as ``["2017-2018"]``; ``["all"]`` for every cycle known.
    tables : sequence of str, optional
        Such as ``["DEMO", "BMX"]``; all when None.
    source : str or Path, optional
        Folder or address of a mirror (XPT or Parquet), or a folder that holds it as
        ``nhanes``; the CDC's site when None.
    target : Path, optional
        Folder that gets a folder a cycle; in prandial's data folder when None.
    jobs : int
        Files at a time.
    revised : bool
        Take a sound file that differs from the one the registry knows.
    progress : callable, optional
        Told each step.

    Returns
    -------
    GetReport
        One record a file: got, kept, absent or failed and why.

    Raises
    ------
    NotFoundError
        On an unknown cycle or table.
    DataError
        When nothing more can be fetched.
    """
    from prandial.sources import nhanes

    wanted = tuple(nhanes.load_cycles()) if _ALL in cycles else tuple(cycles)
    return nhanes.get_nhanes(
        wanted,
        tables,
        source=source,
        target=target,
        jobs=jobs,
        revised=revised,
        on_progress=progress,
    )


def list_nhanes(folder: Path | str | None = None) -> tuple[CycleAtHand, ...]:
    """Return the survey cycles known, and which of their files are at hand.

    Parameters
    ----------
    folder : Path, optional
        Folder that holds a folder a cycle; in prandial's data folder when None.
    """
    from prandial.bench.ngqa import cycles_at_hand
    from prandial.sources.nhanes import nhanes_home

    place = nhanes_home() if folder is None else Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError("a file, not a folder", where=str(place), hint="give a folder to --to")
    return cycles_at_hand(place)


def get_foods(
    releases: Sequence[str] | None = None,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> GetReport:
    """Fetch the files of FNDDS releases that a build reads, verified; cut downloads go on.

    Parameters
    ----------
    releases : sequence of str, optional
        Such as ``["2017-2018"]``; every release known when None or with ``"all"``.
    source : str or Path, optional
        Folder or address of a mirror (Parquet or USDA's workbooks), or a folder that holds
        it as ``foods``; USDA's site when None.
    target : Path, optional
        Folder that gets the files; ``foods`` in prandial's data folder when None.
    revised : bool
        Take a sound file with more rows than the registry states.
    progress : callable, optional
        Told each step.

    Returns
    -------
    GetReport
        One record a file: ``cycle`` is the release, ``table`` foods, nutrients, ingredients
        or crosswalk; got, kept, absent or failed and why.

    Raises
    ------
    NotFoundError
        On an unknown release.
    InputError
        When the target is a file.
    MissingDataError
        When the source folder is missing, or openpyxl (for workbooks) or httpx is.
    DataError
        When nothing more can be fetched.
    """
    from prandial.sources import food_get

    return food_get.get_foods(
        None if releases is None or _ALL in releases else tuple(releases),
        source=source,
        target=target,
        revised=revised,
        on_progress=progress,
    )


def list_foods(folder: Path | str | None = None) -> tuple[ReleaseAtHand, ...]:
    """Return the FNDDS releases known, and which of their files are at hand.

    Parameters
    ----------
    folder : Path, optional
        Folder of releases; in prandial's data folder when None.

    Raises
    ------
    InputError
        When it is a file.
    """
    from prandial.sources.food_files import releases_at_hand
    from prandial.sources.food_get import foods_home

    return releases_at_hand(foods_home() if folder is None else Path(folder))


def get_dataset(
    name: str,
    parts: Sequence[str] | None = None,
    *,
    form: str = "csv",
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> GetReport:
    """Fetch the files that NutriBench is built from, verified; cut downloads are continued.

    Parameters
    ----------
    name : {'fdc', 'fndds', 'gift', 'nutribench'}
        FoodData Central, FNDDS (as :func:`get_foods`), a survey of FAO/WHO GIFT, the published
        NutriBench.
    parts : sequence of str, optional
        Of ``fdc`` kinds (``foundation``, ``sr_legacy``, ``survey``, ``branded``, ``full``), of
        ``fndds`` releases, of ``gift`` surveys, of ``nutribench`` versions; when None all on
        record, of ``fdc`` without the two large ones.
    form : {'csv', 'json'}
        Of ``fdc``.
    source : str or Path, optional
        Folder or address of a mirror; the publisher's site when None (``gift`` has none).
    target : Path, optional
        Folder; the data set's own in prandial's data folder when None.
    revised : bool
        Take a sound file that differs from the one the registry knows.
    progress : callable, optional
        Told each step.

    Raises
    ------
    NotFoundError
        On an unknown data set or part.
    MissingDataError
        When the source folder is missing, or none is named for ``gift``.
    DataError
        When nothing more can be fetched.
    """
    from prandial.sources import datasets

    return datasets.get_dataset(
        name,
        None if parts is None or _ALL in parts else tuple(parts),
        form=form,
        source=source,
        target=target,
        revised=revised,
        on_progress=progress,
    )


def list_dataset(name: str, folder: Path | str | None = None) -> tuple[PartAtHand, ...]:
    """Return the files of a data set on record, and which are at hand.

    Parameters
    ----------
    name : {'fdc', 'gift', 'nutribench'}
    folder : Path, optional
        The data set's own in prandial's data folder when None.
    """
    from prandial.sources.datasets import parts_at_hand

    return parts_at_hand(name, None if folder is None else Path(folder))
