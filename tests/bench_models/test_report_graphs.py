"""Tables of NGQA: strict and published figures by hand, floors, cases, errors, time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.made_report import answer, quiz_answer, quiz_questions, write
from tests.bench_models.test_report_tables import row, table, values

from prandial.bench.report import Report, report_of
from prandial.bench.report.cases import judged
from prandial.bench.report.efficiency import effort_of
from prandial.bench.report.published import published
from prandial.bench.runs import read_run
from prandial.records.bench import GraphQuestion, Prediction

Answerer = Callable[[GraphQuestion], Prediction]


def right(q: GraphQuestion) -> Prediction:
    """The gold answer, word for word."""
    gold = q.row.gold
    if q.task == "B":
        return quiz_answer(q, gold.verdict, {"verdict": gold.verdict})
    if q.task == "ML":
        return quiz_answer(q, ", ".join(gold.tags), {"tags": gold.tags})
    named = gold.matches if gold.verdict == "Yes" else gold.contradicts
    return quiz_answer(q, gold.sentence, {"verdict": gold.verdict, "tags": named})


def wrong(q: GraphQuestion) -> Prediction:
    """The other verdict; a tag too many."""
    other: Any = "No" if q.row.gold.verdict == "Yes" else "Yes"
    tags = (*q.row.gold.tags, "low_protein")
    if q.task == "B":
        return quiz_answer(q, other, {"verdict": other})
    if q.task == "ML":
        return quiz_answer(q, ", ".join(tags), {"tags": tags})
    text = f"{other}, because the food is low in protein."
    return quiz_answer(q, text, {"verdict": other, "tags": ("low_protein",)})


def unreadable(q: GraphQuestion) -> Prediction:
    return quiz_answer(q, "hmm", {"status": "unreadable", "why": "nothing found"})


def graph_run(folder: Path, by: Answerer, *tasks: str, **given: Any) -> Path:
    asked = quiz_questions(*tasks)
    return write(folder, asked, [by(q) for q in asked], **given)


def report(*folders: Path) -> Report:
    return report_of([read_run(f) for f in folders], draws=30)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("graphs")
    return report(
        graph_run(folder / "a", right, model="made/right", method="tog"),
        graph_run(folder / "b", wrong, model="made/wrong", method="plain"),
        graph_run(folder / "c", unreadable, model="made/mute", method="plain"),
    )


def test_strict_figures_by_hand(made: Report) -> None:
    b = table(made, "graphs-b-strict")
    for level in ("sparse", "standard", "complex"):
        assert values(row(b, "made/right · tog", group=level), "b_accuracy_all") == [1.0]
        assert values(row(b, "made/wrong · plain", group=level), "b_accuracy_all") == [0.0]
        mute = row(b, "made/mute · plain", group=level)
        assert values(mute, "b_accuracy_all", "unreadable") == [0.0, 1]
        assert mute.cells["b_accuracy_answered"].value is None
    ml = table(made, "graphs-ml-strict")
    # gold and one tag too many: 1 of 2, 2 of 3, 3 of 4
    for level, expected in (("sparse", 1 / 2), ("standard", 2 / 3), ("complex", 3 / 4)):
        found = row(ml, "made/wrong · plain", group=level)
        assert found.cells["ml_jaccard_all"].value == pytest.approx(expected)


def test_floors_stand_in_every_score_table(made: Report) -> None:
    for task, floors in {
        "b": ("always no", "edge reading"),
        "ml": ("all tags", "edge reading"),
        "tg": ("fixed sentence", "edge reading"),
    }.items():
        for rules in ("strict", "published"):
            found = table(made, f"graphs-{task}-{rules}")
            for level in ("sparse", "standard", "complex"):
                for floor in floors:
                    assert row(found, f"floor: {floor}", group=level).kind == "baseline"
    b, ml = table(made, "graphs-b-strict"), table(made, "graphs-ml-strict")
    # gold: Yes, Yes, No; tags that decide of all: 1 of 2, 2 of 3, 3 of 4
    always = [row(b, "floor: always no", group=g) for g in ("sparse", "standard", "complex")]
    assert [r.cells["b_accuracy_all"].value for r in always] == [0.0, 0.0, 1.0]
    tags = [row(ml, "floor: all tags", group=g) for g in ("sparse", "standard", "complex")]
    found = [r.cells["ml_jaccard_all"].value for r in tags]
    assert found == [pytest.approx(1 / 2), pytest.approx(2 / 3), pytest.approx(3 / 4)]
    edges = row(ml, "floor: edge reading", group="complex")
    assert edges.cells["ml_jaccard_all"].value == 1.0


def test_published_rows_are_those_of_the_table_and_slips_are_marked(made: Report) -> None:
    found = table(made, "graphs-tg-published")
    shown = [r for r in found.rows if r.kind == "published"]
    assert len(shown) == 45
    first = row(found, "gpt-4o-mini · plain (Table 3)", group="published: sparse")
    assert values(first, "tg_rouge1", "tg_rouge2", "tg_rougeL", "tg_bleu", "tg_bertscore") == [
        0.5385,
        0.4775,
        0.5385,
        0.2838,
        0.9370,
    ]
    marked = [r for r in shown if r.cells["run"].why]
    assert [r.cells["run"].value for r in marked] == [
        "llama-3.1-70b-instruct · cot_bag (Table 8)",
        "gpt-3.5-turbo · cot_zero (Table 9)",
    ]
    ml = table(made, "graphs-ml-published")
    assert not any(r.cells["run"].why for r in ml.rows)
    facts = [r for r in published("published_ngqa") if r["level"] == "complex"]
    rows = [r for r in ml.rows if r.group.startswith("published: complex")]
    assert [r.cells["ml_f1"].value for r in rows] == [float(f["ml_f1"]) for f in facts]


def test_rule_sets_stay_apart(made: Report) -> None:
    for found in made.tables:
        if not found.name.startswith("graphs-"):
            continue
        published_rows = [r for r in found.rows if r.kind == "published"]
        assert not published_rows or found.rules == "published" or not found.rules
        if found.rules == "strict":
            assert not published_rows
            assert not {"tg_rouge1", "b_f1"} & {c.key for c in found.columns}


def test_published_reads_letters_strict_reads_words(tmp_path: Path) -> None:
    def shouting(q: GraphQuestion) -> Prediction:
        verdict = q.row.gold.verdict
        return quiz_answer(q, f"{verdict}.", {"verdict": verdict})

    made = report(graph_run(tmp_path / "a", shouting, "B"))
    strict = row(table(made, "graphs-b-strict"), "made/model · plain", group="sparse")
    letters = row(table(made, "graphs-b-published"), "made/model · plain", group="sparse")
    assert values(strict, "b_accuracy_all") == [1.0]
    assert values(letters, "b_accuracy") == [0.0]


def test_cases_show_question_gold_reply_and_judgement(made: Report) -> None:
    case = table(made, "case-1")
    assert case.lead[0].startswith("question: ")
    assert case.lead[1].startswith("gold: ")
    by = {r.cells["run"].value: r.cells for r in case.rows}
    assert by["made/right · tog"]["judged"].value == "right"
    assert by["made/wrong · plain"]["judged"].value == "wrong"
    assert by["made/mute · plain"]["judged"].value == "not scored"
    assert by["made/mute · plain"]["reply"].value == "hmm"
    assert "(user has hypertension)" in str(by["made/right · tog"]["retrieved"].value)
    levels = {t.lead[2].split(", ")[2] for t in made.tables if t.name.startswith("case-")}
    assert levels == {"sparse", "standard", "complex"}


def test_judging_goes_by_verdict_and_tags() -> None:
    b, ml, tg = (
        next(q for q in quiz_questions(t) if q.row.level == "complex") for t in "B ML TG".split()
    )
    assert judged(b, right(b)) == "right"
    assert judged(ml, right(ml)) == "right"
    assert judged(tg, right(tg)) == "right"
    assert judged(b, wrong(b)) == "wrong"
    assert judged(ml, wrong(ml)) == "partly: 3 of 3 tags, 1 too many"
    assert judged(ml, quiz_answer(ml, "low_protein", {"tags": ("low_protein",)})) == "wrong"
    half = quiz_answer(tg, "No, high in sugar", {"verdict": "No", "tags": ("high_sugar",)})
    assert judged(tg, half) == "partly: 1 of 2 tags, 0 too many"
    assert judged(tg, unreadable(tg)) == "not scored"


def test_retrieval_of_the_whole_graph_has_recall_1(made: Report) -> None:
    found = row(table(made, "graphs-retrieval-strict"), "made/right · tog", group="B, sparse")
    # food, person, status and its tag of eight nodes
    cells = ("retrieval_precision", "retrieval_recall", "node_snr", "tag_snr")
    assert values(found, *cells) == [4 / 8, 1.0, 4 / 8, 1 / 2]


def test_errors_are_counted_by_kind(made: Report) -> None:
    found = table(made, "graphs-errors")
    wrong_ml = row(found, "made/wrong · plain", group="ML, sparse")
    assert values(wrong_ml, "answered", "wrong") == [1, 1]
    # low_protein is no tag of the food
    assert values(wrong_ml, "factual") == ["1 (1)"]
    assert values(row(found, "made/right · tog", group="ML, sparse"), "wrong") == [0]
    queue = table(made, "graphs-review")
    assert {r.cells["reply"].value for r in queue.rows} == {
        "Yes, because the food is low in protein.",
        "No, because the food is low in protein.",
    }


def test_runs_are_compared_question_by_question(made: Report) -> None:
    found = table(made, "graphs-set-1-paired-strict")
    group = "first: made/right · tog; second: made/wrong · plain"
    assert values(row(found, "b_accuracy_all", group=group), "first", "second", "difference") == [
        1.0,
        0.0,
        -1.0,
    ]


def test_effort_by_hand() -> None:
    told = [
        answer("a", 1.0, seconds=2.0, calls=3, input_tokens=10, output_tokens=4),
        answer("b", 1.0, seconds=None, calls=1, input_tokens=None, output_tokens=None),
        answer("c", "refused", seconds=6.0, calls=2, input_tokens=30, output_tokens=8),
        answer("d", "failed", seconds=99.0, calls=9),
    ]
    found = effort_of(told)
    assert (found.n, found.timed, found.tokens_told) == (3, 2, 2)
    assert found.per_second == 2 / 8.0
    assert found.seconds == 4.0
    assert found.calls == 2.0
    assert (found.input_tokens, found.output_tokens) == (20.0, 6.0)


def test_effort_of_nothing_is_undefined() -> None:
    found = effort_of([answer("d", "failed")])
    assert (found.n, found.per_second, found.calls) == (0, None, None)


def test_one_run_of_graphs_alone(tmp_path: Path) -> None:
    made = report(graph_run(tmp_path / "a", right, "TG"))
    assert made.title == "NGQA: report of 1 run"
    assert not any(t.name.startswith("meals") for t in made.tables)
    assert any(f.name == "graph-speed" for f in made.figures)


def test_all_failed(tmp_path: Path) -> None:
    asked = quiz_questions("B")
    made = report(write(tmp_path / "a", asked, [answer(q.id, "failed") for q in asked]))
    found = row(table(made, "graphs-b-strict"), "made/model · plain", group="sparse")
    assert found.cells["b_accuracy_all"].value is None
    assert values(found, "failed") == [1]
