"""Published NutriBench files: from the hub, from a folder; cut, wrong and absent."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from prandial.errors import NotFoundError
from prandial.sources import FakeWeb
from prandial.sources.nutribench import find_meals, get_nutribench, read_meals
from prandial.sources.nutribench.registry import load_meal_files


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Files of the published form with as many rows as the registry states, by address."""
    folder = tmp_path_factory.mktemp("hub")
    files = {}
    for entry in load_meal_files("v1"):
        path = folder / "one.parquet"
        duckdb.sql(
            f"COPY (SELECT 'meal ' || i AS meal_description, i::DOUBLE AS carb, 1.0 AS fat,"
            f" 2.0 AS protein, 50.0 AS energy FROM range({entry.rows}) t(i)) TO '{path}'"
            " (FORMAT parquet)"
        )
        files[entry.url] = path.read_bytes()
    return files


def test_the_registry_counts_what_the_paper_counts() -> None:
    """Table 1 and section 3: v1 11,857 = 5,532 + 5,532 + 266 + 527; v2 15,617."""
    v1 = {f.table: f.rows for f in load_meal_files("v1")}
    assert sum(v1.values()) == 11_857
    assert v1["wweia_meal_natural"] == v1["wweia_meal_metric"] == 5_532
    assert sum(f.rows for f in load_meal_files("v2")) == 15_617
    with pytest.raises(NotFoundError, match="no NutriBench version 'v3'"):
        load_meal_files("v3")


def test_what_is_got_is_found_by_name(published: dict[str, bytes], tmp_path: Path) -> None:
    report = get_nutribench("v1", target=tmp_path, web=FakeWeb(published), pause=lambda _: None)
    assert (report.ok, report.counts["got"]) == (True, 4)
    name, files = find_meals("v1", home=tmp_path)
    found = read_meals(files, nutrient="carb_g", name=name)
    assert found.rows == 11_857
    assert found.questions[0].id == "v1-wweia_meal_natural-0"
    again = get_nutribench("v1", target=tmp_path, web=FakeWeb({}), pause=lambda _: None)
    assert again.counts["kept"] == 4


def test_a_cut_line_is_gone_on_with(published: dict[str, bytes], tmp_path: Path) -> None:
    first = load_meal_files("v1")[0]
    web = FakeWeb(published, plan={first.url: [(1000,)]})
    report = get_nutribench("v1", target=tmp_path, web=web, pause=lambda _: None)
    assert report.ok
    assert (first.url, 1000) in web.requests


def test_wrong_and_absent_files_are_told(published: dict[str, bytes], tmp_path: Path) -> None:
    first, second, third, fourth = load_meal_files("v1")
    files = dict(published)
    files[first.url] = b"<html>sign in</html>"
    files[second.url] = published[fourth.url]  # fewer rows
    del files[third.url]
    report = get_nutribench("v1", target=tmp_path, web=FakeWeb(files), pause=lambda _: None)
    told = {f.table: (f.status, f.why) for f in report.files}
    assert told[first.table][0] == told[second.table][0] == told[third.table][0] == "failed"
    assert "not readable as Parquet" in told[first.table][1]
    assert "rows" in told[second.table][1]
    assert "404" in told[third.table][1]
    assert told[fourth.table][0] == "got"
    assert not (tmp_path / first.file).exists()


def test_a_folder_does_too(published: dict[str, bytes], tmp_path: Path) -> None:
    source = tmp_path / "copy"
    source.mkdir()
    for entry in load_meal_files("v1"):
        (source / f"{entry.table}.parquet").write_bytes(published[entry.url])
    report = get_nutribench("v1", source=source, target=tmp_path / "home")
    assert report.counts["got"] == 4
