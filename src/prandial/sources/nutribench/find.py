"""Where the files of a version of NutriBench are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from prandial.errors import MissingDataError, NotFoundError
from prandial.sources.home import data_home
from prandial.sources.nutribench.rows import FORMATS

__all__ = ["VERSIONS", "find_meals", "meals_home"]

VERSIONS: Final = ("v1", "v2")
#: names of single files that hold a version, without ending
_WHOLE: Final = {
    "v1": ("nutribench_v1", "v1"),
    "v2": ("nutribench_v2", "v2"),
    "who": ("nutribench_v2_who_metric", "who_metric"),
    "multilingual": ("nutribench_v2_multilingual_gpt4o", "multilingual"),
}
#: the published subsets of a version, a file each
PARTS: Final = {
    "v1": ("wweia_meal_natural", "wweia_meal_metric", "who_meal_natural", "who_meal_metric"),
    "v2": ("train",),
}


def meals_home() -> Path:
    """Return the folder of fetched NutriBench files; it may not exist yet."""
    return data_home(os.environ) / "nutribench"


def find_meals(data: str | Path, *, home: Path | None = None) -> tuple[str, tuple[Path, ...]]:
    """Find the files of a version by its name, or take a path as it is.

    Parameters
    ----------
    data : str or Path
        ``v1``, ``v2``, ``who``, ``multilingual``, or the path of a file.
    home : Path, optional
        Folder that is looked in; :func:`meals_home` when None.

    Returns
    -------
    tuple
        Name of the set (empty for a path) and its files.

    Raises
    ------
    MissingDataError
        When a version is named and not there: says how to get it.
    NotFoundError
        When it is neither.
    """
    name = str(data)
    if name in _WHOLE and not Path(name).is_file():
        folder = meals_home() if home is None else home
        files = _there(folder, name)
        if not files:
            how = f"prandial bench get nutribench {name}; or " if name in PARTS else ""
            raise MissingDataError(
                f"NutriBench {name} is not here",
                where=str(folder),
                hint=f"{how}name a file: --data FILE",
            )
        return name, files
    path = Path(name)
    if not path.exists():
        raise NotFoundError(
            f"no file {name!r}", where="data", hint="name a file, or one of: " + ", ".join(_WHOLE)
        )
    return "", (path,)


def _there(folder: Path, name: str) -> tuple[Path, ...]:
    for stem in _WHOLE[name]:
        for suffix in FORMATS:
            if (folder / f"{stem}{suffix}").is_file():
                return (folder / f"{stem}{suffix}",)
    parts = [folder / name / f"{part}.parquet" for part in PARTS.get(name, ())]
    return tuple(parts) if parts and all(p.is_file() for p in parts) else ()
