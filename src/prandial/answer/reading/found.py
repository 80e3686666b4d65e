"""What was found in a reply, before it is decided which of it holds."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Found"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One place of a reply that states the total, or says that there is none.

    Parameters
    ----------
    value : float, optional
        In the nutrient's unit; None where a word like ``unknown`` stands in its place.
    start, end : int
        In the reply.
    why : str
        Which rule found it.
    """

    value: float | None
    start: int
    end: int
    why: str

    @property
    def refused(self) -> bool:
        """Whether it says that there is no answer: a word, or a number below zero."""
        return self.value is None or self.value < 0
