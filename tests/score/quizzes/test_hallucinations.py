"""Wrong answers sorted by rule: one case a kind, by hand."""

from __future__ import annotations

import pytest
from tests.score.quizzes.asked import by_name, failed, made, real_questions, said

from prandial.score.quizzes import KINDS, error_scores, review_errors, wrong_answer

#: hypertension needs low sodium, diabetes low sugar and low carb; the food also has protein
ASKED = {"tags": "high_sodium low_sugar high_protein", "statuses": ("hypertension", "diabetes")}


def _tg(**more):
    return made(ASKED["tags"], ASKED["statuses"], "TG", level="complex", **more)


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [
        # gold: a tie, so No because of high sodium
        ("No, because the food is high in sodium. ", ()),
        # the other side may be named as well
        ("No, the food is high in sodium, though low in sugar.", ()),
        # not in the graph
        ("No, because the food is high in sodium, high in cholesterol.", ("factual",)),
        ("No, because it is high in sugar and high in sodium.", ("factual",)),
        # in the graph, but nothing to this person
        ("No, because the food is high in sodium, high in protein.", ("contextual",)),
        ("No, because it is high in protein.", ("contextual", "missing")),
        ("Yes, because it is high in protein.", ("contextual", "missing")),
        # says No although all it names speaks for the food
        ("No, because the food is low in sugar.", ("contradiction", "missing")),
        ("Yes, because the food is high in sodium.", ("contradiction",)),
        # says Yes for the one side it names
        ("Yes, because the food is low in sugar.", ("missing",)),
        ("Yes.", ("unexplained",)),
        ("No.", ("unexplained",)),
    ],
)
def test_kinds_of_a_sentence(reply, kinds):
    asked, answer = said(_tg(), reply)
    assert asked.row.gold.verdict == "No"
    found = wrong_answer(asked, answer)
    assert (found.kinds if found else ()) == kinds
    if found:
        assert found.kind == kinds[0]
        assert len(found.because) == len(kinds)
        assert found.reply == reply


def test_a_wrong_verdict_with_all_reasons_is_misjudged():
    # a tie is No by the rule; naming both sides and saying No is right, Yes is against its reasons
    asked, answer = said(_tg(), "Yes: low in sugar but high in sodium.")
    assert wrong_answer(asked, answer).kinds == ("contradiction",)
    # a need told high and low: the rule counts high, and nothing the answer names counts
    clash = made(
        "high_protein",
        ("Renal/Kidney diet", "High protein diet"),
        "TG",
        rules="default",
        level="sparse",
    )
    assert clash.row.gold.verdict == "No"
    asked, answer = said(clash, "Yes, it is high in protein.")
    assert wrong_answer(asked, answer).kinds == ("misjudged",)


def test_tags_and_verdicts_alone():
    ml = made(ASKED["tags"], ASKED["statuses"], "ML", level="complex")
    assert wrong_answer(*said(ml, "high_sodium, low_sugar")) is None
    assert wrong_answer(*said(ml, "high_sodium")).kinds == ("missing",)
    assert wrong_answer(*said(ml, "none")).kinds == ("missing",)
    every = wrong_answer(*said(ml, "high_protein, low_cholesterol"))
    assert every.kinds == ("factual", "contextual", "missing")
    assert every.gold == every.said == ""
    assert "low_cholesterol" in every.because[0]
    assert "high_protein" in every.because[1]
    binary = made(ASKED["tags"], ASKED["statuses"], "B", level="complex")
    assert wrong_answer(*said(binary, "No")) is None
    assert wrong_answer(*said(binary, "Yes")).kinds == ("unexplained",)


def test_high_overwrites_low_only_as_published():
    clash = ("Renal/Kidney diet", "High protein diet")
    for rules, kinds in (("as-published", ()), ("default", ("misjudged",))):
        asked = made("high_protein", clash, "TG", rules=rules)
        found = wrong_answer(*said(asked, "Yes, because the food is high in protein."))
        assert (found.kinds if found else ()) == kinds, rules


def test_counts_and_shares():
    pairs = [
        said(_tg(name="a"), "No, because the food is high in sodium. "),
        said(_tg(name="b"), "No, because it is high in protein."),
        said(_tg(name="c"), "Yes, high in cholesterol, high in protein"),
        said(_tg(name="d"), "hm"),
        failed(_tg(name="e")),
    ]
    review = review_errors(pairs)
    assert (review.answered, review.unscored, len(review.wrong)) == (3, 2, 2)
    assert review.first == dict.fromkeys(KINDS, 0) | {"factual": 1, "contextual": 1}
    assert review.every["contextual"] == 2
    assert review.every["missing"] == 2
    body = review.to_dict()
    assert body["wrong"][0]["question"] == "b"
    assert body["wrong"][0]["kinds"] == ["contextual", "missing"]
    shares = by_name(error_scores(pairs, draws=0))
    assert shares["tg_error_any"].value == pytest.approx(2 / 3)
    assert shares["tg_error_factual"].value == pytest.approx(1 / 3)
    assert (shares["tg_error_any"].n_scored, shares["tg_error_any"].n_unscored) == (3, 2)
    assert not shares["tg_error_any"].higher_is_better


def test_the_gold_has_no_errors_and_all_tags_only_contextual_ones(shared_dir):
    for task, answer in (("B", "verdict"), ("TG", "sentence")):
        pairs = [said(q, getattr(q.row.gold, answer)) for q in real_questions(shared_dir, task)]
        assert review_errors(pairs).wrong == ()
    questions = real_questions(shared_dir, "ML")
    assert review_errors([said(q, ", ".join(q.row.gold.tags)) for q in questions]).wrong == ()
    review = review_errors([said(q, ", ".join(q.row.food.tags)) for q in questions])
    assert {w.kinds for w in review.wrong} == {("contextual",)}
    # wrong exactly where the food has a tag that does not decide
    extra = [q for q in questions if set(q.row.food.tags) != set(q.row.gold.tags)]
    assert [w.question for w in review.wrong] == [q.id for q in extra]
