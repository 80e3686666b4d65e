"""Odd replies about meals, each with what it says and by which rule it is read."""

from __future__ import annotations

import json

import pytest

from prandial.answer.reading.meals import read_meal_reply, read_meal_value
from prandial.errors import InputError


def read(text: str, nutrient: str = "carb_g", method: str = "base"):
    return read_meal_reply(text, nutrient, method=method)


def shown(text: str, nutrient: str = "carb_g", method: str = "base"):
    reading = read(text, nutrient, method)
    assert (reading.value is not None) == (reading.status == "answered")
    assert reading.why or reading.status == "answered"
    return reading.value if reading.status == "answered" else reading.status


@pytest.mark.parametrize("case", ["C069", "C071"])
def test_cases_of_public_reports(shared_dir, case):
    lines = (shared_dir / "cases" / "cases.jsonl").read_text("utf-8").splitlines()
    found = next(c for c in map(json.loads, lines) if c["id"] == case)
    text = found["input"].split("'", 1)[1].rsplit("'", 1)[0]
    assert shown(text, method="cot") == float(found["expected"].split(":")[0].split(".")[0])


def test_every_case_of_model_output_is_tested(shared_dir):
    lines = (shared_dir / "cases" / "cases.jsonl").read_text("utf-8").splitlines()
    kinds = {c["id"] for c in map(json.loads, lines) if c["kind"] == "model-output"}
    assert kinds == {"C069", "C071"}


DICTIONARIES = [
    ('{"total_carbohydrates": 45}', 45),
    ("{'total_carbohydrates': 45.5}", 45.5),
    ('{\\"total_carbohydrates\\": 45}', 45),
    ("{total_carbohydrates: 45}", 45),
    ("{“total_carbohydrates”: 45}", 45),
    ('```json\n{"total_carbohydrates": 45}\n```\nHope this helps all 3 of you!', 45),
    ('{"total_carbohydrates": 45', 45),
    ('"total_carbohydrates": 45}', 45),
    (" 45}", 45),
    ('{"total_carbohydrates": "45 g"}', 45),
    ('{"total_carbohydrates": 45 grams}', 45),
    ('{"total_carbohydrates": "about 45 g"}', 45),
    ('{"total_carbohydrates": 45 // two slices of 3', 45),
    ('{"total_carbohydrates": 4.5e1}', 45),
    ('{"total_carbohydrates": 0}', 0),
    ('{"total_carbohydrates": ٤٥}', 45),
    ('{"total_carbohydrates": ４５}', 45),
    ('{"totalCarbohydrates": 45}', 45),
    ('{"carbs": 45}', 45),
    ('{"total_carbs_g": "45"}', 45),
    ('{"carbohydrates": {"value": 45, "unit": "g"}}', 45),
    ('{"total": {"carbohydrates": 45, "protein": 12}}', 45),
    ('{"nutrition": {"total_carbohydrates": 45}}', 45),
    ('{"answer": 45}', 45),
    ('{"protein": 12, "carbs": 45, "fat": 8}', 45),
    ('{"items": [{"food": "oats", "carbs": 20}, {"carbs": 25}], "total_carbohydrates": 45}', 45),
    ('{"total_carbohydrates": 45, "net_carbs": 40}', 45),
    ('[{"total_carbohydrates": 45}]', 45),
]


@pytest.mark.parametrize(("text", "value"), DICTIONARIES)
def test_dictionaries(text, value):
    assert shown(text) == value


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        # a range is its middle
        ('{"total_carbohydrates": 40-50}', 45, "range"),
        ('{"total_carbohydrates": "40 – 50 g"}', 45, "range"),
        ('{"total_carbohydrates": "40 to 50 grams"}', 45, "range"),
        ('{"total_carbohydrates": [40, 50]}', 45, "range"),
        ("40-50 g", 45, "range"),
        # a sum is worked out, one with an equals sign is what it is said to be
        ('{"total_carbohydrates": 28 + 27 + 12}', 67, "sum"),
        ('{"total_carbohydrates": (28 + 27) * 2}', 110, "sum"),
        ('{"total_carbohydrates": 50 - 5}', 45, "sum"),
        ('{"total_carbohydrates": 27 + 13 = 41}', 41, "equation"),
        # other units
        ('{"total_carbohydrates": 45000 mg}', 45, "mg"),
        ('{"total_carbohydrates_mg": 45000}', 45, "mg"),
    ],
)  # fmt: skip
def test_the_rule_is_named(text, value, rule):
    reading = read(text)
    assert reading.value == pytest.approx(value)
    assert rule in reading.why


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1,234", 1234),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1 234", 1234),  # narrow space
        ("45,5", 45.5),
        ("84,642", 84.642),  # 84 kg of carbohydrate is no meal
        ("0,125", 0.125),
        ("1.234", 1.234),
    ],
)
def test_commas_and_points(written, value):
    text = written.replace("1 234", "1\u202f234")
    assert shown(f'{{"total_carbohydrates": "{text}"}}') == pytest.approx(value)


def test_decimal_commas_elsewhere_in_the_reply_count():
    working = "Le riz apporte 12,5 g de glucides. Total : 1,234 g"
    assert shown(working, method="cot") == pytest.approx(1.234)
    assert shown("Total: 1,234 g", method="cot") == 1234
    # a bare number in a dictionary has a decimal point, whatever the words around write
    assert shown('564,28 g font 84,642\nOutput: {"total_carbohydrates": 84.642}') == 84.642


@pytest.mark.parametrize(
    "text",
    [
        '{"total_carbohydrates": -1}',
        '{"total_carbohydrates": "-1"}',
        '{"total_carbohydrates": −1}',
        '{"total_carbohydrates": -12.5}',
        '{"total_carbohydrates": null}',
        '{"total_carbohydrates": None}',
        '{"total_carbohydrates": "unknown"}',
        '{"total_carbohydrates": "N/A"}',
        "-1",
        "unknown",
        "Output: -1",
        "Output: unknown",
        "So the total grams of carbs in the meal = -1",
        "Total carbohydrates: unknown",
        "I cannot estimate the carbohydrates of this meal.",
        "I'm sorry, there is not enough information.",
        "Ich kann nicht sagen, wie viel das ist.",
        "Je ne sais pas.",
        "Не могу определить.",
        "わかりません。",
        "ไม่ทราบ",
        "نمی‌دانم",
    ],
)
def test_refusals(text):
    assert shown(text, method="cot") == "refused"
    assert read(text).published_value in (-1.0, -12.5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n ",
        ",",
        " , . ",
        "{}",
        '{"total_carbohydrates": }',
        '{"total_carbohydrates": ,}',
        '{"total_carbohydrates": total grams of carbohydrates}',  # the prompt's words back
        '{"total_carbohydrates": "<5"}',  # a limit
        '{"total_carbohydrates": "15 %"}',
        '{"total_carbohydrates": "180 kcal"}',
        '{"net_carbs": 40}',
        '{"saturated_fat": 4}',
        '{"carbs_per_100g": 40}',
        '{"items": [{"food": "oats", "carbs": 20}, {"food": "juice", "carbs": 25}]}',
        '{"oats": {"carbs": 20}, "juice": {"carbs": 25}}',
        '{"carbs": [20, 25, 12]}',
        '{"total_carbohydrates": 45} or {"total_carbohydrates": 60}',
        "Answer: 45 g or 60 g of what?\n",
        "<think>The total is 99 g",
        "<think>The total is 99 g</think>",
        "oatmeal 27 g, half a banana 13 g, juice 26 g.",
        "The meal consists of 2 eggs and 1 toast. 1 toast has 13g carbs.",
        "Total: oatmeal 27 g + banana 13 g + juice 26 g",
        "The total weight is 500 g.",
        "The total protein is 12 g.",
        "Answer: Let's think step by step. The meal consists of 1 cup of oatmeal.",
        "Answer: 1 cup of oatmeal has 27g carbs.",
        "The",
    ],
)
def test_unreadable(text):
    assert shown(text, method="cot") == "unreadable"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("oatmeal 27 g, half a banana 13 g, juice 26 g, total 66 g", 66),
        ("27 + 13 + 26 = 66 g in total", 66),
        ("That makes 66 g of carbohydrates in total for 3 foods.", 66),
        ("So the total grams of carbs in the meal = (27 + 13.5 + 26) = 66.5", 66.5),
        ("Total = 27 + 13 + 26", 66),
        ("Total: 27 g + 13 g = 40 g carbs", 40),
        ("**Total:** 66 g", 66),
        ("| Food | g |\n|---|---|\n| Oats | 27 |\n| **Total** | **66** |", 66),
        ("Total carbs: 66 g, protein: 12 g, fat: 8 g, 400 kcal", 66),
        ("Total: 12 g protein, 66 g carbs and 8 g fat", 66),
        ("The total carbs in 222 g of pizza is 66 g", 66),
        ("The total carbs in 2 slices is 30", 30),
        ("Total weight 500 g, total carbs 66 g.", 66),
        ("Subtotal first.\nTotal for oats: 27 g.\nTotal: 66 g", 66),
        ("Output: 66.5", 66.5),
        ("Output: about 66.5 g", 66.5),
        ("Final answer: 66 grams of carbohydrates", 66),
        ("The final answer is 66.", 66),
        ("<answer>66</answer>", 66),
        ("So it is $\\boxed{66.5}$", 66.5),
        ("\\[ \\boxed{66.5\\text{ g}} \\]", 66.5),
        ("\\(27 \\times \\frac{1}{2} = 13.5\\), total \\(= 66.5\\)", 66.5),
        ("Therefore, the meal contains approximately 45 grams of carbohydrates.", 45),
        ("<think>Total: 99 g</think>\nTotal: 66 g", 66),
        ("maybe 30 g</think>\nTotal: 66 g", 66),
        ("Total: 66 g<|im_end|>", 66),
        ("45", 45),
        ("45 g", 45),
        ("~45g.", 45),
        ("2½ g", 2.5),
    ],
)
def test_stated_totals(text, value):
    assert shown(text, method="cot") == value


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "So the total grams of carbs in the meal = 70"),
        ("el", "Άρα, το σύνολο των υδατανθράκων στο γεύμα = 70 γρ"),
        ("hi", "कुल कार्बोहाइड्रेट = ७० ग्राम"),
        ("ja", "したがって、食事の総炭水化物は70グラムです。"),
        ("ja", "合計：７０ｇ"),
        ("ko", "따라서 식사의 총 탄수화물은 70g입니다."),
        ("fa", "مجموع کربوهیدرات‌ها = ۷۰ گرم"),
        ("pt", "Então, o total de carboidratos na refeição é 70 g."),
        ("ru", "Итого: 70 г углеводов"),
        ("th", "รวมคาร์โบไฮเดรต = 70 กรัม"),
        ("tr", "Toplam karbonhidrat miktarı: 70 gram"),
        ("uk", "Загальна кількість вуглеводів = 70 г"),
        ("vi", "Tổng lượng carbohydrate là 70g"),
        ("fr", "Donc, le total de glucides dans le repas est de 70 g"),
        ("de", "Die Mahlzeit hat insgesamt 70 g Kohlenhydrate."),
        ("id", "Jadi, total karbohidrat dalam makanan = 70 gram"),
        ("it", "Quindi il totale dei carboidrati nel pasto è 70 g."),
        ("es", "Así que el total de gramos de carbohidratos en la comida = 70"),
        ("sv", "Så den totala mängden kolhydrater är 70 gram."),
        ("zh", "总碳水化合物为 70 克"),
    ],
)
def test_totals_in_other_languages(language, text):
    assert shown(text, method="cot") == 70, language


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # a model mends its answer
        ('{"total_carbohydrates": 45}\nI forgot juice.\n{"total_carbohydrates": 71}', 71),
        ('{"total_carbohydrates": 45}\nFinal answer: 71 g', 71),
        # the same twice is no contradiction
        ('{"total_carbohydrates": 45} {"total_carbohydrates": 45.0}', 45),
        # a base model asks and answers itself
        ('{"total_carbohydrates": 45}\n\nQuery: "An egg."\nAnswer: {"total_carbohydrates": 1}', 45),
        ("Output: 45\n\nQuery: An egg.\nOutput: 1", 45),
        ("45\n\nMeal:\n<meal>\nAn egg.\n</meal>\nOutput: 1", 45),
        ("Total: 45 g\n\nQuestion: An egg?\nTotal: 1 g", 45),
        # the question said once more comes first
        ("Query: two eggs\nAnswer: 45", 45),
        # the working is no answer
        ('Total: 99 g.\nOutput: {"total_carbohydrates": 45}', 45),
    ],
)
def test_several_totals(text, value):
    assert shown(text, method="cot") == value


def test_repeats_that_differ_contradict_each_other():
    babble = '{"total_carbohydrates": 1.5}\n{"total_carbohydrates": 14.5}\n'
    reading = read(babble)
    assert reading.status == "unreadable"
    assert "1.5" in reading.why
    assert "14.5" in reading.why
    assert reading.published_value == 1.5


def test_one_amount_is_an_answer_only_where_no_working_was_asked_for():
    text = "This meal contains about 45 g of carbohydrates."
    assert shown(text, method="base") == 45
    assert shown(text, method="rag") == 45
    assert shown(text, method="cot") == "unreadable"
    assert shown(text, method="rag_cot") == "unreadable"
    assert shown("Oats have 27 g carbs, juice 26 g carbs.", method="base") == "unreadable"


@pytest.mark.parametrize(
    ("text", "nutrient", "value"),
    [
        ('{"total_protein": 12}', "protein_g", 12),
        ('{"total_fat": "8 g"}', "fat_g", 8),
        ('{"total_energy": 520}', "energy_kcal", 520),
        ('{"total_calories": "520 kcal"}', "energy_kcal", 520),
        ('{"calories": 520}', "energy_kcal", 520),
        ('{"total_energy": "1,200 kJ"}', "energy_kcal", 1200 / 4.184),
        ('{"energy_kj": 1200}', "energy_kcal", 1200 / 4.184),
        ("Total: 66 g carbs, 12 g protein, 8 g fat, 400 kcal", "energy_kcal", 400),
        ("Total: 66 g carbs, 12 g protein, 8 g fat, 400 kcal", "fat_g", 8),
        ("Total: 66 g carbs, 12 g protein, 8 g fat, 400 kcal", "protein_g", 12),
        ("The total energy is 500 calories.", "energy_kcal", 500),
        ("Gesamt: 500 kJ", "energy_kcal", 500 / 4.184),
        ('{"total_energy": "12 g"}', "energy_kcal", "unreadable"),
        ('{"total_fat": 8, "saturated_fat": 3}', "fat_g", 8),
        ('{"total_carbohydrates": 45}', "protein_g", "unreadable"),
    ],
)
def test_other_nutrients(text, nutrient, value):
    found = shown(text, nutrient, "cot")
    assert found == (value if isinstance(value, str) else pytest.approx(value))


def test_a_meal_cannot_give_orders_nor_code():
    hostile = '{"total_carbohydrates": __import__("os").getcwd()}'
    assert shown(hostile) == "unreadable"
    assert shown('{"total_carbohydrates": 9**9**9}') != 9**9
    assert shown('{"total_carbohydrates": 1/0}') == "unreadable"


def test_no_reply_takes_long(recwarn):
    import time

    pieces = ("(", "1 + ", "{", '{"a":', "total 1 g ", "9", "1,", "\\frac{", '"a": ', "Output: ")
    start = time.perf_counter()
    for piece in pieces:
        read(piece * (40_000 // len(piece)), method="cot")
    assert time.perf_counter() - start < 60


def test_values_of_methods():
    assert read_meal_value(45.0).value == read_meal_value(45.0).published_value == 45.0
    for value in (None, -1.0, float("nan"), float("inf")):
        assert read_meal_value(value).status == "refused"


def test_unknown_nutrients_are_refused():
    with pytest.raises(InputError, match="sodium_mg"):
        read("{}", "sodium_mg")
