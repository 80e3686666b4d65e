"""The survey functions of the package: what they return, and what they refuse."""

from __future__ import annotations

import json

import pytest

import prandial


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PRANDIAL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PRANDIAL_DATA", raising=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    out = tmp_path_factory.mktemp("api") / "demo"
    return prandial.build_ngqa(out, people="demo", per_food=(1, 1, 1), seed=2)


@pytest.fixture
def root(shared_dir):
    return shared_dir / "data"


@pytest.mark.parametrize(
    ("function", "arguments", "known"),
    [
        (prandial.people_stats, {"rules": "paper"}, ("default", "as-published")),
        (prandial.show_person, {"person": 1, "rules": "paper"}, ("default", "as-published")),
        (prandial.build_ngqa, {"out": "x", "rules": "paper"}, ("default", "as-published")),
        (prandial.build_ngqa, {"out": "x", "graph": "big"}, ("published", "no-verdict", "merged")),
        (prandial.build_ngqa, {"out": "x", "people": "mine"}, ("survey", "demo")),
        (prandial.ngqa_check, {"file": "x", "rules": "paper"},
         ("auto", "default", "as-published")),
        (prandial.ngqa_check_raw, {"file": "x", "rules": "paper"},
         ("auto", "default", "as-published")),
        (prandial.export_graph, {"output": "x", "form": "gexf"},
         ("graphml", "turtle", "neo4j", "parquet")),
        (prandial.export_graph, {"output": "x", "people": "mine"}, ("survey", "demo")),
    ],
)  # fmt: skip
def test_unknown_choices_name_the_known_ones(function, arguments, known):
    with pytest.raises(prandial.InputError, match="no such choice") as caught:
        function(**arguments)
    assert set(caught.value.hint.removeprefix("one of: ").split(", ")) == set(known)
    assert caught.value.where


@pytest.mark.parametrize("per_food", [(1, 2), (1, 2, 3, 4), (1, -1, 1), ()])
def test_counts_of_questions_that_cannot_be(tmp_path, per_food):
    with pytest.raises(prandial.InputError, match="three counts"):
        prandial.build_ngqa(tmp_path / "b", people="demo", per_food=per_food)
    assert not (tmp_path / "b").exists()


def test_a_negative_seed():
    for call in (
        lambda: prandial.people_stats(demo=5, seed=-1),
        lambda: prandial.build_ngqa("x", people="demo", seed=-1),
    ):
        with pytest.raises(prandial.InputError, match="seed"):
            call()


def test_without_files_the_error_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path / "nothing"))
    for call in (
        lambda: prandial.show_person(93704),
        lambda: prandial.people_stats(),
        lambda: prandial.build_ngqa(tmp_path / "b"),
        lambda: prandial.export_graph(tmp_path / "g"),
    ):
        with pytest.raises(prandial.MissingDataError) as caught:
            call()
        assert "prandial data get nhanes" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_data_folder_of_the_environment_is_used(root, tmp_path, monkeypatch):
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path))
    got = prandial.get_nhanes(["2017-2018"], tables=["DEMO", "BMX"], source=root / "nhanes")
    assert got.ok
    assert got.counts == {"got": 2, "kept": 0, "absent": 0, "failed": 0}
    assert got.target == tmp_path / "nhanes"
    (cycle,) = (c for c in prandial.list_nhanes() if c.cycle == "2017-2018")
    assert cycle.at_hand == 2
    found = prandial.people_stats()
    assert (found.cycles, found.people) == (("2017-2018",), 9254)
    assert any("BPX" in note for note in found.notes)


def test_get_tells_each_step(root, tmp_path):
    steps = []
    prandial.get_nhanes(
        ["2017-2018"],
        tables=["GHB"],
        source=root / "nhanes",
        target=tmp_path,
        progress=steps.append,
    )
    assert {s.table for s in steps} == {"GHB"}
    assert steps[-1].status == "got"


def test_get_all_cycles_of_one_table(root, tmp_path):
    """``all`` is every cycle known; what a mirror lacks is told, not an exception."""
    got = prandial.get_nhanes(["all"], tables=["GHB"], source=root / "nhanes", target=tmp_path)
    assert {f.cycle for f in got.files} == {c.cycle for c in prandial.list_nhanes(tmp_path)}
    (absent,) = (f for f in got.files if f.status == "failed")
    assert absent.cycle == "2021-2023"


def test_one_person(root):
    one = prandial.show_person(93704, root=root)
    assert isinstance(one, prandial.HealthProfile)
    assert (one.person, one.cycle, one.rules) == (93704, "2017-2018", "default")
    assert all(isinstance(t, prandial.Truth) for t in one.conditions.values())
    # two years old: conditions of minors are unknown
    assert one.measures["age_years"] == 2
    assert set(one.conditions.values()) == {prandial.Truth.UNKNOWN}
    json.dumps(one.to_dict(), allow_nan=False)


def test_a_build_tells_its_steps_and_is_read_back(tmp_path):
    steps = []
    report = prandial.build_ngqa(
        tmp_path / "b",
        people="demo",
        per_food=(1, 0, 0),
        graph="merged",
        progress=lambda *step: steps.append(step),
    )
    names = ["people", "foods", "pairs", "questions", "files", "graph"]
    assert steps == [(name, at, 6) for at, name in enumerate(names)]
    assert list(report.seconds) == names
    found = prandial.ngqa_stats(tmp_path / "b")
    assert found["levels"] == report.stats["levels"]
    assert found["card"] == report.card
    json.dumps(report.to_dict(), allow_nan=False)


def test_stats_and_show_and_check(demo):
    found = prandial.ngqa_stats(demo.folder)
    json.dumps(found, allow_nan=False)
    assert (found["rules"], found["graph"], found["seed"]) == ("default", "published", 2)
    with pytest.raises(prandial.NotFoundError) as caught:
        prandial.ngqa_show(demo.folder, "standard-1-1")
    shown = prandial.ngqa_show(
        demo.folder, caught.value.hint.removeprefix("such as: ").split(", ")[0]
    )
    json.dumps(shown.to_dict(), allow_nan=False)
    assert shown.svg().startswith("<svg")
    report = prandial.ngqa_check(demo.folder / "NGQA_benchmark.csv", rules="default")
    assert report.rows_equal == report.rows == demo.card["counts"]["rows"]


def test_review(demo, tmp_path):
    told = prandial.export_review(demo.folder, tmp_path / "q.jsonl", rows=4, seed=1)
    assert told["rows"] == 4
    lines = (tmp_path / "q.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    other = {"Yes": "No", "No": "Yes"}[first["verdict"]]
    word = {"when": "2026-03-01", "review_verdict": other, "why": "it is so"}
    for who in ("ada", "ben", "chief"):
        verdict = first["verdict"] if who == "ben" else other
        (tmp_path / f"{who}.jsonl").write_text(
            json.dumps(first | word | {"annotator": who, "review_verdict": verdict}) + "\n"
        )
    files = [tmp_path / "ada.jsonl", tmp_path / "ben.jsonl"]
    report = prandial.import_review(demo.folder, files)
    assert report.labels.open == (first["id"],)
    assert report.labels.changes == ()
    report = prandial.import_review(demo.folder, files, decisions=[tmp_path / "chief.jsonl"])
    (change,) = report.labels.changes
    assert (change.old, change.new, change.who) == (first["verdict"], other, "chief")
    assert report.labels.open == ()


def test_export_of_some(tmp_path):
    told = prandial.export_graph(
        tmp_path / "g.graphml", form="graphml", people="demo", only_people=[90000001],
        only_foods=[58100100],
    )  # fmt: skip
    assert (told["people"], told["foods"]) == (1, 1)
    assert (tmp_path / "g.graphml").stat().st_size > 1000
