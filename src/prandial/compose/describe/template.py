"""Descriptions without a model: seeded, varied, every food named and every amount said.

What is drawn depends on the seed and the meal's id alone, so that neither the order of meals
nor the number of processes changes a text.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from prandial.compose.describe.amounts import Phrase, grams_text, serving_phrases, with_article
from prandial.compose.describe.names import is_counted, name_variants
from prandial.compose.describe.taken import how_taken
from prandial.errors import InputError
from prandial.records.composed import DescribedMeal, EatenItem, EatenMeal, ServingType
from prandial.tables.rules import read_rules

__all__ = ["describe_meal", "describe_meals", "item_phrase"]

_MASK: Final = (1 << 64) - 1
#: of a 64-bit linear congruential generator: Knuth, The Art of Computer Programming 2, 3.3.4
_TIMES: Final = 6364136223846793005
_PLUS: Final = 1442695040888963407
#: what follows a noun: "sandwich with ham", "apple (raw)"
_NOUN_END: Final = re.compile(r" (?:\(|(?:with|without|in|on|from|of|made|and|or|filled)\b)")
_TERSE: Final = 12
_SPLIT: Final = 25
_SHUFFLED: Final = 50


class _Frame(NamedTuple):
    person: str
    text: str
    late: bool


class _Frames(NamedTuple):
    """Sentence frames of one occasion."""

    openings: tuple[_Frame, ...]
    terse: tuple[str, ...]
    closings: tuple[str, ...]
    late: tuple[str, ...]


@cache
def _rows(role: str) -> tuple[str, ...]:
    return tuple(r["text"] for r in read_rules("meal_frames") if r["role"] == role)


@cache
def _seconds() -> dict[str, tuple[str, ...]]:
    out: dict[str, list[str]] = {}
    for row in read_rules("meal_frames"):
        if row["role"] == "second":
            out.setdefault(row["person"], []).append(row["text"])
    return {k: tuple(v) for k, v in out.items()}


@lru_cache(maxsize=1000)
def _frames(occasion: str, taken: str) -> _Frames:
    """Return the frames that fit an occasion and how its foods were taken.

    Those without an occasion where it is not known; ``taken`` is that of
    :func:`~prandial.compose.describe.taken.how_taken`.
    """
    rows = read_rules("meal_frames")
    low = " ".join(occasion.lower().split())
    said = next((r["text"] for r in rows if r["role"] == "word" and r["occasion"] == low), "")
    bare = said.removeprefix("a ").removeprefix("an ")
    kinds, verbs = {"none"}, {"any", taken, "any" if taken == "drinks" else "not drinks"}
    if said:
        kinds |= {"any", "snack" if said != bare else "meal"}

    def fill(text: str) -> str:
        filled = text.replace("{occasion}", said).replace("{meal}", bare)
        return filled.replace("{Meal}", bare.capitalize())

    openings = tuple(
        _Frame(r["person"], fill(r["text"]), r["occasion"] == "none" or "{" not in r["text"])
        for r in rows
        if r["role"] == "opening" and r["occasion"] in kinds and r["eaten"] in verbs
    )
    return _Frames(
        openings=openings,
        terse=tuple(
            fill(r["text"]) for r in rows if r["role"] == "terse" and r["occasion"] in kinds
        ),
        closings=tuple(
            r["text"] for r in rows if r["role"] == "closing" and r["occasion"] == "none"
        ),
        late=tuple(
            fill(r["text"]) for r in rows if r["role"] == "closing" and r["occasion"] == "late"
        )
        if said
        else (),
    )


@lru_cache(maxsize=64)
def _seeded(seed: int, serving_type: str) -> int:
    return zlib.crc32(f"{seed}|{serving_type}|".encode())


@lru_cache(maxsize=100_000)
def _gram_forms(name: str) -> tuple[str, ...]:
    """Return the ways to say grams; of what is counted not "I had popsicle (50 g)"."""
    forms = _rows("grams")
    noun = _NOUN_END.split(name)[0].split()[-1]
    return tuple(f for f in forms if " of {name}" in f) if is_counted(noun) else forms


def item_phrase(item: EatenItem, serving_type: ServingType, draw: int) -> Phrase:
    """Return one way to say an item and its amount; ``draw`` is any whole number from 0."""
    serving = item.serving
    if serving_type == "natural" and serving is not None and serving.rule != "grams":
        phrases = serving_phrases(
            item.name, serving.measure, serving.times, serving.text, serving.rule
        )
        return phrases[draw % len(phrases)]
    names = name_variants(item.name)
    name = names[draw % len(names)]
    forms = _gram_forms(name)
    form = forms[(draw >> 8) % len(forms)]
    if form.startswith("{name} ("):  # not "water (tap) (240 g)"
        names = tuple(n for n in names if n[-1] != ")") or names
        name = names[draw % len(names)]
    grams = grams_text(item.grams)
    text = form.replace("{g}", grams, 1).replace("{name}", name, 1)
    if form.startswith("a "):
        text = with_article(text)
    at = form.index("{g}")
    tail = form[at + 3 :].split(" of ")[0].split(" serving")[0].split(" portion")[0].rstrip(")")
    return Phrase(text, name, grams + tail.replace("{name}", ""))


def describe_meal(
    meal: EatenMeal, *, serving_type: ServingType, seed: int = 0, variants: int = 0
) -> DescribedMeal:
    """Describe a meal in words drawn by the seed and the meal's id.

    Parameters
    ----------
    meal : EatenMeal
    serving_type : {'natural', 'metric'}
        In a natural text an item without a household serving is said in grams.
    seed : int
    variants : int
        How many other texts of the same meal to keep beside it.

    Returns
    -------
    DescribedMeal

    Raises
    ------
    InputError
        On a meal without items, or another serving type.
    """
    if serving_type not in ("natural", "metric"):
        raise InputError(
            f"no serving type {serving_type!r}", where="serving_type", hint="natural or metric"
        )
    if not meal.items:
        raise InputError("a meal without items", where=meal.id, hint="leave it out")
    start = zlib.crc32(meal.id.encode(), _seeded(seed, serving_type))
    text, names, amounts = _described(meal, serving_type, start)
    others = tuple(
        _described(meal, serving_type, zlib.crc32(b"%d" % k, start))[0] for k in range(variants)
    )
    return DescribedMeal(
        meal=meal,
        serving_type=serving_type,
        text=text,
        names=names,
        amounts=amounts,
        variants=others,
    )


def describe_meals(
    meals: Iterable[EatenMeal], *, serving_type: ServingType, seed: int = 0
) -> Iterator[DescribedMeal]:
    """Describe meals one by one; see :func:`describe_meal`."""
    for meal in meals:
        yield describe_meal(meal, serving_type=serving_type, seed=seed)


def _described(
    meal: EatenMeal, serving_type: ServingType, start: int
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    x = (start * _TIMES + _PLUS) & _MASK
    x = (x * _TIMES + _PLUS) & _MASK
    style = x >> 40
    phrases = []
    for item in meal.items:
        x = (x * _TIMES + _PLUS) & _MASK
        phrases.append(item_phrase(item, serving_type, x >> 33))
    said = [p.text for p in phrases]
    x = (x * _TIMES + _PLUS) & _MASK
    if len(said) > 1 and style % 100 < _SHUFFLED:
        x = _shuffle(said, x)
    frames = _frames(meal.occasion, how_taken(meal.items))
    written = _terse if (style >> 8) % 100 < _TERSE else _sentences
    text = written(said, frames, x)
    return text, tuple([p.name for p in phrases]), tuple([p.amount for p in phrases])


def _shuffle(said: list[str], x: int) -> int:
    for k in range(len(said) - 1, 0, -1):
        x = (x * _TIMES + _PLUS) & _MASK
        j = (x >> 33) % (k + 1)
        said[k], said[j] = said[j], said[k]
    return x


def _terse(said: list[str], frames: _Frames, x: int) -> str:
    between = _rows("terse_between")
    opening = frames.terse[(x >> 33) % len(frames.terse)]
    body = between[(x >> 45) % len(between)].join(said)
    return f"{opening} {body}" if opening else body


def _sentences(said: list[str], frames: _Frames, x: int) -> str:
    opening = frames.openings[(x >> 33) % len(frames.openings)]
    x = (x * _TIMES + _PLUS) & _MASK
    closings = frames.closings
    if opening.late and frames.late and (x >> 60) < 8:
        closings = frames.late
    closing = closings[(x >> 33) % len(closings)]
    x = (x * _TIMES + _PLUS) & _MASK
    if len(said) > 2 and (x >> 40) % 100 < _SPLIT:
        first = 1 + (x >> 48) % (len(said) - 1)
        seconds = _seconds()[opening.person]
        second = seconds[(x >> 33) % len(seconds)]
        return (
            f"{opening.text} {_joined(said[:first], x)}. {second} {_joined(said[first:], x)}"
            f"{closing if closing not in frames.late else '.'}"
        )
    return f"{opening.text} {_joined(said, x)}{closing}"


def _joined(said: list[str], x: int) -> str:
    if len(said) == 1:
        return said[0]
    joiners, betweens = _rows("joiner"), _rows("between")
    between = betweens[(x >> 20) % len(betweens)]
    joiner = joiners[(x >> 26) % len(joiners)]
    return between.join(said[:-1]) + joiner + said[-1]
