"""Compile one FNDDS release: foods, household measures, amounts eaten."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from prandial.nutrients import NUTRIENTS

from . import company, priors
from .cards import CARBOHYDRATE, nutrient_columns, write_card
from .checks import check_foods
from .columnfile import labelled, write_columns
from .engine import Sources, named
from .measures import Measure, write_measures

KEYS = list(NUTRIENTS)
PUBLISHER = "USDA Agricultural Research Service, Food Surveys Research Group"


@dataclass(frozen=True)
class Release:
    """One release: its house name, source files, title and citation."""

    name: str
    stem: str
    title: str
    year: int

    @property
    def source(self) -> dict[str, str]:
        return {
            "publisher": PUBLISHER,
            "release": self.title,
            "citation": f"USDA, ARS ({self.year}). USDA Food and Nutrient Database for Dietary"
            f" Studies {self.title.removeprefix('FNDDS ')}. Food Surveys Research Group,"
            " www.ars.usda.gov/nea/bhnrc/fsrg",
        }


RELEASES = (
    Release("fndds-2017-2018", "fndds_2017_2018", "FNDDS 2017-2018", 2020),
    Release("fndds-2021-2023", "fndds_2021_2023", "FNDDS 2021-2023", 2024),
)


def squeeze(text: str | None) -> str:
    return " ".join((text or "").split())


@dataclass(frozen=True)
class Foods:
    """The foods of a release, sorted by food code."""

    codes: list[int]
    names: list[str]
    alt_names: list[str]
    categories: list[str]
    per_100g: np.ndarray  # nutrients x foods, float32

    @property
    def names_by_code(self) -> dict[int, str]:
        return dict(zip(self.codes, self.names, strict=True))


def read_foods(src: Sources, release: Release) -> Foods:
    path = src.foods(f"{release.stem}_foods")
    raw = ", ".join(f'"{NUTRIENTS[k]}"' for k in KEYS)
    rows = src.rows(
        "SELECT CAST(food_code AS BIGINT), description, additional_description, wweia_category,"
        f" {raw} FROM '{path}' ORDER BY food_code"
    )
    values = np.array([[np.nan if v is None else v for v in r[4:]] for r in rows], dtype=np.float64)
    return Foods(
        codes=[r[0] for r in rows],
        names=[squeeze(r[1]) for r in rows],
        alt_names=[squeeze(r[2]) for r in rows],
        categories=[squeeze(r[3]) for r in rows],
        per_100g=np.ascontiguousarray(values.T.astype(np.float32)),
    )


def read_measures(
    src: Sources, release: Release, codes: list[int]
) -> tuple[list[Measure], dict[str, int]]:
    """Measures that have a weight, those of a brand last; and what was left out."""
    path = src.foods(f"{release.stem}_portions")
    brand = "subcode_description" if "subcode" in src.columns(path) else "CAST(NULL AS VARCHAR)"
    row_of = {code: row for row, code in enumerate(codes)}
    found: list[tuple[int, bool, int, str, float]] = []
    counts = {"without_a_weight": 0, "of_a_food_not_in_the_release": 0, "of_a_brand": 0}
    for code, seq, name, variant, grams in src.rows(
        f"SELECT CAST(food_code AS BIGINT), seq, description, {brand}, grams FROM '{path}'"
    ):
        if code not in row_of:
            counts["of_a_food_not_in_the_release"] += 1
        elif grams is None or not grams > 0:
            counts["without_a_weight"] += 1
        else:
            counts["of_a_brand"] += bool(variant)
            label = squeeze(name) + (f" [{squeeze(variant)}]" if variant else "")
            found.append((row_of[code], bool(variant), seq, label, grams))
    return [(row, label, grams) for row, _, _, label, grams in sorted(found)], counts


def write_foods(
    path: Path,
    src: Sources,
    release: Release,
    foods: Foods,
    prior: priors.Prior,
    recalls: priors.Recalls,
) -> None:
    codes, levels = labelled(foods.categories)
    ids = [str(code) for code in foods.codes]
    content = write_columns(
        path,
        {
            "id": ids,
            "name": foods.names,
            "alt_names": foods.alt_names,
            "category": codes,
            "category_levels": levels,
            "nutrient": KEYS,
            "per_100g": foods.per_100g,
            "eaten_count": prior.eaten.astype(np.float32),
            "eaten_percentiles_g": np.ascontiguousarray(prior.percentiles.T.astype(np.float32)),
        },
    )
    values = dict(zip(KEYS, foods.per_100g.astype(np.float64), strict=True))
    write_card(
        path,
        content_sha256=content,
        rows=len(ids),
        title=f"{release.title}: foods, nutrients per 100 g, and how often each is eaten",
        source={**release.source, "inputs": named([src.foods(f"{release.stem}_foods")])},
        carbohydrate=CARBOHYDRATE,
        columns={
            "id": {"unit": "food code", "missing": 0},
            "name": {"unit": "", "missing": 0},
            "alt_names": {
                "unit": "additional descriptions, separated by ';'",
                "missing": sum(not a for a in foods.alt_names),
            },
            "category": {"unit": "place in category_levels (WWEIA category)", "missing": 0},
            **nutrient_columns(foods.per_100g, KEYS),
            "eaten_count": {
                "unit": "food records",
                "foods_never_eaten": int((prior.eaten == 0).sum()),
            },
            "eaten_percentiles_g": {
                "unit": "g at one time: 10th, 50th and 90th percentile",
                "missing": int(np.isnan(prior.percentiles[:, 0]).sum()),
            },
        },
        prior={**priors.source_of(recalls), **prior.facts},
        how="nutrient values and descriptions joined by food code, sorted by food code; values as"
        " published, held as 32-bit floats; white space squeezed. Food records counted by food"
        " code; a discontinued code's count goes to its published successors in equal parts, or,"
        " where none was published, to successors chosen by their descriptions"
        " (tools/foodtables/successors.csv). Percentiles are the smallest amounts that 10, 50 and"
        f" 90 % of the records do not exceed, for foods with {priors.LEAST_FOR_PERCENTILES:g}"
        " records or more",
        checks=check_foods(ids, foods.names, values),
        gaps="a food that is new since 2012 and has no known predecessor was eaten 0 times here;"
        " brands of infant formula that no longer have a code are counted as formula in general",
    )


def write_amounts(
    path: Path, release: Release, prior: priors.Prior, recalls: priors.Recalls
) -> None:
    per_food = np.array([len(a) for a in prior.amount_of], dtype=np.uint16)
    grams = np.array([g for a in prior.amount_of for g, _ in a], dtype=np.float32)
    count = np.array([n for a in prior.amount_of for _, n in a], dtype=np.float32)
    content = write_columns(path, {"per_food": per_food, "grams": grams, "count": count})
    write_card(
        path,
        content_sha256=content,
        rows=len(grams),
        title=f"{release.title}: amounts of each food eaten at one time",
        source=priors.source_of(recalls),
        columns={
            "per_food": {"unit": "amounts of each food, in the foods file's order"},
            "grams": {"unit": "g", "missing": 0},
            "count": {"unit": "food records", "missing": 0},
        },
        prior=prior.facts,
        how=f"grams rounded to 0.01; kept when {priors.LEAST:g} records or more have the amount and"
        f" it is among the food's {priors.TOP} commonest or within {priors.NEAR:.1%} of a household"
        " measure times 1/4, 1/3, 1/2, 2/3, 3/4, 1, 1 1/2, 2, 3 or 4",
        gaps="rarer amounts are left out",
    )


def write_company(
    path: Path, src: Sources, release: Release, foods: Foods, successors: dict[int, list[int]]
) -> None:
    made = company.compile_company(src, foods.codes, foods.names, foods.categories, successors)
    columns = made.columns
    content = write_columns(
        path,
        {
            "group": np.array(columns["group"], dtype=np.int16),
            "size": np.array(columns["size"], dtype=np.uint8),
            "category": np.array(columns["category"], dtype=np.uint8),
            "ratio": np.array(columns["ratio"], dtype=np.int8),
            "category_levels": columns["category_levels"],
        },
    )
    write_card(
        path,
        content_sha256=content,
        rows=len(columns["ratio"]),
        title=f"{release.title}: what foods that differ by where they were made are eaten with",
        source={
            "survey": "NHANES, What We Eat in America, individual food records, day 1 and day 2",
            "publisher": "CDC/NCHS and USDA ARS",
            "cycles": list(priors.CYCLES),
        },
        columns={
            "group": {"unit": "number of the group of siblings, -1 none; one a food"},
            "size": {"unit": "ratios of each food, in the foods file's order"},
            "category": {"unit": "place in category_levels (WWEIA category)"},
            "ratio": {"unit": f"log ratio / {company.STEP:g}"},
        },
        facts=made.facts,
        how="tools/foodtables/company.py: share of the eating occasions with the food that hold the"
        " category too, over its share of all occasions, as a logarithm; smoothed by"
        f" {company.SMOOTHING:g} occasions; left out below {company.LEAST:g} occasions or within"
        f" {company.LEAST_RATIO:g}; cut at {company.MOST_RATIO:g}. Siblings: same category, and"
        " names that differ by words of place only",
    )


def compile_release(
    src: Sources,
    out: Path,
    release: Release,
    foods: Foods,
    recalls: priors.Recalls,
    published: dict[int, list[int]],
    chosen: dict[int, list[int]],
) -> None:
    measures, counts = read_measures(src, release, foods.codes)
    grams: list[list[float]] = [[] for _ in foods.codes]
    for row, _, g in measures:
        grams[row].append(g)
    prior = priors.count(recalls, foods.codes, grams, published, chosen)
    write_company(out / f"{release.name}.company.npz", src, release, foods, {**published, **chosen})
    write_foods(out / f"{release.name}.foods.npz", src, release, foods, prior, recalls)
    write_measures(
        out / f"{release.name}.measures.npz",
        len(foods.codes),
        measures,
        title=f"{release.title}: household measures",
        source={**release.source, "inputs": named([src.foods(f"{release.stem}_portions")])},
        left_out=counts,
        how="portions and weights joined by food code, in the published order; a measure of one"
        " brand stands last, with the brand in square brackets",
        gaps="a measure without a published weight is left out, among them the unspecified amount"
        " of infant formula and human milk",
    )
    write_amounts(out / f"{release.name}.amounts.npz", release, prior, recalls)
