"""Settings of Loop by the names of Tidepool's simulator (table ``glucose_settings``).

A setting that is not in the table, or a value that is not supported, is an error: none is
passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from prandial.bench.risk.numbers import as_number, one_number
from prandial.errors import InputError, NotFoundError
from prandial.records import LoopSettings
from prandial.tables.rules import read_rules

__all__ = ["read_settings", "settings_of", "settings_record"]

_FIXED: Final[dict[str, Any]] = {
    "partial_application_factor": 0,
    "use_mid_absorption_isf": False,
}
#: PyLoopKit drops a meal after twice the third (slow) absorption time: within six hours never,
#: where it is 180 min or more
_SLOW: Final = 3
_SLOWEST_MIN: Final = 180.0
#: readings come every five minutes
_SHORTEST_MIN: Final = 5.0


@cache
def _rows() -> dict[str, tuple[dict[str, str], ...]]:
    """Return the rows of the table by Tidepool's name."""
    found: dict[str, tuple[dict[str, str], ...]] = {}
    for row in read_rules("glucose_settings"):
        found[row["name"]] = (*found.get(row["name"], ()), row)
    return found


def settings_of(given: Any, *, where: str) -> LoopSettings:
    """Return settings given by Tidepool's names; what is not given has its default.

    Parameters
    ----------
    given : object
        The JSON object; None for all defaults.
    where : str
        File and line, for errors.

    Raises
    ------
    InputError
        On a name that is not known, or a value that is not supported: names the key and what is.
    """
    if given is None:
        return LoopSettings()
    if not isinstance(given, Mapping):
        raise InputError(
            "settings are no JSON object", where=where, hint='such as {"suspend_threshold": 80}'
        )
    fields: dict[str, Any] = {}
    for name, value in given.items():
        rows = _rows().get(name)
        if rows is None:
            raise InputError(
                f"the setting {name!r} is not supported",
                where=f"{where}, settings.{name}",
                hint="leave it out; supported: " + ", ".join(_rows()),
            )
        fields |= _read(rows, value, f"{where}, settings.{name}")
    settings = LoopSettings(**fields)
    _check_together(settings, where)
    return settings


def read_settings(path: Path) -> LoopSettings:
    """Return the settings of a JSON file, by Tidepool's names.

    Raises
    ------
    NotFoundError
        When the file is not there.
    InputError
        When it is no JSON object, or holds a setting that is not supported.
    """
    if not path.is_file():
        raise NotFoundError(f"no file {path.name}", where=str(path), hint="check the path")
    try:
        given = json.loads(path.read_text("utf-8"))
    except (ValueError, OSError, RecursionError):
        raise InputError(
            "the settings cannot be read",
            where=str(path),
            hint='a JSON object such as {"suspend_threshold": 80}',
        ) from None
    return settings_of({} if given is None else given, where=path.name)


def _read(rows: tuple[dict[str, str], ...], value: Any, where: str) -> dict[str, Any]:
    """Return the fields that one setting decides."""
    row = rows[0]
    form, field, quantity = row["form"], row["field"], row["quantity"]
    if form == "switch" and isinstance(value, bool):
        return {field: value}
    if form == "fixed" and _same(value, _FIXED[row["name"]]):
        return {}
    if form == "no effect":
        _check_without_effect(row, value, where)
        return {}
    if (form == "number or null" and value is None) or (form == "number or true" and value is True):
        return {field: value}
    if form.startswith("number"):
        return {field: one_number(quantity, value, where=where)}
    if form == "pair" and isinstance(value, list) and len(value) == len(rows):
        return {
            r["field"]: one_number(r["quantity"], v, where=where)
            for r, v in zip(rows, value, strict=True)
        }
    raise _unsupported(row, value, where)


def _same(value: Any, fixed: Any) -> bool:
    """Whether a value is the one that is supported; false is not 0."""
    return isinstance(value, bool) == isinstance(fixed, bool) and value == fixed


def _check_without_effect(row: dict[str, str], value: Any, where: str) -> None:
    """Refuse what cannot be meant; a sound value changes nothing here (see the table)."""
    if row["quantity"]:
        if not isinstance(value, list) or not value:
            raise _unsupported(row, value, where)
        times = [one_number(row["quantity"], v, where=where) for v in value]
        if len(times) < _SLOW or times[_SLOW - 1] < _SLOWEST_MIN:
            raise _unsupported(row, value, where)
    elif not as_number(value, where=where, hint=row["supported"]) >= _SHORTEST_MIN:
        raise _unsupported(row, value, where)


def _unsupported(row: dict[str, str], value: Any, where: str) -> InputError:
    return InputError(
        f"{json.dumps(value)[:60]} is not supported", where=where, hint=f"give {row['supported']}"
    )


def _check_together(settings: LoopSettings, where: str) -> None:
    if 2 * settings.peak_min >= settings.dia_min:
        raise InputError(
            f"a peak of {settings.peak_min:g} min is not below half of {settings.dia_min:g} min",
            where=f"{where}, settings.model",
            hint="give [duration, peak] in minutes, such as [360, 75]",
        )
    if settings.target_low_mg_dl > settings.target_high_mg_dl:
        raise InputError(
            "the target ends before it begins",
            where=f"{where}, settings.target_range",
            hint="give [low, high] in mg/dL, such as [100, 120]",
        )


def settings_record(settings: LoopSettings) -> dict[str, Any]:
    """Return settings by Tidepool's names, those without effect left out."""
    out: dict[str, Any] = {}
    for name, rows in _rows().items():
        if rows[0]["form"] == "fixed":
            out[name] = _FIXED[name]
        elif rows[0]["form"] == "pair":
            out[name] = [getattr(settings, r["field"]) for r in rows]
        elif rows[0]["field"]:
            out[name] = getattr(settings, rows[0]["field"])
    return out
