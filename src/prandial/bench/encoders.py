"""Sentence encoders by name: weights that were pulled, or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from prandial.answer.encoder import Encoder, load_encoder
from prandial.errors import InputError

__all__ = ["ENCODER", "open_encoder"]

#: taken where nothing is said
ENCODER: Final = "minilm-l6"


def open_encoder(name: str = ENCODER) -> Encoder:
    """Open an encoder.

    Parameters
    ----------
    name : str
        Of weights (see ``prandial models list``), or a folder with ``model.onnx`` and
        ``tokenizer.json``.

    Raises
    ------
    NotFoundError
        On a name that there is not.
    InputError
        On weights of a language model.
    MissingDataError, SchemaError
        When the weights are not here, or damaged.
    """
    from prandial.sources.weights import weights_home, weights_path

    path = Path(name) if Path(name).is_dir() else weights_path(name, weights_home())
    if not path.is_dir():
        raise InputError(
            f"{name!r} are weights of a language model, not of an encoder",
            where="encoder",
            hint=f"{ENCODER}, or a folder",
        )
    return load_encoder(path)
