"""Names of conditions and diets as people type them."""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import Final, Literal

from prandial.errors import InputError, NotFoundError
from prandial.tables.rules import load_needs, read_rules

__all__ = ["RULES", "Kind", "status_named"]

#: the rule set of verdicts
RULES: Final = "default"
Kind = Literal["condition", "diet"]
_OTHER: Final[dict[Kind, Kind]] = {"condition": "diet", "diet": "condition"}


def _plain(name: str) -> str:
    """Return a name in lower case, words apart by one space, without a last ``diet``."""
    words = re.sub(r"[\W_]+", " ", name.casefold()).split()
    return " ".join(words[:-1] if len(words) > 1 and words[-1] == "diet" else words)


@cache
def _known(kind: Kind) -> dict[str, str]:
    """Return every accepted name of a kind, in plain form, with its status."""
    kinds = load_needs(RULES).kinds
    found = {_plain(status): status for status, k in kinds.items() if k == kind}
    for row in read_rules("status_names"):
        if kinds[row["status"]] == kind:
            found.setdefault(_plain(row["name"]), row["status"])
    return found


def status_named(name: str, kind: Kind) -> str:
    """Return the status that a name means.

    Parameters
    ----------
    name : str
        Such as ``hypertension``, ``CKD`` or ``low sodium``; case, hyphens and a last word
        ``diet`` do not matter.
    kind : {'condition', 'diet'}

    Raises
    ------
    InputError
        When it is no text, or blank.
    NotFoundError
        On a name that is not known, naming the nearest; a name of the other kind is told.
    """
    if not isinstance(name, str) or not _plain(name):
        raise InputError(
            f"no name of a {kind}: {name!r}", where=kind, hint="such as hypertension, low sodium"
        )
    plain = _plain(name)
    known = _known(kind)
    if plain in known:
        return known[plain]
    other = _OTHER[kind]
    if plain in _known(other):
        raise NotFoundError(
            f"{name!r} is a {other}, not a {kind}", where=kind, hint=f"give it as a {other}"
        )
    near = [known[n] for n in difflib.get_close_matches(plain, known, n=6, cutoff=0.5)]
    nearest = list(dict.fromkeys(near))[:3]
    everything = list(dict.fromkeys(known.values()))
    raise NotFoundError(
        f"no {kind} {name!r}",
        where=kind,
        hint="nearest: " + ", ".join(nearest) if nearest else "known: " + ", ".join(everything),
    )
