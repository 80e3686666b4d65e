"""How a method asks a model: one request, one reply; who carries it is passed in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from prandial.records.bench import Call, GraphQuestion, MealQuestion

__all__ = ["Ask", "AskedModel", "Question", "Request", "messages_of", "one_message"]

Question = MealQuestion | GraphQuestion
_ROLES: Final = ("user", "assistant")


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One request to a model.

    Parameters
    ----------
    name : str
        Which step of the method: ``answer``, ``parse``, ``prune relations 2``.
    user : str
    system : str
        Empty for none.
    schema : mapping, optional
        JSON schema the reply must follow, for models that can be bound to one.
    grammar : str, optional
        GBNF grammar, for local models; others ignore it.
    max_tokens : int
    turns : tuple of (str, str)
        Worked examples before the request: what a user said and what was answered.
    """

    name: str
    user: str
    system: str = ""
    turns: tuple[tuple[str, str], ...] = ()
    schema: Mapping[str, Any] | None = None
    grammar: str | None = None
    max_tokens: int = 512


#: Sends a request; raises :class:`prandial.errors.ModelError` when no reply can be had.
Ask = Callable[[Request], Awaitable[Call]]


def messages_of(request: Request) -> tuple[tuple[str, str], ...]:
    """Return a request as a conversation: ``system``, ``user`` or ``assistant``, and the text."""
    told = (("system", request.system),) if request.system else ()
    shown = ((role, t) for turn in request.turns for role, t in zip(_ROLES, turn, strict=True))
    return (*told, *shown, ("user", request.user))


def one_message(request: Request) -> str:
    """Return the examples and the request as one text, for harnesses that send no turns."""
    shown = [f"{user}\n\n{reply}" for user, reply in request.turns]
    return "\n\n".join([*shown, request.user])


class AskedModel:
    """A shipped fake for tests and examples: answers from a function, keeps the requests."""

    def __init__(self, answer: Callable[[Request], str]) -> None:
        self._answer = answer
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Call:
        """Answer one request; tokens are counted as words."""
        self.requests.append(request)
        reply = self._answer(request)
        return Call(
            name=request.name,
            reply=reply,
            input_tokens=sum(len(text.split()) for _, text in messages_of(request)),
            output_tokens=len(reply.split()),
            seconds=0.0,
        )
