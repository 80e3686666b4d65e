"""Set the constants of ranges on generated text; writes ``tables/words/ranges.csv``.

Usage: ``python tools/calibrate_ranges.py [--shared FOLDER] [--meals N] [--check]``

Meals are composed from food tables (``prandial.compose``), so the food and the
grams of every item are known. No text or label of a benchmark is read. Foods come
from the built-in tables, and, for meals of other countries, from tables that are
not built in (France, United Kingdom, Germany), whose values stand for "the
country's own value" of a food that the estimator has to find in a USDA table.

Steps: (1) temperature and signs of doubt by likelihood of the true carbohydrate of
each item; (2) on other meals, the share of draws left out at each end, by serving
type and level of confidence, so that 90 % and 50 % bands hold what they say
(distributional conformal prediction).
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from prandial.compose import Composed, Wording, compose_meals
from prandial.meal.doubt import SIGNS, signs_of
from prandial.meal.estimator import Estimator
from prandial.meal.items import ItemMaker
from prandial.meal.reading import read_text
from prandial.meal.segment import segment
from prandial.meal.spread import COMPOSITION, GroupValues, option_shares
from prandial.tables import FoodTable, RangeConstants, load_foods

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "src" / "prandial" / "tables" / "words" / "ranges.csv"
SEED = 11
#: share of meals whose foods are drawn by how often they are eaten, by the square root
#: of that, from SR28 evenly (in looser words), and from tables that are not built in
MIX = {"household": (0.55, 0.2, 0.25, 0.0), "weighed": (0.5, 0.2, 0.15, 0.15)}
LOOSE = Wording(drop=0.3)
SERVINGS = ("household", "weighed", "abroad")
#: grams of a serving of a food without recalls
GRAMS = (15.0, 30.0, 50.0, 75.0, 100.0, 120.0, 150.0, 200.0, 250.0)
#: smoothing added to the likelihood of an item
FLOOR = 0.003
#: least meals of a level of confidence
LEVELS = (0.25, 0.5, 0.75)
FOREIGN = {
    "ciqual_2025_foods": (
        "description_en",
        "carbohydrate_available_g",
        "coalesce(fiber_g, 0)",
        "FRA",
    ),
    "uk_cofid_2021_macros": (
        "description",
        "carbohydrate_available_g",
        "coalesce(fiber_nsp_g, 0)",
        "GBR",
    ),
    "de_bls_4_0_macros": (
        "description_en",
        "carbohydrate_available_g",
        "coalesce(fiber_g, 0)",
        "DEU",
    ),
}

Floats = npt.NDArray[np.float64]
Labelled = tuple[str, list[tuple[tuple[int, int], float]], str, str | None]


def weights_of(table: FoodTable, kind: int) -> list[float]:
    """How often foods are drawn: by recalls, by their root, or SR28 foods evenly."""
    if kind == 0:
        return [float(c) for c in table.eaten_count]
    if kind == 1:
        return [float(c) ** 0.5 for c in table.eaten_count]
    return [1.0 if t == "sr" else 0.0 for t in table.table_of]


def own_meals(table: FoodTable, serving: str, n: int, seed: int) -> Iterator[Labelled]:
    """Meals of the built-in tables."""
    for kind, share in enumerate(MIX[serving][:3]):
        meals = compose_meals(
            table,
            weights_of(table, kind),
            seed=SEED * 1000 + seed * 10 + kind,
            metric=serving == "weighed",
            wording=LOOSE if kind == 2 else None,
        )
        for meal in itertools.islice(meals, round(n * share)):
            yield labelled(table, meal, serving)


def labelled(table: FoodTable, meal: Composed, serving: str) -> Labelled:
    """Text, and the carbohydrate (g) of each item by its place in the text."""
    carb = table.nutrient_keys.index("carb_g")
    items = [
        (i.span, float(table.per_100g[i.food, carb]) / 100.0 * i.serving.grams) for i in meal.items
    ]
    return meal.text, items, serving, table.release_of[0] if serving == "abroad" else None


def foreign_table(shared: Path, file: str, like: FoodTable) -> FoodTable:
    """Foods of a table that is not built in, with names and carbohydrate only."""
    name, carb, fibre, country = FOREIGN[file]
    rows = (
        duckdb.connect()
        .execute(
            f"SELECT {name}, {carb} + {fibre} FROM read_parquet(?)"
            f" WHERE {name} IS NOT NULL AND {carb} IS NOT NULL ORDER BY 1",
            [str(shared / "data" / "foods" / f"{file}.parquet")],
        )
        .fetchall()
    )
    n = len(rows)
    values = np.full((n, len(like.nutrient_keys)), np.nan, dtype="f4")
    values[:, like.nutrient_keys.index("carb_g")] = [r[1] for r in rows]
    amounts = np.tile(np.array(GRAMS, dtype="f4"), n)
    blank = np.zeros(n, dtype="f4")
    return replace(
        like,
        ids=tuple(str(i) for i in range(n)),
        names=tuple(r[0] for r in rows),
        alt_names=("",) * n,
        categories=("",) * n,
        table_of=(file,) * n,
        release_of=(country,) * n,
        per_100g=values,
        measure_food=np.array([], dtype="i4"),
        measure_name=(),
        measure_grams=np.array([], dtype="f4"),
        measure_offset=np.zeros(n + 1, dtype="i8"),
        eaten_count=blank,
        eaten_p10=blank,
        eaten_p50=blank,
        eaten_p90=blank,
        amount_offset=np.arange(n + 1) * len(GRAMS),
        amount_grams=amounts,
        amount_count=np.ones_like(amounts),
    )


def foreign_meals(
    tables: Sequence[FoodTable], n: int, seed: int, serving: str
) -> Iterator[Labelled]:
    """Weighed meals of other tables, their country given (``abroad``) or not."""
    for k, table in enumerate(tables):
        meals = compose_meals(
            table,
            [1.0] * len(table.names),
            seed=SEED * 2000 + seed * 10 + k,
            metric=True,
            wording=LOOSE,
        )
        for meal in itertools.islice(meals, n // len(tables)):
            yield labelled(table, meal, serving)


class Items:
    """Items as the estimator reads them, beside their true carbohydrate."""

    def __init__(self, estimator: Estimator, meals: Iterable[Labelled]) -> None:
        table = estimator.table
        carb = table.nutrient_keys.index("carb_g")
        density = table.per_100g[:, carb].astype(float) / 100.0
        groups = GroupValues(table)
        signs, scores, values, truths, others, abroad = [], [], [], [], [], []
        for text, items, serving, country in meals:
            reading = read_text(text, estimator.lexicon, locale="en-US", country=country or "")
            for seg in segment(reading, estimator.matcher):
                if seg.match is None:
                    continue
                first, last = reading.atoms[seg.first], reading.atoms[seg.last - 1]
                place = (reading.tokens[first.start].start, reading.tokens[last.end - 1].end)
                met = [y for (a, b), y in items if a < place[1] and b > place[0]]
                options = [o for o in seg.match.options if o.grams[1] == o.grams[1]]
                if len(met) != 1 or not options:
                    continue
                options = options[:12]
                shares = option_shares(options, 0.4)
                signs.append(
                    signs_of(
                        seg.match, options, shares, estimator.matcher, abroad=serving == "abroad"
                    )
                )
                pad = 12 - len(options)
                scores.append([o.score for o in options] + [-np.inf] * pad)
                values.append([density[o.food] * o.grams[1] for o in options] + [np.nan] * pad)
                own = groups.rows(table.categories[options[0].food])
                rows = np.concatenate([own, own, groups.rows("")])
                spread = 1.0 if options[0].basis == "weighed" else 0.0
                grams = options[0].grams[1] * np.where(
                    spread, 1.0, np.linspace(0.4, 2.2, len(rows))
                )
                near = np.abs(np.nan_to_num(density[rows]) * grams - met[0])
                others.append(float((near <= tolerance(met[0], serving == "abroad")).mean()))
                truths.append(met[0])
                abroad.append(serving == "abroad")
        self.signs = np.array(signs)
        self.scores = np.array(scores)
        self.values = np.array(values)
        self.truths = np.array(truths)
        self.others = np.array(others)
        self.abroad = np.array(abroad)

    def hits(self, temperature: float) -> Floats:
        """Share of the readings whose carbohydrate is the true one."""
        raw = np.exp((self.scores - self.scores[:, :1]) / temperature)
        shares = raw / raw.sum(axis=1, keepdims=True)
        near = np.abs(self.values - self.truths[:, None])
        right = np.where(
            np.isnan(near), False, near <= tolerance(self.truths, self.abroad)[:, None]
        )
        return np.asarray((shares * right).sum(axis=1))


def tolerance(truth: Any, abroad: Any) -> Any:
    """Grams within which a reading counts as true: 1 g, or as far as composition varies."""
    return np.maximum(1.0, np.where(abroad, COMPOSITION[1], COMPOSITION[0]) * np.asarray(truth))


def fit_doubt(items: Items, temperature: float) -> tuple[Floats, float]:
    """Weights of the signs, by gradient ascent on the mean log likelihood (L2 0.0001)."""
    x, a, b = items.signs, items.hits(temperature), items.others
    w = np.zeros(x.shape[1])
    w[0] = -2.0
    step = 5.0
    for _ in range(6000):
        p = 1.0 / (1.0 + np.exp(-x @ w))
        like = (1 - p) * a + p * b + FLOOR
        grad = x.T @ ((b - a) * p * (1 - p) / like) / len(a) - 0.0001 * np.r_[0.0, w[1:]]
        w += step * grad
    p = 1.0 / (1.0 + np.exp(-x @ w))
    return w, float(np.log((1 - p) * a + p * b + FLOOR).mean())


def depth(draws: Floats, truth: float) -> float:
    """How far out a truth lies: 0 in the middle of the draws, 0.5 at their end, 1 beyond."""
    slack = 0.05
    below = float((draws < truth - slack).mean())
    upto = float((draws <= truth + slack).mean())
    if upto <= 0.0 or below >= 1.0:
        return 1.0
    if below <= 0.5 <= upto:
        return 0.0
    return min(abs(below - 0.5), abs(upto - 0.5))


def conformal_tail(depths: Floats, share: float) -> float:
    """Share of draws left out at each end so that a share of the truths is held.

    Never more than the nominal share: a weight stated on a scale keeps its width
    even where all weights of the generated text are exact.
    """
    n = len(depths)
    q = float(np.sort(depths)[min(int(np.ceil(share * (n + 1))) - 1, n - 1)])
    return min(max(0.0, 0.5 - q), (1.0 - share) / 2.0)


def meal_depths(
    estimator: Estimator, meals: Iterable[Labelled]
) -> dict[str, list[tuple[float, float]]]:
    """Confidence and depth of the truth, by serving type."""
    from prandial.meal import estimator as module

    out: dict[str, list[tuple[float, float]]] = {}
    seen: list[Any] = []
    original = module.meal_draws

    def spy(draws: Sequence[Any]) -> Any:
        seen.append(original(draws))
        return seen[-1]

    module.meal_draws = spy  # type: ignore[assignment]
    try:
        for text, items, serving, country in meals:
            seen.clear()
            e = estimator.estimate(text, nutrients=("carb_g",), country=country)
            if seen and e.confidence is not None and e.totals["carb_g"] is not None:
                truth = sum(y for _, y in items)
                got = depth(seen[-1][0], truth)
                if e.totals["carb_g"].mid - 0.05 <= truth <= e.totals["carb_g"].mid + 0.05:
                    got = 0.0
                out.setdefault(serving, []).append((e.confidence, got))
    finally:
        module.meal_draws = original
    return out


def main() -> int:
    """Calibrate and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--meals", type=int, default=3000, help="of each serving type")
    parser.add_argument("--check", action="store_true", help="print, do not write")
    args = parser.parse_args()
    table = load_foods()
    estimator = Estimator(table)
    others = [foreign_table(args.shared, f, table) for f in FOREIGN]

    def meals(seed: int) -> Iterator[Labelled]:
        for serving in SERVINGS[:2]:
            yield from own_meals(table, serving, args.meals, seed)
        plain = round(args.meals * MIX["weighed"][3])
        yield from foreign_meals(others, plain, seed + 5, "weighed")
        yield from foreign_meals(others, args.meals, seed, "abroad")

    items = Items(estimator, meals(1))
    best: tuple[float, float, Floats] | None = None
    for temperature in (0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.3):
        w, like = fit_doubt(items, temperature)
        print(f"temperature {temperature}: log likelihood {like:.4f}", file=sys.stderr)
        if best is None or like > best[1]:
            best = (temperature, like, w)
    assert best is not None
    temperature, _, w = best
    doubt = dict(zip(SIGNS, (round(float(v), 3) for v in w), strict=True))
    print(json.dumps(doubt), file=sys.stderr)
    estimator.maker = ItemMaker(
        table, estimator.matcher, RangeConstants(temperature=temperature, doubt=doubt)
    )
    depths = meal_depths(estimator, meals(2))
    everything = np.array([c for serving in SERVINGS for c, _ in depths[serving]])
    levels = [round(float(x), 4) for x in np.quantile(everything, LEVELS)]
    rows: list[tuple[str, str, float]] = [("shares", "temperature", temperature)]
    rows += [("doubt", k, v) for k, v in doubt.items()]
    rows += [("level", str(k + 1), v) for k, v in enumerate(levels)]
    for serving in SERVINGS:
        pairs = np.array(depths[serving])
        level = np.searchsorted(levels, pairs[:, 0], side="right")
        for k in range(len(levels) + 1):
            part = pairs[level == k, 1]
            beyond = float((part >= 1.0).mean()) if len(part) else 0.0
            print(f"{serving}{k}: {len(part)} meals, {beyond:.1%} beyond", file=sys.stderr)
            for kind, share in (("tail_90", 0.9), ("tail_50", 0.5)):
                rows.append((kind, f"{serving}{k}", round(conformal_tail(part, share), 4)))
    if args.check:
        print(rows)
        return 0
    with OUT.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(("kind", "name", "value"))
        writer.writerows(rows)
    card = OUT.with_name("ranges.card.json")
    text = re.sub(r'"rows": \d+', f'"rows": {len(rows)}', card.read_text(encoding="utf-8"))
    card.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
