"""People of the shared survey files, read once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.survey.plain import CYCLES, PlainTables

from prandial.records import PeopleTable
from prandial.sources.nhanes.people import read_people


@pytest.fixture(scope="session")
def nhanes(shared_dir: Path) -> PlainTables:
    return PlainTables(shared_dir / "data" / "nhanes")


@pytest.fixture(scope="session")
def people_2017(nhanes: PlainTables) -> PeopleTable:
    return read_people(nhanes, ["2017-2018"])


@pytest.fixture(scope="session")
def everyone(nhanes: PlainTables) -> PeopleTable:
    return read_people(nhanes, CYCLES, keep_double_release=True)
