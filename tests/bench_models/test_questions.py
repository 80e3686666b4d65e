"""What a run asks: slices, halves and draws of meals and of questions over graphs."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from benchmarks.meals import is_tune

from prandial.bench.graph_questions import graph_questions
from prandial.bench.questions import half_of, meal_questions
from prandial.errors import InputError, NotFoundError
from prandial.quiz import read_dataset, row_id


def test_slices_count_as_sql_counts(nutribench: Path) -> None:
    path = nutribench / "nutribench_v2.parquet"
    asked = meal_questions(path, serving="metric", country=["mex", "USA"], items="2-4")
    ((n,),) = duckdb.sql(
        f"SELECT count(*) FROM '{path}' WHERE serving_type = 'metric' AND country IN ('MEX', 'USA')"
        " AND n_items BETWEEN 2 AND 4"
    ).fetchall()
    assert len(asked.questions) == n > 100
    ((many,),) = duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE n_items >= 9").fetchall()
    assert len(meal_questions(path, items="9+").questions) == many


def test_halves_are_those_that_the_estimator_was_tuned_by(nutribench: Path) -> None:
    """Nothing that was looked at while tuning is in the half that figures are told of."""
    path = nutribench / "nutribench_v1.parquet"
    tune, test = (meal_questions(path, half=h).questions for h in ("tune", "test"))
    assert len(tune) + len(test) == 8905
    assert all(is_tune(q.group) for q in tune)
    assert not any(is_tune(q.group) for q in test)
    assert not {q.group for q in tune} & {q.group for q in test}


def test_a_draw_is_seeded_nested_and_in_order(nutribench: Path) -> None:
    path = nutribench / "nutribench_v1.parquet"
    every = [q.id for q in meal_questions(path).questions]
    small, large = (
        [q.id for q in meal_questions(path, limit=n, seed=3).questions] for n in (100, 200)
    )
    assert set(small) < set(large)
    assert [i for i in every if i in set(large)] == large
    other = {q.id for q in meal_questions(path, limit=100, seed=4).questions}
    assert len(other & set(small)) < 10
    share = sum(i.startswith("v1-wweia_meal_natural") for i in large) / 200
    assert 0.35 < share < 0.6  # of all rows it is 0.47


def test_the_same_question_keeps_its_hash(meals: Path) -> None:
    first, again = meal_questions(meals), meal_questions(meals)
    assert first.data == again.data
    text = meals.read_text(encoding="utf-8").replace("an apple,25.0", "an apple,26.0")
    meals.write_text(text, encoding="utf-8")
    assert meal_questions(meals).data["sha256"] != first.data["sha256"]


@pytest.mark.parametrize(
    ("chosen", "where"),
    [
        ({"items": "some"}, "items"),
        ({"items": "4-2"}, "items"),
        ({"country": ["Utopia"]}, "country"),
        ({"serving": "huge"}, "serving"),
        ({"half": "third"}, "half"),
        ({"limit": 0}, "limit"),
        ({"nutrient": "salt"}, "nutrient"),
    ],
)
def test_choices_that_are_none_are_refused(
    meals: Path, chosen: dict[str, object], where: str
) -> None:
    with pytest.raises(InputError) as caught:
        meal_questions(meals, **chosen)  # type: ignore[arg-type]
    assert caught.value.where == where


def test_an_empty_slice_says_what_there_is(meals: Path) -> None:
    with pytest.raises(InputError) as caught:
        meal_questions(meals, serving="metric", country=["ITA"])
    assert caught.value.what == "no meal is left"
    assert "12 meals; serving: metric, natural; countries: IND, ITA, KEN" in caught.value.hint


def test_a_build_is_asked_in_every_task(build: Path) -> None:
    rows = read_dataset(build).rows
    asked = graph_questions(build)
    assert len(asked.questions) == 3 * len(rows) > 0
    assert [q.id for q in asked.questions[:3]] == [
        f"{row_id(rows[0])}-{t}" for t in ("B", "ML", "TG")
    ]
    assert asked.settings["mode"] == "published"
    assert {q.row.graph for q in asked.questions} == {r.graph for r in rows}


def test_levels_tasks_splits_and_draws(build: Path) -> None:
    asked = graph_questions(build, level="sparse,complex", task="ML", limit=9, seed=1)
    levels = Counter(q.row.level for q in asked.questions)
    assert {q.task for q in asked.questions} == {"ML"}
    assert sum(levels.values()) == 9
    assert abs(levels["sparse"] - levels["complex"]) == 1
    test = graph_questions(build, split="test")
    assert {q.row.split for q in test.questions} == {"test"}
    same = graph_questions(build, limit=5)
    by_task = {
        t: {q.id[: -len(t)] for q in same.questions if q.task == t} for t in ("B", "ML", "TG")
    }
    assert by_task["B"] == by_task["ML"] == by_task["TG"]


def test_graphs_can_be_asked_without_verdicts(build: Path) -> None:
    plain, hidden = graph_questions(build), graph_questions(build, mode="no-verdict")
    assert {q.id for q in plain.questions} == {q.id for q in hidden.questions}
    relations = Counter(e.relation for q in hidden.questions for e in q.row.graph.edges)
    assert not set(relations) & {"match", "contradict", "need"}
    assert any(n.name == "nutrient" for n in hidden.questions[0].row.graph.nodes)
    assert [q.row.gold for q in plain.questions] == [q.row.gold for q in hidden.questions]


def test_the_published_file_keeps_its_own_answers(shared_dir: Path) -> None:
    path = shared_dir / "data" / "ngqa" / "ngqa_benchmark_sample50.csv"
    asked = graph_questions(path)
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert len(asked.questions) == 150
    assert asked.settings["rules"] == "as-published"
    for number, row in enumerate(rows):
        b, ml, tg = asked.questions[3 * number : 3 * number + 3]
        assert (b.text, ml.text, tg.text) == (
            row["question_easy"],
            row["question_medium"],
            row["question_hard"],
        )
        gold = b.row.gold
        assert (gold.verdict, ", ".join(gold.tags), gold.sentence) == (
            row["answer_easy"],
            row["answer_medium"],
            row["answer_hard"],
        )
    with pytest.raises(InputError, match="no amounts"):
        graph_questions(path, mode="no-verdict")


def test_what_there_is_not_is_refused(build: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no level 'easy'"):
        graph_questions(build, level="easy")
    with pytest.raises(InputError, match="no task"):
        graph_questions(build, task="XL")
    with pytest.raises(InputError, match="follow the rule set default"):
        graph_questions(build, rules="as-published")
    with pytest.raises(NotFoundError):
        graph_questions(tmp_path / "absent")
    with pytest.raises(InputError, match="limit of 0"):
        graph_questions(build, limit=0)


def test_the_halves_of_a_group_are_stated() -> None:
    """The parity of a keyed hash's first byte, as the first two hex digits have it."""
    for group in "abcdef":
        first = hashlib.sha256(f"prandial|{group}".encode()).hexdigest()[:2]
        assert half_of(group) == ("tune" if int(first, 16) % 2 == 0 else "test")
