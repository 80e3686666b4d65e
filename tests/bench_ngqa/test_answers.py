"""Right answers of real builds follow from the rows alone; splits are clean; choices are fair."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from tests.bench_ngqa.conftest import CYCLE
from tests.bench_ngqa.plain import from_edges, judged, needs, rows_of, wanted

import prandial
from prandial.graph import evidence, load_graph
from prandial.quiz import gold_of_facts
from prandial.records import FoodFacts, PersonFacts
from prandial.sources.nhanes import read_table

BUILDS = ["default", "published"]
RULES = {"default": "default", "published": "as-published"}


@pytest.fixture(params=BUILDS)
def built(request):
    folder = request.getfixturevalue(f"{request.param}_build")
    return RULES[request.param], rows_of(folder)


def test_gold_follows_from_the_graph_alone(built):
    rules, rows = built
    assert len(rows) > 1500
    for row in rows:
        verdict, good, bad = from_edges(row, rules)
        assert (row["verdict"], set(row["gold_tags"])) == (verdict, good | bad), row["id"]
        assert (set(row["matches"]), set(row["contradicts"])) == (good, bad), row["id"]


def test_gold_follows_from_needs_and_tags(built):
    rules, rows = built
    for row in rows:
        verdict, good, bad = judged(row["statuses"], row["food_tags"], rules)
        assert (row["verdict"], set(row["gold_tags"])) == (verdict, good | bad), row["id"]


def test_levels_are_what_they_say(built):
    rules, rows = built
    for row in rows:
        good, bad = len(row["matches"]), len(row["contradicts"])
        if row["level"] == "sparse":
            assert good + bad == 1
        elif row["level"] == "standard":
            assert good + bad > 1
            assert 0 in (good, bad)
        else:
            assert good
            assert bad
        if rules == "default":
            assert good != bad  # no tie


def test_gold_follows_from_the_merged_graph(root, tmp_path):
    """The graph of everything gives the same sides for rows drawn from it."""
    out = tmp_path / "merged"
    prandial.build_ngqa(out, root=root, cycles=[CYCLE], per_food=(0, 0, 1), graph="merged")
    rows = rows_of(out)
    plain = tmp_path / "plain"  # the same draw: nobody is asked more often here than there
    prandial.build_ngqa(plain, root=root, cycles=[CYCLE], per_food=(0, 0, 1))
    assert [(r["id"], r["verdict"]) for r in rows] == [
        (r["id"], r["verdict"]) for r in rows_of(plain)
    ]
    assert all(len(r["nodes"]) == 2 and r["edges"] == [] for r in rows[:50])
    graph = load_graph(out / "graph")
    for row in rows[::7]:
        found = evidence(graph, row["person"], row["food_code"])
        good, bad = found.sides(clashes="set-aside")
        assert (list(good), list(bad)) == (row["matches"], row["contradicts"]), row["id"]
        assert list(found.conflicts) == row["conflicts"]
        assert set(found.unknown_statuses) == set(row["statuses_unknown"])


def test_splits_share_no_food_and_no_person(default_build):
    splits = defaultdict(lambda: (set(), set()))
    for row in rows_of(default_build):
        foods, people = splits[row["split"]]
        foods.add(row["food_code"])
        people.add(row["person"])
    assert set(splits) == {"train", "dev", "test"}
    for at in (0, 1):
        for one in splits:
            for other in splits:
                assert one == other or not splits[one][at] & splits[other][at]
    assert prandial.ngqa_stats(default_build)["splits"]["clean"] is True


def test_adults_only(root, default_build):
    demo = read_table(root / "nhanes" / CYCLE / "DEMO_J.XPT", ["SEQN", "RIDAGEYR"])
    age = dict(zip(demo["SEQN"], demo["RIDAGEYR"], strict=True))
    assert min(age[row["person"]] for row in rows_of(default_build)) >= 18


def test_no_answer_hangs_on_what_is_unknown(default_build):
    """Whichever way each unknown status turns out, tags and verdict stay the same."""
    rows = rows_of(default_build)
    table = needs("default")
    for row in rows:
        told = (row["verdict"], set(row["matches"]), set(row["contradicts"]))
        for more in [*([s] for s in row["statuses_unknown"]), row["statuses_unknown"]]:
            if all(s in table for s in more):
                found = judged([*row["statuses"], *more], row["food_tags"], "default")
                assert found == told, (row["id"], more)
        assert not set(wanted(row["statuses"], "default")) & set(row["food_unknown"])
    assert sum(bool(r["statuses_unknown"]) for r in rows) > 100  # else nothing was shown


def test_alternatives(default_build):
    """A right answer suits, nothing offered suits better, and nothing as good is left out."""
    rows = {(r["person"], r["food_code"]): r for r in rows_of(default_build)}
    told = [
        json.loads(line)
        for line in (default_build / "alternatives.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(told) > 300
    assert len({q["id"] for q in told}) == len(told)
    by_code = {r["food_code"]: r for r in rows.values()}
    suited = seen = 0
    for question in told:
        asked = rows[question["person"], question["instead_of"]]
        assert asked["verdict"] == "No"
        assert question["statuses"] == asked["statuses"]
        net = {}
        gold = question["gold"]
        assert [set(c) for c in question["candidates"]] == [{"code", "name"}] * len(gold["judged"])
        assert [c["code"] for c in question["candidates"]] == [j["code"] for j in gold["judged"]]
        for food in gold["judged"]:
            assert food["code"] != question["instead_of"]
            if food["code"] in by_code:  # its tags are told by another row
                tags = by_code[food["code"]]["food_tags"]
                verdict, good, bad = judged(asked["statuses"], tags, "default")
                assert food["verdict"] == verdict
                assert (set(food["matches"]), set(food["contradicts"])) == (good, bad)
                assert by_code[food["code"]]["category"] == question["category"]
                assert by_code[food["code"]]["split"] == asked["split"]  # else a leak
                # whichever way unknown statuses turn out, it stays as good a choice
                every = [*asked["statuses"], *asked["statuses_unknown"]]
                assert judged(every, tags, "default") == (verdict, good, bad)
                seen += 1
            net[food["code"]] = len(food["matches"]) - len(food["contradicts"])
            assert (food["verdict"] == "Yes") == (net[food["code"]] > 0)
        best = max(net.values())
        expected = [c for c, n in net.items() if n == best and n > 0]
        assert gold["right"] == expected
        names = {c["code"]: c["name"] for c in question["candidates"]}
        assert gold["answers"] == ([names[c] for c in expected] or ["None"])
        suited += bool(expected)
    assert 0 < suited < len(told)
    assert seen > len(told)


def test_nobody_without_weight_is_drawn_by_weight(root, default_build, tmp_path):
    demo = read_table(root / "nhanes" / CYCLE / "DEMO_J.XPT", ["SEQN", "WTMEC2YR"])
    weight = dict(zip(demo["SEQN"].astype(int).tolist(), demo["WTMEC2YR"].tolist(), strict=True))
    assert sum(w == 0 for w in weight.values()) == 550  # interviewed, not examined
    prandial.build_ngqa(
        tmp_path / "w", root=root, cycles=[CYCLE], per_food=(1, 0, 0), weighted=True
    )
    drawn = [r["person"] for r in rows_of(tmp_path / "w")]
    alike = [r["person"] for r in rows_of(default_build) if r["level"] == "sparse"]
    assert min(weight[p] for p in drawn) > 0
    # people who stand for many are drawn more often than when all are alike
    assert sum(map(weight.get, drawn)) / len(drawn) > 1.2 * sum(map(weight.get, alike)) / len(alike)


BURGER = FoodFacts(
    code=58100100, name="Bean burger", category="Burgers", ingredients=("Beans",),
    tags=("high_sodium", "high_protein"),
)  # fmt: skip
TORN = PersonFacts(person=1, statuses=("High protein diet", "Renal/Kidney diet"))


def test_a_renal_and_a_high_protein_diet():
    repaired = gold_of_facts(BURGER, TORN, rules="default")
    assert repaired.conflicts == ("protein",)
    assert "high_protein" not in repaired.tags
    assert repaired.verdict == "No"  # sodium alone speaks, and against
    assert "protein" in repaired.sentence
    published = gold_of_facts(BURGER, TORN, rules="as-published")
    assert (published.verdict, published.tags) == ("Yes", ("high_protein",))  # high overwrites


def test_conflicts_are_shown_and_not_counted(default_build):
    """In a real build: every row whose person's needs clash says so."""
    clashing = 0
    for row in rows_of(default_build):
        clash = {n for n, sides in wanted(row["statuses"], "default").items() if len(sides) == 2}
        assert set(row["conflicts"]) == clash
        assert not clash & {t.split("_", 1)[1] for t in row["gold_tags"]}
        if clash:
            clashing += 1
            if clashing == 1:
                shown = prandial.ngqa_show(default_build, row["id"]).to_dict()
                assert set(shown["conflicts"]) == clash
    assert clashing > 0
