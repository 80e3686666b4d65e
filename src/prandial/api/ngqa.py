"""Questions whether foods suit people: build, count, show, check, review."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from prandial.api.choices import Checked, Graph, People, Rules, one_of, roots_at

if TYPE_CHECKING:
    from prandial.bench.ngqa import BuildReport, DerivedReport, ReviewReport, ShownQuestion
    from prandial.quiz import CheckReport

__all__ = [
    "apply_review",
    "build_ngqa",
    "export_review",
    "import_review",
    "ngqa_check",
    "ngqa_check_raw",
    "ngqa_show",
    "ngqa_stats",
]


def build_ngqa(
    out: Path | str,
    *,
    root: Path | str | None = None,
    rules: str = "default",
    graph: str = "published",
    cycles: Sequence[str] | None = None,
    people: str = "survey",
    seed: int = 0,
    per_food: tuple[int, int, int] = (10, 5, 2),
    per_person: int | None = None,
    weighted: bool = False,
    replace: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> BuildReport:
    """Build questions whether foods suit people, with graphs and gold answers.

    Parameters
    ----------
    out : Path
        Folder to write.
    root : Path, optional
        Folder that holds ``nhanes/`` and ``foods/``; prandial's data folder when None. Without
        ``foods/`` the built-in tables serve.
    rules : {'default', 'as-published'}
    graph : {'published', 'no-verdict', 'merged'}
    cycles : sequence of str, optional
        All at hand when None.
    people : {'survey', 'demo'}
        ``demo`` takes made-up people, for machines without survey files.
    seed : int
        Same seed and files, same bytes.
    per_food : tuple of int
        Most questions a food: sparse, standard, complex.
    per_person : int
        Most questions a person, under the default rules only; 25 when None.
    weighted : bool
        Draw people by their survey weight.
    replace : bool
        Replace a build that is there.
    progress : callable, optional
        Told ``(step, number, of)`` before each step.

    Raises
    ------
    InputError
        On a choice that there is not, or a folder in use.
    MissingDataError, SchemaError
        When files are not there or damaged.
    """
    from prandial.bench import ngqa

    return ngqa.build_ngqa(
        Path(out),
        roots=roots_at(root),
        rules=cast("Rules", one_of(rules, Rules, "rules")),
        graph=cast("Graph", one_of(graph, Graph, "graph")),
        cycles=cycles,
        demo=one_of(people, People, "people") == "demo",
        seed=seed,
        per_food=per_food,
        per_person=per_person,
        weighted=weighted,
        replace=replace,
        hear=progress,
    )


def ngqa_stats(folder: Path | str) -> dict[str, Any]:
    """Return the figures of a build by level, beside those of the paper."""
    from prandial.bench import ngqa

    return ngqa.ngqa_stats(Path(folder))


def ngqa_show(folder: Path | str, question: str) -> ShownQuestion:
    """Return one question of a build with answers, reasons and graph."""
    from prandial.bench.ngqa import show_question

    return show_question(Path(folder), question)


def ngqa_check(file: Path | str, *, rules: str = "auto") -> CheckReport:
    """Rebuild every row of a file in the published CSV form from its own facts.

    Parameters
    ----------
    file : Path
    rules : {'auto', 'as-published', 'default'}
        The rule set the file claims to follow; ``auto`` finds it by the wording of the questions,
        or else by what rows follow from.

    Returns
    -------
    CheckReport
        Rule set, rows, rows equal, each difference, and known problems of labels.
    """
    from prandial.quiz import check_file

    return check_file(Path(file), rules=one_of(rules, Checked, "rules"))


def ngqa_check_raw(
    file: Path | str, *, root: Path | str | None = None, rules: str = "auto"
) -> DerivedReport:
    """Compare the people and foods of a published file with what the raw files say.

    Parameters
    ----------
    file : Path
    root : Path, optional
        Folder that holds ``nhanes/`` and ``foods/``; prandial's data folder when None.
    rules : {'auto', 'as-published', 'default'}
        As for :func:`ngqa_check`.

    Returns
    -------
    DerivedReport
        By person: statuses and habits; by food: name, category, tags, ingredients.
    """
    from prandial.bench.ngqa import check_derived
    from prandial.quiz import rules_of_file

    one_of(rules, Checked, "rules")
    chosen = cast("Rules", rules_of_file(Path(file))[0] if rules == "auto" else rules)
    return check_derived(Path(file), roots_at(root), rules=chosen)


def export_review(
    folder: Path | str,
    output: Path | str,
    *,
    rows: int | None = None,
    seed: int = 0,
    blind: bool = False,
    replace: bool = False,
) -> dict[str, Any]:
    """Write questions of a build as a queue for annotators.

    Parameters
    ----------
    folder : Path
    output : Path
        ``.csv``, or ``.jsonl`` with one question a line.
    rows, seed : int, optional
        How many questions, and the seed of their draw; all when None.
    blind : bool
        Leave out gold answers, reasons and flags.
    replace : bool
        Write over a file that is there.
    """
    from prandial.bench import ngqa

    return ngqa.export_review(
        Path(folder), Path(output), rows=rows, seed=seed, blind=blind, replace=replace
    )


def import_review(
    folder: Path | str,
    files: Sequence[Path | str],
    *,
    decisions: Sequence[Path | str] = (),
    reviewers: int = 2,
) -> ReviewReport:
    """Read filled queues: agreement, disagreements, and changes with who, when and why.

    Parameters
    ----------
    folder : Path
    files, decisions : sequence of Path
        Filled queues of annotators, and of the adjudicator, whose word settles a question.
    reviewers : int
        How many must agree for a label to change without a decision.
    """
    from prandial.bench import ngqa

    return ngqa.import_review(
        Path(folder), [Path(f) for f in files], [Path(f) for f in decisions], reviewers=reviewers
    )


def apply_review(folder: Path | str, labels: Path | str, out: Path | str) -> dict[str, Any]:
    """Write a new build with reviewed labels and the log of their changes.

    Parameters
    ----------
    folder : Path
        The build that was reviewed.
    labels : Path
        The JSON form of :func:`import_review`'s report.
    out : Path
        New folder.
    """
    from prandial.bench import ngqa

    return ngqa.apply_review(Path(folder), Path(labels), Path(out))
