"""Foods and measures of the files as two DuckDB tables, read as a stream.

Amounts become whole ten-thousandths of their unit, so that sums, deviations and medians are
exact and the same everywhere. A label with energy and no macronutrient at all, beyond what a
serving may round to 0, was filled with zeros: its macronutrients are unknown, as in
:mod:`prandial.sources.fdc`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from prandial.compose.facts.files import FactsFile
from prandial.compose.facts.servings import serving_words
from prandial.errors import SchemaError
from prandial.nutrients import MAIN, NUTRIENTS

if TYPE_CHECKING:
    import duckdb

__all__ = ["PARTS", "read_files"]

#: whole parts of a gram or kilocalorie
PARTS: Final = 10_000
#: a label's energy in 100 g, and in a serving with each macronutrient just below 0.5 g (21 CFR
#: 101.9(c)), from which zeros of all macronutrients are no zeros
_ZERO_FILLED_KCAL: Final = (20.0, 8.5)
#: above this no measure of a food is believed; the heaviest of USDA's tables is a melon of 6 kg
_MOST_GRAMS: Final = 10_000.0
_HINT: Final = "the columns are those of fact_sources.csv"
_FORMS: Final = {
    "said": "description",
    "said_of_code": "description",
    "counted": "concat_ws(' ', format('{:g}', CAST(amount AS DOUBLE)), description)",
    "counted_unit": "concat_ws(', ', concat_ws(' ', format('{:g}', CAST(amount AS DOUBLE)), unit),"
    " modifier, description)",
}


def read_files(con: duckdb.DuckDBPyConnection, files: tuple[FactsFile, ...]) -> None:
    """Fill the tables ``food_row`` and ``measure_row``.

    Parameters
    ----------
    con : DuckDBPyConnection
    files : tuple of FactsFile

    Raises
    ------
    SchemaError
        When a file is damaged or lacks a column.
    """
    amounts = ", ".join(f"{n} BIGINT" for n in MAIN)
    con.execute(
        "CREATE TABLE food_row (source VARCHAR, tbl VARCHAR, kind VARCHAR, rank TINYINT,"
        f" id VARCHAR, fdc_id BIGINT, name VARCHAR, other VARCHAR, category VARCHAR, {amounts})"
    )
    con.execute(
        "CREATE TABLE measure_row (source VARCHAR, id VARCHAR, seq INTEGER, raw VARCHAR,"
        " grams DOUBLE)"
    )
    for file in files:
        _foods(con, file)
        _measures(con, file)
    _put_in_words(con)


def _scan(path: Path) -> str:
    text = "".join(f"[{c}]" if c in "*?[" else c for c in str(path)).replace("'", "''")
    if path.suffix.lower() == ".csv":
        return f"read_csv('{text}', header = true, all_varchar = true)"
    return f"read_parquet('{text}')"


def _named(column: str) -> str:
    return '"' + column.replace('"', '""') + '"' if column else "NULL"


def _parts(column: str) -> str:
    """Return an amount in whole parts; NULL for what is no amount."""
    value = f"TRY_CAST({_named(column)} AS DOUBLE)"
    return f"CASE WHEN {value} BETWEEN 0 AND 1e6 THEN CAST(round({value} * {PARTS}) AS BIGINT) END"


def _amounts(file: FactsFile) -> str:
    columns = {n: n if file.house_names else NUTRIENTS[n] for n in MAIN}
    amounts = {n: _parts(c) for n, c in columns.items()}
    if file.kind == "label" and file.serving_grams:
        energy = f"TRY_CAST({_named(columns['energy_kcal'])} AS DOUBLE)"
        stated = f"{energy} * TRY_CAST({_named(file.serving_grams)} AS DOUBLE) / 100"
        of_100g, of_serving = _ZERO_FILLED_KCAL
        macros = [n for n in MAIN if n != "energy_kcal"]
        zeros = " AND ".join(f"TRY_CAST({_named(columns[n])} AS DOUBLE) = 0" for n in macros)
        filled = f"{zeros} AND {energy} >= {of_100g} AND coalesce({stated} > {of_serving}, true)"
        amounts |= {
            n: f"CASE WHEN NOT coalesce({filled}, false) THEN {amounts[n]} END" for n in macros
        }
    return ", ".join(amounts.values())


def _text(column: str) -> str:
    held = f"regexp_replace(trim(CAST({_named(column)} AS VARCHAR)), '\\s+', ' ', 'g')"
    return f"nullif({held}, '')"


def _run(con: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    import duckdb

    try:
        con.execute(query)
    except duckdb.Error as error:
        raise SchemaError(
            f"not the table of foods it is named as: {str(error).splitlines()[0]}",
            where=str(path),
            hint=_HINT,
        ) from None


def _source(file: FactsFile) -> str:
    return f"'{file.table}|{file.release}'"


def _id(file: FactsFile) -> str:
    return f"CAST({_named(file.food_id)} AS VARCHAR)" if file.food_id else "CAST(place AS VARCHAR)"


def _numbered(file: FactsFile) -> str:
    """Return the rows with their place in the file; one thread reads them in order."""
    return f"(SELECT row_number() OVER () AS place, * FROM {_scan(file.foods)})"  # noqa: S608


def _only(file: FactsFile) -> str:
    if not file.data_type:
        return ""
    sign = "<>" if file.data_type.startswith("-") else "="
    return f" AND data_type {sign} '{file.data_type.removeprefix('-')}'"


def _foods(con: duckdb.DuckDBPyConnection, file: FactsFile) -> None:
    texts = ", ".join(_text(c) for c in ("description", file.other_names, file.category))
    query = (
        f"INSERT INTO food_row SELECT {_source(file)}, '{file.table}', '{file.kind}',"  # noqa: S608
        f" {file.rank}, {_id(file)}, TRY_CAST({_named(file.fdc_id)} AS BIGINT), {texts},"
        f" {_amounts(file)} FROM {_numbered(file)}"
        f" WHERE description IS NOT NULL AND trim(description) <> ''{_only(file)}"
    )
    _run(con, query, file.foods)


def _measures(con: duckdb.DuckDBPyConnection, file: FactsFile) -> None:
    if file.serving_text:
        grams = f"TRY_CAST({_named(file.serving_grams)} AS DOUBLE)"
        query = (
            f"INSERT INTO measure_row SELECT {_source(file)}, {_id(file)}, 1,"  # noqa: S608
            f" {_text(file.serving_text)}, {grams} FROM {_numbered(file)}"
            f" WHERE {grams} > 0 AND {_text(file.serving_text)} IS NOT NULL"
        )
        _run(con, query, file.foods)
    if file.portions is not None and file.portion_form == "listed":
        query = (
            f"INSERT INTO measure_row SELECT {_source(file)}, id, seq, one.name, one.grams"  # noqa: S608
            f" FROM (SELECT CAST({_named(file.portion_food)} AS VARCHAR) AS id,"
            " unnest(portions) AS one, generate_subscripts(portions, 1) AS seq"
            f" FROM {_scan(file.portions)} WHERE true{_only(file)}) WHERE one.grams > 0"
        )
        _run(con, query, file.portions)
    elif file.portions is not None:
        left = " AND subcode IS NULL" if file.portion_form == "said_of_code" else ""
        query = (
            f"INSERT INTO measure_row SELECT {_source(file)},"  # noqa: S608
            f" CAST({_named(file.portion_food)} AS VARCHAR), TRY_CAST(seq AS INTEGER),"
            f" {_FORMS[file.portion_form]}, TRY_CAST(grams AS DOUBLE) AS weight"
            f" FROM {_scan(file.portions)} WHERE weight > 0{left}"
        )
        _run(con, query, file.portions)


def _put_in_words(con: duckdb.DuckDBPyConnection) -> None:
    """Add ``text`` to the measures; those that are none go."""
    con.execute(
        "CREATE TABLE too_heavy AS SELECT count(*) AS n FROM measure_row"  # noqa: S608
        f" WHERE grams > {_MOST_GRAMS}"
    )
    con.execute(f"DELETE FROM measure_row WHERE NOT (grams <= {_MOST_GRAMS})")  # noqa: S608
    raws = [r[0] for r in con.execute("SELECT DISTINCT raw FROM measure_row ORDER BY 1").fetchall()]
    said = np.array([serving_words(r or "") for r in raws], dtype=object)
    con.register("words", {"raw": np.array(raws, dtype=object), "text": said})
    con.execute(
        "CREATE TABLE measure_said AS SELECT m.source, m.id, m.seq, m.grams, w.text"
        " FROM measure_row m JOIN words w USING (raw) WHERE w.text <> ''"
    )
    con.unregister("words")
    con.execute("DROP TABLE measure_row")
