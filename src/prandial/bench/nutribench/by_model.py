"""Descriptions by a language model: every reply kept, a stopped build goes on, nothing lost.

``described.jsonl`` in the build's folder holds what came of each meal, as it comes: replies,
the text, what the verifier says. A text that fails stays out of the build and goes into the
queue of ``prandial nutribench review export``; a meal that could not be asked about is asked
about again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prandial.bench.nutribench.parts import Serving, serving_types
from prandial.bench.runner.harness import inspect_model
from prandial.bench.runner.settings import BenchSettings, public_args
from prandial.compose.describe import ModelDescription, Prompts, describe_by_model
from prandial.compose.written import JOURNAL, meal_of, row_of
from prandial.errors import InputError, ModelError, PrandialError, SchemaError
from prandial.records.composed import DescribedMeal, EatenMeal, ServingType

__all__ = ["ByModel", "describe_all", "read_journal"]

Ask = Callable[[str], str | Awaitable[str]]
_AT_ONCE: Final = 8
_MOST_VARIANTS: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class ByModel:
    """Which model describes, and how it is asked.

    Parameters
    ----------
    model : str
        Of Inspect, such as ``prandial/local`` or ``openai-api/local/qwen``.
    model_args : mapping
        Such as ``name``, ``temperature``, ``base_url``.
    variants : int
        Descriptions asked for in one call; one of them is drawn.
    tries : int
        Corrections asked for at most.
    prompts : mapping
        ``describe`` or ``repair`` -> the file in its place.
    connections : int
        Requests at a time.
    ask : callable, optional
        From a prompt to a reply, plain or async, in place of a model of Inspect.
    """

    model: str
    model_args: Mapping[str, Any] = field(default_factory=dict)
    variants: int = 5
    tries: int = 2
    prompts: Mapping[str, Path] = field(default_factory=dict)
    connections: int = _AT_ONCE
    ask: Ask | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.variants <= _MOST_VARIANTS:
            raise InputError(
                f"{self.variants} variants", where="variants", hint=f"1 to {_MOST_VARIANTS}"
            )
        if self.tries < 0 or self.connections < 1:
            raise InputError("too few", where="tries, connections", hint="0 and 1 or more")
        odd = sorted(set(self.prompts) - {"describe", "repair"})
        if odd:
            raise InputError(
                f"no prompt {odd[0]!r}", where="prompts", hint="describe=FILE, repair=FILE"
            )

    def texts(self) -> Prompts:
        """Return the prompts, own ones in place of ours."""
        ours = Prompts.shipped()
        said = {"describe": ours.describe, "repair": ours.repair}
        for name, path in self.prompts.items():
            try:
                said[name] = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(
                    "the prompt cannot be read", where=str(path), hint="a text file in UTF-8"
                ) from error
        return Prompts(**said)

    def arguments(self) -> dict[str, Any]:
        """Return what decides the descriptions, without addresses and keys."""
        texts = self.texts()
        return {
            "model": self.model,
            "model_args": public_args(self.model_args, sampled=True),
            "variants": self.variants,
            "tries": self.tries,
            "prompts_sha256": {
                name: hashlib.sha256(text.encode()).hexdigest()
                for name, text in (("describe", texts.describe), ("repair", texts.repair))
            },
        }

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Ask]:
        """Open the model; gives what asks it once."""
        if self.ask is not None:
            yield self.ask
            return
        settings = BenchSettings(
            benchmark="nutribench", model=self.model, data="", model_args=self.model_args
        )
        async with inspect_model(settings) as model:

            async def ask(prompt: str) -> str:
                try:
                    output = await model.generate(prompt)
                except PrandialError:
                    raise
                except Exception as error:  # whatever a provider's own library throws
                    words = " ".join(str(error).split())[:300] or type(error).__name__
                    raise ModelError(words, where=self.model) from error
                if output.error:
                    raise ModelError(output.error, where=self.model)
                return output.completion

            yield ask


def describe_all(
    meals: Sequence[EatenMeal],
    by: ByModel,
    folder: Path,
    *,
    serving: Serving,
    seed: int,
    hear: Callable[[str, int, int], object] | None = None,
) -> tuple[list[DescribedMeal], dict[str, Any]]:
    """Describe meals by a model, going on where an earlier call stopped.

    Parameters
    ----------
    meals : sequence of EatenMeal
    by : ByModel
    folder : Path
        Holds the journal.
    serving : {'natural', 'metric', 'both'}
    seed : int
    hear : callable, optional
        Told ``(what, number, of)``.

    Returns
    -------
    described : list of DescribedMeal
        Those that pass, in the order of the meals.
    notes : dict
        How many came to what.

    Raises
    ------
    InputError
        When the journal is of another build.
    ModelError
        When the model failed at every meal that was asked about.
    """
    asked = [(meal, kind) for meal in meals for kind in serving_types(serving)]
    head = {"seed": seed, "serving": serving, **by.arguments()}
    path = folder / JOURNAL
    known = _resumed(path, head)
    left = [(m, k) for m, k in asked if _id(m, k) not in known]
    if left:
        _run(_ask_all(left, by, path, known, seed, hear))
    rows = [known[_id(m, k)] for m, k in asked]
    told = Counter(r["status"] for r in rows)
    failed = [
        known[_id(m, k)]["reason"] for m, k in asked if known[_id(m, k)]["status"] == "failed"
    ]
    if failed and len(failed) == len(asked):
        raise ModelError(
            f"the model gave no reply to any of {len(asked)} meals: {failed[0]}",
            where=by.model,
            hint="see that it runs; the same command goes on",
        )
    passed = [meal_of(r["row"], r["id"]) for r in rows if r["status"] == "described"]
    if not passed:
        raise ModelError(
            f"none of {len(rows)} descriptions passes its verification",
            where=by.model,
            hint=f"see the reasons in {path}; ask another model",
        )
    return passed, {
        "described": {s: told[s] for s in ("described", "faulty", "unreadable", "failed")},
        "calls": sum(r["asked"] for r in rows),
        "corrections": sum(r["repaired"] for r in rows),
        "passed_at_once": sum(r["status"] == "described" and not r["repaired"] for r in rows),
    }


def _run(asking: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(asking)
    except ExceptionGroup as group:
        first = group.exceptions[0]
        if isinstance(first, OSError):
            raise InputError(
                f"what was answered cannot be written: {first.strerror}",
                where=str(first.filename or JOURNAL),
                hint="make room, and run the same command again to go on",
            ) from group
        raise first from group


async def _ask_all(
    left: Sequence[tuple[EatenMeal, ServingType]],
    by: ByModel,
    path: Path,
    known: dict[str, dict[str, Any]],
    seed: int,
    hear: Callable[[str, int, int], object] | None,
) -> None:
    texts, gate, done = by.texts(), asyncio.Semaphore(by.connections), 0
    with path.open("a", encoding="utf-8") as journal:
        async with by.opened() as ask, asyncio.TaskGroup() as group:

            async def one(meal: EatenMeal, kind: ServingType) -> None:
                nonlocal done
                async with gate:
                    found = await describe_by_model(
                        meal,
                        ask,
                        serving_type=kind,
                        seed=seed,
                        by=by.model,
                        variants=by.variants,
                        tries=by.tries,
                        prompts=texts,
                    )
                entry = _entry(_id(meal, kind), found, seed)
                known[entry["id"]] = entry
                journal.write(json.dumps(entry, ensure_ascii=False) + "\n")
                journal.flush()
                done += 1
                if hear is not None:
                    hear(by.model, done, len(left))

            for meal, kind in left:
                group.create_task(one(meal, kind))


def _id(meal: EatenMeal, kind: ServingType) -> str:
    return f"{meal.id}#{kind}"


def _entry(name: str, found: ModelDescription, seed: int) -> dict[str, Any]:
    verified = found.verification
    return {
        "id": name,
        "status": found.status,
        "reason": found.reason,
        "faults": list(verified.reasons) if verified else [],
        "asked": found.asked,
        "repaired": found.repaired,
        "replies": list(found.replies),
        "row": row_of(found.described, seed=seed) if found.described else None,
    }


def _resumed(path: Path, head: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what is known already; begins the journal where there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(head, ensure_ascii=False) + "\n", encoding="utf-8")
        return {}
    there, entries = _read(path)
    if there != json.loads(json.dumps(head)):
        other = sorted(k for k in {*there, *head} if there.get(k) != head.get(k))
        raise InputError(
            f"the folder holds descriptions of another build ({', '.join(other)})",
            where=str(path),
            hint="name a new folder, or give the same arguments to go on",
        )
    return {k: e for k, e in entries.items() if e["status"] != "failed"}


def _read(path: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    lines = path.read_bytes().split(b"\n")
    if lines[-1]:  # cut while it was written: that meal is asked about again
        path.write_bytes(b"\n".join([*lines[:-1], b""]))
    try:
        head = json.loads(lines[0])
        entries = {e["id"]: e for e in map(json.loads, filter(None, lines[1:-1])) if e["status"]}
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError(
            "not a journal of descriptions", where=str(path), hint="name a new folder"
        ) from error
    return head, entries


def read_journal(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what came of each meal that a model was asked about, none without a journal.

    Raises
    ------
    SchemaError
        When it is damaged.
    """
    path = folder / JOURNAL
    if path.is_file():
        yield from _read(path)[1].values()
