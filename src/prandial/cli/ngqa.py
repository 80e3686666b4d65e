"""``prandial ngqa``: build, count, show, check and review questions about people and foods."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.cli.people import CYCLES, ROOT, RULES
from prandial.errors import InputError

__all__ = ["app"]

app = new_group("Questions whether a food suits a person, with gold answers (NGQA).")
review = new_group("Annotation: a queue for people, their answers read back, a reviewed build.")
app.add_typer(review, name="review")

Folder = Annotated[Path, typer.Argument(help="Folder of a build.", metavar="DIR")]


@app.command()
def build(
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="DIR")],
    root: ROOT = None,
    rules: RULES = "default",
    graph: Annotated[
        str,
        typer.Option(
            help="published (verdict edges inside), no-verdict (amounts instead) or merged"
            " (one graph of everything).",
            metavar="MODE",
        ),
    ] = "published",
    cycle: CYCLES = None,
    people: Annotated[
        str,
        typer.Option(help="survey, or demo: made-up people where no files are.", metavar="KIND"),
    ] = "survey",
    seed: Annotated[int, typer.Option(help="Seed of every choice.")] = 0,
    per_food: Annotated[
        str,
        typer.Option(help="Most questions a food: sparse,standard,complex.", metavar="N,N,N"),
    ] = "10,5,2",
    per_person: Annotated[
        int | None,
        typer.Option(
            help="Most questions a person, under the default rules. [default: 25]",
            min=1,
            metavar="N",
            show_default=False,
        ),
    ] = None,
    weighted: Annotated[
        bool,
        typer.Option("--weighted", help="Draw people by their survey weight, not alike."),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a build of that name.")
    ] = False,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Build people, tags, graphs, questions and gold answers from the public files."""
    from prandial import api
    from prandial.cli.progress import build_progress
    from prandial.cli.show_ngqa import show_build

    with build_progress(show=progress) as hear:
        report = api.build_ngqa(
            out,
            root=root,
            rules=rules,
            graph=graph,
            cycles=cycle,
            people=people,
            seed=seed,
            per_food=_three(per_food),
            per_person=per_person,
            weighted=weighted,
            replace=replace,
            progress=hear,
        )
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        show_build(report)
    return 0


@app.command()
def stats(folder: Folder, as_json: Json = False) -> int:
    """Count a build: rows, verdicts, nodes, edges and signal by level, beside the paper's."""
    from prandial import api

    found = api.ngqa_stats(folder)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_ngqa import show_stats

        show_stats(found)
    return 0


@app.command()
def show(
    folder: Folder,
    question: Annotated[str, typer.Argument(help="Id of a question.", metavar="ID")],
    draw: Annotated[
        Path | None,
        typer.Option(
            help="Also draw the graph into this .svg or .png file.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers/--no-answers",
            help="With --draw: whether the drawing tells the answers; without, amounts stand in"
            " place of verdict edges, for annotators.",
        ),
    ] = True,
    graph: Annotated[
        bool, typer.Option("--graph", help="Print the graph in words, an edge a line.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let --draw write over a file that is there.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Show one question: texts, gold answers, why, and its graph."""
    from prandial import api

    if draw is None and not answers:
        raise InputError(
            "--no-answers is about the drawing", where="--no-answers", hint="add --draw FILE"
        )
    found = api.ngqa_show(folder, question)
    if draw is not None:
        found.draw(draw, answers=answers, replace=replace)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_ngqa import show_question

        show_question(found, drawn=draw is not None, graph=graph)
    if draw is not None:
        typer.echo(f"drew the graph into {draw}", err=True)
    return 0


@app.command()
def check(
    file: Annotated[
        Path, typer.Argument(help="File in the published CSV form.", metavar="FILE.csv")
    ],
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="Also derive its people and foods from the raw files (see --from)."
        ),
    ] = False,
    root: ROOT = None,
    rules: Annotated[
        str,
        typer.Option(
            help="Rule set the file claims to follow: as-published, default, or auto to find it by"
            " the wording of its questions.",
            metavar="NAME",
        ),
    ] = "auto",
    as_json: Json = False,
) -> int:
    """Rebuild each row of a published file from its own facts and list what differs."""
    from prandial import api
    from prandial.cli.show_ngqa import show_check, show_derived

    if root is not None and not raw:
        raise InputError("--from is of no use here", where="--from", hint="add --raw")
    report = api.ngqa_check(file, rules=rules)
    derived = api.ngqa_check_raw(file, root=root, rules=report.rules) if raw else None
    if as_json:
        body = report.to_dict()
        if derived is not None:
            body["raw"] = derived.to_dict()
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
        return 0
    show_check(report)
    if derived is not None:
        show_derived(derived)
    return 0


REPLACE = Annotated[bool, typer.Option("--replace", help="Write over a file that is there.")]


@review.command("export")
def export(
    folder: Folder,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Queue to write: .csv or .jsonl.", metavar="FILE")
    ],
    rows: Annotated[
        int | None,
        typer.Option(
            help="How many questions, drawn by the seed. [default: all]", min=1, show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind",
            help="Leave out gold answers, reasons and flags, so that annotators agree with each"
            " other and not with them.",
        ),
    ] = False,
    replace: REPLACE = False,
    as_json: Json = False,
) -> int:
    """Write questions with room for an annotator's verdict, tags and reason."""
    from prandial import api

    report = api.export_review(folder, output, rows=rows, seed=seed, blind=blind, replace=replace)
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        without = ", without gold answers" if blind else ""
        typer.echo(f"wrote {report['rows']} questions to {output}{without}")
        typer.echo("to fill in: " + ", ".join(report["columns_to_fill"]))
    return 0


@review.command("import")
def import_(
    folder: Folder,
    files: Annotated[
        list[Path], typer.Argument(help="Filled queues, one or more annotators.", metavar="FILE...")
    ],
    decisions: Annotated[
        list[Path] | None,
        typer.Option(
            help="Filled queue of the adjudicator, whose word settles a question; again for each.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    reviewers: Annotated[
        int,
        typer.Option(
            help="How many must agree for a label to change without a decision.",
            min=1,
            metavar="N",
        ),
    ] = 2,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write agreed labels and the log of changes here: .json.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    replace: REPLACE = False,
    as_json: Json = False,
) -> int:
    """Read filled queues: agreement of annotators, disagreements, changes with who and why."""
    from prandial import api

    if output is not None:
        _refuse(output, [*files, *(decisions or [])], replace=replace)
    report = api.import_review(folder, files, decisions=decisions or [], reviewers=reviewers)
    body = json.dumps(report.to_dict(), ensure_ascii=False, indent=2)
    if output is not None:
        _write(output, body + "\n")
    if as_json:
        typer.echo(body)
    else:
        from prandial.cli.show_ngqa import show_review

        show_review(report)
    return 0


@review.command("apply")
def apply(
    folder: Folder,
    labels: Annotated[
        Path, typer.Argument(help="What review import --output wrote.", metavar="LABELS.json")
    ],
    out: Annotated[Path, typer.Option(help="New folder to write.", metavar="DIR")],
    as_json: Json = False,
) -> int:
    """Write a new build whose changed rows carry the reviewed labels, with the log beside."""
    from prandial import api

    report = api.apply_review(folder, labels, out)
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        typer.echo(
            f"{report['folder']}: {report['rows']:,} questions, {report['changed']:,} of them"
            f" reviewed; {len(report['changes']):,} changes in review.json and on the card"
        )
    return 0


def _refuse(output: Path, read: list[Path], *, replace: bool) -> None:
    """Refuse to write over a queue that is read, or over any file without ``--replace``."""
    if not output.exists():
        return
    if output.resolve() in {f.resolve() for f in read}:
        raise InputError("a queue to read from", where=str(output), hint="name another file")
    if not replace:
        raise InputError(
            "the file is there already",
            where=str(output),
            hint="name a new file, or --replace",
        )


def _write(path: Path, text: str) -> None:
    if not path.parent.is_dir():
        raise InputError(
            "there is no such folder", where=str(path.parent), hint="make the folder first"
        )
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(path), hint=error.strerror or ""
        ) from error


def _three(text: str) -> tuple[int, int, int]:
    """Return the numbers of ``10,5,2``."""
    parts = text.split(",")
    if len(parts) != 3 or not all(p.strip().isdecimal() for p in parts):
        raise InputError(f"{text!r} is not three counts", where="--per-food", hint="such as 10,5,2")
    sparse, standard, complex_ = (int(p) for p in parts)
    if sparse == standard == complex_ == 0:
        raise InputError("no question at all", where="--per-food", hint="such as 10,5,2")
    return sparse, standard, complex_
