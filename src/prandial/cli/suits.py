"""``prandial suits``: whether a meal is right for a person, why, and what instead."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from prandial.cli.estimate import Text, meal_text
from prandial.cli.options import (
    DEFAULT_RELEASE,
    Country,
    Json,
    Locale,
    Release,
    UserFoods,
    chosen_tables,
)
from prandial.cli.people import CYCLES, ROOT

__all__ = ["suits"]


def suits(
    text: Text = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(
            "--condition",
            help="Health condition that holds, such as hypertension or CKD; again for each.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    diet: Annotated[
        list[str] | None,
        typer.Option(
            "--diet",
            help="Diet that is followed, such as 'low sodium'; again for each.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    person: Annotated[
        int | None,
        typer.Option(
            "--person",
            help="NHANES respondent number: judge for this survey person.",
            metavar="SEQN",
            show_default=False,
        ),
    ] = None,
    root: ROOT = None,
    cycle: CYCLES = None,
    basis: Annotated[
        str,
        typer.Option(
            help="What amounts are stated for: per_serving (the meal as eaten), per_100g or"
            " per_100kcal.",
            metavar="NAME",
        ),
    ] = "per_serving",
    grams: Annotated[
        float | None,
        typer.Option(
            "--grams",
            help="Grams of a food named by its code. [default: the table's usual weight]",
            show_default=False,
        ),
    ] = None,
    release: Release = DEFAULT_RELEASE,
    locale: Locale = "en-US",
    country: Country = None,
    user_foods: UserFoods = True,
    sources: Annotated[
        bool, typer.Option("--sources", help="Also print each rule's source.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Tell whether a meal (in words, or a food's code) is right for a person, and why.

    Answers yes, no or unknown by rules of tables, with amounts, ranges and sources.
    Research software: no diagnosis, no medical or dosing advice.
    """
    from prandial import api

    verdict = api.suits(
        meal_text(text),
        conditions=condition or (),
        diets=diet or (),
        person=person,
        root=root,
        cycles=cycle,
        basis=basis,
        grams=grams,
        release=release,
        locale=locale,
        country=country,
        user_tables=chosen_tables(user_foods),
    )
    if as_json:
        typer.echo(json.dumps(verdict.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_suits import show_verdict

        show_verdict(verdict, sources=sources)
    return 0
