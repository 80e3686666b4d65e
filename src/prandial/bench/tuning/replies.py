"""What a model says to the meals of a benchmark, kept so that the bench scores it.

The file has ``id`` and ``reply``, one line a meal: ``prandial bench run nutribench --model
prandial/replay -M file=FILE`` with the same data and choice of meals reads and scores it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from prandial.answer.meals import METHODS
from prandial.answer.texts import Prompts
from prandial.bench.questions import Asked
from prandial.bench.tuning.teaching import TEACHABLE, turns_of
from prandial.errors import InputError, SchemaError
from prandial.records.bench import MealQuestion

__all__ = ["record_replies"]

#: conversations to replies, in their order
Reply = Callable[[Sequence[Sequence[tuple[str, str]]]], Sequence[str]]


def record_replies(
    asked: Asked,
    out: Path,
    *,
    reply: Reply,
    method: str = "base",
    prompts: Prompts | None = None,
    batch: int = 8,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int]:
    """Put meals before a model and write what it says; what is there already is not asked again.

    Parameters
    ----------
    asked : Asked
        Of :func:`prandial.bench.questions.meal_questions`.
    out : Path
        JSON lines.
    reply : callable
        The model: conversations to replies.
    method : str
        Of :data:`prandial.bench.tuning.TEACHABLE`.
    prompts : Prompts, optional
    batch : int
        Meals at a time.
    progress : callable, optional
        Hears how many of how many are done.

    Returns
    -------
    dict
        ``asked`` now, ``kept`` from before.
    """
    if method not in TEACHABLE:
        raise InputError(
            f"method {method!r} takes several requests, or none",
            where="method",
            hint="one of: " + ", ".join(TEACHABLE),
        )
    meals = [q for q in asked.questions if isinstance(q, MealQuestion)]
    done = _done(out)
    left = [q for q in meals if q.id not in done]
    kept = len(meals) - len(left)
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8", newline="\n") as lines:
        for start in range(0, len(left), batch):
            some = left[start : start + batch]
            turns = [
                turns_of(METHODS[method], nutrient=q.nutrient, prompts=prompts or Prompts())(q.text)
                for q in some
            ]
            for question, said in zip(some, reply(turns), strict=True):
                row: dict[str, Any] = {"id": question.id, "reply": said}
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
            lines.flush()
            if progress is not None:
                progress(kept + start + len(some), len(meals))
    return {"asked": len(left), "kept": kept}


def _done(path: Path) -> set[str]:
    if not path.exists():
        return set()
    found = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.add(str(json.loads(line)["id"]))
        except (ValueError, KeyError, TypeError) as error:
            raise SchemaError(
                "not a line of replies", where=f"{path}, line {number}", hint="name another file"
            ) from error
    return found
