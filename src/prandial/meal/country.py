"""What a country's everyday words mean: staples, and dry or cooked weights.

Without a country, and for the United States, whose tables are the built-in
ones, nothing here has an effect.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prandial.meal.reading import CONTENT, FILLER, SIZE, UNIT, Reading
from prandial.meal.tokens import stem
from prandial.tables.staples import EVERY, Staple, Weighing, load_staples, load_weighing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from prandial.records import MealItem
    from prandial.tables import FoodTable

__all__ = ["CountryBook", "Found", "country_note"]

#: the built-in tables are this country's own
_HOME: Final = "USA"
_BY_HABIT: Final = "by dry weight"
_RAW: Final = frozenset(("raw", "dry", "dried", "uncooked"))
_COOKED: Final = frozenset(("cooked", "boiled", "steamed", "stewed", "simmered"))
_SAID: Final = frozenset((CONTENT, FILLER, UNIT, SIZE))
_STATES: Final = {"dry": "raw or dry", "cooked": "cooked", "eaten": "as eaten"}
_WEIGHT: Final = "weight"
#: words on the way a plain food was handled, which do not make it another food
_MANNER: Final = frozenset(
    (
        *_RAW,
        *_COOKED,
        *"plain white fresh local whole grain ripe mature regular unsalted salted salt water added"
        " cooking boiling cook boil rinsed soaked drained washed peeled mixed side portion serving"
        " common polished milled heat treatment husk processed".split(),
    )
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A staple whose food the table has, with its words ready to compare."""

    staple: Staple
    food: int
    needs: tuple[frozenset[str], ...]
    bars: frozenset[str]
    allows: frozenset[str]
    open: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A staple found in a span: its food, what it weighs, and the words it explains."""

    food: int
    factor: float
    words: frozenset[str]
    step: str


class CountryBook:
    """Staples and weighing habits of countries, for one food table.

    Parameters
    ----------
    table : FoodTable
        A row whose food the table lacks is left out; see :attr:`skipped`.

    Attributes
    ----------
    skipped : tuple of Staple
        Rows left out, for example because the release has no such food code.
    """

    def __init__(self, table: FoodTable) -> None:
        self._table = table
        self._entries: dict[str, dict[str, list[_Entry]]] | None = None
        self._skipped: list[Staple] = []

    @property
    def skipped(self) -> tuple[Staple, ...]:
        """Rows left out because the table lacks their food."""
        self._read()
        return tuple(self._skipped)

    def _read(self) -> dict[str, dict[str, list[_Entry]]]:
        """Country -> a word that must be said -> entries (made when first asked for)."""
        if self._entries is not None:
            return self._entries
        row_of = {
            (t, i): r
            for r, (t, i) in enumerate(zip(self._table.table_of, self._table.ids, strict=True))
        }
        entries: dict[str, dict[str, list[_Entry]]] = {}
        for staple in load_staples():
            food = row_of.get((staple.table, staple.food_id))
            if food is None:
                self._skipped.append(staple)
                continue
            entry = _entry(staple, food)
            for country in staple.country.split("|"):
                by_word = entries.setdefault(country, {})
                for word in sorted(entry.needs[0]):
                    by_word.setdefault(word, []).append(entry)
        self._entries = entries
        return entries

    def find(
        self, reading: Reading, start: int, end: int, negated: Collection[str], *, weighed: bool
    ) -> Found | None:
        """Find the staple that the words of tokens ``[start, end)`` name.

        Parameters
        ----------
        reading : Reading
            With its country.
        start, end : int
            Token positions.
        negated : collection of str
            Words that the text rules out.
        weighed : bool
            A weight is stated; habits of weighing have no say in cups and pieces.

        Returns
        -------
        Found or None
            The most telling row: the one with most words, then the country's own
            before every country's, then the first.
        """
        country = reading.country
        if not country or country == _HOME:
            return None
        words, content = _said_words(reading, start, end, negated)
        entries = self._read()
        best: _Entry | None = None
        best_key = (-1, -1, 0)
        habit: Weighing | None = None
        for place in (EVERY, country):
            by_word = entries.get(place)
            if by_word is None:
                continue
            for word in words & by_word.keys():
                for entry in by_word[word]:
                    key = (len(entry.needs), int(place != EVERY), -entry.staple.line)
                    if key <= best_key or not _fits(entry, words, content):
                        continue
                    weighing = _habit(country, entry.staple.group) if weighed else None
                    if entry.staple.state == _wanted(entry.staple, weighing, words):
                        best, best_key, habit = entry, key, weighing
        return None if best is None else self._found(best, country, words, habit)

    def _found(
        self, entry: _Entry, country: str, words: AbstractSet[str], habit: Weighing | None
    ) -> Found:
        staple = entry.staple
        used = frozenset().union(*entry.needs) & words
        name = self._table.names[entry.food]
        telling = " ".join(sorted(used))
        step = (
            f"country {country}: '{telling}' taken as {name}"
            f" ({_STATES[staple.state]}; staples.csv line {staple.line}: {staple.why})"
        )
        if habit is not None and habit.country != EVERY and habit.state == "dry":
            step += f"; {_BY_HABIT}: {habit.why}"
        if staple.factor != 1.0:
            step += f"; 1 g as said = {staple.factor:g} g of it"
        explained = used | (words & (_MANNER | entry.allows))
        return Found(entry.food, staple.factor, explained, step)


def _entry(staple: Staple, food: int) -> _Entry:
    needs: list[frozenset[str]] = []
    bars: set[str] = set()
    allows: set[str] = set()
    free = False
    for part in staple.words.split():
        if part == "*":
            free = True
        elif part[0] == "-":
            bars.add(stem(part[1:]))
        elif part[0] == "+":
            allows.add(stem(part[1:]))
        else:
            needs.append(frozenset(stem(word) for word in part.split("|")))
    return _Entry(staple, food, tuple(needs), frozenset(bars), frozenset(allows), free)


def _fits(entry: _Entry, words: AbstractSet[str], content: AbstractSet[str]) -> bool:
    """Tell whether a span says all words of a row and nothing that makes it another food."""
    if not all(need & words for need in entry.needs) or entry.bars & words:
        return False
    if entry.open:
        return True
    rest = content - _MANNER - entry.allows
    return rest <= frozenset().union(*entry.needs)


def _wanted(staple: Staple, habit: Weighing | None, words: AbstractSet[str]) -> str:
    """Return the state in which a staple is weighed here."""
    if staple.state == "eaten":
        return "eaten"
    raw, cooked = bool(words & _RAW), bool(words & _COOKED)
    said = "cooked" if cooked else "dry" if raw else ""
    if said and _WEIGHT in words:
        return said  # "cooked weight" is plain enough for any country
    if habit is not None and (habit.over == "always" or not said):
        return habit.state
    return said or "cooked"


def _said_words(
    reading: Reading, start: int, end: int, negated: Collection[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of tokens ``[start, end)``, and those that name food, as stems."""
    words: list[str] = []
    content: list[str] = []
    for token, cls in zip(reading.tokens[start:end], reading.classes[start:end], strict=True):
        if token.kind == "word" and cls in _SAID and token.stem not in negated:
            words.append(token.stem)
            if cls == CONTENT:
                content.append(token.stem)
    return frozenset(words), frozenset(content)


def country_note(country: str, items: Sequence[MealItem]) -> str:
    """Say whose values an estimate for a country uses."""
    mark = f"country {country}: "
    steps = [step for item in items for step in item.steps if step.startswith(mark)]
    note = f"{mark}values are from USDA tables, not that country's own"
    if steps:
        note += f"; foods of {len(steps)} of {len(items)} items by its table of staples"
    dry = [i.text for i in items for s in i.steps if s.startswith(mark) and _BY_HABIT in s]
    if dry:
        note += "; grams read as dry weight, as its survey gives them: " + ", ".join(dry)
    return note


def _habit(country: str, group: str) -> Weighing | None:
    habits = load_weighing()
    return habits.get((country, group)) or habits.get((EVERY, group))
