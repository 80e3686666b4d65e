"""Compile SR28: raw ingredients, spices and cuts that FNDDS lacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from prandial.nutrients import NUTRIENTS

from .cards import CARBOHYDRATE, not_held, nutrient_columns, write_card
from .checks import check_foods
from .columnfile import labelled, write_columns
from .engine import Sources, named
from .fndds import squeeze
from .measures import Measure, write_measures

NAME = "sr28"
TITLE = "USDA Standard Reference 28"
SOURCE = {
    "publisher": "USDA Agricultural Research Service, Nutrient Data Laboratory",
    "release": "SR28 (slightly revised, May 2016)",
    "citation": "US Department of Agriculture, ARS, Nutrient Data Laboratory. USDA National"
    " Nutrient Database for Standard Reference, Release 28 (slightly revised), May 2016",
}


def compile_sr(src: Sources, out: Path) -> None:
    path = src.foods("sr28_foods")
    have = src.columns(path)
    keys = [k for k, raw in NUTRIENTS.items() if raw in have]
    raw = ", ".join(f'"{NUTRIENTS[k]}"' for k in keys)
    rows = src.rows(
        f"SELECT ndb_no, description, common_names, food_group, {raw} FROM '{path}' ORDER BY ndb_no"
    )
    ids = [str(r[0]).zfill(5) for r in rows]
    names = [squeeze(r[1]) for r in rows]
    values = np.array([[np.nan if v is None else v for v in r[4:]] for r in rows], dtype=np.float64)
    keep = [i for i in range(len(keys)) if not np.isnan(values[:, i]).all()]
    keys = [keys[i] for i in keep]
    per_100g = np.ascontiguousarray(values[:, keep].T.astype(np.float32))
    groups, levels = labelled([squeeze(r[3]) for r in rows])
    target = out / f"{NAME}.foods.npz"
    alt_names = [squeeze(r[2]).replace(",", ";") for r in rows]
    content = write_columns(
        target,
        {
            "id": ids,
            "name": names,
            "alt_names": alt_names,
            "category": groups,
            "category_levels": levels,
            "nutrient": keys,
            "per_100g": per_100g,
        },
    )
    by_key = dict(zip(keys, per_100g.astype(np.float64), strict=True))
    write_card(
        target,
        content_sha256=content,
        rows=len(ids),
        title=f"{TITLE}: foods and nutrients per 100 g",
        source={**SOURCE, "inputs": named([path])},
        carbohydrate=CARBOHYDRATE,
        columns={
            "id": {"unit": "NDB number, 5 digits", "missing": 0},
            "name": {"unit": "", "missing": 0},
            "alt_names": {
                "unit": "common names, separated by ';'",
                "missing": sum(not a for a in alt_names),
            },
            "category": {"unit": "place in category_levels (food group)", "missing": 0},
            **nutrient_columns(per_100g, keys),
        },
        how="descriptions and nutrient data joined by NDB number, sorted by it; values as"
        " published, held as 32-bit floats; commas between common names made semicolons",
        checks=check_foods(ids, names, by_key),
        gaps="a nutrient that was not reported is missing, never 0; not held: "
        + (", ".join(not_held(keys)) or "none")
        + ". The later Foundation Foods (October 2024, 316 foods) are not included: only 85 of them"
        " have a household measure",
    )
    measures, left_out = _measures(src, ids)
    write_measures(
        out / f"{NAME}.measures.npz",
        len(ids),
        measures,
        title=f"{TITLE}: household measures",
        source={**SOURCE, "inputs": named([src.foods("sr28_portions")])},
        left_out=left_out,
        how="weights joined by NDB number, in the published order; the name starts with the"
        " published amount and the grams are for that amount",
        gaps="foods without a published measure have none",
    )


def _measures(src: Sources, ids: list[str]) -> tuple[list[Measure], dict[str, int]]:
    row_of = {food: row for row, food in enumerate(ids)}
    found: list[tuple[int, int, str, float]] = []
    counts = {"without_a_weight": 0, "of_a_food_not_in_the_release": 0}
    for ndb, seq, amount, name, grams in src.rows(
        f"SELECT ndb_no, seq, amount, description, grams FROM '{src.foods('sr28_portions')}'"
    ):
        row = row_of.get(str(ndb).zfill(5))
        if row is None:
            counts["of_a_food_not_in_the_release"] += 1
        elif grams is None or not grams > 0:
            counts["without_a_weight"] += 1
        else:
            found.append((row, seq, f"{amount:g} {squeeze(name)}", grams))
    return [(row, name, grams) for row, _, name, grams in sorted(found)], counts
