"""NutriBench built from the raw surveys: build, count, check, review."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from prandial.bench.nutribench import BuildReport, Checked, Exported, Reviewed
    from prandial.bench.nutribench.mapped import MappedFoods

__all__ = [
    "build_nutribench",
    "nutribench_map",
    "nutribench_review_export",
    "nutribench_review_import",
    "nutribench_stats",
    "nutribench_verify",
]

_MODEL = "model:"
_PYTHON = "python:"


def _root(root: Path | str | None) -> Path:
    from prandial.sources.home import data_home

    return Path(root) if root is not None else data_home(os.environ)


def _model_name(describe: object) -> str:
    """Return the name of a model, or of a function that stands for one."""
    from prandial.errors import InputError

    if callable(describe):
        name = getattr(describe, "__qualname__", type(describe).__qualname__)
        return f"{_PYTHON}{getattr(describe, '__module__', '')}.{name}"
    name = describe.removeprefix(_MODEL) if isinstance(describe, str) else ""
    if not name or name == describe:
        raise InputError(
            f"no way to describe: {describe!r}",
            where="describe",
            hint="template, model:NAME such as model:prandial/local, or a function in Python",
        )
    return name


def build_nutribench(
    out: Path | str,
    *,
    root: Path | str | None = None,
    cycles: Sequence[str] | None = None,
    serving: str = "both",
    describe: str | Callable[[str], str | Awaitable[str]] = "template",
    meals: int | None = None,
    grouping: str = "time",
    seed: int = 0,
    encoder: str = "minilm-l6",
    mapping: Path | str | None = None,
    gift_labels: str = "survey",
    without: Sequence[Path | str] = (),
    model_args: Mapping[str, Any] | None = None,
    variants: int = 5,
    tries: int = 2,
    prompts: Mapping[str, Path] | None = None,
    connections: int = 8,
    forms: Sequence[str] = ("parquet",),
    workers: int | None = 1,
    replace: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> BuildReport:
    """Build meals in words with traceable nutrients from the food records of surveys.

    Parameters
    ----------
    out : Path
        Folder to write.
    root : Path, optional
        Folder that holds ``nhanes/`` and ``gift/``; prandial's data folder when None.
    cycles : sequence of str, optional
        NHANES cycles such as ``2017-2018``, spans such as ``2003-2018``, surveys of FAO/WHO GIFT
        such as ``BOL-00006``; all NHANES cycles at hand when None.
    serving : {'both', 'natural', 'metric'}
        ``both`` takes the meals that have household servings, each in both versions.
    describe : str or callable
        ``template``, or ``model:NAME`` with a model of the bench, or a function from a prompt
        to a reply, plain or async; texts of a model that fail their verification go into the
        review queue.
    meals : int, optional
        How many meals are drawn by the seed, of meals of the same foods and grams one; all
        when None.
    grouping : {'time', 'occasion'}
        Whether foods of one occasion at another time are another meal; the published meals are
        those of whole occasions.
    seed : int
        Same seed and files, same bytes (of templates).
    encoder : str
        Weights of the sentence encoder that maps foods of GIFT, or a folder with them.
    mapping : Path, optional
        Filled queue of :func:`nutribench_map`.
    gift_labels : {'survey', 'serving'}
        Of GIFT: labels of the grams eaten, as the survey tells them, or, as the published set,
        of the household serving in the text, which may weigh up to a tenth more or less.
    without : sequence of Path
        Files of known sets, such as the published ones: meals of the same foods and labels are
        left out.
    model_args : mapping, optional
        Of the model, such as ``temperature``.
    variants, tries : int
        Descriptions asked for in a call, and corrections asked for at most.
    prompts : mapping, optional
        ``describe`` or ``repair`` -> file in its place.
    connections : int
        Requests at a time.
    forms : sequence of {'parquet', 'csv', 'jsonl'}
    workers : int, optional
        Processes, which change no byte; as many as there are cores, 4 at most, when None. A
        script that asks for several needs its work under ``if __name__ == "__main__":``.
    replace : bool
        Replace a build that is there.
    progress : callable, optional
        Told ``(what, number, of)``.

    Raises
    ------
    InputError
        On a choice that there is not, or a folder in use.
    MissingDataError, NotFoundError, SchemaError
        When files are not there or damaged.
    ModelError
        When a model fails at every meal.
    """
    import prandial
    from prandial.bench import nutribench
    from prandial.bench.nutribench.inputs import spelled_cycles

    by_model = None
    if describe != "template":
        by_model = nutribench.ByModel(
            model=_model_name(describe),
            ask=describe if callable(describe) else None,
            model_args=model_args or {},
            variants=variants,
            tries=tries,
            prompts=prompts or {},
            connections=connections,
        )
    return nutribench.build_nutribench(
        Path(out),
        nutribench.Build(
            cycles=None if cycles is None else spelled_cycles(cycles),
            serving=cast("Any", serving),
            meals=meals,
            grouping=cast("Any", grouping),
            seed=seed,
            encoder=encoder,
            mapping=None if mapping is None else Path(mapping),
            gift_labels=cast("Any", gift_labels),
            without=tuple(Path(p) for p in without),
        ),
        root=_root(root),
        prandial_version=prandial.__version__,
        by_model=by_model,
        forms=forms,
        workers=workers,
        replace_old=replace,
        hear=progress,
    )


def nutribench_stats(
    path: Path | str, *, columns: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Count the rows of a build, or of any file of meals such as a published one.

    Parameters
    ----------
    path : Path
    columns : mapping, optional
        Of a file: ``text``, ``carb_g``, ``serving``, ``country``, ``items`` or ``id`` to the
        name of its column; common names are found.

    Returns
    -------
    dict
        Rows by serving type, country, cycle, occasion, number of foods and carbohydrate band.
    """
    from prandial.bench import nutribench

    return nutribench.nutribench_stats(Path(path), columns)


def nutribench_verify(
    path: Path | str,
    *,
    against: Sequence[Path | str] = (),
    columns: Mapping[str, str] | None = None,
    workers: int | None = 1,
    progress: Callable[[str, int, int], object] | None = None,
) -> Checked:
    """Check a build, or any file of meals: texts, labels, oddities, repeats of known sets.

    Parameters
    ----------
    path : Path
        Folder of a build, which gets the reports, or a file, beside which nothing is written.
    against : sequence of Path
        Files of known sets, such as the published ones.
    columns : mapping, optional
        Of a file, as for :func:`nutribench_stats`.
    workers : int, optional
        As for :func:`build_nutribench`.
    progress : callable, optional
        Told ``(what, number, of)``.

    Returns
    -------
    Checked
    """
    from prandial.bench import nutribench

    known = [Path(p) for p in against]
    if Path(path).is_file():
        return nutribench.verify_file(Path(path), against=known, columns=columns)
    return nutribench.verify_nutribench(Path(path), against=known, workers=workers, hear=progress)


def nutribench_review_export(
    folder: Path | str, output: Path | str, *, doubts: bool = True, replace: bool = False
) -> Exported:
    """Write the texts of a build that fail or are in doubt as a queue for people.

    Parameters
    ----------
    folder : Path
    output : Path
        ``.csv`` or ``.jsonl``.
    doubts : bool
        Whether texts without faults but with doubts are among them.
    replace : bool
        Write over a file that is there.
    """
    from prandial.bench import nutribench

    return nutribench.export_texts(Path(folder), Path(output), doubts=doubts, replace_old=replace)


def nutribench_review_import(
    folder: Path | str,
    files: Sequence[Path | str],
    *,
    out: Path | str | None = None,
    replace: bool = False,
) -> Reviewed:
    """Read filled queues: what was decided, agreement, and a reviewed build when asked for.

    Parameters
    ----------
    folder : Path
        The build that was reviewed.
    files : sequence of Path
        Filled queues, one or more reviewers.
    out : Path, optional
        Folder of the reviewed build.
    replace : bool
        Replace a build that is there.
    """
    import prandial
    from prandial.bench import nutribench

    return nutribench.import_texts(
        Path(folder),
        [Path(f) for f in files],
        prandial_version=prandial.__version__,
        out=None if out is None else Path(out),
        replace_old=replace,
    )


def nutribench_map(
    survey: str,
    output: Path | str,
    *,
    root: Path | str | None = None,
    encoder: str = "minilm-l6",
    replace: bool = False,
) -> MappedFoods:
    """Map the foods of a GIFT survey to FNDDS and SR and write them as a queue for people.

    Parameters
    ----------
    survey : str
        Such as ``BOL-00006``.
    output : Path
        ``.csv`` or ``.jsonl``; filled, it goes to ``mapping`` of :func:`build_nutribench`.
    root : Path, optional
        Folder that holds ``gift/``; prandial's data folder when None.
    encoder : str
        Weights of the sentence encoder, or a folder with them.
    replace : bool
        Write over a file that is there.
    """
    from prandial.bench import nutribench

    return nutribench.export_mapping(
        survey, Path(output), root=_root(root), encoder=encoder, replace_old=replace
    )
