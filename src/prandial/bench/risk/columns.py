"""Which columns of a table of estimates hold what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from prandial.bench.risk.sheets import Sheet
from prandial.errors import InputError, NotFoundError

__all__ = ["MEAL", "TRUE", "ends_of", "estimator_columns", "meal_and_truth", "plain", "spelled"]

MEAL: Final = ("meal_id", "id", "meal", "row")
TRUE: Final = ("true_g", "true_carb_g", "truth", "true_carbs", "target")
#: endings and beginnings of columns that hold something else
_OTHER: Final = re.compile(
    r"_(?:kcal|kj|mg|mcg|ug|se|sd|ci|min|max|ms|s)$"
    r"|^(?:protein|prot|fats?|energy|kcal|cal|calories|fiber|fibre|sugar|sodium|weight|portion)"
    r"(?:_|$)"
    r"|^(?:low|high|min|max)$"
)
_OTHER_UNIT: Final = re.compile(r"_(?:kcal|kj|mg|mcg|ug)$")
_STATUS: Final = "status"
_ENDS: Final = ("_low", "_high")
_FORMS: Final = (
    "wide: meal_id, true_g, a column for each estimator;"
    " long: meal_id, true_g, estimator, estimate_g"
)


def plain(name: str) -> str:
    """Return a name of a column without regard to capitals, and to space or underscore."""
    return name.casefold().replace(" ", "_")


def spelled(names: Sequence[str], header: Iterable[str]) -> list[str]:
    """Return the columns that have one of these plain names, in the order of the names."""
    found = [(names.index(plain(h)), h) for h in header if plain(h) in names]
    return [h for _, h in sorted(found, key=lambda pair: pair[0])]


def ends_of(names: Iterable[str], header: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the columns of low and high by estimator; empty where there is none."""
    there = {plain(h): h for h in header}
    low, high = _ENDS
    return {n: (there.get(plain(n) + low, ""), there.get(plain(n) + high, "")) for n in names}


def meal_and_truth(
    sheet: Sheet, known: Mapping[str, float], chosen: Sequence[str] = ()
) -> tuple[str, str | None]:
    """Return the columns of meal and truth.

    Parameters
    ----------
    sheet : Sheet
    known : mapping
        Truths of a table beside it.
    chosen : sequence of str
        Estimators that are named: no truths, whatever they are called.

    Raises
    ------
    InputError
        When one is not there, and on two columns of truths.
    """
    meal = next(iter(spelled(MEAL, sheet.header)), None)
    truths = [t for t in spelled(TRUE, sheet.header) if t not in chosen]
    if meal is None or not (truths or known):
        lacking = "meal_id" if meal is None else "true_g"
        raise InputError(
            f"no column {lacking!r}",
            where=sheet.place,
            hint=f"found: {', '.join(sheet.header)[:400]}; {_FORMS}; --truth FILE brings true_g"
            + (f"; sheets not read: {', '.join(sheet.others)}" if sheet.others else ""),
        )
    _only_one(
        truths,
        sheet,
        "hold truths",
        "leave one out, or rename it; where it is an estimator: --estimator "
        + "".join(truths[1:2]),
    )
    return meal, truths[0] if truths else None


def _only_one(columns: Sequence[str], sheet: Sheet, what: str, hint: str) -> None:
    if len(columns) > 1:
        raise InputError(
            f"the columns {columns[0]!r} and {columns[1]!r} both {what}",
            where=sheet.place,
            hint=hint,
        )


def estimator_columns(
    sheet: Sheet, meal: str, true: str | None, chosen: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns of a wide table that hold estimates.

    Raises
    ------
    NotFoundError
        When none of the chosen is there.
    InputError
        On a column of another nutrient, an end of a range without its estimate, and a second
        column of meals; where estimators are chosen only these are looked at.
    """
    others = [
        h for h in sheet.header if h not in (meal, true) and (plain(h) != _STATUS or h in chosen)
    ]
    there = {plain(h) for h in others}
    ends = {h for h in others if _stem(h) in there}
    names = tuple(h for h in others if h not in ends and (not chosen or h in chosen))
    if chosen and not names:
        raise NotFoundError(
            f"no estimator {chosen[0]!r}",
            where=sheet.place,
            hint="there are: " + (", ".join(h for h in others if h not in ends) or "none"),
        )
    if not chosen:
        _only_one(
            spelled(MEAL, sheet.header),
            sheet,
            "name meals",
            "name the estimators with --estimator, or rename or leave out one of the two",
        )
        for name in names:
            if (stem := _stem(name)) is not None:
                raise InputError(
                    f"the column {name!r} is an end of a range without its estimate",
                    where=sheet.place,
                    hint=f"add the column {name[: len(stem)]!r} (its cells may be empty"
                    " where both ends are told), or rename it",
                )
    # who names a column knows best, but not that energy would be grams
    _no_other_nutrient(names, sheet, _OTHER_UNIT if chosen else _OTHER)
    _one_status(names, sheet)
    return names


def _stem(name: str) -> str | None:
    """Return the plain name of the estimator of which a column is an end, None where of none."""
    end = next((e for e in _ENDS if plain(name).endswith(e)), None)
    return plain(name).removesuffix(end) if end else None


def _one_status(names: Sequence[str], sheet: Sheet) -> None:
    """Refuse a status that may be any estimator's, and a range with two columns for one end."""
    status = [h for h in spelled([_STATUS], sheet.header) if h not in names]
    if status and len(names) > 1:
        raise InputError(
            f"the column {status[0]!r} does not say whose it is: {', '.join(names)[:80]}",
            where=sheet.place,
            hint="name the estimator that it is of with --estimator, or make the table long:"
            " meal_id, true_g, estimator, estimate_g, status",
        )
    counts = Counter(plain(h) for h in sheet.header if _stem(h) is not None)
    for name in names:
        for end in _ENDS:
            if counts[plain(name) + end] > 1:
                raise InputError(
                    f"two columns {plain(name) + end!r}",
                    where=sheet.place,
                    hint="leave one out, or rename it",
                )


def _no_other_nutrient(names: Iterable[str], sheet: Sheet, other: re.Pattern[str]) -> None:
    """Refuse a column of energy, milligrams or another nutrient: it is no estimate in grams."""
    for name in names:
        if other.search(plain(name)):
            raise InputError(
                f"the column {name!r} is named like no estimate of carbohydrate in grams",
                where=sheet.place,
                hint="name those that are with --estimator NAME, or rename it",
            )
