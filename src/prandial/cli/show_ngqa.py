"""Questions, builds, checks and reviews as a person reads them."""

from __future__ import annotations

from itertools import zip_longest
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.ngqa import BuildReport, DerivedReport, ReviewReport, ShownQuestion
    from prandial.bench.ngqa.opened import TagAmount
    from prandial.quiz import CheckReport, Difference

__all__ = [
    "NOT_MEDICAL",
    "show_build",
    "show_check",
    "show_derived",
    "show_question",
    "show_review",
    "show_stats",
]

NOT_MEDICAL: Final = "research software: a verdict is a rule over nutrients, not medical advice"
_SHOWN: Final = 10
_MANY: Final = 40
#: characters of a cell in a table of differences
_CUT: Final = 60
_FIGURES: Final = {
    "rows": "{:,}",
    "yes_ratio": "{:.3f}",
    "nodes": "{:.2f}",
    "edges": "{:.2f}",
    "node_snr": "{:.3f}",
    "tag_snr": "{:.3f}",
}
_HEADS: Final = ("rows", "yes\nratio", "nodes", "edges", "node\nSNR", "tag\nSNR")


def show_build(report: BuildReport) -> None:
    """Print what was built, level by level, and where."""
    console = new_console()
    counts = report.card["counts"]
    console.print(
        Text(
            f"{report.folder}: {counts['rows']:,} questions on {counts['foods']:,} foods and"
            f" {counts['people']:,} people, {counts['alternatives']:,} on alternatives"
        )
    )
    show_stats({"published": {}, **report.stats, "card": report.card}, closing=False)
    spent = ", ".join(f"{k} {v:.1f}" for k, v in report.seconds.items())
    console.print(Text(f"seconds: {spent}; {sum(report.seconds.values()):.1f} in all"))
    for note in report.notes[:_SHOWN]:
        console.print(Text(f"note: {plain(note)}"))
    if len(report.notes) > _SHOWN:
        console.print(Text(f"note: and {len(report.notes) - _SHOWN} more (all with --json)"))
    console.print(Text(NOT_MEDICAL))


def show_stats(found: dict[str, Any], *, closing: bool = True) -> None:
    """Print figures by level, the paper's beside them, and trivial baselines."""
    console = new_console()
    card = found["card"]
    console.print(Text(f"rules {card['rules']}, graph {card['graph']}, seed {card['seed']}"))
    table = new_table("level")
    for head in _HEADS:
        table.add_column(head, justify="right", no_wrap=True)
    for level, figures in found["levels"].items():
        table.add_row(level, *(_cell(k, figures.get(k)) for k in _FIGURES))
        if level in found["published"]:
            beside = found["published"][level]
            table.add_row("  published", *(_cell(k, beside[k]) for k in _FIGURES))
    console.print(table)
    baselines = new_table("answering without a model", "always No", "count edges", "name all tags")
    for level, figures in found["levels"].items():
        told = figures["baselines"]
        baselines.add_row(
            level, *(_share(told[k]) for k in ("always_no", "count_edges", "all_tags_jaccard"))
        )
    console.print(baselines)
    if "alternatives" in found:
        told = found["alternatives"]
        console.print(
            Text(
                f"alternatives: {told['questions']:,} questions; right by answering None"
                f" {_share(told['baselines']['always_none'])}, by naming the first food"
                f" {_share(told['baselines']['first_named'])}"
            )
        )
    if "splits" in found:
        rows = found["splits"]["rows"]
        kept = ", ".join(f"{n:,} {name}" for name, n in rows.items())
        clean = "no food and no person in two" if found["splits"]["clean"] else "LEAKS"
        console.print(Text(f"splits: {kept} ({clean})"))
    if closing:
        console.print(Text(NOT_MEDICAL))


def _cell(name: str, value: float | None) -> str:
    return "none" if value is None else _FIGURES[name].format(value)


def _share(value: float | None) -> str:
    return "none" if value is None else f"{100 * value:.1f} %"


def show_question(found: ShownQuestion, *, drawn: bool = False, graph: bool = False) -> None:
    """Print one question: person, food, answers, and why; how to draw it unless it is drawn."""
    console = new_console()
    row = found.row
    say = console.print
    say(Text(f"{row.level} question, rules {found.rules}, graph {found.mode}"))
    say(Text(f"food    {row.food.code} {plain(row.food.name)} ({plain(row.food.category)})"))
    say(Text(f"person  {row.person.person}: {', '.join(row.person.statuses) or 'no status'}"))
    if row.person.unknown:
        say(Text(f"unknown {', '.join(row.person.unknown)}"))
    for task, text in found.questions.items():
        say(Text(f"\n{task}: {plain(text)}"))
        say(Text(f"  gold: {plain(found.answers[task])}"))
    say(Text("\nwhy"))
    for reason in found.reasons:
        say(Text("  " + " -> ".join(plain(t) for t in reason)))
    named = {reason[-1] for reason in found.reasons} | set(row.gold.tags)
    for tag in found.tags:
        if tag.tag in named:
            say(Text(f"  {_because(tag)}"))
    for nutrient in row.gold.conflicts:
        say(Text(f"  conflict: {nutrient} is needed both low and high"))
    for nutrient in found.unknown:
        say(Text(f"  unknown: the food's {nutrient} is not known, so nothing follows from it"))
    n = found.counts
    say(
        Text(
            f"counted: nutrients {n['nutrients_for']} for, {n['nutrients_against']} against;"
            f" edges {n['edges_for']} for, {n['edges_against']} against"
        )
    )
    for c in found.reviewed:
        say(
            Text(
                f"reviewed: {c['label']} {plain(c['old'])} -> {plain(c['new'])}, by"
                f" {plain(c['who'])}, {plain(c['when'])}: {plain(c['why'])}"
            )
        )
    if found.instead is not None:
        say(Text(f"\ninstead: {plain(found.instead.text)}"))
        say(Text(f"  gold: {plain('; '.join(found.instead.answers))}"))
    hint = "" if drawn or graph else " (--graph prints it, --draw FILE draws it)"
    say(Text(f"\ngraph: {len(row.graph.nodes)} nodes, {len(row.graph.edges)} edges{hint}"))
    for triple in found.triples() if graph else ():
        say(Text(f"  {plain(triple)}"))
    say(Text(NOT_MEDICAL))


def _because(tag: TagAmount) -> str:
    """Return why a food has a tag: ``low_carb: 9.2 g per 100 g (<= 55 g; source)``."""
    known = isfinite(tag.amount)
    held = f"{tag.amount:.4g} {tag.unit} per {tag.per}" if known else "amount unknown"
    return f"{tag.tag}: {held} ({tag.sign} {tag.threshold:g} {tag.unit}; {plain(tag.source)})"


_BY: Final = {
    "given": "as given",
    "wording": "by the wording of its questions",
    "rows": "by the rows that follow from it",
    "nothing": "for want of anything that tells",
}


def show_check(report: CheckReport) -> None:
    """Print the rule set, rows equal, rows different, and known problems of labels."""
    console = new_console()
    console.print(Text(f"rules {report.rules}, {_BY[report.rules_by]}"))
    if report.rows_equal == 0:
        console.print(
            Text(
                f"none of {report.rows} rows follows from its own facts under these rules"
                " (each difference with --json)"
            )
        )
        if len(report.differences) <= _SHOWN:  # one wrong row in a file of few
            _show_differences(report.differences)
    else:
        console.print(
            Text(
                f"{report.rows_equal} of {report.rows} rows rebuilt equal"
                f" ({report.rows_same_text} to the character)"
            )
        )
        _show_differences(report.differences)
    table = new_table("problem of labels", "rows", "share")
    for body in report.to_dict()["problems"].values():
        share = body["rows"] / report.rows if report.rows else 0.0
        table.add_row(plain(body["what"]), str(body["rows"]), f"{100 * share:.0f} %")
    console.print(table)
    for name in report.not_checked:
        console.print(Text(f"not checked, needs amounts: {plain(name)}"))


def _show_differences(differences: tuple[Difference, ...]) -> None:
    if not differences:
        return
    console = new_console()
    table = new_table("row", "column", "in the file", "rebuilt")
    for d in differences[:_SHOWN]:
        table.add_row(str(d.row), d.column, *map(plain, _apart(str(d.found), str(d.expected))))
    console.print(table)
    if len(differences) > _SHOWN:
        console.print(Text(f"and {len(differences) - _SHOWN} more (all with --json)"))


def _apart(found: str, expected: str) -> tuple[str, str]:
    """Return two texts cut so that they differ to the eye, in quotes where only blanks do."""
    if found.split() == expected.split():
        found, expected = repr(found), repr(expected)
    at = next(i for i, (a, b) in enumerate(zip_longest(found, expected)) if a != b)
    start = 0 if at < _CUT - 10 else at - _CUT // 2
    dots = "..." if start else ""
    return dots + found[start : start + _CUT], dots + expected[start : start + _CUT]


def show_derived(report: DerivedReport) -> None:
    """Print how far people and foods of a file follow from the raw files."""
    console = new_console()
    table = new_table("derived from raw files", "equal", "different", "not at hand")
    for part, row in report.counts().items():
        table.add_row(part, *(str(row[k]) for k in ("equal", "different", "not at hand")))
    console.print(table)
    differing = [c for c in report.compared if not c.equal]
    for c in differing[:_MANY]:
        told = c.note or "; ".join(
            f"{word}: {', '.join(items)}"
            for word, items in (("only in the file", c.only_file), ("only here", c.only_derived))
            if items
        )
        console.print(Text(f"{c.subject} {c.part}: {plain(told)}"))
    if len(differing) > _MANY:
        console.print(Text(f"and {len(differing) - _MANY} more (all with --json)"))


def show_review(report: ReviewReport) -> None:
    """Print agreement, changes and what is open."""
    console = new_console()
    body = report.to_dict()
    agreed, labels = body["agreement"], body["labels"]
    alpha = agreed["krippendorff_alpha_verdicts"]
    console.print(
        Text(
            f"{agreed['items']} questions reviewed by"
            f" {', '.join(agreed['annotators']) or 'nobody'};"
            f" {agreed['shared']} by two or more;"
            f" Krippendorff's alpha {'not defined' if alpha is None else f'{alpha:.3f}'}"
        )
    )
    for pair in agreed["cohen_kappa"]:
        kappa = pair["kappa"]
        told = "not defined" if kappa is None else f"{kappa:.3f}"
        console.print(
            Text(f"Cohen's kappa {' and '.join(pair['annotators'])}: {told} over {pair['items']}")
        )
    if labels["changes"]:
        table = new_table("question", "label", "old", "new", "who", "when", "why")
        for c in labels["changes"][:_SHOWN]:
            table.add_row(
                *(plain(str(c[k])) for k in ("id", "label", "old", "new", "who", "when", "why"))
            )
        console.print(table)
    console.print(
        Text(
            f"{len(labels['changes'])} changes, {len(labels['open'])} open,"
            f" {labels['unreviewed']} not reviewed (a change takes {labels['reviewers']} who agree,"
            " or a decision)"
        )
    )
    for problem in report.problems[:_SHOWN]:
        console.print(Text(f"left out: {plain(problem)}"))
