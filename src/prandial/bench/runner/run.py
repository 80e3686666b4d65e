"""Run a benchmark, or go on with a run: the same settings and folder do both."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prandial.answer.ask import Question
from prandial.answer.methods import Kit, Method
from prandial.bench.answerers import answerer_name, find_answerer
from prandial.bench.graph_questions import graph_questions
from prandial.bench.kits import kit_of
from prandial.bench.methods import method_named, read_reply
from prandial.bench.questions import Asked, meal_questions
from prandial.bench.rehearsal import graph_of_data, rehearse
from prandial.bench.runner.cost import CostEstimate, check_budget, estimate_cost
from prandial.bench.runner.harness import inspect_model, run_by_inspect
from prandial.bench.runner.keeping import Hear, Keeper
from prandial.bench.runner.loop import Answerer, loop_answerer, loop_method
from prandial.bench.runner.record import make_record
from prandial.bench.runner.settings import DIRECT, BenchSettings
from prandial.bench.runs import Run, RunFolder, read_run
from prandial.errors import InputError, MissingDataError
from prandial.records.bench import Replied, RunRecord
from prandial.sources.exclusive import held

if TYPE_CHECKING:
    from inspect_ai.model import Model

__all__ = ["cost_of", "questions_of", "run_bench"]

_PLAINEST = {"nutribench": "base", "ngqa": "plain"}


def questions_of(settings: BenchSettings, *, home: Path | None = None) -> Asked:
    """Return what a run asks.

    Raises
    ------
    PrandialError
        As :func:`~prandial.bench.questions.meal_questions` and
        :func:`~prandial.bench.graph_questions.graph_questions`.
    """
    if settings.benchmark == "nutribench":
        return meal_questions(
            settings.data,
            nutrient=settings.nutrient,
            serving=settings.serving,
            country=settings.country,
            items=settings.items,
            half=settings.half,
            limit=settings.limit,
            seed=settings.seed,
            columns=settings.columns,
            home=home,
        )
    return graph_questions(
        settings.data,
        level=settings.level,
        task=settings.task,
        mode=settings.mode,
        rules=settings.rules,
        split=settings.split,
        limit=settings.limit,
        seed=settings.seed,
    )


def run_bench(
    settings: BenchSettings,
    out: Path,
    *,
    prandial_version: str,
    home: Path | None = None,
    hear: Hear | None = None,
) -> Run:
    """Run a benchmark, or go on with it.

    Questions that are answered in the folder are not asked again, failed ones are. Every answer
    is on disk before the next is waited for.

    Parameters
    ----------
    settings : BenchSettings
    out : Path
        The run's folder.
    prandial_version : str
    home : Path, optional
        Where NutriBench files are looked for by version.
    hear : callable, optional
        Told of the progress.

    Returns
    -------
    Run
        A question without a prediction was not asked: the money was spent.

    Raises
    ------
    InputError
        When the folder holds another run, or the run would cost more than it may.
    PrandialError
        On data, models or methods that are not there.
    KeyboardInterrupt
        When interrupted; what is answered is kept.
    """
    asked = questions_of(settings, home=home)
    answer = _answerer(settings, home)
    method, kit = _way(settings, asked, direct=answer is not None)
    rehearse(method, asked.questions, kit)
    model = None
    if answer is None and method.asks:
        model = inspect_model(settings)  # before anything is written
    record = make_record(settings, asked, method, kit, prandial_version=prandial_version)
    if settings.max_cost is not None and not 0 < settings.max_cost < float("inf"):
        raise InputError(
            f"a maximum cost of {settings.max_cost:g}", where="max_cost", hint="more than 0"
        )
    with held(out):
        _go_on(settings, out, record, asked, answer, model, method, kit, hear)
    return read_run(out)


def _go_on(
    settings: BenchSettings,
    out: Path,
    record: RunRecord,
    asked: Asked,
    answer: Answerer | None,
    model: Model | None,
    method: Method,
    kit: Kit,
    hear: Hear | None,
) -> None:
    """Ask what is not answered in the folder yet."""
    folder = RunFolder(out)
    before = folder.begin(record, asked.questions)
    left = [q for q in asked.questions if q.id not in before]
    if before or (out / "answers.jsonl").exists():
        there = read_run(out).record
        record = replace(there, sittings=there.sittings + bool(left), versions=record.versions)
    estimate = None
    if settings.price is not None and model is not None and left:
        estimate = estimate_cost(left, method, kit, settings.price)
    keeper = Keeper(
        folder,
        before,
        len(asked.questions),
        hear=hear,
        price=settings.price,
        max_cost=settings.max_cost,
        input_tokens_a_call=_a_call(estimate),
    )
    if settings.max_cost is not None and model is not None and left:
        if estimate is None:
            raise InputError(
                "a maximum cost needs prices", where="max_cost", hint="give the price of tokens"
            )
        check_budget(estimate, settings.max_cost, keeper.cost or 0.0)
    begun = time.monotonic()
    earlier = record.seconds or 0.0
    folder.write_record(record)
    try:
        if left:
            _ask(left, answer, model, method, kit, record, keeper, out)
    finally:
        seconds = earlier + time.monotonic() - begun
        folder.write_record(replace(record, seconds=round(seconds, 3)))


def _a_call(estimate: CostEstimate | None) -> float:
    """Return how many tokens a request sends, as estimated; 0 where nothing was."""
    if estimate is None or not estimate.calls:
        return 0.0
    return estimate.input_tokens / (estimate.calls * estimate.questions)


def _ask(
    left: Sequence[Question],
    answer: Answerer | None,
    model: Model | None,
    method: Method,
    kit: Kit,
    record: Any,
    keeper: Keeper,
    out: Path,
) -> None:
    def read(question: Any, replied: Replied) -> Any:
        return read_reply(question, replied, method.name)

    if answer is not None:
        loop_answerer(left, answer, read, keeper)
    elif model is None:
        loop_method(left, method, kit, read, keeper)
    else:
        run_by_inspect(model, left, method, kit, record, keeper, out)


def _answerer(settings: BenchSettings, home: Path | None) -> Answerer | None:
    if not _is_direct(settings):
        return None

    def everything() -> Sequence[Question]:
        whole = replace(
            settings,
            serving="",
            country=(),
            items="",
            half="",
            level="all",
            split="",
            limit=None,
        )
        return questions_of(whole, home=home).questions

    return find_answerer(settings.model, settings.benchmark, settings.model_args, everything)


def _is_direct(settings: BenchSettings) -> bool:
    return settings.method in ("", DIRECT)


def _way(settings: BenchSettings, asked: Asked, *, direct: bool) -> tuple[Method, Kit]:
    """Return the method and its kit."""
    if settings.method == DIRECT and not direct:
        raise InputError(
            f"{settings.model!r} does not answer without a method",
            where="method",
            hint="see: prandial bench methods",
        )
    if direct:
        method = _direct_method(settings.benchmark)
    else:
        name = settings.method or _PLAINEST[settings.benchmark]
        method = method_named(name, settings.benchmark)
    return method, kit_of(
        method,
        options=settings.options,
        prompts=settings.prompts,
        retriever=settings.retriever,
        textualizer=settings.textualizer,
        encoder=settings.encoder,
        graph=graph_of_data(settings.data, asked.settings.get("mode", ""), settings.graph),
    )


def _direct_method(benchmark: Any) -> Method:
    async def never(question: Any, ask: Any, kit: Any) -> Replied:  # noqa: ARG001
        raise MissingDataError("this model answers by itself", hint="leave the method out")

    return Method(
        name=DIRECT, benchmark=benchmark, about="the model answers by itself", run=never, asks=False
    )


def cost_of(settings: BenchSettings, *, home: Path | None = None) -> CostEstimate:
    """Estimate what a run would need; no model is asked.

    Raises
    ------
    PrandialError
        As :func:`run_bench`.
    """
    asked = questions_of(settings, home=home)
    direct = bool(answerer_name(settings.model)) and _is_direct(settings)
    method, kit = _way(settings, asked, direct=direct)
    rehearse(method, asked.questions, kit)
    if direct or not method.asks:
        return CostEstimate(
            questions=len(asked.questions),
            sampled=0,
            calls=0.0,
            input_tokens=0.0,
            most_output_tokens=0.0,
            cost=0.0,
            most_cost=0.0,
        )
    return estimate_cost(asked.questions, method, kit, settings.price)
