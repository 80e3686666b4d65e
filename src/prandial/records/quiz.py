"""Records of questions over a graph: facts of a food and a person, nodes, edges, gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "Edge",
    "FoodFacts",
    "Gold",
    "GraphMode",
    "Level",
    "Node",
    "PersonFacts",
    "QuestionGraph",
    "QuizRow",
]

#: ``published`` holds verdict edges, ``no-verdict`` amounts instead, ``merged`` is one graph of all
GraphMode = Literal["published", "no-verdict", "merged"]
#: question level; the published file calls them easy, medium and hard
Level = Literal["sparse", "standard", "complex"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FoodFacts:
    """What a question needs to know of a food.

    Parameters
    ----------
    code : int
        FNDDS food code, 8 digits.
    name, category : str
        FNDDS description and WWEIA category.
    ingredients : tuple of str
        Descriptions in file order.
    tags : tuple of str
        Tags that hold, such as ``low_carb``, in the order of the nutrients.
    unknown : tuple of str
        Nutrients whose value is unknown, so that neither tag can be told.
    per_100g : mapping of str to float
        Amount by tag nutrient (``carb``, ``sodium``, ...); NaN unknown.
    """

    code: int
    name: str
    category: str
    ingredients: tuple[str, ...]
    tags: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    per_100g: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonFacts:
    """What a question needs to know of a person: statuses and habits that hold, in order.

    ``unknown`` names the statuses that could not be told.
    """

    person: int
    statuses: tuple[str, ...]
    habits: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A node as published: for user and food ``name`` is the id, else the type."""

    id: int
    name: int | str
    attr: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge between node ids."""

    source: int
    relation: str
    target: int


@dataclass(frozen=True, slots=True)
class QuestionGraph:
    """The small graph of one question, nodes and edges in published order."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Gold:
    """The right answers to one question and how they follow.

    Parameters
    ----------
    verdict : {'Yes', 'No'}
    tags : tuple of str
        Food tags that decide, in the order of the needs (task -ML).
    sentence : str
        Task -TG.
    matches, contradicts : tuple of str
        Food tags on either side, by distinct nutrient.
    conflicts : tuple of str
        Nutrients that the person needs both low and high.
    """

    verdict: Literal["Yes", "No"]
    tags: tuple[str, ...]
    sentence: str
    matches: tuple[str, ...]
    contradicts: tuple[str, ...]
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class QuizRow:
    """One question in all three tasks with its graph."""

    level: Level
    food: FoodFacts
    person: PersonFacts
    graph: QuestionGraph
    gold: Gold
    split: str = ""
