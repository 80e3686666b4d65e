"""What an error of ``prandial risk`` is called where it was given: by its option."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prandial.errors import InputError, PrandialError

__all__ = ["by_option", "check_engine", "number", "parts", "shows_bar"]

#: what the API calls a choice -> the option
_OPTIONS: Final = {
    "abstain": "--abstain",
    "bootstrap": "--bootstrap",
    "engine": "--engine",
    "incomplete": "--incomplete",
    "mode": "--mode",
    "modes": "--modes",
    "n": "--n-patients",
    "n_patients": "--n-patients",
    "on_error": "--on-error",
    "plot": "--plot",
    "policy": "--abstain",
    "quirks": "--quirks",
    "reference": "--reference",
    "reported_absorption_min": "--reported-absorption",
    "second_patient": "--second-patient",
    "seed": "--seed",
    "start_glucose_mg_dl": "--starts",
    "starts": "--starts",
    "true_absorption_min": "--absorption",
}
_ENGINES: Final = ("auto", "numpy", "numba")


@contextmanager
def by_option() -> Iterator[None]:
    """Let an error about a choice name the option that it came from."""
    try:
        yield
    except PrandialError as error:
        error.where = _OPTIONS.get(error.where, error.where)
        raise


def check_engine(engine: str) -> None:
    """Refuse an engine that is not known.

    Raises
    ------
    InputError
        Naming those that are.
    """
    if engine not in _ENGINES:
        raise InputError(
            f"no engine {engine!r}", where="--engine", hint="known: " + ", ".join(_ENGINES)
        )


def shows_bar(*, wished: bool, as_json: bool) -> bool:
    """Whether there is somebody to see a progress bar."""
    return wished and not as_json and sys.stderr.isatty()


def parts(text: str, option: str) -> list[str]:
    """Return the parts of a list with commas; none may be empty."""
    found = [p.strip() for p in text.split(",")]
    if not all(found):
        raise InputError(f"{text!r} is no list", where=option, hint="such as 80,120,160,200")
    return found


def number(text: str, option: str) -> float:
    """Return a number of such a list."""
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"{text!r} is no number", where=option, hint="such as 80,120,160,200"
        ) from None
