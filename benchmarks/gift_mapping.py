"""Foods of FAO/WHO GIFT mapped to FNDDS and SR: accuracy by pairs that a person judged.

``python -m benchmarks.gift_mapping`` needs the shared data (PRANDIAL_SHARED or ../shared) and
the weights of minilm-l6. What is printed is kept in ``benchmarks/history/bench/gift_mapping.json``.

Three draws, by seed:

* ``survey``: 100 of the 126 FoodEx2 codes of the Bolivian survey; verdicts are kept in
  ``benchmarks/data/gift_mapping.csv``. The word table was written with these names in view.
* ``tune``: the other 26, and 60 item names of GIFT meals in NutriBench v2, tuning half.
* ``unseen``: 100 item names of GIFT meals in NutriBench v2 from the other half, in no tuning
  meal; not looked at before the mapping was fixed.

Names of NutriBench are third-party text: their verdicts stay outside (``--verdicts FILE``), only
counts are kept. ``--dump FOLDER`` writes the pairs of each draw, to be judged: right (the same
food in the same state), near (same kind of food, another state, cut or variety, whose
household measures and nutrients still serve), wrong.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.meals import find_shared, is_tune
from benchmarks.run import HISTORY, commit
from prandial.answer.encoder import load_encoder
from prandial.compose.mapping import (
    AskedFood,
    FoodMapper,
    Mapped,
    MappingWeights,
    asked_foods,
    gift_meals,
)
from prandial.score.numbers import wilson
from prandial.sources.gift import GiftSurvey, read_gift
from prandial.sources.weights import weights_home, weights_path
from prandial.tables import load_foods

__all__ = ["draws", "figures", "read_verdicts"]

KEPT = HISTORY / "bench" / "gift_mapping.json"
PAIRS = Path(__file__).resolve().parent / "data" / "gift_mapping.csv"
SEED = 7
TESTED, TUNED, UNSEEN = 100, 60, 100
CYCLE = "BOL-00006"
#: arXiv 2407.12843, appendix F: 100 sampled items, text-embedding-3-large, similarity 0.5
PAPER = 0.855
VERDICTS = ("right", "near", "wrong")
#: without the survey's carbohydrate, as the paper had none
TEXT_ONLY = MappingWeights(carb=0.0)
EMBEDDING_ONLY = MappingWeights(
    similarity=1.0, said=0.0, meant=0.0, head=0.0, clash=0.0, another=0.0, carb=0.0, eaten=0.0,
    unserved=0.0,
)  # fmt: skip
WORDS_ONLY = MappingWeights(similarity=0.0, carb=0.0)
Pair = tuple[str, str, str]


def bolivia(shared: Path) -> GiftSurvey:
    """Read the shared survey."""
    return read_gift(
        shared / "data" / "foods" / "fao_gift_bolivia_2010_consumption.parquet", cycle=CYCLE
    )


def draws(shared: Path, survey: GiftSurvey) -> dict[str, list[AskedFood]]:
    """Return the foods of each draw; the same for a seed."""
    known = sorted(asked_foods(survey.records), key=lambda f: (f.code, f.name))
    random.Random(SEED).shuffle(known)
    tune, other = _names_of_v2(shared)
    return {
        "survey": known[:TESTED],
        "tune": known[TESTED:] + random.Random(SEED).sample(tune, TUNED),
        "unseen": random.Random(SEED + 1).sample(other, UNSEEN),
    }


def _names_of_v2(shared: Path) -> tuple[list[AskedFood], list[AskedFood]]:
    """Return item names of GIFT meals: of the tuning half, and those in the other half only."""
    path = shared / "data" / "nutribench" / "nutribench_v2.parquet"
    rows = duckdb.execute(
        "SELECT meal_group, item_descriptions, item_grams, item_carb_g FROM read_parquet(?)"
        " WHERE country <> 'USA'", [str(path)]
    ).fetchall()  # fmt: skip
    grams: dict[str, float] = {}
    carb: dict[str, float] = {}
    records: Counter[str] = Counter()
    tune: set[str] = set()
    for group, names, weights, carbs in rows:
        for name, weight, amount in zip(names, weights, carbs, strict=True):
            records[name] += 1
            grams[name] = grams.get(name, 0.0) + weight
            carb[name] = carb.get(name, 0.0) + amount
            if is_tune(group):
                tune.add(name)
    foods = {
        name: AskedFood(
            name=name,
            records=n,
            carb_per_100g=100 * carb[name] / grams[name] if grams[name] > 0 else None,
        )
        for name, n in sorted(records.items())
    }
    return (
        [f for n, f in foods.items() if n in tune],
        [f for n, f in foods.items() if n not in tune],
    )


def read_verdicts(path: Path) -> dict[Pair, str]:
    """Return verdicts by name, table and id."""
    rows = csv.DictReader(path.read_text("utf-8").splitlines())
    found = {(r["name"], r["table"], r["id"]): r["verdict"] for r in rows if r["verdict"]}
    unknown = set(found.values()) - set(VERDICTS)
    if unknown:
        sys.exit(f"{path}: no such verdict: {', '.join(sorted(unknown))}")
    return found


def pair(mapped: Mapped) -> Pair:
    """Return what a verdict is on: the best food, near enough or not."""
    best = mapped.alternatives[0]
    return mapped.asked.name, best.source.table, best.source.id


def figures(
    mapped: Sequence[Mapped], verdicts: Mapping[Pair, str], threshold: float
) -> dict[str, Any]:
    """Count verdicts of what reaches a threshold; no shares while a pair has none.

    The pairs that are judged are those that the joint evidence found, so shares of them alone
    would flatter whatever agrees with it.
    """
    kept = [m for m in mapped if m.alternatives and m.alternatives[0].score >= threshold]
    said = Counter(verdicts.get(pair(m), "not judged") for m in kept)
    judged = 0 if said["not judged"] else len(kept)
    below = Counter(verdicts.get(pair(m), "not judged") for m in mapped if m not in kept)
    right, good = said["right"], said["right"] + said["near"]
    return {
        "names": len(mapped),
        "mapped": len(kept),
        **{v: said[v] for v in (*VERDICTS, "not judged")},
        "below": dict(below),
        "right_of_mapped": _share(right, judged),
        "right_or_near_of_mapped": _share(good, judged),
        "right_or_near_of_names": _share(good, len(mapped) if judged else 0),
    }


def _share(hits: int, n: int) -> dict[str, float | int] | None:
    if not n:
        return None
    low, high = wilson(hits, n)
    return {"value": round(hits / n, 4), "low": round(low, 4), "high": round(high, 4), "n": n}


def dump(path: Path, mapped: Iterable[Mapped]) -> None:
    """Write pairs to be judged."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("name", "code", "table", "id", "food", "score", "similarity", "flags",
                         "second", "verdict", "why"))  # fmt: skip
        for m in mapped:
            first, second = m.alternatives[:2]
            writer.writerow((
                m.asked.name, m.asked.code, first.source.table, first.source.id, first.name,
                f"{first.score:.3f}", f"{first.similarity:.3f}", "; ".join(m.flags), second.name,
                "", "",
            ))  # fmt: skip


def meal_figures(survey: GiftSurvey, mapper: FoodMapper) -> dict[str, Any]:
    """Compose the meals of the survey and count servings under both readings."""
    foods = mapper.map(asked_foods(survey.records))
    out: dict[str, Any] = {}
    for reading in ("corrected", "published"):
        start = time.perf_counter()
        made = gift_meals(survey, foods, mapper.table, reading=reading)  # type: ignore[arg-type]
        said = [
            (i.serving.grams - i.grams) / i.grams
            for m in made.meals
            for i in m.items
            if i.serving is not None
        ]
        out[reading] = {
            "seconds": round(time.perf_counter() - start, 2),
            "meals": len(made.meals),
            "natural_meals": sum(m.natural for m in made.meals),
            "records": made.records,
            "unmapped": made.unmapped,
            "servings": dict(made.servings),
            "dropped": dict(made.dropped),
            "mean_off": round(float(np.mean(np.abs(said))), 4),
            "over_10_percent_off": sum(abs(s) > 0.1 + 1e-9 for s in said),
        }
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", type=Path, help="folder for the pairs of each draw")
    parser.add_argument("--verdicts", type=Path, action="append", default=[])
    parser.add_argument("--vectors", type=Path, help="keep the vectors of the foods here (.npy)")
    told = parser.parse_args()
    shared = find_shared()
    if shared is None:
        sys.exit("the shared data is not here: set PRANDIAL_SHARED")
    table = load_foods()
    encoder = load_encoder(weights_path("minilm-l6", weights_home()), name="minilm-l6")
    start = time.perf_counter()
    vectors = None
    if told.vectors and told.vectors.is_file():
        vectors = np.load(told.vectors)
    mapper = FoodMapper(table, encoder, vectors=vectors)
    embedded = round(time.perf_counter() - start, 1)
    if told.vectors and vectors is None:
        np.save(told.vectors, mapper.vectors)
    survey = bolivia(shared)
    asked = draws(shared, survey)
    start = time.perf_counter()
    found = {name: mapper.map(foods) for name, foods in asked.items()}
    mapped_s = round(time.perf_counter() - start, 2)
    others = {
        which: FoodMapper(table, encoder, vectors=mapper.vectors, weights=weights)
        for which, weights in (
            ("text", TEXT_ONLY), ("embedding", EMBEDDING_ONLY), ("words", WORDS_ONLY),
        )
    }  # fmt: skip
    beside = {
        which: {name: m.map(foods) for name, foods in asked.items()} for which, m in others.items()
    }
    if told.dump:
        told.dump.mkdir(exist_ok=True, parents=True)
        for name, rows in found.items():
            dump(told.dump / f"{name}.csv", rows)
            for which, made in beside.items():
                dump(told.dump / f"{name}-{which}.csv", made[name])
    verdicts: dict[Pair, str] = {}
    for path in [*([PAIRS] if PAIRS.is_file() else []), *told.verdicts]:
        verdicts |= read_verdicts(path)
    line = {
        "commit": commit(),
        "encoder": encoder.id,
        "release": table.release,
        "seed": SEED,
        "threshold": mapper.threshold,
        "paper": PAPER,
        "foods": len(table.names),
        "embedding_s": embedded if vectors is None else None,
        "mapping_s": mapped_s,
        "joint": {n: figures(rows, verdicts, mapper.threshold) for n, rows in found.items()},
        "thresholds": {
            f"{t:.2f}": figures(found["tune"], verdicts, t)["right_or_near_of_mapped"]
            for t in np.arange(0.3, 0.86, 0.05)
        },
        **{
            which: {
                n: figures(rows, verdicts, mapper.threshold if which == "text" else -1.0)
                for n, rows in made.items()
            }
            for which, made in beside.items()
        },
        "meals": meal_figures(survey, mapper),
    }
    text = json.dumps(line, ensure_ascii=False)
    if not told.dump:
        KEPT.write_text(text + "\n", encoding="utf-8")
    print(json.dumps(line, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
