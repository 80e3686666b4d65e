"""The rule of the verdict: laws, and the slow way of trying every completion."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from prandial.advice.counting import count, wanted_by
from prandial.tables.rules import NUTRIENT_ORDER, load_needs

STATUSES = tuple(load_needs("default").tags)
#: what is possible of a nutrient's (low, high) tags: both never hold
PAIRS = (
    ("yes", "no"), ("no", "yes"), ("no", "no"), ("unknown", "no"), ("no", "unknown"),
    ("unknown", "unknown"),
)  # fmt: skip
tags = st.fixed_dictionaries({n: st.sampled_from(PAIRS) for n in NUTRIENT_ORDER})
sure_tags = st.fixed_dictionaries({n: st.sampled_from(PAIRS[:3]) for n in NUTRIENT_ORDER})
statuses = st.sets(st.sampled_from(STATUSES), max_size=4)


def plain_net(held, tags):
    """Tags for less tags against of a person and meal without anything unknown, by hand."""
    needs = load_needs("default").tags
    net = 0
    for n in NUTRIENT_ORDER:
        ways = {t.split("_", 1)[0] for s in held for t in needs[s] if t.split("_", 1)[1] == n}
        if len(ways) == 1:
            has = {"low"} if tags[n][0] == "yes" else {"high"} if tags[n][1] == "yes" else set()
            net += 0 if not has else 1 if has == ways else -1
    return net


def completions(held, unknown, tags):
    """Every way in which the unknown can turn out."""
    needed = {t.split("_", 1)[1] for s in held | unknown for t in load_needs("default").tags[s]}
    choices = []
    for n in NUTRIENT_ORDER:
        low, high = tags[n]
        open_ends = [("no", "no")] if "yes" not in (low, high) else [(low, high)]
        if "yes" not in (low, high) and n in needed:
            open_ends += [("yes", "no")] if low == "unknown" else []
            open_ends += [("no", "yes")] if high == "unknown" else []
        choices.append(open_ends)
    for truth in product((False, True), repeat=len(unknown)):
        also = {s for s, t in zip(sorted(unknown), truth, strict=True) if t}
        for one in product(*choices):
            yield held | also, dict(zip(NUTRIENT_ORDER, one, strict=True))


@given(statuses, sure_tags)
def test_nothing_unknown_is_plain_counting(held, tags):
    got = count(wanted_by(held), tags)
    net = plain_net(held, tags)
    assert got.worst == got.best == net
    assert got.answer == ("yes" if net > 0 else "no" if net < 0 else "unknown")


@given(
    st.sets(st.sampled_from(STATUSES[:9]), max_size=2),
    st.sets(st.sampled_from(STATUSES[9:]), max_size=2),
    tags,
)
def test_the_cases_hold_every_completion(held, unknown, tags):
    got = count(wanted_by(held, unknown), tags)
    for who, sure in completions(held, unknown, tags):
        assert got.worst <= plain_net(who, sure) <= got.best


@given(statuses, statuses, tags, st.data())
def test_more_unknown_is_never_more_certain(held, unknown, tags, data):
    before = count(wanted_by(held, unknown - held), tags)
    blurred = data.draw(st.sets(st.sampled_from(NUTRIENT_ORDER)))
    lost = data.draw(st.sets(st.sampled_from(sorted(held)))) if held else set()
    less = {n: ("unknown", "unknown") if n in blurred else t for n, t in tags.items()}
    after = count(wanted_by(held - lost, (unknown - held) | lost), less)
    assert after.worst <= before.worst
    assert after.best >= before.best
    assert after.answer in (before.answer, "unknown")


@given(st.lists(st.sampled_from(STATUSES), max_size=6), tags, st.randoms(use_true_random=False))
def test_order_of_statuses_does_not_matter(held, tags, random):
    other = list(held)
    random.shuffle(other)
    assert count(wanted_by(held), tags) == count(wanted_by(other), tags)


@given(statuses)
def test_a_meal_of_which_nothing_is_known_is_never_yes_or_no(held):
    nothing = dict.fromkeys(NUTRIENT_ORDER, ("unknown", "unknown"))
    got = count(wanted_by(held), nothing)
    assert (got.answer, got.lean) == ("unknown", "nothing")


def test_a_clash_is_shown_and_left_out():
    """Hypertension needs potassium high, kidney disease low; both need sodium low."""
    tags = dict.fromkeys(NUTRIENT_ORDER, ("no", "no")) | {
        "potassium": ("no", "yes"),
        "sodium": ("yes", "no"),
    }
    got = count(wanted_by(["hypertension", "chronic_kidney_disease"]), tags)
    assert got.nutrients("conflict") == ("potassium",)
    assert got.nutrients("match") == ("sodium",)
    assert (got.worst, got.best, got.answer) == (1, 1, "yes")
    perhaps = count(wanted_by(["hypertension"], ["chronic_kidney_disease"]), tags)
    # potassium speaks for; it would be a clash should there be kidney disease
    assert (perhaps.worst, perhaps.best) == (1, 2)


def test_a_tie_is_unknown():
    tags = dict.fromkeys(NUTRIENT_ORDER, ("no", "no")) | {
        "sodium": ("no", "yes"),
        "potassium": ("no", "yes"),
    }
    got = count(wanted_by(["hypertension"]), tags)
    assert (got.answer, got.lean, got.worst, got.best) == ("unknown", "even", 0, 0)
