"""Whole meals in words, with the food and grams of every item known."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from prandial.compose.servings import Serving, draw_serving, own_name
from prandial.compose.spoken import Wording, spoken_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prandial.tables import FoodTable

__all__ = ["Composed", "ComposedItem", "compose_meals", "sentences"]

#: share of meals with one, two, three ... items (house convention)
_ITEMS: Final = (0.34, 0.28, 0.2, 0.11, 0.07)
_PRAISED: Final = 0.25
_LIST_STYLE: Final = 0.08
_TRIES: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class ComposedItem:
    """One item: row of the food in its table, the serving, and its place in the text."""

    food: int
    serving: Serving
    span: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Composed:
    """A meal in words with its answer."""

    text: str
    items: tuple[ComposedItem, ...]


@lru_cache(maxsize=1)
def sentences() -> dict[str, tuple[str, ...]]:
    """Return openings, joiners, closings, praise and articles, by role."""
    path = Path(str(resources.files("prandial").joinpath("tables", "words", "sentences.csv")))
    out: dict[str, list[str]] = {}
    with path.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            out.setdefault(row["role"], []).append(row["text"])
    return {k: tuple(v) for k, v in out.items()}


def compose_meals(
    table: FoodTable,
    weights: Sequence[float],
    *,
    seed: int,
    metric: bool,
    wording: Wording | None = None,
    items: Sequence[float] = _ITEMS,
) -> Iterator[Composed]:
    """Compose meals without end; equal arguments give equal meals.

    Parameters
    ----------
    table : FoodTable
        Foods to draw from, with their measures and amounts.
    weights : sequence of float
        How often each food is drawn (relative).
    seed : int
    metric : bool
        Amounts in grams instead of household measures.
    wording : Wording, optional
    items : sequence of float
        Share of meals with one, two, three ... items.

    Yields
    ------
    Composed
    """
    rng = Random(seed)  # noqa: S311 - text, not secrets
    words = wording or Wording()
    said = sentences()
    rows = range(len(table.names))
    total = list(weights)
    while True:
        n = rng.choices(range(1, len(items) + 1), items)[0]
        picked: list[tuple[int, Serving]] = []
        for _ in range(_TRIES):
            if len(picked) == n:
                break
            food = rng.choices(rows, total)[0]
            serving = draw_serving(table, food, rng, metric=metric, articles=said["article"])
            if serving is not None:
                picked.append((food, serving))
        if picked:
            yield _in_words(table, picked, rng, words, said)


def _phrase(
    table: FoodTable,
    food: int,
    serving: Serving,
    rng: Random,
    wording: Wording,
    praise: tuple[str, ...],
) -> str:
    name = spoken_name(table.names[food], table.alt_names[food], rng, wording)
    if rng.random() < _PRAISED:
        name = f"{rng.choice(praise)} {name}"
    before = serving.before
    weighed = serving.measure == "g"
    if not weighed and before.endswith(" of") and own_name(serving.measure, table.names[food]):
        before = before.split()[0]
    elif not weighed and before.endswith(" of") and rng.random() < 0.12:
        before = before[:-3]
    return " ".join(p for p in (before, name, serving.after) if p)


def _in_words(
    table: FoodTable,
    picked: list[tuple[int, Serving]],
    rng: Random,
    wording: Wording,
    said: dict[str, tuple[str, ...]],
) -> Composed:
    terse = rng.random() < _LIST_STYLE
    text = "" if terse else rng.choice(said["opening"])
    items: list[ComposedItem] = []
    for k, (food, serving) in enumerate(picked):
        phrase = _phrase(table, food, serving, rng, wording, said["praise"])
        if k == 0:
            text += " " if text else ""
        elif terse or (k < len(picked) - 1 and rng.random() < 0.8):
            text += ", "
        else:
            text += (", " if rng.random() < 0.4 else " ") + rng.choice(said["joiner"]) + " "
        items.append(
            ComposedItem(food=food, serving=serving, span=(len(text), len(text) + len(phrase)))
        )
        text += phrase
    return Composed(text=text + ("" if terse else rng.choice(said["closing"])), items=tuple(items))
