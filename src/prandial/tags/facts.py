"""Facts of foods for questions: names, category, ingredients, amounts and tags in one record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.records import FoodFacts, FoodMeans, FoodTexts
from prandial.records.people import RuleSet
from prandial.tables.rules import NUTRIENT_ORDER
from prandial.tags.foods import food_tags
from prandial.tags.thresholds import Basis

__all__ = ["food_facts"]


def _serving(
    means: FoodMeans, serving_g: npt.NDArray[np.float64] | None, rows: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64] | None:
    if serving_g is None:
        return None
    if np.shape(serving_g) != (len(means),):
        raise InputError(
            f"{np.size(serving_g)} serving weights for {len(means)} foods",
            where="serving_g",
            hint="one weight a row of the amounts",
        )
    return np.asarray(serving_g, dtype=np.float64)[rows]


def food_facts(
    texts: FoodTexts,
    means: FoodMeans,
    *,
    rules: RuleSet = "default",
    basis: Basis = "per_100g",
    serving_g: npt.NDArray[np.float64] | None = None,
) -> tuple[FoodFacts, ...]:
    """Join what foods are called with what they hold.

    Parameters
    ----------
    texts : FoodTexts
    means : FoodMeans
        Recall means for ``as-published``, a composition table for ``default``.
    rules : {'default', 'as-published'}
    basis : {'per_100g', 'per_serving', 'per_100kcal'}
        What the tags are told for.
    serving_g : ndarray of float64, optional
        Grams of a serving by row of ``means``.

    Returns
    -------
    tuple of FoodFacts
        One a food that both know, sorted by code. ``tags`` hold all 16 nutrients;
        ``per_100g`` keeps NaN where an amount is unknown, under both rule sets.
    """
    _, in_texts, in_means = np.intersect1d(
        texts.code, means.code, assume_unique=True, return_indices=True
    )
    columns = {n: v[in_means] for n, v in means.per_100g.items()}
    tags = food_tags(
        columns, basis=basis, rules=rules, serving_g=_serving(means, serving_g, in_means)
    )
    held, unknown = tags.holding(), tags.unknown()
    nan = np.full(len(in_means), np.nan)
    amounts = [columns.get(n, nan).tolist() for n in NUTRIENT_ORDER]
    return tuple(
        FoodFacts(
            code=int(texts.code[t]),
            name=texts.name[t],
            category=texts.category[t],
            ingredients=texts.ingredients[t],
            tags=held[row],
            unknown=unknown[row],
            per_100g=dict(zip(NUTRIENT_ORDER, values, strict=True)),
        )
        for row, (t, values) in enumerate(
            zip(in_texts.tolist(), zip(*amounts, strict=True), strict=True)
        )
    )
