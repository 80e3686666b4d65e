"""Two cycles of food records, made up of real foods and household measures."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sources.test_eaten import Row, row
from tests.sources.test_recalls import write_parquet

from prandial.tables import load_foods

#: foods with household measures of a known weight: code and measures
FOODS = (
    (11111000, "1 cup", 244.0),
    (51101010, "1 medium or regular slice", 26.0),
    (63101000, "1 medium", 182.0),
    (31103010, "1 medium", 46.0),
    (94000100, "1 fl oz", 30.0),
    (56205018, "1 cup, cooked", 195.0),
)
CYCLES = ("2013-2014", "2015-2016")


def food_measures() -> dict[int, tuple[str, float]]:
    """Return of each food that the table has the first household measure and its grams."""
    table = load_foods()
    out = {}
    for code, _, _ in FOODS:
        food = table.food(table.row_of(str(code), "fndds"))
        measure = next(m for m in food.measures if not m.name.startswith("Quantity"))
        out[code] = measure.name, measure.grams
    return out


def write_cycle(folder: Path, letter: str, people: int, seed: int) -> int:
    """Write a cycle's day-1 and day-2 files; return the number of records."""
    draw, known = random.Random(seed), food_measures()
    count = 0
    for day in (1, 2):
        rows: list[Row] = []
        for person in range(people):
            line = 0
            for occasion, seconds in ((1, 27_000), (2, 45_000), (6, 61_200)):
                for code in draw.sample(sorted(known), draw.randint(1, 4)):
                    line += 1
                    times = draw.choice((1, 2, 0.5))
                    grams = round(known[code][1] * times, 2)
                    if draw.random() < 0.1:
                        grams = round(grams + 1.37, 2)  # no household measure weighs so
                    cells = {"IFDCD": code, "IGRMS": grams, "_030Z": occasion, "_020": seconds}
                    rows.append(row(day, 1000 + person, line, **cells))
        rows.append(row(day, 1000, 90, IFDCD=99_999_999))  # in no table
        rows.append(row(day, 1000, 91, IGRMS=None))
        write_parquet(folder / f"DR{day}IFF_{letter}.parquet", rows)
        count += len(rows)
    return count


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder that holds ``nhanes/`` with two made-up cycles."""
    root = tmp_path_factory.mktemp("survey")
    for number, (cycle, letter) in enumerate(zip(CYCLES, "HI", strict=True)):
        write_cycle(root / "nhanes" / cycle, letter, people=12, seed=number)
    return root


@pytest.fixture
def build(survey: Path, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that builds into a new folder and returns it."""
    import prandial

    number = 0

    def call(**options: object) -> Path:
        nonlocal number
        number += 1
        out = tmp_path / f"build{number}"
        prandial.build_nutribench(out, root=survey, **{"workers": 1, **options})
        return out

    return call
