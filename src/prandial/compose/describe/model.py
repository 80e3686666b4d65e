"""Descriptions by a language model: several variants in one call, one drawn, checked, repaired.

The model is any callable from a prompt to a reply, plain or async; which one it is, how it is
reached and what it costs is the caller's affair. A reply that cannot be read is a status, not
an error.
"""

from __future__ import annotations

import inspect
import json
import re
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from typing import Any, Final, Literal

from prandial.compose.describe.amounts import grams_text
from prandial.compose.describe.stating import Verification, items_to_state
from prandial.compose.describe.verify import verify_text
from prandial.errors import InputError, PrandialError
from prandial.records.composed import DescribedMeal, EatenItem, EatenMeal, ServingType

__all__ = ["ModelDescription", "Prompts", "describe_by_model", "read_variants"]

Ask = Callable[[str], str | Awaitable[str]]
Status = Literal["described", "faulty", "unreadable", "failed"]

_VARIANTS: Final = 5
#: characters of a reply that are read and kept
_LONG: Final = 100_000
#: characters of a reason that is not ours
_REASON: Final = 500
#: places of a reply at which JSON is looked for
_PLACES: Final = 500
#: what cannot be written, and marks that turn the direction of what follows
_HIDDEN: Final = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_FENCE: Final = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_FIELD: Final = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompts:
    """The two prompts; ``{{items}}``, ``{{text}}`` and the like in them are filled in."""

    describe: str
    repair: str

    @classmethod
    def shipped(cls) -> Prompts:
        """Return the prompts of the package."""
        folder = files("prandial.compose.describe") / "prompts"
        texts = [(folder / f"{n}.txt").read_text(encoding="utf-8") for n in ("describe", "repair")]
        return cls(describe=texts[0], repair=texts[1])


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelDescription:
    """What came of asking a model.

    Parameters
    ----------
    meal : EatenMeal
    status : {'described', 'faulty', 'unreadable', 'failed'}
        ``faulty`` when a text is there and still fails its verification, ``failed`` when the
        model could not be asked.
    described : DescribedMeal, optional
        None when there is no text.
    verification : Verification, optional
        Of the text.
    asked, repaired : int
        Calls made in all, and those of them that asked for a correction.
    replies : tuple of str
        As they came, but for what cannot be written and what is behind 100,000 characters.
    reason : str
        Why there is no text.
    """

    meal: EatenMeal
    status: Status
    described: DescribedMeal | None = None
    verification: Verification | None = None
    asked: int = 0
    repaired: int = 0
    replies: tuple[str, ...] = ()
    reason: str = ""


async def describe_by_model(
    meal: EatenMeal,
    ask: Ask,
    *,
    serving_type: ServingType,
    seed: int = 0,
    by: str = "model",
    variants: int = _VARIANTS,
    tries: int = 2,
    prompts: Prompts | None = None,
) -> ModelDescription:
    """Ask a model for descriptions of a meal, draw one, and have it corrected where it fails.

    The variants are put in an order that follows from the seed and the meal's id; the first
    that passes verification is taken. If none does, the first is sent back with what is wrong
    with it, at most ``tries`` times.

    Parameters
    ----------
    meal : EatenMeal
    ask : callable
        From a prompt to a reply, plain or async.
    serving_type : {'natural', 'metric'}
    seed : int
    by : str
        Name of the model, for the record.
    variants : int
        How many descriptions to ask for in one call.
    tries : int
        How many corrections to ask for at most.
    prompts : Prompts, optional
        Own prompts, such as those of a study to be repeated.

    Returns
    -------
    ModelDescription

    Raises
    ------
    InputError
        On a meal without items, or fewer than one variant.
    """
    if not meal.items or variants < 1 or tries < 0:
        raise InputError(
            "nothing to describe", where=meal.id, hint="items, variants >= 1 and tries >= 0"
        )
    texts = prompts or Prompts.shipped()
    items = _items(meal, serving_type)
    replies: list[str] = []
    status, found, reason = await _asked(
        ask, _filled(texts.describe, items=items, variants=str(variants), occasion=_at(meal)),
        replies,
    )  # fmt: skip
    if not found:
        return ModelDescription(
            meal=meal, status=status, asked=1, replies=tuple(replies), reason=reason
        )
    due = items_to_state(meal, serving_type)
    order = _drawn(found, zlib.crc32(f"{seed}|{meal.id}|{serving_type}".encode()))
    checked = [verify_text(t, due) for t in order]
    best = next((v for v in checked if v.passed), checked[0])
    repaired = 0
    while not best.passed and repaired < tries:
        repaired += 1
        faults = "\n".join(f"- {' '.join(r.split())}" for r in best.reasons)
        prompt = _filled(texts.repair, items=items, text=best.text, faults=faults)
        _, again, reason = await _asked(ask, prompt, replies)
        if again:
            new = verify_text(again[0], due)
            best = new if new.passed or len(new.faults) <= len(best.faults) else best
    names = tuple(i.name for i in meal.items)
    described = DescribedMeal(
        meal=meal,
        serving_type=serving_type,
        text=best.text,
        names=names,
        amounts=tuple(_amount(i, serving_type) for i in meal.items),
        variants=tuple(t for t in order if t != best.text),
        by=by,
    )
    return ModelDescription(
        meal=meal,
        status="described" if best.passed else "faulty",
        described=described,
        verification=best,
        asked=1 + repaired,
        repaired=repaired,
        replies=tuple(replies),
        reason=reason if not best.passed else "",
    )


async def _asked(ask: Ask, prompt: str, replies: list[str]) -> tuple[Status, list[str], str]:
    """Ask once: a status, the texts read, and why there are none."""
    try:
        reply = ask(prompt)
        if inspect.isawaitable(reply):
            reply = await reply
    except PrandialError as error:
        return "failed", [], str(error)
    except Exception as error:  # noqa: BLE001 - whatever the callable does, the meal is kept
        return "failed", [], f"{type(error).__name__}: {error}"[:_REASON]
    said = str(reply)
    replies.append(_HIDDEN.sub("", said[:_LONG]))
    if len(said) > _LONG:
        return "unreadable", [], f"a reply of {len(said)} characters, more than {_LONG}"
    found = read_variants(said)
    return ("described", found, "") if found else ("unreadable", [], "no descriptions in the reply")


def read_variants(reply: str) -> list[str]:
    """Return the descriptions of a reply, none when it cannot be read.

    Read are an object with ``descriptions`` (a list of texts, or of objects with a
    ``description``) and a bare list, alone, in a code fence, or behind other words; of a long
    reply the first 100,000 characters. Control signs in them are dropped.
    """
    reply = reply[:_LONG]
    for piece in (*_FENCE.findall(reply), reply):
        for found_at in islice(re.finditer(r"[\[{]", piece), _PLACES):
            try:
                body, _ = json.JSONDecoder().raw_decode(piece, found_at.start())
            except (ValueError, RecursionError):
                continue
            found = _texts(body)
            if found:
                return found
    return []


def _texts(body: Any) -> list[str]:
    if isinstance(body, dict):
        body = body.get("descriptions", body.get("description"))
    if isinstance(body, str):
        body = [body]
    if not isinstance(body, list):
        return []
    texts = [b.get("description", b.get("text")) if isinstance(b, dict) else b for b in body]
    plain = [" ".join(_HIDDEN.sub("", t).split()) for t in texts if isinstance(t, str)]
    return [t for t in dict.fromkeys(plain) if t]


def _drawn(found: Sequence[str], start: int) -> list[str]:
    """Return texts in an order drawn by a number."""
    keys = [(zlib.crc32(b"%d" % k, start) * 2654435761 % (1 << 32), k) for k in range(len(found))]
    return [found[k] for _, k in sorted(keys)]


def _amount(item: EatenItem, serving_type: ServingType) -> str:
    if serving_type == "natural" and item.serving is not None:
        return item.serving.text
    return f"{grams_text(item.grams)} g"


def _items(meal: EatenMeal, serving_type: ServingType) -> str:
    rows = [{"food": i.name, "amount": _amount(i, serving_type)} for i in meal.items]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _at(meal: EatenMeal) -> str:
    said = " ".join(re.findall(r"[a-z]+", meal.occasion.lower()))
    return f" ({said})" if said else ""


def _filled(prompt: str, **fields: str) -> str:
    """Fill the fields of a prompt in one pass, so that no field is read within another."""
    return _FIELD.sub(lambda m: fields.get(m.group(1), m.group()), prompt)
