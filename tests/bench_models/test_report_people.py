"""People in a report: Table 10, who is nearest, time; figures by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bench_models.made_report import MEALS, answer, meal_run, meals, write
from tests.bench_models.test_report_tables import row, table, values

from prandial.bench.report import Report, report_of
from prandial.bench.runs import read_run

LABELS = [m[0] for m in MEALS]


def person(folder: Path, name: str, off: float, arm: str = "look-up", minutes: float = 20) -> Path:
    return meal_run(
        folder / f"{name}-{arm}".replace(" ", "-"),
        [v + off for v in LABELS],
        model=f"person/{name}",
        method=arm,
        settings={"nutrient": "carb_g", "rater": name, "arm": arm},
        seconds=60 * minutes,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("people")
    runs = [
        person(folder, "R1", 0.0),
        person(folder, "R2", 10.0, minutes=40),
        meal_run(folder / "m", [v + 5 for v in LABELS], model="made/model", method="cot"),
    ]
    return report_of([read_run(r) for r in runs], draws=50)


def test_table_10(made: Report) -> None:
    found = table(made, "people-carb-g-servings-ours")
    assert values(row(found, "R1"), "all", "metric", "natural", "mae") == [1.0, 1.0, 1.0, 0.0]
    assert values(row(found, "R2"), "all", "mae") == [0.0, 10.0]
    assert values(row(found, "mean of raters"), "all", "mae") == [0.5, 5.0]
    assert values(row(found, "made/model cot"), "all", "mae") == [1.0, 5.0]
    floor = row(found, "floor: always 35 g")
    assert floor.kind == "baseline"
    assert values(floor, "all") == [2 / 8]
    assert all(r.kind != "published" for r in found.rows)


def test_published_rows_stand_with_the_published_rules(made: Report) -> None:
    found = table(made, "people-carb-g-servings-published")
    shown = [r for r in found.rows if r.kind == "published"]
    assert [values(r, "all", "metric", "natural") for r in shown] == [
        [0.4245, 0.3947, 0.4545],
        [0.5972, 0.7368, 0.4412],
        [0.6056, 0.6316, 0.5758],
    ]


def test_who_is_nearest(made: Report) -> None:
    found = table(made, "people-carb-g-wins")
    assert values(row(found, "R1"), "wins", "alone", "meals") == [8, 8, 8]
    assert values(row(found, "made/model cot"), "wins") == [0]


def test_time(made: Report) -> None:
    found = table(made, "people-carb-g-time")
    # each meal of a made-up run tells half a second
    assert values(row(found, "R1"), "meals", "each") == [8, pytest.approx(0.5)]
    assert values(row(found, "mean of raters"), "raters") == [2]


def test_pairs_with_a_model(made: Report) -> None:
    found = table(made, "people-pairs-carb-g-1")
    assert values(row(found, "R2"), "acc", "mae") == [-1.0, 5.0]


def test_people_have_no_part_in_the_tables_of_models(made: Report) -> None:
    found = table(made, "meals-set-1-ours")
    assert not any("person" in str(r.cells["run"].value) for r in found.rows)
    statuses = table(made, "statuses")
    assert any("person/R1" in str(r.cells["run"].value) for r in statuses.rows)


def test_people_alone(tmp_path: Path) -> None:
    made = report_of([read_run(person(tmp_path, "R1", 1.0))], draws=20)
    assert [s.title for s in made.sections] == ["Runs", "People: carb_g", "Records of the runs"]
    found = table(made, "people-carb-g-disagreement-look-up")
    assert "two raters" in found.rows[0].cells["mae"].why


def test_a_model_on_other_labels_has_no_part(tmp_path: Path) -> None:
    other = meals([(m[0] + 1, *m[1:]) for m in MEALS])
    runs = [
        person(tmp_path, "R1", 1.0),
        write(tmp_path / "m", other, [answer(q.id, q.label) for q in other], model="made/other"),
    ]
    made = report_of([read_run(r) for r in runs], draws=20)
    shown = table(made, "people-carb-g-servings-ours").rows
    assert not any("made/other" in str(r.cells["who"].value) for r in shown)
