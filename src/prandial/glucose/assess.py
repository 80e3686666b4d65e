"""What a carbohydrate estimate does to blood glucose: the full factorial and its tables.

Patients x estimators x start glucose x setups x meals, each six hours; true carbohydrate drives
the patient, the estimate drives insulin. Beside the estimators stands a baseline that estimates
every meal without error. Research use, not dosing advice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError, NotFoundError
from prandial.glucose.bootstrap import KINDS, Resamples, intervals, means
from prandial.glucose.cells import BLOCK_ROWS, Cells, Pairs, Progress, Simulate, simulate_cells
from prandial.glucose.design import PERFECT, Design, Estimates
from prandial.glucose.result import (
    ALL,
    Assessment,
    Difference,
    Measured,
    RangeRow,
    Row,
    StartRow,
)
from prandial.glucose.risk import HIGHER_IS_BETTER, METRICS

__all__ = ["MOST_PAIRED", "assess", "count_simulations"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
#: most columns of which every pair is told apart; more are compared with the baseline alone
MOST_PAIRED = 13
#: places of the kinds of resampling, in the order of the fields of ``Measured``
_KINDS = tuple(KINDS.index(kind) for kind in ("both", "meals", "patients"))


@dataclass(frozen=True, kw_only=True)
class _Answers:
    """Estimates after the policy: columns, the baseline last, of the kept meals."""

    names: tuple[str, ...]
    kept: Flags
    true_g: Floats
    columns: tuple[Floats, ...]
    mask: Flags
    bands: dict[str, tuple[Floats, Floats, Flags]]

    def pairs(self) -> Pairs:
        """Return pairs of all columns, then of the ends of the ranges."""
        columns, masks = list(self.columns), list(self.mask)
        for low, high, told in self.bands.values():
            columns += [low, high]
            masks += [told, told]
        return Pairs.of(self.true_g, columns, np.stack(masks))


def _answers(estimates: Estimates, design: Design) -> _Answers:
    given = np.stack(list(estimates.columns.values()))
    known = ~np.isnan(given)
    kept = known.all(axis=0) if design.policy == "exclude" else np.ones(len(estimates), bool)
    if not kept.any():
        raise InputError(
            "no meal is left: each lacks an estimate of some estimator; answers: "
            + ", ".join(f"{n} {int(k.sum())}" for n, k in zip(estimates.names, known, strict=True)),
            where="estimates",
            hint="leave out an estimator, or choose policy 'skip' or 'no_bolus'",
        )
    if design.policy == "no_bolus":
        given, mask = np.where(known, given, 0.0), np.ones_like(known)
    else:
        mask = known
    true_g = estimates.true_g[kept]
    bands = {}
    for name, (low, high) in estimates.bands.items():
        told = (known[estimates.names.index(name)] & ~np.isnan(low))[kept]
        if told.any():
            bands[name] = (low[kept], high[kept], told)
    return _Answers(
        names=(*estimates.names, PERFECT),
        kept=kept,
        true_g=true_g,
        columns=(*given[:, kept], true_g),
        mask=np.vstack([mask[:, kept], np.ones(len(true_g), bool)]),
        bands=bands,
    )


def count_simulations(estimates: Estimates, design: Design) -> tuple[int, int]:
    """Return simulations of the full factorial, and the different ones to be carried out.

    Raises
    ------
    InputError
        When no meal is left by the policy.
    """
    answers = _answers(estimates, design)
    each = len(design.patients) * len(design.start_glucose_mg_dl) * len(design.setups)
    return int(answers.mask.sum()) * each, len(answers.pairs()) * each


@dataclass(frozen=True, kw_only=True)
class _Columns:
    """Columns to be resampled: equal ones once, and parts of columns for unequal meals.

    ``of_name`` is the column of each name; ``of_pair`` the two columns of each pair of names.
    """

    place: NDArray[np.int64]
    mask: Flags
    of_name: tuple[int, ...]
    of_pair: tuple[tuple[int, int], ...]


def _columns(place: NDArray[np.int64], mask: Flags, pairs: Sequence[tuple[int, int]]) -> _Columns:
    known: dict[tuple[bytes, bytes], int] = {}
    rows: list[tuple[NDArray[np.int64], Flags]] = []

    def column(row: NDArray[np.int64], counts: Flags) -> int:
        row = np.where(counts, row, 0)
        key = (row.tobytes(), counts.tobytes())
        if key not in known:
            known[key] = len(rows)
            rows.append((row, counts))
        return known[key]

    of_name = tuple(column(place[j], mask[j]) for j in range(len(mask)))
    of_pair = tuple(
        (column(place[a], mask[a] & mask[b]), column(place[b], mask[a] & mask[b])) for a, b in pairs
    )
    return _Columns(
        place=np.stack([r for r, _ in rows], axis=1),
        mask=np.stack([m for _, m in rows], axis=1),
        of_name=of_name,
        of_pair=of_pair,
    )


def _name_pairs(names: tuple[str, ...], reference: str | None) -> list[tuple[int, int]]:
    if reference is None and len(names) > MOST_PAIRED:
        reference = PERFECT
    if reference is None:
        return [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    if reference not in names:
        raise NotFoundError(
            f"no column {reference!r}", where="reference", hint="known: " + ", ".join(names)
        )
    place = names.index(reference)
    return [(a, place) for a in range(len(names)) if a != place]


def _measured(value: float, ends: Floats | None, place: int) -> Measured:
    if ends is None:
        return Measured(value=value)
    (low, high), (m_low, m_high), (p_low, p_high) = ends[_KINDS, :, place].tolist()
    return Measured(
        value=value,
        low=low,
        high=high,
        meals_low=m_low,
        meals_high=m_high,
        patients_low=p_low,
        patients_high=p_high,
    )


@dataclass(frozen=True, kw_only=True)
class _Scope:
    """Every metric of every name and pair in one scope."""

    of_names: list[dict[str, Measured]]
    of_pairs: list[dict[str, Measured]]


def _scope(cells: Floats, columns: _Columns, design: Design, draws: Resamples | None) -> _Scope:
    """Return means and intervals of cells of shape (metrics, setups, pairs, patients)."""
    of_names: list[dict[str, Measured]] = [{} for _ in columns.of_name]
    of_pairs: list[dict[str, Measured]] = [{} for _ in columns.of_pair]
    for k, metric in enumerate(METRICS):
        values = cells[k].mean(axis=0)[columns.place]
        found = means(values, columns.mask)
        of_columns = of_differences = None
        if draws is not None:
            of_columns, of_differences = intervals(
                values, columns.mask, draws, pairs=columns.of_pair, level=design.level
            )
        for j, column in enumerate(columns.of_name):
            of_names[j][metric] = _measured(float(found[column]), of_columns, column)
        for j, (a, b) in enumerate(columns.of_pair):
            of_pairs[j][metric] = _measured(float(found[a] - found[b]), of_differences, j)
    return _Scope(of_names=of_names, of_pairs=of_pairs)


def _start_rows(design: Design, cells: Cells, pairs: Pairs, answers: _Answers) -> list[StartRow]:
    n = len(answers.names)
    rows = []
    for s, setup in enumerate(design.labels):
        for b, start in enumerate(design.start_glucose_mg_dl):
            found = [
                means(of_pairs[pairs.place[:n].T][:, :, None], answers.mask.T)
                for of_pairs in cells.by_start[:, s, b]
            ]
            rows += [
                StartRow(
                    estimator=name,
                    setup=setup,
                    start_glucose_mg_dl=start,
                    metrics={m: float(found[k][j]) for k, m in enumerate(METRICS)},
                )
                for j, name in enumerate(answers.names)
            ]
    return rows


def _range_rows(cells: Floats, pairs: Pairs, answers: _Answers) -> list[RangeRow]:
    rows = []
    for number, (name, (_, _, told)) in enumerate(answers.bands.items()):
        ends = len(answers.names) + 2 * number
        places = pairs.place[[ends, answers.names.index(name), ends + 1]][:, told]
        metrics = {}
        for k, metric in enumerate(METRICS):
            three = cells[k].mean(axis=0)[places]
            least, most = three.min(axis=0).mean(), three.max(axis=0).mean()
            best, worst = (most, least) if metric in HIGHER_IS_BETTER else (least, most)
            at = three.mean(axis=(1, 2)).tolist()
            metrics[metric] = {
                "at_low": at[0],
                "at_estimate": at[1],
                "at_high": at[2],
                "best": float(best),
                "worst": float(worst),
                "spread": float(most - least),
            }
        rows.append(RangeRow(estimator=name, n_meals=int(told.sum()), metrics=metrics))
    return rows


def _rows(
    scope: str, found: _Scope, answers: _Answers, estimates: Estimates, each: int, patients: int
) -> list[Row]:
    rows = []
    for j, name in enumerate(answers.names):
        said = estimates.columns.get(name, estimates.true_g)[answers.kept]
        own = answers.mask[j] & ~np.isnan(said)
        error = (said - answers.true_g)[own]
        n_meals = int(answers.mask[j].sum())
        rows.append(
            Row(
                estimator=name,
                scope=scope,
                n_simulations=n_meals * each,
                n_meals=n_meals,
                n_patients=patients,
                n_abstained=estimates.abstained.get(name, 0),
                same_meals=bool(answers.mask[j].all()),
                mae_g=float(np.abs(error).mean()) if own.any() else float("nan"),
                bias_g=float(error.mean()) if own.any() else float("nan"),
                n_answered=int(own.sum()),
                metrics=found.of_names[j],
            )
        )
    return rows


def assess(
    estimates: Estimates,
    design: Design | None = None,
    *,
    simulate: Simulate | None = None,
    model: str = "",
    progress: Progress | None = None,
    block_rows: int = BLOCK_ROWS,
) -> Assessment:
    """Simulate a full factorial and tell what each estimator does to glucose.

    Parameters
    ----------
    estimates : Estimates
    design : Design, optional
        The published study's choices unless given.
    simulate : callable, optional
        Another patient model: scenarios to true glucose (n, points), mg/dL. Ours unless given.
    model : str, optional
        Name of the patient model, for the record.
    progress : callable, optional
        Called with the number of simulations finished since the last call; their sum is the
        second number of :func:`count_simulations`.
    block_rows : int
        Most simulations held at a time.

    Returns
    -------
    Assessment
        Rows for each estimator and the baseline ``perfect``, over all setups and for each;
        paired differences with intervals; means by start glucose; ranges.

    Raises
    ------
    InputError
        When the policy leaves no meal.
    NotFoundError
        When the reference is no column.
    """
    design = Design() if design is None else design
    answers = _answers(estimates, design)
    name_pairs = _name_pairs(answers.names, design.reference)
    pairs = answers.pairs()
    cells = simulate_cells(
        design,
        pairs,
        simulate=simulate,
        progress=progress,
        large_meals=estimates.large_meals,
        block_rows=block_rows,
    )
    columns = _columns(pairs.place, answers.mask, name_pairs)
    n_meals, n_patients = len(answers.true_g), len(design.patients)
    draws = (
        Resamples.draw(
            design.bootstrap, meals=n_meals, patients=n_patients, seed=design.seed
        ).arranged(
            [m for m, k in zip(estimates.meal_ids, answers.kept, strict=True) if k],
            [p.name for p in design.patients],
        )
        if design.bootstrap
        else None
    )
    scopes: list[tuple[str, Floats]] = [(ALL, cells.by_setup)]
    if len(design.setups) > 1:
        scopes += [(label, cells.by_setup[:, s : s + 1]) for s, label in enumerate(design.labels)]
    rows: list[Row] = []
    differences: list[Difference] = []
    each = n_patients * len(design.start_glucose_mg_dl)
    for scope, of_scope in scopes:
        found = _scope(of_scope, columns, design, draws)
        times = each * (len(design.setups) if scope == ALL else 1)
        rows += _rows(scope, found, answers, estimates, times, n_patients)
        differences += [
            Difference(
                estimator=answers.names[a],
                reference=answers.names[b],
                scope=scope,
                n_meals=int((answers.mask[a] & answers.mask[b]).sum()),
                metrics=metrics,
            )
            for (a, b), metrics in zip(name_pairs, found.of_pairs, strict=True)
        ]

    return Assessment(
        design=design,
        estimates=estimates,
        model=model or ("tidepool" if simulate is None else "given"),
        kept=answers.kept,
        names=answers.names,
        mask=answers.mask,
        rows=tuple(rows),
        differences=tuple(differences),
        starts=tuple(_start_rows(design, cells, pairs, answers)),
        ranges=tuple(_range_rows(cells.by_setup, pairs, answers)),
        n_simulations=int(answers.mask.sum()) * each * len(design.setups),
        cells=cells,
        pairs=pairs,
    )
