"""The queue of mappings for people: rows out as CSV or JSON lines, decisions in.

A reviewer fills ``decision`` with ``accept`` (the food named is right), ``other`` (with
``other_id``, as ``09003`` or ``sr:09003``) or ``none`` (the table has no such food).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from prandial.compose.mapping.asked import FoodMatch, Mapped
from prandial.compose.mapping.mapper import FoodMapper
from prandial.compose.queues import read_queue, write_queue
from prandial.errors import InputError, NotFoundError, SchemaError

__all__ = ["Decision", "apply_decisions", "read_decisions", "review_rows", "write_review"]

Verdict = Literal["accept", "other", "none"]
_VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
_COLUMNS: Final = (
    "name", "code", "records", "grams", "status", "flags", "table", "id", "food", "similarity",
    "lexical", "score", "alternatives", "decision", "other_id", "reviewer", "why",
)  # fmt: skip
_NEEDED: Final = ("name", "code", "table", "id", "decision", "other_id", "reviewer", "why")


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
    return write_queue(Path(path), _COLUMNS, review_rows(mapped))


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
    NotFoundError, InputError
        When there is no such file, or it has another ending.
    SchemaError
        When it is no queue, a decision is none of the three, or ``other`` names no food.
    """
    where = Path(path)
    return [
        decision
        for place, cells in read_queue(where, _NEEDED)
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
        One a food, or several that say the same.
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
    InputError
        When two decisions on a food differ.
    """
    by_food: dict[tuple[str, str], Decision] = {}
    for one in decisions:
        before = by_food.setdefault((one.name, one.code), one)
        if (before.verdict, before.food_id, before.table) != (one.verdict, one.food_id, one.table):
            raise InputError(
                f"two decisions on {one.name!r} {one.code}: {_said(before)} and {_said(one)}",
                where="decisions",
                hint="leave one of them",
            )
    known = {(m.asked.name, m.asked.code) for m in mapped}
    for (name, code), decision in by_food.items():
        if (name, code) not in known:
            raise NotFoundError(
                f"a decision on {decision.name!r} {decision.code}, which was not asked for",
                where="decisions",
                hint="use the queue of the same survey",
            )
    return [_decided(m, by_food.get((m.asked.name, m.asked.code)), mapper) for m in mapped]


def _said(decision: Decision) -> str:
    return " ".join(filter(None, (decision.verdict, decision.table, decision.food_id)))


def _decided(mapped: Mapped, decision: Decision | None, mapper: FoodMapper) -> Mapped:
    if decision is None:
        return mapped
    if decision.verdict == "none":
        return replace(mapped, match=None, by="person", flags=())
    row = mapper.table.row_of(decision.food_id, decision.table or None)
    seen = next((a for a in mapped.alternatives if a.row == row), None)
    match = seen or mapper.match(row, similarity=float("nan"))
    return replace(mapped, match=match, by="person", flags=())


def _decision(cells: Mapping[str, str], place: str) -> Decision | None:
    said = cells["decision"].casefold()
    if not said:
        return None
    verdict = next((v for v in _VERDICTS if v == said), None)
    if verdict is None:
        raise SchemaError(
            f"{said!r} is no decision",
            where=f"{place}, column decision",
            hint="one of: " + ", ".join(_VERDICTS),
        )
    table, food_id = cells["table"], cells["id"]
    if verdict == "other":
        table, _, food_id = cells["other_id"].rpartition(":")
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
        name=cells["name"],
        code=cells["code"],
        verdict=verdict,
        food_id="" if verdict == "none" else food_id.strip(),
        table="" if verdict == "none" else table.strip(),
        reviewer=cells["reviewer"],
        why=cells["why"],
    )
