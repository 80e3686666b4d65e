"""GGUF out is GGUF in: every tensor of a real model through a folder of safetensors and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from prandial.errors import SchemaError
from prandial.train import to_gguf
from prandial.train.weights import load_model, load_tokenizer

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def folder(smol: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole")
    load_model(str(smol)).save_pretrained(str(out))
    load_tokenizer(str(smol)).save_pretrained(str(out))
    return out


def test_every_tensor_and_field_comes_back(smol: Path, folder: Path, tmp_path: Path) -> None:
    import gguf
    import numpy as np

    told = to_gguf(folder, smol, tmp_path / "back.gguf", kind="f32")
    first, back = gguf.GGUFReader(str(smol)), gguf.GGUFReader(told["file"])
    there = {t.name: t for t in back.tensors}
    assert set(there) == {t.name for t in first.tensors}
    assert told["tensors"] == len(there)
    for tensor in first.tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        mine = there[tensor.name]
        again = gguf.quants.dequantize(mine.data, mine.tensor_type)
        assert np.array_equal(values, again), tensor.name
    skipped = {"general.file_type", "GGUF.tensor_count", "GGUF.kv_count", "GGUF.version"}
    for name, field in first.fields.items():
        if name not in skipped:
            assert back.fields[name].contents() == field.contents(), name


def test_another_base_does_not_fit(tiny_base: Path, smol: Path, tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        to_gguf(tiny_base, smol, tmp_path / "x.gguf")
