"""The public functions: what they return, and what they refuse."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
import textwrap

import pytest

import prandial
from prandial import InputError, NotFoundError
from prandial.countries import alpha3_codes, as_alpha3

MEALS = ["a cup of cooked rice", "", "two boiled eggs", "hello", "250 ml of whole milk"]


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PRANDIAL_HOME", str(tmp_path / "home"))


def test_weighed_rice_agrees_with_the_table_by_hand():
    meal = prandial.estimate("200 g of cooked white rice")
    food = prandial.show_food(meal.items[0].food.food_id)
    assert meal.totals["carb_g"].mid == pytest.approx(2 * food.per_100g["carb_g"], rel=1e-5)
    # USDA SR28 20045, cooked long-grain white rice: 28.17 g in 100 g
    assert meal.totals["carb_g"].mid == pytest.approx(56.3, abs=3)


@pytest.mark.parametrize("text", ["", " \n", "\u200b\u2060"])
def test_a_blank_text_is_an_error(text):
    for function in (prandial.estimate, prandial.explain, prandial.search_foods):
        with pytest.raises(InputError, match="nothing to estimate"):
            function(text)


@pytest.mark.parametrize("text", [None, 3, b"rice", ["rice"]])
def test_only_text_is_a_meal(text):
    with pytest.raises(InputError, match="must be text"):
        prandial.estimate(text)


def test_options_that_do_not_exist_name_the_nearest():
    with pytest.raises(NotFoundError, match=r"fndds-2017-2018, fndds-2021-2023"):
        prandial.estimate("rice", release="fndds")
    with pytest.raises(InputError, match="fiber_g"):
        prandial.estimate("rice", nutrients=["fibre_g"])
    with pytest.raises(InputError, match="de-DE"):
        prandial.estimate("rice", locale="de")
    with pytest.raises(InputError, match="ETH"):
        prandial.estimate("rice", country="ETI")
    with pytest.raises(NotFoundError, match="foods add"):
        prandial.estimate("rice", user_tables=["canteen"])
    with pytest.raises(NotFoundError):
        prandial.show_food("not-an-id")
    with pytest.raises(InputError, match="1 or more"):
        prandial.search_foods("rice", 0)


def test_a_batch_is_the_single_estimates_in_order():
    found = list(prandial.estimate_batch(MEALS))
    assert [e.text for e in found] == MEALS
    assert [e.status for e in found] == [
        "ok", "nothing_to_estimate", "ok", "nothing_to_estimate", "ok"
    ]  # fmt: skip
    assert found[0] == prandial.estimate(MEALS[0])


def test_a_batch_of_no_meals_is_empty():
    assert list(prandial.estimate_batch([])) == []


def test_a_batch_may_be_endless():
    endless = prandial.estimate_batch(itertools.repeat("a banana"))
    assert [e.status for e in itertools.islice(endless, 3)] == ["ok"] * 3


def test_a_batch_refuses_wrong_options_at_once():
    with pytest.raises(InputError, match="one text"):
        prandial.estimate_batch("rice")
    with pytest.raises(InputError, match="locale"):
        prandial.estimate_batch(["rice"], locale="xx")
    with pytest.raises(InputError, match="texts"):
        list(prandial.estimate_batch(["rice", None]))


def test_two_workers_give_what_one_gives(tmp_path):
    script = tmp_path / "work.py"
    script.write_text(
        textwrap.dedent(
            """
            import prandial

            if __name__ == "__main__":
                meals = [f"{i} g of cooked rice" for i in range(1, 201)]
                one = list(prandial.estimate_batch(meals))
                two = list(prandial.estimate_batch(meals, workers=2))
                assert [e.text for e in two] == meals
                assert one == two
                print("same")
            """
        )
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "same\n", "")


def test_a_script_without_a_guard_is_told_why(tmp_path):
    script = tmp_path / "work.py"
    script.write_text("import prandial\nlist(prandial.estimate_batch(['rice'], workers=2))\n")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode != 0
    assert "if __name__ == '__main__'" in done.stderr


def test_foods_are_found_and_shown():
    food, score = prandial.search_foods("whole milk", 1)[0]
    assert "milk" in food.name.lower()
    assert math.isfinite(score)
    assert prandial.show_food(food.food_id) == food
    table = prandial.load_foods()
    assert food.name in table.names


def test_unknown_is_null_in_a_food():
    table = prandial.load_foods()
    row = next(r for r in range(len(table.ids)) if math.isnan(table.per_100g[r].sum()))
    body = table.food(row).to_dict()
    assert None in body["per_100g"].values()
    assert not any(isinstance(v, float) and math.isnan(v) for v in body["per_100g"].values())


def test_own_tables_are_added_listed_and_used(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("Dish,Carbs\nZibblecake,50\n")
    columns = {"name": "Dish", "carb_g": "Carbs"}
    assert prandial.add_foods(path, name="own", columns=columns).rows_kept == 1
    assert prandial.user_table_names() == ("own",)
    assert "own" in {t.name for t in prandial.list_tables()}
    meal = prandial.estimate("80 g of zibblecake", user_tables=["own"])
    assert meal.totals["carb_g"].mid == pytest.approx(40)
    assert prandial.estimate("80 g of zibblecake").totals["carb_g"] is None
    with pytest.raises(InputError, match="already"):
        prandial.add_foods(path, name="own", columns=columns)


def test_doctor_finds_all_well(tmp_path):
    report = prandial.doctor()
    assert report.ok, report.problems
    assert report.user_tables_home == tmp_path / "home" / "tables"
    assert len(report.tables) >= 8


def test_country_codes_agree_with_their_card():
    # ISO 3166-1 has 249 officially assigned elements
    codes = alpha3_codes()
    assert len(codes) == 249
    assert all(len(c) == 3 and c.isascii() and c.isupper() for c in codes)
    assert {"USA", "MEX", "ETH", "SSD", "CUW"} <= codes
    assert not codes & {"YUG", "EUR", "XXX", "ENG", "ANT", "UK"}
    assert as_alpha3(" usa ") == "USA"
    assert as_alpha3("US") is None
