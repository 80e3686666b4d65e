"""What a run hands to its method: prompts, options, an encoder, a retriever, a text form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prandial.answer.methods import Kit, Method
from prandial.answer.plugins import find_retriever, find_textualizer
from prandial.answer.texts import Prompts
from prandial.bench.methods import method_options
from prandial.errors import InputError

__all__ = ["kit_of", "split_pairs"]


def split_pairs(text: str, where: str) -> dict[str, str]:
    """Read ``name=value,name=value``; empty gives none.

    Raises
    ------
    InputError
        On a part without ``=``.
    """
    pairs = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, sign, value = part.partition("=")
        if not sign or not name.strip():
            raise InputError(f"{part!r} is no pair", where=where, hint="such as name=value")
        pairs[name.strip()] = value.strip()
    return pairs


def kit_of(
    method: Method,
    *,
    options: Mapping[str, Any] | None = None,
    prompts: Mapping[str, str | Path] | None = None,
    retriever: str = "",
    textualizer: str = "",
) -> Kit:
    """Make the kit of a method.

    Parameters
    ----------
    method : Method
    options : mapping, optional
        In place of the method's defaults.
    prompts : mapping, optional
        Prompt name -> file in its place.
    retriever, textualizer : str
        Names that packages brought; ours when empty.

    Raises
    ------
    InputError, NotFoundError
        On an option, prompt or name that there is not.
    """
    replaced = {name: Path(path) for name, path in (prompts or {}).items()}
    return Kit(
        prompts=Prompts(replaced),
        options=method_options(method, options or {}),
        embed=_embed(),
        retriever=find_retriever(retriever) if retriever else None,
        textualizer=find_textualizer(textualizer) if textualizer else None,
    )


def _embed() -> Any:
    """Return the encoder, where one is at hand."""
    try:
        from prandial.answer.encoder import encoder_at_hand
    except ImportError:
        return None
    return encoder_at_hand()
