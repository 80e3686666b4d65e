"""Build a facts table: files of foods in, ``facts.parquet`` and a card out.

The same files give the same bytes: one thread, whole numbers, given order, no clock. Rows are
streamed; what does not fit the memory allowed is spilled beside the output.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from prandial.compose.facts.files import FactsFile
from prandial.compose.facts.grouped import group_rows, measures_of, middle_values
from prandial.compose.facts.rows import read_files
from prandial.errors import InputError
from prandial.nutrients import MAIN
from prandial.records.facts import FactForm
from prandial.sources.fetch import file_entry

if TYPE_CHECKING:
    import duckdb

__all__ = ["CARD", "FACTS", "FORM", "build_facts"]

FACTS: Final = "facts.parquet"
CARD: Final = "card.json"
#: of the folder's layout
FORM: Final = 1
_ROW_GROUP: Final = 8192
_SPILL: Final = ".spill"


def build_facts(
    files: Sequence[FactsFile],
    folder: Path | str,
    *,
    form: FactForm = "portions",
    ddof: int = 0,
    memory_gb: float = 2.0,
) -> dict[str, Any]:
    """Group foods by name, leave out what is too far off, take the middle, name the servings.

    Parameters
    ----------
    files : sequence of FactsFile
        As :func:`prandial.compose.facts.find_files` finds them.
    folder : Path or str
        Made when it is not there; gets ``facts.parquet`` and ``card.json``.
    form : {'portions', 'published'}
        Ours, or that of NutriBench's appendix D; see :mod:`prandial.compose.facts.grouped`.
    ddof : {0, 1}
        Of the standard deviation behind z.
    memory_gb : float
        Most that the grouping may hold.

    Returns
    -------
    dict
        The card: counts (rows, rows without carbohydrate, names, foods, foods with a household
        measure, values dropped), sources with digests.

    Raises
    ------
    InputError
        On another form or ddof, no files, or a folder that cannot be written.
    SchemaError
        When a file is damaged or lacks a column.
    """
    if form not in get_args(FactForm) or ddof not in (0, 1) or not files:
        raise InputError(
            "no facts can be built so",
            where=f"form {form!r}, ddof {ddof!r}, {len(files)} files",
            hint="form published or portions, ddof 0 or 1, at least one file",
        )
    there = Path(folder)
    try:
        there.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "the folder cannot be made", where=str(there), hint=error.strerror or ""
        ) from error
    import duckdb

    spill = there / _SPILL
    settings: dict[str, Any] = {
        "threads": 1,
        "preserve_insertion_order": True,
        "memory_limit": f"{memory_gb}GB",
        "temp_directory": str(spill),
    }
    try:
        with duckdb.connect(config=settings) as con:
            read_files(con, tuple(files))
            group_rows(con, form)
            middle_values(con, form, ddof=ddof)
            measures_of(con, form)
            _write(con, there / FACTS)
            counts = _counts(con, there / FACTS)
    finally:
        shutil.rmtree(spill, ignore_errors=True)
    card = {
        "title": "Foods with carbohydrate and servings, for retrieval",
        "layout": FORM,
        "form": form,
        "ddof": ddof,
        "counts": counts,
        "sources": [_told(f) for f in files],
        "files": {FACTS: file_entry(there / FACTS)},
    }
    write_card(there, card)
    return card


def write_card(folder: Path, card: dict[str, Any]) -> None:
    """Write a folder's card."""
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (folder / CARD).write_text(text, encoding="utf-8")


def _told(file: FactsFile) -> dict[str, Any]:
    return {"name": file.name, "file": file.foods.name, **file_entry(file.foods)}


def _write(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Write one row a food that has carbohydrate; reference foods first, then by key."""
    import duckdb

    values = ", ".join(f"max(value) FILTER (nutrient = '{n}') AS {n}" for n in MAIN)
    query = (
        "WITH spelled AS (SELECT *, count(*) OVER (PARTITION BY g, shown) AS spellings FROM keyed),"  # noqa: S608
        f" valued AS (SELECT g, {values},"
        " max(kept) FILTER (nutrient = 'carb_g') AS values_kept,"
        " max(n) FILTER (nutrient = 'carb_g') AS values_all FROM middle GROUP BY g),"
        " grouped AS (SELECT g, min(key) AS key, min(kind = 'label') AS is_label,"
        " first(shown ORDER BY rank, spellings DESC, shown) AS name,"
        " first(category ORDER BY category IS NULL, rank, category) AS category,"
        " list(source || '|' || id ORDER BY carb_g IS NULL, rank, length(id), id) AS sources,"
        " list(fdc_id ORDER BY rank, fdc_id) FILTER (fdc_id IS NOT NULL) AS fdc_ids,"
        " list(DISTINCT other ORDER BY other) FILTER (other IS NOT NULL) AS others,"
        " list(DISTINCT name ORDER BY name) FILTER (lower(name) <> lower(shown)) AS older"
        " FROM spelled GROUP BY g),"
        " told AS (SELECT g, list(text ORDER BY place) AS measure_texts,"
        " list(grams ORDER BY place) AS measure_grams FROM measure GROUP BY g)"
        " SELECT row_number() OVER (ORDER BY is_label, key) - 1 AS number, name,"
        " array_to_string(list_concat(coalesce(older, []), coalesce(others, [])), '; ')"
        " AS other_names, coalesce(category, '') AS category,"
        " CASE WHEN is_label THEN 'label' ELSE 'reference' END AS kind,"
        " carb_g, protein_g, fat_g, energy_kcal, values_all, values_kept, sources,"
        " coalesce(fdc_ids, []) AS fdc_ids, coalesce(measure_texts, []) AS measure_texts,"
        " coalesce(measure_grams, []) AS measure_grams"
        " FROM grouped JOIN valued USING (g) LEFT JOIN told USING (g)"
        " WHERE carb_g IS NOT NULL ORDER BY number"
    )
    target = str(path).replace("'", "''")
    try:
        con.execute(
            f"COPY ({query}) TO '{target}' (FORMAT parquet, COMPRESSION zstd,"
            f" ROW_GROUP_SIZE {_ROW_GROUP})"
        )
    except duckdb.IOException as error:
        raise InputError(
            "the facts could not be written",
            where=str(path),
            hint=str(error).splitlines()[0],
        ) from error


def _counts(con: duckdb.DuckDBPyConnection, path: Path) -> dict[str, Any]:
    rows = con.execute(
        "SELECT source, count(*), count(*) FILTER (carb_g IS NULL) FROM food_row GROUP BY 1"
        " ORDER BY min(rank)"
    ).fetchall()
    groups, described = con.execute(
        "SELECT count(DISTINCT g), count(DISTINCT name) FROM keyed"
    ).fetchall()[0]
    out = con.execute(
        "SELECT count(*), count(*) FILTER (len(measure_texts) > 0), sum(len(measure_texts)),"  # noqa: S608
        " sum(values_all - values_kept), count(*) FILTER (values_all > values_kept),"
        " count(*) FILTER (kind = 'reference'),"
        " count(*) FILTER (kind = 'reference' AND len(measure_texts) > 0)"
        f" FROM read_parquet('{str(path).replace(chr(39), chr(39) * 2)}')"
    ).fetchall()[0]
    ((heavy,),) = con.execute("SELECT n FROM too_heavy").fetchall()
    names = (
        "foods",
        "with_household_measure",
        "household_measures",
        "values_dropped",
        "foods_with_values_dropped",
        "reference_foods",
        "reference_with_household_measure",
    )
    return {
        "rows": sum(r[1] for r in rows),
        "rows_without_carbohydrate": sum(r[2] for r in rows),
        "rows_by_source": {r[0]: r[1] for r in rows},
        "descriptions": described,
        "groups": groups,
        **{n: int(v or 0) for n, v in zip(names, out, strict=True)},
        "measures_too_heavy": heavy,
    }
