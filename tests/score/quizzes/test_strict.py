"""Strict scores against hand arithmetic and slow versions of each figure."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.score.quizzes.asked import by_name, failed, made, said

from prandial.errors import InputError
from prandial.score.answers import bootstrap
from prandial.score.quizzes import strict_scores
from prandial.score.quizzes.tagsets import TagCounts
from prandial.score.quizzes.verdicts import VERDICT_FIGURES, counts_of, verdict_value

DIET = ("hypertension",)


def _yes(i, task="B", level="sparse", code=1):
    return made("low_sodium", DIET, task, name=f"y{i}{task}{level}", level=level, code=code)


def _no(i, task="B", level="sparse", code=2):
    return made("high_sodium", DIET, task, name=f"n{i}{task}{level}", level=level, code=code)


def test_four_counts_by_hand():
    # 3 gold Yes: two said Yes, one No. 2 gold No: one said Yes, one No.
    pairs = [
        said(_yes(1), "Yes"), said(_yes(2), "Yes."), said(_yes(3), "no"),
        said(_no(1), "Yes"), said(_no(2), "No, because it is salty."),
    ]  # fmt: skip
    found = by_name(strict_scores(pairs, draws=0))
    assert found["b_accuracy_all"].value == pytest.approx(3 / 5)
    assert found["b_accuracy_answered"].value == pytest.approx(3 / 5)
    assert found["b_balanced_accuracy"].value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found["b_precision"].value == pytest.approx(2 / 3)
    assert found["b_recall"].value == pytest.approx(2 / 3)
    assert found["b_f1"].value == pytest.approx(2 / 3)
    assert found["b_macro_f1"].value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found["b_mcc"].value == pytest.approx(1 / 6)
    assert {s.n_scored for s in found.values()} == {5}
    assert {s.rules for s in found.values()} == {"strict"}


def test_what_is_not_answered_is_counted_apart():
    pairs = [
        said(_yes(1), "Yes"), said(_yes(2), "Perhaps"), said(_no(1), "I cannot answer that."),
        failed(_no(2)), failed(_no(3)),
    ]  # fmt: skip
    found = by_name(strict_scores(pairs, draws=0))
    told = {m: (s.value, s.n_scored, s.n_unscored) for m, s in found.items()}
    assert told["b_accuracy_all"] == (pytest.approx(1 / 3), 3, 2)
    assert told["b_accuracy_answered"] == (1.0, 1, 4)
    assert told["b_answer_rate"] == (pytest.approx(1 / 3), 3, 2)
    assert told["b_refused"] == (pytest.approx(1 / 3), 3, 2)
    assert told["b_unreadable"] == (pytest.approx(1 / 3), 3, 2)
    assert told["b_failed"] == (pytest.approx(2 / 5), 5, 0)
    # one class only: nothing stands for what is not defined
    for metric in ("b_balanced_accuracy", "b_mcc", "b_macro_f1"):
        assert told[metric] == (None, 1, 4)
    assert told["b_precision"] == (1.0, 1, 4)


def test_nothing_answered_is_undefined_not_zero():
    found = by_name(strict_scores([failed(_yes(1)), failed(_no(1))], draws=0))
    assert found["b_failed"].value == 1.0
    others = [s for m, s in found.items() if m != "b_failed"]
    assert all(s.value is None and s.n_scored == 0 and s.n_unscored == 2 for s in others)
    assert strict_scores([]) == ()


def test_always_no_has_no_precision():
    found = by_name(strict_scores([said(_yes(1), "No"), said(_no(1), "No")], draws=0))
    assert found["b_precision"].value is None
    assert found["b_mcc"].value is None
    assert found["b_recall"].value == 0.0
    assert found["b_balanced_accuracy"].value == 0.5


def test_tags_by_hand():
    both = ("hypertension", "diabetes")
    one = made("high_sodium low_sugar", both, "ML", name="1")
    two = made("high_sodium", both, "ML", name="2", code=3)
    pairs = [
        said(one, "high_sodium, low_carb"),
        said(two, "high_sodium"),
        failed(made("high_sodium", both, "ML", name="3")),
    ]
    found = by_name(strict_scores(pairs, draws=0))
    assert found["ml_jaccard_all"].value == pytest.approx((1 / 3 + 1) / 2)
    assert found["ml_exact_all"].value == 0.5
    # tags: 2 right of 3 said and 3 gold
    assert found["ml_micro_precision"].value == pytest.approx(2 / 3)
    assert found["ml_micro_recall"].value == pytest.approx(2 / 3)
    # by label: sodium 1; carb precision 0, no recall, F1 0; sugar no precision, recall 0, F1 0
    assert found["ml_macro_precision"].value == pytest.approx(1 / 2)
    assert found["ml_macro_recall"].value == pytest.approx(1 / 2)
    assert found["ml_macro_f1"].value == pytest.approx(1 / 3)
    assert found["ml_jaccard_all"].n_unscored == 1


def test_an_unreadable_list_overlaps_with_nothing():
    pairs = [said(_no(1, "ML"), "high_sodium"), said(_no(2, "ML"), "hm")]
    found = by_name(strict_scores(pairs, draws=0))
    assert found["ml_jaccard_all"].value == 0.5
    assert found["ml_jaccard_answered"].value == 1.0
    assert (found["ml_jaccard_answered"].n_scored, found["ml_jaccard_answered"].n_unscored) == (
        1,
        1,
    )


def test_a_sentence_is_scored_for_the_winning_side_and_for_all_that_decides():
    asked = made(
        "high_sodium low_sugar low_carb", ("hypertension", "diabetes"), "TG", level="complex"
    )
    assert asked.row.gold.verdict == "Yes"
    found = by_name(strict_scores([said(asked, asked.row.gold.sentence)], draws=0))
    assert found["tg_accuracy_all"].value == 1.0
    assert found["tg_reasons_jaccard_all"].value == 1.0
    assert found["tg_tags_jaccard_all"].value == pytest.approx(2 / 3)
    full = said(asked, "Yes: low in sugar, low in carb, though high in sodium.")
    found = by_name(strict_scores([full], draws=0))
    assert found["tg_reasons_jaccard_all"].value == pytest.approx(2 / 3)
    assert found["tg_tags_jaccard_all"].value == 1.0


def test_by_default_rules_the_sentence_names_both_sides():
    asked = made(
        "high_sodium low_sugar",
        ("hypertension", "diabetes"),
        "TG",
        level="complex",
        rules="default",
    )
    found = by_name(strict_scores([said(asked, asked.row.gold.sentence)], draws=0))
    assert found["tg_reasons_jaccard_all"].value == found["tg_tags_jaccard_all"].value == 1.0


def test_levels_and_tasks_stand_apart():
    pairs = [
        said(_yes(1, level="sparse"), "Yes"), said(_yes(2, level="complex"), "No"),
        said(_no(3, "ML", level="complex"), "high_sodium"),
    ]  # fmt: skip
    scores = strict_scores(pairs, draws=0)
    assert by_name(scores)["b_accuracy_all"].value == 0.5
    assert by_name(scores, "level=sparse")["b_accuracy_all"].value == 1.0
    assert by_name(scores, "level=complex")["b_accuracy_all"].value == 0.0
    assert "level=standard" not in {s.slice for s in scores}
    assert "ml_jaccard_all" not in by_name(scores, "level=sparse")


def test_pairs_that_do_not_belong_together_are_refused():
    with pytest.raises(InputError, match="is of question"):
        strict_scores([(_yes(1), said(_yes(2), "Yes")[1])])
    with pytest.raises(InputError, match="twice"):
        strict_scores([said(_yes(1), "Yes"), said(_yes(1), "No")])


def _slow(figure, gold, said_):
    """A figure by counting, one answer after the other."""
    tp = fp = fn = tn = 0
    for g, s in zip(gold, said_, strict=True):
        tp, fp, fn, tn = (
            tp + (g and s),
            fp + (s and not g),
            fn + (g and not s),
            tn + (not g and not s),
        )
    f = lambda a, b, c: 2 * a / (2 * a + b + c)  # noqa: E731
    try:
        return {
            "accuracy": lambda: (tp + tn) / len(gold),
            "balanced_accuracy": lambda: (tp / (tp + fn) + tn / (tn + fp)) / 2,
            "mcc": lambda: (
                (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
            ),
            "macro_f1": lambda: (f(tp, fp, fn) + f(tn, fn, fp)) / 2,
            "precision": lambda: tp / (tp + fp),
            "recall": lambda: tp / (tp + fn),
            "f1": lambda: f(tp, fp, fn),
        }[figure]()
    except ZeroDivisionError:
        return None


@pytest.mark.parametrize("figure", VERDICT_FIGURES)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_the_library_the_sums_and_the_slow_way_agree(figure, answers):
    gold, told = [g for g, _ in answers], [s for _, s in answers]
    slow = _slow(figure, gold, told)
    value = verdict_value(figure, gold, told)
    summed = float(VERDICT_FIGURES[figure](counts_of(gold, told).sum(axis=0, keepdims=True))[0])
    if slow is None:
        assert value is None
        assert math.isnan(summed)
    else:
        assert value == pytest.approx(slow, abs=1e-12)
        assert summed == pytest.approx(slow, abs=1e-12)


def _slow_tags(figure, average, gold, told, labels):
    each, weights = [], []
    sums = [0, 0, 0]
    for label in labels:
        tp = sum(label in g and label in s for g, s in zip(gold, told, strict=True))
        n_said, n_gold = sum(label in s for s in told), sum(label in g for g in gold)
        sums = [sums[0] + tp, sums[1] + n_said, sums[2] + n_gold]
        for_label = {
            "precision": (tp, n_said), "recall": (tp, n_gold), "f1": (2 * tp, n_said + n_gold),
        }[figure]  # fmt: skip
        if for_label[1]:
            each.append(for_label[0] / for_label[1])
            weights.append(n_gold)
    if average == "micro":
        below = {"precision": sums[1], "recall": sums[2], "f1": sums[1] + sums[2]}[figure]
        return (2 if figure == "f1" else 1) * sums[0] / below if below else None
    return sum(each) / len(each) if each else None


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.frozensets(st.sampled_from("abcd")), st.frozensets(st.sampled_from("abcd"))),
        min_size=1,
        max_size=6,
    )
)
def test_tag_figures_three_ways(answers):
    gold, told = [g for g, _ in answers], [s for _, s in answers]
    counts = TagCounts(gold, told, "abcd")
    for average in ("micro", "macro"):
        for figure in ("precision", "recall", "f1"):
            slow = _slow_tags(figure, average, gold, told, "abcd")
            value = counts.value(figure, average)
            summed = counts.statistic(figure, average)(counts.columns.sum(axis=0, keepdims=True))
            if slow is None:
                assert value is None
                assert math.isnan(summed[0])
            else:
                assert value == pytest.approx(slow, abs=1e-12)
                assert summed[0] == pytest.approx(slow, abs=1e-12)


def test_the_interval_draws_foods_not_rows():
    """Ten questions about each food, all right or all wrong: only two things vary."""
    rng = random.Random(3)
    pairs = []
    for code in range(20):
        right = rng.random() < 0.5
        for i in range(10):
            asked = made("low_sodium", DIET, name=f"{code}-{i}", code=code)
            pairs.append(said(asked, "Yes" if right else "No"))
    score = by_name(strict_scores(pairs, seed=7))["b_accuracy_all"]
    p = score.value
    wide = 1.96 * math.sqrt(p * (1 - p) / 20)
    narrow = 1.96 * math.sqrt(p * (1 - p) / 200)
    assert score.seed == 7
    assert score.high - score.low == pytest.approx(2 * wide, rel=0.2)
    assert score.high - score.low > 2.5 * 2 * narrow
    again = by_name(strict_scores(list(reversed(pairs)), seed=7))["b_accuracy_all"]
    assert (again.low, again.high) == (score.low, score.high)


def test_blocks_of_draws_do_not_change_an_interval(monkeypatch):
    pairs = [said(_no(i, "ML", code=i), "high_sodium" if i % 3 else "low_carb") for i in range(30)]
    whole = strict_scores(pairs, seed=5)
    monkeypatch.setattr(bootstrap, "_CELLS", 200)
    assert strict_scores(pairs, seed=5) == whole


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_alike_answers_are_not_sure(answer):
    # eight foods, all right or all wrong: 1 - 0.025 ** (1 / 8) of Clopper and Pearson
    found = by_name(strict_scores([said(_yes(i, code=i), answer) for i in range(8)], seed=3))
    bound = 1 - 0.025 ** (1 / 8)
    for metric in ("b_accuracy_all", "b_accuracy_answered"):
        low, high = found[metric].low, found[metric].high
        expected = (1 - bound, 1.0) if answer == "Yes" else (0.0, bound)
        assert (low, high) == pytest.approx(expected)


def test_one_food_has_no_interval():
    found = by_name(strict_scores([said(_yes(i), "Yes") for i in range(8)], seed=3))
    assert found["b_accuracy_all"].low is None
