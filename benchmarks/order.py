"""Items of a sentence in another order, where the split is safe.

A sentence is split where a comma or "and" is followed by an amount ("a", "two",
"120 g"). What stands before the first amount stays in front, closing wording
("for lunch") stays behind. A sentence is left alone when a word such as "each",
"which" or "them" ties its parts together, when brackets or colons are in it, or
when a part that is not the last holds "with", "on" or the like, since it could
govern what follows.
"""

from __future__ import annotations

import random
import re

from benchmarks.words import NUMBER, word_list

__all__ = ["reorder"]

_AMOUNT = rf"(?:{NUMBER})(?=[\s-]*[A-Za-z½¼¾])"
_JOINT = re.compile(rf"(?:,\s+and\s+|,\s+|\s+and\s+)(?={_AMOUNT}[\s-])", re.IGNORECASE)
_FIRST = re.compile(rf"(?<![\w'])(?={_AMOUNT}[\s-])", re.IGNORECASE)
_CLOSING = re.compile(
    r"[,\s]+(?:for|at|during|as|this|today|yesterday|in the)\s[^,]*$|[,\s]+(?:today|yesterday)$",
    re.IGNORECASE,
)
_OCCASION = re.compile(r"^(?:for|at|during|as|in)\b[^,]*,\s*", re.IGNORECASE)


def _swapped(sentence: str, rng: random.Random) -> str:
    words = set(re.findall(r"[a-z']+", sentence.lower()))
    if words & word_list("unsafe") or re.search(r"[():;\[\]]", sentence):
        return sentence
    stop = re.search(r"[.!?\s]*$", sentence)
    tail = stop[0] if stop else ""
    body = sentence[: len(sentence) - len(tail)]
    opening = _OCCASION.match(body)
    first = _FIRST.search(body, opening.end() if opening else 0)
    if first is None:
        return sentence
    lead, rest = body[: first.start()], body[first.start() :]
    closing = _CLOSING.search(rest)
    end = closing[0] if closing else ""
    parts = _JOINT.split(rest[: len(rest) - len(end)])
    tied = [bool(set(re.findall(r"[a-z]+", p.lower())) & _governing()) for p in parts]
    free = parts[:-1] if tied[-1] else parts
    if len(free) < 2 or any(tied[: len(free)]):
        return sentence
    shuffled = free[:]
    while shuffled == free:
        rng.shuffle(shuffled)
        if len(set(free)) == 1:
            return sentence
    parts = shuffled + parts[len(free) :]
    listed = (
        " and ".join(parts) if len(parts) == 2 else ", ".join(parts[:-1]) + ", and " + parts[-1]
    )
    return lead + listed + end + tail


def _governing() -> frozenset[str]:
    return word_list("with") - {"of"}


def reorder(text: str, rng: random.Random) -> str:
    """Name the items of each sentence in another order, where that is safe."""
    pieces = re.split(r"(?<=[.!?])(?=\s+[A-Z])", text)
    return "".join(_swapped(p, rng) for p in pieces)
