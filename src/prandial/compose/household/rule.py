"""Appendix F of the NutriBench paper: grams to a household serving, in two readings.

The paper (arXiv 2407.12843, appendix F) says: the closest serving within 10 % of the grams;
else the closest larger one with a multiple below 3; else the closest smaller one as a
fraction; for still less, cups in spoons. "Larger" and "smaller" can only mean the amount
beside the serving: a multiple of a serving that is larger than the amount would be larger
still. What each reading does with the words is listed in ``docs/household.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, get_args

from prandial.compose.household.measures import NaturalMeasure, natural_measures
from prandial.compose.household.words import said_amount, said_grams, sayable
from prandial.errors import InputError
from prandial.records import Measure
from prandial.records.composed import HouseholdServing, ServingRule
from prandial.units import VOLUME_ML

__all__ = ["READINGS", "TOLERANCE", "Reading", "household_serving"]

Reading = Literal["corrected", "published"]
READINGS: Final[tuple[Reading, ...]] = get_args(Reading)
#: how far a serving may be from the grams, as a share of them (appendix F)
TOLERANCE: Final = 0.1

_MULTIPLES: Final = (1.5, 2.0, 2.5)
_QUARTERS: Final = (3 / 4, 1 / 2, 1 / 4)
#: parts of a measure that people serve: cups come in thirds, a tablespoon is halved at most
_PARTS_OF: Final[dict[str, tuple[float, ...]]] = {
    "cup": (3 / 4, 2 / 3, 1 / 2, 1 / 3, 1 / 4),
    "tbsp": (1 / 2,),
    "fl oz": (),
}
#: spoons and cups that people fill; the larger unit first
_FILLED: Final = (
    ("cup", (1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1.0, 1.5, 2.0, 2.5)),
    ("tbsp", (1.0, 1.5, 2.0, 2.5, 3.0)),
    ("tsp", (1 / 4, 1 / 2, 3 / 4, 1.0, 1.5, 2.0, 2.5)),
)
#: share of a cup -> as the paper prints it; a sixteenth is a tablespoon in truth
_PRINTED: Final = ((1 / 8, 2.0, "tbsp"), (1 / 16, 1.0, "tsp"))
#: a smaller share of a measure is none of the printed ones
_LEAST_QUARTER: Final = (1 / 4 + 1 / 8) / 2
_LEAST_EIGHTH: Final = (1 / 8 + 1 / 16) / 2
_LEAST_SIXTEENTH: Final = 1 / 32


def household_serving(
    food: str,
    measures: Iterable[Measure],
    grams: float,
    *,
    reading: Reading = "corrected",
) -> HouseholdServing:
    """Say grams of a food as a household serving, by appendix F.

    Parameters
    ----------
    food : str
        Name as in its table; gives sizes their noun ("a medium apple").
    measures : iterable of Measure
        Of that food's table.
    grams : float
        Above 0.
    reading : {'corrected', 'published'}
        ``published`` follows the printed words, also where they are wrong; ``corrected`` never
        says an amount that is more than 10 % off.

    Returns
    -------
    HouseholdServing
        Of rule ``grams`` where no serving says it.

    Raises
    ------
    InputError
        When the grams are not above 0, or on another reading.

    References
    ----------
    A. Hua et al., NutriBench, arXiv 2407.12843, appendix F.
    """
    if not grams > 0 or grams == float("inf"):
        raise InputError(f"{grams} g cannot be served", where="grams", hint="an amount above 0")
    if reading not in READINGS:
        raise InputError(
            f"no reading {reading!r}", where="reading", hint="known: " + ", ".join(READINGS)
        )
    natural = natural_measures(measures, reading=reading)
    found = _nearest(food, natural, grams)
    if found is None:
        follow = _corrected if reading == "corrected" else _published
        found = follow(food, natural, grams)
    return found or HouseholdServing(
        text=said_grams(grams), measure="", times=1.0, grams=grams, rule="grams"
    )


def _off(said: float, grams: float) -> float:
    return abs(said - grams) / grams


def _serving(
    food: str, natural: NaturalMeasure, times: float, rule: ServingRule
) -> HouseholdServing:
    return HouseholdServing(
        text=said_amount(natural.number * times, natural.unit, food),
        measure=natural.measure.name,
        times=times,
        grams=natural.grams * times,
        rule=rule,
        source=natural.measure.source,
    )


def _nearest(food: str, natural: Sequence[NaturalMeasure], grams: float) -> HouseholdServing | None:
    near = [n for n in natural if sayable(n.number)]
    best = min(near, key=lambda n: _off(n.grams, grams), default=None)
    if best is None or _off(best.grams, grams) > TOLERANCE:
        return None
    return _serving(food, best, 1.0, "nearest")


def _below(natural: Sequence[NaturalMeasure], grams: float) -> list[NaturalMeasure]:
    """Return the measures that weigh less, the heaviest first."""
    return sorted((n for n in natural if n.grams < grams), key=lambda n: -n.grams)


def _above(natural: Sequence[NaturalMeasure], grams: float) -> list[NaturalMeasure]:
    """Return the measures that weigh more, the lightest first."""
    return sorted((n for n in natural if n.grams > grams), key=lambda n: n.grams)


def _corrected(
    food: str, natural: Sequence[NaturalMeasure], grams: float
) -> HouseholdServing | None:
    return (
        _times(food, _below(natural, grams), grams, "multiple")
        or _times(food, _above(natural, grams), grams, "fraction")
        or _filled(natural, grams)
    )


def _times(
    food: str,
    ordered: Sequence[NaturalMeasure],
    grams: float,
    rule: Literal["multiple", "fraction"],
) -> HouseholdServing | None:
    """Return the first measure of which an allowed number is near the grams."""
    for one in ordered:
        allowed = _MULTIPLES if rule == "multiple" else _PARTS_OF.get(one.volume, _QUARTERS)
        can = [t for t in allowed if sayable(one.number * t)]
        best = min(can, key=lambda t: _off(one.grams * t, grams), default=None)
        if best is not None and _off(one.grams * best, grams) <= TOLERANCE:
            return _serving(food, one, best, rule)
    return None


def _filled(natural: Sequence[NaturalMeasure], grams: float) -> HouseholdServing | None:
    """Return cups or spoons by the weight of a measure of volume; 1 cup = 16 tbsp = 48 tsp."""
    volumes = [n for n in natural if n.volume]
    if not volumes:
        return None
    of = min(volumes, key=lambda n: abs(n.grams - grams))
    grams_per_ml = of.grams / (of.number * VOLUME_ML[of.volume])
    best: tuple[float, str, float] | None = None
    for unit, amounts in _FILLED:
        for amount in amounts:
            off = _off(amount * VOLUME_ML[unit] * grams_per_ml, grams)
            if best is None or off < best[0] - 1e-9:
                best = (off, unit, amount)
    if best is None or best[0] > TOLERANCE:
        return None
    _, unit, amount = best
    return _volume(of, unit, amount, amount * VOLUME_ML[unit] * grams_per_ml)


def _volume(of: NaturalMeasure, unit: str, amount: float, grams: float) -> HouseholdServing:
    """Say spoons of what a measure is of: ``2 tablespoons, chopped`` of ``1 cup, chopped``."""
    kind = of.unit.removeprefix("fl oz") if of.volume == "fl oz" else of.unit.partition(" ")[2]
    return HouseholdServing(
        text=said_amount(amount, f"{unit}, {kind.strip(' ,')}".strip(" ,")),
        measure=of.measure.name,
        times=grams / of.grams,
        grams=grams,
        rule="volume",
        source=of.measure.source,
    )


def _published(
    food: str, natural: Sequence[NaturalMeasure], grams: float
) -> HouseholdServing | None:
    for one in _below(natural, grams):
        whole = int(grams / one.grams + 0.5)
        if whole > 2:
            break
        if whole == 2 and sayable(one.number * 2):
            return _serving(food, one, 2.0, "multiple")
    larger = _above(natural, grams)
    for one in larger[:1]:
        share = grams / one.grams
        part = min(_QUARTERS, key=lambda f: abs(f - share))
        if share >= _LEAST_QUARTER and sayable(one.number * part):
            return _serving(food, one, part, "fraction")
    cups = [n for n in larger if n.volume == "cup"]
    for one in cups[:1]:
        share = grams / one.grams * one.number
        if _LEAST_SIXTEENTH <= share < _LEAST_QUARTER:
            cup_g = one.grams / one.number
            part, amount, unit = _PRINTED[0] if share >= _LEAST_EIGHTH else _PRINTED[1]
            return _volume(one, unit, amount, part * cup_g)
    return None
