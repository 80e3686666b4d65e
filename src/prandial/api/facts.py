"""Facts about foods: look them up, and build the table that models are given facts from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prandial.tables import DEFAULT_RELEASE

if TYPE_CHECKING:
    from prandial.bench.facts import Facts

__all__ = ["build_facts", "retrieve"]


def retrieve(
    query: str,
    *,
    facts: Path | str | None = None,
    top: int = 5,
    by: str = "auto",
    nutrient: str = "carb_g",
    servings: int = 4,
    encoder: str = "minilm-l6",
    release: str = DEFAULT_RELEASE,
) -> Facts:
    """Find foods and say what they hold, by household measure and for 100 g.

    Parameters
    ----------
    query : str
        A food in words, such as ``brown rice`` or ``a cup of brown rice``.
    facts : Path, optional
        Folder of a table that :func:`build_facts` wrote; the built-in food tables when None.
    top : int
        Most foods, 1 or more.
    by : {'auto', 'lexical', 'vector', 'fused', 'joined'}
        How a facts table is searched: by words, by meaning, by both; ``joined`` by both where
        vectors and their encoder are here and by what the estimator takes the words for;
        ``auto`` is ``joined``.
    nutrient : str
        ``carb``, ``protein``, ``fat`` or ``energy``, or their house names (``carb_g``).
    servings : int
        Most household measures of a food.
    encoder : str
        Name of the weights that made the vectors, or a folder with them.
    release : str
        Of the built-in tables.

    Returns
    -------
    Facts
        Foods with table, release, id, amounts per 100 g and sentences.

    Raises
    ------
    InputError
        On no words, or a choice that there is not.
    MissingDataError, ChecksumError, SchemaError
        When there is no facts table, or a damaged one, or the encoder is not here.
    """
    from prandial.asked import check_release
    from prandial.bench import facts as room
    from prandial.errors import InputError
    from prandial.nutrients import MAIN

    if not isinstance(query, str):
        raise InputError("no words to look for", where="query", hint='such as "brown rice"')
    for name, number, least in (("top", top, 1), ("servings", servings, 0)):
        if type(number) is not int or number < least:
            raise InputError(f"{name} {number!r}", where=name, hint=f"{least} or more")
    short = {n.partition("_")[0]: n for n in MAIN}
    nutrient = short.get(nutrient, nutrient)
    if nutrient not in MAIN:
        raise InputError(
            f"no nutrient {nutrient!r}", where="nutrient", hint="one of: " + ", ".join(short)
        )
    return room.retrieve(
        query,
        folder=None if facts is None else Path(facts),
        k=top,
        how=by,
        nutrient=nutrient,
        servings=servings,
        encoder=encoder,
        release=check_release(release),
    )


def build_facts(
    out: Path | str,
    *,
    source: Path | str | None = None,
    downloads: Sequence[Path | str] = (),
    form: str = "portions",
    vectors: str = "none",
    encoder: str = "minilm-l6",
    replace: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Mapping[str, Any]:
    """Build a facts table with its index from files of foods; the same files, the same bytes.

    Parameters
    ----------
    out : Path
        Folder to write.
    source : Path, optional
        Folder with known tables of foods (FNDDS, SR, Foundation, Branded as columns).
    downloads : sequence of Path
        Downloads of FoodData Central, zip or unpacked.
    form : {'portions', 'published'}
        Ours, with all household measures, or that of NutriBench's Retri-DB.
    vectors : {'none', 'reference', 'all'}
        Of which foods vectors are made, for a search by meaning.
    encoder : str
        Name of weights, or a folder.
    replace : bool
        Replace a table that is there.
    progress : callable, optional
        Told ``(step, number, of)``.

    Returns
    -------
    mapping
        The card: counts of rows, descriptions, groups and foods, sources with digests.

    Raises
    ------
    InputError
        On a choice that there is not, no files, or a folder in use.
    MissingDataError, SchemaError
        When files are not there or damaged.
    """
    from prandial.bench import facts as room

    return room.build_table(
        Path(out),
        source=None if source is None else Path(source),
        downloads=[Path(d) for d in downloads],
        form=form,
        vectors=vectors,
        encoder=encoder,
        replace=replace,
        hear=progress,
    )
