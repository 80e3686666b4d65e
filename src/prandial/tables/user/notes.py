"""Notes a reader leaves: plain sentences, and counts with their first places."""

from __future__ import annotations

__all__ = ["Notebook"]

#: places named before the rest is only counted
_NAMED = 5


class Notebook:
    """Collects sentences and counted happenings, in order of first mention."""

    def __init__(self) -> None:
        self._order: list[str] = []
        self._places: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}

    def say(self, sentence: str) -> None:
        """Add a sentence once."""
        if sentence not in self._order:
            self._order.append(sentence)

    def count(self, what: str, place: str) -> None:
        """Count a happening and keep its place if it is among the first five."""
        if what not in self._counts:
            self._order.append(what)
            self._counts[what] = 0
            self._places[what] = []
        self._counts[what] += 1
        if len(self._places[what]) < _NAMED:
            self._places[what].append(place)

    def lines(self) -> tuple[str, ...]:
        """Return all notes; a counted one ends with its count and places."""
        out = []
        for what in self._order:
            if what not in self._counts:
                out.append(what)
                continue
            n, places = self._counts[what], self._places[what]
            rest = f"; and {n - len(places)} more" if n > len(places) else ""
            out.append(f"{what}: {n} ({'; '.join(places)}{rest})")
        return tuple(out)
