"""Requests of a method carried by the model of an Inspect run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.util import JSONSchema

from prandial.answer.ask import Ask, Question, Request, messages_of
from prandial.bench.predicting import failure_of
from prandial.bench.runs import forms
from prandial.errors import ModelError
from prandial.records.bench import Call

__all__ = ["QUESTION", "REQUEST", "ask_of"]

#: metadata of the user's message: the question as JSON, for models that answer it themselves
QUESTION: Final = "prandial_question"
#: and the step of the method that asks
REQUEST: Final = "prandial_request"
_SAID: Final[dict[str, Callable[..., ChatMessage]]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}
#: servers that take OpenAI's request with fields of their own
_COMPATIBLE: Final = ("openai-api", "vllm", "sglang", "ollama", "llama-cpp-python", "prandial")


def ask_of(question: Question, *, through: tuple[type[BaseException], ...] = ()) -> Ask:
    """Return what carries the requests about one question.

    Parameters
    ----------
    question : MealQuestion or GraphQuestion
    through : tuple of exception classes
        Let through as they are; all else becomes a ModelError.
    """
    body = forms.question_to(question)

    async def ask(request: Request) -> Call:
        model = get_model()
        messages = [_SAID[role](content=text) for role, text in messages_of(request)[:-1]]
        metadata = {QUESTION: body, REQUEST: request.name}
        messages.append(ChatMessageUser(content=request.user, metadata=metadata))
        begun = time.perf_counter()
        try:
            output = await model.generate(messages, config=_config(request, model))
        except through:
            raise
        except Exception as error:
            raise ModelError(failure_of(error), where=str(model)) from error
        return _call(request, output, time.perf_counter() - begun)

    return ask


def _config(request: Request, model: Model) -> GenerateConfig:
    """Return what the request asks for; what the user said of length goes before it."""
    config = GenerateConfig()
    if _most_tokens(model) is None:
        config.max_tokens = request.max_tokens
    extra: dict[str, Any] = {}
    if request.schema is not None:
        schema = dict(request.schema)
        config.response_schema = ResponseSchema(
            name="answer", json_schema=JSONSchema.model_validate(schema), strict=True
        )
        # Inspect leaves bounds out for these servers, and knows no minItems at all
        extra["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": schema, "strict": True},
        }
    if request.grammar is not None:
        extra["grammar"] = request.grammar
    if extra and str(model).split("/", 1)[0] in _COMPATIBLE:
        config.extra_body = {**_extra_body(model), **extra}
    return config


def _active() -> GenerateConfig:
    """Return the settings of the whole run, such as of ``inspect eval --max-tokens``."""
    try:
        from inspect_ai.model._generate_config import active_generate_config
    except ImportError:  # it is no public name
        return GenerateConfig()
    return active_generate_config()


def _most_tokens(model: Model) -> int | None:
    told = model.config.max_tokens
    return _active().max_tokens if told is None else told


def _extra_body(model: Model) -> dict[str, Any]:
    return {**(_active().extra_body or {}), **(model.config.extra_body or {})}


def _call(request: Request, output: ModelOutput, seconds: float) -> Call:
    if output.error and not output.completion:
        raise ModelError(failure_of(ModelError(output.error)))
    usage = output.usage
    taken = sent = None
    if usage is not None and (usage.input_tokens or usage.output_tokens):
        read, wrote = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
        taken, sent = usage.input_tokens + read + wrote, usage.output_tokens
    return Call(
        name=request.name,
        reply=output.completion,
        input_tokens=taken,
        output_tokens=sent,
        seconds=round(seconds, 4),
    )
