"""Figures of people, by hand."""

from __future__ import annotations

from dataclasses import replace
from statistics import variance

import pytest

from prandial.bench.raters import figures_of_people
from prandial.errors import InputError
from prandial.records.bench import MealQuestion, Reading
from prandial.score.people import (
    Rated,
    consensus_of,
    disagreement,
    paired_rows,
    published_rows,
    serving_rows,
    sweeps,
    time_rows,
    win_counts,
)

LABELS = {"a": 10.0, "b": 20.0, "c": 30.0, "d": 40.0, "e": 50.0, "f": 60.0, "g": 5.0, "h": 80.0}
MEALS = tuple(
    MealQuestion(
        id=name,
        text=f"meal {name}",
        nutrient="carb_g",
        label=label,
        group=name,
        serving="metric" if name in "abcd" else "natural",
    )
    for name, label in LABELS.items()
)


def rated(name: str, arm: str, values: dict[str, float | None], **more: object) -> Rated:
    readings = {
        k: Reading(status="refused", published_value=-1.0, why="")
        if v is None
        else Reading(status="answered", value=v, published_value=v)
        for k, v in values.items()
    }
    return Rated(name=name, arm=arm, questions=MEALS, readings=readings, **more)  # type: ignore[arg-type]


#: errors by meal a..h: 2, 0, 10, 7.5, none, 5, none, 40
ANN = rated(
    "ann",
    "no look-up",
    {"a": 12.0, "b": 20.0, "c": 40.0, "d": 47.5, "e": None, "f": 65.0, "g": None, "h": 120.0},
)
#: errors 2, 5, 1, 20, 4, 5, 0, 10
BEN = rated(
    "ben",
    "no look-up",
    {"a": 8.0, "b": 25.0, "c": 31.0, "d": 20.0, "e": 54.0, "f": 55.0, "g": 5.0, "h": 70.0},
)
#: errors 1, 6, 20, 8, 3, 30, 6, 5
BOT = rated(
    "bot cot",
    "",
    {"a": 11.0, "b": 26.0, "c": 10.0, "d": 48.0, "e": 53.0, "f": 90.0, "g": 11.0, "h": 85.0},
)


def test_wins_are_shared_and_add_up() -> None:
    # a: bot (1). b: ann (0). c: ben (1). d: ann (7.5). e: bot (3). f: ann and ben (5).
    # g: ben (0). h: bot (5)
    ann, ben, bot = win_counts([ANN, BEN, BOT])
    assert (ann.wins, ann.alone, ann.answered) == (2.5, 2, 6)
    assert (ben.wins, ben.alone, ben.answered) == (2.5, 2, 8)
    assert (bot.wins, bot.alone, bot.answered) == (3.0, 3, 8)
    assert ann.wins + ben.wins + bot.wins == ann.meals == 8


def test_nobody_wins_a_meal_that_nobody_answers() -> None:
    none = rated("x", "look-up", dict.fromkeys(LABELS))
    (one,) = win_counts([none])
    assert (one.wins, one.answered, one.meals) == (0.0, 0, 8)


def test_sweeps() -> None:
    found = sweeps([ANN, BEN], BOT)
    # nearer than both: a, h, and e (ann has no answer; 3 against 4)
    assert found.model_nearest == ("a", "e", "h")
    # both nearer than the model: b (0, 5 against 6), c (10, 1 against 20), f (5, 5 against 30)
    assert found.people_nearer == ("b", "c", "f")
    assert found.meals == 8


def test_disagreement_is_by_the_variance_of_a_sample() -> None:
    high, low = disagreement([ANN, BEN], [BOT])
    # both answered a b c d f h; a quarter of six is one. h differs by 50, a by 4
    assert (high.of, low.of) == (6, 6)
    assert high.meals == ("h",)
    assert low.meals == ("a",)
    assert high.low == high.high == variance([120.0, 70.0]) == 1250
    assert low.low == variance([12.0, 8.0]) == 8
    assert [f.mae for f in high.figures] == [40, 10, 5]
    assert [f.acc for f in high.figures] == [0, 0, 1]
    # ends of two meals: h and d (27.5 apart) against a and b (5 apart)
    high, low = disagreement([ANN, BEN], [BOT], count=2)
    assert high.meals == ("d", "h")
    assert low.meals == ("a", "b")
    assert [f.mae for f in low.figures] == [1, 3.5, 3.5]
    ann = high.figures[0]
    # 7.5 off is right by our rule and wrong by the published one
    assert (ann.acc, ann.mae) == (0.5, 23.75)
    published, _ = disagreement([ANN, BEN], count=2, rules="published")
    assert published.figures[0].acc == 0


def test_disagreement_needs_two_people_and_meals_enough() -> None:
    with pytest.raises(InputError, match="two raters"):
        disagreement([ANN])
    with pytest.raises(InputError, match="6 meals have answers of two people"):
        disagreement([ANN, BEN], count=4)
    with pytest.raises(InputError, match="share"):
        disagreement([ANN, BEN], share=0.6)


def test_table_10_by_serving() -> None:
    rows = {r.name: r for r in serving_rows([ANN, BEN, BOT])}
    assert list(rows) == ["ann", "ben", "mean of raters", "consensus (median)", "bot cot"]
    # ann: right a b d f (at most 7.5 off) of 8; metric 3 of 4, natural 1 of 4
    ann = rows["ann"]
    assert ann.score("acc_all").value == 4 / 8
    assert ann.score("acc_all", "serving=metric").value == 3 / 4
    assert ann.score("acc_all", "serving=natural").value == 1 / 4
    assert (ann.score("mae_g").n_scored, ann.score("mae_g").n_unscored) == (6, 2)
    # errors of answered meals only: (2+0+10+7.5+5+40)/6
    assert ann.score("mae_g").value == pytest.approx(64.5 / 6)
    # ben: all but d and h
    assert rows["ben"].score("acc_all").value == 6 / 8
    mean = rows["mean of raters"]
    assert mean.score("acc_all").value == (4 + 6) / 16
    assert mean.score("acc_all").n_scored == 16
    assert (mean.score("mae_g").n_scored, mean.score("mae_g").n_unscored) == (14, 2)
    # medians of both: 10 22.5 35.5 33.75 54 60 5 95; wrong: h (15)
    assert rows["consensus (median)"].score("acc_all").value == 7 / 8
    # bot: errors 1 6 20 8 3 30 6 5
    assert rows["bot cot"].score("acc_all").value == 5 / 8
    assert rows["bot cot"].kind == "model"
    low, high = ann.score("acc_all").low, ann.score("acc_all").high
    assert low is not None
    assert high is not None
    assert 0 <= low <= 0.5 <= high <= 1


def test_the_published_rule_scores_no_answer_as_minus_one() -> None:
    (row,) = serving_rows([ANN], rules="published")
    # less than 7.5 off: a b f, and g, left blank: 5 - -1 = 6 counts as right; d (7.5) does not
    assert row.score("acc_all").value == 4 / 8
    # errors 2 0 10 7.5 51 5 6 40
    assert row.score("mae_g").value == pytest.approx(121.5 / 8)


def test_the_consensus_needs_half_of_the_raters() -> None:
    cat = rated("cat", "no look-up", {**dict.fromkeys(LABELS), "a": 30.0})
    middle = consensus_of([ANN, BEN, cat], arm="no look-up")
    assert middle.value("a") == 12  # of 8 12 30
    assert middle.value("b") == 22.5  # two of three
    assert middle.value("e") is None  # one of three
    assert middle.published_value("e") == -1


def test_published_figures_are_whole_meals() -> None:
    rows = published_rows()
    assert [(r.method, r.arm) for r in rows] == [
        ("nutritionist", "no look-up"),
        ("nutritionist", "look-up"),
        ("GPT-4o CoT", ""),
    ]
    look = rows[1]
    # Table 10's look-up row: 28 of 38 metric, 15 of 34 natural, 43 of 72 in all
    assert look.acc_metric_percent == round(100 * 28 / 38, 2)
    assert look.acc_natural_percent == round(100 * 15 / 34, 2)
    assert look.acc_all_percent == round(100 * 43 / 72, 2)
    gpt = rows[2]
    # one natural meal fewer: 24 of 38, 19 of 33, 43 of 71
    assert gpt.acc_metric_percent == round(100 * 24 / 38, 2)
    assert gpt.acc_natural_percent == round(100 * 19 / 33, 2)
    assert gpt.acc_all_percent == round(100 * 43 / 71, 2)


def test_time() -> None:
    timed = dict.fromkeys(LABELS, 30.0)
    one = rated("one", "look-up", {}, seconds=timed, total_seconds=240.0)
    two = rated("two", "look-up", {}, total_seconds=960.0)
    part = rated("part", "no look-up", {}, seconds={**timed, "a": None})
    none = rated("none", "no look-up", {})
    rows = {(r.arm, r.name): r for r in time_rows([one, two, part, none])}
    assert rows["look-up", "one"].minutes_per_meal == 0.5
    assert rows["look-up", "two"].minutes_per_meal == 2.0
    mean = rows["look-up", "mean of raters"]
    assert (mean.minutes, mean.minutes_per_meal, mean.raters) == (10.0, 1.25, 2)
    # seven of eight meals were timed
    assert (rows["no look-up", "part"].timed, rows["no look-up", "part"].minutes) == (7, 3.5)
    assert rows["no look-up", "none"].minutes is None
    assert rows["no look-up", "mean of raters"].raters == 1


def test_people_against_a_model_on_the_same_meals() -> None:
    rows = {r.name: r for r in paired_rows([ANN, BEN], BOT)}
    ann = rows["ann"]
    # right: ann a b d f; bot a b e g h -> (4 - 5) / 8
    assert ann.acc_difference.value == pytest.approx(-1 / 8)
    # both answered a b c d f h: 64.5/6 less (1+6+20+8+30+5)/6
    assert ann.answered == 6
    assert ann.error_difference.value == pytest.approx((64.5 - 70) / 6)
    mean = rows["mean of raters"]
    assert mean.acc_difference.value == pytest.approx((4 + 6) / 16 - 5 / 8)
    assert (mean.meals, mean.answered) == (8, 14)
    assert rows["consensus (median)"].acc_difference.value == pytest.approx(7 / 8 - 5 / 8)
    for row in rows.values():
        assert row.acc_difference.low is not None
        assert row.acc_p is not None
        assert 0 < row.acc_p <= 1
    # eight groups: every pattern of signs is taken. ann and bot differ on d f (ann right) and
    # e g h (bot right): of 32 patterns of five signs those with a sum of at least 1 from 0: all
    assert ann.acc_p == 1.0


def test_meals_of_another_file_are_known_by_words_and_label() -> None:
    moved = replace(
        BOT,
        questions=tuple(replace(q, id=f"file-{q.id}") for q in MEALS if q.id != "h"),
        readings={f"file-{k}": r for k, r in BOT.readings.items()},
    )
    found = figures_of_people([ANN, BEN, moved])
    # without h, of which the model has nothing: as in test_sweeps
    (one,) = found.sweeps["no look-up"]
    assert (one.model_nearest, one.people_nearer, one.meals) == (("a", "e"), ("b", "c", "f"), 7)
    assert [w.meals for w in found.wins["no look-up"]] == [7, 7, 7]
    assert len(found.paired) == 4
    assert found.notes == ()
    # other words, another meal
    odd = replace(moved, questions=tuple(replace(q, text="x" + q.text) for q in moved.questions))
    noted = figures_of_people([ANN, BEN, odd])
    assert noted.sweeps["no look-up"] == ()
    assert noted.paired == ()
    assert "was not asked these meals" in noted.notes[0]


def test_meals_with_two_labels_are_not_compared() -> None:
    other = Rated(
        name="y",
        questions=(MealQuestion(id="a", text="", nutrient="carb_g", label=11.0, group="a"),),
        readings={},
    )
    with pytest.raises(InputError, match="two labels"):
        win_counts([ANN, other])
    with pytest.raises(InputError, match="no meal in common"):
        paired_rows([ANN], Rated(name="z", questions=(), readings={}))
