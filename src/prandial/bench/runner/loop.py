"""The plain loop: for answerers that need no harness, thousands of questions a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from prandial.answer.ask import Question, Request
from prandial.answer.methods import Kit, Method
from prandial.bench.predicting import Read, failed, failure_of, predict, predicted
from prandial.bench.runner.keeping import Keeper
from prandial.errors import ModelError
from prandial.records.bench import Call, Replied

__all__ = ["Answerer", "loop_answerer", "loop_method"]

#: answers a question itself
Answerer = Callable[[Any], Replied]


def loop_answerer(
    questions: Sequence[Question], answer: Answerer, read: Read, keeper: Keeper
) -> None:
    """Put each question to an answerer.

    One that raises fails its question, not the run.
    """
    try:
        for question in questions:
            begun = time.perf_counter()
            try:
                replied = answer(question)
                one = predicted(question, replied, read, seconds=time.perf_counter() - begun)
            except Exception as error:  # noqa: BLE001 - as for a model
                one = failed(question, failure_of(error))
            keeper.later(one)
    finally:
        keeper.flush()


def loop_method(
    questions: Sequence[Question], method: Method, kit: Kit, read: Read, keeper: Keeper
) -> None:
    """Answer each question by a method that asks no model."""

    async def every() -> None:
        for question in questions:
            keeper.later(await predict(question, method, _nobody, kit, read))

    try:
        asyncio.run(every())
    finally:
        keeper.flush()


async def _nobody(request: Request) -> Call:
    raise ModelError(f"the method asks a model ({request.name}), and none was named")
