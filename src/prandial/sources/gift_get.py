"""Get food records of FAO/WHO GIFT: from a folder or a mirror; verified, resumed.

The platform gives microdata to registered users in a browser, in a folder a survey that holds
``consumption_user.csv`` and ``subject_user.csv``; there is no address to fetch them from.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.sources.fetch import (
    Offer,
    Wanted,
    address_or_folder,
    check_rows,
    check_target,
    file_sha256,
    get_files,
)
from prandial.sources.gift.cells import open_gift
from prandial.sources.home import data_home
from prandial.sources.nhanes.sniff import HEAD, check_parquet, refusal
from prandial.sources.report import GetReport, Progress
from prandial.sources.web import Web
from prandial.tables.rules import read_rules

__all__ = ["GiftFile", "get_gift", "gift_file", "gift_home", "load_gift_files", "verify_gift_file"]

_WITHIN: Final = "gift"
_FORMS: Final = (".parquet", ".csv")
_CODE: Final = re.compile(r"[A-Z]{3}-\d{5}")
_AGAIN: Final = "take it again from FAO/WHO GIFT (www.fao.org/gift-individual-food-consumption)"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
#: kind -> file, the reader's name of its table, and what the reader needs of it
_KINDS: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "consumption": ("consumption_user.csv", "consumption", ("subject", "day", "name", "grams")),
    "subjects": ("subject_user.csv", "subject", ("subject",)),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftFile:
    """One file of a survey; ``cycle`` is the survey's code and ``table`` the kind."""

    cycle: str
    table: str
    file: str
    parquet: str = ""
    rows: int | None = None

    def name(self, form: str) -> str:
        """Return the file's name in a form, empty when there is no such form."""
        return self.parquet if form == _FORMS[0] else self.file


def gift_home() -> Path:
    """Return the folder where fetched files are kept; it may not exist yet."""
    return data_home(os.environ) / _WITHIN


def load_gift_files(surveys: Sequence[str] | None = None) -> tuple[GiftFile, ...]:
    """Return the files of surveys.

    Parameters
    ----------
    surveys : sequence of str, optional
        Codes such as ``BOL-00006``; those on record when None. Rows of others are not known.

    Raises
    ------
    NotFoundError
        On what is no code of a survey.
    """
    known = {
        (r["survey"], r["kind"]): GiftFile(
            cycle=r["survey"],
            table=r["kind"],
            file=r["file"],
            parquet=r["parquet"],
            rows=int(r["rows"]) if r["rows"] else None,
        )
        for r in read_rules("gift_files")
    }
    if surveys is None:
        return tuple(known.values())
    out = []
    for code in dict.fromkeys(surveys):
        if _CODE.fullmatch(code) is None:
            raise NotFoundError(
                f"{code!r} is no survey of FAO/WHO GIFT",
                where="survey",
                hint="codes are such as " + ", ".join(dict.fromkeys(c for c, _ in known)),
            )
        for kind, (file, *_) in _KINDS.items():
            out.append(known.get((code, kind)) or GiftFile(cycle=code, table=kind, file=file))
    return tuple(out)


def verify_gift_file(path: Path, entry: GiftFile, *, revised: bool = False) -> str:
    """Check a file by opening it: form, columns and rows.

    Returns
    -------
    str
        Its SHA-256.

    Raises
    ------
    SchemaError
        When it is anything else, was cut, or lacks columns or rows.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not head:
        raise SchemaError("the file is empty", where=str(path), hint=_AGAIN)
    _, table, columns = _KINDS[entry.table]
    binary = b"\x00" in head and head[:2] not in _UTF16
    if head.startswith(b"PAR1"):
        check_parquet(path, path.stat().st_size)
        form = ".parquet"
    elif head.lstrip().startswith(b"<") or binary or head.startswith(b"PK"):
        raise refusal(path, head, "a table of FAO/WHO GIFT (CSV or Parquet)")
    else:
        form = ".csv"
    rows = sum(1 for _ in open_gift(path, table, columns, form).rows)
    if not rows:
        raise SchemaError("no row in it", where=str(path), hint=_AGAIN)
    check_rows(path, entry.rows, rows, revised=revised)
    return file_sha256(path)


class _Shelf:
    """``TARGET/SURVEY/NAME``."""

    def there(self, target: Path, entry: GiftFile) -> Path | None:
        return _find(target, entry)

    def form(self, name: str) -> str:
        return next((f for f in _FORMS if name.lower().endswith(f)), "")

    def partial(self, form: str) -> bool:  # noqa: ARG002  no form holds a part only
        return False

    def place(self, target: Path, entry: GiftFile, form: str) -> Path:
        return target / entry.cycle / entry.name(form)

    def verify(self, path: Path, entry: GiftFile, *, revised: bool) -> str:
        return verify_gift_file(path, entry, revised=revised)


def _find(root: Path, entry: GiftFile) -> Path | None:
    """Find a file in the folder of its survey, or under its Parquet name, which is its own."""
    below = (entry.cycle, entry.cycle.replace("-", "_"))
    for form in _FORMS:
        name = entry.name(form)
        places = [root / b / name for b in below] if name else []
        if name and form == _FORMS[0]:
            places.append(root / name)
        for path in places:
            if path.is_file():
                return path
    return None


class _Mirror:
    """A mirror on the web: ``URL/SURVEY/NAME`` or ``URL/gift/SURVEY/NAME``."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix.rstrip("/")

    def offers(self, entry: GiftFile) -> Iterator[Offer]:
        for form in _FORMS:
            name = entry.name(form)
            for below in ("", f"{_WITHIN}/") if name else ():
                url = f"{self.prefix}/{below}{entry.cycle}/{quote(name)}"
                yield Offer(url=url, form=form)

    def found(self, entry: GiftFile, offer: Offer) -> None:
        pass

    def absent(self, entry: GiftFile) -> str:
        return f"the source has no such file (HTTP 404): {entry.cycle}/{entry.file}"


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path

    def find(self, entry: GiftFile) -> Path | None:
        for place in (self.root, self.root / _WITHIN, self.root / "foods"):
            found = _find(place, entry)
            if found is not None:
                return found
        return None


def gift_file(root: Path, survey: str, kind: str = "consumption") -> Path | None:
    """Return a survey's file below a folder, None when it is not there.

    Parameters
    ----------
    root : Path
        As ``target`` of :func:`get_gift`, or a folder that holds ``gift/``.
    survey : str
        Such as ``BOL-00006``.
    kind : {'consumption', 'subjects'}

    Raises
    ------
    NotFoundError
        On what is no code of a survey.
    """
    entry = next(e for e in load_gift_files([survey]) if e.table == kind)
    return _Folder(root).find(entry)


def get_gift(
    surveys: Sequence[str] | None = None,
    *,
    source: str | Path | None = None,
    target: Path | str | None = None,
    revised: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    web: Web | None = None,
    pause: Callable[[float], object] | None = None,
) -> GetReport:
    """Get the files of surveys into ``TARGET/SURVEY/``.

    Parameters
    ----------
    surveys : sequence of str, optional
        Codes such as ``BOL-00006``; those on record when None.
    source : str or Path
        A folder that holds ``SURVEY/consumption_user.csv`` and ``SURVEY/subject_user.csv``, or
        an address below which they are; without one there is nowhere to get them from.
    target : Path or str, optional
        Default :func:`gift_home`.
    revised : bool
        Take a file with more rows than the registry states.
    on_progress, web, pause
        As for :func:`prandial.sources.nhanes.get_nhanes`.

    Returns
    -------
    GetReport
        One record a file; ``cycle`` is the survey and ``table`` the kind.

    Raises
    ------
    MissingDataError
        Without a source, or when its folder is missing, or httpx is not installed.
    NotFoundError
        On what is no code of a survey.
    DataError
        When nothing more can be fetched.
    """
    wanted = [Wanted(entry=f, named=True) for f in load_gift_files(surveys)]
    if source is None:
        raise MissingDataError(
            "FAO/WHO GIFT gives its files to registered users in a browser",
            where="--from",
            hint="get them at www.fao.org/gift-individual-food-consumption and give the folder"
            " that holds SURVEY/consumption_user.csv to --from",
        )
    place = address_or_folder(source)
    folder = _Folder(place) if isinstance(place, Path) else None
    into = gift_home() if target is None else Path(target)
    check_target(into, None if folder is None else folder.root)
    return get_files(
        _Shelf(),
        wanted,
        folder=folder,
        site=None if folder is not None else _Mirror(str(place)),
        target=into,
        revised=revised,
        on_progress=on_progress,
        web=web,
        pause=pause,
    )
