"""Where the user's compiled tables live, and what they may be called."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prandial.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_name", "is_name", "user_tables_home"]

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


def user_tables_home(environ: Mapping[str, str], *, platform: str = sys.platform) -> Path:
    """Return the folder of the user's tables; it may not exist yet.

    ``$PRANDIAL_HOME/tables``; else on Windows ``%LOCALAPPDATA%/prandial/tables``;
    else ``$XDG_DATA_HOME/prandial/tables``, or ``~/.local/share/prandial/tables``
    when that is not set or not absolute.

    Parameters
    ----------
    environ : mapping of str to str
        The environment, such as ``os.environ``.
    platform : str
        As in :data:`sys.platform`.

    Returns
    -------
    Path
        The folder, made or not.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    if environ.get("PRANDIAL_HOME"):
        return Path(environ["PRANDIAL_HOME"]) / "tables"
    windows = platform == "win32"
    if windows and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / "prandial" / "tables"
    data = Path(environ.get("XDG_DATA_HOME", ""))
    if not windows and data.is_absolute():
        return data / "prandial" / "tables"
    home = environ.get("USERPROFILE" if windows else "HOME")
    if not home:
        raise InputError(
            "the environment names no home folder",
            where="environment",
            hint="set PRANDIAL_HOME to the folder that shall hold prandial's files",
        )
    parts = ("AppData", "Local") if windows else (".local", "share")
    return Path(home, *parts, "prandial", "tables")


def is_name(name: str) -> bool:
    """Tell whether a stored table may be called so."""
    return _NAME.fullmatch(name) is not None


def check_name(name: str) -> None:
    """Refuse a name that is no plain file name.

    Raises
    ------
    InputError
        Saying what a name may hold.
    """
    if not is_name(name):
        raise InputError(
            f"a table cannot be called {name!r}",
            where="name",
            hint="use 1 to 41 lower-case letters, digits and hyphens, not starting with a hyphen",
        )
