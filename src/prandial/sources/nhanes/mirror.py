"""Where files come from: CDC, a mirror on the web, or a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from prandial.errors import InputError, MissingDataError
from prandial.sources.nhanes.folder import FORMS, find_form, form_of
from prandial.sources.nhanes.registry import NhanesFile

__all__ = ["FolderMirror", "Offer", "Official", "UrlMirror", "target_name", "the_source"]

_ENDINGS: Final = (".XPT", ".xpt", ".parquet", ".slim.parquet")


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """One address a file may have, and the form it has there."""

    url: str
    form: str


def target_name(file: str, form: str) -> str:
    """Return the name under which a file is kept."""
    return file + (".XPT" if form == FORMS[0] else form)


@dataclass(frozen=True, slots=True)
class Official:
    """CDC's own addresses."""

    def offers(self, entry: NhanesFile) -> Iterator[Offer]:
        """Yield the one address, if CDC has a transport file."""
        if entry.url:
            yield Offer(url=entry.url, form=FORMS[0])


class UrlMirror:
    """A mirror on the web: ``URL/CYCLE/NAME`` or ``URL/NAME``, XPT or Parquet.

    Parameters
    ----------
    prefix : str
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix.rstrip("/")
        self._lucky: tuple[bool, str] | None = None

    def offers(self, entry: NhanesFile) -> Iterator[Offer]:
        """Yield the addresses a file may have, beginning with the last way that held one."""
        ways = [(nested, ending) for ending in _ENDINGS for nested in (True, False)]
        lucky = self._lucky
        # whole files are asked for before parts of them, whatever held one last
        ways.sort(key=lambda way: (way[1] == FORMS[2], way != lucky))
        for nested, ending in ways:
            folder = f"{self.prefix}/{entry.cycle}" if nested else self.prefix
            yield Offer(url=f"{folder}/{quote(entry.file + ending)}", form=form_of(ending))

    def found(self, entry: NhanesFile, offer: Offer) -> None:
        """Remember the way that held a file."""
        nested = offer.url.startswith(f"{self.prefix}/{entry.cycle}/")
        ending = next(e for e in reversed(_ENDINGS) if offer.url.endswith(e))
        self._lucky = (nested, ending)


@dataclass(frozen=True, slots=True)
class FolderMirror:
    """A local folder: files in ``CYCLE/`` or directly, XPT or Parquet."""

    root: Path

    def find(self, entry: NhanesFile) -> Path | None:
        """Return the file in the first form there is."""
        return find_form([self.root / entry.cycle, self.root], entry.file)


def the_source(source: str | Path | None) -> Official | UrlMirror | FolderMirror:
    """Tell what kind of source is meant.

    Parameters
    ----------
    source : str or Path, optional
        None is CDC; an address beginning with http:// or https://; else a folder.

    Raises
    ------
    InputError
        For another kind of address.
    MissingDataError
        When there is no such folder.
    """
    if source is None:
        return Official()
    text = str(source)
    if isinstance(source, str) and re.match(r"https?://", text, re.IGNORECASE):
        return UrlMirror(text)
    if isinstance(source, str) and re.match(r"[a-z][a-z0-9+.-]+://", text, re.IGNORECASE):
        raise InputError(
            f"cannot fetch from {text.split('://')[0]}://",
            where=text,
            hint="give a folder, or an address that begins with https:// or http://",
        )
    folder = Path(source)
    if not folder.is_dir():
        raise MissingDataError("no such folder", where=text, hint="check the path given to --from")
    return FolderMirror(folder)
