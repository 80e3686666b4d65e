"""Compile the registry of NHANES cycles and files into ``tables/rules``.

Rows, columns and checksums come from the manifest of a folder of NHANES files,
SEQN ranges from its DEMO files, addresses from CDC's pattern (the year a cycle
begins names the folder). Same input, same bytes.

    python tools/compile_nhanes_registry.py FOLDER
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

RULES = ROOT / "src" / "prandial" / "tables" / "rules"
PATTERN = "https://wwwn.cdc.gov/Nchs/Data/Nhanes/Public/{year}/DataFiles/{file}.xpt"
ALL = "all-cycles"
CITATION = "CDC/NCHS, National Health and Nutrition Examination Survey data, {title}, {file}"
#: CDC's older file names, by the name the later cycles use
LOGICAL = {
    "L10": "GHB",
    "L10AM": "GLU",
    "L13AM": "TRIGLY",
    "L16": "ALB_CR",
    "L25": "CBC",
    "L40": "BIOPRO",
    "DSQ1": "DSQTOT",
    "FPED_1718": "FPED",
    "codebook": "CODEBOOK",
    "variables": "VARIABLES",
}
#: files of 2021-2023 that answer to a table of an earlier cycle
LATEST = (
    "ALB_CR ALQ BIOPRO BMX BPQ BPXO CBC DBQ DEMO DIQ DR1IFF DR1TOT DR2IFF DR2TOT DRXFCD DSQTOT"
    " GHB GLU HDL HSQ KIQ_U MCQ RXQ_RX SMQ TCHOL TRIGLY VID WHQ"
).split()
#: cycle: letter, prefix, year in the address, title
CYCLES: dict[str, tuple[str, str, str, str]] = {
    **{
        f"{y}-{y + 1}": (chr(67 + i), "", str(y), f"{y}-{y + 1}")
        for i, y in enumerate(range(2003, 2019, 2))
    },
    "2017-2020": ("", "P_", "2017", "2017-March 2020 pre-pandemic"),
    "2021-2023": ("L", "", "2021", "August 2021-August 2023"),
}
#: 2021-2023 is not in the folder: 11,933 people (CDC), the first number seen, the last by addition
LATEST_RANGE = ("130378", "142310", "11933")
NO_XPT = "CDC offers no SAS transport file of it"


def address(year: str, file: str) -> str:
    return PATTERN.format(year=year, file=file)


def logical(file: str, cycle: str) -> str:
    """Return the name a table has in every cycle: ``L10_C`` and ``P_GHB`` are both ``GHB``."""
    letter, prefix = CYCLES[cycle][:2] if cycle in CYCLES else ("", "")
    stem = file.removeprefix(prefix)
    stem = re.sub(f"_{letter}$", "", stem) if letter else stem
    return LOGICAL.get(stem, stem)


def full_columns(row: dict[str, str]) -> str:
    """Return the columns of the published file, which a subset only names by number."""
    if not row["kind"].startswith("column subset"):
        return row["columns"]
    stated = re.search(r"of (\d+)", row["kind"])
    return stated.group(1) if stated else ""


def from_manifest(row: dict[str, str]) -> dict[str, Any]:
    cycle, file = row["file"].split("/")[0], row["table"]
    original = row["kind"] == "original XPT"
    year = "1988" if cycle == ALL else CYCLES[cycle][2]
    official = file not in {"FPED_1718", "codebook", "variables"}
    title = "all cycles" if cycle == ALL else CYCLES[cycle][3]
    return {
        "cycle": cycle,
        "table": logical(file, cycle),
        "file": file,
        "url": address(year, file) if official else "",
        "rows": row["rows"],
        "columns": full_columns(row),
        "bytes": row["bytes"] if original else "",
        "sha256": row["sha256"] if original else "",
        "note": "" if official else NO_XPT,
        "source": CITATION.format(title=title, file=file)
        if official
        else {
            "FPED_1718": "USDA/ARS, Food Patterns Equivalents Database 2017-2018",
        }.get(file, "CDC/NCHS, NHANES codebooks of the tables listed here"),
    }


def unseen(cycle: str, table: str) -> dict[str, Any]:
    letter, prefix, year, title = CYCLES[cycle]
    file = f"{prefix}{table}" + (f"_{letter}" if letter else "")
    return {
        "cycle": cycle,
        "table": table,
        "file": file,
        "url": address(year, file),
        "rows": "11933" if (cycle, table) == ("2021-2023", "DEMO") else "",
        "columns": "",
        "bytes": "",
        "sha256": "",
        "note": "rows, columns and checksum not known here",
        "source": CITATION.format(title=title, file=file),
    }


def cycle_row(folder: Path, cycle: str, demo: dict[str, str] | None) -> dict[str, Any]:
    from prandial.sources.nhanes.table import read_table

    letter, prefix, year, title = CYCLES[cycle]
    first, last, people = LATEST_RANGE
    if demo is not None:
        seqn = read_table(folder / demo["file"], ["SEQN"]).numbers("SEQN")
        first, last, people = (str(int(n)) for n in (seqn.min(), seqn.max(), len(seqn)))
    return {
        "cycle": cycle,
        "title": title,
        "letter": letter,
        "prefix": prefix,
        "first_seqn": first,
        "last_seqn": last,
        "respondents": people,
        "address_year": year,
        "contains": "2017-2018" if cycle == "2017-2020" else "",
        "note": {
            "2017-2020": "holds the people of 2017-2018 again, under new SEQN",
            "2021-2023": "SEQN range: first number as published, last by counting on",
        }.get(cycle, ""),
        "source": f"CDC/NCHS, NHANES {title}, file {prefix}DEMO" + (f"_{letter}" if letter else ""),
    }


def write(name: str, rows: list[dict[str, Any]], card: dict[str, Any]) -> None:
    with (RULES / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    full = {"file": f"{name}.csv", **card, "rows": len(rows)}
    text = json.dumps(full, indent=1, ensure_ascii=False) + "\n"
    (RULES / f"{name}.card.json").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    with (folder / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        manifest = list(csv.DictReader(file))
    files = [from_manifest(row) for row in manifest]
    files.append(unseen("2017-2020", "DR1IFF"))
    files.extend(unseen("2021-2023", table) for table in LATEST)
    files.sort(key=lambda r: (r["cycle"], r["table"]))
    demos = {r["file"].split("/")[0]: r for r in manifest if re.search(r"\bP?_?DEMO", r["table"])}
    cycles = [cycle_row(folder, cycle, demos.get(cycle)) for cycle in CYCLES]
    about = {
        "licence": "US government work, public domain",
        "source": {"publisher": "CDC/NCHS", "release": "NHANES 2003-2023"},
    }
    write(
        "nhanes_cycles",
        cycles,
        {
            "title": "NHANES cycles, how their files are named and which respondents they hold",
            **about,
            "origin": "SEQN range and respondents counted in each cycle's DEMO file; 2021-2023 as"
            " stated by CDC, not counted",
            "columns": "cycle; title: CDC's name; letter: suffix of file names; prefix: of file"
            " names; first_seqn, last_seqn: range of respondent numbers; respondents: rows of DEMO;"
            " address_year: folder of CDC's addresses; contains: cycle whose people are released"
            " again within; note; source",
            "gaps": "1999-2002 are not listed; NHANES gave no cycle 2019-2020 of its own",
        },
    )
    write(
        "nhanes_files",
        files,
        {
            "title": "NHANES files: address, size and checksum by cycle and table",
            **about,
            "origin": "rows and columns counted in the files; sha256 and bytes only where the"
            " original transport file was at hand; addresses by CDC's pattern, compared with public"
            " code that uses it, not called",
            "columns": "cycle; table: one name across cycles; file: CDC's name; url: empty when CDC"
            " has no transport file; rows; columns: of the published file; bytes and sha256: of the"
            " original transport file; note; source",
            "gaps": "empty is unknown: rows of 2021-2023 other than DEMO, of P_DR1IFF, and most"
            " checksums; tables that prandial does not read are not listed",
        },
    )
    print(f"{len(cycles)} cycles, {len(files)} files")


if __name__ == "__main__":
    main()
