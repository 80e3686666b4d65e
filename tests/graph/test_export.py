"""Each form reads back equal, hostile names and all; damage is named."""

from __future__ import annotations

import csv
from pathlib import Path

import networkx as nx
import numpy as np
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.graph.conftest import HOSTILE, amounts, names, profiles, worlds

from prandial.errors import (
    ChecksumError,
    InputError,
    MissingDataError,
    NotFoundError,
    PrandialError,
    SchemaError,
)
from prandial.graph import (
    FORMS,
    KINDS,
    RELATIONS,
    MergedGraph,
    build_merged,
    canonical_graph,
    codings,
    excerpt,
    export_graph,
    import_graph,
    load_graph,
    save_graph,
)
from prandial.graph.schema import unit_of
from prandial.records.quiz import FoodFacts
from prandial.tables.rules import NUTRIENT_ORDER, load_needs, read_rules

SETTINGS = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@st.composite
def any_graphs(draw: st.DrawFn) -> MergedGraph:
    """Graphs that no build makes: any edge between any nodes, parallel ones too."""
    ids = draw(st.lists(st.tuples(st.integers(0, len(KINDS) - 1), names), unique=True, max_size=6))
    n = len(ids)
    node = st.integers(0, max(n - 1, 0))
    edge = st.tuples(
        node,
        st.integers(0, len(RELATIONS) - 1),
        node,
        st.sampled_from([np.nan, 0.0, -1.5, 0.1]),
        st.integers(0, 2),
    )
    edges = draw(st.lists(edge, max_size=12 if n else 0))
    columns = [np.array([e[i] for e in edges], dtype=np.int64) for i in (0, 1, 2, 4)]
    return canonical_graph(
        kind=[k for k, _ in ids],
        key=[key for _, key in ids],
        label=[draw(names) for _ in ids],
        value=np.array([draw(amounts) for _ in ids], dtype=np.float64),
        unit=[draw(st.sampled_from(["", "g", "mm[Hg]"])) for _ in ids],
        source=columns[0],
        relation=columns[1],
        target=columns[2],
        edge_value=np.array([e[3] for e in edges], dtype=np.float64),
        edge_unit=columns[3],
        edge_units=["", "g", "{order}"],
    )


def place(tmp: Path, form: str) -> Path:
    return tmp / f"graph.{form}"


@pytest.mark.parametrize("form", FORMS)
@SETTINGS
@given(graph=any_graphs())
def test_any_graph_reads_back_equal(tmp_path: Path, form, graph) -> None:
    export_graph(graph, place(tmp_path, form), form)
    again = import_graph(place(tmp_path, form), form)
    assert again == graph
    assert again.content_hash == graph.content_hash


@pytest.mark.parametrize("form", FORMS)
@settings(SETTINGS, max_examples=8)
@given(world=worlds())
def test_a_built_graph_reads_back_equal(tmp_path: Path, form, world) -> None:
    graph = build_merged(*world)
    export_graph(graph, place(tmp_path, form), form)
    assert import_graph(place(tmp_path, form), form) == graph


@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_and_the_empty_graph(tmp_path: Path, form) -> None:
    foods = [
        FoodFacts(code=i + 1, name=n, category=n, ingredients=(n, *HOSTILE), tags=())
        for i, n in enumerate(HOSTILE)
    ]
    graph = build_merged(profiles([5], {}, {h: [1] for h in HOSTILE}), foods)
    export_graph(graph, place(tmp_path, form), form)
    assert import_graph(place(tmp_path, form), form) == graph
    empty = graph.induced(np.zeros(len(graph), dtype=np.bool_))
    export_graph(empty, tmp_path / "empty", form)
    assert len(import_graph(tmp_path / "empty", form)) == 0


@pytest.mark.parametrize("form", FORMS)
def test_the_same_graph_gives_the_same_bytes(tmp_path: Path, form, graph) -> None:
    one = export_graph(graph, tmp_path / "one", form)
    two = export_graph(graph, tmp_path / "two", form)
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]


@pytest.mark.parametrize("form", FORMS)
def test_an_excerpt_can_be_exported(tmp_path: Path, form, graph) -> None:
    export_graph(graph, place(tmp_path, form), form, people=[99999])
    assert import_graph(place(tmp_path, form), form) == excerpt(graph, [99999])
    with pytest.raises(NotFoundError):
        export_graph(graph, place(tmp_path, form), form, people=[7])


def test_graphml_is_plain_networkx(tmp_path: Path, graph) -> None:
    export_graph(graph, tmp_path / "g.graphml", "graphml")
    made = nx.read_graphml(tmp_path / "g.graphml")
    assert made.is_multigraph()
    assert made.number_of_nodes() == len(graph)
    assert made.number_of_edges() == graph.n_edges
    named = {d["key"]: n for n, d in made.nodes(data=True)}
    (edge,) = made.get_edge_data(named["58100100"], named["sodium"]).values()
    assert edge == {"relation": "provides", "value": 410.5, "unit": "mg"}
    (unknown,) = made.get_edge_data(named["1100"], named["sodium"]).values()
    assert unknown == {"relation": "provides", "unit": "mg"}


def test_turtle_answers_sparql_in_standard_words(tmp_path: Path, graph) -> None:
    export_graph(graph, tmp_path / "g.ttl", "turtle")
    store = ox.Store()
    store.load(path=str(tmp_path / "g.ttl"), format=ox.RdfFormat.TURTLE)
    rows = store.query(
        """PREFIX schema: <https://schema.org/> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        PREFIX obo: <http://purl.obolibrary.org/obo/>
        SELECT ?name ?sodium ?size WHERE {
          ?food a obo:FOODON_00001002 ; skos:prefLabel ?name ; schema:nutrition ?n .
          ?n a schema:NutritionInformation ; schema:sodiumContent ?sodium ; schema:servingSize ?size
        }"""
    )
    assert [[v.value for v in row] for row in rows] == [["Burrito with beef", "410.5 mg", "100 g"]]
    rows = store.query(
        """PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        PREFIX p: <urn:prandial:schema:> PREFIX prov: <http://www.w3.org/ns/prov#>
        SELECT ?code ?tag ?source WHERE {
          <urn:prandial:person:100001> p:has ?status . ?status skos:closeMatch ?code .
          ?status p:byRule ?rule . ?rule p:asksFor ?tag ; prov:hadPrimarySource ?source .
          FILTER(STRSTARTS(STR(?code), "http://snomed.info/id/"))
        }"""
    )
    ((code, tag, source),) = list(rows)
    assert code.value == "http://snomed.info/id/38341003"
    assert tag.value == "urn:prandial:tag:low_sodium"
    assert source.value.startswith("urn:prandial:source:NGQA%20paper")


def test_neo4j_has_import_headers_and_no_formulas(tmp_path: Path) -> None:
    foods = [FoodFacts(code=1, name="=1+1", category="@c", ingredients=(), tags=())]
    graph = build_merged(profiles([5], {}), foods)
    nodes, edges = export_graph(graph, tmp_path, "neo4j")
    with nodes.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == [
        "id:ID",
        "key:string",
        "label:string",
        "value:double",
        "unit:string",
        ":LABEL",
    ]
    assert len({r[0] for r in rows[1:]}) == len(graph)
    assert {r[5] for r in rows[1:]} <= {k.capitalize() for k in KINDS}
    assert not any(cell[:1] in "=+-@\t\r" for r in rows[1:] for cell in r[:3] if cell)
    with edges.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == [":START_ID", ":END_ID", ":TYPE", "value:double", "unit:string"]
    assert {"IN_CATEGORY", "NEEDS"} <= {r[2] for r in rows[1:]}


def test_damage_is_named(tmp_path: Path, graph) -> None:
    save_graph(graph, tmp_path / "kept")
    assert load_graph(tmp_path / "kept") == graph
    card = tmp_path / "kept" / "graph.card.json"
    card.write_text(card.read_text("utf-8").replace(graph.content_hash, "0" * 64), "utf-8")
    with pytest.raises(ChecksumError):
        load_graph(tmp_path / "kept")
    card.unlink()
    with pytest.raises(MissingDataError):
        load_graph(tmp_path / "kept")
    for form in ("graphml", "turtle"):
        bad = tmp_path / f"bad.{form}"
        bad.write_text("<html>not found</html", "utf-8")
        with pytest.raises(SchemaError):
            import_graph(bad, form)
        with pytest.raises(MissingDataError):
            import_graph(tmp_path / "nowhere", form)
    export_graph(graph, tmp_path / "neo", "neo4j")
    for text in ("a,b\n", "id:ID\n", '"unclosed'):
        (tmp_path / "neo" / "nodes.csv").write_text(text, "utf-8")
        with pytest.raises(SchemaError):
            import_graph(tmp_path / "neo", "neo4j")
    (tmp_path / "kept" / "graph.card.json").write_text('{"content_hash": ""}', "utf-8")
    (tmp_path / "kept" / "edges.parquet").write_bytes(b"PAR1")
    with pytest.raises(SchemaError):
        load_graph(tmp_path / "kept")
    with pytest.raises(InputError):
        export_graph(graph, tmp_path / "x", "xlsx")
    with pytest.raises(PrandialError):
        export_graph(graph, tmp_path, "graphml")


def test_codings_are_of_names_that_exist() -> None:
    statuses = {s: k for r in ("as-published", "default") for s, k in load_needs(r).kinds.items()}
    for coding in codings():
        assert coding.match in ("exact", "close", "broad", "narrow")
        assert coding.source
        if coding.kind in ("condition", "diet"):
            assert statuses[coding.name] == coding.kind
        if coding.kind == "nutrient":
            assert coding.name in NUTRIENT_ORDER
    listed = {r["name"] for r in read_rules("codings")}
    assert set(statuses) <= listed
    assert all(unit_of("nutrient", n) for n in NUTRIENT_ORDER)


def check_digit_snomed(code: str) -> bool:
    """Verhoeff, as the SNOMED CT release format guide (section 5.5) prescribes."""
    d = [[(i + j) % 5 if i < 5 and j < 5 else 0 for j in range(10)] for i in range(10)]
    for i in range(10):
        for j in range(10):
            if i < 5:
                d[i][j] = (i + j) % 5 if j < 5 else 5 + (i + j - 5) % 5
            else:
                d[i][j] = 5 + (i - 5 - j) % 5 if j < 5 else (i - j) % 5
    p = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
    for i in range(2, 8):
        p.append([p[i - 1][p[1][j]] for j in range(10)])
    total = 0
    for i, digit in enumerate(reversed(code)):
        total = d[total][p[i % 8][int(digit)]]
    return total == 0


def check_digit_loinc(code: str) -> bool:
    """Luhn modulo 10, as the LOINC users' guide prescribes."""
    number, _, check = code.partition("-")
    total = 0
    for i, digit in enumerate(reversed(number)):
        doubled = int(digit) * (2 if i % 2 == 0 else 1)
        total += doubled // 10 + doubled % 10
    return (10 - total % 10) % 10 == int(check)


def test_codes_have_right_check_digits() -> None:
    held = codings()
    snomed = [c.code for c in held if c.system == "SNOMED CT"]
    loinc = [c.code for c in held if c.system == "LOINC"]
    assert len(snomed) >= 10
    assert len(loinc) >= 10
    assert [c for c in snomed if not check_digit_snomed(c)] == []
    assert [c for c in loinc if not check_digit_loinc(c)] == []
    assert not check_digit_snomed("38341004")
    assert not check_digit_loinc("8480-5")
