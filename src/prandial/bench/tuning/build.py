"""Rows for fine-tuning out of the food tables at hand, with a record of how they were made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.answer.texts import Prompts
from prandial.bench.tuning.known import known_meals
from prandial.bench.tuning.teaching import form_of, taught_methods
from prandial.compose.tuning import (
    Leaks,
    Share,
    TuningSet,
    count_singles,
    tuning_set,
    write_tuning,
)
from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.tables import FoodTable

__all__ = ["PAPER", "RECORD", "build_rows"]

RECORD: Final = "tuning.json"
#: descriptions of the paper's set by who made them (NutriBench, arXiv 2407.12843, appendix E)
PAPER: Final = {"rule_made": 450_182, "model_made": 158_246}


def build_rows(
    table: FoodTable,
    out: Path,
    *,
    data: Sequence[str | Path] = (),
    home: Path | None = None,
    methods: Sequence[str] = ("base", "cot"),
    nutrient: str = "carb_g",
    share: Share | None = None,
    seed: int = 0,
    near: float = 0.8,
    prompts: Mapping[str, Path] | None = None,
    replace: bool = False,
    version: str = "",
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Make the rows and write them: ``train`` and ``valid``, JSON lines and Parquet.

    Parameters
    ----------
    table : FoodTable
    out : Path
        Folder; ``tuning.json`` in it tells how the rows were made.
    data : sequence of str or Path
        NutriBench files (or ``v1``, ``v2``) whose meals no row may repeat.
    home : Path, optional
        Where files of versions are.
    methods : sequence of str
        Whose prompts ask the rows; each row is asked by one.
    nutrient : str
    share : Share, optional
    seed : int
    near : float
        Jaccard index of words from which texts are near.
    prompts : mapping of str to Path, optional
        Files in the place of shipped prompts, as for ``bench run``.
    replace : bool
        Whether rows that are there may be replaced.
    version : str
        Of prandial.
    progress : callable, optional

    Returns
    -------
    dict
        The record.

    Raises
    ------
    InputError
        On a choice that there is not, rows that are there, and where no row is left.
    PrandialError
        When a file cannot be read.
    """
    if not 0.5 <= near <= 1:
        raise InputError(f"texts near at {near}", where="near", hint="0.5 to 1; 0.8 is usual")
    if not replace and (out / RECORD).exists():
        raise InputError(
            "rows are there already", where=str(out), hint="name a new folder, or --replace"
        )
    texts = Prompts(prompts)
    taught = taught_methods(methods, nutrient=nutrient, prompts=texts)
    meals, files = known_meals(data, home=home)
    leaks = Leaks(meals, near=near)
    shares = share or Share()
    made = tuning_set(
        table, seed=seed, share=shares, nutrient=nutrient, leaks=leaks, progress=progress
    )
    if not made.rows:
        why = ", ".join(f"{n} {reason}" for reason, n in made.left_out.items())
        raise InputError(
            "no row is left",
            where="rows",
            hint=f"left out: {why}" if why else "ask for some: natural, metric or combined above 0",
        )
    written = write_tuning(made.rows, out, taught=taught, form=form_of(nutrient), seed=seed)
    record = {
        "prandial": version,
        "tables": _tables(table),
        "seed": seed,
        "nutrient": nutrient,
        "share": asdict(shares),
        "methods": [t.method for t in taught],
        "prompts": _hashes(taught_names=[t.method for t in taught], prompts=texts),
        "possible": count_singles(table),
        **_counts(made),
        "held_against": {
            "files": files,
            "near": near,
            "texts": leaks.texts,
            "test_half_labels": leaks.held,
            "test_half_without_labels": leaks.unlabelled,
        },
        "paper": PAPER,
        "files": written,
    }
    text = json.dumps(record, ensure_ascii=False, indent=1)
    (out / RECORD).write_text(text + "\n", encoding="utf-8")
    return record


def _counts(made: TuningSet) -> dict[str, Any]:
    return {
        "foods": made.foods,
        "made": dict(made.made),
        "left_out": dict(made.left_out),
        "kept": made.kept(),
        "rows": len(made.rows),
    }


def _tables(table: FoodTable) -> dict[str, int]:
    found: dict[str, int] = {}
    for release in table.release_of:
        found[release] = found.get(release, 0) + 1
    return found


def _hashes(*, taught_names: Sequence[str], prompts: Prompts) -> dict[str, str]:
    from prandial.answer.meals import METHODS

    names = {p for name in taught_names for p in METHODS[name].prompts if not p.endswith("_close")}
    return prompts.hashes(*sorted(names))
