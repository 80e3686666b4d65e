"""Benchmarks of models, of our estimator and of people: run, read, told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from prandial.api.choices import one_of
from prandial.errors import InputError
from prandial.records.bench import Benchmark

if TYPE_CHECKING:
    from prandial.bench.runner import CostEstimate, Price, Progress
    from prandial.bench.runs import Run
    from prandial.sources.report import GetReport
    from prandial.sources.report import Progress as FetchProgress

__all__ = [
    "bench_compare",
    "bench_cost",
    "bench_get",
    "bench_import",
    "bench_methods",
    "bench_run",
    "bench_score",
]


def bench_run(
    benchmark: str,
    out: Path | str,
    *,
    model: str = "",
    data: Path | str = "v2",
    method: str = "",
    nutrient: str = "carb",
    serving: str = "",
    country: Sequence[str] = (),
    items: str = "",
    half: str = "",
    columns: Mapping[str, str] | None = None,
    level: str = "all",
    task: str = "all",
    mode: str = "",
    split: str = "",
    limit: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    prompts: Mapping[str, Path | str] | None = None,
    retriever: str = "",
    textualizer: str = "",
    encoder: str = "",
    graph: Path | str = "",
    model_args: Mapping[str, Any] | None = None,
    max_connections: int | None = None,
    max_retries: int = 4,
    attempt_timeout_s: int = 180,
    timeout_s: int = 900,
    price: Price | None = None,
    max_cost: float | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> tuple[Run, ...]:
    """Run a benchmark, or go on with a run: the same arguments do both.

    Parameters
    ----------
    benchmark : {'nutribench', 'ngqa'}
    out : Path
        Folder of the run. For ``nutrient="all"`` it holds a folder a nutrient.
    model : str
        ``prandial/grounded``, ``prandial/local``, or a model of Inspect such as
        ``openai-api/NAME/MODEL`` or ``ollama/MODEL``; empty for a method that asks no model.
    data : Path or str
        NutriBench: ``v1``, ``v2`` or a file. NGQA: a folder of :func:`build_ngqa`, or a CSV file
        in the published form.
    method : str
        See :func:`bench_methods`; the model itself, or the plainest, when empty.
    nutrient : {'carb', 'protein', 'fat', 'energy', 'all'}
    serving, country, items, half, columns
        Which meals: ``natural`` or ``metric``, ISO 3166 alpha-3 codes, a count such as ``2-4``,
        ``tune`` or ``test``; names of columns that are not found by themselves.
    level, task, mode, split
        Which questions over graphs: ``sparse``, ``standard`` or ``complex``; ``B``, ``ML`` or
        ``TG``; form of the graphs; ``train``, ``dev`` or ``test``.
    limit, seed : int, optional
        How many are drawn, and the seed of the draw.
    options : mapping, optional
        Of the method.
    prompts : mapping, optional
        Prompt name to a file in its place.
    retriever, textualizer, encoder, graph
        Names that packages brought, weights of a sentence encoder, a merged graph.
    model_args : mapping, optional
        Temperature (0 when not given), address, key, and all else the model is given. Keys are
        not recorded.
    max_connections, max_retries, attempt_timeout_s, timeout_s
        Requests at a time, repeats after errors that may pass, seconds for a try and for all.
    price, max_cost
        Of a million tokens; asking stops when the maximum is reached.
    progress : callable, optional
        Told where the run is.

    Returns
    -------
    tuple of Run

    Raises
    ------
    InputError, NotFoundError
        On choices that there are not, or a folder that holds another run.
    MissingDataError, SchemaError
        When data or packages are not there, or damaged.
    ModelError
        When the harness ended the run. A model that fails at single questions does not.
    """
    from prandial import __version__
    from prandial.bench.runner import run_bench

    settings = _settings(
        benchmark,
        model=model,
        data=data,
        method=method,
        serving=serving,
        country=country,
        items=items,
        half=half,
        columns=dict(columns or {}),
        level=level,
        task=task,
        mode=mode,
        split=split,
        limit=limit,
        seed=seed,
        options=dict(options or {}),
        prompts=dict(prompts or {}),
        retriever=retriever,
        textualizer=textualizer,
        encoder=encoder,
        graph=graph,
        model_args=dict(model_args or {}),
        max_connections=max_connections,
        max_retries=max_retries,
        attempt_timeout_s=attempt_timeout_s,
        timeout_s=timeout_s,
        price=price,
        max_cost=max_cost,
    )
    found = []
    for name, one in _by_nutrient(settings, nutrient):
        folder = Path(out) / name if name else Path(out)
        found.append(run_bench(one, folder, prandial_version=__version__, hear=progress))
    return tuple(found)


def bench_cost(
    benchmark: str, *, price: Price | None = None, nutrient: str = "carb", **settings: Any
) -> CostEstimate:
    """Estimate what a run would need: requests, tokens and money; no model is asked.

    Parameters
    ----------
    benchmark, nutrient, **settings
        As for :func:`bench_run`; of ``all`` nutrients the sum.
    price : Price, optional

    Raises
    ------
    PrandialError
        As :func:`bench_run`.
    """
    from prandial.bench.runner import cost_of
    from prandial.bench.runner.cost import sum_of

    chosen = _settings(benchmark, price=price, **settings)
    found = [cost_of(one) for _, one in _by_nutrient(chosen, nutrient)]
    return found[0] if len(found) == 1 else sum_of(found)


def bench_methods(benchmark: str = "") -> list[dict[str, Any]]:
    """Return the methods of both benchmarks, or of one, with their options and prompts.

    Parameters
    ----------
    benchmark : {'', 'nutribench', 'ngqa'}

    Returns
    -------
    list of dict
        ``problem`` says why one of a package cannot be used.
    """
    from prandial.bench.methods import all_methods

    names = [_benchmark(benchmark)] if benchmark else ["nutribench", "ngqa"]
    rows: list[dict[str, Any]] = []
    told = set()
    for name in names:
        found, broken = all_methods(cast("Benchmark", name))
        rows += [
            {
                "benchmark": name,
                "method": m.name,
                "about": m.about,
                "options": dict(m.options),
                "prompts": list(m.prompts),
                "asks": m.asks,
                "problem": "",
            }
            for m in found.values()
        ]
        for one in broken:
            if one not in told:
                told.add(one)
                rows.append(
                    {
                        "benchmark": "",
                        "method": one.name,
                        "about": f"of the package {one.package}",
                        "options": {},
                        "prompts": [],
                        "asks": True,
                        "problem": one.problem,
                    }
                )
    return rows


def bench_import(log: Path | str, out: Path | str) -> Run:
    """Make a run of a log of ``inspect eval prandial/nutribench`` or ``prandial/ngqa``.

    Parameters
    ----------
    log : Path
    out : Path
        Folder of the run, new.

    Raises
    ------
    PrandialError
        When it is no such log, or the folder holds a run.
    """
    from prandial import __version__
    from prandial.bench.runner import import_log

    return import_log(Path(log), Path(out), prandial_version=__version__)


def _benchmark(name: str) -> Benchmark:
    return cast("Benchmark", one_of(name, Benchmark, "benchmark"))


def _settings(benchmark: str, **given: Any) -> Any:
    from prandial.bench.runner import BenchSettings

    return BenchSettings(benchmark=_benchmark(benchmark), **given)


def _by_nutrient(settings: Any, nutrient: str) -> list[tuple[str, Any]]:
    """Return the settings of each run; a run is of one nutrient."""
    from dataclasses import replace

    from prandial.bench.questions import NUTRIENTS

    if settings.benchmark == "ngqa":
        return [("", settings)]
    if nutrient == "all":
        return [(n, replace(settings, nutrient=n)) for n in NUTRIENTS.values()]
    house = NUTRIENTS.get(nutrient, nutrient)
    if house not in NUTRIENTS.values():
        raise InputError(
            f"no labels of {nutrient!r}",
            where="nutrient",
            hint="known: all, " + ", ".join(NUTRIENTS),
        )
    return [("", replace(settings, nutrient=house))]


def bench_score(
    run: Path | str,
    *,
    rules: Sequence[str] = (),
    by: Sequence[str] = (),
    seed: int = 0,
    draws: int = 2000,
    encoder: str = "",
) -> dict[str, Any]:
    """Score a run, finished or not, under the rule sets of its benchmark.

    Parameters
    ----------
    run : Path
        Its folder.
    rules : sequence of {'ours', 'published'}
        Both when empty; ``strict`` is another word for ours of NGQA.
    by : sequence of {'serving', 'country', 'items', 'band', 'language'}
        NutriBench: these slices too.
    seed, draws : int
        Of the bootstrap over groups of meals or foods.
    encoder : str
        Of BERTScore of NGQA's sentences: weights by name, a folder, or ``none``; ``minilm-l6``
        where it was pulled when empty.

    Returns
    -------
    dict
        ``record``, ``summary``, and ``scores`` by rule set.

    Raises
    ------
    MissingDataError, SchemaError
        When there is no run or encoder, or it is damaged.
    InputError, NotFoundError
        On a rule set, slice or encoder that there is not.
    """
    from prandial.bench.runner import run_summary
    from prandial.bench.runs import forms, read_run
    from prandial.bench.scoring import score_run
    from prandial.bench.sentences import bert_of

    found = read_run(Path(run))
    bert = bert_of(encoder) if encoder or _has_sentences(found.questions) else None
    scores = score_run(found, rules=rules, by=by, seed=seed, draws=draws, bert=bert)
    return {
        "folder": str(found.folder),
        "record": forms.record_to(found.record),
        "summary": run_summary(found),
        "scores": {name: [forms.score_to(s) for s in some] for name, some in scores.items()},
    }


def _has_sentences(questions: Sequence[Any]) -> bool:
    return any(getattr(q, "task", "") == "TG" for q in questions)


def bench_compare(
    first: Path | str,
    second: Path | str,
    *,
    rules: str = "ours",
    seed: int = 0,
    draws: int = 2000,
) -> dict[str, Any]:
    """Compare two runs on the questions that both were asked.

    Parameters
    ----------
    first, second : Path
        Folders of runs of one benchmark.
    rules : {'ours', 'published'}
    seed, draws : int

    Returns
    -------
    dict
        ``differences`` (second minus first, with interval and p), ``right`` (who alone is
        right), and the questions that are not compared.

    Raises
    ------
    PrandialError
        As :func:`bench_score`, and when the runs have no question in common.
    """
    from dataclasses import asdict

    from prandial.bench.runs import read_run
    from prandial.bench.scoring import compare_runs

    found = compare_runs(
        read_run(Path(first)), read_run(Path(second)), rules=rules, seed=seed, draws=draws
    )
    right = found.right if isinstance(found.right, dict) else {"": found.right}
    return {
        "first": str(first),
        "second": str(second),
        "rules": found.rules,
        "differences": [asdict(d) for d in found.differences],
        "right": {f"{task} " if task else "": asdict(d) for task, d in right.items()},
        "only_first": list(found.only_first),
        "only_second": list(found.only_second),
        "not_run": list(found.not_run),
    }


def bench_get(
    version: str,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    progress: Callable[[FetchProgress], object] | None = None,
) -> GetReport:
    """Fetch the published files of NutriBench, verified; cut downloads are continued.

    They are CC BY-NC-SA 4.0: for evaluation and research.

    Parameters
    ----------
    version : {'v1', 'v2'}
    source : str or Path, optional
        Folder or address of a mirror; Hugging Face when None.
    target : Path, optional
        In prandial's data folder when None.
    revised : bool
        Take a sound file with more rows than the registry knows.
    progress : callable, optional
        Told each step.

    Returns
    -------
    GetReport

    Raises
    ------
    NotFoundError
        On another version.
    DataError
        When nothing can be fetched.
    """
    from prandial.sources.nutribench import get_nutribench

    return get_nutribench(
        version, source=source, target=target, revised=revised, on_progress=progress
    )
