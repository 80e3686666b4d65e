"""What the graph says for and against a food for a person, read from its edges alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from prandial.graph.merged import MergedGraph
from prandial.graph.query import neighbours

__all__ = ["Evidence", "Need", "evidence"]

Outcome = Literal["match", "contradict", "unknown", "untagged"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """One need of a person and what the food says to it.

    Parameters
    ----------
    status, tag, nutrient, direction : str
        Such as hypertension, low_sodium, sodium, low.
    rule, source : str
        Key of the rule and where it comes from.
    outcome : {'match', 'contradict', 'unknown', 'untagged'}
        ``unknown`` when the food's amount is unknown, ``untagged`` when it is neither low nor
        high.
    food_tag : str
        The food's tag on that nutrient, empty if it has none.
    amount : float
        Per 100 g, in ``unit`` (UCUM); NaN where unknown or not given.
    unit : str
    """

    status: str
    tag: str
    nutrient: str
    direction: str
    rule: str
    source: str
    outcome: Outcome
    food_tag: str
    amount: float
    unit: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """All needs of a person before one food.

    Parameters
    ----------
    person : int
    food : int
    needs : tuple of Need
        In the order of the statuses and of their needs.
    unknown_statuses : tuple of str
        What the person may have: needs of these are not among ``needs``.
    conflicts : tuple of str
        Nutrients needed both low and high.
    order : tuple of str
        The nutrients that are needed, in the order of gold answers.
    """

    person: int
    food: int
    needs: tuple[Need, ...]
    unknown_statuses: tuple[str, ...]
    conflicts: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def unknowns(self) -> tuple[str, ...]:
        """Needed nutrients of which the food's amount is unknown."""
        return self._nutrients("unknown")

    @property
    def rules(self) -> tuple[str, ...]:
        """Keys of the rules that decide: those of matches and contradictions."""
        return tuple(n.rule for n in self.needs if n.outcome in ("match", "contradict"))

    def sides(
        self, *, clashes: Literal["high-wins", "set-aside"] = "high-wins"
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the food tags that speak for the food and those against it, one a nutrient.

        Parameters
        ----------
        clashes : {'high-wins', 'set-aside'}
            What to do with a nutrient needed both low and high: the published gold lets high
            overwrite low, else it speaks on neither side.
        """
        found: dict[str, Need] = {}
        for need in self.needs:
            if need.nutrient in self.conflicts and (
                clashes == "set-aside" or need.direction == "low"
            ):
                continue
            found.setdefault(need.nutrient, need)
        told = [found[n] for n in self.order if n in found]
        return (
            tuple(n.food_tag for n in told if n.outcome == "match"),
            tuple(n.food_tag for n in told if n.outcome == "contradict"),
        )

    def _nutrients(self, outcome: Outcome) -> tuple[str, ...]:
        held = {n.nutrient for n in self.needs if n.outcome == outcome}
        return tuple(n for n in self.order if n in held)


def evidence(graph: MergedGraph, person: int, food: int) -> Evidence:
    """Return what follows from the graph for a person and a food.

    Parameters
    ----------
    graph : MergedGraph
    person : int
        NHANES respondent number.
    food : int
        FNDDS code.

    Raises
    ------
    NotFoundError
        When either is not in the graph.
    """
    who, what = graph.node("person", person), graph.node("food", food)
    carried = {}
    for held in neighbours(graph, what, "carries"):
        for about in neighbours(graph, held.node):
            carried[about.node.key] = held.node.key
    amounts = {n.node.key: (n.value, n.unit) for n in neighbours(graph, what, "provides")}
    statuses = sorted(
        (n.node for n in neighbours(graph, who, "has") if n.node.kind in ("condition", "diet")),
        key=lambda n: (n.value, n.key),
    )
    places: dict[str, float] = {}
    needs = []
    for status in statuses:
        rules = {
            asked.node.key: rule.node
            for rule in neighbours(graph, status, "by rule")
            for asked in neighbours(graph, rule.node, "asks for")
        }
        for need in sorted(neighbours(graph, status, "needs"), key=lambda n: n.value):
            (about,) = neighbours(graph, need.node)
            nutrient = about.node.key
            places[nutrient] = about.node.value
            amount, unit = amounts.get(nutrient, (float("nan"), ""))
            tag = carried.get(nutrient, "")
            rule = rules[need.node.key]
            needs.append(
                Need(
                    status=status.key,
                    tag=need.node.key,
                    nutrient=nutrient,
                    direction=about.relation.split()[0],
                    rule=rule.key,
                    source=rule.label,
                    outcome=_outcome(need.node.key, tag, unknown=bool(unit) and amount != amount),
                    food_tag=tag,
                    amount=amount,
                    unit=unit,
                )
            )
    directions = defaultdict(set)
    for n in needs:
        directions[n.nutrient].add(n.direction)
    order = tuple(sorted(places, key=lambda n: places[n]))
    return Evidence(
        person=int(who.key),
        food=int(what.key),
        needs=tuple(needs),
        unknown_statuses=tuple(
            n.node.key
            for n in sorted(
                neighbours(graph, who, "unknown whether has"),
                key=lambda n: (n.node.value, n.node.key),
            )
            if n.node.kind in ("condition", "diet")
        ),
        conflicts=tuple(n for n in order if len(directions[n]) > 1),
        order=order,
    )


def _outcome(needed: str, tag: str, *, unknown: bool) -> Outcome:
    if tag:
        return "match" if tag == needed else "contradict"
    return "unknown" if unknown else "untagged"
