"""A question, a kit, and a method run against the shipped fake."""

from __future__ import annotations

import asyncio

from prandial.answer.ask import AskedModel, Request
from prandial.answer.meals import METHODS
from prandial.answer.methods import Kit
from prandial.answer.texts import Prompts
from prandial.records.bench import MealQuestion, Replied

BREAKFAST = "I had 100 g of cooked white rice, half a banana and two slices of toast."


def question(text: str = BREAKFAST, nutrient: str = "carb_g", **more) -> MealQuestion:
    return MealQuestion(id="q", text=text, nutrient=nutrient, label=1.0, group="g", **more)


def run(name: str, answer, asked: MealQuestion | None = None, **kit) -> tuple[Replied, AskedModel]:
    """Run a method; ``answer`` is a text, or a function of the request."""
    model = AskedModel(answer if callable(answer) else lambda request: answer)
    kit.setdefault("prompts", Prompts())
    method = METHODS[name]
    return asyncio.run(method.run(asked or question(), model, Kit(**kit))), model


def stepwise(**replies: str):
    """Answer each step of a method with its own text."""

    def answer(request: Request) -> str:
        return replies[request.name]

    return answer
