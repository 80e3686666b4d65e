"""Right answers: from the facts of food and person, and from the published graph alone.

Rule: every nutrient that a status names and the food is tagged on counts once, for or against;
Yes when more speak for than against, a tie is No. In ``as-published`` a clash of needs goes
to high; in ``default`` such a nutrient is shown as a conflict and not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from prandial.records.quiz import FoodFacts, Gold, PersonFacts, QuestionGraph
from prandial.tables.rules import load_needs
from prandial.tags.judged import judge, low_first
from prandial.tags.needed import needed_by, rule_nutrients, split_tag
from prandial.tags.sentences import plain_sentence, published_sentence, sentence_of

__all__ = [
    "Countings",
    "Reason",
    "countings",
    "gold_of",
    "gold_of_facts",
    "is_tie",
    "reason_paths",
    "reviewed_gold",
    "undecided_needs",
    "unknown_needs",
]

_SIDES: Final = {True: "match", False: "contradict"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Countings:
    """The two ways to count: distinct nutrients, which is the rule, and graph edges."""

    nutrients_for: int
    nutrients_against: int
    edges_for: int
    edges_against: int

    @property
    def by_nutrients(self) -> Literal["Yes", "No"]:
        """Verdict when nutrients are counted."""
        return "Yes" if self.nutrients_for > self.nutrients_against else "No"

    @property
    def by_edges(self) -> Literal["Yes", "No"]:
        """Verdict when edges are counted: a need of two statuses counts twice."""
        return "Yes" if self.edges_for > self.edges_against else "No"

    @property
    def agree(self) -> bool:
        """Whether both give the same verdict."""
        return self.by_nutrients == self.by_edges


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """One path from the person to the food: a status needs a tag and the food has one on it."""

    person: int
    status: str
    needed: str
    food_tag: str
    side: str
    counted: bool

    def texts(self, rules: str = "as-published") -> tuple[str, str, str, str]:
        """Return person, status, needed tag and food tag; ``as-published`` speaks of a user."""
        who = "user" if rules == "as-published" else "person"
        return (f"{who} {self.person}", self.status, self.needed, self.food_tag)


def gold_of_facts(food: FoodFacts, person: PersonFacts, *, rules: str) -> Gold:
    """Return the right answers by the facts; the same in every graph mode.

    Parameters
    ----------
    food : FoodFacts
    person : PersonFacts
    rules : {'as-published', 'default'}

    Raises
    ------
    NotFoundError, InputError
        On a status, tag or rule set that is not known.
    """
    needs = needed_by(person.statuses, rules=rules)
    return _judge(food.tags, needs.directions, needs.conflicts, rules)


def gold_of(graph: QuestionGraph, *, rules: str = "as-published") -> Gold:
    """Return the right answers by a ``published`` graph alone, without any rule table of needs.

    Parameters
    ----------
    graph : QuestionGraph
        With match, contradict and need edges.
    rules : {'as-published', 'default'}
        How to treat clashing needs.
    """
    texts = {node.id: node.attr for node in graph.nodes}
    tags = [n.attr for n in graph.nodes if n.name == "food_nutrition_tag"]
    wanted: dict[str, set[str]] = {}
    for edge in graph.edges:
        if edge.relation in ("match", "need", "contradict"):
            direction, nutrient = split_tag(texts[edge.target])
            if edge.relation == "contradict":
                direction = "low" if direction == "high" else "high"
            wanted.setdefault(nutrient, set()).add(direction)
    order = rule_nutrients(rules)
    conflicts = tuple(n for n in order if len(wanted.get(n, ())) > 1)
    directions = {
        n: ("high",) if rules == "as-published" and n in conflicts else tuple(sorted(wanted[n]))
        for n in order
        if n in wanted
    }
    return _judge(tags, directions, conflicts, rules)


def _judge(
    tags: Iterable[str],
    directions: Mapping[str, tuple[str, ...]],
    conflicts: tuple[str, ...],
    rules: str,
) -> Gold:
    found = judge(tags, directions)
    return Gold(
        verdict=found.verdict,
        tags=found.tags,
        sentence=sentence_of(
            found.verdict, found.matches, found.contradicts, conflicts, rules=rules
        ),
        matches=found.matches,
        contradicts=found.contradicts,
        conflicts=conflicts,
    )


def reviewed_gold(
    food: FoodFacts,
    person: PersonFacts,
    verdict: Literal["Yes", "No"],
    tags: tuple[str, ...],
    *,
    rules: str,
) -> Gold:
    """Return the answers that people decided on, with a sentence by template.

    A tag is on the side where the person's needs put it. One that no single need is about is on
    the side of the verdict, since it was named as a reason for it. Where no tag is on the side
    of the verdict the sentence is the one that names both sides.

    Raises
    ------
    NotFoundError, InputError
        As :func:`gold_of_facts`, or on what is no tag.
    """
    needs = needed_by(person.statuses, rules=rules)
    sides: dict[bool, list[str]] = {True: [], False: []}
    for tag in tags:
        direction, nutrient = split_tag(tag)
        wanted = needs.directions.get(nutrient, ())
        sides[wanted[0] == direction if len(wanted) == 1 else verdict == "Yes"].append(tag)
    matches, contradicts = tuple(sides[True]), tuple(sides[False])
    winning = matches if verdict == "Yes" else contradicts
    if rules == "as-published" and winning:
        sentence = published_sentence(verdict, winning)
    else:
        sentence = plain_sentence(verdict, matches, contradicts)
    return Gold(
        verdict=verdict,
        tags=tags,
        sentence=sentence,
        matches=matches,
        contradicts=contradicts,
        conflicts=gold_of_facts(food, person, rules=rules).conflicts,
    )


def is_tie(gold: Gold) -> bool:
    """Return whether as many tags speak for the food as against it."""
    return len(gold.matches) == len(gold.contradicts)


def countings(food: FoodFacts, person: PersonFacts, *, rules: str) -> Countings:
    """Return both countings of a food and a person.

    Edges count every need of every status, as a reader of the graph would; nutrients
    follow the rule set (see :func:`gold_of_facts`).

    Raises
    ------
    NotFoundError, InputError
        As :func:`gold_of_facts`.
    """
    gold = gold_of_facts(food, person, rules=rules)
    sides = [r.side for r in reason_paths(food, person, rules=rules)]
    return Countings(
        nutrients_for=len(gold.matches),
        nutrients_against=len(gold.contradicts),
        edges_for=sides.count("match"),
        edges_against=sides.count("contradict"),
    )


def reason_paths(food: FoodFacts, person: PersonFacts, *, rules: str) -> tuple[Reason, ...]:
    """Return every path person, status, needed tag, food tag; statuses in the rules' order.

    ``counted`` is False where the rule set leaves the path out of the verdict: a nutrient in
    conflict, or in ``as-published`` a low need that a high one overwrites.

    Raises
    ------
    NotFoundError, InputError
        As :func:`gold_of_facts`.
    """
    needs = needed_by(person.statuses, rules=rules)
    asked = frozenset(rule_nutrients(rules))
    tags = sorted(set(food.tags), key=low_first)
    found = []
    for status, wanted in load_needs(rules).tags.items():
        if status not in person.statuses:
            continue
        for need, tag in ((n, t) for n in wanted for t in tags):
            direction, nutrient = split_tag(need)
            if nutrient not in asked or split_tag(tag)[1] != nutrient:
                continue
            found.append(
                Reason(
                    person=person.person,
                    status=status,
                    needed=need,
                    food_tag=tag,
                    side=_SIDES[need == tag],
                    counted=needs.directions[nutrient] == (direction,),
                )
            )
    return tuple(found)


def unknown_needs(food: FoodFacts, person: PersonFacts, *, rules: str) -> tuple[str, ...]:
    """Return the nutrients that the person needs low or high and whose amount is unknown.

    A verdict that rests on the other nutrients alone is not sure while this is not empty.

    Raises
    ------
    NotFoundError, InputError
        As :func:`gold_of_facts`.
    """
    wanted = needed_by(person.statuses, rules=rules).directions
    return tuple(n for n in wanted if n in food.unknown)


def undecided_needs(food: FoodFacts, person: PersonFacts, *, rules: str) -> tuple[str, ...]:
    """Return the nutrients that the food is tagged on and an unknown status might need.

    A nutrient counts when a status that could not be told would need a tag that is not
    needed anyway, so that the verdict may change once it is known.

    Raises
    ------
    NotFoundError, InputError
        As :func:`gold_of_facts`, also for the unknown statuses.
    """
    sure = needed_by(person.statuses, rules=rules).because
    maybe = needed_by(person.unknown, rules=rules).because
    tagged = {split_tag(tag)[1] for tag in food.tags}
    open_needs = {split_tag(tag)[1] for tag in maybe if tag not in sure}
    return tuple(n for n in rule_nutrients(rules) if n in open_needs & tagged)
