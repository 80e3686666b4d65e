"""Merged weights as a GGUF file, beside the GGUF file of the base.

Tokenizer, chat template and hyper-parameters are copied from the base's file; tensors are those
of the merged folder, under the names of the ``gguf`` library's table. Of ``llama`` models the
rows of the query and key projections stand in another order in GGUF (pairs of the rotary
embedding side by side): they are put into it. For other bases: ``convert_hf_to_gguf.py`` of
llama.cpp.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.train.libraries import library

__all__ = ["GGUF_KINDS", "to_gguf"]

#: kinds of weights -> name of the tensor type and of the file type in the gguf library
GGUF_KINDS: Final = {
    "f32": ("F32", "ALL_F32"),
    "f16": ("F16", "MOSTLY_F16"),
    "q8_0": ("Q8_0", "MOSTLY_Q8_0"),
}
_PERMUTED: Final = {"llama"}
_KNOWN: Final = ("llama", "qwen2")
_HINT: Final = "pip install gguf"


def to_gguf(merged: Path, base: Path, out: Path, *, kind: str = "f16") -> dict[str, Any]:
    """Write merged weights as GGUF.

    Parameters
    ----------
    merged : Path
        Folder of :func:`prandial.train.merge_adapter`.
    base : Path
        GGUF file of the base.
    out : Path
    kind : {'f32', 'f16', 'q8_0'}
        Of the matrices; vectors are always float32.

    Returns
    -------
    dict
        ``file``, ``bytes``, ``tensors``.

    Raises
    ------
    InputError, MissingDataError, SchemaError
        On an unknown kind or architecture, a missing file, tensors that do not fit the base.
    """
    if kind not in GGUF_KINDS:
        raise InputError(f"no kind {kind!r}", where="kind", hint="one of: " + ", ".join(GGUF_KINDS))
    for path, what in ((base, "GGUF file of the base"), (merged / "config.json", "merged model")):
        if not path.is_file():
            raise MissingDataError(f"no {what}", where=str(path), hint="prandial finetune merge")
    gguf = library("gguf", hint=_HINT)
    reader = gguf.GGUFReader(str(base))
    arch = str(reader.get_field("general.architecture").contents())
    if arch not in _KNOWN:
        raise InputError(
            f"weights of kind {arch} are not written here",
            where=str(base),
            hint="convert_hf_to_gguf.py of llama.cpp makes a GGUF file of the merged folder",
        )
    writer = gguf.GGUFWriter(str(out), arch)
    _copy_fields(reader, writer, gguf, kind)
    count = _add_tensors(merged, reader, writer, gguf, arch=arch, kind=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return {"file": str(out), "bytes": out.stat().st_size, "tensors": count}


def _copy_fields(reader: Any, writer: Any, gguf: Any, kind: str) -> None:
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in (
            "general.architecture",
            "general.file_type",
        ):
            continue
        main = field.types[0]
        inner = field.types[-1] if main == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), main, sub_type=inner)
    writer.add_file_type(int(gguf.LlamaFileType[GGUF_KINDS[kind][1]]))


def _add_tensors(merged: Path, reader: Any, writer: Any, gguf: Any, *, arch: str, kind: str) -> int:
    import numpy as np

    config = json.loads((merged / "config.json").read_text(encoding="utf-8"))
    heads = int(config["num_attention_heads"])
    groups = int(config.get("num_key_value_heads") or heads)
    which = next(a for a, name in gguf.MODEL_ARCH_NAMES.items() if name == arch)
    names = gguf.get_tensor_name_map(which, int(config["num_hidden_layers"]))
    wanted = {t.name: tuple(int(n) for n in reversed(t.shape)) for t in reader.tensors}
    given = gguf.GGMLQuantizationType[GGUF_KINDS[kind][0]]
    found = 0
    for name, values in _weights(merged):
        target = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if target is None or target not in wanted:
            if name == "lm_head.weight":
                continue  # tied to the embedding in the base's file
            raise SchemaError(f"no place for {name}", where=str(merged), hint="another base?")
        array = np.ascontiguousarray(values, dtype=np.float32)
        if arch in _PERMUTED and ".attn_q." in target:
            array = _permuted(array, heads)
        elif arch in _PERMUTED and ".attn_k." in target:
            array = _permuted(array, groups)
        if array.shape != wanted[target]:
            raise SchemaError(
                f"{name} has the shape {array.shape}, the base {wanted[target]}",
                where=str(merged),
                hint="name the GGUF file that the adapter was made on",
            )
        is_matrix = array.ndim > 1
        plain = gguf.GGMLQuantizationType.F32
        as_kind = given if is_matrix else plain
        writer.add_tensor(target, gguf.quants.quantize(array, as_kind), raw_dtype=as_kind)
        found += 1
    left = len(wanted) - found
    return found + _copy_left(reader, writer, merged, names=wanted, left=left)


def _copy_left(reader: Any, writer: Any, merged: Path, *, names: Any, left: int) -> int:
    """Copy what only GGUF has (factors of the rotary embedding); anything else is missing."""
    copied = 0
    for tensor in reader.tensors:
        if tensor.name.startswith("rope_"):
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
            copied += 1
    if copied != left:
        raise SchemaError(
            f"{left - copied} tensors of the base are missing",
            where=str(merged),
            hint=f"the base has {len(names)}",
        )
    return copied


def _weights(merged: Path) -> Any:
    """Yield name and float32 values of each tensor of the folder."""
    safetensors = library("safetensors.torch")
    for file in sorted(merged.glob("*.safetensors")):
        for name, tensor in sorted(safetensors.load_file(str(file)).items()):
            yield name, tensor.float().numpy()


def _permuted(array: Any, heads: int) -> Any:
    """Put the rows of a projection into the order of GGUF: halves of a head interleaved."""
    size = array.shape[0] // heads // 2
    shaped = array.reshape(heads, 2, size, *array.shape[1:])
    return shaped.swapaxes(1, 2).reshape(array.shape)
