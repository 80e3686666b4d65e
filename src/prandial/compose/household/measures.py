"""Which measures of a table people eat by, and what their names hold.

A name such as ``0.5 cup, shredded`` or ``1 can (12 fl oz)`` has a number, a unit, and notes
in brackets. Notes to coders ("Quantity not specified"), weights and geometry are listed in
``unsaid_measures.csv`` with the reading of the rule that leaves them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from prandial.records import Measure
from prandial.tables.rules import read_rules

__all__ = ["NaturalMeasure", "natural_measures"]

_LEAD: Final = re.compile(r"^(\d+(?:\.\d+)?|\.\d+)\s+")
_BRACKET: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
#: brackets that say how much a container holds belong to its name; sizes in inches do not
_HOLDS: Final = re.compile(r"^[\d.]+ ?(fl oz|oz|ml|g|calorie)\b")
_TAIL: Final = re.compile(
    r"(\s+1 serving|,? (?:without|excluding) (?:refuse|skin and seed)|, NFS|,? NS as to size)$"
)
#: units of volume, as written in tables -> house name
_VOLUMES: Final = {
    "cup": "cup", "cups": "cup", "tablespoon": "tbsp", "tablespoons": "tbsp", "tbsp": "tbsp",
    "teaspoon": "tsp", "teaspoons": "tsp", "tsp": "tsp", "fl oz": "fl oz",
}  # fmt: skip
_VOLUME: Final = re.compile(r"^(cups?|tablespoons?|tbsp|teaspoons?|tsp|fl oz)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class NaturalMeasure:
    """A measure of a food with its name taken apart.

    Parameters
    ----------
    measure : Measure
        As in its table.
    number : float
        Such as 0.5 of ``0.5 cup, shredded``.
    unit : str
        The words behind the number, without notes in brackets; what a container holds stays.
    volume : str
        ``cup``, ``tbsp``, ``tsp`` or ``fl oz`` where the unit is one, else empty.
    """

    measure: Measure
    number: float
    unit: str
    volume: str

    @property
    def grams(self) -> float:
        """Grams of the whole measure."""
        return self.measure.grams


def natural_measures(measures: Iterable[Measure], *, reading: str) -> tuple[NaturalMeasure, ...]:
    """Return the measures that a reading of the rule may use, in the order of the table.

    Parameters
    ----------
    measures : iterable of Measure
    reading : {'corrected', 'published'}

    Returns
    -------
    tuple of NaturalMeasure
        Without those that weigh nothing or that ``unsaid_measures.csv`` leaves out.
    """
    return tuple(
        NaturalMeasure(measure=m, number=number, unit=unit, volume=volume)
        for m in measures
        for number, unit, volume in (_taken_apart(m.name),)
        if m.grams > 0 and unit and not any(p.search(m.name) for p in _unsaid(reading))
    )


@cache
def _unsaid(reading: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(row["pattern"], re.IGNORECASE)
        for row in read_rules("unsaid_measures")
        if row["reading"] in (reading, "both")
    )


@lru_cache(maxsize=20_000)
def _taken_apart(name: str) -> tuple[float, str, str]:
    lead = _LEAD.match(name)
    number = float(lead.group(1)) if lead else 1.0
    words = name[lead.end() :] if lead else name
    held = [b for b in _BRACKET.findall(words) if _HOLDS.match(b)]
    words = " ".join(_BRACKET.sub("", words).split())
    words = _TAIL.sub("", words).strip(" ,")
    found = _VOLUME.match(words)
    volume = _VOLUMES[found.group(1).lower()] if found else ""
    if held and not volume:
        words = f"{words} ({held[0]})"
    return number, words, volume
