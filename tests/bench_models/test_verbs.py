"""``prandial bench``: verbs, JSON, errors with their option, figures that follow from answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def grounded(meals: Path, out: Path, *more: str) -> list[str]:
    return [
        *("run", "nutribench", "-m", "prandial/grounded", "--data", str(meals)),
        *("-o", str(out), *more),
    ]


def test_a_run_is_told_and_scored(bench: Any, meals: Path, tmp_path: Path) -> None:
    told = bench(*grounded(meals, tmp_path / "run"))
    assert "12 questions: 12 answered, 0 refused, 0 unreadable, 0 failed, 0 not asked" in told
    body = json.loads(bench("score", str(tmp_path / "run"), "--json", "--bootstrap", "50"))
    (one,) = body["runs"]
    assert set(one["scores"]) == {"ours", "published"}
    figures = {s["metric"]: s for s in one["scores"]["ours"]}
    answers = (tmp_path / "run" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    questions = (tmp_path / "run" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    labels = {q["id"]: q["label"] for q in map(json.loads, questions)}
    errors = [abs(a["reading"]["value"] - labels[a["question"]]) for a in map(json.loads, answers)]
    assert figures["mae_g"]["value"] == pytest.approx(sum(errors) / 12)
    assert figures["acc_all"]["value"] == pytest.approx(sum(e <= 7.5 for e in errors) / 12)
    assert (figures["acc_all"]["n_scored"], figures["acc_all"]["n_unscored"]) == (12, 0)
    table = bench("score", str(tmp_path / "run"), "--by", "serving", "--rules", "ours")
    assert "serving=natural" in table
    assert "published" not in table


def test_a_constant_of_zero_scores_by_hand(bench: Any, meals: Path, tmp_path: Path) -> None:
    """Labels within 7.5 g of 0: water, eggs (1.1), coffee: 3 of 12; MAE is their mean, 22.44 g."""
    argv = ["run", "nutribench", "-m", "prandial/constant", "-M", "value=0", "--data", str(meals)]
    bench(*argv, "-o", str(tmp_path / "zero"))
    body = json.loads(bench("score", str(tmp_path / "zero"), "--json", "--bootstrap", "50"))
    figures = {s["metric"]: s["value"] for s in body["runs"][0]["scores"]["ours"]}
    assert figures["acc_all"] == pytest.approx(3 / 12)
    assert figures["mae_g"] == pytest.approx(269.3 / 12)


def test_all_nutrients_are_a_run_each(bench: Any, meals: Path, tmp_path: Path) -> None:
    body = json.loads(bench(*grounded(meals, tmp_path / "all", "--nutrient", "all", "--json")))
    nutrients = [r["record"]["settings"]["nutrient"] for r in body["runs"]]
    assert nutrients == ["carb_g", "protein_g", "fat_g", "energy_kcal"]
    assert sorted(p.name for p in (tmp_path / "all").iterdir()) == sorted(nutrients)


def test_two_runs_are_compared(bench: Any, meals: Path, tmp_path: Path) -> None:
    bench(*grounded(meals, tmp_path / "a"))
    argv = ["run", "nutribench", "-m", "prandial/constant", "-M", "value=0", "--data", str(meals)]
    bench(*argv, "-o", str(tmp_path / "b"))
    told = json.loads(bench("compare", str(tmp_path / "b"), str(tmp_path / "a"), "--json"))
    by_metric = {d["metric"]: d for d in told["differences"]}
    assert by_metric["acc_all"]["first"] == pytest.approx(3 / 12)
    assert by_metric["acc_all"]["difference"] > 0.3
    assert by_metric["acc_all"]["n_pairs"] == 12
    assert "second - first" in bench("compare", str(tmp_path / "b"), str(tmp_path / "a"))
    bench(*grounded(meals, tmp_path / "fat", "--nutrient", "fat"))
    err = bench("compare", str(tmp_path / "a"), str(tmp_path / "fat"), code=2)
    assert "one run is of carb_g, the other of fat_g" in err


def test_graphs_are_run_and_scored(bench: Any, build: Path, tmp_path: Path) -> None:
    """The rules over whole graphs are right in every verdict and tag set of a default build."""
    argv = ["run", "ngqa", "--method", "rules", "--data", str(build), "--limit", "12"]
    bench(*argv, "-o", str(tmp_path / "rules"))
    body = json.loads(bench("score", str(tmp_path / "rules"), "--json", "--bootstrap", "50"))
    scores = body["runs"][0]["scores"]
    assert set(scores) == {"strict", "published"}
    figures = {s["metric"]: s["value"] for s in scores["strict"] if not s["slice"]}
    assert figures["b_accuracy_all"] == figures["ml_jaccard_all"] == 1.0
    assert "scored by level and task" in bench(
        "score", str(tmp_path / "rules"), "--by", "items", code=2
    )


def test_methods_are_listed(bench: Any) -> None:
    rows = json.loads(bench("methods", "--json"))["methods"]
    names = {(r["benchmark"], r["method"]) for r in rows}
    for method in ("base", "cot", "rag", "rag_cot", "grounded_rag", "extract"):
        assert ("nutribench", method) in names
    for method in ("plain", "kaping", "cot_zero", "cot_bag", "tog", "rules", "g_retriever"):
        assert ("ngqa", method) in names
    assert "g_retriever" in bench("methods", "ngqa")


def test_a_prompt_can_be_replaced_and_names_another_run(
    bench: Any, meals: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("{{meal}} {{nutrient}} " + "word " * 4000, encoding="utf-8")
    argv = ["cost", "nutribench", "-m", "a/b", "--method", "base", "--data", str(meals), "--json"]
    plain = json.loads(bench(*argv))
    longer = json.loads(bench(*argv, "--prompt", f"nutribench_base={mine}"))
    assert longer["input_tokens"] > plain["input_tokens"] + 12 * 4000
    assert "no prompt 'nix'" in bench(*argv[:-1], "--prompt", f"nix={mine}", code=3)


def test_the_cost_of_all_nutrients_is_the_sum(bench: Any, meals: Path) -> None:
    argv = ["cost", "nutribench", "-m", "a/b", "--method", "base", "--data", str(meals), "--json"]
    argv += ["--price-in", "100", "--price-out", "100"]
    one = [json.loads(bench(*argv, "--nutrient", n)) for n in ("carb", "protein", "fat", "energy")]
    every = json.loads(bench(*argv, "--nutrient", "all"))
    assert every["questions"] == 48
    assert every["cost"] == pytest.approx(sum(c["cost"] for c in one))
    assert every["calls"] == 1.0


@pytest.mark.parametrize(
    ("more", "code", "what", "where"),
    [
        (("--nutrient", "salt"), 2, "no labels of 'salt'", "--nutrient"),
        (("--method", "magic"), 3, "no method 'magic'", "--method"),
        (("--items", "few"), 2, "'few' is no count", "--items"),
        (("--country", "Narnia"), 2, "'Narnia'", "--country"),
        (("--half", "other"), 2, "no half 'other'", "--half"),
        (("-M", "temperature"), 2, "'temperature' is no pair", "-M"),
        (("--column", "text=nix"), 2, "no column 'nix'", "meals.csv"),
        (("--price-in", "1"), 2, "a price is missing", "--price-in"),
        (("--limit", "0"), 2, "a limit of 0", "--limit"),
    ],
)
def test_errors_name_the_option(
    bench: Any, meals: Path, tmp_path: Path, more: tuple[str, ...], code: int, what: str, where: str
) -> None:
    err = bench(*grounded(meals, tmp_path / "run", *more), code=code)
    assert what in err
    assert where in err
    assert "next: " in err
    assert not (tmp_path / "run").exists()


def test_no_run_in_a_folder_is_told(bench: Any, tmp_path: Path) -> None:
    assert "no run here" in bench("score", str(tmp_path), code=4)
    assert "1 runs are no pair" in bench("compare", str(tmp_path), code=2)
    assert "no such log" in bench("import", str(tmp_path / "x.eval"), "-o", str(tmp_path), code=3)
