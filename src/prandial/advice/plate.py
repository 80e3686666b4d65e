"""A meal as amounts of its items, which can be judged, changed and judged again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from prandial.advice.amounts import RULE_NUTRIENTS, amounts_on, exact
from prandial.advice.counting import Count, Wanted, count, outcome_of
from prandial.advice.tagging import standing
from prandial.records import Amount, Change, Outcome
from prandial.tags import Basis, thresholds

__all__ = ["Plate", "middle_outcome"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plate:
    """Amounts eaten: of the whole meal, and of each item.

    Parameters
    ----------
    basis : Basis
        On which it is judged.
    whole : mapping of str to Amount
        By tag nutrient, as eaten.
    items : tuple of mapping
        The same for each item.
    grams : tuple of float or None
        Middle grams of each item, None unknown.
    complete : bool
        Whether all of the meal is among the items.
    """

    basis: Basis
    whole: Mapping[str, Amount]
    items: tuple[Mapping[str, Amount], ...]
    grams: tuple[float | None, ...]
    complete: bool

    @property
    def weight(self) -> float | None:
        """Middle grams of the whole meal; None when some of it is unknown."""
        known = [g for g in self.grams if g is not None]
        return math.fsum(known) if self.complete and len(known) == len(self.grams) else None

    def stated(self) -> dict[str, Amount]:
        """Return the meal's amounts on its basis."""
        return amounts_on(self.basis, self.whole, grams=self.weight)

    def count(self, wanted: Mapping[str, Wanted]) -> Count:
        """Apply the rule of the verdict."""
        rows, stated = thresholds(self.basis), self.stated()
        return count(wanted, {n: standing(stated[n], rows[n]) for n in wanted})

    def middle(self) -> dict[str, float | None]:
        """Return middle amounts of what was understood, on the basis; None unknown."""
        sums: dict[str, float | None] = {}
        for n in RULE_NUTRIENTS:
            mids = [i[n].mid for i, g in zip(self.items, self.grams, strict=True) if g is not None]
            known = [m for m in mids if m is not None]
            sums[n] = exact(math.fsum(known)) if mids and len(known) == len(mids) else None
        return self._on_basis(sums)

    def _on_basis(self, sums: dict[str, float | None]) -> dict[str, float | None]:
        if self.basis == "per_serving":
            return sums
        weight = math.fsum(g for g in self.grams if g is not None)
        found: dict[str, float | None] = {}
        for n, row in thresholds(self.basis).items():
            value, by = sums[n], weight if row.per == "100 g" else sums["calorie"]
            found[n] = exact(100.0 * value / by) if value is not None and by else None
        return found

    def with_item(self, at: int, amounts: Mapping[str, Amount]) -> Plate:
        """Return the meal with other amounts in place of an item's, at the same grams.

        Ranges of the items are added end to end, so the whole's range is not too narrow.
        """
        items = (*self.items[:at], amounts, *self.items[at + 1 :])
        return replace(self, items=items, whole={n: self._sum(items, n) for n in RULE_NUTRIENTS})

    def scaled(self, factor: float) -> Plate:
        """Return so much of every item."""
        return replace(
            self,
            whole={n: _times(a, factor) for n, a in self.whole.items()},
            items=tuple({n: _times(a, factor) for n, a in i.items()} for i in self.items),
            grams=tuple(None if g is None else g * factor for g in self.grams),
        )

    def _sum(self, items: tuple[Mapping[str, Amount], ...], n: str) -> Amount:
        mids = [i[n].mid for i in items]
        highs = [i[n].high for i in items]
        sure = self.complete and None not in mids and None not in highs
        return Amount(
            low=exact(math.fsum(i[n].low for i in items)),
            mid=exact(math.fsum(m for m in mids if m is not None)) if sure else None,
            high=exact(math.fsum(h for h in highs if h is not None)) if sure else None,
            unit=items[0][n].unit,
        )

    def changes(self, other: Plate, wanted: Mapping[str, Wanted]) -> tuple[Change, ...]:
        """Compare middle amounts of needed nutrients, and of energy, with those of another."""
        before, after = self.middle(), other.middle()
        found = []
        for n in dict.fromkeys((*wanted, "calorie")):
            way = wanted[n].direction if n in wanted else ""
            found.append(
                Change(
                    nutrient=n,
                    unit=self.whole[n].unit,
                    before=before[n],
                    after=after[n],
                    outcome_before=middle_outcome(way, n, before[n], self.basis) if way else None,
                    outcome_after=middle_outcome(way, n, after[n], self.basis) if way else None,
                )
            )
        return tuple(found)


def _times(amount: Amount, factor: float) -> Amount:
    return Amount(
        low=exact(amount.low * factor),
        mid=None if amount.mid is None else exact(amount.mid * factor),
        high=None if amount.high is None else exact(amount.high * factor),
        unit=amount.unit,
    )


def middle_outcome(direction: str, nutrient: str, value: float | None, basis: Basis) -> Outcome:
    """Tell what a middle amount says to a need in one direction."""
    if value is None:
        return "unknown"
    rule = thresholds(basis)[nutrient]
    point = Amount(low=value, mid=value, high=value, unit=rule.unit)
    return outcome_of(direction, *standing(point, rule))
