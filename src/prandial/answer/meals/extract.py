"""``extract``: the model only says what was eaten and how much; our tables do the rest.

Small models copy items, quantities and units out of a meal nearly without fault and are of
no use for nutrients and sums. So the reply has no place for a nutrient, and a number for
one is never read out of it: the items are looked up, weighed and added by our estimator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from prandial.answer.ask import Ask
from prandial.answer.meals.asking import Asking
from prandial.answer.meals.examples import turns_of
from prandial.answer.meals.found import found_item
from prandial.answer.meals.invented import amounts_left_out, doubts_of
from prandial.answer.meals.parsed import read_items
from prandial.answer.meals.schemas import items_schema
from prandial.answer.meals.settings import Settings
from prandial.answer.meals.weighed import with_units
from prandial.answer.methods import Kit, Method
from prandial.meal import ListedEstimate, SaidItem, estimate_items, get_estimator
from prandial.records.bench import Call, MealQuestion, Replied
from prandial.tables import DEFAULT_RELEASE

__all__ = ["extract"]

_SYSTEM: Final = "nutribench_extract_system"
_PROMPT: Final = "nutribench_extract"
_EXAMPLES: Final = "nutribench_extract_examples"
#: items read of a reply that no schema bounds
_MOST_READ: Final = 100
_OPTIONS: Final[dict[str, Any]] = {
    "drop_invented": True,
    "most_items": 14,
    "max_tokens": 400,
    #: tell our estimator the country of the meal, which a model is not told
    "country": False,
    "release": DEFAULT_RELEASE,
}


async def _run(question: MealQuestion, ask: Ask, kit: Kit) -> Replied:
    settings = Settings(_OPTIONS, kit.options)
    asking = Asking(question=question, ask=ask, kit=kit, settings=settings)
    nutrient = asking.asked.name
    drop = settings.flag("drop_invented")
    request = asking.request(
        "extract",
        _PROMPT,
        system=_SYSTEM,
        max_tokens=settings.whole("max_tokens"),
        schema=items_schema(settings.whole("most_items", most=100)),
    )
    turns = turns_of(kit.prompts[_EXAMPLES], kit.prompts[_PROMPT])
    call = await ask(replace(request, turns=turns))
    found, broken = read_items(call.reply)
    items = tuple(with_units(_said_once(item), question.text) for item in found[:_MOST_READ])
    broken += len(found) - len(items)
    if not items:
        detail = {"status": "unreadable", "items": [], "broken": broken}
        return Replied(text="", calls=(call,), detail=detail)
    checked = question.language.casefold()[:2] in ("", "en")
    doubts = doubts_of(items, question.text) if checked else ("",) * len(items)
    kept = [k for k, doubt in enumerate(doubts) if not (drop and doubt)]
    listed = None
    if kept:
        listed = estimate_items(
            [items[k] for k in kept],
            estimator=get_estimator(settings.text("release")),
            nutrients=[nutrient],
            country=(question.country or None) if settings.flag("country") else None,
        )
    detail = _detail(items, doubts, kept, listed, nutrient)
    unsaid = amounts_left_out(items, question.text)
    full = len(found) >= settings.whole("most_items", most=100)
    detail.update(broken=broken, checked=checked, unsaid=list(unsaid), full=full)
    return _replied(call, listed, detail, asking)


def _said_once(item: SaidItem) -> SaidItem:
    """Take words of the food off the end of the unit ("g soft drink", "cola soft drink")."""
    words, food = item.unit.split(), f" {item.food.casefold()} "
    for at in range(len(words)):
        if f" {' '.join(words[at:]).casefold()} " in food:
            return replace(item, unit=" ".join(words[:at]))
    return item


def _detail(
    items: Sequence[SaidItem],
    doubts: Sequence[str],
    kept: Sequence[int],
    listed: ListedEstimate | None,
    nutrient: str,
) -> dict[str, Any]:
    """Return the facts about each item, and the lists of what went wrong."""
    rows: list[dict[str, Any]] = []
    for k, (item, doubt) in enumerate(zip(items, doubts, strict=True)):
        row: dict[str, Any] = {
            "quantity": item.quantity,
            "unit": item.unit,
            "food": item.food,
            "doubt": doubt or None,
            "kept": k in kept,
            "line": None,
            "found": [],
        }
        if listed is not None and k in kept:
            at = list(kept).index(k)
            row["line"] = listed.lines[at]
            row["found"] = [
                found_item(listed.estimate.items[n], nutrient) for n in listed.items_of[at]
            ]
        rows.append(row)
    known = [f for row in rows for f in row["found"]]
    unread = [row["line"] for row in rows if row["kept"] and not row["found"]]
    return {
        "status": "nothing_found",
        "items": rows,
        "invented": [r["food"] for r in rows if r["doubt"] == "invented"],
        "repeated": [r["food"] for r in rows if r["doubt"] == "repeated"],
        "unmatched": [f["text"] for f in known if f["status"] == "unmatched"] + unread,
        "amount_unknown": [f["text"] for f in known if f["status"] == "amount_unknown"],
    }


def _replied(
    call: Call, listed: ListedEstimate | None, detail: dict[str, Any], asking: Asking
) -> Replied:
    """Return the total of what was understood; -1, "not known", when nothing was."""
    key = asking.asked.key
    total = None if listed is None else listed.estimate.totals[asking.asked.name]
    if listed is not None:
        estimate = listed.estimate
        detail.update(together=listed.together, notes=list(estimate.notes))
    if listed is None or total is None:
        return Replied(text=f'{{"{key}": -1}}', calls=(call,), detail=detail)
    lists = ("unmatched", "amount_unknown", "broken", "unsaid", "invented", "full")
    whole = listed.estimate.complete and not any(detail[k] for k in lists)
    detail.update(
        status="ok" if whole else "incomplete", low=round(total.low, 4), high=round(total.high, 4)
    )
    return Replied(
        text=f'{{"{key}": {round(total.mid, 4):.10g}}}',
        calls=(call,),
        detail=detail,
        value=total.mid,
    )


def extract(name: str, about: str) -> Method:
    """Return the method whose model only extracts.

    Its :class:`~prandial.records.bench.Replied` has the total as ``value`` and, in the
    published form, as ``text``; the model's own words are in ``calls``. Without a total the
    value is None and ``detail["status"]`` tells why: ``unreadable`` (no item could be read;
    the text is empty) or ``nothing_found`` (no item has a food and an amount; the text says
    -1). ``incomplete`` means that the value lacks the items listed as ``unmatched``,
    ``amount_unknown`` or ``broken``, or an amount that the meal states and no item has
    (``unsaid``), or that the list is as long as it may be (``full``). Items that the meal does
    not name are flagged as ``invented`` and, unless ``drop_invented`` is off, left out; as the
    meal may name them in other words, that is ``incomplete`` too.

    Parameters
    ----------
    name, about : str
        As :class:`prandial.answer.methods.Method`.

    Returns
    -------
    Method
    """
    return Method(
        name=name,
        benchmark="nutribench",
        about=about,
        run=_run,
        prompts=(_SYSTEM, _PROMPT, _EXAMPLES),
        options=dict(_OPTIONS),
    )
