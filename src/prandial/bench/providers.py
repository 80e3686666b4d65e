"""Model providers of Inspect: ``prandial/NAME`` for answerers of ours, ``prandial/local``.

A direct answerer takes the question from the metadata of the user's message, where a task of
prandial puts it; the local model sees the messages only, as any model does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import anyio
import anyio.to_thread
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from prandial.answer.direct import DIRECT, TRAINED, Direct, make_direct
from prandial.answer.local import LocalModel, open_local
from prandial.bench.runs import forms
from prandial.bench.training import read_training
from prandial.errors import InputError, ModelError, NotFoundError, PrandialError
from prandial.records.bench import GraphQuestion, MealQuestion, Replied
from prandial.sources.weights import model_file, weights_home, weights_sha256

__all__ = [
    "DETAIL",
    "LOCAL",
    "QUESTION",
    "PrandialAPI",
    "direct_answerer",
    "local_path",
    "local_record",
    "provider",
]

#: metadata of the user's message that holds the question, as
#: :func:`prandial.bench.runs.forms.question_to` writes it or as JSON text of that
QUESTION: Final = "prandial_question"
#: metadata of the output that holds ``value`` and ``detail`` of the reply
DETAIL: Final = "prandial_replied"
#: name of the model in this process
LOCAL: Final = "local"
_MAX_TOKENS: Final = 512
#: a local model is named by one of these; the rest goes to :class:`LocalModel`
_NAMED: Final = ("name", "file")
_LOCAL_OPTIONS: Final = ("threads", "context", "parallel", "seed")


def direct_answerer(name: str, args: Mapping[str, Any]) -> Direct:
    """Make an answerer from arguments of a command line; ``training`` may be a path.

    Raises
    ------
    NotFoundError, InputError, MissingDataError, SchemaError
        On an unknown name or option, or a file that cannot be used.
    """
    options = dict(args)
    if name in TRAINED and isinstance(options.get("training"), str | Path):
        options["training"] = read_training(options["training"])
    return make_direct(name, **options)


def local_path(args: Mapping[str, Any]) -> Path:
    """Return the GGUF file that ``name`` or ``file`` means.

    Raises
    ------
    InputError
        When not just one of them is given.
    NotFoundError, MissingDataError
        When there is no such model here; the hint is the command that gets it.
    """
    given = [k for k in _NAMED if args.get(k)]
    if len(given) != 1:
        raise InputError(
            "which local model?",
            where="prandial/local",
            hint="give -M name=qwen2.5-0.5b (see: prandial models list) or -M file=PATH",
        )
    if given[0] == "file":
        return Path(str(args["file"])).expanduser()
    return model_file(str(args["name"]), weights_home())


def local_record(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a run record says of a local model: file name, bytes, SHA-256, settings.

    Raises
    ------
    PrandialError
        As :func:`local_path`, or when the file cannot be read.
    """
    path = local_path(args)
    return {
        "file": path.name,
        "sha256": weights_sha256(path),
        "bytes": path.stat().st_size,
        **{k: args[k] for k in _LOCAL_OPTIONS if k in args},
    }


class PrandialAPI(ModelAPI):
    """Answerers of prandial as a model of Inspect.

    Parameters
    ----------
    model_name : str
        ``local``, or a name of :data:`prandial.answer.direct.DIRECT`.
    base_url, api_key : str, optional
        Not used.
    config : GenerateConfig
    **model_args
        Options of the answerer, as ``-M file=answers.csv``; of ``local`` ``name`` or
        ``file``, ``threads``, ``context``, ``parallel``, ``seed``.

    Raises
    ------
    PrerequisiteError
        When the answerer cannot be made; its cause is the error of prandial.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - as Inspect's own providers
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._local: LocalModel | None = None
        self._answer: Direct | None = None
        try:
            if model_name == LOCAL:
                self._local = _opened(model_args)
            elif model_name in DIRECT:
                self._answer = direct_answerer(model_name, model_args)
            else:
                raise NotFoundError(
                    f"no model prandial/{model_name}",
                    where="model",
                    hint="known: " + ", ".join(f"prandial/{n}" for n in (*DIRECT, LOCAL)),
                )
        except PrandialError as error:
            from inspect_ai._util.error import PrerequisiteError

            raise PrerequisiteError(str(error)) from error
        parallel = self._local.parallel if self._local else 1
        self._limiter = anyio.CapacityLimiter(parallel)

    def max_connections(self) -> int:
        """Return how many requests are made at a time."""
        return self._local.parallel if self._local else super().max_connections()

    def connection_key(self) -> str:
        """Return what shares the limit of requests."""
        return str(self._local.path) if self._local else self.model_name

    def max_tokens(self) -> int | None:
        """Return the longest reply where nothing else is said."""
        return _MAX_TOKENS

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - Inspect's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002 - Inspect's signature
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer a conversation.

        Raises
        ------
        InputError
            When there is no question that the answerer can answer.
        ModelError
            When the local model gives no reply.
        """
        if tools:
            raise InputError(
                "no tools can be called", where=f"prandial/{self.model_name}", hint="leave them out"
            )
        if self._local is not None:
            return await self._chat(self._local, input, config)
        assert self._answer is not None  # noqa: S101 - one of the two is made
        started = perf_counter()
        question = _question(input, self.model_name)
        try:
            replied = self._answer(question)
        except ModelError as error:  # nothing was recorded: no reply, and no reason to try again
            return self._output(Replied(text=""), perf_counter() - started, error=error.what)
        return self._output(replied, perf_counter() - started)

    def _output(self, replied: Replied, seconds: float, *, error: str | None = None) -> ModelOutput:
        output = ModelOutput.from_content(
            model=f"prandial/{self.model_name}", content=replied.text, error=error
        )
        output.usage = ModelUsage()  # without it some harnesses load a tokenizer from the net
        output.time = seconds
        detail = json.loads(json.dumps(dict(replied.detail), default=str))
        output.metadata = {DETAIL: {"value": replied.value, "detail": detail}}
        return output

    async def _chat(
        self, model: LocalModel, messages: Sequence[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        schema, grammar = _bound(config)
        said = [{"role": m.role, "content": m.text} for m in messages]
        sampling = {
            "temperature": config.temperature,
            "top_p": config.top_p,
            "top_k": config.top_k,
            "seed": config.seed,
            "stop": config.stop_seqs,
        }

        def ask() -> Any:
            return model.chat(
                said,
                schema=schema,
                grammar=grammar,
                max_tokens=config.max_tokens or _MAX_TOKENS,
                **{k: v for k, v in sampling.items() if v is not None},
            )

        found = await anyio.to_thread.run_sync(ask, limiter=self._limiter)
        output = ModelOutput.from_content(
            model=f"prandial/{LOCAL}",
            content=found.text,
            stop_reason="max_tokens" if found.cut else "stop",
        )
        taken, sent = found.input_tokens or 0, found.output_tokens or 0
        output.usage = ModelUsage(input_tokens=taken, output_tokens=sent, total_tokens=taken + sent)
        output.time = found.seconds
        return output


@modelapi(name="prandial")
def provider() -> type[ModelAPI]:
    """Return the provider of ``prandial/...`` models."""
    return PrandialAPI


def _opened(args: Mapping[str, Any]) -> LocalModel:
    for option in args:
        if option not in (*_NAMED, *_LOCAL_OPTIONS):
            raise InputError(
                f"no option {option!r}",
                where="prandial/local",
                hint="options: " + ", ".join((*_NAMED, *_LOCAL_OPTIONS)),
            )
    return open_local(local_path(args), **{k: args[k] for k in _LOCAL_OPTIONS if k in args})


def _question(messages: Sequence[ChatMessage], name: str) -> MealQuestion | GraphQuestion:
    user = next((m for m in reversed(messages) if isinstance(m, ChatMessageUser)), None)
    body = None if user is None else (user.metadata or {}).get(QUESTION)
    if body is not None:
        try:
            return forms.question_from(json.loads(body) if isinstance(body, str) else body)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(
                f"the question cannot be read: {error}",
                where=QUESTION,
                hint="see forms.question_to",
            ) from None
    if user is None or name != "grounded":
        raise InputError(
            f"prandial/{name} answers questions of prandial's own tasks only",
            where=f"metadata {QUESTION} of the user's message",
            hint="inspect eval prandial/nutribench or prandial/ngqa",
        )
    return MealQuestion(
        id="message", text=user.text, nutrient="carb_g", label=float("nan"), group="message"
    )


def _bound(config: GenerateConfig) -> tuple[Mapping[str, Any] | None, str | None]:
    """Return the JSON schema and the grammar that a reply is bound to."""
    extra = config.extra_body or {}
    schema = ((extra.get("response_format") or {}).get("json_schema") or {}).get("schema")
    if schema is None and config.response_schema is not None:
        schema = config.response_schema.json_schema.model_dump(exclude_none=True)
    return schema, extra.get("grammar")
