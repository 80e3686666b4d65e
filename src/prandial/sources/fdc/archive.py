"""A download of FoodData Central: a zip, or the folder it was unpacked to."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from prandial.errors import MissingDataError, PrandialError, SchemaError
from prandial.sources.nhanes.sniff import HEAD, refusal

__all__ = ["AGAIN", "Download", "open_download", "whole"]

AGAIN: Final = "get it again: prandial data get fdc"
_WANTED: Final = "a download of FoodData Central (a zip of CSV tables or of one JSON list)"
_RELEASE: Final = re.compile(r"_(\d{4}-\d{2}(?:-\d{2})?)(?=[./_]|$)")
_HIDDEN: Final = ("__MACOSX/", ".")
#: a zip that states more than so many times its own size is none of these tables (about 10)
_MOST_TIMES: Final = 100
_SMALL_BYTES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Download:
    """Members by their plain name in lower case, such as ``food.csv``."""

    path: Path
    release: str
    members: dict[str, str]
    archive: zipfile.ZipFile | None

    @property
    def form(self) -> str:
        """``csv``, ``json``, or empty when it is neither."""
        if "food.csv" in self.members:
            return "csv"
        return "json" if self.json_member else ""

    @property
    def json_member(self) -> str:
        """Name of the one JSON list, empty when there is none or several."""
        found = [n for n in self.members if n.endswith(".json")]
        return found[0] if len(found) == 1 else ""

    def where(self, name: str) -> str:
        """Return a member's place, for errors."""
        return f"{self.path}, {self.members.get(name, name)}"

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member; a damaged one is a SchemaError, now or while it is read.

        Raises
        ------
        SchemaError
            When it is not there, was cut or does not match its checksum.
        """
        if name not in self.members:
            raise SchemaError(
                f"the table {name} is missing",
                where=str(self.path),
                hint="it holds: "
                + (", ".join(sorted(self.members)[:12]) or "nothing")
                + "; releases before 2022 keep nutrient.csv and measure_unit.csv in the download"
                " 'Supporting Data': unpack both into one folder",
            )
        with whole(self.where(name)):
            if self.archive is None:
                with (self.path / self.members[name]).open("rb") as file:
                    yield file
            else:
                with self.archive.open(self.members[name]) as member:
                    yield member


@contextmanager
def whole(where: str) -> Iterator[None]:
    """Turn what a damaged zip raises into a SchemaError."""
    try:
        yield
    except PrandialError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise SchemaError(
            f"looks like a zip that was cut or damaged: {error}", where=where, hint=AGAIN
        ) from None
    except RuntimeError as error:
        # a compression or a password that the zip asks for; anything else is no fault of the file
        if not isinstance(error, NotImplementedError) and "encrypt" not in str(error).casefold():
            raise
        raise SchemaError(
            f"cannot be unpacked: {error}",
            where=where,
            hint="unpack it with another program and give the folder",
        ) from None
    except OSError as error:
        raise MissingDataError(
            f"cannot be read: {error.strerror or error}",
            where=where,
            hint="check the disk and its permissions",
        ) from None


def _named(names: Iterator[str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for name in names:
        plain = name.rsplit("/", 1)[-1]
        if name.startswith(_HIDDEN) or plain.startswith(_HIDDEN):
            continue
        out.setdefault(plain.lower(), name)
    return out


def _sized(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse a zip bomb by what it states; more than is stated is never unpacked."""
    packed, stated = path.stat().st_size, sum(i.file_size for i in archive.infolist())
    if stated > max(_SMALL_BYTES, _MOST_TIMES * packed):
        raise SchemaError(
            f"a zip of {packed:,} bytes that would unpack to {stated:,}",
            where=str(path),
            hint=f"no such table shrinks {_MOST_TIMES} times; {AGAIN}",
        )


def _release(names: list[str]) -> str:
    """Return the date in the first name that has one."""
    return next((m[1] for n in names if (m := _RELEASE.search(n)) is not None), "")


@contextmanager
def open_download(path: Path) -> Iterator[Download]:
    """Open a download.

    Parameters
    ----------
    path : Path
        The zip, or a folder that holds its tables, itself or one folder below.

    Raises
    ------
    MissingDataError
        When there is none, or it cannot be opened.
    SchemaError
        When it is no zip, or one that was cut.
    """
    if path.is_dir():
        inside = (*path.glob("*"), *path.glob("*/*"))
        names = sorted(p.relative_to(path).as_posix() for p in inside if p.is_file())
        yield Download(path, _release([path.name, *names]), _named(iter(names)), None)
        return
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise MissingDataError(
            f"no such download: {error.strerror or error}",
            where=str(path),
            hint="prandial data get fdc",
        ) from None
    if not head:
        raise SchemaError("the file is empty", where=str(path), hint=AGAIN)
    if not head.startswith(b"PK"):
        raise refusal(path, head, _WANTED)
    with whole(str(path)), zipfile.ZipFile(path) as archive:
        _sized(path, archive)
        names = [i.filename for i in archive.infolist() if not i.is_dir()]
        yield Download(path, _release([path.name, *names]), _named(iter(names)), archive)
