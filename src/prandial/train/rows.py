"""Chat-format rows: a conversation whose last turn is what is learned."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.errors import MissingDataError, SchemaError

__all__ = ["ChatRows", "read_chat_rows"]

_ROLES: Final = ("system", "user", "assistant")


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatRows:
    """Rows of a file.

    Parameters
    ----------
    path : Path
    sha256 : str
        Of the whole file.
    rows : tuple of mapping
        ``prompt`` and ``completion``: turns with ``role`` and ``content``.
    """

    path: Path
    sha256: str
    rows: tuple[Mapping[str, list[dict[str, str]]], ...]


def read_chat_rows(path: Path, *, limit: int | None = None) -> ChatRows:
    """Read JSON lines with ``messages``.

    Parameters
    ----------
    path : Path
    limit : int, optional
        Only the first so many.

    Raises
    ------
    MissingDataError
        When the file is not there.
    SchemaError
        On a line that is no conversation ending with the assistant: names it.
    """
    if not path.is_file():
        raise MissingDataError(
            "no rows to learn from", where=str(path), hint="prandial finetune rows --out DIR"
        )
    digest = hashlib.sha256()
    rows: list[Mapping[str, list[dict[str, str]]]] = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            digest.update(line)
            if limit is None or len(rows) < limit:
                rows.append(_row(line, f"{path}, line {number}"))
    if not rows:
        raise SchemaError("no rows", where=str(path), hint="one conversation a line")
    return ChatRows(path=path, sha256=digest.hexdigest(), rows=tuple(rows))


def _row(line: bytes, where: str) -> Mapping[str, list[dict[str, str]]]:
    try:
        messages: Any = json.loads(line)["messages"]
        turns = [{"role": m["role"], "content": m["content"]} for m in messages]
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError(
            "not a conversation", where=where, hint='{"messages": [{"role": ..., "content": ...}]}'
        ) from error
    sound = all(t["role"] in _ROLES and isinstance(t["content"], str) for t in turns)
    if len(turns) < 2 or not sound or turns[-1]["role"] != "assistant":
        raise SchemaError(
            "the last turn is not the assistant's", where=where, hint="roles: " + ", ".join(_ROLES)
        )
    return {"prompt": turns[:-1], "completion": turns[-1:]}
