"""What an assessment found: rows, paired differences, ranges, with every choice recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError, NotFoundError
from prandial.glucose.bootstrap import means
from prandial.glucose.cells import Cells, Pairs
from prandial.glucose.design import PERFECT, Design, Estimates
from prandial.glucose.risk import METRICS, windows

__all__ = [
    "AGGREGATION",
    "ALL",
    "NOTE",
    "OF_MEALS",
    "Assessment",
    "Difference",
    "Measured",
    "RangeRow",
    "Row",
    "StartRow",
    "json_safe",
    "metric_named",
]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: scope of a row that is of all setups
ALL: Final = "all"
#: how simulations become one number
AGGREGATION: Final = "mean over simulations of per-simulation values"
#: metrics told of each meal
OF_MEALS: Final = ("tir_percent", "tbr_percent", "tar_percent", "bgri_1_401", "bgri_20_600")
NOTE: Final = "Research use, not dosing advice"
_PLACES: Final = 6


def json_safe(value: Any) -> Any:
    """Return the value with NaN as None and numbers rounded to 6 places, at any depth."""
    if isinstance(value, Mapping):
        return {str(k): json_safe(v) for k, v in value.items()}
    if isinstance(value, str) or not isinstance(value, (Sequence, np.ndarray, float, np.generic)):
        return value
    if isinstance(value, (float, np.floating)):
        return round(float(value), _PLACES) + 0.0 if math.isfinite(value) else None
    if isinstance(value, np.generic):
        return value.item()
    return [json_safe(v) for v in value]


def metric_named(metric: str) -> int:
    """Return the place of a metric in ``METRICS``.

    Raises
    ------
    NotFoundError
        Names the known ones.
    """
    if metric not in METRICS:
        raise NotFoundError(
            f"no metric {metric!r}", where="metric", hint="known: " + ", ".join(METRICS)
        )
    return METRICS.index(metric)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A mean with its intervals: meals and patients resampled, meals alone, patients alone.

    NaN where there is nothing to resample, or no interval was asked for: with a single patient
    only the interval by meals is known, with a single meal only that by patients.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    meals_low: float = math.nan
    meals_high: float = math.nan
    patients_low: float = math.nan
    patients_high: float = math.nan

    def turned(self) -> Measured:
        """Return the same with its sign turned."""
        return Measured(
            value=-self.value,
            low=-self.high,
            high=-self.low,
            meals_low=-self.meals_high,
            meals_high=-self.meals_low,
            patients_low=-self.patients_high,
            patients_high=-self.patients_low,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One estimator in one scope: all setups, or one of them by its label.

    Parameters
    ----------
    n_simulations, n_meals, n_patients : int
        What the means are over.
    n_abstained : int
        Meals this estimator gave no estimate for, of all meals given.
    same_meals : bool
        False when the row is of other meals than the baseline's row (policy ``skip``): such
        rows are not to be compared with each other.
    mae_g, bias_g : float
        Mean absolute and mean signed error of its own estimates in the meals of the row.
    n_answered : int
        Meals of the row that it answered: those behind ``mae_g``. Under ``no_bolus`` the
        others count as 0 g in the metrics.
    metrics : dict of str to Measured
        By the names of :data:`prandial.glucose.risk.METRICS`.
    """

    estimator: str
    scope: str
    n_simulations: int
    n_meals: int
    n_patients: int
    n_abstained: int
    same_meals: bool
    mae_g: float
    bias_g: float
    n_answered: int
    metrics: dict[str, Measured]


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """Estimator minus reference over the same meals, patients, starts and setups."""

    estimator: str
    reference: str
    scope: str
    n_meals: int
    metrics: dict[str, Measured]

    def turned(self) -> Difference:
        """Return reference minus estimator."""
        return replace(
            self,
            estimator=self.reference,
            reference=self.estimator,
            metrics={name: m.turned() for name, m in self.metrics.items()},
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class StartRow:
    """One estimator in one setup from one start glucose: means alone."""

    estimator: str
    setup: str
    start_glucose_mg_dl: float
    metrics: dict[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeRow:
    """An estimator that told a range: what would follow if insulin were given for its ends.

    ``at_low``, ``at_estimate`` and ``at_high`` are means over the meals with a range, all of
    them estimated at that end. ``best`` and ``worst`` take, for each meal and patient by
    itself, the best and worst of the three before the mean; ``spread`` is the mean distance
    between the two. What lies between the ends is not simulated. For ``mean_mg_dl`` and
    ``gmi_percent``, which have no better side, ``best`` is the least and ``worst`` the most.
    """

    estimator: str
    n_meals: int
    metrics: dict[str, dict[str, float]]


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What carbohydrate estimates do to glucose, over a full factorial of simulations.

    Parameters
    ----------
    design : Design
    estimates : Estimates
    model : str
        The patient model.
    kept : ndarray of bool
        Shape (meals given,): the meals that were simulated.
    names : tuple of str
        Estimators, the baseline ``perfect`` last.
    mask : ndarray of bool
        Shape (names, kept meals): meals that count for each.
    rows, differences, starts, ranges : tuple
        The tables.
    n_simulations : int
        Of the full factorial.
    n_simulated : int
        Different ones, which were carried out; equal estimates of a meal share theirs.
    cells : Cells
        Means over starts, of each pair of true and estimated grams.
    pairs : Pairs
    """

    design: Design
    estimates: Estimates
    model: str
    kept: NDArray[np.bool_]
    names: tuple[str, ...]
    mask: NDArray[np.bool_]
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    starts: tuple[StartRow, ...]
    ranges: tuple[RangeRow, ...]
    n_simulations: int
    cells: Cells = field(repr=False)
    pairs: Pairs = field(repr=False)

    @property
    def n_simulated(self) -> int:
        """Different simulations, which were carried out."""
        return self.cells.n_simulated

    def row(self, estimator: str, scope: str = ALL) -> Row:
        """Return one row.

        Raises
        ------
        NotFoundError
            Names the known estimators and scopes.
        """
        for row in self.rows:
            if (row.estimator, row.scope) == (estimator, scope):
                return row
        scopes = dict.fromkeys(r.scope for r in self.rows)
        raise NotFoundError(
            f"no row of {estimator!r} in {scope!r}",
            where="rows",
            hint=f"estimators: {', '.join(self.names)}; scopes: {', '.join(scopes)}",
        )

    def difference(self, estimator: str, reference: str, scope: str = ALL) -> Difference:
        """Return one paired difference, with its sign turned where it is kept the other way.

        Raises
        ------
        NotFoundError
            When the two were not told apart.
        """
        for row in self.differences:
            if (row.estimator, row.reference, row.scope) == (estimator, reference, scope):
                return row
            if (row.reference, row.estimator, row.scope) == (estimator, reference, scope):
                return row.turned()
        told = ", ".join(
            f"{d.estimator} - {d.reference}" for d in self.differences if d.scope == scope
        )
        raise NotFoundError(
            f"no difference {estimator} - {reference} in {scope!r}",
            where="differences",
            hint=f"there are: {told}",
        )

    def values(
        self,
        metric: str,
        *,
        aggregation: str = "mean",
        setup: str | None = None,
        start_glucose_mg_dl: float | None = None,
    ) -> dict[str, float]:
        """Return one metric of every column, the baseline included, over the same meals.

        Under policy ``skip`` those are the meals that every estimator answered; the rows of
        the table are of each one's own meals.

        Parameters
        ----------
        metric : str
        aggregation : {'mean', 'median'}
            Over cells of (meal, patient), each a mean over starts and setups. The mean is that
            over simulations.
        setup : str, optional
            Label of one setup.
        start_glucose_mg_dl : float, optional
            One start, mean only.

        Raises
        ------
        NotFoundError
            On an unknown metric.
        InputError
            On an unknown aggregation, setup or start.
        """
        k = metric_named(metric)
        labels = self.design.labels
        if setup is not None and setup not in labels:
            raise InputError(f"no setup {setup!r}", where="setup", hint=", ".join(labels))
        if aggregation not in ("mean", "median"):
            raise InputError(
                f"no aggregation {aggregation!r}", where="aggregation", hint="mean or median"
            )
        chosen = slice(None) if setup is None else [labels.index(setup)]
        place = self.pairs.place[: len(self.names)].T
        common: Flags = np.all(self.mask, axis=0)
        mask = np.broadcast_to(common[:, None], place.shape)
        if start_glucose_mg_dl is not None:
            starts = self.design.start_glucose_mg_dl
            if start_glucose_mg_dl not in starts or aggregation != "mean":
                raise InputError(
                    f"no {aggregation} from start {start_glucose_mg_dl:g}",
                    where="start_glucose_mg_dl",
                    hint="the mean from one of " + ", ".join(f"{g:g}" for g in starts),
                )
            at = starts.index(start_glucose_mg_dl)
            of_pairs = self.cells.by_start[k, chosen, at].mean(axis=0)[:, None]
        else:
            of_pairs = self.cells.by_setup[k, chosen].mean(axis=0)
        cells = of_pairs[place]
        if aggregation == "mean":
            found = means(cells, mask).tolist()
        else:
            found = [
                float(np.median(cells[mask[:, j], j])) if mask[:, j].any() else math.nan
                for j in range(len(self.names))
            ]
        return dict(zip(self.names, found, strict=True))

    def of_meals(self, metric: str) -> Floats:
        """Return one metric of every column and kept meal, mean over patients, starts, setups.

        Shape (names, meals); NaN where the estimator has no answer that counts.
        """
        cells = self.cells.by_setup[metric_named(metric)].mean(axis=(0, 2))
        place = self.pairs.place[: len(self.names)]
        return np.where(self.mask, cells[place], np.nan)

    def _meals(self) -> list[dict[str, Any]]:
        kept = np.flatnonzero(self.kept)
        shown = {m: self.of_meals(m) for m in OF_MEALS}
        given = {**self.estimates.columns, PERFECT: self.estimates.true_g}
        return [
            {
                "meal_id": self.estimates.meal_ids[i],
                "true_g": self.estimates.true_g[i],
                "estimators": {
                    name: {
                        "estimate_g": given[name][i],
                        **{m: shown[m][j, k] for m in OF_MEALS},
                    }
                    for j, name in enumerate(self.names)
                },
            }
            for k, i in enumerate(kept.tolist())
        ]

    def ranking(self, metric: str, **chosen: Any) -> tuple[str, ...]:
        """Return the estimators, best first, without the baseline; ties in the order given."""
        from prandial.glucose.ranking import ranked

        found = self.values(metric, **chosen)
        return ranked({n: v for n, v in found.items() if n != PERFECT}, metric)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: all choices, all tables; what is not known is null."""
        left_out = [
            name for name, kept in zip(self.estimates.meal_ids, self.kept, strict=True) if not kept
        ]
        said: dict[str, Any] = json_safe(
            {
                "note": NOTE,
                "parameters": {
                    "model": self.model,
                    **self.design.to_dict(),
                    "aggregation": AGGREGATION,
                    "windows_mg_dl": {n: list(w) for n, w in windows().items()},
                    "large_meals": self.estimates.large_meals,
                },
                "n_meals_given": len(self.estimates),
                "n_meals": int(self.kept.sum()),
                "meals_left_out": left_out,
                "abstained": self.estimates.abstained,
                "n_simulations": self.n_simulations,
                "n_simulated": self.n_simulated,
                "rows": [asdict(r) for r in self.rows],
                "differences": [asdict(r) for r in self.differences],
                "starts": [asdict(r) for r in self.starts],
                "ranges": [asdict(r) for r in self.ranges],
                "meals": self._meals(),
            }
        )
        return said
