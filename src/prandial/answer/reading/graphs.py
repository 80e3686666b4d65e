"""Replies to questions over a graph: verdict (-B), tags (-ML), both (-TG).

What a reply says is data: it is read, never followed, and never looked up.
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from itertools import islice
from typing import Any, Final

from prandial.answer.reading.tagwords import TagsSaid, tags_said
from prandial.answer.reading.verdicts import Said, refuses, verdict_said
from prandial.records.bench import Reading, TaskName

__all__ = ["read_graph_reply"]

_I: Final = re.IGNORECASE
#: a reply is read from its first and its last characters when it is longer than both
_MOST_CHARS: Final = 40_000
_MOST_BRACES: Final = 12
_MOST_NAMED: Final = 8
_THOUGHT: Final = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", _I | re.DOTALL)
_OPEN_THOUGHT: Final = re.compile(r"<(?:think|thinking|reasoning)>", _I)
_CLOSED_THOUGHT: Final = re.compile(r"^.*</(?:think|thinking|reasoning)>", _I | re.DOTALL)
_BRACKETED: Final = re.compile(r"<\s*(yes|no)\s*>", _I)
_MARKUP: Final = re.compile(r"</?[a-z][a-z0-9_ ]{0,20}>|[*`#\u200b\u200c\u200d\ufeff]|__", _I)
#: where a small model goes on to ask and answer itself
_NEXT_TURN: Final = re.compile(
    r"\n\s*(?:###\s*)?(?:question|q|user|human|instruction|input|example)\s*\d*\s*:", _I
)
_VERDICT_KEYS: Final = (
    "final_answer", "answer", "verdict", "healthy", "is_healthy", "suits", "suitable", "result",
)  # fmt: skip
_TAG_KEYS: Final = (
    "tags", "nutrient_tags", "nutrition_tags", "nutrients", "labels", "reasons", "reason",
    "because", "explanation", "sentence", "why", "final_answer", "answer", "result",
)  # fmt: skip
_FENCED: Final = re.compile(r"\s*(?:```\w*\s*)?[\[{]\s*[\]}]\s*(?:```)?\s*")
_NAMED_TAGS: Final = re.compile(
    r"\b(?:final\s+)?(?:answer|(?:nutrient |nutrition |nutritional |food )?tags?|result|labels?)"
    r"\b[^.:\n]{0,80}?(?:\b(?:is|are)\b\s*:?|:)",
    _I,
)
_FINAL: Final = re.compile(
    r"\bfinal\s+(?:answer|tags?|list|result)\b[^.:\n]{0,40}[:=]?|\\boxed"
    r"|\b(?:thus|therefore|hence|so),?\s+the\s+(?:\w+\s+){0,2}?tags?\b[^.:\n]{0,40}?\b(?:is|are)\b",
    _I,
)
#: and where a sentence with its reasons begins
_NAMED_VERDICT: Final = re.compile(r"(?:^|(?<=[.!?\n]))\W{0,9}answer\W{0,9}:", _I)
_NONE: Final = re.compile(
    r"^[^\w]{0,40}(?:(?:the )?(?:final )?(?:answer|tags?)[^\w]{0,40}(?:is|are)?[^\w]{0,40})?"
    r"(?:none|nothing|no(?: \w+){0,3} tags?|empty(?: (?:set|list))?)\b"
    r"|^\s*[\[{(\"']\s*[\]})\"']\s*$"
    r"|\bthere (?:are|is) no(?: \w+){0,3} tags?\b",
    _I,
)


#: where an answer ends and something else is told
_ENDS: Final = re.compile(
    r"\n\s*\n|\n\W{0,9}(?:explanation|explained|reasoning|rationale|notes?|facts?|step)\b", _I
)
#: tags that are said not to count: under such a heading, or before such words
_SET_ASIDE: Final = re.compile(
    r"\b(?:not (?:relevant|needed|counted|deciding|important)|irrelevant|ignored)"
    r"(?: (?:food |nutrient )?tags?)?\s*:[^.;\n]*"
    r"|\b(?:low|high)[_ -]\w{1,20}(?: tag)? (?:does not|doesn't|is not|isn't) (?:\w+ )?"
    r"(?:count|matter|decide|relevant|important|needed|counted)\b"
    r"|\b(?:low|high)[_ -]\w{1,20}(?: tag)? is irrelevant\b",
    _I,
)


def read_graph_reply(text: str, task: TaskName) -> Reading:
    """Return what a reply to a question over a graph says.

    Parameters
    ----------
    text : str
        The reply as it came.
    task : {'B', 'ML', 'TG'}

    Returns
    -------
    Reading
        ``answered`` with ``verdict`` (-B), ``tags`` (-ML) or both (-TG, where no tag named is
        an empty tuple); ``refused`` when it declines or does not know; ``unreadable`` else.
        ``why`` tells the rule that read it, and names with a direction that are no tag.
    """
    text = unicodedata.normalize("NFKC", text)
    if len(text) > _MOST_CHARS:
        text = text[: _MOST_CHARS // 2] + "\n" + text[-_MOST_CHARS // 2 :]
    if not text.strip():
        return Reading(status="unreadable", why="an empty reply")
    if "</" in text:
        text = _CLOSED_THOUGHT.sub("", _THOUGHT.sub("\n", text))
    if _OPEN_THOUGHT.search(text):
        return Reading(status="unreadable", why="thinks and never answers")
    found = _object(text)
    plain = _plain(text)
    if not plain and found is None:
        return Reading(status="unreadable", why="nothing but marks")
    if task == "ML":
        return _tags(plain, found)
    said = _verdict(plain, found)
    if said.verdict is None:
        if refuses(plain):
            return Reading(status="refused", why="declines to answer")
        return Reading(status="unreadable", why=said.why)
    if task == "B":
        return Reading(status="answered", verdict=said.verdict, why=said.why)
    named = _from_keys(found, _TAG_KEYS)
    tags = tags_said(named) if named is not None else _reasons(plain)
    return Reading(
        status="answered",
        verdict=said.verdict,
        tags=tuple(tags.tags),
        why=_why(said.why, tags),
    )


def _plain(text: str) -> str:
    """Return the text without markup and without the turns a model went on to write itself."""
    text = text.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    text = _BRACKETED.sub(r"\1", text.replace("\\_", "_"))
    text = _MARKUP.sub(lambda m: "\n" if m[0].startswith("<") else "", text).strip()
    turn = _NEXT_TURN.search(text)
    return text[: turn.start()].strip() if turn and turn.start() else text


def _verdict(plain: str, found: Any) -> Said:
    value = _first(found, _VERDICT_KEYS) if isinstance(found, dict) else None
    if isinstance(value, bool):
        return Said("Yes" if value else "No", "JSON")
    if isinstance(value, str):
        said = verdict_said(_plain(value))
        if said.verdict is not None:
            return Said(said.verdict, f"JSON, {said.why}")
    return verdict_said(plain)


def _tags(plain: str, found: Any) -> Reading:
    named = _from_keys(found, _TAG_KEYS)
    part, how = (named, "JSON") if named is not None else _answer_part(plain)
    said = tags_said(part)
    if not (said.tags or said.unknown) and named is None and part != plain:
        said, part, how = tags_said(plain), plain, "whole text"
    if said.tags or said.unknown:
        return Reading(status="answered", tags=tuple(said.tags), why=_why(how, said))
    if named == "" or _NONE.search(part) or _NONE.search(plain):
        return Reading(status="answered", tags=(), why="says that there is none")
    if refuses(plain):
        return Reading(status="refused", why="declines to answer")
    if said.bare:
        names = ", ".join(dict.fromkeys(said.bare))
        return Reading(status="unreadable", why=f"neither low nor high: {names}")
    return Reading(status="unreadable", why="no tag in it")


def _reasons(plain: str) -> TagsSaid:
    """Return the tags of the answer where one is named and gives reasons, else of all."""
    for ends in (_FINAL.finditer(plain), _NAMED_VERDICT.finditer(plain)):
        last = [m.end() for m in ends]
        said = tags_said(_answer_only(plain[last[-1] :])) if last else TagsSaid()
        if said.tags:
            return said
    return tags_said(plain)


def _answer_only(rest: str) -> str:
    """Return an answer without what is told after it, where the answer itself names tags."""
    rest = _SET_ASIDE.sub(" ", rest)
    for end in islice(_ENDS.finditer(rest), _MOST_NAMED):
        if tags_said(rest[: end.start()]).tags:
            return rest[: end.start()]
    return rest


def _answer_part(plain: str) -> tuple[str, str]:
    """Return the part of a reply that states the tags: what is named so, or lines of tags alone."""
    final = list(_FINAL.finditer(plain))
    if final and tags_said(plain[final[-1].end() :]).tags:
        return _answer_only(plain[final[-1].end() :]), "stated as the final answer"
    lines = [line for line in plain.splitlines() if line.strip()]
    stated = _stated(plain)
    if stated and tags_said(stated).tags:
        return _answer_only(stated), "stated as the answer"
    alone = [_only_tags(line) for line in lines]
    if all(alone):
        return plain, "a list"
    if alone[-1]:
        tail = next(i for i, a in enumerate(reversed(alone)) if not a)
        return "\n".join(lines[-tail:]), "a list at the end"
    if alone[0]:
        return "\n".join(lines[: alone.index(False)]), "a list at the start"
    ends = [m.end() for m in _NAMED_TAGS.finditer(plain)][-_MOST_NAMED:]
    named = next((e for e in reversed(ends) if tags_said(plain[e:]).tags), None)
    if named is not None:
        return _answer_only(plain[named:]), "stated as the answer"
    return _SET_ASIDE.sub(" ", plain), "whole text"


def _stated(plain: str) -> str:
    """Return what is from the last ``Answer:`` on, unless every line begins so."""
    lines = plain.splitlines()
    told = [i for i, line in enumerate(lines) if line.strip()]
    begun = [i for i in told if _NAMED_VERDICT.match(lines[i])]
    if len(begun) in (0, len(told)):
        return ""
    at = begun[-1]
    while at and at - 1 in begun:
        at -= 1
    return "\n".join(lines[at:])


def _only_tags(line: str) -> bool:
    """Return whether a line is tags with commas and marks between, and nothing else."""
    parts = [p for p in re.split(r"[,;|&/]|\band\b", line) if re.search(r"\w", p)]
    return bool(parts) and all(
        len(re.findall(r"[A-Za-z0-9]+", p)) <= 5 and len(tags_said(p).tags) == 1 for p in parts
    )


def _why(how: str, said: TagsSaid) -> str:
    return f"{how}; no tag: {', '.join(said.unknown)}" if said.unknown else how


def _object(text: str) -> Any:
    """Return the last JSON object or list in a text (Python's quotes allowed), None without."""
    starts = [m.start() for m in re.finditer(r"[{\[]", text)][:_MOST_BRACES]
    found, end = None, 0
    decoder = json.JSONDecoder()
    for start in starts:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = _literal(text, start, end)
        if isinstance(value, dict | list) and (value or _FENCED.fullmatch(text)):
            found = value
    return found


def _literal(text: str, start: int, end: int) -> tuple[Any, int]:
    close = text.find("}" if text[start] == "{" else "]", start)
    if close < 0 or close - start > 2_000:
        return None, end
    try:
        return ast.literal_eval(text[start : close + 1]), close + 1
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None, end


def _first(found: dict[Any, Any], keys: tuple[str, ...]) -> Any:
    by_name = {str(k).strip().lower().replace(" ", "_"): v for k, v in found.items()}
    return next((by_name[k] for k in keys if k in by_name), None)


def _from_keys(found: Any, keys: tuple[str, ...]) -> str | None:
    """Return the part of an object that names tags, as text; None where it has none."""
    if isinstance(found, list):
        return _text(found) if all(isinstance(v, str) for v in found) else None
    if not isinstance(found, dict):
        return None
    value = _first(found, keys)
    if value is None:
        text = ", ".join(f"{k}: {v}" for k, v in found.items())
        return text if tags_said(text).tags else None
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k}: {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return "" if value is None else str(value)
