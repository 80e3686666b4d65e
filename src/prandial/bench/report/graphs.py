"""The tables of NGQA: level by task by method, each rule set in tables of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from prandial.bench.report.charts import bars
from prandial.bench.report.lines import Line, lines_of
from prandial.bench.report.published import number, published
from prandial.bench.report.records import Cell, Column, Figure, Form, Row, Table
from prandial.bench.report.scored import Bootstrap, score_cell
from prandial.bench.report.sets import STATUSES, QuestionSet
from prandial.records.bench import Score
from prandial.score.quizzes import BertScorer, published_scores, strict_scores

__all__ = [
    "TASKS",
    "GraphRules",
    "ScoredGraphs",
    "accuracy_figure",
    "score_table",
    "scored_graphs",
]

GraphRules = Literal["strict", "published"]
Figures = tuple[tuple[str, str, Form], ...]

TASKS: Final = {"B": "yes or no", "ML": "tags", "TG": "sentence"}
_STRICT: Final[dict[str, Figures]] = {
    "B": (
        ("b_accuracy_all", "accuracy, of all run", "share"),
        ("b_accuracy_answered", "accuracy, of answered", "share"),
        ("b_balanced_accuracy", "balanced accuracy", "ratio"),
        ("b_mcc", "MCC", "ratio"),
        ("b_macro_f1", "macro F1", "ratio"),
        ("b_precision", "precision of Yes", "ratio"),
        ("b_recall", "recall of Yes", "ratio"),
    ),
    "ML": (
        ("ml_jaccard_all", "Jaccard, of all run", "ratio"),
        ("ml_exact_all", "exactly right, of all run", "share"),
        ("ml_jaccard_answered", "Jaccard, of answered", "ratio"),
        ("ml_micro_precision", "micro precision", "ratio"),
        ("ml_micro_recall", "micro recall", "ratio"),
        ("ml_micro_f1", "micro F1", "ratio"),
        ("ml_macro_f1", "macro F1", "ratio"),
    ),
    "TG": (
        ("tg_accuracy_all", "verdict right, of all run", "share"),
        ("tg_balanced_accuracy", "balanced accuracy", "ratio"),
        ("tg_macro_f1", "macro F1 of verdict", "ratio"),
        ("tg_reasons_jaccard_all", "Jaccard with the gold's reasons", "ratio"),
        ("tg_reasons_exact_all", "reasons exactly right", "share"),
        ("tg_tags_jaccard_all", "Jaccard with all deciding tags", "ratio"),
    ),
}
_PUBLISHED: Final[dict[str, Figures]] = {
    "B": (
        ("b_accuracy", "accuracy", "ratio"),
        ("b_recall", "recall", "ratio"),
        ("b_precision", "precision", "ratio"),
        ("b_f1", "F1", "ratio"),
    ),
    "ML": (
        ("ml_accuracy", "accuracy (mean Jaccard)", "ratio"),
        ("ml_recall", "recall", "ratio"),
        ("ml_precision", "precision", "ratio"),
        ("ml_f1", "F1", "ratio"),
    ),
    "TG": (
        ("tg_rouge1", "ROUGE-1", "ratio"),
        ("tg_rouge2", "ROUGE-2", "ratio"),
        ("tg_rougeL", "ROUGE-L", "ratio"),
        ("tg_bleu", "BLEU-4 (nltk)", "ratio"),
        ("tg_bleu_sacrebleu", "BLEU-4 (sacrebleu)", "ratio"),
    ),
}
#: our metric -> column of the published table
_PRINTED: Final = {
    "b_accuracy": "b_accuracy",
    "b_recall": "b_recall",
    "b_precision": "b_precision",
    "b_f1": "b_f1",
    "ml_accuracy": "ml_jaccard",
    "ml_recall": "ml_recall",
    "ml_precision": "ml_precision",
    "ml_f1": "ml_f1",
    "tg_rouge1": "tg_rouge_1",
    "tg_rouge2": "tg_rouge_2",
    "tg_rougeL": "tg_rouge_l",
    "tg_bleu": "tg_bleu_4",
    "tg_bertscore": "tg_bertscore",
}
_RULES: Final = {
    "strict": "what a reply says, read: verdict and set of tags; what has no answer is wrong in"
    " figures of all run, and in no other figure; questions without a reply are in none",
    "published": "as the published code scores: exactly Yes or No, labels between commas, words"
    " shared with the one gold sentence; replies that cannot be read count as wrong",
}
_BERT: Final = "tg_bertscore"


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredGraphs:
    """A set and the scores of each of its lines, by metric."""

    asked: QuestionSet
    scored: tuple[tuple[Line, Mapping[str, Score]], ...]


def scored_graphs(
    sets: Sequence[QuestionSet],
    rules: GraphRules,
    *,
    boot: Bootstrap,
    bert: BertScorer | None = None,
) -> tuple[ScoredGraphs, ...]:
    """Score every run and floor of some sets."""
    out = []
    for s in sets:
        scored = []
        for line in lines_of(s, rules=rules):
            pairs = line.pairs(s.questions)
            found = (
                strict_scores(pairs, seed=boot.seed, draws=boot.draws)
                if rules == "strict"
                else published_scores(pairs, seed=boot.seed, draws=boot.draws, bert=bert)
            )
            scored.append((line, {x.metric: x for x in found if not x.slice}))
        out.append(ScoredGraphs(asked=s, scored=tuple(scored)))
    return tuple(out)


def score_table(
    task: str,
    sets: Sequence[ScoredGraphs],
    rules: GraphRules,
    *,
    bert: BertScorer | None = None,
) -> Table:
    """Return the scores of a task, a row group for each set of questions.

    Published rows stand in the table of the published rules only, by level.

    Parameters
    ----------
    task : {'B', 'ML', 'TG'}
    sets : sequence of ScoredGraphs
        Of this task and these rules.
    rules : {'strict', 'published'}
    bert : BertScorer, optional
        For BERTScore of task TG, published rules.
    """
    figures = _figures(task, rules, bert)
    rows: list[Row] = []
    for s in sets:
        rows += [_row(line, s.asked, figures, scores) for line, scores in s.scored]
    told = {x.label: x.about for s in sets for x, _ in s.scored if x.about}
    notes = [_RULES[rules], *(f"{label}: {about}" for label, about in told.items())]
    if rules == "published":
        for level in dict.fromkeys(s.asked.key[1] for s in sets):
            rows += _published(task, level, figures)
        notes.append(
            "published: NGQA, Tables 3, 8 and 9, on all 13,802 questions (8,490 sparse, 3,622"
            " standard, 1,690 complex), not on these; kaping_published and tog_published are the"
            " methods as the paper ran them; no intervals are printed there"
        )
        if task == "TG":
            notes.append(
                "BERTScore of the paper is of roberta-large: values of two encoders do not compare"
                + (f"; ours is of {bert.id}" if bert is not None else "")
            )
    return Table(
        name=f"graphs-{task.lower()}-{rules}",
        title=f"Task {task} ({TASKS[task]}) by level and method, rules {rules}",
        rules=rules,
        columns=(
            Column(key="run", heading="run"),
            *(Column(key=k, heading=h, form=f) for k, h, f in figures),
            *(Column(key=k, heading=k, form="count") for k in STATUSES),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _figures(task: str, rules: GraphRules, bert: BertScorer | None) -> Figures:
    if rules == "strict":
        return _STRICT[task]
    figures = _PUBLISHED[task]
    if task != "TG":
        return figures
    own: Figures = (
        ((f"{_BERT}[{bert.id}]", f"BERTScore F1 ({short_id(bert.id)})", "ratio"),)
        if bert is not None
        else ()
    )
    return (*figures, *own, (_BERT, "BERTScore F1 (roberta-large)", "ratio"))


def short_id(encoder: str) -> str:
    """Return the id of an encoder with the beginning of its digest."""
    return re.sub(r"(sha256:[0-9a-f]{12})[0-9a-f]+", r"\1", encoder)


def _row(line: Line, s: QuestionSet, figures: Figures, scores: Mapping[str, Score]) -> Row:
    cells = {
        k: Cell(value="–") if k == _BERT else score_cell(scores.get(k), why="not run")
        for k, _, _ in figures
    }
    counts = {k: Cell(value=v) for k, v in line.statuses(s.questions).items()}
    label = {"run": Cell(value=line.label)}
    return Row(group=s.title, kind=line.kind, cells=label | cells | counts)


def _published(task: str, level: str, figures: Figures) -> list[Row]:
    rows = []
    for r in published("published_ngqa"):
        if r["level"] != level:
            continue
        slip = r["slip"] if r["slip_task"] == task else ""
        cells = {"run": Cell(value=f"{r['model']} · {r['method']} (Table {r['table']})", why=slip)}
        for key, _, _ in figures:
            column = _PRINTED.get(key)
            if column is None:
                cells[key] = Cell(value="–")
            else:
                cells[key] = Cell(value=number(r[column]), why="slip of the paper" if slip else "")
        group = f"published: {level}, all questions of the paper"
        rows.append(Row(kind="published", group=group, cells=cells))
    return rows


_MAIN: Final = {"B": "b_accuracy_all", "ML": "ml_jaccard_all", "TG": "tg_accuracy_all"}


def accuracy_figure(task: str, sets: Sequence[ScoredGraphs]) -> Figure | None:
    """Return bars of the main strict figure by level and run; None when nothing is scored."""
    key = _MAIN[task]
    said = next(h for k, h, _ in _STRICT[task] if k == key)
    rows: list[dict[str, Any]] = []
    for s in sets:
        for line, scores in s.scored:
            found = scores.get(key)
            if found is not None and found.value is not None:
                place = {"set": f"{s.asked.key[1]} ({s.asked.name})", "run": line.label}
                numbers = {"value": found.value, "low": found.low, "high": found.high}
                rows.append({**place, **numbers, "n": s.asked.n})
    if not rows:
        return None
    best = max(rows, key=lambda r: float(r["value"]))
    return Figure(
        name=f"graphs-{task.lower()}-strict-figure",
        title=f"Task {task} ({TASKS[task]}): {said}, rules strict",
        alt=f"Bars of {said} for {len({r['run'] for r in rows})} runs and floors on"
        f" {len(sets)} sets; the highest is {best['value']:.3f}: {best['run']}, {best['set']}"
        f" (n={best['n']}).",
        chart=bars(
            rows, x="set", value="value", colour="run", x_title=None, value_title=said, n="n"
        ),
    )
