"""Methods that ask once: the request they make, and what becomes of the reply.

The harness sends one request a question and hands back one reply. So a method is run twice:
at the export with a reply that does not matter, to see its request; at the scoring with the
reply of the model, to see what the method makes of it. That way nothing of a method is told
a second time here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from prandial.answer.ask import Question, Request, one_message
from prandial.answer.methods import Kit, Method
from prandial.bench.methods import read_reply
from prandial.bench.predicting import predict
from prandial.errors import InputError, ModelError, PrandialError, SchemaError
from prandial.records.bench import Call, Prediction, Reading, Replied

__all__ = ["OneReply", "answered_by", "request_of", "requests_of"]

#: replies of several kinds: a method that goes on after one of them asks more than once
_PROBES: Final = (
    "",
    '{"total_carbohydrates": 12, "items": [{"food": "rice", "quantity": 1, "unit": "cup"}]}',
    '["rice", "beans"]',
    "1. rice\n2. beans",
    "Answer: Yes",
    "(has: 0.9), (needs: 0.8)",
)
#: questions that are put to a method with every kind of reply
_PROBED: Final = 2


class OneReply:
    """Carries one request and gives a reply that is there already; a second request fails."""

    def __init__(self, reply: str) -> None:
        self._reply = reply
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Call:
        """Answer the first request."""
        self.requests.append(request)
        if len(self.requests) > 1:
            raise ModelError(
                f"a second request ({request.name})", where="lm-eval", hint="it asks once"
            )
        return Call(name=request.name, reply=self._reply)


async def _asked(question: Question, method: Method, kit: Kit, reply: str) -> list[Request]:
    ask = OneReply(reply)
    try:
        await method.run(question, ask, kit)
    except PrandialError:
        # no reply that fits; what is wrong before anything was asked is told
        if not ask.requests:
            raise
    return ask.requests


async def _request(question: Question, method: Method, kit: Kit, probes: Sequence[str]) -> Request:
    first: Request | None = None
    for reply in probes:
        requests = await _asked(question, method, kit, reply)
        if len(requests) != 1:
            told = "asks no model" if not requests else "asks a model more than once a question"
            raise InputError(
                f"the method {method.name!r} {told}",
                where="method",
                hint="lm-eval sends one request a question; take a method of one call"
                + (", or other options" if requests else ""),
            )
        if first is not None and requests[0] != first:
            raise InputError(
                f"the method {method.name!r} asks another thing each time",
                where=question.id,
                hint="it must depend on the question alone",
            )
        first = requests[0]
    assert first is not None  # noqa: S101 - there are probes
    return first


def request_of(question: Question, method: Method, kit: Kit) -> Request:
    """Return the one request that a method makes about a question.

    Raises
    ------
    InputError
        When it makes none, or more than one.
    """
    return requests_of([question], method, kit)[0]


def requests_of(questions: Sequence[Question], method: Method, kit: Kit) -> list[Request]:
    """Return the request about each question; as :func:`request_of`."""

    async def every() -> list[Request]:
        return [
            await _request(q, method, kit, _PROBES if at < _PROBED else _PROBES[:1])
            for at, q in enumerate(questions)
        ]

    return asyncio.run(every())


def answered_by(
    question: Question, method: Method, kit: Kit, reply: str, *, sent: tuple[str, str]
) -> Prediction:
    """Return the prediction that a reply makes.

    Parameters
    ----------
    question : MealQuestion or GraphQuestion
    method : Method
    kit : Kit
    reply : str
        Of the model, unread.
    sent : tuple of str
        System and user's text of the request as it was exported.

    Raises
    ------
    SchemaError
        When the method would send another request now: then the reply answers something else.
    """
    ask = OneReply(reply)

    def read(asked: Question, replied: Replied) -> Reading:
        return read_reply(asked, replied, method.name)

    prediction = asyncio.run(predict(question, method, ask, kit, read))
    now = [(r.system, one_message(r)) for r in ask.requests[:1]]
    if now != [sent]:
        raise SchemaError(
            "this prandial would ask something else than was exported",
            where=f"{method.name}, {question.id}",
            hint="export the tasks again, with the prandial that scores them",
        )
    return prediction
