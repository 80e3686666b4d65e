"""The graph of everything at hand, or of some people and foods, written for other tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from prandial import graph, survey
from prandial.bench.ngqa.inputs import (
    DEMO_PEOPLE,
    Roots,
    cycles_with,
    read_facts,
    read_foods,
    read_people,
)
from prandial.errors import InputError, NotFoundError
from prandial.records import Profiles

if TYPE_CHECKING:
    from prandial.graph.export import Form
    from prandial.records.people import RuleSet

__all__ = ["chosen_people", "export_graph", "graph_measures"]


def export_graph(
    output: Path,
    *,
    form: Form,
    roots: Roots,
    rules: RuleSet,
    cycles: Sequence[str] | None = None,
    demo: bool = False,
    only_people: Sequence[int] | None = None,
    only_foods: Sequence[int] | None = None,
    replace: bool = False,
) -> dict[str, Any]:
    """Build the merged graph and write it in one form.

    Parameters
    ----------
    output : Path
        File, or folder for forms of several files.
    form : {'turtle', 'graphml', 'neo4j', 'parquet'}
    roots, rules, cycles, demo
        As for :func:`prandial.bench.ngqa.build_ngqa`.
    only_people, only_foods : sequence of int, optional
        All when None.
    replace : bool
        Write over what is there.

    Raises
    ------
    NotFoundError
        On a person or food that is not there.
    InputError
        When the output is there already, and not to be replaced.
    """
    if not replace and (output.is_file() or (output.is_dir() and any(output.iterdir()))):
        raise InputError(
            "something is there already", where=str(output), hint="name another, or add --replace"
        )
    if only_people is not None and cycles is None and not demo:
        cycles = cycles_with(only_people, roots)
    people = read_people(roots, rules=rules, cycles=cycles, demo=DEMO_PEOPLE if demo else None)
    if only_foods is None:
        foods = read_foods(roots, rules=rules, cycles=people.cycles)
        facts, notes = foods.facts, foods.notes
    else:
        every, note = read_facts(roots, rules=rules, cycles=people.cycles)
        by_code = {f.code: f for f in every}
        _refuse_absent(only_foods, by_code, "food", "prandial foods search finds codes")
        facts, notes = tuple(by_code[c] for c in sorted(set(only_foods))), (note,)
    profiles = people.profiles
    if only_people is not None:
        profiles = chosen_people(profiles, only_people)
    made = graph.build_merged(profiles, facts, measures=graph_measures(profiles))
    files = graph.export_graph(made, output, form)
    return {
        "form": form,
        "nodes": len(made.key),
        "edges": len(made.source),
        "people": len(profiles),
        "foods": len(facts),
        "content_hash": made.content_hash,
        "files": [str(f) for f in files],
        "notes": [*people.notes, *notes],
    }


def _refuse_absent(wanted: Sequence[int], there: Any, what: str, hint: str) -> None:
    for number in wanted:
        if number not in there:
            raise NotFoundError(f"no {what} {number} is at hand", where=what, hint=hint)


def chosen_people(profiles: Profiles, seqn: Sequence[int]) -> Profiles:
    """Return the profiles of some people only, in the order of the table.

    Raises
    ------
    NotFoundError
        On a number that nobody has.
    """
    numbers = profiles.people.seqn
    _refuse_absent(
        seqn,
        set(numbers.tolist()),
        "person",
        "prandial data list shows the cycles; people of 2017-2018 and of 2017-2020 cannot be had"
        " together",
    )
    return survey.pick_profiles(profiles, np.flatnonzero(np.isin(numbers, list(seqn))))


def graph_measures(profiles: Profiles) -> dict[str, npt.NDArray[np.float64]]:
    """Return the measures that the graph carries, derived ones (means, eGFR) among them."""
    derived = survey.derive(profiles.people, profiles.rules)
    return {name: derived[name] for name in graph.measure_names() if name in derived}
