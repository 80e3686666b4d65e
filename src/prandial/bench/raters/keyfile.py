"""The key of a study: which row of which sheet is which meal, and the labels.

It stays with those who run the study. A digest over all of it tells when it was changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.bench.runs.forms import question_from, question_to
from prandial.errors import ChecksumError, NotFoundError, SchemaError
from prandial.records.bench import MealQuestion

__all__ = ["Key", "SheetKey", "key_text", "read_key"]

_FORMAT: Final = "prandial raters key 1"


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetKey:
    """One sheet: who, in which arm, the file as it was made, row code to id of the meal."""

    rater: str
    arm: str
    file: str
    sha256: str
    rows: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """A study as it was handed out.

    ``settings`` tell seed, meals a rater, who shares them and the form of the sheets;
    ``instructions`` the digest of each arm's text.
    """

    nutrient: str
    settings: Mapping[str, Any]
    instructions: Mapping[str, str]
    questions: tuple[MealQuestion, ...]
    sheets: tuple[SheetKey, ...]

    @property
    def sha256(self) -> str:
        """Digest of all of it."""
        return _digest(_body(self))

    def question(self, name: str) -> MealQuestion:
        """Return a meal by its id."""
        return next(q for q in self.questions if q.id == name)


def key_text(key: Key) -> str:
    """Return a key as it stands in its file."""
    return json.dumps(_body(key) | {"sha256": key.sha256}, ensure_ascii=False, indent=1) + "\n"


def read_key(path: Path) -> Key:
    """Read a key.

    Raises
    ------
    NotFoundError
        When there is none.
    SchemaError
        When it is no key.
    ChecksumError
        When it was changed after it was written.
    """
    if not path.is_file():
        raise NotFoundError(
            "no such file", where=str(path), hint="the key is keep/key.json of the export"
        )
    again = "name the key.json that the export wrote"
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        stated = body.pop("sha256")
        kind = body["format"]
        questions = tuple(question_from(q) for q in body["questions"])
        key = Key(
            nutrient=body["nutrient"],
            settings=body["settings"],
            instructions=body["instructions"],
            questions=tuple(q for q in questions if isinstance(q, MealQuestion)),
            sheets=tuple(SheetKey(**s) for s in body["sheets"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SchemaError("not the key of a study", where=str(path), hint=again) from error
    if kind != _FORMAT:
        raise SchemaError("the key is of another version", where=str(path), hint=again)
    if stated != _digest(body):
        raise ChecksumError("the key was changed", where=str(path), hint=again)
    return key


def _body(key: Key) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "nutrient": key.nutrient,
        "settings": dict(key.settings),
        "instructions": dict(key.instructions),
        "questions": [question_to(q) for q in key.questions],
        "sheets": [
            {
                "rater": s.rater,
                "arm": s.arm,
                "file": s.file,
                "sha256": s.sha256,
                "rows": dict(s.rows),
            }
            for s in key.sheets
        ],
    }


def _digest(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
