"""NGQA: what was retrieved, and what went wrong with the reasons of wrong answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.bench.report.cells import cut
from prandial.bench.report.charts import bars
from prandial.bench.report.lines import Line, lines_of
from prandial.bench.report.records import Cell, Column, Figure, Row, Table
from prandial.bench.report.scored import Bootstrap, score_cell
from prandial.bench.report.sets import QuestionSet
from prandial.bench.retrieved import retrieval_of
from prandial.records.bench import Prediction, Score
from prandial.score.quizzes import KINDS, review_errors

__all__ = [
    "ScoredRetrieval",
    "error_table",
    "retrieval_figure",
    "retrieval_table",
    "review_table",
    "scored_retrieval",
]

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


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredRetrieval:
    """A set and the retrieval scores of each run on it, by rules and metric."""

    asked: QuestionSet
    scored: tuple[tuple[Line, Mapping[tuple[str, str], Score]], ...]


def scored_retrieval(
    sets: Sequence[QuestionSet], *, boot: Bootstrap
) -> tuple[ScoredRetrieval, ...]:
    """Score what each run retrieved; useful are nodes on simple paths between person and food."""
    out = []
    for s in sets:
        scored = []
        for line in _ran(s):
            found = retrieval_of(line.pairs(s.questions), seed=boot.seed, draws=boot.draws)
            scored.append((line, {(x.rules, x.metric): x for x in found if not x.slice}))
        out.append(ScoredRetrieval(asked=s, scored=tuple(scored)))
    return tuple(out)


def retrieval_table(sets: Sequence[ScoredRetrieval], rules: str) -> Table:
    """Return precision, recall and F1 of what was retrieved (Figure 5); strict ones with signal."""
    signal = _SIGNAL if rules == "strict" else ()
    columns = (*((f"retrieval_{k}", h) for k, h in _QUALITY), *signal)
    rows = [
        Row(
            group=s.asked.title,
            kind=line.kind,
            cells={
                "run": Cell(value=line.label),
                **{k: _found(scores.get((rules, k))) for k, _ in columns},
            },
        )
        for s in sets
        for line, scores in s.scored
    ]
    how = "by node" if rules == "strict" else "by the text of nodes, repeats counted"
    return Table(
        name=f"graphs-retrieval-{rules}",
        title=f"What was retrieved (Figure 5), rules {rules}",
        rules=rules,
        columns=(
            Column(key="run", heading="run"),
            *(Column(key=k, heading=h, form="ratio") for k, h in columns),
        ),
        rows=tuple(rows),
        notes=(
            f"useful nodes are those on simple paths between person and food; counted {how}",
            "signal: useful over all nodes (or food tags), before and after retrieval (Table 2)",
            "the whole graph has recall 1 and the signal as precision; floors retrieve nothing",
        ),
    )


def _found(score: Score | None) -> Cell:
    return score_cell(score if score and score.n_scored else None, why="nothing retrieved")


def _ran(s: QuestionSet) -> list[Line]:
    return [x for x in lines_of(s, rules="strict") if not x.about]


def retrieval_figure(sets: Sequence[ScoredRetrieval]) -> Figure | None:
    """Return bars of precision, recall and F1 by level and run (Figure 5)."""
    rows: list[dict[str, Any]] = []
    for s in sets:
        for line, scores in s.scored:
            for key, said in _QUALITY:
                found = scores.get(("strict", f"retrieval_{key}"))
                if found is not None and found.value is not None:
                    place = {"figure": said, "run": line.label, "set": _place(s.asked)}
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
            value_title="mean",
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
        for line in (x for x in _ran(s) if x.kind == "run"):
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
            "the decision is a reader's; prandial.score.quizzes.make_judging_queue blinds them all",
            "every reply is in answers.jsonl of the run's folder",
        ),
    )


def _reasoned(prediction: Prediction) -> str:
    """Return what the model said on the way, where it was asked to reason, and its reply."""
    earlier = [c.reply for c in prediction.replies if c.name.startswith("reason")]
    return " ⟶ ".join(x.strip() for x in [*earlier, prediction.raw_text] if x.strip())
