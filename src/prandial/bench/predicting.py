"""One question asked by a method: the prediction, or why there is none."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from prandial.answer.ask import Ask, Question
from prandial.answer.methods import Kit, Method
from prandial.errors import ModelError, PrandialError
from prandial.records.bench import Call, Prediction, Reading, Replied

__all__ = ["Read", "failed", "failure_of", "predict", "predicted"]

#: reads a reply: question, what the method returned
Read = Callable[[Any, Replied], Reading]

#: kinds of failure in the order they are looked for: mark in the error's text or class -> kind
_MARKS: Final = (
    ("no answer", ("no answer:",)),
    ("rate limit", ("ratelimit", "429", "rate limit", "too many requests")),
    ("timeout", ("timeout", "timed out", "deadline")),
    ("not allowed", ("401", "403", "authentication", "permissiondenied")),
    (
        "garbled answer",
        ("jsondecode", "expecting value", "validationerror", "garbled", "typeerror"),
    ),
    ("server error", ("internalserver", "500", "502", "503", "504", "overloaded")),
    ("no connection", ("connection", "connect", "unreachable")),
    ("refused request", ("400", "404", "422", "badrequest", "notfound")),
)
_MOST_CHARS: Final = 500


def failure_of(error: BaseException) -> str:
    """Return ``kind: text`` of an error, such as ``rate limit: RateLimitError: ...``."""
    inner = _innermost(error)
    told = inner.what if isinstance(inner, PrandialError) else str(inner)
    text = " ".join(f"{type(inner).__name__}: {told}".split())[:_MOST_CHARS]
    if isinstance(inner, PrandialError):
        text = " ".join(told.split())[:_MOST_CHARS]
        if text.split(":", 1)[0] in {"other", *(kind for kind, _ in _MARKS)}:
            return text
    status = getattr(inner, "status_code", None)
    plain = f"{status} {text}" if isinstance(status, int) else text
    plain = plain.casefold()
    for kind, marks in _MARKS:
        if any(mark in plain for mark in marks):
            return f"{kind}: {text}"
    return f"other: {text}"


def _innermost(error: BaseException) -> BaseException:
    """Return what a wrapper of retries wraps."""
    attempt = getattr(error, "last_attempt", None)
    inner = attempt.exception() if attempt is not None else None
    if isinstance(inner, BaseException):
        return _innermost(inner)
    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return _innermost(error.exceptions[0])
    return error


async def predict(
    question: Question,
    method: Method,
    ask: Ask,
    kit: Kit,
    read: Read,
    *,
    through: tuple[type[BaseException], ...] = (),
) -> Prediction:
    """Ask one question by a method and read the reply.

    Parameters
    ----------
    question : MealQuestion or GraphQuestion
    method : Method
    ask : callable
        Carries requests.
    kit : Kit
    read : callable
        Reads what the method returns.
    through : tuple of exception classes
        Not taken as a failure of the question but let through.

    Returns
    -------
    Prediction
        With status ``failed`` and the reason where no reply was had. A method that raises fails
        its question, not the run.
    """
    begun = time.perf_counter()
    calls: list[Call] = []

    async def noting(request: Any) -> Call:
        call = await ask(request)
        calls.append(call)
        return call

    try:
        replied = await method.run(question, noting, kit)
        return predicted(question, replied, read, seconds=time.perf_counter() - begun)
    except through:
        raise
    except Exception as error:  # noqa: BLE001 - a model, or a method of strangers
        return failed(
            question, failure_of(error), calls=tuple(calls), seconds=time.perf_counter() - begun
        )


def predicted(
    question: Question, replied: Replied, read: Read, *, seconds: float | None
) -> Prediction:
    """Return the prediction of what a method, or an answerer, returned."""
    return Prediction(
        question=question.id,
        raw_text=replied.text,
        reading=read(question, replied),
        calls=len(replied.calls),
        input_tokens=_total(replied.calls, "input_tokens"),
        output_tokens=_total(replied.calls, "output_tokens"),
        seconds=seconds,
        retrieved=replied.retrieved,
        detail=_plain(replied.detail),
        replies=replied.calls,
    )


def failed(
    question: Question, why: str, *, calls: tuple[Call, ...] = (), seconds: float | None = None
) -> Prediction:
    """Return the prediction of a question that no reply was had to."""
    return Prediction(
        question=question.id,
        raw_text="",
        reading=Reading(status="failed", why=why),
        calls=len(calls),
        input_tokens=_total(calls, "input_tokens"),
        output_tokens=_total(calls, "output_tokens"),
        seconds=seconds,
        replies=calls,
        error=why,
    )


def _total(calls: tuple[Call, ...], name: str) -> int | None:
    counts = [getattr(c, name) for c in calls]
    return None if not counts or any(c is None for c in counts) else sum(counts)


def _plain(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a method tells as JSON can hold it."""
    import json

    try:
        json.dumps(dict(detail), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"the method tells what JSON cannot hold: {error}", where="detail"
        ) from error
    return dict(detail)
