"""Logs of ``inspect eval`` made into runs, so that both give the same figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from prandial.bench.predicting import failed
from prandial.bench.questions import digest_of
from prandial.bench.runner.record import run_name
from prandial.bench.runs import Run, RunFolder, forms, read_run
from prandial.errors import InputError, MissingDataError, NotFoundError, SchemaError
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction, RunRecord
from prandial.sources.exclusive import held

__all__ = ["import_log", "metadata_of"]

_OURS: Final = "prandial"
#: as in prandial.bench.tasks, which needs Inspect
_QUESTION: Final = "prandial_question"
_PREDICTION: Final = "prandial_prediction"


def metadata_of(record: RunRecord) -> dict[str, Any]:
    """Return what a log says of the run that it belongs to."""
    return {_OURS: forms.record_to(record)}


def import_log(path: Path, folder: Path, *, prandial_version: str, epoch: int = 1) -> Run:
    """Make a run of an Inspect log of ``prandial/nutribench`` or ``prandial/ngqa``.

    Parameters
    ----------
    path : Path
        ``.eval`` or ``.json`` log, finished or not.
    folder : Path
        The run's folder, new or empty.
    prandial_version : str
    epoch : int
        Which of several answers to each sample; a run holds one.

    Returns
    -------
    Run
        Samples that ended in an error are failed predictions; samples that were not run have
        none.

    Raises
    ------
    NotFoundError, InputError
        When there is no such log, or the folder holds a run.
    SchemaError
        When it is no log of these tasks.
    MissingDataError
        When Inspect is not installed.
    """
    if not path.is_file():
        raise NotFoundError("no such log", where=str(path), hint="check the path")
    if (folder / "run.json").exists():
        raise InputError("the folder holds a run", where=str(folder), hint="name another folder")
    log = _read(path)
    told = (log.eval.metadata or {}).get(_OURS)
    if not isinstance(told, Mapping) or not log.samples:
        raise SchemaError(
            "no log of prandial's tasks, or one without samples",
            where=str(path),
            hint="inspect eval prandial/nutribench --model MODEL",
        )
    questions, predictions = [], []
    for sample in _in_order(log, epoch):
        question = forms.question_from((sample.metadata or {})[_QUESTION])
        questions.append(question)
        one = _prediction(question, sample)
        if one is not None:
            predictions.append(one)
    record = _record(log, told, questions, prandial_version)
    keep = RunFolder(folder)
    with held(folder):
        keep.begin(record, questions)
        keep.add_all(predictions)
    return read_run(folder)


def _read(path: Path) -> Any:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise MissingDataError(
            "Inspect is not installed", where="inspect_ai", hint="pip install 'prandial[bench]'"
        ) from error
    try:
        return read_eval_log(str(path))
    except Exception as error:
        raise SchemaError(
            f"not a log of Inspect: {' '.join(str(error).split())[:200]}",
            where=str(path),
            hint="a log that was cut short: inspect log recover LOG",
        ) from error


def _in_order(log: Any, epoch: int) -> list[Any]:
    """Return the samples in the order of the data; a log has them as they were answered."""
    place = {str(id_): i for i, id_ in enumerate(log.eval.dataset.sample_ids or ())}
    samples = [s for s in log.samples if s.epoch == epoch]
    if not samples:
        raise InputError(f"the log has no epoch {epoch}", where="epoch", hint="from 1")
    return sorted(samples, key=lambda s: place.get(str(s.id), len(place)))


def _prediction(question: MealQuestion | GraphQuestion, sample: Any) -> Prediction | None:
    for score in (sample.scores or {}).values():
        body = (score.metadata or {}).get(_PREDICTION)
        if body is not None:
            return forms.prediction_from(body)
    if sample.error is not None:
        return failed(question, " ".join(sample.error.message.split())[:500])
    return None


def _record(
    log: Any, told: Mapping[str, Any], questions: list[Any], prandial_version: str
) -> RunRecord:
    if "run" in told:  # made by our own runner
        return forms.record_from(told)
    config = log.plan.config.model_dump(exclude_none=True) if log.plan else {}
    asked = log.eval.model_generate_config.model_dump(exclude_none=True)
    model_args = {**config, **asked, **_plain(log.eval.model_args)}
    settings = dict(told["settings"])
    sha = digest_of(questions)
    revision = log.eval.revision
    stats = log.stats
    return RunRecord(
        run=run_name(
            benchmark=told["benchmark"],
            model=log.eval.model,
            method=told["method"],
            settings=settings,
            data=sha,
            prompts=told["prompts"],
            model_args=model_args,
            prandial=prandial_version,
        ),
        benchmark=told["benchmark"],
        model=log.eval.model,
        method=told["method"],
        settings=settings,
        data={**told["data"], "sha256": sha, "questions": len(questions)},
        prompts=dict(told["prompts"]),
        model_args=model_args,
        versions={
            "prandial": prandial_version,
            **{k: str(v) for k, v in log.eval.packages.items()},
        },
        commit=(revision.commit + ("-dirty" if revision.dirty else "")) if revision else "",
        started=log.eval.created,
        seconds=_seconds(stats.started_at, stats.completed_at) if stats else None,
    )


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    from prandial.bench.runner.settings import public_args

    return public_args(given, sampled=False)


def _seconds(started: str, ended: str) -> float | None:
    from datetime import datetime

    try:
        return (datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds()
    except ValueError:
        return None
