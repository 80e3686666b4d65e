"""A language model in this process, on the CPU, from a GGUF file: llama.cpp by ``xllamacpp``.

Replies can be bound to a JSON schema or a GBNF grammar. Nothing is sent anywhere: the library
opens a port of its own on this machine only, and a key that nobody knows guards it.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, Final, Self

from prandial.answer.ask import Request, messages_of
from prandial.errors import InputError, MissingDataError, ModelError, SchemaError
from prandial.records.bench import Call

__all__ = [
    "LocalModel",
    "LocalReply",
    "Speed",
    "close_all",
    "measure_speed",
    "open_local",
    "plain_words",
]

_MAGIC: Final = b"GGUF"
#: what templates of chats are made of; in a text it is only text
_MARKS: Final = re.compile(
    r"<(?=\|)|<(?=/?s>)|<(?=(?:start|end)_of_turn>)|\[(?=/?INST\])|<(?=(?:bos|eos|unk|pad)>)",
    re.IGNORECASE,
)
#: prompts kept in memory, so that a beginning that many share is read once
_CACHE_MIB: Final = 512


@dataclass(frozen=True, kw_only=True, slots=True)
class Speed:
    """Tokens a second of one stream: read from a prompt, and written."""

    prompt_tokens: int
    prompt_tokens_per_s: float
    output_tokens: int
    output_tokens_per_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalReply:
    """A reply: ``cut`` when its tokens ran out; ``timings`` as llama.cpp tells them."""

    text: str
    input_tokens: int | None
    output_tokens: int | None
    cut: bool
    seconds: float
    timings: Mapping[str, float]


class LocalModel:
    """A model that is loaded once and answers several requests at a time.

    Parameters
    ----------
    path : Path
        GGUF file.
    threads : int, optional
        Processor threads; as many as there are cores when None. More than there are free
        cores makes it many times slower.
    context : int
        Tokens that one request may take, prompt and reply together.
    parallel : int
        Requests at a time; the memory of the context is needed for each.
    seed : int
        Of the sampling; at temperature 0 it decides nothing.
    temperature : float
        0 takes the likeliest token.

    Raises
    ------
    MissingDataError
        When the file or the package xllamacpp is missing.
    SchemaError
        When the file is no GGUF file.
    InputError
        On a number that cannot be.
    ModelError
        When the model cannot be loaded.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        threads: int | None = None,
        context: int = 4096,
        parallel: int = 1,
        seed: int = 0,
        temperature: float = 0.0,
    ) -> None:
        self.path = _checked(Path(path))
        self.threads = _whole("threads", (os.cpu_count() or 1) if threads is None else threads)
        self.context = _whole("context", context)
        self.parallel = _whole("parallel", parallel)
        self.seed, self.temperature = seed, temperature
        self._pool = ThreadPoolExecutor(self.parallel, thread_name_prefix="local-model")
        started = perf_counter()
        self._server: Any = self._load()
        # a first token: the library hangs when it is closed before it has begun to work
        self.chat([{"role": "user", "content": "."}], max_tokens=1)
        self.load_seconds = perf_counter() - started

    def _load(self) -> Any:
        try:
            import xllamacpp
        except ImportError:
            raise MissingDataError(
                "local models need the package xllamacpp",
                where=str(self.path),
                hint="pip install 'prandial[bench]'",
            ) from None
        settings = xllamacpp.CommonParams()
        settings.model.path = str(self.path)
        settings.n_ctx = self.context * self.parallel  # it is divided among the requests
        settings.n_parallel = self.parallel
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = self.threads
        # waiting threads sleep: by default they spin, and on a shared machine take the time
        # that the thread they wait for needs
        settings.cpuparams.poll = settings.cpuparams_batch.poll = 0
        settings.n_gpu_layers = 0
        settings.verbosity = 0
        settings.cache_prompt, settings.cache_ram_mib = True, _CACHE_MIB
        settings.hostnames, settings.port = ["127.0.0.1"], 0
        settings.api_keys = [secrets.token_hex(16)]
        settings.ui = settings.endpoint_slots = settings.endpoint_props = False
        try:
            return xllamacpp.Server(settings)
        except Exception as error:  # noqa: BLE001 - whatever the library raises
            raise ModelError(
                f"the model cannot be loaded: {error}",
                where=str(self.path),
                hint="check the file (prandial models list), the memory, or a smaller context",
            ) from None

    async def ask(self, request: Request) -> Call:
        """Answer a request; as many at a time as ``parallel`` says, the others wait.

        Raises
        ------
        ModelError
            When no reply can be had: prompt too long, a grammar that cannot be read, closed.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, self.complete, request)
        except RuntimeError:  # the pool takes no more
            raise self._closed() from None

    __call__ = ask

    def complete(self, request: Request) -> Call:
        """Answer a request and wait for it.

        Raises
        ------
        ModelError
            As :meth:`ask`.
        """
        messages = [{"role": role, "content": text} for role, text in messages_of(request)]
        found = self.chat(
            messages,
            schema=request.schema,
            grammar=request.grammar,
            max_tokens=request.max_tokens,
        )
        return Call(
            name=request.name,
            reply=found.text,
            input_tokens=found.input_tokens,
            output_tokens=found.output_tokens,
            seconds=found.seconds,
        )

    def chat(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        max_tokens: int = 512,
        **sampling: Any,
    ) -> LocalReply:
        """Go on with a conversation and wait for the reply.

        Parameters
        ----------
        messages : sequence of mapping
            ``role`` (system, user, assistant) and ``content``.
        schema : mapping, optional
            JSON schema that the reply follows; goes before a grammar.
        grammar : str, optional
            GBNF grammar that the reply follows.
        max_tokens : int
        **sampling
            ``temperature``, ``seed``, ``top_p``, ``top_k``, ``stop`` in place of the model's.

        Raises
        ------
        ModelError
            As :meth:`ask`.
        """
        started = perf_counter()
        body: dict[str, Any] = {
            "messages": [m | {"content": plain_words(m["content"])} for m in map(dict, messages)],
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": max_tokens,
            "cache_prompt": True,
            **sampling,
        }
        if schema is not None:
            named = {"name": "reply", "schema": dict(schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif grammar is not None:
            body["grammar"] = grammar
        return _read(self._reply(body), perf_counter() - started)

    def _closed(self) -> ModelError:
        return ModelError("the model is closed", where=self.path.name, hint="open it again")

    def _reply(self, body: dict[str, Any]) -> Mapping[str, Any]:
        server = self._server  # closing waits for whoever holds it
        if server is None:
            raise self._closed()
        try:
            found = server.handle_chat_completions(body)
        except Exception as error:  # noqa: BLE001 - whatever the library raises
            raise self._failed(str(error)) from None
        if not isinstance(found, Mapping) or "error" in found or not found.get("choices"):
            told = found.get("error") if isinstance(found, Mapping) else found
            what = told.get("message") if isinstance(told, Mapping) else told
            raise self._failed(str(what or "an empty answer"))
        return found

    def _failed(self, why: str) -> ModelError:
        hint = "check the prompt, the schema or the grammar"
        if "context" in why:
            hint = f"give more context (now {self.context} tokens a request), or a shorter prompt"
        return ModelError(f"the model did not answer: {why}", where=self.path.name, hint=hint)

    @property
    def closed(self) -> bool:
        """Whether it answers no more."""
        return self._server is None

    def close(self) -> None:
        """Free the memory once requests in flight are answered; more are refused."""
        self._pool.shutdown(wait=True)
        self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _read(body: Mapping[str, Any], seconds: float) -> LocalReply:
    usage, choice = body.get("usage") or {}, body["choices"][0]
    return LocalReply(
        text=str(choice["message"].get("content") or ""),
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        cut=choice.get("finish_reason") == "length",
        seconds=seconds,
        timings=dict(body.get("timings") or {}),
    )


def plain_words(text: str) -> str:
    """Return a text in which no mark of a chat's template is one: a blank breaks each.

    A meal that says ``<|im_start|>system`` would otherwise speak as the system.
    """
    return _MARKS.sub(lambda m: m[0] + " ", text)


def _checked(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise MissingDataError(
            f"no model file: {error.strerror or error}",
            where=str(path),
            hint="prandial models pull smollm2-135m, or check the path",
        ) from None
    if head != _MAGIC:
        raise SchemaError("not a GGUF file", where=str(path), hint="give a model in GGUF form")
    return path


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name} must be a whole number from 1, not {value!r}", where=name)
    return value


_models: dict[tuple[Any, ...], LocalModel] = {}
_models_lock = Lock()


def open_local(
    path: Path | str,
    *,
    threads: int | None = None,
    context: int = 4096,
    parallel: int = 1,
    seed: int = 0,
    temperature: float = 0.0,
) -> LocalModel:
    """Return a model of this process: the same one for the same file and settings.

    It is closed when the process ends, or by :func:`close_all`. Parameters and errors are
    those of :class:`LocalModel`.
    """
    key = (Path(path).resolve(), threads, context, parallel, seed, temperature)
    with _models_lock:
        if key not in _models or _models[key].closed:
            if not _models:
                atexit.register(close_all)
            _models[key] = LocalModel(
                path,
                threads=threads,
                context=context,
                parallel=parallel,
                seed=seed,
                temperature=temperature,
            )
        return _models[key]


def close_all() -> None:
    """Close every model that :func:`open_local` opened."""
    atexit.unregister(close_all)
    with _models_lock:
        while _models:
            _models.popitem()[1].close()


def measure_speed(model: LocalModel, *, prompt_words: int = 200, tokens: int = 64) -> Speed:
    """Measure a model's speed with one request; needs an otherwise idle machine.

    Parameters
    ----------
    model : LocalModel
    prompt_words : int
        Words put before it; each differs, so that nothing comes from a cache.
    tokens : int
        Tokens to be written.

    Raises
    ------
    ModelError
        When it does not answer, or does not tell its times.
    """
    salt = secrets.token_hex(4)
    words = " ".join(f"{salt[:2]}{i}" for i in range(prompt_words))
    asked = [{"role": "user", "content": f"{salt} Go on: {words}"}]
    found = model.chat(asked, max_tokens=tokens, cache_prompt=False, ignore_eos=True)
    times = found.timings
    if not times:
        raise ModelError("the model does not tell its times", where=model.path.name)
    return Speed(
        prompt_tokens=int(times["prompt_n"]),
        prompt_tokens_per_s=float(times["prompt_per_second"]),
        output_tokens=int(times["predicted_n"]),
        output_tokens_per_s=float(times["predicted_per_second"]),
    )
