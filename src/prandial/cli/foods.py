"""``prandial foods``: search, show, add and list foods and their tables."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import DEFAULT_RELEASE, Json, Release, UserFoods, chosen_tables
from prandial.errors import InputError, NotFoundError

__all__ = ["app"]

app = new_group("Search, show, add and list foods.")
_NAMED = 20


@app.command()
def search(
    query: Annotated[list[str], typer.Argument(help="Words of the food's name.")],
    limit: Annotated[int, typer.Option(help="Most foods to show.", min=1)] = 10,
    release: Release = DEFAULT_RELEASE,
    user_foods: UserFoods = True,
    as_json: Json = False,
) -> int:
    """Find foods by name, best first; nutrients are per 100 g."""
    from prandial import api

    words = " ".join(query)
    found = api.search_foods(words, limit, release=release, user_tables=chosen_tables(user_foods))
    if not found:
        raise NotFoundError(
            f"no food fits {words!r}", where=release, hint="try fewer or other words"
        )
    if as_json:
        _print([food.to_dict() | {"score": round(score, 4)} for food, score in found])
    else:
        from prandial.cli.show import show_foods

        show_foods(found)
    return 0


@app.command()
def show(
    food_id: Annotated[str, typer.Argument(metavar="ID", help="The food's id, from a search.")],
    table: Annotated[
        str | None,
        typer.Option(
            help="fndds, sr or a user table, when an id is in several.", show_default=False
        ),
    ] = None,
    release: Release = DEFAULT_RELEASE,
    user_foods: UserFoods = True,
    as_json: Json = False,
) -> int:
    """Show one food: nutrients per 100 g, household measures in grams, source."""
    from prandial import api

    food = api.show_food(
        food_id, table=table, release=release, user_tables=chosen_tables(user_foods)
    )
    if as_json:
        _print(food.to_dict())
    else:
        from prandial.cli.show import show_food

        show_food(food)
    return 0


@app.command()
def add(
    file: Annotated[Path, typer.Argument(help="Table of foods: .csv, .tsv or .parquet.")],
    name: Annotated[
        str, typer.Option(help="Name to keep it under: lower-case letters, digits, hyphens.")
    ],
    columns: Annotated[
        list[str],
        typer.Option(
            "--map",
            metavar="NAME=COLUMN",
            help="House name and the file's column, again for each: name=, id=, alt_names=,"
            " category=, measures=, serving_g=, carb_g=, ... A unit may follow: 'sodium_mg=Na[g]'.",
        ),
    ],
    per: Annotated[
        str, typer.Option(help="What the values are per: 100g, 100ml or serving.")
    ] = "100g",
    carbohydrate: Annotated[
        str, typer.Option(help="total, or available when the file's carbohydrate excludes fibre.")
    ] = "total",
    density: Annotated[
        float | None,
        typer.Option(help="Density in g/ml for 100ml; 1 is assumed and noted when not given."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a table of that name.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Add a food table of your own; rows that cannot be used are named and left out."""
    from prandial import api

    # the values of --per and --carbohydrate are checked where they are used
    table = api.add_foods(
        file,
        name=name,
        columns=_column_map(columns),
        replace=replace,
        basis=cast("Literal['100g', '100ml', 'serving']", per),
        carbohydrate=cast("Literal['total', 'available']", carbohydrate),
        density_g_per_ml=density,
    )
    if as_json:
        _print(
            {
                "name": table.name,
                "rows_read": table.rows_read,
                "rows_kept": table.rows_kept,
                "problems": [asdict(p) for p in table.problems],
                "notes": list(table.notes),
            }
        )
        return 0
    from prandial.cli.show import plain

    for problem in table.problems[:_NAMED]:
        typer.echo(plain(f"left out: {problem}"))
    if len(table.problems) > _NAMED:
        typer.echo(f"left out: and {len(table.problems) - _NAMED} more (all with --json)")
    for note in table.notes:
        typer.echo(plain(f"note: {note}"))
    typer.echo(f"added {table.rows_kept} of {table.rows_read} rows as {table.name!r}")
    return 0


@app.command("list")
def list_tables(as_json: Json = False) -> int:
    """List the food tables at hand: rows, what they are, licence."""
    from prandial import api

    found = api.list_tables()
    if as_json:
        _print([asdict(t) for t in found])
    else:
        from prandial.cli.show import show_tables

        show_tables(found)
    return 0


def _column_map(pairs: list[str]) -> dict[str, str]:
    """Return the column map of ``--map`` options."""
    columns: dict[str, str] = {}
    for pair in pairs:
        key, equals, column = pair.partition("=")
        key = key.strip()
        if not equals or not key or not column:
            raise InputError(
                f"--map {pair!r} is not NAME=COLUMN",
                where="--map",
                hint="such as --map carb_g=Carbohydrate",
            )
        if key in columns:
            raise InputError(f"{key} is mapped twice", where="--map", hint="map it once")
        columns[key] = column
    return columns


def _print(body: Any) -> None:
    typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
