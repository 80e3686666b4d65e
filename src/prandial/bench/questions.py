"""What a run asks: meals or questions over a graph, sliced, halved, and drawn by a seed.

A draw takes the questions whose keyed hash is smallest, so that it does not depend on the order
of a file, and a draw of 100 is part of a draw of 200. Halves go by group: all rows of one meal
are on one side.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.bench.runs import forms
from prandial.countries import as_alpha3, nearest_alpha3
from prandial.errors import InputError
from prandial.records.bench import Benchmark, GraphQuestion, MealQuestion
from prandial.sources.nutribench import find_meals, read_meals

__all__ = ["HALVES", "NUTRIENTS", "SERVINGS", "Asked", "digest_of", "half_of", "meal_questions"]

#: short names of the nutrients that are asked for
NUTRIENTS: Final = {
    "carb": "carb_g",
    "protein": "protein_g",
    "fat": "fat_g",
    "energy": "energy_kcal",
}
SERVINGS: Final = ("natural", "metric")
#: the half that settings may be chosen on, and the one that figures are told of
HALVES: Final = ("tune", "test")
_ITEMS: Final = re.compile(r"(\d+)(?:-(\d+)|(\+))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Questions of a run and where they are from.

    Parameters
    ----------
    benchmark : {'nutribench', 'ngqa'}
    questions : tuple
    data : mapping
        Name, files with sha256, rows, rows left out, and the sha256 of the questions.
    settings : mapping
        What was chosen: nutrient, slices, half, limit, seed.
    notes : tuple of str
    """

    benchmark: Benchmark
    questions: tuple[MealQuestion | GraphQuestion, ...]
    data: Mapping[str, Any]
    settings: Mapping[str, Any]
    notes: tuple[str, ...] = ()


def half_of(group: str) -> str:
    """Return the half of a group, ``tune`` or ``test``: the parity of a keyed hash's first byte."""
    return HALVES[hashlib.sha256(f"prandial|{group}".encode()).digest()[0] % 2]


def digest_of(questions: Iterable[MealQuestion | GraphQuestion]) -> str:
    """Return the sha256 of questions as JSON lines."""
    digest = hashlib.sha256()
    for question in questions:
        line = json.dumps(forms.question_to(question), ensure_ascii=False, sort_keys=True)
        digest.update(line.encode("utf-8") + b"\n")
    return digest.hexdigest()


def drawn(names: Sequence[str], limit: int | None, seed: int) -> frozenset[str]:
    """Return ``limit`` of some names, drawn by a seed; all when there are not more."""
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} asks nothing", where="limit", hint="1 or more")
    if limit is None or limit >= len(names):
        return frozenset(names)
    rank = {n: hashlib.sha256(f"{seed}|{n}".encode()).digest() for n in names}
    return frozenset(sorted(names, key=rank.__getitem__)[:limit])


def meal_questions(
    data: str | Path,
    *,
    nutrient: str = "carb_g",
    serving: str = "",
    country: Sequence[str] = (),
    items: str = "",
    half: str = "",
    limit: int | None = None,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> Asked:
    """Return the meals of a run.

    Parameters
    ----------
    data : str or Path
        ``v1``, ``v2``, or a file.
    nutrient : {'carb_g', 'protein_g', 'fat_g', 'energy_kcal'}
    serving : {'', 'natural', 'metric'}
        Only these; all when empty.
    country : sequence of str
        ISO 3166 alpha-3; all when empty.
    items : str
        Foods in a meal, such as ``1``, ``2-4`` or ``5+``; all when empty.
    half : {'', 'tune', 'test'}
    limit, seed : int, optional
        How many are drawn of what is left, and the seed of the draw.
    columns : mapping, optional
        As for :func:`prandial.sources.nutribench.read_meals`.
    home : Path, optional
        Where files of versions are.

    Raises
    ------
    InputError
        On a choice that there is not, or that leaves nothing.
    PrandialError
        As :func:`prandial.sources.nutribench.read_meals`.
    """
    codes = _countries(country)
    least, most = _item_range(items)
    _one_of(serving, ("", *SERVINGS), "serving")
    _one_of(half, ("", *HALVES), "half")
    name, files = find_meals(data, home=home)
    meals = read_meals(files, nutrient=nutrient, name=name, columns=columns)
    if not meals.questions:
        raise InputError(
            f"no row has a label of {nutrient}",
            where=", ".join(str(f) for f in files),
            hint=f"{meals.rows} rows were read; another column: --column {nutrient}=NAME",
        )
    kept = [
        q
        for q in meals.questions
        if (not serving or q.serving == serving)
        and (not codes or q.country in codes)
        and (not items or (q.items is not None and least <= q.items <= most))
        and (not half or half_of(q.group) == half)
    ]
    if not kept:
        raise InputError(
            "no meal is left", where=_what_was_chosen(serving, codes, items, half), hint=_has(meals)
        )
    names = drawn([q.id for q in kept], limit, seed)
    questions = tuple(q for q in kept if q.id in names)
    settings = {
        "nutrient": nutrient,
        "serving": serving,
        "country": list(codes),
        "items": items,
        "half": half,
        "limit": limit,
        "seed": seed,
    }
    return Asked(
        benchmark="nutribench",
        questions=questions,
        data={
            "name": meals.name,
            "files": dict(meals.files),
            "rows": meals.rows,
            "unlabelled": meals.unlabelled,
            "notes": list(meals.notes),
            "questions": len(questions),
            "sha256": digest_of(questions),
        },
        settings=settings,
        notes=meals.notes,
    )


def _has(meals: Any) -> str:
    """Say what slices the data have."""
    questions = meals.questions
    servings = sorted({q.serving for q in questions} - {""})
    countries = sorted({q.country for q in questions} - {""})
    items = sorted({q.items for q in questions} - {None})
    told = [f"serving: {', '.join(servings)}"] if servings else ["no serving types"]
    told.append(f"countries: {', '.join(countries)}" if countries else "no countries")
    told.append(f"items: {items[0]}-{items[-1]}" if items else "no counts of items")
    return f"{len(questions)} meals; " + "; ".join(told)


def _what_was_chosen(serving: str, codes: Sequence[str], items: str, half: str) -> str:
    told = {"serving": serving, "country": ",".join(codes), "items": items, "half": half}
    return ", ".join(f"{k} {v}" for k, v in told.items() if v) or "data"


def _one_of(value: str, known: Sequence[str], where: str) -> None:
    if value not in known:
        raise InputError(
            f"no {where} {value!r}", where=where, hint="known: " + ", ".join(filter(None, known))
        )


def _countries(given: Sequence[str]) -> tuple[str, ...]:
    codes = []
    for one in [given] if isinstance(given, str) else given:
        for name in filter(None, (p.strip() for p in one.split(","))):
            code = as_alpha3(name)
            if code is None:
                near = nearest_alpha3(name)
                raise InputError(
                    f"country {name!r} is no ISO 3166 alpha-3 code",
                    where="country",
                    hint="nearest: " + ", ".join(near) if near else "such as USA, MEX or ETH",
                )
            codes.append(code)
    return tuple(dict.fromkeys(codes))


def _item_range(text: str) -> tuple[int, int]:
    """Read ``3``, ``2-4`` or ``5+``."""
    if not text:
        return 0, 0
    found = _ITEMS.fullmatch(text.strip())
    least = int(found[1]) if found else 0
    most = 10**9 if found and found[3] else int(found[2] or least) if found else 0
    if found is None or most < least:
        raise InputError(f"{text!r} is no count of items", where="items", hint="such as 1, 2-4, 5+")
    return least, most
