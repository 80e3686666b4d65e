"""Meals of our own, a build of questions over made-up people, and shared NutriBench files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import prandial
from prandial.cli.run import run

#: text, carb, protein, fat, energy, serving, country: in our own words, labels by hand
OUR_MEALS = (
    ("a slice of toast with butter", 15.0, 2.5, 5.0, 115.0, "natural", "USA"),
    ("30 g of toast with 5 g of butter", 15.0, 2.5, 5.0, 115.0, "metric", "USA"),
    ("a glass of tap water", 0.0, 0.0, 0.0, 0.0, "natural", "USA"),
    ("two boiled eggs", 1.1, 12.6, 10.6, 155.0, "natural", "MEX"),
    ("100 g of cooked white rice", 28.2, 2.7, 0.3, 130.0, "metric", "IND"),
    ("a banana and a cup of milk", 39.0, 9.0, 8.0, 254.0, "natural", "USA"),
    ("a bowl of oatmeal with honey", 44.0, 6.0, 3.5, 223.0, "natural", "USA"),
    ("200 g of boiled potatoes", 40.0, 4.0, 0.2, 174.0, "metric", "KEN"),
    ("a cup of black coffee", 0.0, 0.3, 0.0, 2.0, "natural", "ITA"),
    ("an apple", 25.0, 0.5, 0.3, 95.0, "natural", "ITA"),
    ("50 g of corn chips", 32.0, 3.3, 13.0, 260.0, "metric", "MEX"),
    ("a tuna sandwich", 30.0, 20.0, 12.0, 310.0, "natural", "USA"),
)
PUBLISHED_COLUMNS = (*"meal_description carb protein fat energy serving_type country".split(),)


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a verb of ``prandial bench``: what it prints, or what it says of an error."""

    def call(*argv: str, code: int = 0) -> str:
        told = run(["bench", *argv])
        out, err = capsys.readouterr()
        assert told == code, err
        return out if code in (0, 5) else err

    return call


@pytest.fixture
def meals(tmp_path: Path) -> Path:
    """Our meals in the published form."""
    path = tmp_path / "meals.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(PUBLISHED_COLUMNS)
        writer.writerows(OUR_MEALS)
    return path


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small build of questions over people who are made up."""
    out = tmp_path_factory.mktemp("questions") / "build"
    empty = tmp_path_factory.mktemp("no-raw-files")
    prandial.build_ngqa(out, root=empty, people="demo", per_food=(1, 1, 1))
    return out


@pytest.fixture(scope="session")
def nutribench(shared_dir: Path) -> Path:
    return shared_dir / "data" / "nutribench"
