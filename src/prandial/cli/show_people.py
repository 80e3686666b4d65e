"""Survey people and profiles as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.ngqa import PeopleStats
    from prandial.records import HealthProfile
    from prandial.truth import Truth

__all__ = ["show_person", "show_stats"]

NOT_DIAGNOSIS: Final = (
    "research software: survey rules, no diagnosis; do not try to identify anyone"
)
_SHOWN: Final = 20
_PAPER: Final = "as-published"


def show_person(profile: HealthProfile) -> None:
    """Print one person: conditions with what decided them, diets, habits and measures."""
    console = new_console()
    say = console.print
    say(Text(f"person {profile.person}: {plain(profile.about)}"))
    say(Text(f"survey {profile.cycle}, rules {profile.rules}"))
    table = new_table("condition", "holds\n(grade)", "because")
    for name, truth in profile.conditions.items():
        grade = profile.severity.get(name, "")
        table.add_row(
            plain(name),
            Text(truth.word + (f"\n({plain(grade)})" if grade else "")),
            _lines(profile.because.get(name, "")),
        )
    say(table)
    say(Text(f"diets: {_diets(profile)}"))
    say(Text(f"habits: {_held(profile.habits)}"))
    known, unknown = _measures(profile.measures)
    say(Text("measures: " + (", ".join(known) or "none known")))
    say(Text("not measured or not told: " + (", ".join(unknown) or "none")))
    say(Text("rule and source of each reason, single readings, answers as coded: --json"))
    say(Text(NOT_DIAGNOSIS))


def _lines(because: str) -> Text:
    """Return reasons, one a line, each cleaned by itself."""
    return Text("\n".join(plain(part) for part in because.split("; ")))


def _diets(profile: HealthProfile) -> str:
    """Return the diets that are held, and why there is none when one answer tells it."""
    because = {profile.because.get(s, "") for s in profile.diets}
    if len(because) == 1 and (why := because.pop()):
        truth = next(iter(profile.diets.values()))
        return plain(f"{'none' if truth.word == 'no' else 'unknown'}, {why}")
    return plain(_held(profile.diets))


def _measures(measures: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Return in words the numbers that are known, and names of those that are not."""
    from prandial.survey import measure_words, rounded

    known, unknown = [], []
    for name, value in measures.items():
        about = measure_words(name)
        if _is_code(name) or about.words == name:  # single readings have no words
            continue
        if isnan(value):
            unknown.append(about.words)
        else:
            said = about.answers.get(value) or f"{rounded(value, about.decimals)} {about.unit}"
            known.append(f"{about.words} {said}".strip())
    return known, unknown


def _held(statuses: Mapping[str, Truth]) -> str:
    """Return what holds, and how many could not be told."""
    held = ", ".join(s for s, truth in statuses.items() if truth.word == "yes") or "none"
    unknown = sum(truth.word == "unknown" for truth in statuses.values())
    return held + (f" ({unknown} of {len(statuses)} unknown)" if unknown else "")


def _is_code(measure: str) -> bool:
    return measure.endswith(("_code", "_persons"))


def show_stats(found: PeopleStats) -> None:
    """Print counts by status and habit, and prevalences."""
    console = new_console()
    say = console.print
    origin = "made-up people" if found.made_up else ", ".join(found.cycles)
    say(Text(f"{found.people:,} people ({found.adults:,} adults) of {origin}; rules {found.rules}"))
    say(_statuses(found))
    if found.rules == _PAPER:
        say(Text("as the paper counts: people of 2013-2014 told of osteoporosis three times"))
    if found.prevalence:
        ages = ", ".join(dict.fromkeys(row["ages"] for row in found.prevalence))
        say(Text(f"prevalence in percent of US adults {ages}, by these rules; unknown left out"))
        say(_prevalences(found.prevalence))
        say(Text(f"weights: {_weights(found.prevalence)}"))
    if found.published:
        say(Text("figures of CDC, and ours by CDC's definitions"))
        say(_published(found.published))
    say(_habits(found.habits))
    for note in found.notes[:_SHOWN]:
        say(Text(f"note: {plain(note)}"))
    if len(found.notes) > _SHOWN:
        say(Text(f"note: and {len(found.notes) - _SHOWN} more (all with --json)"))
    say(Text(NOT_DIAGNOSIS))


def _numbers(table: Table, *heads: str) -> Table:
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _statuses(found: PeopleStats) -> Table:
    columns = {"yes": "yes", "no": "no", "unknown": "unknown"}
    if found.rules == _PAPER:
        columns |= {"as_counted": "as the\npaper counts", "published": "published"}
    table = _numbers(new_table("status"), *columns.values())
    for row in found.statuses:
        cells = ("" if (n := row[k]) is None else f"{n:,}" for k in columns)
        table.add_row(plain(row["status"]), *cells)
    return table


def _prevalences(rows: Sequence[Mapping[str, Any]]) -> Table:
    heads = ("share\n(error)", "95 %\ninterval", "people\ntold", "unknown")
    table = _numbers(new_table("survey", "condition"), *heads)
    for row in rows:
        table.add_row(
            row["cycle"],
            plain(row["status"]),
            f"{100 * row['share']:.1f} ({100 * row['standard_error']:.1f})",
            f"{100 * row['low']:.1f}-{100 * row['high']:.1f}",
            f"{row['people']:,}",
            f"{row['people_unknown']:,}",
        )
    return table


def _weights(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return which survey weight served which conditions."""
    served: dict[str, dict[str, None]] = {}
    for row in rows:
        served.setdefault(row["weight"], {})[plain(row["status"])] = None
    return "; ".join(f"{weight} for {', '.join(names)}" for weight, names in served.items())


def _published(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = _numbers(new_table("CDC's definition", "survey", "adults"), "ours (error)", "published")
    for row in rows:
        table.add_row(
            plain(row["status"]),
            ", ".join(row["cycles"]),
            plain(row["ages"]),
            f"{100 * row['share']:.1f} ({100 * row['standard_error']:.1f}) %",
            f"{row['published_percent']:.1f} %",
        )
    return table


def _habits(rows: Sequence[Mapping[str, Any]]) -> Table:
    table = _numbers(new_table("habit", "variable and cut"), "people", "share")
    for row in rows:
        share = row["prevalence"]
        table.add_row(
            plain(row["label"]),
            plain(f"{row['variable']} {row['cut']}"),
            f"{row['count']:,}",
            "none" if share is None else f"{100 * share:.1f} %",
        )
    return table
