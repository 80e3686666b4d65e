"""Which column holds what: by the names that NutriBench files and people use, or as told."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prandial.errors import InputError, SchemaError

__all__ = ["LABELS", "MealColumns"]

#: nutrients that have labels
LABELS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal")
#: what is looked for -> column names that hold it, the first that is there is taken
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "text": (
        "translated_query",
        "meal_description",
        "description",
        "query",
        "text",
        "meal",
        "queries",
    ),
    "carb_g": ("carb_g", "carb", "carbs", "carbohydrate", "carbohydrates", "carbohydrate_g"),
    "protein_g": ("protein_g", "protein", "proteins"),
    "fat_g": ("fat_g", "fat", "fats", "total_fat_g"),
    "energy_kcal": ("energy_kcal", "energy", "kcal", "calories"),
    "serving": ("serving_type", "serving"),
    "country": ("country",),
    "items": ("n_items", "items"),
    "group": ("meal_group", "group"),
    "language": ("language",),
}
#: a column of one of these beside ``description``: rows are foods of a table, not meals
_OF_FOODS: Final = frozenset(
    ("food_code", "ndb_no", "ndb_number", "food_id", "foodex2_code", "food_group", "food_category",
     "branded_category", "wweia_category_number")
)  # fmt: skip
#: columns that make an id, the first that are all there are taken
_IDS: Final = (
    ("subset", "row"),
    ("language", "source_index"),
    ("row",),
    ("id",),
    ("meal_id",),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class MealColumns:
    """Names of the columns of a file; empty where it has none.

    ``ids`` are the columns whose cells make a row's id, none for its position. ``source`` says
    where a meal is from (``wweia`` is the United States), in files that do not name a country.
    """

    text: str
    labels: Mapping[str, str]
    serving: str = ""
    country: str = ""
    items: str = ""
    group: str = ""
    language: str = ""
    source: str = ""
    ids: tuple[str, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """Every column that is read."""
        single = (self.text, self.serving, self.country, self.items, self.group, self.language)
        names = (*single, self.source, *self.labels.values(), *self.ids)
        return tuple(dict.fromkeys(n for n in names if n))

    @classmethod
    def of(
        cls, header: Sequence[str], where: str, told: Mapping[str, str] | None = None
    ) -> MealColumns:
        """Find the columns of a file.

        Parameters
        ----------
        header : sequence of str
        where : str
            The file, for errors.
        told : mapping, optional
            ``text``, ``carb_g``, ``serving``, ``country``, ``items``, ``group``, ``language`` or
            ``id`` -> name of the column that holds it.

        Raises
        ------
        InputError
            When what is told names no such column, or no such thing.
        SchemaError
            When no column holds the meals, or none a label, or the rows are foods.
        """
        given = dict(told or {})
        _check_told(given, header, where)
        found = {what: given.get(what) or _first(names, header) for what, names in _NAMES.items()}
        labels = {n: found[n] for n in LABELS if found[n]}
        foods = _OF_FOODS.intersection(header)
        if foods and "text" not in given and found["text"].casefold() == "description":
            raise SchemaError(
                f"a table of foods ({', '.join(sorted(foods)[:3])}), not of meals",
                where=where,
                hint="name a file of meals; if each description is a meal: --column"
                " text=description",
            )
        if not found["text"]:
            raise SchemaError(
                "no column holds the meals",
                where=where,
                hint=f"name it: --column text=NAME; there are: {', '.join(header)}",
            )
        if not labels:
            raise SchemaError(
                "no column holds a label",
                where=where,
                hint=f"name one: --column carb_g=NAME; there are: {', '.join(header)}",
            )
        ids: tuple[str, ...] = (given["id"],) if "id" in given else ()
        ids = ids or next((c for c in _IDS if set(c) <= set(header)), ())
        return cls(
            text=found["text"],
            labels=labels,
            serving=found["serving"],
            country=found["country"],
            items=found["items"],
            group=found["group"],
            language=found["language"],
            source="source" if "source" in header and not found["country"] else "",
            ids=ids,
        )


def _first(names: Sequence[str], header: Sequence[str]) -> str:
    by_plain = {h.strip().casefold(): h for h in reversed(header)}
    return next((by_plain[n] for n in names if n in by_plain), "")


def _check_told(told: Mapping[str, str], header: Sequence[str], where: str) -> None:
    known = (*_NAMES, "id")
    for what, name in told.items():
        if what not in known:
            raise InputError(
                f"a column cannot be named as {what!r}",
                where="column",
                hint="known: " + ", ".join(known),
            )
        if name not in header:
            near = difflib.get_close_matches(name, header, n=3) or list(header)
            raise InputError(f"no column {name!r}", where=where, hint="such as: " + ", ".join(near))
