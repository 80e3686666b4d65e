"""Rows to learn from: amounts by hand, words that hold them, leaks against every pair, bytes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from prandial.compose.tuning import (
    AnswerForm,
    KnownMeal,
    Leaks,
    Share,
    Taught,
    TuningSet,
    count_singles,
    dictionary,
    helpings,
    tuning_set,
    worked,
    write_tuning,
)
from prandial.compose.tuning.helpings import drawn
from prandial.compose.tuning.leaks import words_of
from prandial.compose.tuning.phrases import plain_name
from prandial.errors import InputError
from prandial.tables import FoodTable, load_foods

FORM = AnswerForm()


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods()


@pytest.fixture(scope="module")
def foods(table: FoodTable) -> list[int]:
    return list(range(0, len(table.ids), 60))


@pytest.fixture(scope="module")
def made(table: FoodTable, foods: list[int]) -> TuningSet:
    return tuning_set(table, seed=3, share=Share(combined=300, valid=0.2), foods=foods)


def _items(table: FoodTable, *told: tuple[str, str, float]):
    """Return items by food id, words and grams."""
    from prandial.compose.tuning import TaughtItem

    found = []
    for food_id, words, grams in told:
        row = table.row_of(food_id, "fndds")
        carb = float(str(table.per_100g[row, table.nutrient_keys.index("carb_g")]))
        found.append(
            TaughtItem(
                food=table.source(row), name=table.names[row], words=words, measure="g",
                grams=grams, per_100g={"carb_g": carb},
            )
        )  # fmt: skip
    return found


def test_the_answer_by_hand(table: FoodTable) -> None:
    """FNDDS 2017-2018: 27510387 double cheeseburger 17.97 g/100 g, 13120786 soft serve 32.67.

    165 g and 255 g: 29.6505 g and 83.3085 g, as the notes of the food data have them.
    """
    items = _items(
        table, ("27510387", "a double cheeseburger", 165.0), ("13120786", "a waffle cone", 255.0)
    )
    assert items[0].exact("carb_g") == Decimal("29.6505")
    assert items[1].exact("carb_g") == Decimal("83.3085")
    assert dictionary(items, FORM) == '{"total_carbohydrates": 113}'  # 29.7 + 83.3
    assert worked(items, FORM).splitlines() == [
        "- The meal is a double cheeseburger and a waffle cone.",
        (
            "- a double cheeseburger: 165 g with 17.97 g of carbohydrates in 100 g,"
            " so 165 x 17.97 / 100 = 29.7 g."
        ),
        (
            "- a waffle cone: 255 g with 32.67 g of carbohydrates in 100 g,"
            " so 255 x 32.67 / 100 = 83.3 g."
        ),
        "- The sum is 29.7 + 83.3 = 113 g.",
        'Output: {"total_carbohydrates": 113}',
    ]
    assert worked(items[:1], FORM).splitlines()[-2:] == [
        "- The sum is 29.7 g.",
        'Output: {"total_carbohydrates": 29.7}',
    ]


def test_steps_add_up_and_lie_near_the_exact_amount(made: TuningSet) -> None:
    """Read back from the words alone: each product, the sum, the answer."""
    for row in made.rows:
        text = worked(row.items, FORM)
        steps = re.findall(r"so ([\d.]+) x ([\d.]+) / 100 = ([\d.]+) g\.$", text, re.MULTILINE)
        assert len(steps) == len(row.items)
        for grams, per, amount in steps:
            assert abs(Decimal(grams) * Decimal(per) / 100 - Decimal(amount)) <= Decimal("0.05")
        answer = json.loads(text.rpartition("Output: ")[2])["total_carbohydrates"]
        assert Decimal(str(answer)) == sum(Decimal(a) for *_, a in steps)
        assert abs(answer - row.exact("carb_g")) <= 0.05 * len(row.items) + 1e-9


def test_items_stand_in_the_text_with_their_amounts(made: TuningSet) -> None:
    for row in made.rows:
        assert 1 <= len(row.items) <= 4
        assert (row.kind == "single") == (len(row.items) == 1)
        for item in row.items:
            assert item.words in row.text
            weighed = re.search(r"([\d.]+) ?(?:g|grams)\b", item.words)
            if row.serving_type == "metric":
                assert weighed is not None
                assert float(weighed[1]) == item.grams
            else:
                assert item.measure != "g"


def test_helpings_weigh_what_their_measure_weighs(table: FoodTable, foods: list[int]) -> None:
    for food in foods:
        for one in helpings(table, food, metric=False):
            lo, hi = table.measure_offset[food : food + 2]
            grams = [
                float(table.measure_grams[k])
                for k in range(lo, hi)
                if table.measure_name[k] == one.measure
            ]
            assert min(abs(g * one.times - one.grams) for g in grams) <= 0.0051
            assert not re.search(r"quantity not|guideline|yield", one.measure, re.IGNORECASE)
            assert 1 <= one.grams <= 1000


def test_a_measure_of_two_is_not_told_as_one(table: FoodTable) -> None:
    """``2 tbsp`` of 34 g, three times a half: 3 tablespoons of 51 g, not 1.5."""
    from prandial.compose.tuning.helpings import Helping
    from prandial.compose.tuning.phrases import amount_and_name

    one = Helping(food=0, serving_type="natural", measure="2 tbsp (1 NLEA serving)",
                  times=1.5, grams=51.0)  # fmt: skip
    said = {amount_and_name(one, "Salad dressing, caesar", random.Random(k)) for k in range(40)}
    assert said
    assert all(s.startswith(("3 tbsp of ", "three tbsp of ")) for s in said)


@pytest.mark.parametrize(
    ("measure", "times", "name", "said"),
    [
        ("1 individual cake", 0.5, "Cake, NFS", "half an individual cake of cake"),
        ("1 cookies", 1.0, "Wafers", "a cookie of wafers"),
        ("1 medium", 2.0, "Coffee, brewed", "coffee, brewed (2 medium)"),
        ("1 leaf", 3.0, "Lettuce, raw", "3 leaves of raw lettuce"),
        ("1 cup", 2.0, "Cabbage, Chinese", "two cups of Chinese cabbage"),
        ("1 cup", 1.0, "Milk, vitamin A", "a cup of vitamin A milk"),
        ("1 slice", 1.0, "Bread, white or NFS", "1 slice of white bread"),
        ("1 cup", 1.0, "Tea, hot, NS as to type", "one cup of hot tea"),
    ],
)
def test_amounts_in_plain_english(measure: str, times: float, name: str, said: str) -> None:
    from prandial.compose.tuning.helpings import Helping
    from prandial.compose.tuning.phrases import amount_and_name

    one = Helping(food=0, serving_type="natural", measure=measure, times=times, grams=1.0)
    assert said in {amount_and_name(one, name, random.Random(k)) for k in range(60)}


def test_a_text_tells_one_time_of_the_day() -> None:
    from prandial.compose.tuning.phrases import sentence

    times = re.compile(r"breakfast|lunch|dinner|snack|supper|brunch|morning|evening|the day|work")
    for k in range(500):
        text, _ = sentence(["an apple"], random.Random(k))
        assert len(times.findall(text)) <= 1, text


def test_names_keep_their_words() -> None:
    name = "Milk, reduced fat (2%), with added vitamin A, NFS"
    words = set(re.findall(r"\w+", name.lower())) - {"nfs"}
    for seed in range(30):
        assert set(re.findall(r"\w+", plain_name(name, random.Random(seed)).lower())) == words


def test_a_small_draw_is_part_of_a_larger_one(table: FoodTable) -> None:
    food = table.row_of("63107010", "fndds")  # banana, raw: many measures
    every = helpings(table, food, metric=False)
    assert len(every) > 4
    assert set(drawn(every, 2, "k")) < set(drawn(every, 4, "k")) < set(every)
    assert drawn(every, 2, "k") != drawn(every, 2, "other") or len(every) < 3


def test_a_food_is_on_one_side(made: TuningSet) -> None:
    sides: dict[frozenset[str], set[str]] = {}
    for row in made.rows:
        for item in row.items:
            # one name in two tables is one food
            sides.setdefault(words_of(item.name), set()).add(row.part)
    assert all(len(s) == 1 for s in sides.values())
    assert {next(iter(s)) for s in sides.values()} == {"train", "valid"}


def test_rows_of_one_food_share_what_is_known_of_it(made: TuningSet) -> None:
    """A full set has over 700,000 items of 15,872 foods: it must fit into memory."""
    known: dict[str, set[int]] = {}
    for item in (i for row in made.rows for i in row.items):
        known.setdefault(f"{item.food.release}:{item.food.id}", set()).add(id(item.per_100g))
    assert {len(found) for found in known.values()} == {1}


def test_counts_hold_together(table: FoodTable, foods: list[int], made: TuningSet) -> None:
    assert sum(made.made.values()) == len(made.rows) + sum(made.left_out.values())
    assert sum(made.kept().values()) == len(made.rows)
    assert made.made["combined natural"] + made.made["combined metric"] <= 300
    possible = count_singles(table, foods)
    natural = sum(len(helpings(table, f, metric=False)) for f in foods)
    assert possible["natural"] == natural
    assert made.made["single natural"] <= 3 * len(foods)
    assert possible["foods"] == made.foods == len(foods)


def test_the_kept_texts_differ(made: TuningSet) -> None:
    texts = [words_of(r.text) for r in made.rows]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("near", [0.6, 0.8, 1.0])
def test_near_texts_as_every_pair_finds_them(near: float) -> None:
    """Against the slow obvious version: the Jaccard index of every pair."""
    rng = random.Random(8)
    words = [f"w{k}" for k in range(40)]

    def text() -> str:
        return " ".join(rng.choices(words, weights=range(1, 41), k=rng.randrange(1, 12)))

    known = [text() for _ in range(150)]
    leaks = Leaks((KnownMeal(text=t, labels={}) for t in known), near=near)
    found = 0
    for _ in range(300):
        one = text()
        mine = words_of(one)
        slow = any(len(mine & words_of(t)) / len(mine | words_of(t)) >= near - 1e-9 for t in known)
        assert (leaks.of(one, {}) is not None) == (slow or one in known)
        found += slow
    assert 0 < found < 300


def test_leaks_of_each_kind() -> None:
    held = {"carb_g": 29.65, "protein_g": 20.0, "fat_g": 10.0, "energy_kcal": 400.0}
    leaks = Leaks(
        [
            KnownMeal(text="I had 2 eggs and a slice of toast.", labels=held, held=True),
            KnownMeal(text="Only one label", labels={"carb_g": 5.0}, held=True),
            KnownMeal(text="Of the other half", labels={**held, "carb_g": 77.0}, held=False),
        ],
        near=0.8,
    )
    assert (leaks.held, leaks.unlabelled, leaks.texts) == (1, 1, 3)
    assert leaks.of("i had 2 eggs, and a slice of TOAST", {}) == "equal text"
    assert leaks.of("I had 3 eggs and a slice of ham", {}) is None  # 7 words of 11
    assert leaks.of("I had 3 eggs and a slice of toast", {}) == "near text"  # 8 of 10
    assert leaks.of("a burger", {**held, "carb_g": 29.66}) == "equal label"
    assert leaks.of("a burger", {**held, "carb_g": 29.68}) is None
    assert leaks.of("a burger", {**held, "energy_kcal": 402.0}) is None
    assert leaks.of("a burger", {**held, "carb_g": 77.0}) is None  # not of the test half
    assert leaks.of("a burger", {"carb_g": 5.0}) is None


def test_leaking_rows_are_left_out_and_counted(
    table: FoodTable, foods: list[int], made: TuningSet
) -> None:
    singles = [r for r in made.rows if r.kind == "single"]
    text, label = singles[0], next(r for r in singles[1:] if r.exact("carb_g"))
    leaks = Leaks(
        [
            KnownMeal(text=text.text, labels={}),
            KnownMeal(text="no such words", labels=label.labels, held=True),
        ]
    )
    again = tuning_set(
        table, seed=3, share=Share(combined=300, valid=0.2), foods=foods, leaks=leaks
    )
    assert again.left_out["equal text"] == 1
    assert again.left_out["equal label"] >= 1
    ids = {r.id for r in again.rows}
    assert text.id not in ids
    assert label.id not in ids
    assert sum(again.made.values()) == len(again.rows) + sum(again.left_out.values())


def _turns(text: str) -> Sequence[tuple[str, str]]:
    return (("system", "be brief"), ("user", f"How much? {text}"))


def test_files_same_seed_same_bytes(
    table: FoodTable, foods: list[int], made: TuningSet, tmp_path: Path
) -> None:
    taught = (
        Taught(method="base", turns=_turns, reply="dictionary"),
        Taught(method="cot", turns=_turns, reply="worked"),
    )
    again = tuning_set(table, seed=3, share=Share(combined=300, valid=0.2), foods=foods)
    first = write_tuning(made.rows, tmp_path / "a", taught=taught, form=FORM, seed=3)
    second = write_tuning(again.rows, tmp_path / "b", taught=taught, form=FORM, seed=3)
    assert first == second
    assert {p: f["rows"] for p, f in first.items()} == {
        f"{part}.{kind}": sum(r.part == part for r in made.rows)
        for part in ("train", "valid")
        for kind in ("jsonl", "parquet")
    }
    lines = (tmp_path / "a" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT id, messages, method, answer, grams FROM read_parquet(?)",
            [str(tmp_path / "a" / "train.parquet")],
        ).fetchall()
    assert len(rows) == len(lines)
    methods = set()
    for line, (row_id, messages, method, answer, grams) in zip(lines, rows, strict=True):
        told = json.loads(line)
        assert (told["id"], told["messages"], told["answer"]) == (row_id, messages, answer)
        assert told["grams"] == grams
        assert [m["role"] for m in messages] == ["system", "user", "assistant"]
        assert messages[1]["content"] == f"How much? {told['text']}"
        said = messages[2]["content"].rpartition("Output: ")[2]
        assert json.loads(said) == {"total_carbohydrates": answer}
        assert ("Output:" in messages[2]["content"]) == (method == "cot")
        methods.add(method)
    assert methods == {"base", "cot"}


def test_other_seed_other_rows(table: FoodTable, foods: list[int], made: TuningSet) -> None:
    other = tuning_set(table, seed=4, share=Share(combined=300, valid=0.2), foods=foods)
    assert [r.id for r in other.rows] != [r.id for r in made.rows]


@pytest.mark.parametrize(
    ("name", "value"), [("natural", -1), ("combined", -2), ("valid", 1.0), ("valid", -0.1)]
)
def test_impossible_shares(name: str, value: float) -> None:
    with pytest.raises(InputError) as caught:
        Share(**{name: value})
    assert caught.value.where == name


def test_no_method_is_an_error(made: TuningSet, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no method"):
        write_tuning(made.rows, tmp_path, taught=(), form=FORM, seed=0)
