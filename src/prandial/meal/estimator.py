"""The estimator: a text in, an estimate out. Pure; never raises for odd text."""

from __future__ import annotations

import gc
import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from prandial.errors import InputError
from prandial.meal.accounted import (
    NO_DOSE,
    NOT_UNDERSTOOD,
    as_total,
    explained_share,
    first_word,
    list_like,
    parts_of,
    too_vague,
    trimmed,
    words_of,
)
from prandial.meal.company import in_company
from prandial.meal.country import country_note
from prandial.meal.index import FoodIndex
from prandial.meal.items import UNUSED, ItemMaker, Made, unmatched_item
from prandial.meal.lexicon import load_lexicon
from prandial.meal.match import Matcher
from prandial.meal.measures import MeasureBook
from prandial.meal.question import is_wide, plain_reason, question_of
from prandial.meal.reading import (
    CONTENT,
    Reading,
    read_text,
)
from prandial.meal.segment import Segment, is_metric, is_terse, segment
from prandial.meal.spread import bands_of, meal_draws
from prandial.meal.talk import names_food, talk
from prandial.meal.weights import Weights
from prandial.nutrients import MAIN
from prandial.records import Band, Estimate, EstimateStatus, Food, MealItem
from prandial.tables import DEFAULT_RELEASE, FoodTable, load_foods, read_company

if TYPE_CHECKING:
    from pathlib import Path

    from prandial.meal.trained import Trained

__all__ = [
    "DEFAULT_NUTRIENTS",
    "ESTIMATOR",
    "MAX_TEXT_CHARS",
    "Estimator",
    "Explanation",
    "get_estimator",
]


#: longest text that is read; a longer one is refused with a note
MAX_TEXT_CHARS: Final = 60_000
ESTIMATOR: Final = "prandial-words-0.1 (untrained)"
DEFAULT_NUTRIENTS: Final = (*MAIN, "fiber_g", "sugars_g", "saturated_fat_g", "sodium_mg")
#: share of the words a food must explain to be taken after all
_SURE: Final = 0.9


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """An estimate with the steps that led to it, and the parts of the text.

    ``parts`` are ``(start, end, role, item's number or -1)`` of all characters.
    """

    estimate: Estimate
    lines: tuple[str, ...]
    parts: tuple[tuple[int, int, str, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "estimate": self.estimate.to_dict(),
            "lines": list(self.lines),
            "parts": [
                {"start": s, "end": e, "role": r, "item": i if i >= 0 else None}
                for s, e, r, i in self.parts
            ],
        }


class Estimator:
    """Estimates meals with one food table.

    Parameters
    ----------
    table : FoodTable
    weights : Weights, optional
        Constants of the ranking.
    trained : Trained, optional
        A ranking learned from labelled meals.
    """

    def __init__(
        self,
        table: FoodTable,
        weights: Weights | None = None,
        *,
        trained: Trained | None = None,
    ) -> None:
        self.lexicon = load_lexicon()
        constants = weights or Weights()
        documents = None
        self.name = ESTIMATOR
        if trained is not None:
            from prandial.meal.trained import ESTIMATOR_STEM, documents_with, table_with

            own, table = table, table_with(table, trained.foods)
            documents = documents_with(own, table, constants)
            self.name = f"{ESTIMATOR_STEM} ({trained.label})"
        self.table = table
        index = FoodIndex(table, constants, documents)
        book = MeasureBook(
            table, self.lexicon, row_prior=constants.row_prior, row_miss=constants.row_miss
        )
        self.matcher = Matcher(index, book, self.lexicon)
        if trained is not None:
            from prandial.meal.trained import TrainedRanker

            self.matcher.trained = TrainedRanker(trained, self.matcher)
        self.maker = ItemMaker(table, self.matcher)
        #: a learned ranking keeps the country of the meal being read
        self._alone: AbstractContextManager[Any] = nullcontext() if trained is None else Lock()
        self.company = read_company(table.release) if constants.company else None
        self._company_weight = constants.company
        self._columns = {k: i for i, k in enumerate(table.nutrient_keys)}

    def estimate(
        self,
        text: str,
        *,
        locale: str = "en-US",
        nutrients: Sequence[str] | None = None,
        country: str | None = None,
        ask: bool = False,
        answers: Sequence[int | None] = (),
        reason: bool = True,
    ) -> Estimate:
        """Estimate a meal.

        Parameters
        ----------
        text : str
            A meal in everyday words.
        locale : str
            Decides thousands and decimal marks.
        nutrients : sequence of str, optional
            House names; the four main ones and a few more when None.
        country : str, optional
            ISO 3166 alpha-3 code; staples and dry weights are read as that country's.
        ask : bool
            Also return the question that would narrow the range most.
        answers : sequence of int or None
            Numbers of the choices taken, from 0, of the questions in the order they
            were asked; None for "not known". Equal texts give equal questions.
        reason : bool
            Say why a range is wide, and give items bands of their own.

        Returns
        -------
        Estimate

        Raises
        ------
        InputError
            When an answer is not the number of a choice, or nothing was asked.
        """
        with self._alone:
            return self._run(
                text, locale, nutrients, country, ask=ask, answers=answers, reason=reason
            )[0]

    def explain(
        self,
        text: str,
        *,
        locale: str = "en-US",
        nutrients: Sequence[str] | None = None,
        country: str | None = None,
    ) -> Explanation:
        """Estimate a meal and tell every step."""
        from prandial.meal.explain import explanation_lines

        with self._alone:
            estimate, reading = self._run(text, locale, nutrients, country)
        parts = parts_of(text, reading, estimate.items)
        return Explanation(
            estimate=estimate,
            lines=explanation_lines(estimate, reading, parts),
            parts=parts,
        )

    def search(self, query: str, limit: int = 10) -> list[tuple[Food, float]]:
        """Foods whose names fit some words, best first, with their score."""
        reading = read_text(query, self.lexicon, locale="en-US")
        q = self.matcher.query(reading, 0, len(reading.tokens))
        words = (q.terms, q.implied, q.negated, q.head, q.implied_heads, q.pairs)
        found = self.matcher.index.ranked(*words, k=limit, margin=30.0)
        return [(self.maker.food(food), s) for food, _, s in found]

    def _run(
        self,
        text: str,
        locale: str,
        nutrients: Sequence[str] | None,
        country: str | None,
        *,
        ask: bool = False,
        answers: Sequence[int | None] = (),
        reason: bool = True,
    ) -> tuple[Estimate, Reading | None]:
        wanted = tuple(nutrients) if nutrients is not None else DEFAULT_NUTRIENTS
        if len(text) > MAX_TEXT_CHARS:
            note = f"text of {len(text)} characters not read: the limit is {MAX_TEXT_CHARS}"
            return self._estimate(text, (), wanted, [note], "refused"), None
        if self.matcher.trained is not None:
            self.matcher.trained.country = country or ""
        reading = read_text(text, self.lexicon, locale=locale, country=country or "")
        columns = tuple(self._columns[k] for k in wanted)
        notes: list[str] = []
        abroad = country is not None and country != "USA"
        made = self._made(reading, columns, notes, abroad=abroad)
        counts = "carb_g" if "carb_g" in wanted else wanted[0]
        settled = self._answered(made, columns, counts, answers)
        sure = math.prod(m.sure for m in made if m.draws is not None)
        serving = "abroad" if abroad else "weighed" if is_metric(reading) else "household"
        tails = self.maker.constants.tails_for(serving, sure)
        around = (tails[0], tails[0]) if reason else None
        items = [self.maker.with_bands(m, around) for m in made]
        notes += [f"not food, not obeyed: '{text[s:e].strip()}'" for s, e in reading.instruction]
        for item in items:
            notes += [n for n in item.steps if n.startswith(("'", "spelling"))]
            notes += [f"'{item.text}': {n}" for n in item.steps if n.startswith(UNUSED)]
        if reading.dose_question:
            notes = [*notes, NO_DOSE] if items else [NO_DOSE]
        if abroad and country is not None:
            notes.append(country_note(country, items))
        status: EstimateStatus
        if not items:
            status = (
                "refused" if reading.dose_question or reading.instruction else "nothing_to_estimate"
            )
            notes.append("nothing to estimate: no food found in the text")
        else:
            whole = all(i.status in ("matched", "estimated") for i in items)
            whole = whole and not any(n.startswith(NOT_UNDERSTOOD) for n in notes)
            status = "ok" if whole else "incomplete"
        totals = self._totals(items, made, wanted, tails)
        pair = totals[counts]
        wide = reason and pair is not None and is_wide(pair[0].low, pair[0].mid, pair[0].high)
        sought = pair is not None and (ask or wide)
        asked = question_of(self.table, made, counts, settled) if sought else None
        estimate = self._estimate(text, tuple(items), wanted, notes, status, totals, sure)
        if wide:
            why = plain_reason(made, counts) if asked is None else asked.ask.text
            estimate = replace(estimate, because=why)
        if asked is not None and ask:
            estimate = replace(estimate, ask=asked.ask)
        return estimate, reading

    def _made(
        self, reading: Reading, columns: tuple[int, ...], notes: list[str], *, abroad: bool
    ) -> list[Made]:
        """Make the items of a text, in order."""
        made: list[Made] = []
        segments = segment(reading, self.matcher)
        if self.company is not None and self.matcher.trained is None:
            segments = in_company(segments, self.company, self.table, self._company_weight)
        starts = [s.first for s in segments if s.match is not None]
        firsts = {s.first: s for s in segments}
        other = talk(reading, segments, self.matcher)
        for k, seg in enumerate(segments):
            if k in other and seg.match is not None:
                notes.append(f"not read as food: '{words_of(reading, seg)}'")
                continue
            at = bisect_left(starts, seg.last)
            until = len(reading.tokens)
            if at < len(starts):
                until = first_word(reading, firsts[starts[at]])
            one = self._item(reading, seg, columns, until, notes, abroad=abroad, in_talk=k in other)
            if one is not None:
                made.append(one)
        return made

    def _answered(
        self,
        made: list[Made],
        columns: tuple[int, ...],
        nutrient: str,
        answers: Sequence[int | None],
    ) -> list[tuple[int, str]]:
        """Apply answers to the items, one question at a time; return what was asked."""
        settled: list[tuple[int, str]] = []
        for number, answer in enumerate(answers, start=1):
            asked = question_of(self.table, made, nutrient, settled)
            if asked is None:
                raise InputError(
                    f"answer {number} has no question",
                    where="answers",
                    hint=f"only {number - 1} questions are asked about this text",
                )
            question = asked.ask
            settled.append((question.item, question.kind))
            if answer is None:
                continue
            if not 0 <= answer < len(question.choices):
                raise InputError(
                    f"answer {number} is none of the choices",
                    where="answers",
                    hint=f"{len(question.choices)} choices: {question.text}",
                )
            made[question.item] = self.maker.narrowed(
                made[question.item],
                asked.left[answer],
                columns,
                question.choices[answer].label,
            )
        return settled

    def _item(
        self,
        reading: Reading,
        seg: Segment,
        columns: tuple[int, ...],
        until: int,
        notes: list[str],
        *,
        abroad: bool,
        in_talk: bool,
    ) -> Made | None:
        atoms = reading.atoms[seg.first : seg.last]
        start, end = trimmed(reading, atoms[0].start, atoms[-1].end)
        if start >= end:
            return None
        tokens = reading.tokens
        span = (tokens[start].start, tokens[end - 1].end)
        text = reading.text[span[0] : span[1]]
        stated = [(n, v) for at, _, n, v in reading.stated if atoms[0].start <= at < until]
        if seg.match is not None:
            if too_vague(seg.match, self.matcher):
                q = seg.match.query
                return unmatched_item(
                    text, span, f"no food fits; unknown: {', '.join(q.unknown) or q.head}"
                )
            unknown = seg.match.query.unknown
            heads = self.matcher.index.heads
            lost = [word for word in self.matcher.unused_words(seg.match) if word in heads]
            if len(unknown) > 1 and 2 * len(unknown) >= len(seg.match.query.content):
                lost += unknown
            if lost:
                notes.append(f"{NOT_UNDERSTOOD} in '{text}': {', '.join(lost)}")
            stated = as_total(reading, stated, text, notes)
            return self.maker.make(reading, span, seg.match, columns, stated, abroad=abroad)
        content = [k for k in range(start, end) if reading.classes[k] == CONTENT]
        if not content:
            if any(m.numbered for a in atoms for m in a.marks):
                notes.append(f"amount without a food: '{text}'")
            return None
        marked = any(
            m.numbered or m.unit is not None or not m.number.explicit
            for a in atoms
            for m in a.marks
        )
        if atoms[0].negated:
            notes.append(f"left out, as the text says: '{text}'")
            return None
        if marked or list_like(reading, atoms[0].start, start, end):
            late = self.matcher.match(reading, atoms)
            weighed = is_metric(reading) and not is_terse(reading)
            counted = any(m.numbered for a in atoms for m in a.marks)
            if (
                late is not None
                and self.matcher.trained is None
                and explained_share(late, self.matcher) > _SURE
                and (counted or not weighed)
                and (not in_talk or names_food(late, self.matcher))
            ):
                return self.maker.make(reading, span, late, columns, stated, abroad=abroad)
            return unmatched_item(text, span, "no food of the table fits these words")
        notes.append(f"not read as food: '{text}'")
        return None

    def _totals(
        self,
        items: Sequence[MealItem],
        made: Sequence[Made],
        wanted: Sequence[str],
        tails: tuple[float, float],
    ) -> dict[str, tuple[Band, Band] | None]:
        """Return the 90 % and the 50 % band of each nutrient, None where it is unknown."""
        ordered = sorted((m for m in made if m.draws is not None), key=Made.place)
        known = [i for i in items if i.portion is not None]
        out: dict[str, tuple[Band, Band] | None] = dict.fromkeys(wanted)
        rows, mids, names = [], [], []
        for k, name in enumerate(wanted):
            bands = [b for i in known if (b := i.nutrients.get(name)) is not None]
            if known and len(bands) == len(known):
                rows.append(1 + k)
                mids.append(math.fsum(b.mid for b in bands))
                names.append(name)
        if rows:
            total = meal_draws([m.draws[rows] for m in ordered if m.draws is not None])
            rising = np.sort(total, axis=1)
            for name, wide, near in zip(
                names,
                bands_of(rising, mids, (tails[0], tails[0]), rising=True),
                bands_of(rising, mids, (tails[1], tails[1]), rising=True),
                strict=True,
            ):
                out[name] = (wide, near)
        return out

    def _estimate(
        self,
        text: str,
        items: tuple[MealItem, ...],
        wanted: tuple[str, ...],
        notes: list[str],
        status: EstimateStatus,
        totals: Mapping[str, tuple[Band, Band] | None] | None = None,
        sure: float | None = None,
    ) -> Estimate:
        pairs = totals or dict.fromkeys(wanted)
        known = [i for i in items if i.portion is not None]
        for name, pair in pairs.items():
            if pair is None and known:
                lacking = [i.text for i in known if i.nutrients.get(name) is None]
                notes.append(f"{name} unknown for: " + ", ".join(lacking))
        for item in items:
            if item.status == "unmatched":
                notes.append(f"not in the total: '{item.text}' (no food found)")
            elif item.status == "amount_unknown":
                notes.append(f"not in the total: '{item.text}' (amount unknown)")
        return Estimate(
            text=text,
            items=items,
            totals={k: None if p is None else p[0] for k, p in pairs.items()},
            totals_50={k: None if p is None else p[1] for k, p in pairs.items()},
            confidence=sure if known else None,
            complete=status == "ok",
            status=status,
            carbohydrate_definition=self.table.carbohydrate_definition,
            release=self.table.release,
            estimator=self.name,
            notes=tuple(dict.fromkeys(notes)),
        )


@lru_cache(maxsize=4)
def get_estimator(
    release: str = DEFAULT_RELEASE,
    *,
    user_tables: tuple[Path, ...] = (),
    trained: Path | None = None,
) -> Estimator:
    """Return the estimator of a release (kept).

    Parameters
    ----------
    release : str
        Food table release.
    user_tables : tuple of Path
        Compiled user tables to search as well.
    trained : Path, optional
        File of a learned ranking.

    Returns
    -------
    Estimator
    """
    table = load_foods(release, user_tables=user_tables)
    learned: Trained | None = None
    if trained is not None:
        from prandial.meal.trained import load_trained

        learned = load_trained(trained)
    running = gc.isenabled()
    gc.disable()  # many small objects are made and all are kept
    try:
        return Estimator(table, trained=learned)
    finally:
        if running:
            gc.enable()
