"""A real model in this process, by the verb: SmolLM2, one thread, a few questions of each kind.

Its numbers mean nothing; that every reply keeps the form it is bound to, is read, counted and
recorded, does. Weights: ``prandial models pull smollm2-135m`` (``make test`` does it).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prandial.bench.runs import Run, read_run
from prandial.errors import PrandialError
from prandial.sources.weights import weights_home, weights_path

SRC = Path(__file__).resolve().parents[2] / "src"
#: several commands in one process, so that what is slow to import is imported once
EVERY = """
import json, sys
from prandial.cli.run import run
sys.exit(max(run(argv) for argv in json.loads(sys.argv[1])))
"""
LOCAL = (
    *("-m", "prandial/local", "-M", "name=smollm2-135m", "-M", "threads=1", "-M", "context=1536"),
    "--no-progress",
)
TAG = re.compile(r"(?:high|low)_[a-z0-9_]+")


@pytest.fixture(scope="module")
def runs(build: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: prandial[bench]")
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: prandial[bench]")
    try:
        weights_path("smollm2-135m", weights_home())
    except PrandialError as error:
        pytest.skip(f"WEIGHTS ABSENT: {error.hint} (or PRANDIAL_WEIGHTS=FOLDER)")
    folder = tmp_path_factory.mktemp("local")
    meals = folder / "meals.csv"
    meals.write_text(
        "id,text,carb_g\n1,a slice of toast with butter,15\n2,100 g of cooked white rice,28\n"
        "3,two boiled eggs and an apple,26\n",
        encoding="utf-8",
    )
    about_meals = ("bench", "run", "nutribench", *LOCAL, "--data", str(meals))
    about_graphs = ("bench", "run", "ngqa", *LOCAL, "--data", str(build), "--limit", "1")
    told = {
        "base": (*about_meals, "--method", "base", "-O", "bound=integer"),
        "extract": (*about_meals, "--method", "extract", "-O", "max_tokens=120", "--limit", "2"),
        "plain": (*about_graphs, "--method", "plain", "-O", "bound=grammar", "--task", "B,ML"),
    }
    commands = [[*argv, "--out", str(folder / name)] for name, argv in told.items()]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SRC), *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-c", EVERY, json.dumps(commands)],
        env=env, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 failed, 0 not asked") == 3, done.stdout
    return {name: read_run(folder / name) for name in told}


def replies(run: Run) -> list[Any]:
    assert len(run.predictions) == len(run.questions)
    for one in run.predictions.values():
        assert one.calls == 1
        assert one.input_tokens > 20
        assert one.output_tokens > 0
        assert one.seconds > 0
    return [(run.predictions[q.id], q) for q in run.questions]


def test_an_amount_is_bound_to_its_form_and_read(runs: dict[str, Run]) -> None:
    found = replies(runs["base"])
    assert len(found) == 3
    for one, _ in found:
        ((key, amount),) = json.loads(one.raw_text).items()
        assert key == "total_carbohydrates"
        assert isinstance(amount, int)
        if amount == -1:
            assert (one.reading.status, one.reading.value) == ("refused", None)
        else:
            assert (one.reading.status, one.reading.value) == ("answered", amount)


def test_items_are_bound_and_weighed_by_the_tables(runs: dict[str, Run]) -> None:
    for one, _ in replies(runs["extract"]):
        (call,) = one.replies
        assert call.reply.startswith('{"items"')  # it may have been cut
        assert "carb" not in call.reply  # the reply has no place for a nutrient
        assert one.reading.status in ("answered", "refused", "unreadable")
        if one.reading.status == "answered":
            values = [f["value"] for i in one.detail["items"] if i["kept"] for f in i["found"]]
            known = [v for v in values if v is not None]
            assert one.reading.value == pytest.approx(sum(known), abs=0.01 * (1 + len(known)))


def test_verdicts_and_tags_are_bound_to_a_grammar(runs: dict[str, Run]) -> None:
    asked = {q.task: one for one, q in replies(runs["plain"])}
    assert set(asked) == {"B", "ML"}
    assert asked["B"].reading.status == "answered"
    assert asked["B"].reading.verdict in ("Yes", "No")
    assert asked["ML"].reading.status == "answered"
    assert all(TAG.fullmatch(tag) for tag in asked["ML"].reading.tags)


def test_the_record_has_the_weights(runs: dict[str, Run]) -> None:
    record = runs["base"].record
    assert record.model_args["sha256"].startswith("b179c9523d0e6a0f")
    assert record.model_args["bytes"] == 98_362_432
    assert (record.model_args["temperature"], record.model_args["threads"]) == (0, 1)
    assert set(record.prompts) == {"nutribench_system", "nutribench_base"}
    assert "xllamacpp" in record.versions
