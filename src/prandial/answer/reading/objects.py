"""Dictionaries in a reply, however they are written: JSON, Python, half of one, sums inside.

A reply is not JSON: keys without quotes, ``{"total": 28 + 27}``, a bracket that never comes
and words around it all are found. Nothing is ever evaluated here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Entry", "entries_in"]

_KEY: Final = re.compile(
    r"\s*,?\s*(?:\"([^\"\n{}]{1,80})\"|'([^'\n{}]{1,80})'|([^\W\d][\w \-()]{0,60}?))"
    r"\s*(?::|=>|=)\s*"
)
#: a bracket, or a quoted key that lost it
_OPEN: Final = re.compile(r"\{|[\"'][^\"'\n{}:]{1,80}[\"'](?=\s*:)")
_CLOSE: Final = re.compile(r"[\s,]*\}")
_GAP: Final = re.compile(r"[\s,]*")
_FLAT: Final = re.compile(r"[^\[\]{}\n]*")
_DEEPEST: Final = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A key and its value in a dictionary of the reply.

    Parameters
    ----------
    path : tuple of str
        Keys from the outermost to its own.
    value : str
        As written, without its quotes; a list is ``[a, b]``.
    listed : bool
        Whether a list stands above it, as for one of several items.
    start, end : int
        Of the outermost dictionary, in the reply.
    """

    path: tuple[str, ...]
    value: str
    listed: bool
    start: int
    end: int


def entries_in(text: str) -> tuple[Entry, ...]:
    """Return all entries of all dictionaries of a reply in plain writing, in order."""
    entries: list[Entry] = []
    at = 0
    for opening in _OPEN.finditer(text):
        start = opening.start()
        if start < at:
            continue
        scan = _Scan(text)
        end = scan.members(start + (text[start] == "{"), (), False, 0)
        end = max(end, start + 1)
        entries += [
            Entry(path=path, value=value, listed=listed, start=start, end=end)
            for path, value, listed in scan.found
        ]
        at = end
    return tuple(entries)


class _Scan:
    """Walks through one dictionary."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[tuple[tuple[str, ...], str, bool]] = []

    def members(self, at: int, path: tuple[str, ...], listed: bool, depth: int) -> int:
        """Read members up to the closing bracket; return the place after it."""
        while depth < _DEEPEST:
            key = _KEY.match(self.text, at)
            if key is None:
                closing = _CLOSE.match(self.text, at)
                return closing.end() if closing else at
            name = next(k for k in key.groups() if k is not None).strip()
            at = self._value(key.end(), (*path, name), listed, depth)
        return at

    def _value(self, at: int, path: tuple[str, ...], listed: bool, depth: int) -> int:
        first = self.text[at : at + 1]
        if first == "{":
            return self.members(at + 1, path, listed, depth + 1)
        if first == "[":
            return self._list(at + 1, path, depth)
        if first and first in "\"'":
            close = self.text.find(first, at + 1)
            line = self.text.find("\n", at + 1)
            if close != -1 and (line == -1 or close < line):
                self.found.append((path, self.text[at + 1 : close].strip(), listed))
                return close + 1
        end = _raw_end(self.text, at)
        self.found.append((path, self.text[at:end].strip(), listed))
        return end

    def _list(self, at: int, path: tuple[str, ...], depth: int) -> int:
        start = at
        while at < len(self.text):
            step = _GAP.match(self.text, at)
            at = step.end() if step else at
            if self.text[at : at + 1] == "{" and depth + 1 < _DEEPEST:
                at = self.members(at + 1, path, True, depth + 1)
                continue
            close = _FLAT.match(self.text, at)
            at = close.end() if close else at
            break
        if "{" not in self.text[start:at]:
            self.found.append((path, f"[{self.text[start:at].strip()}]", False))
        return at + (self.text[at : at + 1] == "]")


def _raw_end(text: str, at: int) -> int:
    """Return where a value without quotes ends: before ``}``, a line's end or the next key."""
    depth, i = 0, at
    while i < len(text):
        char = text[i]
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char in "}\n" or (
            depth <= 0 and (char == "]" or (char == "," and _KEY.match(text, i)))
        ):
            return i
        i += 1
    return i
