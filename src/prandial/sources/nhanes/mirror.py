"""Where files come from: CDC, a mirror on the web, or a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from prandial.sources.fetch import Offer, address_or_folder
from prandial.sources.nhanes.folder import FORMS, find_form, form_of
from prandial.sources.nhanes.registry import NhanesFile, load_cycles

__all__ = ["FolderMirror", "Offer", "Official", "UrlMirror", "target_name", "the_source"]

_NONE: Final = "the source has no such file (HTTP 404)"
_ENDINGS: Final = (".XPT", ".xpt", ".parquet", ".slim.parquet")


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

    def found(self, entry: NhanesFile, offer: Offer) -> None:
        """Need not remember anything."""

    def absent(self, entry: NhanesFile) -> str:
        """Say why a file is not to be had."""
        if entry.url:
            return _NONE
        return "CDC offers no transport file of it: take it with --from FOLDER or --from URL"


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

    def absent(self, entry: NhanesFile) -> str:  # noqa: ARG002
        """Say why a file is not to be had."""
        return _NONE


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
        None is CDC; an address beginning with http:// or https://; else a folder, or one
        that holds it as ``nhanes``.

    Raises
    ------
    InputError
        For another kind of address.
    MissingDataError
        When there is no such folder.
    """
    if source is None:
        return Official()
    place = address_or_folder(source)
    if isinstance(place, str):
        return UrlMirror(place)
    own = any((place / cycle).is_dir() for cycle in load_cycles())
    within = place / "nhanes"
    return FolderMirror(within if within.is_dir() and not own else place)
