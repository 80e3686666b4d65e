"""Telegraphic notes: "Lunch: 2 eggs, 1 slice toast w/ butter, black coffee".

Articles go; "a" and "an" before a measure word become "1". First-person wording
and verbs of eating go. "with" becomes "w/"; "along with" and its relatives a
comma; "and" a comma before an amount, else "&"; "of" after a measure goes; "For
lunch," becomes "Lunch:".
"""

from __future__ import annotations

import re

from benchmarks.words import NUMBER, word_list

__all__ = ["diary"]

_MEASURES = (
    "cup slice piece tablespoon teaspoon tbsp tsp bowl glass can bottle ounce oz pound gram serving"
    " bag package packet container stick scoop handful order mug plate portion pinch dash wedge"
    " strip carton box bar pouch link patty leaf ear half quarter"
).split()
_ONE = re.compile(
    rf"\b(?:a|an)\s+(?=(?:[\w-]+\s+)?(?:{'|'.join(_MEASURES)})s?\s+of\b)", re.IGNORECASE
)
_BESIDE = re.compile(
    r"(?:,\s*)?(?:\band\s+)?\b(?:along with|together with|alongside|accompanied by|paired with|"
    r"complemented by|complemented (?:it|them) with|followed by|"
    r"wash(?:ed|ing) (?:it|them|everything|it all) down with)\b",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:served with|topped with|made with|prepared with|with)\b", re.IGNORECASE)
_OF = re.compile(rf"\b((?:{'|'.join(_MEASURES)})e?s?)\s+of\b", re.IGNORECASE)
_OCCASION = re.compile(
    r"^(?:for|at|during|as)\s+(?:my|a|an|the|our)?\s*(?:[\w-]+\s+){0,2}?"
    r"(breakfast|lunch|dinner|brunch|supper|snack)\b"
    r"(?:\s+(?:today|yesterday|this morning))?[,:]?\s*",
    re.IGNORECASE,
)


def _note(sentence: str) -> str:
    head = ""
    occasion = _OCCASION.match(sentence)
    if occasion:
        head = occasion[1].capitalize() + ": "
        sentence = sentence[occasion.end() :]
    out = _ONE.sub("1 ", sentence.rstrip(".!? "))
    out = _OF.sub(r"\1", out)
    out = _BESIDE.sub(",", out)
    out = _WITH.sub("w/", out)
    out = re.sub(
        rf",?\s+and\s+(?!a\s+(?:half|quarter|third)\b)(?={NUMBER}[\s-])",
        ", ",
        out,
        flags=re.IGNORECASE,
    )
    out = re.sub(r",?\s+and\s+(?!a\s+(?:half|quarter|third)\b)", " & ", out)
    gone = word_list("drop") | word_list("article")
    kept = []
    words = out.split()
    for i, word in enumerate(words):
        bare = word.strip(",.!?").lower().replace("’", "'")
        following = words[i + 1].strip(",.").lower() if i + 1 < len(words) else ""
        if bare in gone and following not in ("half", "quarter", "third", "dozen", "couple", "few"):
            if word.endswith(",") and kept and not kept[-1].endswith(","):
                kept[-1] += ","
            continue
        kept.append(word)
    return head + re.sub(r"\s+,", ",", " ".join(kept)).strip(", ")


def diary(text: str) -> str:
    """Rewrite a text as telegraphic notes, a sentence a line part."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text.strip())
    return ". ".join(n for n in map(_note, sentences) if n)
