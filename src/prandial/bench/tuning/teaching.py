"""The turns that a method of the bench asks a model with, taken from the method itself.

The method is run on the meal with a model that keeps the request: rows that are made of it
cannot differ from what a tuned model is asked later, whatever the prompts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prandial.answer.ask import Request, messages_of
from prandial.answer.meals import METHODS, nutrient_asked
from prandial.answer.meals.asking import CLOSE
from prandial.answer.methods import Kit, Method
from prandial.answer.texts import Prompts
from prandial.compose.tuning import AnswerForm, Taught, Turns
from prandial.errors import InputError
from prandial.records.bench import Call, MealQuestion

__all__ = ["TEACHABLE", "form_of", "taught_methods", "turns_of"]

#: methods of one request, whose reply is the answer
TEACHABLE: Final = ("base", "cot", "base_p1", "base_p2", "base_p3", "base_p4")


def form_of(nutrient: str) -> AnswerForm:
    """Return how the bench asks for a nutrient."""
    asked = nutrient_asked(nutrient)
    return AnswerForm(nutrient=asked.name, word=asked.word, unit=asked.unit, key=asked.key)


def turns_of(method: Method, *, nutrient: str, prompts: Prompts) -> Turns:
    """Return a callable: a meal's text to the turns the method asks a model with.

    Parameters
    ----------
    method : Method
        One of :data:`TEACHABLE`.
    nutrient : str
    prompts : Prompts
    """
    kit = Kit(prompts=prompts)

    def turns(text: str) -> Sequence[tuple[str, str]]:
        kept: list[Request] = []

        async def keep(request: Request) -> Call:
            kept.append(request)
            return Call(name=request.name, reply="")

        question = MealQuestion(id="row", text=text, nutrient=nutrient, label=0.0, group="row")
        running = method.run(question, keep, kit).__await__()
        for _ in running:  # a request is answered at once: nothing is waited for
            pass
        return messages_of(kept[0])

    return turns


def taught_methods(
    names: Sequence[str], *, nutrient: str, prompts: Prompts | None = None
) -> tuple[Taught, ...]:
    """Return how each method asks, and what it is to be answered with.

    Parameters
    ----------
    names : sequence of str
        Of :data:`TEACHABLE`.
    nutrient : str
    prompts : Prompts, optional
        The shipped ones when None.

    Raises
    ------
    InputError
        For a method that takes several requests, or none.
    """
    texts = prompts or Prompts()
    found = []
    for name in dict.fromkeys(names):
        if name not in TEACHABLE:
            raise InputError(
                f"method {name!r} cannot be taught by rows",
                where="method",
                hint="one of: " + ", ".join(TEACHABLE),
            )
        method = METHODS[name]
        found.append(
            Taught(
                method=name,
                turns=turns_of(method, nutrient=nutrient, prompts=texts),
                reply="worked" if CLOSE in method.prompts else "dictionary",
            )
        )
    return tuple(found)
