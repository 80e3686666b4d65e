"""Look up foods in an indexed facts table: by words, by meaning, or by both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np

from prandial.compose.index.build import read_card
from prandial.compose.index.embedded import Embed
from prandial.compose.index.foods import StoredFoods, open_foods
from prandial.compose.index.fusing import Fused, Fusing, fuse
from prandial.compose.index.lexical import Lexical, open_lexical
from prandial.compose.index.spoken import without_amounts
from prandial.compose.index.terms import terms_of
from prandial.compose.index.vectors import Vectors, open_vectors
from prandial.errors import ChecksumError, InputError, MissingDataError, SchemaError
from prandial.records.facts import FactForm, FactsFood, FoundFact
from prandial.sources.fetch import file_entry

__all__ = ["FactIndex", "How", "Known", "Taken", "open_index"]

#: ``fused``: words and vectors; ``joined``: words, vectors where there are any, and a matcher of
#: everyday words; ``auto``: joined where there is a matcher, else fused where there are vectors
#: and an encoder, else words
How = Literal["auto", "lexical", "vector", "fused", "joined"]
#: words and how many -> table and id of foods that they may mean, best first
Known = Callable[[str, int], Sequence[tuple[str, str]]]
#: words -> table and id of the one food that all of them are taken for
Taken = Callable[[str], tuple[str, str] | None]
#: foods that the matcher is asked for; more of them push out what words find
_KNOWN: Final = 2
#: of what is found, where a reference food of just the words is looked for
_NAMED: Final = 10
_BUILD: Final = "build it: prandial facts build"
#: characters of a query that are looked at
_LONGEST: Final = 2000


class FactIndex:
    """An opened index; use :func:`open_index`.

    Parameters
    ----------
    card : mapping
    foods : StoredFoods
    lexical : Lexical
    vectors : Vectors, optional
    embed : callable, optional
    known : callable, optional
        A matcher of everyday words to reference foods.
    taken : callable, optional
        What everyday words are taken for as a whole; that food comes first.
    fusing : Fusing
    """

    def __init__(
        self,
        card: Mapping[str, Any],
        foods: StoredFoods,
        lexical: Lexical,
        *,
        vectors: Vectors | None = None,
        embed: Embed | None = None,
        known: Known | None = None,
        taken: Taken | None = None,
        fusing: Fusing | None = None,
    ) -> None:
        self.card = card
        self.form: FactForm = card["form"]
        self.fusing = fusing or Fusing()
        self._foods = foods
        self._lexical = lexical
        self._vectors = vectors
        self._embed = embed
        self._known = known
        self._taken = taken
        self._numbers: dict[tuple[str, str], int] = {}
        self._first_label = int(card["index"]["first_label"])

    def __len__(self) -> int:
        return len(self._foods)

    def __getitem__(self, number: int) -> FactsFood:
        """Return a food by its number."""
        return self._foods[number]

    @property
    def id(self) -> str:
        """What the table is, for the record of a run: form, foods, digest of its facts."""
        digest = self.card["files"]["facts.parquet"]["sha256"]
        return f"facts {self.form}, {len(self)} foods, sha256:{digest}"

    def retrieve(
        self, query: str, k: int = 10, *, how: How = "auto", exact: bool = False
    ) -> tuple[FoundFact, ...]:
        """Return the foods that a query may mean, best first.

        Parameters
        ----------
        query : str
            A food in words; amounts in it have no say.
        k : int
            Most foods.
        how : {'auto', 'lexical', 'vector', 'fused', 'joined'}
        exact : bool
            Look through all whole vectors.

        Returns
        -------
        tuple of FoundFact
            Empty when nothing of the query is known.

        Raises
        ------
        InputError
            On a ``k`` below 1 or another way to look.
        MissingDataError
            When vectors, an encoder or a matcher are needed and not there.
        """
        if k < 1 or how not in get_args(How):
            raise InputError(
                "no such look-up",
                where=f"k {k}, how {how!r}",
                hint="k from 1; how: " + ", ".join(get_args(How)),
            )
        k = min(k, len(self))
        text = without_amounts(" ".join(query.split())[:_LONGEST])
        way = self.way(how)
        if not text:
            return ()
        if way == "lexical":
            foods, scores = self._lexical.search(text, k)
            return self._found(foods.tolist(), scores.tolist(), lexical=True)
        if way == "vector":
            foods, scores = self._near(text, k, exact=exact)
            return self._found(foods.tolist(), scores.tolist(), lexical=False)
        depth = max(k, self.fusing.depth)
        words, _ = self._lexical.search(text, depth)
        near: list[int] = []
        if way == "fused" or self._able:
            near = self._near(text, depth, exact=exact)[0].tolist()
        both = (
            self.join(text, words.tolist(), near)
            if way == "joined"
            else self.fuse(words.tolist(), near)
        )
        return tuple(
            FoundFact(
                food=self._foods[f.food],
                score=f.score,
                lexical_rank=f.lexical_rank,
                vector_rank=f.vector_rank,
            )
            for f in both[:k]
        )

    def fuse(
        self, words: Sequence[int], near: Sequence[int], known: Sequence[int] = ()
    ) -> list[Fused]:
        """Return one ranking of foods by words, by vectors and by the matcher."""
        return fuse(
            words,
            near,
            self.fusing,
            first_label=self._first_label,
            with_vectors=None if self._vectors is None else len(self._vectors),
            known=known,
        )

    def join(self, text: str, words: Sequence[int], near: Sequence[int]) -> list[Fused]:
        """Return one ranking by words, by vectors and by what a matcher makes of a text.

        First comes the reference food that is named by just these words, else the one that all
        of them are taken for.
        """
        known = self._known(text, _KNOWN) if self._known is not None else ()
        numbers = [n for n in map(self._number, known) if n is not None]
        found = self.fuse(words, near, list(dict.fromkeys(numbers)))
        first = self._named(found[:_NAMED], text)
        if first is None and self._taken is not None and (key := self._taken(text)) is not None:
            first = self._number(key)
        if first is None:
            return found
        kept = next((f for f in found if f.food == first), Fused(first, 0.0, None, None))
        rest = [f for f in found if f.food != first]
        return [replace(kept, score=max(f.score for f in (kept, *rest[:1]))), *rest]

    def _named(self, found: Sequence[Fused], text: str) -> int | None:
        said = set(terms_of(text))
        plain = (f.food for f in found if f.food < self._first_label)
        return next((n for n in plain if set(terms_of(self._foods[n].name)) == said), None)

    def _number(self, key: tuple[str, str]) -> int | None:
        """Return the number of a reference food by its table and id."""
        if not self._numbers:
            for number in range(self._first_label):
                for source in self._foods[number].sources:
                    self._numbers.setdefault((source.table, source.id), number)
        return self._numbers.get(key)

    @property
    def _able(self) -> bool:
        return self._vectors is not None and self._embed is not None

    def way(self, how: How) -> How:
        """Return how is looked: what ``auto`` stands for here.

        Raises
        ------
        MissingDataError
            When vectors, an encoder or a matcher are needed and not there.
        """
        if how == "auto" and self._known is not None:
            return "joined"
        if how == "auto":
            return "fused" if self._able else "lexical"
        if how == "joined" and self._known is None:
            raise MissingDataError(
                "there is no matcher of everyday words",
                where="how joined",
                hint="open the index with one, or how=lexical",
            )
        if how in ("vector", "fused") and not self._able:
            no_vectors = self._vectors is None
            raise MissingDataError(
                "the index has no vectors" if no_vectors else "there is no encoder",
                where=f"how {how}",
                hint="build the index with an encoder and open it with the same, or how=lexical",
            )
        return how

    def _near(self, text: str, depth: int, *, exact: bool) -> Any:
        if self._vectors is None or self._embed is None:  # way has seen to it
            raise MissingDataError("there is no encoder", where="vectors", hint=_BUILD)
        vector = np.asarray(self._embed([text.casefold()]), dtype=np.float32)[0]
        return self._vectors.search(vector, depth, exact=exact)

    def _found(
        self, foods: list[int], scores: list[float], *, lexical: bool
    ) -> tuple[FoundFact, ...]:
        return tuple(
            FoundFact(
                food=self._foods[food],
                score=score,
                lexical_rank=rank if lexical else None,
                vector_rank=None if lexical else rank,
            )
            for rank, (food, score) in enumerate(zip(foods, scores, strict=True), start=1)
        )


def open_index(
    folder: Path | str,
    *,
    embed: Embed | None = None,
    encoder: str = "",
    known: Known | None = None,
    taken: Taken | None = None,
    fusing: Fusing | None = None,
    verify: bool = False,
) -> FactIndex:
    """Open an indexed facts table.

    Parameters
    ----------
    folder : Path or str
    embed : callable, optional
        The encoder that made the vectors; words alone without it.
    encoder : str
        Its id.
    known : callable, optional
        A matcher of everyday words: words and how many to table and id of foods, best first.
    taken : callable, optional
        Words to table and id of the one food that all of them are taken for; it comes first.
    fusing : Fusing, optional
    verify : bool
        Compare the digest of every file with the card's, not only its size.

    Raises
    ------
    MissingDataError
        When there is no index, or a file of it is gone.
    ChecksumError
        When a file is not the one on the card.
    InputError
        When the vectors are of another encoder.
    SchemaError
        When a file cannot be read.
    """
    there = Path(folder)
    card = read_card(there)
    if "index" not in card:
        raise MissingDataError("the facts have no index", where=str(there), hint=_BUILD)
    _check(there, card["files"], verify=verify)
    made_by = card["index"]["encoder"]
    if embed is not None and made_by and encoder != made_by:
        raise InputError(
            f"the vectors are of the encoder {made_by!r}, not of {encoder!r}",
            where=str(there),
            hint="open it with the encoder that made them, or build the index again",
        )
    try:
        foods = open_foods(there)
        lexical = open_lexical(there, len(foods))
        vectors = open_vectors(there) if made_by else None
    except (OSError, ValueError, EOFError) as error:
        raise SchemaError(
            "a file of the index is damaged", where=str(there), hint=_BUILD
        ) from error
    return FactIndex(
        card, foods, lexical, vectors=vectors, embed=embed, known=known, taken=taken, fusing=fusing
    )


def _check(folder: Path, files: Mapping[str, Mapping[str, Any]], *, verify: bool) -> None:
    for name in sorted(files):
        path = folder / name
        if not path.is_file():
            raise MissingDataError(f"{name} is missing", where=str(folder), hint=_BUILD)
        same = path.stat().st_size == files[name]["bytes"]
        if same and verify:
            same = file_entry(path)["sha256"] == files[name]["sha256"]
        if not same:
            raise ChecksumError("not the file on its card", where=str(path), hint=_BUILD)
