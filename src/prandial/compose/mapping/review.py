"""The queue of mappings for people: rows out as CSV or JSON lines, decisions in.

A reviewer fills ``decision`` with ``accept`` (the food named is right), ``other`` (with
``other_id``, as ``09003`` or ``sr:09003``) or ``none`` (the table has no such food).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from prandial.compose.mapping.asked import FoodMatch, Mapped
from prandial.compose.mapping.mapper import FoodMapper
from prandial.errors import InputError, NotFoundError, SchemaError

__all__ = ["Decision", "apply_decisions", "read_decisions", "review_rows", "write_review"]

Verdict = Literal["accept", "other", "none"]
_VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
_COLUMNS: Final = (
    "name", "code", "records", "grams", "status", "flags", "table", "id", "food", "similarity",
    "lexical", "score", "alternatives", "decision", "other_id", "reviewer", "why",
)  # fmt: skip
_NEEDED: Final = ("name", "code", "id", "decision", "other_id")
_ENDINGS: Final = (".csv", ".jsonl")


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What a person said of a mapping.

    Parameters
    ----------
    name, code : str
        Of the food asked for.
    verdict : {'accept', 'other', 'none'}
    food_id : str
        The food meant, empty for ``none``.
    table : str
        Of that food, empty for any.
    reviewer, why : str
    """

    name: str
    code: str
    verdict: Verdict
    food_id: str = ""
    table: str = ""
    reviewer: str = ""
    why: str = ""


def review_rows(mapped: Iterable[Mapped]) -> list[dict[str, Any]]:
    """Return the rows of a queue: what needs a look first, then by how often it was eaten.

    Parameters
    ----------
    mapped : iterable of Mapped

    Returns
    -------
    list of dict
        One a food; numbers rounded, unknown ones None; the reviewer's columns empty.
    """
    ordered = sorted(mapped, key=lambda m: (not (m.flags or m.match is None), -m.asked.records))
    return [_row(m) for m in ordered]


def _row(mapped: Mapped) -> dict[str, Any]:
    best = mapped.match or (mapped.alternatives[0] if mapped.alternatives else None)
    asked = mapped.asked
    status = "mapped" if mapped.match else "unmapped"
    return {
        "name": asked.name,
        "code": asked.code,
        "records": asked.records,
        "grams": None if asked.grams is None else round(asked.grams, 1),
        "status": f"{status} by {mapped.by}",
        "flags": "; ".join(mapped.flags),
        "table": best.source.table if best else "",
        "id": best.source.id if best else "",
        "food": best.name if best else "",
        "similarity": round(best.similarity, 3) if best and best.similarity > -2 else None,
        "lexical": round(best.lexical, 3) if best else None,
        "score": round(best.score, 3) if best else None,
        "alternatives": " | ".join(_short(a) for a in mapped.alternatives[1:]),
        "decision": "",
        "other_id": "",
        "reviewer": "",
        "why": "",
    }


def _short(match: FoodMatch) -> str:
    return f"{match.source.table}:{match.source.id} {match.name} ({match.score:.2f})"


def write_review(mapped: Iterable[Mapped], path: Path | str) -> int:
    """Write the queue of mappings.

    Parameters
    ----------
    mapped : iterable of Mapped
    path : Path or str
        ``.csv``, or ``.jsonl`` for one JSON object a line.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        On another ending, or when the file cannot be written.
    """
    where = Path(path)
    kind = _kind(where)
    rows = review_rows(mapped)
    try:
        with where.open("w", encoding="utf-8", newline="") as file:
            if kind == ".jsonl":
                file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
            else:
                writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows({k: _safe(v) for k, v in r.items()} for r in rows)
    except OSError as error:
        raise InputError(
            "the queue cannot be written", where=str(where), hint=error.strerror or ""
        ) from error
    return len(rows)


def read_decisions(path: Path | str) -> list[Decision]:
    """Read the decisions that were filled into a queue; rows without one are passed over.

    Parameters
    ----------
    path : Path or str
        As written by :func:`write_review`.

    Returns
    -------
    list of Decision

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When it is no queue, a decision is none of the three, or ``other`` names no food.
    """
    where = Path(path)
    return [
        decision
        for place, cells in _read(where)
        for decision in [_decision(cells, f"{where}, {place}")]
        if decision is not None
    ]


def apply_decisions(
    mapped: Sequence[Mapped], decisions: Iterable[Decision], mapper: FoodMapper
) -> list[Mapped]:
    """Let decisions of people stand over the model's mappings.

    Parameters
    ----------
    mapped : sequence of Mapped
    decisions : iterable of Decision
        The last one on a food holds.
    mapper : FoodMapper
        Its table must have the foods that are named.

    Returns
    -------
    list of Mapped
        In the same order.

    Raises
    ------
    NotFoundError
        When a decision names a food that the table does not have, or is on none of ``mapped``.
    """
    by_food = {(d.name, d.code): d for d in decisions}
    known = {(m.asked.name, m.asked.code) for m in mapped}
    for (name, code), decision in by_food.items():
        if (name, code) not in known:
            raise NotFoundError(
                f"a decision on {decision.name!r} {decision.code}, which was not asked for",
                where="decisions",
                hint="use the queue of the same survey",
            )
    return [_decided(m, by_food.get((m.asked.name, m.asked.code)), mapper) for m in mapped]


def _decided(mapped: Mapped, decision: Decision | None, mapper: FoodMapper) -> Mapped:
    if decision is None:
        return mapped
    if decision.verdict == "none":
        return replace(mapped, match=None, by="person", flags=())
    row = mapper.table.row_of(decision.food_id, decision.table or None)
    seen = next((a for a in mapped.alternatives if a.row == row), None)
    match = seen or mapper.match(row, similarity=float("nan"))
    return replace(mapped, match=match, by="person", flags=())


def _decision(cells: Mapping[str, Any], place: str) -> Decision | None:
    said = _text(cells, "decision").casefold()
    if not said:
        return None
    verdict = next((v for v in _VERDICTS if v == said), None)
    if verdict is None:
        raise SchemaError(
            f"{said!r} is no decision",
            where=f"{place}, column decision",
            hint="one of: " + ", ".join(_VERDICTS),
        )
    table, food_id = _text(cells, "table"), _text(cells, "id")
    if verdict == "other":
        table, _, food_id = _text(cells, "other_id").rpartition(":")
        if not food_id.strip():
            raise SchemaError(
                "no food is named",
                where=f"{place}, column other_id",
                hint="an id of the table, such as 09003 or sr:09003",
            )
    if verdict == "accept" and not food_id:
        raise SchemaError(
            "nothing to accept", where=f"{place}, column id", hint="other with an id, or none"
        )
    return Decision(
        name=_text(cells, "name"),
        code=_text(cells, "code"),
        verdict=verdict,
        food_id="" if verdict == "none" else food_id.strip(),
        table="" if verdict == "none" else table.strip(),
        reviewer=_text(cells, "reviewer"),
        why=_text(cells, "why"),
    )


def _read(path: Path) -> list[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    kind = _kind(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if kind == ".csv":
                rows: list[Any] = list(csv.DictReader(file))
            else:
                rows = [json.loads(line) for line in file if line.strip()]
    except (ValueError, csv.Error) as error:
        raise SchemaError(
            "not readable as a queue", where=str(path), hint=f"save it as UTF-8 {kind}: {error}"
        ) from error
    for number, cells in enumerate(rows, start=1):
        missing = [c for c in _NEEDED if not isinstance(cells, dict) or cells.get(c) is None]
        if missing:
            raise SchemaError(
                f"no {', '.join(missing)}",
                where=f"{path}, row {number}",
                hint="fill the queue as it was written, with all its columns",
            )
    return [(f"row {n}", cells) for n, cells in enumerate(rows, start=1)]


def _kind(path: Path) -> str:
    if path.suffix.lower() not in _ENDINGS:
        raise InputError(f"no queue file: {path.name}", where=str(path), hint=".csv or .jsonl")
    return path.suffix.lower()


def _safe(cell: object) -> object:
    """Keep a spreadsheet from taking a text for a formula; empty for unknown."""
    if cell is None:
        return ""
    text = cell if isinstance(cell, str) else ""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "'") else cell


def _text(cells: Mapping[str, Any], name: str) -> str:
    text = str(cells.get(name) or "").strip()
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@", "''") else text
