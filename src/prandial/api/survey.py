"""Survey people, questions about them, and the graph: files in, builds and figures out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.bench.ngqa import (
        BuildReport,
        CycleAtHand,
        DerivedReport,
        PeopleStats,
        ReviewReport,
        Roots,
        ShownQuestion,
    )
    from prandial.quiz import CheckReport
    from prandial.records import HealthProfile
    from prandial.sources.food_files import ReleaseAtHand
    from prandial.sources.report import GetReport, Progress

__all__ = [
    "apply_review",
    "build_ngqa",
    "export_graph",
    "export_review",
    "get_foods",
    "get_nhanes",
    "import_review",
    "list_foods",
    "list_nhanes",
    "ngqa_check",
    "ngqa_check_raw",
    "ngqa_show",
    "ngqa_stats",
    "people_stats",
    "show_person",
]

Rules = Literal["default", "as-published"]
Checked = Literal["auto", "default", "as-published"]
Graph = Literal["published", "no-verdict", "merged"]
People = Literal["survey", "demo"]
Form = Literal["graphml", "turtle", "neo4j", "parquet"]
_ALL: Final = "all"


def _one_of(value: str, known: Any, where: str) -> str:
    names = get_args(known)
    if value not in names:
        raise InputError(
            f"no such choice: {value!r}", where=where, hint="one of: " + ", ".join(names)
        )
    return value


def _roots(root: Path | str | None) -> Roots:
    from prandial.bench.ngqa import Roots
    from prandial.sources.home import data_home

    if root is not None:
        return Roots.under(Path(root))
    home = data_home(os.environ)
    if not home.is_dir():
        return Roots(nhanes=None, foods=None)
    return Roots.under(home)


def get_nhanes(
    cycles: Sequence[str],
    *,
    tables: Sequence[str] | None = None,
    source: str | Path | None = None,
    target: Path | str | None = None,
    jobs: int = 4,
    revised: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> GetReport:
    """Fetch public NHANES files, verified; cut downloads are continued.

    Parameters
    ----------
    cycles : sequence of str
        Such as ``["2017-2018"]``; ``["all"]`` for every cycle known.
    tables : sequence of str, optional
        Such as ``["DEMO", "BMX"]``; all when None.
    source : str or Path, optional
        Folder or address of a mirror (XPT or Parquet), or a folder that holds it as
        ``nhanes``; the CDC's site when None.
    target : Path, optional
        Folder that gets a folder a cycle; in prandial's data folder when None.
    jobs : int
        Files at a time.
    revised : bool
        Take a sound file that differs from the one the registry knows.
    progress : callable, optional
        Told each step.

    Returns
    -------
    GetReport
        One record a file: got, kept, absent or failed and why.

    Raises
    ------
    NotFoundError
        On an unknown cycle or table.
    DataError
        When nothing more can be fetched.
    """
    from prandial.sources import nhanes

    wanted = tuple(nhanes.load_cycles()) if _ALL in cycles else tuple(cycles)
    return nhanes.get_nhanes(
        wanted,
        tables,
        source=source,
        target=target,
        jobs=jobs,
        revised=revised,
        on_progress=progress,
    )


def list_nhanes(folder: Path | str | None = None) -> tuple[CycleAtHand, ...]:
    """Return the survey cycles known, and which of their files are at hand.

    Parameters
    ----------
    folder : Path, optional
        Folder that holds a folder a cycle; in prandial's data folder when None.
    """
    from prandial.bench.ngqa import cycles_at_hand
    from prandial.sources.nhanes import nhanes_home

    place = nhanes_home() if folder is None else Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError("a file, not a folder", where=str(place), hint="give a folder to --to")
    return cycles_at_hand(place)


def get_foods(
    releases: Sequence[str] | None = None,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> GetReport:
    """Fetch the files of FNDDS releases that a build reads, verified; cut downloads go on.

    Parameters
    ----------
    releases : sequence of str, optional
        Such as ``["2017-2018"]``; every release known when None or with ``"all"``.
    source : str or Path, optional
        Folder or address of a mirror (Parquet or USDA's workbooks), or a folder that holds
        it as ``foods``; USDA's site when None.
    target : Path, optional
        Folder that gets the files; ``foods`` in prandial's data folder when None.
    revised : bool
        Take a sound file with more rows than the registry states.
    progress : callable, optional
        Told each step.

    Returns
    -------
    GetReport
        One record a file: ``cycle`` is the release, ``table`` foods, nutrients, ingredients
        or crosswalk; got, kept, absent or failed and why.

    Raises
    ------
    NotFoundError
        On an unknown release.
    InputError
        When the target is a file.
    MissingDataError
        When the source folder is missing, or openpyxl (for workbooks) or httpx is.
    DataError
        When nothing more can be fetched.
    """
    from prandial.sources import food_get

    return food_get.get_foods(
        None if releases is None or _ALL in releases else tuple(releases),
        source=source,
        target=target,
        revised=revised,
        on_progress=progress,
    )


def list_foods(folder: Path | str | None = None) -> tuple[ReleaseAtHand, ...]:
    """Return the FNDDS releases known, and which of their files are at hand.

    Parameters
    ----------
    folder : Path, optional
        Folder of releases; in prandial's data folder when None.

    Raises
    ------
    InputError
        When it is a file.
    """
    from prandial.sources.food_files import releases_at_hand
    from prandial.sources.food_get import foods_home

    return releases_at_hand(foods_home() if folder is None else Path(folder))


def show_person(
    person: int,
    *,
    root: Path | str | None = None,
    rules: str = "default",
    cycles: Sequence[str] | None = None,
) -> HealthProfile:
    """Return one survey person's profile, with the rule behind each status.

    Parameters
    ----------
    person : int
        NHANES respondent number (SEQN).
    root : Path, optional
        Folder that holds ``nhanes/``; prandial's data folder when None.
    rules : {'default', 'as-published'}
    cycles : sequence of str, optional
        Where to look; all at hand when None.

    Raises
    ------
    NotFoundError
        When nobody has that number.
    MissingDataError
        When no survey files are at hand.
    """
    from prandial.bench.ngqa import find_person

    chosen = cast("Rules", _one_of(rules, Rules, "rules"))
    return find_person(person, roots=_roots(root), rules=chosen, cycles=cycles)


def people_stats(
    *,
    root: Path | str | None = None,
    rules: str = "default",
    cycles: Sequence[str] | None = None,
    demo: int | None = None,
    seed: int = 0,
) -> PeopleStats:
    """Count people by condition, diet and habit, and estimate prevalences of adults.

    Parameters
    ----------
    root, rules, cycles
        As for :func:`show_person`.
    demo : int, optional
        So many made-up people instead.
    seed : int
        Of made-up people.
    """
    from prandial.bench import ngqa

    chosen = cast("Rules", _one_of(rules, Rules, "rules"))
    return ngqa.people_stats(roots=_roots(root), rules=chosen, cycles=cycles, demo=demo, seed=seed)


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
    per_person: int = 25,
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
        Most questions a person, under the default rules.
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
        roots=_roots(root),
        rules=cast("Rules", _one_of(rules, Rules, "rules")),
        graph=cast("Graph", _one_of(graph, Graph, "graph")),
        cycles=cycles,
        demo=_one_of(people, People, "people") == "demo",
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

    return check_file(Path(file), rules=_one_of(rules, Checked, "rules"))


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

    _one_of(rules, Checked, "rules")
    chosen = cast("Rules", rules_of_file(Path(file))[0] if rules == "auto" else rules)
    return check_derived(Path(file), _roots(root), rules=chosen)


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


def export_graph(
    output: Path | str,
    *,
    form: str = "turtle",
    root: Path | str | None = None,
    rules: str = "default",
    cycles: Sequence[str] | None = None,
    people: str = "survey",
    only_people: Sequence[int] | None = None,
    only_foods: Sequence[int] | None = None,
) -> dict[str, Any]:
    """Write the graph of people, foods, nutrients, tags and rules for other tools.

    Parameters
    ----------
    output : Path
        File, or folder for ``neo4j`` and ``parquet``.
    form : {'turtle', 'graphml', 'neo4j', 'parquet'}
    root, rules, cycles, people
        As for :func:`build_ngqa`.
    only_people, only_foods : sequence of int, optional
        SEQN numbers and FNDDS codes; all when None.

    Returns
    -------
    dict
        Nodes, edges, content hash and files.
    """
    from prandial.bench import ngqa

    return ngqa.export_graph(
        Path(output),
        form=cast("Form", _one_of(form, Form, "form")),
        roots=_roots(root),
        rules=cast("Rules", _one_of(rules, Rules, "rules")),
        cycles=cycles,
        demo=_one_of(people, People, "people") == "demo",
        only_people=only_people,
        only_foods=only_foods,
    )
