"""What a run hands to its method: prompts, options, an encoder, a retriever, a text form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from prandial.answer.encoder import LexicalEncoder
from prandial.answer.methods import Embed, Kit, Method, Retriever
from prandial.answer.plugins import find_retriever, find_textualizer
from prandial.answer.texts import Prompts, prompt_names
from prandial.bench.encoders import ENCODER, open_encoder
from prandial.bench.fact_retriever import FACTS, facts_retriever
from prandial.bench.methods import method_options, shipped_methods
from prandial.errors import InputError, MissingDataError, NotFoundError

__all__ = ["GRAPH", "kit_of", "split_pairs"]

#: option that holds the merged graph of merged questions; the record has its hash
GRAPH: Final = "graph"
LEXICAL: Final = "lexical"
#: our methods that look for what is near in meaning; those of packages may
_NEAR: Final = frozenset({"rag", "rag_cot", "kaping", "g_retriever"})


def split_pairs(text: str | Sequence[str], where: str) -> dict[str, str]:
    """Read ``name=value,name=value``, or such a list; empty gives none.

    Raises
    ------
    InputError
        On a part without ``=``.
    """
    pairs = {}
    parts = text.split(",") if isinstance(text, str) else map(str, text)
    for part in filter(None, (p.strip() for p in parts)):
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
    encoder: str = "",
    graph: str | Path = "",
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
        Names that packages brought; ours when empty. A retriever ``facts:FOLDER`` is the facts
        table in that folder.
    encoder : str
        ``lexical``, the name of weights, or a folder; the sentence encoder that was pulled when
        empty, and where none was, none for meals and ``lexical`` for graphs.
    graph : str or Path
        The graph of all, as ``prandial graph export --form parquet`` wrote it, for questions of
        mode ``merged``.

    Raises
    ------
    InputError, NotFoundError
        On an option, prompt or name that there is not.
    MissingDataError, SchemaError
        When an encoder or a graph is not there, or damaged.
    """
    replaced = {name: Path(path) for name, path in (prompts or {}).items()}
    for name in replaced.keys() - set(method.prompts):
        if name in prompt_names():
            raise InputError(
                f"the method {method.name!r} does not use the prompt {name!r}",
                where="prompt",
                hint="it uses: " + (", ".join(method.prompts) or "none"),
            )
    embed = _embed(method, encoder)
    kit = Kit(
        prompts=Prompts(replaced),
        options=method_options(method, options or {}),
        embed=embed,
        retriever=_retriever(retriever, embed),
        textualizer=find_textualizer(textualizer) if textualizer else None,
    )
    if not graph:
        return kit
    from prandial.graph import load_graph

    return replace(kit, options={**kit.options, GRAPH: load_graph(Path(graph))})


def _retriever(name: str, embed: Embed | None) -> Retriever | None:
    if name.startswith(FACTS):
        near = None if isinstance(embed, LexicalEncoder) else embed  # its vectors are no table's
        return facts_retriever(name.removeprefix(FACTS), embed=near)
    return find_retriever(name) if name else None


def _embed(method: Method, encoder: str) -> Embed | None:
    ours = {m.name for m in shipped_methods(method.benchmark)}
    if not method.asks or (method.name in ours and method.name not in _NEAR):
        return None
    if encoder == LEXICAL:
        return LexicalEncoder()
    try:
        return open_encoder(encoder or ENCODER)
    except (MissingDataError, NotFoundError):
        if encoder:
            raise
    return LexicalEncoder() if method.benchmark == "ngqa" else None
