"""Foods that are asked for, foods that came near, and what became of each name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from prandial.records import Source

if TYPE_CHECKING:
    from prandial.sources.gift import GiftRecord

__all__ = ["AskedFood", "FoodMatch", "Mapped", "asked_foods"]


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedFood:
    """A food of a survey that is looked for in a table.

    Parameters
    ----------
    name : str
    code : str
        FoodEx2, or the survey's own; empty if none.
    records : int
        How many food records have it.
    grams : float, optional
        A usual amount, for reviewers.
    carb_per_100g : float, optional
        As its survey has it; tells dry weights of foods named as boiled.
    """

    name: str
    code: str = ""
    records: int = 0
    grams: float | None = None
    carb_per_100g: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FoodMatch:
    """A food of the table that came near.

    Parameters
    ----------
    row : int
        In the table.
    name : str
    source : Source
    similarity : float
        Cosine of the embeddings, -1 to 1; NaN where a person named the food.
    lexical : float
        Share of the name's words that the food has, 0 to 1.
    score : float
        All evidence together.
    """

    row: int
    name: str
    source: Source
    similarity: float
    lexical: float
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Mapped:
    """What became of a name.

    Parameters
    ----------
    asked : AskedFood
    match : FoodMatch, optional
        None when nothing came near enough, or a person said that there is none.
    alternatives : tuple of FoodMatch
        The best foods, first included, whether near enough or not.
    by : {'model', 'person'}
    flags : tuple of str
        Why a person should look: ``weighed dry``, ``near the threshold``, ``close second``,
        ``nutrients differ``.
    """

    asked: AskedFood
    match: FoodMatch | None
    alternatives: tuple[FoodMatch, ...]
    by: Literal["model", "person"] = "model"
    flags: tuple[str, ...] = ()


def asked_foods(records: Iterable[GiftRecord]) -> list[AskedFood]:
    """Return the foods of a survey, each once, the most frequent first.

    Parameters
    ----------
    records : iterable of GiftRecord

    Returns
    -------
    list of AskedFood
        ``carb_per_100g`` over all grams with known carbohydrate; the median amount.
    """
    held: dict[tuple[str, str], list[GiftRecord]] = {}
    for record in records:
        held.setdefault((record.name, record.foodex2), []).append(record)
    found = []
    for (name, code), own in held.items():
        known = [r for r in own if "carb_g" in r.nutrients]
        grams = sum(r.grams for r in known)
        carb = sum(r.nutrients["carb_g"] for r in known)
        found.append(
            AskedFood(
                name=name,
                code=code,
                records=len(own),
                grams=float(np.median([r.grams for r in own])),
                carb_per_100g=100 * carb / grams if grams else None,
            )
        )
    return sorted(found, key=lambda f: (-f.records, f.name, f.code))
