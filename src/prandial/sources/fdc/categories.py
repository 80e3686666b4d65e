"""What a food is sorted under and coded as, from the small tables of a download."""

from __future__ import annotations

from functools import cached_property

from prandial.sources.fdc.archive import Download
from prandial.sources.fdc.food import DataType
from prandial.sources.fdc.notes import FdcNotes
from prandial.sources.fdc.table import open_table, words

__all__ = ["Categories", "small_table"]


def small_table(
    download: Download, name: str, key: str, value: str, notes: FdcNotes
) -> dict[str, str]:
    """Read a small table as a mapping; empty when it is not there, which is noted."""
    if name not in download.members:
        notes.absent.append(name)
        return {}
    with open_table(download, name, (key, value), notes) as table:
        return {k.strip(): words(v, notes, table.line) for k, v in table.rows()}


class Categories:
    """Category and code of a food by what its type has; a table is read when first needed."""

    def __init__(self, download: Download, notes: FdcNotes) -> None:
        self._download, self._notes = download, notes

    @cached_property
    def _plain(self) -> dict[str, str]:
        return small_table(self._download, "food_category.csv", "id", "description", self._notes)

    @cached_property
    def _foundation(self) -> dict[str, str]:
        return small_table(
            self._download, "foundation_food.csv", "fdc_id", "ndb_number", self._notes
        )

    @cached_property
    def _legacy(self) -> dict[str, str]:
        return small_table(
            self._download, "sr_legacy_food.csv", "fdc_id", "ndb_number", self._notes
        )

    @cached_property
    def _survey(self) -> dict[str, tuple[str, str]]:
        name = "survey_fndds_food.csv"
        if name not in self._download.members:
            self._notes.absent.append(name)
            return {}
        groups = _groups(self._download, self._notes)
        columns = ("fdc_id", "food_code")
        optional = ("wweia_category_number", "wweia_category_code")
        with open_table(self._download, name, columns, self._notes, optional=optional) as table:
            return {
                fdc_id.strip(): (
                    groups.get((group or older).strip(), ""),
                    words(code, self._notes, table.line),
                )
                for fdc_id, code, group, older in table.rows()
            }

    def of(self, fdc_id: str, kind: DataType, category: str) -> tuple[str, str]:
        """Return category and code."""
        if kind == "survey":
            return self._survey.get(fdc_id.strip(), ("", ""))
        text = category.strip()
        if kind == "branded":
            return ("" if text.isdecimal() else text), ""
        codes = self._foundation if kind == "foundation" else self._legacy
        named = self._plain.get(text) if text.isdecimal() else text
        return named or "", codes.get(fdc_id.strip(), "")


def _groups(download: Download, notes: FdcNotes) -> dict[str, str]:
    """Read WWEIA categories; the column of their numbers has had two names."""
    name = "wweia_food_category.csv"
    if name not in download.members:
        notes.absent.append(name)
        return {}
    optional = ("wweia_food_category", "wweia_food_category_code")
    with open_table(
        download, name, ("wweia_food_category_description",), notes, optional=optional
    ) as table:
        return {
            (group or older).strip(): words(text, notes, table.line)
            for text, group, older in table.rows()
        }
