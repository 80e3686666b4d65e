"""Made-up people, calibrated to published counts, for machines without survey files."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.records import PeopleTable, Prescriptions
from prandial.tables.rules import load_needs, read_rules

__all__ = ["FIRST_NUMBER", "MADE_UP", "demo_people"]

#: the cycle that made-up people name, and the first of their numbers: no survey has either
MADE_UP: Final = "made-up"
FIRST_NUMBER: Final = 90_000_001
#: records that the published counts are of
_POPULATION: Final = 95_872
_ROUNDS: Final = 60
#: code and name that no drug file holds, so that nobody takes the record for a real one; class
_DRUG: Final = ("made-up", "MADE-UP OPIOID", "57/58/60")
_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]


def _facts() -> tuple[dict[frozenset[str], float], dict[str, tuple[_Numbers, _Numbers]]]:
    together: dict[frozenset[str], float] = {}
    answers: dict[str, list[tuple[float, float]]] = {}
    for row in read_rules("people_demo"):
        if row["kind"] == "status":
            together[frozenset(row["name"].split(" & "))] = float(row["count"]) / _POPULATION
        else:
            answers.setdefault(row["name"], []).append((float(row["value"]), float(row["count"])))
    drawn = {
        name: (np.array([v for v, _ in rows]), np.array([c for _, c in rows]))
        for name, rows in answers.items()
    }
    return together, drawn


def _patterns(conditions: list[str], together: Mapping[frozenset[str], float]) -> _Numbers:
    """Return the share of each pattern of conditions, by inclusion and exclusion."""
    shares = []
    for pattern in product((0, 1), repeat=len(conditions)):
        base = frozenset(c for c, p in zip(conditions, pattern, strict=True) if p)
        rest = [c for c, p in zip(conditions, pattern, strict=True) if not p]
        total = 0.0
        for extra in product((0, 1), repeat=len(rest)):
            added = base | {c for c, e in zip(rest, extra, strict=True) if e}
            total += (-1) ** sum(extra) * (together[added] if added else 1.0)
        shares.append(max(total, 0.0))
    out: _Numbers = np.array(shares, dtype=np.float64)
    return np.asarray(out / out.sum(), dtype=np.float64)


def _diet_rates(
    diet: str,
    conditions: list[str],
    patterns: _Numbers,
    together: Mapping[frozenset[str], float],
) -> _Numbers:
    """Return the chance of a diet in each pattern, fitted to its overlap with each condition.

    Iterative proportional fitting (Deming and Stephan, 1940).
    """
    flags = np.array(list(product((0, 1), repeat=len(conditions))), dtype=bool)
    cells = patterns * together[frozenset((diet,))]
    for _ in range(_ROUNDS):
        for place, condition in enumerate(conditions):
            inside = flags[:, place]
            wanted = together[frozenset((diet, condition))]
            for member, goal in (
                (inside, wanted),
                (~inside, together[frozenset((diet,))] - wanted),
            ):
                now = cells[member].sum()
                if now > 0:
                    cells[member] *= goal / now
    return np.minimum(np.divide(cells, patterns, out=np.zeros_like(cells), where=patterns > 0), 1.0)


def _draw_statuses(n: int, random: np.random.Generator) -> dict[str, _Flags]:
    needs = load_needs("as-published")
    together, _ = _facts()
    conditions = [s for s, kind in needs.kinds.items() if kind == "condition"]
    patterns = _patterns(conditions, together)
    drawn = random.choice(len(patterns), size=n, p=patterns)
    flags = np.array(list(product((0, 1), repeat=len(conditions))), dtype=bool)[drawn]
    out = {c: flags[:, place] for place, c in enumerate(conditions)}
    for diet, kind in needs.kinds.items():
        if kind == "diet":
            rates = _diet_rates(diet, conditions, patterns, together)
            out[diet] = random.random(n) < rates[drawn]
    return out


def _between(random: np.random.Generator, low: float, high: float, n: int) -> _Numbers:
    return np.round(random.uniform(low, high, n), 1)


def _measures(has: Mapping[str, _Flags], random: np.random.Generator) -> dict[str, _Numbers]:
    """Return measures from which the rules tell just the drawn conditions."""
    n = len(next(iter(has.values())))
    obese, pressed, diabetic = has["obesity"], has["hypertension"], has["diabetes"]
    age = np.floor(random.uniform(19, 80, n))
    sex = random.integers(1, 3, n).astype(np.float64)
    systolic = np.round(np.where(pressed, random.uniform(140, 180, n), random.uniform(100, 139, n)))
    diastolic = np.round(np.where(pressed, random.uniform(75, 100, n), random.uniform(60, 89, n)))
    bmi = np.where(obese, _between(random, 30, 45, n), _between(random, 19, 29.9, n))
    return {
        "age_years": age,
        "sex_code": sex,
        "income_ratio": _between(random, 0, 5, n),
        "bmi_kg_m2": bmi,
        "waist_cm": np.where(obese, _between(random, 102, 140, n), _between(random, 65, 87, n)),
        "systolic_1_mmhg": systolic,
        "diastolic_1_mmhg": diastolic,
        "hypertension_told_code": np.where(pressed, 1.0, 2.0),
        "diabetes_told_code": np.where(diabetic, 1.0, 2.0),
        "insulin_code": np.full(n, 2.0),
        "glucose_serum_mmol_l": np.where(
            diabetic, _between(random, 7, 14, n), _between(random, 4, 6.5, n)
        ),
        "hba1c_percent": np.where(
            diabetic, _between(random, 6.5, 11, n), _between(random, 4.5, 6.2, n)
        ),
        "haemoglobin_g_dl": _between(random, 13.2, 16, n),
        "creatinine_mg_dl": np.round(random.uniform(0.6, 0.9, n), 2),
        "urine_albumin_mg_l": _between(random, 2, 12, n),
        "urine_creatinine_mg_dl": _between(random, 60, 200, n),
        "ldl_mmol_l": _between(random, 1.8, 3.2, n),
        "osteoporosis_told_code": np.full(n, 2.0),
        "prescriptions_code": np.where(has["opioid_misuse"], 1.0, 2.0),
        "drugs_ever_code": np.full(n, 2.0),
    }


def _diet_columns() -> dict[str, tuple[str, float]]:
    """Return the column of each diet status and the code that stands for it."""
    columns = {}
    for row in read_rules("indicators"):
        if row["rules"] == "as-published" and row["op"] == "any":
            columns[row["then"]] = row["measure"]
    raw = {r["name"]: r["raw"] for r in read_rules("people_variables")}
    return {d: (c, float(raw[c].removeprefix("DRQSDT"))) for d, c in columns.items()}


def demo_people(n: int, seed: int) -> PeopleTable:
    """Make up people whose statuses follow the published counts.

    Single counts, conditions together and each condition with each diet are those of the NGQA
    paper's Tables 10 and 11 in expectation; diets are drawn apart from each other, and
    answers behind habits apart from everything. They are adults, of the cycle ``made-up``,
    with numbers above 90,000,000 and without survey weights: nothing of them is a fact.

    Parameters
    ----------
    n : int
        At least 1.
    seed : int
        The same seed makes the same people.

    Raises
    ------
    InputError
        When ``n`` is below 1.
    """
    if n < 1:
        raise InputError("no people were asked for", where="n", hint="ask for at least 1")
    random = np.random.default_rng(seed)
    has = _draw_statuses(n, random)
    names = tuple(dict.fromkeys(r["name"] for r in read_rules("people_variables")))
    values = {name: np.full(n, np.nan) for name in names}
    values |= _measures(has, random)
    on_diet = np.zeros(n, dtype=bool)
    for diet, (column, code) in _diet_columns().items():
        values[column] = np.where(has[diet], code, np.nan)
        on_diet |= has[diet]
    values["special_diet_code"] = np.where(on_diet, 1.0, 2.0)
    for name, (options, weights) in _facts()[1].items():
        values[name] = random.choice(options, size=n, p=weights / weights.sum())
    seqn = np.arange(FIRST_NUMBER, FIRST_NUMBER + n, dtype=np.int64)
    taking = np.flatnonzero(has["opioid_misuse"])
    records = Prescriptions(
        seqn=seqn[taking],
        cycle=np.full(len(taking), MADE_UP, dtype="U9"),
        drug_code=(_DRUG[0],) * len(taking),
        drug=(_DRUG[1],) * len(taking),
        days=np.floor(random.uniform(91, 2000, len(taking))),
        classes=((_DRUG[2],),) * len(taking),
        reasons=((),) * len(taking),
    )
    return PeopleTable(
        cycle=np.full(n, MADE_UP, dtype="U9"), seqn=seqn, values=values, prescriptions=records
    )
