"""Wrong answers sorted by rule into what went wrong with their reasons.

The paper names two kinds (section 5.5 and appendix H of arXiv 2412.15547): factual, what the
graph does not hold, and contextual, what does not matter to this person. Beside them: a
verdict against the answer's own reasons, reasons left out, a wrong verdict without reasons, and
one whose reasons are all right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.records.bench import NO_TAG, GraphQuestion, Prediction, Score
from prandial.records.quiz import QuizRow
from prandial.score.quizzes.figures import DRAWS, Figures
from prandial.score.quizzes.pairs import Pair, by_task, cut_by_level, groups_of
from prandial.score.quizzes.strict import named_by_gold
from prandial.tables.rules import load_needs

__all__ = ["KINDS", "ErrorReview", "WrongAnswer", "error_scores", "review_errors", "wrong_answer"]

#: in the order in which the first that holds names the answer
KINDS: Final = ("factual", "contextual", "contradiction", "missing", "unexplained", "misjudged")
_TAG: Final = "food_nutrition_tag"


@dataclass(frozen=True, kw_only=True, slots=True)
class WrongAnswer:
    """One wrong answer.

    Parameters
    ----------
    question, task, level : str
    kind : str
        The first of :data:`KINDS` that holds.
    kinds : tuple of str
        All that hold: ``factual`` (a cited tag that the food does not have in the graph, or
        that is no tag at all),
        ``contextual`` (a cited tag on a nutrient that no status needs), ``contradiction`` (the
        reasons that count speak for the other verdict), ``missing`` (a deciding tag that is not
        cited), ``unexplained`` (wrong verdict, nothing cited), ``misjudged`` (wrong verdict, all
        else right).
    because : tuple of str
        One sentence each.
    gold, said : str
        Verdicts; empty in -ML.
    gold_tags, said_tags : tuple of str
    food : str
    statuses : tuple of str
    reply : str
    """

    question: str
    task: str
    level: str
    kind: str
    kinds: tuple[str, ...]
    because: tuple[str, ...]
    gold: str
    said: str
    gold_tags: tuple[str, ...]
    said_tags: tuple[str, ...]
    food: str
    statuses: tuple[str, ...]
    reply: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        cells = {name: getattr(self, name) for name in self.__slots__}
        return {k: list(v) if isinstance(v, tuple) else v for k, v in cells.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorReview:
    """The wrong answers of a run and how many there are of each kind.

    ``first`` counts each answer once, by its ``kind``; ``every`` counts each kind that holds.
    ``unscored`` were refused, unreadable or not run.
    """

    wrong: tuple[WrongAnswer, ...]
    answered: int
    unscored: int
    first: dict[str, int]
    every: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "answered": self.answered,
            "unscored": self.unscored,
            "first": self.first,
            "every": self.every,
            "wrong": [w.to_dict() for w in self.wrong],
        }


def review_errors(pairs: Iterable[Pair]) -> ErrorReview:
    """Sort the wrong answers of a run.

    Parameters
    ----------
    pairs : iterable of (GraphQuestion, Prediction)

    Raises
    ------
    InputError
        When a prediction is of another question, a question stands twice, or its rule set is
        unknown.
    """
    every = [p for of_task in by_task(pairs).values() for p in of_task]
    answered = [(q, p) for q, p in every if p.reading.status == "answered"]
    wrong = [w for q, p in answered if (w := wrong_answer(q, p)) is not None]
    first = Counter(w.kind for w in wrong)
    all_kinds = Counter(k for w in wrong for k in w.kinds)
    return ErrorReview(
        wrong=tuple(wrong),
        answered=len(answered),
        unscored=len(every) - len(answered),
        first={k: first[k] for k in KINDS},
        every={k: all_kinds[k] for k in KINDS},
    )


def error_scores(pairs: Iterable[Pair], *, seed: int = 0, draws: int = DRAWS) -> tuple[Score, ...]:
    """Return the share of answers in which each kind holds (``tg_error_factual`` ...).

    By task and level, over answered questions, and ``*_error_any`` for a wrong answer of any kind.

    Raises
    ------
    InputError
        As :func:`review_errors`.
    """
    scores: list[Score] = []
    for task, of_task in by_task(pairs).items():
        for name, part in cut_by_level(of_task):
            figures = Figures(rules="strict", slice=name, total=len(part), seed=seed, draws=draws)
            answered = [(q, p) for q, p in part if p.reading.status == "answered"]
            found = [wrong_answer(q, p) for q, p in answered]
            groups = groups_of(answered)
            prefix = f"{task.lower()}_error_"
            held = [frozenset(w.kinds) if w else frozenset() for w in found]
            columns = [("any", [float(bool(h)) for h in held])]
            columns += [(k, [float(k in h) for h in held]) for k in KINDS]
            scores += [figures.mean(prefix + k, v, groups, higher=False) for k, v in columns]
    return tuple(scores)


def wrong_answer(question: GraphQuestion, prediction: Prediction) -> WrongAnswer | None:
    """Return what is wrong with an answer, None when nothing is.

    A cited tag that is in the graph and matters to the person is no error, whichever side it
    speaks for; a sentence must cite the tags its gold sentence names.

    Raises
    ------
    InputError
        On an unknown rule set.
    """
    row, reading = question.row, prediction.reading
    cited = reading.tags or ()
    held = {n.attr for n in row.graph.nodes if n.name == _TAG} or set(row.food.tags)
    needs = _directions(row, question.rules)
    found: dict[str, str] = {}

    def because(kind: str, tags: Sequence[str], what: str) -> None:
        if tags:
            found[kind] = f"{', '.join(tags)}: {what}"

    strange = _strange(prediction)
    false = [t for t in cited if t not in held]
    because("factual", [*false, *strange], "not a tag of the food in the graph")
    because(
        "contextual",
        [t for t in cited if t in held and _nutrient(t) not in needs],
        "no status of the person needs that nutrient",
    )
    if question.task != "ML":
        implied = _implied(cited, needs)
        if implied is not None and implied != reading.verdict:
            found["contradiction"] = (
                f"its own reasons speak for {implied}, it says {reading.verdict}"
            )
    wanted = () if question.task == "B" else _wanted(question)
    if cited or strange or question.task == "ML":
        because("missing", [t for t in wanted if t not in cited], "decides and is not named")
    wrong_verdict = question.task != "ML" and reading.verdict != row.gold.verdict
    if not (cited or strange) and question.task == "TG":
        found["unexplained"] = "names no reason"
    elif wrong_verdict and not (cited or strange):
        found["unexplained"] = f"{reading.verdict} for {row.gold.verdict}, no reason asked for"
    elif wrong_verdict and not found:
        found["misjudged"] = f"{reading.verdict} for {row.gold.verdict}, with the right reasons"
    if not found:
        return None
    kinds = tuple(k for k in KINDS if k in found)
    return WrongAnswer(
        question=question.id,
        task=question.task,
        level=row.level,
        kind=kinds[0],
        kinds=kinds,
        because=tuple(found[k] for k in kinds),
        gold="" if question.task == "ML" else row.gold.verdict,
        said=reading.verdict or "",
        gold_tags=tuple(wanted),
        said_tags=tuple(cited),
        food=row.food.name,
        statuses=row.person.statuses,
        reply=prediction.raw_text,
    )


def _strange(prediction: Prediction) -> tuple[str, ...]:
    """Return what the reply names like a tag and is none, such as high fat."""
    _, sign, names = prediction.reading.why.partition(NO_TAG)
    return tuple(filter(None, (n.strip() for n in names.split(",")))) if sign else ()


def _wanted(question: GraphQuestion) -> tuple[str, ...]:
    named = named_by_gold(question) if question.task == "TG" else question.row.gold.tags
    return tuple(t for t in question.row.gold.tags if t in named)


def _directions(row: QuizRow, rules: str) -> dict[str, frozenset[str]]:
    """Return nutrient -> directions that some status of the person needs."""
    tags = load_needs(rules).tags
    found: dict[str, frozenset[str]] = {}
    for tag in (t for s in row.person.statuses for t in tags.get(s, ())):
        direction, _, nutrient = tag.partition("_")
        found[nutrient] = found.get(nutrient, frozenset()) | {direction}
    if rules == "as-published":  # high overwrites low
        found = {n: frozenset({"high"}) if len(d) > 1 else d for n, d in found.items()}
    return found


def _implied(cited: Sequence[str], needs: dict[str, frozenset[str]]) -> str | None:
    """Return the verdict of the cited tags that count; None when none does."""
    sides = [
        next(iter(needs[_nutrient(t)])) == t.partition("_")[0]
        for t in cited
        if len(needs.get(_nutrient(t), ())) == 1
    ]
    return ("Yes" if sides.count(True) > sides.count(False) else "No") if sides else None


def _nutrient(tag: str) -> str:
    return tag.partition("_")[2]
