"""Grams as a household serving where one weighs exactly so."""

from __future__ import annotations

from typing import Final

from prandial.compose.recalls.kinds import STEPS, spoons_of
from prandial.compose.recalls.reference import Reference, ReferenceMeasure
from prandial.compose.recalls.said import serving_text
from prandial.records.composed import HouseholdServing

__all__ = ["ExactServings"]

#: the last recorded decimal, with the noise of binary numbers, or one part in 10,000: the
#: survey converts volumes with more digits than the table of portions prints (4 fl oz of milk
#: at 30.5 g are recorded as 122.01 g)
_WITHIN_G: Final = 0.01 + 1e-9
_WITHIN_SHARE: Final = 1e-4


class ExactServings:
    """Household servings of the foods of a reference; an answer once found is kept.

    Parameters
    ----------
    reference : Reference
    """

    def __init__(self, reference: Reference) -> None:
        self._reference = reference
        self._found: dict[tuple[int, float], HouseholdServing | None] = {}

    def __len__(self) -> int:
        return len(self._found)

    def of(self, row: int, grams: float) -> HouseholdServing | None:
        """Return the serving of a food that weighs what was eaten.

        Parameters
        ----------
        row : int
            Of the reference.
        grams : float
            Above 0, recorded to 0.01 g.

        Returns
        -------
        HouseholdServing or None
            A measure times a number (table ``serving_times``) that its kind allows
            (``serving_kinds``), equal to the grams within 0.01 g or one part in 10,000. Of
            several the one of least cost, of equal ones the first in the food table; None
            where none fits. The rule is ``volume`` where a part of a cup or tablespoon is said
            in smaller spoons (``spoons``), else ``exact``.
        """
        key = row, grams
        try:
            return self._found[key]
        except KeyError:
            found = self._found[key] = self._search(row, grams)
            return found

    def _search(self, row: int, grams: float) -> HouseholdServing | None:
        within = max(_WITHIN_G, _WITHIN_SHARE * grams)
        best: tuple[int, ReferenceMeasure, int] | None = None
        for measure in self._reference.measures[row]:
            steps = round(grams / measure.grams * STEPS)
            cost = measure.kind.costs.get(steps)
            if cost is None or (best is not None and best[0] <= cost):
                continue
            if steps % STEPS and measure.grams < measure.kind.parts_from_g:
                continue
            if abs(measure.grams * steps / STEPS - grams) <= within:
                best = cost, measure, steps
        if best is None:
            return None
        _, measure, steps = best
        return HouseholdServing(
            text=serving_text(measure.name, steps),
            measure=measure.name,
            times=steps / STEPS,
            grams=measure.grams * steps / STEPS,
            rule="volume" if steps in spoons_of(measure.kind.name) else "exact",
            source=self._reference.sources[row],
        )
