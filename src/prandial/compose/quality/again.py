"""Rows that came before: the same text, the same labels, the same foods and amounts.

Eight bytes a row and key are held, nothing else of a row.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from typing import Final

import numpy as np

from prandial.compose.quality.rows import CheckedMeal
from prandial.compose.quality.texts import plain_text
from prandial.sources.nutribench import LABELS

__all__ = ["AGAIN_RULES", "Again"]

#: decimals that labels are published with
_DECIMALS: Final = {"carb_g": 2, "protein_g": 2, "fat_g": 2, "energy_kcal": 1}
_NONE: Final = 0


def _text_key(meal: CheckedMeal) -> str:
    return plain_text(meal.text)


def _label_key(meal: CheckedMeal) -> str:
    if any(n not in meal.labels for n in LABELS):
        return ""
    rounded = [round(meal.labels[n], _DECIMALS[n]) for n in LABELS]
    return f"{meal.serving}|{rounded}" if any(rounded) else ""


def _meal_key(meal: CheckedMeal) -> str:
    amounts = meal.grams
    if amounts is None or None in amounts:
        amounts = meal.item_labels.get("carb_g")
    if not meal.names or amounts is None or None in amounts:
        return ""
    told = sorted(
        f"{n.casefold()}|{a:.2f}" for n, a in zip(meal.names, amounts, strict=True) if a is not None
    )
    return "\n".join((meal.serving, *told))


AGAIN_RULES: Final = {
    "text_again": _text_key,
    "label_again": _label_key,
    "meal_again": _meal_key,
}


def _short(key: str) -> int:
    if not key:
        return _NONE
    digest = hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


class Again:
    """Keys of the rows so far."""

    def __init__(self) -> None:
        self._keys = {rule: array("Q") for rule in AGAIN_RULES}

    def add(self, meal: CheckedMeal) -> None:
        """Take the keys of a row."""
        for rule, key in AGAIN_RULES.items():
            self._keys[rule].append(_short(key(meal)))

    def checked(self, rule: str) -> list[int]:
        """Return the places of the rows that have a key."""
        keys = np.frombuffer(self._keys[rule], dtype=np.uint64)
        places: list[int] = np.flatnonzero(keys != _NONE).tolist()
        return places

    def found(self, rule: str) -> Iterator[tuple[int, int]]:
        """Yield each row that came before, and the first that was like it, by their places."""
        keys = np.frombuffer(self._keys[rule], dtype=np.uint64)
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        new = np.ones(len(keys), dtype=bool)
        new[1:] = ordered[1:] != ordered[:-1]
        first = order[np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))]
        repeats = ~new & (ordered != _NONE)
        places, like = order[repeats], first[repeats]
        by_place = np.argsort(places, kind="stable")
        yield from zip(places[by_place].tolist(), like[by_place].tolist(), strict=True)
