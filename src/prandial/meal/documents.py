"""Food names as documents: made from a table, or read ready-made.

Each food is one document made of its name and category; a brand in brackets
and each entry of the additional description is a further document for the same
food. Making them takes about a second, so those of the built-in releases ship
as a table (``tools/compile_index.py``); a test compares both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from prandial.meal.names import Terms, brand_of, category_words, read_name, synonyms
from prandial.meal.weights import Weights
from prandial.tables import read_names

if TYPE_CHECKING:
    from prandial.tables import FoodTable

__all__ = ["Documents", "documents_of", "make_documents"]

_CATEGORY_MATCH: Final = 0.9
_SYNONYM_REST: Final = 0.5
_SYNONYM_SHARED: Final = 0.9


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents as columns: one entry a (document, word), documents in order.

    Attributes
    ----------
    terms : list of str
        The words; entries hold their numbers.
    food : ndarray of int64
        Food row of each document; the first documents are the foods' names.
    alt : ndarray of bool
        True for entries of the additional description.
    entry_term, entry_doc : ndarray of int64
    entry_match, entry_miss : ndarray of float64
    head : ndarray of int64
        Number of each food's head noun, or -1.
    counted : int
        The first documents, whose words are counted to weigh them; -1 for all foods.
    """

    terms: list[str]
    food: npt.NDArray[np.int64]
    alt: npt.NDArray[np.bool_]
    entry_term: npt.NDArray[np.int64]
    entry_doc: npt.NDArray[np.int64]
    entry_match: npt.NDArray[np.float64]
    entry_miss: npt.NDArray[np.float64]
    head: npt.NDArray[np.int64]
    counted: int = -1


def documents_of(table: FoodTable, weights: Weights) -> Documents:
    """Return a table's documents, ready-made where they ship."""
    if weights == Weights() and "user" not in table.table_of:
        columns = read_names(table.release)
        if columns is not None and len(columns["head"]) == len(table.ids):
            return Documents(
                columns["terms"],
                columns["food"],
                columns["alt"],
                columns["entry_term"],
                columns["entry_doc"],
                columns["entry_match"],
                columns["entry_miss"],
                columns["head"],
            )
    return make_documents(table, weights)


def make_documents(table: FoodTable, weights: Weights) -> Documents:
    """Make a table's documents from its names.

    Parameters
    ----------
    table : FoodTable
    weights : Weights

    Returns
    -------
    Documents
    """
    maker = _Maker()
    names: list[Terms] = []
    heads: list[int] = []
    for row, name in enumerate(table.names):
        terms, head = read_name(name, weights, usual_raw=table.table_of[row] == "fndds")
        for word in category_words(table.categories[row]):
            terms.setdefault(word, (_CATEGORY_MATCH, 0.0))
        names.append(terms)
        maker.add(row, terms, alt=False)
        heads.append(maker.number[head] if head in terms else -1)
    for row, raw in enumerate(table.alt_names):
        base = names[row]
        brand = brand_of(table.names[row])
        if brand:
            terms, _ = read_name(brand, weights)
            merged = {t: (m, v * weights.brand_rest) for t, (m, v) in base.items()}
            merged.update({t: (1.0, v) for t, (_, v) in terms.items()})
            maker.add(row, merged, alt=False)
        for entry in synonyms(raw):
            terms, _ = read_name(entry, weights)
            if terms:
                merged = {t: (m, v * _SYNONYM_REST) for t, (m, v) in base.items() if t not in terms}
                for t, (m, v) in terms.items():
                    merged[t] = (m, v * _SYNONYM_SHARED if t in base else v)
                maker.add(row, merged, alt=True)
    return maker.finish(heads)


class _Maker:
    """Collects documents as columns."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.food: list[int] = []
        self.alt: list[bool] = []
        self.entries: tuple[list[int], list[int], list[float], list[float]] = ([], [], [], [])

    def add(self, row: int, terms: Terms, *, alt: bool) -> None:
        """Add one document."""
        numbers, documents, matches, misses = self.entries
        number = self.number
        document = len(self.food)
        for term, (match, miss) in terms.items():
            numbers.append(number.setdefault(term, len(number)))
            documents.append(document)
            matches.append(match)
            misses.append(miss)
        self.food.append(row)
        self.alt.append(alt)

    def finish(self, heads: list[int]) -> Documents:
        """Return the columns."""
        numbers, documents, matches, misses = self.entries
        return Documents(
            list(self.number),
            np.array(self.food, dtype=np.int64),
            np.array(self.alt, dtype=np.bool_),
            np.array(numbers, dtype=np.int64),
            np.array(documents, dtype=np.int64),
            np.array(matches),
            np.array(misses),
            np.array(heads, dtype=np.int64),
        )
