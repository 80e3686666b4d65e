"""A method's settings: defaults, what the run gives in their place, checked by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prandial.errors import InputError

__all__ = ["Settings"]

_FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Settings:
    """Settings of one method.

    Parameters
    ----------
    defaults : mapping
        Every setting the method knows.
    given : mapping
        What the run gives; numbers and flags may be text, as from a command line.

    Raises
    ------
    InputError
        For a setting the method does not know.
    """

    def __init__(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        unknown = [name for name in given if name not in defaults]
        if unknown:
            raise InputError(
                f"the method has no setting {unknown[0]!r}",
                where="option",
                hint="it has: " + ", ".join(sorted(defaults)),
            )
        self._values = {**defaults, **given}

    def whole(self, name: str, *, least: int = 1, most: int = 100_000) -> int:
        """Return a whole number between two bounds."""
        value = self._values[name]
        try:
            number = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not least <= number <= most or number != int(number):
            raise InputError(
                f"{name} must be a whole number, {least} to {most}, not {value!r}",
                where=f"option {name}",
                hint=f"try {least}",
            )
        return int(number)

    def flag(self, name: str) -> bool:
        """Return a yes or no."""
        value = self._values[name]
        found = value if isinstance(value, bool) else _FLAGS.get(str(value).lower())
        if found is None:
            raise InputError(
                f"{name} is yes or no, not {value!r}", where=f"option {name}", hint="true or false"
            )
        return found

    def one_of(self, name: str, choices: Sequence[str]) -> str:
        """Return one of some words."""
        value = str(self._values[name])
        if value not in choices:
            raise InputError(
                f"{name} cannot be {value!r}",
                where=f"option {name}",
                hint="one of: " + ", ".join(choices),
            )
        return value

    def text(self, name: str) -> str:
        """Return a text."""
        return str(self._values[name])
