"""A run by Inspect: its models, connections, retries and log."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.answer.ask import Question
from prandial.answer.methods import Kit, Method
from prandial.bench.runner.keeping import Keeper
from prandial.bench.runner.settings import BenchSettings, split_args
from prandial.errors import InputError, MissingDataError, ModelError, PrandialError
from prandial.records.bench import RunRecord

if TYPE_CHECKING:
    from inspect_ai.model import Model

__all__ = ["LOGS", "inspect_model", "run_by_inspect"]

#: folder of Inspect's logs within a run's
LOGS: Final = "logs"
_CONNECTIONS: Final = 10
#: models in this process say themselves how many requests they take at a time
_OURS: Final = "prandial/"


def inspect_model(settings: BenchSettings) -> Model:
    """Open the model of a run.

    Raises
    ------
    MissingDataError
        When Inspect, or a package that the model needs, is not installed.
    InputError
        When there is no such model, or a key or address is not set.
    """
    try:
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.model import GenerateConfig, get_model
        from pydantic import ValidationError
    except ImportError as error:
        raise MissingDataError(
            "Inspect is not installed", where="inspect_ai", hint="pip install 'prandial[bench]'"
        ) from error
    import prandial.bench.inspect_registry  # noqa: F401 - our own providers, installed or not

    request, others = split_args(settings.model_args)
    if not settings.model:
        raise InputError(
            "no model is named", where="model", hint="such as prandial/grounded, ollama/llama3.2"
        )
    try:
        config = GenerateConfig(**{"temperature": 0, **request}, **_limits(settings))
    except ValidationError as error:
        names = ", ".join(sorted({str(e["loc"][0]) for e in error.errors()}))
        raise InputError(
            f"no such value of {names}", where="model_args", hint="such as temperature=0.6"
        ) from error
    try:
        return get_model(
            settings.model,
            config=config,
            base_url=others.pop("base_url", None),
            api_key=others.pop("api_key", None),
            memoize=False,
            **others,
        )
    except PrerequisiteError as error:
        if isinstance(error.__cause__, PrandialError):
            raise error.__cause__ from None
        raise _unopened(error, settings.model) from error
    except (ValueError, TypeError, ImportError, OSError) as error:
        raise _unopened(error, settings.model) from error


def _unopened(error: Exception, model: str) -> InputError:
    words = " ".join(re.sub(r"\[/?[a-z ]+\]", "", str(error)).split())
    return InputError(
        f"the model cannot be opened: {words}",
        where=model,
        hint="see https://inspect.aisi.org.uk/providers.html for names, keys and packages",
    )


def _limits(settings: BenchSettings) -> dict[str, Any]:
    """Return what keeps a run from going on for ever; Inspect by itself tries without end."""
    limits: dict[str, Any] = {
        "max_retries": settings.max_retries,
        "timeout": settings.timeout_s,
        "attempt_timeout": settings.attempt_timeout_s,
        "adaptive_connections": False,
    }
    if settings.max_connections is not None:
        limits["max_connections"] = settings.max_connections
    elif not settings.model.startswith(_OURS):
        limits["max_connections"] = _CONNECTIONS
    return limits


def run_by_inspect(
    model: Model,
    questions: Sequence[Question],
    method: Method,
    kit: Kit,
    record: RunRecord,
    keeper: Keeper,
    folder: Path,
) -> None:
    """Ask questions through Inspect; each answer goes to the keeper as it comes.

    Parameters
    ----------
    model : inspect_ai.model.Model
        As :func:`inspect_model` opens it.
    questions : sequence
        Those still to be asked.
    method, kit
        How they are asked.
    record : RunRecord
    keeper : Keeper
    folder : Path
        The log goes into ``logs`` within it.

    Raises
    ------
    KeyboardInterrupt
        When it was interrupted; what is answered is kept.
    ModelError
        When Inspect ended the run with an error of its own.
    """
    from inspect_ai import eval as inspect_eval

    from prandial.bench.runner.logs import metadata_of
    from prandial.bench.tasks.making import make_task

    task = make_task(
        questions,
        method,
        kit,
        name=record.benchmark,
        metadata=metadata_of(record),
        config=model.config,
        keep=keeper,
        stop=keeper.is_over,
    )
    with _quiet():
        logs = inspect_eval(
            task,
            model=model,
            display="none",
            log_dir=str(folder / LOGS),
            log_level="error",
            log_realtime=False,
            fail_on_error=False,
            score_display=False,
            ctl_server=False,
            acp_server=False,
        )
    if keeper.broken is not None:
        raise InputError(
            f"an answer cannot be written: {keeper.broken.strerror}",
            where=str(folder),
            hint="make room, and run the same command again to go on",
        )
    if keeper.heard >= len(questions) or keeper.is_over_budget():
        return
    errors = [log.error.message for log in logs if log.error is not None]
    if not errors and not any(log.status == "cancelled" for log in logs):
        errors = [s.error.message for log in logs for s in log.samples or () if s.error is not None]
    if not errors:  # Inspect keeps Ctrl-C to itself
        raise KeyboardInterrupt
    raise ModelError(
        f"Inspect ended the run: {' '.join(errors[0].split())[:300]}",
        where=record.model,
        hint="what is answered is kept; run the same command again to go on",
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Inspect's words off the terminal, and leave logging as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
