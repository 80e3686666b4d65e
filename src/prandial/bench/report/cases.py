"""One question across all methods, side by side, after Tables 12 to 18 of NGQA."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from prandial.answer.graphs.view import TRIPLES
from prandial.bench.report.cells import cut
from prandial.bench.report.records import Cell, Column, Row, Table
from prandial.bench.report.sets import Part, QuestionSet
from prandial.graph import question_triples
from prandial.records.bench import GraphQuestion, Prediction
from prandial.score.quizzes.strict import named_by_gold

__all__ = ["CASES", "case_tables", "gold_words", "judged", "reading_words", "retrieved_words"]

#: the paper shows seven
CASES: Final = 7
_REPLY: Final = 500
_TRIPLES: Final = 700
_TASK_ORDER: Final = {"TG": 0, "B": 1, "ML": 2}


def gold_words(question: GraphQuestion) -> str:
    """Return the right answer to a question in words."""
    gold = question.row.gold
    if question.task == "B":
        return gold.verdict
    return ", ".join(gold.tags) if question.task == "ML" else gold.sentence.strip()


def reading_words(prediction: Prediction) -> str:
    """Return how a reply was read."""
    r = prediction.reading
    if r.status != "answered":
        return f"{r.status}: {r.why}" if r.why else r.status
    told: list[str] = [r.verdict] if r.verdict else []
    told += [", ".join(r.tags) or "no tags"] if r.tags is not None else []
    return "; ".join(told) or "answered"


def judged(question: GraphQuestion, prediction: Prediction) -> str:
    """Tell whether a reply is right, by verdict and tags and not by letters.

    A text is right when its verdict is, and its tags are those that the gold sentence names
    (of a published one, the winning side).
    """
    r, gold = prediction.reading, question.row.gold
    if r.status != "answered":
        return "not scored"
    verdict = r.verdict == gold.verdict
    if question.task == "B":
        return "right" if verdict else "wrong"
    named = set(r.tags or ())
    meant = set(gold.tags)
    if question.task == "TG":
        meant = set(named_by_gold(question))
        if not verdict:
            return "wrong"
    if named == meant:
        return "right"
    shared = len(named & meant)
    if question.task == "ML" and not shared:
        return "wrong"
    return f"partly: {shared} of {len(meant)} tags, {len(named - meant)} too many"


def retrieved_words(question: GraphQuestion, prediction: Prediction) -> str:
    """Return what of the graph was put before the model, in words.

    Where the method did not tell its edges they are not told: the whole graph was shown, or
    nodes were read and no text was made.
    """
    kept, graph = prediction.retrieved, question.row.graph
    if kept is None:
        return "nothing was retrieved: the whole graph"
    told: Any = prediction.detail.get(TRIPLES)
    count = f"{len(set(kept))} of {len(graph.nodes)} nodes"
    if question.mode == "merged":
        count = f"{len(set(kept))} nodes of the graph of all"
    if told is None:
        whole = set(kept) == {n.id for n in graph.nodes}
        told = question_triples(graph) if whole else ()
    triples = ", ".join(f"({t})" for t in told)
    if triples:
        return f"{count}: {cut(triples, _TRIPLES)}"
    texts = ", ".join(n.attr for n in graph.nodes if n.id in set(kept))
    return f"{count}, no edge: {cut(texts, _TRIPLES)}" if texts else f"{count}, no edge"


def case_tables(sets: Sequence[QuestionSet], *, count: int = CASES) -> tuple[Table, ...]:
    """Return a table for each of some questions: every run's retrieval, reply and reading.

    Questions on which runs fall out differently come first, then those that most runs got a
    reply to; every level and task has its turn.
    """
    chosen: list[tuple[QuestionSet, GraphQuestion]] = []
    queues = [(s, _ranked(s)) for s in sorted(sets, key=lambda s: _TASK_ORDER[s.key[0]])]
    for k in range(count):
        chosen += [(s, ranked[k]) for s, ranked in queues if k < len(ranked)]
    return tuple(_case(k, s, q) for k, (s, q) in enumerate(chosen[:count], 1))


def _ranked(s: QuestionSet) -> list[GraphQuestion]:
    answers = [{p.question: p for p in part.predictions} for part in s.parts]

    def rank(q: GraphQuestion) -> tuple[int, int, str]:
        had = [a[q.id] for a in answers if q.id in a and a[q.id].reading.status != "failed"]
        return (-len({judged(q, p) for p in had}), -len(had), q.id)

    return sorted(s.questions, key=rank)


def _case(k: int, s: QuestionSet, question: GraphQuestion) -> Table:
    return Table(
        name=f"case-{k}",
        title=f"Case {k}: {question.id}",
        rules="strict",
        columns=(
            Column(key="run", heading="run"),
            Column(key="judged", heading="judged"),
            Column(key="reading", heading="read as", form="long"),
            Column(key="reply", heading="reply", form="long"),
            Column(key="retrieved", heading="retrieved", form="long"),
        ),
        rows=tuple(_row(part, question) for part in s.parts),
        lead=(f"question: {question.text}", f"gold: {gold_words(question)}", s.title),
    )


def _row(part: Part, question: GraphQuestion) -> Row:
    found = next((p for p in part.predictions if p.question == question.id), None)
    if found is None:
        cells = {"run": Cell(value=part.label), "judged": Cell(value="not run")}
        return Row(kind=part.kind, cells=cells)
    return Row(
        kind=part.kind,
        cells={
            "run": Cell(value=part.label),
            "judged": Cell(value=judged(question, found)),
            "reading": Cell(value=reading_words(found)),
            "reply": Cell(value=cut(found.raw_text, _REPLY) or found.error or "empty"),
            "retrieved": Cell(value=retrieved_words(question, found)),
        },
    )
