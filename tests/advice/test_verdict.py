"""Verdicts on meals made by hand: thresholds are those of the rule table, sums by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.advice.made import item, meal

from prandial.advice import Person, named_person, verdict_on
from prandial.errors import InputError
from prandial.records import Verdict
from prandial.truth import Truth

HYPERTENSION = named_person(["hypertension"])


def judged(*items, person: Person = HYPERTENSION, complete=True, **more) -> Verdict:
    return verdict_on(meal(*items, complete=complete), person, **more)


def test_two_items_are_added_and_the_larger_is_named() -> None:
    """300 + 200 mg sodium are high (460 or more a serving); 100 + 900 mg potassium also."""
    got = judged(item(sodium=300, potassium=100), item(sodium=200, potassium=900))
    assert got.contradicts == ("high_sodium",)
    assert got.matches == ("high_potassium",)
    assert (got.answer, got.lean) == ("unknown", "even")
    sodium, potassium = got.reasons
    assert (sodium.need, sodium.outcome, sodium.amount.mid) == ("low_sodium", "contradict", 500.0)
    assert (sodium.low, sodium.high, sodium.high_includes) == (140.0, 460.0, True)
    assert (sodium.most_from, sodium.share) == (0, 0.6)
    assert (potassium.most_from, potassium.share) == (1, 0.9)
    assert "2017 ACC/AHA" in got.rules[sodium.rule_id]
    assert "21 CFR" in got.rules[sodium.tag_rule_id]


@pytest.mark.parametrize(
    ("sodium", "holds"),
    [
        (140, ("yes", "no")),
        (141, ("no", "no")),
        (459, ("no", "no")),
        (460, ("no", "yes")),
        ((100, 130, 140), ("yes", "no")),
        ((100, 130, 141), ("unknown", "no")),
        ((450, 500, 600), ("no", "unknown")),
        ((100, 300, 500), ("unknown", "unknown")),
        (None, ("unknown", "unknown")),
    ],
)
def test_a_range_across_a_threshold_is_unknown(sodium, holds) -> None:
    tags = next(t for t in judged(item(sodium=sodium)).tags if t.basis == "per_serving")
    assert (tags.tag("low_sodium").holds, tags.tag("high_sodium").holds) == holds
    assert tags.tag("low_sodium").rule_id == "food_tags/per_serving/low_sodium"
    assert "140 mg per serving" in tags.tag("low_sodium").because


def test_an_incomplete_meal_may_be_high_and_is_never_low() -> None:
    low = judged(item(sodium=10, potassium=2000), item(None), complete=False)
    assert low.unknowns == ("sodium",)
    assert low.matches == ("high_potassium",)  # what is known is high already
    assert (low.answer, low.worst, low.best) == ("unknown", 0, 2)
    high = judged(item(sodium=900, potassium=0), item(None), complete=False)
    assert high.contradicts == ("high_sodium",)
    assert (high.worst, high.best) == (-2, 0)
    for basis in ("per_100g", "per_100kcal"):  # the rest has no weight: no share can be told
        rest = judged(item(sodium=9000, calorie=1), item(None), complete=False, basis=basis)
        assert rest.unknowns == ("sodium", "potassium")


def test_what_one_item_lacks_stays_open_upwards() -> None:
    """Sodium of one item is unknown, the other alone holds 500 mg."""
    got = judged(item(sodium=500), item(sodium=None))
    assert "high_sodium" in got.contradicts
    assert judged(item(sodium=5), item(sodium=None)).unknowns == ("sodium",)


def test_bases_by_hand() -> None:
    """300 g with 600 mg sodium and 400 kcal: 200 mg/100 g, 150 mg/100 kcal."""
    per = {
        t.basis: t.amounts["sodium"].mid
        for t in judged(item(300, sodium=600, calorie=400)).tags
        if t.item is None
    }
    assert per == {"per_100g": 200.0, "per_serving": 600.0, "per_100kcal": 150.0}
    said = {
        b: judged(item(300, sodium=600, calorie=400), basis=b).contradicts
        for b in ("per_100g", "per_serving", "per_100kcal")
    }
    # per 100 g high is above 200 mg, not 200 mg itself; per 100 kcal 100 mg or more
    assert said["per_100g"] == ("low_potassium",)
    assert "high_sodium" in said["per_serving"]
    assert "high_sodium" in said["per_100kcal"]


def test_a_meal_without_energy_has_no_amount_per_100_kcal() -> None:
    got = judged(item(250, sodium=5, calorie=0), basis="per_100kcal")
    assert got.unknowns == ("sodium", "potassium")


@given(
    st.floats(0, 1000), st.floats(0, 1000), st.floats(0, 300), st.sampled_from([None, 0.0, 950.0])
)
def test_more_sodium_never_speaks_for(start, added, width, potassium) -> None:
    def outcome(sodium: float) -> str:
        around = (max(sodium - width, 0.0), sodium, sodium + width)
        return judged(item(sodium=around, potassium=potassium)).reasons[0].outcome

    order = ["match", "unknown", "neither", "contradict"]
    before, after = outcome(start), outcome(start + added)
    if before == "contradict":
        assert after == "contradict"
    assert not (after == "match" and order.index(before) > 0)


@given(st.sets(st.sampled_from(["sodium", "potassium"]), min_size=1))
def test_an_unknown_amount_is_never_a_yes_it_was_not(lost) -> None:
    sure = judged(item(sodium=100, potassium=1000))
    assert sure.answer == "yes"
    blurred = judged(item(**{"sodium": 100, "potassium": 1000, **dict.fromkeys(lost)}))
    assert blurred.answer == "unknown"
    assert set(blurred.unknowns) == lost


def test_unknown_statuses_are_carried_and_can_turn_the_answer() -> None:
    """Low sodium speaks for; should there be anaemia, four lacking nutrients speak against."""
    maybe = Person(statuses={"Low salt/Low sodium diet": Truth.YES, "anaemia": Truth.UNKNOWN})
    got = judged(item(sodium=50), person=maybe)
    assert got.matches == ("low_sodium",)
    assert got.unknown_statuses == ("anaemia",)
    assert (got.answer, got.lean, got.worst, got.best) == ("unknown", "for", -3, 1)
    assert {r.status_holds for r in got.reasons if r.status == "anaemia"} == {"unknown"}


def test_a_person_without_statuses_has_nothing_to_count() -> None:
    got = judged(item(sodium=900), person=Person(statuses={}))
    assert (got.answer, got.lean, got.reasons) == ("unknown", "nothing", ())
    assert any("nothing is counted" in n for n in got.notes)


def test_a_diet_that_no_tag_tells_is_named() -> None:
    got = judged(item(sodium=900), person=named_person(diets=["gluten free"]))
    assert got.answer == "unknown"
    assert any(n.startswith("Gluten-free diet: not judged") for n in got.notes)


def test_conflicts_do_not_depend_on_the_order() -> None:
    one = named_person(["hypertension", "ckd"], ["high protein", "renal"])
    other = named_person(["CKD", "Hypertension"], ["renal diet", "High protein diet"])
    eaten = item(sodium=100, potassium=2000, protein=30, phosphorus=30)
    assert judged(eaten, person=one).conflicts == ("protein", "potassium")
    assert judged(eaten, person=one).to_dict() == judged(eaten, person=other).to_dict()


def test_nothing_eaten_is_an_input_error() -> None:
    with pytest.raises(InputError, match="nothing to judge"):
        judged()


def test_the_json_form_has_no_open_end_as_a_number() -> None:
    form = judged(item(sodium=500), item(None), complete=False).to_dict()
    assert form["answer"] == "unknown"
    amount = form["reasons"][0]["amount"]
    assert amount == {"low": 500.0, "mid": None, "high": None, "unit": "mg"}
    assert form["reasons"][0]["high_from"] == 460.0
    assert set(form["rules"]) >= {"default/hypertension/low_sodium", "food_tags/per_serving/sodium"}
