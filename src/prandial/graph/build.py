"""Profiles of people, facts of foods and the table of needs become one merged graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.graph.merged import MergedGraph, canonical_graph
from prandial.graph.schema import KINDS, ORDER, RELATIONS, measure_names, unit_of
from prandial.records.people import Profiles, RuleSet
from prandial.records.quiz import FoodFacts
from prandial.tables.rules import NUTRIENT_ORDER, Needs, load_needs
from prandial.truth import Truth

__all__ = ["Eaten", "build_merged"]

_Numbers = npt.NDArray[np.float64]
_Places = npt.NDArray[np.int64]
_TAG_RELATION: Final = {"low": "low in", "high": "high in"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Eaten:
    """Foods eaten, one record a row; grams are NaN where unknown.

    Parameters
    ----------
    seqn, food, day : ndarray of int64, shape (k,)
        Person, food code and recall day (1 or 2).
    grams : ndarray of float64, shape (k,)
    """

    seqn: npt.NDArray[np.int64]
    food: npt.NDArray[np.int64]
    day: npt.NDArray[np.int64]
    grams: _Numbers


@dataclass
class _Edges:
    """Edges gathered as blocks of columns."""

    units: list[str] = field(default_factory=lambda: [""])
    blocks: list[tuple[_Places, int, _Places, _Numbers, int]] = field(default_factory=list)

    def add(
        self,
        source: _Places | Sequence[int],
        relation: str,
        target: _Places | Sequence[int] | int,
        value: _Numbers | Sequence[float] | None = None,
        unit: str = "",
    ) -> None:
        sources = np.asarray(source, dtype=np.int64)
        values = np.full(len(sources), np.nan) if value is None else np.asarray(value, np.float64)
        targets = np.broadcast_to(np.asarray(target, dtype=np.int64), sources.shape)
        if unit not in self.units:
            self.units.append(unit)
        place = RELATIONS.index(relation), self.units.index(unit)
        self.blocks.append((sources, place[0], targets, values, place[1]))

    def column(self, part: int) -> npt.NDArray[np.int64]:
        sizes = [len(b[0]) for b in self.blocks]
        return np.repeat(np.array([b[part] for b in self.blocks], dtype=np.int64), sizes)


@dataclass
class _Nodes:
    """Nodes gathered in order of appearance."""

    kind: list[int] = field(default_factory=list)
    key: list[str] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    unit: list[str] = field(default_factory=list)
    places: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, kind: str, key: str, label: str | None = None, order: int | None = None) -> int:
        place = self.places.get((kind, key))
        if place is None:
            place = self.places[kind, key] = len(self.key)
            self.kind.append(KINDS.index(kind))
            self.key.append(key)
            self.label.append(key if label is None else label)
            self.value.append(np.nan if order is None else order)
            self.unit.append("" if order is None else ORDER)
        return place

    def add_people(self, seqn: npt.NDArray[np.int64]) -> _Places:
        first = len(self.key)
        keys = [str(s) for s in seqn.tolist()]
        self.kind += [KINDS.index("person")] * len(keys)
        self.key += keys
        self.label += [f"person {k}" for k in keys]
        self.value += [np.nan] * len(keys)
        self.unit += [""] * len(keys)
        return np.arange(first, first + len(keys))


def build_merged(
    profiles: Profiles,
    foods: Sequence[FoodFacts],
    *,
    rules: RuleSet | None = None,
    eaten: Eaten | None = None,
    measures: Mapping[str, _Numbers] | None = None,
    unknown_habits: bool = False,
) -> MergedGraph:
    """Build the merged graph; the order of people and foods does not matter.

    Parameters
    ----------
    profiles : Profiles
        A status that is unknown gets the edge ``unknown whether has``; no edge means no.
    foods : sequence of FoodFacts
    rules : {'as-published', 'default'}, optional
        Rule set of the needs; by default the one of the profiles.
    eaten : Eaten, optional
        Records of people or foods that are not in the graph are left out; amounts of one
        food on one day are added up (unknown if one of them is).
    measures : mapping of str to ndarray of float64, shape (people,), optional
        Values by house name; such as :func:`~prandial.graph.measure_names` lists; by default
        the columns of the people table among those. A missing value makes no edge.
    unknown_habits : bool
        Whether unknown habits get edges too.

    Raises
    ------
    InputError
        When a person or food comes twice, a measure or nutrient has no unit in the codings
        table, or a recall day is neither 1 nor 2.
    """
    needs = load_needs(rules or profiles.rules)
    nodes, edges = _Nodes(), _Edges()
    people = nodes.add_people(profiles.people.seqn)
    _add_needs(nodes, edges, needs)
    _add_people(nodes, edges, people, profiles, needs, unknown_habits=unknown_habits)
    _add_measures(nodes, edges, people, _measures(profiles) if measures is None else measures)
    for facts in foods:
        _add_food(nodes, edges, facts)
    if eaten is not None:
        _add_eaten(nodes, edges, profiles.people.seqn, people, eaten)
    return canonical_graph(
        kind=nodes.kind,
        key=nodes.key,
        label=nodes.label,
        value=np.array(nodes.value, dtype=np.float64),
        unit=nodes.unit,
        source=_joined(b[0] for b in edges.blocks),
        relation=edges.column(1),
        target=_joined(b[2] for b in edges.blocks),
        edge_value=np.concatenate([b[3] for b in edges.blocks]) if edges.blocks else np.zeros(0),
        edge_unit=edges.column(4),
        edge_units=edges.units,
    )


def _joined(parts: Iterable[_Places]) -> _Places:
    held = list(parts)
    return np.concatenate(held) if held else np.zeros(0, dtype=np.int64)


def _add_needs(nodes: _Nodes, edges: _Edges, needs: Needs) -> None:
    for place, (status, tags) in enumerate(needs.tags.items()):
        source = nodes.add(needs.kinds[status], status, order=place)
        for order, tag in enumerate(tags):
            target = _add_tag(nodes, edges, tag)
            edges.add([source], "needs", target, [order], ORDER)
            rule = nodes.add("rule", f"{needs.rules}/{status}/{tag}", needs.sources[status, tag])
            edges.add([source], "by rule", rule)
            edges.add([rule], "asks for", target)


def _add_tag(nodes: _Nodes, edges: _Edges, tag: str) -> int:
    if ("tag", tag) in nodes.places:
        return nodes.places["tag", tag]
    direction, _, nutrient = tag.partition("_")
    if direction not in _TAG_RELATION:
        raise InputError(
            f"{tag!r} is no nutrition tag", where="tags", hint="a tag is low_ or high_ + nutrient"
        )
    place = nodes.add("tag", tag)
    edges.add([place], _TAG_RELATION[direction], _add_nutrient(nodes, nutrient))
    return place


def _add_nutrient(nodes: _Nodes, nutrient: str) -> int:
    if unit_of("nutrient", nutrient) is None:
        raise InputError(
            f"{nutrient!r} is no nutrient of the tags",
            where="nutrients",
            hint="known: " + ", ".join(NUTRIENT_ORDER),
        )
    return nodes.add("nutrient", nutrient, order=NUTRIENT_ORDER.index(nutrient))


def _add_people(
    nodes: _Nodes,
    edges: _Edges,
    people: _Places,
    profiles: Profiles,
    needs: Needs,
    *,
    unknown_habits: bool,
) -> None:
    cycles, which = np.unique(profiles.people.cycle, return_inverse=True)
    places = np.array([nodes.add("cycle", str(c)) for c in cycles], dtype=np.int64)
    if len(people):
        edges.add(people, "surveyed in", places[which])
    for status, truth in profiles.statuses.items():
        target = nodes.add(needs.kinds.get(status, "condition"), status)
        edges.add(people[truth == Truth.YES], "has", target)
        edges.add(people[truth == Truth.UNKNOWN], "unknown whether has", target)
    for order, (habit, truth) in enumerate(profiles.habits.items()):
        target = nodes.add("habit", habit, order=order)
        edges.add(people[truth == Truth.YES], "has", target)
        if unknown_habits:
            edges.add(people[truth == Truth.UNKNOWN], "unknown whether has", target)


def _measures(profiles: Profiles) -> dict[str, _Numbers]:
    return {n: profiles.people[n] for n in measure_names() if n in profiles.people.values}


def _add_measures(
    nodes: _Nodes, edges: _Edges, people: _Places, measures: Mapping[str, _Numbers]
) -> None:
    for name, values in measures.items():
        unit = unit_of("measure", name)
        if unit is None:
            raise InputError(
                f"the measure {name!r} has no unit in the codings table",
                where="measures",
                hint="known: " + ", ".join(measure_names()),
            )
        known_values = ~np.isnan(values)
        edges.add(
            people[known_values], "measured", nodes.add("measure", name), values[known_values], unit
        )


def _add_food(nodes: _Nodes, edges: _Edges, facts: FoodFacts) -> None:
    if ("food", str(facts.code)) in nodes.places:
        raise InputError(f"food {facts.code} is there twice", where="foods", hint="give it once")
    food = nodes.add("food", str(facts.code), facts.name)
    edges.add([food], "in category", nodes.add("category", facts.category))
    inside = [nodes.add("ingredient", i) for i in facts.ingredients]
    edges.add([food] * len(inside), "contains", inside, range(len(inside)), ORDER)
    tags = [_add_tag(nodes, edges, t) for t in facts.tags]
    edges.add([food] * len(tags), "carries", tags)
    amounts = {**facts.per_100g, **dict.fromkeys(facts.unknown, np.nan)}
    for nutrient, amount in amounts.items():
        target = _add_nutrient(nodes, nutrient)
        edges.add([food], "provides", target, [amount], unit_of("nutrient", nutrient) or "")


def _add_eaten(
    nodes: _Nodes, edges: _Edges, seqn: npt.NDArray[np.int64], people: _Places, eaten: Eaten
) -> None:
    if not np.isin(eaten.day, (1, 2)).all():
        raise InputError("a recall day is neither 1 nor 2", where="eaten", hint="days are 1 and 2")
    codes = [(int(k), p) for (kind, k), p in nodes.places.items() if kind == "food"]
    if not (codes and len(people) and len(eaten.seqn)):
        return
    code = np.array([c for c, _ in codes], dtype=np.int64)
    who, known_who = _look_up(seqn, people, eaten.seqn)
    what, known_what = _look_up(code, np.array([p for _, p in codes], np.int64), eaten.food)
    known = known_who & known_what
    packed = (who * len(nodes.key) + what) * 2 + eaten.day - 1
    groups, which = np.unique(packed[known], return_inverse=True)
    # sorted first, so that sums do not depend on the order of the records
    order = np.lexsort((eaten.grams[known], which))
    grams = np.bincount(which[order], weights=eaten.grams[known][order], minlength=len(groups))
    for day in (1, 2):
        on = groups % 2 == day - 1
        pair = groups[on] // 2
        edges.add(
            pair // len(nodes.key), f"ate on day {day}", pair % len(nodes.key), grams[on], "g"
        )


def _look_up(
    keys: npt.NDArray[np.int64], places: _Places, wanted: npt.NDArray[np.int64]
) -> tuple[_Places, npt.NDArray[np.bool_]]:
    order = np.argsort(keys, kind="stable")
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return places[order][at], keys[order][at] == wanted
