"""Overlap of sentences: hand counts, slow versions, a bound of the specification."""

from __future__ import annotations

import math
import sys
import types
from collections import Counter

import numpy as np
import pytest
from tests.score.quizzes.asked import by_name, made, real_questions, said

from prandial.errors import MissingDataError
from prandial.score.quizzes import EncodedBert, LibraryBert, published_scores
from prandial.score.quizzes.sentences import bleu, greedy_f1, rouge

GOLD = "No, because the food is high in sodium. "


class Letters:
    """Token states by letter counts: enough to have texts alike and unlike."""

    id = "letters"
    asked: list[list[str]]

    def __init__(self):
        self.asked = []

    def token_states(self, texts):
        self.asked.append(list(texts))
        return [
            np.array(
                [[w.count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for w in t.split()],
                dtype=np.float32,
            ).reshape(-1, 26)
            for t in texts
        ]


def test_rouge_by_hand():
    # 8 words each; all but the last two are equal and in order
    found = rouge([GOLD], ["No, because the food is high in sugar"])
    assert found["rouge1"] == [pytest.approx(7 / 8)]
    assert found["rouge2"] == [pytest.approx(6 / 7)]
    assert found["rougeL"] == [pytest.approx(7 / 8)]
    assert rouge([GOLD], [""])["rouge1"] == [0.0]


def test_a_fixed_sentence_scores_588_on_every_sparse_gold(shared_dir):
    """The specification's bound by token count: 2 * 5 / (8 + 9) against the longest nutrient."""
    golds = [
        q.row.gold.sentence for q in real_questions(shared_dir, "TG") if q.row.level == "sparse"
    ]
    assert len(golds) == 30
    longest = "Yes, because the food is low in saturated_fat. "
    for gold in [*golds, longest]:
        assert rouge([gold], [GOLD])["rouge1"][0] >= 0.588
    assert rouge([longest], [GOLD])["rouge1"][0] == pytest.approx(10 / 17)


def _slow_bleu(gold, said_):
    logs = 0.0
    for n in range(1, 5):
        grams = lambda w, n=n: Counter(tuple(w[i : i + n]) for i in range(len(w) - n + 1))  # noqa: E731
        own, other = grams(said_), grams(gold)
        right = sum(min(c, other[g]) for g, c in own.items())
        logs += math.log(right / sum(own.values())) / 4
    return math.exp(logs) * min(1.0, math.exp(1 - len(gold) / len(said_)))


def test_bleu_against_a_slow_version():
    words = "No , because the food is high in sodium .".split()
    for reply, split in (
        ("No, because the food is high in sodium and sugar.",
         "No , because the food is high in sodium and sugar .".split()),
        ("Yes, because the food is high in sodium.",
         "Yes , because the food is high in sodium .".split()),
        ("No, because the food is high in sodium.", words),
        ("because the food is high", "because the food is high".split()),
    ):  # fmt: skip
        assert bleu([GOLD], [reply])["bleu"] == [pytest.approx(_slow_bleu(words, split))]
    none = bleu([GOLD], ["nothing alike at all here"])
    assert none["bleu"][0] < 1e-70
    assert 0 <= none["bleu_sacrebleu"][0] < 0.1
    assert bleu([GOLD], [GOLD])["bleu_sacrebleu"] == [pytest.approx(1.0)]
    assert bleu([GOLD], [""])["bleu"] == [0.0]


def test_two_sentences_are_split():
    gold = ["It is low. It is high."]
    found = bleu(gold, ["It is low. It is high."])["bleu"]
    assert found == [pytest.approx(1.0)]
    words = "It is low . It is high .".split()
    said_ = "It is low . It is mild .".split()
    assert bleu(gold, ["It is low. It is mild."])["bleu"] == [
        pytest.approx(_slow_bleu(words, said_))
    ]


def _slow_bert(gold, said_):
    cosine = lambda a, b: float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))  # noqa: E731
    recall = sum(max(cosine(g, s) for s in said_) for g in gold) / len(gold)
    precision = sum(max(cosine(g, s) for g in gold) for s in said_) / len(said_)
    return 2 * precision * recall / (precision + recall)


def test_greedy_matching_against_a_slow_version():
    rng = np.random.default_rng(5)
    for _ in range(20):
        gold = rng.normal(size=(rng.integers(1, 9), 6)).astype(np.float32)
        told = rng.normal(size=(rng.integers(1, 9), 6)).astype(np.float32)
        assert greedy_f1(gold, told) == pytest.approx(_slow_bert(gold, told), abs=1e-5)
    # two of three tokens alike: recall and precision 2/3
    eye = np.eye(4, dtype=np.float32)
    assert greedy_f1(eye[:3], eye[1:]) == pytest.approx(2 / 3)
    assert greedy_f1(eye[:2], eye[:0]) == 0.0


def test_bertscore_names_its_encoder_and_encodes_a_text_once():
    asked = [made("high_sodium", ("hypertension",), "TG", name=str(i), code=i) for i in range(3)]
    encoder = Letters()
    pairs = [said(q, GOLD) for q in asked[:2]] + [said(asked[2], "Yes, it suits")]
    found = by_name(published_scores(pairs, draws=0, bert=EncodedBert(encoder)))
    score = found["tg_bertscore[letters]"]
    assert score.n_scored == 3
    assert 2 / 3 < score.value < 1
    assert all(len(texts) == len(set(texts)) for texts in encoder.asked)


def test_the_library_is_used_where_it_is_installed(monkeypatch):
    with pytest.raises(MissingDataError, match="bert-score"):
        LibraryBert()

    class Scorer:
        def __init__(self, **options):
            self.options = options

        def score(self, candidates, references):
            assert (candidates, references) == (["said"], ["gold"])
            return [0.1], [0.2], [0.3]

    monkeypatch.setitem(sys.modules, "bert_score", types.SimpleNamespace(BERTScorer=Scorer))
    bert = LibraryBert("some/folder", layers=5)
    assert bert.f1(["gold"], ["said"]) == [0.3]
    assert bert.id == "some/folder layer 5"


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(MissingDataError, match="rouge-score") as caught:
        rouge([GOLD], [GOLD])
    assert "prandial[bench]" in caught.value.hint
