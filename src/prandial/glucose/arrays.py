"""Many scenarios and their traces as arrays: one row a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError
from prandial.glucose.bounds import check_within, numbers_of
from prandial.glucose.kernels import GRID_MIN, N_POINTS, STEP_MIN
from prandial.records import GlucoseTrace, Scenario, Setup

__all__ = ["Scenarios", "Traces"]

Floats = NDArray[np.float64]

#: field of ``Scenarios`` -> quantity of the table of bounds
_BOUND_OF = {
    "isf_mg_dl_per_u": "isf",
    "cir_g_per_u": "cir",
    "basal_u_per_h": "basal",
    "true_carb_g": "carb",
    "estimated_carb_g": "carb",
    "start_glucose_mg_dl": "start_glucose",
    "true_absorption_min": "absorption",
    "reported_absorption_min": "absorption",
}


@dataclass(frozen=True, kw_only=True)
class Scenarios:
    """Columns of many scenarios; every one is brought to shape (n,).

    Parameters
    ----------
    isf_mg_dl_per_u, cir_g_per_u, basal_u_per_h : array_like
        The patients.
    true_carb_g, estimated_carb_g, start_glucose_mg_dl : array_like
        The meals.
    true_absorption_min, reported_absorption_min : array_like
        25 to 595 min.
    setups : sequence of Setup
        The different ways of giving insulin.
    setup_of : array_like of int
        For each row its place in ``setups``.
    large_meals : bool
        Whether meals above 250 g are meant.

    Raises
    ------
    InputError
        When a column has another length, or a value is no number or outside its bound.
    """

    isf_mg_dl_per_u: Any
    cir_g_per_u: Any
    basal_u_per_h: Any
    true_carb_g: Any
    estimated_carb_g: Any
    start_glucose_mg_dl: Any = 120.0
    true_absorption_min: Any = 180.0
    reported_absorption_min: Any = 180.0
    setups: Sequence[Setup] = field(default_factory=lambda: (Setup(),))
    setup_of: Any = 0
    large_meals: bool = False

    def __post_init__(self) -> None:
        columns: dict[str, Any] = {
            name: numbers_of(getattr(self, name), where=name) for name in _BOUND_OF
        }
        columns["setup_of"] = self._setup_of()
        sizes = {c.size for c in columns.values()} - {1}
        length = min(sizes, default=1) if 0 in sizes else max(sizes, default=1)
        for name, column in columns.items():
            if column.ndim != 1:
                raise InputError(
                    f"{name} has shape {column.shape}", where=name, hint="give one value a row"
                )
            if column.size not in (1, length):
                raise InputError(
                    f"{name} has {column.size:,} values, other columns {length:,}",
                    where=name,
                    hint="give one value, or one for each scenario",
                )
            if name in _BOUND_OF:
                quantity = _BOUND_OF[name]
                if quantity == "carb" and self.large_meals:
                    quantity = "carb_when_asked"
                check_within(quantity, column, where=name, hint=self._hint(name))
            object.__setattr__(self, name, np.broadcast_to(column, (length,)))
        object.__setattr__(self, "setups", tuple(self.setups))

    def _setup_of(self) -> NDArray[np.int64]:
        """Return each row's place among the setups."""
        if (
            isinstance(self.setups, str | Setup)
            or not self.setups
            or not all(isinstance(s, Setup) for s in self.setups)
        ):
            raise InputError(
                "setups are no list of setups", where="setups", hint="give [Setup(mode='manual')]"
            )
        given = numbers_of(self.setup_of, where="setup_of")
        places = given.astype(np.int64) if np.isfinite(given).all() else np.full(given.shape, -1)
        bad = (places != given) | (places < 0) | (places >= len(self.setups))
        if bad.any():
            raise InputError(
                f"{given[bad][0]:g} is no place among {len(self.setups)} setups",
                where=f"setup_of, row {int(np.flatnonzero(bad)[0]) + 1}",
                hint=f"give whole numbers from 0 to {len(self.setups) - 1}",
            )
        return places

    def _hint(self, name: str) -> str:
        if not name.endswith("carb_g") or self.large_meals:
            return ""
        return "give grams of carbohydrate; above 250 g say that large meals are meant"

    def __len__(self) -> int:
        return int(self.true_carb_g.size)

    def take(self, rows: Any) -> Scenarios:
        """Return some rows, by slice, mask or positions."""
        names = [*_BOUND_OF, "setup_of"]
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    @classmethod
    def of(cls, scenarios: Sequence[Scenario], *, large_meals: bool = False) -> Scenarios:
        """Return records as columns."""
        # an interval of True is not one of 1.0, although the two are equal
        keys = [(s.setup, type(s.setup.settings.correction_interval_min)) for s in scenarios]
        place = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        setups = [setup for setup, _ in place]
        return cls(
            isf_mg_dl_per_u=[s.patient.isf_mg_dl_per_u for s in scenarios],
            cir_g_per_u=[s.patient.cir_g_per_u for s in scenarios],
            basal_u_per_h=[s.patient.basal_u_per_h for s in scenarios],
            true_carb_g=[s.true_carb_g for s in scenarios],
            estimated_carb_g=[s.estimated_carb_g for s in scenarios],
            start_glucose_mg_dl=[s.start_glucose_mg_dl for s in scenarios],
            true_absorption_min=[s.true_absorption_min for s in scenarios],
            reported_absorption_min=[s.reported_absorption_min for s in scenarios],
            setups=setups,
            setup_of=[place[key] for key in keys],
            large_meals=large_meals,
        )


@dataclass(frozen=True, kw_only=True)
class Traces:
    """Traces of many scenarios, each of shape (n, 73); unit in the name.

    ``temp_basal_u_per_h`` is NaN where no temp basal runs. ``bolus_u`` holds what was given
    at the point. See :class:`prandial.records.GlucoseTrace` for the columns.
    """

    glucose_mg_dl: Floats
    basal_delivered_u: Floats
    bolus_u: Floats
    temp_basal_u_per_h: Floats
    iob_u: Floats

    def __len__(self) -> int:
        return len(self.glucose_mg_dl)

    def one(self, row: int) -> GlucoseTrace:
        """Return one trace as a record."""
        given = self.bolus_u[row]
        temp = self.temp_basal_u_per_h[row]
        return GlucoseTrace(
            at_min=tuple(GRID_MIN.tolist()),
            glucose_mg_dl=tuple(self.glucose_mg_dl[row].tolist()),
            iob_u=tuple(self.iob_u[row].tolist()),
            basal_delivered_u=tuple(self.basal_delivered_u[row].tolist()),
            bolus_u=tuple(
                (float(STEP_MIN * k), float(given[k])) for k in range(N_POINTS) if given[k] > 0
            ),
            temp_basal_u_per_h=tuple(None if np.isnan(r) else float(r) for r in temp),
        )

    @classmethod
    def joined(cls, parts: Sequence[Traces]) -> Traces:
        """Return the rows of several blocks one after the other."""
        return cls(
            **{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls)}
        )
