"""Text for a terminal: nothing in it may steer the terminal or turn the order of letters."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Final

__all__ = ["json_text", "plain"]

#: what ``json`` leaves as it is, and a terminal obeys or a reader cannot see
_STEERING: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    """Return a text without characters that could steer a terminal."""
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)


def json_text(body: Any, *, indent: int | None = None) -> str:
    """Return JSON whose letters stand as they are, and whose control characters are escaped."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, indent=indent)
    return _STEERING.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
