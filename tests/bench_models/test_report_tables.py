"""Tables of a report hold numbers worked out by hand; rule sets and sets stay apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.made_report import MEALS, answer, meal_run, meals, write

from prandial.bench.report import Report, Row, Table, json_of, report_of, tables_of
from prandial.bench.report.published import published
from prandial.bench.runs import read_run

#: labels are 10, 20, 30, 40, 80, 100, 5, 60
#: errors: 2, 1, 15, 1, 70, refused, 4, unreadable
COT = (12.0, 21.0, 45.0, 41.0, 150.0, "refused", 9.0, "unreadable")
#: errors: 10, 0, 10, 20, 60, 80, 15, 40
CONSTANT = (20.0,) * 8


def report(*folders: Path, draws: int = 50) -> Report:
    return report_of([read_run(f) for f in folders], draws=draws)


def table(made: Report, name: str) -> Table:
    return next(t for t in made.tables if t.name == name)


def row(found: Table, label: str, *, group: str = "") -> Row:
    key = found.columns[0].key
    rows = [r for r in found.rows if r.cells[key].value == label and group in r.group]
    assert len(rows) == 1, [r.cells[key].value for r in found.rows]
    return rows[0]


def values(one: Row, *keys: str) -> list[Any]:
    return [one.cells[k].value for k in keys]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("two")
    return report(
        meal_run(folder / "a", COT, model="made/good", method="cot"),
        meal_run(folder / "b", CONSTANT, model="prandial/constant"),
    )


def test_ours_is_what_hand_arithmetic_gives(two: Report) -> None:
    found = table(two, "meals-set-1-ours")
    cot = row(found, "made/good · cot")
    # within 7.5 g: 2, 1, 1, 4 of eight run, of six answered
    assert values(cot, "acc_all", "acc_answered") == [4 / 8, pytest.approx(4 / 6)]
    assert cot.cells["acc_all"].n == 8
    assert cot.cells["acc_answered"].n == 6
    assert cot.cells["mae"].value == pytest.approx((2 + 1 + 15 + 1 + 70 + 4) / 6)
    assert cot.cells["mae"].n == 6
    assert cot.cells["median_error"].value == pytest.approx(3.0)
    assert cot.cells["bias"].value == pytest.approx((2 + 1 + 15 + 1 + 70 + 4) / 6)
    assert cot.cells["answer_rate"].value == 6 / 8
    counts = ("answered", "refused", "unreadable", "failed", "not run")
    assert values(cot, *counts) == [6, 1, 1, 0, 0]
    constant = row(found, "prandial/constant · base")
    assert constant.kind == "baseline"
    assert constant.cells["mae"].value == pytest.approx((10 + 0 + 10 + 20 + 60 + 80 + 15 + 40) / 8)


def test_floor_is_the_median_of_the_labels(two: Report) -> None:
    # sorted labels: 5 10 20 30 | 40 60 80 100 -> 35; errors 25 15 5 5 45 65 30 25
    floor = row(table(two, "meals-set-1-ours"), "floor: always 35 g")
    assert floor.kind == "baseline"
    assert values(floor, "acc_all") == [2 / 8]
    assert floor.cells["mae"].value == pytest.approx((25 + 15 + 5 + 5 + 45 + 65 + 30 + 25) / 8)


def test_published_rules_score_refusals_as_minus_one(two: Report) -> None:
    found = table(two, "meals-set-1-published")
    cot = row(found, "made/good · cot")
    assert cot.cells["acc_all"].value == 4 / 8
    # refused at 100 and unreadable at 60 are errors of 101 and 61
    assert cot.cells["mae"].value == pytest.approx((2 + 1 + 15 + 1 + 70 + 101 + 4 + 61) / 8)
    assert cot.cells["answer_rate"].value == 6 / 8
    # always -1 is right where the label is under 6.5: only the meal of 5 g
    refuses = row(found, "floor: always -1")
    assert values(refuses, "acc_all", "answer_rate") == [1 / 8, 0.0]


def test_rule_sets_never_share_a_table(two: Report) -> None:
    for found in two.tables:
        if found.name.startswith("meals-set") and found.rules:
            assert found.rules in ("ours", "published")
        if any(r.kind == "published" for r in found.rows):
            assert found.rules != "ours" or not {"acc_all", "acc"} & {c.key for c in found.columns}
    ours = table(two, "meals-set-1-ours")
    assert all(r.kind != "published" for r in ours.rows)
    assert not any("floor: always -1" in str(r.cells["run"].value) for r in ours.rows)


def test_published_rows_equal_the_table_of_facts(two: Report) -> None:
    shown = [r for r in table(two, "meals-set-1-published").rows if r.kind == "published"]
    told = [r for r in published("published_nutribench") if r["kind"] != "wording"]
    told = [r for r in told if r["kind"] != "country"]
    assert len(shown) == len(told)
    for one, fact in zip(shown, told, strict=True):
        for key, column in (("acc_all", "acc"), ("mae", "mae_g"), ("answer_rate", "answer_rate")):
            expected = float(fact[column]) if fact[column] else "not told"
            assert one.cells[key].value == expected
    best = row(table(two, "meals-published"), "GPT-4o · cot · v1")
    assert values(best, "acc_all", "mae", "answer_rate") == [0.6682, 8.61, 0.9916]


def test_slices_are_the_meals_of_the_slice(two: Report) -> None:
    serving = table(two, "meals-set-1-serving")
    natural = row(serving, "made/good · cot", group="natural")
    # natural labels 10, 30, 80, 5: errors 2, 15, 70, 4
    assert values(natural, "acc_all", "mae", "scored", "unscored") == [2 / 4, 91 / 4, 4, 0]
    metric = row(serving, "made/good · cot", group="metric")
    # metric labels 20, 40, 100, 60: errors 1, 1, refused, unreadable
    assert values(metric, "acc_all", "mae", "scored", "unscored") == [2 / 4, 1.0, 2, 2]
    items = table(two, "meals-set-1-items")
    assert [g.split(":")[0] for g in dict.fromkeys(r.group for r in items.rows)] == [
        "1",
        "2",
        "3",
        "9+",
    ]
    country = table(two, "meals-set-1-country")
    groups = list(dict.fromkeys(r.group for r in country.rows))
    assert "India (IND): n=1, mean label 80.0 g" in groups
    assert any(g.startswith("not told: n=1") for g in groups)


def test_countries_are_counted_beside_table_1(two: Report) -> None:
    found = table(two, "meals-set-1-countries")
    usa = row(found, "United States of America (USA)")
    assert values(usa, "meals", "natural", "metric") == [4, 3, 1]
    assert usa.cells["items"].value == pytest.approx((1 + 1 + 2 + 1) / 4)
    assert usa.cells["label"].value == pytest.approx((10 + 20 + 30 + 5) / 4)
    italy = row(found, "Italy (ITA)")
    assert values(italy, "meals", "published_meals", "published_foods") == [1, 141, 124]
    nigeria = row(found, "Nigeria (NGA)")
    assert values(nigeria, "meals", "published_meals") == [0, 124]


def test_pairs_rest_on_meals_both_answered(two: Report) -> None:
    found = table(two, "meals-set-1-paired-ours")
    group = "first: made/good · cot; second: prandial/constant · base"
    mae = row(found, "mae_g", group=group)
    # both answered all but the sixth and eighth meal
    cot, constant = (2 + 1 + 15 + 1 + 70 + 4) / 6, (10 + 0 + 10 + 20 + 60 + 15) / 6
    assert mae.cells["first"].value == pytest.approx(cot)
    assert mae.cells["difference"].value == pytest.approx(constant - cot)
    assert values(mae, "pairs", "left") == [6, 2]


def test_other_questions_are_another_set_and_it_is_said(tmp_path: Path) -> None:
    first = meal_run(tmp_path / "a", COT, model="made/one")
    other = meals([(m[0] + 1, *m[1:]) for m in MEALS])
    second = write(tmp_path / "b", other, [answer(q.id, q.label) for q in other], model="made/two")
    made = report(first, second)
    one, two_ = table(made, "meals-set-1-ours"), table(made, "meals-set-2-ours")
    assert {str(r.cells["run"].value).split(" ")[0] for r in one.rows} == {"made/one", "floor:"}
    assert {str(r.cells["run"].value).split(" ")[0] for r in two_.rows} == {"made/two", "floor:"}
    said = " ".join(made.sections[0].notes)
    assert "not asked the same questions" in said
    assert "set 1, n=8, 1 runs" in said


def test_half_a_run_says_how_much_is_missing(tmp_path: Path) -> None:
    half = [12.0, 21.0, "failed", None, None, None, None, None]
    made = report(meal_run(tmp_path / "a", half))
    cells = row(table(made, "meals-set-1-ours"), "made/model · base").cells
    assert [cells[k].value for k in ("answered", "failed", "not run")] == [2, 1, 5]
    # a failed question and one never asked are in no denominator
    assert cells["acc_all"].value == 1.0
    assert cells["acc_all"].n == 2
    assert any("5 of 8 questions of set 1 were not run" in n for n in made.sections[0].notes)


def test_a_map_is_of_a_run_that_answered(tmp_path: Path) -> None:
    """Two easy meals are no whole run: its small error is not that of a map."""
    made = report(
        meal_run(tmp_path / "a", COT, model="made/whole", method="cot"),
        meal_run(tmp_path / "b", (10.0, 20.0, *[None] * 6), model="made/begun", method="cot"),
    )
    (drawn,) = [f for f in made.figures if f.name.endswith("country-map")]
    assert "made/whole" in drawn.title
    assert "made/begun" not in drawn.title + drawn.alt


def test_vast_numbers_are_short(tmp_path: Path) -> None:
    from prandial.bench.report import markdown_of

    made = report(meal_run(tmp_path / "a", (1e300, *COT[1:])))
    told = markdown_of(made)
    # six answers, one of them 1e300
    assert "1.67e+299" in told
    assert "0" * 20 not in told.partition("## Records")[0]


def test_a_run_that_failed_throughout_is_undefined_not_zero(tmp_path: Path) -> None:
    made = report(meal_run(tmp_path / "a", ["failed"] * 8))
    cells = row(table(made, "meals-set-1-ours"), "made/model · base").cells
    assert all(cells[k].value is None for k in ("acc_all", "mae", "answer_rate"))
    assert all(cells[k].why for k in ("acc_all", "mae", "answer_rate"))
    assert cells["failed"].value == 8
    body = json_of(made)
    shown = next(
        t for s in body["sections"] for t in s["tables"] if t["name"] == "meals-set-1-ours"
    )
    assert shown["rows"][0]["acc_all"]["value"] is None


def test_a_run_not_begun_is_reported(tmp_path: Path) -> None:
    made = report(meal_run(tmp_path / "a", [None] * 8))
    cells = row(table(made, "statuses"), "made/model · base").cells
    assert [cells[k].value for k in ("answered", "not run")] == [0, 8]


def test_wordings_have_mean_and_sd(tmp_path: Path) -> None:
    shifts = (0.0, 5.0, 9.0)
    folders = [
        meal_run(tmp_path / f"w{k}", [m[0] + d for m in MEALS], method=f"base_p{k}")
        for k, d in enumerate(shifts, 1)
    ]
    made = report(*folders)
    found = table(made, "meals-set-1-wordings-1")
    assert row(found, "mean").cells["mae"].value == pytest.approx(14 / 3)
    # right: all, all, none
    assert row(found, "mean").cells["acc"].value == pytest.approx(2 / 3)
    assert row(found, "SD (divisor n, as printed)").cells["mae"].value == pytest.approx(3.6817870)
    assert row(found, "SD (divisor n - 1)").cells["mae"].value == pytest.approx(4.5092498)
    printed = [r for r in table(made, "meals-set-1-wordings-2").rows if r.kind == "published"]
    assert [r.cells["mae"].value for r in printed][:4] == [11.46, 11.54, 11.78, 11.56]
    assert found.rules == "ours"
    assert all(r.kind != "published" for r in found.rows)


def test_far_answers_are_sorted_and_shown(two: Report) -> None:
    # one error above 50 g: 70 g, a reply without any working
    found = row(table(two, "meals-set-1-far"), "made/good · cot")
    assert values(found, "answers", "far") == [6, 1]
    assert sum(found.cells[k].value for k in ("parse", "serving", "equation", "value")) == 1
    shown = table(two, "meals-set-1-far-replies").rows
    assert [r.cells["error"].value for r in shown] == [70.0]


def test_labels_tell_runs_apart_by_what_differs(tmp_path: Path) -> None:
    warm = {"temperature": 0.6}
    made = report(
        meal_run(tmp_path / "a", CONSTANT),
        meal_run(tmp_path / "b", CONSTANT, model_args=warm),
    )
    shown = [r.cells["run"].value for r in table(made, "statuses").rows]
    assert shown == [
        "made/model · base · temperature 0.0",
        "made/model · base · temperature 0.6",
    ]


def test_equal_runs_keep_two_names(tmp_path: Path) -> None:
    made = report(meal_run(tmp_path / "a", CONSTANT), meal_run(tmp_path / "b", CONSTANT))
    shown = [str(r.cells["run"].value) for r in table(made, "statuses").rows]
    assert len(set(shown)) == 2


def test_tables_of_are_those_of_the_report(tmp_path: Path) -> None:
    runs = [read_run(meal_run(tmp_path / "a", CONSTANT))]
    assert tables_of(runs, draws=20) == report_of(runs, draws=20).tables


def test_the_same_runs_give_the_same_report(tmp_path: Path) -> None:
    folder = meal_run(tmp_path / "a", COT)
    assert json_of(report(folder)) == json_of(report(folder))


def test_names_of_tables_and_figures_are_unique(two: Report) -> None:
    names = [p.name for s in two.sections for p in s.parts]
    assert len(names) == len(set(names))
