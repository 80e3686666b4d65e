"""Builds of NutriBench, their counts, checks and reviews as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.nutribench import BuildReport, Checked, Reviewed

__all__ = ["show_build", "show_checked", "show_reviewed", "show_stats"]

_SLICES: Final = {
    "serving_type": "serving",
    "country": "country",
    "cycle": "cycle",
    "occasion": "occasion",
    "items": "foods in the meal",
    "band": "carbohydrate, g",
}
_SHOWN: Final = 10
_REASONS: Final = "rule table recall_exclusions"


def show_build(report: BuildReport) -> None:
    """Print what was built, what was left out and why, and where it lies."""
    console, card = new_console(), report.card
    counts, notes = card["counts"], card["notes"]
    days: dict[str, set[int]] = {}
    for source in card["sources"]:
        if "day" in source:
            days.setdefault(source["cycle"], set()).add(source["day"])
    console.print(
        Text(f"{report.folder}: {counts['rows']:,} rows with {counts['foods']:,} foods", "bold")
    )
    for summed in notes.get("recalls", ())[-1:]:
        _show_recalls(summed)
    for cycle, had in days.items():
        if len(had) == 1:
            console.print(Text(f"  of {cycle} only the recalls of day {min(had)} are at hand"))
    for survey in notes.get("gift", ()):
        _show_gift(survey)
    if "meals_of_known_sets_left_out" in notes:
        n = notes["meals_of_known_sets_left_out"]
        console.print(Text(f"left out as meals of known sets: {n:,}"))
    if "meals_drawn" in notes:
        console.print(Text(f"drawn: {notes['meals_drawn']:,} meals, no two alike"))
    if "described" in notes:
        told = ", ".join(f"{n:,} {status}" for status, n in notes["described"].items())
        console.print(Text(f"by the model: {told}; {notes['calls']:,} calls"))
    console.print(Text(_line("rows", counts["serving_type"])))
    for name, entry in card["files"].items():
        console.print(Text(f"{name}: {entry['bytes']:,} bytes, sha256 {entry['sha256']}"))
    console.print(Text(f"seconds: {sum(report.seconds.values()):.1f}"))


def _line(what: str, counts: Mapping[str, int]) -> str:
    return f"{what}: " + ", ".join(f"{n:,} {name}" for name, n in counts.items())


def _show_recalls(counts: Mapping[str, Any]) -> None:
    console = new_console()
    console.print(
        Text(
            f"food records: {counts['records']:,} found, {counts['records_kept']:,} kept"
            f" ({_REASONS})"
        )
    )
    for reason, n in counts["records_dropped"].items():
        console.print(Text(f"  left out, {reason.replace('_', ' ')}: {n:,}"))
    console.print(
        Text(
            f"meals: {counts['meals_found']:,} found, {counts['meals_kept']:,} kept,"
            f" {counts['meals_natural']:,} with household servings throughout;"
            f" {counts['meals_short']:,} lack a record that was left out"
        )
    )


def _show_gift(survey: Mapping[str, Any]) -> None:
    console = new_console()
    console.print(
        Text(
            f"{survey['cycle']}: {survey['foods']:,} foods, {survey['foods_mapped']:,} mapped,"
            f" {survey['foods_decided']:,} decided by people;"
            f" {survey['records']:,} records, {survey['records_unmapped']:,} of unmapped foods;"
            f" {survey['meals']:,} meals, {survey['meals_natural']:,} with household servings"
        )
    )
    for reason, n in survey["records_dropped"].items():
        console.print(Text(f"  left out, {reason}: {n:,}"))
    for note in survey["odd_in_the_files"]:
        console.print(plain(f"  {note}"))
    if survey["meals_natural"] and survey["labels"] == "survey":
        console.print(
            Text(
                "  labels are of the grams eaten; household servings in the texts weigh up to a"
                " tenth more or less (--gift-labels serving: of these servings)"
            )
        )


def show_stats(found: Mapping[str, Any]) -> None:
    """Print the counts of a build or file, slice by slice."""
    console = new_console()
    foods = "" if found["foods"] is None else f" with {found['foods']:,} foods"
    known = ", ".join(f"{name} {n:,}" for name, n in found["published_rows"].items())
    console.print(Text(f"{found['name']}: {found['rows']:,} rows{foods}", "bold"))
    console.print(Text(f"published sets beside it: {known} rows"))
    for name, title in _SLICES.items():
        cells = found[name]
        if not set(cells) - {"unknown"}:
            continue
        table = new_table(title, "rows", "share")
        for value, n in cells.items():
            table.add_row(plain(value), f"{n:,}", f"{100 * n / found['rows']:.1f} %")
        console.print(table)


def show_checked(found: Checked) -> None:
    """Print what a check found."""
    console = new_console()
    console.print(
        Text(
            f"{found.folder}: {found.verified:,} of {found.rows:,} texts verified,"
            f" {found.failing:,} fail, {found.doubtful:,} pass with doubts",
            "bold",
        )
    )
    if found.verified < found.rows:
        console.print(
            Text(
                f"{found.rows - found.verified:,} not verified: the file does not tell what their"
                " texts should state (foods with grams, and a serving type of metric)"
            )
        )
    if found.kinds:
        console.print(Text(_line("rows by fault", found.kinds)))
    for fault in found.faults[:_SHOWN]:
        console.print(plain(f"  {fault.row}: {fault.reason}"))
    if len(found.faults) > _SHOWN:
        console.print(Text(f"  and {len(found.faults) - _SHOWN:,} more"))
    table = new_table("rule", "found", "of")
    for one in found.quality.findings:
        checked = f"{one.checked:,} {one.of}s" if one.checked else "not checked"
        table.add_row(one.rule, f"{one.n:,}", checked)
    console.print(table)
    if found.leaks is None:
        console.print(Text("not compared with any known set: --against FILE"))
        return
    for kind, n in found.leaks.checked.items():
        leaks = sum(leak.kind == kind for leak in found.leaks.leaks)
        told = f"{leaks:,} of {n:,} rows" if n else "not comparable"
        console.print(Text(f"in {found.leaks.against}, {kind.replace('_', ' ')}: {told}"))


def show_reviewed(found: Reviewed) -> None:
    """Print what reviewers decided, how far they agree, and what was written."""
    console = new_console()
    settled, agreed = found.settled, found.agreement
    console.print(
        Text(
            f"{found.decisions:,} decisions: {len(settled.texts):,} texts kept or corrected,"
            f" {len(settled.rejected):,} rejected, {len(settled.open):,} open,"
            f" {len(settled.unreviewed):,} not looked at"
        )
    )
    for name, reasons in list(settled.failing.items())[:_SHOWN]:
        console.print(plain(f"  {name}: the corrected text still fails: {'; '.join(reasons)}"))
    if agreed.shared:
        alpha = "not defined" if agreed.alpha is None else f"{agreed.alpha:.3f}"
        console.print(
            Text(
                f"{agreed.shared:,} rows with two reviewers or more, {agreed.equal:,} of one word;"
                f" Krippendorff's alpha {alpha}"
            )
        )
    for problem in found.problems[:_SHOWN]:
        console.print(plain(f"not taken: {problem}"))
    if len(found.problems) > _SHOWN:
        console.print(Text(f"and {len(found.problems) - _SHOWN:,} more not taken"))
    if found.out is not None:
        console.print(
            Text(
                f"{found.out}: {found.rows:,} rows; {found.left_out:,} left out (rejected, or"
                " failing and open or not looked at)"
            )
        )
