"""Seeded rewritings of meal texts: the same text and seed always give the same words.

Every kind is a pure function from a text to a text. Randomness comes from a
generator seeded with the kind, the seed and the text, so neither the order of
meals nor the size of a sample changes a rewriting.

========== =====================================================================
kind        what it does
========== =====================================================================
typo        one typing error in half of the food names (swap, drop, double or
            neighbouring key, equally likely)
dictation   no punctuation, no capitals; decimal points and fractions spoken
diary       telegraphic notes: no first person, verbs and articles; "w/" for with
order       items named in another order, where the split is safe
short       common abbreviations for every phrase that has one
units       US units to metric and back
chatter     two sentences of unrelated talk before, after or around the text
========== =====================================================================
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Sequence

from benchmarks.diary import diary
from benchmarks.order import reorder
from benchmarks.swapunits import swap_units
from benchmarks.words import food_words, read_rows

__all__ = ["KINDS", "rewrite"]

SEED = 20_260
Rewriter = Callable[[str, random.Random, Sequence[str]], str]

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LEAST_LETTERS = 4


def _neighbours(letter: str) -> str:
    """Letters beside a letter on a US keyboard."""
    for row in _KEYS:
        at = row.find(letter)
        if at >= 0:
            return row[max(at - 1, 0) : at] + row[at + 1 : at + 2]
    return ""


def mistype(word: str, rng: random.Random) -> str:
    """Put one typing error into a word, never on its first letter."""
    at = rng.randrange(1, len(word))
    kind = rng.choice(("swap", "drop", "double", "neighbour"))
    if kind == "swap":
        at = min(at, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == "drop":
        return word[:at] + word[at + 1 :]
    if kind == "double":
        return word[:at] + word[at] + word[at:]
    near = _neighbours(word[at].lower())
    return word[:at] + (rng.choice(near) if near else word[at]) + word[at + 1 :]


def _name_spans(text: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """One word of each food name of a text: the longest that the text holds.

    Food names are the gold item names where they are known; else each run of
    food words without a break is one name.
    """
    spots = [
        (m.start(), m.end())
        for m in re.finditer(rf"[A-Za-z]{{{_LEAST_LETTERS},}}", text)
        if m[0].lower() in food_words()
    ]
    taken: list[tuple[int, int]] = []
    if names:
        for name in names:
            words = set(re.findall(r"[a-z]+", name.lower()))
            words |= {w + "s" for w in words}
            mine = [s for s in spots if text[s[0] : s[1]].lower() in words and s not in taken]
            if mine:
                taken.append(max(mine, key=lambda s: s[1] - s[0]))
        return sorted(taken)
    run: list[tuple[int, int]] = []
    for spot in spots:
        if run and text[run[-1][1] : spot[0]].strip():
            taken.append(max(run, key=lambda s: s[1] - s[0]))
            run = []
        run.append(spot)
    return [*taken, max(run, key=lambda s: s[1] - s[0])] if run else taken


def typo(text: str, rng: random.Random, names: Sequence[str] = ()) -> str:
    """Mistype half of the food names; an odd one more or less, equally likely."""
    spans = _name_spans(text, names)
    count = len(spans) // 2 + (len(spans) % 2 and rng.random() < 0.5)
    for start, end in sorted(rng.sample(spans, count), reverse=True):
        text = text[:start] + mistype(text[start:end], rng) + text[end:]
    return text


_FRACTIONS = {
    "1/2": "half",
    "1/4": "quarter",
    "3/4": "three quarters",
    "1/3": "third",
    "2/3": "two thirds",
    "½": "half",
    "¼": "quarter",
    "¾": "three quarters",
    "⅓": "third",
    "⅔": "two thirds",
}
_ONE_PART = frozenset(("half", "quarter", "third"))


def _spoken_fraction(match: re.Match[str]) -> str:
    spoken = _FRACTIONS[match["part"]]
    if match["whole"]:
        return f"{match['whole']} and {'a ' if spoken in _ONE_PART else ''}{spoken}"
    return spoken if spoken == "half" or spoken not in _ONE_PART else f"a {spoken}"


def dictation(text: str, _rng: random.Random, _names: Sequence[str] = ()) -> str:
    """Write a text as dictation software does without commands for punctuation.

    "2.5" becomes "2 point 5", "1/2" "half", "%" "percent", "&" "and"; a hyphen
    becomes a space, an apostrophe goes.
    """
    out = text.lower()
    parts = "|".join(map(re.escape, _FRACTIONS))
    out = re.sub(
        rf"(?:(?P<whole>\d+)[\s-]*)?(?<![\d/])(?P<part>{parts})(?!\d)", _spoken_fraction, out
    )
    out = re.sub(r"(\d),(?=\d{3}\b)", r"\1", out)
    out = re.sub(r"(\d)\.(?=\d)", r"\1 point ", out)
    out = re.sub(r"(?<!\d)\.(?=\d)", "point ", out)
    out = re.sub(r"(\d)\s*[-–—]\s*(?=\d)", r"\1 to ", out)
    out = re.sub(r"(\d)\s*/\s*(?=\d)", r"\1 over ", out)
    out = re.sub(r'(\d)\s*(?:"|″|”)', r"\1 inch ", out)
    out = out.replace("%", " percent ").replace("&", " and ").replace("w/o", "without")
    out = re.sub(r"['’`]", "", out)
    out = re.sub(r"[^\w\s]|_", " ", out)
    return " ".join(out.split())


def short(text: str, _rng: random.Random, _names: Sequence[str] = ()) -> str:
    """Abbreviate every phrase of ``abbreviations.csv``, longest first."""
    rows = sorted(read_rows("abbreviations.csv"), key=lambda r: -len(r["phrase"]))
    for row in rows:
        before = r"(?<=[\d½¼¾⅓⅔][\s-])" if row["after_number"] == "yes" else r"(?<![\w'-])"
        pattern = before + re.escape(row["phrase"]) + r"(?![\w'])"
        text = re.sub(pattern, row["short"], text, flags=re.IGNORECASE)
    return text


def chatter(text: str, rng: random.Random, _names: Sequence[str] = ()) -> str:
    """Add two sentences that name no food: both before, both after, or around."""
    first, second = (r["sentence"] for r in rng.sample(read_rows("chatter.csv"), 2))
    text = text if text.rstrip().endswith((".", "!", "?")) else text.rstrip() + "."
    place = rng.choice(("before", "after", "around"))
    if place == "before":
        return f"{first} {second} {text}"
    if place == "after":
        return f"{text} {first} {second}"
    return f"{first} {text} {second}"


def _diary(text: str, _rng: random.Random, _names: Sequence[str] = ()) -> str:
    return diary(text)


def _order(text: str, rng: random.Random, _names: Sequence[str] = ()) -> str:
    return reorder(text, rng)


def _units(text: str, _rng: random.Random, _names: Sequence[str] = ()) -> str:
    return swap_units(text)


KINDS: dict[str, Rewriter] = {
    "typo": typo,
    "dictation": dictation,
    "diary": _diary,
    "order": _order,
    "short": short,
    "units": _units,
    "chatter": chatter,
}


def rewrite(kind: str, text: str, *, names: Sequence[str] = (), seed: int = SEED) -> str:
    """Rewrite a text.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`.
    text : str
    names : sequence of str
        Gold food names, where they are known; only ``typo`` uses them.
    seed : int

    Returns
    -------
    str
        The text itself where the kind does not apply.
    """
    key = hashlib.sha256(f"{kind}|{seed}|{text}".encode()).digest()
    return KINDS[kind](text, random.Random(int.from_bytes(key[:8], "big")), names)
