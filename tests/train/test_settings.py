"""The recipe without its libraries: settings, rows, launch files, what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prandial.errors import InputError, MissingDataError, NotFoundError, SchemaError
from prandial.train import (
    MACHINES,
    TuneSettings,
    launch_config,
    read_chat_rows,
    to_gguf,
    trainer_arguments,
    tune,
)
from prandial.train import libraries as found
from prandial.train.export import _permuted
from prandial.train.merge import adapter_folder
from prandial.train.recipe import RECORD, _begun

CHAT = {"messages": [{"role": "user", "content": "2 eggs"}, {"role": "assistant", "content": "1"}]}


def _rows(folder: Path, n: int = 3) -> Path:
    path = folder / "train.jsonl"
    path.write_text("".join(json.dumps(CHAT) + "\n" for _ in range(n)), encoding="utf-8")
    return path


def test_the_defaults_are_those_of_the_paper() -> None:
    """NutriBench, section 5.3: rank 8, one epoch."""
    settings = TuneSettings(base="b", rows="r")
    assert (settings.rank, settings.epochs) == (8, 1.0)


def test_steps_by_hand() -> None:
    """1,000 rows, 4 at a time, 2 batches to a step, 8 devices: 64 a step, 15.6 steps an epoch."""
    settings = TuneSettings(base="b", rows="r", batch=4, accumulate=2)
    told = trainer_arguments(settings, Path("out"), rows=1000, devices=8, cuda=True)
    assert told["max_steps"] == 16
    assert (told["bf16"], told["use_cpu"]) == (True, False)
    on_cpu = trainer_arguments(settings, Path("out"), rows=1000)
    assert on_cpu["max_steps"] == 125
    assert (on_cpu["bf16"], on_cpu["use_cpu"]) == (False, True)
    some = TuneSettings(base="b", rows="r", steps=7, precision="bf16", device="cpu")
    told = trainer_arguments(some, Path("out"), rows=1000, cuda=True)
    assert (told["max_steps"], told["bf16"], told["use_cpu"]) == (7, True, True)
    assert told["completion_only_loss"] is True


@pytest.mark.parametrize(
    ("name", "value"),
    [("rank", 0), ("steps", 0), ("learning_rate", 0.0), ("epochs", float("nan")), ("dropout", 1.0),
     ("precision", "fp8"), ("device", "tpu"), ("minutes", -1.0), ("max_tokens", 3)],
)  # fmt: skip
def test_settings_that_cannot_be(name: str, value: object) -> None:
    with pytest.raises(InputError) as caught:
        TuneSettings(**{"base": "b", "rows": "r", name: value})
    assert caught.value.where == name


def test_no_qlora_from_gguf() -> None:
    with pytest.raises(InputError, match="GGUF"):
        TuneSettings(base="x.gguf", rows="r", qlora=True)


def test_rows_are_read_and_hashed(tmp_path: Path) -> None:
    path = _rows(tmp_path)
    every, some = read_chat_rows(path), read_chat_rows(path, limit=2)
    assert (len(every.rows), len(some.rows)) == (3, 2)
    assert every.sha256 == some.sha256  # of the whole file
    assert every.rows[0]["prompt"] == CHAT["messages"][:1]
    assert every.rows[0]["completion"] == CHAT["messages"][1:]


@pytest.mark.parametrize(
    "line",
    ["{", '{"messages": []}', '{"messages": [{"role": "user", "content": "x"}]}', "[]",
     '{"messages": [{"role": "user", "content": 1}, {"role": "assistant", "content": "x"}]}',
     '{"messages": [{"role": "chef", "content": "x"}, {"role": "assistant", "content": "x"}]}',
     '{"messages": [{"role": "assistant", "content": "x"}, {"role": "user", "content": "x"}]}'],
)  # fmt: skip
def test_a_line_that_is_no_conversation(tmp_path: Path, line: str) -> None:
    path = _rows(tmp_path)
    with path.open("a", encoding="utf-8") as out:
        out.write(line + "\n")
    with pytest.raises(SchemaError) as caught:
        read_chat_rows(path)
    assert caught.value.where.endswith("line 4")


def test_no_rows(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no rows"):
        read_chat_rows(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(SchemaError, match="no rows"):
        read_chat_rows(tmp_path / "empty.jsonl")


def test_a_missing_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(found, "import_module", absent)
    with pytest.raises(MissingDataError) as caught:
        tune(TuneSettings(base="b", rows=str(_rows(tmp_path))), tmp_path / "out")
    assert caught.value.hint == "pip install 'prandial[train]'"


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    identity = {"settings": {"rank": 8}, "rows": "abc"}
    assert _begun(tmp_path / "new", identity) is False
    (tmp_path / "checkpoints" / "checkpoint-50").mkdir(parents=True)
    with pytest.raises(InputError, match="another run"):
        _begun(tmp_path, identity)
    (tmp_path / RECORD).write_text(json.dumps({"identity": identity}))
    assert _begun(tmp_path, identity) is True
    with pytest.raises(InputError, match="another run"):
        _begun(tmp_path, {**identity, "rows": "other"})


def test_what_may_change_when_a_run_goes_on() -> None:
    one = TuneSettings(base="/a/model", rows="/a/train.jsonl", steps=10)
    more = TuneSettings(base="/b/model", rows="/b/train.jsonl", steps=20, minutes=5.0)
    other = TuneSettings(base="/a/model", rows="/a/train.jsonl", steps=10, rank=4)
    assert one.deciding() == more.deciding() != other.deciding()


@pytest.mark.parametrize("machine", MACHINES)
def test_launch_files(machine: str) -> None:
    lines = [x for x in launch_config(machine).splitlines() if x and not x.startswith("#")]
    told = dict(x.split(": ", 1) for x in lines)
    assert told["num_processes"] == ("8" if machine == "eight-gpus" else "1")
    assert told["use_cpu"] == ("true" if machine == "cpu" else "false")


def test_no_such_machine() -> None:
    with pytest.raises(NotFoundError):
        launch_config("nine-gpus")


def test_an_adapter_is_found(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        adapter_folder(tmp_path)
    (tmp_path / "adapter").mkdir()
    config = tmp_path / "adapter" / "adapter_config.json"
    config.write_text('{"peft_type": "LORA"}')
    assert adapter_folder(tmp_path) == adapter_folder(tmp_path / "adapter") == config.parent
    config.write_text('{"peft_type": "PREFIX_TUNING"}')
    with pytest.raises(InputError, match="PREFIX"):
        adapter_folder(tmp_path)


def test_the_order_of_rows_in_gguf_by_hand() -> None:
    """One head of four rows: the halves 0 1 | 2 3 are interleaved to 0 2 1 3."""
    import numpy as np

    rows = np.arange(8.0).reshape(8, 1)
    assert _permuted(rows, 2)[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    assert _permuted(rows, 4)[:, 0].tolist() == list(range(8))  # two rows a head: as they were


def test_gguf_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="kind"):
        to_gguf(tmp_path, tmp_path / "b.gguf", tmp_path / "o.gguf", kind="q2")
    with pytest.raises(MissingDataError, match="base"):
        to_gguf(tmp_path, tmp_path / "b.gguf", tmp_path / "o.gguf")


def test_checkpointing_over_a_frozen_base_in_several_processes() -> None:
    """Reentrant checkpointing and DDP's search for unused weights do not go together."""
    for on in (False, True):
        told = trainer_arguments(
            TuneSettings(base="b", rows="r", checkpointing=on), Path("o"), rows=100, devices=8
        )
        assert told["ddp_find_unused_parameters"] is False
        assert told["gradient_checkpointing_kwargs"] == ({"use_reentrant": False} if on else None)
        assert told["max_steps"] == 4  # 100 rows, 8 x 4 at a time
