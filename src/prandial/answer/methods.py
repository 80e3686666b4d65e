"""What a method is, and what it may use: one contract for ours and for those of third parties."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from prandial.answer.ask import Ask
from prandial.answer.texts import Prompts
from prandial.records.bench import Benchmark, Replied
from prandial.records.quiz import QuestionGraph

__all__ = ["Embed", "FactRetriever", "Kit", "Method", "Retriever", "Textualizer"]

#: texts to unit vectors, float32, one row a text
Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]
#: a food in words and how many -> facts as text, best first ("1 cup, cooked has 27.4 g carb ...")
Retriever = Callable[[str, int], Sequence[str]]
#: a graph to the text that is put before a model
Textualizer = Callable[[QuestionGraph], str]


@runtime_checkable
class FactRetriever(Protocol):
    """A retriever that can tell facts of several nutrients, and what it is."""

    @property
    def id(self) -> str:
        """What answers, for the record of a run."""

    def __call__(self, food: str, k: int, /) -> Sequence[str]:
        """Return facts as a :data:`Retriever` does."""

    def about(self, nutrient: str, servings: int) -> Retriever:
        """Return a retriever of facts of one nutrient with at most so many servings."""


@dataclass(frozen=True, kw_only=True)
class Kit:
    """What a run hands to its method.

    Parameters
    ----------
    prompts : Prompts
    options : mapping
        The method's own settings, such as ``k``, ``width``, ``depth``, ``examples``.
    embed : callable, optional
        None when no encoder is at hand.
    retriever : callable, optional
        NutriBench: facts about a food; None for the built-in tables.
    textualizer : callable, optional
        NGQA: None for the published text form.
    """

    prompts: Prompts
    options: Mapping[str, Any] = field(default_factory=dict)
    embed: Embed | None = None
    retriever: Retriever | None = None
    textualizer: Textualizer | None = None


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way to answer a question with a model.

    Parameters
    ----------
    name : str
    benchmark : {'nutribench', 'ngqa'}
    about : str
        One line for help texts and tables.
    run : callable
        ``await run(question, ask, kit)`` returns :class:`prandial.records.bench.Replied`.
    prompts : tuple of str
        Prompts it may use, hashed into the run record.
    asks : bool
        False when it needs no model (``rules``).
    options : mapping
        Its settings and their defaults.
    """

    name: str
    benchmark: Benchmark
    about: str
    run: Callable[[Any, Ask, Kit], Awaitable[Replied]]
    prompts: tuple[str, ...] = ()
    asks: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
