"""The estimator: a text in, an estimate out. Pure; never raises for odd text."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from prandial.meal.index import FoodIndex
from prandial.meal.items import ItemMaker, unmatched_item
from prandial.meal.lexicon import load_lexicon
from prandial.meal.match import Match, Matcher
from prandial.meal.measures import MeasureBook
from prandial.meal.reading import (
    CONTENT,
    DROPPED,
    FILLER,
    JOIN,
    NUMBER,
    PUNCT,
    SIZE,
    STATED,
    STOP,
    UNIT,
    Reading,
    read_text,
)
from prandial.meal.segment import Segment, is_metric, is_terse, segment
from prandial.meal.spread import total_band
from prandial.meal.weights import Weights
from prandial.nutrients import MAIN
from prandial.records import Band, Estimate, EstimateStatus, Food, MealItem
from prandial.tables import DEFAULT_RELEASE, FoodTable, load_foods

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
_LEAD: Final = frozenset((STOP, FILLER, JOIN, PUNCT, DROPPED, STATED))
#: share of the words a food must explain to be taken after all
_SURE: Final = 0.9
_SOME: Final = frozenset(("some", "the", "my", "more"))
_ARTICLE: Final = frozenset(("a", "an"))
_NOT_UNDERSTOOD: Final = "not understood"
_NO_DOSE: Final = (
    "prandial gives no insulin dose: ask your diabetes team; if you cannot keep food or drink"
    " down, or feel unwell, contact a clinic or emergency service now"
)
_ROLES: Final = {
    STOP: "plain word",
    FILLER: "wording",
    UNIT: "amount",
    SIZE: "amount",
    NUMBER: "amount",
    CONTENT: "food word",
    PUNCT: "punctuation",
    JOIN: "joining word",
    DROPPED: "not food",
    STATED: "stated nutrient",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """An estimate with the steps that led to it, and the parts of the text.

    ``parts`` are ``(start, end, role, item)`` and cover every character of the
    text once; ``item`` is the item's number or -1.
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
        self._columns = {k: i for i, k in enumerate(table.nutrient_keys)}

    def estimate(
        self,
        text: str,
        *,
        locale: str = "en-US",
        nutrients: Sequence[str] | None = None,
        country: str | None = None,
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
            ISO 3166 alpha-3 code; named in the notes.

        Returns
        -------
        Estimate
        """
        return self._run(text, locale, nutrients, country)[0]

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

        estimate, reading = self._run(text, locale, nutrients, country)
        parts = _parts(text, reading, estimate.items)
        return Explanation(
            estimate=estimate,
            lines=explanation_lines(estimate, reading, parts),
            parts=parts,
        )

    def search(self, query: str, limit: int = 10) -> list[tuple[Food, float]]:
        """Foods whose names fit some words, best first, with their score."""
        reading = read_text(query, self.lexicon, locale="en-US")
        q = self.matcher.query(reading, 0, len(reading.tokens))
        scored = self.matcher.index.scores(
            q.terms, q.implied, q.negated, q.head, q.implied_heads, q.pairs
        )
        if scored is None:
            return []
        found = self.matcher.index.top(scored, k=limit, margin=30.0)
        return [(self.maker.food(food), s) for food, _, s in found]

    def _run(
        self, text: str, locale: str, nutrients: Sequence[str] | None, country: str | None
    ) -> tuple[Estimate, Reading | None]:
        wanted = tuple(nutrients) if nutrients is not None else DEFAULT_NUTRIENTS
        if len(text) > MAX_TEXT_CHARS:
            note = f"text of {len(text)} characters not read: the limit is {MAX_TEXT_CHARS}"
            return self._estimate(text, (), wanted, [note], "refused"), None
        if self.matcher.trained is not None:
            self.matcher.trained.country = country or ""
        reading = read_text(text, self.lexicon, locale=locale)
        columns = tuple(self._columns[k] for k in wanted)
        items: list[MealItem] = []
        notes: list[str] = []
        segments = segment(reading, self.matcher)
        foods = [s for s in segments if s.match is not None]
        for seg in segments:
            following = [s for s in foods if s.first >= seg.last]
            until = _first_word(reading, following[0]) if following else len(reading.tokens)
            item = self._item(reading, seg, columns, until, notes)
            if item is not None:
                items.append(item)
        notes += [f"not food, not obeyed: '{text[s:e].strip()}'" for s, e in reading.instruction]
        for item in items:
            notes += [n for n in item.steps if n.startswith(("'", "spelling"))]
            notes += [f"'{item.text}': {n}" for n in item.steps if n.startswith("words not used")]
        if reading.dose_question:
            notes = [*notes, _NO_DOSE] if items else [_NO_DOSE]
        if country is not None and country != "USA":
            notes.append(f"country {country}: values are from USDA tables, not that country's own")
        status: EstimateStatus
        if not items:
            status = (
                "refused" if reading.dose_question or reading.instruction else "nothing_to_estimate"
            )
            notes.append("nothing to estimate: no food found in the text")
        else:
            whole = all(i.status in ("matched", "estimated") for i in items)
            whole = whole and not any(n.startswith(_NOT_UNDERSTOOD) for n in notes)
            status = "ok" if whole else "incomplete"
        return self._estimate(text, tuple(items), wanted, notes, status), reading

    def _item(
        self,
        reading: Reading,
        seg: Segment,
        columns: tuple[int, ...],
        until: int,
        notes: list[str],
    ) -> MealItem | None:
        atoms = reading.atoms[seg.first : seg.last]
        start, end = _trim(reading, atoms[0].start, atoms[-1].end)
        if start >= end:
            return None
        tokens = reading.tokens
        span = (tokens[start].start, tokens[end - 1].end)
        text = reading.text[span[0] : span[1]]
        stated = [(n, v) for at, _, n, v in reading.stated if atoms[0].start <= at < until]
        if seg.match is not None:
            if _too_vague(seg.match, self.matcher):
                q = seg.match.query
                return unmatched_item(
                    text, span, f"no food fits; unknown: {', '.join(q.unknown) or q.head}"
                )
            unknown = seg.match.query.unknown
            lost = [
                word
                for word in self.matcher.unused_words(seg.match)
                if word in self.matcher.index.heads
            ]
            if len(unknown) > 1 and 2 * len(unknown) >= len(seg.match.query.content):
                lost += unknown
            if lost:
                notes.append(f"{_NOT_UNDERSTOOD} in '{text}': {', '.join(lost)}")
            return self.maker.make(
                reading, span, seg.match, columns, _as_total(reading, stated, text, notes)
            )
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
        if marked or _list_like(reading, atoms[0].start, start, end):
            late = self.matcher.match(reading, atoms)
            weighed = is_metric(reading) and not is_terse(reading)
            counted = any(m.numbered for a in atoms for m in a.marks)
            if (
                late is not None
                and self.matcher.trained is None
                and _explained(late, self.matcher) > _SURE
                and (counted or not weighed)
            ):
                return self.maker.make(reading, span, late, columns, stated)
            return unmatched_item(text, span, "no food of the table fits these words")
        notes.append(f"not read as food: '{text}'")
        return None

    def _estimate(
        self,
        text: str,
        items: tuple[MealItem, ...],
        wanted: tuple[str, ...],
        notes: list[str],
        status: EstimateStatus,
    ) -> Estimate:
        totals: dict[str, Band | None] = {}
        known = [i for i in items if i.portion is not None]
        for name in wanted:
            bands = [i.nutrients.get(name) for i in known]
            have = [b for b in bands if b is not None]
            if known and len(have) == len(bands):
                totals[name] = total_band(have)
            else:
                totals[name] = None
                if known:
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
            totals=totals,
            complete=status == "ok",
            status=status,
            carbohydrate_definition=self.table.carbohydrate_definition,
            release=self.table.release,
            estimator=self.name,
            notes=tuple(dict.fromkeys(notes)),
        )


def _as_total(
    reading: Reading, stated: list[tuple[str, float]], text: str, notes: list[str]
) -> list[tuple[str, float]]:
    """Turn an EU label's available carbohydrate into total carbohydrate.

    Labels of the European Union give carbohydrate without fibre (Regulation
    (EU) No 1169/2011, Annex I); total carbohydrate includes it.
    """
    values = dict(stated)
    if "carb_g" not in values or not any(t.text == "eu" for t in reading.tokens):
        return stated
    if "fiber_g" not in values:
        notes.append(f"'{text}': EU label carbohydrate is without fibre, and no fibre is stated")
        return stated
    total = values["carb_g"] + values["fiber_g"]
    notes.append(
        f"'{text}': EU label carbohydrate {values['carb_g']:g} g + fibre {values['fiber_g']:g} g"
        f" = {total:g} g total carbohydrate"
    )
    return [(k, total if k == "carb_g" else v) for k, v in stated]


def _first_word(reading: Reading, seg: Segment) -> int:
    """Return the place where a segment's own words begin."""
    return _trim(reading, reading.atoms[seg.first].start, reading.atoms[seg.last - 1].end)[0]


def _trim(reading: Reading, start: int, end: int) -> tuple[int, int]:
    classes = reading.classes
    while start < end and classes[start] in _LEAD:
        start += 1
    tokens = reading.tokens
    while end > start and (
        classes[end - 1] in _LEAD
        or (classes[end - 1] == NUMBER and tokens[end - 1].text in _ARTICLE)
    ):
        end -= 1
    return start, end


def _too_vague(match: Match, matcher: Matcher) -> bool:
    """Tell whether too little of the words is explained to name a food."""
    return _explained(match, matcher) < (0.6 if match.query.head_unknown else 0.25)


def _explained(match: Match, matcher: Matcher) -> float:
    """Share of the words' weight that the chosen food accounts for."""
    doc = matcher.index.food_terms(match.options[0].food)
    q = match.query
    weight_of = dict(q.terms)
    explained = unexplained = 0.0
    for word in (*dict.fromkeys(q.content), *(fixed for _, fixed in q.corrected)):
        if word in q.unknown:
            unexplained += 3.0 if word == q.head else 1.5
        elif word in doc or not doc.isdisjoint(q.standins.get(word, ())):
            explained += max(weight_of.get(word, 1.0), 1.0)
        else:
            unexplained += 0.5 * weight_of.get(word, 1.0)
    explained += sum(matcher.index.word_weight[t] for t in set(q.implied) if t in doc)
    return explained / max(explained + unexplained, 1e-9)


def _list_like(reading: Reading, lead: int, start: int, end: int) -> bool:
    """Tell whether words stand like an entry of a list."""
    classes = reading.classes
    content = sum(classes[k] == CONTENT for k in range(start, end))
    inside = all(
        classes[k] == CONTENT or reading.tokens[k].text in ("-", "'", "of", "de")
        for k in range(start, end)
    )
    before = all(
        classes[k] in (JOIN, PUNCT) or reading.tokens[k].text in _SOME for k in range(lead, start)
    )
    return content <= 3 and inside and before


def _parts(
    text: str, reading: Reading | None, items: Sequence[MealItem]
) -> tuple[tuple[int, int, str, int], ...]:
    if reading is None:
        return ((0, len(text), "not read", -1),) if text else ()
    parts: list[tuple[int, int, str, int]] = []
    at = 0
    k = 0
    for token, cls in zip(reading.tokens, reading.classes, strict=True):
        if token.start > at:
            parts.append((at, token.start, "space", -1))
        while k < len(items) and items[k].span[1] <= token.start:
            k += 1
        owner = k if k < len(items) and items[k].span[0] <= token.start else -1
        parts.append((token.start, token.end, _ROLES.get(cls, "joining word"), owner))
        at = token.end
    if at < len(text):
        parts.append((at, len(text), "space", -1))
    return tuple(parts)


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
