"""Ranges: what a band holds, what widens it, and that draws are always the same."""

from __future__ import annotations

import csv
import json
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.meal import Estimator
from prandial.meal.doubt import SIGNS, doubt_of
from prandial.meal.spread import DRAWS, GroupValues, bands_of, item_draws, meal_draws
from prandial.tables import RangeConstants, load_foods, load_range_constants


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return Estimator(load_foods())


def _carb(estimator: Estimator, text: str, **kw: object):
    estimate = estimator.estimate(text, nutrients=("carb_g",), **kw)
    band, near = estimate.totals["carb_g"], estimate.totals_50["carb_g"]
    assert band is not None
    assert near is not None
    return estimate, band, near


def test_the_half_band_lies_within_the_wide_one(estimator: Estimator) -> None:
    _, band, near = _carb(estimator, "a slice of pizza and a soda")
    assert band.low <= near.low <= near.mid <= near.high <= band.high
    assert band.high - band.low > near.high - near.low


def test_a_weight_narrows_the_range(estimator: Estimator) -> None:
    _, said, _ = _carb(estimator, "60 g of white bread")
    _, unsaid, _ = _carb(estimator, "white bread")
    assert (said.high - said.low) / said.mid < (unsaid.high - unsaid.low) / unsaid.mid


def test_a_strange_word_widens_the_range_and_lowers_confidence(estimator: Estimator) -> None:
    plain, known, _ = _carb(estimator, "200 g of cooked white rice")
    odd, strange, _ = _carb(estimator, "200 g of cooked white grumbleroot rice")
    assert strange.high - strange.low > known.high - known.low
    assert odd.confidence is not None
    assert plain.confidence is not None
    assert odd.confidence < plain.confidence


def test_a_stated_range_is_held(estimator: Estimator) -> None:
    item = estimator.estimate("100-200 g of banana").items[0]
    assert item.portion is not None
    assert item.portion.grams.low <= 101
    assert item.portion.grams.high >= 199


def test_another_country_widens_the_range(estimator: Estimator) -> None:
    _, home, _ = _carb(estimator, "80 g of meat pie")
    _, abroad, _ = _carb(estimator, "80 g of meat pie", country="GBR")
    assert abroad.high - abroad.low > home.high - home.low


def test_a_stated_nutrient_has_no_range_of_its_own(estimator: Estimator) -> None:
    _, band, _ = _carb(estimator, "a granola bar with 24 g carbs")
    assert (band.low, band.mid, band.high) == (24.0, 24.0, 24.0)


@given(
    st.lists(st.floats(0, 500, width=32), min_size=1, max_size=20),
    st.floats(0, 600),
    st.floats(0, 0.5),
)
def test_bands_hold_their_middle(values: list[float], mid: float, tail: float) -> None:
    """Any draws: low <= mid <= high, and a smaller tail gives a wider band."""
    row = np.resize(np.array(values, dtype="f4"), DRAWS)[None, :]
    (band,) = bands_of(row, [mid], (tail, tail))
    (wide,) = bands_of(row, [mid], (tail / 2, tail / 2))
    assert 0 <= band.low <= mid <= band.high
    assert wide.low <= band.low
    assert wide.high >= band.high


def test_the_middle_half_of_the_draws() -> None:
    """By hand: of 128 rising draws a quarter is left out at each end."""
    row = np.arange(DRAWS, dtype="f4")[None, :]
    (band,) = bands_of(row, [64.0], (0.25, 0.25))
    assert (band.low, band.high) == (32.0, 95.0)


def test_items_add_up() -> None:
    rng = np.random.default_rng(3)
    items = [rng.gamma(2.0, 10.0, size=(2, DRAWS)).astype("f4") for _ in range(4)]
    one = meal_draws(items)
    assert one.sum() == pytest.approx(sum(i.sum() for i in items), rel=1e-5)


def test_draws_are_the_readings_by_share(estimator: Estimator) -> None:
    """Without doubt, the share of draws near a reading's grams is the reading's share."""
    reading_match = estimator.estimate("50 g of white bread")
    assert reading_match.items[0].food is not None
    table = estimator.table
    from prandial.meal.portions import Option

    white, rye = (table.names.index(n) for n in ("Bread, white", "Bread, rye"))
    options = [
        Option(f, -float(k), (100.0, 100.0, 100.0), "g", "weighed", True, "", 0.0)
        for k, f in enumerate((white, rye))
    ]
    column = table.nutrient_keys.index("carb_g")
    draws = item_draws(
        table,
        options,
        [0.75, 0.25],
        [column],
        quantity=1.0,
        doubt=0.0,
        groups=GroupValues(table),
        said=True,
        abroad=False,
    )
    density = draws[1] / draws[0] * 100
    # composition varies by 6 %, so the mean is that of the shares
    expected = 0.75 * table.per_100g[white, column] + 0.25 * table.per_100g[rye, column]
    assert float(density.mean()) == pytest.approx(float(expected), rel=0.01)
    assert float(abs(draws[0] - 100).max()) <= 2.0 + 1e-3


def test_doubt_is_logistic() -> None:
    """By hand: weights 0 give one half, a weight of log 3 gives three quarters."""
    none = dict.fromkeys(SIGNS, 0.0)
    signs = tuple(1.0 if s == "always" else 0.0 for s in SIGNS)
    assert doubt_of(signs, RangeConstants(temperature=1.0, doubt=none)) == 0.5
    three = {**none, "always": float(np.log(3))}
    assert doubt_of(signs, RangeConstants(temperature=1.0, doubt=three)) == pytest.approx(0.75)


def test_shipped_constants_are_whole() -> None:
    constants = load_range_constants()
    assert set(constants.doubt) == set(SIGNS)
    assert len(constants.levels) == 3
    groups = {f"{s}{k}" for s in ("household", "weighed", "abroad") for k in range(4)}
    assert set(constants.tails) == groups
    for wide, near in constants.tails.values():
        assert 0 <= wide <= 0.05
        assert wide <= near <= 0.25


def test_card_of_the_constants() -> None:
    folder = resources.files("prandial").joinpath("tables", "words")
    card = json.loads(folder.joinpath("ranges.card.json").read_text(encoding="utf-8"))
    text = folder.joinpath("ranges.csv").read_text(encoding="utf-8")
    assert card["rows"] == len(list(csv.DictReader(text.splitlines())))
