"""``prandial risk``: simulate meals, assess estimates, list virtual patients."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.cli.plain import json_text, plain
from prandial.cli.risk_options import by_option, check_engine, number, parts, shows_bar
from prandial.errors import InputError, PrandialError

__all__ = ["app"]

app = new_group(
    "What a carbohydrate estimate does to glucose of virtual patients.\n\n"
    "Research use, not dosing advice."
)

Quirks = Annotated[
    str,
    typer.Option(
        help="pyloopkit (equal to Tidepool's simulator) or exact (its quirks repaired).",
        metavar="NAME",
    ),
]
LargeMeals = Annotated[
    bool, typer.Option("--large-meals", help="Meals above 250 g (to 1000 g) are meant.")
]
Settings = Annotated[
    Path | None,
    typer.Option(
        help="Settings of Loop: a JSON object by the names of Tidepool's simulator.",
        metavar="FILE",
        show_default=False,
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        help="auto (numba where it is installed), numpy or numba; equal numbers.", metavar="NAME"
    ),
]
Replace = Annotated[
    bool, typer.Option("--replace", "--force", help="Write over a file that is there.")
]
Bar = Annotated[
    bool,
    typer.Option(
        "--progress/--no-progress", help="Show progress on stderr, where it is a terminal."
    ),
]

#: option -> parameter of the API
_SINGLE: Final = {
    "--isf": "isf_mg_dl_per_u",
    "--cir": "cir_g_per_u",
    "--basal": "basal_u_per_h",
    "--carbs": "true_carb_g",
    "--estimate": "estimated_carb_g",
    "--start": "start_glucose_mg_dl",
    "--absorption": "true_absorption_min",
    "--reported-absorption": "reported_absorption_min",
}
_NEEDED: Final = ("--isf", "--cir", "--basal", "--carbs", "--estimate")


def _number(about: str, metavar: str) -> Any:
    return typer.Option(help=about, metavar=metavar, show_default=False)


@app.command()
def simulate(
    isf: Annotated[
        float | None, _number("Insulin sensitivity factor, mg/dL per U.", "MG_DL")
    ] = None,
    cir: Annotated[float | None, _number("Carbohydrate-to-insulin ratio, g per U.", "G")] = None,
    basal: Annotated[float | None, _number("Scheduled basal rate, U/h.", "U_PER_H")] = None,
    start: Annotated[
        float | None,
        _number("Glucose when the meal begins, mg/dL. [default: 120]", "MG_DL"),
    ] = None,
    carbs: Annotated[float | None, _number("Carbohydrate the meal holds, g.", "G")] = None,
    estimate: Annotated[
        float | None, _number("Carbohydrate it was estimated to hold, g.", "G")
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            help="How insulin is given: manual, loop_accept, loop_temp or loop_userbolus."
            " [default: manual]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    absorption: Annotated[
        float | None, _number("Minutes until the meal is absorbed. [default: 180]", "MIN")
    ] = None,
    reported_absorption: Annotated[
        float | None, _number("Absorption time told to Loop, min. [default: 180]", "MIN")
    ] = None,
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input",
            "-i",
            help="Simulate each line of this file of scenarios (JSON lines).",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="With --input: the same records with their traces (JSON lines).",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    on_error: Annotated[
        str | None,
        typer.Option(
            help="With --input, for a line that cannot be used: stop (nothing is written) or keep"
            " (it is written with its error). [default: stop]",
            metavar="POLICY",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw glucose over six hours into this .svg or .png file.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    quirks: Quirks = "pyloopkit",
    settings: Settings = None,
    large_meals: LargeMeals = False,
    engine: Engine = "auto",
    replace: Replace = False,
    progress: Bar = True,
    as_json: Json = False,
) -> int:
    """Simulate six hours after a meal of a virtual patient, or after each meal of a file.

    Research use, not dosing advice.
    """
    numbers = {
        "--isf": isf,
        "--cir": cir,
        "--basal": basal,
        "--carbs": carbs,
        "--estimate": estimate,
        "--start": start,
        "--absorption": absorption,
        "--reported-absorption": reported_absorption,
    }
    told = {k: v for k, v in numbers.items() if v is not None}
    check_engine(engine)
    shared: dict[str, Any] = {"quirks": quirks, "large_meals": large_meals, "engine": engine}
    if input_file is not None:
        single = {**told, "--mode": mode, "--plot": plot, "--settings": settings}
        _refuse([k for k, v in single.items() if v is not None], "with --input", "leave it out")
        return _simulate_file(
            input_file,
            output,
            on_error=on_error or "stop",
            replace=replace,
            progress=progress,
            as_json=as_json,
            **shared,
        )
    batch = {"--output": output, "--on-error": on_error}
    _refuse([k for k, v in batch.items() if v is not None], "without --input", "add --input FILE")
    shared["settings"] = settings
    return _simulate_one(told, mode, plot, replace=replace, as_json=as_json, **shared)


def _refuse(options: list[str], why: str, hint: str) -> None:
    if options:
        raise InputError(f"{options[0]} is of no use {why}", where=options[0], hint=hint)


def _simulate_one(
    told: dict[str, float],
    mode: str | None,
    plot: Path | None,
    *,
    replace: bool,
    as_json: bool,
    **shared: Any,
) -> int:
    from prandial import api

    missing = [k for k in _NEEDED if k not in told]
    if missing:
        raise InputError(
            f"no {missing[0]}",
            where="command line",
            hint="prandial risk simulate --isf 50 --cir 10 --basal 0.8 --start 120 --carbs 60"
            " --estimate 45 --mode manual; or --input FILE --output FILE",
        )
    if plot is not None:
        from prandial.cli.show_risk import check_outputs

        check_outputs(None, [plot], read=[shared["settings"]], replace=replace)
    given: dict[str, Any] = {_SINGLE[k]: v for k, v in told.items()}
    with by_option():
        found = api.risk_simulate(
            **given,
            mode=mode or "manual",
            names={v: k for k, v in _SINGLE.items()},
            **shared,
        )
    if as_json:
        typer.echo(json_text(found.to_dict(), indent=2))
    else:
        from prandial.cli.show_risk import show_simulation

        show_simulation(found)
    if plot is not None:
        sys.stdout.flush()  # a drawing that fails must lose nothing
        found.plot(plot, replace=replace)
        typer.echo(f"drew glucose into {plain(str(plot))}", err=True)
    return 0


def _simulate_file(
    input_file: Path, output: Path | None, *, progress: bool, as_json: bool, **options: Any
) -> int:
    from prandial import api
    from prandial.cli.batch import Count, progress_bar
    from prandial.cli.show_risk import show_file

    if output is None:
        raise InputError("where to write?", where="command line", hint="name a .jsonl --output")
    bar = shows_bar(wished=progress, as_json=as_json)
    with by_option(), progress_bar(Count(), show=bar, unit="simulations") as hear:
        report = api.risk_simulate_file(input_file, output, progress=hear, **options)
    for note in report.notes:
        sys.stderr.write(f"note: {plain(note)}\n")
    if as_json:
        typer.echo(json_text(report.to_dict()))
    else:
        show_file(report)
    return PrandialError.exit_code if report.failed else 0


@app.command()
def assess(
    file: Annotated[
        Path,
        typer.Argument(
            help="Estimates: .csv, .tsv, .xlsx, .parquet or .jsonl, or run records.",
            metavar="FILE",
        ),
    ],
    patients: Annotated[
        Path | None,
        typer.Option(
            help="Table of patients with isf, cir, basal (and name). [default: synthetic]",
            metavar="CSV",
            show_default=False,
        ),
    ] = None,
    n_patients: Annotated[
        int | None,
        typer.Option(
            help="Size of the synthetic population. [default: 20]", metavar="N", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of population and bootstrap.")] = 0,
    starts: Annotated[
        str, typer.Option(help="Glucose when meals begin, mg/dL.", metavar="LIST")
    ] = "80,120,160,200",
    modes: Annotated[
        str,
        typer.Option(
            help="Setups: manual, loop_accept, loop_temp, loop_userbolus.", metavar="LIST"
        ),
    ] = "manual,loop_accept",
    quirks: Quirks = "pyloopkit",
    settings: Settings = None,
    absorption: Annotated[
        float, typer.Option(help="Minutes until meals are absorbed.", metavar="MIN")
    ] = 180.0,
    reported_absorption: Annotated[
        float, typer.Option(help="Absorption time told to Loop, min.", metavar="MIN")
    ] = 180.0,
    abstain: Annotated[
        str,
        typer.Option(
            help="A meal without an answer: exclude (for all estimators), no_bolus (taken as 0 g;"
            " Loop still corrects) or skip (for that estimator alone).",
            metavar="POLICY",
        ),
    ] = "exclude",
    incomplete: Annotated[
        str,
        typer.Option(
            help="An estimate of a part of the meal (run records): count it as an answer, or"
            " abstain.",
            metavar="POLICY",
        ),
    ] = "count",
    estimator: Annotated[
        list[str] | None,
        typer.Option(
            help="Use this estimator (column) only, again for each. [default: all]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="Table with meal_id and true_g, for files without a truth.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            help="Column the others are compared with, such as perfect. [default: every pair]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(help="Draws over meals and over patients; 0 for none.", metavar="N")
    ] = 2000,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Also vary each open choice of the method.")
    ] = False,
    surface: Annotated[
        bool,
        typer.Option(
            "--surface", help="Also compute risk by relative error and carbohydrate sensitivity."
        ),
    ] = False,
    second_patient: Annotated[
        str | None,
        typer.Option(
            help="uva: check the ranking on the UVA/Padova 2008 patients. [default: none]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    large_meals: LargeMeals = False,
    engine: Engine = "auto",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Also write the report: .json, .csv (main table) or .md.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw the risk of each estimator into this .svg or .png file.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    plot_surface: Annotated[
        Path | None,
        typer.Option(
            help="With --surface: draw it into this .svg or .png file.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    replace: Replace = False,
    progress: Bar = True,
    as_json: Json = False,
) -> int:
    """Assess estimates by the glucose of virtual patients who give insulin for them.

    Research use, not dosing advice.
    """
    from prandial import api
    from prandial.cli.batch import Count, progress_bar
    from prandial.cli.show_risk import check_outputs, draw_report, show_report

    if patients is not None and n_patients is not None:
        raise InputError(
            "--n-patients is of no use with --patients", where="--n-patients", hint="leave it out"
        )
    if plot_surface is not None and not surface:
        raise InputError(
            "there is no surface to draw", where="--plot-surface", hint="add --surface"
        )
    check_engine(engine)
    read = [file, patients, truth, settings]
    check_outputs(output, [plot, plot_surface], read=read, replace=replace)
    bar = shows_bar(wished=progress, as_json=as_json)
    with by_option(), progress_bar(Count(), show=bar, unit="simulations") as hear:
        report = api.risk_assess(
            file,
            patients=patients,
            n_patients=20 if n_patients is None else n_patients,
            seed=seed,
            starts_mg_dl=[number(p, "--starts") for p in parts(starts, "--starts")],
            modes=parts(modes, "--modes"),
            quirks=quirks,
            settings=settings,
            true_absorption_min=absorption,
            reported_absorption_min=reported_absorption,
            abstain=abstain,
            reference=reference,
            bootstrap=bootstrap,
            sensitivity=sensitivity,
            surface=surface,
            second_patient=second_patient,
            incomplete=incomplete,
            large_meals=large_meals,
            engine=engine,
            estimators=estimator or (),
            truth=truth,
            progress=hear,
        )
    if output is not None:
        report.write(output, replace=replace)
        typer.echo(f"wrote {plain(str(output))}", err=True)
    if as_json:
        typer.echo(json_text(report.to_dict(), indent=2))
    else:
        show_report(report)
    sys.stdout.flush()  # a drawing that fails must lose nothing
    draw_report(report, plot, plot_surface, replace=replace)
    return 0


@app.command()
def patients(
    n_patients: Annotated[int, typer.Option(help="How many.", min=1, max=10_000, metavar="N")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the draw.", min=0)] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the table here. [default: standard output]",
            metavar="CSV",
            show_default=False,
        ),
    ] = None,
    replace: Replace = False,
    as_json: Json = False,
) -> int:
    """Print the synthetic population as a table that --patients reads.

    Research use, not dosing advice.
    """
    from prandial import api
    from prandial.bench.risk import NOTICE, patients_csv
    from prandial.bench.risk.outputs import check_output, write_whole

    if output is not None:
        check_output(output, replace=replace)
    with by_option():
        found = api.risk_patients(n_patients=n_patients, seed=seed)
    text = patients_csv(found)
    if output is not None:
        write_whole(output, text, replace=replace)
        typer.echo(f"wrote {len(found)} patients to {plain(str(output))}", err=True)
    if as_json:
        body = {"patients": [p.to_dict() for p in found], "seed": seed, "notice": NOTICE}
        typer.echo(json_text(body, indent=2))
    elif output is None:
        typer.echo(text, nl=False)
    if not as_json:
        typer.echo(NOTICE, err=True)
    return 0
