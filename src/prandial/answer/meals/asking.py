"""A meal put before a model: fields of a prompt, the request, the last step of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from prandial.answer.ask import Ask, Request
from prandial.answer.meals.fences import fenced
from prandial.answer.meals.nutrients import NutrientAsked, example_fields, nutrient_asked
from prandial.answer.meals.schemas import BOUNDS, total_schema
from prandial.answer.meals.settings import Settings
from prandial.answer.methods import Kit
from prandial.answer.reading.meals import read_meal_reply
from prandial.answer.texts import fill
from prandial.errors import InputError
from prandial.records.bench import Call, MealQuestion

__all__ = ["ANSWERING", "CLOSE", "SYSTEM", "Asking"]

#: prompts that every method uses, and the one of a closing call
SYSTEM: Final = "nutribench_system"
CLOSE: Final = "nutribench_close"
#: settings of every method whose model gives the total
ANSWERING: Final = {"bound": "none", "unknown": True, "max_tokens": 256}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """One question on its way to a model.

    Parameters
    ----------
    question : MealQuestion
    ask : callable
    kit : Kit
    settings : Settings
    """

    question: MealQuestion
    ask: Ask
    kit: Kit
    settings: Settings

    @property
    def asked(self) -> NutrientAsked:
        """How the question's nutrient is asked for."""
        return nutrient_asked(self.question.nutrient)

    def fields(self, others: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return what a prompt may use.

        Parameters
        ----------
        others : mapping, optional
            Further texts of others, by what they are; each gets a field of its own name
            and two for its marks (``facts``, ``facts_open``, ``facts_close``).

        Returns
        -------
        dict
        """
        asked = self.asked
        meal = fenced(self.question.text, "meal")
        fields = {
            "nutrient": asked.word,
            "unit": asked.unit_word,
            "unit_short": asked.unit,
            "key": asked.key,
            "open": meal.open,
            "close": meal.close,
            "meal": meal.text,
            **example_fields(asked.name),
        }
        for word, text in (others or {}).items():
            other = fenced(text, word)
            fields[word] = other.text
            fields[f"{word}_open"], fields[f"{word}_close"] = other.open, other.close
        return fields

    def bound(self) -> str:
        """Return how the reply is bound: ``none``, ``integer`` or ``number``."""
        return self.settings.one_of("bound", BOUNDS)

    def request(
        self,
        name: str,
        prompt: str,
        *,
        max_tokens: int,
        others: Mapping[str, str] | None = None,
        schema: Mapping[str, object] | None = None,
        system: str = SYSTEM,
    ) -> Request:
        """Return the request of one step.

        Raises
        ------
        InputError
            When a prompt leaves out the meal, or the facts or steps it is there for.
        """
        fields = self.fields(others)
        text = self.kit.prompts[prompt]
        for needed in ("steps",) if prompt == CLOSE else ("meal", *(others or {})):
            if f"{{{{{needed}}}}}" not in text:
                raise InputError(
                    f"the prompt leaves out the {needed}",
                    where=f"prompt {prompt}",
                    hint=f"put {{{{{needed}}}}} where it is to stand",
                )
        return Request(
            name=name,
            user=fill(text, fields),
            system=fill(self.kit.prompts[system], fields),
            schema=schema,
            max_tokens=max_tokens,
        )

    async def total(
        self, prompt: str, *, reasoned: bool, others: Mapping[str, str] | None = None
    ) -> tuple[Call, ...]:
        """Ask for the total; the last reply is the answer.

        Parameters
        ----------
        prompt : str
        reasoned : bool
            The model writes its steps in free text first; where replies are bound and the
            steps do not end in the dictionary, a second call puts their result into it.
        others : mapping, optional
            As :meth:`fields`.

        Returns
        -------
        tuple of Call
            One, or two.
        """
        schema = total_schema(self.asked, self.bound(), unknown=self.settings.flag("unknown"))
        most = self.settings.whole("max_tokens")
        if not reasoned or schema is None:
            request = self.request("answer", prompt, max_tokens=most, others=others, schema=schema)
            return (await self.ask(request),)
        steps = await self.ask(self.request("steps", prompt, max_tokens=most, others=others))
        if self._settled(steps.reply):
            return (steps,)
        closing = self.request(
            "answer", CLOSE, max_tokens=64, others={"steps": steps.reply}, schema=schema
        )
        return steps, await self.ask(closing)

    def _settled(self, steps: str) -> bool:
        """Return whether steps end in the dictionary that is asked for, with a total."""
        found = read_meal_reply(steps, self.question.nutrient, method="cot")
        return found.status == "answered" and found.why == "dictionary"
