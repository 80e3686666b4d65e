"""``prandial estimate`` and ``prandial explain``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from prandial.cli.options import (
    DEFAULT_RELEASE,
    Country,
    Json,
    Locale,
    Nutrients,
    Release,
    Trained,
    UserFoods,
    chosen_tables,
    nutrient_names,
)
from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.records import Estimate

__all__ = ["estimate", "explain", "meal_text"]

#: more than this is refused anyway, so no more is read from a pipe
_MOST_BYTES: Final = 4_000_000

Text = Annotated[
    list[str] | None,
    typer.Argument(help="The meal in everyday words; - reads it from stdin.", show_default=False),
]


def estimate(
    text: Text = None,
    input: Annotated[  # noqa: A002 - the option's name
        Path | None,
        typer.Option(
            "--input",
            "-i",
            help="File of meals: .csv, .tsv, .jsonl, .parquet, or .txt with one meal a line.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Output file, one row an input row: .csv or .parquet (flat), .jsonl (records).",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", "-c", help="Input column with the meals.", show_default=False),
    ] = None,
    id_column: Annotated[
        str | None,
        typer.Option(help="Input column copied to the output as 'id'.", show_default=False),
    ] = None,
    country_column: Annotated[
        str | None,
        typer.Option(
            help="Input column with ISO 3166 alpha-3 codes; a wrong one is named in the note.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-w", help="Processes for a file of meals.", min=1)
    ] = 1,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    resume: Annotated[
        bool,
        typer.Option("--resume/--fresh", help="Go on with an interrupted run, or start it anew."),
    ] = True,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the question that would narrow the range most.")
    ] = False,
    answer: Annotated[
        list[int] | None,
        typer.Option(
            "--answer",
            help="Answer to the question asked: the number of a choice from 1, or 0 for not known;"
            " again for the next question.",
            show_default=False,
            min=0,
        ),
    ] = None,
    release: Release = DEFAULT_RELEASE,
    locale: Locale = "en-US",
    country: Country = None,
    nutrients: Nutrients = None,
    user_foods: UserFoods = True,
    trained: Trained = None,
    as_json: Json = False,
) -> int:
    """Estimate grams and nutrients of a meal, or of a file of meals.

    Prints a table with low, middle and high values; a meal in which nothing can
    be estimated ends with exit code 2. Research software: no dosing advice.
    """
    if input is not None:
        from prandial.cli.batch import estimate_file

        if text:
            raise InputError(
                "give either a text or --input, not both",
                where="command line",
                hint="see: prandial estimate --help",
            )
        if ask or answer:
            raise InputError(
                "--ask and --answer are for one meal, not for a file",
                where="command line",
                hint="leave them out, or give the meal as text",
            )
        return estimate_file(
            input,
            output,
            column=column,
            id_column=id_column,
            country_column=country_column,
            workers=workers,
            fresh=not resume,
            show_progress=progress,
            as_json=as_json,
            release=release,
            locale=locale,
            country=country,
            nutrients=nutrient_names(nutrients),
            user_tables=chosen_tables(user_foods),
            trained=trained,
        )
    stray = [
        name
        for name, value in (
            ("--output", output),
            ("--column", column),
            ("--id-column", id_column),
            ("--country-column", country_column),
        )
        if value is not None
    ]
    if stray:
        raise InputError(
            f"{', '.join(stray)} without --input",
            where="command line",
            hint="name the file of meals with --input",
        )
    from prandial import api

    result = api.estimate(
        meal_text(text),
        release=release,
        locale=locale,
        nutrients=nutrient_names(nutrients),
        country=country,
        user_tables=chosen_tables(user_foods),
        ask=ask,
        answers=[None if a == 0 else a - 1 for a in answer or ()],
        trained=trained,
    )
    _refuse_nothing(result)
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show import show_estimate

        show_estimate(result, nutrient_names(nutrients))
        if ask and result.ask is None:
            typer.echo("no question would narrow this range")
    return 0


def explain(
    text: Text = None,
    release: Release = DEFAULT_RELEASE,
    locale: Locale = "en-US",
    country: Country = None,
    nutrients: Nutrients = None,
    user_foods: UserFoods = True,
    trained: Trained = None,
    as_json: Json = False,
) -> int:
    """Tell step by step how a meal is read: amounts, candidates, grams, nutrients.

    Works for any text with a visible character, also where nothing is found.
    Research software: no dosing advice.
    """
    from prandial import api

    found = api.explain(
        meal_text(text),
        release=release,
        locale=locale,
        nutrients=nutrient_names(nutrients),
        country=country,
        user_tables=chosen_tables(user_foods),
        trained=trained,
    )
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show import plain

        typer.echo("\n".join(plain(line) for line in found.lines))
    return 0


def meal_text(words: list[str] | None) -> str:
    """Return the meal from the arguments or, for ``-``, from stdin."""
    if words == ["-"]:
        if sys.stdin is None:
            raise InputError(
                "standard input is closed", where="-", hint="give the meal as an argument"
            )
        data = sys.stdin.buffer.read(_MOST_BYTES)
        return data.decode("utf-8-sig", errors="replace")
    return " ".join(words or ())


def _refuse_nothing(result: Estimate) -> None:
    """Raise when a text came to nothing, with the estimate's notes."""
    if result.status in ("nothing_to_estimate", "refused"):
        what = "nothing to estimate"
        if result.status == "refused":
            what += ": the text was refused"
        raise InputError(what, where="text", hint="; ".join(result.notes))
