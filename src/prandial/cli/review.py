"""``prandial errors``: the worst meals of a labelled file, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from prandial.cli.options import (
    DEFAULT_RELEASE,
    Country,
    Json,
    Locale,
    Release,
    UserFoods,
    chosen_tables,
)
from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.score import ErrorReview

__all__ = ["errors"]

_LISTED: Final = 20
_IN_PAGE: Final = 500


def errors(
    file: Annotated[
        Path, typer.Argument(help="Labelled meals: .csv, .tsv, .jsonl or .parquet.", metavar="FILE")
    ],
    text_column: Annotated[
        str, typer.Option("--text-column", "-c", help="Column (or key) that holds the meals.")
    ] = "text",
    truth: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUTRIENT=COLUMN",
            help="Label column, again for each nutrient: carb_g, protein_g, fat_g, energy_kcal."
            " [default: columns of these names]",
            show_default=False,
        ),
    ] = None,
    predicted: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NUTRIENT=]COLUMN",
            help="Review the numbers of this column instead of prandial's own; carb_g unless"
            " said. carb_g_low= and carb_g_high= name the columns of its range.",
            show_default=False,
        ),
    ] = None,
    items: Annotated[
        str | None,
        typer.Option(
            help="Column with each meal's list of gold foods. [default: item_descriptions]",
            show_default=False,
        ),
    ] = None,
    item_grams: Annotated[
        str | None,
        typer.Option(
            help="Column with the grams of each gold food. [default: item_grams]",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(
            help="Largest error that counts as right, in the unit of the first labelled"
            " nutrient. [default: 7.5 for carb_g, 5 protein_g, 5 fat_g, 50 energy_kcal]",
            min=0,
            show_default=False,
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            help="Wrong meals to list. [default: 20, in a page 500]", min=0, show_default=False
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write a page that needs no network.", metavar="OUT", show_default=False),
    ] = None,
    id_column: Annotated[
        str | None, typer.Option(help="Column that names a meal.", show_default=False)
    ] = None,
    country_column: Annotated[
        str | None,
        typer.Option(help="Column with ISO 3166 alpha-3 codes.", show_default=False),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-w", help="Processes.", min=1)] = 1,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    release: Release = DEFAULT_RELEASE,
    locale: Locale = "en-US",
    country: Country = None,
    user_foods: UserFoods = True,
    as_json: Json = False,
) -> int:
    """Compare estimates with labels: figures, worst meals by reason, confusion by food group.

    The labels are grams (kcal) of a whole meal. Research software: no dosing
    advice.
    """
    from prandial import api
    from prandial.cli.batch import Count, progress_bar

    _check_page(html, file)
    with progress_bar(Count(), show=progress) as hear:
        review = api.review_errors(
            file,
            text_column=text_column,
            truth=_pairs(truth, "--truth") or None,
            predicted=_pairs(predicted, "--predicted", usual="carb_g"),
            item_column=items,
            item_grams_column=item_grams,
            limit=limit,
            worst=worst if worst is not None else _IN_PAGE if html else _LISTED,
            id_column=id_column,
            country_column=country_column,
            workers=workers,
            release=release,
            locale=locale,
            country=country,
            user_tables=chosen_tables(user_foods),
            progress=hear,
        )
    if html is not None:
        html.write_text(review.to_html(), "utf-8", errors="replace")
    _tell(review, html, as_json=as_json)
    return 0


def _tell(review: ErrorReview, html: Path | None, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(review.to_dict(), ensure_ascii=False, allow_nan=False, indent=2))
    else:
        from prandial.cli.show_review import show_review

        show_review(review, most=_LISTED if html else None)
    if html is not None:
        typer.echo(f"wrote {len(review.worst)} meals to {html}", err=True)


def _check_page(html: Path | None, file: Path) -> None:
    """Refuse a page that cannot be written, before the work."""
    if html is None:
        return
    problem = ""
    if html.is_dir():
        problem = "this is a folder"
    elif html.exists() and file.exists() and html.samefile(file):
        problem = "the page would replace its own input"
    elif not html.parent.is_dir():
        problem = f"no such folder: {html.parent}"
    if problem:
        raise InputError(problem, where=f"--html {html}", hint="choose another --html")


def _pairs(values: list[str] | None, option: str, *, usual: str = "") -> dict[str, str]:
    """Return the columns of ``NUTRIENT=COLUMN`` options."""
    out: dict[str, Any] = {}
    for value in values or ():
        key, equals, column = value.partition("=")
        if not equals and usual:
            key, column = usual, value
        key = key.strip()
        if not key or not column:
            raise InputError(
                f"{option} {value!r} is not NUTRIENT=COLUMN",
                where=option,
                hint=f"such as {option} carb_g=carbs",
            )
        if key in out:
            raise InputError(f"{key} is named twice", where=option, hint="name it once")
        out[key] = column
    return out
