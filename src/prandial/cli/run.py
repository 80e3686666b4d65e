"""One wrapper round every verb: errors become a message and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import typer

from prandial.cli.app import app
from prandial.cli.plain import json_text, plain
from prandial.errors import InputError, PrandialError

__all__ = ["INTERRUPTED", "run"]

INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_FAILED: Final = 1


class _Interrupted(BaseException):
    """Ctrl-C in a verb: a name of its own, as typer makes a plain exit code of the usual one."""


def run(argv: Sequence[str]) -> int:
    """Run a command line.

    Parameters
    ----------
    argv : sequence of str
        Arguments after the program's name.

    Returns
    -------
    int
        Exit code: 0 done, 1 unexpected failure, 2 to 6 by kind of error, 130
        interrupted, 141 reader gone.
    """
    _prepare_streams()
    as_json = "--json" in argv
    command = typer.main.get_command(app)
    _tell_of_interrupts(command)
    try:
        code = command.main(args=list(argv), prog_name="prandial", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # typer makes SystemExit of a closed pipe
        _let_go_of_stdout()  # nobody reads on
        return _PIPE_CLOSED
    except (_Interrupted, KeyboardInterrupt):
        _say_interrupted(as_json=as_json)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last stop before the user
        try:
            sys.stdout.flush()
        except OSError:
            _let_go_of_stdout()  # a full disk: what is buffered cannot be written
        return _report(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _tell_of_interrupts(command: Any) -> None:
    """Let Ctrl-C in a verb come out of typer as what it is."""
    invoke = command.invoke

    def told(context: Any) -> Any:
        try:
            return invoke(context)
        except KeyboardInterrupt:
            raise _Interrupted from None

    command.invoke = told


def _say_interrupted(*, as_json: bool) -> None:
    hint = "run the command again"
    if as_json:
        error = {"kind": "Interrupted", "what": "interrupted", "where": "", "hint": hint}
        sys.stderr.write(json_text({"error": error}) + "\n")
    else:
        sys.stderr.write("prandial: interrupted\n")


def _let_go_of_stdout() -> None:
    """Keep the interpreter from failing on buffered output at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """Make output of any text possible, also where a stream was closed by the caller."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            sink = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
            setattr(sys, name, sink)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _report(error: Exception, *, as_json: bool) -> int:
    """Tell an error on stderr and return the exit code."""
    if os.environ.get("PRANDIAL_DEBUG") == "1":
        traceback.print_exception(error)
    known = _as_prandial_error(error)
    if as_json:
        sys.stderr.write(json_text(known.to_dict()) + "\n")
        return known.exit_code
    what, where, hint = (_one_line(t) for t in (known.what, known.where, known.hint))
    lines = [f"prandial: {what}"]
    lines += [f"  where: {where}"] if where else []
    lines += [f"  next: {hint}"] if hint else []
    sys.stderr.write("\n".join(lines) + "\n")
    return known.exit_code


def _one_line(text: str) -> str:
    return plain(" ".join(text.splitlines()))


def _as_prandial_error(error: Exception) -> PrandialError:
    if isinstance(error, PrandialError):
        return error
    if isinstance(error, typer.TyperException):
        return InputError(
            error.format_message() or "the command line cannot be read",
            where="command line",
            hint="see: prandial --help, or prandial VERB --help",
        )
    if isinstance(error, OSError) and error.strerror:
        return PrandialError(
            error.strerror, where=str(error.filename or ""), hint="check the disk and permissions"
        )
    return PrandialError(
        f"unexpected failure: {type(error).__name__}: {error}",
        hint="this is a fault in prandial; please report it with the command and the output of"
        " the same command under PRANDIAL_DEBUG=1",
    )
