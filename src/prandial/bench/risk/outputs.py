"""Files that are read and written: what cannot be meant is refused, what is written is whole.

A file is made under a name of its own beside its place and put there when it is done, so that
nobody ever finds half of it and no other file is touched.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from prandial.errors import InputError, NotFoundError

__all__ = [
    "check_input",
    "check_output",
    "check_outputs",
    "no_surrogates",
    "write_whole",
    "writing",
]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: kind of a file by its mode -> what it is called
_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_ANOTHER: Final = "choose another file"


def no_surrogates(text: str) -> str:
    """Return a text that every file can hold: U+FFFD for halves of characters."""
    return _SURROGATE.sub("\ufffd", text)


def check_input(path: Path) -> None:
    """Refuse a file that cannot be read twice; one that is not there is left to its reader.

    Raises
    ------
    InputError
        On a folder, a pipe, a device, and on ``-``.
    """
    what = _kind(path)
    if what is not None:
        raise InputError(
            f"this is {what}, no file",
            where=str(path),
            hint="name a regular file; what comes through a pipe must be put into one first",
        )
    if str(path) == "-" and not path.exists():
        raise InputError(
            "standard input is not read here",
            where="-",
            hint="put it into a file first, and name that",
        )


def check_output(output: Path, *, read: Sequence[Path] = (), replace: bool = False) -> None:
    """Refuse an output that cannot be meant, before the work.

    Parameters
    ----------
    output : Path
        A symbolic link stands for what it points to; one that points nowhere is there too.
    read : sequence of Path
        Files that are read for it.
    replace : bool
        Write over a file that is there.

    Raises
    ------
    InputError
        On a folder, pipe or device, a file that is read, or a file that is there.
    NotFoundError
        When its folder is not there.
    """
    target = _target(output)
    what = _kind(target)
    problem, hint = "", _ANOTHER
    if what is not None:
        problem = f"this is {what}"
    elif any(_same(target, other) for other in read):
        problem = "the output would replace its own input"
    elif os.path.lexists(output) and not replace:
        problem, hint = "the file is there already", "name a new file, or --replace"
    if problem:
        raise InputError(problem, where=str(output), hint=hint)
    if not target.parent.is_dir():
        raise NotFoundError(
            "no such folder", where=str(target.parent), hint=f"make it, or {_ANOTHER}"
        )


def check_outputs(
    outputs: Sequence[Path], *, read: Sequence[Path] = (), replace: bool = False
) -> None:
    """Refuse outputs of one command that cannot be meant, each and together.

    Raises
    ------
    InputError, NotFoundError
        As :func:`check_output`; and on two outputs that are one file.
    """
    for k, output in enumerate(outputs):
        check_output(output, read=read, replace=replace)
        if any(_same(_target(output), other) for other in outputs[:k]):
            raise InputError("two outputs are one file", where=str(output), hint=_ANOTHER)


def _target(path: Path) -> Path:
    """Return what a path points to in the end."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        raise InputError("the link leads nowhere", where=str(path), hint=_ANOTHER) from None


def _kind(path: Path) -> str | None:
    """Return what a path is when it is there and no regular file."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return None
    return None if stat.S_ISREG(mode) else _KINDS.get(stat.S_IFMT(mode), "no regular file")


def _same(target: Path, other: Path) -> bool:
    try:
        if target.samefile(other):
            return True
    except OSError:
        pass  # one is not there yet
    return target == _target(other)


@contextmanager
def writing(output: Path, *, replace: bool = False) -> Iterator[IO[str]]:
    """Open a text file (UTF-8, LF) that stands at its place when the block ends without error.

    Raises
    ------
    InputError
        When the folder cannot be written to, or the file came to be meanwhile and must not
        be replaced.
    """
    target = _target(output)
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        file = part.open("x", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(output), hint=error.strerror or _ANOTHER
        ) from None
    try:
        with file:
            yield file
        if os.path.lexists(target):
            if not replace:
                raise InputError(
                    "the file came to be while its content was made",
                    where=str(output),
                    hint="name a new file, or --replace",
                )
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_whole(output: Path, data: str | bytes, *, replace: bool = False) -> None:
    """Write a file in one piece; half characters of a text become U+FFFD.

    Raises
    ------
    InputError
        As :func:`writing`.
    """
    raw = no_surrogates(data).encode("utf-8") if isinstance(data, str) else data
    with writing(output, replace=replace) as file:
        file.buffer.write(raw)  # type: ignore[attr-defined]
