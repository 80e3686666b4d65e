"""Where fetched data is kept."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from prandial.tables.user import user_tables_home

__all__ = ["data_home"]


def data_home(environ: Mapping[str, str], *, platform: str = sys.platform) -> Path:
    """Return the folder of fetched data; it may not exist yet.

    ``$PRANDIAL_DATA``; else ``data`` beside the user's tables, see
    :func:`prandial.tables.user.user_tables_home`.

    Parameters
    ----------
    environ : mapping of str to str
        The environment, such as ``os.environ``.
    platform : str
        As in :data:`sys.platform`.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    if environ.get("PRANDIAL_DATA"):
        return Path(environ["PRANDIAL_DATA"])
    return user_tables_home(environ, platform=platform).with_name("data")
