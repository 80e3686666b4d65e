"""NGQA: what was retrieved, and what went wrong with the reasons of wrong answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from prandial.bench.report.cells import cut
from prandial.bench.report.charts import bars
from prandial.bench.report.lines import Line, lines_of
from prandial.bench.report.records import Cell, Column, Figure, Row, Table
from prandial.bench.report.scored import score_cell
from prandial.bench.report.sets import QuestionSet
from prandial.quiz.paths import useful_nodes
from prandial.records.bench import Prediction, Score
from prandial.score.quizzes import KINDS, retrieval_scores, review_errors

__all__ = ["error_table", "retrieval_figure", "retrieval_table", "review_table"]

_QUALITY: Final = (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
_SIGNAL: Final = (
    ("node_snr", "node signal, whole graph"),
    ("node_snr_retrieved", "node signal, retrieved"),
    ("tag_snr", "tag signal, whole graph"),
    ("tag_snr_retrieved", "tag signal, retrieved"),
)
_WORDS: Final = {
    "factual": "factual: a tag the food has not",
    "contextual": "contextual: a tag that does not matter",
    "contradiction": "verdict against own reasons",
    "missing": "a deciding tag left out",
    "unexplained": "wrong, no reason",
    "misjudged": "wrong, right reasons",
}
#: replies of each run that are put before a reader
_QUEUE: Final = 5
_REPLY: Final = 500


def _scores(line: Line, s: QuestionSet, rules: str, seed: int) -> dict[str, Score]:
    useful = {q.id: frozenset(useful_nodes(q.row.graph)) for q in s.questions}
    found = retrieval_scores(line.pairs(s.questions), useful, seed=seed)
    return {x.metric: x for x in found if not x.slice and x.rules == rules}


def retrieval_table(sets: Sequence[QuestionSet], rules: str, *, seed: int) -> Table:
    """Return precision, recall and F1 of what was retrieved (Figure 5); strict ones with signal.

    Useful are the nodes on simple paths between person and food; signal is their share.
    """
    rows = []
    signal = _SIGNAL if rules == "strict" else ()
    for s in sets:
        for line in _ran(s):
            scores = _scores(line, s, rules, seed)
            cells = {"run": Cell(value=line.label)}
            for key, _ in _QUALITY:
                found = scores.get(f"retrieval_{key}")
                cells[key] = score_cell(found if found and found.n_scored else None, why=_NOTHING)
            for key, _ in signal:
                found = scores.get(key)
                cells[key] = score_cell(found if found and found.n_scored else None, why=_NOTHING)
            rows.append(Row(group=s.title, kind=line.kind, cells=cells))
    how = "by node" if rules == "strict" else "by the text of nodes, repeats counted"
    return Table(
        name=f"graphs-retrieval-{rules}",
        title=f"What was retrieved (Figure 5), rules {rules}",
        rules=rules,
        columns=(
            Column(key="run", heading="run"),
            *(Column(key=k, heading=h, form="ratio") for k, h in _QUALITY),
            *(Column(key=k, heading=h, form="ratio") for k, h in signal),
        ),
        rows=tuple(rows),
        notes=(
            f"useful nodes are those on simple paths between person and food; counted {how}",
            "signal: useful over all nodes (or food tags), before and after retrieval (Table 2)",
            "a floor retrieves nothing; the whole graph has recall 1 and the signal as precision",
        ),
    )


_NOTHING: Final = "nothing retrieved"


def _ran(s: QuestionSet) -> list[Line]:
    return [x for x in lines_of(s, rules="strict") if not x.about]


def retrieval_figure(sets: Sequence[QuestionSet], *, seed: int) -> Figure | None:
    """Return bars of precision, recall and F1 by level and run (Figure 5)."""
    rows: list[dict[str, Any]] = []
    for s in sets:
        for line in _ran(s):
            scores = _scores(line, s, "strict", seed)
            for key, said in _QUALITY:
                found = scores.get(f"retrieval_{key}")
                if found is not None and found.value is not None:
                    place = {"figure": said, "run": line.label, "set": _place(s), "n": s.n}
                    numbers = {"value": found.value, "low": found.low, "high": found.high}
                    rows.append({**place, **numbers})
    if not rows:
        return None
    best = max((r for r in rows if r["figure"] == "F1"), key=lambda r: float(r["value"]))
    return Figure(
        name="graphs-retrieval-figure",
        title="Retrieval: precision, recall and F1 (Figure 5), rules strict",
        alt=f"Bars of precision, recall and F1 of what {len({r['run'] for r in rows})} runs"
        f" retrieved; the best F1 is {best['value']:.3f}: {best['run']}, {best['set']}.",
        chart=bars(
            rows,
            x="figure",
            value="value",
            colour="run",
            x_title=None,
            value_title="mean over questions",
            panel="set",
        ),
    )


def _place(s: QuestionSet) -> str:
    return f"{s.key[0]}, {s.key[1]} ({s.name}, n={s.n})"


def error_table(sets: Sequence[QuestionSet]) -> Table:
    """Return how many wrong answers there are of each kind, by the first that holds and by all."""
    rows = []
    for s in sets:
        for line in lines_of(s, rules="strict"):
            found = review_errors(line.pairs(s.questions))
            cells = {
                "run": Cell(value=line.label),
                "answered": Cell(value=found.answered),
                "wrong": Cell(value=len(found.wrong)),
                **{k: Cell(value=f"{found.first[k]} ({found.every[k]})") for k in KINDS},
            }
            rows.append(Row(group=s.title, kind=line.kind, cells=cells))
    return Table(
        name="graphs-errors",
        title="Wrong answers by what is wrong with their reasons (Figure 6)",
        rules="strict",
        columns=(
            Column(key="run", heading="run"),
            Column(key="answered", heading="answered", form="count"),
            Column(key="wrong", heading="wrong", form="count"),
            *(Column(key=k, heading=_WORDS[k]) for k in KINDS),
        ),
        rows=tuple(rows),
        notes=(
            "counted once by the first kind that holds; in brackets, how often it holds at all",
            "sorted by rule: the paper had people do it, on three methods (appendix H)",
        ),
    )


def review_table(sets: Sequence[QuestionSet]) -> Table | None:
    """Return the first wrong sentences of each run for people to judge (Tables 19 and 20)."""
    rows = []
    for s in sets:
        if s.key[0] != "TG":
            continue
        for line in _ran(s):
            answers = line.predictions
            for w in review_errors(line.pairs(s.questions)).wrong[:_QUEUE]:
                told = "; ".join(f"{k}: {b}" for k, b in zip(w.kinds, w.because, strict=True))
                cells = {
                    "question": Cell(value=w.question),
                    "said": Cell(value=f"{w.said}; {', '.join(w.said_tags) or 'no tags'}"),
                    "gold": Cell(value=f"{w.gold}; {', '.join(w.gold_tags)}"),
                    "kinds": Cell(value=told),
                    "reply": Cell(value=cut(_reasoned(answers[w.question]), _REPLY)),
                }
                rows.append(Row(group=f"{line.label}, {s.name}", kind=line.kind, cells=cells))
    if not rows:
        return None
    return Table(
        name="graphs-review",
        title="Wrong sentences for human review (Tables 19 and 20)",
        rules="strict",
        columns=(
            Column(key="question", heading="question"),
            Column(key="said", heading="said", form="long"),
            Column(key="gold", heading="gold", form="long"),
            Column(key="kinds", heading="by rule", form="long"),
            Column(key="reply", heading="reasons and reply", form="long"),
        ),
        rows=tuple(rows),
        notes=(
            f"the first {_QUEUE} of each run and set; the kinds are proposals of rules",
            "the decision is a reader's; every reply is in answers.jsonl of the run's folder",
        ),
    )


def _reasoned(prediction: Prediction) -> str:
    """Return what the model said on the way, where it was asked to reason, and its reply."""
    earlier = [c.reply for c in prediction.replies if c.name.startswith("reason")]
    return " ⟶ ".join(x.strip() for x in [*earlier, prediction.raw_text] if x.strip())
