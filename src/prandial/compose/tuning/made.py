"""The rows of a set: singles of every food, combinations of two to four, without leaks."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from prandial.compose.tuning.helpings import Helping, drawn, helpings
from prandial.compose.tuning.leaks import Leaks, words_of
from prandial.compose.tuning.rows import SeenFoods, TuningPart, TuningRow, make_row, part_of
from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.tables import FoodTable

__all__ = ["Share", "TuningSet", "count_singles", "tuning_set"]

#: how many foods a combination has: each equally often (the paper: two to four)
_FOODS: Final = (2, 3, 4)
_TRIES: Final = 20
SAID_BEFORE: Final = "said before"
UNKNOWN: Final = "amount unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """How many rows are made.

    Parameters
    ----------
    natural, metric : int
        Most servings of each kind that a food is told with alone; fewer where its table has
        fewer.
    combined : int
        Meals of two to four foods.
    valid : float
        Share of the foods whose rows are kept for validation, 0 to below 1.
    """

    natural: int = 3
    metric: int = 2
    combined: int = 20_000
    valid: float = 0.02

    def __post_init__(self) -> None:
        for name in ("natural", "metric", "combined"):
            if getattr(self, name) < 0:
                raise InputError(f"{getattr(self, name)} rows", where=name, hint="0 or more")
        if not 0 <= self.valid < 1:
            raise InputError(f"a share of {self.valid}", where="valid", hint="0 to below 1")


@dataclass(frozen=True, kw_only=True, slots=True)
class TuningSet:
    """Rows in a seeded order, and what became of those that were made.

    Parameters
    ----------
    rows : tuple of TuningRow
    made : mapping of str to int
        Rows before any was left out: ``single natural``, ``single metric``, ``combined natural``,
        ``combined metric``.
    left_out : mapping of str to int
        By reason: ``equal text``, ``near text``, ``equal label`` (of a benchmark's meals),
        ``said before`` (a row of this set has the same words), ``amount unknown``.
    foods : int
        Foods that were drawn from.
    """

    rows: tuple[TuningRow, ...]
    made: Mapping[str, int]
    left_out: Mapping[str, int]
    foods: int

    def kept(self) -> dict[str, int]:
        """Return the rows of each kind, serving type and part."""
        found = Counter(f"{r.kind} {r.serving_type} {r.part}" for r in self.rows)
        return dict(sorted(found.items()))


def count_singles(table: FoodTable, foods: Iterable[int] | None = None) -> dict[str, int]:
    """Return how many single-food rows could be made of a table at most, by serving type.

    Parameters
    ----------
    table : FoodTable
    foods : iterable of int, optional
        Rows of foods; all when None.
    """
    found = {"foods": 0, "foods without a measure": 0, "natural": 0, "metric": 0}
    for food in range(len(table.ids)) if foods is None else foods:
        natural = len(helpings(table, food, metric=False))
        found["foods"] += 1
        found["foods without a measure"] += natural == 0
        found["natural"] += natural
        found["metric"] += len(helpings(table, food, metric=True))
    return found


def tuning_set(
    table: FoodTable,
    *,
    seed: int,
    share: Share | None = None,
    nutrient: str = "carb_g",
    leaks: Leaks | None = None,
    foods: Sequence[int] | None = None,
    progress: Callable[[int], None] | None = None,
) -> TuningSet:
    """Make a set; equal arguments give equal rows in equal order.

    Parameters
    ----------
    table : FoodTable
    seed : int
    share : Share, optional
    nutrient : str
        That is asked for: a meal with an item that lacks it is left out.
    leaks : Leaks, optional
        Meals of benchmarks that rows are held against.
    foods : sequence of int, optional
        Rows of foods; all when None.
    progress : callable, optional
        Hears how many rows were made.

    Returns
    -------
    TuningSet
    """
    shares = share or Share()
    chosen = list(range(len(table.ids))) if foods is None else list(foods)
    made: Counter[str] = Counter()
    left: Counter[str] = Counter()
    said: set[bytes] = set()
    seen: SeenFoods = {}
    rows = []
    sources = itertools.chain(
        _singles(table, chosen, shares, seed, seen), _combined(table, chosen, shares, seed, seen)
    )
    for count, row in enumerate(sources, 1):
        made[f"{row.kind} {row.serving_type}"] += 1
        why = _left_out(row, nutrient, leaks, said)
        if why:
            left[why] += 1
        else:
            said.add(_mark(row.text))
            rows.append(row)
        if progress is not None and count % 1000 == 0:
            progress(count)
    rows.sort(key=lambda r: hashlib.sha256(f"{seed}|order|{r.id}".encode()).digest())
    return TuningSet(
        rows=tuple(rows),
        made=dict(sorted(made.items())),
        left_out=dict(sorted(left.items())),
        foods=len(chosen),
    )


def _mark(text: str) -> bytes:
    """Return what stands for the words of a text: 16 bytes, not the words themselves."""
    return hashlib.blake2b(" ".join(sorted(words_of(text))).encode(), digest_size=16).digest()


def _left_out(row: TuningRow, nutrient: str, leaks: Leaks | None, said: set[bytes]) -> str:
    labels = row.labels
    if nutrient not in labels:
        return UNKNOWN
    if _mark(row.text) in said:
        return SAID_BEFORE
    return (leaks.of(row.text, labels) or "") if leaks is not None else ""


def _singles(
    table: FoodTable, foods: Sequence[int], share: Share, seed: int, seen: SeenFoods
) -> Iterator[TuningRow]:
    for food in foods:
        source = table.source(food)
        name = f"{source.release}:{source.id}"
        part = part_of(table.names[food], seed=seed, valid=share.valid)
        for metric, most in ((False, share.natural), (True, share.metric)):
            for one in drawn(helpings(table, food, metric=metric), most, f"{seed}|{name}"):
                key = f"single {name} {one.serving_type} {one.key}"
                rng = Random(f"{seed}|{key}")  # noqa: S311 - text, not secrets
                yield make_row(table, [one], id=key, part=part, rng=rng, seen=seen)


def _combined(
    table: FoodTable, foods: Sequence[int], share: Share, seed: int, seen: SeenFoods
) -> Iterator[TuningRow]:
    """Yield meals of several foods, all of one part; food eaten often is drawn oftener."""
    sides: dict[TuningPart, list[int]] = {"train": [], "valid": []}
    for food in foods:
        sides[part_of(table.names[food], seed=seed, valid=share.valid)].append(food)
    in_valid = round(share.combined * share.valid)
    kept: dict[tuple[int, bool], tuple[Helping, ...]] = {}
    counts: dict[TuningPart, int] = {"train": share.combined - in_valid, "valid": in_valid}
    for part, wanted in counts.items():
        side = sides[part]
        if len(side) < max(_FOODS):
            continue
        weights = list(itertools.accumulate(1 + math.sqrt(table.eaten_count[f]) for f in side))
        for number in range(wanted):
            key = f"combined {part} {number}"
            rng = Random(f"{seed}|{key}")  # noqa: S311 - text, not secrets
            picked = _picked(table, side, weights, rng, kept)
            if picked:
                yield make_row(table, picked, id=key, part=part, rng=rng, seen=seen)


def _picked(
    table: FoodTable,
    side: Sequence[int],
    weights: Sequence[float],
    rng: Random,
    kept: dict[tuple[int, bool], tuple[Helping, ...]],
) -> list[Helping]:
    metric = rng.random() < 0.5
    wanted = rng.choice(_FOODS)
    found: dict[int, Helping] = {}
    for _ in range(_TRIES):
        if len(found) == wanted:
            break
        food = rng.choices(side, cum_weights=weights)[0]
        if (food, metric) not in kept:
            kept[food, metric] = helpings(table, food, metric=metric)
        choices = kept[food, metric]
        if choices and food not in found:
            found[food] = rng.choice(choices)
    return list(found.values()) if len(found) >= min(_FOODS) else []
