"""A facts table as the retriever of ``rag`` and ``rag_cot``: ``facts:FOLDER``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prandial.answer.encoder import encoder_id
from prandial.answer.methods import Embed
from prandial.compose.facts import fact_text
from prandial.compose.index import FactIndex, How, open_index

__all__ = ["FACTS", "FactsRetriever", "facts_retriever"]

#: begins the name of a retriever that is a folder of facts
FACTS: Final = "facts:"
#: foods looked at beyond those wanted, since some lack the nutrient
_SPARE: Final = 10


class FactsRetriever:
    """Facts about foods as texts; called as :data:`prandial.answer.methods.Retriever`.

    Parameters
    ----------
    index : FactIndex
    nutrient : str
        House name.
    servings : int
        Most household measures of a fact.
    how : {'auto', 'lexical', 'vector', 'fused'}
    """

    def __init__(
        self,
        index: FactIndex,
        *,
        nutrient: str = "carb_g",
        servings: int = 4,
        how: How = "auto",
    ) -> None:
        self.index = index
        self.nutrient = nutrient
        self.servings = servings
        self.how = how

    @property
    def id(self) -> str:
        """What answers, for the record of a run."""
        return f"{self.index.id}, {self.index.way(self.how)}"

    def __call__(self, food: str, k: int) -> Sequence[str]:
        """Return at most ``k`` facts about a food in words, best first."""
        found = self.index.retrieve(food, k + _SPARE, how=self.how)
        texts = (
            fact_text(
                f.food, self.nutrient, form=self.index.form, servings=self.servings, said=food
            )
            for f in found
        )
        return [text for text in texts if text is not None][:k]

    def about(self, nutrient: str, servings: int) -> FactsRetriever:
        """Return the same retriever for another nutrient and number of servings."""
        return FactsRetriever(self.index, nutrient=nutrient, servings=servings, how=self.how)


def facts_retriever(
    folder: Path | str, *, embed: Embed | None = None, how: How = "auto"
) -> FactsRetriever:
    """Open a folder of facts as a retriever.

    Parameters
    ----------
    folder : Path or str
        As :func:`prandial.compose.index.build_index` left it.
    embed : callable, optional
        The encoder that made its vectors; words alone without it.
    how : {'auto', 'lexical', 'vector', 'fused'}

    Raises
    ------
    MissingDataError, ChecksumError, SchemaError, InputError
        As :func:`prandial.compose.index.open_index`.
    """
    encoder = encoder_id(embed) if embed is not None else ""
    return FactsRetriever(open_index(folder, embed=embed, encoder=encoder), how=how)
