"""The merged graph: what is in it, its order and hash, and that queries agree with the inputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.conftest import profiles, worlds

from prandial.errors import InputError, NotFoundError
from prandial.graph import (
    RELATIONS,
    Eaten,
    MergedGraph,
    build_merged,
    canonical_graph,
    excerpt,
    find,
    neighbours,
    paths,
    people_with,
    subgraph,
    triples,
)
from prandial.records.people import PeopleTable, Profiles
from prandial.records.quiz import FoodFacts


def reordered(made: Profiles, order: list[int]) -> Profiles:
    people = PeopleTable(
        cycle=made.people.cycle[order],
        seqn=made.people.seqn[order],
        values={k: v[order] for k, v in made.people.values.items()},
    )
    return replace(
        made,
        people=people,
        statuses={k: v[order] for k, v in made.statuses.items()},
        habits={k: v[order] for k, v in made.habits.items()},
    )


@settings(max_examples=40, deadline=None)
@given(world=worlds(), data=st.data())
def test_hash_does_not_depend_on_the_order_of_people_and_foods(world, data) -> None:
    made, foods = world
    first = build_merged(made, foods)
    order = data.draw(st.permutations(range(len(made))))
    again = build_merged(reordered(made, list(order)), data.draw(st.permutations(foods)))
    assert again == first
    assert again.content_hash == first.content_hash


def test_hash_changes_with_one_amount_one_name_and_one_status(people, foods) -> None:
    seen = {build_merged(people, foods).content_hash}
    changed = dict(foods[0].per_100g, carb=20.000001)
    seen.add(build_merged(people, [replace(foods[0], per_100g=changed), foods[1]]).content_hash)
    seen.add(build_merged(people, [replace(foods[0], name="Burrito"), foods[1]]).content_hash)
    other = {**people.statuses, "hypertension": np.array([1, 2, 2], dtype=np.uint8)}
    seen.add(build_merged(replace(people, statuses=other), foods).content_hash)
    assert len(seen) == 4


def test_yes_and_unknown_are_edges_and_no_is_none(graph) -> None:
    told = {
        (graph.node("person", p).key, n.relation, n.node.key)
        for p in (99998, 99999, 100001)
        for n in neighbours(graph, graph.node("person", p))
        if n.node.kind in ("condition", "diet")
    }
    assert told == {
        ("100001", "has", "hypertension"),
        ("100001", "has", "Weight gain/Muscle building diet"),
        ("99998", "has", "Renal/Kidney diet"),
        ("99998", "has", "High protein diet"),
        ("99999", "unknown whether has", "hypertension"),
    }


def test_amounts_measures_and_ingredients(graph) -> None:
    burrito = graph.node("food", 58100100)
    amounts = {n.node.key: (n.value, n.unit) for n in neighbours(graph, burrito, "provides")}
    assert amounts["sodium"] == (410.5, "mg")
    assert amounts["sugar"] == (8.0, "g")
    assert np.isnan(amounts["calorie"][0])
    assert amounts["calorie"][1] == "kcal"
    listed = sorted((n.value, n.node.label) for n in neighbours(graph, burrito, "contains"))
    assert listed == [(0, "Beef, ground"), (1, "Tortilla"), (2, "Beef, ground")]
    (bmi,) = neighbours(graph, graph.node("person", 100001), "measured")
    assert (bmi.node.key, bmi.value, bmi.unit) == ("bmi_kg_m2", 31.5, "kg/m2")
    assert neighbours(graph, graph.node("person", 99998), "measured") == []


def test_no_edge_is_a_verdict(graph) -> None:
    assert not {"match", "contradict", "need"} & set(RELATIONS)
    ends = {
        (graph.at(int(s)).kind, graph.at(int(t)).kind)
        for s, t in zip(graph.source, graph.target, strict=True)
    }
    assert ("person", "food") not in ends
    assert ("person", "tag") not in ends


def test_nodes_and_edges_are_sorted_and_read_only(graph) -> None:
    keys = [int(graph.key[i]) for i in graph.of_kind("person")]
    assert keys == [99998, 99999, 100001]
    columns = (graph.source, graph.relation, graph.target)
    rows = list(zip(*(c.tolist() for c in columns), strict=True))
    assert rows == sorted(rows)
    with pytest.raises(ValueError):
        graph.source[0] = 1


@settings(max_examples=30, deadline=None)
@given(world=worlds())
def test_adjacency_both_ways_is_the_list_of_edges(world) -> None:
    graph = build_merged(*world)
    for i in range(len(graph)):
        assert graph.out_edges(i).tolist() == np.flatnonzero(graph.source == i).tolist()
        assert graph.in_edges(i).tolist() == np.flatnonzero(graph.target == i).tolist()


def test_eaten_foods_are_added_up_by_day(people, foods) -> None:
    eaten = Eaten(
        seqn=np.array([99998, 99998, 99998, 5, 99999, 99999]),
        food=np.array([1100, 1100, 1100, 1100, 7, 1100]),
        day=np.array([1, 1, 2, 1, 1, 2]),
        grams=np.array([100.0, 50.5, 30.0, 1.0, 2.0, np.nan]),
    )
    graph = build_merged(people, foods, eaten=eaten)
    soup = graph.node("food", 1100)
    told = [(n.node.key, n.relation, n.value, n.unit) for n in neighbours(graph, soup, None, "in")]
    assert told[:2] == [
        ("99998", "ate on day 1", 150.5, "g"),
        ("99998", "ate on day 2", 30.0, "g"),
    ]
    assert told[2][:2] == ("99999", "ate on day 2")
    assert np.isnan(told[2][2])
    assert len(told) == 3
    with pytest.raises(InputError):
        build_merged(people, foods, eaten=replace(eaten, day=np.array([1, 1, 2, 1, 1, 3])))


@given(order=st.permutations(range(3)))
def test_sums_of_grams_do_not_depend_on_the_order_of_records(order) -> None:
    # sums of such numbers depend on their order
    grams = np.array([0.1, 0.2, 0.3])[list(order)]
    one = np.ones(3, dtype=np.int64)
    eaten = Eaten(seqn=one, food=one, day=one, grams=grams)
    food = FoodFacts(code=1, name="x", category="c", ingredients=(), tags=())
    graph = build_merged(profiles([1], {}), [food], eaten=eaten)
    (ate,) = neighbours(graph, graph.node("food", 1), "ate on day 1", "in")
    assert ate.value == (0.1 + 0.2) + 0.3


def test_equal_edges_are_one() -> None:
    def made(values: list[float]) -> MergedGraph:
        same = np.zeros(len(values), dtype=np.int64)
        return canonical_graph(
            kind=[0],
            key=["1"],
            label=["one"],
            value=np.array([np.nan]),
            unit=[""],
            source=same,
            relation=same,
            target=same,
            edge_value=np.array(values),
            edge_unit=same,
            edge_units=[""],
        )

    assert made([np.nan, 2.0, np.nan, 2.0, 1.0]).edge_value.tolist()[:2] == [1.0, 2.0]
    assert made([np.nan, 2.0, np.nan, 2.0, 1.0]).n_edges == 3


def test_people_with_agrees_with_the_columns(people, graph) -> None:
    assert people_with(graph, "Renal/Kidney diet", "High protein diet").tolist() == [99998]
    assert people_with(graph, "hypertension").tolist() == [100001]
    unknown = people_with(graph, "hypertension", relation="unknown whether has")
    assert unknown.tolist() == [99999]
    assert people_with(graph, "Eats lots of fish").tolist() == [100001]
    with pytest.raises(NotFoundError) as caught:
        people_with(graph, "hypertensoin")
    assert "hypertension" in caught.value.hint


def test_unknown_names_are_answered_with_the_nearest(graph) -> None:
    with pytest.raises(NotFoundError) as caught:
        graph.node("person", 99997)
    assert "99998" in caught.value.hint
    with pytest.raises(NotFoundError):
        graph.node("planet", "x")
    with pytest.raises(InputError):
        neighbours(graph, 0, "loves")
    assert find(graph, "burito", "food")[0].key == "58100100"
    assert find(graph, "tortila")[0].kind == "ingredient"


def slow_paths(graph: MergedGraph, start: int, end: int, most: int) -> set[tuple[object, ...]]:
    """All simple paths by trying every edge at every step."""
    found = set()

    def walk(nodes: list[int], steps: list[tuple[int, bool]]) -> None:
        if nodes[-1] == end:
            found.add((*nodes, *steps))
            return
        if len(steps) == most:
            return
        for e in range(graph.n_edges):
            a, b, r = int(graph.source[e]), int(graph.target[e]), int(graph.relation[e])
            for here, there, forward in ((a, b, True), (b, a, False)):
                if here == nodes[-1] and there not in nodes:
                    inner = graph.at(there).kind not in ("person", "food")
                    if inner or there == end:
                        walk([*nodes, there], [*steps, (r, forward)])

    walk([start], [])
    return found


@settings(max_examples=15, deadline=None)
@given(world=worlds(rules="as-published", least=1), most=st.integers(1, 3))
def test_paths_are_those_of_a_search_of_every_edge(world, most) -> None:
    made, foods = world
    graph = build_merged(made, foods)
    person, food = int(made.people.seqn[0]), foods[0].code
    fast = [
        (*(n.place for n in p.nodes), *((RELATIONS.index(r), f) for r, f in p.relations))
        for p in paths(graph, person, food, max_len=most)
    ]
    ends = graph.node("person", person).place, graph.node("food", food).place
    assert len(fast) == len(set(fast))
    assert set(fast) == slow_paths(graph, *ends, most)


def test_a_path_says_why(graph) -> None:
    told = [str(p) for p in paths(graph, 100001, 58100100, max_len=3)]
    assert (
        "person 100001 -[has]-> Weight gain/Muscle building diet -[needs]-> high_protein "
        "<-[carries]- Burrito with beef"
    ) in told


def test_subgraph_holds_one_person_and_all_edges_inside(graph) -> None:
    part = subgraph(graph, 100001, 58100100)
    assert [part.key[i] for i in part.of_kind("person")] == ["100001"]
    assert [part.key[i] for i in part.of_kind("food")] == ["58100100"]
    assert "low_sodium" in part.key
    assert "unknown" in " ".join(triples(part))
    only = subgraph(graph, 100001, 58100100, mode="paths", hops=3)
    assert "Tortilla" not in only.key
    assert "high_protein" in only.key


def test_excerpt_keeps_the_rest(graph) -> None:
    assert excerpt(graph, None) is graph
    one = excerpt(graph, [100001])
    assert len(graph) - len(one) == 2
    assert excerpt(graph, 1).node("person", 99998)
    assert len(excerpt(graph, 0).of_kind("person")) == 0
    with pytest.raises(NotFoundError):
        excerpt(graph, [1])
    with pytest.raises(InputError):
        excerpt(graph, -1)


def test_triples_are_made_from_the_edges(graph) -> None:
    told = triples(graph)
    assert len(told) == graph.n_edges
    assert "(Burrito with beef provides sodium: 410.5 mg)" in told
    assert "(Soup, broth provides sodium: unknown)" in told
    assert "(person 99999 unknown whether has hypertension)" in told
    assert "(Burrito with beef contains Tortilla)" in told


def test_wrong_inputs_are_named(people, foods) -> None:
    with pytest.raises(InputError, match="twice"):
        build_merged(people, [foods[0], foods[0]])
    with pytest.raises(InputError, match="twice"):
        build_merged(profiles([1, 1], {"obesity": [0, 1]}), foods)
    with pytest.raises(InputError, match="no unit"):
        build_merged(people, foods, measures={"shoe_size": np.zeros(3)})
    with pytest.raises(InputError, match="nutrient"):
        build_merged(
            people, [FoodFacts(code=1, name="x", category="c", ingredients=(), tags=("low_gold",))]
        )
    with pytest.raises(InputError, match="no nutrition tag"):
        build_merged(
            people, [FoodFacts(code=1, name="x", category="c", ingredients=(), tags=("much_carb",))]
        )
    with pytest.raises(InputError, match="no export"):
        build_merged(people, [replace(foods[0], name="nul\0")])


def test_a_graph_of_nobody_and_nothing() -> None:
    graph = build_merged(profiles([], {}), [])
    assert len(graph.of_kind("person")) == len(graph.of_kind("food")) == 0
    assert len(graph.of_kind("rule")) == 19
    assert people_with(graph, "obesity").tolist() == []
