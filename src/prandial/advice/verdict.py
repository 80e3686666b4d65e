"""The verdict: an estimate and a person in, answer, reasons and alternatives out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from prandial.advice.amounts import RULE_NUTRIENTS, amounts_on, of_item, of_meal
from prandial.advice.counting import Count, Wanted, outcome_of, wanted_by
from prandial.advice.names import RULES
from prandial.advice.person import Person
from prandial.advice.plate import Plate
from prandial.advice.smaller import smaller_portions
from prandial.advice.swaps import category_of, swaps_for
from prandial.advice.tagging import standing, tag_rule_id, tags_of
from prandial.advice.worst import most_from, worst_items
from prandial.errors import InputError
from prandial.records import Estimate, MealItem, Reason, SmallerPortion, Swap, TagsOf, Verdict
from prandial.tables import FoodTable
from prandial.tables.rules import load_needs
from prandial.tags import BASES, Basis, split_tag, thresholds

__all__ = ["NOT_MEDICAL", "verdict_on"]

NOT_MEDICAL: Final = "research software: rules of tables, no diagnosis, no medical or dosing advice"


def verdict_on(
    estimate: Estimate,
    person: Person,
    *,
    table: FoodTable | None = None,
    basis: Basis = "per_serving",
) -> Verdict:
    """Judge a meal for a person.

    Parameters
    ----------
    estimate : Estimate
        Of the meal, made with the nutrients of ``RULE_NUTRIENTS``.
    person : Person
    table : FoodTable, optional
        Where other foods are looked for; none are offered when None.
    basis : {'per_serving', 'per_100g', 'per_100kcal'}
        What amounts are stated for. A serving is the meal as eaten: its portion is
        known, so that is the default.

    Raises
    ------
    InputError
        On an unknown basis, or when the text held nothing to judge.
    """
    thresholds(basis)  # refuses what there is not
    if not estimate.items:
        why = "the text was refused" if estimate.status == "refused" else "no food found in it"
        raise InputError(
            f"nothing to judge: {why}",
            where="text",
            hint="; ".join(estimate.notes) or "say what was eaten",
        )
    eaten = tuple(of_item(i) for i in estimate.items)
    plate = Plate(
        basis=basis,
        whole=of_meal(estimate, eaten),
        items=eaten,
        grams=tuple(None if i.portion is None else i.portion.grams.mid for i in estimate.items),
        complete=estimate.complete,
    )
    wanted = wanted_by(person.held, person.unknown)
    counted = plate.count(wanted)
    tags = _all_tags(plate)
    of_the_meal = next(t for t in tags if t.item is None and t.basis == basis)
    reasons = _reasons(plate, person, wanted, of_the_meal)
    against = counted.nutrients("contradict")
    swaps, smaller, notes = _instead(plate, estimate, table, wanted, against)
    return Verdict(
        text=estimate.text,
        answer=counted.answer,
        lean=counted.lean,
        basis=basis,
        matches=_tags(counted, of_the_meal, "match"),
        contradicts=_tags(counted, of_the_meal, "contradict"),
        neither=counted.nutrients("neither"),
        unknowns=counted.nutrients("unknown"),
        conflicts=counted.nutrients("conflict"),
        worst=counted.worst,
        best=counted.best,
        reasons=reasons,
        rules=_rules(reasons, basis),
        statuses=person.held,
        unknown_statuses=person.unknown,
        person=person.number,
        items=tuple(_item(i) for i in estimate.items),
        tags=tags,
        swaps=swaps,
        smaller=smaller,
        complete=estimate.complete,
        release=estimate.release,
        estimator=estimate.estimator,
        rule_set=RULES,
        notes=tuple(
            dict.fromkeys(
                (*person.notes, *_why_open(wanted), *notes, *_said(estimate, wanted), NOT_MEDICAL)
            )
        ),
    )


def _tags(counted: Count, tags: TagsOf, outcome: str) -> tuple[str, ...]:
    """Return the tags of the meal behind an outcome, one a nutrient."""
    wanted = [n for n, o in counted.outcomes.items() if o == outcome]
    return tuple(_held(tags, n) for n in wanted)


def _held(tags: TagsOf, nutrient: str) -> str:
    names = (f"{d}_{nutrient}" for d in ("low", "high"))
    return next((n for n in names if tags.tag(n).holds == "yes"), "")


def _all_tags(plate: Plate) -> tuple[TagsOf, ...]:
    found = [tags_of(amounts_on(b, plate.whole, grams=plate.weight), b, item=None) for b in BASES]
    for k, (eaten, grams) in enumerate(zip(plate.items, plate.grams, strict=True)):
        found += [tags_of(amounts_on(b, eaten, grams=grams), b, item=k) for b in BASES]
    return tuple(found)


def _reasons(
    plate: Plate, person: Person, wanted: Mapping[str, Wanted], tags: TagsOf
) -> tuple[Reason, ...]:
    """Return what the meal says to every need of every status, in the order of the needs."""
    rows = thresholds(plate.basis)
    found = []
    for status, needs in load_needs(RULES).tags.items():
        if status not in person.held and status not in person.unknown:
            continue
        for need in needs:
            direction, n = split_tag(need)
            amount, row = tags.amounts[n], rows[n]
            clash = len(wanted[n].sure) > 1
            at, share = most_from(plate.items, n)
            found.append(
                Reason(
                    status=status,
                    status_holds="yes" if status in person.held else "unknown",
                    need=need,
                    nutrient=n,
                    outcome="conflict" if clash else outcome_of(direction, *standing(amount, row)),
                    meal_tag=_held(tags, n),
                    amount=amount,
                    low=row.low,
                    high=row.high,
                    high_includes=row.high_includes,
                    per=row.per,
                    rule_id=f"{RULES}/{status}/{need}",
                    tag_rule_id=tag_rule_id(plate.basis, n),
                    most_from=at,
                    share=share,
                )
            )
    return tuple(found)


def _rules(reasons: tuple[Reason, ...], basis: Basis) -> dict[str, str]:
    """Return the source of every rule used: needs first, then thresholds."""
    sources, rows = load_needs(RULES).sources, thresholds(basis)
    found = {r.rule_id: sources[r.status, r.need] for r in reasons}
    return found | {r.tag_rule_id: rows[r.nutrient].source for r in reasons}


def _why_open(wanted: Mapping[str, Wanted]) -> tuple[str, ...]:
    if not any(w.sure for w in wanted.values()):
        return ("no status that holds needs anything a nutrition tag tells: nothing is counted",)
    return ()


def _said(estimate: Estimate, wanted: Mapping[str, Wanted]) -> list[str]:
    """Return the estimate's notes, without those of nutrients nobody asked about."""
    idle = {f"{key} unknown for:" for n, key in RULE_NUTRIENTS.items() if n not in wanted}
    return [n for n in estimate.notes if not n.startswith(tuple(idle))]


def _instead(
    plate: Plate,
    estimate: Estimate,
    table: FoodTable | None,
    wanted: Mapping[str, Wanted],
    against: tuple[str, ...],
) -> tuple[tuple[Swap, ...], tuple[SmallerPortion, ...], list[str]]:
    if not against:
        return (), (), []
    notes = []
    swaps: list[Swap] = []
    for at in worst_items(plate, against, wanted) if table is not None else ():
        if table is None:
            break
        item = estimate.items[at]
        found = swaps_for(plate, at, item, table, wanted)
        category, told_by = category_of(item, table)
        if not category:
            notes.append(f"no other food for '{item.text}': its food has no FNDDS category")
        elif not found:
            notes.append(f"no food of the category {category} suits better for '{item.text}'")
        elif item.food is not None and told_by != item.food.name:
            notes.append(f"category of '{item.text}' told by: {told_by}")
        swaps += found
    smaller = smaller_portions(plate, against, wanted)
    too_much = any(wanted[n].direction == "low" for n in against)
    if plate.basis == "per_serving" and too_much and not smaller:
        notes.append("no portion of at least a quarter of the meal brings down what is too much")
    if plate.basis != "per_serving" and too_much:
        notes.append(f"a smaller portion changes nothing {plate.basis.replace('_', ' ')}")
    return tuple(swaps), smaller, notes


def _item(item: MealItem) -> dict[str, Any]:
    """Return what an item was taken for, with its origin."""
    whole = item.to_dict()
    return {k: whole[k] for k in ("text", "span", "status", "food", "grams", "basis")}
