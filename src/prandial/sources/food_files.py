"""Files of FNDDS releases: which a build reads, and whether one is what it claims to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.sources import workbooks
from prandial.sources.fetch import check_rows, file_sha256
from prandial.sources.nhanes.sniff import HEAD, check_parquet, refusal
from prandial.sources.parquet import ask
from prandial.tables.rules import read_rules

__all__ = [
    "ALL_RELEASES",
    "FORMS",
    "FoodFile",
    "ReleaseAtHand",
    "chosen_files",
    "find_food_file",
    "load_food_files",
    "name_of",
    "releases_at_hand",
    "verify_food_file",
]

#: release name of the table that belongs to no single release
ALL_RELEASES: Final = "all-releases"
#: endings in the order in which a file is looked for
FORMS: Final = (".parquet", ".xlsx")
_AGAIN: Final = "get it again: prandial data get foods"
_WANTED: Final = "a table of foods (a workbook, xlsx, or Parquet)"
_KEYS: Final = {
    "foods": ("food_code", "description", "wweia_category"),
    "ingredients": ("food_code", "seq", "ingredient_description"),
    "portions": ("food_code", "description", "grams"),
    "crosswalk": ("old_food_code", "new_food_code"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class FoodFile:
    """One file that a build reads; None and ``""`` are unknown or none."""

    #: such as ``2017-2018``, or :data:`ALL_RELEASES`
    cycle: str
    #: foods, nutrients, ingredients, portions or crosswalk
    table: str
    workbook: str
    parquet: str
    #: address of the workbook
    url: str
    rows: int | None
    parquet_rows: int | None
    note: str
    source: str

    @property
    def file(self) -> str:
        """File name without ending, of the workbook where there is one."""
        return Path(self.workbook or self.parquet).stem


@dataclass(frozen=True, kw_only=True, slots=True)
class ReleaseAtHand:
    """A release: the kinds of file a build reads, and those at hand."""

    release: str
    files: tuple[str, ...]
    at_hand: tuple[str, ...]
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "release": self.release,
            "files": list(self.files),
            "at_hand": list(self.at_hand),
            "missing": list(self.missing),
        }


def _number(cell: str) -> int | None:
    return int(cell) if cell else None


@cache
def load_food_files() -> tuple[FoodFile, ...]:
    """Return the files known, oldest release first."""
    return tuple(
        FoodFile(
            cycle=r["release"],
            table=r["kind"],
            workbook=r["workbook"],
            parquet=r["parquet"],
            url=r["url"],
            rows=_number(r["rows"]),
            parquet_rows=_number(r["parquet_rows"]),
            note=r["note"],
            source=r["source"],
        )
        for r in read_rules("food_files")
    )


def chosen_files(releases: Iterable[str] | None) -> tuple[FoodFile, ...]:
    """Return the files of releases, all when None, and those of no single release.

    Raises
    ------
    NotFoundError
        Naming the releases there are.
    """
    known = dict.fromkeys(f.cycle for f in load_food_files())
    wanted = set(known if releases is None else releases)
    for release in sorted(wanted - set(known)):
        raise NotFoundError(
            f"no FNDDS release {release!r}",
            where="release",
            hint="releases: " + ", ".join(r for r in known if r != ALL_RELEASES),
        )
    return tuple(f for f in load_food_files() if f.cycle in wanted | {ALL_RELEASES})


def name_of(entry: FoodFile, form: str) -> str:
    """Return the name of a file in a form, ``""`` when there is no such form."""
    return entry.parquet if form == FORMS[0] else entry.workbook


def find_food_file(folders: Iterable[Path], entry: FoodFile) -> Path | None:
    """Find a file, as Parquet or as a workbook, whatever the case of its name."""
    found: dict[str, Path] = {}
    wanted = {name_of(entry, form).lower(): form for form in FORMS if name_of(entry, form)}
    for folder in folders:
        try:
            paths = sorted(folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            continue
        for path in paths:
            form = wanted.get(path.name.lower())
            if form is not None:
                found.setdefault(form, path)
    return next((found[form] for form in FORMS if form in found), None)


def releases_at_hand(folder: Path) -> tuple[ReleaseAtHand, ...]:
    """Return all releases of the registry with what of them is in a folder.

    Raises
    ------
    InputError
        When the folder is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("a file, not a folder", where=str(folder), hint="give a folder to --to")
    out = []
    for release in dict.fromkeys(f.cycle for f in load_food_files()):
        files = [f for f in load_food_files() if f.cycle == release]
        there = {f.table for f in files if find_food_file([folder], f) is not None}
        whole = next((f for f in files if f.table == "foods"), None)
        path = None if whole is None else find_food_file([folder], whole)
        if path is not None and path.suffix.lower() == FORMS[0]:
            there.add("nutrients")
        kinds = tuple(f.table for f in files)
        out.append(
            ReleaseAtHand(
                release=release,
                files=kinds,
                at_hand=tuple(k for k in kinds if k in there),
                missing=tuple(k for k in kinds if k not in there),
            )
        )
    return tuple(out)


def _composition() -> list[str]:
    """Return the house names of nutrients that a build reads."""
    return list(dict.fromkeys(r["composition"] for r in read_rules("food_tags")))


def _form(path: Path, head: bytes) -> str:
    """Return the form that the first bytes tell; a name that says otherwise is refused."""
    magic = {b"PAR1": FORMS[0], b"PK\x03\x04": FORMS[1]}
    form = magic.get(head[:4])
    if form is None:
        raise refusal(path, head, _WANTED)
    if form not in path.name.lower():
        what = "Parquet" if form == FORMS[0] else "a zip archive or workbook"
        raise SchemaError(
            f"looks like {what}, but its name says otherwise",
            where=str(path),
            hint="check the source, or rename the file",
        )
    return form


def _workbook_rows(path: Path, kind: str) -> int:
    headings = {
        "foods": workbooks.FOODS,
        "nutrients": workbooks.nutrient_headings(_composition()),
        "ingredients": workbooks.INGREDIENTS,
        "portions": workbooks.PORTIONS,
    }[kind]
    rows = workbooks.read_workbook(path, headings)
    if kind == "portions":
        below = [(code, grams) for code, _, grams in rows if _below_zero(grams)]
        _no_weights(path, len(below), f"{below[0][1]} g of food {below[0][0]}" if below else "")
    return len(rows)


def _below_zero(cell: object) -> bool:
    try:
        return float(str(cell)) < 0
    except ValueError:
        return False  # no weight at all, or read and told by its reader


def _no_weights(path: Path, number: int, first: str) -> None:
    if number:
        told = f": {first}" if first else ""
        raise SchemaError(
            f"{number:,} weights of portions below 0{told}", where=str(path), hint=_AGAIN
        )


def _parquet_rows(path: Path, kind: str) -> int:
    columns = list(_KEYS[kind])
    if kind == "foods":
        columns += [NUTRIENTS[n] for n in _composition()]
    # every column is named, so that one that lacks is told; every cell of a code is a number
    listed = ", ".join(f'count("{c}")' for c in columns)
    code = f'count(*), count(TRY_CAST("{columns[0]}" AS BIGINT))'
    ((rows, coded, *_),) = ask(path, f"{code}, {listed}", hint=_AGAIN)
    if rows != coded:
        raise SchemaError(
            f"{rows - coded:,} rows without a food code", where=str(path), hint=_AGAIN
        )
    if kind == "portions":
        ((below,),) = ask(path, "count(*) FILTER (TRY_CAST(grams AS DOUBLE) < 0)", hint=_AGAIN)
        _no_weights(path, int(below), "")
    return int(rows)


def verify_food_file(path: Path, entry: FoodFile, *, revised: bool = False) -> str:
    """Check a file by opening it: form, columns and rows.

    Parameters
    ----------
    path : Path
    entry : FoodFile
    revised : bool
        Take one with more rows than the registry states.

    Returns
    -------
    str
        Its SHA-256.

    Raises
    ------
    SchemaError
        When it is a web page or anything else, was cut, lacks columns or rows, or weighs portions
        below 0 g.
    MissingDataError
        When it is a workbook and openpyxl is absent.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not head:
        raise SchemaError("the file is empty", where=str(path), hint=_AGAIN)
    if _form(path, head) == FORMS[0]:
        check_parquet(path, path.stat().st_size)
        rows, stated = _parquet_rows(path, entry.table), entry.parquet_rows
    else:
        rows, stated = _workbook_rows(path, entry.table), entry.rows
    if not rows:
        raise SchemaError("no row with a food code", where=str(path), hint=_AGAIN)
    check_rows(path, stated, rows, revised=revised)
    return file_sha256(path)
