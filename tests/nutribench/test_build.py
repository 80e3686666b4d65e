"""Builds from raw recalls: what is kept, labels by hand, the same bytes, draws, known sets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.nutribench.conftest import CYCLES
from tests.sources.test_eaten import row as record
from tests.sources.test_recalls import write_parquet

import prandial
from prandial.bench.nutribench.inputs import find_recalls, spelled_cycles
from prandial.bench.nutribench.parts import draw_meals
from prandial.compose.written import open_build
from prandial.errors import InputError, MissingDataError, NotFoundError
from prandial.records.composed import EatenItem, EatenMeal
from prandial.records.meals import Source
from prandial.sources.exclusive import held
from prandial.tables import load_foods

Built = Callable[..., Path]


def test_both_versions_of_each_meal_with_household_servings(build: Built) -> None:
    out = build()
    card = json.loads((out / "card.json").read_text("utf-8"))
    rows = list(open_build(out).rows())
    by_meal: dict[str, list[dict]] = {}
    for row in rows:
        by_meal.setdefault(row["meal_id"], []).append(row)
    assert {tuple(r["serving_type"] for r in pair) for pair in by_meal.values()} == {
        ("natural", "metric")
    }
    summed = card["notes"]["recalls"][-1]
    assert summed["meals_natural"] == len(by_meal) < summed["meals_kept"]
    # a food of no table, and one without grams, in both days of both cycles
    assert summed["records_dropped"] == {"code_not_in_reference": 4, "grams_missing": 4}
    assert card["counts"]["rows"] == len(rows)
    assert {s["cycle"] for s in card["sources"]} == set(CYCLES)
    assert (out / "README.md").read_text("utf-8").startswith("# Meals in words")


def test_labels_are_grams_times_the_table(build: Built) -> None:
    table = load_foods()
    carb = table.nutrient_keys.index("carb_g")
    for row in open_build(build(serving="metric")).rows():
        hand = sum(
            round(float(table.per_100g[table.row_of(code, "fndds")][carb]) * grams / 100, 2)
            for code, grams in zip(row["item_ids"], row["item_grams"], strict=True)
        )
        assert row["carb_g"] == pytest.approx(hand, abs=1e-6)
        assert all(f"{g:g}" in row["meal_description"] for g in row["item_grams"])


def test_the_same_seed_gives_the_same_bytes_whatever_the_workers(build: Built) -> None:
    one, two = build(workers=1), build(workers=2)
    for name in ("meals.parquet", "README.md"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
    other = build(seed=1)
    texts = [[r["meal_description"] for r in open_build(f).rows()] for f in (one, other)]
    assert texts[0] != texts[1]
    assert len(texts[0]) == len(texts[1])


def test_all_three_forms_hold_the_same_rows(build: Built) -> None:
    from prandial.compose.written import read_rows

    out = build(meals=5, forms=("csv", "jsonl", "parquet"))
    held = [list(read_rows(out / f"meals.{e}")) for e in ("csv", "jsonl", "parquet")]
    assert held[0] == held[1] == held[2]
    whole = build(forms=("csv", "jsonl"))
    assert list(read_rows(whole / "meals.csv")) == list(read_rows(whole / "meals.jsonl"))


def test_a_draw_holds_no_two_meals_alike(build: Built) -> None:
    out = build(meals=10, serving="metric")
    groups = [r["meal_group"] for r in open_build(out).rows()]
    assert len(groups) == len(set(groups)) == 10


def meal(name: str, *grams: float) -> EatenMeal:
    items = tuple(
        EatenItem(food=Source(table="t", release="r", id="1"), name="x", grams=g, nutrients={})
        for g in grams
    )
    return EatenMeal(
        id=name, survey="wweia", cycle="2015-2016", country="USA", person="1", day=1,
        occasion="", items=items,
    )  # fmt: skip


def test_every_kind_of_meal_is_drawn_as_often() -> None:
    """Nine in ten meals are alike; they are drawn no more often than the others."""
    meals = [meal(f"a{k}", 100) for k in range(90)] + [meal(f"b{k}", k + 1) for k in range(9)]
    drawn = Counter(m.items[0].grams for s in range(400) for m in draw_meals(meals, 3, s))
    assert set(drawn) == {100, *range(1, 10)}
    assert all(80 <= n <= 165 for n in drawn.values())  # 120 expected


def test_a_draw_does_not_depend_on_the_order() -> None:
    meals = [meal(f"m{k}", k % 40 + 1) for k in range(200)]
    one = {m.items[0].grams for m in draw_meals(meals, 12, 5)}
    two = {m.items[0].grams for m in draw_meals(meals[::-1], 12, 5)}
    assert one == two
    assert len(draw_meals(meals, 500, 0)) == 40


def test_meals_of_a_known_set_stay_out(build: Built) -> None:
    known = build(meals=6, serving="metric", seed=3)
    out = build(serving="metric", without=[known / "meals.parquet"])
    # water has no label that could tell it from other water
    told = {r["meal_group"] for r in open_build(known).rows() if r["energy_kcal"]}
    assert len(told) >= 4
    assert not told & {r["meal_group"] for r in open_build(out).rows()}
    assert open_build(out).card["notes"]["meals_of_known_sets_left_out"] >= len(told)
    everything = build(serving="metric")
    rest = open_build(build(serving="metric", without=[everything / "meals.parquet"])).rows()
    assert {r["energy_kcal"] for r in rest} == {0.0}


def test_whole_occasions_join_meals_of_several_times(build: Built) -> None:
    by_time = open_build(build(serving="metric")).card["counts"]["rows"]
    by_occasion = open_build(build(serving="metric", grouping="occasion")).card["counts"]["rows"]
    assert by_occasion <= by_time


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        ("2013-2014", ("2013-2014",)),
        ("2013-2016", ("2013-2014", "2015-2016")),
        ("2015-2018, BOL-00006", ("2015-2016", "2017-2018", "BOL-00006")),
        ("2017-2020", ("2017-2020",)),
        ("1850-1860", ("1850-1860",)),
        ("nonsense", ("nonsense",)),
    ],
)
def test_cycles_are_spelled_out(text: str, cycles: tuple[str, ...]) -> None:
    assert spelled_cycles([text]) == cycles


def test_twin_releases_are_made_together(tmp_path: Path) -> None:
    for cycle, name in (
        ("2017-2018", "DR1IFF_J"),
        ("2017-2020", "P_DR1IFF"),
        ("2015-2016", "DR1IFF_I"),
    ):
        (tmp_path / "nhanes" / cycle).mkdir(parents=True)
        (tmp_path / "nhanes" / cycle / f"{name}.parquet").touch()
    found = find_recalls(tmp_path)
    assert found.units == (("2015-2016",), ("2017-2018", "2017-2020"))


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"cycles": ["1999-2000x"]}, NotFoundError, "no survey cycle"),
        ({"cycles": ["2003-2004"]}, MissingDataError, "no food records of 2003-2004"),
        ({"cycles": ["XYZ-00001"]}, MissingDataError, "XYZ-00001"),
        ({"serving": "cups"}, InputError, "no serving type"),
        ({"grouping": "week"}, InputError, "no grouping"),
        ({"describe": "poem"}, InputError, "no way to describe"),
        ({"describe": "model:prandial/local"}, InputError, "every meal there is"),
        ({"meals": 0}, InputError, "0 meals"),
        ({"workers": 0}, InputError, "0 workers"),
        ({"forms": ("xml",)}, InputError, "no form 'xml'"),
        ({"seed": "a"}, InputError, "no whole number: 'a'"),
        ({"meals": 1.5}, InputError, "no whole number: 1.5"),
        ({"meals": True}, InputError, "no whole number: True"),
        ({"cycles": [2015]}, InputError, "no cycle: 2015"),
        ({"cycles": "2003-2004"}, MissingDataError, "no food records of 2003-2004"),
        ({"describe": None}, InputError, "no way to describe: None"),
        ({"describe": "model:"}, InputError, "no way to describe"),
        ({"mapping": Path("nope.csv")}, InputError, "none of its surveys is asked for"),
        ({"without": [Path("nope.parquet")]}, NotFoundError, "nope"),
    ],
)
def test_what_cannot_be_built_says_why(
    build: Built, options: dict, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        build(**options)


def test_a_folder_in_use_is_left_alone(survey: Path, tmp_path: Path, build: Built) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(InputError, match="other things"):
        prandial.build_nutribench(tmp_path / "mine", root=survey)
    out = build(meals=3)
    with pytest.raises(InputError, match="already"):
        prandial.build_nutribench(out, root=survey, meals=3)
    before = (out / "meals.parquet").read_bytes()
    prandial.build_nutribench(out, root=survey, meals=4, replace=True)
    assert (out / "meals.parquet").read_bytes() != before
    assert sorted(p.name for p in out.iterdir()) == ["README.md", "card.json", "meals.parquet"]


def test_a_known_set_that_cannot_be_compared(survey: Path, tmp_path: Path, build: Built) -> None:
    texts = tmp_path / "texts.csv"
    texts.write_text("meal_description,carb\nI ate an apple.,20\n", "utf-8")
    with pytest.raises(InputError, match="no meal that could be compared"):
        build(without=[texts])
    known = tmp_path / "known.csv"
    known.write_text(
        "meal_description,carb,protein,fat,energy,item_descriptions\n"
        'I ate an apple.,20,1,1,80,"[""Apple""]"\n',
        "utf-8",
    )
    notes = open_build(build(without=[known])).card["notes"]
    assert notes["meals_of_known_sets_left_out"] == 0


def test_nothing_that_can_be_used(tmp_path: Path) -> None:
    rows = [record(1, 1000, n, IGRMS=-1.0) for n in range(3)]
    write_parquet(tmp_path / "nhanes" / "2013-2014" / "DR1IFF_H.parquet", rows)
    with pytest.raises(InputError, match="no meals") as caught:
        prandial.build_nutribench(tmp_path / "out", root=tmp_path, serving="metric")
    assert "grams_not_above_zero 3" in caught.value.hint
    assert "metric" not in caught.value.hint


def test_two_builds_at_once_do_not_mix(survey: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with held(out), pytest.raises(InputError, match="another process is at this build"):
        prandial.build_nutribench(out, root=survey, meals=3)
    assert not (out / "card.json").exists()
    prandial.build_nutribench(out, root=survey, meals=3)  # the lock's file alone is no bar
    assert sorted(p.name for p in out.iterdir()) == ["README.md", "card.json", "meals.parquet"]


def test_what_a_killed_build_left_is_cleared(survey: Path, tmp_path: Path) -> None:
    left = tmp_path / "out" / ".parts-abc"
    left.mkdir(parents=True)
    (left / "part-0.jsonl").write_text("{}")
    prandial.build_nutribench(tmp_path / "out", root=survey, meals=3)
    assert not left.exists()


def test_a_real_cycle(shared_dir: Path, tmp_path: Path) -> None:
    """Day 2 of the pre-pandemic release: every row verified but a few odd foods, labels as told."""
    report = prandial.build_nutribench(
        tmp_path / "out", root=shared_dir / "data", cycles=["2017-2020"], meals=300
    )
    assert report.card["counts"]["rows"] == 600
    found = prandial.nutribench_verify(tmp_path / "out", workers=1)
    assert found.failing <= 6
    assert found.quality.finding("label_not_sum").n == 0
    assert found.quality.finding("label_missing").n == 0
