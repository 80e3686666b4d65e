"""What a caller asked for, checked before any work is done."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from prandial.countries import as_alpha3, nearest_alpha3
from prandial.errors import InputError, NotFoundError
from prandial.meal import LOCALES
from prandial.nutrients import NUTRIENTS
from prandial.tables import RELEASES

__all__ = [
    "EXAMPLE",
    "check_answers",
    "check_list",
    "check_options",
    "check_release",
    "check_str",
    "check_text",
]

EXAMPLE: Final = "a cup of oatmeal with half a banana"


def check_release(release: str) -> str:
    """Return a release that exists."""
    if release not in RELEASES:
        raise NotFoundError(
            f"no food table release {release!r}",
            where="release",
            hint="known releases: " + ", ".join(RELEASES),
        )
    return release


def check_str(text: object, where: str) -> str:
    """Return a text that is one."""
    if not isinstance(text, str):
        raise InputError(
            f"a meal must be text, not {type(text).__name__}", where=where, hint="pass a str"
        )
    return text


def check_text(text: object) -> None:
    """Refuse a text without a visible character."""
    if all(c.isspace() or unicodedata.category(c)[0] == "C" for c in check_str(text, "text")):
        raise InputError(
            "nothing to estimate", where="text", hint=f"say what was eaten, such as: {EXAMPLE}"
        )


def check_options(
    *, locale: str, nutrients: Sequence[str] | None, country: str | None
) -> tuple[tuple[str, ...] | None, str | None]:
    """Return checked nutrients and country."""
    if not isinstance(locale, str) or locale not in LOCALES:
        raise InputError(
            f"unknown locale {locale!r}",
            where="locale",
            hint="known locales: " + ", ".join(LOCALES),
        )
    if country is not None and not isinstance(country, str):
        raise InputError("a country must be text", where="country", hint="such as USA")
    code = None if country is None else as_alpha3(country)
    if country is not None and code is None:
        near = nearest_alpha3(country)
        raise InputError(
            f"country {country!r} is no ISO 3166 alpha-3 code",
            where="country",
            hint="nearest: " + ", ".join(near) if near else "such as USA, MEX or ETH",
        )
    return (None if nutrients is None else _check_nutrients(nutrients)), code


def check_list(given: object, where: str, what: str) -> None:
    """Refuse what is no list, tuple or the like."""
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise InputError(f"{where} must be {what}, not {type(given).__name__}", where=where)


def check_answers(answers: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return answers that are numbers of choices, or None for "not known"."""
    given: object = answers
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise InputError(
            "answers must be a list", where="answers", hint="such as [0], or [None, 2]"
        )
    for answer in given:
        if answer is not None and (isinstance(answer, bool) or not isinstance(answer, int)):
            raise InputError(
                f"an answer must be a whole number or None, not {answer!r}",
                where="answers",
                hint="give the number of a choice, from 0",
            )
    return tuple(given)


def _check_nutrients(nutrients: Sequence[str]) -> tuple[str, ...]:
    check_list(nutrients, "nutrients", "a list of names")
    names = (nutrients,) if isinstance(nutrients, str) else tuple(nutrients)
    for name in names:
        if name not in NUTRIENTS:
            near = difflib.get_close_matches(str(name), NUTRIENTS, n=3, cutoff=0.4)
            raise InputError(
                f"unknown nutrient {name!r}",
                where="nutrients",
                hint="nearest: " + ", ".join(near) if near else "known: " + ", ".join(NUTRIENTS),
            )
    if not names:
        raise InputError("no nutrient named", where="nutrients", hint="such as carb_g,fiber_g")
    return tuple(dict.fromkeys(names))
