"""What a card counts while rows go by: nothing is held but the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from prandial.compose.written.columns import LABELS
from prandial.score.answers.slices import band_of

__all__ = ["MANY_ITEMS", "UNKNOWN", "Counts", "items_name", "slice_order"]

UNKNOWN: Final = "unknown"
#: meals of so many items and more are one slice, as in the paper's figures
MANY_ITEMS: Final = 9
_BY: Final = ("survey", "cycle", "country", "occasion", "serving_type", "described_by")


def items_name(number: int | None) -> str:
    """Return the slice of a number of items: ``1`` to ``8``, ``9+``, ``unknown``."""
    if number is None:
        return UNKNOWN
    return f"{MANY_ITEMS}+" if number >= MANY_ITEMS else str(number)


class Counts:
    """Rows and items by what they are."""

    def __init__(self) -> None:
        self.rows = 0
        self._foods = 0
        self._by: dict[str, Counter[str]] = {name: Counter() for name in (*_BY, "items", "band")}
        self._rules: Counter[str] = Counter()
        self._unlabelled: Counter[str] = Counter()

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        self.rows += 1
        self._foods += row["n_items"]
        for name in _BY:
            self._by[name][row[name] or UNKNOWN] += 1
        self._by["items"][items_name(row["n_items"])] += 1
        carb_g = row["carb_g"]
        self._by["band"][UNKNOWN if carb_g is None else band_of(carb_g, "carb_g")] += 1
        self._rules.update(rule or "none" for rule in row["item_serving_rules"])
        self._unlabelled.update(label for label in LABELS if row[label] is None)

    def take(self, other: Counts) -> None:
        """Add the counts of other rows."""
        self.rows += other.rows
        self._foods += other._foods
        for name, counter in other._by.items():
            self._by[name].update(counter)
        self._rules.update(other._rules)
        self._unlabelled.update(other._unlabelled)

    def to_dict(self) -> dict[str, Any]:
        """Return what stands on the card."""
        return {
            "rows": self.rows,
            "foods": self._foods,
            **{name: _sorted(counter) for name, counter in self._by.items()},
            "serving_rules": _sorted(self._rules),
            "unlabelled": _sorted(self._unlabelled),
        }


def slice_order(name: str) -> tuple[bool, float, str]:
    """Order slices by number first, then by name; unknown last."""
    head = name.split("-")[0].rstrip("+")
    return name == UNKNOWN, float(head) if head.isdigit() else float("inf"), name


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return {name: counter[name] for name in sorted(counter, key=slice_order)}
