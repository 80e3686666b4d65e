"""Estimates: one meal, many, files of them, and how far they miss."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prandial import meal, tables
from prandial.api.reach import estimator_of, trained_path, user_paths
from prandial.asked import (
    check_answers,
    check_options,
    check_release,
    check_str,
    check_text,
)
from prandial.errors import InputError
from prandial.records import Estimate
from prandial.tables import DEFAULT_RELEASE

if TYPE_CHECKING:
    from prandial.batch import BatchReport, Progress
    from prandial.meal import Explanation
    from prandial.score import ErrorReview

__all__ = [
    "DEFAULT_LOCALE",
    "estimate",
    "estimate_batch",
    "estimate_file",
    "explain",
    "review_errors",
]

DEFAULT_LOCALE = "en-US"
_CHUNK_ROWS = 64


def estimate(
    text: str,
    *,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    ask: bool = False,
    answers: Sequence[int | None] = (),
    trained: str | os.PathLike[str] | None = None,
) -> Estimate:
    """Estimate what a meal holds.

    Research software: no dosing advice, no diagnosis.

    Parameters
    ----------
    text : str
        The meal in everyday words.
    release : str
        Food table, one of :data:`RELEASES`.
    locale : str
        Decides whether ``1,5`` is one and a half, such as ``en-US`` or ``de-DE``.
    nutrients : sequence of str, optional
        House names such as ``carb_g``; when None carbohydrate, protein, fat,
        energy and a few more.
    country : str, optional
        ISO 3166 alpha-3 code of where the meal was eaten.
    user_tables : sequence of str
        Names of tables added with :func:`add_foods`, searched as well.
    ask : bool
        Also return, in ``ask``, the question that would narrow the range most.
    answers : sequence of int or None
        Numbers of the choices taken, from 0, of the questions in the order they
        were asked; None for "not known". Equal texts give equal questions, so
        no state is kept between calls.
    trained : path-like, optional
        File of a ranking learned from labelled meals; none ships.

    Returns
    -------
    Estimate
        Totals with low, middle and high (90 % bands; 50 % bands in
        ``totals_50``); ``complete`` is False and ``notes`` say why when something
        could not be read.

    Raises
    ------
    InputError
        For a blank text, an unknown locale, nutrient or country, or an answer
        that is no choice.
    NotFoundError
        For an unknown release, user table or file.
    SchemaError
        For a learned ranking that is damaged.

    Examples
    --------
    >>> import prandial
    >>> meal = prandial.estimate("100 g of cooked white rice")
    >>> meal.status, meal.totals["carb_g"].low <= 28 <= meal.totals["carb_g"].high
    ('ok', True)
    >>> question = prandial.estimate("a cookie", ask=True).ask
    >>> question.kind, question.choices[0].grams
    ('amount', 20.0)
    >>> prandial.estimate("a cookie", answers=[0]).items[0].portion.grams.mid
    20.0
    """
    check_text(text)
    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    estimator = estimator_of(release, user_tables, trained)
    return estimator.estimate(
        text,
        locale=locale,
        nutrients=checked[0],
        country=checked[1],
        ask=ask,
        answers=check_answers(answers),
    )


def explain(
    text: str,
    *,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
) -> Explanation:
    """Estimate a meal and tell every step that led to the result.

    Parameters and errors are those of :func:`estimate`.

    Returns
    -------
    Explanation
        The estimate, its steps as lines, and the role of each part of the text.
    """
    check_text(text)
    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    estimator = estimator_of(release, user_tables, trained)
    return estimator.explain(text, locale=locale, nutrients=checked[0], country=checked[1])


def estimate_batch(
    texts: Iterable[str],
    *,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
    workers: int = 1,
) -> Iterator[Estimate]:
    """Estimate many meals, one estimate a text and in their order.

    A blank text is no error here: its estimate says nothing to estimate.

    Parameters
    ----------
    texts : iterable of str
        Read as needed, so it may be endless.
    workers : int
        Processes. A script that asks for more than one needs its work under
        ``if __name__ == "__main__":``.
    release, locale, nutrients, country, user_tables, trained
        As for :func:`estimate`.

    Yields
    ------
    Estimate

    Raises
    ------
    InputError
        As for :func:`estimate`, at once and not at the first meal; for a text
        that is no str, when it is reached.
    """
    from prandial.batch import Job, Row, run_chunks

    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    job = Job(
        release=check_release(release),
        locale=locale,
        nutrients=checked[0],
        country=checked[1],
        user_tables=user_paths(user_tables),
        trained=trained_path(trained, whole=True),
    )
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise InputError(
            f"workers must be a whole number from 1, not {workers!r}",
            where="workers",
            hint="such as workers=2",
        )
    if isinstance(texts, str):
        raise InputError("one text, not many", where="texts", hint="use estimate(text) for one")
    rows = (Row(row=i, text=check_str(text, f"texts[{i}]")) for i, text in enumerate(texts))
    chunk_rows = _CHUNK_ROWS if workers > 1 else 1
    chunks = run_chunks(rows, job.records, workers=workers, chunk_rows=chunk_rows)
    return (e for chunk in chunks for e in chunk)


def estimate_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    column: str | None = None,
    id_column: str | None = None,
    country_column: str | None = None,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
    workers: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
) -> BatchReport:
    """Estimate a file of meals into a file, one output row an input row.

    An interrupted call is gone on with by the same call.

    Parameters
    ----------
    path : path-like
        ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, or ``.txt`` with one meal a line.
    output : path-like
        ``.csv`` or ``.parquet`` for flat rows, ``.jsonl`` for whole records.
    column : str
        Column (or key) that holds the meals; none for ``.txt``.
    id_column : str, optional
        Copied to the output.
    country_column : str, optional
        ISO 3166 alpha-3 codes; a wrong one is named in the row's note.
    workers : int
        Processes; see :func:`estimate_batch`.
    fresh : bool
        Forget an interrupted run instead of going on with it.
    progress : callable, optional
        Called with rows done and rows in all.
    release, locale, nutrients, country, user_tables, trained
        As for :func:`estimate`. The four main nutrients are always written.

    Returns
    -------
    BatchReport

    Raises
    ------
    InputError, NotFoundError, SchemaError
        For a file or option that cannot be used, before any row is written.
    """
    from prandial import __version__
    from prandial.batch import Columns, Job, estimate_rows
    from prandial.nutrients import MAIN

    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    job = Job(
        release=check_release(release),
        locale=locale,
        nutrients=tuple(dict.fromkeys((*MAIN, *(checked[0] or ())))) if nutrients else None,
        country=checked[1],
        user_tables=user_paths(user_tables),
        trained=trained_path(trained, whole=True),
    )
    cards = {name: tables.read_card(name).sha256 for name in tables.list_cards()}
    return estimate_rows(
        Path(path),
        Path(output),
        columns=Columns(text=column, id=id_column, country=country_column),
        job=job,
        identity={"prandial": __version__, "estimator": meal.ESTIMATOR, **cards},
        workers=workers,
        fresh=fresh,
        progress=progress,
    )


def review_errors(
    path: str | os.PathLike[str],
    *,
    text_column: str = "text",
    truth: Mapping[str, str] | None = None,
    predicted: Mapping[str, str] | None = None,
    item_column: str | None = None,
    item_grams_column: str | None = None,
    limit: float | None = None,
    worst: int = 20,
    id_column: str | None = None,
    country_column: str | None = None,
    workers: int = 1,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    progress: Progress | None = None,
) -> ErrorReview:
    """Compare estimates with the labels of a file of meals.

    Parameters
    ----------
    path : path-like
        ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``.
    truth : mapping of str to str, optional
        Nutrient to its label column, such as ``{"carb_g": "carbs"}``; columns
        with house names when None.
    predicted : mapping of str to str, optional
        Nutrient to a column of numbers that are reviewed instead of prandial's
        own; ``carb_g_low`` and ``carb_g_high`` name those of a range.
    item_column, item_grams_column : str, optional
        Lists of gold foods and their grams; ``item_descriptions`` and
        ``item_grams`` where the file has them.
    limit : float, optional
        Largest error that counts as right, in the unit of the first labelled
        nutrient (7.5 for ``carb_g``).
    worst : int
        Wrong meals to keep.
    text_column, id_column, country_column, workers, progress, ...
        As for :func:`estimate_file`.

    Returns
    -------
    ErrorReview
        Figures, reasons, worst meals, confusion; ``to_html()`` makes a page.
    """
    from prandial.batch import Columns, Job, LabelColumns, review_rows

    checked_country = check_options(locale=locale, nutrients=None, country=country)[1]
    return review_rows(
        Path(path),
        columns=Columns(text=text_column, id=id_column, country=country_column),
        labels=LabelColumns(
            truth=truth, predicted=predicted or {}, items=item_column, item_grams=item_grams_column
        ),
        job=Job(
            release=check_release(release),
            locale=locale,
            country=checked_country,
            user_tables=user_paths(user_tables),
        ),
        limit=limit,
        worst=worst,
        workers=workers,
        progress=progress,
    )
