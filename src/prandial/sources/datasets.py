"""One way to the files that NutriBench is built from, by the name of the data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.errors import NotFoundError
from prandial.sources.fdc import fdc_at_hand, get_fdc
from prandial.sources.food_get import get_foods
from prandial.sources.gift_get import get_gift, gift_file, gift_home, load_gift_files
from prandial.sources.nutribench import get_nutribench
from prandial.sources.nutribench.find import VERSIONS, meals_home
from prandial.sources.nutribench.registry import load_meal_files
from prandial.sources.report import GetReport, Progress
from prandial.sources.web import Web

__all__ = ["DATASETS", "PartAtHand", "get_dataset", "parts_at_hand"]

#: data set -> what its parts are
DATASETS: Final = {
    "fdc": "kinds: foundation, sr_legacy, survey, branded, full",
    "fndds": "releases, such as 2017-2018",
    "gift": "surveys, such as BOL-00006",
    "nutribench": "versions: v1, v2",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class PartAtHand:
    """A file of a data set on record, and where it lies, if it does."""

    part: str
    file: str
    path: Path | None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "part": self.part,
            "file": self.file,
            "path": None if self.path is None else str(self.path),
        }


def parts_at_hand(name: str, folder: Path | None = None) -> tuple[PartAtHand, ...]:
    """Return the files of a data set on record, and which are at hand.

    Parameters
    ----------
    name : {'fdc', 'gift', 'nutribench'}
    folder : Path, optional
        Where they are looked for; the data set's own in prandial's data folder when None.

    Raises
    ------
    NotFoundError
        On an unknown data set.
    """
    if name == "fdc":
        return tuple(
            PartAtHand(part=f.entry.table, file=f.entry.file, path=f.path)
            for f in fdc_at_hand(folder)
        )
    if name == "gift":
        root = gift_home() if folder is None else folder
        return tuple(
            PartAtHand(part=e.cycle, file=e.file, path=gift_file(root, e.cycle, e.table))
            for e in load_gift_files()
        )
    if name != "nutribench":
        raise NotFoundError(
            f"no data set {name!r}", where="dataset", hint="there are: " + ", ".join(DATASETS)
        )
    root = meals_home() if folder is None else folder
    return tuple(
        PartAtHand(part=v, file=e.file, path=path if (path := root / e.file).is_file() else None)
        for v in VERSIONS
        for e in load_meal_files(v)
    )


def get_dataset(
    name: str,
    parts: Sequence[str] | None = None,
    *,
    form: str = "csv",
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get the files of a data set, verified; cut downloads are continued.

    Parameters
    ----------
    name : {'fdc', 'fndds', 'gift', 'nutribench'}
    parts : sequence of str, optional
        See :data:`DATASETS`; None is what is usual: of ``fdc`` all but the two large ones, of
        the others all on record.
    form : {'csv', 'json'}
        Of ``fdc``.
    source : str or Path, optional
        Folder or address of a mirror; None is the publisher's site (``gift`` has none).
    target : Path or str, optional
        Folder; the data set's own in prandial's data folder when None.
    revised, on_progress, web, pause
        As for :func:`prandial.sources.nhanes.get_nhanes`.

    Returns
    -------
    GetReport
        One record a file.

    Raises
    ------
    NotFoundError
        On an unknown data set or part.
    InputError, MissingDataError, DataError
        As the data set's own function.
    """
    if name not in DATASETS:
        raise NotFoundError(
            f"no data set {name!r}", where="dataset", hint="there are: " + ", ".join(DATASETS)
        )
    if name == "fdc":
        return get_fdc(
            parts,
            form=form,
            source=source,
            target=target,
            revised=revised,
            on_progress=on_progress,
            web=web,
            pause=pause,
        )
    if name == "nutribench":
        into = meals_home() if target is None else Path(target)
        reports = [
            get_nutribench(
                version,
                source=source,
                target=into,
                revised=revised,
                on_progress=on_progress,
                web=web,
                pause=pause,
            )
            for version in (VERSIONS if parts is None else dict.fromkeys(parts))
        ]
        return GetReport(target=into, files=tuple(f for r in reports for f in r.files))
    get = get_foods if name == "fndds" else get_gift
    return get(
        parts,
        source=source,
        target=target,
        revised=revised,
        on_progress=on_progress,
        web=web,
        pause=pause,
    )
