"""Methods that put the meal before the model as it is: ``base``, ``cot``, the paraphrases.

After NutriBench (arXiv 2407.12843), section 4, appendix C and appendix K.
"""

from __future__ import annotations

from typing import Any

from prandial.answer.ask import Ask
from prandial.answer.meals.asking import ANSWERING, CLOSE, SYSTEM, Asking
from prandial.answer.meals.settings import Settings
from prandial.answer.methods import Kit, Method
from prandial.records.bench import MealQuestion, Replied

__all__ = ["direct"]


def direct(name: str, about: str, prompt: str, *, reasoned: bool = False) -> Method:
    """Return a method that asks for the total of a meal.

    Parameters
    ----------
    name, about : str
        As :class:`prandial.answer.methods.Method`.
    prompt : str
    reasoned : bool
        The model writes its steps first.

    Returns
    -------
    Method
    """
    options: dict[str, Any] = {**ANSWERING, "max_tokens": 1024 if reasoned else 256}

    async def run(question: MealQuestion, ask: Ask, kit: Kit) -> Replied:
        asking = Asking(
            question=question, ask=ask, kit=kit, settings=Settings(options, kit.options)
        )
        calls = await asking.total(prompt, reasoned=reasoned)
        return Replied(text=calls[-1].reply, calls=calls)

    return Method(
        name=name,
        benchmark="nutribench",
        about=about,
        run=run,
        prompts=(SYSTEM, prompt, CLOSE) if reasoned else (SYSTEM, prompt),
        options=options,
    )
