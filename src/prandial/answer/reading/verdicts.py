"""Yes or no read from free text; the answer that is stated as final wins.

In order: an answer under its name (``Final answer: No``), a first word, a last line, words
on whether the food is healthy. A text that says both, neither named as final, is not read.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

__all__ = ["Said", "Verdict", "refuses", "verdict_said"]

Verdict = Literal["Yes", "No"]

#: what must follow a yes or no that stands for itself: "no information" is no answer
_STANDS: Final = (
    r"(?=\s*(?:$|[.,;:!()\[\]\"'}\u2013\u2014<-]|\n"
    r"|(?:because|as|since|due|the|this|that|it|it's|its|for|given|i|based|according)\b))"
)
_BOTH: Final = re.compile(
    r"\b(?:yes\s*(?:/|\||or|and)\s*no|no\s*(?:/|\||or|and)\s*yes|y\s*/\s*n)\b", re.IGNORECASE
)
#: the form that was asked for, said back: Answer: Yes or Answer: No
_FORM: Final = re.compile(
    r"(?P<n>answer\s*:\s*)yes\b[\"'.\s]{0,4}(?:or|/)[\"'\s]{0,4}(?:answer\s*:\s*)?no\b"
    r"|^\W{0,9}yes\W{1,9}no\W{0,9}$",
    re.IGNORECASE,
)
#: the form cut off inside its quotes, and then a line with the answer
_CUT_FORM: Final = re.compile(r"\bor[\"'][ \t]*\n", re.IGNORECASE)
#: other words for the two, and other names of the answer, each where nothing else is meant
_OTHER_WORDS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), word)
    for pattern, word in (
        (r"\A[^\w]{0,40}(?:yep|yeah|yup)\b", "Yes"),
        (
            r"\A[^\w]{0,40}(?:nope|nah|(?:absolutely|certainly|definitely|of course) not)\b",
            "No",
        ),
        (r"\A[^\w]{0,40}(?:answer[^\w]{1,9})?true[^\w]{0,40}\Z", "Yes"),
        (r"\A[^\w]{0,40}(?:answer[^\w]{1,9})?false[^\w]{0,40}\Z", "No"),
        (r"^\s*(?:a|ans|final|output|assistant)\s*[:=]\s*(?=(?:yes|no)\b)", "Answer: "),
        (r"\b(answer\s*:\s*)y\W{0,9}$", r"\1Yes"),
        (r"\b(answer\s*:\s*)n\W{0,9}$", r"\1No"),
        (r"\A\W{0,40}(yes|no)(?:\W{1,9}\1\b){1,99}\W{0,40}\Z", r"\1"),
        (r"\bneither (?:healthy nor unhealthy|unhealthy nor healthy)\b", "either"),
    )
)
_NAMED: Final = re.compile(
    r"(?P<final>\bfinal\s+|\bcorrect\s+)?\b(?:answer|verdict|conclusion|decision|result|response"
    r"|judge?ment|healthy)\b(?:\s+(?:to|for|of)\s[^.:\n]{1,80}?)?(?:\s*[(\[][^()\n]{1,40}[)\]])?\s*"
    r"(?:(?:is|was|would be|will be|must be|should be)\b\s*|[:=\u2192>-]\s*)+(?:\n\s*)?"
    r"[\"'(\[{]{0,9}(?P<said>yes|no)\b" + _STANDS,
    re.IGNORECASE,
)
_BOXED: Final = re.compile(r"\\boxed\s*\{\s*(?:\\text\s*\{)?\s*(?P<said>yes|no)\b", re.IGNORECASE)
_FIRST: Final = re.compile(r"^[^\w]{0,40}(?P<said>yes|no)\b" + _STANDS, re.IGNORECASE)
_CONCLUDES: Final = (
    r"(?:so|therefore|thus|hence|overall|consequently|ultimately|finally|in (?:conclusion|summary"
    r"|short)|to (?:conclude|sum up)|accordingly)\b"
)
_LAST: Final = re.compile(
    r"^[^\w]{0,40}(?P<so>"
    + _CONCLUDES
    + r"[\s,:]*)?(?:(?:i would (?:say|answer)|i'd (?:say|answer|go with)|my answer|it is|it's)"
    r"\b(?: an?\b)?[\s,:]*)?[\"'(\[]{0,9}(?P<said>yes|no)\b" + _STANDS,
    re.IGNORECASE,
)
_SO: Final = re.compile(
    r"\b(?P<so>so|therefore|thus|hence)[\s,:]{1,9}(?:the answer is[\s:]*)?(?P<said>yes|no)\W{0,9}$",
    re.IGNORECASE,
)
#: the one yes or no of a text, at its end: Based on the facts: No.
_TAIL: Final = re.compile(r"[,:>\u2192][\s\"']{1,9}(?P<so>)(?P<said>yes|no)\W{0,9}$", re.IGNORECASE)
_WORD: Final = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_TAG_BEFORE: Final = re.compile(
    r"\b(?:low|high)[_ -]?\w{1,20}(?: \w{1,20})?\W{1,9}$", re.IGNORECASE
)
_LED: Final = re.compile(r"^[^\w]{0,40}either\b[\s:?.)-]{1,9}", re.IGNORECASE)
#: what an answer goes on to say of the food, up to the end of its clause
_CLAUSE: Final = re.compile(
    r"[\s,.:;-]{1,4}(?P<clause>(?:the|this|that|it|it's)\b[^.,;:\n]{0,120})", re.IGNORECASE
)
_BARE: Final = re.compile(r"^[^\w]{0,40}(yes|no)[^\w]{0,40}$", re.IGNORECASE | re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_SUITABLE: Final = (
    r"(?:healthy|suitable|recommended|appropriate|advisable|advised|ideal"
    r"|safe(?! (?:level|amount|range|limit))"
    r"|(?:an?|the) (?:\w+ )?(?:good|best|healthy|healthiest|safe|suitable|great|wise)"
    r" (?:choice|option|fit|food|meal|dish))\b"
)
_AGAINST: Final = re.compile(
    r"(?<!not )\bunhealthy\b|\bunsuitable\b|\binappropriate\b|\binadvisable\b|\bshould avoid\b"
    r"|\b(?:not|never|neither|\w+n't|no longer)\s+(?:\w+\s+){0,4}?(?:" + _SUITABLE + r"|suit\b)"
    r"|\b(?:should not|shouldn't|must not) (?:eat|consume|have)\b"
    r"|\b(?:not|never|\w+n't) (?:\w+ )?recommend\b"
    r"|(?<!need to )(?<!have to )(?<!not )(?<!n't )\bavoid (?:eating |consuming |having )?"
    r"(?:it|(?:this|that|the) (?:food|dish|meal))\b",
    re.IGNORECASE,
)
_FOR: Final = re.compile(
    r"\b(?:is|are|be|it's|seems|appears|as|considered)\s+(?:\w+\s+){0,3}?" + _SUITABLE
    + r"|^[^\w]{0,40}(?:(?:answer|verdict|conclusion)[^\w]{1,9})?healthy[^\w]{0,40}$|\bsuits\b"
    r"|^[^\w]{0,40}(?:recommended|suitable)[^\w]{0,40}$"
    r"|\b(?:would|do|can|i) recommend (?:it|(?:this|that|the) (?:food|dish|meal))\b"
    r"|\bnot unhealthy\b|\b(?:can|may) safely (?:eat|consume|have)\b"
    r"|\b(?:can|may) (?:eat|consume|have) (?:\w+ ){1,4}safely\b",
    re.IGNORECASE,
)  # fmt: skip
_ASKED: Final = re.compile(r"\bwhether\b|\bif (?:the|this|it)\b|\?\s*$", re.IGNORECASE)
_REFUSAL: Final = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|won't|will not|unable to|not able to"
    r"|impossible to)\s+(?:\w+\s+){0,2}?(?:answer|assist|help|determine|provide|give|say|tell|judge"
    r"|assess|decide|evaluate|conclude|comply|make|offer"
    r"|be (?:determined|answered|assessed|said))\b"
    r"|\b(?:don't|do not|doesn't|does not) (?:know|have (?:enough|sufficient|access))\b"
    r"|\b(?:not enough|insufficient|no sufficient|lack of) (?:information|data|context|details?)\b"
    r"|\bas an ai\b|\bi'?m sorry\b|\bi am sorry\b|\bi apologi[sz]e\b|\bi (?:must )?decline\b"
    r"|^[^\w]{0,40}(?:unknown|unsure|not sure|n/?a|undetermined|unanswerable)[^\w]{0,40}$",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """The verdict read, None if none, and by which rule or why not."""

    verdict: Verdict | None
    why: str


def verdict_said(text: str) -> Said:
    """Return the verdict a text states.

    Parameters
    ----------
    text : str
        Without markdown; data, nothing in it is followed.

    Returns
    -------
    Said
    """
    text = _FORM.sub(_either, text)
    for pattern, word in _OTHER_WORDS:
        text = pattern.sub(word, text)
    text = _LED.sub("", _BOTH.sub("either", text))
    named = list(_NAMED.finditer(text))
    final = [m for m in named if m["final"]] or list(_BOXED.finditer(text)) or named
    if final:
        return Said(_verdict(final[-1]["said"]), "stated as the answer")
    first, last = _FIRST.search(text), _last(text)
    if last and last["so"]:
        return _unopposed(last, "last sentence")
    said = {m["said"].lower() for m in (first, last) if m}
    bare = {m[1].lower() for m in _BARE.finditer(text)}
    if len(said | bare) > 1:
        return Said(None, "says yes and no, neither as the final answer")
    if first:
        return _unopposed(first, "first word")
    if last:
        return _unopposed(last, "last sentence")
    if bare:
        return Said(_verdict(bare.pop()), "a line of its own")
    return _in_words(text, "neither yes nor no")


def _either(match: re.Match[str]) -> str:
    """Return what stands for the form said back."""
    return match[0] if _CUT_FORM.search(match[0]) else (match["n"] or "") + "either"


def _unopposed(match: re.Match[str], why: str) -> Said:
    """Return the verdict, unless its own clause says the opposite: Yes, the food is unhealthy."""
    verdict = _verdict(match["said"])
    clause = _CLAUSE.match(match.string, match.end("said"))
    if clause is None:
        return Said(verdict, why)
    against = _AGAINST.search(clause["clause"])
    favour = _FOR.search(_AGAINST.sub(" ", clause["clause"]))
    if (verdict == "Yes" and against and not favour) or (
        verdict == "No" and favour and not against
    ):
        return Said(None, f"says {verdict} and calls the food the opposite")
    return Said(verdict, why)


def refuses(text: str) -> bool:
    """Return whether a text declines to answer or says that it cannot be told."""
    return _REFUSAL.search(text) is not None


def _last(text: str) -> re.Match[str] | None:
    """Return the match of the last sentence, or of the last line where that begins with it."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    sentences = [s for s in _SENTENCE.split(lines[-1]) if s.strip()]
    found = _LAST.search(sentences[-1]) or _SO.search(lines[-1]) or _LAST.search(lines[-1])
    return found or _tail(text, lines[-1])


def _tail(text: str, line: str) -> re.Match[str] | None:
    """Return the match of a yes or no at the very end, when it is the only one and no tag's."""
    found = _TAIL.search(line)
    if found is None or len(_WORD.findall(text)) > 1:
        return None
    return None if _TAG_BEFORE.search(line[: found.start("said")]) else found


def _in_words(text: str, why: str) -> Said:
    """Read sentences on whether the food is healthy; all of them agree, or the last concludes."""
    found: list[tuple[Verdict, bool]] = []
    for sentence in _SENTENCE.split(text):
        if _ASKED.search(sentence):
            continue
        against = _AGAINST.search(sentence)
        favour = _FOR.search(_AGAINST.sub(" ", sentence))
        if against and favour:
            return Said(None, "calls the food healthy and unhealthy in one sentence")
        if against or favour:
            concludes = re.search(r"^[^\w]{0,40}" + _CONCLUDES, sentence, re.IGNORECASE) is not None
            found.append(("No" if against else "Yes", concludes))
    verdicts = {v for v, _ in found}
    if len(verdicts) == 1:
        return Said(found[0][0], "in words")
    if found and found[-1][1]:
        return Said(found[-1][0], "in words, concluding")
    return Said(None, "calls the food healthy and unhealthy" if found else why)


def _verdict(word: str) -> Verdict:
    return "Yes" if word.lower() == "yes" else "No"
