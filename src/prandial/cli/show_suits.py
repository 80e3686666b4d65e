"""A verdict as a person reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.records import Amount, Change, Reason, Verdict

__all__ = ["show_verdict"]

_SAYS: Final = {
    "match": "for",
    "contradict": "against",
    "neither": "neither",
    "unknown": "unknown",
    "conflict": "conflict, not counted",
}
_BASES: Final = {
    "per_serving": "the meal as eaten, against thresholds of one serving",
    "per_100g": "per 100 g",
    "per_100kcal": "per 100 kcal",
}
_LEAN: Final = {
    "for": "what is known speaks for it",
    "against": "what is known speaks against it",
    "even": "as much speaks for it as against it",
    "nothing": "nothing known speaks for or against it",
}
#: notes of reading the meal, and statuses that are unknown, are cut short after this many
_MOST: Final = 12
_CODES: Final = {"mcg": "µg"}


def show_verdict(verdict: Verdict, *, sources: bool = False) -> None:
    """Print answer, reasons, what instead, notes, and if asked for the source of each rule."""
    console = new_console()

    def say(line: str) -> None:
        console.print(Text(plain(line)))

    say(f"{verdict.answer.upper()}: {_counted(verdict)}")
    if verdict.answer == "unknown":
        say(_LEAN[verdict.lean] + "; the unknown could turn it")
    say(f"judged: {_BASES[verdict.basis]}; rules {verdict.rule_set}")
    who = f"survey person {verdict.person}: " if verdict.person is not None else ""
    say(f"for: {who}{', '.join(verdict.statuses) or 'no status that is known to hold'}")
    if verdict.unknown_statuses:
        say(f"unknown whether: {', '.join(verdict.unknown_statuses)}")
        say("what these would need widens the worst and the best case (reasons: --json)")
    for n, item in enumerate(verdict.items, start=1):
        say(_item(n, item))
    if not verdict.complete:
        say("incomplete: part of the meal was not understood, so nothing of it can be low")
    sure = [r for r in verdict.reasons if r.status_holds == "yes"]
    if sure:
        head = ("needs", "because of", "this meal", "low to /\nhigh from", "says", "most\nfrom")
        table = new_table(*head)
        for (need, _), group in _by_need(sure).items():
            table.add_row(*_row(need, group, len(verdict.items)))
        console.print(table)
    _show_instead(verdict, say)
    used = {key for r in sure for key in (r.rule_id, r.tag_rule_id)}
    rules = [(key, source) for key, source in verdict.rules.items() if key in used]
    if not sources:
        say(
            f"{len(rules)} rules of tables were used; --sources names them and where they come from"
        )
    for source in dict.fromkeys(source for _, source in rules if sources):
        say(f"rule {', '.join(k for k, v in rules if v == source)}: {source}")
    for note in verdict.notes[:_MOST]:
        say(f"note: {note}")
    if len(verdict.notes) > _MOST:
        say(f"note: and {len(verdict.notes) - _MOST} more (all with --json)")
    say(f"table: {verdict.release}; estimator: {verdict.estimator}")


def _counted(verdict: Verdict) -> str:
    parts = [
        f"{len(verdict.matches)} for",
        f"{len(verdict.contradicts)} against",
        f"{len(verdict.neither)} neither",
        f"{len(verdict.unknowns)} unknown",
    ]
    if verdict.conflicts:
        parts.append(f"{len(verdict.conflicts)} in conflict")
    ends = (
        f"{verdict.worst:+d}"
        if verdict.worst == verdict.best
        else (f"{verdict.worst:+d} at worst, {verdict.best:+d} at best")
    )
    return f"{', '.join(parts)}; {ends}"


def _item(number: int, item: Mapping[str, Any]) -> str:
    food, grams = item["food"], item["grams"]
    if food is None:
        return f"{number}. {item['text']}: no food found"
    weight = "amount unknown" if grams is None else f"{grams['mid']:.0f} g"
    return f"{number}. {item['text']}: {food['name']}, {weight} ({food['table']} {food['id']})"


def _by_need(reasons: Sequence[Reason]) -> dict[tuple[str, str], list[Reason]]:
    found: dict[tuple[str, str], list[Reason]] = {}
    for r in reasons:
        found.setdefault((r.need, r.outcome), []).append(r)
    return found


def _row(need: str, group: Sequence[Reason], items: int) -> tuple[str, ...]:
    r = group[0]
    top = ""
    if r.most_from is not None and r.share is not None and items > 1:
        top = f"{r.most_from + 1}. ({100 * r.share:.0f} %)"
    return (
        need.replace("_", " "),
        "\n".join(plain(g.status) for g in group),
        _amount(r.amount),
        f"{r.low:g} / {r.high:g}",
        _says(r),
        top,
    )


def _says(reason: Reason) -> str:
    """Return what an amount says; of unknown ones, which lie on both sides of a threshold."""
    between = reason.outcome == "unknown" and reason.amount.high is not None
    return "unknown\n(between)" if between else _SAYS[reason.outcome]


def _amount(amount: Amount) -> str:
    unit = _CODES.get(amount.unit, amount.unit)
    low = _digits(amount.low)
    if amount.high is None:
        return f"at least {low} {unit}" if amount.low > 0 else "unknown"
    mid, high = _digits(amount.mid), _digits(amount.high)
    return f"{mid} {unit}" if low == high else f"{mid} {unit}\n{low}-{high}"


def _show_instead(verdict: Verdict, say: Callable[[str], None]) -> None:
    for s in verdict.swaps:
        text = verdict.items[s.item]["text"]
        say(f"instead of '{text}', {s.grams:.0f} g: {s.name} ({s.source.table} {s.food_id})")
        say(f"   {_changes(s.changes)}; answer then: {s.answer_after}")
    for p in verdict.smaller:
        what = ", ".join(n.replace("_", " ") for n in p.brings_down)
        say(
            f"smaller: {p.grams:.0f} g in all instead of {p.grams_before:.0f} g is no longer"
            f" high in {what}"
        )
        say(f"   {_changes(p.changes)}; answer then: {p.answer_after}")


def _changes(changes: Sequence[Change]) -> str:
    told = [
        f"{c.nutrient.replace('_', ' ')} {_digits(c.before)} to {_digits(c.after)}"
        f" {_CODES.get(c.unit, c.unit)}{_turned(c)}"
        for c in changes
    ]
    return ", ".join(told)


def _turned(change: Change) -> str:
    before, after = change.outcome_before, change.outcome_after
    if before is None or after is None or before == after:
        return ""
    return f" ({_SAYS[after]})"


def _digits(value: float | None) -> str:
    if value is None:
        return "unknown"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
