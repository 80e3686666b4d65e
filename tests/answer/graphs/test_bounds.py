"""Bounds of replies: grammars as regular expressions, schemas, JSON back to text."""

from __future__ import annotations

import json
import re

import pytest
from tests.answer.graphs.asked import made_question, run

from prandial.answer.graphs.bounds import (
    answer_grammar,
    answer_schema,
    answer_text,
    numbers_grammar,
    numbers_schema,
)
from prandial.tags.needed import rule_nutrients

SEVEN = rule_nutrients("as-published")
SIXTEEN = rule_nutrients("default")
TOKEN = re.compile(
    r'"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|(\{\d+,\d+\})|([a-z]+)|([()|])|(\s+)'
)


def pattern(grammar: str) -> re.Pattern[str]:
    """Turn a grammar without recursion into a regular expression, rule by rule."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.strip().split("\n"))

    def expand(body: str) -> str:
        out, at = "", 0
        while at < len(body):
            token = TOKEN.match(body, at)
            assert token, f"not a grammar: {body[at:]!r}"
            text, chars, count, name, sign, _ = token.groups()
            if text is not None:
                out += re.escape(text.encode().decode("unicode_escape"))
            elif name:
                out += f"(?:{expand(rules[name])})"
            else:
                out += (sign or "").replace("(", "(?:") + (chars or "") + (count or "")
            at = token.end()
        return out

    return re.compile(expand(rules["root"]))


@pytest.mark.parametrize(
    ("task", "lead", "right", "wrong"),
    [
        ("B", "", ["Yes", "No"], ["yes", "Yes.", "", "YesNo"]),
        ("B", "Answer: ", ["Answer: Yes"], ["Yes", "Answer: maybe"]),
        (
            "ML",
            "",
            ["low_carb", "high_saturated_fat, low_protein"],
            ["", "low_iron", "carb", "low_carb,high_sodium", ", ".join(["low_carb"] * 8)],
        ),
        (
            "TG",
            "Answer: ",
            [
                "Answer: No, because the food is high in saturated fat.",
                "Answer: Yes, because the food is low in carb, high in protein.",
            ],
            ["Answer: No", "Answer: No, because the food is high in saturated_fat."],
        ),
    ],
)
def test_grammars_take_the_form_and_nothing_else(task, lead, right, wrong):
    held = pattern(answer_grammar(task, SEVEN, lead=lead))
    assert all(held.fullmatch(t) for t in right)
    assert not any(held.fullmatch(t) for t in wrong)


def test_a_line_of_thought_comes_before_the_answer():
    held = pattern(answer_grammar("B", SEVEN, lead="Answer: ", thought=True))
    assert held.fullmatch("Thought: It is low in carb.\nAnswer: Yes")
    assert not held.fullmatch("Answer: Yes")
    assert not held.fullmatch("Thought: one\ntwo\nAnswer: Yes")
    assert not held.fullmatch("It is low in carb.\nAnswer: Yes")
    assert not held.fullmatch("Thought: " + "x" * 301 + "\nAnswer: Yes")
    assert held.fullmatch("Thought: " + "x" * 300 + "\nAnswer: No")


def test_all_tags_of_a_rule_set_fit():
    for nutrients in (SEVEN, SIXTEEN):
        held = pattern(answer_grammar("ML", nutrients))
        assert held.fullmatch(", ".join(f"high_{n}" for n in nutrients))
        longest = json.dumps({"verdict": "Yes", "tags": [f"high_{n}" for n in nutrients]})
        told = answer_text(longest, "TG")
        assert pattern(answer_grammar("TG", nutrients)).fullmatch(told)


def test_numbers_are_of_the_paths():
    held = pattern(numbers_grammar(3, 12))
    assert held.fullmatch("1, 12, 7")
    assert held.fullmatch("10")
    assert not any(held.fullmatch(t) for t in ("0", "13", "1, 2, 3, 4", "", "1,2"))
    items = numbers_schema(3, 12)["properties"]["paths"]
    assert (items["maxItems"], items["items"]["minimum"], items["items"]["maximum"]) == (3, 1, 12)


def test_schemas_name_what_a_task_asks():
    assert list(answer_schema("B", SEVEN)["properties"]) == ["verdict"]
    assert list(answer_schema("ML", SEVEN)["properties"]) == ["tags"]
    both = answer_schema("TG", SIXTEEN)
    assert both["required"] == ["verdict", "tags"]
    assert len(both["properties"]["tags"]["items"]["enum"]) == 32
    assert both["additionalProperties"] is False


@pytest.mark.parametrize(
    ("task", "reply", "text"),
    [
        ("B", '{"verdict": "Yes"}', "Yes"),
        ("ML", '{"tags": ["low_carb", "high_saturated_fat"]}', "low_carb, high_saturated_fat"),
        (
            "TG",
            '{"verdict": "No", "tags": ["high_saturated_fat", "low_carb"]}',
            "No, because the food is high in saturated fat, low in carb.",
        ),
        ("TG", '{"verdict": "No", "tags": []}', "No."),
        ("B", "Yes", None),
        ("B", '{"verdict": "maybe"}', None),
        ("B", '["Yes"]', None),
        ("ML", '{"verdict": "Yes"}', None),
        ("TG", '{"verdict": "No", "tags": 3}', None),
        ("TG", '{"verdict": "No", "tags": ["low_carb"', None),
    ],
)
def test_json_becomes_the_plain_form(task, reply, text):
    assert answer_text(reply, task) == text


@pytest.mark.parametrize("bound", ["", "grammar", "json", "reasoned", True, False, None])
def test_requests_carry_the_bound(bound):
    for wording in ("matched", "published"):
        options = {"bound": bound, "wording": wording}
        replied, model = run("plain", made_question("B"), lambda _: '{"verdict": "No"}', options)
        request = model.requests[0]
        assert (request.grammar is not None) == (bound in ("grammar", "reasoned", True))
        assert (request.schema is not None) == (bound == "json")
        if request.grammar:
            lead = "Answer: " if wording == "matched" else ""
            told = f"Thought: so\n{lead}Yes" if bound == "reasoned" else f"{lead}Yes"
            assert pattern(request.grammar).fullmatch(told)
            assert request.max_tokens <= 166
        if bound == "json":
            assert replied.text == ("Answer: No" if wording == "matched" else "No")
            assert replied.calls[0].reply == '{"verdict": "No"}'
    spent = run("plain", made_question(), options={"bound": bound, "max_tokens": "77"})[1]
    assert spent.requests[0].max_tokens == 77


def test_a_broken_json_reply_stays_as_it_is():
    options = {"bound": "json"}
    assert run("plain", made_question(), lambda _: "Yes, I", options)[0].text == "Yes, I"


def test_pruning_is_bound_too():
    for bound, kind in (("grammar", "grammar"), ("reasoned", "grammar"), ("json", "schema")):
        _, model = run("tog", made_question(), lambda _: "1, 2", {"bound": bound})
        assert getattr(model.requests[0], kind)
    assert model.requests[0].schema["properties"]["paths"]["items"]["maximum"] == 9


def test_the_second_stage_thinks_no_more():
    _, model = run("cot_zero_two_stage", made_question(), options={"bound": "reasoned"})
    assert pattern(model.requests[1].grammar).fullmatch("Answer: Yes")
