"""Food names of tables said in full: "Rice, brown, cooked" as "cooked brown rice".

Nothing that tells foods apart is dropped; notes to coders (NFS, NS as to ...) are. How parts
are said is in ``tables/rules/name_speech.csv``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from prandial.compose.describe.words import stem
from prandial.compose.english import is_participle, plural, singular
from prandial.errors import InputError
from prandial.tables.rules import read_rules

__all__ = [
    "SpokenFood",
    "in_full",
    "is_counted",
    "is_itself",
    "many_of",
    "name_variants",
    "single_of",
    "spoken_food",
]

_FACET: Final = re.compile(r",\s*([A-Z][A-Z-]+)\s*=\s*")
_BRACKET: Final = re.compile(r"\s*\(([^()]*)\)")
_STAR: Final = re.compile(r"\*\s*([a-z]+)\s*\*?\s*$")
_UNSAID: Final = re.compile(r"^(ns as to|ns to|not specified|unknown)\b", re.IGNORECASE)
_AFTER: Final = re.compile(
    r"^(with|without|made|from|in|on|no|as|prepared|and|for|cooked with|cooked in|packed|added|"
    r"excluding|including|filled with|to be|of|corrected|separable|trimmed|type of|flavors other|"
    r"any)\b",
    re.IGNORECASE,
)
#: a part that says how a food was made, more of which may be counted up: "baked, broiled, or ..."
_MADE: Final = re.compile(
    r"^(or )?(home recipe|canned|ready-to-serve|prepared with \w+|\w+ed( with [\w ]+)?)$",
    re.IGNORECASE,
)
_COMMA: Final = re.compile(r", (?=(?:filled |made )?with )")
_LISTED: Final = re.compile(r"(, or |, | or )")
_LINKED: Final = re.compile(r"ed (?:with|without|in|from) |^lower in |^white with ")
_EATEN: Final = re.compile(r"^(.*?) (not )?eaten$")
_SIGNS: Final = re.compile(r"[()*,<>]")
_FEW: Final = 3


@dataclass(frozen=True, slots=True)
class SpokenFood:
    """A name in three parts: what stands before the noun, the noun, what follows it.

    ``listed`` names count foods up and are said as they stand.
    """

    front: tuple[str, ...]
    core: str
    after: str
    listed: bool = False

    def text(self, *, many: bool = False) -> str:
        """Return the name in one piece, its noun in the plural for many."""
        core = many_of(self.core) if many else self.core
        return " ".join(p for p in (*_no_word_twice(self.front, core), self.after) if p)


def _no_word_twice(front: tuple[str, ...], core: str) -> list[str]:
    """Return what stands before a noun and the noun: "cream soda soda" as "cream soda".

    So too where only participles part the two: "American cheese grilled cheese sandwich".
    """
    pieces = [*front, core]
    for k in range(len(pieces) - 1):
        head, _, last = pieces[k].rpartition(" ")
        after = pieces[k + 1].split()
        between = next((n for n, w in enumerate(after) if not is_participle(w)), len(after))
        found = {stem(w) for w in (*after[:1], *after[between : between + 1])}
        if stem(last) in found and head.rpartition(" ")[2] not in ("or", "and", "&"):
            pieces[k] = head
    return pieces


@cache
def _speech(role: str) -> dict[str, tuple[str, str]]:
    rows = read_rules("name_speech")
    return {r["text"]: (r["place"], r["words"]) for r in rows if r["role"] == role}


def in_full(words: str) -> str:
    """Return words with abbreviations written out: "tbsp" as "tablespoon"."""
    if "w/" not in words and not any(s in words for s in _speech("short")):
        return words
    words = words.replace("w/o ", "without ").replace("w/ ", "with ")
    return " ".join(_speech("short").get(w, ("", w))[1] for w in words.split())


def is_counted(noun: str) -> bool:
    """Tell whether one says "a sandwich", "two sandwiches" of a noun, never "some sandwich"."""
    return singular(noun.lower()) in _speech("counted") and singular(noun) == noun


def is_itself(unit: str) -> bool:
    """Tell whether a unit is the food itself: "1 fruit" of oranges, "1 nut" of almonds."""
    return unit.lower() in _speech("itself")


def many_of(words: str) -> str:
    """Return words with their last noun in the plural: "slice of bread" as "slices of bread"."""
    head, link, tail = words, "", ""
    for word in (" filled ", " made ", " with ", " of ", " in ", " on ", " from "):
        at = head.find(word)
        if at > 0:
            head, link, tail = head[:at], word, head[at + len(word) :] + link + tail
    listed = _LISTED.split(head)
    if "," in head and any(is_participle(w.split()[-1]) for w in listed[2::2] if w):
        head = _many_last(listed[0]) + "".join(listed[1:])  # "dumplings, steamed"
    elif len(listed) > 1 and _alike(listed[::2]):
        head = "".join(w if k % 2 else _many_last(w) for k, w in enumerate(listed))
    else:
        head = _many_last(head)
    return head + link + tail


def _many_last(words: str) -> str:
    before, _, last = words.rpartition(" ")
    return (f"{before} " if before else "") + plural(last)


def _alike(nouns: list[str]) -> bool:
    """Tell whether each of "cake or cupcake" is a noun; in "butter or sugar cookie" one is."""
    sizes = [len(n.split()) for n in nouns]
    return 0 < sizes[-1] <= min(sizes[:-1]) and not any("(" in n for n in nouns)


def single_of(words: str) -> str:
    """Return words with their last noun in the singular: "pancakes" as "pancake"."""
    before, _, last = words.rpartition(" ")
    return (f"{before} " if before else "") + singular(last)


@lru_cache(maxsize=200_000)
def spoken_food(name: str) -> SpokenFood:
    """Return a table's name in the order of speech.

    Parameters
    ----------
    name : str
        As in FNDDS (qualifiers behind commas) or FoodEx2 (facets as ``PROCESS = Boiling``).

    Returns
    -------
    SpokenFood
        ``listed`` when the name counts foods up and is said as it stands.

    Raises
    ------
    InputError
        On a name without a letter or figure.
    """
    name = " ".join(name.split())
    if not any(map(str.isalnum, name)):
        raise InputError("a food without a name", where=repr(name), hint="name it or leave it out")
    base, *facets = _FACET.split(name.replace("<", "(").replace(">", ")"))
    for long, (_, short) in _speech("phrase").items():
        base = base.replace(long, short)
    base = in_full(base)
    if base.upper() == base:
        base = base.lower()
    front, after = _facets(facets)
    star = _STAR.search(base)
    if star:
        base = base[: star.start()]
        front.insert(0, star.group(1))
    base = base.strip("* ").replace(" / ", " or ")
    brackets = [b.strip() for b in _BRACKET.findall(base) if b.strip()]
    parts = [p.strip() for p in _BRACKET.sub("", base).split(",")]
    parts = [p for p in parts if p]
    if not parts:
        return SpokenFood((), " ".join(_SIGNS.sub(" ", name).split()), "")
    parts = _with_lists(_made_lists(parts))
    ends = [k for k, p in enumerate(parts) if k and (p.startswith(("and ", "or ")) or ";" in p)]
    if ends:
        listed = (
            _lowered(", ".join(parts[: ends[-1] + 1]))
            .replace("; with", " with")
            .replace(";", " with")
        )
        listed = _COMMA.sub(" ", listed)
        listed, more_front, more_after = _parts(listed, parts[ends[-1] + 1 :])
        before = (*front, *reversed(more_front))
        return SpokenFood(before, listed, " ".join([*more_after, *after]), listed=True)
    core = _lowered(parts[0])
    core, more_front, more_after = _parts(core, parts[1:])
    core, brand = _once(*_brackets(core, brackets))
    ahead, behind = _nearest(list(dict.fromkeys([*brand, *front, *reversed(more_front)])), core)
    return SpokenFood(tuple(ahead), core, " ".join([*behind, *more_after, *after]))


def _nearest(front: list[str], core: str) -> tuple[list[str], list[str]]:
    """Return what stands before a noun, next to it what ends as it begins; and what goes behind.

    "Fruit juice blend, 100% juice" is a "fruit juice blend (100% juice)".
    """
    words = core.split()
    nouns = {stem(w) for w in words if not is_participle(w)}
    first = next((w for w in words if not is_participle(w)), words[0])
    before, next_to, behind = [], [], []
    for said in front:
        last = said.split()[-1]
        if " " not in said or stem(last) not in nouns:
            before.append(said)
        elif stem(last) == stem(first):
            next_to.append(said)
        else:
            behind.append(f"({said})")
    return [*before, *next_to], behind


def _made_lists(parts: list[str]) -> list[str]:
    """Join what counts up ways of making: "baked, broiled, or roasted"."""
    for k in range(len(parts) - 1, 1, -1):
        if parts[k].startswith("or ") and _MADE.match(parts[k]) and _MADE.match(parts[k - 1]):
            two = k < 3 or not _MADE.match(parts[k - 2])
            first = k - 1 if two else k - 2
            said = (" " if two else ", ").join(parts[first : k + 1])
            return [*parts[:first], said, *parts[k + 1 :]]
    return parts


def _with_lists(parts: list[str]) -> list[str]:
    """Join what a sandwich comes with: "with cheese, lettuce, tomato and spread"."""
    for k in range(len(parts)):
        with_ = parts[k].startswith(("with ", "filled with "))
        if not with_ and (k or " with " not in parts[0]):
            continue
        end = k
        for last in range(k + 1, len(parts)):
            if parts[last].lower() in _speech("part") or _AFTER.match(parts[last]):
                break
            meal = any(p.endswith("frozen meal") for p in parts[last + 1 : last + 2])
            said = parts[last]
            if meal or " and" in said or said.startswith(("other ", "or ", "and ")):
                end = last
        if end > k:
            return [*parts[:k], ", ".join(parts[k : end + 1]), *parts[end + 1 :]]
    return parts


def _once(core: str, brand: list[str]) -> tuple[str, list[str]]:
    """Say a word once that ends a brand and stands in the noun: "Chewy Granola Bar granola bar"."""
    words, out = core.lower().split(), []
    for name in brand:
        head, _, last = name.rpartition(" ")
        if head and last.lower() == words[-1] and "(" not in core:
            core = name
        else:
            out.append(name)
            if head and last.lower() == words[0] and len(words) > 1:
                core = core.partition(" ")[2]
    return core, out


def _facets(cells: list[str]) -> tuple[list[str], list[str]]:
    """Return what facets add before and behind the noun."""
    front: list[str] = []
    after: list[str] = []
    for key, value in zip(cells[::2], cells[1::2], strict=True):
        value = in_full(value)
        plain = _BRACKET.sub("", value).split(",")[0].strip().lower()
        place, words = _speech("facet").get(plain, ("", ""))
        if not place:
            given = "INGREDIENT" in key or "SOURCE" in key or "FORTIFICATION" in key
            place, words = ("after", f"with {plain}") if given else ("front", plain)
            if _AFTER.match(plain):
                place, words = "after", plain
        words = words.replace(" / ", " or ")
        if place == "front" and words not in front:
            front.append(words)
        elif place == "after" and words not in after:
            more = words.removeprefix("with ")
            joined = after and after[-1].startswith("with ") and words.startswith("with ")
            after.append(f"and {more}" if joined else words)
    return front, after


def _parts(core: str, parts: list[str]) -> tuple[str, list[str], list[str]]:
    front: list[str] = []
    after: list[str] = []
    for part in parts:
        low = part.lower()
        place, words = _speech("part").get(low, ("", ""))
        if not place:
            place, words = _placed(part)
        if place == "front":
            front.append(words or part)
        elif place in ("after", "with"):
            said, last = words or part, (after or [core])[-1]
            joined = place == "with" or said.startswith("with no ")
            if joined and " with " in f" {last}" and "(" not in last:
                said = f"and {said.removeprefix('with ')}"
            after.append(said)
        elif place == "core" and " with no " not in core:
            core = f"{core} {words}"
        elif place == "core":
            after.append(f"with {words}")
        elif place == "noun":
            core = words
    return core, front, after


def _placed(part: str) -> tuple[str, str]:
    """Place a part that the table of speech does not know."""
    if _UNSAID.match(part):
        return "drop", ""
    eaten = _EATEN.match(part)
    if eaten:
        return "after", f"{'without' if eaten.group(2) else 'with'} the {eaten.group(1)}"
    if ", or " in part and not part.startswith(("with ", "filled with ")):
        return "after", f"({part})"
    if part.lower().startswith("no "):
        return "after", f"with {part}"
    if _AFTER.match(part) or _LINKED.search(part):
        return "after", part
    if part.endswith(" sauce") and part[0].islower():
        return "after", f"with {part}"
    if len(part.split()) > _FEW:
        return "after", f"({part})"
    return "front", part


def _brackets(core: str, brackets: list[str]) -> tuple[str, list[str]]:
    """Return the noun and what brackets say: brands and shares in front, the rest behind."""
    brand = []
    for said in brackets:
        if said[:1].isupper() or said[:1].isdigit():
            brand.append(said)
        elif said.lower() not in core.lower():
            core = f"{core} ({said})"
    return core, brand


def _lowered(core: str) -> str:
    """Return a noun in small letters but for brands and proper names."""
    words = core.split()
    proper = _speech("proper")
    capital = [w[:1].isupper() for w in words]
    if len(words) > 1 and (all(capital) or (capital[1] and words[1] not in _speech("proper"))):
        return core  # "Big Mac", "Whopper Jr with cheese"
    for k in (0, *(n + 1 for n, w in enumerate(words[:-1]) if w == "or")):
        word = words[k]
        if word.lower() not in proper and not any(c.isupper() for c in word[1:]):
            words[k] = word[:1].lower() + word[1:]
    return " ".join(words)


def _unended(front: str, core: str) -> str:
    """Return "cream soda" without the noun it ends in, for "soda (cream)"."""
    head, _, last = front.rpartition(" ")
    return head if head and stem(last) == stem(core.split()[-1]) else front


@lru_cache(maxsize=200_000)
def name_variants(name: str, *, many: bool = False) -> tuple[str, ...]:
    """Return the ways in which a food is named, the plainest first.

    All of them keep what tells it apart; ``many`` puts the noun in the plural.
    """
    spoken = spoken_food(name)
    forms = [spoken]
    for long, (_, short) in _speech("one_of").items():
        if long in spoken.core:
            if many and " or " in long:
                forms.clear()
            forms.append(SpokenFood(spoken.front, spoken.core.replace(long, short), spoken.after))
    out = []
    for form in forms:
        out.append(form.text(many=many))
        if form.front and not form.listed and "(" not in form.core + form.after:
            core = many_of(form.core) if many else form.core
            said = ", ".join(_unended(f, core) for f in reversed(form.front))
            out.append(" ".join(p for p in (core, f"({said})", form.after) if p))
    return tuple(dict.fromkeys(out))
