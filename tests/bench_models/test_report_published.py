"""Published figures are those of the papers' text; each table agrees with its card."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from prandial.bench.report.published import TABLES, country_name, number, outlines, published

FOLDER = files("prandial.bench.report")
NGQA_FIGURES = (
    "b_accuracy",
    "b_recall",
    "b_precision",
    "b_f1",
    "ml_jaccard",
    "ml_recall",
    "ml_precision",
    "ml_f1",
    "tg_rouge_1",
    "tg_rouge_2",
    "tg_rouge_l",
    "tg_bleu_4",
    "tg_bertscore",
)
CALLED = {
    "Plain": "plain",
    "KAPING": "kaping_published",
    "CoT-Zero": "cot_zero",
    "CoT-BAG": "cot_bag",
    "ToG": "tog_published",
}


@pytest.mark.parametrize("name", TABLES)
def test_card_names_file_columns_and_licence(name: str) -> None:
    card = json.loads(FOLDER.joinpath(f"{name}.card.json").read_text("utf-8"))
    text = FOLDER.joinpath(card["file"]).read_text("utf-8")
    rows = list(csv.reader(text.splitlines()))
    assert len(rows) - 1 == card["rows"]
    assert card["licence"]
    assert card["origin"]
    assert all(len(row) == len(rows[0]) for row in rows)
    if "sha256" in card:
        assert hashlib.sha256(text.encode()).hexdigest() == card["sha256"]


def test_outlines_are_those_of_their_card() -> None:
    card = json.loads(FOLDER.joinpath("world_outlines.card.json").read_text("utf-8"))
    data = FOLDER.joinpath("world_outlines.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == card["sha256"]
    shapes = outlines()["objects"]["countries"]["geometries"]
    assert len(shapes) == card["rows"]
    assert {"USA", "IND", "LKA", "NGA", "ZMB"} <= {s["id"] for s in shapes}
    # a corner that everybody knows: the arcs walk from one point to the next
    assert country_name("STP") == "São Tomé and Principe"


def _ngqa_of_the_paper(text: str) -> dict[tuple[str, str, str], list[str]]:
    found: dict[tuple[str, str, str], list[str]] = {}
    rows: list[tuple[str, str, list[str]]] = []
    level = ""
    for line in text.splitlines():
        row = re.match(
            r"^(?:(Sparse|Standard|Complex) )?(Plain|KAPING|CoT-Zero|CoT-BAG|ToG)"
            r"((?: [01]\.\d{4}){13})$",
            line,
        )
        caption = re.match(r"^Table (3|8|9): Experimental", line)
        if row:
            level = (row[1] or level).lower()
            rows.append((level, row[2], row[3].split()))
        elif caption:
            found |= {(caption[1], lv, CALLED[m]): figures for lv, m, figures in rows}
            rows = []
    return found


def test_ngqa_equals_tables_3_8_and_9_of_the_paper(shared_dir: Path) -> None:
    printed = _ngqa_of_the_paper((shared_dir / "papers" / "ngqa.txt").read_text("utf-8"))
    assert len(printed) == 45
    ours = {
        (r["table"], r["level"], r["method"]): [r[f] for f in NGQA_FIGURES]
        for r in published("published_ngqa")
    }
    assert ours == printed


def test_slips_of_the_paper_are_marked_and_are_slips() -> None:
    rows = {(r["table"], r["level"], r["method"]): r for r in published("published_ngqa")}
    marked = {k for k, r in rows.items() if r["slip"]}
    assert marked == {("8", "standard", "cot_bag"), ("9", "standard", "cot_zero")}
    text = NGQA_FIGURES[8:]
    repeated, sparse = rows["8", "standard", "cot_bag"], rows["8", "sparse", "cot_bag"]
    assert [repeated[f] for f in text] == [sparse[f] for f in text]
    assert repeated["ml_f1"] != sparse["ml_f1"]
    swapped = rows["9", "standard", "cot_zero"]
    assert float(swapped["tg_rouge_2"]) > float(swapped["tg_rouge_l"])


def test_nutribench_equals_what_the_paper_prints(shared_dir: Path) -> None:
    text = (shared_dir / "papers" / "nutribench.txt").read_text("utf-8")
    rows = {(r["kind"], r["place"], r["model"], r["method"], r["slice"]): r for r in NUTRIBENCH}
    mae = re.search(r"^MAE\t([\d.\t]+)$", text, re.MULTILINE)
    rates = r"^Acc @ 7.5\t([\d.%\t]+)\nAnswer Rate\t([\d.%\t]+)\n\nAs shown"
    acc = re.search(rates, text, re.MULTILINE)
    assert mae
    assert acc
    models = (
        ("GPT-4o", "cot"),
        ("Gemma2-27B", "cot"),
        ("Gemma2-27B", "base"),
        ("Gemma2-27B fine-tuned", "base"),
    )
    printed = zip(models, mae[1].split(), acc[1].split(), acc[2].split(), strict=True)
    for (model, method), error, right, rate in printed:
        row = rows["model", "Table 3", model, method, ""]
        assert (number(row["mae_g"]), number(row["acc"])) == (float(error), _percent(right))
        assert number(row["answer_rate"]) == _percent(rate)
    for line in re.findall(r"^Instruction (\d).*?\t([\d.]+)\t([\d.]+)$", text, re.MULTILINE):
        row = rows["wording", "Table 9", "GPT-4o mini", "base", f"wording {line[0]}"]
        assert (number(row["acc"]), number(row["mae_g"])) == (_percent(line[1]), float(line[2]))
    for name, size, tuned in re.findall(
        r"^(Llama3.1|Gemma2)-(\d+B)-(FT|Base)\t", text, re.MULTILINE
    ):
        found = re.search(rf"^{name}-{size}-{tuned}\t([\d.]+)\t([\d.]+)$", text, re.MULTILINE)
        model = f"{name.replace('Llama3', 'Llama-3')}-{size}" + (
            " fine-tuned" if tuned == "FT" else ""
        )
        row = rows.get(("model", "Table 5", model, "base", ""))
        if row is None:  # the base of Gemma2 stands under Table 3
            assert (name, tuned) == ("Gemma2", "Base")
            continue
        assert found
        assert (number(row["mae_g"]), number(row["acc"])) == (
            float(found[1]),
            _percent(found[2]),
        )


def test_countries_equal_table_1_of_the_paper(shared_dir: Path) -> None:
    text = (shared_dir / "papers" / "nutribench.txt").read_text("utf-8")
    printed = {
        name: (int(meals), int(foods))
        for name, meals, foods in re.findall(r"^\(\d+\) (.+)\t(\d+)\t(\d+)$", text, re.MULTILINE)
    }
    ours = {
        country_name(r["country"]): (int(r["meals"]), int(r["foods"]))
        for r in published("published_countries")
    }
    assert ours == printed
    assert len(ours) == 10


NUTRIBENCH = published("published_nutribench")


def _percent(text: str) -> float:
    return round(float(text.rstrip("%")) / 100, 6)
