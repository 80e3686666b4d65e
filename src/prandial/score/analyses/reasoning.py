"""Why a reasoned answer is far off, by rule, from the words of the reply.

The paper looked at 100 answers of GPT-4o with an error above 50 g and found all of them to
have the right items, servings and equations, and a wrong amount of some item (appendix J).
The rules here look for the same four faults, in the order of the work, and name the first:

``parse``
    The reply speaks of fewer foods than the meal has. Counted are the parts of the sentence
    that lists the meal (``consists of A, B and C``) and the lines that give an amount to a
    food; the larger holds, so that a food said to have nothing still counts.
``serving``
    An amount of the meal's text (``138 g``, ``2``) is nowhere in the reply.
``equation``
    A sum of the reply does not come to what stands after its equals sign, or the last sum in
    a line that says total is not the answer that was read.
``value``
    None of these: some amount per food must be wrong.

Rules see signs, not sense: the fault named is where to look first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from prandial.arithmetic import calculate
from prandial.score.answers.meals import MealPair

__all__ = ["FAULTS", "FarAnswer", "count_faults", "far_answers", "fault_of"]

Fault = Literal["parse", "serving", "equation", "value"]
FAULTS: Final[tuple[Fault, ...]] = ("parse", "serving", "equation", "value")

_NUMBER: Final = r"\d+(?:\.\d+)?"
#: the number a sum is said to be; not the first number of another sum
_SAID: Final = re.compile(rf"\s*({_NUMBER})(?![\d.]*\d|\s*[-+*/]\s*[\d(])")
_SIGNS: Final = frozenset("-+*/().0123456789 ")
_LONGEST_SUM: Final = 300
_UNIT: Final = re.compile(
    rf"({_NUMBER})\s*(?:grams?|gramme?s?|gramm?[ios]?|g|г|грамм\w*|грам\w*|kcal)(?![^\W\d_])",
    re.IGNORECASE,
)
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_LISTING: Final = re.compile(
    r"(?:consists? of|meal is|contains the following|composed? of|includes?|made up of"
    r"|se compose de"
    r"|consiste en|consiste in|consiste em|besteht aus|består av|terdiri dari)\s*:?\s*([^\n]+?)"
    r"(?:\.\s|\.?\n|\.?\Z)",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(
    r",\s*(?:and|et|und|y|e|och|dan)\s+|,\s+|\s+(?:and|et|und|y|e|och|dan|with|plus|\+)\s+",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r"total|output|answer|\bsum|gesamt|somma|soma|suma|toplam|tổng|jumlah|итого|всего|общ"
    r"|загальн|всього|σύνολ|συνολικ|कुल|合計|総|총|합계|รวม|مجموع",
    re.IGNORECASE,
)
_WORDED: Final = re.compile(r"\d\s*[^\W\d_]")
#: amounts of a meal that replies write in other ways
_SMALL: Final = {"0.5": ("1/2", "half", "½"), "0.25": ("1/4", "quarter", "¼")}
#: rounding of shown steps: relative, and in g
_ROUNDING: Final = (0.01, 0.51)


@dataclass(frozen=True, kw_only=True, slots=True)
class FarAnswer:
    """An answer far from its label.

    Parameters
    ----------
    question : str
    error : float
        Answer minus label.
    fault : {'parse', 'serving', 'equation', 'value'}
    because : str
        What the rule saw.
    """

    question: str
    error: float
    fault: Fault
    because: str


def far_answers(
    pairs: Sequence[MealPair],
    *,
    beyond: float = 50.0,
    plain: Callable[[str], str] = str,
) -> tuple[FarAnswer, ...]:
    """Sort the answers with large errors by their first fault.

    Parameters
    ----------
    pairs : sequence of (MealQuestion, Prediction)
        Of a method that reasons aloud.
    beyond : float
        Smallest absolute error that is not looked at, in the nutrient's unit.
    plain : callable
        Puts a reply into plain writing (one kind of digits and signs).

    Returns
    -------
    tuple of FarAnswer
        The largest error first.
    """
    found = []
    for question, prediction in pairs:
        value = prediction.reading.value
        if prediction.reading.status != "answered" or value is None:
            continue
        error = value - question.label
        if abs(error) <= beyond:
            continue
        fault, because = fault_of(
            plain(prediction.raw_text), question.text, items=question.items, answer=value
        )
        found.append(FarAnswer(question=question.id, error=error, fault=fault, because=because))
    return tuple(sorted(found, key=lambda f: -abs(f.error)))


def count_faults(answers: Sequence[FarAnswer]) -> dict[Fault, int]:
    """Return how many answers have each fault, in the order of the work."""
    counts = Counter(a.fault for a in answers)
    return {fault: counts[fault] for fault in FAULTS}


def fault_of(reply: str, meal: str, *, items: int | None, answer: float) -> tuple[Fault, str]:
    """Return the first fault of a reply, and what shows it.

    Parameters
    ----------
    reply : str
        In plain writing.
    meal : str
        The text of the meal that the model was given.
    items : int, optional
        Foods in the meal; None if unknown, and then none can be found missing.
    answer : float
        As read.

    Returns
    -------
    fault, because : str
    """
    reply = _DECIMAL_COMMA.sub(".", reply)
    foods = _foods(reply)
    if items is not None and foods is not None and foods < items:
        return "parse", f"speaks of {foods} foods, the meal has {items}"
    absent = _absent_amounts(meal, reply)
    if absent:
        return "serving", f"the meal's {absent[0]} is not in the reply"
    wrong = _wrong_equation(reply, answer)
    if wrong:
        return "equation", wrong
    return "value", "foods, servings and sums agree"


def _foods(reply: str) -> int | None:
    """Return how many foods a reply speaks of; None when it shows no working."""
    body = re.split(r"output\s*:", reply, flags=re.IGNORECASE)[0]
    listed = _LISTING.search(body)
    parts = len([p for p in _PARTS.split(listed[1]) if p.strip()]) if listed else 0
    rest = body[listed.end() :] if listed else body
    lines = re.split(r"\n|(?<=[^\d])\.\s", rest)
    given = sum(1 for line in lines if _WORDED.search(line) and not _TOTAL.search(line))
    return max(parts, given) or None


def _absent_amounts(meal: str, reply: str) -> list[str]:
    """Return numbers of the meal's text that are nowhere in the reply."""
    meal = _DECIMAL_COMMA.sub(".", meal)
    there = {float(n) for n in re.findall(_NUMBER, reply)}
    absent = []
    for match in re.finditer(rf"(?<![\w.]){_NUMBER}(?![.\d]*%)", meal):
        written = match[0]
        if float(written) in there:
            continue
        if any(s in reply.lower() for s in _SMALL.get(written, ())):
            continue
        absent.append(written)
    return absent


def _wrong_equation(reply: str, answer: float) -> str:
    """Return the first sum that is not what is said, or an empty text."""
    text = _UNIT.sub(r"\1", reply.replace("×", "*").replace("x ", "* "))
    last_sum: float | None = None
    for at, left, said in _equations(text):
        made = calculate(_balanced(left))
        if made is None:
            continue
        if not _same(made, said):
            return f"{' '.join(left.split())} is {made:g}, not {said:g}"
        if "+" in left and _TOTAL.search(text, text.rfind("\n", 0, at) + 1, at):
            last_sum = said
    if last_sum is not None and not _same(last_sum, answer):
        return f"the sum is {last_sum:g}, the answer {answer:g}"
    return ""


def _equations(text: str) -> Iterator[tuple[int, str, float]]:
    """Yield the place of each equals sign after a sum, the sum and the number after it."""
    for match in re.finditer("=", text):
        said = _SAID.match(text, match.end())
        if said is None:
            continue
        start = match.start()
        floor = max(0, start - _LONGEST_SUM)
        while start > floor and text[start - 1] in _SIGNS:
            start -= 1
        left = text[start : match.start()].strip()
        if re.search(r"[\d)]\s*[-+*/]\s*[\d(]", left):
            yield match.start(), left, float(said[1])


def _same(made: float, said: float) -> bool:
    relative, absolute = _ROUNDING
    return abs(made - said) <= max(absolute, relative * abs(made))


def _balanced(text: str) -> str:
    """Take off brackets at the ends that have no other."""
    while text.count("(") > text.count(")") and "(" in text:
        text = text.replace("(", "", 1)
    while text.count(")") > text.count("(") and ")" in text:
        at = text.rfind(")")
        text = text[:at] + text[at + 1 :]
    return text.strip()
