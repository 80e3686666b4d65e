"""Where the functions of prandial find an estimator and a user's own tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from prandial import meal
from prandial.asked import (
    check_list,
    check_release,
)
from prandial.errors import InputError, NotFoundError

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


def trained_path(trained: str | os.PathLike[str] | None, *, whole: bool = False) -> Path | None:
    """Return the file of a learned ranking, which must be there, and ``whole`` if asked."""
    if trained is None:
        return None
    given: object = trained
    if not isinstance(given, str | os.PathLike):
        raise InputError(
            f"a learned ranking must be a path, not {type(given).__name__}",
            where="trained",
            hint="docs/trained.md tells how to make one",
        )
    path = Path(trained)
    if not path.is_file():
        raise NotFoundError(
            "no such file of a learned ranking",
            where=str(path),
            hint="docs/trained.md tells how to make one",
        )
    if whole:
        from prandial.meal.trained import load_trained

        load_trained(path)
    return path.resolve()


def user_paths(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the compiled files of some user tables."""
    if not names:
        return ()
    if isinstance(names, str):
        raise InputError(
            "user tables must be a list of names", where="user_tables", hint=f"such as [{names!r}]"
        )
    check_list(names, "user_tables", "a list of names")
    from prandial.tables.user import find_user_tables

    return find_user_tables(names, home=tables_home())
