"""An adapter put into its base: one folder of safetensors that any library loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from prandial.errors import InputError, MissingDataError
from prandial.train.libraries import library
from prandial.train.weights import load_model, load_tokenizer

__all__ = ["merge_adapter"]


def merge_adapter(base: str, adapter: Path, out: Path, *, bf16: bool = False) -> dict[str, Any]:
    """Add the adapter's update to the base's weights and write them.

    Parameters
    ----------
    base : str
        As for the run that made the adapter.
    adapter : Path
        Folder ``adapter`` of the run, or the run's folder.
    out : Path
        Gets safetensors, configuration and tokenizer.
    bf16 : bool
        Weights in bfloat16, else float32.

    Returns
    -------
    dict
        ``folder``, ``bytes``.

    Raises
    ------
    MissingDataError, InputError
        When there is no adapter, or it is of another kind.
    """
    folder = adapter_folder(adapter)
    peft = library("peft")
    model = load_model(base, bf16=bf16)
    merged = peft.PeftModel.from_pretrained(model, str(folder)).merge_and_unload()
    merged.save_pretrained(str(out))
    load_tokenizer(base).save_pretrained(str(out))
    size = sum(p.stat().st_size for p in out.glob("*.safetensors"))
    return {"folder": str(out), "bytes": size}


def adapter_folder(path: Path) -> Path:
    """Return the folder that holds an adapter, given it or its run's folder."""
    for folder in (path, path / "adapter"):
        file = folder / "adapter_config.json"
        if file.is_file():
            try:
                kind = json.loads(file.read_text(encoding="utf-8"))["peft_type"]
            except (ValueError, KeyError, TypeError):
                kind = "unreadable"
            if kind != "LORA":
                raise InputError(f"an adapter of kind {kind}", where=str(file), hint="LORA is read")
            return folder
    raise MissingDataError(
        "no adapter", where=str(path), hint="prandial finetune train makes one: DIR/adapter"
    )
