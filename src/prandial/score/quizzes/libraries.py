"""Libraries of metrics, imported when a score is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from prandial.errors import MissingDataError

__all__ = ["library"]


def library(module: str, package: str, *, hint: str = "pip install 'prandial[bench]'") -> Any:
    """Return a module of an optional library.

    Raises
    ------
    MissingDataError
        When it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingDataError(
            f"the library {package} is not installed", where="scores", hint=hint
        ) from error
