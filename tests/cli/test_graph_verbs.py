"""``prandial graph export``: every form reads back, and what cannot be exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prandial.graph import FORMS, import_graph, neighbours

CYCLE = "2017-2018"
DEMO = ("--people", "demo")
#: three people of the made-up ones and two foods of FNDDS
SOME = ("--person", 90000001, "--person", 90000002, "--food", 58100100, "--food", 58106210)


def test_every_form_reads_back_as_what_was_told(command, tmp_path):
    hashes = set()
    for form in FORMS:
        path = tmp_path / form
        done = command("graph", "export", "-o", path, "--form", form, *DEMO, *SOME, "--json")
        assert (done.code, done.err) == (0, "")
        body = done.json
        assert set(body) == {
            "form", "nodes", "edges", "people", "foods", "content_hash", "files", "notes"
        }  # fmt: skip
        assert (body["form"], body["people"], body["foods"]) == (form, 2, 2)
        assert all(Path(f).is_file() for f in body["files"])
        back = import_graph(path, form)
        assert (len(back.key), len(back.source)) == (body["nodes"], body["edges"])
        assert back.content_hash == body["content_hash"]
        hashes.add(body["content_hash"])
    assert len(hashes) == 1


def test_the_line_for_people(command, tmp_path, narrow):
    done = command("graph", "export", "-o", tmp_path / "g.ttl", *DEMO, *SOME)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("wrote ")
    assert "turtle" in done.out
    assert (tmp_path / "g.ttl").read_text("utf-8").count("90000001") > 0


def test_a_real_person(command, shared_dir, tmp_path):
    """BMI of a respondent as it stands in the raw file."""
    import pyreadstat

    raw, _ = pyreadstat.read_xport(
        str(shared_dir / "data" / "nhanes" / CYCLE / "BMX_J.XPT"), output_format="dict"
    )
    at = next(i for i, bmi in enumerate(raw["BMXBMI"]) if (bmi or 0) > 40)
    number, bmi = int(raw["SEQN"][at]), raw["BMXBMI"][at]
    done = command(
        "graph", "export", "-o", tmp_path / "g", "--form", "neo4j", "--from",
        shared_dir / "data", "--cycle", CYCLE, "--person", number, "--food", 58100100, "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    graph = import_graph(tmp_path / "g", "neo4j")
    measured = {
        n.node.key: n.value for n in neighbours(graph, graph.node("person", number), "measured")
    }
    assert measured["bmi_kg_m2"] == bmi


def test_same_bytes_twice(command, tmp_path):
    for name in ("a.ttl", "b.ttl"):
        assert command("graph", "export", "-o", tmp_path / name, *DEMO, *SOME).code == 0
    assert (tmp_path / "a.ttl").read_bytes() == (tmp_path / "b.ttl").read_bytes()


@pytest.mark.parametrize(
    ("code", "arguments", "named"),
    [
        (2, (*DEMO, "--form", "gexf"), "graphml"),
        (2, (*DEMO, "--rules", "paper"), "as-published"),
        (2, ("--people", "nobody"), "demo"),
        (2, (*DEMO, "--person", "x"), "--help"),
        (3, (*DEMO, "--person", 5, "--food", 58100100), "prandial"),
        (3, (*DEMO, "--person", 90000001, "--food", 5), "prandial foods search"),
        (4, (), "--people demo"),
        (4, ("--from", "/no/such/folder"), "prandial data get nhanes"),
    ],
)
def test_what_cannot_be_exported(refused, tmp_path, code, arguments, named):
    error = refused(code, "graph", "export", "-o", tmp_path / "g", *arguments)
    assert named in error["hint"]
    assert not (tmp_path / "g").exists()


@pytest.mark.parametrize("form", FORMS)
def test_where_nothing_can_be_written(refused, tmp_path, form):
    (tmp_path / "taken").write_text("a file")
    error = refused(
        2, "graph", "export", "-o", tmp_path / "taken" / "g", "--form", form, *DEMO, *SOME
    )
    assert "taken" in error["where"]
    assert (tmp_path / "taken").read_text() == "a file"


def test_notes_say_that_people_are_made_up(command, tmp_path):
    body = json.loads(
        command("graph", "export", "-o", tmp_path / "g.ttl", *DEMO, *SOME, "--json").out
    )
    assert any("made up" in n for n in body["notes"])
