"""Which files of foods there are to make facts from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from prandial.errors import MissingDataError, NotFoundError
from prandial.records.facts import FactKind
from prandial.tables.rules import read_rules

__all__ = ["FactsFile", "fdc_files", "find_files"]

PortionForm = Literal["", "said", "said_of_code", "counted", "counted_unit", "listed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FactsFile:
    """A table of foods as a Parquet or CSV file, and which of its columns are what.

    The name is in ``description``. The parameters are the columns of ``fact_sources.csv``, with
    paths in place of file names, and:

    Parameters
    ----------
    house_names : bool
        Whether nutrients per 100 g are in ``carb_g``, ``protein_g``, ``fat_g`` and
        ``energy_kcal``; else in ``carbohydrate_g``, ``protein_g``, ``total_fat_g`` and
        ``energy_kcal``.
    data_type : str
        Of a file with a column ``data_type``: ``branded`` takes these rows, ``-branded`` all
        others; empty takes all.
    """

    name: str
    table: str
    release: str
    kind: FactKind
    rank: int
    foods: Path
    food_id: str = ""
    fdc_id: str = ""
    other_names: str = ""
    category: str = ""
    serving_text: str = ""
    serving_grams: str = ""
    portions: Path | None = None
    portion_food: str = ""
    portion_form: PortionForm = ""
    rows: int | None = None
    house_names: bool = False
    data_type: str = ""


def find_files(folder: Path | str) -> tuple[FactsFile, ...]:
    """Return the known tables of foods that a folder holds.

    Parameters
    ----------
    folder : Path or str

    Raises
    ------
    NotFoundError
        When there is no such folder.
    MissingDataError
        When the folder holds none, or lacks a table's measures.
    """
    there = Path(folder)
    if not there.is_dir():
        raise NotFoundError("no such folder", where=str(there), hint="check the path")
    known = read_rules("fact_sources")
    found = [r for r in known if (there / r["foods"]).is_file()]
    absent = [
        r["portions"] for r in found if r["portions"] and not (there / r["portions"]).is_file()
    ]
    if absent or not found:
        raise MissingDataError(
            f"{absent[0]} is missing" if absent else "no table of foods is here",
            where=str(there),
            hint="files it may hold: " + ", ".join(r["foods"] for r in known),
        )
    return tuple(_file(r, there) for r in found)


def _file(row: dict[str, str], folder: Path) -> FactsFile:
    return FactsFile(
        name=row["name"],
        table=row["table"],
        release=row["release"],
        kind=cast("FactKind", row["kind"]),
        rank=int(row["rank"]),
        foods=folder / row["foods"],
        food_id=row["food_id"],
        fdc_id=row["fdc_id"],
        other_names=row["other_names"],
        category=row["category"],
        serving_text=row["serving_text"],
        serving_grams=row["serving_grams"],
        portions=folder / row["portions"] if row["portions"] else None,
        portion_food=row["portion_food"],
        portion_form=cast("PortionForm", row["portion_form"]),
        rows=int(row["rows"]) if row["rows"] else None,
    )


def fdc_files(path: Path | str, *, release: str) -> tuple[FactsFile, FactsFile]:
    """Return a Parquet file of FoodData Central foods as reference foods and labels.

    Parameters
    ----------
    path : Path or str
        Has ``id``, ``description``, ``data_type``, ``category``, house names of nutrients and
        ``portions``, a list of ``{name, grams}``; as the reader of FoodData Central downloads
        writes it.
    release : str
        Such as ``2024-04``.

    Raises
    ------
    NotFoundError
        When there is no such file.
    """
    file = Path(path)
    if not file.is_file():
        raise NotFoundError("no such file", where=str(file), hint="check the path")
    reference, label = (
        FactsFile(
            name=f"fdc_{kind}",
            table="fdc",
            release=release,
            kind=cast("FactKind", kind),
            rank=rank,
            foods=file,
            food_id="id",
            fdc_id="id",
            category="category",
            portions=file,
            portion_food="id",
            portion_form="listed",
            house_names=True,
            data_type=data_type,
        )
        for kind, rank, data_type in (("reference", 1, "-branded"), ("label", 2, "branded"))
    )
    return reference, label
