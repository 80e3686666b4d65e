"""Judging of replies by people: blinding, files there and back, settling, agreement by hand."""

from __future__ import annotations

import csv
import json

import pytest
from tests.score.quizzes.asked import failed, made, said

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.quiz import cohens_kappa
from prandial.score.quizzes.judged import (
    Judgement,
    judging_agreement,
    make_judging_queue,
    settle_judgements,
)
from prandial.score.quizzes.judgedfile import (
    read_judgements,
    read_judging_queue,
    write_judging_queue,
)

RIGHT = "No, because the food is high in sodium. "
WRONG = "No, because the food is high in sodium, high in cholesterol."
OFF = "No, because it is high in protein."


def _asked(i, task="TG"):
    return made("high_sodium high_protein", ("hypertension",), task, name=f"q{i}", code=i + 1)


def _runs(n=6):
    return {
        "model-a/plain": [said(_asked(i), RIGHT if i % 2 else WRONG) for i in range(n)],
        "model-b/tog": [said(_asked(i), OFF) for i in range(n)],
    }


def _judge(id_, who, factual=False, contextual=False, **more):
    why = "because" if factual or contextual else ""
    cells = {"when": "2026-11-30", "why": why} | more
    return Judgement(id=id_, annotator=who, factual=factual, contextual=contextual, **cells)


def test_items_tell_nothing_of_their_run_and_the_key_tells_all():
    queue = make_judging_queue(_runs(), seed=1)
    assert len(queue.items) == len(queue.key) == 12
    assert [i.id for i in queue.items] == [k.id for k in queue.key]
    for item in queue.items:
        shown = json.dumps([item.id, item.food, item.statuses, item.graph_tags, item.question])
        assert "model" not in shown
        assert "model-a/plain" not in item.reply
        assert item.graph_tags == ("high_sodium", "high_protein")
    assert {k.run for k in queue.key} == {"model-a/plain", "model-b/tog"}
    kinds = {(k.run, k.kinds) for k in queue.key}
    assert kinds == {
        ("model-a/plain", ()), ("model-a/plain", ("factual",)),
        ("model-b/tog", ("contextual", "missing")),
    }  # fmt: skip
    # the runs are mixed, and another seed mixes otherwise
    order = [k.run for k in queue.key]
    assert order != sorted(order)
    assert order != sorted(order, reverse=True)
    other = make_judging_queue(_runs(), seed=2)
    assert {i.id for i in other.items}.isdisjoint(i.id for i in queue.items)
    assert make_judging_queue(_runs(), seed=1) == queue


def test_every_run_is_judged_on_the_same_questions():
    queue = make_judging_queue(_runs(), seed=1, most=3)
    by_run = {}
    for key in queue.key:
        by_run.setdefault(key.run, set()).add(key.question)
    first, second = by_run.values()
    assert first == second
    assert len(first) == 3
    wrong = make_judging_queue(_runs(), seed=1, wrong_only=True)
    assert len(wrong.items) == 3 + 6


def test_only_sentences_with_a_reply_are_judged():
    pairs = [said(_asked(1), RIGHT), failed(_asked(2)), said(_asked(3, "B"), "No")]
    assert [k.question for k in make_judging_queue({"r": pairs}, seed=0).key] == ["q1"]
    with pytest.raises(InputError, match="twice"):
        make_judging_queue({"r": [said(_asked(1), RIGHT)] * 2}, seed=0)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_files_there_and_back(tmp_path, ending):
    runs = _runs()
    runs["odd"] = [said(_asked(9), '=1+1, "No", because\nthe food | is high in sodium — é')]
    queue = make_judging_queue(runs, seed=3)
    path, key = tmp_path / f"queue.{ending}", tmp_path / "key.jsonl"
    write_judging_queue(queue, path, key=key)
    found = read_judging_queue(path, key=key)
    assert [i.reply.strip() for i in found.items] == [i.reply.strip() for i in queue.items]
    assert found.key == queue.key
    assert [i.graph_tags for i in found.items] == [i.graph_tags for i in queue.items]
    assert read_judgements(path) == ([], [])
    text = path.read_text(encoding="utf-8")
    assert "model-a" not in text
    assert "contextual" not in text.replace(",contextual,", "").replace('"contextual": ""', "")


def _fill(path, cells_of):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for i, row in enumerate(rows):
        row.update(cells_of(i) or {})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return rows


def test_judgements_are_read_and_faults_are_told(tmp_path):
    queue = make_judging_queue(_runs(), seed=3)
    path = tmp_path / "queue.csv"
    write_judging_queue(queue, path, key=tmp_path / "key.jsonl")
    filled = {
        0: {
            "annotator": "A",
            "when": "2026-11-30",
            "factual": "Yes",
            "contextual": "no",
            "why": "w",
        },
        1: {"annotator": "A", "when": "2026-11-30", "factual": "n", "contextual": "FALSE"},
        2: {"annotator": "A", "when": "2026-11-30", "factual": "yes", "contextual": "no"},
        3: {"annotator": "A", "when": "2026-11-30", "factual": "perhaps", "contextual": "no"},
        4: {"annotator": "", "when": "2026-11-30", "factual": "no", "contextual": "no"},
        5: {"annotator": "A", "when": "2026-11-30", "factual": "", "contextual": "no"},
    }
    rows = _fill(path, filled.get)
    found, problems = read_judgements(path, {r["id"] for r in rows})
    assert [(j.id, j.factual, j.contextual) for j in found] == [
        (rows[0]["id"], True, False), (rows[1]["id"], False, False),
    ]  # fmt: skip
    assert [p.split(":")[0] for p in problems] == ["row 3", "row 4", "row 5", "row 6"]
    assert "without a reason" in problems[0]
    _, problems = read_judgements(path, set())
    assert "no item" in problems[0]


def test_files_that_are_no_queue(tmp_path):
    queue = make_judging_queue(_runs(), seed=3)
    path, key = tmp_path / "queue.csv", tmp_path / "key.jsonl"
    write_judging_queue(queue, path, key=key)
    with pytest.raises(InputError, match="no queue file"):
        write_judging_queue(queue, tmp_path / "queue.xlsx", key=key)
    with pytest.raises(InputError, match="no such folder"):
        write_judging_queue(queue, tmp_path / "no" / "queue.csv", key=key)
    with pytest.raises(InputError, match="no key file"):
        write_judging_queue(queue, path, key=tmp_path / "key.csv")
    with pytest.raises(NotFoundError):
        read_judgements(tmp_path / "none.csv")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SchemaError, match="not a queue"):
        read_judgements(tmp_path / "other.csv")
    (tmp_path / "other.jsonl").write_text("{]\n", encoding="utf-8")
    with pytest.raises(SchemaError, match="not readable"):
        read_judgements(tmp_path / "other.jsonl")
    other = make_judging_queue(_runs(), seed=4)
    write_judging_queue(other, tmp_path / "q2.csv", key=tmp_path / "k2.jsonl")
    with pytest.raises(SchemaError, match="key does not hold"):
        read_judging_queue(path, key=tmp_path / "k2.jsonl")


def test_settling():
    queue = make_judging_queue(_runs(2), seed=0)
    a, b, c, d = (i.id for i in queue.items)
    said_ = [
        _judge(a, "A", factual=True), _judge(a, "B", factual=True),
        _judge(b, "A", factual=True), _judge(b, "B"),  # half and half
        _judge(c, "A", contextual=True),  # one judge
        _judge(a, "C"),  # two of three
    ]  # fmt: skip
    found = settle_judgements(queue, said_)
    assert found.failures == {a: ("factual",)}
    assert set(found.open) == {b, c}
    assert found.unjudged == (d,)
    assert found.counts == {"factual": 1, "contextual": 0, "none": 0}
    # the last word of a person counts
    assert settle_judgements(queue, [*said_, _judge(b, "B", factual=True)]).failures[b] == (
        "factual",
    )
    assert settle_judgements(queue, [_judge(d, "A")], judges=1).counts["none"] == 1
    with pytest.raises(NotFoundError, match="no item"):
        settle_judgements(queue, [_judge("elsewhere", "A")])
    with pytest.raises(InputError, match="fewer than one"):
        settle_judgements(queue, [], judges=0)


def test_agreement_by_hand():
    queue = make_judging_queue(_runs(5), seed=0)
    ids = [i.id for i in queue.items]
    # A and B on ten items: both yes 3, both no 4, A alone 2, B alone 1
    of_a = [1, 1, 1, 0, 0, 0, 0, 1, 1, 0]
    of_b = [1, 1, 1, 0, 0, 0, 0, 0, 0, 1]
    said_ = [_judge(i, "A", factual=bool(x)) for i, x in zip(ids, of_a, strict=True)]
    said_ += [_judge(i, "B", factual=bool(x)) for i, x in zip(ids, of_b, strict=True)]
    found = judging_agreement(queue, said_)
    # observed .7; expected .5*.4 + .5*.6 = .5
    assert found.kappa["A", "B", "factual"] == (pytest.approx(0.4), 10)
    words = [(str(x), str(y)) for x, y in zip(of_a, of_b, strict=True)]
    assert found.kappa["A", "B", "factual"][0] == pytest.approx(cohens_kappa(words))
    # nominal alpha: 1 - (n-1) * disagreeing pairs / (n0 * n1), n = 20 labels: 9 yes, 11 no
    assert found.alpha["factual"] == pytest.approx(1 - 19 * 3 / (9 * 11))
    # nobody ever saw the other failure: nothing to agree on by chance
    assert found.alpha["contextual"] is None
    assert found.kappa["A", "B", "contextual"] == (None, 10)
    assert (found.items, found.shared) == (10, 10)
    assert found.to_dict()["cohen_kappa"][0]["annotators"] == ["A", "B"]


def test_the_rule_against_people():
    queue = make_judging_queue(_runs(4), seed=0)
    kinds = {k.id: k.kinds for k in queue.key}
    judgements = []
    for who in ("A", "B"):
        for id_, held in kinds.items():
            judgements.append(_judge(id_, who, contextual="contextual" in held))
    rule = judging_agreement(queue, judgements).rule
    assert rule["contextual"] == {"items": 8, "precision": 1.0, "recall": 1.0, "kappa": 1.0}
    # the rule calls two replies factual, people none
    assert rule["factual"]["precision"] == 0.0
    assert rule["factual"]["recall"] is None


def test_a_judgement_says_who_when_and_why():
    for missing in ("id", "annotator", "when"):
        cells = {"id": "i", "annotator": "A", "when": "2026-11-30"} | {missing: " "}
        with pytest.raises(InputError, match=f"without {missing}"):
            Judgement(**cells, factual=False, contextual=False)
    with pytest.raises(InputError, match="without a reason"):
        Judgement(id="i", annotator="A", when="w", factual=True, contextual=False)
