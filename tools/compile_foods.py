"""Compile the built-in food tables from USDA's public-domain releases.

Reads the releases from a folder (``--shared``, or ``PRANDIAL_SHARED``, or
``../shared``) and writes compact Parquet files, each with a card, into the
package. Same input, same bytes. Run ``python tools/compile_foods.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from prandial.nutrients import NUTRIENTS, unit_of  # noqa: E402

CYCLES = ("2003-2004", "2005-2006", "2007-2008", "2009-2010", "2011-2012")
#: food codes of these cycles are carried forward through the code changes
CHANGES = (
    "2009-2010",
    "2011-2012",
    "2013-2014",
    "2015-2016",
    "2017-2018",
    "2019-2020",
    "2021-2023",
)
LICENCE = "US public domain (CC0)"
FNDDS = {
    "fndds-2017-2018": ("fndds_2017_2018", "FNDDS 2017-2018"),
    "fndds-2021-2023": ("fndds_2021_2023", "FNDDS 2021-2023"),
}
KEPT_AMOUNTS = 40


def connect() -> duckdb.DuckDBPyConnection:
    """Open an engine whose output does not depend on the number of cores."""
    con = duckdb.connect()
    con.execute("SET threads = 1; SET preserve_insertion_order = true")
    return con


def write(con: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    """Write a query's rows as one Parquet file."""
    con.execute(
        f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19)"
    )


def card(con: duckdb.DuckDBPyConnection, path: Path, **facts: Any) -> None:
    """Write the card of a compiled file: origin, columns, counts, digest."""
    columns = {}
    described = con.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
    rows = con.execute(f"SELECT count(*) FROM '{path}'").fetchone()
    for name, kind, *_ in described:
        missing = con.execute(f"SELECT count(*) - count(\"{name}\") FROM '{path}'").fetchone()
        unit = unit_of(name) + " per 100 g" if name in NUTRIENTS else facts["units"].get(name, "")
        columns[name] = {"type": kind, "unit": unit, "missing": missing[0] if missing else 0}
    facts.pop("units")
    body = {
        "file": path.name,
        "licence": LICENCE,
        **facts,
        "rows": rows[0] if rows else 0,
        "columns": columns,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    text = json.dumps(body, indent=1, ensure_ascii=False) + "\n"
    path.with_name(path.name.replace(".parquet", ".card.json")).write_text(text, encoding="utf-8")


def nutrient_sql() -> str:
    """Select list of the nutrients under their house names, as 32-bit floats."""
    return ", ".join(f'CAST("{raw}" AS FLOAT) AS {house}' for house, raw in NUTRIENTS.items())


def recalls(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    """Collect the food records of the prior's cycles, both recall days."""
    parts = []
    for cycle in CYCLES:
        for path in sorted((shared / "data" / "nhanes" / cycle).glob("DR?IFF*.parquet")):
            day = path.name[2]
            parts.append(
                f"SELECT CAST(DR{day}IFDCD AS BIGINT) AS code, DR{day}IGRMS AS grams FROM '{path}'"
            )
    con.execute("CREATE TABLE eaten AS " + " UNION ALL ".join(parts))


def crosswalk(con: duckdb.DuckDBPyConnection, shared: Path) -> dict[int, list[int]]:
    """Successors of discontinued food codes."""
    path = shared / "data" / "foods" / "fndds_code_crosswalk.parquet"
    out: dict[int, list[int]] = {}
    for old, new in con.execute(
        f"SELECT DISTINCT old_food_code, new_food_code FROM '{path}' ORDER BY 1, 2"
    ).fetchall():
        out.setdefault(int(old), []).append(int(new))
    return out


def successors(code: int, known: set[int], table: dict[int, list[int]]) -> dict[int, float]:
    """Share a code's count over its successors in a release."""
    shares: dict[int, float] = {}

    def walk(at: int, share: float, depth: int) -> None:
        if at in known:
            shares[at] = shares.get(at, 0.0) + share
        elif depth < len(CHANGES) and at in table:
            following = table[at]
            for new in following:
                walk(new, share / len(following), depth + 1)

    walk(code, 1.0, 0)
    return shares


def priors(con: duckdb.DuckDBPyConnection, table: dict[int, list[int]]) -> dict[str, float]:
    """Fill ``prior(row, n)`` and ``amount(row, grams, n)`` for the open release."""
    known = {int(c): int(r) for c, r in con.execute("SELECT code, row FROM foods").fetchall()}
    counts = con.execute("SELECT code, count(*) FROM eaten GROUP BY 1 ORDER BY 1").fetchall()
    link = []
    lost = total = 0.0
    for code, n in counts:
        total += n
        shares = successors(int(code), set(known), table)
        lost += n * (1 - sum(shares.values()))
        link += [(int(code), known[new], share) for new, share in sorted(shares.items())]
    con.execute("CREATE OR REPLACE TABLE link(code BIGINT, row INTEGER, share DOUBLE)")
    con.executemany("INSERT INTO link VALUES (?, ?, ?)", link)
    con.execute(
        "CREATE OR REPLACE TABLE amount AS SELECT row, CAST(round(grams, 2) AS FLOAT) AS grams,"
        " CAST(sum(share) AS FLOAT) AS n FROM eaten JOIN link USING (code)"
        " WHERE grams > 0 GROUP BY ALL"
    )
    con.execute(
        "CREATE OR REPLACE TABLE prior AS SELECT row, CAST(sum(share) AS FLOAT) AS n,"
        " CAST(quantile_cont(grams, 0.1) AS FLOAT) AS p10,"
        " CAST(quantile_cont(grams, 0.5) AS FLOAT) AS p50,"
        " CAST(quantile_cont(grams, 0.9) AS FLOAT) AS p90"
        " FROM eaten JOIN link USING (code) WHERE grams > 0 GROUP BY row"
    )
    return {"recall_records": total, "records_without_a_successor": round(lost, 1)}


def compile_fndds(
    con: duckdb.DuckDBPyConnection,
    shared: Path,
    out: Path,
    release: str,
    changes: dict[int, list[int]],
) -> None:
    """Compile one FNDDS release: foods, measures, amounts eaten."""
    stem, title = FNDDS[release]
    foods = shared / "data" / "foods" / f"{stem}_foods.parquet"
    portions = shared / "data" / "foods" / f"{stem}_portions.parquet"
    con.execute(
        "CREATE OR REPLACE TABLE foods AS SELECT CAST(row_number() OVER (ORDER BY food_code) - 1"
        " AS INTEGER) AS row, CAST(food_code AS BIGINT) AS code,"
        " regexp_replace(trim(description), '\\s+', ' ', 'g') AS name,"
        " coalesce(regexp_replace(trim(additional_description), '\\s+', ' ', 'g'), '') AS alt_names,"
        f" coalesce(wweia_category, '') AS category, {nutrient_sql()} FROM '{foods}'"
    )
    counted = priors(con, changes)
    keys = ", ".join(NUTRIENTS)
    source = {"publisher": "USDA ARS Food Surveys Research Group", "release": title}
    path = out / f"{release}.foods.parquet"
    write(
        con,
        f"SELECT CAST(code AS VARCHAR) AS id, name, alt_names, category, {keys},"
        " coalesce(n, 0) AS eaten_count, p10 AS eaten_p10_g, p50 AS eaten_p50_g,"
        " p90 AS eaten_p90_g FROM foods LEFT JOIN prior USING (row) ORDER BY row",
        path,
    )
    card(
        con,
        path,
        title=f"{title}: foods, nutrients per 100 g, and how often each is eaten",
        source=source,
        prior={"survey": "NHANES/WWEIA day 1 and day 2 food records", "cycles": CYCLES, **counted},
        how="nutrient and description sheets joined by food code; white space squeezed; recalls"
        " counted by food code, a discontinued code's count shared equally by its successors",
        gaps="no food is without nutrients except where 'missing' says so; foods new since 2012"
        " have no recall of their own unless a predecessor is known",
        units={
            "eaten_count": "food records",
            "eaten_p10_g": "g a record",
            "eaten_p50_g": "g a record",
            "eaten_p90_g": "g a record",
        },
    )
    brand = "subcode_description" if release == "fndds-2017-2018" else "NULL"
    dropped = con.execute(
        f"SELECT count(*) FROM '{portions}' WHERE grams IS NULL OR grams <= 0"
    ).fetchone()
    con.execute(
        "CREATE OR REPLACE TABLE measures AS SELECT row, regexp_replace(trim(p.description),"
        f" '\\s+', ' ', 'g') || CASE WHEN {brand} IS NULL THEN '' ELSE ' [' || trim({brand}) || ']'"
        " END AS name, CAST(p.grams AS FLOAT) AS grams, p.seq AS seq,"
        f" {brand} IS NOT NULL AS branded"
        f" FROM '{portions}' p JOIN foods f ON f.code = p.food_code WHERE p.grams > 0"
    )
    path = out / f"{release}.measures.parquet"
    write(
        con, "SELECT row, name, grams FROM measures ORDER BY row, branded, seq, name, grams", path
    )
    card(
        con,
        path,
        title=f"{title}: household measures",
        source=source,
        how="portions and weights joined by food code; a brand variant stands in square brackets",
        gaps=f"{dropped[0] if dropped else 0} measures without a weight are left out",
        units={"row": "row of the foods file", "grams": "g a measure"},
    )
    path = out / f"{release}.amounts.parquet"
    write(
        con,
        "SELECT row, grams, n FROM (SELECT *, row_number() OVER (PARTITION BY row ORDER BY n DESC,"
        " grams) AS k FROM amount WHERE n >= 1.5) a WHERE"
        f" k <= {KEPT_AMOUNTS} AND (n >= 5 OR EXISTS (SELECT 1 FROM measures m WHERE m.row = a.row AND"
        " abs(m.grams - a.grams) <= 0.006 * m.grams)) ORDER BY row, grams",
        path,
    )
    card(
        con,
        path,
        title=f"{title}: amounts eaten at one time",
        source={"publisher": "CDC/NCHS and USDA", "release": "NHANES/WWEIA food records"},
        prior={"cycles": CYCLES},
        how=f"grams rounded to 0.01; the {KEPT_AMOUNTS} commonest a food, seen 5 times or equal to a"
        " household measure within 0.6 %",
        gaps="rarer amounts are left out",
        units={"row": "row of the foods file", "grams": "g", "n": "food records"},
    )


def compile_sr(con: duckdb.DuckDBPyConnection, shared: Path, out: Path) -> None:
    """Compile SR28: raw ingredients, spices, cuts that FNDDS lacks."""
    foods = shared / "data" / "foods" / "sr28_foods.parquet"
    portions = shared / "data" / "foods" / "sr28_portions.parquet"
    have = {r[0] for r in con.execute(f"DESCRIBE SELECT * FROM '{foods}'").fetchall()}
    chosen = [h for h, raw in NUTRIENTS.items() if raw in have]
    select = ", ".join(f'CAST("{NUTRIENTS[h]}" AS FLOAT) AS {h}' for h in chosen)
    con.execute(
        "CREATE OR REPLACE TABLE sr AS SELECT CAST(row_number() OVER (ORDER BY ndb_no) - 1 AS INTEGER)"
        " AS row, lpad(CAST(ndb_no AS VARCHAR), 5, '0') AS id,"
        " regexp_replace(trim(description), '\\s+', ' ', 'g') AS name,"
        " replace(coalesce(trim(common_names), ''), ',', ';') AS alt_names,"
        f" food_group AS category, {select} FROM '{foods}'"
    )
    source = {"publisher": "USDA ARS Nutrient Data Laboratory", "release": "SR28 (May 2016)"}
    path = out / "sr28.foods.parquet"
    write(con, "SELECT * EXCLUDE (row) FROM sr ORDER BY row", path)
    card(
        con,
        path,
        title="USDA Standard Reference 28: foods and nutrients per 100 g",
        source=source,
        how="food descriptions and nutrient data joined by NDB number; names as published",
        gaps="a nutrient that was not reported is missing, never 0; not in SR28: "
        + ", ".join(h for h in NUTRIENTS if h not in chosen),
        units={},
    )
    path = out / "sr28.measures.parquet"
    write(
        con,
        "SELECT row, CASE WHEN amount = 1 THEN '1' ELSE format('{:g}', amount) END || ' ' ||"
        " regexp_replace(trim(p.description), '\\s+', ' ', 'g') AS name, CAST(grams AS FLOAT) AS grams"
        f" FROM '{portions}' p JOIN sr ON sr.id = lpad(CAST(p.ndb_no AS VARCHAR), 5, '0')"
        " WHERE grams > 0 ORDER BY row, seq, name",
        path,
    )
    card(
        con,
        path,
        title="USDA Standard Reference 28: household measures",
        source=source,
        how="weights joined by NDB number; the leading number is the published amount",
        gaps="foods without a published measure have none",
        units={"row": "row of the foods file", "grams": "g a measure"},
    )


def main() -> None:
    """Compile all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=None, help="folder that holds data/foods")
    parser.add_argument("--out", type=Path, default=ROOT / "src" / "prandial" / "tables" / "data")
    args = parser.parse_args()
    shared = args.shared or Path(os.environ.get("PRANDIAL_SHARED", ROOT.parent / "shared"))
    if not (shared / "data" / "foods").is_dir():
        parser.error(f"no data/foods in {shared}; name the folder with --shared or PRANDIAL_SHARED")
    args.out.mkdir(parents=True, exist_ok=True)
    con = connect()
    recalls(con, shared)
    changes = crosswalk(con, shared)
    for release in FNDDS:
        compile_fndds(con, shared, args.out, release, changes)
    compile_sr(con, shared, args.out)
    total = sum(p.stat().st_size for p in args.out.iterdir())
    print(f"{len(list(args.out.iterdir()))} files, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
