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
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, Final, Self

from prandial.answer.ask import Request
from prandial.errors import InputError, MissingDataError, ModelError, SchemaError
from prandial.records.bench import Call

__all__ = ["LocalModel", "Speed", "close_all", "measure_speed", "open_local", "plain_words"]

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
        started = perf_counter()
        self._server: Any = self._load()
        self.load_seconds = perf_counter() - started
        self._pool = ThreadPoolExecutor(self.parallel, thread_name_prefix="local-model")

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
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.complete, request)

    __call__ = ask

    def complete(self, request: Request) -> Call:
        """Answer a request and wait for it.

        Raises
        ------
        ModelError
            As :meth:`ask`.
        """
        started = perf_counter()
        body = self._reply(self._body(request))
        return _call(request.name, body, perf_counter() - started)

    def _body(self, request: Request) -> dict[str, Any]:
        messages = [{"role": "user", "content": plain_words(request.user)}]
        if request.system:
            messages.insert(0, {"role": "system", "content": plain_words(request.system)})
        body: dict[str, Any] = {
            "messages": messages,
            "temperature": self.temperature,
            "max_tokens": request.max_tokens,
            "seed": self.seed,
            "cache_prompt": True,
        }
        if request.schema is not None:
            schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.grammar is not None:
            body["grammar"] = request.grammar
        return body

    def _reply(self, body: dict[str, Any]) -> Mapping[str, Any]:
        server = self._server  # closing waits for whoever holds it
        if server is None:
            raise ModelError("the model is closed", where=self.path.name, hint="open it again")
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

    def close(self) -> None:
        """Free the memory once requests in flight are answered; more are refused."""
        self._pool.shutdown(wait=True)
        self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _call(name: str, body: Mapping[str, Any], seconds: float) -> Call:
    usage = body.get("usage") or {}
    return Call(
        name=name,
        reply=str(body["choices"][0]["message"].get("content") or ""),
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        seconds=seconds,
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
        if key not in _models:
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
    body = model._body(Request(name="speed", user=f"{salt} Go on: {words}", max_tokens=tokens))  # noqa: SLF001
    found = model._reply(body | {"cache_prompt": False, "ignore_eos": True})  # noqa: SLF001
    times = found.get("timings")
    if not times:
        raise ModelError("the model does not tell its times", where=model.path.name)
    return Speed(
        prompt_tokens=int(times["prompt_n"]),
        prompt_tokens_per_s=float(times["prompt_per_second"]),
        output_tokens=int(times["predicted_n"]),
        output_tokens_per_s=float(times["predicted_per_second"]),
    )
