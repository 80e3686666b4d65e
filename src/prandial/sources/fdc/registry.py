"""The registry: which downloads FoodData Central offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from prandial.errors import InputError, NotFoundError
from prandial.tables.rules import read_rules

__all__ = ["DEFAULT_KINDS", "FORMS", "KINDS", "FdcFile", "chosen_fdc_files", "load_fdc_files"]

KINDS: Final = ("foundation", "sr_legacy", "survey", "branded", "full")
#: what is fetched when nothing is named: all but the two large ones
DEFAULT_KINDS: Final = ("foundation", "sr_legacy", "survey")
FORMS: Final = ("csv", "json")


@dataclass(frozen=True, kw_only=True, slots=True)
class FdcFile:
    """One download; None and empty are not stated.

    ``cycle``, ``table`` and ``file`` are what a fetch calls release, kind and name.
    """

    cycle: str
    table: str
    form: str
    file: str
    url: str
    bytes: int | None
    sha256: tuple[str, ...]
    foods: int | None
    note: str


@cache
def load_fdc_files() -> tuple[FdcFile, ...]:
    """Return the downloads known, oldest release first."""
    return tuple(
        FdcFile(
            cycle=r["release"],
            table=r["kind"],
            form=r["form"],
            file=r["file"],
            url=r["url"],
            bytes=int(r["bytes"]) if r["bytes"] else None,
            sha256=tuple(r["sha256"].split()),
            foods=int(r["foods"]) if r["foods"] else None,
            note=r["note"],
        )
        for r in read_rules("fdc_files")
    )


def chosen_fdc_files(
    kinds: Sequence[str] | None = None, *, form: str = "csv", release: str | None = None
) -> tuple[FdcFile, ...]:
    """Return downloads of some kinds, each in its newest release unless one is named.

    Parameters
    ----------
    kinds : sequence of str, optional
        :data:`DEFAULT_KINDS` when None.
    form : {'csv', 'json'}
    release : str, optional
        Such as ``2024-10-31``.

    Raises
    ------
    InputError
        On an unknown form.
    NotFoundError
        On an unknown kind, or one that has no such release or form.
    """
    if form not in FORMS:
        raise InputError(f"no form {form!r}", where="form", hint="there are: " + ", ".join(FORMS))
    out = []
    for kind in dict.fromkeys(DEFAULT_KINDS if kinds is None else kinds):
        if kind not in KINDS:
            raise NotFoundError(
                f"no kind {kind!r} of FoodData Central",
                where="kind",
                hint="there are: " + ", ".join(KINDS),
            )
        known = [f for f in load_fdc_files() if f.table == kind]
        found = [f for f in known if f.form == form and release in (None, f.cycle)]
        if not found:
            told = ", ".join(f"{f.cycle} ({f.form})" for f in known)
            raise NotFoundError(
                f"no {kind} of release {release or 'any'} as {form}",
                where="release",
                hint="there are: " + told,
            )
        out.append(found[-1])
    return tuple(out)
