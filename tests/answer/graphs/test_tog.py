"""Think-on-Graph: walks traced by hand, choices read, and what it keeps on real rows."""

from __future__ import annotations

import re

import pytest
from tests.answer.graphs.asked import made_question, real_questions, run

from prandial.answer.graphs.options import COMMON
from prandial.answer.graphs.paths import Web
from prandial.answer.graphs.tog import published_choice, strict_choice
from prandial.answer.graphs.view import open_graph
from prandial.answer.methods import Kit
from prandial.answer.texts import Prompts

# ids in made_question: 0 user, 1 food, 2 category, 3 and 4 ingredients, 5 low_carb,
# 6 high_sodium, 7 habit, 8 hypertension (contradict 6), 9 diabetes (match 5), 10 low_sugar (need)
FIRST_PRUNE = """\
1. user has Eats lots of fish
2. user has hypertension , hypertension contradict ?
3. user has diabetes , diabetes need ?
4. user has diabetes , diabetes match ?
5. Lentil pie belongs to Pies
6. Lentil pie belongs to low_carb , ? match low_carb
7. Lentil pie belongs to high_sodium , ? contradict high_sodium
8. Lentil pie has Lentils, cooked
9. Lentil pie has Pie crust"""
AGAINST = "hypertension contradict high_sodium"


def scripted(replies: dict[str, str]):
    return lambda request: replies[request.name]


def test_the_choice_of_relations_is_used_and_bad_numbers_are_not():
    replied, model = run(
        "tog",
        made_question(),
        scripted({"prune relations 2": "0, 2, 4, 4, 6, 7, 99", "answer": "Answer: No"}),
    )
    # 4 of 9 relations are left, so nothing needs pruning after that: 1 prune and 1 answer
    assert [r.name for r in model.requests] == ["prune relations 2", "answer"]
    assert FIRST_PRUNE in model.requests[0].user
    assert replied.detail["paths"] == [
        f"user has hypertension , {AGAINST} , Lentil pie belongs to high_sodium",
        "user has diabetes , diabetes match low_carb , Lentil pie belongs to low_carb",
        "Lentil pie belongs to low_carb , diabetes match low_carb , user has diabetes",
        "Lentil pie belongs to low_carb , diabetes match low_carb , diabetes need low_sugar",
        f"Lentil pie belongs to high_sodium , {AGAINST} , user has hypertension",
    ]
    assert replied.retrieved == (1, 5, 6, 0, 8, 9, 10)
    assert (
        "(Lentil pie belongs to low_carb), (Lentil pie belongs to high_sodium), "
        "(user has hypertension), (user has diabetes), (hypertension contradict high_sodium), "
        "(diabetes need low_sugar), (diabetes match low_carb)\n"
    ) in model.requests[-1].user
    assert replied.text == "Answer: No"
    assert replied.detail["pruned"] == [{"call": "prune relations 2", "from": 9, "kept": 4}]


def test_published_pays_for_relations_and_does_not_use_them():
    replied, model = run(
        "tog_published",
        made_question(),
        scripted(
            {
                "prune relations 2": "1",
                "prune entities 2": "2, 4, 6, 7, 0",
                "prune relations 3": "1",
                "prune entities 3": "1, 1, 2, 40, 3, 4",
                "answer": "No",
            }
        ),
    )
    assert [r.name for r in model.requests] == [
        "prune relations 2",
        "prune entities 2",
        "prune relations 3",
        "prune entities 3",
        "answer",
    ]
    assert len(replied.calls) == 5
    # 0 took the last of nine paths, which then stands fifth and last
    assert "6. Lentil pie has Pie crust" in model.requests[2].user
    # entities are told in the order of walking, half a step without its end
    assert "2. user has hypertension , hypertension contradict\n" in model.requests[0].user
    twice = (
        "user has hypertension , hypertension contradict high_sodium , "
        "high_sodium belongs to Lentil pie"
    )
    assert replied.detail["paths"] == [
        twice,
        twice,
        "user has diabetes , diabetes match low_carb , low_carb belongs to Lentil pie",
        "Lentil pie belongs to low_carb , low_carb match diabetes , diabetes has user",
    ]
    assert replied.retrieved == (1, 5, 6, 0, 8, 9)


def test_texts_merge_nodes_and_ids_do_not():
    # both statuses need low_sugar, which the food has no tag on: two nodes, one text
    question = made_question(tags=("low_carb",), statuses=("opioid_misuse", "diabetes"))
    view = open_graph(question, Kit(prompts=Prompts()))
    needs = [n.id for n in view.graph.nodes if n.attr == "low_sugar"]
    assert len(needs) == 2
    by_id = (0, "has", 7, "need", needs[0])
    assert Web(view=view, by_text=False).by_relation([by_id]) == [by_id]
    by_text = ("user", "has", "opioid_misuse", "need", "low_sugar")
    grown = Web(view=view, by_text=True).by_relation([by_text])
    assert grown == [(*by_text, "need")]
    assert Web(view=view, by_text=True).by_entity(grown) == [(*by_text, "need", "diabetes")]
    # the induced part of the texts holds both nodes of that name
    part = Web(view=view, by_text=True).part([by_text])
    assert set(needs) <= {n.id for n in part.nodes}
    assert not set(needs) <= {n.id for n in Web(view=view, by_text=False).part([by_id]).nodes}


def test_published_keeps_only_the_relations_of_a_path():
    view = open_graph(made_question(), Kit(prompts=Prompts()))
    web = Web(view=view, by_text=True)
    part = web.part([("user", "has", "diabetes"), ("Lentil pie", "belongs to", "low_carb")])
    # diabetes and low_carb are on different paths: their match edge is in neither induced part
    assert [(e.source, e.relation, e.target) for e in part.edges] == [
        (1, "belongs to", 5),
        (0, "has", 9),
    ]


@pytest.mark.parametrize(
    ("reply", "strict", "published"),
    [
        ("1, 3, 5", [0, 2, 4], [0, 2, 4]),
        ("0, 2", [1], [-1, 1]),
        ("2, 2, 3", [1, 2], [1, 1, 2]),
        ("9, 99, 100, 4", [3], [3]),
        ("1 2 3 4 5 6 7", [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        ("8, 8, 8, 8, 8, 1", [7, 0], [7, 7, 7, 7, 7]),
        ("none of them", [], []),
        ("-3 and 2.5 and 4", [3], [2, 1, 4, 3]),
        ("[1, 2]", [0, 1], [0, 1]),
        ('{"paths": [7, 1]}', [6, 0], [6, 0]),
        ("1. 2.\n3.", [0, 1, 2], [0, 1, 2]),
        ("9" * 5000, [], []),
        ("", [], []),
    ],
)
def test_choices_are_read(reply, strict, published):
    assert strict_choice(reply, 8, 5) == strict
    assert published_choice(reply, 8, 5) == published


def test_a_reply_without_a_number_keeps_the_first_paths():
    for method in ("tog", "tog_published"):
        replied, _ = run(method, made_question(), lambda _: "I cannot tell")
        first = replied.detail["pruned"][0]
        assert (first["from"], first["kept"]) == (9, 0)
        assert any("Eats lots of fish" in p for p in replied.detail["paths"])


def test_width_depth_and_start_of_pruning_are_settings():
    _, model = run("tog", made_question(), lambda _: "1", {"depth": 1})
    assert [r.name for r in model.requests] == ["answer"]
    _, model = run("tog", made_question(), lambda _: "1, 2", {"depth": 1, "prune_from": 1})
    assert [r.name for r in model.requests] == ["prune entities 1", "answer"]
    replied, model = run("tog", made_question(), lambda _: "5, 6, 7", {"width": "2", "depth": 2})
    assert "numbers of the 2 paths" in model.requests[0].system
    assert len(replied.detail["paths"]) == 2
    _, model = run("tog", made_question(), lambda _: "1", {"width": 50})
    assert [r.name for r in model.requests] == ["answer"]
    assert COMMON["wording"] == "matched"


@pytest.mark.parametrize("method", ["tog", "tog_published"])
def test_a_model_that_chooses_verdict_paths_keeps_what_decides(method, shared_dir):
    """Real rows: call counts of spec 5, and the deciding tags of up to five are found."""

    def choose(request):
        if request.name == "answer":
            return "Yes"
        # one path from the user's side for each verdict edge, then whatever there is
        firsts, rest = {}, []
        for number, text in re.findall(r"^(\d+)\. (.*)$", request.user, re.MULTILINE):
            verdict = re.search(r", ([^,]* (?:match|contradict)\b[^,]*)", text)
            if verdict and text.startswith("user ") and verdict[1].strip() not in firsts:
                firsts[verdict[1].strip()] = number
            else:
                rest.append(number)
        return ", ".join([*firsts.values(), *rest][:5])

    seen = set()
    for question, _ in real_questions(shared_dir, "B"):
        replied, model = run(method, question, choose)
        assert len(model.requests) == len(replied.calls) <= 5
        assert model.requests[-1].name == "answer"
        seen.add(len(model.requests))
        texts = {n.id: n.attr for n in question.row.graph.nodes}
        shown = {texts[i] for i in replied.retrieved}
        verdicts = [e for e in question.row.graph.edges if e.relation in ("match", "contradict")]
        if len(verdicts) <= 5:
            assert set(question.row.gold.tags) <= shown
        assert len(replied.retrieved) < len(question.row.graph.nodes)
    assert max(seen) == 5 if method == "tog_published" else max(seen) >= 3
