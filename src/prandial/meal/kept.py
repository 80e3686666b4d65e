"""Results worth keeping: a cache of bounded size that forgets what is not asked for."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["Kept"]

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """A mapping that holds at most about ``size`` entries, the recently used ones.

    Entries live in two halves. A new or found entry goes to the young half; when
    that is full, the old half is dropped and the young one becomes old. An entry
    asked for at least once in ``size / 2`` new ones is never lost, and finding
    one costs a dictionary look-up.

    Parameters
    ----------
    size : int
        Entries kept at most.
    """

    __slots__ = ("_half", "_old", "_young")

    def __init__(self, size: int) -> None:
        self._half = max(size // 2, 1)
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def __len__(self) -> int:
        return len(self._young.keys() | self._old.keys())

    def get(self, key: K, default: V) -> V:
        """Return what is kept under a key, or ``default``."""
        young = self._young
        if key in young:
            return young[key]
        if key in self._old:
            found = self._old[key]
            self.put(key, found)
            return found
        return default

    def put(self, key: K, value: V) -> None:
        """Keep a value."""
        if len(self._young) >= self._half:
            self._old = self._young
            self._young = {}
        self._young[key] = value
