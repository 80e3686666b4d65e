"""``prandial retrieve`` and ``prandial facts``: facts about foods, and tables of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import DEFAULT_RELEASE, Json, Release

if TYPE_CHECKING:
    from prandial.bench.facts import Facts

__all__ = ["app", "retrieve"]

app = new_group("Tables of facts about foods, which models are given before a question.")

ENCODER = Annotated[
    str,
    typer.Option(
        help="Weights of the sentence encoder (see: prandial models list), or a folder with them.",
        metavar="NAME|FOLDER",
    ),
]
#: characters of a query that are shown again
_SHOWN = 100


def retrieve(
    query: Annotated[str, typer.Argument(help="A food in words.", metavar="QUERY")],
    facts: Annotated[
        Path | None,
        typer.Option(
            help="Folder of a facts table. [default: the built-in food tables]",
            metavar="DIR",
            show_default=False,
        ),
    ] = None,
    top: Annotated[int, typer.Option(help="Most foods.", min=1, metavar="N")] = 5,
    by: Annotated[
        str,
        typer.Option(
            help="How a facts table is searched: lexical (words), vector (meaning), fused (both),"
            " joined (both, where vectors and their encoder are here, and what the estimator takes"
            " the words for), or auto, which is joined.",
            metavar="WAY",
        ),
    ] = "auto",
    nutrient: Annotated[
        str, typer.Option(help="carb, protein, fat or energy.", metavar="NAME")
    ] = "carb",
    servings: Annotated[
        int, typer.Option(help="Most household measures of a food.", min=0, metavar="N")
    ] = 4,
    encoder: ENCODER = "minilm-l6",
    release: Release = DEFAULT_RELEASE,
    as_json: Json = False,
) -> int:
    """Find foods and what they hold: by household measure and for 100 g, with table and id."""
    from prandial import api

    found = api.retrieve(
        query,
        facts=facts,
        top=top,
        by=by,
        nutrient=nutrient,
        servings=servings,
        encoder=encoder,
        release=release,
    )
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        _show(found)
    return 0


def _show(found: Facts) -> None:
    from rich.text import Text

    from prandial.cli.show import new_console, plain

    console = new_console()
    if not found.foods:
        console.print(Text(f"nothing found for {plain(found.query)[:_SHOWN]!r}"))
    for one in found.foods:
        source = one.food.sources[0]
        more = len(one.food.sources) - 1
        origin = f"{source.release} {source.id}" + (f" and {more} more" if more else "")
        if one.food.fdc_ids:
            origin += f"; FDC {one.food.fdc_ids[0]}"
        console.print(Text(plain(f"{one.food.name} ({source.table}, {origin})"), "bold"))
        for sentence in one.sentences or (f"{found.nutrient} is not known",):
            console.print(Text(plain(f"  {sentence}")))
    console.print(Text(f"table: {found.table}"))


@app.command()
def build(
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="DIR")],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Folder with known tables of foods as columns (rule table fact_sources).",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    fdc: Annotated[
        list[Path] | None,
        typer.Option(
            help="Download of FoodData Central, zip or unpacked; again for each.",
            metavar="FILE|FOLDER",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            help="portions (ours, with all household measures) or published (as Retri-DB).",
            metavar="NAME",
        ),
    ] = "portions",
    vectors: Annotated[
        str,
        typer.Option(
            help="Of which foods vectors are made: none, reference (all but labels) or all.",
            metavar="WHICH",
        ),
    ] = "none",
    encoder: ENCODER = "minilm-l6",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a table that is there.")
    ] = False,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Build a facts table and its index; facts:DIR then names it to bench run --retriever."""
    from prandial import api
    from prandial.cli.progress import build_progress

    with build_progress(show=progress) as hear:
        card = api.build_facts(
            out,
            source=source,
            downloads=fdc or (),
            form=form,
            vectors=vectors,
            encoder=encoder,
            replace=replace,
            progress=hear,
        )
    if as_json:
        typer.echo(json.dumps(card, ensure_ascii=False, indent=2))
        return 0
    counts = card["counts"]
    typer.echo(
        f"{out}: {counts['rows']:,} rows, {counts['descriptions']:,} names,"
        f" {counts['foods']:,} foods, {counts['with_household_measure']:,} of them with household"
        " measures"
    )
    for name, n in counts["rows_by_source"].items():
        typer.echo(f"  {name.replace('|', ' ')}: {n:,} rows")
    if counts["measures_too_heavy"]:
        typer.echo(f"  measures above 10 kg, left out: {counts['measures_too_heavy']:,}")
    for one in card.get("downloads", ()):
        for kind in ("left_out", "repairs"):
            for what, told in one["notes"][kind].items():
                where = f" (first: {told['first'][0]})" if told["first"] else ""
                typer.echo(f"  {one['file']}: {told['count']:,} {what}{where}")
        for flag, n in one["notes"]["flags"].items():
            typer.echo(f"  {one['file']}: {n:,} foods flagged {flag}")
    typer.echo(f'look up: prandial retrieve "brown rice" --facts {out}')
    return 0
