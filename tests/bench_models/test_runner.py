"""Runs without a harness: folders, going on, records, costs."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prandial import estimate
from prandial.bench.questions import half_of, meal_questions
from prandial.bench.runner import (
    BenchSettings,
    Price,
    Progress,
    cost_of,
    read_price,
    run_bench,
    run_summary,
)
from prandial.bench.runner.cost import spent
from prandial.bench.runner.record import commit_of
from prandial.bench.runs import read_run
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.records.bench import Call, Prediction, Reading


def grounded(meals: Path, **more: Any) -> BenchSettings:
    return BenchSettings(benchmark="nutribench", model="prandial/grounded", data=meals, **more)


def lines(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "answers.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_our_estimator_says_what_it_says_elsewhere(meals: Path, tmp_path: Path) -> None:
    run = run_bench(grounded(meals), tmp_path / "run", prandial_version="1")
    assert len(run.predictions) == 12
    for question in run.questions:
        found = run.predictions[question.id].reading
        assert found.value == pytest.approx(estimate(question.text).totals["carb_g"].mid)
    assert run == read_run(tmp_path / "run")


def test_a_run_goes_on_where_it_ended(meals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    whole = run_bench(grounded(meals), out, prandial_version="1")
    body = (out / "answers.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (out / "answers.jsonl").write_text("".join(body[:5]) + body[5][:40], encoding="utf-8")
    heard: list[Progress] = []
    again = run_bench(grounded(meals), out, prandial_version="1", hear=heard.append)
    assert [p.done for p in heard][:1] == [5]
    assert heard[-1].done == heard[-1].total == 12
    assert [line["question"] for line in lines(out)] == [q.id for q in whole.questions]
    values = {k: p.reading.value for k, p in whole.predictions.items()}
    assert {k: p.reading.value for k, p in again.predictions.items()} == values
    assert (whole.record.sittings, again.record.sittings) == (1, 2)
    assert again.record.started == whole.record.started
    assert again.record.seconds > whole.record.seconds


def test_a_finished_run_is_only_read(meals: Path, tmp_path: Path) -> None:
    first = run_bench(grounded(meals), tmp_path / "run", prandial_version="1")
    before = (tmp_path / "run" / "answers.jsonl").read_bytes()
    again = run_bench(grounded(meals), tmp_path / "run", prandial_version="1")
    assert (tmp_path / "run" / "answers.jsonl").read_bytes() == before
    assert again.record.sittings == first.record.sittings == 1


@pytest.mark.parametrize(
    "other",
    [
        {"nutrient": "fat_g"},
        {"limit": 5},
        {"seed": 1},
        {"half": "test"},
        {"model": "prandial/constant", "model_args": {"value": 30}},
        {"method": "base", "model": "mockllm/model"},
    ],
)
def test_another_run_does_not_get_into_the_folder(
    meals: Path, tmp_path: Path, other: dict[str, Any]
) -> None:
    out = tmp_path / "run"
    run_bench(grounded(meals), out, prandial_version="1")
    before = sorted((p.name, p.read_bytes()) for p in out.iterdir())
    with pytest.raises(InputError, match="the folder holds another run"):
        run_bench(replace(grounded(meals), **other), out, prandial_version="1")
    assert sorted((p.name, p.read_bytes()) for p in out.iterdir()) == before


def test_changed_data_are_another_run(meals: Path, tmp_path: Path) -> None:
    run_bench(grounded(meals), tmp_path / "run", prandial_version="1")
    text = meals.read_text(encoding="utf-8").replace("an apple,25.0", "an apple,26.0")
    meals.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="another run"):
        run_bench(grounded(meals), tmp_path / "run", prandial_version="1")


def test_a_folder_without_answers_may_be_taken(meals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run_bench(grounded(meals, limit=3), out, prandial_version="1")
    (out / "answers.jsonl").unlink()
    run = run_bench(grounded(meals), out, prandial_version="1")
    assert len(run.questions) == len(run.predictions) == 12


def test_where_the_file_lies_does_not_name_the_run(meals: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "deep" / meals.name
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(meals.read_bytes())
    names = {
        run_bench(grounded(p), tmp_path / p.parent.name / "run", prandial_version="1").record.run
        for p in (meals, elsewhere)
    }
    assert len(names) == 1


def test_recorded_answers_are_a_run_and_absent_ones_failed(meals: Path, tmp_path: Path) -> None:
    path = tmp_path / "said.csv"
    path.write_text(
        'id,reply\nmeals-0,"{""total_carbohydrates"": 12}"\nmeals-1,I cannot say\n'
        'meals-2,"{""total_carbohydrates"": -1}"\n',
        encoding="utf-8",
    )
    settings = BenchSettings(
        benchmark="nutribench", model="prandial/replay", data=meals, model_args={"file": str(path)}
    )
    run = run_bench(settings, tmp_path / "run", prandial_version="1")
    told = {k.removeprefix("meals-"): p.reading.status for k, p in run.predictions.items()}
    assert (told["0"], told["1"], told["2"]) == ("answered", "refused", "refused")
    assert {told[str(n)] for n in range(3, 12)} == {"failed"}
    told = run_summary(run)
    assert told["failures"] == {"not recorded": 9}
    # the first of each kind says why
    assert told["failed_at"]["not recorded"] == (
        "meals-3: not in the file, which has ids such as 'meals-0'"
    )
    assert run.record.model_args["file"]["file"] == "said.csv"
    assert len(run.record.model_args["file"]["sha256"]) == 64


def test_those_that_learn_do_so_from_the_other_half(meals: Path, tmp_path: Path) -> None:
    """The median of each half is told of the other: by hand from the labels."""
    settings = BenchSettings(benchmark="nutribench", model="prandial/median", data=meals)
    run = run_bench(settings, tmp_path / "run", prandial_version="1")
    assert run_summary(run)["failed"] == 0
    questions = meal_questions(meals).questions
    for half, other in (("tune", "test"), ("test", "tune")):
        labels = sorted(q.label for q in questions if half_of(q.group) == other)
        n = len(labels)
        middle = (labels[(n - 1) // 2] + labels[n // 2]) / 2
        told = {run.predictions[q.id].reading.value for q in questions if half_of(q.group) == half}
        assert sorted(told) == [pytest.approx(middle)]
    assert "other half" in run.record.settings["training"]


def test_questions_over_graphs_are_run_by_rule_and_by_floors(
    build: Path, meals: Path, tmp_path: Path
) -> None:
    """The rules over graphs that hold all facts say what the gold says."""
    rules = BenchSettings(
        benchmark="ngqa", model="", method="rules", data=build, task="B", limit=60
    )
    run = run_bench(rules, tmp_path / "rules", prandial_version="1")
    told = {q.id: run.predictions[q.id].reading.verdict for q in run.questions}
    assert told == {q.id: q.row.gold.verdict for q in run.questions}  # type: ignore[union-attr]
    never = replace(rules, method="", model="prandial/always_no")
    floor = run_bench(never, tmp_path / "no", prandial_version="1")
    assert {p.reading.verdict for p in floor.predictions.values()} == {"No"}
    with pytest.raises(InputError, match="does not answer nutribench"):
        run_bench(
            BenchSettings(benchmark="nutribench", model="prandial/edges", data=meals),
            tmp_path / "x",
            prandial_version="1",
        )


def test_what_cannot_be_run_leaves_no_folder(meals: Path, tmp_path: Path) -> None:
    for settings, what in (
        (grounded(meals, method="nix"), "no method 'nix'"),
        (replace(grounded(meals), model="prandial/nix"), "prandial/nix"),
        (replace(grounded(meals), model="", method="base"), "no model is named"),
        (replace(grounded(meals), model="nix/m", method="direct"), "does not answer without"),
        (grounded(meals, model_args={"size": 3}), "grounded"),
    ):
        with pytest.raises((InputError, NotFoundError), match=what):
            run_bench(settings, tmp_path / "run", prandial_version="1")
        assert not (tmp_path / "run").exists()


def test_commit_is_told_in_a_checkout_only(tmp_path: Path, repo: Path) -> None:
    assert commit_of(tmp_path) == ""
    if not (repo / ".git").exists():
        pytest.skip("not a checkout")
    head = subprocess.run(
        ["git", "-C", str(repo), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert commit_of(repo).removesuffix("-dirty") == head


def test_a_changed_checkout_is_dirty(tmp_path: Path) -> None:
    (tmp_path / "src" / "prandial").mkdir(parents=True)
    file = tmp_path / "src" / "prandial" / "a.py"
    file.write_text("a = 1\n")
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True)
    assert not commit_of(tmp_path).endswith("-dirty")
    file.write_text("a = 2\n")
    assert commit_of(tmp_path).endswith("-dirty")


# cost


def test_price_by_hand() -> None:
    """2.5 and 10 a million: 1,000 tokens in and 200 out are 0.0025 + 0.002."""
    price = Price(input_per_million=2.5, output_per_million=10)
    assert price.of(1000, 200) == pytest.approx(0.0045)


def test_what_is_spent_counts_told_tokens_and_else_characters() -> None:
    price = Price(input_per_million=1, output_per_million=1_000_000)
    read = Reading(status="answered")
    told = Prediction(question="a", raw_text="", reading=read, input_tokens=0, output_tokens=3)
    untold = Prediction(
        question="b", raw_text="", reading=read, replies=(Call(name="x", reply="12345678"),)
    )
    assert spent([told, untold], price) == pytest.approx(3 + 8 / 4)


def test_the_estimate_counts_the_prompts_that_are_sent(meals: Path) -> None:
    from prandial.answer.ask import AskedModel
    from prandial.bench.kits import kit_of
    from prandial.bench.methods import method_named

    settings = replace(grounded(meals), model="any/model", method="base")
    priced = replace(settings, price=Price(input_per_million=4, output_per_million=8))
    found = cost_of(priced)
    method = method_named("base", "nutribench")
    model = AskedModel(lambda _: "{}")
    import asyncio

    async def every() -> None:
        for question in meal_questions(meals).questions:
            await method.run(question, model, kit_of(method))

    asyncio.run(every())
    characters = sum(len(r.system) + len(r.user) for r in model.requests)
    most = sum(r.max_tokens for r in model.requests)
    assert (found.questions, found.sampled, found.calls) == (12, 12, 1.0)
    assert found.input_tokens == pytest.approx(characters / 4)
    assert found.most_output_tokens == most
    assert found.cost == pytest.approx(characters / 4 * 4 / 1e6)
    assert found.most_cost == pytest.approx(found.cost + most * 8 / 1e6)
    assert cost_of(grounded(meals)).most_cost == 0.0


def test_methods_that_parse_first_are_counted_with_both_calls(meals: Path) -> None:
    rag = replace(grounded(meals), model="any/model", method="rag", encoder="lexical")
    assert cost_of(rag).calls == 2.0


def test_price_tables(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("model,input_per_million,output_per_million\na/b,2.5,10\nc/d,free,1\n")
    assert read_price(path, "a/b") == Price(input_per_million=2.5, output_per_million=10)
    with pytest.raises(SchemaError, match="a price is no number"):
        read_price(path, "c/d")
    with pytest.raises(NotFoundError, match="no price of 'x/y'"):
        read_price(path, "x/y")
    path.write_text("name,price\na,1\n")
    with pytest.raises(SchemaError, match="not a price table"):
        read_price(path, "a/b")


def test_a_run_that_costs_too_much_is_refused_before_it_is_paid(
    meals: Path, tmp_path: Path
) -> None:
    settings = BenchSettings(
        benchmark="nutribench",
        model="mockllm/model",
        method="base",
        data=meals,
        price=Price(input_per_million=1000, output_per_million=1000),
        max_cost=0.001,
    )
    with pytest.raises(InputError, match="the prompts alone would cost about"):
        run_bench(settings, tmp_path / "run", prandial_version="1")
    with pytest.raises(InputError, match="needs prices"):
        run_bench(replace(settings, price=None), tmp_path / "run", prandial_version="1")


def test_a_prompt_that_is_too_long_is_told_as_such() -> None:
    """Its numbers of tokens are no status of a server, and a kind is told once."""
    from prandial.bench.predicting import failure_of
    from prandial.errors import ModelError

    why = "request (500 tokens) exceeds the available context size (404 tokens)"
    assert failure_of(ModelError(why)) == f"prompt too long: {why}"
    assert failure_of(ModelError(f"prompt too long: {why}")) == f"prompt too long: {why}"
    assert failure_of(ModelError("other: odd")) == "other: odd"
