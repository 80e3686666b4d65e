"""The data card: of card and reports, says what was not checked, no name breaks it."""

from __future__ import annotations

import pytest

from prandial.compose.datacard import data_card, write_data_card
from prandial.compose.leaks import leaks_of_files
from prandial.compose.quality import check_file, write_quality
from prandial.compose.written import COLUMNS, open_build, write_build
from prandial.errors import NotFoundError, SchemaError
from prandial.tables.rules import read_rules


@pytest.fixture
def build(small, tmp_path):
    write_build(
        small,
        tmp_path / "b",
        seed=7,
        arguments={"cycles": ["2017-2018"], "describe": "template"},
        prandial_version="0.1.0",
        sources=[{"name": "DR1IFF_J.XPT", "sha256": "ab" * 32, "rows": 112683}],
        notes={"dropped": {"no code": 3}},
    )
    return tmp_path / "b"


def test_a_card_without_checks_says_so(build):
    text = write_data_card(build)
    assert "## Quality\n\nNot checked." in text
    assert "## Leaks\n\nNot checked against any file." in text
    assert "5 rows with 8 foods, seed 7." in text
    assert "| DR1IFF_J.XPT | " + "ab" * 32 + " | 112683 |" in text
    assert (build / "README.md").read_text("utf-8") == text
    digest = open_build(build).card["files"]["meals.parquet"]["sha256"]
    assert digest in text
    assert [r["column"] for r in read_rules("build_columns")] == list(COLUMNS)
    for column in COLUMNS:
        assert f"| {column} |" in text


def test_a_card_with_checks(build):
    parquet = build / "meals.parquet"
    write_quality(check_file(parquet), build)
    leaks_of_files(parquet, parquet, against="itself").write(build)
    text = write_data_card(build)
    assert "Against itself (5 rows): 5 of 5 rows repeat a text." in text
    missing = "label_missing | carbohydrate, protein, fat or energy is unknown"
    assert f"| {missing} | 1 | 5 meals | 20.00 % |" in text
    assert "| Carbohydrate, g | rows |" in text
    assert write_data_card(build) == text
    open_build(build)  # the reports beside it are no part of the build


def test_every_table_keeps_its_shape(build):
    write_quality(check_file(build / "meals.parquet"), build)
    width = 0
    for line in write_data_card(build).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        width = width or line.count("|")
        assert line.count("|") - line.count("\\|") == width


def test_names_are_data(build):
    card = dict(open_build(build).card)
    card["arguments"] = {"name": "a | b\n# Heading <script>`x`"}
    text = data_card(card)
    assert "| name | a \\| b # Heading &lt;script>'x' |" in text
    assert "\n# Heading" not in text


def test_a_report_that_cannot_be_read(build):
    (build / "quality.json").write_text("{", "utf-8")
    with pytest.raises(SchemaError):
        write_data_card(build)
    with pytest.raises(NotFoundError):
        write_data_card(build / "no")
