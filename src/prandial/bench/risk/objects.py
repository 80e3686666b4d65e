"""Lines of JSON objects, and what is sent in their place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from prandial.batch.lines import read_lines
from prandial.batch.rows import Findings
from prandial.errors import InputError

__all__ = ["document_error", "read_objects"]

#: keys of a report of ``prandial errors --json``
_REPORT: Final = frozenset({"summaries", "worst", "with_gold"})
_LINES: Final = "write one object a line, for example with: jq -c '.[]'"
_ONE: Final = "write one object a line, for example with: jq -c ."


class _TwiceError(ValueError):
    """A key that an object has twice."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(key)
        found[key] = value
    return found


def read_objects(path: Path, findings: Findings) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``(line N, object)`` of a file of JSON lines.

    Parameters
    ----------
    path : Path
    findings : Findings
        Lines that are not UTF-8 are counted here.

    Raises
    ------
    InputError
        On a line that is no JSON object, and a key that is there twice.
    """
    for number, line in enumerate(read_lines(path, findings), start=1):
        if not line.strip():
            continue
        where = f"{path.name}, line {number}"
        try:
            body = json.loads(line, object_pairs_hook=_pairs)
        except _TwiceError as error:
            raise InputError(
                f"the key {str(error)[:40]!r} is there twice", where=where, hint="keep one of them"
            ) from None
        except (ValueError, RecursionError):
            if line.strip() in ("{", "[", "[{"):
                raise document_error(path) from None
            body = None
        if not isinstance(body, dict):
            raise InputError("not a JSON object", where=where, hint=_LINES)
        if body.keys() >= _REPORT:
            raise _report_error(path, body)
        yield f"line {number}", body


def document_error(path: Path) -> InputError:
    """Return the error of a file that is one JSON document, not lines of objects."""
    lines = list(read_lines(path, Findings()))
    try:
        body = json.loads("".join(lines))
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, dict) and body.keys() >= _REPORT:
        return _report_error(path, body)
    if body is None and _are_objects(lines):
        return InputError(
            f"the ending of {path.name!r} is not that of JSON lines",
            where=str(path),
            hint=f"it holds JSON lines: name it {path.stem}.jsonl",
        )
    kind = "one JSON array" if isinstance(body, list) else "one JSON document"
    # the shell empties the file that it writes before jq reads it
    out = f"{path.stem}{'.jsonl' if path.suffix == '.json' else '_lines.jsonl'}"
    return InputError(
        f"this is {kind}, not lines of JSON objects",
        where=str(path),
        hint=f"{_ONE if isinstance(body, dict) else _LINES} {path.name} > {out}",
    )


def _are_objects(lines: Sequence[str]) -> bool:
    """Whether each line that is filled is a JSON object by itself."""
    filled = [line for line in lines if line.strip()]
    try:
        return bool(filled) and all(isinstance(json.loads(s), dict) for s in filled)
    except (ValueError, RecursionError):
        return False


def _report_error(path: Path, body: Mapping[str, Any]) -> InputError:
    meals = str(body.get("file") or "MEALS.csv")
    return InputError(
        "this is a report of `prandial errors --json`: it holds figures, not estimates by meal",
        where=str(path),
        hint=f"give what `prandial estimate {meals} --id-column ID --output run.jsonl` writes,"
        " and a table of meal_id and true_g with --truth",
    )
