"""Review: queue out and in, who, when and why, agreement by published examples."""

from __future__ import annotations

import csv
import json
import sys

import pytest
from tests.quiz.made import food, person

from prandial.errors import InputError, MissingDataError, ModelError, NotFoundError, SchemaError
from prandial.quiz import (
    Opinion,
    Review,
    adjudicate,
    agreement_of,
    cohens_kappa,
    gold_of_facts,
    krippendorffs_alpha,
    make_queue,
    make_row,
    read_queue,
    read_reviews,
    reviewed_gold,
    write_queue,
)

ROWS = [
    make_row(
        food("low_carb", "high_sodium", code=code, name=f'=Food "{code}", with | bar'),
        person(*statuses),
        level="sparse",
        rules="default",
    )
    for code, statuses in ((1, ("diabetes",)), (2, ("hypertension",)), (3, ("diabetes",)))
]
IDS = ["sparse-1-21005", "sparse-2-21005", "sparse-3-21005"]


def _said(item, annotator, verdict, why="", tags=None):
    return Review(
        id=IDS[item], annotator=annotator, when="2026-03-01", verdict=verdict, why=why, tags=tags
    )


def test_a_model_is_asked_and_its_word_kept():
    def opinion(row):
        if row.food.code == 3:
            raise ModelError("no answer", where="model")
        return Opinion(verdict="No", note="salt", tags=("high_sodium",))

    items = {i.id: i for i in make_queue(ROWS, rules="default", opinion=opinion)}
    assert items[IDS[0]].flags == ("model_disagrees",)
    assert items[IDS[1]].flags == ()
    assert items[IDS[2]].flags == ("model_failed",)
    assert items[IDS[2]].opinion.verdict == ""
    assert items[IDS[1]].because == (
        "person 21005 -> hypertension -> low_sodium -> high_sodium (contradict)",
    )


def test_those_with_flags_come_first():
    queue = make_queue(ROWS, rules="default", opinion=lambda row: Opinion(verdict="Yes"))
    assert [i.id for i in queue] == [IDS[1], IDS[0], IDS[2]]
    with pytest.raises(InputError):
        make_queue([*ROWS, ROWS[0]], rules="default")


@pytest.mark.parametrize("name", ["queue.csv", "queue.jsonl"])
def test_queue_comes_back_equal(name, tmp_path):
    items = make_queue(
        ROWS, rules="default", opinion=lambda row: Opinion(verdict="No", note="because")
    )
    write_queue(items, tmp_path / name)
    # the bar in a food's name stays, for only list cells are taken apart
    assert read_queue(tmp_path / name) == items
    assert read_reviews(tmp_path / name) == ([], [])


def test_filled_in_reviews_are_read_and_bad_ones_named(tmp_path):
    path = tmp_path / "queue.csv"
    write_queue(make_queue(ROWS, rules="default"), path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert not any(r["food"].startswith("=") for r in rows)  # no formula for a spreadsheet
    filled = {"annotator": "ann", "when": "2026-03-01"}
    rows[0] |= filled | {"review_verdict": "no", "review_tags": "high_sodium, low_carb", "why": "w"}
    rows[1] |= filled | {"review_verdict": "maybe"}
    rows[2] |= {"annotator": "bob", "review_verdict": "Yes"}
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    reviews, problems = read_reviews(path)
    assert reviews == [_said(0, "ann", "No", "w", ("high_sodium", "low_carb"))]
    assert [p[:5] for p in problems] == ["row 2", "row 3"]
    assert "without when" in problems[1]


def test_files_of_another_kind(tmp_path):
    with pytest.raises(NotFoundError):
        read_queue(tmp_path / "none.csv")
    with pytest.raises(InputError):
        write_queue([], tmp_path / "queue.xlsx")
    for name, text in (("a.csv", "id,food\n1,x\n"), ("a.jsonl", "[1]\n"), ("b.jsonl", "{\n")):
        (tmp_path / name).write_text(text)
        with pytest.raises(SchemaError):
            read_queue(tmp_path / name)


def test_adjudication_keeps_who_when_and_why():
    items = make_queue(ROWS, rules="default")
    reviews = [
        _said(0, "ann", "No", "far too salty", ("high_sodium",)),
        _said(0, "bob", "No", "salt", ("high_sodium",)),
        _said(1, "ann", "No"),
        _said(1, "bob", "Yes", "a small portion"),
    ]
    found = adjudicate(items, reviews)
    assert found.verdicts == {IDS[0]: "No", IDS[1]: "No", IDS[2]: "Yes"}
    assert found.open == (IDS[1],)
    assert (found.agreed, found.decided, found.unreviewed) == (1, 0, 1)
    verdict, tags = found.changes
    assert (verdict.old, verdict.new, verdict.who) == ("Yes", "No", "ann, bob")
    assert (verdict.when, verdict.why) == ("2026-03-01", "far too salty; salt")
    assert (tags.label, tags.old, tags.new) == ("tags", "low_carb", "high_sodium")
    decided = adjudicate(items, reviews, [_said(1, "chair", "Yes", "portion counts")])
    assert decided.open == ()
    assert decided.verdicts[IDS[1]] == "Yes"
    assert decided.changes[-1].who == "chair"
    assert json.loads(json.dumps(decided.to_dict()))["decided"] == 1


def test_a_change_needs_a_reason_and_an_item():
    items = make_queue(ROWS, rules="default")
    with pytest.raises(InputError):
        adjudicate(items, [_said(0, "ann", "No")], reviewers=1)
    with pytest.raises(InputError):
        adjudicate(items, [], reviewers=0)
    with pytest.raises(NotFoundError):
        adjudicate(items[:1], [_said(2, "ann", "Yes")])
    with pytest.raises(InputError):
        Review(id="x", annotator="ann", when=" ", verdict="Yes")
    with pytest.raises(InputError):
        _said(0, "ann", "Yes", tags=("salty",))


def test_one_reviewer_changes_nothing_alone():
    items = make_queue(ROWS, rules="default")
    reviews = [_said(0, "ann", "No", "salt"), _said(1, "ann", "No"), _said(1, "ann", "No")]
    found = adjudicate(items, reviews)
    assert (found.changes, found.open) == ((), (IDS[0],))
    assert (found.agreed, found.few, found.unreviewed, found.reviewers) == (0, 1, 1, 2)
    assert found.verdicts[IDS[0]] == "Yes"
    alone = adjudicate(items, reviews, reviewers=1)
    assert (alone.changes[0].new, alone.open, alone.agreed, alone.few) == ("No", (), 2, 0)
    three = [_said(0, a, "No", "salt") for a in ("ann", "bob")]
    assert adjudicate(items, three, reviewers=3).open == (IDS[0],)
    decided = adjudicate(items, reviews, [_said(0, "chair", "No", "salt")])
    assert (decided.changes[0].who, decided.open) == ("chair", ())


@pytest.mark.parametrize("name", ["queue.csv", "queue.jsonl"])
def test_a_blind_queue_tells_no_answer(name, tmp_path):
    items = make_queue(ROWS, rules="default", opinion=lambda row: Opinion(verdict="Yes"))
    write_queue(items, tmp_path / name, blind=True)
    found = read_queue(tmp_path / name)
    assert [i.id for i in found] == sorted(i.id for i in items)
    for item in found:
        assert (item.verdict, item.tags, item.sentence, item.because) == ("", (), "", ())
        assert (item.flags, item.opinion) == ((), None)
        assert item.food
        assert item.statuses
        assert item.food_tags


def test_reviews_of_questions_that_are_not_known(tmp_path):
    path = tmp_path / "queue.jsonl"
    write_queue(make_queue(ROWS, rules="default"), path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    word = {"annotator": "ann", "when": "2026-03-01", "review_verdict": "Yes"}
    path.write_text("".join(json.dumps(r | word) + "\n" for r in rows))
    reviews, problems = read_reviews(path, {IDS[0]})
    assert [r.id for r in reviews] == [IDS[0]]
    assert len(problems) == 2
    assert all("no question" in p for p in problems)


def test_reviewed_answers_follow_a_template():
    asked, who = food("low_carb", "high_sodium", "high_fiber"), person("diabetes")
    ours = reviewed_gold(asked, who, "No", ("low_carb", "high_sodium"), rules="default")
    # carbohydrate is needed low, sodium is not needed at all: it is on the verdict's side
    assert (ours.matches, ours.contradicts) == (("low_carb",), ("high_sodium",))
    assert ours.sentence == (
        "No, the food does not suit this person: it is low in carb, as needed; "
        "it is high in sodium, against what is needed."
    )
    published = reviewed_gold(asked, who, "No", ("high_sodium",), rules="as-published")
    assert published.sentence == "No, because the food is high in sodium. "
    odd = reviewed_gold(asked, who, "No", ("low_carb",), rules="as-published")
    assert odd.sentence.startswith("No, the food does not suit")
    rule = gold_of_facts(asked, who, rules="default")
    assert reviewed_gold(asked, who, rule.verdict, rule.tags, rules="default") == rule


def test_the_last_word_of_an_annotator_counts():
    items = make_queue(ROWS, rules="default")
    reviews = [_said(0, "ann", "No", "salt"), _said(0, "ann", "Yes")]
    assert adjudicate(items, reviews).changes == ()
    assert agreement_of(reviews).items == 1


def test_kappa_of_a_textbook_table():
    # 20 both yes, 5 yes/no, 10 no/yes, 15 both no: observed .7, expected .5, kappa .4
    pairs = [("Yes", "Yes")] * 20 + [("Yes", "No")] * 5 + [("No", "Yes")] * 10 + [("No", "No")] * 15
    assert cohens_kappa(pairs) == pytest.approx(0.4)
    assert cohens_kappa([]) is None
    assert cohens_kappa([("Yes", "Yes")] * 3) is None
    assert cohens_kappa([("Yes", "No"), ("No", "Yes")]) == pytest.approx(-1)


def test_alpha_of_krippendorffs_own_examples():
    # K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), examples A and C
    # A by hand: 4 of 10 pairs differ, 6 ones and 14 zeros: 1 - (20 - 1) * 4 / (6 * 14)
    binary = ["0100000010", "1110010000"]
    assert krippendorffs_alpha([list(r) for r in binary]) == pytest.approx(0.095, abs=5e-4)
    nominal = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    table = [[None if c == "." else c for c in row] for row in nominal]
    assert krippendorffs_alpha(table) == pytest.approx(0.743, abs=5e-4)
    assert krippendorffs_alpha([["a", None], [None, "b"]]) is None
    assert krippendorffs_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorffs_alpha([]) is None


def test_without_the_library_the_hint_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    with pytest.raises(MissingDataError) as error:
        krippendorffs_alpha([["a", "b"], ["a", "a"]])
    assert "pip install" in error.value.hint


def test_agreement_lists_disagreements():
    reviews = [
        _said(0, "ann", "Yes"), _said(0, "bob", "No"), _said(0, "eve", "No"),
        _said(1, "ann", "No"), _said(1, "bob", "No"), _said(2, "eve", "Yes"),
    ]  # fmt: skip
    found = agreement_of(reviews)
    assert (found.items, found.shared, found.equal) == (3, 2, 1)
    assert found.disagreements[0].verdicts == {"ann": "Yes", "bob": "No", "eve": "No"}
    assert found.kappas["ann", "bob"] == (pytest.approx(0.0), 2)
    assert found.kappas["ann", "eve"][1] == 1
    assert found.alpha_tags is None
    assert json.loads(json.dumps(found.to_dict()))["shared"] == 2
    nobody = agreement_of([])
    assert (nobody.items, nobody.alpha_verdicts) == (0, None)
