"""A file of scenarios in, a file of traces out: read twice, simulated block by block.

The first pass finds every line that cannot be simulated, so that nothing is written before
the whole file is known to be sound, and counts the lines. Memory holds one block.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Final, Literal

from prandial.batch.lines import read_lines
from prandial.batch.rows import MAX_NAMED, Findings
from prandial.bench.risk.metrics import NOTICE
from prandial.bench.risk.outputs import check_input, check_output, writing
from prandial.bench.risk.records import (
    RecordReader,
    ScenarioRecord,
    finite,
    without_results,
    written,
)
from prandial.errors import InputError, NotFoundError
from prandial.glucose import Engine, Scenarios, simulate
from prandial.records import Quirks

__all__ = ["FileReport", "OnError", "simulate_file"]

#: ``stop``: nothing is written; ``keep``: the line is written with its error
OnError = Literal["stop", "keep"]
_BLOCK: Final = 2048
#: ids compared with each other; later ones are not
_MOST_IDS: Final = 1_000_000
_ENDINGS: Final = (".jsonl", ".ndjson")
#: first bytes of a packed file -> what opens it
_PACKED: Final = {
    b"\x1f\x8b": "gunzip",
    b"BZh": "bunzip2",
    b"\xfd7zXZ": "unxz",
    b"\x28\xb5\x2f\xfd": "unzstd",
    b"PK\x03\x04": "unzip",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class FileReport:
    """What was done with a file of scenarios."""

    input: Path
    output: Path
    records: int
    simulated: int
    failed: int
    quirks: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "input": str(self.input),
            "output": str(self.output),
            "records": self.records,
            "simulated": self.simulated,
            "failed": self.failed,
            "quirks": self.quirks,
            "notes": list(self.notes),
            "notice": NOTICE,
        }


@dataclass(kw_only=True, slots=True)
class _Survey:
    """What the first pass found."""

    records: int
    errors: list[InputError]
    failed: int
    notes: list[str]


def simulate_file(
    path: Path,
    output: Path,
    *,
    quirks: str = "pyloopkit",
    on_error: OnError = "stop",
    large_meals: bool = False,
    engine: Engine = "auto",
    replace: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> FileReport:
    """Simulate each line of a file and write the same lines with their traces.

    Parameters
    ----------
    path, output : Path
        JSON lines; see :mod:`prandial.bench.risk.records`. The output ends in ``.jsonl`` or
        ``.ndjson``.
    quirks : {'pyloopkit', 'exact'}
    on_error : {'stop', 'keep'}
        With a line that cannot be used: write nothing, or write it with ``status`` ``failed``
        and its ``error``.
    large_meals : bool
        Whether meals above 250 g are meant.
    engine : {'auto', 'numpy', 'numba'}
    replace : bool
        Write over a file that is there.
    progress : callable, optional
        Called with records done and records in all.

    Raises
    ------
    NotFoundError
        When the file is not there.
    InputError
        On a line that cannot be used (with ``stop``): names line, key and bound; on an empty
        file, one that is packed or no regular file, one that changes while it is read, and on
        an output that is there or no regular file.
    """
    if on_error not in ("stop", "keep"):
        raise InputError(f"no such policy: {on_error!r}", where="on_error", hint="stop or keep")
    kept_quirks = Quirks.named(quirks)
    _check_files(path, output, replace=replace)
    reader = RecordReader(path.name, quirks=kept_quirks, large_meals=large_meals)
    found = _survey(path, reader)
    if found.errors and on_error == "stop":
        raise _all_of(found, path)
    done = failed = 0
    if progress is not None:
        progress(0, found.records)
    with writing(output, replace=replace) as file:
        for block in _blocks(path, reader):
            failed += _write_block(block, file, large_meals=large_meals, engine=engine)
            done += len(block)
            if progress is not None:
                progress(done, found.records)
        if (done, failed) != (found.records, found.failed):
            raise InputError(
                "the file changed while it was read", where=str(path), hint="run it again"
            )
    return FileReport(
        input=path,
        output=output,
        records=found.records,
        simulated=found.records - found.failed,
        failed=found.failed,
        quirks=kept_quirks.name,
        notes=tuple(found.notes),
    )


def _check_files(path: Path, output: Path, *, replace: bool) -> None:
    """Refuse files that cannot be read or written, before the work."""
    check_input(path)
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    with path.open("rb") as file:
        start = file.read(8)
    for mark, tool in _PACKED.items():
        if start.startswith(mark):
            raise InputError("the file is compressed", where=str(path), hint=f"{tool} it first")
    if output.suffix.lower() not in _ENDINGS:
        raise InputError(
            f"cannot tell the format of {output.name!r}",
            where=str(output),
            hint="known endings: " + ", ".join(_ENDINGS),
        )
    check_output(output, read=[path], replace=replace)


def _lines(path: Path, findings: Findings) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(read_lines(path, findings), start=1):
        if line.strip():
            yield number, line


def _survey(path: Path, reader: RecordReader) -> _Survey:
    """Read the whole file once."""
    findings = Findings()
    found = _Survey(records=0, errors=[], failed=0, notes=[])
    ids: set[bytes] = set()
    for number, line in _lines(path, findings):
        if not found.records and line.lstrip().startswith("["):
            raise InputError(
                "this is one JSON array, not lines of JSON objects",
                where=str(path),
                hint="write one object a line, for example with: jq -c '.[]'",
            )
        found.records += 1
        try:
            record = reader.read(number, line)
        except InputError as error:
            found.failed += 1
            if len(found.errors) < MAX_NAMED:
                found.errors.append(error)
            continue
        if "id" in record.given and len(ids) < _MOST_IDS:
            digest = blake2b(json.dumps(record.given["id"]).encode(), digest_size=12).digest()
            if digest in ids:
                findings.add("records whose id was there before", number)
            ids.add(digest)
    if not found.records:
        raise InputError("the file is empty", where=str(path), hint="write one scenario a line")
    found.notes += findings.lines()
    return found


def _all_of(found: _Survey, path: Path) -> InputError:
    """Return one error that tells of the first lines, and how many there are."""
    first, *others = found.errors
    if found.failed == 1:
        return first
    more = "; ".join(f"{e.what} ({e.where.removeprefix(f'{path.name}, ')})" for e in others)
    rest = f"; and {found.failed - len(found.errors)} more" if found.failed > MAX_NAMED else ""
    return InputError(
        f"{found.failed} of {found.records} lines cannot be used: {first.what}",
        where=first.where,
        hint=f"{first.hint}; also {more}{rest}; or keep them with --on-error keep",
    )


_Item = ScenarioRecord | dict[str, Any]


def _blocks(path: Path, reader: RecordReader) -> Iterator[list[_Item]]:
    block: list[_Item] = []
    for number, line in _lines(path, Findings()):
        try:
            block.append(reader.read(number, line))
        except InputError as error:
            block.append(_failed(number, line, error))
        if len(block) == _BLOCK:
            yield block
            block = []
    if block:
        yield block


def _failed(number: int, line: str, error: InputError) -> dict[str, Any]:
    """Return the record of a line that cannot be simulated."""
    try:
        given = json.loads(line, parse_constant=lambda _: None, parse_float=finite)
        json.dumps(given, allow_nan=False)
    except (ValueError, RecursionError):
        given = None
    kept = given if isinstance(given, dict) else {"line": number, "text": line.rstrip("\r\n")}
    return {**without_results(kept), "status": "failed", **error.to_dict(), "notice": NOTICE}


def _write_block(block: list[_Item], file: IO[str], *, large_meals: bool, engine: Engine) -> int:
    """Write the lines of a block; return how many could not be simulated."""
    records = [r for r in block if isinstance(r, ScenarioRecord)]
    bodies: Iterator[dict[str, Any]] = iter(())
    if records:
        scenarios = Scenarios.of([r.scenario for r in records], large_meals=large_meals)
        traces = simulate(scenarios, engine=engine)
        bodies = iter(written(records, traces))
    for item in block:
        body = next(bodies) if isinstance(item, ScenarioRecord) else item
        file.write(json.dumps(body, ensure_ascii=True, allow_nan=False) + "\n")
    return len(block) - len(records)
