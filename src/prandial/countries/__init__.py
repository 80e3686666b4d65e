"""ISO 3166 alpha-3 country codes, as a table with a card."""

from __future__ import annotations

import difflib
from functools import lru_cache
from importlib import resources

__all__ = ["alpha3_codes", "as_alpha3", "nearest_alpha3"]


@lru_cache(maxsize=1)
def alpha3_codes() -> frozenset[str]:
    """Return the officially assigned alpha-3 codes."""
    text = resources.files("prandial.countries").joinpath("alpha3.csv").read_text("ascii")
    return frozenset(text.split()[1:])


def as_alpha3(code: str) -> str | None:
    """Return a code in capital letters, or None when it is not assigned.

    Parameters
    ----------
    code : str
        Any writing of an ISO 3166 alpha-3 code, such as ``usa``.

    Returns
    -------
    str or None
    """
    tidy = code.strip().upper()
    return tidy if tidy in alpha3_codes() else None


def nearest_alpha3(code: str) -> tuple[str, ...]:
    """Return up to three assigned codes that look like a wrong one."""
    return tuple(difflib.get_close_matches(code.strip().upper(), sorted(alpha3_codes()), n=3))
