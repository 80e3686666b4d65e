"""Weights and tokenizer of a base: a folder, a GGUF file (dequantised), a name on the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from prandial.errors import MissingDataError, ModelError
from prandial.train.libraries import library

__all__ = ["base_record", "load_model", "load_tokenizer", "resolve_base"]

_GGUF: Final = "pip install gguf"


def resolve_base(name: str) -> str:
    """Return a base's path where the name is one of ``prandial models list``; else as it is.

    Parameters
    ----------
    name : str
        A folder, a file, a name of this project's weights, or a name on the hub.

    Raises
    ------
    MissingDataError
        For weights of this project that were not pulled.
    """
    from prandial.errors import NotFoundError
    from prandial.sources.weights import model_file, weights_home

    if Path(name).exists() or "/" in name or name.lower().endswith(".gguf"):
        return name
    try:
        return str(model_file(name, weights_home()))
    except MissingDataError:
        raise
    except NotFoundError:
        return name


def base_record(base: str) -> dict[str, Any]:
    """Return what tells a base apart: its name, and of a file its bytes and sha256."""
    path = Path(base)
    if not path.is_file():
        return {"name": path.name if path.is_dir() else base}
    from prandial.sources.fetch import file_sha256

    return {"name": path.name, "bytes": path.stat().st_size, "sha256": file_sha256(path)}


def load_tokenizer(base: str) -> Any:
    """Return the tokenizer of a base, able to pad and to write a conversation.

    Raises
    ------
    ModelError
        When it has no chat template.
    """
    where, options = _place(base)
    transformers = library("transformers")
    tokenizer = _loaded(transformers.AutoTokenizer, where, options)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if not tokenizer.chat_template:
        raise ModelError(
            "the base has no chat template",
            where=base,
            hint="take an instruction-tuned base, whose tokenizer has one",
        )
    return tokenizer


def load_model(base: str, *, bf16: bool = False, quantised: Any = None, device: Any = None) -> Any:
    """Return the model of a base.

    Parameters
    ----------
    base : str
    bf16 : bool
        Weights in bfloat16, else float32.
    quantised : object, optional
        Of transformers, such as ``BitsAndBytesConfig``.
    device : object, optional
        Device map.
    """
    where, options = _place(base)
    torch, transformers = library("torch"), library("transformers")
    options["dtype"] = torch.bfloat16 if bf16 else torch.float32
    if quantised is not None:
        options["quantization_config"] = quantised
    elif "gguf_file" in options and hasattr(transformers, "GgufConfig"):
        # newer releases keep the packed weights, which take no gradients
        options["quantization_config"] = transformers.GgufConfig(dequantize=True)
    if device is not None:
        options["device_map"] = device
    return _loaded(transformers.AutoModelForCausalLM, where, options)


def _place(base: str) -> tuple[str, dict[str, Any]]:
    path = Path(base)
    if base.lower().endswith(".gguf"):
        if not path.is_file():
            raise MissingDataError(
                "no such weights", where=base, hint="prandial models pull smollm2-135m"
            )
        library("gguf", hint=_GGUF)
        return str(path.parent), {"gguf_file": path.name}
    return base, {}


def _loaded(kind: Any, where: str, options: dict[str, Any]) -> Any:
    try:
        return kind.from_pretrained(where, **options)
    except (OSError, ValueError, KeyError) as error:
        text = " ".join(str(error).split())[:200]
        raise ModelError("the base cannot be loaded", where=where, hint=text) from error
