"""Libraries of fine-tuning, imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from prandial.errors import MissingDataError

__all__ = ["HINT", "library", "versions"]

HINT: Final = "pip install 'prandial[train]'"
_TOLD: Final = (
    *("torch", "transformers", "peft", "trl", "accelerate", "datasets", "bitsandbytes"),
    *("gguf", "numpy"),
)


def library(module: str, *, hint: str = HINT) -> Any:
    """Return a module of an optional library.

    Raises
    ------
    MissingDataError
        When it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingDataError(
            f"the library {package} is not installed", where="fine-tuning", hint=hint
        ) from error


def versions() -> dict[str, str]:
    """Return the versions of the libraries that may change a result."""
    found = {}
    for name in _TOLD:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
