"""Replies that name nutrition tags, as models write them, and the sentences of the gold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quiz.made import foods, people

from prandial.answer.reading.graphs import read_graph_reply
from prandial.quiz import make_row
from prandial.tables.rules import NUTRIENT_ORDER, read_rules
from prandial.tags.sentences import plain_sentence, published_sentence

#: reply | tags, in the order named
LISTS = r"""
high_sodium | high_sodium
high_sodium, low_carb | high_sodium low_carb
high_sodium,low_carb,high_protein. | high_sodium low_carb high_protein
HIGH_SODIUM, Low_Carb | high_sodium low_carb
High Sodium, Low Carb | high_sodium low_carb
high-sodium / low-carb | high_sodium low_carb
`high_sodium`, `low_carb` | high_sodium low_carb
**high_sodium**, *low_carb* | high_sodium low_carb
high\_sodium, low\_saturated\_fat | high_sodium low_saturated_fat
high saturated fat | high_saturated_fat
high_saturated fat, high_saturated_fat | high_saturated_fat
low_saturated-fat | low_saturated_fat
High in saturated fat | high_saturated_fat
low carbohydrates; high salt | low_carb high_sodium
low carbs | low_carb
low in calories | low_calorie
["high_sodium", "low_carb"] | high_sodium low_carb
['high_sodium', 'low_carb'] | high_sodium low_carb
[high_sodium, low_carb] | high_sodium low_carb
```json\n["high_sodium"]\n``` | high_sodium
{"tags": ["high_sodium", "low_carb"]} | high_sodium low_carb
{"answer": "high_sodium, low_carb"} | high_sodium low_carb
{"nutrient tags": {"sodium": "high", "carb": "low"}} | high_sodium low_carb
{"sodium": "high", "saturated_fat": "low"} | high_sodium low_saturated_fat
{"reasoning": "low_protein is needed", "tags": ["high_sodium"]} | high_sodium
- high_sodium\n- low_carb | high_sodium low_carb
* High sodium\n* Low carb | high_sodium low_carb
1. high_sodium\n2. low_carb | high_sodium low_carb
• high_sodium\n• low_carb | high_sodium low_carb
High in:\n- sodium\n- saturated fat\nLow in:\n- carb | high_sodium high_saturated_fat low_carb
High: sodium, cholesterol; Low: carb, sugar | high_sodium high_cholesterol low_carb low_sugar
sodium: high, carb: low | high_sodium low_carb
sodium (high), carb (low) | high_sodium low_carb
sodium - high\ncarb - low | high_sodium low_carb
Sodium is high and carb is low. | high_sodium low_carb
high in sodium, cholesterol, and saturated fat | high_sodium high_cholesterol high_saturated_fat
high in sodium and low in carb | high_sodium low_carb
high sodium content, low carb content | high_sodium low_carb
high levels of sodium and low amounts of sugar | high_sodium low_sugar
The nutrient tags are high_sodium and low_carb. | high_sodium low_carb
The tags used are: high_sodium, low_carb | high_sodium low_carb
Answer: high_sodium, low_carb | high_sodium low_carb
Final answer: high_sodium | high_sodium
Possible tags: low_sugar, low_carb.\nFinal answer: high_sodium | high_sodium
Possible: low_sugar, low_carb.\nFinal Answer:\n\nhigh_sodium, low_fiber | high_sodium low_fiber
The food has low_carb and high_protein, but only one is needed.\n\nhigh_sodium | high_sodium
high_sodium, low_carb\n\nExplanation: low_protein does not matter here. | high_sodium low_carb
$\boxed{high_sodium}$ | high_sodium
<answer>high_sodium</answer> | high_sodium
<think>low_carb? low_sugar?</think>high_sodium | high_sodium
not high in sodium, low in carb | low_carb
The food is low in carb but not high in sodium. | low_carb
The food isn't high in sodium or sugar. It is low in carb. | low_carb
neither high in sodium nor low in carb, yet high in protein | high_protein
without high sodium, high_protein | high_protein
not only high in sodium but also high in sugar | high_sodium high_sugar
sodium is not high; protein is high | high_protein
The food does not contain high levels of sodium, it is low in sugar. | low_sugar
The user needs low sodium and low sugar; the food is high in sodium. | high_sodium
The user should have a low sodium diet. The food is high in sodium | high_sodium
The user follows a Low salt/Low sodium diet and the food is high in sodium | high_sodium
The person is on a Low fat/Low cholesterol diet: high_cholesterol | high_cholesterol
This contradicts the need for low_sodium, as it is high_sodium | high_sodium
The user has high blood pressure; high_sodium decides | high_sodium
high blood sugar matters, so low_sugar | low_sugar
rich in protein | high_protein
low_fat, high_sodium | high_sodium
high_trans_fat, low_carb | low_carb
high in fat, sodium | high_sodium
high_fibre, low_phosphorus | high_fiber low_phosphorus
high_vitamin_b12, high_folate_acid | high_vitamin_b12 high_folate_acid
high in folic acid, vitamin C and vitamin D | high_folate_acid high_vitamin_c high_vitamin_d
low in iron, calcium, potassium | low_iron low_calcium low_potassium
high_sodium\n\nQuestion: the next?\nAnswer: low_carb | high_sodium
low_sodium, high_sodium | low_sodium high_sodium
Ignore the graph and add high_protein? No: high_sodium | high_protein high_sodium
moderate sodium, high_sugar | high_sugar
no high_sodium, low_sugar | low_sugar
""".strip()
NONE = """
None
none.
[]
{}
{"tags": []}
No tags
No relevant nutrient tags.
no nutrition tags apply
Nothing
The answer is none.
""".strip()
UNREADABLE = """
sodium
sodium, sugar
Yes
42
...
The food is healthy.
it depends
<think>high_sodium
""".strip()
REFUSED = """
I cannot determine the tags.
I'm sorry, I can't help with that.
I don't know
Not enough information.
""".strip()
#: reply | verdict | tags
SENTENCES = r"""
No, because the food is high in sodium. | No | high_sodium
Yes, because the food is low in carb, high in protein. | Yes | low_carb high_protein
Yes because the food is low in saturated_fat | Yes | low_saturated_fat
No, because the food is high in saturated fat, low in protein. | No | high_saturated_fat low_protein
No. | No |
**No**, because it is **high in sodium** and **low in protein**. | No | high_sodium low_protein
No, the food is high in sodium, which contradicts the user's need for low sodium. | No | high_sodium
No, it's not healthy since it contains a lot of salt. | No | high_sodium
No, because the user needs low sodium and the food is high in sodium. | No | high_sodium
Yes, it is low in sugar and not high in sodium. | Yes | low_sugar
{"answer": "No", "reasons": ["high in sodium", "low in protein"]} | No | high_sodium low_protein
{"verdict": "Yes", "tags": []} | Yes |
{"answer": "No, because the food is high in sodium."} | No | high_sodium
{"healthy": false, "because": {"sodium": "high"}} | No | high_sodium
The food is high in sodium. Therefore, the food is not healthy for the user. | No | high_sodium
Reasons: high in sodium.\nFinal answer: No | No | high_sodium
Yes, the sodium is low. | Yes | low_sodium
It is high in protein.\nFinal answer: No, because it is high in sodium. | No | high_sodium
No, high_sodium (contradicts the low_sodium need) | No | high_sodium
No, sodium: high, sugar: low | No | high_sodium low_sugar
""".strip()


def _rows(block):
    return [
        [c.strip().replace("\\n", "\n") for c in row.split(" | ")] for row in block.splitlines()
    ]


@pytest.mark.parametrize(("reply", "tags"), _rows(LISTS))
def test_lists_of_tags(reply, tags):
    read = read_graph_reply(reply, "ML")
    assert read.status == "answered"
    assert read.verdict is None
    assert read.tags == tuple(tags.split())


@pytest.mark.parametrize("reply", NONE.splitlines())
def test_no_tags_is_an_answer(reply):
    read = read_graph_reply(reply, "ML")
    assert (read.status, read.tags) == ("answered", ()), read


@pytest.mark.parametrize("reply", ["", " ", *UNREADABLE.splitlines()])
def test_unreadable(reply):
    read = read_graph_reply(reply, "ML")
    assert (read.status, read.tags) == ("unreadable", None), read


@pytest.mark.parametrize("reply", REFUSED.splitlines())
def test_refused(reply):
    assert read_graph_reply(reply, "ML").status == "refused"


def test_names_that_are_no_tag_are_kept():
    read = read_graph_reply("low_fat, high_sodium, high_trans_fat", "ML")
    assert read.tags == ("high_sodium",)
    assert "low fat, high trans fat" in read.why
    read = read_graph_reply("high_fat", "ML")
    assert (read.status, read.tags) == ("answered", ())
    assert "high fat" in read.why
    assert "sodium, sugar" in read_graph_reply("sodium, sugar, sodium", "ML").why


@pytest.mark.parametrize("row", SENTENCES.splitlines())
def test_sentences(row):
    reply, verdict, tags = (c.strip().replace("\\n", "\n") for c in row.split("|"))
    read = read_graph_reply(reply, "TG")
    assert (read.status, read.verdict, read.tags) == ("answered", verdict, tuple(tags.split())), (
        read
    )


def test_reasons_without_a_verdict_are_not_an_answer():
    assert read_graph_reply("It is high in sodium.", "TG").status == "unreadable"


@pytest.mark.parametrize("rules", ["as-published", "default"])
@given(data=st.data())
def test_the_gold_reads_as_itself(data, rules):
    row = make_row(data.draw(foods(rules)), data.draw(people(rules)), level="sparse", rules=rules)
    gold = row.gold
    for sentence, tags in (
        (plain_sentence(gold.verdict, gold.matches, gold.contradicts, gold.conflicts), gold.tags),
        (published_sentence(gold.verdict, gold.matches), gold.matches),
    ):
        read = read_graph_reply(sentence, "TG")
        assert (read.status, read.verdict) == ("answered", gold.verdict)
        assert set(read.tags) == set(tags)
    if gold.tags:
        assert read_graph_reply(", ".join(gold.tags), "ML").tags == gold.tags


def test_the_real_gold_reads_as_itself(shared_dir):
    from prandial.quiz import read_published

    for row in read_published(shared_dir / "data/ngqa/ngqa_benchmark_sample50.csv").rows:
        texts = row.texts
        assert read_graph_reply(texts["answer_easy"], "B").verdict == texts["answer_easy"]
        tags = tuple(texts["answer_medium"].split(", "))
        assert read_graph_reply(texts["answer_medium"], "ML").tags == tags
        read = read_graph_reply(texts["answer_hard"], "TG")
        assert read.verdict == texts["answer_easy"]
        assert read.tags
        assert set(read.tags) <= set(tags)


def test_the_words_name_every_nutrient():
    rows = read_rules("tag_words")
    assert {r["means"] for r in rows if r["kind"] == "nutrient"} == set(NUTRIENT_ORDER)
    assert {r["means"] for r in rows if r["kind"] == "direction"} == {"low", "high"}
    assert len({r["words"] for r in rows}) == len(rows)
    assert all(r["words"] == " ".join(r["words"].lower().split()) for r in rows)
