"""PyLoopKit's own fixtures: each file is checked, or named with the reason why it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.glucose.loop_files import Fixtures, day_minutes

from prandial.glucose.loop import (
    CarbEntry,
    Dose,
    LoopInput,
    Reading,
    Schedule,
    Timeline,
    Velocities,
    correction_for,
    counteraction_effect,
    decide,
    insulin_effect,
    insulin_on_board,
    momentum_effect,
    observed_absorption,
    predict,
    recommend_bolus,
    recommend_temp_basal,
)
from prandial.glucose.loop.carbs import carb_effect_of, unabsorbed_g
from prandial.glucose.loop.dosing import bolus_notice
from prandial.glucose.loop.insulin import net_units, reconciled
from prandial.glucose.loop.retrospective import decay_effect, discrepancies, summed
from prandial.records import LoopSettings, Quirks

#: nothing to compare with in the folder: the other half of the pair is not there
ALONE = {
    "effect_from_history_output_exponential.json": "output whose history of doses is not kept",
    "basal_dose.json": "dose whose expected effect is not kept",
    "short_basal_dose.json": "dose whose expected effect is not kept",
}
PYLOOPKIT = Quirks()


@pytest.fixture(scope="module")
def files(shared_dir: Path) -> Fixtures:
    return Fixtures(shared_dir / "data/glucose/pyloopkit_fixtures")


@pytest.fixture(autouse=True)
def user(files: Fixtures, request: pytest.FixtureRequest) -> None:
    files.who = request.node.name


def take(files: Fixtures, name: str) -> list[dict[str, Any]]:
    return files.rows(name + ".json", files.who)


def timeline(files: Fixtures, name: str, *, offset_s: int = 0) -> Timeline:
    rows = take(files, name)
    return Timeline(
        at_min=tuple(day_minutes(r.get("date") or r["startDate"], offset_s=offset_s) for r in rows),
        mg_dl=tuple(float(r.get("amount", r.get("value"))) for r in rows),
    )


def velocities(files: Fixtures, name: str, *, offset_s: int = 0) -> Velocities:
    rows = take(files, name)
    return Velocities(
        start_min=tuple(
            day_minutes(r.get("startDate") or r["start_at"], offset_s=offset_s) for r in rows
        ),
        end_min=tuple(
            day_minutes(r.get("endDate") or r["end_at"], offset_s=offset_s) for r in rows
        ),
        mg_dl_per_min=tuple(float(r.get("value", r.get("velocity"))) for r in rows),
    )


def readings(files: Fixtures, name: str) -> list[Reading]:
    return [
        Reading(
            at_min=day_minutes(r["date"]),
            glucose_mg_dl=r["amount"],
            display_only=r.get("display_only") == "true",
            provenance=r.get("provenance_identifier", ""),
        )
        for r in take(files, name)
    ]


def same(got: Timeline, expected: Timeline, *, tolerance: float) -> None:
    assert got.at_min == pytest.approx(expected.at_min, abs=1e-6)
    assert got.mg_dl == pytest.approx(expected.mg_dl, abs=tolerance)


# --- dosing ---------------------------------------------------------------------------------

FORECASTS = [
    "far_future_high_bg_forecast",
    "recommend_temp_basal_correct_low_at_min",
    "recommend_temp_basal_dropping_then_rising",
    "recommend_temp_basal_flat_and_high",
    "recommend_temp_basal_high_and_rising",
    "recommend_temp_basal_in_range_and_rising",
    "recommend_temp_basal_no_change_glucose",
    "recommend_temp_basal_start_low_end_high",
    "recommend_temp_basal_start_low_end_in_range",
    "recommend_temp_basal_very_low_end_in_range",
    "recommended_temp_start_low_end_just_above_range",
]
NOTICES = {
    None: None,
    "glucoseBelowSuspendThreshold": "glucose_below_suspend_threshold",
    "predictedGlucoseBelowTarget": "predicted_glucose_below_target",
}


@pytest.mark.parametrize("peak", [75, 65])
@pytest.mark.parametrize("name", FORECASTS)
def test_forecasts_give_the_doses_of_pyloopkit(files: Fixtures, name: str, peak: int) -> None:
    kept = json.loads((files.folder / "Loop/DoseMath/expected_pyloopkit_9136221.json").read_text())
    expected = kept["cases"][name + ".json"][f"exponential_360_{peak}"]
    basal = Schedule.of(
        [[r["minutes"], r["rate"]] for r in take(files, "read_selected_basal_profile")],
        where="basal",
    )
    forecast = timeline(files, name)
    now = forecast.at_min[0]
    settings = LoopSettings(
        peak_min=peak, suspend_mg_dl=55, max_basal_u_per_h=3, max_bolus_u=10, step_u=None
    )
    correction = correction_for(
        forecast,
        now_min=now,
        isf_mg_dl_per_u=60,
        target_low_mg_dl=Schedule.constant(90),
        target_high_mg_dl=Schedule.constant(120),
        settings=settings,
    )
    assert correction.kind == expected["correction"]
    if correction.kind == "suspend":
        assert [correction.min_mg_dl] == expected["detail"]
    if correction.kind == "above_range":
        detail = [correction.min_mg_dl, correction.corrected_mg_dl]
        detail += [correction.target_low_mg_dl, correction.units_u]
        assert detail == pytest.approx(expected["detail"], abs=1e-9)
    for step, key in ((None, "temp_basal"), (0.05, "temp_basal_rounded_0p05")):
        temp = recommend_temp_basal(
            correction,
            now_min=now,
            basal_u_per_h=basal.at(now),
            settings=LoopSettings(max_basal_u_per_h=3, step_u=step),
            quirks=PYLOOPKIT,
        )
        rate = None if temp is None else pytest.approx([temp.rate_u_per_h, temp.duration_min])
        assert expected[key] == rate
    assert recommend_bolus(correction, settings=settings) == pytest.approx(expected["bolus"])
    assert bolus_notice(correction) == NOTICES[expected["notice"]]


# --- a whole decision from known effects, with schedules ----------------------------------


@pytest.mark.parametrize(
    "case", ["flat_and_stable", "high_and_falling", "high_and_rising_with_cob", "high_and_stable"]
)
def test_known_effects_give_the_decision_of_pyloopkit(files: Fixtures, case: str) -> None:
    folder = files.folder / "Loop/LoopDataManager/Effect_Tests"
    kept = json.loads((folder / "expected_pyloopkit_9136221.json").read_text())
    expected, settings = kept["cases"][case], kept["settings"]
    offset = expected["utc_offset_s"]

    def schedule(name: str, part: int | None = None) -> Schedule:
        rows = [
            [int(start[:2]) * 60, value if part is None else value[part]]
            for start, value in settings[name].items()
        ]
        return Schedule.of(rows, where=name)

    now = day_minutes(expected["now_local"])
    given = LoopInput(
        now_min=now,
        glucose=(Reading(at_min=now, glucose_mg_dl=expected["start_glucose"]),),
        isf_mg_dl_per_u=schedule("isf"),
        cir_g_per_u=Schedule.constant(10),
        basal_u_per_h=schedule("basal"),
        target_low_mg_dl=schedule("target", 0),
        target_high_mg_dl=schedule("target", 1),
        settings=LoopSettings(suspend_mg_dl=75, max_basal_u_per_h=5, max_bolus_u=10),
    )
    out = decide(
        given,
        insulin=timeline(files, f"{case}_insulin_effect", offset_s=offset),
        carbs=timeline(files, f"{case}_carb_effect", offset_s=offset),
        counteraction=velocities(files, f"{case}_counteraction_effect", offset_s=offset),
        momentum=timeline(files, f"{case}_momentum_effect", offset_s=offset),
    )
    tolerance = expected["max_abs_err_prediction_vs_fixture"] + 1e-9
    same(
        out.prediction,
        timeline(files, f"{case}_predicted_glucose", offset_s=offset),
        tolerance=tolerance,
    )
    values = expected["retrospective_effect_values"]
    assert out.retrospective_correction.mg_dl == pytest.approx(values, abs=1e-9)
    assert out.temp_basal is not None
    temp = [out.temp_basal.rate_u_per_h, out.temp_basal.duration_min]
    assert temp == pytest.approx(expected["recommended_temp_basal"], abs=1e-12)
    assert out.bolus_u == pytest.approx(expected["recommended_bolus"], abs=1e-12)


# --- glucose ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("falling_glucose_input", "falling_glucose_output"),
        ("falling_glucose_duplicate_input", "falling_glucose_output"),
        ("rising_glucose_input", "rising_glucose_output"),
        ("rising_glucose_double_entries_input", "rising_glucose_output"),
        ("stable_glucose_input", "stable_glucose_output"),
    ],
)
def test_momentum_of_readings(files: Fixtures, given: str, expected: str) -> None:
    got = momentum_effect(readings(files, "momentum_effect_" + given), duration_min=30)
    same(got, timeline(files, "momentum_effect_" + expected), tolerance=1e-9)


@pytest.mark.parametrize("given", ["display_only", "duplicate", "incomplete", "mixed_provenance"])
def test_no_momentum_from_calibrations_gaps_and_two_devices(files: Fixtures, given: str) -> None:
    taken = readings(files, f"momentum_effect_{given}_glucose_input")
    assert len(momentum_effect(taken, duration_min=30)) == 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("falling_glucose_input", "falling_glucose_output"),
        ("falling_glucose_double_entries_input", "falling_glucose_output"),
        (
            "falling_glucose_almost_duplicates_input",
            "falling_glucose_almost_duplicates_output",
        ),
    ],
)
def test_counteraction_of_readings(files: Fixtures, given: str, expected: str) -> None:
    insulin = timeline(files, "counteraction_effect_falling_glucose_insulin")
    got = counteraction_effect(readings(files, "counteraction_effect_" + given), insulin)
    want = velocities(files, "counteraction_effect_" + expected)
    assert got.start_min == pytest.approx(want.start_min)
    assert got.end_min == pytest.approx(want.end_min)
    assert got.mg_dl_per_min == pytest.approx(want.mg_dl_per_min, abs=1e-9)


# --- carbohydrate -----------------------------------------------------------------------------

ISF = Schedule.constant(40)
#: 44 g end at 220 mg/dL and 30 g, at 23:00, at 133.33: ratios of 8 and 9 g/U
CIR = Schedule.of([[0, 8], [1320, 9]], where="cir")


@pytest.mark.parametrize(
    ("entry", "given", "on_board", "effect", "left_min"),
    [
        (2, "ice_35_min_input", "ice_35_min_none_output", "none", 240),
        (0, "ice_35_min_input", "ice_35_min_partial_output", "partially", 8509 / 60),
        (0, "ice_1_hour_input", "ice_1_hour_output", "fully", 0),
    ],
)
def test_absorption_seen_in_counteraction(
    files: Fixtures, entry: int, given: str, on_board: str, effect: str, left_min: float
) -> None:
    row = take(files, "carb_entry_input")[entry]
    seen = velocities(files, given)
    found = observed_absorption(
        [
            CarbEntry(
                at_min=day_minutes(row["start_at"]),
                carb_g=row["amount"],
                absorption_min=row["absorption_time"],
            )
        ],
        seen,
        isf_mg_dl_per_u=ISF,
        cir_g_per_u=CIR,
        delay_min=0,
        overrun=2,
    )
    assert found[0].left_min == pytest.approx(left_min, abs=0.01)
    want = timeline(files, on_board)
    got = [sum(unabsorbed_g(a, t, delay_min=10) for a in found) for t in want.at_min]
    assert got == pytest.approx(want.mg_dl, abs=0.01)
    start = seen.start_min[0]
    same(
        carb_effect_of(
            found, start_min=start, end_min=start + 360, delay_min=10, without_delay=True
        ),
        timeline(files, f"dynamic_glucose_effect_{effect}_observed_output"),
        tolerance=0.05,
    )


# --- insulin ----------------------------------------------------------------------------------


def doses(files: Fixtures, name: str) -> list[Dose]:
    kinds = {"Bolus": "bolus", "TempBasal": "temp_basal", "PumpSuspend": "suspend"}
    return [
        Dose(
            kind=kinds[r["type"]],  # type: ignore[arg-type]
            start_min=day_minutes(r["start_at"]),
            end_min=day_minutes(r["end_at"]),
            value=r["amount"],
        )
        for r in take(files, name)
    ]


def test_effect_and_insulin_on_board_of_a_bolus(files: Fixtures) -> None:
    given = doses(files, "bolus_dose")
    basal, settings = Schedule.constant(1), LoopSettings()
    got = insulin_effect(
        given,
        start_min=given[0].start_min,
        isf_mg_dl_per_u=ISF,
        basal_u_per_h=basal,
        settings=settings,
        quirks=PYLOOPKIT,
    )
    # the fixture is Swift's; PyLoopKit compares it to the nearest mg/dL
    same(got, timeline(files, "effect_from_bolus_output_exponential"), tolerance=1e-6)
    want = timeline(files, "iob_from_bolus_exponential_output")
    for at, units in zip(want.at_min, want.mg_dl, strict=True):
        on_board = (
            0.0
            if at < given[0].start_min
            else insulin_on_board(
                given, at_min=at, basal_u_per_h=basal, settings=settings, quirks=PYLOOPKIT
            )
        )
        assert on_board == pytest.approx(units, abs=1e-6)


def test_a_suspend_of_no_length_gives_and_takes_nothing(files: Fixtures) -> None:
    given = doses(files, "suspend_dose_reconciled")
    assert reconciled(given) == given
    (rate,) = (r["amount"] for r in take(files, "suspend_dose_reconciled_normalized"))
    assert rate == -0.75  # the scheduled rate it takes away: times no hours it is nothing
    assert net_units(given[0], -rate, PYLOOPKIT) == 0
    want = timeline(files, "suspend_dose_reconciled_normalized_iob")
    for at, units in zip(want.at_min, want.mg_dl, strict=True):
        got = insulin_on_board(
            given,
            at_min=at,
            basal_u_per_h=Schedule.constant(0.75),
            settings=LoopSettings(dia_min=240),
            quirks=PYLOOPKIT,
        )
        assert got == units


# --- prediction and sums ----------------------------------------------------------------------


def history(files: Fixtures, name: str) -> Reading:
    row = take(files, name)[0]
    if "value" in row:
        return Reading(at_min=day_minutes(row["startDate"]), glucose_mg_dl=row["value"])
    return Reading(at_min=day_minutes(row["display_time"]), glucose_mg_dl=row["glucose"])


@pytest.mark.parametrize(
    ("glucose", "carbs", "insulin", "momentum", "expected"),
    [
        ("glucose_input", "carb_effect_input", "insulin_effect_input", None, "no_momentum_output"),
        (
            "momentum_flat_glucose_input",
            "carb_effect_input",
            "insulin_effect_input",
            "momentum_flat_input",
            "momentum_flat_output",
        ),
        (
            "glucose_input",
            "carb_effect_input",
            "insulin_effect_input",
            "momentum_up_input",
            "momentum_up_output",
        ),
        (
            "momentum_blend_glucose_input",
            "carb_effect_input",
            "momentum_blend_insulin_effect_input",
            "momentum_blend_momentum_input",
            "momentum_blend_output",
        ),
        (
            "non_zero_glucose_input",
            "non_zero_carb_input",
            "non_zero_insulin_input",
            None,
            "non_zero_output",
        ),
    ],
)
def test_prediction_from_effects(
    files: Fixtures, glucose: str, carbs: str, insulin: str, momentum: str | None, expected: str
) -> None:
    name = "glucose_from_effects_"
    last = history(files, name + glucose)
    got = predict(
        at_min=last.at_min,
        glucose_mg_dl=last.glucose_mg_dl,
        effects=[timeline(files, name + carbs), timeline(files, name + insulin)],
        momentum=None if momentum is None else timeline(files, name + momentum),
    )
    same(got, timeline(files, name + expected), tolerance=1e-3)


def test_counteraction_less_carbs_and_its_sums(files: Fixtures) -> None:
    got = discrepancies(
        velocities(files, "subtracting_carb_effect_counteration_input"),
        timeline(files, "subtracting_carb_effect_carb_input"),
    )
    want = timeline(files, "ice_minus_carb_effect_with_gaps_output")
    assert got.mg_dl == pytest.approx(want.mg_dl, abs=1e-2)
    sums = summed(want, duration_min=30)
    for name in ("combined_sums_with_gaps_output", "sums_with_gaps_output"):
        assert sums.mg_dl == pytest.approx(timeline(files, name).mg_dl, abs=1e-9)


def test_counteraction_less_one_point_of_carbs(files: Fixtures) -> None:
    seen = velocities(files, "subtracting_flat_carb_from_ice_counteraction_input")
    carbs = Timeline(at_min=(day_minutes("2018-08-26T00:45:00"),), mg_dl=(385.8235294117647,))
    want = timeline(files, "ice_minus_flat_carb_effect_output")
    assert discrepancies(seen, carbs).mg_dl == pytest.approx(want.mg_dl, abs=1e-2)


def test_a_speed_decays_in_a_line() -> None:
    """Hand arithmetic: 2 mg/dL/min over 30 min gives 10, 8, 6, 4, 2, 0 mg/dL."""
    got = decay_effect(at_min=15, glucose_mg_dl=100, mg_dl_per_min=2, duration_min=30)
    assert got.mg_dl == pytest.approx([100, 110, 118, 124, 128, 130])
    got = decay_effect(at_min=13.4, glucose_mg_dl=100, mg_dl_per_min=-0.5, duration_min=30)
    assert got.mg_dl == pytest.approx([100, 97.5, 95.5, 94, 93, 92.5, 92.5])
    assert got.at_min[0] == 10


def test_doses_without_an_expected_effect_give_their_units(files: Fixtures) -> None:
    """By hand: 2 U/h for an hour over 1 U/h is 1 U net; 18 U/h for 5 min over 0 is 1.5 U."""
    for name, basal, net in (("basal_dose", 1.0, 1.0), ("short_basal_dose", 0.0, 1.5)):
        effect = insulin_effect(
            doses(files, name),
            start_min=720,
            isf_mg_dl_per_u=ISF,
            basal_u_per_h=Schedule.constant(basal),
            settings=LoopSettings(),
            quirks=PYLOOPKIT,
        )
        assert effect.change_mg_dl == pytest.approx(-40 * net, abs=1e-9)


def test_every_fixture_is_used_or_named(files: Fixtures, request: pytest.FixtureRequest) -> None:
    """The table: which file is checked by which test; runs after the others of this file."""
    used = {name: users for name, users in files.used.items() if name not in ALONE}
    left = sorted(set(files.places) - set(used))
    print()
    for name in sorted(files.places):
        by = ALONE.get(name) or ", ".join(sorted({u.split("[")[0] for u in used.get(name, ())}))
        print(f"  {name:74} {by}")
    print(
        f"fixtures: {len(files.places)} files, {len(used)}x checked, {len(left)} alone:",
        ", ".join(left),
    )
    here = {item.name.split("[")[0] for item in request.session.items if item.path == request.path}
    others = {name for name in dir(request.module) if name.startswith("test_")} - here
    if others:
        pytest.skip(f"needs the whole file; not collected: {', '.join(sorted(others))}")
    assert len(files.places) == 92
    assert left == sorted(ALONE)
