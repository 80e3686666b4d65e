"""Fetch files of a collection, from a site or a folder: verified, resumed, in parallel."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final, Generic, Protocol, TypeVar

from prandial.errors import ChecksumError, DataError, InputError, MissingDataError, SchemaError
from prandial.sources.download import AbsentError, StopError, disk, download, drop
from prandial.sources.report import Fetched, GetReport, Progress, Status
from prandial.sources.web import HttpxWeb, Web

__all__ = [
    "Entry",
    "FolderSource",
    "Offer",
    "Shelf",
    "SiteSource",
    "Wanted",
    "Work",
    "address_or_folder",
    "check_rows",
    "check_target",
    "file_entry",
    "file_sha256",
    "get_files",
    "run",
]

_CHUNK: Final = 1 << 20


class Entry(Protocol):
    """A file of a registry."""

    @property
    def cycle(self) -> str: ...  # noqa: D102
    @property
    def table(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str: ...  # noqa: D102


E = TypeVar("E", bound=Entry)
E_contra = TypeVar("E_contra", bound=Entry, contravariant=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """One address a file may have, and the form it has there."""

    url: str
    form: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted(Generic[E]):
    """A file to fetch."""

    entry: E
    #: asked for by name, so that its absence is a failure
    named: bool


class Shelf(Protocol[E_contra]):
    """How files of a collection are kept and checked."""

    def there(self, target: Path, entry: E_contra) -> Path | None:
        """Return the file that is in place, in the first form there is."""

    def form(self, name: str) -> str:
        """Return the form that a file name tells."""

    def partial(self, form: str) -> bool:
        """Tell whether a form holds a part of the columns only."""

    def place(self, target: Path, entry: E_contra, form: str) -> Path:
        """Return where a file goes."""

    def verify(self, path: Path, entry: E_contra, *, revised: bool) -> str:
        """Return the SHA-256 of a sound file; SchemaError or ChecksumError for another."""


class FolderSource(Protocol[E_contra]):
    """A local folder."""

    @property
    def root(self) -> Path: ...  # noqa: D102

    def find(self, entry: E_contra) -> Path | None:
        """Return the file in the first form there is."""


class SiteSource(Protocol[E_contra]):
    """Addresses on the web."""

    def offers(self, entry: E_contra) -> Iterator[Offer]:
        """Yield the addresses a file may have."""

    def found(self, entry: E_contra, offer: Offer) -> None:
        """Hear which address held a file."""

    def absent(self, entry: E_contra) -> str:
        """Say why a file is not to be had."""


class Work(Generic[E]):
    """One fetch of several files, shared by its threads.

    Parameters
    ----------
    shelf : Shelf
    folder : FolderSource, optional
        Where files are copied from; else ``site``.
    site : SiteSource, optional
    target : Path
    web : Web, optional
        The network; needed for a site.
    revised : bool
        Take sound files that differ from what the registry knows.
    on_progress : callable, optional
    pause : callable, optional
        Waits the given seconds between two tries.
    """

    def __init__(
        self,
        shelf: Shelf[E],
        *,
        folder: FolderSource[E] | None,
        site: SiteSource[E] | None,
        target: Path,
        web: Web | None,
        revised: bool,
        on_progress: Callable[[Progress], object] | None,
        pause: Callable[[float], object] | None,
    ) -> None:
        self.shelf, self.folder, self.site = shelf, folder, site
        self.target, self.web, self.revised = target, web, revised
        self.stop = Event()
        self.pause = pause or self.stop.wait
        self._on_progress = on_progress
        self._lock = Lock()

    def tell(self, entry: E, done: int, total: int | None, status: Status | None = None) -> None:
        """Tell a step, unless the work has been stopped."""
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

    def fetch(self, wanted: Wanted[E]) -> Fetched:
        """Fetch one file; what is wrong with it is in the record."""
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

    def _end(self, entry: E, status: Status, **rest: object) -> Fetched:
        about = {"cycle": entry.cycle, "table": entry.table, "file": entry.file}
        return Fetched(**about, status=status, **rest)  # type: ignore[arg-type]

    def _fetch(self, entry: E) -> Fetched:
        kept = self._there(entry)
        if kept is not None and kept.path is not None and not self._partial(kept.path):
            return kept
        if self.folder is not None:
            return self._copy(self.folder, entry, kept)
        assert self.site is not None  # noqa: S101
        return self._download(self.site, entry, kept)

    def _partial(self, path: Path) -> bool:
        return self.shelf.partial(self.shelf.form(path.name))

    def _there(self, entry: E) -> Fetched | None:
        """Return the file that is here already; a bad one is put aside."""
        while path := self.shelf.there(self.target, entry):
            try:
                digest = self.shelf.verify(path, entry, revised=self.revised)
            except (SchemaError, ChecksumError):
                with disk(path):
                    path.replace(path.with_name(path.name + ".bad"))
            else:
                size = path.stat().st_size
                return self._end(entry, "kept", path=path, bytes=size, sha256=digest)
        return None

    def _place(self, part: Path, entry: E, form: str, *, downloaded: int) -> Fetched:
        """Verify a part and give it its name; a bad one is removed."""
        try:
            digest = self.shelf.verify(part, entry, revised=self.revised)
        except DataError:
            drop(part)
            raise
        final = self.shelf.place(self.target, entry, form)
        with disk(final):
            part.replace(final)
        drop(part)
        size = final.stat().st_size
        return self._end(entry, "got", path=final, bytes=size, downloaded=downloaded, sha256=digest)

    def _part(self, entry: E, form: str) -> Path:
        final = self.shelf.place(self.target, entry, form)
        return final.with_name(final.name + ".part")

    def _copy(self, folder: FolderSource[E], entry: E, kept: Fetched | None) -> Fetched:
        found = folder.find(entry)
        if found is None:
            if kept is not None:
                return kept
            raise AbsentError(f"{folder.root} does not hold it")
        form = self.shelf.form(found.name)
        if kept is not None and self.shelf.partial(form):
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

    def _download(self, site: SiteSource[E], entry: E, kept: Fetched | None) -> Fetched:
        bad: DataError | None = None
        for offer in site.offers(entry):
            if kept is not None and self.shelf.partial(offer.form):
                return kept
            try:
                done = self._from(entry, offer)
            except AbsentError:
                continue
            except (SchemaError, ChecksumError) as error:
                bad = bad or error
                continue
            site.found(entry, offer)
            return done
        if bad is not None:
            raise bad
        if kept is not None:
            return kept
        raise AbsentError(site.absent(entry))

    def _from(self, entry: E, offer: Offer) -> Fetched:
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


def run(work: Work[E], wanted: Sequence[Wanted[E]], jobs: int) -> tuple[Fetched, ...]:
    """Fetch files, so many at a time; records in the order of the files.

    Raises
    ------
    DataError
        When nothing more can be fetched.
    """
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


def get_files(
    shelf: Shelf[E],
    wanted: Sequence[Wanted[E]],
    *,
    folder: FolderSource[E] | None,
    site: SiteSource[E] | None,
    target: Path,
    jobs: int = 1,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
    fetch_all: Callable[[Work[E]], tuple[Fetched, ...]] | None = None,
) -> GetReport:
    """Get files from a folder or a site into a folder; the network is closed behind it.

    Parameters
    ----------
    shelf, folder, site, target, web, revised, on_progress, pause
        As for :class:`Work`; of folder and site one. Without ``web`` a site is asked by
        :class:`prandial.sources.web.HttpxWeb`.
    wanted : sequence of Wanted
    jobs : int
        Files at a time.
    fetch_all : callable, optional
        Does the work in its own way.

    Raises
    ------
    InputError
        When the target is a file.
    MissingDataError
        When httpx is not installed.
    DataError
        When nothing more can be fetched.
    """
    own = HttpxWeb() if web is None and site is not None else None
    work = Work(
        shelf,
        folder=folder,
        site=site,
        target=target,
        web=web or own,
        revised=revised,
        on_progress=on_progress,
        pause=pause,
    )
    try:
        files = run(work, wanted, jobs) if fetch_all is None else fetch_all(work)
    finally:
        if own is not None:
            own.close()
    return GetReport(target=target, files=files)


def file_entry(path: Path) -> dict[str, Any]:
    """Return what a card says of a file: bytes and sha256."""
    return {"bytes": path.stat().st_size, "sha256": file_sha256(path)}


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def check_rows(path: Path, stated: int | None, rows: int, *, revised: bool) -> None:
    """Compare the rows of a file with those that the registry states.

    Raises
    ------
    SchemaError
        When they differ, unless nothing is stated, or a revised file has more.
    """
    if stated is None or rows == stated or (revised and rows > stated):
        return
    why = "it was cut" if rows < stated else "it is another file or a newer release"
    raise SchemaError(
        f"{rows:,} rows, the registry states {stated:,}: {why}",
        where=str(path),
        hint="get the file again",
    )


def check_target(target: Path, source: Path | None) -> None:
    """Refuse a target that is a file, or the very folder that files come from.

    Raises
    ------
    InputError
    """
    if target.exists() and not target.is_dir():
        raise InputError("a file, not a folder", where=str(target), hint="give a folder to --to")
    if source is not None and target.exists() and target.samefile(source):
        raise InputError(
            "source and target are the same folder", where=str(target), hint="give another --to"
        )


def address_or_folder(source: str | Path) -> str | Path:
    """Tell an address (a text that begins with http:// or https://) from a folder.

    Raises
    ------
    InputError
        For another kind of address.
    MissingDataError
        When there is no such folder.
    """
    text = str(source)
    if isinstance(source, str) and re.match(r"https?://", text, re.IGNORECASE):
        return text
    if isinstance(source, str) and re.match(r"[a-z][a-z0-9+.-]+://", text, re.IGNORECASE):
        raise InputError(
            f"cannot fetch from {text.split('://')[0]}://",
            where=text,
            hint="give a folder, or an address that begins with https:// or http://",
        )
    folder = Path(source)
    if not folder.is_dir():
        raise MissingDataError("no such folder", where=text, hint="check the path given to --from")
    return folder
