"""Which columns of a table of estimates hold what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from prandial.bench.risk.numbers import first_of
from prandial.bench.risk.sheets import Sheet
from prandial.errors import InputError, NotFoundError

__all__ = ["MEAL", "TRUE", "estimator_columns", "meal_and_truth"]

MEAL: Final = ("meal_id", "id", "meal", "row")
TRUE: Final = ("true_g", "true_carb_g", "truth", "true_carbs", "target")
#: endings and beginnings of columns that hold something else
_OTHER: Final = re.compile(
    r"_(?:kcal|kj|mg|mcg|ug)$|^(?:protein|fat|energy|kcal|fiber|fibre|sugar|sodium)(?:_|$)",
    re.IGNORECASE,
)
_ENDS: Final = ("_low", "_high")
_FORMS: Final = (
    "wide: meal_id, true_g, a column for each estimator;"
    " long: meal_id, true_g, estimator, estimate_g"
)


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
    meal = first_of(MEAL, sheet.header)
    truths = [t for t in TRUE if t in sheet.header and t not in chosen]
    if meal is None or not (truths or known):
        lacking = "meal_id" if meal is None else "true_g"
        raise InputError(
            f"no column {lacking!r}",
            where=sheet.place,
            hint=f"found: {', '.join(sheet.header)[:400]}; {_FORMS}; --truth FILE brings true_g",
        )
    _only_one(truths, sheet, "hold truths")
    return meal, truths[0] if truths else None


def _only_one(columns: Sequence[str], sheet: Sheet, what: str) -> None:
    if len(columns) > 1:
        raise InputError(
            f"the columns {columns[0]!r} and {columns[1]!r} both {what}",
            where=sheet.place,
            hint=f"leave one out, or rename it; where it is an estimator: --estimator {columns[1]}",
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
    others = [h for h in sheet.header if h not in (meal, true)]
    there = set(others)
    ends = {f"{h}{e}" for h in others for e in _ENDS}
    names = tuple(h for h in others if h not in ends and (not chosen or h in chosen))
    if chosen and not names:
        raise NotFoundError(
            f"no estimator {chosen[0]!r}",
            where=sheet.place,
            hint="there are: " + (", ".join(h for h in others if h not in ends) or "none"),
        )
    if not chosen:
        _only_one([m for m in MEAL if m in sheet.header], sheet, "name meals")
        for name in names:
            end = next((e for e in _ENDS if name.endswith(e)), None)
            if end and name.removesuffix(end) not in there:
                raise InputError(
                    f"the column {name!r} is an end of a range without its estimate",
                    where=sheet.place,
                    hint=f"add the column {name.removesuffix(end)!r} (its cells may be empty"
                    " where both ends are told), or rename it",
                )
    _no_other_nutrient(names, sheet)
    return names


def _no_other_nutrient(names: Iterable[str], sheet: Sheet) -> None:
    """Refuse a column of energy, milligrams or another nutrient: it is no estimate in grams."""
    for name in names:
        if _OTHER.search(name):
            raise InputError(
                f"the column {name!r} is named like no estimate of carbohydrate in grams",
                where=sheet.place,
                hint="name those that are with --estimator NAME, or rename it",
            )
