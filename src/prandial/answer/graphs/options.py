"""Settings of a method: read from a kit, checked, with a default."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from prandial.answer.methods import Kit
from prandial.errors import InputError

__all__ = ["BOUNDS", "COMMON", "WORDINGS", "number", "one_of", "whole"]

WORDINGS: Final = ("matched", "published")
#: how a reply is bound: not at all; the answer alone, by grammar or JSON schema; a line of
#: thought of limited length before the answer
BOUNDS: Final = ("", "grammar", "json", "reasoned")
#: settings of every method that asks a model; ``max_tokens`` 0 is what the task needs,
#: ``hops`` is how far a merged graph is looked into
COMMON: Final[dict[str, Any]] = {"wording": "matched", "bound": "", "max_tokens": 0, "hops": 2}
_Number = TypeVar("_Number", int, float)


def one_of(name: str, value: object, known: tuple[str, ...]) -> str:
    """Return a setting that is one of some words.

    Raises
    ------
    InputError
        When it is none of them.
    """
    if value not in known:
        raise InputError(
            f"{name} is {value!r}",
            where="method option",
            hint="one of: " + ", ".join(repr(k) for k in known),
        )
    return str(value)


def whole(kit: Kit, name: str, default: int, least: int, most: int) -> int:
    """Return a setting that is a whole number; text such as ``"5"`` will do.

    Raises
    ------
    InputError
        When it is not one, or out of bounds.
    """
    return _bounded(kit, name, default, least, most, int, "a whole number")


def number(kit: Kit, name: str, default: float, least: float, most: float) -> float:
    """Return a setting that is a number; text such as ``"0.5"`` will do.

    Raises
    ------
    InputError
        When it is not one, or out of bounds.
    """
    return _bounded(kit, name, default, least, most, float, "a number")


def _bounded(
    kit: Kit,
    name: str,
    default: _Number,
    least: _Number,
    most: _Number,
    kind: type[_Number],
    what: str,
) -> _Number:
    value = kit.options.get(name, default)
    try:
        found: _Number | None = kind(str(value))
    except ValueError:
        found = None
    if found is None or not least <= found <= most:
        raise InputError(
            f"{name} is {value!r}",
            where="method option",
            hint=f"{what} from {least:g} to {most:g}",
        )
    return found
