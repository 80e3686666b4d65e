"""What a learned ranking looks at: features of foods, measures, spans and left-out words.

A feature is a string such as ``WF|cola|92410310`` (the word "cola" said, that
food chosen). The same functions serve fitting and estimating, so that both see
the same features. Numbers (scores of the untrained ranking) are features with
a value; all others have the value 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from prandial.meal.amounts import Amount, Mark
from prandial.meal.portions import Draft
from prandial.meal.reading import CONTENT, JOIN, PLACE, PUNCT, Atom, Reading

if TYPE_CHECKING:
    from prandial.meal.index import FoodIndex
    from prandial.meal.lexicon import Lexicon
    from prandial.meal.measures import MeasureBook
    from prandial.meal.query import Query
    from prandial.tables import FoodTable

__all__ = ["Bag", "FeatureMaker"]

#: names of features, and values of those that have one
Bag = tuple[list[str], dict[str, float]]
_STRONG: Final = 0.8
_MOST_WORDS: Final = 5
#: where foods part by carbohydrate (g) and energy (kcal) in 100 g
_CARB_STEPS: Final = (1.0, 4.0, 8.0, 14.0, 22.0, 32.0, 45.0, 60.0, 72.0)
_ENERGY_STEPS: Final = (15.0, 60.0, 150.0, 300.0)


class FeatureMaker:
    """Makes the features of a table's foods and measures.

    Parameters
    ----------
    index : FoodIndex
    book : MeasureBook
    lexicon : Lexicon

    Attributes
    ----------
    own : int
        Number of built-in foods; learned ones stand behind.
    support : list of int
        In how many groups of meals each learned food stood.
    artefact : bool
        Look at whether a stated weight equals a listed measure, which is so in
        benchmark texts and not on kitchen scales.
    """

    def __init__(self, index: FoodIndex, book: MeasureBook, lexicon: Lexicon) -> None:
        self.index = index
        self.book = book
        self.table = index.table
        self._sizes = frozenset(
            w for u in lexicon.units.values() if u.kind == "size" for w in u.name.split()
        )
        self._names: dict[int, tuple[str, ...]] = {}
        self._density = _densities(index.table)
        self.own = index.n_foods
        self.support: list[int] = []
        self.artefact = False

    def _name_words(self, food: int) -> tuple[str, ...]:
        found = self._names.get(food)
        if found is None:
            terms = self.index.doc_terms(food)
            found = self._names[food] = tuple(sorted(t for t in terms if "_" not in t))
        return found

    def food(self, q: Query, food: int, score: float, tag: str, country: str) -> Bag:
        """Features of a food for the words of a span.

        Parameters
        ----------
        q : Query
        food : int
        score : float
            Score of the untrained ranking.
        tag : str
            Kind of text: ``m`` metric, ``n`` natural.
        country : str
            Alpha-3 code said by the caller, or an empty string.

        Returns
        -------
        Bag
        """
        table = self.table
        name = table.ids[food]
        category = table.categories[food]
        source = table.table_of[food]
        said = [t for t, _ in q.terms]
        said += ["no:" + n for n in q.negated]
        have = self.index.food_terms(food)
        strong = sorted({t for t, v in q.terms if v > _STRONG})[:_MOST_WORDS]
        out = [f"F|{name}", f"C|{category}", f"S|{source}|{tag}"]
        if source == "fndds":
            out.append(f"K|{name[:4]}")
        for w in said:
            out += (f"WF|{w}|{name}", f"WC|{w}|{category}")
        out += [f"PF|{a} {b}|{name}" for a, b in combinations(strong, 2)]
        out.append(f"SF|{' '.join(sorted(set(said)))}|{name}")
        lost = [w for w in strong if w not in have]
        for w in lost:
            out += (f"L|{w}", f"LC|{w}|{category}")
        known = {*said, *q.implied}
        unsaid = [t for t in self._name_words(food) if t not in known]
        for t in unsaid:
            out += (f"U|{t}", f"UH|{t}|{q.head}")
        kind = tag if source != "trained" else "same" if name[:3] == country else "other"
        values = {
            f"food score {kind}": score,
            f"words lost {kind}": float(len(lost)),
            f"words unsaid {kind}": float(len(unsaid)),
        }
        density = self._density[food]
        for w in strong:
            out.append(f"DW|{w}|{density}")
            if country:
                out.append(f"DC|{w}|{density}|{country}")
        if source == "trained":
            origin, _, learned = name.partition(":")
            out += (f"T|{kind}", f"TC|{country}|{origin}", f"TN|{learned}")
            out += [f"TW|{w}|{learned}" for w in strong]
            values[f"support {kind}"] = math.log(max(self.support[food - self.own], 1))
            if not lost and not unsaid:
                out.append(f"TE|{kind}")
        elif country:
            out += (f"TU|{country}", f"TF|{country}|{name}")
            out += [f"TUL|{w}|{country}" for w in lost]
        return out, values

    def measure(self, q: Query, amount: Amount, draft: Draft, tag: str) -> Bag:
        """Features of a measure of a food, given what was said.

        Parameters
        ----------
        q : Query
        amount : Amount
        draft : Draft
        tag : str

        Returns
        -------
        Bag
        """
        minus, food, place, food_score, unsaid, option = draft
        category = self.table.categories[food]
        name = self.table.ids[food]
        units, count = self._said(q, amount)
        sign = f"{units}/{count}"
        rows = self.book.of(food).rows
        if option is not None or place >= len(rows):
            kind = _kind(amount, option.step if option is not None else "")
            out = [f"V|{kind}|{units}", f"VC|{kind}|{units}|{category}"]
            out.append(f"VF|{kind}|{units}|{name}")
            if self.artefact and kind == "mass" and amount.mass_g is not None:
                out.append(f"GA|{_listed(amount.mass_g[1], [r.grams for r in rows])}")
            return out, {f"measure score {tag}": -minus - food_score}
        row = rows[place]
        label = row.name.lower()
        words = " ".join(sorted(w for w in row.words if not w[0].isdigit()))
        out = [
            f"R|{label}|{name}",
            f"RN|{label}",
            f"A|{sign}|{label}",
            f"AC|{sign}|{label}|{category}",
            f"AF|{sign}|{label}|{name}",
            f"AU|{units}|{words}",
            f"AW|{units}|{words}|{category}",
        ]
        spoken = q.words | set(amount.words) | set(amount.extra)
        for w in sorted(row.words):
            out += (f"RS|{w}",) if w in spoken else (f"RU|{w}", f"RC|{w}|{category}")
        for t, v in q.terms:
            if v > _STRONG:
                out.append(f"WR|{t}|{label}")
        if row.default:
            out.append(f"D|{sign}|{category}")
        return out, {f"measure score {tag}": -minus - food_score, "unsaid": unsaid}

    def _said(self, q: Query, amount: Amount) -> tuple[str, str]:
        sizes = sorted((q.words & self._sizes) - set(amount.words))
        units = " ".join((*sorted(amount.words), *sizes))
        mid = amount.count.mid
        if not amount.said and not amount.singular:
            return units, "0"
        return units, "1" if mid == 1 else "2" if mid > 1 else "<"


def _listed(grams: float, measures: Sequence[float]) -> str:
    """Tell whether grams are a listed measure, or a few of it."""
    for times in (1.0, 2.0, 3.0, 0.5):
        if any(abs(grams - times * m) <= 0.002 * grams + 0.006 for m in measures):
            return f"{times:g}"
    return "no"


def _densities(table: FoodTable) -> list[str]:
    """Say roughly how much carbohydrate and energy each food has by weight."""
    carb = table.per_100g[:, table.nutrient_keys.index("carb_g")]
    energy = table.per_100g[:, table.nutrient_keys.index("energy_kcal")]
    steps = np.searchsorted(_CARB_STEPS, carb), np.searchsorted(_ENERGY_STEPS, energy)
    return [f"{c} {e}" for c, e in zip(*(s.tolist() for s in steps), strict=True)]


def _kind(amount: Amount, step: str) -> str:
    if amount.mass_g is not None:
        return "oz" if step.startswith(("by the food", "ounces")) else "mass"
    if amount.volume_ml is not None:
        return "assumed" if "assumed" in step else "volume"
    if amount.household:
        return "household"
    return "none"


def _lead(reading: Reading, atom: Atom) -> str:
    """Return the joining words that an atom begins with."""
    words = []
    for i in range(atom.start, atom.end):
        if reading.classes[i] not in (JOIN, PUNCT, PLACE):
            break
        words.append(reading.tokens[i].text)
    return " ".join(words[:2])


def _content(reading: Reading, atom: Atom) -> list[str]:
    return [
        reading.tokens[i].stem for i in range(atom.start, atom.end) if reading.classes[i] == CONTENT
    ]


def _amount_tag(marks: Sequence[Mark]) -> str:
    if not marks:
        return "0"
    mark = marks[0]
    if mark.unit is not None:
        return mark.unit.kind[:4] + ("n" if mark.numbered else "")
    return "n" if mark.numbered else "a"


class AtomTags:
    """Tags of a text's atoms, made once for all its spans."""

    def __init__(self, reading: Reading, tag: str) -> None:
        self.reading = reading
        self.tag = tag
        atoms = reading.atoms
        self.leads = [_lead(reading, a) for a in atoms]
        self.words = [_content(reading, a) for a in atoms]
        self.amounts = [_amount_tag(a.marks) for a in atoms]

    def span(self, i: int, j: int, cost: float) -> Bag:
        """Features of taking atoms ``[i, j)`` as one item."""
        tag = self.tag
        out = [
            f"N{tag}|{min(j - i, 4)}",
            f"B{tag}|{self.leads[i]}|{self.amounts[i]}",
            f"E{tag}|{self.leads[j] if j < len(self.leads) else 'end'}",
            f"BN{tag}|{self.amounts[i]}|{len(self.words[i])}" if len(self.words[i]) < 2 else "BN",
        ]
        for k in range(i + 1, j):
            lead, amount, words = self.leads[k], self.amounts[k], self.words[k]
            before = self.words[k - 1]
            out.append(f"J{tag}|{lead}|{amount}|{self.amounts[i]}")
            out.append(f"JN{tag}|{lead}|{min(len(words), 2)}|{min(len(before), 2)}")
            if words:
                out.append(f"JW|{lead}|{words[-1]}")
                out.append(f"JH|{words[-1]}|{amount}")
                if before:
                    out.append(f"JP|{before[-1]}|{words[-1]}")
            elif before:
                out.append(f"JE|{before[-1]}|{amount}")
        return out, {f"span cost {tag}": cost}

    def left_out(self, k: int, cost: float) -> Bag:
        """Features of taking an atom as words that are no item."""
        tag = self.tag
        words = self.words[k]
        last = "e" if k + 1 == len(self.leads) else "b" if k == 0 else "m"
        out = [
            f"Q{tag}|{self.leads[k]}|{self.amounts[k]}",
            f"QN{tag}|{min(len(words), 3)}|{self.amounts[k]}|{last}",
        ]
        out += [f"QW|{w}" for w in words]
        out.append(f"QA|{' '.join(words)}|{self.amounts[k]}")
        return out, {f"left-out cost {tag}": cost}
