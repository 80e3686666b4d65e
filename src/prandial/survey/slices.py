"""Groups of people by which results can be told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.records import Profiles

__all__ = ["slices"]

_Texts = npt.NDArray[np.str_]
_UNKNOWN: Final = "unknown"
_CODES: Final = {
    "sex": ("sex_code", {1: "men", 2: "women"}),
    "food security": (
        "food_security_adult_code",
        {1: "full", 2: "marginal", 3: "low", 4: "very low"},
    ),
    "origin": (
        "race_code",
        {
            1: "Mexican American",
            2: "other Hispanic",
            3: "non-Hispanic White",
            4: "non-Hispanic Black",
            5: "other",
        },
    ),
}
#: first value of each group; income over the poverty guideline as NCHS cuts it (130 and 350 %)
_BANDS: Final = {
    "age": (
        "age_years",
        ((0.0, "under 18"), (18.0, "18-39"), (40.0, "40-59"), (60.0, "60 and over")),
    ),
    "income": (
        "income_ratio",
        ((0.0, "to 130 % of poverty"), (1.3, "130-350 %"), (3.5, "over 350 %")),
    ),
}


def slices(profiles: Profiles) -> Mapping[str, _Texts]:
    """Return for each person the group in several ways of grouping.

    Returns
    -------
    mapping of str to ndarray of str, shape (n,)
        ``sex``, ``food security`` (of the household's adults), ``origin``, ``age``, ``income``
        (ratio to the poverty guideline; a ratio of exactly 1.3 or 3.5 is in the lower group)
        and ``cycle``; ``unknown`` where the measure is missing.
    """
    people = profiles.people
    out: dict[str, _Texts] = {}
    for name, (column, words) in _CODES.items():
        text = np.full(len(people), _UNKNOWN, dtype="U20")
        for code, word in words.items():
            text[people[column] == code] = word
        out[name] = text
    for name, (column, bands) in _BANDS.items():
        values = people[column]
        text = np.full(len(people), _UNKNOWN, dtype="U20")
        for first, word in bands:
            inside = values > first if name == "income" and first > 0 else values >= first
            text[inside] = word
        out[name] = text
    out["cycle"] = people.cycle
    return out
