"""The pages of figures are those of the kept result lines, whatever keys a line has."""

from __future__ import annotations

import json
import re

import pytest
from benchmarks import pages

LINE = {
    "version": "0.1.0", "commit": "abc", "estimator": "e", "release": "r", "half": "test",
    "accuracy": [
        {"set": "a", "title": "Set A", "carb_g": {"acc": 80.0, "mae": 5.0, "n": 10}},
        {"set": "b", "carb_g": {"acc": 90.0, "acc_low": 85.0, "acc_high": 95.0, "n": 20},
         "bands": {"50": {"covers": 51.0}, "90": {"covers": 91.0, "width_g": 9.5}},
         "interval_score": 12.25, "limits": [1, 2]},
    ],
    "ablation": [{"name": "without priors", "acc": 70.0}, {"name": "all", "acc": 80.0, "x": True}],
    "perturbed": {"typos": {"drop": 2.5}, "order": {"drop": 0.5, "n": 7}},
    "note_of_run": "a | b",
}  # fmt: skip


@pytest.mark.parametrize("page", pages.blocks(), ids=lambda p: p.name)
def test_pages_are_current(page):
    assert page.read_text("utf-8") == pages.filled(page, pages.blocks()[page]), "run: make docs"


def test_every_figure_table_stands_with_the_caveat():
    for page, parts in pages.blocks().items():
        for name, body in parts.items():
            for part in re.split(r"\n\n(?=\|)", body)[:-1]:
                if "### Speed" not in part:  # a table of times needs none
                    assert pages.CAVEAT in part, (page.name, name, part[-200:])


def test_the_card_says_what_it_must(repo):
    card = (repo / "docs" / "model-card.md").read_text("utf-8")
    for words in (
        "Not for dosing insulin", "no diagnosis", "sha256", "2003-2012", "tuning half",
        "Known failures", "includes fibre",
    ):  # fmt: skip
        assert words in card, words
    outside = re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", "", card, flags=re.DOTALL)
    assert not re.search(r"\d\d\.\d", outside)  # no figure is written by hand


def test_unknown_and_missing_keys_are_shown():
    text = pages.run_tables(LINE)
    assert "| Set A | 10 | 80 | 5 | – | – | no label |" in text
    assert "| b | 20 | 90 (85 to 95) | – |" in text
    assert "| b | 51 | 91 | 9.5 | 12.25 | 1 to 2 |" in text
    assert "| Set A | – | – | – | – | – |" in text
    assert "| without priors | 70 | – |" in text
    assert "| all | 80 | yes |" in text
    assert "| typos | 2.5 | – |" in text
    assert "**note of run**: a / b" in text


def test_the_last_line_of_a_run_counts():
    other = LINE | {"commit": "def", "accuracy": [LINE["accuracy"][0]]}
    newer = LINE | {"version": "0.10.0"}
    tune = LINE | {"half": "tune"}
    runs = pages.last_runs(
        [LINE, newer, other, tune, {"version": "0.1.0", "speed": {}}], "accuracy"
    )
    assert [(r["version"], r["half"], r["commit"]) for r in runs] == [
        ("0.10.0", "test", "abc"), ("0.1.0", "test", "def"), ("0.1.0", "tune", "abc"),
    ]  # fmt: skip
    block = pages.figures_block([newer, tune])
    assert "prandial 0.10.0" in block
    assert "tune half" not in block
    course = pages.course_block([LINE, newer])
    assert course.count("| 80 / 5 | 90 / – |") == 2


def test_versions_are_in_order(tmp_path):
    for version in ("0.2.0", "0.10.0", "0.1.0"):
        (tmp_path / f"{version}.jsonl").write_text(json.dumps({"version": version}) + "\n\n")
    assert [x["version"] for x in pages.read_lines(tmp_path)] == ["0.1.0", "0.2.0", "0.10.0"]
    assert "No figures" in pages.groups_block(tmp_path)
    assert "No figures" in pages.figures_block([])
    assert "No figures" in pages.history_block([])


def test_the_page_on_questions_is_current():
    from benchmarks import ngqa_page

    assert ngqa_page.PAGE.read_text("utf-8") == ngqa_page.filled(), "run: make docs"


def test_the_page_on_glucose_risk_is_current():
    from benchmarks import risk_page

    assert risk_page.PAGE.read_text("utf-8") == risk_page.filled(), "run: make docs"


def test_the_pages_on_benches_are_current():
    from benchmarks import bench_page

    for page, parts in bench_page.blocks().items():
        assert page.read_text("utf-8") == pages.filled(page, parts), "run: make docs"


SCORE = {
    "metric": "acc_all", "value": 0.5, "low": 0.25, "high": 0.75, "n_scored": 12, "n_unscored": 0,
    "unit": "", "slice": "",
}  # fmt: skip


def told_run(run, model, **args):
    """What ``bench_score`` returns of a run, without what is not kept."""
    settings = {"nutrient": "carb_g", "half": "test", "limit": 12, "seed": 6, "country": ["KEN"],
                "options": {"bound": "integer", "unknown": True, "max_tokens": 256}}  # fmt: skip
    record = {
        "run": run, "benchmark": "nutribench", "model": model, "method": "base", "commit": "abc",
        "settings": settings, "data": {"name": "v1", "files": {}}, "model_args": args,
        "versions": {"prandial": "0.1.0"},
    }  # fmt: skip
    mae = SCORE | {"metric": "mae_g", "value": None, "low": None, "high": None, "unit": "g",
                   "n_scored": 0, "n_unscored": 12}  # fmt: skip
    summary = {"questions": 12, "failed": 2, "not_asked": 0, "seconds": 40.0, "calls": 10,
               "input_tokens": 3000, "output_tokens": 100}  # fmt: skip
    scores = {"ours": [SCORE, mae], "published": [SCORE | {"value": 0.25}]}
    return {"folder": "/home/somebody/run", "record": record, "summary": summary, "scores": scores}


def test_figures_of_runs_are_kept_and_shown():
    """By hand: 12 asked, 2 failed; 40 s for 10 is 4 s each, 100 tokens in 40 s are 2.5 a second."""
    from benchmarks import bench_keep, bench_page

    local = told_run("1", "prandial/local", name="qwen2.5-0.5b", file="q.gguf")
    lines = bench_keep.run_lines(local)
    assert not [x for x in lines if "somebody" in json.dumps(x)]
    assert lines[0]["asked"] == "carb_g, half test, limit 12, seed 6, country KEN"
    assert lines[0]["options"] == "bound=integer"
    again = bench_keep.kept_with(lines, bench_keep.run_lines(local))
    assert again == lines
    other = bench_keep.run_lines(told_run("2", "openai/gpt-4o"))
    both = bench_keep.kept_with(lines, other)
    assert len(both) == 2 * len(lines)
    text = bench_page.runs_block(both)
    assert text.count("### NutriBench v1: carb_g, half test, limit 12") == 1
    row = "| prandial/local qwen2.5-0.5b | base (bound=integer) |"
    assert f"{row} 0 to 12 | 50.0 [25.0, 75.0] | undefined |" in text
    assert f"{row} 12 | 25.0 [25.0, 75.0] |" in text
    assert f"{row} 10 | 4 | 1 | 300 | 10 | 2.5 |" in text
    assert bench_page.runs_block([]) == "No runs are kept yet.\n"


def test_pairs_of_runs_are_kept_and_shown():
    from benchmarks import bench_keep, bench_page

    first, second = (told_run(n, m)["record"] for n, m in (("1", "a/b"), ("2", "c/d")))
    found = {
        "rules": "ours", "not_run": ["x"], "only_first": ["y"], "only_second": [],
        "differences": [{"metric": "acc_all", "first": 0.5, "second": 0.75, "difference": 0.25,
                         "low": 0.1, "high": 0.4, "p": 0.03125, "n_pairs": 11, "unit": ""},
                        {"metric": "mae_g", "first": 5.0, "second": 4.0, "difference": -1.0,
                         "low": -2.0, "high": 0.0, "p": 0.05, "n_pairs": 9, "unit": "g"}],
    }  # fmt: skip
    lines = bench_keep.pair_lines(first, second, found)
    assert (lines[0]["n_scored"], lines[0]["n_unscored"], lines[0]["versus"]) == (11, 1, "1")
    assert (lines[1]["n_scored"], lines[1]["n_unscored"]) == (9, 3)  # two had no answer to compare
    text = bench_page.runs_block(lines)
    assert "| acc_all, % | 11 | 50.0 | 75.0 | 25.0 [10.0, 40.0] | 0.0312 |" in text
