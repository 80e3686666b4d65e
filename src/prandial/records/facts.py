"""Records of retrieval facts: foods with what is known of their servings, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prandial.records.meals import Measure, Source

__all__ = ["FactForm", "FactKind", "FactsFood", "FoundFact"]

#: ``published`` as NutriBench's Retri-DB (arXiv 2407.12843, appendix D), ``portions`` ours
FactForm = Literal["published", "portions"]
#: values that a table's makers analysed or calculated, or that a maker states on a label
FactKind = Literal["reference", "label"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FactsFood:
    """A food of a facts table: one or more rows of food tables under one name.

    Parameters
    ----------
    number : int
        Place in its facts table, from 0; reference foods come first.
    name : str
    other_names : str
        With ``;`` between them, empty when there are none.
    category : str
    kind : {'reference', 'label'}
    per_100g : mapping of str to float
        ``carb_g`` and, where known, ``protein_g``, ``fat_g``, ``energy_kcal``.
    measures : tuple of Measure
        Household measures, in the order in which they are told.
    sources : tuple of Source
        Rows under this name, the first of which lead.
    fdc_ids : tuple of int
        FoodData Central ids of these rows, where known.
    values : int
        Rows whose carbohydrate entered the value, after those too far off were left out.
    """

    number: int
    name: str
    other_names: str
    category: str
    kind: FactKind
    per_100g: Mapping[str, float]
    measures: tuple[Measure, ...]
    sources: tuple[Source, ...]
    fdc_ids: tuple[int, ...]
    values: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundFact:
    """A food found for a query.

    Parameters
    ----------
    food : FactsFood
    score : float
        Of the way it was found; compare it only within one result.
    lexical_rank, vector_rank : int, optional
        Place from 1 among what words, and what vectors, found; None when not among these.
    """

    food: FactsFood
    score: float
    lexical_rank: int | None = None
    vector_rank: int | None = None
