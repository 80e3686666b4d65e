"""The full factorial against a slow plain version, laws, and bad input."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.errors import InputError, NotFoundError, SimulationError
from prandial.glucose import (
    METRICS,
    PERFECT,
    Design,
    Estimates,
    assess,
    count_simulations,
    draw_patients,
    risk_of,
)
from prandial.glucose.manual import manual_glucose
from prandial.records import Patient, Setup

MANUAL = (Setup(mode="manual"),)
TWO = (Setup(mode="manual"), Setup(mode="loop_temp"))
PATIENTS = tuple(
    Patient(name=n, isf_mg_dl_per_u=i, cir_g_per_u=c, basal_u_per_h=0.5)
    for n, i, c in (("a", 50.0, 13.0), ("b", 120.0, 15.0), ("c", 49.0, 10.0))
)


def other_model(scenarios):
    """Not Loop: something that tells setups and starts from each other."""
    glucose = manual_glucose(scenarios)
    loop = scenarios.setup_of == 1
    return np.where(loop[:, None], 110 + 0.4 * (glucose - 110), glucose)


def estimates(n=6, seed=0, **more):
    rng = np.random.default_rng(seed)
    true = rng.uniform(5, 120, n).round(1)
    return Estimates(
        meal_ids=[f"m{i}" for i in range(n)],
        true_g=true,
        columns={
            "close": (true * rng.uniform(0.9, 1.1, n)).round(1),
            "far": (true * rng.uniform(0.3, 1.9, n)).round(1),
        },
        **more,
    )


def one_trace(patient, setup, start, true, estimate):
    """One simulation, minute by minute."""
    glucose = []
    for at in range(0, 361, 5):
        absorbed = 1 - math.exp((20 - at) / 34) if at >= 20 else 0.0
        used = sum((math.exp(-m / 70) - math.exp(-m / 55)) / 15 for m in range(at + 1))
        csf = patient.isf_mg_dl_per_u / patient.cir_g_per_u
        glucose.append(start + csf * (true * absorbed - estimate * used))
    return glucose if setup.mode == "manual" else [110 + 0.4 * (g - 110) for g in glucose]


def test_means_are_those_of_plain_loops():
    starts, meals = (80.0, 200.0), estimates(3)
    design = Design(patients=PATIENTS[:2], start_glucose_mg_dl=starts, setups=TWO, bootstrap=0)
    result = assess(meals, design, simulate=other_model)
    columns = {**meals.columns, PERFECT: meals.true_g}
    for name, column in columns.items():
        by = {}
        for (m, true), patient, start, setup in itertools.product(
            enumerate(meals.true_g), PATIENTS[:2], starts, TWO
        ):
            risk = risk_of(one_trace(patient, setup, start, true, column[m]))
            by.setdefault((setup.mode, start), []).append(risk)
        for metric in METRICS:

            def mean(keep, by=by, metric=metric):
                found = [float(getattr(r, metric)) for key in by if keep(key) for r in by[key]]
                return sum(found) / len(found)

            got = result.row(name).metrics[metric].value
            assert got == pytest.approx(mean(lambda key: True), rel=1e-9, abs=1e-9)
            for setup in TWO:
                got = result.row(name, setup.mode).metrics[metric].value
                expected = mean(lambda key, setup=setup: key[0] == setup.mode)
                assert got == pytest.approx(expected, rel=1e-9, abs=1e-9)
            for row in result.starts:
                if row.estimator == name:
                    expected = mean(
                        lambda key, row=row: key == (row.setup, row.start_glucose_mg_dl)
                    )
                    assert row.metrics[metric] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert result.n_simulations == 3 * 3 * 2 * 2 * 2
    assert result.row("far").n_simulations == 3 * 2 * 2 * 2
    assert result.row("far", "manual").n_simulations == 3 * 2 * 2


def test_the_published_size():
    """20 patients x 4 estimators x 4 starts x 2 setups x 70 meals = 44,800."""
    rng = np.random.default_rng(0)
    meals = Estimates(
        meal_ids=list(map(str, range(70))),
        true_g=rng.uniform(1, 100, 70),
        columns={f"e{i}": rng.uniform(1, 100, 70) for i in range(4)},
    )
    everything, different = count_simulations(meals, Design())
    assert everything == different == 44_800 + 70 * 20 * 4 * 2
    equal = Estimates(
        meal_ids=meals.meal_ids, true_g=meals.true_g, columns={"a": meals.true_g, "b": meals.true_g}
    )
    assert count_simulations(equal, Design()) == (3 * 11_200, 11_200)


def test_errors_of_grams_by_hand():
    meals = Estimates(
        meal_ids=["x", "y"], true_g=[10, 30], columns={"a": [14, 20], "b": [10, math.nan]}
    )
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0, policy="skip")
    result = assess(meals, design)
    assert (result.row("a").mae_g, result.row("a").bias_g) == (7.0, -3.0)
    assert (result.row("b").mae_g, result.row("b").n_meals) == (0.0, 1)
    assert result.row(PERFECT).mae_g == 0


def test_blocks_do_not_show():
    design = Design(patients=PATIENTS, setups=TWO, bootstrap=100)
    whole = assess(estimates(), design, simulate=other_model).to_dict()
    for block in (1, 7, 50, 10**6):
        parts = assess(estimates(), design, simulate=other_model, block_rows=block)
        assert parts.to_dict() == whole


def test_same_bytes_twice_and_valid_json():
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=200)
    first, second = (
        json.dumps(assess(estimates(), design).to_dict(), allow_nan=False) for _ in range(2)
    )
    assert first == second
    told = json.loads(first)
    assert told["note"] == "Research use, not dosing advice"
    choices = told["parameters"]
    assert choices["bootstrap"] == {
        "resamples": 200,
        "level": 0.95,
        "seed": 0,
        "kind": "percentile interval; meals and patients resampled apart from each other",
    }
    assert {"patients", "start_glucose_mg_dl", "setups", "policy", "aggregation"} <= set(choices)
    assert choices["windows_mg_dl"] == {"1_401": [1, 401], "20_600": [20, 600]}
    assert choices["csf_mg_dl_per_g"]["median"] == 4.9


@settings(max_examples=15)
@given(st.permutations(range(6)), st.permutations(range(3)), st.booleans())
def test_order_of_meals_and_patients_does_not_matter(meals, patients, flip):
    given_ = estimates()
    columns = {n: c[list(meals)] for n, c in given_.columns.items()}
    if flip:
        columns = dict(reversed(columns.items()))
    moved = Estimates(
        meal_ids=[given_.meal_ids[i] for i in meals],
        true_g=given_.true_g[list(meals)],
        columns=columns,
    )
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0)
    other = Design(patients=[PATIENTS[i] for i in patients], setups=MANUAL, bootstrap=0)
    a, b = assess(given_, design), assess(moved, other)
    for name in a.names:
        for metric in METRICS:
            expected = a.row(name).metrics[metric].value
            assert b.row(name).metrics[metric].value == pytest.approx(expected, rel=1e-12)


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_differences_are_differences_of_rows_and_zero_for_equals(seed):
    meals = estimates(seed=seed)
    columns = {**meals.columns, "copy": meals.columns["far"], "truth": meals.true_g}
    meals = Estimates(meal_ids=meals.meal_ids, true_g=meals.true_g, columns=columns)
    design = Design(patients=PATIENTS, setups=TWO, bootstrap=100, seed=seed)
    result = assess(meals, design, simulate=other_model)
    assert len(result.differences) == 10 * 3  # of five columns, in three scopes
    for told in result.differences:
        for metric, found in told.metrics.items():
            a = result.row(told.estimator, told.scope).metrics[metric].value
            b = result.row(told.reference, told.scope).metrics[metric].value
            assert found.value == a - b
            assert found.low <= found.high
    for pair in (("truth", PERFECT), ("far", "copy")):
        for found in result.difference(*pair).metrics.values():
            assert (found.value, found.low, found.high) == (0, 0, 0)
            assert (found.meals_low, found.patients_high) == (0, 0)


def test_one_reference():
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0, reference=PERFECT)
    result = assess(estimates(), design)
    assert [(d.estimator, d.reference) for d in result.differences] == [
        ("close", PERFECT),
        ("far", PERFECT),
    ]
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0, reference="best")
    with pytest.raises(NotFoundError, match="close, far, perfect"):
        assess(estimates(), design)


def with_gaps():
    meals = estimates(5)
    columns = {n: c.copy() for n, c in meals.columns.items()}
    columns["far"][[1, 3]] = math.nan
    return Estimates(meal_ids=meals.meal_ids, true_g=meals.true_g, columns=columns)


def part(meals, rows, **columns):
    return Estimates(
        meal_ids=[meals.meal_ids[i] for i in rows],
        true_g=meals.true_g[rows],
        columns={n: c[rows] for n, c in {**meals.columns, **columns}.items()},
    )


def test_exclude_is_as_if_the_meals_were_not_there():
    meals = with_gaps()
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=100)
    result = assess(meals, design)
    fewer = assess(part(meals, [0, 2, 4]), design)
    assert [r.metrics for r in result.rows] == [r.metrics for r in fewer.rows]
    assert [r.n_abstained for r in result.rows] == [0, 2, 0]
    assert {r.n_meals for r in result.rows} == {3}
    told = result.to_dict()
    assert told["meals_left_out"] == ["m1", "m3"]
    assert told["abstained"] == {"close": 0, "far": 2}


def test_no_bolus_is_an_estimate_of_nothing():
    meals = with_gaps()
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=100, policy="no_bolus")
    result = assess(meals, design)
    filled = np.nan_to_num(meals.columns["far"], nan=0.0)
    expected = assess(part(meals, [0, 1, 2, 3, 4], far=filled), design)
    assert [r.metrics for r in result.rows] == [r.metrics for r in expected.rows]
    assert result.row("far").n_abstained == 2
    answered = [0, 2, 4]
    errors = np.abs(meals.columns["far"] - meals.true_g)[answered]
    assert result.row("far").mae_g == pytest.approx(errors.mean()), "of told estimates alone"


def test_skip_lacks_the_meal_for_that_estimator_alone():
    meals = with_gaps()
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=300, policy="skip")
    result = assess(meals, design)
    fewer = assess(part(meals, [0, 2, 4]), Design(patients=PATIENTS, setups=MANUAL, bootstrap=0))
    every = assess(
        part(meals, [0, 1, 2, 3, 4], far=meals.true_g),
        Design(patients=PATIENTS, setups=MANUAL, bootstrap=0),
    )
    assert (result.row("far").same_meals, result.row("close").same_meals) == (False, True)
    assert (result.row("far").n_meals, result.row("close").n_meals) == (3, 5)
    told = result.difference("close", "far")
    assert told.n_meals == 3
    for metric in METRICS:
        value = result.row("far").metrics[metric].value
        assert value == pytest.approx(fewer.row("far").metrics[metric].value, rel=1e-12)
        value = result.row("close").metrics[metric].value
        assert value == pytest.approx(every.row("close").metrics[metric].value, rel=1e-12)
        of_pair = told.metrics[metric]
        expected = fewer.difference("close", "far").metrics[metric].value
        assert of_pair.value == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert of_pair.low <= of_pair.high
    json.dumps(result.to_dict(), allow_nan=False)


def test_an_estimator_that_never_answers():
    meals = estimates(4)
    meals = Estimates(
        meal_ids=meals.meal_ids,
        true_g=meals.true_g,
        columns={**meals.columns, "silent": [math.nan] * 4},
    )
    with pytest.raises(InputError, match="no meal is left"):
        assess(meals, Design(patients=PATIENTS, setups=MANUAL))
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=100, policy="skip")
    result = assess(meals, design)
    row = result.row("silent")
    assert (row.n_meals, row.n_abstained) == (0, 4)
    assert math.isnan(row.metrics["bgri_1_401"].value)
    assert result.ranking("bgri_1_401")[-1] == "silent"
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert json.loads(text)["rows"][2]["mae_g"] is None


def test_ranges_by_hand():
    """Each end is as an estimator of its own; the worst is taken meal by meal."""
    true = np.array([40.0, 60.0])
    mid, low, high = np.array([40.0, 60.0]), np.array([20.0, 55.0]), np.array([50.0, 100.0])
    meals = Estimates(
        meal_ids=["x", "y"], true_g=true, columns={"a": mid}, bands={"a": (low, high)}
    )
    design = Design(patients=PATIENTS[:1], setups=MANUAL, bootstrap=0)
    (told,) = assess(meals, design).ranges
    alone = {
        (m, g): assess(Estimates(meal_ids=[m], true_g=[t], columns={"a": [g]}), design)
        .row("a")
        .metrics["tir_percent"]
        .value
        for m, t, amounts in (("x", 40.0, (20, 40, 50)), ("y", 60.0, (55, 60, 100)))
        for g in amounts
    }
    found = told.metrics["tir_percent"]
    assert found["at_low"] == pytest.approx((alone["x", 20] + alone["y", 55]) / 2)
    assert found["at_estimate"] == pytest.approx((alone["x", 40] + alone["y", 60]) / 2)
    assert found["at_high"] == pytest.approx((alone["x", 50] + alone["y", 100]) / 2)
    three = [[alone["x", g] for g in (20, 40, 50)], [alone["y", g] for g in (55, 60, 100)]]
    assert found["best"] == pytest.approx(sum(map(max, three)) / 2)
    assert found["worst"] == pytest.approx(sum(map(min, three)) / 2)
    assert found["spread"] == pytest.approx(found["best"] - found["worst"])
    bgri = told.metrics["bgri_1_401"]
    assert bgri["best"] <= bgri["at_estimate"] <= bgri["worst"]


def test_a_range_counts_where_it_is_told():
    meals = Estimates(
        meal_ids=["x", "y", "z"],
        true_g=[40, 60, 50],
        columns={"a": [40, 60, math.nan]},
        bands={"a": ([30, math.nan, 20], [50, math.nan, 60])},
    )
    design = Design(patients=PATIENTS[:1], setups=MANUAL, bootstrap=0, policy="no_bolus")
    (told,) = assess(meals, design).ranges
    assert told.n_meals == 1


def test_another_patient_model_must_give_a_row_a_scenario():
    design = Design(patients=PATIENTS, setups=MANUAL)
    with pytest.raises(SimulationError, match="shape"):
        assess(estimates(), design, simulate=lambda s: np.zeros((3, 73)))


def test_progress_sums_to_the_count():
    design, seen = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0), []
    assess(estimates(), design, progress=seen.append, block_rows=20)
    assert len(seen) > 3
    assert sum(seen) == count_simulations(estimates(), design)[1]


def test_large_meals_only_when_meant():
    big = {"meal_ids": ["x"], "true_g": [300.0], "columns": {"a": [280.0]}}
    with pytest.raises(InputError, match=r"0 to 250 g.*large meals"):
        Estimates(**big)
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0)
    assert assess(Estimates(**big, large_meals=True), design).n_simulations == 2 * 3 * 4


def test_values_rankings_and_unknown_names():
    design = Design(patients=PATIENTS, setups=TWO, bootstrap=0)
    result = assess(estimates(), design, simulate=other_model)
    whole = result.values("tbr_percent")
    assert whole == {r.estimator: r.metrics["tbr_percent"].value for r in result.rows[:3]}
    assert result.values("tbr_percent", setup="loop_temp")["far"] == pytest.approx(
        result.row("far", "loop_temp").metrics["tbr_percent"].value
    )
    assert result.ranking("bgri_20_600") == ("close", "far")
    assert result.ranking("tir_percent") == ("close", "far")
    for call, error in (
        (lambda: result.values("bgri"), NotFoundError),
        (lambda: result.values("bgri_1_401", setup="x"), InputError),
        (lambda: result.values("bgri_1_401", start_glucose_mg_dl=81), InputError),
        (lambda: result.values("bgri_1_401", aggregation="mode"), InputError),
        (lambda: result.ranking("mean_mg_dl"), InputError),
        (lambda: result.row("x"), NotFoundError),
        (lambda: result.difference("far", "x"), NotFoundError),
    ):
        with pytest.raises(error):
            call()


def test_median_over_cells_by_hand():
    meals = Estimates(meal_ids=["x", "y", "z"], true_g=[10, 50, 90], columns={"a": [10, 50, 90]})
    design = Design(patients=PATIENTS[:1], setups=MANUAL, bootstrap=0)
    each = [
        assess(Estimates(meal_ids=["x"], true_g=[g], columns={"a": [g]}), design)
        .row("a")
        .metrics["bgri_1_401"]
        .value
        for g in (10, 50, 90)
    ]
    got = assess(meals, design).values("bgri_1_401", aggregation="median")
    assert got["a"] == pytest.approx(sorted(each)[1])


GOOD = {"meal_ids": ["x", "y"], "true_g": [10, 20], "columns": {"a": [10, 20]}}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"meal_ids": [], "true_g": [], "columns": {"a": []}}, "no meals"),
        ({"meal_ids": ["x", "x"]}, "two meals have the id 'x'.*rows 1 and 2"),
        ({"columns": {}}, "no estimator"),
        ({"columns": {"perfect": [1, 2]}}, "name of the baseline"),
        ({"true_g": [10]}, "shape"),
        ({"columns": {"a": [1, 2, 3]}}, "there are 2 meals"),
        ({"true_g": [10, math.nan]}, r"is no number.*true_g, row 2 \(y\)"),
        ({"true_g": [10, -1]}, r"-1 g is outside 0 to 250 g.*row 2 \(y\)"),
        ({"columns": {"a": [10, -3]}}, r"-3 g is outside 0 to 250 g.*a, row 2 \(y\)"),
        ({"columns": {"a": [math.nan, 251]}}, r"251 g.*row 2 \(y\)"),
        ({"columns": {"a": [math.inf, 1]}}, "outside"),
        ({"columns": {"a": ["ten", 1]}}, "is no number"),
        ({"bands": {"b": ([1, 2], [3, 4])}}, "range of 'b'"),
        ({"bands": {"a": ([11, 20], [12, 20])}}, r"wrong order.*a, row 1 \(x\)"),
        ({"bands": {"a": ([1, math.nan], [12, 20])}}, r"half a range.*row 2 \(y\)"),
        ({"bands": {"a": ([-1, 2], [12, 20])}}, "low of a, row 1"),
    ],
)
def test_bad_estimates(changed, says):
    with pytest.raises(InputError) as told:
        Estimates(**{**GOOD, **changed})
    told.match(f"(?s){says}")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"start_glucose_mg_dl": ()}, "empty"),
        ({"start_glucose_mg_dl": (80, 80)}, "twice"),
        ({"start_glucose_mg_dl": (4.4,)}, "20 to 600 mg/dL"),
        ({"setups": ()}, "empty"),
        ({"setups": (Setup(), Setup())}, "twice"),
        ({"true_absorption_min": 20}, "25 to 595 min"),
        ({"reported_absorption_min": 600}, "25 to 595 min"),
        ({"policy": "guess"}, "exclude, no_bolus, skip"),
        ({"bootstrap": 5}, "100 or more"),
        ({"level": 95}, "such as 0.95"),
        ({"seed": -1}, "-1 is no whole number from 0"),
        ({"patients": (PATIENTS[0], PATIENTS[0])}, "two patients"),
    ],
)
def test_bad_designs(changed, says):
    with pytest.raises(InputError, match=says):
        Design(**changed)


def test_what_is_given_is_not_changed():
    true, column = np.array([10.0, 20.0]), np.array([10.0, 20.0])
    Estimates(meal_ids=["x", "y"], true_g=true, columns={"a": column})
    true[0] = column[0] = 5.0


def test_default_patients_are_recorded():
    told = Design().to_dict()
    assert told["patients_origin"] == "synthetic, 20 drawn with seed 0"
    assert [p["name"] for p in told["patients"]] == [p.name for p in draw_patients(20, seed=0)]
    assert [s["label"] for s in told["setups"]] == ["manual", "loop_accept"]
    assert told["setups"][0]["settings"] is None
    assert told["setups"][1]["settings"]["peak_min"] == 75
    assert told["setups"][1]["quirks"]["set"] == "pyloopkit"


def test_ranking_under_skip_is_of_the_meals_all_answered():
    """A silent estimator must not gain by leaving out the large meals."""
    said = Estimates(
        meal_ids=list("abcd"),
        true_g=[20, 20, 120, 120],
        columns={"silent": [24, 24, np.nan, np.nan], "brave": [21, 21, 130, 130]},
    )
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0, policy="skip")
    found = assess(said, design)
    assert found.row("brave").n_meals == 4
    alone = assess(
        Estimates(
            meal_ids=["a", "b"], true_g=[20, 20], columns={"silent": [24, 24], "brave": [21, 21]}
        ),
        design,
    )
    assert found.values("bgri_1_401") == pytest.approx(alone.values("bgri_1_401"))
    assert found.row("brave").metrics["bgri_1_401"].value != found.values("bgri_1_401")["brave"]


def test_meals_one_by_one():
    """Means of the meals are the means of the rows; a meal without an answer has none."""
    said = Estimates(
        meal_ids=["x", "y"], true_g=[30, 80], columns={"e": [45, 60], "f": [np.nan, 80]}
    )
    design = Design(patients=PATIENTS, setups=MANUAL, bootstrap=0, policy="skip")
    found = assess(said, design)
    of_meals = found.of_meals("bgri_1_401")
    assert of_meals[0].mean() == pytest.approx(found.row("e").metrics["bgri_1_401"].value)
    assert np.isnan(of_meals[1, 0])
    body = found.to_dict()["meals"]
    assert [m["meal_id"] for m in body] == ["x", "y"]
    assert body[0]["estimators"]["f"]["estimate_g"] is None
    assert body[1]["estimators"]["f"]["bgri_1_401"] == pytest.approx(of_meals[1, 1], abs=1e-6)


def test_order_of_meals_and_patients_changes_no_interval():
    ids = ["m3", "m1", "m2", "m5", "m4"]
    rng = np.random.default_rng(4)
    true, said = rng.uniform(10, 100, 5), rng.uniform(10, 100, 5)
    design = Design(setups=MANUAL, bootstrap=200)
    first = assess(Estimates(meal_ids=ids, true_g=true, columns={"e": said}), design)
    back = np.arange(5)[::-1]
    again = assess(
        Estimates(meal_ids=[ids[i] for i in back], true_g=true[back], columns={"e": said[back]}),
        replace(design, patients=tuple(reversed(design.patients))),
    )
    for metric, told in first.row("e").metrics.items():
        other = again.row("e").metrics[metric]
        assert (told.low, told.high) == pytest.approx((other.low, other.high), abs=1e-9)


def test_a_difference_the_other_way_has_its_sign_turned():
    found = assess(estimates(), Design(patients=PATIENTS, setups=MANUAL, bootstrap=100))
    kept = found.differences[0]
    one = kept.metrics["tir_percent"]
    other = found.difference(kept.reference, kept.estimator).metrics["tir_percent"]
    assert (other.value, other.low, other.high) == (-one.value, -one.high, -one.low)
    assert (other.meals_low, other.patients_high) == (-one.meals_high, -one.patients_low)
