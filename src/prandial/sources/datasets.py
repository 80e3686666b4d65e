"""One way to the files that NutriBench is built from, by the name of the data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from prandial.errors import NotFoundError
from prandial.sources.fdc import get_fdc
from prandial.sources.food_get import get_foods
from prandial.sources.gift_get import get_gift
from prandial.sources.nutribench import get_nutribench
from prandial.sources.nutribench.find import VERSIONS, meals_home
from prandial.sources.report import GetReport, Progress
from prandial.sources.web import Web

__all__ = ["DATASETS", "get_dataset"]

#: data set -> what its parts are
DATASETS: Final = {
    "fdc": "kinds: foundation, sr_legacy, survey, branded, full",
    "fndds": "releases, such as 2017-2018",
    "gift": "surveys, such as BOL-00006",
    "nutribench": "versions: v1, v2",
}


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
