"""From raw files to a folder of questions: every step, its counts and its seconds."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from prandial.bench.ngqa.graphs import graph_measures
from prandial.bench.ngqa.inputs import (
    DEMO_PEOPLE,
    Foods,
    People,
    Roots,
    person_facts,
    read_foods,
    read_people,
)
from prandial.bench.ngqa.respondents import RESPONDENTS, write_respondents
from prandial.errors import InputError
from prandial.graph import build_merged, save_graph
from prandial.quiz.alternatives import AlternativesQuestion, alternatives_of_rows
from prandial.quiz.rows import build_rows
from prandial.quiz.sample import LEVELS, Pairs, food_arrays, sample_pairs
from prandial.quiz.split import sample_by_split, split_rows
from prandial.quiz.store import CARD, CSV_NAME, PARQUET_NAME, write_dataset
from prandial.sources.fetch import file_entry
from prandial.tables.rules import read_rules
from prandial.tags import HIGH, LOW, need_bits
from prandial.truth import Truth, TruthArray

if TYPE_CHECKING:
    import numpy.typing as npt

    from prandial.records import Profiles, QuizRow
    from prandial.records.people import RuleSet
    from prandial.records.quiz import GraphMode

__all__ = ["ALTERNATIVES", "GRAPH", "PER_PERSON", "STEPS", "BuildReport", "Hear", "build_ngqa"]

#: told before each step: its name, its number from 0, and how many there are
Hear = Callable[[str, int, int], object]
STEPS: Final = ("people", "foods", "pairs", "questions", "files", "graph")
#: folder of the merged graph within a build
GRAPH: Final = "graph"
#: questions of the fourth task: what of the same category would suit instead
ALTERNATIVES: Final = "alternatives.jsonl"
#: most questions a person when no number is given
PER_PERSON: Final = 25
_ADULT_YEARS: Final = 18
_OWN: Final = frozenset({CARD, CSV_NAME, PARQUET_NAME, GRAPH, ALTERNATIVES, RESPONDENTS})


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildReport:
    """What a build holds; ``seconds`` is the only part that differs from run to run."""

    folder: Path
    card: dict[str, Any]
    stats: dict[str, Any]
    seconds: dict[str, float]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "folder": str(self.folder),
            "card": self.card,
            "stats": self.stats,
            "seconds": {k: round(v, 2) for k, v in self.seconds.items()},
            "notes": list(self.notes),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class _Draw:
    """How pairs are drawn."""

    per_food: tuple[int, int, int]
    per_person: int
    weighted: bool


@dataclass(slots=True)
class _Clock:
    """Seconds by step, told to whoever listens."""

    hear: Hear | None
    steps: tuple[str, ...]
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        if self.hear is not None:
            self.hear(name, self.steps.index(name), len(self.steps))
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start


def build_ngqa(
    out: Path,
    *,
    roots: Roots,
    rules: RuleSet = "default",
    graph: GraphMode = "published",
    cycles: Sequence[str] | None = None,
    demo: bool = False,
    seed: int = 0,
    per_food: tuple[int, int, int] = (10, 5, 2),
    per_person: int | None = None,
    weighted: bool = False,
    replace: bool = False,
    hear: Hear | None = None,
) -> BuildReport:
    """Build questions with gold answers and write them into a folder.

    Parameters
    ----------
    out : Path
        Folder to write: Parquet, the published CSV form and a card; for ``merged`` also the
        graph of everything.
    roots : Roots
        Raw files.
    rules : {'default', 'as-published'}
    graph : {'published', 'no-verdict', 'merged'}
    cycles : sequence of str, optional
        All at hand when None.
    demo : bool
        Made-up people in place of a survey.
    seed : int
        Same seed and files, same bytes.
    per_food : tuple of int
        Most questions a food: sparse, standard, complex.
    per_person : int
        Most questions a person, ``default`` rules only; 25 when None.
    weighted : bool
        Draw people in proportion to their examination weight (``default`` rules only).
    replace : bool
        Replace a build that is there.
    hear : callable, optional
        Told before each step.

    Raises
    ------
    InputError
        When the folder holds something else, or options do not fit.
    MissingDataError, SchemaError
        When files are not there or damaged.
    """
    from prandial.quiz.statistics import stats_dict

    check_folder(out, replace=replace)
    if len(per_food) != len(LEVELS) or min(per_food) < 0:
        raise InputError(
            f"{per_food!r} is not three counts", where="per_food", hint="such as (10, 5, 2)"
        )
    if per_person is not None and (per_person < 1 or rules == "as-published"):
        raise InputError(
            f"{per_person} questions a person under the rules {rules}",
            where="--per-person",
            hint="1 or more, and only with --rules default",
        )
    most = PER_PERSON if per_person is None else per_person
    draw = _Draw(per_food=per_food, per_person=most, weighted=weighted)
    if weighted and (rules == "as-published" or demo):
        raise InputError(
            "people are drawn by weight only from a survey and under the default rules",
            where="--weighted",
            hint="leave --weighted out, or use --rules default with survey files",
        )
    clock = _Clock(hear, STEPS if graph == "merged" else STEPS[:-1])
    with clock.step("people"):
        people = read_people(
            roots, rules=rules, cycles=cycles, demo=DEMO_PEOPLE if demo else None, seed=seed
        )
    with clock.step("foods"):
        foods = read_foods(roots, rules=rules, cycles=people.cycles, seed=seed)
    with clock.step("pairs"):
        pairs, pool = _pairs(people.profiles, foods, rules, seed, draw)
    with clock.step("questions"):
        rows = _rows(pairs, people.profiles, foods, rules, graph, seed)
        stats = stats_dict(rows)
        instead = alternatives_of_rows(rows, foods.facts, rules=rules, seed=seed)
    with clock.step("files"):
        if (out / GRAPH).is_dir():
            shutil.rmtree(out / GRAPH)  # of the build that is replaced
        card = write_dataset(
            rows,
            out,
            rules=rules,
            mode=graph,
            seed=seed,
            sources=_sources(roots, people),
            notes=_card_notes(people, foods, pool, pairs, draw, rules),
        )
        write_respondents(people.profiles, pairs.person_row.tolist(), out / RESPONDENTS)
        card = _add_files(out, instead, card)
    if graph == "merged":
        with clock.step("graph"):
            card = _add_graph(out, people.profiles, foods, card)
    return BuildReport(
        folder=out,
        card=card,
        stats=stats,
        seconds=clock.seconds,
        notes=people.notes + foods.notes,
    )


def check_folder(out: Path, *, replace: bool) -> None:
    """Refuse a folder that holds anything but an older build that may be replaced.

    Raises
    ------
    InputError
        Saying what is in the way.
    """
    if not out.exists():
        above = next(p for p in out.absolute().parents if p.exists())
        if not (above.is_dir() and os.access(above, os.W_OK)):
            raise InputError(
                "the folder cannot be made",
                where=str(out),
                hint=f"{above} is a file, or may not be written to; name another folder",
            )
        return
    if not out.is_dir():
        raise InputError("this is a file", where=str(out), hint="name a folder")
    there = {p.name for p in out.iterdir()}
    foreign = sorted(there - _OWN)
    if foreign:
        raise InputError(
            f"the folder holds other things: {', '.join(foreign[:3])}",
            where=str(out),
            hint="name a new folder",
        )
    if there and not replace:
        raise InputError(
            "a build is there already", where=str(out), hint="name a new folder, or --replace"
        )
    if not os.access(out, os.W_OK):
        raise InputError(
            "the folder may not be written to", where=str(out), hint="name another folder"
        )


def _pairs(
    profiles: Profiles,
    foods: Foods,
    rules: RuleSet,
    seed: int,
    how: _Draw,
) -> tuple[Pairs, npt.NDArray[np.intp]]:
    """Draw pairs; return them and the rows of the people who could be drawn."""
    codes, tags, unknown = food_arrays(foods.facts, rules=rules)
    default = rules == "default"
    needs = need_bits(_for_drawing(profiles) if default else profiles.statuses, rules=rules)
    eligible = ((needs & (LOW | HIGH)) != 0).any(axis=1)
    if default:
        eligible &= profiles.people["age_years"] >= _ADULT_YEARS
    pool = np.flatnonzero(eligible)
    draw = sample_by_split if default else sample_pairs
    weight = profiles.people["weight_exam_persons"][pool] if how.weighted else None
    pairs = draw(
        codes,
        tags,
        profiles.people.seqn[pool],
        needs[pool],
        rules=rules,
        seed=seed,
        per_level=how.per_food,
        weights=weight,
        food_unknown=unknown,
        per_person=how.per_person if default else None,
    )
    return Pairs(
        level=pairs.level, food_row=pairs.food_row, person_row=pool[pairs.person_row]
    ), pool


def not_asked(cycles: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return by cycle the statuses that its survey did not ask about (table ``not_asked``).

    Such as opioid misuse in a cycle without the questionnaire on drugs. If these kept
    everybody of the cycle from being asked, questions would be of the other cycles alone. A
    file that is merely not at hand is another matter: then nobody is taken for healthy.
    """
    found: dict[str, tuple[str, ...]] = {}
    wanted = set(cycles)
    for row in read_rules("not_asked"):
        if row["cycle"] in wanted:
            found[row["cycle"]] = (*found.get(row["cycle"], ()), row["status"])
    return found


def _for_drawing(profiles: Profiles) -> dict[str, TruthArray]:
    """Return statuses for drawing: what a cycle did not ask stands in nobody's way."""
    statuses = dict(profiles.statuses)
    for cycle, names in not_asked(profiles.people.cycle.tolist()).items():
        here = profiles.people.cycle == cycle
        for name in names:
            told = statuses[name]
            statuses[name] = np.where(here & (told == Truth.UNKNOWN), Truth.NO, told).astype(
                np.uint8
            )
    return statuses


def _rows(
    pairs: Pairs, profiles: Profiles, foods: Foods, rules: RuleSet, graph: GraphMode, seed: int
) -> list[QuizRow]:
    facts = person_facts(profiles, pairs.person_row.tolist())
    rows = build_rows(pairs, foods.facts, facts, rules=rules, mode=graph)
    return split_rows(rows, seed=seed)


def _sources(roots: Roots, people: People) -> list[dict[str, str]]:
    """Return where the data is from, for the card."""
    survey = {
        "name": "NHANES " + ", ".join(people.cycles),
        "publisher": "CDC, National Center for Health Statistics",
        "licence": "US government work, public domain",
    }
    foods = {
        "name": "FNDDS" if roots.foods else "FNDDS 2017-2018 and 2021-2023 (built in)",
        "publisher": "USDA, Agricultural Research Service",
        "licence": "US government work, public domain",
    }
    return [foods] if people.made_up else [survey, foods]


def _card_notes(
    people: People,
    foods: Foods,
    pool: npt.NDArray[np.intp],
    pairs: Pairs,
    how: _Draw,
    rules: RuleSet,
) -> dict[str, Any]:
    default = rules == "default"
    cycles, rows = np.unique(people.profiles.people.cycle[pairs.person_row], return_counts=True)
    return {
        "people": "made up, for trials only" if people.made_up else "survey respondents",
        "people_read": len(people.profiles),
        "people_with_needs": len(pool),
        "rows_by_cycle": dict(zip(cycles.tolist(), rows.tolist(), strict=True)),
        "not_asked": {k: list(v) for k, v in not_asked(people.cycles).items()} if default else {},
        "foods": foods.counts,
        "most_questions_a_food": dict(zip(LEVELS, how.per_food, strict=True)),
        "most_questions_a_person": how.per_person if default else None,
        "drawn": "by survey weight" if how.weighted else "alike",
        "remarks": [*people.notes, *foods.notes],
    }


def _add_files(
    out: Path, questions: list[AlternativesQuestion], card: dict[str, Any]
) -> dict[str, Any]:
    """Write the fourth task, one JSON object a line, and name all files on the card."""
    lines = "".join(json.dumps(q.to_dict(), ensure_ascii=False) + "\n" for q in questions)
    (out / ALTERNATIVES).write_bytes(lines.encode())
    card["counts"]["alternatives"] = len(questions)
    for name in (ALTERNATIVES, RESPONDENTS):
        card["files"][name] = file_entry(out / name)
    return _write_card(out, card)


def _write_card(out: Path, card: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (out / CARD).write_text(text, encoding="utf-8")
    return card


def _add_graph(out: Path, profiles: Profiles, foods: Foods, card: dict[str, Any]) -> dict[str, Any]:
    """Write the graph of everything beside the questions and name it on the card."""
    merged = build_merged(profiles, foods.facts, measures=graph_measures(profiles))
    for path in save_graph(merged, out / GRAPH):
        card["files"][f"{GRAPH}/{path.name}"] = file_entry(path)
    card["merged_graph"] = {
        "folder": GRAPH,
        "nodes": len(merged.key),
        "edges": len(merged.source),
        "content_hash": merged.content_hash,
    }
    return _write_card(out, card)
