"""Confusion by food group: what was eaten against what was read, in the nutrient's unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from prandial.score.groups import coarse_group
from prandial.score.reasons import ItemReview

__all__ = ["MISSED", "NO_GOLD", "UNLISTED", "UNREAD", "Cell", "Confusion"]

MISSED: Final = "(missed)"
UNREAD: Final = "(not understood)"
NO_GOLD: Final = "(nothing: extra item)"
UNLISTED: Final = "(not in the table)"
UNNAMED: Final = "(no category)"


@dataclass(kw_only=True, slots=True)
class Cell:
    """Items of one gold group read as one other group.

    ``lost`` is the sum of absolute errors, ``signed`` of estimate minus gold, in
    the nutrient's unit over the items whose error is known (``with_error``).
    ``same_food`` counts items with the gold food itself.
    """

    items: int = 0
    with_error: int = 0
    same_food: int = 0
    lost: float = 0.0
    signed: float = 0.0

    def add(self, other: Cell) -> None:
        """Add the counts of another cell."""
        self.items += other.items
        self.with_error += other.with_error
        self.same_food += other.same_food
        self.lost += other.lost
        self.signed += other.signed


def _gold_group(review: ItemReview) -> str:
    if review.gold is None:
        return NO_GOLD
    if review.gold.category is None:
        return UNLISTED
    return review.gold.category or UNNAMED


def _read_group(review: ItemReview) -> str:
    if review.item is None:
        return MISSED
    food = review.item.food
    return UNREAD if food is None else food.category or UNNAMED


def _coarse(group: str) -> str:
    return group if group.startswith("(") else coarse_group(group)


@dataclass(kw_only=True, slots=True)
class Confusion:
    """Cells by (gold category, read category)."""

    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)

    def add(self, items: Sequence[ItemReview]) -> None:
        """Add one meal's items; those without a verdict are not counted."""
        for review in items:
            if review.verdict is None:
                continue
            error = review.error
            cell = Cell(
                items=1,
                with_error=int(error is not None),
                same_food=int(review.verdict in ("right", "wrong_portion")),
                lost=abs(error or 0.0),
                signed=error or 0.0,
            )
            self._cell(_gold_group(review), _read_group(review)).add(cell)

    def merge(self, other: Confusion) -> None:
        """Add the cells of another confusion."""
        for key, cell in other.cells.items():
            self._cell(*key).add(cell)

    def coarse(self) -> Confusion:
        """Return the same by coarse groups."""
        out = Confusion()
        for (gold, read), cell in self.cells.items():
            out._cell(_coarse(gold), _coarse(read)).add(cell)
        return out

    def top(self, most: int | None = None) -> list[tuple[str, str, Cell]]:
        """Return (gold, read, cell), the most lost first; cells that lost nothing left out."""
        lossy = [(g, r, c) for (g, r), c in self.cells.items() if c.lost > 0]
        return sorted(lossy, key=lambda x: (-x[2].lost, x[0], x[1]))[:most]

    def by_gold(self) -> list[tuple[str, Cell]]:
        """Return each gold group's cells summed, the most lost first."""
        out: dict[str, Cell] = {}
        for (gold, _), cell in self.cells.items():
            out.setdefault(gold, Cell()).add(cell)
        return sorted(out.items(), key=lambda x: (-x[1].lost, x[0]))

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """Return the JSON form: top cells and sums by gold group, fine and coarse."""
        coarse = self.coarse()
        return {
            "items": sum(c.items for c in self.cells.values()),
            "category_cells": _rows(self.top(most)),
            "group_cells": _rows(coarse.top(most)),
            "categories": [_row({"gold": g}, c) for g, c in self.by_gold()][:most],
            "groups": [_row({"gold": g}, c) for g, c in coarse.by_gold()],
        }

    def _cell(self, gold: str, read: str) -> Cell:
        return self.cells.setdefault((gold, read), Cell())


def _rows(cells: Sequence[tuple[str, str, Cell]]) -> list[dict[str, Any]]:
    return [_row({"gold": g, "read": r}, c) for g, r, c in cells]


def _row(head: dict[str, Any], cell: Cell) -> dict[str, Any]:
    return head | {
        "items": cell.items,
        "with_error": cell.with_error,
        "same_food": cell.same_food,
        "lost": round(cell.lost, 2),
        "signed": round(cell.signed, 2),
    }
