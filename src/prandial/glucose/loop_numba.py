"""Loop in compiled form: one simulation after the other, each from its first to last point.

The same sums in the same order as :mod:`prandial.glucose.loop_numpy`, so that both give the
same bits (no fast-math). Import this module only where numba is meant to be used: numba is an
optional library and compiles for some seconds, once for each machine.

All compiled functions stand in this one file: numba keeps what it compiled for as long as the
file of the outermost function is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.curves import LoopTables
from prandial.glucose.kernels import GRID_MIN, N_POINTS, STEP_MIN, insulin_used_fraction
from prandial.glucose.loop_numpy import EPS, OVERRUN, SENSOR, TEMP_POINTS, LoopRun, static_effect
from prandial.glucose.loop_tuples import Curves, Flags, Given, Ramp, Row, State
from prandial.glucose.plan import Columns, Shape

__all__ = ["run_block"]

Floats = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])

_numba: Any = import_module("numba")
LOW_SEEN, HIGH_SEEN = SENSOR


def _compiled(function: F) -> F:
    try:
        done = _numba.njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:  # nowhere to write: compiled anew by each process
        done = _numba.njit(function, nogil=True, error_model="numpy")
    return cast(F, done)


def _inlined(function: F) -> F:
    # calls would copy the whole state; a third of the time
    done = _numba.njit(function, nogil=True, error_model="numpy", forceinline=True)
    return cast(F, done)


def run_block(
    shape: Shape, tables: LoopTables, columns: Columns, *, decide_last: bool = True
) -> LoopRun:
    """Carry out one block; see :func:`prandial.glucose.loop_numpy.run_block`."""
    n, quirks = len(columns), shape.quirks
    static = np.zeros((1, n)) if shape.dynamic else static_effect(columns, tables.horizon)
    out = Given(
        glucose=np.empty((N_POINTS, n)),
        delivered=np.empty((N_POINTS, n)),
        bolus=np.zeros((N_POINTS, n)),
        temp=np.full((N_POINTS, n), np.nan),
    )
    out.bolus[0] = columns.user_bolus
    curves = Curves(
        minutes=STEP_MIN * np.arange(N_POINTS + tables.horizon + 1, dtype=np.float64),
        used=insulin_used_fraction(GRID_MIN),
        effect=tables.effect,
        correcting=tables.correcting,
        target_rise=tables.target_rise,
        momentum=tables.momentum,
        reading_at=tables.reading_at,
        reading_spread=tables.reading_spread,
        decay=tables.decay,
    )
    flags = Flags(
        before=max(shape.changes, tables.reading_at.size),
        dynamic=shape.dynamic,
        correction=shape.correction,
        changes=shape.changes,
        shift=shape.shift,
        back_min=float(shape.back_min),
        group_min=float(shape.group_min),
        rounding=shape.rounding,
        zero_by_run=quirks.zero_temp_by_run,
        without_delay=quirks.absorption_without_delay,
        needs_carbs=quirks.correction_needs_carbs,
        runs_out=quirks.temp_runs_out,
        decide_last=decide_last,
    )
    numbers = np.stack([getattr(columns, name) for name in Row._fields[:-1]])
    meal, static = np.ascontiguousarray(columns.rise), np.ascontiguousarray(static)
    _all_rows(numbers, columns.accepts, meal, static, curves, flags, out)
    return LoopRun(glucose=out.glucose, delivered=out.delivered, bolus=out.bolus, temp=out.temp)


@_compiled
def _all_rows(
    numbers: Floats,
    accepts: NDArray[np.bool_],
    meal: Floats,
    static: Floats,
    curves: Curves,
    flags: Flags,
    out: Given,
) -> None:
    horizon = curves.correcting.size - 1
    state = State(
        np.zeros(N_POINTS),
        np.zeros(flags.before + N_POINTS),
        np.zeros(flags.before + N_POINTS),
        np.zeros(N_POINTS + curves.effect.size),
        np.zeros(N_POINTS),
        np.zeros(N_POINTS),
        np.zeros(N_POINTS, dtype=np.int64),
        np.zeros(horizon + 1),
        np.zeros(horizon + 1),
        np.zeros(horizon + 1),
        np.ones(horizon + 1),
    )
    for r in range(numbers.shape[1]):
        v = numbers[:, r]
        row = Row(
            v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12],
            v[13], accepts[r],
        )  # fmt: skip
        state.used[:] = 0.0
        state.counter[:] = 0.0
        state.effect[:] = 0.0
        state.observed[:] = 0.0
        state.timeline[:] = 0.0
        state.complete[:] = 0
        middle = (row.high + row.low) / 2
        for k in range(1, horizon + 1):
            rise = curves.target_rise[k]
            state.target[k] = row.suspend + (middle - row.suspend) / 0.5 * rise
            state.sensed[k] = curves.correcting[k] * row.isf
        _one_row(r, row, meal, static[:, r].copy(), curves, flags, state, out)


@_inlined
def _one_row(
    r: int,
    row: Row,
    meal: Floats,
    static: Floats,
    curves: Curves,
    flags: Flags,
    state: State,
    out: Given,
) -> None:
    rate, left, began = 0.0, 0, 0
    zero_impulse, effect_all = 0.0, 0.0
    scheduled = row.basal * 5.0 / 60.0
    for now in range(N_POINTS):
        running = left > 0
        given = rate * 5.0 / 60.0 if running else scheduled
        out.delivered[now, r] = given
        _give(now, (given - scheduled) + out.bolus[now, r], curves.used, state.used)
        glucose = (row.start + meal[now, r]) - row.isf * state.used[now]
        out.glucose[now, r] = glucose
        _see(now, glucose, flags.before, state.seen)
        if now == N_POINTS - 1 and not flags.decide_last:
            break
        changed_from = now
        if now > 0:
            impulse = (rate - row.basal) * 5.0 / 60.0 if running else 0.0
            if running and rate == 0.0 and flags.zero_by_run:
                parts = now - began
                net = np.rint((0.0 - row.basal) * (parts * 300.0 / 3600.0) * 20.0) / 20.0
                impulse = net / parts
                if parts > 1:
                    change = (impulse - zero_impulse) * -row.isf
                    effect_all = _change(now, began, change, effect_all, curves.effect, state)
                    changed_from = max(now - TEMP_POINTS + 1, 1)
                zero_impulse = impulse
            effect_all = _add(now - 1, impulse * -row.isf, effect_all, curves.effect, state)
            left = max(left - 1, 0)
        if now < 2:
            effect_all = _add_bolus(
                now, out.bolus[now, r] * -row.isf, effect_all, curves.effect, state
            )
        for i in range(max(changed_from, 1), now + 1):
            _observe(i, row, flags, state)
        _predict(now, row, static, curves, flags, state)
        rate, left, began = _decide(now, r, row, curves, flags, state, out, rate, left, began)
        out.temp[now, r] = rate if left > 0 else np.nan


@_inlined
def _give(now: int, units: float, share: Floats, used: Floats) -> None:
    ahead = used[now:]
    for i in range(ahead.size):
        ahead[i] += units * share[i]


@_inlined
def _see(now: int, glucose: float, before: int, seen: Floats) -> None:
    value = min(max(np.rint(glucose), LOW_SEEN), HIGH_SEEN)
    if now == 0:
        seen[:before] = value
    seen[before + now] = value


@_inlined
def _add(at: int, effect: float, effect_all: float, curve: Floats, state: State) -> float:
    size = curve.size - 1
    state.effect[at + size] = effect_all
    if effect != 0.0:
        ahead = state.effect[at : at + size + 1]
        for i in range(1, size + 1):
            ahead[i] += effect * curve[i]
    return effect_all + effect


@_inlined
def _add_bolus(at: int, effect: float, effect_all: float, curve: Floats, state: State) -> float:
    for i in range(1, curve.size - 1):
        state.effect[at + i] += effect * curve[i]
    return effect_all + effect


@_inlined
def _change(
    now: int, began: int, change: float, effect_all: float, curve: Floats, state: State
) -> float:
    filled = now - 2 + curve.size
    for back in range(2, TEMP_POINTS + 1):
        at = now - back
        if at < began:
            break
        effect_all += change
        for i in range(at + 1, filled):
            share = curve[i - at] if i - at < curve.size else 1.0
            state.effect[i] += change * share
    return effect_all


@_inlined
def _observe(i: int, row: Row, flags: Flags, state: State) -> None:
    """Take counteraction over the interval that ends at point ``i`` into account."""
    at = flags.before + i
    counter = (state.seen[at] - state.seen[at - 1]) - (state.effect[i] - state.effect[i - 1])
    state.counter[at] = counter
    if not flags.dynamic or row.entry <= 0.0:
        return
    seen, grams, done = state.observed[i - 1], 0.0, state.complete[i - 1]
    if STEP_MIN * (i - 1) < OVERRUN * row.absorption + row.carb_delay:
        whole = row.entry * row.csf
        rest = max(counter, 0.0)
        part = min(max(whole - seen, 0.0), rest)
        seen += part
        opened = done == 0
        rest -= part
        if rest <= EPS:
            rest = 0.0
        if opened:
            grams = part / row.csf
            if seen + EPS < whole:
                grams += rest / row.csf
        seen += rest
        if opened and seen + EPS >= whole:
            done = i
    state.observed[i] = seen
    state.timeline[i] = state.timeline[i - 1] + grams
    state.complete[i] = done


@_inlined
def _ramp(now: int, row: Row, flags: Flags, state: State) -> Ramp:
    longest = OVERRUN * row.absorption
    latest = longest + row.carb_delay
    done = state.complete[now]
    last = min(latest, float(STEP_MIN * now))
    observed = state.observed[now] / row.csf
    least = row.entry * min(max((last - row.carb_delay) / longest, 0.0), 1.0)
    clamped = min(row.entry, max(least, observed))
    end = float(STEP_MIN * done) if done > 0 else last
    amount = row.entry - clamped
    remaining = amount / (row.entry / longest)
    too_little = observed < least and now > 0
    start, minutes, base = end, remaining, clamped
    if not flags.without_delay:
        start = max(end, row.carb_delay)
    if too_little:
        start, minutes, base, amount = row.carb_delay, end + remaining, 0.0, row.entry
    pace = amount / minutes if minutes > 0.0 else 0.0
    intervals = done if done > 0 else min(int(np.ceil(latest / STEP_MIN)), now)
    return Ramp(start, minutes, base, pace, too_little, float(STEP_MIN * intervals), observed)


@_inlined
def _absorbed(now: int, point: int, row: Row, ramp: Ramp, state: State) -> float:
    if point < 0:
        return 0.0
    at_min = min(float(STEP_MIN * point), row.carb_end)
    place = int(at_min / STEP_MIN)
    if 0 < now >= place and not ramp.too_little and at_min <= ramp.timeline_end:
        return float(min(state.timeline[place], ramp.observed_g))
    return ramp.base + ramp.pace * min(max(at_min - ramp.start, 0.0), ramp.minutes)


@_inlined
def _velocity(now: int, row: Row, static: Floats, ramp: Ramp, flags: Flags, state: State) -> float:
    has_carbs = row.entry > 0.0
    if flags.needs_carbs and not (has_carbs and STEP_MIN * now - flags.back_min <= row.carb_end):
        return 0.0
    at = flags.before + now
    gap = 0.0
    for j in range(flags.changes):
        gap += state.counter[at - flags.changes + 1 + j]
    last = now + flags.shift
    first = last - flags.changes
    if has_carbs and flags.dynamic:
        come = _absorbed(now, last, row, ramp, state) - _absorbed(now, first, row, ramp, state)
        gap -= row.csf * come
    elif has_carbs:
        gap -= static[last] - static[max(first, 0)]
    return gap / flags.group_min


@_inlined
def _effects(
    now: int, row: Row, static: Floats, ramp: Ramp, curves: Curves, flags: Flags, state: State
) -> None:
    """Write the increments by carbohydrate and insulin into ``predicted``."""
    horizon = curves.correcting.size - 1
    predicted, effect = state.predicted, state.effect[now : now + horizon + 1]
    if flags.dynamic and row.entry > 0.0:
        carbs, pace = state.scratch, ramp.pace * row.csf
        minutes = curves.minutes[now : now + horizon + 1]
        for k in range(horizon + 1):
            since = min(minutes[k], row.carb_end) - ramp.start
            carbs[k] = min(max(since, 0.0), ramp.minutes) * pace
        for k in range(1, horizon + 1):
            predicted[k] = ((carbs[k] - carbs[k - 1]) + effect[k]) - effect[k - 1]
    elif flags.dynamic:
        for k in range(1, horizon + 1):
            predicted[k] = effect[k] - effect[k - 1]
    else:
        carbs = static[now : now + horizon + 1]
        for k in range(1, horizon + 1):
            predicted[k] = ((carbs[k] - carbs[k - 1]) + effect[k]) - effect[k - 1]


@_inlined
def _drift(now: int, curves: Curves, flags: Flags, state: State) -> float:
    """Return momentum: the rise of 5 min by the slope of the latest readings."""
    drift, readings = 0.0, curves.reading_at.size
    for j in range(readings):
        drift += curves.reading_at[j] * state.seen[flags.before + now - readings + 1 + j]
    return drift / curves.reading_spread


@_inlined
def _predict(
    now: int, row: Row, static: Floats, curves: Curves, flags: Flags, state: State
) -> None:
    predicted = state.predicted
    horizon = predicted.size - 1
    ramp = Ramp(0.0, 0.0, 0.0, 0.0, False, 0.0, 0.0)
    if flags.dynamic and row.entry > 0.0:
        ramp = _ramp(now, row, flags, state)
    _effects(now, row, static, ramp, curves, flags, state)
    if flags.correction:
        velocity = _velocity(now, row, static, ramp, flags, state)
        for k in range(min(curves.decay.size, horizon)):
            predicted[k + 1] += velocity * curves.decay[k]
    drift = _drift(now, curves, flags, state)
    for k in range(min(curves.momentum.size, horizon)):
        weight = curves.momentum[k]
        predicted[k + 1] = (1 - weight) * predicted[k + 1] + weight * drift
    value = state.seen[flags.before + now]
    predicted[0] = value
    for k in range(1, horizon + 1):
        value += predicted[k]
        predicted[k] = value


@_inlined
def _least_positive(state: State) -> float:
    predicted, units = state.predicted, state.scratch
    target, sensed = state.target, state.sensed
    for k in range(1, predicted.size):
        units[k] = (predicted[k] - target[k]) / sensed[k]
    least = np.inf
    for k in range(1, predicted.size):
        if 0.0 < units[k] < least:
            least = units[k]
    return least


@_inlined
def _correct(row: Row, curves: Curves, state: State) -> tuple[float, bool, float, float]:
    """Return units of correction, whether it is above, the rate's limit, and its base."""
    predicted = state.predicted
    least, eventual = predicted[0], predicted[-1]
    for k in range(1, predicted.size):
        least = min(least, predicted[k])
    if least < row.suspend:
        return 0.0, False, row.max_basal, 0.0
    if least < row.low and eventual < row.low:
        first = 0
        while predicted[first] > least:
            first += 1
        share = max(curves.correcting[first], EPS)
        gap = least - (row.high + row.low) / 2
        return gap / (row.isf * share), False, row.max_basal, row.basal
    if eventual > row.high:
        units = _least_positive(state)
        if units < np.inf:
            limit = row.basal if least < row.low else row.max_basal
            return units, True, limit, row.basal
    return 0.0, False, row.max_basal, row.basal


@_inlined
def _rounded(value: float, row: Row, flags: Flags) -> float:
    if not flags.rounding:
        return value
    return float(np.rint(value * row.per_unit) / row.per_unit)


@_inlined
def _decide(
    now: int,
    r: int,
    row: Row,
    curves: Curves,
    flags: Flags,
    state: State,
    out: Given,
    rate: float,
    left: int,
    began: int,
) -> tuple[float, int, int]:
    units, above, limit, base = _correct(row, curves, state)
    if now == 0 and row.accepts and above:
        bolus = _rounded(min(row.max_bolus, max(units, 0.0)), row, flags)
        out.bolus[1, r] = bolus
        if bolus > 0.0:
            return rate, left, began
    wanted = _rounded(min(limit, max(units / 0.5 + base, 0.0)), row, flags)
    if abs(wanted - row.basal) >= EPS:
        return wanted, TEMP_POINTS, now
    if not flags.runs_out:
        left = 0
    return rate, left, began
