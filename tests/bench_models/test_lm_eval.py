"""Tasks for lm-evaluation-harness: the same requests, the same reading, the same figures."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.answer.graphs.asked import made_question
from tests.bench_models.lm_eval_made import SAID, chat_server, digest, meals

from prandial.answer.ask import AskedModel, Request, one_message
from prandial.bench.kits import kit_of
from prandial.bench.lm_eval import ExportedTasks, export_lm_eval, request_of
from prandial.bench.methods import method_named, read_reply
from prandial.bench.predicting import predict
from prandial.errors import InputError, SchemaError
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction
from prandial.score.answers.meals import score_meals

ONE_CALL = ("base", "cot", "base_p1", "base_p2", "base_p3", "base_p4", "grounded_rag", "extract")
GRAPH_SAID = ("Answer: Yes", "Answer: No", "high_sodium, low_carb", "", "I cannot tell.")
Questions = Sequence[MealQuestion | GraphQuestion]


def graph_questions() -> list[GraphQuestion]:
    from dataclasses import replace

    foods = [("low_carb", "high_sodium"), ("high_sodium",), ("low_carb",), ("high_fiber",)]
    return [
        replace(made_question(task, tags=tags, name=f"Pie {i}"), id=f"{task}-{i}")
        for task in ("B", "ML", "TG")
        for i, tags in enumerate(foods)
    ]


def said(number: int) -> str:
    return SAID[number % len(SAID)][1]


def script(questions: Questions, method: str, replies: Sequence[str]) -> dict[str, str]:
    """Return the reply to each request that our own bench sends, by digest of the request."""
    benchmark = "nutribench" if isinstance(questions[0], MealQuestion) else "ngqa"
    chosen = method_named(method, benchmark)  # type: ignore[arg-type]
    kit, found = kit_of(chosen), {}
    for i, q in enumerate(questions):
        model = AskedModel(lambda _: "")
        asyncio.run(chosen.run(q, model, kit))
        (request,) = model.requests
        found[digest(request.system, one_message(request))] = replies[i % len(replies)]
    assert len(found) == len(questions)
    return found


def ours(questions: Questions, method: str, replies: Mapping[str, str]) -> dict[str, Prediction]:
    """Answer by our own bench, from a model that is a function."""
    benchmark = "nutribench" if isinstance(questions[0], MealQuestion) else "ngqa"
    chosen = method_named(method, benchmark)  # type: ignore[arg-type]
    kit = kit_of(chosen)

    def answer(request: Request) -> str:
        return replies[digest(request.system, one_message(request))]

    def read(asked: Any, replied: Any) -> Any:
        return read_reply(asked, replied, method)

    return {q.id: asyncio.run(predict(q, chosen, AskedModel(answer), kit, read)) for q in questions}


def our_figures(questions: Questions, predictions: Mapping[str, Prediction]) -> dict[str, Any]:
    """Score by the bench, with its intervals; name of a figure to value."""
    pairs = [(q, predictions[q.id]) for q in questions]
    if isinstance(questions[0], MealQuestion):
        scores = [
            s
            for rules in ("ours", "published")
            for s in score_meals(pairs, rules=rules, seed=7, draws=50)  # type: ignore[arg-type]
        ]
    else:
        from prandial.score.quizzes import published_scores, strict_scores

        scores = [*strict_scores(pairs, draws=20), *published_scores(pairs, draws=20)]  # type: ignore[arg-type]
    return {f"{s.metric}_{s.rules}": s.value for s in scores if not s.slice}


def module_of(folder: Path, task: str) -> ModuleType:
    """Import the module of a task from its file, as lm-eval does."""
    spec = importlib.util.spec_from_file_location(task, folder / f"{task}_scores.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def docs_of(folder: Path, task: str) -> list[dict[str, str]]:
    lines = (folder / f"{task}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def task_of(folder: Path, task: str) -> dict[str, Any]:
    """Read a task's YAML; a function is its name."""
    yaml = pytest.importorskip("yaml")

    class Loader(yaml.SafeLoader):  # type: ignore[misc,name-defined]
        pass

    Loader.add_constructor("!function", lambda loader, node: f"<{node.value}>")
    text = (folder / f"{task}.yaml").read_text("utf-8")
    return dict(yaml.load(text, Loader=Loader))


def harness_figures(folder: Path, task: str, replies: Mapping[str, str]) -> dict[str, float]:
    """Do what lm-eval does with the functions of a task."""
    module, body = module_of(folder, task), task_of(folder, task)
    items: dict[str, list[Any]] = {}
    for doc in docs_of(folder, task):
        reply = replies[digest(doc["system"], doc["user"])]
        for name, value in module.process_results(doc, [reply]).items():
            items.setdefault(name, []).append(value)
    found = {}
    for one in body["metric_list"]:
        function = one["aggregation"][1:-1].rpartition(".")[2]
        found[one["metric"]] = getattr(module, function)(items[one["metric"]])
    return found


def same(told: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Compare to the last digit; what is undefined with us is NaN there."""
    assert told.keys() == own.keys()
    for name, value in own.items():
        if value is None:
            assert math.isnan(told[name]), name
        else:
            assert told[name] == value, name


@pytest.mark.parametrize("method", ONE_CALL)
def test_meals_score_as_with_us(tmp_path: Path, method: str) -> None:
    questions = meals()
    done = export_lm_eval(questions, tmp_path, method=method, version="1")
    (task,) = done.tasks
    replies = script(questions, method, [said(i) for i in range(len(questions))])
    predictions = ours(questions, method, replies)
    # the replies are of every kind
    found = {p.reading.status for p in predictions.values()}
    assert found == {"answered", "unreadable"} | (set() if method == "extract" else {"refused"})
    same(harness_figures(tmp_path, task, replies), our_figures(questions, predictions))


@pytest.mark.parametrize("method", ["plain", "cot_zero", "cot_bag", "kaping_published"])
def test_questions_over_a_graph_score_as_with_us(tmp_path: Path, method: str) -> None:
    questions = graph_questions()
    done = export_lm_eval(questions, tmp_path, method=method, version="1")
    assert [t.rpartition("_")[2] for t in done.tasks] == ["b", "ml", "tg"]
    replies = script(questions, method, GRAPH_SAID)
    predictions = ours(questions, method, replies)
    for task, name in zip(done.tasks, ("B", "ML", "TG"), strict=True):
        part = [q for q in questions if q.task == name]
        same(harness_figures(tmp_path, task, replies), our_figures(part, predictions))


def test_the_yaml_is_what_lm_eval_needs(tmp_path: Path) -> None:
    (task,) = export_lm_eval(meals(), tmp_path, method="extract", version="1.2").tasks
    assert task == "prandial_nutribench_extract_carb_g"
    body = task_of(tmp_path, task)
    assert body["task"] == task
    assert body["custom_dataset"] == f"<{task}_scores.dataset>"
    assert body["test_split"] == "test"
    assert body["output_type"] == "generate_until"
    # the names of columns, taken as they are: braces in a meal are no template
    first = docs_of(tmp_path, task)[0]
    assert (body["description"], body["doc_to_text"], body["doc_to_target"]) == (
        "system",
        "user",
        "target",
    )
    assert "{{facts}}" in first["user"]
    generation = body["generation_kwargs"]
    # greedy, and never cut at a blank line, which is lm-eval's habit
    assert (generation["do_sample"], generation["temperature"], generation["until"]) == (
        False,
        0.0,
        [],
    )
    method = method_named("extract", "nutribench")
    request = request_of(meals()[0], method, kit_of(method))
    assert generation["max_gen_toks"] == request.max_tokens
    schema = generation["response_format"]["json_schema"]["schema"]
    assert schema == json.loads(json.dumps(request.schema))
    module = module_of(tmp_path, task)
    for one in body["metric_list"]:
        assert one["metric"].endswith(("_ours", "_published"))
        assert callable(getattr(module, one["metric"]))
    names = {m["metric"] for m in body["metric_list"]}
    assert {"acc_all_ours", "mae_g_ours", "answer_rate_ours"} <= names
    assert {"acc_all_published", "mae_g_published", "answer_rate_published"} <= names


@pytest.mark.parametrize(
    ("method", "options", "told"),
    [
        ("rag", {"retriever": "lexical"}, "asks a model more than once"),
        ("rag_cot", {"retriever": "lexical"}, "asks a model more than once"),
        # a bound answer after free reasoning is a second call
        ("cot", {"bound": "integer"}, "asks a model more than once"),
    ],
)
def test_methods_of_several_calls_are_refused(
    tmp_path: Path, method: str, options: dict[str, str], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        export_lm_eval(meals(), tmp_path, method=method, options=options, version="1")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", ["tog", "tog_published", "cot_zero_two_stage", "rules"])
def test_graph_methods_of_several_calls_or_none_are_refused(tmp_path: Path, method: str) -> None:
    with pytest.raises(InputError, match="asks"):
        export_lm_eval(graph_questions(), tmp_path, method=method, version="1")


def test_a_folder_of_tasks_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file names the place where it was written; the table of the harness is a stand-in."""
    here, there = tmp_path / "here", tmp_path / "over there"
    (task,) = export_lm_eval(meals(), here, method="base", version="1").tasks
    told = [p for p in here.iterdir() if p.suffix != ".yaml" and str(tmp_path) in p.read_text()]
    assert told == []
    here.rename(there)
    made = ModuleType("datasets")
    made.Dataset = type("Dataset", (), {"from_list": staticmethod(list)})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "datasets", made)
    monkeypatch.chdir(tmp_path)
    module = module_of(there, task)
    found = module.dataset(version=1.0, prandial="1", pretrained="x")["test"]
    assert found == docs_of(there, task)
    item = module.process_results(found[0], ["Output: {'total_carbohydrates': 12}"])
    assert json.loads(item["acc_all_ours"])[1]["value"] == 12


def test_the_command_can_be_pasted(tmp_path: Path) -> None:
    done = export_lm_eval(meals(), tmp_path / "my tasks", method="base", version="1")
    assert f"--include_path '{tmp_path / 'my tasks'}' " in done.command


def test_nothing_is_written_over_unless_meant(tmp_path: Path) -> None:
    export_lm_eval(meals(), tmp_path, method="base", version="1")
    export_lm_eval(meals(), tmp_path, method="cot", version="1")
    with pytest.raises(InputError, match="there already"):
        export_lm_eval(meals(), tmp_path, method="base", version="1")
    export_lm_eval(meals(), tmp_path, method="base", version="1", replace=True)
    with pytest.raises(InputError, match="nothing to ask"):
        export_lm_eval([], tmp_path, method="base", version="1")
    with pytest.raises(InputError, match="two benchmarks"):
        export_lm_eval([*meals(), *graph_questions()], tmp_path, method="base", version="1")


def test_a_task_of_other_prompts_is_not_scored(tmp_path: Path) -> None:
    (task,) = export_lm_eval(meals(), tmp_path, method="base", version="1").tasks
    doc = docs_of(tmp_path, task)[0]
    with pytest.raises(SchemaError, match="something else than was exported"):
        module_of(tmp_path, task).process_results({**doc, "user": doc["user"] + "!"}, ["1"])
    path = tmp_path / f"{task}.json"
    body = json.loads(path.read_text("utf-8"))
    body["prompts"]["nutribench_base"] = "0" * 64
    path.write_text(json.dumps(body), "utf-8")
    with pytest.raises(SchemaError, match="prompts have changed"):
        module_of(tmp_path, task).process_results(doc, ["1"])


def test_a_prompt_of_the_user_goes_along(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("How many grams of carbohydrate? {{meal}}", "utf-8")
    (task,) = export_lm_eval(
        meals(), tmp_path / "out", method="base", prompts={"nutribench_base": own}, version="1"
    ).tasks
    own.unlink()
    doc = docs_of(tmp_path / "out", task)[0]
    assert doc["user"].startswith("How many grams of carbohydrate? On day 0")
    (item, *_) = module_of(tmp_path / "out", task).process_results(doc, ["12"]).values()
    assert json.loads(item)[1]["value"] == 12


def _python() -> str:
    """Return a Python that has lm-eval: PRANDIAL_LM_EVAL."""
    found = os.environ.get("PRANDIAL_LM_EVAL", "")
    if not found:
        pytest.skip("no lm-eval: PRANDIAL_LM_EVAL names a Python that has it (make test-full)")
    return found


def _lm_eval(done: ExportedTasks, folder: Path, url: str, repo: Path) -> dict[str, Any]:
    """Run lm-eval itself; return its results by task."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(repo / "src"),
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(folder / "hf"),
    }
    words = [
        *(_python(), "-m", "lm_eval", "run", "--model", "local-chat-completions"),
        *("--model_args", f"model=scripted,base_url={url},tokenized_requests=False"),
        *("--tasks", ",".join(done.tasks), "--include_path", str(folder)),
        *("--apply_chat_template", "--output_path", str(folder / "results"), "--log_samples"),
    ]
    ran = subprocess.run(
        words, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    (results,) = (folder / "results").rglob("results_*.json")
    return dict(json.loads(results.read_text("utf-8"))["results"])


@pytest.mark.full
def test_lm_eval_itself_gives_our_figures(tmp_path: Path, repo: Path) -> None:
    python = _python()
    asked = subprocess.run(
        [python, "-c", "import lm_eval, importlib.metadata as m; print(m.version('lm_eval'))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert asked.stdout.startswith("0.4."), asked.stdout
    questions = meals()
    graphs = graph_questions()
    replies: dict[str, str] = {}
    wanted: dict[str, dict[str, Any]] = {}
    tasks: tuple[str, ...] = ()
    for method in ("base", "cot", "grounded_rag", "extract"):
        own = script(questions, method, [said(i) for i in range(len(questions))])
        done = export_lm_eval(questions, tmp_path, method=method, version="1")
        wanted[done.tasks[0]] = our_figures(questions, ours(questions, method, own))
        replies |= own
        tasks += done.tasks
    for method in ("plain", "cot_zero"):
        own = script(graphs, method, GRAPH_SAID)
        done = export_lm_eval(graphs, tmp_path, method=method, version="1")
        predictions = ours(graphs, method, own)
        for task, name in zip(done.tasks, ("B", "ML", "TG"), strict=True):
            part = [q for q in graphs if q.task == name]
            wanted[task] = our_figures(part, predictions)
        replies |= own
        tasks += done.tasks
    every = ExportedTasks(tasks=tasks, files=(), questions=0, command="")
    # a folder of tasks can be moved, and run from anywhere
    moved = tmp_path / "moved to" / "another place"
    moved.mkdir(parents=True)
    for file in [p for p in tmp_path.iterdir() if p.is_file()]:
        file.rename(moved / file.name)
    with chat_server(replies) as (url, requests):
        results = _lm_eval(every, moved, url, repo)
    # one request a question, and each was one of ours to the letter: another gets no reply
    assert len(requests) == 4 * len(questions) + 2 * len(graphs)
    assert {r["temperature"] for r in requests} == {0}
    for task, figures in wanted.items():
        told = {
            k.removesuffix(",none"): v
            for k, v in results[task].items()
            if k.endswith(",none") and "_stderr" not in k
        }
        same(told, figures)
    print(f"lm-eval {asked.stdout.strip()} against us: {len(wanted)} tasks, "
          f"{sum(map(len, wanted.values()))} figures equal", file=sys.stderr)  # fmt: skip
