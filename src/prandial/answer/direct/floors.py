"""Answerers that need no data: what a score means is seen beside theirs."""

from __future__ import annotations

from prandial.answer.direct.replies import (
    Direct,
    about_graphs,
    about_meals,
    graph_reply,
    meal_reply,
    no_answer,
)
from prandial.answer.symbolic import symbolic_reply
from prandial.errors import InputError
from prandial.records.bench import GraphQuestion, MealQuestion, Replied
from prandial.tags.needed import split_tag

__all__ = ["all_tags", "always_no", "always_yes", "constant", "edges", "rules"]


def constant(*, value: float) -> Direct:
    """Return an answerer of meals that always says one amount, in the nutrient's unit.

    Raises
    ------
    InputError
        When the value is no amount.
    """
    try:
        amount = float(value)
    except (TypeError, ValueError):
        amount = -1.0
    if not 0 <= amount < float("inf"):
        raise InputError(f"{value!r} is no amount", where="value", hint="a number from 0")

    def answer(asked: MealQuestion | GraphQuestion) -> Replied:
        return meal_reply(about_meals(asked, "constant"), amount)

    return answer


def rules() -> Direct:
    """Return the answerer of graphs by rule: :func:`prandial.answer.symbolic.symbolic_reply`."""

    def answer(asked: MealQuestion | GraphQuestion) -> Replied:
        return symbolic_reply(about_graphs(asked, "rules"))

    return answer


def always_no(*, reason: str = "high_sugar") -> Direct:
    """Return an answerer of graphs that always says No; sentences name one reason.

    One reason for all is enough for much of ROUGE against sentences of one template. To name
    tags it has no answer, which is told as not run and never scored.
    """
    return _always("No", reason, "always_no")


def always_yes(*, reason: str = "low_sugar") -> Direct:
    """Return an answerer of graphs that always says Yes; else as :func:`always_no`."""
    return _always("Yes", reason, "always_yes")


def _always(verdict: str, reason: str, name: str) -> Direct:
    split_tag(reason)

    def answer(asked: MealQuestion | GraphQuestion) -> Replied:
        question = about_graphs(asked, name)
        if question.task == "ML":
            raise no_answer("names no tags", question)
        return graph_reply(question, verdict, (), (reason,))

    return answer


def all_tags() -> Direct:
    """Return an answerer of graphs that names every tag of the food, whoever asks.

    Its mean Jaccard is the share of tags that matter. Sentences say No with every tag; it has no
    bare verdict, which is told as not run and never scored.
    """

    def answer(asked: MealQuestion | GraphQuestion) -> Replied:
        question = about_graphs(asked, "all_tags")
        if question.task == "B":
            raise no_answer("gives no verdict", question)
        tags = _food_tags(question)
        return graph_reply(question, "No", tags, tags)

    return answer


def edges() -> Direct:
    """Return an answerer of graphs that reads the verdict off match and contradict edges.

    Edges are counted, so a need of two statuses counts twice; a tie is No. Where the graph has
    no such edge there is no answer, which is told as not run and never scored.
    """

    def answer(asked: MealQuestion | GraphQuestion) -> Replied:
        question = about_graphs(asked, "edges")
        graph = question.row.graph
        texts = {n.id: n.attr for n in graph.nodes}
        sides: dict[str, list[str]] = {"match": [], "contradict": []}
        for edge in graph.edges:
            if edge.relation in sides:
                sides[edge.relation].append(texts[edge.target])
        matches, contradicts = sides["match"], sides["contradict"]
        if not matches and not contradicts:
            raise no_answer("the graph has no verdict edges", question)
        verdict = "Yes" if len(matches) > len(contradicts) else "No"
        named = set(matches) | set(contradicts)
        reasons = dict.fromkeys(matches if verdict == "Yes" else contradicts)
        tags = [t for t in _food_tags(question) if t in named]
        return graph_reply(
            question,
            verdict,
            tags,
            tuple(reasons),
            detail={"edges_for": len(matches), "edges_against": len(contradicts)},
        )

    return answer


def _food_tags(question: GraphQuestion) -> tuple[str, ...]:
    if question.mode == "merged":
        return question.row.food.tags
    nodes = question.row.graph.nodes
    return tuple(n.attr for n in nodes if n.name == "food_nutrition_tag")
