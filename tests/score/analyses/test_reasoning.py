"""Faults of reasoned answers: by hand, and on real answers against the paper's finding."""

from __future__ import annotations

import duckdb
import pytest

from prandial.answer.reading.meals import read_meal_reply
from prandial.answer.reading.plain import in_plain_writing
from prandial.records.bench import MealQuestion, Prediction
from prandial.score.analyses.reasoning import count_faults, far_answers, fault_of

MEAL = "For lunch I had 138g of rice, 154 g of lentils and 2 oranges."
GOOD = (
    "The meal consists of 138g of rice, 154g of lentils and 2 oranges.\n"
    "138g of rice has (28 * 1.38) = 38.64g carbs.\n"
    "154g of lentils has (20 * 1.54) = 30.8g carbs.\n"
    "2 oranges have (15 * 2) = 30g carbs.\n"
    "So the total grams of carbs in the meal = (38.64 + 30.8 + 30) = 99.44\n"
    'Output: {"total_carbohydrates": 99.44}'
)


def test_an_answer_without_a_slip_is_a_wrong_value():
    assert fault_of(GOOD, MEAL, items=3, answer=99.44)[0] == "value"


@pytest.mark.parametrize(
    ("old", "new", "answer", "fault", "because"),
    [
        (", 154g of lentils and 2 oranges", " and 2 oranges, 154", 99.44, "value", ""),
        ("2 oranges", "3 oranges", 99.44, "serving", "2 is not"),
        ("= 30.8g", "= 35.8g", 99.44, "equation", "(20 * 1.54) is 30.8, not 35.8"),
        ("= 99.44\n", "= 109.44\n", 109.44, "equation", "not 109.44"),
        ('": 99.44', '": 199.44', 199.44, "equation", "the answer 199.44"),
    ],
)
def test_faults(old, new, answer, fault, because):
    reply = GOOD.replace(old, new).replace("(15 * 2)", "(15 + 15)")
    found = fault_of(reply, MEAL, items=3, answer=answer)
    assert found[0] == fault, found
    assert because in found[1]


def test_a_food_left_out_is_a_fault_of_parsing():
    reply = (
        "The meal consists of 138g of rice and 154g of lentils.\n138g of rice has 38g carbs.\n"
        "154g of lentils has 31g carbs.\nSo the total = (38 + 31) = 69"
    )
    assert fault_of(reply, MEAL, items=3, answer=69) == (
        "parse",
        "speaks of 2 foods, the meal has 3",
    )
    # without the number of foods nothing can be missing; the two oranges are a serving
    assert fault_of(reply, MEAL, items=None, answer=69)[0] == "serving"


def test_a_chain_of_sums_is_followed():
    reply = "1 banana split has 94g carbs. Total = (27 + 3*15 + 20) = 27 + 45 + 20 = 92"
    assert fault_of(reply, "A banana split.", items=1, answer=92)[0] == "value"
    wrong = reply.replace("= 92", "= 102")
    assert fault_of(wrong, "A banana split.", items=1, answer=102)[0] == "equation"


def test_the_sum_of_one_food_is_not_the_total():
    reply = "2 slices have (13 + 13) = 26g carbs.\nJam has 13g carbs.\nTotal: 39 g"
    assert fault_of(reply, "2 slices with jam", items=2, answer=39)[0] == "value"


def test_only_far_answers_are_sorted(pair):
    rows = [
        pair("near", 40, 90, text=MEAL, raw=GOOD),
        pair("far", 40, 99.44, text=MEAL, raw=GOOD, items=3),
        pair("farther", 400, 99.44, text=MEAL, raw=GOOD, items=3),
        pair("refused", 400, None, raw="-1"),
    ]
    found = far_answers(rows)
    assert [f.question for f in found] == ["farther", "far"]
    assert found[0].error == pytest.approx(99.44 - 400)
    assert count_faults(found) == {"parse": 0, "serving": 0, "equation": 0, "value": 2}


def test_real_answers_far_off_have_a_wrong_value(shared_dir):
    """The paper looked at 100 answers of GPT-4o off by more than 50 g: all of this kind."""
    folder = shared_dir / "data" / "nutribench"
    rows = (
        duckdb.connect()
        .execute(
            "SELECT m.language || '/' || m.source_index, m.translated_query, m.gpt4o_output,"
            " m.carb_g, m.meal_group, v.n_items FROM read_parquet(?) m"
            " LEFT JOIN read_parquet(?) v ON v.row = m.v2_row",
            [
                str(folder / "nutribench_v2_multilingual_gpt4o.parquet"),
                str(folder / "nutribench_v2.parquet"),
            ],
        )
        .fetchall()
    )
    pairs = [
        (
            MealQuestion(id=i, text=text, nutrient="carb_g", label=label, group=group, items=items),
            Prediction(
                question=i, raw_text=reply, reading=read_meal_reply(reply, "carb_g", method="cot")
            ),
        )
        for i, text, reply, label, group, items in rows
    ]
    found = far_answers(pairs, plain=in_plain_writing)
    assert len(found) == sum(
        p.reading.value is not None and abs(p.reading.value - q.label) > 50 for q, p in pairs
    )
    assert len(found) > 100
    assert count_faults(found)["value"] >= 0.95 * len(found)
