"""Prediction: glucose as the sum of the changes by every effect, momentum blended in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prandial.glucose.loop.outputs import Timeline
from prandial.glucose.loop.times import TINY_MIN

__all__ = ["extended", "predict"]


def predict(
    *,
    at_min: float,
    glucose_mg_dl: float,
    effects: Sequence[Timeline],
    momentum: Timeline | None = None,
) -> Timeline:
    """Return predicted glucose, mg/dL, at the last reading and each later point of an effect.

    Parameters
    ----------
    at_min, glucose_mg_dl : float
        The last reading.
    effects : sequence of Timeline
        Insulin, carbohydrate, correction: added by their changes from point to point.
    momentum : Timeline, optional
        Takes the place of the other changes at first, and fades out over its points.
    """
    changes: dict[float, float] = {}
    for effect in effects:
        before = effect.mg_dl[0] if effect.mg_dl else 0.0
        for time, value in zip(effect.at_min, effect.mg_dl, strict=True):
            changes[time] = changes.get(time, 0.0) + value - before
            before = value
    if momentum is not None and len(momentum) > 1:
        _blend(changes, momentum, at_min)
    times, values = [at_min], [glucose_mg_dl]
    for time in sorted(changes):
        if time > at_min + TINY_MIN:
            times.append(time)
            values.append(values[-1] + changes[time])
    return Timeline(at_min=tuple(times), mg_dl=tuple(values))


def extended(prediction: Timeline, until_min: float) -> Timeline:
    """Return the prediction held flat to a time, if it ends before."""
    if prediction.at_min[-1] >= until_min - TINY_MIN:
        return prediction
    return Timeline(
        at_min=(*prediction.at_min, until_min),
        mg_dl=(*prediction.mg_dl, prediction.mg_dl[-1]),
    )


def _blend(changes: dict[float, float], momentum: Timeline, at_min: float) -> None:
    """Put momentum into the changes, with a weight that falls from one point to the next."""
    steps = max(len(momentum) - 2, 1)
    spacing = momentum.at_min[1] - momentum.at_min[0]
    offset = (at_min - momentum.at_min[0]) / spacing / steps
    changes[momentum.at_min[0]] = changes.get(momentum.at_min[0], 0.0)
    pairs = enumerate(pairwise(zip(momentum.at_min, momentum.mg_dl, strict=True)), 1)
    for place, ((_, before), (time, value)) in pairs:
        weight = (len(momentum) - place) / steps - 1 / steps + offset
        weight = min(1.0, max(0.0, weight))
        others = changes.get(time, 0.0)
        changes[time] = (1 - weight) * others + weight * (value - before)
