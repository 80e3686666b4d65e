"""Facts about foods as text, and retrievers that find them in the built-in tables.

A fact is one food: its servings and 100 g, each as "SERVING has AMOUNT NUTRIENT"
(NutriBench, arXiv 2407.12843, appendix D). The paper found that facts for 100 g alone do
not help where servings are natural; these name the natural servings first.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from prandial.answer.methods import Embed, Retriever
from prandial.errors import InputError
from prandial.meal import get_estimator
from prandial.nutrients import LABELS, unit_of
from prandial.tables import DEFAULT_RELEASE, load_foods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prandial.records import Food

__all__ = [
    "amount_text",
    "embedded_rows",
    "embedding_retriever",
    "fact_of",
    "lexical_retriever",
    "name_vectors",
]

#: measures that tell a survey's usual amount, and one that is none
_USUAL: Final = "quantity not specified"
_GUIDELINE: Final = "guideline"
_OUNCE: Final = re.compile(r"1 fl oz( \(no ice\))?")
#: foods looked at for each one wanted, since some lack the nutrient
_SPARE: Final = 10
_WORDS: Final = {"carb_g": "carbohydrates"}


def amount_text(value: float, nutrient: str) -> str:
    """Return an amount in words, such as ``27.3 g carbohydrates``.

    Parameters
    ----------
    value : float
        In the nutrient's unit.
    nutrient : str
        House name.
    """
    word = _WORDS.get(nutrient) or LABELS.get(nutrient) or nutrient.rsplit("_", 1)[0]
    return f"{round(value, 1):.10g} {unit_of(nutrient)} {word.replace('_', ' ')}"


def fact_of(food: Food, nutrient: str, *, servings: int = 6) -> str | None:
    """Return one food's fact.

    Parameters
    ----------
    food : Food
    nutrient : str
        House name.
    servings : int
        Most household measures to name; 100 g is always named.

    Returns
    -------
    str or None
        None when the table does not know the nutrient of this food.
    """
    per_100g = food.per_100g.get(nutrient, math.nan)
    if math.isnan(per_100g):
        return None
    parts = [
        f"{name} ({round(grams, 1):g} g) has {amount_text(per_100g * grams / 100.0, nutrient)}"
        for name, grams in _servings(food)[:servings]
    ]
    parts.append(f"100 g has {amount_text(per_100g, nutrient)}")
    return f"{food.name}: " + "; ".join(parts)


def _servings(food: Food) -> list[tuple[str, float]]:
    """Return the servings of a food, the usual one first, each weight once.

    A drink whose table counts in fluid ounces gets the cup of 8.
    """
    names: dict[float, str] = {}
    usual: list[tuple[str, float]] = []
    ounce = 0.0
    for measure in food.measures:
        low = measure.name.lower()
        if low.startswith(_USUAL):
            usual = [("a usual serving", measure.grams)]
        elif not low.startswith(_GUIDELINE):
            names.setdefault(measure.grams, measure.name)
            ounce = measure.grams if not ounce and _OUNCE.fullmatch(low) else ounce
    listed = [(name, grams) for grams, name in names.items()]
    if ounce and not any(name.lower().startswith("1 cup") for name, _ in listed):
        listed.insert(0, ("1 cup of 8 fl oz", 8.0 * ounce))
    return usual + listed


def lexical_retriever(
    nutrient: str, *, release: str = DEFAULT_RELEASE, servings: int = 6
) -> Retriever:
    """Return a retriever that finds foods by the words of their names.

    It asks the estimator's own index, which knows synonyms, spelling and how often foods
    are eaten; amounts in the query have no say.

    Parameters
    ----------
    nutrient : str
        House name; foods whose amount is not known are passed over.
    release : str
        Food table.
    servings : int
        As :func:`fact_of`.

    Returns
    -------
    Retriever
    """
    estimator = get_estimator(release)

    def look_up(food: str, k: int) -> Sequence[str]:
        found = (f for f, _ in estimator.search(food, k + _SPARE))
        facts = (fact_of(f, nutrient, servings=servings) for f in found)
        return [fact for fact in facts if fact is not None][:k]

    return look_up


@lru_cache(maxsize=4)
def embedded_rows(release: str = DEFAULT_RELEASE) -> tuple[int, ...]:
    """Return the rows of a release whose names are embedded: its FNDDS foods."""
    table = load_foods(release)
    return tuple(row for row, name in enumerate(table.table_of) if name == "fndds")


@lru_cache(maxsize=4)
def name_vectors(embed: Embed, release: str = DEFAULT_RELEASE) -> npt.NDArray[np.float32]:
    """Return the unit vectors of the names of :func:`embedded_rows`.

    Made once a process for each encoder and release (7,083 names take about 10 s with a
    small encoder on one CPU); a caller may keep them on disk and pass them on.

    Parameters
    ----------
    embed : callable
    release : str

    Returns
    -------
    ndarray of float32, shape (foods, size)
    """
    names = load_foods(release).names
    return np.asarray(embed([names[row] for row in embedded_rows(release)]), dtype=np.float32)


def embedding_retriever(
    nutrient: str,
    embed: Embed,
    *,
    release: str = DEFAULT_RELEASE,
    servings: int = 6,
    vectors: npt.NDArray[np.float32] | None = None,
) -> Retriever:
    """Return a retriever that finds foods whose names lie nearest by cosine.

    Parameters
    ----------
    nutrient : str
        House name; foods whose amount is not known are passed over.
    embed : callable
        Texts to unit vectors.
    release : str
        Food table.
    servings : int
        As :func:`fact_of`.
    vectors : ndarray, optional
        Those of :func:`name_vectors`, when kept by the caller.

    Returns
    -------
    Retriever

    Raises
    ------
    InputError
        When the vectors are not one for each name.
    """
    rows = np.array(embedded_rows(release))
    table = load_foods(release)
    column = table.nutrient_keys.index(nutrient)
    names = name_vectors(embed, release) if vectors is None else vectors
    if names.ndim != 2 or len(names) != len(rows):
        raise InputError(
            f"vectors of shape {names.shape} for {len(rows)} food names",
            where="vectors",
            hint="make them with prandial.answer.facts.name_vectors",
        )
    known = ~np.isnan(table.per_100g[rows, column])
    rows, near = rows[known], names[known]

    def look_up(food: str, k: int) -> Sequence[str]:
        cosine = near @ np.asarray(embed([food]), dtype=np.float32)[0]
        best = np.argsort(-cosine, kind="stable")[:k]
        facts = (fact_of(table.food(int(rows[b])), nutrient, servings=servings) for b in best)
        return [fact for fact in facts if fact is not None]

    return look_up
