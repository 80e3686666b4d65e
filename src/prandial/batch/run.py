"""A file of meals in, a file of estimates out: streamed, resumable, whole.

The input is read twice. The first pass counts its rows and finds what is wrong
with the file as a whole, so that a long run does not stop in the middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from prandial.batch.cells import Form, csv_line, sql_types
from prandial.batch.delimited import DelimitedFile
from prandial.batch.objects import JsonLinesFile, TextFile
from prandial.batch.parquet import ParquetFile, write_parquet
from prandial.batch.part import Part, digest_of, fingerprint
from prandial.batch.rows import Columns, Findings, RowFile
from prandial.batch.work import Job, run_chunks
from prandial.batch.workers import seldom_collected
from prandial.errors import InputError, NotFoundError
from prandial.records import EstimateStatus

__all__ = ["INPUTS", "OUTPUTS", "BatchReport", "Progress", "estimate_rows", "open_rows"]

#: called with rows done and rows in all, after each chunk
Progress = Callable[[int, int], None]

INPUTS: Final = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".parquet", ".txt")
OUTPUTS: Final[dict[str, Form]] = {
    ".csv": "csv",
    ".jsonl": "record-json",
    ".ndjson": "record-json",
    ".parquet": "flat-json",
}
_CHUNK_ROWS: Final = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchReport:
    """What a batch did.

    ``resumed_at`` is the number of rows that an earlier, interrupted run had
    finished; ``broken`` lists rows on which the estimator itself failed.
    """

    output: Path
    rows: int
    resumed_at: int
    statuses: Mapping[EstimateStatus, int]
    findings: tuple[str, ...]
    broken: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "output": str(self.output),
            "rows": self.rows,
            "resumed_at": self.resumed_at,
            "statuses": dict(self.statuses),
            "findings": list(self.findings),
            "broken": list(self.broken),
        }


def open_rows(path: Path, columns: Columns) -> RowFile:
    """Open a file of meals by its ending.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSON lines, Parquet or plain text.
    columns : Columns
        Wanted columns; plain text has none.

    Raises
    ------
    NotFoundError
        When the file or a column is not there.
    InputError
        When the file has another ending or cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix not in INPUTS:
        raise InputError(
            f"cannot tell the format of {path.name!r}",
            where=str(path),
            hint="known endings: " + ", ".join(INPUTS),
        )
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", where=str(path), hint="check its permissions"
        ) from error
    if suffix == ".txt":
        if columns.named():
            raise InputError(
                "a text file has no columns: each line is a meal",
                where=str(path),
                hint="leave the column options out",
            )
        return TextFile(path)
    if columns.text is None:
        raise InputError(
            "which column holds the meals?",
            where=str(path),
            hint="name it with --column",
        )
    if suffix == ".parquet":
        return ParquetFile(path, columns)
    if suffix in (".jsonl", ".ndjson"):
        return JsonLinesFile(path, columns)
    return DelimitedFile(path, columns)


def estimate_rows(
    path: Path,
    output: Path,
    *,
    columns: Columns,
    job: Job,
    identity: Mapping[str, str],
    workers: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
) -> BatchReport:
    """Estimate every row of a file.

    Parameters
    ----------
    path : Path
        Input, see :func:`open_rows`.
    output : Path
        ``.csv`` and ``.parquet`` hold flat rows, ``.jsonl`` whole records.
    columns : Columns
        Wanted input columns.
    job : Job
        How to estimate; its ``form`` and ``with_id`` are set here.
    identity : mapping of str to str
        What else decides the output, such as versions; a part file of another
        identity is not gone on with.
    workers : int
        Processes.
    fresh : bool
        Do not go on with an interrupted run.
    progress : callable, optional
        Called with rows done and rows in all.

    Returns
    -------
    BatchReport
    """
    job = replace(job, form=_form_of(path, output), with_id=columns.id is not None)
    source = open_rows(path, columns)
    findings = Findings()
    total = sum(1 for _ in source.rows(findings))
    part = Part(
        output,
        fingerprint=fingerprint(_inputs(path, columns, job, identity)),
        header=_header(job),
        fresh=fresh,
    )
    resumed_at = part.rows
    try:
        if progress:
            progress(part.rows, total)
        rows = islice(source.rows(Findings()), part.rows, None)
        with seldom_collected():
            for chunk in run_chunks(rows, job.write, workers=workers, chunk_rows=_CHUNK_ROWS):
                part.add(chunk)
                if progress:
                    progress(part.rows, total)
        _finish(part, output, job, source)
    finally:
        part.close()
    return BatchReport(
        output=output,
        rows=part.rows,
        resumed_at=resumed_at,
        statuses=_counts(part.statuses),
        findings=findings.lines(),
        broken=part.broken,
    )


def _form_of(path: Path, output: Path) -> Form:
    form = OUTPUTS.get(output.suffix.lower())
    if form is None:
        raise InputError(
            f"cannot tell the format of {output.name!r}",
            where=str(output),
            hint="known endings: " + ", ".join(OUTPUTS),
        )
    if not output.parent.is_dir():
        raise NotFoundError(
            "no such folder", where=str(output.parent), hint="make it, or choose another --output"
        )
    if output.is_dir() or output.resolve() == path.resolve():
        raise InputError(
            "the output would replace its own input" if not output.is_dir() else "this is a folder",
            where=str(output),
            hint="choose another --output",
        )
    return form


def _inputs(path: Path, columns: Columns, job: Job, identity: Mapping[str, str]) -> dict[str, Any]:
    return {
        "input": digest_of(path),
        "format": path.suffix.lower(),
        "columns": [columns.text, columns.id, columns.country],
        "release": job.release,
        "locale": job.locale,
        "nutrients": job.nutrients,
        "country": job.country,
        "user_tables": [[t.name, digest_of(t)] for t in job.user_tables],
        **({} if job.trained is None else {"trained": digest_of(job.trained)}),
        "form": job.form,
        "identity": dict(identity),
    }


def _header(job: Job) -> bytes:
    if job.form != "csv":
        return b""
    return csv_line({name: name for name in job.fields()}).encode()


def _finish(part: Part, output: Path, job: Job, source: RowFile) -> None:
    if job.form != "flat-json":
        part.become(output)
        return
    ready = output.with_name(output.name + ".part.parquet")
    try:
        write_parquet(part.path, ready, sql_types(job.fields(), id_type=source.id_type))
        ready.replace(output)
    finally:
        ready.unlink(missing_ok=True)
    part.discard()


def _counts(statuses: Counter[str]) -> dict[EstimateStatus, int]:
    order: tuple[EstimateStatus, ...] = ("ok", "incomplete", "nothing_to_estimate", "refused")
    return {status: statuses[status] for status in order if statuses[status]}
