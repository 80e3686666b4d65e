"""Methods that put facts before the question: ``rag`` and ``rag_cot``.

After NutriBench (arXiv 2407.12843), section 4 and appendix C: one call parses the meal
into foods, the retriever finds facts for each, all facts stand before the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from prandial.answer.ask import Ask
from prandial.answer.facts import embedding_retriever, lexical_retriever
from prandial.answer.meals.asking import ANSWERING, CLOSE, SYSTEM, Asking
from prandial.answer.meals.parsed import read_foods
from prandial.answer.meals.schemas import foods_schema
from prandial.answer.meals.settings import Settings
from prandial.answer.methods import FactRetriever, Kit, Method, Retriever
from prandial.errors import MissingDataError
from prandial.records.bench import MealQuestion, Replied
from prandial.tables import DEFAULT_RELEASE

__all__ = ["NO_FACTS", "facts_text", "retrieved", "retriever_of"]

_PARSE: Final = "nutribench_parse"
_MOST_ITEMS: Final = 20
#: stands where no facts were found
NO_FACTS: Final = "(no facts were found)"
_HOW: Final = ("auto", "lexical", "embedding")


def retriever_of(kit: Kit, settings: Settings, nutrient: str) -> Retriever:
    """Return the run's retriever, or one over the built-in tables.

    Parameters
    ----------
    kit : Kit
    settings : Settings
        ``retriever``: ``lexical``, ``embedding``, or ``auto`` (embedding when the run has
        an encoder); ``servings`` and ``release``. A run's own retriever is told the nutrient
        and the servings when it has a method ``about`` for them.
    nutrient : str
        House name.

    Returns
    -------
    Retriever

    Raises
    ------
    MissingDataError
        When an encoder is asked for and there is none.
    """
    servings = settings.whole("servings", least=0, most=50)
    if kit.retriever is not None:
        own = kit.retriever
        return own.about(nutrient, servings) if isinstance(own, FactRetriever) else own
    how, release = settings.one_of("retriever", _HOW), settings.text("release")
    if how == "lexical" or (how == "auto" and kit.embed is None):
        return lexical_retriever(nutrient, release=release, servings=servings)
    if kit.embed is None:
        raise MissingDataError(
            "there is no encoder for the embedding retriever",
            where="option retriever",
            hint="pip install 'prandial[bench]', or retriever=lexical",
        )
    return embedding_retriever(nutrient, kit.embed, release=release, servings=servings)


def facts_text(facts: Mapping[str, Sequence[str]]) -> str:
    """Return the facts about each food as lines, each once.

    Parameters
    ----------
    facts : mapping
        Food in words -> facts.

    Returns
    -------
    str
        :data:`NO_FACTS` when there are none.
    """
    lines: list[str] = []
    seen: set[str] = set()
    for food, found in facts.items():
        new = [fact for fact in found if fact not in seen]
        seen.update(new)
        if new:
            lines += [f"{food}:", *(f"- {fact}" for fact in new)]
    return "\n".join(lines) or NO_FACTS


def retrieved(name: str, about: str, prompt: str, *, reasoned: bool = False) -> Method:
    """Return a method that looks up the foods a model finds in the meal.

    Parameters
    ----------
    name, about : str
        As :class:`prandial.answer.methods.Method`.
    prompt : str
        Has the field ``facts``.
    reasoned : bool
        The model writes its steps first.

    Returns
    -------
    Method
    """
    options: dict[str, Any] = {
        **ANSWERING,
        "max_tokens": 1024 if reasoned else 256,
        "k": 3,
        "servings": 4,
        "retriever": "auto",
        "release": DEFAULT_RELEASE,
    }

    async def run(question: MealQuestion, ask: Ask, kit: Kit) -> Replied:
        settings = Settings(options, kit.options)
        asking = Asking(question=question, ask=ask, kit=kit, settings=settings)
        look_up = retriever_of(kit, settings, question.nutrient)
        k = settings.whole("k", most=100)
        schema = None if asking.bound() == "none" else foods_schema(_MOST_ITEMS)
        parse = await ask(asking.request("parse", _PARSE, max_tokens=400, schema=schema))
        foods = read_foods(parse.reply)
        facts = {food: list(look_up(food, k))[:k] for food in foods[:_MOST_ITEMS]}
        calls = await asking.total(prompt, reasoned=reasoned, others={"facts": facts_text(facts)})
        detail = {"parse": "read" if foods else "unreadable", "items": list(foods), "facts": facts}
        return Replied(text=calls[-1].reply, calls=(parse, *calls), detail=detail)

    prompts = (SYSTEM, _PARSE, prompt)
    return Method(
        name=name,
        benchmark="nutribench",
        about=about,
        run=run,
        prompts=(*prompts, CLOSE) if reasoned else prompts,
        options=options,
    )
