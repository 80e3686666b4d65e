"""Print how long a graph of made-up people takes, and how much memory: python -m tests.graph.speed.

As many people as the survey has in 2003-2020 (95,872) and as many foods as FNDDS (9,260);
numbers are drawn from a fixed seed and mean nothing. Nothing is asserted.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np

from prandial.graph import (
    Eaten,
    build_merged,
    evidence,
    export_graph,
    load_graph,
    paths,
    people_with,
    save_graph,
    subgraph,
)
from prandial.records.people import PeopleTable, Profiles
from prandial.records.quiz import FoodFacts
from prandial.tables.rules import NUTRIENT_ORDER, load_needs

T = TypeVar("T")
PEOPLE, FOODS, HABITS, RECORDS = 95_872, 9_260, 47, 300_000


def timed(name: str, work: Callable[[], T]) -> T:
    start = perf_counter()
    made = work()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:44} {perf_counter() - start:7.2f} s   peak {peak:6.0f} MB")
    return made


def made_up() -> tuple[Profiles, list[FoodFacts], Eaten]:
    rng = np.random.default_rng(1)
    seqn = np.sort(rng.choice(np.arange(21_005, 124_823), PEOPLE, replace=False))
    measures = (
        "bmi_kg_m2",
        "waist_cm",
        "systolic_mean_mmhg",
        "diastolic_mean_mmhg",
        "hba1c_percent",
    )
    values = {
        m: np.where(rng.random(PEOPLE) < 0.3, np.nan, rng.normal(60, 9, PEOPLE)) for m in measures
    }
    people = PeopleTable(
        cycle=np.array([f"{2003 + 2 * i}-{2004 + 2 * i}" for i in range(9)])[
            rng.integers(0, 9, PEOPLE)
        ],
        seqn=seqn,
        values=values,
    )

    def truths(yes: float, unknown: float) -> np.ndarray:
        return rng.choice(3, PEOPLE, p=[1 - yes - unknown, yes, unknown]).astype(np.uint8)

    profiles = Profiles(
        rules="default",
        people=people,
        statuses={s: truths(0.06, 0.12) for s in load_needs("default").tags},
        severity={},
        habits={f"habit {i}": truths(0.12, 0.3) for i in range(HABITS)},
    )
    foods = [
        FoodFacts(
            code=11_000_000 + i,
            name=f"Food {i}",
            category=f"Category {i % 170}",
            ingredients=tuple(f"Ingredient {j}" for j in rng.integers(0, 3000, 8)),
            tags=tuple(f"{('low', 'high')[i % 2]}_{n}" for n in NUTRIENT_ORDER[: 7 + i % 9]),
            unknown=(),
            per_100g={n: float(v) for n, v in zip(NUTRIENT_ORDER, rng.random(16), strict=True)},
        )
        for i in range(FOODS)
    ]
    eaten = Eaten(
        seqn=seqn[rng.integers(0, PEOPLE, RECORDS)],
        food=11_000_000 + rng.integers(0, FOODS, RECORDS),
        day=rng.integers(1, 3, RECORDS),
        grams=rng.random(RECORDS) * 300,
    )
    return profiles, foods, eaten


def main() -> None:
    profiles, foods, eaten = timed("made-up people and foods", made_up)
    graph = timed("build", lambda: build_merged(profiles, foods))
    print(f"{len(graph):,} nodes, {graph.n_edges:,} edges")
    held = sum(
        getattr(graph, c).nbytes
        for c in (
            "source",
            "relation",
            "target",
            "edge_value",
            "edge_unit",
            "kind",
            "value",
            "unit",
        )
    )
    print(f"arrays hold {held / 1e6:.0f} MB")
    timed("hash", lambda: graph.content_hash)
    person, food = int(profiles.people.seqn[7]), foods[3].code
    timed("first evidence (makes the index)", lambda: evidence(graph, person, food))
    timed(
        "1,000 evidences",
        lambda: [evidence(graph, int(p), food) for p in profiles.people.seqn[:1000]],
    )
    timed("people with two statuses", lambda: people_with(graph, "obesity", "hypertension"))
    timed("paths of at most 4", lambda: paths(graph, person, food))
    timed("subgraph, 2 hops", lambda: subgraph(graph, person, food))
    timed("build with foods eaten", lambda: build_merged(profiles, foods, eaten=eaten).n_edges)
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder)
        timed("save", lambda: save_graph(graph, to / "kept"))
        print("equal after loading:", timed("load", lambda: load_graph(to / "kept")) == graph)
        for form in ("graphml", "turtle", "neo4j"):
            files = timed(f"export {form}", lambda f=form: export_graph(graph, to / f, f))
            print(f"  {sum(p.stat().st_size for p in files) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
