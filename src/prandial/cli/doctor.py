"""``prandial doctor``."""

from __future__ import annotations

import json

import typer

from prandial.cli.options import Json
from prandial.errors import DataError

__all__ = ["doctor"]


def doctor(as_json: Json = False) -> int:
    """Check this installation: versions, tables against their cards, speed.

    Ends with exit code 4 when a table is missing or damaged.
    """
    from prandial import api

    report = api.doctor()
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show import show_doctor

        show_doctor(report)
    return 0 if report.ok else DataError.exit_code
