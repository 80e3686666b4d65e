"""Names, categories, ingredients and composition of FNDDS foods, over releases.

A folder of foods holds releases as Parquet (``fndds_2019_2020_foods.parquet``,
``..._ingredients.parquet``) or as USDA's workbooks; without one the built-in tables
serve. Codes older than every release get their name from NHANES (DRXFCD) and, where all
their successors agree, the category of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.records import FoodMeans, FoodTexts
from prandial.records.people import RuleSet
from prandial.sources import workbooks
from prandial.sources.nhanes.recalls import read_xpt_columns
from prandial.sources.parquet import ask
from prandial.tables import RELEASES, load_foods
from prandial.tables.ingredients import read_ingredients
from prandial.tables.older import NAMES_ONLY, read_named_foods, read_successors
from prandial.tables.rules import read_rules

__all__ = ["PUBLISHED_RELEASES", "food_releases", "read_composition", "read_food_texts"]

#: releases whose ingredient files the published benchmark joins
PUBLISHED_RELEASES: Final = ("2015-2016", "2017-2018", "2019-2020")
_PARQUET: Final = re.compile(r"fndds_(\d{4})_(\d{4})_(foods|ingredients)\.parquet")
_DRXFCD: Final = re.compile(r"(?:P_)?DRXFCD(?:_[A-Z])?\.(?:parquet|xpt)", re.IGNORECASE)
_CROSSWALK: Final = "fndds_code_crosswalk.parquet"
_NHANES: Final = "download it again: prandial data get nhanes"
#: decimals kept of built-in amounts, which are stored in single precision
_DECIMALS: Final = 4


@dataclass(slots=True)
class _Release:
    """One release: code -> name and category, code -> ingredients in file order."""

    foods: dict[int, tuple[str, str]] = field(default_factory=dict)
    ingredients: dict[int, tuple[str, ...]] = field(default_factory=dict)


def _ask(path: Path, what: str, rest: str = "") -> list[tuple[Any, ...]]:
    return ask(path, what, rest, hint="get it again: prandial data get foods")


def _files(folder: Path) -> dict[str, dict[str, Path]]:
    """Release -> kind -> file; Parquet before workbooks."""
    found: dict[str, dict[str, Path]] = {}
    for (release, kind), path in workbooks.find_workbooks(folder).items():
        found.setdefault(release, {})[kind] = path
    for path in sorted(folder.iterdir()):
        match = _PARQUET.fullmatch(path.name)
        if match is not None:
            found.setdefault(f"{match[1]}-{match[2]}", {})[match[3]] = path
    return dict(sorted(found.items()))


def food_releases(foods: Path | None = None) -> tuple[str, ...]:
    """Return the FNDDS releases at hand, oldest first, such as ``2019-2020``.

    Parameters
    ----------
    foods : Path, optional
        Folder of releases; the built-in ones when None.

    Raises
    ------
    MissingDataError
        When the folder is absent or holds no release.
    """
    if foods is None:
        return tuple(r.removeprefix("fndds-") for r in RELEASES)
    hint = "leave the folder out for the built-in foods, or: prandial data get foods"
    if not foods.is_dir():
        raise MissingDataError("no folder of foods", where=str(foods), hint=hint)
    found = tuple(r for r, kinds in _files(foods).items() if "foods" in kinds)
    if not found:
        raise MissingDataError("no FNDDS release in the folder", where=str(foods), hint=hint)
    return found


def _read_foods(path: Path) -> list[tuple[Any, ...]]:
    if path.suffix == ".xlsx":
        return workbooks.read_workbook(path, workbooks.FOODS)
    return _ask(path, "food_code, description, wweia_category")


def _read_ingredients(path: Path) -> list[tuple[Any, ...]]:
    if path.suffix == ".xlsx":
        return workbooks.read_workbook(path, workbooks.INGREDIENTS)
    return _ask(path, "food_code, seq, ingredient_description")


def _text(cell: Any) -> str:
    return " ".join(str(cell or "").split())


def _from_files(kinds: Mapping[str, Path]) -> _Release:
    out = _Release()
    for code, name, category in _read_foods(kinds["foods"]):
        out.foods[int(code)] = _text(name), _text(category)
    if "ingredients" in kinds:
        listed: dict[int, list[tuple[int, str]]] = {}
        for code, seq, text in _read_ingredients(kinds["ingredients"]):
            if _text(text):
                listed.setdefault(int(code), []).append((int(seq), _text(text)))
        out.ingredients = {c: tuple(t for _, t in sorted(rows)) for c, rows in listed.items()}
    return out


def _built_in(release: str) -> _Release:
    table = load_foods(f"fndds-{release}")
    recipes = read_ingredients(f"fndds-{release}")
    out = _Release()
    for row, recipe in enumerate(recipes):
        code = int(table.ids[row])
        out.foods[code] = table.names[row], table.categories[row]
        out.ingredients[code] = recipe
    return out


def _names_only(release: str) -> _Release:
    foods = read_named_foods(f"fndds-{release}")
    out = _Release()
    for code, name, category, recipe in zip(
        foods.code, foods.name, foods.category, foods.ingredients, strict=True
    ):
        out.foods[code] = name, category
        out.ingredients[code] = recipe
    return out


def _recall_names(nhanes: Path) -> dict[int, tuple[str, str]]:
    """Code -> long description and cycle, by the newest cycle's DRXFCD that has it."""
    out: dict[int, tuple[str, str]] = {}
    for path in sorted(p for p in nhanes.glob("*/*") if _DRXFCD.fullmatch(p.name)):
        for code, name in _read_drxfcd(path):
            if code is not None and _text(name):
                out[int(code)] = _text(name), f"DRXFCD {path.parent.name}"
    return out


def _read_drxfcd(path: Path) -> Iterable[tuple[Any, ...]]:
    columns = "DRXFDCD", "DRXFCLD"
    if path.suffix.lower() == ".parquet":
        return ask(path, ", ".join(columns), hint=_NHANES)
    found = read_xpt_columns(path, columns)
    if set(found) != set(columns):
        raise SchemaError(
            f"no columns {' and '.join(columns)}",
            where=str(path),
            hint=_NHANES,
        )
    return zip(*(found[n] for n in columns), strict=True)


def _successors(foods: Path | None) -> dict[int, set[int]]:
    if foods is None:
        return {old: set(new) for old, new in read_successors().items()}
    path = foods / _CROSSWALK
    if not path.is_file():
        return {}
    out: dict[int, set[int]] = {}
    for old, new in _ask(path, "old_food_code, new_food_code"):
        out.setdefault(int(old), set()).add(int(new))
    return out


def _inherited(code: int, categories: Mapping[int, str], successors: Mapping[int, set[int]]) -> str:
    """Return the category on which all successors of a code agree, else an empty text."""
    seen, waiting, found = {code}, [code], set()
    while waiting:
        for new in successors.get(waiting.pop(), ()):
            if new in categories:
                found.add(categories[new])
            elif new not in seen:
                seen.add(new)
                waiting.append(new)
    return found.pop() if len(found) == 1 else ""


def _joined(releases: Iterable[_Release], code: int, *, union: bool) -> tuple[str, ...]:
    """Ingredients of a code: the newest release's, and under ``union`` those only older ones list.

    An ingredient that a recipe repeats is named once for each time, as in the file.
    """
    recipes = [r.ingredients[code] for r in releases if code in r.ingredients]
    if not recipes:
        return ()
    out = list(recipes[0])
    if union:
        for older in recipes[1:]:
            out += [text for text in dict.fromkeys(older) if text not in out]
    return tuple(out)


def _chosen(foods: Path | None, rules: RuleSet) -> dict[str, _Release]:
    """Releases that a rule set reads, newest first."""
    at_hand = food_releases(foods)
    names = [r for r in at_hand if rules == "default" or r in PUBLISHED_RELEASES]
    if not names:
        raise NotFoundError(
            "none of the releases the published rules join",
            where=str(foods),
            hint="wanted: " + ", ".join(PUBLISHED_RELEASES) + "; at hand: " + ", ".join(at_hand),
        )
    if foods is None:
        built_in = {r: _built_in(r) for r in names}
        if rules == "as-published":
            older = (r.removeprefix("fndds-") for r in NAMES_ONLY)
            built_in |= {r: _names_only(r) for r in older if r in PUBLISHED_RELEASES}
        return {r: built_in[r] for r in sorted(built_in, reverse=True)}
    files = _files(foods)
    return {r: _from_files(files[r]) for r in reversed(names)}


def read_food_texts(
    foods: Path | None = None, *, rules: RuleSet = "default", nhanes: Path | None = None
) -> FoodTexts:
    """Return what foods are called, their category and their ingredients.

    Parameters
    ----------
    foods : Path, optional
        Folder of FNDDS releases (Parquet or USDA's workbooks, which need openpyxl); the
        built-in releases when None, and under ``as-published`` 2019-2020, of which names,
        categories and ingredients are built in.
    rules : {'default', 'as-published'}
        ``default``: name, category and ingredients of the newest release that has the
        code. ``as-published``: of :data:`PUBLISHED_RELEASES` at hand alone, and with the
        ingredients that only an older release lists behind the newest one's, as the
        published rows show.
    nhanes : Path, optional
        Folder of survey cycles; names codes that no release has, from DRXFCD. Their
        category is the one on which all their successors agree
        (``fndds_code_crosswalk.parquet`` among the foods), else unknown; they have no
        ingredients.

    Returns
    -------
    FoodTexts

    Raises
    ------
    MissingDataError
        When the folder holds no release, or openpyxl is absent.
    NotFoundError
        When the folder has none of the published releases.
    SchemaError
        When a file is damaged.

    Notes
    -----
    The published pipeline also joins FNDDS 2015-2016 and a table of 2007-2008 categories
    (CDC MMWR); where they are not at hand, what they would add is missing here.
    """
    releases = _chosen(foods, rules)
    found: dict[int, tuple[str, str, str]] = {}
    for name, release in releases.items():
        for code, (text, category) in release.foods.items():
            found.setdefault(code, (text, category, name))
    if nhanes is not None:
        categories = {c: category for c, (_, category, _) in found.items()}
        successors = _successors(foods)
        for code, (text, cycle) in _recall_names(nhanes).items():
            if code not in categories:
                found[code] = text, _inherited(code, categories, successors), cycle
    codes = sorted(found)
    return FoodTexts(
        code=np.array(codes, dtype=np.int64),
        name=tuple(found[c][0] for c in codes),
        category=tuple(found[c][1] for c in codes),
        ingredients=tuple(
            _joined(releases.values(), c, union=rules == "as-published") for c in codes
        ),
        release=tuple(found[c][2] for c in codes),
    )


def _amounts(foods: Path | None, release: str, keys: list[str]) -> tuple[Any, Any]:
    """Codes and amounts (foods x nutrients) of one release."""
    if foods is None:
        table = load_foods(f"fndds-{release}")
        rows = table.table_of.count("fndds")
        columns = [table.nutrient_keys.index(k) for k in keys]
        codes = np.array([int(i) for i in table.ids[:rows]], dtype=np.int64)
        return codes, np.round(table.per_100g[:rows, columns].astype(np.float64), _DECIMALS)
    kinds = _files(foods)[release]
    path = kinds["foods"]
    if path.suffix == ".parquet":
        wanted = ", ".join(f'"{NUTRIENTS[k]}"' for k in keys)
        found = _ask(path, f"food_code, {wanted}", "ORDER BY 1")
    else:
        path = kinds["nutrients"]
        found = sorted(workbooks.read_workbook(path, workbooks.nutrient_headings(keys)))
    codes = np.array([r[0] for r in found], dtype=np.int64)
    try:
        amounts = np.array(
            [[np.nan if v is None else v for v in r[1:]] for r in found], dtype=np.float64
        )
    except ValueError as err:
        raise SchemaError(
            f"an amount that is no number: {err}",
            where=str(path),
            hint="get it again: prandial data get foods",
        ) from None
    return codes, amounts.reshape(len(found), len(keys))


def read_composition(foods: Path | None = None, *, release: str | None = None) -> FoodMeans:
    """Return what foods hold per 100 g by FNDDS, the newest release that has each code.

    Parameters
    ----------
    foods : Path, optional
        Folder of releases as Parquet or workbooks ("FNDDS Nutrient Values"); the built-in
        releases when None.
    release : str, optional
        One release alone, such as ``2017-2018``.

    Returns
    -------
    FoodMeans
        Folate as dietary folate equivalents, the form in which the Codex reference value
        and the US Daily Value are stated (CAC/GL 2-1985; 21 CFR 101.9(c)(8)(iv)).

    Raises
    ------
    MissingDataError, SchemaError
        As :func:`read_food_texts`.
    NotFoundError
        When the release is not at hand.
    """
    at_hand = list(food_releases(foods))
    if foods is not None:
        files = _files(foods)
        at_hand = [
            r for r in at_hand if "nutrients" in files[r] or files[r]["foods"].suffix == ".parquet"
        ]
        if not at_hand:
            raise MissingDataError(
                "no amounts of nutrients: foods as Parquet, or the workbook 'FNDDS Nutrient"
                " Values', hold them",
                where=str(foods),
                hint="prandial data get foods",
            )
    names = [r for r in at_hand if release in (None, r)]
    if not names:
        raise NotFoundError(
            "no composition of FNDDS" + (f" {release}" if release else ""),
            where=str(foods or "built-in foods"),
            hint="at hand: " + ", ".join(at_hand),
        )
    houses = {r["nutrient"]: r["composition"] for r in read_rules("food_tags")}
    parts = [_amounts(foods, name, list(houses.values())) for name in reversed(names)]
    codes, rows = np.unique(np.concatenate([c for c, _ in parts]), return_index=True)
    values = np.concatenate([v for _, v in parts])[rows]
    return FoodMeans(
        code=codes,
        records=np.zeros(len(codes), dtype=np.int64),
        per_100g={n: np.ascontiguousarray(values[:, i]) for i, n in enumerate(houses)},
    )
