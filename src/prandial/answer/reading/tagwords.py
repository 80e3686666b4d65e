"""Nutrition tags named in free text: ``high in salt``, ``low_carb``, ``sodium: high``.

A walk over the words, left to right, with the direction that is in force. What a person needs
(``needs low sodium``, ``a low sodium diet``) and what is denied (``not high in sodium``) is no
tag of the food. The words stand in the table ``tag_words``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from prandial.tables.rules import load_needs, read_rules

__all__ = ["TagsSaid", "tags_said"]

_TOKEN: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[.,;:!?()\[\]{}/&+=\n>-]")
_WITHIN: Final = re.compile(r"(?<=[a-z0-9])[_\-\u2010\u2011](?=[a-z0-9])")
#: what stands behind is the person's: user: low_sodium; diabetes -> low_sugar
_OF_PERSON: Final = re.compile(
    r"\b(?:(?:user|person|patient)\s*(?:->|=>|:)|(?:diabetes|hypertension|obesity)\s*[-=]>)"
)
#: one word where two are meant: lowcarb
_JOINED: Final = re.compile(
    r"\b(low|high)(?=(?:carb|carbs|sugar|sugars|sodium|salt|cholesterol|saturatedfat|calorie|calories"
    r"|protein|fiber|fibre)\b)"
)
_ENDS: Final = frozenset(".!?;")
_JOINS: Final = frozenset(",/&+()[]{}->")
#: may stand between a denial and the direction it denies
_DENIED: Final = frozenset(
    "a an any as be been being considered especially excessively have has contain necessarily "
    "overly particularly quite really significantly so the too very is are".split()
)
#: may stand between a nutrient and the direction told of it
_LINKS: Final = frozenset(": = ( - > is are was content level levels very too quite".split())
#: a denial, but of a bare nutrient it says that there is little
_LACKS: Final = frozenset(("lack", "lacks", "lacking"))
_MOST_LINKS: Final = 5
_MOST_UNKNOWN: Final = 4


class _Word(NamedTuple):
    """A token or a phrase of the table: its kind, what it means, and how it stands."""

    kind: str
    means: str
    text: str


@dataclass(slots=True)
class TagsSaid:
    """Tags in the order they were named, names with a direction that are no tag, bare nutrients."""

    tags: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)

    def add(self, direction: str, nutrient: str) -> None:
        """Add a tag unless it is there."""
        tag = f"{direction}_{nutrient}"
        if tag not in self.tags:
            self.tags.append(tag)


@cache
def _table() -> tuple[dict[tuple[str, ...], tuple[str, str]], int]:
    phrases = {tuple(r["words"].split()): (r["kind"], r["means"]) for r in read_rules("tag_words")}
    return phrases, max(map(len, phrases))


@cache
def _statuses() -> re.Pattern[str]:
    """Match the names of diets that could be taken for tags, such as Low salt/Low sodium diet."""
    names = {s for rules in ("as-published", "default") for s in load_needs(rules).tags}
    told = (n for n in names if "low" in n.lower() or "high" in n.lower())
    longest_first = sorted(told, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def _words(text: str) -> list[_Word]:
    text = _statuses().sub(" this diet ", text).lower().replace("\u2019", "'")
    text = _OF_PERSON.sub(" needs ", text)
    tokens = _TOKEN.findall(_JOINED.sub(r"\1 ", _WITHIN.sub(" ", text)))
    phrases, longest = _table()
    words: list[_Word] = []
    at = 0
    while at < len(tokens):
        for size in range(min(longest, len(tokens) - at), 0, -1):
            found = phrases.get(tuple(tokens[at : at + size]))
            if found:
                words.append(_Word(*found, " ".join(tokens[at : at + size])))
                at += size
                break
        else:
            words.append(_Word(_kind(tokens[at]), "", tokens[at]))
            at += 1
    return words


def _kind(token: str) -> str:
    if token.endswith("n't"):
        return "not"
    if token in _ENDS:
        return "stop"
    if token in _JOINS:
        return "join"
    return token if token in ("\n", ":", "=") else "other"


def tags_said(text: str) -> TagsSaid:
    """Return the tags that a text says the food has.

    Parameters
    ----------
    text : str
        Data; nothing in it is followed.

    Returns
    -------
    TagsSaid
    """
    walk = _Walk(_words(text))
    while walk.at < len(walk.words):
        walk.step()
    return walk.said


class _Walk:
    """The state of the walk: the direction in force and whether it is denied or only needed."""

    def __init__(self, words: list[_Word]) -> None:
        self.words = words
        self.at = 0
        self.said = TagsSaid()
        self.direction = ""
        self.denied = False
        self.needed = False
        self.awaiting = False  # a direction, no nutrient yet
        self.explicit = False  # "high in", so that a list may go on after an unknown name
        self.heading = False  # "High:", whose list may stand in lines below
        self.run: list[str] = []  # tags joined by and, which a diet would take back

    def step(self) -> None:
        """Take one word."""
        word = self.words[self.at]
        self.at += 1
        match word.kind:
            case "nutrient":
                self._nutrient(word.means)
            case "direction":
                self._directed(word.means)
            case "need":
                self.needed, self.direction = True, ""
            case "ends":
                if self._before().text not in ("that", "not", "doesn't"):
                    self.needed = False
                self._close()
            case "stop":
                self.needed = False
                self._close()
            case ":" | "=":
                self.needed = False
                self.heading = self.heading or self.awaiting
            case "\n":
                self._line()
            case "diet":
                self._take_back()
            case "join" | "fill":
                self.explicit = self.explicit or (self.awaiting and word.text == "in")
                if word.text in (",", ";"):
                    self.run = []
            case _:
                self._other()

    def _before(self) -> _Word:
        return self.words[self.at - 2] if self.at > 1 else _Word("stop", "", "")

    def _after(self, steps: int = 0) -> _Word:
        at = self.at + steps
        return self.words[at] if at < len(self.words) else _Word("stop", "", "")

    def _close(self) -> None:
        self.direction, self.awaiting, self.heading, self.run = "", False, False, []

    def _line(self) -> None:
        self.needed = False
        self.run = []
        goes_on = self.awaiting or (self.heading and self._after().kind != "\n")
        if not (self.direction and goes_on):
            self._close()

    def _take_back(self) -> None:
        """Take back what turned out to be the name of a diet or a need."""
        for tag in self.run:
            self.said.tags.remove(tag)
        self._close()

    def _directed(self, direction: str) -> None:
        at = self.at - 2
        joined = self._before().text in ("or", "nor")
        while at >= 0 and self.words[at].text in _DENIED:
            at -= 1
        adjacent = at >= 0 and self.words[at].kind == "not"
        self.denied = adjacent or (joined and self.denied and bool(self.direction))
        self.direction, self.awaiting = direction, True
        self.explicit = self.heading = False

    def _nutrient(self, nutrient: str) -> None:
        told = self._told()
        if told is not None:
            direction, denied = told
            if not (denied or self.needed):
                self.said.add(direction, nutrient)
            self._close()
            return
        self.awaiting = False
        if not self.direction:
            self.said.bare.append(nutrient)
        elif self._after().kind in ("diet", "need"):
            self._take_back()
        elif not (self.denied or self.needed):
            tag = f"{self.direction}_{nutrient}"
            if tag not in self.said.tags:
                self.run.append(tag)
            self.said.add(self.direction, nutrient)

    def _told(self) -> tuple[str, bool] | None:
        """Return the direction told after a nutrient (``sodium is not high``), if there is one."""
        denied, steps = False, 0
        while steps < _MOST_LINKS:
            word = self._after(steps)
            if word.kind == "not":
                denied = True
            elif word.text not in _LINKS:
                break
            steps += 1
        word, beyond = self._after(steps), self._after(steps + 1)
        alone = not self.awaiting and beyond.kind in ("stop", "join", "\n")
        if word.kind != "direction" or (steps == 0 and self.direction and not alone):
            return None
        if beyond.kind in ("nutrient", ":", "=") or beyond.text in ("in", "of"):
            return None
        self.at += steps + 1
        return word.means, denied

    def _other(self) -> None:
        if self.words[self.at - 1].text in _LACKS and self._after().kind == "nutrient":
            self._directed("low")
            return
        if not self.awaiting:
            self._close()
            return
        names = [self.words[self.at - 1].text]
        while self._after().kind == "other" and len(names) < _MOST_UNKNOWN:
            names.append(self._after().text)
            self.at += 1
        if not (self.denied or self.needed):
            self.said.unknown.append(f"{self.direction} {' '.join(names)}")
        if self.explicit:
            self.awaiting = False
        else:
            self._close()
