"""A survey of GIFT as a build: foods mapped, servings by the rule, people's decisions hold."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import prandial
from prandial.answer.encoder import LexicalEncoder
from prandial.bench.nutribench import build, parts
from prandial.compose.written import open_build
from prandial.errors import InputError, MissingDataError, NotFoundError

SURVEY = "BOL-00006"


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let words alone stand for the sentence encoder."""
    embed, held = LexicalEncoder(), {}

    def embedded(_: str, table: object, hear: object = None) -> tuple:
        if "vectors" not in held:
            held["vectors"] = embed(table.names)
        return embed, held["vectors"]

    monkeypatch.setattr(parts, "names_embedded", embedded)
    monkeypatch.setattr(build, "names_embedded", embedded)


@pytest.mark.usefixtures("encoder")
def test_a_survey_is_built_and_its_queue_decides(shared_dir: Path, tmp_path: Path) -> None:
    root = shared_dir / "data"
    out = tmp_path / "out"
    report = prandial.build_nutribench(out, root=root, cycles=[SURVEY], serving="metric")
    (told,) = report.card["notes"]["gift"]
    assert told["records"] + sum(told["records_dropped"].values()) == 7908
    assert told["meals"] == report.card["counts"]["rows"] == 1223
    rows = list(open_build(out).rows())
    assert {r["country"] for r in rows} == {"BOL"}
    assert all(r["item_recorded"][0] for r in rows)

    queue = tmp_path / "queue.csv"
    found = prandial.nutribench_map(SURVEY, queue, root=root)
    assert found.foods == told["foods"]
    assert found.mapped == told["foods_mapped"]
    lines = list(csv.DictReader(queue.read_text("utf-8").splitlines()))
    mapped = next(n for n in lines if n["status"].startswith("mapped"))
    mapped |= {"decision": "none", "reviewer": "ann", "why": "another food"}
    with queue.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    again = prandial.build_nutribench(
        tmp_path / "decided", root=root, cycles=[SURVEY], serving="metric", mapping=queue
    )
    (decided,) = again.card["notes"]["gift"]
    assert decided["foods_mapped"] == told["foods_mapped"] - 1
    assert decided["foods_decided"] == 1
    assert decided["records_unmapped"] > told["records_unmapped"]
    arguments = json.loads((tmp_path / "decided" / "card.json").read_text("utf-8"))["arguments"]
    assert arguments["mapping"] == "queue.csv"


@pytest.mark.usefixtures("encoder")
def test_labels_of_the_serving_that_is_said(shared_dir: Path, tmp_path: Path) -> None:
    root = shared_dir / "data"
    off = {}
    for labels in ("survey", "serving"):
        out = tmp_path / labels
        report = prandial.build_nutribench(
            out, root=root, cycles=[SURVEY], serving="natural", gift_labels=labels
        )
        assert report.card["arguments"]["gift_labels"] == labels
        pairs = [
            pair
            for row in open_build(out).rows()
            for pair in zip(row["item_grams"], row["item_serving_grams"], strict=True)
        ]
        off[labels] = max(abs(g - s) / g for g, s in pairs)
    assert 0.01 < off["survey"] <= 0.1
    assert off["serving"] < 1e-6
    with pytest.raises(InputError, match="no labels 'plate'"):
        prandial.build_nutribench(tmp_path / "x", root=root, cycles=[SURVEY], gift_labels="plate")


def test_what_cannot_be_mapped_says_why(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no survey of GIFT"):
        prandial.nutribench_map("2017-2018", tmp_path / "q.csv", root=tmp_path)
    with pytest.raises(MissingDataError, match=SURVEY):
        prandial.nutribench_map(SURVEY, tmp_path / "q.csv", root=tmp_path)
    (tmp_path / "q.csv").touch()
    with pytest.raises(InputError, match="already"):
        prandial.nutribench_map(SURVEY, tmp_path / "q.csv", root=tmp_path)


def test_weights_that_are_not_here_are_named(shared_dir: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nope"):
        prandial.build_nutribench(
            tmp_path / "out", root=shared_dir / "data", cycles=[SURVEY], encoder="nope"
        )
