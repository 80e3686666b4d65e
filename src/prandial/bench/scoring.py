"""Scores of runs under both rule sets of their benchmark, and runs in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from prandial.bench.predicting import failed
from prandial.bench.retrieved import retrieval_of
from prandial.bench.runs import Run
from prandial.errors import InputError
from prandial.records.bench import Benchmark, GraphQuestion, MealQuestion, Prediction, Score
from prandial.score.answers.bootstrap import DRAWS
from prandial.score.answers.meals import MealPair, score_meal_slices, score_meals
from prandial.score.answers.paired import MealComparison, compare_meals
from prandial.score.quizzes import (
    BertScorer,
    QuizComparison,
    compare_quizzes,
    cost_scores,
    published_scores,
    strict_scores,
)
from prandial.score.quizzes.pairs import Pair

__all__ = ["RULES", "SLICES", "compare_runs", "pairs_of", "score_run"]

#: rule sets of each benchmark, ours first
RULES: Final[dict[Benchmark, tuple[str, str]]] = {
    "nutribench": ("ours", "published"),
    "ngqa": ("strict", "published"),
}
SLICES: Final = ("serving", "country", "items", "band", "language")
NOT_ASKED: Final = "not asked"


def pairs_of(run: Run) -> list[tuple[MealQuestion | GraphQuestion, Prediction]]:
    """Return each question with its prediction; one that was not asked is told as not run."""
    return [(q, run.predictions.get(q.id) or failed(q, NOT_ASKED)) for q in run.questions]


def score_run(
    run: Run,
    *,
    rules: Sequence[str] = (),
    by: Sequence[str] = (),
    seed: int = 0,
    draws: int = DRAWS,
    bert: BertScorer | None = None,
) -> dict[str, tuple[Score, ...]]:
    """Score a run, finished or not.

    Parameters
    ----------
    run : Run
    rules : sequence of str
        ``ours`` (of NGQA ``strict``) and ``published``; both when empty.
    by : sequence of {'serving', 'country', 'items', 'band', 'language'}
        NutriBench: score each of these slices too.
    seed, draws : int
        Of the bootstrap.
    bert : BertScorer, optional
        For BERTScore of NGQA's sentences, published rules.

    Returns
    -------
    dict
        Rule set to scores. Of NGQA both also have retrieval, the strict set costs too.

    Raises
    ------
    InputError
        On a rule set or slice that there is not.
    MissingDataError
        When a library of text scores is not installed.
    """
    benchmark = run.record.benchmark
    chosen = _rules(rules, benchmark)
    _slices(by, benchmark)
    found: dict[str, tuple[Score, ...]] = {}
    if benchmark == "nutribench":
        meals = cast("list[MealPair]", pairs_of(run))
        for name in chosen:
            told: dict[str, Any] = {"rules": name, "seed": seed, "draws": draws}
            found[name] = (
                *score_meals(meals, **told),
                *score_meal_slices(meals, by=by, **told),
            )
        return found
    quizzes = cast("list[Pair]", pairs_of(run))
    given: dict[str, Any] = {"seed": seed, "draws": draws}
    looked = any(p.retrieved is not None for _, p in quizzes)
    retrieval = retrieval_of(quizzes, seed=seed, draws=draws) if looked else ()
    for name in chosen:
        own = (
            published_scores(quizzes, **given, bert=bert)
            if name == "published"
            else strict_scores(quizzes, **given)
        )
        costs = () if name == "published" else cost_scores(quizzes, **given)
        found[name] = (*own, *(s for s in retrieval if s.rules == name), *costs)
    return found


def _rules(given: Sequence[str], benchmark: Benchmark) -> tuple[str, ...]:
    known = RULES[benchmark]
    ours = known[0]
    names = tuple(dict.fromkeys(ours if n == "ours" else n for n in given))
    for name in names:
        if name not in known:
            raise InputError(
                f"no rule set {name!r} for {benchmark}",
                where="rules",
                hint="known: " + ", ".join(known),
            )
    return names or known


def _slices(by: Sequence[str], benchmark: Benchmark) -> None:
    if by and benchmark != "nutribench":
        raise InputError(
            "questions over graphs are scored by level and task as they are",
            where="by",
            hint="leave it out",
        )
    for name in by:
        if name not in SLICES:
            raise InputError(f"no slice {name!r}", where="by", hint="known: " + ", ".join(SLICES))


def compare_runs(
    first: Run, second: Run, *, rules: str = "ours", seed: int = 0, draws: int = DRAWS
) -> MealComparison | QuizComparison:
    """Compare two runs on the questions that both were asked.

    Parameters
    ----------
    first, second : Run
        Of one benchmark, and of one nutrient.
    rules : {'ours', 'strict', 'published'}
    seed, draws : int
        Of the bootstrap and of the turned signs.

    Raises
    ------
    InputError
        When they are of different benchmarks or nutrients, or share no question.
    """
    benchmark = first.record.benchmark
    if second.record.benchmark != benchmark:
        raise InputError(
            f"one run is of {benchmark}, the other of {second.record.benchmark}",
            where="runs",
            hint="compare runs of one benchmark",
        )
    (name,) = _rules((rules,), benchmark)
    if not {q.id for q in first.questions} & {q.id for q in second.questions}:
        raise InputError(
            "the runs have no question in common",
            where=f"{first.folder}, {second.folder}",
            hint="run both on the same data, limit and seed",
        )
    if benchmark == "nutribench":
        asked = [r.record.settings["nutrient"] for r in (first, second)]
        if asked[0] != asked[1]:
            raise InputError(
                f"one run is of {asked[0]}, the other of {asked[1]}",
                where="runs",
                hint="compare runs of one nutrient",
            )
        return compare_meals(
            cast("list[MealPair]", pairs_of(first)),
            cast("list[MealPair]", pairs_of(second)),
            rules=cast("Any", name),
            seed=seed,
            draws=draws,
        )
    return compare_quizzes(
        cast("list[Pair]", pairs_of(first)),
        cast("list[Pair]", pairs_of(second)),
        rules=cast("Any", name),
        seed=seed,
        draws=draws,
    )
