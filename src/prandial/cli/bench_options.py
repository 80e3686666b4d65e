"""Options of ``prandial bench`` as they are typed: pairs, numbers, and whose error it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.errors import InputError, PrandialError

if TYPE_CHECKING:
    from prandial.bench.runner import Price

__all__ = ["by_option", "pairs", "price_of", "values"]

#: what the API calls a choice -> the option
_OPTIONS: Final = {
    "arms": "--arm",
    "attempt_timeout_s": "--attempt-timeout",
    "benchmark": "BENCHMARK",
    "by": "--by",
    "column": "--column",
    "country": "--country",
    "data": "--data",
    "draws": "--bootstrap",
    "encoder": "--encoder",
    "form": "--form",
    "graph": "--graph",
    "half": "--half",
    "items": "--items",
    "level": "--level",
    "limit": "--limit",
    "max_cost": "--max-cost",
    "method": "--method",
    "method option": "--option",
    "mode": "--mode",
    "model": "--model",
    "model_args": "-M",
    "nutrient": "--nutrient",
    "option": "--option",
    "per_rater": "--per-rater",
    "price": "--price-in, --price-out",
    "prompt": "--prompt",
    "raters": "--rater",
    "retriever": "--retriever",
    "rules": "--rules",
    "serving": "--serving",
    "sha256": "--sha256",
    "shared": "--shared",
    "split": "--split",
    "task": "--task",
    "textualizer": "--textualizer",
}


@contextmanager
def by_option() -> Iterator[None]:
    """Let an error about a choice name the option that it came from."""
    try:
        yield
    except PrandialError as error:
        error.where = _OPTIONS.get(error.where, error.where)
        raise


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """Read ``name=value`` of an option that may stand several times.

    Raises
    ------
    InputError
        On one without ``=``, or a name that stands twice.
    """
    found: dict[str, str] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise InputError(f"{text!r} is no pair", where=option, hint="such as name=value")
        if name.strip() in found:
            raise InputError(f"{name.strip()!r} is there twice", where=option, hint="keep one")
        found[name.strip()] = value.strip()
    return found


def values(given: Sequence[str] | None, option: str) -> dict[str, Any]:
    """Read pairs whose values are numbers, true or false where they look so."""
    return {name: _value(text) for name, text in pairs(given, option).items()}


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int | float | bool | list | dict) else text


def price_of(
    price_in: float | None, price_out: float | None, table: Path | None, model: str
) -> Price | None:
    """Return the price that was given by two numbers or by a table.

    Raises
    ------
    InputError
        When both ways are used, or one number is missing.
    """
    if price_in is None and price_out is None and table is None:
        return None
    from prandial.bench.runner import Price, read_price

    if table is not None:
        if price_in is not None or price_out is not None:
            raise InputError("prices are given twice", where="--prices", hint="keep one way")
        return read_price(table, model)
    if price_in is None or price_out is None:
        raise InputError(
            "a price is missing",
            where="--price-in, --price-out",
            hint="give both",
        )
    return Price(input_per_million=price_in, output_per_million=price_out)
