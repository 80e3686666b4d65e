"""Drawings: well-formed, nothing overlaps, colour is not needed, text can be seen."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.conftest import HOSTILE, names

from prandial.errors import InputError
from prandial.graph import draw_png, draw_svg, question_text, question_to_networkx
from prandial.graph.layout import lay_out, wrap
from prandial.records.quiz import Edge, Node, QuestionGraph

SVG = "{http://www.w3.org/2000/svg}"


def question(habits: int, ingredients: int, statuses: int, name: str = "x") -> QuestionGraph:
    nodes = [Node(1, 58100100, f"Food {name}"), Node(2, "category", "Pizza")]
    edges = [Edge(1, "belongs to", 2)]

    def add(kind: str, text: str, source: int, relation: str) -> int:
        nodes.append(Node(len(nodes) + 1 if len(nodes) > 1 else 2, kind, text))
        edges.append(Edge(source, relation, nodes[-1].id))
        return nodes[-1].id

    for i in range(ingredients):
        add("ingredient", f"Ingredient {name}, part {i}, with a rather long description", 1, "has")
    tags = [add("food_nutrition_tag", t, 1, "belongs to") for t in ("low_carb", "high_sodium")]
    nodes.append(Node(0, 93703, "user"))
    for i in range(habits):
        add("dietary habit", f"Eats {name} often {i}", 0, "has")
    for i in range(statuses):
        status = add("status", f"status {i} {name}", 0, "has")
        edges.append(Edge(status, ("match", "contradict")[i % 2], tags[i % 2]))
        add("user_nutrition_tag", "low_saturated_fat", status, "need")
    return QuestionGraph(tuple(nodes), tuple(edges))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 9), names)
def test_boxes_do_not_overlap_and_lie_inside(habits, ingredients, statuses, name) -> None:
    graph = question(habits, ingredients, statuses, name)
    layout = lay_out(graph, top=100)
    boxes = list(layout.boxes.values())
    assert len(boxes) == len(graph.nodes)
    for i, a in enumerate(boxes):
        assert a.x >= 0
        assert a.y >= 100
        assert a.x + a.width <= layout.width
        assert a.y + a.height <= layout.height + 1e-6
        for b in boxes[i + 1 :]:
            apart = (
                a.x + a.width <= b.x
                or b.x + b.width <= a.x
                or a.y + a.height <= b.y
                or b.y + b.height <= a.y
            )
            assert apart, (a, b)


@settings(max_examples=30, deadline=None)
@given(names, names)
def test_any_name_gives_well_formed_svg(name, title) -> None:
    graph = question(1, 1, 2, name)
    root = ET.fromstring(draw_svg(graph, title, name, (name,)))
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title") is not None
    assert "match" in (root.find(f"{SVG}desc").text or "")
    assert not list(root.iter(f"{SVG}script"))


def test_wrapping_keeps_every_character_and_the_width() -> None:
    text = "Beef, ground, 80% lean meat / 20% fat, patty, cooked, pan-broiled"
    lines = wrap(text, 250)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert len(wrap("word " * 100, 120)) == 4
    assert wrap("word " * 100, 120)[-1].endswith("…")
    assert max(len(line) for line in wrap("x" * 200, 100, most=99)) <= 11


def test_match_and_contradict_differ_without_colour() -> None:
    root = ET.fromstring(draw_svg(question(0, 0, 2), "t"))
    by_title = {
        p.find(f"{SVG}title").text: p
        for p in root.iter(f"{SVG}path")
        if p.find(f"{SVG}title") is not None
    }
    assert by_title["match"].get("stroke-dasharray") is None
    assert by_title["contradict"].get("stroke-dasharray")
    assert by_title["match"].get("stroke") != by_title["contradict"].get("stroke")


def test_an_unknown_amount_is_drawn_as_unknown() -> None:
    graph = QuestionGraph(
        (Node(1, 5, "Soup"), Node(2, "nutrient", "sodium unknown"), Node(0, 9, "user")),
        (Edge(1, "has", 2),),
    )
    root = ET.fromstring(draw_svg(graph, "t"))
    (edge,) = [p for p in root.iter(f"{SVG}path") if p.find(f"{SVG}title") is not None]
    assert edge.get("stroke-dasharray") == "1 5"


def test_png_shows_text_and_has_the_size_of_the_drawing() -> None:
    graph = question(8, 8, 3, HOSTILE[4])
    svg = draw_svg(graph, "Question", "Is it?", ("No",))
    png = draw_png(svg)
    width, height = struct.unpack(">II", png[16:24])
    root = ET.fromstring(svg)
    assert width == round(float(root.get("width")))
    assert height == round(float(root.get("height")))
    blank = draw_png(draw_svg(question(8, 8, 3, ""), "", "", ()))
    assert len(png) > len(blank)
    with pytest.raises(InputError):
        draw_png("<html>")


def test_an_empty_graph_can_be_drawn() -> None:
    assert draw_svg(QuestionGraph((), ()), "nothing").startswith("<svg")


def test_networkx_and_text_forms() -> None:
    graph = question(1, 1, 2)
    made = question_to_networkx(graph)
    assert set(made.nodes) == {n.id for n in graph.nodes}
    assert made.edges[1, 2] == {"relation": "belongs to"}
    assert made.nodes[0] == {"name": 93703, "attr": "user"}
    text = question_text(graph)
    assert text.startswith("(Food x belongs to Pizza), (Food x has Ingredient x, part 0")
    assert "(user has status 0 x)" in text
    assert np.isclose(text.count("), ("), len(graph.edges) - 1)
