"""Which recall cycle the US meals come from, and what later cycles would be worth.

A meal of the v2 US metric set is a multiset of (food code, grams). The codes
follow from its item names (FNDDS 2017-2018 main descriptions, white space
collapsed); the grams are the amounts in its text that reproduce the item's
labels from the food's values per 100 g. The multiset is then looked for among
the eating occasions of the raw recalls: all a person ate on a day under one
name of occasion, or under one name at one time.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.carbs import summary
from benchmarks.meals import is_tune
from benchmarks.words import NUMBER, number_of
from prandial.tables import FoodTable, load_foods
from prandial.tables.columnfile import read_columns

__all__ = ["CYCLES", "later_priors", "meal_items", "measure_cycles"]

TOOLS = Path(__file__).resolve().parent.parent / "tools"
CYCLES = (
    "2017-2018",
    "2015-2016",
    "2013-2014",
    "2011-2012",
    "2009-2010",
    "2007-2008",
    "2005-2006",
    "2003-2004",
)
_GRAMS = re.compile(rf"({NUMBER})[\s-]*(?:grams?|g)\b", re.IGNORECASE)
#: labels are rounded to 0.01 (g or kcal); sums of rounded parts may be off by a little more
_OFF = 0.011
Item = tuple[int, int]


def meal_items(
    text: str,
    names: list[str],
    labels: list[tuple[float, ...]],
    foods: dict[str, tuple[int, tuple[float, ...]]],
) -> tuple[Item, ...] | None:
    """Return a meal as sorted (food code, grams x 100), or None when it cannot be told.

    Parameters
    ----------
    text : str
    names : list of str
        Item names.
    labels : list of tuple
        Carbohydrate, protein, fat (g) and energy (kcal) of each item.
    foods : dict
        Squeezed name -> (food code, the same four per 100 g).
    """
    free = [v for v in (number_of(m[1]) for m in _GRAMS.finditer(text)) if v]
    found: list[Item | None] = []
    codes = []
    for name, label in zip(names, labels, strict=True):
        food = foods.get(" ".join(name.split()).lower())
        if food is None:
            return None
        code, per_100g = food
        codes.append(code)
        fits = [
            g
            for g in free
            if all(
                abs(p * g / 100 - v) <= _OFF + 1e-4 * v
                for p, v in zip(per_100g, label, strict=True)
            )
        ]
        if sum(per_100g) < _OFF or len(set(fits)) != 1:
            found.append(None)  # water, or grams that the labels cannot tell apart
            continue
        free.remove(fits[0])
        found.append((code, round(fits[0] * 100)))
    open_items = [k for k, item in enumerate(found) if item is None]
    if len(open_items) != len(free) or (len(open_items) > 1 and len(set(free)) > 1):
        return None
    for k, grams in zip(open_items, free, strict=True):
        found[k] = (codes[k], round(grams * 100))
    return tuple(sorted(i for i in found if i is not None))


def _foods() -> dict[str, tuple[int, tuple[float, ...]]]:
    table = load_foods("fndds-2017-2018")
    columns = [
        table.nutrient_keys.index(k) for k in ("carb_g", "protein_g", "fat_g", "energy_kcal")
    ]
    return {
        " ".join(name.split()).lower(): (
            int(table.ids[row]),
            tuple(map(float, table.per_100g[row, columns])),
        )
        for row, name in enumerate(table.names)
        if table.table_of[row] == "fndds"
    }


def _occasions(con: duckdb.DuckDBPyConnection, shared: Path, cycle: str) -> set[tuple[Item, ...]]:
    """Multisets of every eating occasion of a cycle."""
    paths = sorted((shared / "data" / "nhanes" / cycle).glob("DR[12]IFF_*.parquet"))
    out: set[tuple[Item, ...]] = set()
    for path in paths:
        day = path.name[2]
        for keys in (f"DR{day}_030Z", f"DR{day}_030Z, DR{day}_020"):
            rows = con.execute(
                f"SELECT list((CAST(DR{day}IFDCD AS BIGINT),"
                f" CAST(round(DR{day}IGRMS * 100) AS BIGINT)))"
                f" FROM read_parquet(?) WHERE DR{day}IGRMS IS NOT NULL GROUP BY SEQN, {keys}",
                [str(path)],
            ).fetchall()
            out.update(tuple(sorted((int(c), int(g)) for c, g in items)) for (items,) in rows)
    return out


def measure_cycles(shared: Path, *, half: str) -> dict[str, Any]:
    """Share of v2 US metric meals whose multiset stands in which cycles' recalls."""
    con = duckdb.connect()
    rows = con.execute(
        "SELECT meal_group, meal_description, item_descriptions, item_carb_g, item_protein_g,"
        " item_fat_g, item_energy_kcal FROM read_parquet(?)"
        " WHERE country = 'USA' AND serving_type = 'metric' ORDER BY row",
        [str(shared / "data" / "nutribench" / "nutribench_v2.parquet")],
    ).fetchall()
    rows = [r for r in rows if is_tune(r[0]) == (half == "tune")]
    foods = _foods()
    meals = [meal_items(r[1], r[2], list(zip(*r[3:7], strict=True)), foods) for r in rows]
    known = [m for m in meals if m is not None]
    where: list[set[str]] = [set() for _ in known]
    for cycle in CYCLES:
        occasions = _occasions(con, shared, cycle)
        for k, meal in enumerate(known):
            if meal in occasions:
                where[k].add(cycle)
    return {
        "meals": len(rows),
        "told": len(known),
        "rows": [
            {
                "items": label,
                **_shares([w for m, w in zip(known, where, strict=True) if fits(len(m))]),
            }
            for label, fits in (
                ("any number", lambda _: True),
                ("1", lambda n: n == 1),
                ("2", lambda n: n == 2),
                ("3 or more", lambda n: n >= 3),
            )
        ],
    }


def _class(cycles: set[str]) -> str:
    if not cycles:
        return "none"
    late = cycles & set(CYCLES[:3])
    if len(late) > 1:
        return "several of 2013-2018"
    early = cycles - late
    if late:
        return f"{late.pop()} {'and 2003-2012' if early else 'only'}"
    return "2003-2012 only"


def _shares(where: list[set[str]]) -> dict[str, Any]:
    counts = Counter(map(_class, where))
    order = [
        *(f"{c} only" for c in CYCLES[:3]),
        "several of 2013-2018",
        *(f"{c} and 2003-2012" for c in CYCLES[:3]),
        "2003-2012 only",
        "none",
    ]
    shares = {}
    for name in order:
        values = np.array([float(_class(w) == name) for w in where])
        told = summary(np.where(values > 0, 0.0, np.nan))
        shares[name] = {
            "share": told["acc"],
            "low": told["acc_low"],
            "high": told["acc_high"],
            "count": counts[name],
        }
    return {"n": len(where), "shares": shares}


def later_priors(shared: Path, cycles: tuple[str, ...] = CYCLES) -> FoodTable:
    """Return the default table with counts and amounts of other cycles in it.

    The table is compiled into a temporary folder and never shipped.
    """
    sys.path.insert(0, str(TOOLS))
    try:
        from foodtables import priors, successors  # type: ignore[import-not-found]
        from foodtables.engine import Sources  # type: ignore[import-not-found]
        from foodtables.fndds import RELEASES, compile_release, read_foods  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(TOOLS))
    base = load_foods("fndds-2017-2018")
    src = Sources.open(shared)
    release = next(r for r in RELEASES if r.name == base.release)
    foods = read_foods(src, release)
    recalls = priors.read_recalls(src, tuple(sorted(cycles)))
    names = {release.name: foods.names_by_code}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        chosen = successors.by_hand([release.name], names)
        compile_release(src, out, release, foods, recalls, successors.published(src), chosen)
        main = read_columns(out / f"{release.name}.foods.npz")
        amounts = read_columns(out / f"{release.name}.amounts.npz")
    if main.text("id") != base.ids[: len(main.text("id"))]:
        raise ValueError("the compiled foods are not those of the package")
    extra = len(base.ids) - len(main.text("id"))
    eaten = main.array("eaten_percentiles_g")

    def joined(values: Any, fill: float) -> Any:
        return np.concatenate([values, np.full(extra, fill)]).astype(np.float32)

    per_food = np.concatenate(
        [amounts.array("per_food").astype(np.int64), np.zeros(extra, np.int64)]
    )
    return replace(
        base,
        eaten_count=joined(main.array("eaten_count"), 0.0),
        eaten_p10=joined(eaten[0], np.nan),
        eaten_p50=joined(eaten[1], np.nan),
        eaten_p90=joined(eaten[2], np.nan),
        amount_offset=np.concatenate([[0], np.cumsum(per_food)]).astype(np.int64),
        amount_grams=amounts.array("grams"),
        amount_count=amounts.array("count"),
    )
