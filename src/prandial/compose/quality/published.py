"""Our counts beside those that are known of the whole published set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from prandial.compose.quality.report import QualityReport
from prandial.tables.rules import read_rules

__all__ = ["Beside", "beside_published"]

_USA: Final = "USA"
#: standard deviations that a part drawn at random may differ by
_WIDTH: Final = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """One known oddity of the whole set, and what we find in the rows at hand.

    Parameters
    ----------
    oddity, part : str
    published : float
        Of the whole set; a share of its rows where below 1.
    published_of : int, optional
        How many were looked at there.
    n, checked : int
        Here.
    part_of_set : float
        Rows here to rows of the whole set.
    expected, low, high : float
        What a random part of that size would hold, and two standard deviations around.
    agrees : bool
        Whether what we find lies between.
    """

    oddity: str
    part: str
    published: float
    published_of: int | None
    n: int
    checked: int
    part_of_set: float
    expected: float
    low: float
    high: float

    @property
    def agrees(self) -> bool:
        """Whether ours lies in what a random part would hold."""
        return self.low <= self.n <= self.high

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        told = {name: getattr(self, name) for name in self.__slots__}
        for name in ("part_of_set", "expected", "low", "high"):
            told[name] = round(told[name], 4)
        return {**told, "agrees": self.agrees}


def beside_published(report: QualityReport) -> tuple[Beside, ...]:
    """Put the findings of published v2 rows beside the counts known of the whole set.

    A part drawn at random without return holds, of n odd ones in the whole, a hypergeometric
    number: mean n s and variance n s (1 - s) for the share s of the rows that are here (the
    factor for large sets). Rows were drawn by meal, items come along, so this is a yardstick,
    not a test.

    Parameters
    ----------
    report : QualityReport
        Of v2 rows with countries.

    Returns
    -------
    tuple of Beside
        The oddities that could be checked here.
    """
    countries = report.slices["country"]
    found = []
    for row in read_rules("published_oddities"):
        cells = [c for name, c in countries.items() if _in_part(name, row["part"])]
        here = sum(c["rows"] for c in cells)
        rules = row["rules"].split()
        checked = max(_sum(cells, rule, 1) for rule in rules)
        if row["kind"] == "most" or not here or not checked:
            continue
        n = sum(_sum(cells, rule, 0) for rule in rules)
        found.append(_beside(row, n=n, checked=checked, here=here))
    return tuple(found)


def _beside(row: Mapping[str, str], *, n: int, checked: int, here: int) -> Beside:
    stated, share = float(row["n"]), here / float(row["rows"])
    whole = stated * float(row["rows"]) if row["kind"] == "share" else stated
    expected = whole * share
    width = _WIDTH * math.sqrt(max(whole * share * (1.0 - share), 0.0))
    return Beside(
        oddity=row["oddity"],
        part=row["part"],
        published=stated,
        published_of=int(row["of"]) if row["of"] else None,
        n=n,
        checked=checked,
        part_of_set=share,
        expected=expected,
        low=expected - width,
        high=expected + width,
    )


def _in_part(country: str, part: str) -> bool:
    return part == "all" or (country == _USA) == (part == "usa")


def _sum(cells: list[Mapping[str, Any]], rule: str, which: int) -> int:
    return sum(c[rule][which] for c in cells if rule in c)
