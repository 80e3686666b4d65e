"""One simulation of a pump run by Loop, written out step by step in plain Python.

The oracle of the engines: every step computes every effect anew from the history, with no
tables, arrays or running sums. Written from the description of the models; imports no code
that it tests, only the records.
"""

from __future__ import annotations

import functools
import math
import sys
from dataclasses import dataclass, field

from prandial.records import Scenario

EPS = sys.float_info.epsilon
POINTS = 73


# --- patient


@functools.cache
def used(minutes: int) -> float:
    """Share of an insulin impulse that has acted: a sum over whole minutes."""
    return sum((math.exp(-m / 70) - math.exp(-m / 55)) / 15 for m in range(minutes + 1))


def absorbed(minutes: float, absorption: float) -> float:
    tau = math.floor((5 * math.floor(absorption / 5) - 20) / math.log(100))
    return 1 - math.exp((20 - minutes) / tau) if minutes >= 20 else 0.0


# --- Loop's curves


@functools.cache
def remaining(t: float, dia: float, peak: float) -> float:
    if t <= 0:
        return 1.0
    if t > dia:
        return 0.0
    tau = peak * (1 - peak / dia) / (1 - 2 * peak / dia)
    a = 2 * tau / dia
    s = 1 / (1 - a + (1 + a) * math.exp(-dia / tau))
    inner = (t**2 / (tau * dia * (1 - a)) - t / tau - 1) * math.exp(-t / tau) + 1
    return 1 - s * (1 - a) * inner


def clamp(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


# --- history


@dataclass
class Temp:
    """A temp basal: set at point ``start``, in force for ``intervals`` of 5 min so far."""

    start: int
    rate: float
    intervals: int = 0


@dataclass
class History:
    boluses: dict[int, float] = field(default_factory=dict)
    temps: list[Temp] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)


@dataclass
class SlowTrace:
    glucose: list[float] = field(default_factory=list)
    delivered: list[float] = field(default_factory=list)
    bolus: list[float] = field(default_factory=list)
    temp: list[float | None] = field(default_factory=list)
    iob: list[float] = field(default_factory=list)


class SlowLoop:
    """Loop's view at one point."""

    def __init__(self, scenario: Scenario, history: History, now: int) -> None:
        self.s, self.h, self.now = scenario, history, now
        self.set = scenario.setup.settings
        self.quirks = scenario.setup.quirks
        self.isf = scenario.patient.isf_mg_dl_per_u
        self.basal = scenario.patient.basal_u_per_h
        self.csf = self.isf / scenario.patient.cir_g_per_u
        self.q = scenario.estimated_carb_g
        self.impulses = self.all_impulses()
        self.counter = {i: self.counteraction(i) for i in range(1, now + 1)}

    # insulin
    def all_impulses(self) -> list[tuple[int, float]]:
        out = []
        for temp in self.h.temps:
            m = temp.intervals
            for i in range(m):
                if temp.rate == 0 and self.quirks.zero_temp_by_run:
                    net = round((0 - self.basal) * (m * 300 / 3600) * 20) / 20
                    out.append((temp.start + i, net / m))
                else:
                    out.append((temp.start + i, (temp.rate - self.basal) * 5 / 60))
        out += [(at, units) for at, units in self.h.boluses.items() if at <= self.now]
        return out

    def insulin_effect(self, point: int) -> float:
        total = 0.0
        for at, units in self.impulses:
            since = 5 * (point - at)
            if since >= 0:
                lag = since - self.set.insulin_delay_min
                come = 1 - remaining(lag, self.set.dia_min, self.set.peak_min)
                total += -self.isf * units * come
        return total

    def counteraction(self, i: int) -> float:
        rise = self.h.seen[i] - self.h.seen[i - 1]
        return rise - (self.insulin_effect(i) - self.insulin_effect(i - 1))

    # carbohydrate
    @functools.cached_property
    def observation(self) -> tuple[float, list[float], int | None]:
        """mg/dL observed, timeline of grams by interval, point of completion."""
        whole, obs, done = self.q * self.csf, 0.0, None
        timeline: list[float] = []
        end_max = 1.5 * self.s.reported_absorption_min + self.set.carb_delay_min
        for i in range(self.now):
            if 5 * i >= end_max:
                break
            e = max(0.0, self.counter[i + 1])
            part = min(max(whole - obs, 0.0), e)
            obs += part
            if done is None:
                timeline.append(part / self.csf)
                if obs + EPS >= whole:
                    done = i + 1
            if e - part > EPS:
                obs += e - part
                if done is None:
                    timeline[-1] += (e - part) / self.csf
                    if obs + EPS >= whole:
                        done = i + 1
        return obs, timeline, done

    def carbs_absorbed(self, d: float) -> float:
        """Grams absorbed at minute d, as Loop sees it now."""
        q, delay = self.q, self.set.carb_delay_min
        if d < 0 or q == 0:
            return 0.0
        if not self.set.dynamic_carbs:
            time = self.s.reported_absorption_min
            x = clamp(d - delay, 0, time)
            if x <= time / 2:
                return q * 2 * x**2 / time**2
            return q * (-1 + (4 / time) * (x - x**2 / (2 * time)))
        longest = 1.5 * self.s.reported_absorption_min
        obs, timeline, done = self.observation
        last = min(longest + delay, 5 * self.now)
        obs_g = obs / self.csf
        min_g = q * clamp((last - delay) / longest, 0, 1)
        clamped = min(q, max(min_g, obs_g))
        end = 5 * done if done is not None else last
        rem = (q - clamped) / (q / longest)
        if self.now > 0 and obs_g < min_g:
            return q * clamp((d - delay) / (end + rem), 0, 1)
        if self.now == 0 or d > 5 * len(timeline):
            begin = end if self.quirks.absorption_without_delay else max(end, delay)
            if rem <= 0:
                return clamped
            return clamped + (q - clamped) * clamp((d - begin) / rem, 0, 1)
        return min(sum(timeline[: int(d // 5)]), obs_g)

    def carb_effect(self, point: int) -> float:
        """The effect ends with its last date, 1.7 T and the delay (docs/loop.md)."""
        if not self.set.dynamic_carbs:
            return self.csf * self.carbs_absorbed(5 * point)
        end = 1.7 * self.s.reported_absorption_min + self.set.carb_delay_min
        return self.csf * self.carbs_absorbed(min(5 * point, 5 * math.ceil(round(end / 5, 9))))

    # retrospective correction
    def velocity(self) -> float:
        if not self.set.retrospective_correction:
            return 0.0
        interval = self.set.correction_interval_min
        if interval is True:
            interval = 1 if self.quirks.true_is_one_minute else 30
        group = self.set.correction_group_min
        if self.quirks.correction_needs_carbs:
            factor = 1.7 if self.set.dynamic_carbs else 1.0
            end = factor * self.s.reported_absorption_min + self.set.carb_delay_min
            first = 5 * math.floor((5 * self.now - interval) / 5)
            if self.q == 0 or first > 5 * math.ceil(round(end / 5, 9)):
                return 0.0
        total = 0.0
        for i in range(self.now, -200, -1):  # the interval that ends at point i
            if self.quirks.correction_shifted:
                # those that end at or after the span's begin, both ends counted
                begin = 5 * math.floor((5 * self.now - interval) / 5)
                if 5 * i < begin or 5 * i < 5 * self.now - 1.01 * group:
                    break
                change = self.carb_effect(i + 1) - self.carb_effect(i)
            else:
                if i != self.now and 5 * (i - 1) < 5 * self.now - 5 * math.ceil(
                    min(interval, group) / 5
                ):
                    break
                change = self.carb_effect(i) - self.carb_effect(i - 1)
            total += self.counter.get(i, 0.0) - change
        return total / group

    def momentum(self) -> float:
        """Rise of 5 min by the least squares slope of the latest readings."""
        many = int(self.set.momentum_min // 5) + 1
        seen = [self.h.seen[max(self.now - many + 1 + j, 0)] for j in range(many)]
        mean_x = (many - 1) / 2
        upper = sum((j - mean_x) * seen[j] for j in range(many))
        return upper / sum((j - mean_x) ** 2 for j in range(many))

    def prediction(self, *, for_bolus: bool) -> list[float]:
        horizon = int(self.set.dia_min / 5)
        velocity, drift = self.velocity(), self.momentum()
        if for_bolus:
            velocity, drift = min(velocity, 0.0), (None if drift > 0 else drift)
        out = [self.h.seen[self.now]]
        points = math.ceil(self.set.momentum_min / 5) + 1
        for k in range(1, horizon + 1):
            at = self.now + k
            step = self.insulin_effect(at) - self.insulin_effect(at - 1)
            step += self.carb_effect(at) - self.carb_effect(at - 1)
            if k <= 11:
                step += velocity * 5 * (1 - 5 * (k - 1) / 55)
            if drift is not None and k < points:
                weight = (points - 1 - k) / (points - 2)
                step = (1 - weight) * step + weight * drift
            out.append(out[-1] + step)
        return out

    def correction(self, predicted: list[float]) -> tuple[str, float, float]:
        """Class, units, lowest prediction."""
        low, high = self.set.target_low_mg_dl, self.set.target_high_mg_dl
        susp, dia = self.set.suspend_mg_dl, self.set.dia_min
        middle = (low + high) / 2
        if any(p < susp for p in predicted):
            return "suspend", 0.0, min(predicted)
        best = None
        for k, p in enumerate(predicted):
            f = 1 - remaining(5 * k, dia, self.set.peak_min)
            if k == 0:
                continue
            x = 5 * k / dia
            target = susp if x <= 0.5 else susp + (middle - susp) / 0.5 * (x - 0.5)
            units = (p - target) / (f * self.isf)
            if units > 0 and (best is None or units < best):
                best = units
        least, eventual = min(predicted), predicted[-1]
        if least < low and eventual < low:
            f = 1 - remaining(5 * predicted.index(least), dia, self.set.peak_min)
            return "below", (least - middle) / (self.isf * max(EPS, f)), least
        if eventual > high and best is not None:
            return "above", best, least
        return "in range", 0.0, least

    def rounded(self, value: float) -> float:
        if self.set.step_u is None:
            return value
        per_unit = 1 / self.set.step_u
        return round(value * per_unit) / per_unit

    def temp_basal(self) -> float:
        kind, units, least = self.correction(self.prediction(for_bolus=False))
        rate = 0.0 if kind == "suspend" else units / 0.5 + self.basal
        limit = self.set.max_basal_u_per_h
        if kind == "above" and least < self.set.target_low_mg_dl:
            limit = self.basal
        return self.rounded(min(limit, max(0.0, rate)))

    def bolus(self) -> float:
        kind, units, _ = self.correction(self.prediction(for_bolus=True))
        return self.rounded(min(self.set.max_bolus_u, max(0.0, units if kind == "above" else 0.0)))


def slow_simulation(scenario: Scenario) -> SlowTrace:
    """Carry out one scenario of a Loop mode."""
    patient, mode = scenario.patient, scenario.setup.mode
    basal, isf = patient.basal_u_per_h, patient.isf_mg_dl_per_u
    csf = isf / patient.cir_g_per_u
    h, out = History(), SlowTrace()
    if mode == "loop_userbolus":
        h.boluses[0] = scenario.estimated_carb_g / patient.cir_g_per_u
    running: Temp | None = None
    for n in range(POINTS):
        # pump
        given = basal * 5 / 60
        if n > 0 and running is not None:
            given = running.rate * 5 / 60
            running.intervals += 1
            if running.intervals == 6:
                running = None
        out.delivered.append(given)
        out.bolus.append(h.boluses.get(n, 0.0))
        # patient
        net = [out.delivered[k] - basal * 5 / 60 + out.bolus[k] for k in range(n + 1)]
        insulin = sum(net[k] * used(5 * (n - k)) for k in range(n + 1))
        meal = csf * scenario.true_carb_g * absorbed(5 * n, scenario.true_absorption_min)
        out.glucose.append(scenario.start_glucose_mg_dl + meal - isf * insulin)
        every = [out.delivered[k] + out.bolus[k] for k in range(n + 1)]
        board = sum(every[k] * (1 - used(5 * (n - k))) for k in range(n + 1))
        board += basal / 12 * sum(1 - used(5 * m) for m in range(n + 1, 96))
        out.iob.append(board)
        # sensor
        h.seen.append(float(clamp(round(out.glucose[-1]), 40, 400)))
        # Loop
        loop = SlowLoop(scenario, h, n)
        bolus = loop.bolus() if mode == "loop_accept" and n == 0 else 0.0
        if bolus > 0:
            h.boluses[1] = bolus
        else:
            rate = loop.temp_basal()
            if abs(rate - basal) >= EPS:
                running = Temp(n, rate)
                h.temps.append(running)
            elif not scenario.setup.quirks.temp_runs_out:
                running = None
        out.temp.append(running.rate if running is not None else None)
    return out
