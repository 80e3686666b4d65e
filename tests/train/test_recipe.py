"""A real run on a tiny model: loss falls, a killed run goes on, an adapter can be merged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prandial.errors import InputError
from prandial.train import Replier, TuneSettings, merge_adapter, tune

pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("default"),  # of libraries that are not ours
]


def _rows(folder: Path) -> Path:
    lines = []
    for k in range(24):
        answer = f'{{"total_carbohydrates": {k % 3}}}'
        lines.append(
            {
                "messages": [
                    {"role": "system", "content": "Estimate."},
                    {"role": "user", "content": f"{'egg rice cup'.split()[k % 3]}"},
                    {"role": "assistant", "content": answer},
                ]
            }
        )
    path = folder / "train.jsonl"
    path.write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    return path


def _settings(base: Path, rows: Path, **more: object) -> TuneSettings:
    given = {
        "base": str(base), "rows": str(rows), "steps": 60, "batch": 8, "learning_rate": 2e-2,
        "max_tokens": 128, "save_every": 20, "log_every": 5, "device": "cpu", "dropout": 0.0,
        **more,
    }  # fmt: skip
    return TuneSettings(**given)


@pytest.fixture(scope="module")
def run(tiny_base: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("run")
    rows = _rows(folder)
    record = tune(_settings(tiny_base, rows), folder / "out", prandial_version="0")
    return folder / "out", record


def test_the_loss_falls_and_is_kept(run) -> None:
    out, record = run
    losses = [json.loads(x) for x in (out / "losses.jsonl").read_text("utf-8").splitlines()]
    assert losses == record["losses"]
    assert [x["step"] for x in losses] == list(range(5, 61, 5))
    assert losses[-1]["loss"] < 0.5 * losses[0]["loss"]


def test_the_record_says_what_was_done(run) -> None:
    out, record = run
    assert json.loads((out / "finetune.json").read_text("utf-8")) == record
    assert (record["status"], record["steps"], record["resumed"]) == ("done", 60, False)
    assert record["rows"]["used"] == 24
    assert {"torch", "transformers", "peft", "trl"} <= set(record["versions"])
    # rank 8 on every projection, 2 layers: 8 x (in + out) of q, k, v, o, gate, up, down
    sides = (64 + 64) + (64 + 32) * 2 + (64 + 64) + (64 + 128) * 2 + (128 + 64)
    assert record["parameters"]["trained"] == 2 * 8 * sides
    assert record["tokens"]["at_the_bound"] == 0


def test_a_merged_model_says_what_the_adapter_says(run, tiny_base: Path, tmp_path: Path) -> None:
    out, _ = run
    asked = [[("system", "Estimate."), ("user", w)] for w in ("egg", "rice", "cup")]
    tuned = Replier(str(tiny_base), adapter=out, max_tokens=24)(asked)
    merge_adapter(str(tiny_base), out, tmp_path / "merged")
    assert (tmp_path / "merged" / "model.safetensors").is_file()
    assert Replier(str(tmp_path / "merged"), max_tokens=24)(asked) == tuned
    assert tuned == [f'{{"total_carbohydrates": {k}}}' for k in range(3)]
    assert Replier(str(tiny_base), max_tokens=24)(asked) != tuned


def test_a_stopped_run_goes_on_from_its_checkpoint(tiny_base: Path, tmp_path: Path) -> None:
    """20 steps, then on to 40: the same losses as 40 at once, as every draw is seeded."""
    rows = _rows(tmp_path)
    whole = tune(_settings(tiny_base, rows, steps=40), tmp_path / "whole")

    class KilledError(Exception):
        pass

    def kill(row) -> None:
        if row["step"] == 25:
            raise KilledError

    with pytest.raises(KilledError):
        tune(_settings(tiny_base, rows, steps=40), tmp_path / "cut", progress=kill)
    rest = tune(_settings(tiny_base, rows, steps=40), tmp_path / "cut")
    assert rest["resumed"] is True
    assert [x["step"] for x in rest["losses"]] == [25, 30, 35, 40]
    late = {x["step"]: x["loss"] for x in whole["losses"]}
    for one in rest["losses"]:
        assert one["loss"] == pytest.approx(late[one["step"]], abs=2e-3)
    with pytest.raises(InputError, match="another run"):
        tune(_settings(tiny_base, rows, steps=40, rank=4), tmp_path / "cut")


def test_time_is_over(tiny_base: Path, tmp_path: Path) -> None:
    rows = _rows(tmp_path)
    record = tune(_settings(tiny_base, rows, minutes=1e-6), tmp_path / "out")
    assert (record["status"], record["steps"]) == ("stopped", 1)
    assert (tmp_path / "out" / "checkpoints" / "checkpoint-1").is_dir()


def test_four_bits_on_the_cpu(tiny_base: Path, tmp_path: Path) -> None:
    pytest.importorskip(
        "bitsandbytes", reason="qLoRA NOT TESTED: pip install bitsandbytes", exc_type=ImportError
    )
    rows = _rows(tmp_path)
    record = tune(_settings(tiny_base, rows, qlora=True, steps=40), tmp_path / "out")
    losses = [x["loss"] for x in record["losses"]]
    assert losses[-1] < losses[0]
