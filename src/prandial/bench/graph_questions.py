"""Questions over a graph that a run asks: of a build, or of a file in the published form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

from prandial.bench.questions import Asked, digest_of, drawn
from prandial.errors import InputError, NotFoundError, PrandialError, SchemaError
from prandial.graph.question import MODES, question_graph
from prandial.quiz import (
    CARD,
    DIFFICULTY,
    LEVELS,
    PARQUET_NAME,
    SPLITS,
    TASKS,
    PublishedRow,
    facts_of,
    gold_of_facts,
    mode_of,
    question_text,
    read_dataset,
    read_published,
    row_id,
    rules_of_file,
)
from prandial.records.bench import GraphQuestion, TaskName
from prandial.records.quiz import Gold, GraphMode, QuizRow
from prandial.sources.fetch import file_sha256

__all__ = ["graph_questions"]

_ALL: Final = ("", "all")


def graph_questions(
    data: str | Path,
    *,
    level: str | Sequence[str] = "all",
    task: str | Sequence[str] = "all",
    mode: str = "",
    rules: str = "",
    split: str = "",
    limit: int | None = None,
    seed: int = 0,
) -> Asked:
    """Return the questions of a run.

    Parameters
    ----------
    data : str or Path
        Folder that ``prandial ngqa build`` wrote, or a CSV file in the published form.
    level : {'sparse', 'standard', 'complex', 'all'} or several
    task : {'B', 'ML', 'TG', 'all'} or several
    mode : {'', 'published', 'no-verdict', 'merged'}
        Form of the graphs; as the data have them when empty. ``no-verdict`` needs amounts,
        which a file in the published form does not hold.
    rules : {'', 'as-published', 'default'}
        Wording and gold of the rule set; as the data when empty. It must be theirs: graphs and
        golds are not changed from one set to the other.
    split : {'', 'train', 'dev', 'test'}
    limit, seed : int, optional
        Rows (a food and a person) that are drawn, evenly over the levels; each is asked in
        every task.

    Raises
    ------
    InputError
        On a choice that there is not, or that leaves nothing.
    PrandialError
        When the data are not there or damaged.
    """
    levels = _chosen(level, LEVELS, "level")
    tasks = cast("tuple[TaskName, ...]", _chosen(task, TASKS, "task"))
    for value, known, where in ((mode, MODES, "mode"), (split, SPLITS, "split")):
        if value and value not in known:
            raise InputError(
                f"no {where} {value!r}", where=where, hint="known: " + ", ".join(known)
            )
    path = Path(data)
    if not path.exists():
        raise NotFoundError(
            f"no file or folder {str(data)!r}",
            where="data",
            hint="a folder of prandial ngqa build, or a CSV file in the published form",
        )
    found = _of_build(path) if path.is_dir() else _of_file(path)
    if rules and rules != found["rules"]:
        raise InputError(
            f"the data follow the rule set {found['rules']}, not {rules}",
            where="rules",
            hint="leave it out, or build with these rules: prandial ngqa build --rules",
        )
    kept = [
        (name, row)
        for name, row in found["rows"]
        if row.level in levels and (not split or row.split == split)
    ]
    names = _draw(kept, levels, limit, seed)
    questions = tuple(_asked(kept, names, tasks, mode, found))
    if not questions:
        raise InputError(
            "no question is left",
            where=f"level {','.join(levels)}" + (f", split {split}" if split else ""),
            hint=_has(found["rows"]),
        )
    data_of = {k: v for k, v in found.items() if k not in ("rows", "mode", "rules")}
    return Asked(
        benchmark="ngqa",
        questions=questions,
        data={**data_of, "questions": len(questions), "sha256": digest_of(questions)},
        settings={
            "level": list(levels),
            "task": list(tasks),
            "mode": questions[0].mode,
            "rules": found["rules"],
            "split": split,
            "limit": limit,
            "seed": seed,
        },
        notes=tuple(found.get("notes", ())),
    )


def _chosen(given: str | Sequence[str], known: Sequence[str], where: str) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else list(given)
    names = [p.strip() for p in parts]
    if any(n in _ALL for n in names) or not names:
        return tuple(known)
    for name in names:
        if name not in known:
            raise InputError(
                f"no {where} {name!r}", where=where, hint="known: all, " + ", ".join(known)
            )
    return tuple(n for n in known if n in names)


def _draw(
    kept: Sequence[tuple[str, QuizRow]], levels: Sequence[str], limit: int | None, seed: int
) -> frozenset[str]:
    """Draw rows evenly over the levels; what a level lacks, the others give."""
    by_level = {lv: [n for n, r in kept if r.level == lv] for lv in levels}
    if limit is None:
        return frozenset(n for n, _ in kept)
    left = limit
    names: set[str] = set()
    open_levels = sorted((lv for lv in levels if by_level[lv]), key=lambda lv: len(by_level[lv]))
    for at, lv in enumerate(open_levels):
        rest = len(open_levels) - at
        share = -(-left // rest)
        picked = drawn(by_level[lv], min(share, left), seed) if left else frozenset()
        names |= picked
        left -= len(picked)
    if limit < 1:
        drawn((), limit, seed)  # refuses it
    return frozenset(names)


def _asked(
    kept: Sequence[tuple[str, QuizRow]],
    names: frozenset[str],
    tasks: Sequence[TaskName],
    mode: str,
    found: dict[str, Any],
) -> Iterator[GraphQuestion]:
    rules = found["rules"]
    for name, row in kept:
        if name not in names:
            continue
        shown, row_mode = _in_mode(name, row, mode or found["mode"] or mode_of(row.graph), found)
        for task in tasks:
            yield GraphQuestion(
                id=f"{name}-{task}",
                text=question_text(task, row.food.name, rules=rules),
                task=task,
                row=shown,
                mode=row_mode,
                rules=rules,
            )


def _in_mode(
    name: str, row: QuizRow, mode: str, found: dict[str, Any]
) -> tuple[QuizRow, GraphMode]:
    """Return a row with its graph in another form."""
    wanted = cast("GraphMode", mode)
    if wanted == (found["mode"] or mode_of(row.graph)):
        return row, wanted
    if wanted == "no-verdict" and not row.food.per_100g:
        raise InputError(
            "the data hold no amounts, which no-verdict graphs show",
            where=f"mode, question {name}",
            hint="ask a build: prandial ngqa build",
        )
    graph = question_graph(row.food, row.person, rules=found["rules"], mode=wanted)
    return (
        QuizRow(
            level=row.level,
            food=row.food,
            person=row.person,
            graph=graph,
            gold=row.gold,
            split=row.split,
        ),
        wanted,
    )


def _has(rows: Sequence[tuple[str, QuizRow]]) -> str:
    levels = [f"{lv} {sum(r.level == lv for _, r in rows)}" for lv in LEVELS]
    splits = [f"{s} {sum(r.split == s for _, r in rows)}" for s in SPLITS]
    return f"rows by level: {', '.join(levels)}; by split: {', '.join(splits)}"


def _of_build(folder: Path) -> dict[str, Any]:
    data = read_dataset(folder)
    card = data.card
    return {
        "name": folder.resolve().name,
        "files": {PARQUET_NAME: card["files"][PARQUET_NAME]["sha256"], CARD: _of_card(folder)},
        "rows_in_all": len(data.rows),
        "rules": str(card["rules"]),
        "mode": str(card["graph"]),
        "rows": [(row_id(r), r) for r in data.rows],
    }


def _of_card(folder: Path) -> str:
    return file_sha256(folder / CARD)


def _of_file(path: Path) -> dict[str, Any]:
    file = read_published(path)
    rules, by = rules_of_file(path)
    rows: list[tuple[str, QuizRow]] = []
    unreadable = len(file.problems)
    seen: dict[str, int] = {}
    for one in file.rows:
        try:
            row = _of_published(one, rules)
        except PrandialError:
            unreadable += 1
            continue
        name = row_id(row)
        seen[name] = seen.get(name, 0) + 1
        rows.append((name if seen[name] == 1 else f"{name}-{seen[name]}", row))
    if not rows:
        raise SchemaError(
            "no row can be read", where=str(path), hint=f"see: prandial ngqa check {path}"
        )
    notes = [f"rules {rules} (told by {by})"]
    notes += [f"{unreadable} rows cannot be read and are left out"] if unreadable else []
    return {
        "name": path.stem,
        "files": {path.name: file_sha256(path)},
        "rows_in_all": len(file.rows) + len(file.problems),
        "unreadable": unreadable,
        "rules": rules,
        "mode": "",
        "rows": rows,
        "notes": notes,
    }


def _of_published(one: PublishedRow, rules: str) -> QuizRow:
    """Return a row with the answers that the file gives, not those that follow from its facts."""
    food, person = facts_of(one.graph)
    ours = gold_of_facts(food, person, rules=rules)
    levels = {word: lv for lv, word in DIFFICULTY.items()}
    verdict = one.texts["answer_easy"].strip().capitalize()
    level = levels.get(one.texts["difficulty"].strip())
    if verdict not in ("Yes", "No") or level is None:
        raise SchemaError("no verdict or level", where=f"row {one.row}", hint="see ngqa check")
    tags = tuple(t.strip() for t in one.texts["answer_medium"].split(",") if t.strip())
    return QuizRow(
        level=level,
        food=food,
        person=person,
        graph=one.graph,
        gold=Gold(
            verdict=cast("Any", verdict),
            tags=tags,
            sentence=one.texts["answer_hard"],
            matches=ours.matches,
            contradicts=ours.contradicts,
            conflicts=ours.conflicts,
        ),
    )
