"""Make a facts table searchable: words always, vectors when an encoder is given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Literal, get_args

from prandial.compose.facts.build import CARD, FACTS, FORM, write_card
from prandial.compose.index.embedded import Embed, KeptVectors, Progress
from prandial.compose.index.foods import FOOD_FILES, facts_rows
from prandial.compose.index.lexical import LEXICAL_FILES, Weighting, build_lexical
from prandial.compose.index.vectors import VECTOR_FILES, build_vectors
from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.records.facts import FactForm
from prandial.sources.fetch import file_entry

__all__ = ["build_index", "read_card"]

_INDEX: Final = "index"
_BUILD: Final = "build it: prandial facts build"


def build_index(
    folder: Path | str,
    *,
    embed: Embed | None = None,
    encoder: str = "",
    vectors_of: Literal["all", "reference"] = "all",
    kept: Path | str | None = None,
    weighting: Weighting | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Add an index to a facts table's folder.

    Parameters
    ----------
    folder : Path or str
        As :func:`prandial.compose.facts.build_facts` wrote it.
    embed : callable, optional
        Texts to unit vectors; without it there are no vectors.
    encoder : str
        Its id; queries must be embedded by the same.
    vectors_of : {'all', 'reference'}
        ``reference`` leaves labels to words: a twentieth of the vectors to make and keep.
    kept : Path or str, optional
        Folder of vectors already made, which a broken-off build goes on with and several
        tables share; ``vectors`` in the folder when None.
    weighting : Weighting, optional
        Of BM25.
    progress : callable, optional
        Names embedded so far, and of how many.

    Returns
    -------
    dict
        The card, with ``index``.

    Raises
    ------
    InputError
        When an encoder has no id.
    MissingDataError, SchemaError
        When the folder holds no facts, or damaged ones.
    """
    there = Path(folder)
    if embed is not None and not encoder:
        raise InputError("an encoder without an id", where="encoder", hint="pass encoder=...")
    if vectors_of not in ("all", "reference"):
        raise InputError(
            f"no vectors of {vectors_of!r}", where="vectors_of", hint="all, or reference"
        )
    card = read_card(there)
    weights = weighting or Weighting()
    names, others, labels = [], [], 0
    for row in facts_rows(there):
        names.append(row[0])
        others.append(row[1])
        labels += row[3] == "label"
    if not names:
        raise SchemaError("a table of facts without foods", where=str(there), hint=_BUILD)
    first_label = len(names) - labels
    build_lexical(names, others, there, first_label=first_label, weighting=weights)
    files = [*FOOD_FILES, *LEXICAL_FILES]
    if embed is not None:
        vectors = KeptVectors(Path(kept) if kept is not None else there / "vectors", encoder)
        near = names if vectors_of == "all" else names[:first_label]
        vectors.fill(near, embed, progress)
        build_vectors(vectors.of(near), there)
        files += VECTOR_FILES
    card[_INDEX] = {
        "foods": len(names),
        "first_label": first_label,
        "encoder": encoder if embed is not None else "",
        "vectors_of": vectors_of if embed is not None else "none",
        "weighting": asdict(weights),
    }
    held = {FACTS: card["files"][FACTS]}
    card["files"] = held | {name: file_entry(there / name) for name in files}
    write_card(there, card)
    return card


def read_card(folder: Path) -> dict[str, Any]:
    """Read the card of a facts folder.

    Raises
    ------
    MissingDataError
        When there is none.
    SchemaError
        When it is not one of this layout, or what it says is no card's.
    """
    path = folder / CARD
    if not path.is_file():
        raise MissingDataError("no table of facts here", where=str(folder), hint=_BUILD)
    try:
        card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        same, whole = card["layout"] == FORM, _is_whole(card)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SchemaError("not a card of facts", where=str(path), hint=_BUILD) from error
    if not same or not whole:
        told = "a card that was changed" if same else "a card of another layout"
        raise SchemaError(told, where=str(path), hint=_BUILD)
    return card


def _is_whole(card: Mapping[str, Any]) -> bool:
    """Whether all that is read of a card is of the kind that is written there."""
    files, index = card["files"], card.get(_INDEX)
    return (
        card["form"] in get_args(FactForm)
        and FACTS in files
        and all(Path(name).name == name for name in files)
        and all(type(f["bytes"]) is int and type(f["sha256"]) is str for f in files.values())
        and (
            index is None
            or (
                all(type(index[n]) is int and index[n] >= 0 for n in ("foods", "first_label"))
                and type(index["encoder"]) is str
            )
        )
    )
