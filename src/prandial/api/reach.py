"""Where the functions of prandial find an estimator and a user's own tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from prandial import meal
from prandial.asked import (
    check_release,
)
from prandial.errors import NotFoundError

__all__ = ["estimator_of", "tables_home", "trained_path", "user_paths"]


def tables_home() -> Path:
    """Return the folder of the user's own tables."""
    from prandial.tables.user import user_tables_home

    return user_tables_home(os.environ)


def estimator_of(
    release: str, user_tables: Sequence[str], trained: str | os.PathLike[str] | None
) -> meal.Estimator:
    """Return the estimator of a release with the user's tables and a learned ranking."""
    return meal.get_estimator(
        check_release(release),
        user_tables=user_paths(user_tables),
        trained=trained_path(trained),
    )


def trained_path(trained: str | os.PathLike[str] | None) -> Path | None:
    """Return the file of a learned ranking, which must be there."""
    if trained is None:
        return None
    path = Path(trained)
    if not path.is_file():
        raise NotFoundError(
            "no such file of a learned ranking",
            where=str(path),
            hint="docs/trained.md tells how to make one",
        )
    return path.resolve()


def user_paths(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the compiled files of some user tables."""
    if not names:
        return ()
    from prandial.tables.user import find_user_tables

    return find_user_tables(names, home=tables_home())
