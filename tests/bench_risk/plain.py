"""A slow, plain trace of the manual setup, minute by minute; truth for the tests of this folder."""

from __future__ import annotations

import math
from typing import Any


def activity(m: int) -> float:
    return (math.exp(-m / 70) - math.exp(-m / 55)) / 15


USED = [math.fsum(activity(m) for m in range(t + 1)) for t in range(0, 361, 5)]
ON_BOARD = [1 - math.fsum(activity(m) for m in range(t + 1)) for t in range(0, 476, 5)]


def absorbed(t: float, minutes: float) -> float:
    tau = math.floor((5 * math.floor(minutes / 5) - 20) / math.log(100))
    return 1 - math.exp((20 - t) / tau) if t >= 20 else 0.0


def manual_trace(
    isf: float, cir: float, basal: float, true_g: float, estimate_g: float, start: float,
    minutes: float = 180.0,
) -> dict[str, Any]:  # fmt: skip
    """Glucose and insulin every five minutes for six hours."""
    csf, dose = isf / cir, estimate_g / cir
    bg = [
        start + csf * (true_g * absorbed(5 * n, minutes) - estimate_g * USED[n]) for n in range(73)
    ]
    # what basal of eight hours leaves, and the dose
    steady = [basal / 12 * math.fsum(ON_BOARD[m] for m in range(96)) for _ in range(73)]
    iob = [s + dose * ON_BOARD[n] for n, s in enumerate(steady)]
    return {"bg": bg, "iob": iob, "dose": dose, "delivered": [basal / 12] * 73}
