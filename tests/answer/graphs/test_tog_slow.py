"""Think-on-Graph beside a slow one written from the description of the published code."""

from __future__ import annotations

import random
import re

import networkx as nx
import pytest
from tests.answer.graphs.asked import real_questions, run

WIDTH, DEPTH = 5, 3


def _steps(triples, path, end):
    """Edges at the end of a path, either way, unless both ends are in the path already."""
    inside = path[::2]
    for source, relation, target in triples:
        if end in (source, target) and not (source in inside and target in inside):
            yield relation, target if end == source else source


def _slow(graph, choose):
    """Return the candidates of each prune call, and the nodes and edges kept (spec 5).

    Entities are texts; relations are chosen, and all of them are kept whatever was chosen.
    """
    drawn = nx.DiGraph()
    for n in graph.nodes:
        drawn.add_node(n.id, text=n.attr)
    for e in graph.edges:
        drawn.add_edge(e.source, e.target, relationship=e.relation)
    text = nx.get_node_attributes(drawn, "text")
    triples = [(text[s], d["relationship"], text[t]) for s, t, d in drawn.edges(data=True)]
    paths = [[text[0]], [text[1]]]
    shown = []

    def pruned(candidates):
        if len(candidates) <= WIDTH:
            return candidates
        shown.append([list(c) for c in candidates])
        numbers = [int(n) - 1 for n in re.findall(r"\d+", choose(len(shown), candidates))][:WIDTH]
        numbers = [n for n in numbers if n < len(candidates)]
        return [candidates[n] for n in numbers] or candidates[:WIDTH]

    for turn in range(1, DEPTH + 1):
        longer = []
        for path in paths:
            relations = list(dict.fromkeys(r for r, _ in _steps(triples, path, path[-1])))
            longer += [[*path, r] for r in relations] or [path]
        if turn > 1:
            pruned(longer)  # paid for, and overwritten
        paths = []
        for path in longer:
            if len(path) % 2:
                paths.append(path)
                continue
            ends = [e for r, e in _steps(triples, path, path[-2]) if r == path[-1]]
            paths += [[*path, e] for e in dict.fromkeys(ends)]
        if turn > 1:
            paths = pruned(paths)
    nodes, edges = set(), set()
    for path in paths:
        part = drawn.subgraph(n for n in drawn if text[n] in path[::2])
        nodes |= set(part)
        edges |= {
            (s, d["relationship"], t)
            for s, t, d in part.edges(data=True)
            if d["relationship"] in path[1::2]
        }
    in_order = [(s, d["relationship"], t) for s, t, d in drawn.edges(data=True)]
    lines = [f"({text[s]} {r} {text[t]})" for s, r, t in in_order if (s, r, t) in edges]
    return shown, nodes, ", ".join(lines)


def _said(path):
    """``head relation tail , tail relation tail``."""
    steps = [path[i : i + 3] for i in range(0, len(path) - 1, 2)]
    return " , ".join(" ".join(s) for s in steps) or path[0]


@pytest.mark.parametrize("seed", range(3))
def test_published_as_described(seed, shared_dir):
    calls = set()
    for number, (question, _) in enumerate(real_questions(shared_dir, "B")):
        replies = {}

        def choose(call, candidates, key=f"{seed} {number}", replies=replies):
            draw = random.Random(f"{key} {call}")
            reply = ", ".join(str(draw.randint(0, len(candidates) + 1)) for _ in range(6))
            replies[call] = reply
            return reply

        shown, nodes, text = _slow(question.row.graph, choose)
        told = iter(replies.values())
        replied, model = run(
            "tog_published",
            question,
            lambda r, told=told: "No" if r.name == "answer" else next(told),
            {"wording": "published"},
        )
        *prunes, answer = model.requests
        assert [re.findall(r"(?m)^\d+\. (.*)$", p.user) for p in prunes] == [
            [_said(path) for path in candidates] for candidates in shown
        ]
        assert set(replied.retrieved) == nodes
        assert f". {text}. Reply with" in answer.user
        calls.add(len(prunes))
    assert max(calls) == 4


@pytest.mark.parametrize("last", [False, True])
def test_ours_never_shows_what_was_pruned(last, shared_dir):
    """Relations that were not chosen are gone: no path of theirs is a candidate again."""
    for question, _ in real_questions(shared_dir, "B"):
        kept: list[str] = []

        def choose(request, kept=kept):
            if request.name == "answer":
                return "Answer: No"
            lines = re.findall(r"(?m)^\d+\. (.*)$", request.user)
            if request.name.startswith("prune entities"):
                starts = [k.removesuffix("?").rstrip() for k in kept]
                if starts:
                    # every candidate goes on from a relation that was chosen
                    assert all(any(_grown(line, s) for s in starts) for line in lines)
                kept.clear()
                return "1, 2, 3, 4, 5"
            numbers = range(len(lines) - 4, len(lines) + 1) if last else range(1, 6)
            kept[:] = [lines[n - 1] for n in numbers]
            return ", ".join(map(str, numbers))

        _, model = run("tog", question, choose)
        assert model.requests[-1].name == "answer"


def _grown(line, start):
    """Whether a told path goes on from another; a step against its edge ends in what is open."""
    head, _, step = start.rpartition(" , ")
    if head and not line.startswith(head + " , "):
        return False
    rest = line[len(head) + 3 :] if head else line
    return rest.startswith(step) or (step.startswith("? ") and rest.endswith(step[2:]))
