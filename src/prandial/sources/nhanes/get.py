"""Get NHANES files: from CDC, from a mirror or from a folder; verified, resumed, in parallel."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Final

from prandial.errors import ChecksumError, DataError, InputError, NotFoundError, SchemaError
from prandial.sources.download import AbsentError, StopError, disk, download, drop
from prandial.sources.home import data_home
from prandial.sources.nhanes.folder import FORMS, find_form, form_of
from prandial.sources.nhanes.mirror import (
    FolderMirror,
    Offer,
    Official,
    UrlMirror,
    target_name,
    the_source,
)
from prandial.sources.nhanes.registry import ALL_CYCLES, NhanesFile, find_file, list_files
from prandial.sources.nhanes.report import Fetched, GetReport, Progress, Status
from prandial.sources.nhanes.verify import verify_file
from prandial.sources.web import HttpxWeb, Web

__all__ = ["get_nhanes", "nhanes_home"]

_MOST_JOBS: Final = 32
_CHUNK: Final = 1 << 20


def nhanes_home() -> Path:
    """Return the folder where fetched NHANES files are kept; it may not exist yet.

    Raises
    ------
    InputError
        When the environment names no home at all.
    """
    return data_home(os.environ) / "nhanes"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Wanted:
    entry: NhanesFile
    #: asked for by name, so that its absence is a failure
    named: bool


class _Work:
    """One call of :func:`get_nhanes`, shared by its threads."""

    def __init__(
        self,
        source: Official | UrlMirror | FolderMirror,
        target: Path,
        web: Web | None,
        *,
        revised: bool,
        on_progress: Callable[[Progress], object] | None,
        pause: Callable[[float], object] | None,
    ) -> None:
        self.source, self.target, self.web, self.revised = source, target, web, revised
        self.stop = Event()
        self.pause = pause or self.stop.wait
        self._on_progress = on_progress
        self._lock = Lock()

    # telling

    def tell(
        self, entry: NhanesFile, done: int, total: int | None, status: Status | None = None
    ) -> None:
        if self.stop.is_set():
            raise StopError
        if self._on_progress is not None:
            step = Progress(
                cycle=entry.cycle,
                table=entry.table,
                file=entry.file,
                done=done,
                total=total,
                status=status or "fetching",
            )
            with self._lock:
                self._on_progress(step)

    # one file

    def fetch(self, wanted: _Wanted) -> Fetched:
        if self.stop.is_set():
            raise StopError
        entry = wanted.entry
        try:
            done = self._fetch(entry)
        except AbsentError as error:
            done = self._end(entry, "failed" if wanted.named else "absent", why=str(error))
        except DataError as error:
            done = self._end(entry, "failed", why=str(error))
        except BaseException:
            self.stop.set()
            raise
        self.tell(entry, done.bytes or 0, done.bytes, done.status)
        return done

    def _end(self, entry: NhanesFile, status: Status, **rest: object) -> Fetched:
        about = {"cycle": entry.cycle, "table": entry.table, "file": entry.file}
        return Fetched(**about, status=status, **rest)  # type: ignore[arg-type]

    def _fetch(self, entry: NhanesFile) -> Fetched:
        kept = self._there(entry)
        if kept is not None and form_of(kept.path.name if kept.path else "") != FORMS[2]:
            return kept
        if isinstance(self.source, FolderMirror):
            return self._copy(entry, kept)
        return self._download(entry, kept)

    def _there(self, entry: NhanesFile) -> Fetched | None:
        """Return the file that is here already; a bad one is put aside."""
        while path := find_form([self.target / entry.cycle], entry.file):
            try:
                digest = verify_file(path, entry, revised=self.revised)
            except (SchemaError, ChecksumError):
                with disk(path):
                    path.replace(path.with_name(path.name + ".bad"))
            else:
                size = path.stat().st_size
                return self._end(entry, "kept", path=path, bytes=size, sha256=digest)
        return None

    def _place(self, part: Path, entry: NhanesFile, form: str, *, downloaded: int) -> Fetched:
        """Verify a part and give it its name; a bad one is removed."""
        try:
            digest = verify_file(part, entry, revised=self.revised)
        except DataError:
            drop(part)
            raise
        final = part.with_name(target_name(entry.file, form))
        with disk(final):
            part.replace(final)
        drop(part)
        size = final.stat().st_size
        return self._end(entry, "got", path=final, bytes=size, downloaded=downloaded, sha256=digest)

    def _part(self, entry: NhanesFile, form: str) -> Path:
        return self.target / entry.cycle / (target_name(entry.file, form) + ".part")

    def _copy(self, entry: NhanesFile, kept: Fetched | None) -> Fetched:
        assert isinstance(self.source, FolderMirror)  # noqa: S101
        found = self.source.find(entry)
        if found is None:
            if kept is not None:
                return kept
            raise AbsentError(f"{self.source.root} does not hold it")
        form = form_of(found.name)
        if kept is not None and form == FORMS[2]:
            return kept
        part = self._part(entry, form)
        drop(part)
        try:
            size = found.stat().st_size
            original = found.open("rb")
        except OSError as error:
            what = f"cannot be read: {error.strerror or error}"
            raise DataError(what, where=str(found), hint="check its permissions") from None
        with original, disk(part):
            self.tell(entry, 0, size)
            part.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as copy:
                shutil.copyfileobj(original, copy, _CHUNK)
        try:
            return self._place(part, entry, form, downloaded=0)
        except DataError as error:
            error.where = str(found)
            raise

    def _download(self, entry: NhanesFile, kept: Fetched | None) -> Fetched:
        assert not isinstance(self.source, FolderMirror)  # noqa: S101
        bad: DataError | None = None
        for offer in self.source.offers(entry):
            if kept is not None and offer.form == FORMS[2]:
                return kept
            try:
                done = self._from(entry, offer)
            except AbsentError:
                continue
            except (SchemaError, ChecksumError) as error:
                bad = bad or error
                continue
            if isinstance(self.source, UrlMirror):
                self.source.found(entry, offer)
            return done
        if bad is not None:
            raise bad
        if kept is not None:
            return kept
        raise AbsentError(
            "CDC offers no transport file of it: take it with --from FOLDER or --from URL"
            if isinstance(self.source, Official) and not entry.url
            else "the source has no such file (HTTP 404)"
        )

    def _from(self, entry: NhanesFile, offer: Offer) -> Fetched:
        """Download and verify; a resumed file that fails is fetched once more as a whole."""
        assert self.web is not None  # noqa: S101
        part = self._part(entry, offer.form)
        downloaded = 0
        while True:
            arrived = download(
                self.web,
                offer.url,
                part,
                pause=self.pause,
                on_bytes=lambda done, total: self.tell(entry, done, total),
            )
            downloaded += arrived.downloaded
            try:
                return self._place(part, entry, offer.form, downloaded=downloaded)
            except (SchemaError, ChecksumError) as error:
                if not arrived.resumed:
                    error.where = offer.url
                    raise


def _wanted(cycles: Sequence[str], tables: Sequence[str] | None, source: object) -> list[_Wanted]:
    """Return the files asked for, each once, by cycle and table."""
    found: dict[tuple[str, str], _Wanted] = {}
    if tables is None:
        for cycle in dict.fromkeys([*cycles, ALL_CYCLES]):
            for entry in list_files(cycle):
                if entry.url or not isinstance(source, Official):
                    found[entry.cycle, entry.table] = _Wanted(entry=entry, named=False)
        return list(found.values())
    for table in tables:
        last: NotFoundError | None = None
        held = 0
        for cycle in cycles:
            try:
                entry = find_file(cycle, table)
            except NotFoundError as error:
                list_files(cycle)
                last = error
            else:
                held += 1
                found[entry.cycle, entry.table] = _Wanted(entry=entry, named=True)
        if last is not None and not held:
            raise last
    return [found[key] for key in sorted(found)]


def _check_target(source: object, target: Path) -> None:
    if isinstance(source, FolderMirror) and target.exists() and target.samefile(source.root):
        raise InputError(
            "source and target are the same folder", where=str(target), hint="give another --to"
        )


def get_nhanes(
    cycles: Sequence[str] | str,
    tables: Sequence[str] | None = None,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    jobs: int = 4,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get NHANES files into ``TARGET/CYCLE/``.

    Files that are there and hold are kept; damaged ones are put aside as ``NAME.bad``. What
    arrives is verified before it gets its name, so no bad file is ever in place. A part is
    continued on the next call.

    Parameters
    ----------
    cycles : sequence of str
        Such as ``["2017-2018"]``.
    tables : sequence of str, optional
        Such as ``["DEMO", "BPX"]``; None is all of the registry, and those of no single cycle.
    source : str or Path, optional
        None is CDC; an address, below which files are ``CYCLE/NAME`` or ``NAME``; or a folder
        laid out likewise. Mirrors may hold XPT or Parquet.
    target : Path or str, optional
        Default :func:`nhanes_home`.
    jobs : int
        Files at a time, 1 to 32.
    revised : bool
        Take a file whose digest differs from the registry's, or that has more rows, if it is
        sound otherwise.
    on_progress : callable, optional
        Told each step, never from two threads at once.
    web : Web, optional
        The network; default :class:`prandial.sources.web.HttpxWeb`.
    pause : callable, optional
        Waits the given seconds between two tries.

    Returns
    -------
    GetReport
        One record a file, by cycle and table.

    Raises
    ------
    NotFoundError
        When the registry knows no such cycle, or none of the cycles has a table.
    InputError
        When jobs or source make no sense.
    MissingDataError
        When the source folder is missing, or httpx is not installed.
    DataError
        When nothing more can be fetched: no network, disk full, folder forbidden.
    """
    if not 1 <= jobs <= _MOST_JOBS:
        raise InputError(f"{jobs} jobs", where="jobs", hint=f"give 1 to {_MOST_JOBS}")
    where = the_source(source)
    wanted = _wanted([cycles] if isinstance(cycles, str) else list(cycles), tables, where)
    into = nhanes_home() if target is None else Path(target)
    _check_target(where, into)
    own = HttpxWeb() if web is None and not isinstance(where, FolderMirror) else None
    work = _Work(where, into, web or own, revised=revised, on_progress=on_progress, pause=pause)
    try:
        return GetReport(target=into, files=_run(work, wanted, jobs))
    finally:
        if own is not None:
            own.close()


def _run(work: _Work, wanted: Sequence[_Wanted], jobs: int) -> tuple[Fetched, ...]:
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(work.fetch, w) for w in wanted]
        done: list[Fetched] = []
        stopped: StopError | None = None
        try:
            for future in futures:
                try:
                    done.append(future.result())
                except StopError as error:
                    if stopped is None or stopped.error is None:
                        stopped = error
        except BaseException:
            work.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    if stopped is not None and stopped.error is not None:
        raise stopped.error
    return tuple(done)
