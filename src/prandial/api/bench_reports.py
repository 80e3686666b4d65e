"""Reports of benchmark runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prandial.bench.report import Report
    from prandial.score.quizzes import BertScorer

__all__ = ["bench_report"]


def bench_report(
    runs: Sequence[Path | str],
    *,
    html: Path | str | None = None,
    md: Path | str | None = None,
    seed: int | None = None,
    draws: int = 2000,
    replace: bool = False,
    encoder: str = "",
    bert: BertScorer | None = None,
) -> Report:
    """Report runs: the papers' tables and figures, published rows and baselines beside them.

    Parameters
    ----------
    runs : sequence of Path
        Folders of runs of either benchmark, finished or not; people's too.
    html : Path, optional
        One page with everything inside, no network and no scripts.
    md : Path, optional
        A folder: ``report.md``, its figures as SVG and PNG, ``report.json``.
    seed : int, optional
        Of every bootstrap; a fixed one when None.
    draws : int
        Of every bootstrap.
    replace : bool
        Write over what is there.
    encoder : str
        Of BERTScore of NGQA's sentences: weights by name, a folder, or ``none``; ``minilm-l6``
        where it was pulled when empty.
    bert : BertScorer, optional
        In place of an encoder.

    Returns
    -------
    Report
        ``prandial.bench.report.json_of`` gives its JSON form.

    Raises
    ------
    InputError, NotFoundError
        Without runs, on an output that cannot be meant, and on a run named twice.
    MissingDataError, SchemaError
        On a folder without a run, or with one of another version; when altair is absent.
    """
    from prandial.bench import report as reports
    from prandial.bench.report.given import read_runs
    from prandial.bench.sentences import bert_of
    from prandial.errors import InputError

    if draws < 1:
        raise InputError(f"{draws} draws give no interval", where="draws", hint="2000 is usual")
    page = None if html is None else Path(html)
    folder = None if md is None else Path(md)
    if page is not None:
        reports.check_page(page, replace=replace)
    if folder is not None:
        reports.check_folder(folder, replace=replace)
    given = read_runs([Path(r) for r in runs])
    if bert is None and (encoder or any(r.record.benchmark == "ngqa" for r in given)):
        bert = bert_of(encoder)
    made = reports.report_of(
        given,
        seed=reports.SEED if seed is None else seed,
        draws=draws,
        bert=bert,
    )
    if page is not None:
        reports.write_page(made, page, replace=replace)
    if folder is not None:
        reports.write_folder(made, folder, replace=replace)
    return made
