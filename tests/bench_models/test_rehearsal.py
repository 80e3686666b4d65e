"""What a method cannot use is refused before a run begins; a merged build brings its graph."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.test_harness import environment

import prandial
from prandial.bench.methods import method_named
from prandial.bench.rehearsal import rehearse
from prandial.bench.runner import BenchSettings, cost_of, run_bench
from prandial.bench.runs import read_run
from prandial.bench.scoring import score_run
from prandial.errors import InputError, MissingDataError, ModelError


def asked(build: Path, **more: Any) -> BenchSettings:
    return BenchSettings(
        benchmark="ngqa", model="prandial/rules", data=build, limit=2, encoder="lexical", **more
    )


@pytest.mark.parametrize(
    ("method", "options", "what"),
    [
        ("tog", {"width": 0}, "width is 0"),
        ("plain", {"wording": "loud"}, "wording is 'loud'"),
        ("cot_bag", {"bound": "xml"}, "bound is 'xml'"),
        ("kaping", {"k": -1}, "k is -1"),
        ("g_retriever", {"edge_cost": float("nan")}, "edge_cost is nan"),
    ],
)
def test_settings_out_of_bounds_are_told_once(
    method: str, options: dict[str, Any], what: str, build: Path, tmp_path: Path
) -> None:
    settings = asked(build, method=method, options=options)
    for call in (lambda: cost_of(settings), lambda: run(settings, tmp_path / "run")):
        with pytest.raises(InputError, match=what):
            call()
    assert not (tmp_path / "run").exists()


def run(settings: BenchSettings, out: Path) -> Any:
    return run_bench(settings, out, prandial_version="1")


def test_a_prompt_that_asks_for_what_there_is_not(build: Path, tmp_path: Path) -> None:
    prompt = tmp_path / "plain.txt"
    prompt.write_text("{{graph}} {{gold}}", encoding="utf-8")
    settings = asked(build, method="plain", prompts={"ngqa_matched_plain": prompt})
    with pytest.raises(InputError, match=r"asks for \{\{gold\}\}"):
        run(settings, tmp_path / "run")


def test_errors_of_another_kind_are_left_to_the_run(build: Path) -> None:
    method = method_named("plain", "ngqa")

    async def breaks(question: Any, ask: Any, kit: Any) -> Any:
        raise ModelError("a made-up reply leads nowhere")

    async def picky(question: Any, ask: Any, kit: Any) -> Any:
        raise InputError("this question is odd", where="question 7")

    for strange in (breaks, picky):
        rehearse(replace(method, run=strange), (object(),), None)  # type: ignore[arg-type]


def test_a_merged_build_brings_the_graph_of_all(tmp_path: Path) -> None:
    empty = tmp_path / "no-raw-files"
    empty.mkdir()
    made = tmp_path / "merged"
    prandial.build_ngqa(made, root=empty, people="demo", per_food=(1, 1, 1), graph="merged")
    pytest.importorskip("inspect_ai")
    command = (
        "-m prandial bench run ngqa --model prandial/rules --method kaping_published --limit 2"
    )
    argv = [sys.executable, *command.split(), "--data", str(made), "--out", str(tmp_path / "run")]
    subprocess.run(argv, env=environment(), capture_output=True, timeout=300, check=True)
    found = read_run(tmp_path / "run")
    assert {p.reading.status for p in found.predictions.values()} == {"answered"}
    assert found.record.settings["options"]["graph"]
    scores = score_run(found, draws=0)
    for rules in ("strict", "published"):
        told = [s for s in scores[rules] if s.metric == "retrieval_recall" and not s.slice]
        assert [s.rules for s in told] == [rules]
        assert told[0].n_scored == len(found.questions)
        assert told[0].value == 1.0  # statuses and tags are one step from person and food
    (made / "graph").rename(tmp_path / "elsewhere")
    with pytest.raises(MissingDataError, match=r"graph/nodes\.parquet is missing"):
        run(asked(made, method="plain"), tmp_path / "other")
    assert not (tmp_path / "other").exists()
