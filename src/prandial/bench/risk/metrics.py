"""Metrics of one trace as a record has them, over two windows of glucose.

``[1, 401]`` is what Tidepool's run script clips to and what the paper's table agrees with;
``[20, 600]`` is the range the risk scale was built for (Kovatchev 1997), where r is 0 to 100.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["NOTICE", "WINDOWS", "metrics_of"]

#: told with every result
NOTICE: Final = "Research use, not dosing advice."
#: key of a record -> lowest and highest glucose, mg/dL
WINDOWS: Final[dict[str, tuple[float, float]]] = {
    "metrics": (1.0, 401.0),
    "metrics_20_600": (20.0, 600.0),
}
_DIGITS: Final = 8


def metrics_of(glucose_mg_dl: NDArray[np.float64]) -> list[dict[str, dict[str, float]]]:
    """Return the metrics of each trace, by window.

    Parameters
    ----------
    glucose_mg_dl : ndarray, shape (n, points)
        True glucose, not clipped.

    Returns
    -------
    list of dict
        ``{"metrics": {"tir", "tbr", "tar", "lbgi", "hbgi", "bgri"}, "metrics_20_600": {...}}``;
        times in percent of all points (in range 70 to 180 mg/dL), risk by
        ``r = 10 f^2``, ``f = 1.509 (ln(BG)^1.084 - 5.381)`` (Clarke & Kovatchev 2009).
    """
    times = {
        "tir": 100 * ((glucose_mg_dl >= 70) & (glucose_mg_dl <= 180)).mean(axis=1),
        "tbr": 100 * (glucose_mg_dl < 70).mean(axis=1),
        "tar": 100 * (glucose_mg_dl > 180).mean(axis=1),
    }
    out: list[dict[str, dict[str, float]]] = [{} for _ in glucose_mg_dl]
    for key, (low, high) in WINDOWS.items():
        f = 1.509 * (np.log(np.clip(glucose_mg_dl, low, high)) ** 1.084 - 5.381)
        r = 10 * f * f
        lbgi = np.where(f < 0, r, 0.0).mean(axis=1)
        hbgi = np.where(f > 0, r, 0.0).mean(axis=1)
        columns: dict[str, Any] = {**times, "lbgi": lbgi, "hbgi": hbgi, "bgri": lbgi + hbgi}
        rounded = {k: np.round(v, _DIGITS).tolist() for k, v in columns.items()}
        for i, one in enumerate(out):
            one[key] = {k: v[i] for k, v in rounded.items()}
    return out
