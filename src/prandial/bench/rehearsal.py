"""A method tried on one question with made-up replies: what cannot be meant is told at once.

A setting that is out of bounds, a prompt file that asks for what there is not, or a merged
question without the graph of all would else fail every question of a run, one by one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from prandial.answer.ask import Question, Request
from prandial.answer.methods import Kit, Method
from prandial.errors import InputError
from prandial.records.bench import Call

__all__ = ["MERGED_GRAPH", "graph_of_data", "made_up", "rehearse"]

#: folder of a merged build that holds the graph of all
MERGED_GRAPH: Final = "graph"
#: errors about what the user chose, by where they are
_CHOICES: Final = ("method option", "option", "prompt", "graph")


def graph_of_data(data: str | Path, mode: str, given: str | Path) -> str | Path:
    """Return the merged graph that is given, else the one that lies in a merged build."""
    own = Path(data) / MERGED_GRAPH
    return given or (own if mode == "merged" and own.is_dir() else "")


def rehearse(method: Method, questions: Sequence[Question], kit: Kit) -> None:
    """Run a method on the first question; no model is asked.

    Raises
    ------
    InputError
        On settings, prompts or a graph that the method cannot use. Any other error is left to
        the run, since a made-up reply may lead nowhere.
    """
    if not questions or not method.asks:
        return

    async def ask(request: Request) -> Call:
        return made_up(request)

    async def once() -> None:
        await method.run(questions[0], ask, kit)

    try:
        with ThreadPoolExecutor(1) as apart:  # Inspect makes tasks within a loop of its own
            apart.submit(lambda: asyncio.run(once())).result()
    except InputError as error:
        if any(error.where == w or error.where.startswith(f"{w} ") for w in _CHOICES):
            raise
    except Exception:  # noqa: BLE001 - the run tells it, question by question
        return


def made_up(request: Request) -> Call:
    """Return a reply as small as the request's schema allows."""
    reply = _instance(request.schema) if request.schema is not None else ""
    return Call(name=request.name, reply=json.dumps(reply) if reply else "0")


def _instance(schema: Mapping[str, Any]) -> Any:
    """Return a small value that a JSON schema allows."""
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {k: _instance(s) for k, s in schema.get("properties", {}).items()}
    if kind == "array":
        return [_instance(schema.get("items", {}))] * max(1, int(schema.get("minItems", 1)))
    if kind in ("number", "integer"):
        return schema.get("minimum", 1)
    return kind == "boolean" or "rice"
