"""Where the recalls of a build lie, which surveys are at hand, and what their files are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.compose.written import source_entry
from prandial.errors import InputError, MissingDataError, NotFoundError
from prandial.sources.gift_get import gift_file
from prandial.sources.nhanes import load_cycles
from prandial.sources.nhanes.recalls import RecallFile, recall_files
from prandial.tables.rules import read_rules

__all__ = ["GiftFolder", "Recalls", "find_recalls", "is_gift", "source_entries", "spelled_cycles"]

#: a release that repeats people of another is taken only by its own name
_WIDE: Final = frozenset({"2017-2020"})
_GIFT: Final = re.compile(r"[A-Z]{3}-\d{5}")
_NHANES_LICENCE: Final = "public domain (US government)"
_NHANES_BY: Final = "CDC/NCHS, NHANES What We Eat in America, individual foods"
_GIFT_LICENCE: Final = "as the survey's owner states at FAO/WHO GIFT"


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftFolder:
    """A survey of FAO/WHO GIFT: its code and its file of food records."""

    cycle: str
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalls:
    """Files of food records that a build is made from.

    Parameters
    ----------
    nhanes : Path, optional
        Folder of cycles.
    files : tuple of RecallFile
        Of the NHANES cycles asked for.
    gift : tuple of GiftFolder
    """

    nhanes: Path | None
    files: tuple[RecallFile, ...]
    gift: tuple[GiftFolder, ...]

    @property
    def cycles(self) -> tuple[str, ...]:
        """Return the NHANES cycles, then the surveys of GIFT."""
        return (*dict.fromkeys(f.cycle for f in self.files), *(g.cycle for g in self.gift))

    @property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """Return the NHANES cycles in groups that share no people, in order."""
        twin = {r["cycle"]: r["contains"] for r in read_rules("nhanes_cycles") if r["contains"]}
        groups: dict[str, list[str]] = {}
        for cycle in dict.fromkeys(f.cycle for f in self.files):
            groups.setdefault(twin.get(cycle, cycle), []).append(cycle)
        return tuple(tuple(g) for g in groups.values())


def is_gift(cycle: str) -> bool:
    """Tell whether a name is the code of a GIFT survey, such as ``BOL-00006``."""
    return _GIFT.fullmatch(cycle) is not None


def spelled_cycles(cycles: Iterable[str]) -> tuple[str, ...]:
    """Return cycles one by one: ``2003-2018`` stands for those of two years within it.

    Parameters
    ----------
    cycles : iterable of str
        Each may hold several, parted by commas; a text is one of them.

    Raises
    ------
    InputError
        On what is no text.
    """
    known = load_cycles()
    out: list[str] = []
    cycles = [cycles] if isinstance(cycles, str) else list(cycles)
    odd = [c for c in cycles if not isinstance(c, str)]
    if odd:
        raise InputError(f"no cycle: {odd[0]!r}", where="cycles", hint='such as "2017-2018"')
    for name in (part.strip() for text in cycles for part in text.split(",")):
        first, _, last = name.partition("-")
        if name and name not in known and first.isdecimal() and last.isdecimal():
            spanned = [
                c for c in known
                if int(first) <= int(c[:4]) and int(c[5:]) <= int(last) and c not in _WIDE
            ]  # fmt: skip
            out += spanned or [name]
        elif name:
            out.append(name)
    return tuple(dict.fromkeys(out))


def find_recalls(root: Path, cycles: Sequence[str] | None = None) -> Recalls:
    """Find the food records below a folder.

    Parameters
    ----------
    root : Path
        Holds ``nhanes/`` (a folder a cycle) or ``gift/`` (a folder a survey), or is one of
        these two.
    cycles : sequence of str, optional
        NHANES cycles and codes of GIFT surveys; when None, all NHANES cycles at hand and no
        survey of GIFT, whose foods must be mapped first.

    Raises
    ------
    MissingDataError
        When the folder, or what was asked for, is not there.
    NotFoundError
        On what is neither a cycle nor a survey.
    """
    if not root.is_dir():
        raise MissingDataError(
            "no such folder",
            where=str(root),
            hint="give the folder that holds nhanes/ or gift/; prandial data get nhanes fetches"
            " files",
        )
    wanted = None if cycles is None else list(dict.fromkeys(cycles))
    if wanted is not None and not wanted:
        raise InputError("no cycle", where="cycles", hint="such as 2017-2018, or leave it out")
    known = load_cycles()
    gift = [c for c in wanted or () if is_gift(c)]
    odd = [c for c in wanted or () if c not in known and not is_gift(c)]
    if odd:
        raise NotFoundError(
            f"{odd[0]!r} is no survey cycle",
            where="cycles",
            hint="NHANES cycles such as 2017-2018, GIFT surveys such as BOL-00006",
        )
    nhanes = root / "nhanes"
    if not nhanes.is_dir() and any((root / cycle).is_dir() for cycle in known):
        nhanes = root
    files: tuple[RecallFile, ...] = ()
    if wanted is None or len(gift) < len(wanted):
        asked = None if wanted is None else [c for c in wanted if not is_gift(c)]
        files = recall_files(nhanes, asked)
    return Recalls(
        nhanes=nhanes if files else None,
        files=files,
        gift=tuple(_gift(root, code) for code in gift),
    )


def _gift(root: Path, code: str) -> GiftFolder:
    path = gift_file(root, code)
    if path is None:
        raise MissingDataError(
            f"no food records of the survey {code}",
            where=str(root / "gift" / code),
            hint="download it from FAO/WHO GIFT, then: prandial data get gift --from FOLDER",
        )
    return GiftFolder(cycle=code, path=path)


def source_entries(recalls: Recalls) -> list[dict[str, Any]]:
    """Return what the card says of each file: name, bytes, sha256, cycle, licence."""
    return [
        *(
            source_entry(f.path, cycle=f.cycle, day=f.day, by=_NHANES_BY, licence=_NHANES_LICENCE)
            for f in recalls.files
        ),
        *(
            source_entry(g.path, cycle=g.cycle, by="FAO/WHO GIFT", licence=_GIFT_LICENCE)
            for g in recalls.gift
        ),
    ]
