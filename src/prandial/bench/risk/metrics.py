"""Metrics of one trace as a record has them, over two windows of glucose.

``[1, 401]`` is what Tidepool's run script clips to and what the paper's table agrees with;
``[20, 600]`` is the range the risk scale was built for (Kovatchev 1997), where r is 0 to 100.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from prandial.glucose import METRICS, risk_metrics

__all__ = ["NOTICE", "WINDOWS", "metrics_of"]

#: told with every result
NOTICE: Final = "Research use, not dosing advice."
#: key of a record -> window of the risk index
WINDOWS: Final[dict[str, str]] = {"metrics": "1_401", "metrics_20_600": "20_600"}
_TIMES: Final = ("tir", "tbr", "tar")
_INDICES: Final = ("lbgi", "hbgi", "bgri")
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
        times in percent of all points, risk as of :func:`prandial.glucose.risk_metrics`.
    """
    found = dict(zip(METRICS, risk_metrics(glucose_mg_dl), strict=True))
    out: list[dict[str, dict[str, float]]] = [{} for _ in glucose_mg_dl]
    for key, window in WINDOWS.items():
        columns = {
            name: found[f"{name}_percent" if name in _TIMES else f"{name}_{window}"]
            for name in (*_TIMES, *_INDICES)
        }
        rounded = {k: np.round(v, _DIGITS).tolist() for k, v in columns.items()}
        for i, one in enumerate(out):
            one[key] = {k: v[i] for k, v in rounded.items()}
    return out
