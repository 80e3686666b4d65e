"""A run of ``rag`` on a facts table: facts in the prompt, named in the record, gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.server import Answer, Server, prompt_of
from tests.bench_models.test_harness import command, run
from tests.compose.facts_at_hand import two_releases

from prandial.bench.runs import read_run
from prandial.cli.run import run as main
from prandial.compose.facts import build_facts
from prandial.compose.index import build_index

FACT = "Banana, raw: 1 banana (126 g) has 28.6 g carbohydrates"


def _says(request: dict[str, Any], _: int) -> Answer:
    with_facts = FACT in prompt_of(request)
    return Answer('{"total_carbohydrates": 28.6}' if with_facts else '["1 banana"]')


def test_a_run_on_a_facts_table(
    meals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai")
    facts, out = tmp_path / "facts", tmp_path / "run"
    build_facts(two_releases(tmp_path), facts)
    digest = build_index(facts)["files"]["facts.parquet"]["sha256"]
    with Server(_says) as server:
        argv = command(
            *(meals, out, server, "--method", "rag", "--retriever", f"facts:{facts}"),
            *("--encoder", "lexical", "--limit", "3", "--max-connections", "1"),
        )
        run(argv)
        told = json.loads((out / "run.json").read_text(encoding="utf-8"))
        assert f"facts portions, 5 foods, sha256:{digest}, lexical" in json.dumps(told)
        lines = (out / "answers.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        values = {p.reading.value for p in read_run(out).predictions.values()}
        assert (len(lines), values) == (3, {28.6})
        assert len(server.requests) == 6

        # what is answered is not asked again
        (out / "answers.jsonl").write_text("".join(lines[:1]), encoding="utf-8")
        run(argv)
        assert len(server.requests) == 6 + 4

    # another table is another run
    build_facts(two_releases(tmp_path), facts, form="published")
    build_index(facts)
    assert main(argv[3:]) == 2
    assert "another run" in capsys.readouterr().err
    assert len(server.requests) == 6 + 4
