"""The quick kernels give what slow, obvious versions of them give.

The slow versions are kept here: a score is summed document by document and word
by word, a ranking is a full sort, a food's measures are scored one by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.meal import Estimator
from prandial.meal.amounts import Amount, read_marks
from prandial.meal.index import FoodIndex
from prandial.meal.kept import Kept
from prandial.meal.lexicon import load_lexicon
from prandial.meal.measures import LIGHT, UNHIT, _Eaten
from prandial.meal.names import INNER_MATCH
from prandial.meal.numbers import read_number
from prandial.meal.portions import Said, _row_scores, _wanted, prepare
from prandial.meal.reading import (
    _DOSE,
    _DOSE_HINTS,
    _INSTRUCTION,
    _INSTRUCTION_HINTS,
    _found,
    read_text,
)
from prandial.meal.tokens import tokenize

#: everyday words, some of which no food holds
WORDS = (
    "rice milk bread chicken breast apple pie cheese butter peanut raw cooked fat sugar free"
    " salt cup slice soup salad fried whole wheat orange juice egg zzgrub of with and no 2 half"
).split()
EVERYDAY = (
    "2 slices of toast with butter and a glass of milk",
    "a chicken pot-pie, 150 g of cooked rice and some sugar-free jam",
    "half an apple (90 g) & 1/2 cup raw oats without salt",
    "3 oz grilled chicken breast with a medium baked potato",
    "a peanut butter cup, no-bake cookie and 12 fl oz cola",
)
Query = tuple[list[tuple[str, float]], list[str], list[str], str, list[str], list[str]]


def slow_score(index: FoodIndex, document: int, query: Query) -> float:
    """Sum a document's score word by word."""
    terms, implied, negated, head, implied_heads, pairs = query
    w = index.weights
    held: dict[str, tuple[float, float]] = {}
    for term in index.doc_terms(document):
        documents, matches, costs = index.postings[term]
        k = documents.tolist().index(document)
        held[term] = (float(matches[k]), float(costs[k]))
    score = float(index.base[document])
    weighed = [*terms, *((t, None) for t in implied)]
    for term, weight in weighed:
        if weight is None:
            gain = w.implied * index.word_weight.get(term, 0.0)
        else:
            gain = weight
            score -= w.alpha * weight
        if term in held:
            score += w.alpha * gain * held[term][0] + held[term][1]
    words = {t for t, _ in terms}
    for term in negated:
        score -= w.negated * (term in held)
        if "no:" + term in held:
            score += held["no:" + term][1] + w.no_gain
    score -= w.conflict * sum("no:" + term in held for term in words)
    if words & {"raw", "uncooked", "dry"}:
        score -= w.state * sum(t in held and t not in words for t in ("cooked", "boiled"))
    elif "cooked" in words:
        score -= w.state * sum(t in held for t in ("raw", "uncooked", "dry"))
    score += w.bigram * sum(pair in held for pair in pairs)
    same = head in index.heads and document in index.heads[head].tolist()
    return score + (slow_head(index, held, head, implied_heads) + w.same_head * same) * bool(head)


def slow_head(
    index: FoodIndex, held: dict[str, tuple[float, float]], head: str, implied_heads: list[str]
) -> float:
    """Return what a document gains by the best head noun it holds, less what lacking one costs."""
    w = index.weights
    best = 0.0
    for term in (head, *implied_heads):
        if term in held:
            factor = w.head if term == head else 0.9 * w.head
            best = max(best, factor * (w.inner_head if held[term][0] == INNER_MATCH else 1.0))
    return best - w.head


def queries(index: FoodIndex) -> st.SearchStrategy[Query]:
    word = st.sampled_from(WORDS)

    def build(words: list[str], implied: list[str], negated: list[str], part: float) -> Query:
        terms = {
            t: index.word_weight.get(t, 0.8) * (part if k % 2 else 1.0) for k, t in enumerate(words)
        }
        pairs = [f"{a}_{b}" for a, b in pairwise(words)]
        return list(terms.items()), implied, negated, words[-1], implied[:1], pairs

    return st.builds(
        build,
        st.lists(word, min_size=1, max_size=5),
        st.lists(word, max_size=2, unique=True),
        st.lists(word, max_size=1),
        st.sampled_from((1.0, 0.25)),
    )


@pytest.fixture(scope="module")
def index(estimator: Estimator) -> FoodIndex:
    return estimator.matcher.index


@settings(max_examples=25)
@given(data=st.data())
def test_scores_are_sums_over_words(index: FoodIndex, data: st.DataObject) -> None:
    query = data.draw(queries(index))
    scored = index.scores(*query)
    if scored is None:
        assert not any(index.known(t) for t, _ in query[0])
        assert not any(map(index.known, query[1]))
        return
    documents, scores = scored
    step = max(len(documents) // 20, 1)
    for document, score in list(zip(documents.tolist(), scores.tolist(), strict=True))[::step]:
        assert score == pytest.approx(slow_score(index, document, query), abs=1e-9)


@settings(max_examples=40)
@given(data=st.data(), k=st.sampled_from((1, 3, 8)), margin=st.sampled_from((0.5, 4.5, 30.0)))
def test_best_foods_are_those_of_a_full_sort(
    index: FoodIndex, data: st.DataObject, k: int, margin: float
) -> None:
    query = data.draw(queries(index))
    scored = index.scores(*query)
    if scored is None:
        assert index.ranked(*query, k=k, margin=margin) == ()
        return
    documents, scores = (a.tolist() for a in scored)
    least = max(scores) - margin
    near = sorted({(-s, d) for d, s in zip(documents, scores, strict=True) if s > least})
    first: dict[int, tuple[int, int, float]] = {}
    for minus, document in near:
        food = int(index.doc_food[document])
        first.setdefault(food, (food, document, -minus))
    # as ever, at most the best 12 k documents are looked at
    assert index.ranked(*query, k=k, margin=margin)[:1] == tuple(first.values())[:1]
    found = index.top(scored, k=k, margin=margin)
    assert found == list(first.values())[: len(found)]
    assert len(found) == min(k, len(first)) or len(near) > 12 * k
    assert index.ranked(*query, k=k, margin=margin) == tuple(found)


def slow_measures(
    estimator: Estimator, food: int, words: frozenset[str], said: Said
) -> tuple[list[float], float]:
    """Score a food's measures one by one, each from its own words."""
    w = estimator.matcher.index.weights
    measures = estimator.matcher.book.of(food)
    unmissed, missing = _wanted(measures, words, said, w)
    full = []
    out = []
    for r, row in enumerate(measures.rows):
        score = measures.base[r]
        held = {t: c for t, places in measures.places.items() for q, c in places if q == r}
        hit = [t for t in said.gains if t in held]
        for word in hit:
            gain = said.gains[word]
            if not gain and word not in words:
                gain = said.weights.get(word, 0.0)
            score += w.row_miss * held[word] + gain
        score += UNHIT * bool(hit)
        full.append(bool(hit) and measures.heavy[r] <= sum(held[t] >= LIGHT for t in hit))
        if said.amount.volume_unit and not row.default:
            score -= w.wrong_cup * (row.volume_unit != said.amount.volume_unit)
        out.append(score + unmissed[r])
    usual = [row.default for row in measures.rows]
    volumes = [row.volume_ml > 0 for row in measures.rows]
    for r in range(len(out)):
        if said.itself:
            out[r] += w.self_row * full[r]
            barred = not full[r] if any(full) else volumes[r] or usual[r]
            out[r] -= 3.0 * (barred and said.amount.counted)
        nothing = not (said.amount.said or said.amount.singular or said.words)
        out[r] -= 1.5 * (nothing and any(usual) and not usual[r])
    return out, missing


def amounts(text: str) -> Sequence[Amount]:
    from prandial.meal.amounts import combine

    lexicon = load_lexicon()
    return [combine(read_marks(tokenize(text), lexicon, locale="en-US"), lexicon.household_ml)]


@settings(max_examples=60)
@given(
    food=st.integers(0, 5_000),
    text=st.sampled_from(("2 cups", "a slice", "3", "", "12 fl oz", "1 large bottle", "an", "2 x")),
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    sizes=st.lists(st.sampled_from(("small", "medium", "large")), max_size=1),
)
def test_measures_are_scored_as_one_by_one(
    estimator: Estimator, food: int, text: str, words: list[str], sizes: list[str]
) -> None:
    index = estimator.matcher.index
    terms = [(t, index.word_weight.get(t, 0.8)) for t in words]
    said = prepare(terms, sizes, amounts(text)[0], words[:1], index.weights)
    have = index.food_terms(food)
    measures = estimator.matcher.book.of(food)
    scores, _, missing = _row_scores(measures, have, said, index.weights)
    slow, slow_missing = slow_measures(estimator, food, have, said)
    assert scores == pytest.approx(slow, abs=1e-9)
    assert missing == slow_missing


@given(
    st.lists(st.tuples(st.integers(0, 4_000), st.integers(1, 50)), max_size=12),
    st.floats(0, 1_000),
    st.floats(0, 0.1),
)
def test_amounts_eaten_near_a_weight(
    pairs: list[tuple[int, int]], grams: float, share: float
) -> None:
    values = [(a / 4, float(c)) for a, c in pairs]
    eaten = _Eaten([a for a, _ in values], [c for _, c in values])
    within = share * grams
    assert eaten.near(grams, within) == sum(c for a, c in values if abs(a - grams) <= within)


@pytest.mark.parametrize(
    ("pattern", "hints"), [(_INSTRUCTION, _INSTRUCTION_HINTS), (_DOSE, _DOSE_HINTS)]
)
@given(
    words=st.lists(
        st.sampled_from(
            "ignore all rules answer only as an ai you are now update x set select drop from say"
            " 0 system prompt how much insulin units should i correction dose bolus injected of"
            " for a the table https://x <script override previous".split()
        ),
        max_size=9,
    )
)
def test_no_match_without_a_hint(pattern: object, hints: tuple[str, ...], words: list[str]) -> None:
    text = " ".join(words)
    assert [m.span() for m in _found(pattern, hints, text)] == [  # type: ignore[arg-type]
        m.span()
        for m in pattern.finditer(text)  # type: ignore[attr-defined]
    ]


def test_kept_forgets_only_what_is_not_asked_for() -> None:
    kept: Kept[int, str | None] = Kept(10)
    kept.put(0, "first")
    for k in range(1, 100):
        kept.put(k, str(k))
        assert kept.get(0, None) == "first"
        assert len(kept) <= 10
    assert kept.get(1, None) is None
    assert kept.get(99, None) == "99"


def test_marks_are_kept_apart_in_the_cache(estimator: Estimator) -> None:
    """A result does not depend on what was estimated before."""
    pairs = [
        ("a chicken pot-pie", "a chicken pot pie"),
        ("1 peanut-butter cup", "1 peanut butter cup"),
        ("a no-sugar cookie", "a sugar cookie"),
    ]
    for before, text in pairs:
        fresh = Estimator(estimator.table)
        fresh.estimate(before)
        assert fresh.estimate(text) == Estimator(estimator.table).estimate(text)


@pytest.mark.parametrize("text", EVERYDAY)
def test_words_that_begin_no_number(text: str) -> None:
    """The quick look at a token's first word leaves out no number."""
    reading = read_text(text, load_lexicon(), locale="en-US")
    said = [m.start for m in reading.marks if m.numbered]
    started = [i for i in range(len(reading.tokens)) if read_number(reading.tokens, i) is not None]
    assert set(said) <= set(started)
    assert all(math.isfinite(m.number.mid) for m in reading.marks)
