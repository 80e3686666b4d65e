"""Whether a meal is right for a person."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prandial.api.estimates import DEFAULT_LOCALE, estimate
from prandial.api.foods import load_foods
from prandial.asked import check_list, check_text
from prandial.errors import InputError
from prandial.tables import DEFAULT_RELEASE

if TYPE_CHECKING:
    from prandial.advice import Person
    from prandial.records import Estimate, Verdict
    from prandial.tables import FoodTable

__all__ = ["suits"]


def suits(
    text: str,
    *,
    conditions: Sequence[str] = (),
    diets: Sequence[str] = (),
    person: int | None = None,
    root: Path | str | None = None,
    cycles: Sequence[str] | None = None,
    basis: str = "per_serving",
    grams: float | None = None,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    country: str | None = None,
    user_tables: Sequence[str] = (),
) -> Verdict:
    """Tell whether a meal is right for a person, why, and what instead.

    Research software: rules of tables; no diagnosis, no medical or dosing advice.

    Parameters
    ----------
    text : str
        The meal in everyday words, or the code of one food of the table.
    conditions, diets : sequence of str
        Names such as ``hypertension``, ``CKD``, ``low sodium``; no other status holds.
    person : int, optional
        NHANES respondent number (SEQN): statuses of the survey, unknown ones as well;
        ``conditions`` and ``diets`` are then added.
    root, cycles
        Where the survey's files are, as for ``prandial.api.show_person``.
    basis : {'per_serving', 'per_100g', 'per_100kcal'}
        What amounts are stated for when compared with thresholds. A serving is the meal
        as eaten.
    grams : float, optional
        Of a food named by its code; when None the table's usual weight, else 100 g.
    release, locale, country, user_tables
        As for :func:`~prandial.api.estimate`.

    Returns
    -------
    Verdict

    Raises
    ------
    InputError
        When no condition, diet or person is given, nothing was eaten, or an option
        cannot be used.
    NotFoundError
        On an unknown condition, diet, person or release, naming the nearest.
    MissingDataError
        When survey files are asked for that are not at hand.

    Examples
    --------
    >>> import prandial
    >>> verdict = prandial.suits("100 g of potato chips", conditions=["hypertension"])
    >>> verdict.basis, verdict.statuses
    ('per_serving', ('hypertension',))
    """
    from prandial.advice import verdict_on
    from prandial.tags import BASES

    check_text(text)
    if basis not in BASES:
        raise InputError(f"no basis {basis!r}", where="basis", hint="one of: " + ", ".join(BASES))
    for number, where in ((grams, "grams"), (person, "person")):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
            raise InputError(f"no number: {number!r}", where=where, hint="such as 150")
    who = _person(conditions, diets, person, root, cycles)
    table = load_foods(release, user_tables=user_tables)
    meal = _coded(text, table, grams, release)
    if meal is None:
        if grams is not None:
            raise InputError(
                "grams are for a food named by its code",
                where="grams",
                hint="say the amount in the text, such as: 150 g of rice",
            )
        meal = _estimated(text, release, locale, country, user_tables)
    return verdict_on(meal, who, table=table, basis=basis)


def _person(
    conditions: Sequence[str],
    diets: Sequence[str],
    person: int | None,
    root: Path | str | None,
    cycles: Sequence[str] | None,
) -> Person:
    from prandial.advice import named_person, survey_person

    for given, where in ((conditions, "conditions"), (diets, "diets")):
        check_list(given, where, "a list of names")
    if person is None:
        return named_person(conditions, diets)
    from prandial.api.people import show_person

    return survey_person(show_person(person, root=root, cycles=cycles), conditions, diets)


def _coded(text: str, table: FoodTable, grams: float | None, release: str) -> Estimate | None:
    """Return a food named by its code as a meal; None when the text is no code."""
    from prandial.advice import estimate_of_food

    code = text.strip()
    if not (code.isascii() and code.isdecimal()):
        return None
    food = table.food(table.row_of(code))
    return estimate_of_food(
        food,
        grams=grams,
        release=release,
        carbohydrate_definition=table.carbohydrate_definition,
    )


def _estimated(
    text: str, release: str, locale: str, country: str | None, user_tables: Sequence[str]
) -> Estimate:
    from prandial.advice import RULE_NUTRIENTS

    return estimate(
        text,
        release=release,
        locale=locale,
        nutrients=tuple(RULE_NUTRIENTS.values()),
        country=country,
        user_tables=user_tables,
    )
