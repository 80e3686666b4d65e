"""Staples and weighing habits: every row cites a food that ships, and no value is anyone else's."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from prandial.countries import alpha3_codes
from prandial.tables import RELEASES, load_foods
from prandial.tables.staples import EVERY, Staple, load_staples, load_weighing

STAPLES = load_staples()
WEIGHING = load_weighing()
#: words of a table's name for a food as bought, and as cooked
DRY = re.compile(
    r"raw|dry|dried|uncooked|flour|grain|starch|semolina|tapioca|meal|crumbs", re.IGNORECASE
)
COOKED = re.compile(r"\b(cooked|boiled|prepared|made with water)\b", re.IGNORECASE)


def _ids() -> list[str]:
    return [f"{s.line}-{s.country[:3]}-{s.words.split()[0]}" for s in STAPLES]


def _row(staple: Staple) -> tuple[str, float]:
    table = load_foods()
    row = table.row_of(staple.food_id, staple.table)
    return table.names[row], float(table.per_100g[row, table.nutrient_keys.index("carb_g")])


@pytest.mark.parametrize("staple", STAPLES, ids=_ids())
def test_a_row_cites_a_food_of_a_table_that_ships(staple: Staple) -> None:
    assert staple.table in ("fndds", "sr")
    name, carb_g = _row(staple)
    assert name
    assert carb_g >= 0
    assert staple.why


@pytest.mark.parametrize("staple", STAPLES, ids=_ids())
def test_countries_are_codes(staple: Staple) -> None:
    assert staple.country == EVERY or set(staple.country.split("|")) <= alpha3_codes()
    assert "USA" not in staple.country.split("|")


@pytest.mark.parametrize("staple", STAPLES, ids=_ids())
def test_the_state_agrees_with_the_name(staple: Staple) -> None:
    name, _ = _row(staple)
    if staple.state == "dry":
        assert DRY.search(name), name
        assert not re.search(r"\b(cooked|boiled)\b", name), name
    elif staple.state == "cooked" and staple.factor == 1:
        assert COOKED.search(name), name
        assert "uncooked" not in name
    else:
        assert staple.state in ("cooked", "eaten")


def test_dry_weighs_more_carbohydrate_than_cooked() -> None:
    """Cooking in water thins a food: an error of two codes would show here."""
    pairs: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for s in STAPLES:
        if s.state != "eaten" and s.group != "maize_cob":
            pairs[s.country, s.words.split()[0]].setdefault(s.state, _row(s)[1])
    both = {k: v for k, v in pairs.items() if len(v) == 2}
    assert len(both) > 15
    for key, carb_g in both.items():
        assert carb_g["dry"] > 1.8 * carb_g["cooked"], key


def test_a_factor_follows_from_the_two_rows_it_names() -> None:
    """Hand arithmetic: 50.8 g of STFCJ 01117 over 81.68 g of SR28 20054."""
    for s in STAPLES:
        if s.factor != 1:
            assert (s.table, s.food_id) == ("sr", "20054")
            assert s.factor == pytest.approx(50.8 / _row(s)[1], abs=0.001)
    assert any("01117" in s.why and "20054" in s.why for s in STAPLES if s.factor != 1)


def test_no_number_stands_anywhere_else() -> None:
    """The table holds codes and the cited factor; a benchmark's label has no place to stand."""
    for s in STAPLES:
        assert not re.search(r"\d", s.words + s.group), s
        if s.factor == 1:
            assert not re.search(r"\d", s.why), s
    for w in WEIGHING.values():
        assert not re.search(r"\d", w.why), w


@pytest.mark.parametrize("name", ["WAFCT", "West Africa", "IFCT", "GIFT", "NutriBench"])
def test_tables_that_may_not_ship_are_not_cited(name: str) -> None:
    assert not any(name.lower() in s.why.lower() for s in STAPLES)


def test_no_row_stands_twice() -> None:
    seen = [(s.country, s.words, s.state, s.food_id) for s in STAPLES]
    assert len(seen) == len(set(seen))


def test_weighing_habits_name_groups_of_the_staples() -> None:
    groups = {s.group for s in STAPLES}
    for (country, group), w in WEIGHING.items():
        assert group in groups
        assert country == EVERY or country in alpha3_codes()
        assert w.state in ("dry", "cooked")
        assert w.over in ("always", "unsaid")
        assert w.why


def test_a_release_leaves_out_few_rows_and_says_which() -> None:
    from prandial.meal.country import CountryBook

    left_out = {r: CountryBook(load_foods(r)).skipped for r in RELEASES}
    assert left_out["fndds-2017-2018"] == ()
    assert {s.food_id for s in left_out["fndds-2021-2023"]} == {
        "53415200", "56201540", "56207022", "58407010",
    }  # fmt: skip
