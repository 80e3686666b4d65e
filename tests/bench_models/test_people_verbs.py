"""People and lm-eval from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.bench_models.raters_made import filled_in, meals
from typer.testing import CliRunner

from prandial.cli import bench_export, bench_people
from prandial.errors import InputError
from prandial.sources.nutribench import read_meals


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Meals of our own as a file."""
    path = tmp_path / "own.jsonl"
    lines = [
        {"id": q.id, "text": q.text, "carb_g": q.label, "serving": q.serving, "group": q.group}
        for q in meals(12)
    ]
    path.write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    return path


def said(app: object, *words: object) -> dict[str, object]:
    ran = CliRunner().invoke(app, [str(w) for w in words])  # type: ignore[arg-type]
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    assert ran.exit_code == 0, ran.output
    return dict(json.loads(ran.stdout))


def test_a_study_from_meals_to_figures(tmp_path: Path, data: Path) -> None:
    study = tmp_path / "study"
    words = ("export", study, "-r", "A", "-r", "B", "--per-rater", 8, "--data", data, "--seed", 1)
    done = said(bench_people.app, *words, "--json")
    assert done["meals"] == 8
    labels = {q.text: q.label for q in read_meals([data], nutrient="carb_g", name="own").questions}
    files = []
    for i, sheet in enumerate(sorted((study / "send").glob("*.csv"))):
        off = (0, 0, 10, 10)[i]  # A is right, B ten grams off

        def fill(meal: str, off: int = off) -> tuple[str, str, str]:
            return f"{labels[meal] + off:g} g", "0.5", ""

        files.append(filled_in(sheet, tmp_path / f"{i}.csv", fill))
    made = said(
        bench_people.app, "import", *files, "-k", study / "keep" / "key.json",
        "-o", tmp_path / "runs", "--json",
    )  # fmt: skip
    runs = [r["folder"] for r in made["runs"]]  # type: ignore[index,union-attr,call-overload]
    assert len(runs) == 4
    found = said(bench_people.app, "figures", *runs, "--json")
    rows = {(r["name"], r["arm"]): r for r in found["serving"]}  # type: ignore[attr-defined]
    for arm in ("look-up", "no look-up"):
        for name, right in (("A", 1), ("B", 0), ("mean of raters", 0.5)):
            (score,) = [
                s for s in rows[name, arm]["scores"] if (s["metric"], s["slice"]) == ("acc_all", "")
            ]
            assert score["value"] == right
    assert [p["acc_all_percent"] for p in found["published"]] == [42.45, 59.72, 60.56]  # type: ignore[attr-defined]
    text = CliRunner().invoke(bench_people.app, ["figures", *runs]).stdout
    assert "0.50" in text
    # the paper's rows stand with its own rules only
    assert "59.72" not in text
    text = CliRunner().invoke(bench_people.app, ["figures", *runs, "--rules", "published"]).stdout
    assert "59.72" in text


def test_a_path_can_be_copied_whole(tmp_path: Path, data: Path) -> None:
    study = tmp_path / ("long" * 30)
    ran = CliRunner().invoke(
        bench_people.app,
        ["export", *map(str, (study, "-r", "A", "--per-rater", 4, "--data", data))],
    )
    assert f"--data {study / 'keep' / 'meals.jsonl'} --out RUN\n" in ran.stdout
    sheet, key = study / "send" / "A_look-up.csv", study / "keep" / "key.json"
    ran = CliRunner().invoke(
        bench_people.app, ["import", *map(str, (sheet, "-k", key, "-o", study / "runs"))]
    )
    assert f"{study / 'runs' / 'A_look-up'}\n" in ran.stdout
    assert "not one cell is filled in" in ran.stdout.replace("\n", " ")


def test_what_failed_is_no_answer_of_a_model(tmp_path: Path, data: Path) -> None:
    """A model that was never reached is neither beaten by people nor wrong."""
    from datetime import UTC, datetime

    from prandial.bench.raters import figures_of_people, import_sheets, rated_of
    from prandial.bench.runs import RunFolder, read_run
    from prandial.records.bench import Prediction, Reading

    study = tmp_path / "study"
    words = ("export", study, "-r", "A", "-r", "B", "--per-rater", 8, "--data", data)
    said(bench_people.app, *words, "--arm", "look-up", "--json")
    labels = {q.text: q.label for q in read_meals([data], nutrient="carb_g", name="own").questions}
    files = [
        filled_in(s, tmp_path / f"{i}.csv", lambda m, i=i: (f"{labels[m] + i:g}", "1", ""))  # type: ignore[misc]
        for i, s in enumerate(sorted((study / "send").glob("*.csv")))
    ]
    done = import_sheets(
        files, study / "keep" / "key.json", tmp_path / "runs", version="1", now=datetime.now(UTC)
    )
    people = [read_run(d.folder) for d in done]
    from dataclasses import replace

    place = RunFolder(tmp_path / "model")
    record = replace(people[0].record, run="0" * 16, model="some/model", method="base")
    place.begin(record, people[0].questions)
    first, _, *rest = people[0].questions
    right = Reading(status="answered", value=first.label, published_value=first.label)  # type: ignore[union-attr]
    place.add(Prediction(question=first.id, raw_text="", reading=right))
    for question in rest:
        failed = Reading(status="failed", why="timeout")
        place.add(Prediction(question=question.id, raw_text="", reading=failed))
    found = figures_of_people([rated_of(r) for r in (*people, read_run(tmp_path / "model"))])
    # one meal of eight was run: the second was not reached, six failed
    (sweep,) = found.sweeps["look-up"]
    assert (sweep.meals, sweep.people_nearer) == (1, ())
    assert {w.name: w.meals for w in found.wins["look-up"]}["some/model base"] == 1
    assert {p.meals for p in found.paired} == {1}
    for group in found.disagreement["look-up"]:
        assert all(f.answered == f.meals for f in group.figures)


def test_errors_name_the_option(tmp_path: Path, data: Path) -> None:
    words = ["export", str(tmp_path / "s"), "-r", "a b", "--data", str(data)]
    ran = CliRunner().invoke(bench_people.app, words)
    assert isinstance(ran.exception, InputError)
    assert ran.exception.where == "--rater"


def test_lm_eval_tasks(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "tasks"
    words = ("lm-eval", "nutribench", out, "--data", data, "--method", "cot", "--limit", 5)
    done = said(bench_export.app, *words, "--json")
    (one,) = done["exports"]  # type: ignore[misc]
    assert one["tasks"] == ["prandial_nutribench_cot_carb_g"]
    assert one["questions"] == 5
    assert "--include_path" in one["command"]
    assert sorted(p.suffix for p in out.iterdir()) == [".json", ".jsonl", ".py", ".yaml"]
