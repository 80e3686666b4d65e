"""Food names of tables as people say them: turned round, shortened, with brands.

"Milk, reduced fat (2%)" becomes "reduced fat milk", "2% milk" or "milk". What
is dropped and how often is a house convention (``Wording``), not a fit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

__all__ = ["AFTER", "SCOPE", "Wording", "mistyped", "spoken_name"]

SCOPE: Final = re.compile(
    r"^(nfs|ns|ns as to .*|not further specified|other|all types|any .*|includes? .*)$",
    re.IGNORECASE,
)
_SCOPE_WORD: Final = re.compile(r"\b(NFS|NS|not)\b|\bor\b")
_BRACKET: Final = re.compile(r"\s*\(([^()]*)\)")
AFTER: Final = (
    "with ",
    "without ",
    "made ",
    "from ",
    "in ",
    "on ",
    "no ",
    "as ",
    "prepared ",
    "and ",
    "for ",
    "cooked with",
    "added ",
    "separable ",
    "trimmed ",
    "fat added",
    "fat not",
    "skin ",
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """How often names are changed; shares between 0 and 1.

    Attributes
    ----------
    drop : float
        A qualifier of the name is left unsaid.
    synonym : float
        A published other name is said instead.
    brand : float
        The brand in brackets is said.
    lose_word : float
        A word of a core of three words or more is lost.
    typo : float
        A word of five letters or more is mistyped.
    """

    drop: float = 0.16
    synonym: float = 0.08
    brand: float = 0.6
    lose_word: float = 0.05
    typo: float = 0.01


def mistyped(word: str, rng: Random) -> str:
    """Return a word with one slip: swapped, dropped, doubled or wrong letter."""
    if len(word) < 4:
        return word
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + word[at] + word[at:]
    return word[:at] + rng.choice(_LETTERS) + word[at + 1 :]


def spoken_name(name: str, other_names: str, rng: Random, wording: Wording) -> str:
    """Return a food's name as somebody might say it.

    Parameters
    ----------
    name : str
        Name in the manner of food tables, qualifiers after commas.
    other_names : str
        Published other names, separated by ``;``.
    rng : Random
    wording : Wording

    Returns
    -------
    str
        Lower case but for brands; never empty.
    """
    others = [o.strip() for o in other_names.split(";")]
    head = name.split(",")[0].split("(")[0].split()[-1].lower().rstrip("s")
    others = [o for o in others if 2 < len(o) < 40 and not _SCOPE_WORD.search(o)]
    others = [o for o in others if head in o.lower() or o[:1].isupper()]
    if others and rng.random() < wording.synonym:
        return rng.choice(others)
    brackets = _BRACKET.findall(name)
    parts = [p.strip() for p in _BRACKET.sub("", name).split(",")]
    parts = [p for p in parts if p and not SCOPE.match(p)]
    if not parts:
        return name
    core, rest = _one_of(parts[0], rng), parts[1:]
    kept = [_one_of(p, rng) for p in rest if rng.random() >= wording.drop]
    front = [p for p in kept if not p.lower().startswith(AFTER)]
    after = [p for p in kept if p.lower().startswith(AFTER)]
    brands = [b for b in brackets if b[:1].isupper() and not SCOPE.match(b)]
    others = [b for b in brackets if not b[:1].isupper() and len(b) < 20]
    if brands and rng.random() < wording.brand:
        front.insert(0, _one_of(brands[0].replace(" and ", " or "), rng))
    elif others and rng.random() < 0.5:
        front.insert(0, others[0])
    if front and rng.random() < 0.2:
        after = [f"({', '.join(front)})" if rng.random() < 0.3 else _clause(front), *after]
        front = []
    words = " ".join([*front, core, *after]).split()
    if len(words) >= 3 and rng.random() < wording.lose_word:
        del words[rng.randrange(len(words) - 1)]
    said = [
        mistyped(w, rng) if len(w) >= 5 and w.isalpha() and rng.random() < wording.typo else w
        for w in words
    ]
    return " ".join(w if w.isupper() or w[1:2].isupper() else w.lower() for w in said)


def _clause(front: list[str]) -> str:
    return "that is " + " and ".join(front)


def _one_of(part: str, rng: Random) -> str:
    """Return one of the things that "or" or "/" leaves open."""
    if part.lower().startswith(AFTER):
        return part
    choices = re.split(r"\s+or\s+|\s*/\s*", part)
    if len(choices) == 1 or any(not c for c in choices):
        return part
    pick = rng.choice(choices)
    if " " in choices[-1] and " " not in pick:
        head = choices[-1].split()[-1]
        if pick != head and len(choices[-1].split()) == 2:
            return f"{pick} {head}"
    return pick
