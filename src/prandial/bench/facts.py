"""Facts about foods for people and programs: from a facts table, or from the built-in tables."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from prandial.bench.encoders import ENCODER, open_encoder
from prandial.compose.facts import FactsFile, build_facts, fact_sentences, fdc_files, find_files
from prandial.compose.facts.build import write_card
from prandial.compose.facts.servings import USUAL, serving_words
from prandial.compose.index import How, build_index, open_index
from prandial.errors import InputError, MissingDataError
from prandial.meal import get_estimator
from prandial.meal.items import UNUSED
from prandial.records import Food, Measure
from prandial.records.facts import FactForm, FactsFood, FoundFact
from prandial.sources.exclusive import LOCK, held
from prandial.tables import load_foods

if TYPE_CHECKING:
    from prandial.answer.encoder import Encoder

__all__ = [
    "VECTORS",
    "Facts",
    "FoodFacts",
    "VectorsOf",
    "build_table",
    "meant",
    "retrieve",
    "taken",
]

VectorsOf = Literal["none", "reference", "all"]
VECTORS: Final = get_args(VectorsOf)
_AGAIN: Final = "name a new folder, or --replace"
#: what a facts table's folder holds besides vectors that are kept from a broken-off build
_VECTORS: Final = "vectors"
#: release of a download whose name tells no date
_UNDATED: Final = "undated"
#: characters of a query that are looked at
_LONGEST: Final = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class FoodFacts:
    """A food that was found, and what its table says of it.

    Parameters
    ----------
    food : FactsFood
    score : float
        Compare it only within one result.
    sentences : tuple of str
        One a serving, the last for 100 g; empty when the nutrient is not known.
    """

    food: FactsFood
    score: float
    sentences: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        food = self.food
        return {
            "name": food.name,
            "kind": food.kind,
            "category": food.category,
            "sources": [{"table": s.table, "release": s.release, "id": s.id} for s in food.sources],
            "fdc_ids": list(food.fdc_ids),
            "values": food.values,
            "per_100g": {n: round(v, 4) for n, v in food.per_100g.items()},
            "measures": [{"name": m.name, "grams": round(m.grams, 4)} for m in food.measures],
            "facts": list(self.sentences),
            "score": round(self.score, 6),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """Foods found for a query, best first, and the table that they are from."""

    query: str
    table: str
    nutrient: str
    foods: tuple[FoodFacts, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "query": self.query,
            "table": self.table,
            "nutrient": self.nutrient,
            "foods": [f.to_dict() for f in self.foods],
        }


def retrieve(
    query: str,
    *,
    folder: Path | None = None,
    k: int = 5,
    how: str = "auto",
    nutrient: str = "carb_g",
    servings: int = 4,
    encoder: str = ENCODER,
    release: str,
) -> Facts:
    """Find foods and say what they hold, by household measure and for 100 g.

    Parameters
    ----------
    query : str
        A food in words; an amount in it has no say, but for which measures come first.
    folder : Path, optional
        Of a facts table; the built-in food tables, looked up by the estimator, when None.
    k : int
        Most foods.
    how : {'auto', 'lexical', 'vector', 'fused', 'joined'}
        In a facts table; ``auto`` is ``joined``: words, vectors where there are any and their
        encoder is here, and what the estimator takes the words for.
    nutrient : str
        House name.
    servings : int
        Most household measures of a food.
    encoder : str
        Name of weights, or a folder.
    release : str
        Of the built-in tables.

    Raises
    ------
    InputError
        On no words, or another way to look.
    MissingDataError, ChecksumError, SchemaError
        When the folder holds no facts table, or a damaged one, or the encoder is not here.
    """
    if not query.strip():
        raise InputError("no words to look for", where="QUERY", hint='such as "brown rice"')
    if how not in get_args(How):
        raise InputError(f"no way {how!r}", where="--by", hint=", ".join(get_args(How)))
    found: Sequence[FoundFact]
    form: FactForm = "portions"
    if folder is None:
        if how not in ("auto", "lexical"):
            raise InputError(
                "the built-in tables have no vectors", where="--by", hint="name a table: --facts"
            )
        table, found = release, _builtin(query, k, release)
    else:
        embed = _encoder(folder, how, encoder)
        index = open_index(
            folder,
            embed=embed,
            encoder=embed.id if embed else "",
            known=partial(meant, release) if how in ("auto", "joined") else None,
            taken=partial(taken, release),
        )
        table, form = index.id, index.form
        found = index.retrieve(query, k, how=cast("How", how))
    return Facts(
        query=query,
        table=table,
        nutrient=nutrient,
        foods=tuple(
            FoodFacts(
                food=f.food,
                score=f.score,
                sentences=fact_sentences(
                    f.food, nutrient, form=form, servings=servings, said=query
                ),
            )
            for f in found
        ),
    )


def meant(release: str, words: str, k: int) -> list[tuple[str, str]]:
    """Return table and id of the foods that the estimator takes words for."""
    found = get_estimator(release).search(words, k)
    return [(food.source.table, food.source.id) for food, _ in found]


def taken(release: str, words: str) -> tuple[str, str] | None:
    """Return table and id of the one food that the estimator takes all words for."""
    items = get_estimator(release).estimate(words).items
    if len(items) != 1 or any(step.startswith(UNUSED) for step in items[0].steps):
        return None
    food = items[0].food
    return None if food is None else (food.source.table, food.source.id)


def _builtin(query: str, k: int, release: str) -> list[FoundFact]:
    """Return foods of the built-in tables: first what the estimator takes all words for."""
    words = " ".join(query.split())[:_LONGEST]
    found = get_estimator(release).search(words, k)
    key = taken(release, words)
    first = [f for f, _ in found if (f.source.table, f.source.id) == key]
    if key is not None and not first:
        table = load_foods(release)
        first = [table.food(table.row_of(key[1], key[0]))]
    rest = [(f, s) for f, s in found if f not in first]
    top = max((s for _, s in found), default=1.0)
    ordered = [*((f, top) for f in first), *rest][:k]
    return [FoundFact(food=_facts_food(food), score=score) for food, score in ordered]


def _facts_food(food: Food) -> FactsFood:
    known = {n: v for n, v in food.per_100g.items() if v == v}
    return FactsFood(
        number=0,
        name=food.name,
        other_names="",
        category=food.category,
        kind="reference",
        per_100g=known,
        measures=_said(food),
        sources=(food.source,),
        fdc_ids=(),
        values=1,
    )


def _said(food: Food) -> tuple[Measure, ...]:
    """Return a food's measures as people say them: the usual one first, fluid ounces last."""
    said = [
        Measure(name=words, grams=m.grams, source=m.source)
        for m in food.measures
        if (words := serving_words(m.name))
    ]
    said.sort(key=lambda m: (m.name != USUAL, m.name.startswith("1 fl oz")))
    first: dict[tuple[bool, float], Measure] = {}
    for measure in said:
        first.setdefault((measure.name == USUAL, measure.grams), measure)
    return tuple(first.values())


def _encoder(folder: Path, how: str, name: str) -> Encoder | None:
    """Return the encoder of a table's vectors; None where words alone are asked for or had."""
    from prandial.compose.index.build import read_card

    made_by = read_card(folder).get("index", {}).get("encoder")
    if how == "lexical" or not made_by:
        return None
    try:
        return open_encoder(name)
    except MissingDataError:
        if how in ("auto", "joined"):
            return None
        raise


def build_table(
    out: Path,
    *,
    source: Path | None = None,
    downloads: Sequence[Path] = (),
    form: str = "portions",
    vectors: str = "none",
    encoder: str = ENCODER,
    replace: bool = False,
    hear: Callable[[str, int, int], object] | None = None,
) -> Mapping[str, Any]:
    """Build a facts table and its index from files of foods.

    Parameters
    ----------
    out : Path
        Folder to write.
    source : Path, optional
        Folder with the known tables of foods (rule table ``fact_sources``).
    downloads : sequence of Path
        Downloads of FoodData Central, zip or unpacked.
    form : {'portions', 'published'}
    vectors : {'none', 'reference', 'all'}
    encoder : str
        Name of weights, or a folder.
    replace : bool
        Replace a table that is there.
    hear : callable, optional
        Told ``(step, number, of)``.

    Returns
    -------
    mapping
        The card.

    Raises
    ------
    InputError
        On a choice that there is not, no files, or a folder in use.
    MissingDataError, SchemaError
        When files are not there or damaged.
    """
    if form not in get_args(FactForm):
        raise InputError(f"no form {form!r}", where="--form", hint=", ".join(get_args(FactForm)))
    if vectors not in VECTORS:
        raise InputError(f"no vectors {vectors!r}", where="--vectors", hint=", ".join(VECTORS))
    if source is None and not downloads:
        raise InputError(
            "no files to build from",
            where="--from",
            hint="--from FOLDER with known tables, or --fdc FILE.zip of FoodData Central",
        )
    _check_folder(out, replace=replace)
    tell = hear or (lambda *_: None)
    with (
        held(out, by="table", leave=False),
        tempfile.TemporaryDirectory(prefix="prandial-facts-") as scratch,
    ):
        _check_folder(out, replace=replace)  # another process may have been here
        tell("read", 0, 3)
        met: list[dict[str, Any]] = []
        files = [*(find_files(source) if source is not None else ())]
        for number, path in enumerate(downloads):
            of_path, notes = _download(path, Path(scratch) / str(number))
            files += of_path
            met.append({"file": path.name, "notes": notes})
        tell("facts", 1, 3)
        card = build_facts(files, out, form=cast("FactForm", form))
        if met:
            write_card(out, card | {"downloads": met})
        tell("index", 2, 3)
        if vectors == "none":
            return build_index(out)
        return _with_vectors(out, vectors, encoder, tell)


def _with_vectors(
    out: Path, vectors: str, encoder: str, tell: Callable[[str, int, int], object]
) -> Mapping[str, Any]:
    embed = open_encoder(encoder)

    def told(done: int, of: int) -> None:
        tell("vectors", done, of)

    card = build_index(
        out,
        embed=embed,
        encoder=embed.id,
        vectors_of=cast("Literal['all', 'reference']", vectors),
        progress=told,
    )
    shutil.rmtree(out / _VECTORS, ignore_errors=True)
    return card


def _download(path: Path, folder: Path) -> tuple[tuple[FactsFile, FactsFile], dict[str, Any]]:
    from prandial.sources.fdc import FdcFood, FdcNotes, read_fdc, write_food_columns

    release, notes = "", FdcNotes()

    def foods() -> Iterator[FdcFood]:
        nonlocal release
        for food in read_fdc(path, notes=notes):
            release = food.release
            yield food

    folder.mkdir()
    target = folder / f"{path.stem}.parquet"
    write_food_columns(foods(), target)
    return fdc_files(target, release=release or _UNDATED), notes.to_dict()


def _check_folder(out: Path, *, replace: bool) -> None:
    from prandial.compose.facts.build import CARD

    if not out.exists():
        return
    if not out.is_dir():
        raise InputError("a file, not a folder", where=str(out), hint=_AGAIN)
    there = {p.name for p in out.iterdir()} - {_VECTORS, LOCK}
    if not there:
        return
    if CARD not in there:
        raise InputError("the folder holds other things", where=str(out), hint="name a new folder")
    if not replace:
        raise InputError("a facts table is there already", where=str(out), hint=_AGAIN)
