"""Whole-graph methods and KAPING: what is put before the model, in which order, and what not."""

from __future__ import annotations

import numpy as np
import pytest
from tests.answer.graphs.asked import made_question, real_questions, run

from prandial.answer.encoder import LexicalEncoder
from prandial.answer.graphs import METHODS
from prandial.answer.graphs.whole import directed_text
from prandial.errors import InputError
from prandial.graph import question_text
from prandial.records.quiz import Edge, Node, QuestionGraph

WHOLE = ("plain", "cot_zero", "cot_zero_two_stage", "cot_bag")
ASKING = [name for name, method in METHODS.items() if method.asks]


@pytest.mark.parametrize("method", WHOLE)
def test_all_of_the_graph_is_shown(method, shared_dir):
    for question, _ in real_questions(shared_dir, "ML")[::9]:
        replied, model = run(method, question)
        graph = question.row.graph
        assert replied.retrieved == tuple(n.id for n in graph.nodes)
        assert replied.detail["facts"] == len(graph.edges)
        # the person is called as in the question, and by the text of its node (spec 1.2)
        assert str(question.row.person.person) not in model.requests[-1].user
        for node in graph.nodes:
            assert node.attr in model.requests[-1].user


def test_edges_stand_by_source_as_in_the_published_text():
    _, model = run("plain", made_question())
    # in the row the match edge of the first status stands before the second status
    assert (
        "(user has hypertension), (user has diabetes), (hypertension contradict high_sodium), "
        "(diabetes need low_sugar), (diabetes match low_carb)\n"
    ) in model.requests[0].user


def test_two_stages_hand_the_reasoning_on():
    def answer(request):
        return "  The food is low in carb. {{task}}" if request.name == "reason" else "Answer: Yes"

    replied, model = run("cot_zero_two_stage", made_question("ML"), answer)
    assert [r.name for r in model.requests] == ["reason", "answer"]
    first, second = (r.user for r in model.requests)
    assert "last line" not in first
    assert first.count("step by step") == 1
    assert second.startswith(first)  # what was computed for the first call can be used again
    assert "The food is low in carb. {{task}}\n" in second  # a reply is never filled in
    assert second.endswith("saturated_fat, calorie, protein.")
    assert replied.text == "Answer: Yes"
    assert [c.name for c in replied.calls] == ["reason", "answer"]
    assert model.requests[0].max_tokens == 400
    assert model.requests[0].grammar is None


ODD = ["A has B), (C need D", "x match y", '"quoted", (name)', "belongs to", "a\nline", "{{task}}"]


@pytest.mark.parametrize("name", ODD)
def test_names_that_look_like_edges_stay_whole(name):
    question = made_question(name=name, ingredients=(name, "Salt"))
    _, model = run("cot_bag", question)
    user = model.requests[0].user
    assert f"an edge between node {name} directed to node Salt with attribute has" in user
    assert (
        f"an edge between node {name} directed to node low_carb with attribute belongs to" in user
    )
    # as many edges as the graph has, whatever the names say
    assert user.count("an edge between node ") == len(question.row.graph.edges)


def test_directed_text_by_hand():
    graph = QuestionGraph(
        (Node(0, 71234, "user"), Node(1, 58100000, "Pie"), Node(2, "status", "diabetes")),
        (Edge(0, "has", 2),),
    )
    assert directed_text(graph) == (
        "The graph contains an edge between node user directed to node diabetes with attribute has."
    )
    assert directed_text(QuestionGraph(graph.nodes, ())) == "The graph contains no edge."


def test_one_hop_has_no_verdict(shared_dir):
    for question, _ in real_questions(shared_dir, "B"):
        replied, model = run("kaping_published", question)
        user = model.requests[0].user
        facts = user[user.index("(") : user.index("Go by these facts")]
        for relation in ("match", "contradict", "need"):
            assert f" {relation} " not in facts
        leaving = [e for e in question.row.graph.edges if e.source in (0, 1)]
        assert set(replied.retrieved) == {0, 1} | {e.target for e in leaving}
        assert replied.detail["facts"] == len(leaving)
        # the user's edges come first
        assert user.index("(user has ") < user.index(f"({question.row.food.name} ")


class ByCount:
    """An encoder for tests: the vector of a text is its score and what is left to length 1."""

    id = "by hand"

    def __init__(self, scores):
        self.scores = scores

    def __call__(self, texts):
        rows = [(1.0, 0.0) if i == 0 else self.row(t) for i, t in enumerate(texts)]
        return np.array(rows, dtype=np.float32)

    def row(self, text):
        score = next((s for part, s in self.scores.items() if part in text), 0.0)
        return (score, (1 - score**2) ** 0.5)


def test_kaping_keeps_the_nearest_facts_best_first():
    embed = ByCount({"match low_carb": 0.9, "contradict": 0.95, "has Pie crust": 0.5})
    replied, model = run("kaping", made_question(), options={"k": 3}, embed=embed)
    assert (
        "(hypertension contradict high_sodium), (diabetes match low_carb), "
        "(Lentil pie has Pie crust)\n"
    ) in model.requests[0].user
    assert replied.retrieved == (1, 4, 5, 6, 8, 9)
    assert (replied.detail["facts"], replied.detail["encoder"]) == (3, "by hand")
    assert replied.detail["triples"][0] == "hypertension contradict high_sodium"


def test_kaping_tells_when_it_had_no_encoder():
    replied, _ = run("kaping", made_question())
    assert replied.detail["encoder"] == LexicalEncoder().id
    assert replied.detail["facts"] == 10
    method = LexicalEncoder(dimensions=64).embed
    assert "64 buckets" in run("kaping", made_question(), embed=method)[0].detail["encoder"]
    bare = run("kaping", made_question(), embed=lambda t: LexicalEncoder()(t))[0]
    assert bare.detail["encoder"] == "given by the caller"


def test_the_best_tree_of_what_is_nearest():
    # prizes: nodes low_carb 2, diabetes 1; the edge between them 1, at 0.5 an edge
    embed = ByCount({"match low_carb": 0.9, "low_carb": 0.8, "diabetes": 0.7})
    options = {"k": 2, "k_edges": 1}
    replied, model = run("g_retriever", made_question(), options=options, embed=embed)
    assert "\n(diabetes match low_carb)\n" in model.requests[0].user
    assert replied.retrieved == (5, 9)
    told = {"encoder": "by hand", "value": 3.5, "triples": ["diabetes match low_carb"]}
    assert replied.detail == {"facts": 1, **told}


@pytest.mark.parametrize("method", ASKING)
def test_a_textualizer_replaces_the_text(method):
    def shout(graph):
        return f"<{len(graph.edges)} facts>"

    _, model = run(method, made_question(), lambda _: "1", textualizer=shout)
    user = model.requests[-1].user
    if method == "cot_bag":  # whose text is the method
        assert "an edge between node" in user
    else:
        assert "facts>\n" in user
        assert "Lentil pie belongs to" not in user.replace("prune", "")


@pytest.mark.parametrize("method", ASKING)
@pytest.mark.parametrize("mode", ["published", "no-verdict"])
@pytest.mark.parametrize("rules", ["as-published", "default"])
def test_every_mode_and_rule_set_can_be_asked(method, mode, rules):
    for task in ("B", "ML", "TG"):
        question = made_question(task, rules=rules, mode=mode, unknown=("iron",))
        replied, model = run(method, question, lambda _: "1")
        assert replied.text == "1"
        assert replied.retrieved
        user = model.requests[-1].user
        assert question.text in user
        assert ("fiber, potassium, phosphorus" in user) == (rules == "default" and task != "B")
        if mode == "no-verdict":
            assert " match " not in question_text(question.row.graph)


@pytest.mark.parametrize("method", ASKING)
@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"wording": "loud"}, "wording is 'loud'"),
        ({"bound": "xml"}, "bound is 'xml'"),
        ({"bound": ["json"]}, "bound is"),
        ({"max_tokens": -1}, "max_tokens is -1"),
        ({"max_tokens": "many"}, "max_tokens is 'many'"),
    ],
)
def test_settings_that_cannot_be_are_refused(method, options, match):
    with pytest.raises(InputError, match=match):
        run(method, made_question(), lambda _: "1", options)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("kaping", {"k": 0}),
        ("kaping", {"k": 2.5}),
        ("tog", {"width": "wide"}),
        ("tog_published", {"depth": 99}),
        ("g_retriever", {"edge_cost": "nan"}),
        ("g_retriever", {"edge_cost": -1}),
        ("cot_zero_two_stage", {"reason_tokens": 0}),
    ],
)
def test_a_methods_own_settings_are_checked(method, options):
    with pytest.raises(InputError, match=next(iter(options))):
        run(method, made_question(), lambda _: "1", options)
