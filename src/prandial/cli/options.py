"""Options that several verbs share: what each says, its unit and its default."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from prandial.errors import InputError

__all__ = [
    "Country",
    "Json",
    "Locale",
    "Nutrients",
    "Release",
    "Trained",
    "UserFoods",
    "chosen_tables",
    "nutrient_names",
]

#: spelled out here, so that help is shown without loading the tables; a test compares them
DEFAULT_RELEASE: Final = "fndds-2017-2018"

Json = Annotated[
    bool, typer.Option("--json", help="Print JSON on stdout, and an error as JSON on stderr.")
]
Release = Annotated[
    str,
    typer.Option(help="Built-in food table: fndds-2017-2018 or fndds-2021-2023.", metavar="NAME"),
]
Locale = Annotated[
    str,
    typer.Option(
        help="Decides how numbers such as 1,5 and 1.500 are read: en-US, en-GB, de-DE, fr-FR, ...",
        metavar="CODE",
    ),
]
Country = Annotated[
    str | None,
    typer.Option(
        help="Where the meals were eaten, ISO 3166 alpha-3 such as USA. [default: not said]",
        metavar="CODE",
        show_default=False,
    ),
]
Nutrients = Annotated[
    str | None,
    typer.Option(
        help="Nutrients by house name, separated by commas, such as carb_g,fiber_g,sodium_mg;"
        " the unit ends the name."
        " [default: carb_g, protein_g, fat_g, energy_kcal and a few more]",
        metavar="NAMES",
        show_default=False,
    ),
]
Trained = Annotated[
    Path | None,
    typer.Option(
        "--trained",
        help="File of a ranking learned from labelled meals (none ships). [default: untrained]",
        metavar="FILE",
        show_default=False,
    ),
]
UserFoods = Annotated[
    bool,
    typer.Option(
        "--user-foods/--no-user-foods",
        help="Search the tables added with 'foods add' as well, or only the built-in ones.",
    ),
]


def nutrient_names(text: str | None) -> tuple[str, ...] | None:
    """Return the names of a comma-separated list."""
    if text is None:
        return None
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise InputError("no nutrient named", where="--nutrients", hint="such as carb_g,fiber_g")
    return names


def chosen_tables(user_foods: bool) -> tuple[str, ...]:
    """Return the names of the user tables to search."""
    from prandial import api

    if not user_foods:
        return ()
    for name in api.damaged_user_tables():
        typer.echo(
            f"warning: user table {name!r} is damaged, not searched; see: prandial doctor", err=True
        )
    return api.user_table_names()
