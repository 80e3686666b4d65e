"""People of a GIFT survey: age, sex, body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from prandial.errors import SchemaError
from prandial.sources.gift.cells import GiftFile, open_gift

__all__ = ["GiftSubject", "GiftSubjects", "read_gift_subjects"]

Sex = Literal["male", "female", ""]
_SEXES: Final[dict[str, Sex]] = {"1": "male", "2": "female"}


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftSubject:
    """One person; what is unknown is None.

    Parameters
    ----------
    subject, round : str
    sex : {'male', 'female', ''}
        Codes 1 and 2 of the file.
    age_years : float, optional
        From years, else from months.
    body_mass_kg, height_cm : float, optional
    energy_intake_kcal : float, optional
        Mean a day, as the survey states it.
    """

    subject: str
    round: str
    sex: Sex
    age_years: float | None
    body_mass_kg: float | None
    height_cm: float | None
    energy_intake_kcal: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftSubjects:
    """The people of a file, and what was odd in it."""

    people: tuple[GiftSubject, ...]
    notes: tuple[str, ...] = ()


def read_gift_subjects(path: Path | str) -> GiftSubjects:
    """Read a subject file of FAO/WHO GIFT.

    Parameters
    ----------
    path : Path or str
        ``subject_user.csv`` as given out, or the same columns as Parquet.

    Returns
    -------
    GiftSubjects
        In the order of the file.

    Raises
    ------
    NotFoundError, InputError, SchemaError
        As :func:`read_gift`; also when a person stands in the file twice.
    """
    where = Path(path)
    file = open_gift(where, "subject", ("subject",))
    people: dict[tuple[str, str], GiftSubject] = {}
    for line, cells in file.rows:
        one = _person(file, cells, line)
        if (one.subject, one.round) in people:
            raise SchemaError(
                f"person {one.subject!r} stands there twice",
                where=f"{where}, record {line}",
                hint="one row a person and round",
            )
        people[one.subject, one.round] = one
    if not people:
        raise SchemaError("no people", where=str(where), hint="one row a person")
    return GiftSubjects(people=tuple(people.values()), notes=tuple(file.notes))


def _person(file: GiftFile, cells: Mapping[str, Any], line: int) -> GiftSubject:
    subject = file.text(cells, "subject")
    if not subject:
        raise SchemaError("no person", where=f"{file.path}, record {line}", hint="fill SUBJECT")
    years = file.number(cells, "age_years", line)
    months = file.number(cells, "age_months", line)
    return GiftSubject(
        subject=subject,
        round=file.text(cells, "round"),
        sex=_SEXES.get(file.text(cells, "sex_code"), ""),
        age_years=years if years is not None or months is None else months / 12,
        body_mass_kg=file.number(cells, "body_mass_kg", line),
        height_cm=file.number(cells, "height_cm", line),
        energy_intake_kcal=file.number(cells, "energy_intake_kcal", line),
    )
