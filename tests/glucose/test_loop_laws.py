"""Laws of the Loop function, its quirks one by one, and hand arithmetic."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.glucose.loop import (
    CarbEntry,
    Dose,
    LoopInput,
    Reading,
    RunningTemp,
    Schedule,
    Velocities,
    carb_effect,
    carbs_on_board,
    insulin_effect,
    net_units,
    recommend,
    retrospective_correction,
)
from prandial.glucose.loop.insulin import reconciled
from prandial.glucose.loop.retrospective import correction_interval_min
from prandial.records import LoopSettings, Quirks

EXACT = Quirks.named("exact")
PYLOOPKIT = Quirks.named("pyloopkit")


def flat(level: float, **changed: Any) -> LoopInput:
    """Half an hour of steady glucose, nothing given, nothing eaten."""
    kept: dict[str, Any] = {
        "now_min": 0.0,
        "glucose": tuple(Reading(at_min=-5.0 * k, glucose_mg_dl=level) for k in range(6, -1, -1)),
        "isf_mg_dl_per_u": Schedule.constant(50),
        "cir_g_per_u": Schedule.constant(10),
        "basal_u_per_h": Schedule.constant(1),
    }
    return LoopInput(**{**kept, **changed})


@st.composite
def inputs(draw: st.DrawFn) -> LoopInput:
    """Readings, boluses, temp basals and entries of the last hours, on and off the grid."""
    count = draw(st.integers(3, 24))
    jitter = draw(st.sampled_from([0.0, 0.25, 0.5]))
    levels = draw(st.lists(st.integers(40, 400), min_size=count, max_size=count))
    places = [-5.0 * (count - 1 - k) - (jitter if k % 2 else 0.0) for k in range(count)]
    doses = [
        Dose(kind="bolus", start_min=-5.0 * t, end_min=-5.0 * t, value=u, delivered_u=u)
        for t, u in draw(st.lists(st.tuples(st.integers(0, 60), st.floats(0, 5)), max_size=3))
    ]
    for t, rate in draw(
        st.lists(st.tuples(st.integers(1, 60), st.sampled_from([0.0, 0.5, 2.0])), max_size=3)
    ):
        doses.append(
            Dose(
                kind="temp_basal",
                start_min=-5.0 * t,
                end_min=min(-5.0 * t + 30, 0.0),
                value=rate,
                delivered_u=rate * min(30, 5 * t) / 60,
            )
        )
    entries = draw(
        st.lists(st.tuples(st.integers(0, 60), st.integers(0, 120), st.sampled_from([120, 180])))
    )
    return LoopInput(
        now_min=0.0,
        glucose=tuple(
            Reading(at_min=t, glucose_mg_dl=v) for t, v in zip(places, levels, strict=True)
        ),
        doses=tuple(doses),
        carb_entries=tuple(
            CarbEntry(at_min=-5.0 * t, carb_g=g, absorption_min=a) for t, g, a in entries[:3]
        ),
        isf_mg_dl_per_u=Schedule.constant(draw(st.integers(10, 300))),
        cir_g_per_u=Schedule.constant(draw(st.integers(3, 40))),
        basal_u_per_h=Schedule.constant(draw(st.sampled_from([0.1, 0.5, 1.9]))),
        quirks=draw(st.sampled_from([PYLOOPKIT, EXACT])),
    )


@settings(max_examples=40, deadline=None)
@given(inputs())
def test_doses_stay_in_bounds_and_on_pump_steps(it: LoopInput) -> None:
    out = recommend(it)
    assert 0 <= out.bolus_u <= it.settings.max_bolus_u
    assert out.bolus_u == round(out.bolus_u * 20) / 20
    if out.temp_basal is not None and out.temp_basal.action == "set":
        rate = out.temp_basal.rate_u_per_h
        assert 0 <= rate <= it.settings.max_basal_u_per_h
        assert rate == round(rate * 20) / 20
    assert 0 <= out.cob_g <= sum(e.carb_g for e in it.carb_entries) + 1e-9


@settings(max_examples=40, deadline=None)
@given(inputs())
def test_json_form_gives_the_same(it: LoopInput) -> None:
    assert LoopInput.from_dict(it.to_dict()) == it
    assert recommend(it.to_dict()) == recommend(it)


@settings(max_examples=25, deadline=None)
@given(inputs(), st.integers(-200, 200))
def test_nothing_depends_on_the_clock_with_constant_settings(it: LoopInput, steps: int) -> None:
    by = 5.0 * steps
    moved = replace(
        it,
        now_min=by,
        glucose=tuple(replace(r, at_min=r.at_min + by) for r in it.glucose),
        doses=tuple(
            replace(d, start_min=d.start_min + by, end_min=d.end_min + by) for d in it.doses
        ),
        carb_entries=tuple(replace(e, at_min=e.at_min + by) for e in it.carb_entries),
    )
    here, there = recommend(it), recommend(moved)
    assert there.prediction.mg_dl == pytest.approx(here.prediction.mg_dl, abs=1e-6)
    assert [t - by for t in there.prediction.at_min] == pytest.approx(here.prediction.at_min)
    assert there.cob_g == pytest.approx(here.cob_g, abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(inputs())
def test_prediction_is_the_sum_of_its_effects_once_momentum_is_gone(it: LoopInput) -> None:
    out = recommend(it)

    def change(effect: Any, since: float) -> float:
        before = [v for t, v in zip(effect.at_min, effect.mg_dl, strict=True) if t <= since]
        start = before[-1] if before else (effect.mg_dl[0] if effect.mg_dl else 0.0)
        return (effect.mg_dl[-1] - start) if effect.mg_dl else 0.0

    faded = out.momentum.at_min[-1] if len(out.momentum) else 0.0
    after = [
        v for t, v in zip(out.prediction.at_min, out.prediction.mg_dl, strict=True) if t <= faded
    ]
    total = sum(
        change(e, faded)
        for e in (out.insulin_effect, out.carb_effect, out.retrospective_correction)
    )
    assert out.prediction.mg_dl[-1] == pytest.approx(after[-1] + total, abs=1e-6)


@given(st.floats(0, 20), st.floats(0, 20))
def test_insulin_adds_up_and_ends_at_isf_times_units(first: float, second: float) -> None:
    def effect(*units: float) -> Any:
        return insulin_effect(
            [Dose(kind="bolus", start_min=0, end_min=0, value=u) for u in units],
            start_min=0,
            isf_mg_dl_per_u=Schedule.constant(50),
            basal_u_per_h=Schedule.constant(1),
            settings=LoopSettings(),
            quirks=PYLOOPKIT,
        ).mg_dl

    parts = [a + b for a, b in zip(effect(first), effect(second), strict=True)]
    assert effect(first, second) == pytest.approx(parts, abs=1e-9)
    assert effect(first)[-1] == pytest.approx(-50 * first)
    assert effect(first)[:3] == (0, 0, 0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-5, 8), min_size=1, max_size=60), st.integers(0, 100), st.booleans())
def test_carbs_only_rise_and_never_more_than_eaten(
    speeds: list[float], grams: int, quirk: bool
) -> None:
    count = len(speeds)
    seen = Velocities(
        start_min=tuple(5.0 * k for k in range(count)),
        end_min=tuple(5.0 * (k + 1) for k in range(count)),
        mg_dl_per_min=tuple(speeds),
    )
    rest: dict[str, Any] = {
        "counteraction": seen,
        "isf_mg_dl_per_u": Schedule.constant(50),
        "cir_g_per_u": Schedule.constant(10),
        "without_delay": quirk,
    }
    entry = [CarbEntry(at_min=0, carb_g=grams)]
    values = carb_effect(entry, start_min=-30, **rest).mg_dl
    assert all(b >= a - 1e-9 for a, b in pairwise(values))
    assert values[0] == 0
    assert values[-1] == pytest.approx(5 * grams)
    assert 0 <= carbs_on_board(entry, at_min=5.0 * count, **rest) <= grams + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(40, 390), st.integers(0, 10))
def test_higher_glucose_never_asks_for_less(level: int, more: int) -> None:
    assert recommend(flat(level + more)).bolus_u >= recommend(flat(level)).bolus_u


@pytest.mark.parametrize("quirks", [PYLOOPKIT, EXACT])
def test_steady_glucose_in_range_asks_for_nothing(quirks: Quirks) -> None:
    out = recommend(flat(110, quirks=quirks))
    assert (out.correction.kind, out.temp_basal, out.bolus_u) == ("in_range", None, 0)
    assert set(out.prediction.mg_dl) == {110}


def test_bolus_by_hand() -> None:
    """210 mg/dL steady: (210 - 110) / 50 = 2 U at six hours, less at no other time."""
    out = recommend(flat(210))
    assert out.correction.kind == "above_range"
    assert out.correction.units_u == pytest.approx(2.0, abs=0.01)
    assert out.bolus_u == 2.0
    assert out.temp_basal is not None
    assert out.temp_basal.rate_u_per_h == 5.0  # 2 U in half an hour above 1 U/h


# --- quirks, one by one --------------------------------------------------------------------


def test_zero_temp_by_run() -> None:
    """By hand: at 0.3 U/h five minutes of nothing round to 0; at 1.9, 15 min to -0.5 U."""

    def none(minutes: float) -> Dose:
        return Dose(kind="temp_basal", start_min=0, end_min=minutes, value=0, delivered_u=0)

    assert net_units(none(5), 0.3, PYLOOPKIT) == 0
    assert net_units(none(5), 0.3, EXACT) == pytest.approx(-0.025)
    assert net_units(none(15), 1.9, PYLOOPKIT) == -0.5
    assert net_units(none(15), 1.9, EXACT) == pytest.approx(-0.475)


def test_absorption_without_delay() -> None:
    meal = (CarbEntry(at_min=0, carb_g=60),)
    early = recommend(flat(110, carb_entries=meal)).carb_effect
    late = recommend(flat(110, carb_entries=meal, quirks=EXACT)).carb_effect
    at = early.at_min.index(10.0)
    assert early.mg_dl[at] == pytest.approx(300 * 10 / 270)  # 60 g x 5 mg/dL/g over 270 min
    assert late.mg_dl[at] == 0
    assert late.mg_dl[at + 1] == pytest.approx(300 * 5 / 270)


@pytest.mark.parametrize(
    ("interval", "quirks", "minutes"),
    [(True, PYLOOPKIT, 1), (True, EXACT, 30), (30.0, PYLOOPKIT, 30), (30.0, EXACT, 30)],
)
def test_true_is_one_minute(interval: float | bool, quirks: Quirks, minutes: float) -> None:
    settings_ = LoopSettings(correction_interval_min=interval)
    assert correction_interval_min(settings_, quirks) == minutes


def test_correction_takes_seven_intervals_or_six() -> None:
    """Counteraction of 1 mg/dL/min and no carbohydrate effect: 7 x 5 or 6 x 5 mg/dL."""
    seen = Velocities(
        start_min=tuple(-5.0 * k for k in range(12, 0, -1)),
        end_min=tuple(-5.0 * k for k in range(11, -1, -1)),
        mg_dl_per_min=(1.0,) * 12,
    )
    nothing = carb_effect(
        [CarbEntry(at_min=0, carb_g=0)],
        start_min=-30,
        counteraction=seen,
        isf_mg_dl_per_u=Schedule.constant(50),
        cir_g_per_u=Schedule.constant(10),
    )
    for quirks, total in ((PYLOOPKIT, 35), (EXACT, 30)):
        got = retrospective_correction(
            seen,
            nothing,
            now_min=0,
            last_at_min=0,
            last_mg_dl=100,
            settings=LoopSettings(),
            quirks=quirks,
        )
        assert got is not None
        assert got.discrepancy_mg_dl == pytest.approx(total)
        assert got.effect.mg_dl[1] - 100 == pytest.approx(total / 30 * 5)


def rising() -> tuple[Reading, ...]:
    return tuple(Reading(at_min=-5.0 * k, glucose_mg_dl=150 - 4 * k) for k in range(12, -1, -1))


def test_correction_needs_carbs() -> None:
    without = recommend(flat(110, glucose=rising()))
    assert without.discrepancy_mg_dl is None
    exact = recommend(flat(110, glucose=rising(), quirks=EXACT))
    assert exact.discrepancy_mg_dl == pytest.approx(24)  # six intervals of 4 mg/dL
    assert exact.prediction.mg_dl[-1] > without.prediction.mg_dl[-1]


def test_a_running_temp_runs_out_or_is_cancelled() -> None:
    running = RunningTemp(rate_u_per_h=3, until_min=20)
    assert recommend(flat(110, running_temp=running)).temp_basal is None
    temp = recommend(flat(110, running_temp=running, quirks=EXACT)).temp_basal
    assert temp is not None
    assert (temp.action, temp.rate_u_per_h, temp.duration_min) == ("cancel", 1, 0)
    over = RunningTemp(rate_u_per_h=3, until_min=0)
    assert recommend(flat(110, running_temp=over, quirks=EXACT)).temp_basal is None


def test_bolus_prediction_ends_with_its_effects_or_at_the_duration_of_insulin() -> None:
    """A dose of five hours ago acts for 70 min more; the bolus prediction ends there."""
    old = (Dose(kind="bolus", start_min=-300, end_min=-300, value=1, delivered_u=1),)
    assert recommend(flat(110, doses=old)).prediction_for_bolus.at_min[-1] == 70
    repaired = recommend(flat(110, doses=old, quirks=EXACT))
    assert repaired.prediction_for_bolus.at_min[-1] == 360
    assert recommend(flat(110, doses=old)).prediction.at_min[-1] == 360


# --- doses, schedules, dates ------------------------------------------------------------------


def test_two_basal_rates_never_run_at_once() -> None:
    rates = [
        Dose(kind="temp_basal", start_min=0, end_min=30, value=2, delivered_u=1),
        Dose(kind="suspend", start_min=10, end_min=15),
        Dose(kind="temp_basal", start_min=20, end_min=50, value=0.5, delivered_u=0.25),
    ]
    spans = [(d.kind, d.start_min, d.end_min) for d in reconciled(rates)]
    assert spans == [
        ("temp_basal", 0, 10),
        ("suspend", 10, 15),
        ("temp_basal", 15, 20),
        ("temp_basal", 20, 50),
    ]


def test_a_temp_over_a_change_of_schedule_counts_against_both_rates() -> None:
    """2 U/h for an hour, half against 1 and half against 0.5 U/h: 1.25 U beyond schedule."""
    effect = insulin_effect(
        [Dose(kind="temp_basal", start_min=570, end_min=630, value=2, delivered_u=2)],
        start_min=570,
        isf_mg_dl_per_u=Schedule.constant(10),
        basal_u_per_h=Schedule.of([[0, 1], [600, 0.5]], where="basal"),
        settings=LoopSettings(),
        quirks=EXACT,
    )
    assert effect.mg_dl[-1] == pytest.approx(-12.5)


def test_a_value_holds_from_its_start_to_the_next() -> None:
    daily = Schedule.of([[0, 1], [540, 2], [1260, 3]], where="isf")
    assert [daily.at(t) for t in (0, 539.9, 540, 1259, 1260, 1440, 1980, -1)] == [
        *(1, 1, 2, 2, 3),
        *(1, 2, 3),
    ]
    assert daily.changes(500, 2000) == [540, 1260, 1440, 1980]


@pytest.mark.parametrize("as_text", [True, False])
def test_dates_are_minutes_since_the_midnight_of_now(as_text: bool) -> None:
    it = flat(180, doses=(Dose(kind="bolus", start_min=-15, end_min=-15, value=1),))
    start = datetime(2026, 3, 1, 12, 0)  # noqa: DTZ001

    def dated(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        out = []
        for row in rows:
            kept = dict(row)
            for name in ("at_min", "start_min", "end_min"):
                if name in kept:
                    when = start + timedelta(minutes=kept[name])
                    kept[name] = when.isoformat() if as_text else when
            out.append(kept)
        return out

    given_ = it.to_dict()
    given_["glucose"], given_["doses"] = dated(given_["glucose"]), dated(given_["doses"])
    given_["now_min"] = start.isoformat() if as_text else start
    out = recommend(given_)
    assert out.prediction.at_min[0] == 720
    assert out.prediction.mg_dl == pytest.approx(recommend(it).prediction.mg_dl, abs=1e-9)
