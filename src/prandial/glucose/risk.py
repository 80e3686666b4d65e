"""From glucose to risk: time in ranges, the usual summary of sensor data, LBGI, HBGI, BGRI.

Ranges are those of the international consensus (Battelino et al. 2019), in the table
``glucose_ranges``. The risk scale is Kovatchev's (1997; Clarke & Kovatchev 2009):
``f = 1.509 (ln(BG)^1.084 - 5.381)``, risk ``10 f^2``; LBGI and HBGI are the sums of risk below
and above ``f = 0`` over ALL readings, BGRI is their sum.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prandial.errors import InputError
from prandial.records import Risk
from prandial.tables.rules import read_rules

__all__ = [
    "HIGHER_IS_BETTER",
    "METRICS",
    "NO_DIRECTION",
    "WINDOWS",
    "risk_indices",
    "risk_metrics",
    "risk_of",
    "risk_score",
    "windows",
]

Floats = NDArray[np.float64]

#: names of the metrics, in the order of the rows of :func:`risk_metrics`
METRICS: Final[tuple[str, ...]] = tuple(f.name for f in fields(Risk))
#: metrics of which more is better; of the others less is, but for :data:`NO_DIRECTION`
HIGHER_IS_BETTER: Final = frozenset({"tir_percent"})
#: metrics of which neither more nor less is better
NO_DIRECTION: Final = frozenset({"mean_mg_dl", "gmi_percent"})
#: names of the windows to which glucose is clipped before the risk index
WINDOWS: Final = ("1_401", "20_600")

#: Kovatchev et al. 1997, glucose in mg/dL
_SCALE, _POWER, _SHIFT = 1.509, 1.084, 5.381
#: Bergenstal et al. 2018, Diabetes Care 41:2275-2280, doi 10.2337/dc18-1581
_GMI_AT_0, _GMI_PER_MG_DL = 3.31, 0.02392
#: rows worked at a time, so that they stay in the processor's cache
_BLOCK = 1024


@cache
def _limits(kind: str) -> dict[str, tuple[float, float]]:
    return {
        row["name"]: (float(row["low"] or "-inf"), float(row["high"] or "inf"))
        for row in read_rules("glucose_ranges")
        if row["kind"] == kind
    }


def windows() -> dict[str, tuple[float, float]]:
    """Return the two windows, mg/dL, by name (table ``glucose_ranges``)."""
    return {name: _limits("window")[name] for name in WINDOWS}


def risk_score(glucose_mg_dl: ArrayLike) -> Floats:
    """Return f of Kovatchev's scale: negative below 112.517 mg/dL, positive above.

    Parameters
    ----------
    glucose_mg_dl : array_like
        At least 1 mg/dL: clip first.
    """
    score: Floats = _SCALE * (np.log(np.asarray(glucose_mg_dl, np.float64)) ** _POWER - _SHIFT)
    return score


def _mean_square(score: Floats) -> Floats:
    sums: Floats = np.einsum("ij,ij->i", score, score)
    mean: Floats = 10.0 * sums / score.shape[1]
    return mean


def risk_indices(
    glucose_mg_dl: ArrayLike, *, low: float = 1.0, high: float = 401.0
) -> tuple[Floats, Floats, Floats]:
    """Return LBGI, HBGI and BGRI of each trace, glucose clipped to ``low`` to ``high`` mg/dL.

    Parameters
    ----------
    glucose_mg_dl : array_like
        Shape (n, points), or (points,) for one trace.

    Raises
    ------
    InputError
        When a window starts below 1 mg/dL or a reading is no number.
    """
    if not 1.0 <= low < high:
        raise InputError(
            f"no window from {low:g} to {high:g} mg/dL",
            where="window",
            hint="the risk scale starts at 1 mg/dL; give the lower end first",
        )
    score = risk_score(np.clip(_traces(glucose_mg_dl), low, high))
    lbgi, hbgi = _mean_square(np.minimum(score, 0.0)), _mean_square(np.maximum(score, 0.0))
    return lbgi, hbgi, lbgi + hbgi


def _traces(glucose_mg_dl: ArrayLike) -> Floats:
    glucose = np.atleast_2d(np.asarray(glucose_mg_dl, dtype=np.float64))
    if glucose.ndim != 2 or glucose.shape[1] == 0:
        raise InputError(
            f"glucose of shape {glucose.shape}",
            where="glucose_mg_dl",
            hint="give one row for each trace",
        )
    if not np.isfinite(glucose).all():
        row = int(np.flatnonzero(~np.isfinite(glucose).all(axis=1))[0])
        raise InputError(
            "a reading is no number",
            where=f"glucose_mg_dl, row {row + 1}",
            hint="drop or fill gaps before the metrics: a gap is no reading",
        )
    return glucose


def _percent(flags: NDArray[np.bool_]) -> Floats:
    counts = np.count_nonzero(flags, axis=1)
    percent: Floats = 100.0 * counts / flags.shape[1]
    return percent


def _block(glucose: Floats, out: dict[str, Floats]) -> None:
    ranges = _limits("range")
    paper, scale = (windows()[name] for name in WINDOWS)
    low, high = ranges["in_range"]
    out["tbr_percent"][:] = _percent(glucose < low)
    out["tar_percent"][:] = _percent(glucose > high)
    out["tir_percent"][:] = _percent((glucose >= low) & (glucose <= high))
    out["below_54_percent"][:] = _percent(glucose < ranges["very_low"][1])
    out["above_250_percent"][:] = _percent(glucose > ranges["very_high"][0])
    lowest = glucose.min(axis=1)
    out["below_1"][:] = lowest < paper[0]
    out["below_20"][:] = lowest < scale[0]

    read = np.clip(glucose, *scale)
    mean = read.mean(axis=1)
    out["mean_mg_dl"][:] = mean
    out["gmi_percent"][:] = _GMI_AT_0 + _GMI_PER_MG_DL * mean
    read -= mean[:, None]
    points = glucose.shape[1]
    spread = np.einsum("ij,ij->i", read, read)
    out["sd_mg_dl"][:] = np.sqrt(spread / (points - 1)) if points > 1 else np.nan
    out["cv_percent"][:] = 100.0 * out["sd_mg_dl"] / mean

    # the scale rises throughout, so that clipping f is clipping glucose: one logarithm for both
    score = risk_score(np.clip(glucose, min(paper[0], scale[0]), max(paper[1], scale[1])))
    below, above = np.minimum(score, 0.0), np.maximum(score, 0.0)
    for name, window in zip(WINDOWS, (paper, scale), strict=True):
        least, most = risk_score(window)
        out[f"lbgi_{name}"][:] = _mean_square(np.maximum(below, least))
        out[f"hbgi_{name}"][:] = _mean_square(np.minimum(above, most))
        out[f"bgri_{name}"][:] = out[f"lbgi_{name}"] + out[f"hbgi_{name}"]


def risk_metrics(glucose_mg_dl: ArrayLike) -> Floats:
    """Return all metrics of many traces, shape (metrics, n), rows as in :data:`METRICS`.

    Units and clipping of each: :class:`prandial.records.Risk`. ``below_1`` and ``below_20`` are
    1 or 0, so that their mean is a share of simulations.

    Parameters
    ----------
    glucose_mg_dl : array_like
        True glucose, not clipped, shape (n, points), or (points,) for one trace.

    Raises
    ------
    InputError
        When a reading is no number: names the row.
    """
    glucose = _traces(glucose_mg_dl)
    metrics = np.empty((len(METRICS), len(glucose)))
    for start in range(0, len(glucose), _BLOCK):
        rows = slice(start, start + _BLOCK)
        _block(glucose[rows], dict(zip(METRICS, metrics[:, rows], strict=True)))
    return metrics


def risk_of(glucose_mg_dl: ArrayLike) -> Risk:
    """Return the metrics of one trace as a record.

    Raises
    ------
    InputError
        When a reading is no number, or there is more than one trace.
    """
    metrics = risk_metrics(glucose_mg_dl)
    if metrics.shape[1] != 1:
        raise InputError(
            f"{metrics.shape[1]} traces, one was expected",
            where="glucose_mg_dl",
            hint="use risk_metrics for many",
        )
    values: dict[str, Any] = dict(zip(METRICS, metrics[:, 0].tolist(), strict=True))
    for name in ("below_1", "below_20"):
        values[name] = bool(values[name])
    return Risk(**values)
