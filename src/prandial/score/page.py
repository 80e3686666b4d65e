"""The errors as one page of HTML that needs no network and no other file.

Whatever comes from a file or a table is data: it is escaped before it stands in
the page, and the page's policy runs no script but its own (by its digest).
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Final

from prandial.nutrients import LABELS, unit_of
from prandial.score.confusion import Cell, Confusion
from prandial.score.reasons import REASONS, ItemReview

if TYPE_CHECKING:
    from prandial.records import Band
    from prandial.score.numbers import Summary
    from prandial.score.review import ErrorReview, MealReview

__all__ = ["clean", "render"]

_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_TOP_CELLS: Final = 30
_COLOURS: Final = 4
#: of a longer text the page shows the beginning
_MOST_CHARS: Final = 5_000


def clean(text: str) -> str:
    """Return a text, as long as before, without control characters and lone surrogates."""
    return "".join(
        "\ufffd" if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" else c for c in text
    )


def _safe(text: object) -> str:
    return escape(clean(str(text)), quote=True)


@lru_cache(maxsize=4)
def _part(name: str) -> str:
    return resources.files("prandial.score").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def render(review: ErrorReview) -> str:
    """Return the page of a review.

    Parameters
    ----------
    review : ErrorReview

    Returns
    -------
    str
        HTML 5; write it as UTF-8.
    """
    style, script = _part("page.css"), _part("page.js")
    wrong = sum(review.reasons.values())
    worst = review.worst
    slots = {
        "title": _safe(f"Errors on {review.file}"),
        "style": style,
        "script": script,
        "style_hash": _digest(style),
        "script_hash": _digest(script),
        "intro": _intro(review),
        "summary": _summary(review.summaries.values()),
        "findings": _findings(review.findings),
        "reasons": _reasons(review),
        "options": "".join(
            f'<option value="{k}">{_safe(REASONS[k][0])}</option>' for k in _used(worst)
        ),
        "count": f"{len(worst)} of {wrong} wrong meals listed",
        "meals": "\n".join(_meal(m, review.nutrient) for m in worst),
        "confusion": _confusion(review) if review.with_gold else "",
    }
    return _SLOT.sub(lambda m: slots[m[1]], _part("page.html"))


def _used(meals: Sequence[MealReview]) -> list[str]:
    seen = {r for m in meals for r in (m.reason, *m.marks)}
    return [k for k in REASONS if k in seen]


def _intro(review: ErrorReview) -> str:
    made = f"estimated by {review.estimator}"
    if review.estimator.startswith("column "):
        made = f"numbers of {review.estimator}"
    return _safe(
        f"{review.rows} rows; {made}; food table {review.release}; listed by"
        f" {_name(review.nutrient)}."
    )


def _name(nutrient: str) -> str:
    return LABELS.get(nutrient, nutrient)


def _share(value: float | None, low: float | None = None, high: float | None = None) -> str:
    if value is None:
        return "unknown"
    told = f"{100 * value:.1f} %"
    return told if low is None or high is None else f"{told} ({100 * low:.1f}–{100 * high:.1f})"


def _number(value: float | None, digits: int = 1) -> str:
    return "unknown" if value is None else f"{value:.{digits}f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Return a table of escaped cells; columns whose heading starts with # hold numbers."""
    numeric = [h.startswith("#") for h in head]
    names = [h.removeprefix("#") for h in head]
    top = "".join(
        f'<th scope="col"{" class=n" if n else ""}>{_safe(h)}</th>'
        for h, n in zip(names, numeric, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td{" class=n" if n else ""} data-label="{_safe(h)}">{cell}</td>'
            for h, n, cell in zip(names, numeric, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    attribute = f' class="{kind}"' if kind else ""
    return f"<table{attribute}><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _summary(summaries: Iterable[Summary]) -> str:
    head = (
        "nutrient", "#meals", "#answered", "#right (95 %)", "#limit", "#mean error", "#median",
        "#90th percentile", "#range holds label (95 %)", "#median width",
    )  # fmt: skip
    rows = [
        (
            f"{_name(s.nutrient)} {unit_of(s.nutrient)}",
            str(s.n),
            str(s.answered),
            _share(s.right, s.right_low, s.right_high),
            f"±{s.limit:g}",
            _number(s.mae, 2),
            _number(s.median_error, 2),
            _number(s.p90_error, 2),
            "no range" if s.covered is None else _share(s.covered, s.covered_low, s.covered_high),
            _number(s.median_width),
        )
        for s in summaries
    ]
    return _table(head, rows) + (
        '<p class="soft">A meal without an answer counts as wrong and has no part in the errors.'
        " Errors are absolute; intervals are Wilson score intervals. prandial's ranges are meant"
        " to hold 90 % of labels.</p>"
    )


def _findings(findings: Sequence[str]) -> str:
    if not findings:
        return ""
    return "<ul>" + "".join(f"<li>{_safe(f)}</li>" for f in findings) + "</ul>"


def _reasons(review: ErrorReview) -> str:
    wrong = max(1, sum(review.reasons.values()))
    rows = [
        (_safe(REASONS[k][0]), str(n), f"{100 * n / wrong:.0f} %", _safe(REASONS[k][1]))
        for k, n in review.reasons.items()
    ]
    return _table(("reason", "#meals", "#share", "rule"), rows) if rows else "<p>None missed.</p>"


def _meal(meal: MealReview, nutrient: str) -> str:
    o = meal.outcome
    unit = unit_of(nutrient)
    error = 0.0 if o.error is None else o.error
    told = "no estimate" if o.mid is None else f"{o.mid:.1f} {unit}"
    if o.low is not None and o.high is not None:
        told += f" ({o.low:.1f}–{o.high:.1f})"
    miss = "not answered" if o.error is None else f"{o.error:+.1f} {unit}"
    name = f"row {meal.row}" + ("" if meal.id is None else f", id {meal.id}")
    name += "" if meal.country is None else f", {meal.country}"
    classes = " ".join(dict.fromkeys((meal.reason, *meal.marks)))
    marks = [REASONS[k][0] for k in meal.marks if k != meal.reason]
    also = f'<span class="soft">also: {_safe(", ".join(marks))}</span>' if marks else ""
    notes = "".join(f'<p class="soft">note: <bdi>{_safe(n)}</bdi></p>' for n in meal.notes)
    return (
        f'<li class="meal" data-reasons="{classes}" data-row="{meal.row}"'
        f' data-size="{meal.size:.4f}" data-error="{error:.4f}">'
        f'<p><span class="miss">{_safe(miss)}</span> label {o.truth:.1f} {unit}; estimate'
        f' {_safe(told)} <span class="soft">{_safe(name)}</span></p>'
        f'<p><span class="why">{_safe(REASONS[meal.reason][0])}</span>{also}</p>'
        f'<p class="said" dir="auto">{_marked(meal)}</p>{notes}{_items(meal.items, nutrient)}</li>'
    )


def _marked(meal: MealReview) -> str:
    """Return the text with each item's part marked and numbered; a very long one cut."""
    text = meal.text[:_MOST_CHARS]
    cut = "" if text == meal.text else f" … ({len(meal.text)} characters in all)"
    parts = sorted(
        (i.item.span, n) for n, i in enumerate(meal.items, start=1) if i.item is not None
    )
    out, at = [], 0
    for (start, end), n in parts:
        start, end = max(start, at), min(end, len(text))
        if start >= end:
            continue
        out.append(_safe(text[at:start]))
        words = _safe(text[start:end])
        out.append(f'<mark class="s{n % _COLOURS}">{words}<sup>{n}</sup></mark>')
        at = end
    return "".join((*out, _safe(text[at:]), _safe(cut)))


def _items(items: Sequence[ItemReview], nutrient: str) -> str:
    if not items:
        return ""
    unit = unit_of(nutrient)
    head: tuple[str, ...] = ("item", "food and steps", "#grams", f"#{_name(nutrient)} {unit}")
    gold = any(i.gold is not None for i in items)
    if gold:
        head = (*head, "gold item", f"#error {unit}", "verdict")
    rows = [
        (*_estimated(n, i, nutrient), *(_gold(i, unit) if gold else ()))
        for n, i in enumerate(items, start=1)
    ]
    return (
        f"<details><summary>{len(items)} items, with foods, grams and steps</summary>"
        f'<div class="wide">{_table(head, rows, "items")}</div></details>'
    )


def _estimated(n: int, review: ItemReview, nutrient: str) -> tuple[str, str, str, str]:
    item = review.item
    if item is None:
        return f"{n}", '<span class="soft">nothing</span>', "", ""
    food = item.food
    named = "no food found"
    if food is not None:
        named = f"{food.name} ({food.source.table} {food.food_id})"
    steps = "".join(f"<li><bdi>{_safe(s)}</bdi></li>" for s in item.steps)
    portion = item.portion
    how = "" if portion is None else f" ({portion.basis})"
    return (
        f"{n} <bdi>{_safe(item.text)}</bdi>",
        f'<bdi>{_safe(named)}</bdi><ul class="steps">{steps}</ul>',
        _band(None if portion is None else portion.grams) + how,
        _band(item.nutrients.get(nutrient)),
    )


def _band(band: Band | None) -> str:
    if band is None:
        return "unknown"
    if band.low == band.high:
        return f"{band.mid:.1f}"
    return f"{band.mid:.1f} ({band.low:.1f}–{band.high:.1f})"


def _gold(review: ItemReview, unit: str) -> tuple[str, str, str]:
    gold = review.gold
    told = "nothing"
    if gold is not None:
        grams = "grams unknown" if gold.grams is None else f"{gold.grams:.0f} g"
        told = f"{gold.name} ({gold.food_id or 'not in the table'}), {grams}"
        told += "" if gold.amount is None else f", {gold.amount:.1f} {unit}"
    verdict = review.verdict or ""
    error = "" if review.error is None else f"{review.error:+.1f}"
    label = {"right": "right", "no_harm": "other food, same amount"}.get(verdict, "")
    label = label or (REASONS[verdict][0] if verdict else "")
    return f"<bdi>{_safe(told)}</bdi>", error, _safe(label)


def _confusion(review: ErrorReview) -> str:
    unit = unit_of(review.nutrient)
    head = (
        '<section aria-labelledby="confusion"><h2 id="confusion">Confusion by food group</h2>'
        f'<p class="soft">Over the items of all {review.with_gold} meals with a gold list;'
        f" lost is the sum of absolute errors in {unit}.</p>"
    )
    parts = [head]
    for title, table in (
        ("Groups", review.confusion.coarse()),
        ("Categories", review.confusion),
    ):
        parts.append(
            f"<details open><summary>{title}: what was eaten and what it was read as</summary>"
            f'<div class="wide">{_cells(table, unit)}</div></details>'
        )
    return "".join((*parts, "</section>"))


def _cells(confusion: Confusion, unit: str) -> str:
    def cells(c: Cell) -> tuple[str, ...]:
        return str(c.items), str(c.same_food), f"{c.lost:.0f}", f"{c.signed:+.0f}"

    head = (
        "eaten",
        "read as",
        "#items",
        "#same food",
        f"#lost {unit}",
        f"#read minus eaten {unit}",
    )
    return _table(head, [(_safe(g), _safe(r), *cells(c)) for g, r, c in confusion.top(_TOP_CELLS)])
