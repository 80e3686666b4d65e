"""The verbs of builds, facts and retrieval as people call them: words, JSON, codes, messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.nutribench.conftest import survey as survey

QUIET = "--no-progress"


def test_build_stats_verify_review(command, survey, tmp_path):
    out = tmp_path / "out"
    made = command(
        "nutribench", "build", "--cycles", "2013-2016", "--from", survey, "--out", out, QUIET,
        "--workers", 1,
    )  # fmt: skip
    assert (made.code, made.err) == (0, "")
    assert "left out, code not in reference: 4" in made.out
    counted = command("nutribench", "stats", out)
    assert counted.code == 0
    assert "natural" in counted.out
    checked = command("nutribench", "verify", out, QUIET, "--workers", 1, "--against",
                      out / "meals.parquet")  # fmt: skip
    assert checked.code == 0
    assert "0 fail" in checked.out
    assert "same text" in checked.out
    queue = command("nutribench", "review", "export", out, "-o", tmp_path / "queue.csv", "--json")
    assert json.loads(queue.out)["failing"] == 0
    read = command("nutribench", "review", "import", out, tmp_path / "queue.csv", "--json")
    assert json.loads(read.out)["decisions"] == 0


def test_json_of_a_build(command, survey, tmp_path):
    made = command(
        "nutribench", "build", "--from", survey, "--out", tmp_path / "out", "--meals", 3,
        "--serving", "natural", "--form", "csv", "--json", QUIET,
    )  # fmt: skip
    body = json.loads(made.out)
    assert body["card"]["counts"]["rows"] == 3
    assert list(body["card"]["files"]) == ["meals.csv"]


def test_a_failing_text_gives_code_4(command, survey, tmp_path):
    from tests.nutribench.test_verify import replanted

    command("nutribench", "build", "--from", survey, "--out", tmp_path / "a", "--meals", 3, QUIET)
    bad = replanted(tmp_path / "a", tmp_path / "b", lambda n, t: "Yum." if n == 1 else t)
    checked = command("nutribench", "verify", bad, QUIET)
    assert checked.code == 4
    assert "1 fail" in checked.out
    assert "food_missing" in checked.out


@pytest.mark.parametrize(
    ("code", "arguments", "named"),
    [
        (2, ("--describe", "poem"), "template"),
        (2, ("-M", "a=b"), "--describe model:NAME"),
        (2, ("--prompt", "describe=x"), "--describe model:NAME"),
        (2, ("--describe", "model:x", "-M", "ab"), "name=value"),
        (2, ("--describe", "model:x"), "200"),
        (2, ("--serving", "cups"), "natural"),
        (3, ("--cycles", "2001-2002"), "2017-2018"),
        (4, ("--cycles", "2003-2004"), "prandial data get nhanes"),
        (4, ("--cycles", "BOL-00006"), "prandial data get gift"),
    ],
)
def test_what_cannot_be_built(refused, survey, tmp_path, code, arguments, named):
    error = refused(
        code, "nutribench", "build", "--from", survey, "--out", tmp_path / "out", QUIET, *arguments
    )
    assert named in error["hint"]
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


def test_no_survey_files_at_all(refused, tmp_path):
    out = ("--out", tmp_path / "out", QUIET)
    error = refused(4, "nutribench", "build", *out, "--from", tmp_path / "no")
    assert "prandial data get nhanes" in error["hint"]


def test_retrieve(command):
    found = command("retrieve", "a cup of brown rice", "--top", 1)
    assert found.code == 0
    assert "fndds-2017-2018 56205018" in found.out
    assert "1 cup, cooked (195 g) has 49.6 g carbohydrates" in found.out
    energy = command("retrieve", "brown rice", "--nutrient", "energy", "--json")
    assert json.loads(energy.out)["foods"][0]["facts"][-1] == "100 g has 122 kcal energy"


def test_a_facts_table(command, refused, tmp_path):
    from tests.sources import fdczip
    from tests.sources.test_fdc_reading import members

    zipped = tmp_path / "FoodData_Central_survey_food_csv_2024-10-31.zip"
    zipped.write_bytes(fdczip.pack(members()))
    made = command("facts", "build", "--fdc", zipped, "--out", tmp_path / "facts", QUIET)
    assert made.code == 0
    assert "fdc 2024-10-31" in made.out
    error = refused(2, "facts", "build", "--fdc", zipped, "--out", tmp_path / "facts", QUIET)
    assert "--replace" in error["hint"]
    found = command("retrieve", "milk", "--facts", tmp_path / "facts")
    assert found.code == 0
    assert "facts portions" in found.out
    assert "; FDC " in found.out
    error = refused(4, "retrieve", "milk", "--facts", Path(tmp_path))
    assert "prandial facts build" in error["hint"]
