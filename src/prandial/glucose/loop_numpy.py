"""Loop over many simulations at once in NumPy: one block of rows, point after point.

All arrays have time first, (time, rows), so that each operation walks along rows. Nothing is
computed anew that can be kept: the insulin effect is a running sum to which each impulse adds
its curve once, and observed absorption is carried forward by one interval a step. Where a zero
temp basal changes its own past (``zero_temp_by_run``), the few rows concerned are put right.

The order of each sum is that of :mod:`prandial.glucose.loop_numba`, so that both give the same
bits. Steps and symbols are those of `docs/loop.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.curves import LoopTables, parabolic_share
from prandial.glucose.kernels import GRID_MIN, N_POINTS, STEP_MIN, insulin_used_fraction
from prandial.glucose.plan import Columns, Shape

__all__ = ["LoopRun", "run_block", "static_effect"]

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

#: points a temp basal runs: 30 min
TEMP_POINTS = 6
#: range of the sensor, mg/dL
SENSOR = (40.0, 400.0)
#: absorption takes at most this multiple of the time told to Loop
OVERRUN = 1.5
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopRun:
    """What a block gives, each (73, rows): glucose and all insulin given."""

    glucose: Floats
    delivered: Floats
    bolus: Floats
    temp: Floats


def run_block(
    shape: Shape, tables: LoopTables, columns: Columns, *, decide_last: bool = True
) -> LoopRun:
    """Carry out one block; ``decide_last`` False leaves out the decision at the last point."""
    return _Block(shape, tables, columns).run(decide_last=decide_last)


def static_effect(columns: Columns, horizon: int) -> Floats:
    """Return the carb effect of the static model at each point and beyond, mg/dL."""
    at = STEP_MIN * np.arange(N_POINTS + horizon + 1, dtype=np.float64)
    share = parabolic_share(at[:, None] - columns.carb_delay, columns.absorption)
    return (columns.entry * columns.csf) * share


class _Block:
    """State of the simulations of one block."""

    def __init__(self, shape: Shape, tables: LoopTables, columns: Columns) -> None:
        self.shape, self.tables, self.columns = shape, tables, columns
        self.rows = n = len(columns)
        horizon = tables.horizon
        self.used_share = insulin_used_fraction(GRID_MIN)
        # patient and pump
        self.used = np.zeros((N_POINTS, n))
        self.glucose = np.empty((N_POINTS, n))
        self.delivered = np.empty((N_POINTS, n))
        self.bolus = np.zeros((N_POINTS, n))
        self.bolus[0] = columns.user_bolus
        self.temp = np.full((N_POINTS, n), np.nan)
        self.rate = np.zeros(n)
        self.left = np.zeros(n, dtype=np.int64)
        self.began = np.zeros(n, dtype=np.int64)
        # Loop: readings and counteraction have room for the time before the meal
        self.before = max(shape.changes, tables.reading_at.size)
        self.seen = np.empty((self.before + N_POINTS, n))
        self.counter = np.zeros((self.before + N_POINTS, n))
        self.effect = np.zeros((N_POINTS + tables.effect.size, n))
        self.effect_all = np.zeros(n)
        self.zero_impulse = np.zeros(n)
        # carbohydrate observed so far (mg/dL), its timeline (g), intervals until complete
        self.csf_entry = columns.entry * columns.csf
        self.observed = np.zeros((N_POINTS, n))
        self.timeline = np.zeros((N_POINTS, n))
        self.complete = np.zeros((N_POINTS, n), dtype=np.int64)
        self.each = np.arange(n)
        self.longest = OVERRUN * columns.absorption
        self.latest = self.longest + columns.carb_delay
        self.has_carbs = columns.entry > 0
        self.carbs = bool(self.has_carbs.any())
        self.static = None if shape.dynamic else static_effect(columns, horizon)
        # correction: sensitivity and target at each point ahead
        self.sensed = tables.correcting[1:, None] * columns.isf
        self.middle = (columns.high + columns.low) / 2
        self.target = columns.suspend + (
            (self.middle - columns.suspend) / 0.5 * tables.target_rise[1:, None]
        )
        self.predicted = np.empty((horizon + 1, n))
        self.scratch = np.empty((max(horizon, tables.effect.size), n))

    def run(self, *, decide_last: bool) -> LoopRun:
        last = N_POINTS - 1
        for now in range(N_POINTS):
            self._deliver(now)
            self._read(now)
            if now == last and not decide_last:
                break
            redone = self._doses(now)
            self._counteraction(now, redone)
            if self.shape.dynamic and self.carbs:
                self._observe(now, redone)
            self._predict(now)
            self._decide(now)
        return LoopRun(
            glucose=self.glucose, delivered=self.delivered, bolus=self.bolus, temp=self.temp
        )

    # --- pump, patient, sensor

    def _deliver(self, now: int) -> None:
        scheduled = self.columns.basal * 5.0 / 60.0
        running = self.left > 0
        given = np.where(running, self.rate * 5.0 / 60.0, scheduled)
        self.delivered[now] = given
        units = (given - scheduled) + self.bolus[now]
        ahead = N_POINTS - now
        self.used[now:] += units * self.used_share[:ahead, None]

    def _read(self, now: int) -> None:
        columns = self.columns
        glucose = (columns.start + columns.rise[now]) - columns.isf * self.used[now]
        self.glucose[now] = glucose
        seen = np.clip(np.rint(glucose), *SENSOR)
        if now == 0:
            self.seen[: self.before] = seen
        self.seen[self.before + now] = seen

    # --- insulin effect

    def _doses(self, now: int) -> Rows:
        """Add what began since the last point; return rows whose past has changed."""
        redone = np.empty(0, dtype=np.intp)
        if now > 0:
            redone, impulse = self._impulse(now)
            self._add(now - 1, impulse * -self.columns.isf)
            self.left = np.maximum(self.left - 1, 0)
        if now < 2:
            bolus = self.bolus[now] * -self.columns.isf
            size = self.tables.effect.size - 1
            self.effect[now + 1 : now + size] += bolus * self.tables.effect[1:size, None]
            self.effect_all += bolus
        return redone

    def _impulse(self, now: int) -> tuple[Rows, Floats]:
        basal = self.columns.basal
        running = self.left > 0
        impulse = np.where(running, (self.rate - basal) * 5.0 / 60.0, 0.0)
        redone = np.empty(0, dtype=np.intp)
        if self.shape.quirks.zero_temp_by_run:
            zero = np.flatnonzero(running & (self.rate == 0))
            parts = now - self.began[zero]
            net = np.rint((0.0 - basal[zero]) * (parts * 300.0 / 3600.0) * 20.0) / 20.0
            each = net / parts
            impulse[zero] = each
            longer = parts > 1
            redone = zero[longer]
            if redone.size:
                change = (each - self.zero_impulse[zero])[longer] * -self.columns.isf[redone]
                self._change(now, redone, change)
            self.zero_impulse[zero] = each
        return redone, impulse

    def _add(self, at: int, effect: Floats) -> None:
        size = self.tables.effect.size - 1
        self.effect[at + size] = self.effect_all
        self.effect_all += effect
        product = self.scratch[:size]
        np.multiply(effect, self.tables.effect[1:, None], out=product)
        self.effect[at + 1 : at + size + 1] += product

    def _change(self, now: int, rows: Rows, change: Floats) -> None:
        """Change the impulses of a zero temp basal that goes on."""
        curve = self.tables.effect
        filled = now - 2 + curve.size
        for back in range(2, TEMP_POINTS + 1):
            at = now - back
            some = self.began[rows] <= at
            if at < 0 or not some.any():
                break
            which, effect = rows[some], change[some]
            self.effect_all[which] += effect
            share = np.ones(filled - at - 1)
            share[: curve.size - 1] = curve[1 : filled - at]
            self.effect[at + 1 : filled, which] += effect * share[:, None]

    # --- counteraction and carbohydrate observed

    def _counteraction(self, now: int, redone: Rows) -> None:
        if now == 0:
            return
        at = self.before + now
        self.counter[at] = (self.seen[at] - self.seen[at - 1]) - (
            self.effect[now] - self.effect[now - 1]
        )
        for back in range(1, TEMP_POINTS):
            i, at = now - back, self.before + now - back
            if not redone.size or i < 1:
                break
            self.counter[at, redone] = (self.seen[at, redone] - self.seen[at - 1, redone]) - (
                self.effect[i, redone] - self.effect[i - 1, redone]
            )

    def _observe(self, now: int, redone: Rows) -> None:
        for i in range(max(now - TEMP_POINTS + 1, 1), now):
            if redone.size:
                self._observe_at(i, redone)
        if now > 0:
            self._observe_at(now, slice(None))

    def _observe_at(self, i: int, rows: Any) -> None:
        """Take the interval that ends at point ``i`` into account."""
        csf, whole = self.columns.csf[rows], self.csf_entry[rows]
        before, done = self.observed[i - 1, rows], self.complete[i - 1, rows]
        active = (STEP_MIN * (i - 1) < self.latest[rows]) & self.has_carbs[rows]
        rest = np.where(active, np.maximum(self.counter[self.before + i, rows], 0.0), 0.0)
        part = np.minimum(np.maximum(whole - before, 0.0), rest)
        seen = before + part
        opened = active & (done == 0)
        grams = np.where(opened, part / csf, 0.0)
        rest = rest - part
        rest = np.where(rest > EPS, rest, 0.0)
        # the rest counts as overrun; it enters the timeline only where rounding left it open
        still = opened & (seen + EPS < whole)
        grams += np.where(still, rest / csf, 0.0)
        seen = seen + rest
        now_done = opened & (seen + EPS >= whole)
        self.observed[i, rows] = seen
        self.timeline[i, rows] = self.timeline[i - 1, rows] + grams
        self.complete[i, rows] = np.where(now_done, i, done)

    # --- carb effect

    def _absorption(self, now: int) -> None:
        """Set the ramp of what is still to come, and where the timeline ends."""
        columns, entry = self.columns, self.columns.entry
        minutes = float(STEP_MIN * now)
        done = self.complete[now]
        last = np.minimum(self.latest, minutes)
        observed = self.observed[now] / columns.csf
        least = entry * np.clip((last - columns.carb_delay) / self.longest, 0.0, 1.0)
        clamped = np.minimum(entry, np.maximum(least, observed))
        end = np.where(done > 0, STEP_MIN * done, last)
        left = entry - clamped
        pace = np.where(self.has_carbs, entry / self.longest, 1.0)
        remaining = left / pace
        self.too_little = (observed < least) & (now > 0)
        begin = end
        if not self.shape.quirks.absorption_without_delay:
            begin = np.maximum(end, columns.carb_delay)
        little = self.too_little
        self.ramp_from = np.where(little, columns.carb_delay, begin)
        self.ramp_time = np.where(little, end + remaining, remaining)
        amount = np.where(little, entry, left)
        self.ramp_base = np.where(little, 0.0, clamped)
        time = np.where(self.ramp_time > 0, self.ramp_time, 1.0)
        self.ramp_pace = np.where(self.ramp_time > 0, amount / time, 0.0)
        self.observed_g = observed
        seen = np.minimum(np.ceil(self.latest / STEP_MIN), now)
        self.timeline_end = STEP_MIN * np.where(done > 0, done, seen)

    def _ramp(self, at_min: float | Floats) -> Floats:
        since = np.minimum(np.maximum(at_min - self.ramp_from, 0.0), self.ramp_time)
        grams: Floats = self.ramp_base + self.ramp_pace * since
        return grams

    def _absorbed(self, now: int, point: int) -> Floats:
        """Return grams absorbed by a point, as Loop sees it at ``now``."""
        if point < 0:
            return np.zeros(self.rows)
        at_min = np.minimum(float(STEP_MIN * point), self.columns.carb_end)
        ramp = self._ramp(at_min)
        if now == 0:
            return ramp
        place = np.minimum(at_min / STEP_MIN, now).astype(np.intp)
        by_timeline = ~self.too_little & (at_min <= np.minimum(self.timeline_end, STEP_MIN * now))
        seen = np.minimum(self.timeline[place, self.each], self.observed_g)
        return np.where(by_timeline, seen, ramp)

    def _carb_change(self, now: int) -> Floats:
        """Return the carb effect over the intervals of retrospective correction, mg/dL."""
        last = now + self.shape.shift
        first = last - self.shape.changes
        if self.static is not None:
            static: Floats = self.static[last] - self.static[max(first, 0)]
            return static
        come: Floats = self._absorbed(now, last) - self._absorbed(now, first)
        change: Floats = self.columns.csf * come
        return change

    # --- prediction

    def _predict(self, now: int) -> None:
        tables, predicted = self.tables, self.predicted
        horizon = tables.horizon
        at = self.before + now
        steps = predicted[1:]
        upto = self._add_carbs(now, steps) if self.carbs else 0
        ahead = self.effect[now : now + horizon + 1]
        steps[:upto] += ahead[1 : upto + 1]
        steps[:upto] -= ahead[:upto]
        np.subtract(ahead[upto + 1 :], ahead[upto:-1], out=steps[upto:])
        if self.shape.correction:
            size = min(tables.decay.size, horizon)
            steps[:size] += self._velocity(now) * tables.decay[:size, None]
        readings = tables.reading_at.size
        drift = np.zeros(self.rows)
        for j in range(readings):
            drift += tables.reading_at[j] * self.seen[at - readings + 1 + j]
        drift /= tables.reading_spread
        for k, weight in enumerate(tables.momentum[:horizon]):
            steps[k] = (1 - weight) * steps[k] + weight * drift
        predicted[0] = self.seen[at]
        for k in range(horizon):
            steps[k] += predicted[k]

    def _add_carbs(self, now: int, steps: Floats) -> int:
        """Write the increments of the carb effect; return at how many points it still acts."""
        horizon = self.tables.horizon
        if self.static is not None:
            np.subtract(
                self.static[now + 1 : now + horizon + 1],
                self.static[now : now + horizon],
                out=steps,
            )
            return horizon
        self._absorption(now)
        end = float(np.max(self.ramp_from + self.ramp_time))
        upto = int(np.ceil(end / STEP_MIN)) - now
        upto = min(max(upto, 1), horizon)
        pace = self.ramp_pace * self.columns.csf
        since = self.scratch[:upto]
        minutes = STEP_MIN * np.arange(now + 1, now + upto + 1, dtype=np.float64)
        # the effect has no dates beyond its end, whatever is still to come
        np.minimum(minutes[:, None], self.columns.carb_end, out=since)
        since -= self.ramp_from
        np.maximum(since, 0.0, out=since)
        np.minimum(since, self.ramp_time, out=since)
        since *= pace
        np.subtract(since[1:], since[:-1], out=steps[1:upto])
        steps[0] = 0.0  # momentum takes the whole first increment
        return upto

    def _velocity(self, now: int) -> Floats:
        """Return the velocity of retrospective correction, mg/dL per min."""
        shape, at = self.shape, self.before + now
        gap = np.zeros(self.rows)
        for j in range(shape.changes):
            gap += self.counter[at - shape.changes + 1 + j]
        if self.carbs:
            gap -= np.where(self.has_carbs, self._carb_change(now), 0.0)
        velocity = gap / shape.group_min
        if shape.quirks.correction_needs_carbs:
            dated = STEP_MIN * now - shape.back_min <= self.columns.carb_end
            velocity = np.where(self.has_carbs & dated, velocity, 0.0)
        return velocity

    # --- correction and what comes of it

    def _correct(self) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_], Floats]:
        """Return units of correction, where Loop suspends, where it is above, and the minimum."""
        columns, predicted = self.columns, self.predicted
        least = predicted.min(axis=0)
        eventual = predicted[-1]
        suspend = least < columns.suspend
        below = ~suspend & (least < columns.low) & (eventual < columns.low)
        above = ~suspend & ~below & (eventual > columns.high)
        units = np.zeros(self.rows)
        where = np.flatnonzero(above)
        if where.size:
            units[where] = self._least_positive(where)
            above &= np.isfinite(units)
            units[~above] = 0.0
        where = np.flatnonzero(below)
        if where.size:
            first = predicted[:, where].argmin(axis=0)
            share = np.maximum(self.tables.correcting[first], EPS)
            gap = least[where] - self.middle[where]
            units[where] = gap / (columns.isf[where] * share)
        return units, suspend, above, least

    def _least_positive(self, where: Rows) -> Floats:
        ahead, target, sensed = self.predicted[1:], self.target, self.sensed
        if where.size < self.rows:
            ahead, target, sensed = ahead[:, where], target[:, where], sensed[:, where]
        units = np.subtract(ahead, target)
        units /= sensed
        units[units <= 0] = np.inf
        least: Floats = units.min(axis=0)
        return least

    def _decide(self, now: int) -> None:
        columns = self.columns
        units, suspend, above, least = self._correct()
        acts = np.ones(self.rows, dtype=np.bool_)
        if now == 0:
            # at the first point momentum and correction are never positive, so that the
            # prediction for a bolus, which leaves positive ones out, is the same
            bolus = np.minimum(columns.max_bolus, np.maximum(np.where(above, units, 0.0), 0.0))
            bolus = np.where(columns.accepts, self._rounded(bolus), 0.0)
            self.bolus[1] = bolus
            acts = bolus == 0
        rate = np.where(suspend, 0.0, units / 0.5 + columns.basal)
        limit = np.where(above & (least < columns.low), columns.basal, columns.max_basal)
        rate = self._rounded(np.minimum(limit, np.maximum(rate, 0.0)))
        same = np.abs(rate - columns.basal) < EPS
        sets = acts & ~same
        self.rate = np.where(sets, rate, self.rate)
        self.began = np.where(sets, now, self.began)
        self.left = np.where(sets, TEMP_POINTS, self.left)
        if not self.shape.quirks.temp_runs_out:
            self.left = np.where(acts & same, 0, self.left)
        self.temp[now] = np.where(self.left > 0, self.rate, np.nan)

    def _rounded(self, value: Floats) -> Floats:
        if not self.shape.rounding:
            return value
        rounded: Floats = np.rint(value * self.columns.per_unit) / self.columns.per_unit
        return rounded
