"""Scores by the published rules: against the paper's tables, a slow version and hand arithmetic."""

from __future__ import annotations

import csv
import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.score.quizzes.asked import by_name, failed, made, real_questions, said

from prandial.records.bench import Prediction, Reading
from prandial.score.quizzes import (
    PUBLISHED_LABELS,
    published_scores,
    published_tags,
    published_verdict,
)

DIET = ("hypertension",)
#: rows by level: Yes, No (the released file's counts)
COUNTS = {"Sparse": (4087, 4403), "Standard": (1916, 1706), "Complex": (613, 1077)}


def test_only_exact_words_count():
    for reply in ("yes", "Yes.", " Yes", "Yes\n", "", "No, because", "YES"):
        assert published_verdict(reply, True) is False
        assert published_verdict(reply, False) is True
    assert published_verdict("Yes", False) is True
    assert published_verdict("No", True) is False


def test_labels_and_lists():
    assert len(PUBLISHED_LABELS) == len(set(PUBLISHED_LABELS)) == 14
    assert published_tags("high_sodium,  low_carb ,x, high sodium, low_fiber") == {
        "high_sodium", "low_carb",
    }  # fmt: skip
    assert published_tags("Answer: high_sodium") == frozenset()
    assert published_tags("high_saturated_fat, high_saturated fat") == {"high_saturated_fat"}


def _run(level, yes_right, yes_wrong, no_right, no_wrong):
    """Predictions with these four counts, over two rows made once."""
    level = level.lower()
    yes = made("low_sodium", DIET, level=level, code=1)
    no = made("high_sodium", DIET, level=level, code=2)
    pairs = []
    for asked, text, n in (
        (yes, "Yes", yes_right),
        (yes, "No", yes_wrong),
        (no, "No", no_right),
        (no, "Yes", no_wrong),
    ):
        for _ in range(n):
            name = str(len(pairs))
            reading = Reading(status="answered", verdict=text)
            answer = Prediction(question=name, raw_text=text, reading=reading)
            pairs.append((dataclasses.replace(asked, id=name), answer))
    return pairs


def test_the_papers_accuracy_and_f1_follow_from_its_recall_and_precision(shared_dir):
    """All 45 cells of Tables 3, 8 and 9: counts from recall and precision, then our scorer."""
    with (shared_dir / "data/ngqa/published_results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 45
    for row in rows:
        yes, no = COUNTS[row["question_level"]]
        recall, precision = float(row["b_recall"]), float(row["b_precision"])
        right = round(recall * yes)
        wrong = round(right * (1 / precision - 1))
        scores = published_scores(
            _run(row["question_level"], right, yes - right, no - wrong, wrong), draws=0
        )
        found = {m: s.value for m, s in by_name(scores).items()}
        assert found["b_accuracy"] == pytest.approx(float(row["b_accuracy"]), abs=2.0001e-4), row
        assert found["b_f1"] == pytest.approx(float(row["b_f1"]), abs=2.0001e-4), row
        assert found["b_recall"] == pytest.approx(recall, abs=1e-4)
        assert found["b_precision"] == pytest.approx(precision, abs=1e-4)


def test_always_no_over_the_papers_counts():
    for level, accuracy in (("Sparse", 0.519), ("Standard", 0.471), ("Complex", 0.637)):
        yes, no = COUNTS[level]
        found = by_name(published_scores(_run(level, 0, yes, no, 0), draws=0))
        assert round(found["b_accuracy"].value, 3) == accuracy
        assert found["b_precision"].value == found["b_f1"].value == 0.0
        assert found["b_auc"].value == 0.5


def test_hard_labels_auc_by_hand():
    found = by_name(published_scores(_run("sparse", 3, 1, 1, 1), draws=0))
    assert found["b_auc"].value == pytest.approx((3 / 4 + 1 / 2) / 2)
    one_class = by_name(published_scores(_run("sparse", 3, 1, 0, 0), draws=0))
    assert one_class["b_auc"].value is None
    assert one_class["b_auc"].n_scored == 4


def test_an_unreadable_word_is_wrong_and_an_error_is_not_scored():
    yes, no = made("low_sodium", DIET, name="y"), made("high_sodium", DIET, name="n")
    pairs = [said(yes, "Yes, it is."), failed(no)]
    found = by_name(published_scores(pairs, draws=0))
    assert (found["b_accuracy"].value, found["b_accuracy"].n_scored) == (0.0, 1)
    assert found["b_accuracy"].n_unscored == 1
    found = by_name(
        published_scores([said(yes, "Yes"), failed(no)], draws=0, errors_as_answers=True)
    )
    assert (found["b_accuracy"].value, found["b_accuracy"].n_scored) == (0.5, 2)
    found = by_name(published_scores([failed(yes), failed(no)], draws=0))
    assert {(s.value, s.n_scored, s.n_unscored) for s in found.values()} == {(None, 0, 2)}


def test_four_decimals():
    found = by_name(published_scores(_run("sparse", 1, 2, 1, 1)))
    assert found["b_recall"].value == 0.3333
    assert all(
        v is None or v == round(v, 4) for s in found.values() for v in (s.value, s.low, s.high)
    )


def _slow_weighted(figure, gold, told):
    """Each label by counting, weighted by how often it is in the gold; 0/0 is 0."""
    total = weight = 0.0
    for label in PUBLISHED_LABELS:
        tp = sum(label in g and label in s for g, s in zip(gold, told, strict=True))
        n_said, n_gold = sum(label in s for s in told), sum(label in g for g in gold)
        above, below = {
            "precision": (tp, n_said), "recall": (tp, n_gold), "f1": (2 * tp, n_said + n_gold),
        }[figure]  # fmt: skip
        total += n_gold * (above / below if below else 0.0)
        weight += n_gold
    return total / weight if weight else 0.0


TAGS = st.frozensets(st.sampled_from(["low_carb", "high_sodium", "low_sugar", "high_protein"]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(TAGS.filter(bool), TAGS), min_size=1, max_size=6))
def test_weighted_tag_figures_against_counting(answers):
    gold, told = [g for g, _ in answers], [s for _, s in answers]
    pairs = []
    for i, (g, s) in enumerate(answers):
        asked = made("high_sodium", DIET, "ML", name=str(i), code=i)
        row = asked.row
        asked = dataclasses.replace(
            asked,
            row=dataclasses.replace(row, gold=dataclasses.replace(row.gold, tags=tuple(sorted(g)))),
        )
        pairs.append(said(asked, ",".join(s) + ", nonsense"))
    found = by_name(published_scores(pairs, draws=0, swapped=True))
    overlap = sum(len(g & s) / len(g | s) for g, s in answers) / len(answers)
    assert found["ml_accuracy"].value == pytest.approx(overlap, abs=5.1e-5)
    for figure in ("precision", "recall", "f1"):
        own = _slow_weighted(figure, gold, told)
        assert found[f"ml_{figure}"].value == pytest.approx(own, abs=5.1e-5)
        other = _slow_weighted(figure, told, gold)
        assert found[f"ml_{figure}_swapped"].value == pytest.approx(other, abs=5.1e-5)


def test_a_perfect_run_over_the_real_rows(shared_dir):
    for task, answer in (("B", "verdict"), ("ML", "tags"), ("TG", "sentence")):
        pairs = []
        for asked in real_questions(shared_dir, task):
            gold = getattr(asked.row.gold, answer)
            pairs.append(said(asked, ", ".join(gold) if task == "ML" else gold))
        scores = by_name(published_scores(pairs, draws=50))
        foods = {asked.row.food.code for asked, _ in pairs}
        exact = 0.025 ** (1 / len(foods))  # of Clopper and Pearson, for means of rows
        for metric, score in scores.items():
            if metric == "ml_auc":  # some labels are in no gold of 50 rows
                continue
            assert score.value == 1.0, metric
            assert (score.high, score.n_scored) == (1.0, 50)
            assert score.low == 1.0 or score.low == pytest.approx(exact, abs=5.1e-5)


def test_the_sparse_precision_cannot_be_the_swapped_one():
    """Hand bound of the specification: .1798 / .9943 = .181 is below the published .2109."""
    asked = [made("high_sodium low_carb", DIET, "ML", name=str(i), code=i) for i in range(4)]
    pairs = [said(q, "high_sodium, low_carb") for q in asked]
    found = by_name(published_scores(pairs, draws=0, swapped=True))
    assert (found["ml_recall"].value, found["ml_precision"].value) == (1.0, 1.0)
    assert found["ml_recall_swapped"].value == 0.5
    assert found["ml_precision_swapped"].value == 0.5
