"""The sampler against a slow obvious version, and the laws of its pairs."""

from __future__ import annotations

import math
import time
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.quiz.made import RULES, food, person

from prandial.errors import InputError
from prandial.quiz import (
    ATTEMPTS,
    LEVELS,
    Pairs,
    build_rows,
    food_arrays,
    is_tie,
    level_of,
    sample_pairs,
    undecided_needs,
    unknown_needs,
)
from prandial.quiz.sample import mix, mix64
from prandial.tables.rules import FOOD_TAG_ORDER, load_needs
from prandial.tags import HIGH, LOW, MAYBE_HIGH, MAYBE_LOW, need_bits, rule_nutrients

MASK = (1 << 64) - 1


def _case(random: Random, rules: str, foods: int, people: int, most: int = 4):
    n = len(rule_nutrients(rules))
    tags = np.array(
        [[random.choice((-1, 0, 1)) for _ in range(n)] for _ in range(foods)], dtype=np.int8
    ).reshape(foods, n)
    unknown = np.array(
        [[random.random() < 0.1 for _ in range(n)] for _ in range(foods)], dtype=bool
    )
    unknown = unknown.reshape(foods, n) & (tags == 0)
    bits = (0, 0, 0, LOW, HIGH, LOW | HIGH, MAYBE_LOW, HIGH | MAYBE_LOW, MAYBE_HIGH)
    needs = np.zeros((people, n), dtype=np.uint8)
    for row in needs:
        for column in random.sample(range(n), most):
            row[column] = random.choice(bits)
    codes = np.array(random.sample(range(11_000_000, 11_000_400), foods), dtype=np.int64)
    ids = np.array(random.sample(range(20_000, 21_000), people), dtype=np.int64)
    return codes, tags, ids, needs, unknown


def _wants(bits: int, rules: str) -> str:
    """Direction that counts, an empty text for none."""
    if bits & LOW and bits & HIGH:
        return "high" if rules == "as-published" else ""
    return "low" if bits & LOW else "high" if bits & HIGH else ""


def _may_be_asked(level, chosen, tags, unknown, bits, rules):
    """Return whether a person fits; ``chosen`` None stands for any nutrients."""
    wants = {c: _wants(b, rules) for c, b in enumerate(bits)}
    needed = {c for c, t in enumerate(tags) if t and wants[c]}
    if chosen is not None and needed != chosen:
        return False
    agree = [wants[c] == ("low" if tags[c] < 0 else "high") for c in needed]
    fits = {
        "sparse": len(agree) == 1,
        "standard": len(agree) > 1 and len(set(agree)) == 1,
        "complex": len(set(agree)) == 2,
    }[level]
    if rules == "as-published":
        return fits
    return (
        fits
        and agree.count(True) != agree.count(False)
        and not any(t and b & (MAYBE_LOW | MAYBE_HIGH) for t, b in zip(tags, bits, strict=True))
        and not any(u and b for u, b in zip(unknown, bits, strict=True))
    )


def _slow(codes, tags, ids, needs, unknown, rules, seed, per_level, weights=None):
    """Scan everybody in shuffled order at every attempt."""
    people = sorted(range(len(ids)), key=lambda p: ids[p])
    hashes = {p: int(h) for p, h in enumerate(mix64(ids.astype(np.uint64)))}
    columns = [rule_nutrients(rules).index(n) for n in FOOD_TAG_ORDER if n in rule_nutrients(rules)]
    published = rules == "as-published"
    found = []
    chain = mix(seed, 0)
    for f in sorted(range(len(codes)), key=lambda f: codes[f]):
        code = int(codes[f])
        tagged = [c for c in columns if tags[f, c]]
        facts = (tags[f].tolist(), unknown[f].tolist())
        for number, (level, most) in enumerate(zip(LEVELS, per_level, strict=True)):
            sets = _selections(level, facts, people, needs)
            if published and len(tagged) < (1 if level == "sparse" else 2):
                continue
            used: list[int] = []
            for k in range(1, ATTEMPTS + 1):
                if len(used) >= most or not (published or sets):
                    break
                if published:
                    chain = mix(chain, code + k)
                    random = Random(code + k)
                    random.shuffle(tagged)
                    count = 1 if level == "sparse" else random.randint(2, len(tagged))
                    chosen = set(tagged[:count])
                else:
                    chain = mix(mix(mix(seed, code), number), k)
                    chosen = sets[mix(chain, 2) % len(sets)] if weights is None else None
                for p in _shuffled(people, hashes, chain, weights):
                    fits = _may_be_asked(level, chosen, *facts, needs[p].tolist(), rules)
                    if fits and p not in used:
                        used.append(p)
                        found.append((level, f, p))
                        break
    return found


def _selections(level, facts, people, needs):
    """Return the sets of nutrients that somebody needs, by default rules."""
    tags, unknown = facts
    sets = {}
    for bits in needs[people].tolist():
        if _may_be_asked(level, None, tags, unknown, bits, "default"):
            held = {c for c, t in enumerate(tags) if t and _wants(bits[c], "default")}
            sets[sum(1 << c for c in held)] = held
    return [sets[mask] for mask in sorted(sets)]


def _shuffled(people, hashes, chain, weights):
    def key(p):
        number = ((hashes[p] ^ chain) * (mix(chain, 1) | 1)) & MASK
        if weights is None:
            return number
        return -math.log(((number >> 11) + 0.5) / 2.0**53) / weights[p]

    return sorted((p for p in people if weights is None or weights[p] > 0), key=key)


def _listed(pairs: Pairs):
    return list(zip(pairs.level, pairs.food_row.tolist(), pairs.person_row.tolist(), strict=True))


@pytest.mark.parametrize("rules", RULES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), foods=st.integers(0, 4), people=st.integers(0, 25))
def test_equal_to_the_slow_version(rules, seed, foods, people):
    codes, tags, ids, needs, unknown = _case(Random(seed), rules, foods, people, 1 + seed % 4)
    most = (3, 2, 2)
    fast = sample_pairs(
        codes, tags, ids, needs, rules=rules, seed=seed, per_level=most, food_unknown=unknown
    )
    assert _listed(fast) == _slow(codes, tags, ids, needs, unknown, rules, seed, most)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), foods=st.integers(1, 4), people=st.integers(0, 25))
def test_equal_to_the_slow_version_with_weights(seed, foods, people):
    random = Random(seed)
    codes, tags, ids, needs, unknown = _case(random, "default", foods, people)
    weights = np.array([random.choice((0.0, 1.0, 5.5, 900.0)) for _ in ids])
    fast = sample_pairs(
        codes, tags, ids, needs, rules="default", seed=seed, weights=weights, food_unknown=unknown
    )
    slow = _slow(codes, tags, ids, needs, unknown, "default", seed, (10, 5, 2), weights)
    assert _listed(fast) == slow


@pytest.mark.parametrize("rules", RULES)
def test_the_order_of_the_input_does_not_matter(rules):
    codes, tags, ids, needs, unknown = _case(Random(5), rules, 30, 400)
    first = sample_pairs(codes, tags, ids, needs, rules=rules, seed=1, food_unknown=unknown)
    f, p = np.random.default_rng(2).permutation(30), np.random.default_rng(3).permutation(400)
    other = sample_pairs(
        codes[f], tags[f], ids[p], needs[p], rules=rules, seed=1, food_unknown=unknown[f]
    )
    assert first.level == other.level
    assert codes[first.food_row].tolist() == codes[f][other.food_row].tolist()
    assert ids[first.person_row].tolist() == ids[p][other.person_row].tolist()


@pytest.mark.parametrize("rules", RULES)
def test_no_person_twice_and_never_more_than_asked(rules):
    codes, tags, ids, needs, _ = _case(Random(6), rules, 40, 300)
    pairs = _listed(sample_pairs(codes, tags, ids, needs, rules=rules, seed=1))
    assert len(set(pairs)) == len(pairs) > 200
    for level, most in zip(LEVELS, (10, 5, 2), strict=True):
        held = [f for name, f, _ in pairs if name == level]
        assert max(held.count(f) for f in set(held)) <= most
    assert set(LEVELS) == {name for name, _, _ in pairs}


def test_a_food_draws_alike_beside_others_by_default_only():
    codes, tags, ids, needs, _ = _case(Random(7), "default", 20, 300)
    codes.sort()
    whole = sample_pairs(codes, tags, ids, needs, rules="default", seed=1)
    alone = sample_pairs(codes[-1:], tags[-1:], ids, needs, rules="default", seed=1)
    assert len(alone) > 5
    assert whole.person_row[whole.food_row == 19].tolist() == alone.person_row.tolist()
    codes, tags, ids, needs, _ = _case(Random(7), "as-published", 20, 300)
    codes.sort()
    whole = sample_pairs(codes, tags, ids, needs, rules="as-published", seed=1)
    alone = sample_pairs(codes[-1:], tags[-1:], ids, needs, rules="as-published", seed=1)
    assert whole.person_row[whole.food_row == 19].tolist() != alone.person_row.tolist()


@pytest.mark.parametrize("rules", RULES)
def test_drawn_pairs_are_of_their_level_by_the_gold_rule(rules):
    """Another road to the same answer: facts, gold and level instead of bit masks."""
    rng = np.random.default_rng(9)
    names = list(load_needs(rules).tags)
    truths = {s: rng.choice(3, p=[0.85, 0.1, 0.05], size=1500).astype(np.uint8) for s in names}
    held = [
        person(
            *(s for s in names if truths[s][i] == 1),
            number=i,
            unknown=tuple(s for s in names if truths[s][i] == 2),
        )
        for i in range(1500)
    ]
    pool = []
    for code in range(60):
        sides = rng.choice(["low_", "high_", "", "?"], size=16, p=[0.3, 0.2, 0.4, 0.1])
        named = list(zip(sides, rule_nutrients("default"), strict=True))
        tags = [s + n for s, n in named if s not in ("", "?")]
        pool.append(food(*tags, code=code, unknown=tuple(n for s, n in named if s == "?")))
    codes, tags, unknown = food_arrays(pool, rules=rules)
    needs = need_bits(truths, rules=rules)
    pairs = sample_pairs(
        codes, tags, np.arange(1500), needs, rules=rules, seed=1, food_unknown=unknown
    )
    rows = build_rows(pairs, pool, held, rules=rules)
    assert set(pairs.level) == set(LEVELS)
    assert len(rows) > 600
    for row in rows:
        assert level_of(row.gold) == row.level
        if rules == "default":
            assert not is_tie(row.gold)
            assert unknown_needs(row.food, row.person, rules=rules) == ()
            assert undecided_needs(row.food, row.person, rules=rules) == ()


def test_chances_follow_the_weights():
    # 3000 foods with one tag; of four who need it, one is drawn each
    foods, column = 3000, rule_nutrients("default").index("sodium")
    tags = np.zeros((foods, 16), dtype=np.int8)
    tags[:, column] = 1
    needs = np.zeros((4, 16), dtype=np.uint8)
    needs[:, column] = LOW
    weights = np.array([1.0, 2.0, 0.0, 7.0])
    pairs = sample_pairs(
        np.arange(foods), tags, np.arange(4), needs,
        rules="default", seed=3, per_level=(1, 0, 0), weights=weights,
    )  # fmt: skip
    shares = np.bincount(pairs.person_row, minlength=4) / foods
    assert shares == pytest.approx(weights / 10, abs=4 * math.sqrt(0.25 / foods))


def test_chances_are_even_without_weights():
    foods = 4000
    tags = np.zeros((foods, 7), dtype=np.int8)
    tags[:, 2] = 1
    needs = np.zeros((5, 7), dtype=np.uint8)
    needs[:, 2] = LOW
    pairs = sample_pairs(
        np.arange(foods), tags, np.arange(5), needs,
        rules="as-published", seed=3, per_level=(1, 0, 0),
    )  # fmt: skip
    counts = np.bincount(pairs.person_row, minlength=5)
    # chi-squared with 4 degrees of freedom, 99.9 % point
    assert ((counts - foods / 5) ** 2 / (foods / 5)).sum() < 18.47


def test_food_arrays():
    foods = [food("low_carb", "high_iron", code=2, unknown=("sodium",)), food(code=1)]
    codes, tags, unknown = food_arrays(foods, rules="default")
    names = rule_nutrients("default")
    assert codes.tolist() == [2, 1]
    assert (tags[0, names.index("carb")], tags[0, names.index("iron")]) == (-1, 1)
    assert unknown[0].tolist() == [n == "sodium" for n in names]
    assert food_arrays(foods, rules="as-published")[1].shape == (2, 7)


def test_refusals():
    codes, tags, ids, needs, _ = _case(Random(1), "default", 3, 3)

    def refused(what, *arrays, **options):
        with pytest.raises(InputError) as error:
            sample_pairs(*arrays, **{"rules": "default", "seed": 1} | options)
        assert what in error.value.what

    refused("food_tags", codes, tags[:, :7], ids, needs)
    refused("needs", codes, tags, ids, needs[:2])
    refused("code", codes[[0, 0, 1]], tags, ids, needs)
    refused("person", codes, tags, ids[[0, 0, 1]], needs)
    refused("weights", codes, tags, ids, needs, weights=-np.ones(3))
    refused("unknown", codes, tags, ids, needs, food_unknown=np.zeros((1, 1), dtype=bool))
    seven = tags[:, :7], ids, needs[:, :7]
    refused("weights", codes, *seven, rules="as-published", weights=np.ones(3))


def test_of_the_size_of_the_benchmark_it_takes_seconds():
    rng = np.random.default_rng(1)
    n = 35_000
    statuses = {s: (rng.random(n) < 0.12).astype(np.uint8) for s in load_needs("default").tags}
    needs = need_bits(statuses, rules="default")
    tags = rng.choice(np.array([-1, 0, 1], dtype=np.int8), size=(849, 16))
    start = time.perf_counter()
    pairs = sample_pairs(
        np.arange(849) + 11_111_111, tags, np.arange(n), needs, rules="default", seed=1
    )
    assert time.perf_counter() - start < 10
    assert pairs.level.count("sparse") > 8_000


@pytest.mark.parametrize("weighted", [False, True])
def test_nobody_is_asked_more_often_than_said(weighted):
    codes, tags, ids, needs, unknown = _case(Random(3), "default", 30, 25)
    weights = np.linspace(1.0, 5.0, len(ids)) if weighted else None
    given = {"rules": "default", "seed": 4, "food_unknown": unknown, "weights": weights}
    free = sample_pairs(codes, tags, ids, needs, **given)
    capped = sample_pairs(codes, tags, ids, needs, per_person=3, **given)
    assert np.bincount(free.person_row).max() > 3
    assert np.bincount(capped.person_row).max() == 3
    assert np.array_equal(np.sort(codes[capped.food_row]), codes[capped.food_row])
    order = np.random.default_rng(1).permutation(len(ids))
    again = sample_pairs(
        codes, tags, ids[order], needs[order], per_person=3,
        **(given | {"weights": None if weights is None else weights[order]}),
    )  # fmt: skip
    assert ids[order][again.person_row].tolist() == ids[capped.person_row].tolist()
