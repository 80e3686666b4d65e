"""``prandial bench score`` and ``bench compare``: runs to figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from prandial.cli.bench_options import by_option
from prandial.cli.options import Json
from prandial.cli.plain import json_text
from prandial.cli.show import new_console, new_table, plain
from prandial.errors import InputError

__all__ = ["compare", "score"]

#: from here on an amount is told whole
_MANY: Final = 1000
_ENCODED: Final = re.compile(r"tg_bertscore\[(.*)\]")
Seed = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
Draws = Annotated[
    int,
    typer.Option("--bootstrap", help="Draws over groups of meals or foods.", min=0, metavar="N"),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        help="ours or published, again for each; never in one table. [default: both]",
        metavar="NAME",
        show_default=False,
    ),
]


def score(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.", metavar="RUN...")],
    rules: Rules = None,
    by: Annotated[
        str,
        typer.Option(
            help="Slices of meals too: serving, country, items, band, language.",
            metavar="LIST",
            show_default=False,
        ),
    ] = "",
    seed: Seed = 0,
    draws: Draws = 2000,
    encoder: Annotated[
        str,
        typer.Option(
            help="Of BERTScore (NGQA's sentences): weights by name, a folder, or none."
            " [default: minilm-l6 where it was pulled]",
            metavar="NAME",
            show_default=False,
        ),
    ] = "",
    as_json: Json = False,
) -> int:
    """Score runs, finished or not, under both rule sets, with n and 95 % intervals."""
    from prandial.api import bench as api

    slices = [s.strip() for s in by.split(",") if s.strip()]
    with by_option():
        found = [
            (
                folder,
                api.bench_score(
                    folder, rules=rules or (), by=slices, seed=seed, draws=draws, encoder=encoder
                ),
            )
            for folder in runs
        ]
    if as_json:
        typer.echo(json_text({"runs": [told for _, told in found]}, indent=2))
        return 0
    for folder, told in found:
        for name, scores in told["scores"].items():
            _show_scores(folder, name, told["record"], scores)
    return 0


def _show_scores(
    folder: Path, rules: str, record: Mapping[str, Any], scores: Sequence[Mapping[str, Any]]
) -> None:
    who = f"{record['benchmark']} {record['method']} {record['model'] or '(no model)'}"
    console = new_console()
    console.print(plain(f"{folder}: {who}, rules {rules}"))
    sliced = any(s["slice"] for s in scores)
    heads = ("figure", "value", "95 %", "n", "left out")
    table = new_table(*(("slice", *heads) if sliced else heads))
    table.columns[1 if sliced else 0].no_wrap = True  # a name that is cut cannot be looked for
    for one in scores:
        cells = (
            _metric(one["metric"]),
            _figure(one["value"], one["unit"]),
            _interval(one),
            str(one["n_scored"]),
            str(one["n_unscored"]),
        )
        place = plain(one["slice"]).removeprefix("level=") or "all"
        table.add_row(*((place, *cells) if sliced else cells))
    console.print(table)
    for encoder in dict.fromkeys(m[1] for s in scores if (m := _ENCODED.fullmatch(s["metric"]))):
        console.print(plain(f"tg_bertscore: with the encoder {encoder}"), soft_wrap=True)
        console.print("values of other encoders, such as the papers' roberta-large, do not compare")


def _metric(name: str) -> str:
    """Return a figure's name; that of the encoder stands below the table."""
    return "tg_bertscore" if _ENCODED.fullmatch(name) else name


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "undefined"
    return f"{_number(value, unit)} {unit}" if unit else _number(value, unit)


def _number(value: float, unit: str) -> str:
    """Return a number in as many places as can matter."""
    if not unit:
        return f"{value:.3f}"
    return f"{value:.2f}" if abs(value) < _MANY else f"{value:.0f}"


def _p_text(p: float | None) -> str:
    return "undefined" if p is None else f"{p:.3g}"


def _interval(one: Mapping[str, Any]) -> str:
    if one["low"] is None or one["high"] is None:
        return ""
    low, high = (_number(one[end], one["unit"]) for end in ("low", "high"))
    return f"{low} to {high}" if "-" in low + high else f"{low}-{high}"


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Two folders of runs.", metavar="RUN RUN")],
    rules: Annotated[str, typer.Option(help="ours or published.", metavar="NAME")] = "ours",
    seed: Seed = 0,
    draws: Draws = 2000,
    as_json: Json = False,
) -> int:
    """Compare two runs on the questions that both were asked, pair by pair."""
    from prandial.api import bench as api

    if len(runs) != 2:
        raise InputError(
            f"{len(runs)} runs are no pair", where="command line", hint="name two folders"
        )
    with by_option():
        told = api.bench_compare(runs[0], runs[1], rules=rules, seed=seed, draws=draws)
    if as_json:
        typer.echo(json_text(told, indent=2))
    else:
        _show_comparison(told)
    return 0


def _show_comparison(told: Mapping[str, Any]) -> None:
    console = new_console()
    console.print(plain(f"first: {told['first']}; second: {told['second']}; rules {told['rules']}"))
    table = new_table("figure", "first", "second", "second - first", "95 %", "p", "pairs")
    table.columns[0].no_wrap = True
    for one in told["differences"]:
        p = one["p"]
        table.add_row(
            one["metric"],
            _figure(one["first"], one["unit"]),
            _figure(one["second"], one["unit"]),
            _figure(one["difference"], one["unit"]),
            _interval(one),
            "" if p is None else f"{p:.4f}",
            str(one["n_pairs"]),
        )
    console.print(table)
    lines = [
        f"{what}right: both {d['both']}, only first {d['only_first']}, only second"
        f" {d['only_second']}, neither {d['neither']} (McNemar p {_p_text(d['p'])})"
        for what, d in told["right"].items()
    ]
    lines += [
        f"{one['metric']}: {one['n_left_out']} questions without an answer in one or both left out"
        for one in told["differences"]
        if one["n_left_out"]
    ]
    for key, words in (
        ("only_first", "asked in the first only"),
        ("only_second", "asked in the second only"),
        ("not_run", "failed or not asked in one or both"),
    ):
        if told[key]:
            lines.append(f"{len(told[key])} questions {words}: not compared")
    for line in lines:
        console.print(plain(line))
