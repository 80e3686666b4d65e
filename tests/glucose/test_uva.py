"""UVA/Padova: against the model written plainly, and laws that any patient keeps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.glucose.uva_made import MADE, plain_trace, published_patients, steady, write_patients

from prandial.errors import InputError
from prandial.glucose.uva import load_uva_patients, simulate_uva, uva_design
from prandial.glucose.uva.model import Meal, held_tissue_glucose

NAMES = tuple(MADE)


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    return load_uva_patients(write_patients(tmp_path_factory.mktemp("uva")))


def bisected(p, plasma):
    """Tissue glucose that balances a held plasma, found by halving."""
    low, high = 0.0, 10_000.0
    for _ in range(200):
        mid = (low + high) / 2
        net = p["k1"] * plasma - p["k2"] * mid - p["Vm0"] * mid / (p["Km0"] + mid)
        low, high = (mid, high) if net > 0 else (low, mid)
    return low


@pytest.mark.parametrize(("name", "carb", "bolus"), [
    ("average", 62.5, 4.0), ("average", 0.0, 0.0), ("slow", 110.0, 9.0), ("small", 33.3, 1.5),
])  # fmt: skip
def test_equals_the_plain_model(patients, name, carb, bolus):
    plain = plain_trace(steady(MADE[name]), carb, bolus)
    ours = simulate_uva(patients.named([name]), true_carb_g=carb, bolus_u=bolus)
    assert ours.plasma_mg_dl.shape == ours.subcutaneous_mg_dl.shape == (1, 73)
    assert np.abs(ours.plasma_mg_dl[0] - plain[0]).max() < 0.05
    assert np.abs(ours.subcutaneous_mg_dl[0] - plain[1]).max() < 0.05
    finer = simulate_uva(patients.named([name]), true_carb_g=carb, bolus_u=bolus, step_min=0.25)
    assert np.abs(finer.plasma_mg_dl[0] - plain[0]).max() < 1e-3


@pytest.mark.parametrize("level", [80.0, 400.0])
def test_equals_the_plain_model_from_a_given_level(patients, level):
    p = steady(MADE["average"])
    state = [p[f"x0_{i:>2}"] for i in range(1, 14)]
    state[3] = state[12] = level * p["Vg"]
    state[4] = bisected(p, state[3])
    plain = plain_trace(p, 45.0, 6.0, state=state)
    one = patients.named(["average"])
    ours = simulate_uva(one, true_carb_g=45.0, bolus_u=6.0, start_glucose_mg_dl=level)
    assert ours.plasma_mg_dl[0, 0] == pytest.approx(level, abs=1e-9)
    assert np.abs(ours.plasma_mg_dl[0] - plain[0]).max() < 0.02
    assert np.abs(ours.subcutaneous_mg_dl[0] - plain[1]).max() < 0.02


def test_own_state_without_a_meal_stays_flat(patients):
    flat = simulate_uva(patients, true_carb_g=0.0, bolus_u=0.0, duration_min=1440)
    assert np.abs(flat.plasma_mg_dl - 140.0).max() < 1e-8
    assert np.abs(flat.subcutaneous_mg_dl - 140.0).max() < 1e-8


def test_a_given_level_drifts_back_to_the_own(patients):
    for level, way in ((80.0, 1), (200.0, -1)):
        back = simulate_uva(
            patients, true_carb_g=0, bolus_u=0, start_glucose_mg_dl=level, duration_min=1440
        ).plasma_mg_dl
        assert (way * np.diff(back, axis=1) > 0).all()
        assert np.abs(back[:, -1] - 140.0).max() < 0.5 * abs(level - 140.0)


def test_the_own_level_given_is_the_own_state(patients):
    given_ = simulate_uva(patients, true_carb_g=50, bolus_u=3, start_glucose_mg_dl=140.0)
    own = simulate_uva(patients, true_carb_g=50, bolus_u=3)
    assert np.abs(given_.plasma_mg_dl - own.plasma_mg_dl).max() < 1e-9


def test_held_tissue_glucose_by_halving(patients):
    for mg_dl in (20.0, 80.0, 200.0, 600.0):
        held = held_tissue_glucose(patients, mg_dl * patients["Vg"])
        for i, name in enumerate(NAMES):
            p = steady(MADE[name])
            assert held[i] == pytest.approx(bisected(p, mg_dl * p["Vg"]), rel=1e-9)


def test_carbohydrate_that_appears_is_what_was_eaten(patients):
    """All that is eaten appears in the end, as f of it; on the way the rest is in the body."""
    carb = np.tile(np.append(np.random.default_rng(3).uniform(0, 250, 40), [0, 2.5, 250]), 3)
    people = patients.take(np.repeat(np.arange(3), 43))
    meal = Meal(people, carb)
    appeared = np.zeros(carb.size)
    for minute in range(1800):
        meal.eat()
        begin, middle, end = meal.step(1.0)
        appeared += (begin + 4 * middle + end) / 6 * people["BW"]
        if minute in (3, 20, 60, 360, 1799):
            left = people["f"] * meal.content.sum(axis=0)
            eaten = people["f"] * 1000 * np.minimum(carb, 5.0 * (minute + 1))
            assert appeared + left == pytest.approx(eaten, rel=2e-3, abs=1e-6)
    assert appeared == pytest.approx(people["f"] * 1000 * carb, rel=2e-3, abs=1e-6)


def test_halving_the_step_converges(patients):
    def run(step):
        return simulate_uva(
            patients, true_carb_g=70, bolus_u=5, start_glucose_mg_dl=110, step_min=step
        ).plasma_mg_dl

    traces = [run(step) for step in (1, 0.5, 0.25)]
    gaps = [np.abs(a - b).max() for a, b in pairwise(traces)]
    assert gaps[0] > 3 * gaps[1] > 0
    assert gaps[1] < 5e-3


@given(carb=st.floats(0, 200), bolus=st.floats(0.1, 20), start=st.floats(60, 300))
@settings(max_examples=4, deadline=None)
def test_no_bolus_is_above_a_bolus_and_a_meal_above_none(patients, carb, bolus, start):
    many = patients.take(np.repeat(np.arange(len(patients)), 3))
    traces = simulate_uva(
        many,
        true_carb_g=np.tile([carb, carb, 0.0], len(patients)),
        bolus_u=np.tile([0.0, bolus, bolus], len(patients)),
        start_glucose_mg_dl=start,
    ).plasma_mg_dl.reshape(len(patients), 3, -1)
    assert (traces[:, 0] >= traces[:, 1] - 1e-6).all()
    assert (traces[:, 0, -1] > traces[:, 1, -1]).all()
    assert (traces[:, 1] >= traces[:, 2] - 1e-6).all()


def test_a_deadly_dose_ends_at_nothing_and_stays(patients):
    """As in simglucose: a glucose state below 0 keeps still; ours at the limit, 0."""
    low = simulate_uva(
        patients, true_carb_g=60, bolus_u=100, start_glucose_mg_dl=30, duration_min=1440
    ).plasma_mg_dl
    assert (low > -1e-8).all()
    assert (np.abs(low[:, -1]) < 1e-8).all()
    assert np.isfinite(low).all()


def test_one_is_as_many_and_order_does_not_matter(patients):
    rng = np.random.default_rng(11)
    n = 60
    rows = rng.integers(0, len(patients), n)
    carb, bolus = rng.uniform(0, 150, n), rng.uniform(0, 12, n)
    carb[::7] = carb[0]
    start = rng.uniform(60, 250, n)

    def run(at):
        return simulate_uva(
            patients.take(rows[at]),
            true_carb_g=carb[at],
            bolus_u=bolus[at],
            start_glucose_mg_dl=start[at],
        ).plasma_mg_dl

    together = run(np.arange(n))
    turned = rng.permutation(n)
    assert np.abs(run(turned) - together[turned]).max() < 1e-9
    for i in (7, 31):
        assert np.abs(run(np.array([i]))[0] - together[i]).max() < 1e-9
    assert run(np.arange(n)).tobytes() == together.tobytes()


@pytest.mark.parametrize("block", [1, 100_000])
def test_a_design_is_its_rows_whatever_the_blocks(patients, monkeypatch, block):
    monkeypatch.setattr("prandial.glucose.uva.simulate.BLOCK", block)
    monkeypatch.setattr("prandial.glucose.uva.simulate.PATIENTS_AT_ONCE", 2)
    true = np.array([55.5, 0.0])
    estimates = np.array([[40.0, 0.0], [60.0, 5.0]])
    starts = (80.0, "own", 200.0)
    whole = np.full((2, 3, 3, 2, 73), np.nan)
    seen = []
    for part in uva_design(patients, estimates, true, starts):
        whole[:, part.patients, :, part.meals] = part.glucose_mg_dl
        seen.append((part.patients.start, part.meals.start))
    assert seen == sorted(set(seen))
    assert np.isfinite(whole).all()
    for e, p, b, m in ((1, 2, 1, 0), (0, 1, 2, 0)):
        row = simulate_uva(
            patients.take([p]),
            true_carb_g=true[m],
            bolus_u=estimates[e, m] / MADE[NAMES[p]].get("CR", 10.0),
            start_glucose_mg_dl=None if starts[b] == "own" else starts[b],
        )
        assert np.abs(row.plasma_mg_dl[0] - whole[e, p, b, m]).max() < 1e-9


@pytest.mark.parametrize(("change", "words"), [
    ({"true_carb_g": [10, 300, 10]}, "true_carb_g, row 2"),
    ({"true_carb_g": [10, 10, -1]}, "0 to 250 g"),
    ({"true_carb_g": [10, float("nan"), 1]}, "no number"),
    ({"true_carb_g": [10, 10]}, "2 values"),
    ({"bolus_u": [1, -0.5, 1]}, "bolus_u, row 2"),
    ({"bolus_u": 251}, "0 to 250 U"),
    ({"start_glucose_mg_dl": [100, 6.5, 100]}, "start_glucose_mg_dl, row 2"),
    ({"step_min": 0.3}, "step_min"),
    ({"step_min": float("nan")}, "step_min"),
    ({"step_min": 2}, "step_min"),
    ({"duration_min": 7}, "duration_min"),
])  # fmt: skip
def test_bad_rows_are_named(patients, change, words):
    good = {"true_carb_g": [10, 20, 30], "bolus_u": 1.0}
    with pytest.raises(InputError) as raised:
        simulate_uva(patients, **{**good, **change})
    assert words in str(raised.value)


def test_large_meals_when_asked(patients):
    traces = simulate_uva(patients, true_carb_g=300, bolus_u=20, large_meals=True)
    assert np.isfinite(traces.plasma_mg_dl).all()


@pytest.mark.parametrize(("estimates", "true", "starts", "words"), [
    ([[10, 20], [10, float("nan")]], [10, 20], [80], "estimator 2, row 2"),
    ([[10, 251]], [10, 20], [80], "estimator 1, row 2"),
    ([[10, 20]], [10, 260], [80], "true_g, row 2"),
    ([[10, 20, 30]], [10, 20], [80], "shape (1, 3)"),
    ([10, 20], [10, 20], [80], "one row an estimator"),
    ([[10, 20]], [10, 20], [80, 900], "starts, row 2"),
    ([[10, 20]], [10, 20], ["mine"], "'own'"),
    ([[10, 20]], [10, 20], [], "no start glucose"),
])  # fmt: skip
def test_bad_designs_are_refused_at_the_call(patients, estimates, true, starts, words):
    with pytest.raises(InputError) as raised:
        uva_design(patients, estimates, true, starts)
    assert words in str(raised.value)


def test_no_patients_is_an_error(patients):
    with pytest.raises(InputError, match="no virtual patients"):
        simulate_uva(patients.take(slice(0, 0)), true_carb_g=10, bolus_u=1)


def test_published_patients_stay_flat_on_their_own():
    published = published_patients()
    assert len(published) == 30
    own = published.own_glucose_mg_dl[:, None]
    flat = simulate_uva(published, true_carb_g=0, bolus_u=0)
    assert np.abs(flat.plasma_mg_dl - own).max() < 1e-6
    assert 133 < own.min() < own.max() < 153
