"""Survey people: one profile, counts over all, and the graph they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from prandial.api.choices import Form, People, Rules, one_of, roots_at

if TYPE_CHECKING:
    from prandial.bench.ngqa import PeopleStats
    from prandial.records import HealthProfile

__all__ = ["export_graph", "people_stats", "show_person"]


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

    chosen = cast("Rules", one_of(rules, Rules, "rules"))
    return find_person(person, roots=roots_at(root), rules=chosen, cycles=cycles)


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

    chosen = cast("Rules", one_of(rules, Rules, "rules"))
    return ngqa.people_stats(
        roots=roots_at(root), rules=chosen, cycles=cycles, demo=demo, seed=seed
    )


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
    replace: bool = False,
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
    replace : bool
        Write over what is there.

    Returns
    -------
    dict
        Nodes, edges, content hash and files.
    """
    from prandial.bench import ngqa

    return ngqa.export_graph(
        Path(output),
        form=cast("Form", one_of(form, Form, "form")),
        roots=roots_at(root),
        rules=cast("Rules", one_of(rules, Rules, "rules")),
        cycles=cycles,
        demo=one_of(people, People, "people") == "demo",
        only_people=only_people,
        only_foods=only_foods,
        replace=replace,
    )
