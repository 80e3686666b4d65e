"""A set as files: chat-format JSON lines and Parquet of each part, the same bytes every time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from prandial.compose.tuning.answers import AnswerForm, dictionary, total, worked
from prandial.compose.tuning.rows import TuningPart, TuningRow
from prandial.errors import InputError

__all__ = ["COLUMNS", "Taught", "Turns", "write_tuning"]

#: a meal's text to the turns a model is asked with: role and text, the last one the user's
Turns = Callable[[str], Sequence[tuple[str, str]]]
#: column -> SQL type
COLUMNS: Final = {
    "id": "VARCHAR",
    "messages": "STRUCT(role VARCHAR, content VARCHAR)[]",
    "method": "VARCHAR",
    "kind": "VARCHAR",
    "serving_type": "VARCHAR",
    "text": "VARCHAR",
    "answer": "DOUBLE",
    "exact": "DOUBLE",
    "nutrient": "VARCHAR",
    "foods": "VARCHAR[]",
    "names": "VARCHAR[]",
    "grams": "DOUBLE[]",
    "per_100g": "DOUBLE[]",
}
_PARTS: Final[tuple[TuningPart, ...]] = ("train", "valid")


@dataclass(frozen=True, kw_only=True, slots=True)
class Taught:
    """How one method asks, and what it is answered with.

    Parameters
    ----------
    method : str
        Of the benchmark, such as ``base``.
    turns : callable
        A meal's text to the turns of the method's own prompt.
    reply : {'dictionary', 'worked'}
        The dictionary alone, or the steps before it.
    """

    method: str
    turns: Turns
    reply: Literal["dictionary", "worked"]


def write_tuning(
    rows: Sequence[TuningRow],
    folder: Path,
    *,
    taught: Sequence[Taught],
    form: AnswerForm,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Write the rows of each part as ``PART.jsonl`` and ``PART.parquet``.

    Each row is asked by one of the methods, drawn by a keyed hash.

    Parameters
    ----------
    rows : sequence of TuningRow
    folder : Path
        Made when it is missing; files of the same names are written over.
    taught : sequence of Taught
    form : AnswerForm
    seed : int

    Returns
    -------
    dict
        File name to ``rows``, ``bytes``, ``sha256``.

    Raises
    ------
    InputError
        When no method is given, or the folder cannot be written.
    """
    if not taught:
        raise InputError("no method to teach", where="method", hint="such as base or cot")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "the folder cannot be made", where=str(folder), hint=error.strerror or ""
        ) from error
    files: dict[str, dict[str, Any]] = {}
    for part in _PARTS:
        mine = [r for r in rows if r.part == part]
        lines, table = folder / f"{part}.jsonl", folder / f"{part}.parquet"
        with lines.open("w", encoding="utf-8", newline="\n") as out:
            for row in mine:
                chosen = taught[_draw(f"{seed}|method|{row.id}", len(taught))]
                out.write(json.dumps(_cells(row, chosen, form), ensure_ascii=False) + "\n")
        _parquet(lines, table)
        for path in (lines, table):
            files[path.name] = _told(path, len(mine))
    return files


def _draw(key: str, choices: int) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) % choices


def _cells(row: TuningRow, taught: Taught, form: AnswerForm) -> Mapping[str, Any]:
    say = worked if taught.reply == "worked" else dictionary
    turns = [*taught.turns(row.text), ("assistant", say(row.items, form))]
    return {
        "id": row.id,
        "messages": [{"role": role, "content": text} for role, text in turns],
        "method": taught.method,
        "kind": row.kind,
        "serving_type": row.serving_type,
        "text": row.text,
        "answer": float(total(row.items, form)),
        "exact": row.exact(form.nutrient),
        "nutrient": form.nutrient,
        "foods": [f"{i.food.release}:{i.food.id}" for i in row.items],
        "names": [i.name for i in row.items],
        "grams": [i.grams for i in row.items],
        "per_100g": [i.per_100g[form.nutrient] for i in row.items],
    }


def _parquet(lines: Path, table: Path) -> None:
    import duckdb

    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS.items())
    quoted = {p: "'" + str(p).replace("'", "''") + "'" for p in (lines, table)}
    try:
        with duckdb.connect(config={"threads": 1, "memory_limit": "600MB"}) as con:
            con.execute(
                f"COPY (SELECT * FROM read_json({quoted[lines]}, format = 'newline_delimited',"  # noqa: S608
                f" columns = {{{columns}}})) TO {quoted[table]}"
                " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20000)"
            )
    except duckdb.Error as error:
        raise InputError(
            "the Parquet file could not be written",
            where=str(table),
            hint=str(error).splitlines()[0],
        ) from error


def _told(path: Path, rows: int) -> dict[str, Any]:
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(1 << 20):
            digest.update(block)
    return {"rows": rows, "bytes": path.stat().st_size, "sha256": digest.hexdigest()}
