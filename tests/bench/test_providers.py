"""``prandial/...`` as models of Inspect: its real ``eval`` on three samples."""

from __future__ import annotations

import gc
import json
import socket

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: prandial[bench]")

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig, ResponseSchema, get_model
from inspect_ai.solver import generate
from inspect_ai.util import JSONSchema
from tests.answer.direct.made import asked, meal, row_of

from prandial.answer.direct import make_direct
from prandial.bench import providers
from prandial.bench.runs import forms
from prandial.bench.training import read_training
from prandial.errors import InputError, MissingDataError, PrandialError, SchemaError
from prandial.sources.weights import weights_home, weights_path

#: of Inspect and what it stands on
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MEALS = [
    meal("100 g of cooked white rice", 28.0, id="a"),
    meal("a glass of water", 0.0, id="b"),
    meal("zzzz", 5.0, id="c"),
]
GRAPHS = [
    asked(row_of(("high_sugar", "low_carb"), ("diabetes",)), task, id=f"g-{task}")
    for task in ("B", "ML", "TG")
]


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    """Nothing may be looked up: a harness that wants a tokenizer from the net fails here."""

    def refuse(host, *args, **more):
        if host not in ("127.0.0.1", "localhost", "::1", None):
            raise AssertionError(f"asks the net: {host}")
        return resolve(host, *args, **more)

    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("INSPECT_TELEMETRY", "")
    monkeypatch.chdir(tmp_path)
    yield
    gc.collect()  # streams that Inspect leaves open are told of here, not at the end of all tests


def run(questions, model, *, metadata=True, config=None, **args):
    samples = [
        Sample(
            id=q.id,
            input=[
                ChatMessageUser(
                    content=q.text,
                    metadata={providers.QUESTION: forms.question_to(q)} if metadata else None,
                )
            ],
        )
        for q in questions
    ]
    (log,) = inspect_eval(
        Task(dataset=samples, solver=generate(), config=config or GenerateConfig()),
        model=model,
        model_args=args,
        display="none",
        log_dir="logs",
        fail_on_error=False,
    )
    return log


def outputs(log):
    assert log.status == "success", log.error
    return {s.id: s.output for s in log.samples}


def test_grounded_is_the_estimator():
    found = outputs(run(MEALS, "prandial/grounded"))
    answer = make_direct("grounded")
    for question in MEALS:
        replied, output = answer(question), found[question.id]
        assert output.completion == replied.text
        assert output.metadata[providers.DETAIL]["value"] == replied.value
        assert output.usage is not None
        assert output.usage.total_tokens == 0
        assert output.time is not None
    assert found["a"].metadata[providers.DETAIL]["detail"]["items"][0]["food_id"]
    assert json.loads(found["a"].completion)["total_carbohydrates"] == pytest.approx(28, abs=3)
    assert found["c"].metadata[providers.DETAIL]["value"] is None


def test_without_metadata_a_message_is_a_meal_for_grounded_alone():
    bare = outputs(run(MEALS[:1], "prandial/grounded", metadata=False))["a"]
    assert bare.completion == make_direct("grounded")(MEALS[0]).text
    log = run(MEALS[:1], "prandial/constant", metadata=False, value=3)
    assert "questions of prandial's own tasks only" in log.samples[0].error.message


def test_rules_and_floors():
    told = outputs(run(GRAPHS, "prandial/rules"))
    # one for and one against is a tie, which is No
    assert [told[q.id].completion for q in GRAPHS] == [
        "No", "low_carb, high_sugar", "No, because the food is high in sugar.",
    ]  # fmt: skip
    assert outputs(run(GRAPHS[:1], "prandial/always_yes"))["g-B"].completion == "Yes"
    body = json.dumps(forms.question_to(GRAPHS[0]))
    text = ChatMessageUser(content="x", metadata={providers.QUESTION: body})
    assert providers._question([text], "rules") == GRAPHS[0]


def test_replay_lists_what_is_missing(tmp_path):
    file = tmp_path / "answers.jsonl"
    lines = [{"id": "a", "reply": "27 g"}, {"id": "b", "value": 1.5}]
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = outputs(run(MEALS, "prandial/replay", file=str(file)))
    assert (found["a"].completion, found["a"].error) == ("27 g", None)
    assert found["b"].metadata[providers.DETAIL]["value"] == 1.5
    assert (found["c"].completion, found["c"].error) == (
        "",
        "not in the file, which has ids such as 'a'",
    )


def test_a_baseline_learns_from_a_file(tmp_path):
    table = tmp_path / "train.csv"
    table.write_text("meal_description,carb_g,meal_group\np,10,1\nq,30,2\nr,,3\n", "utf-8")
    found = outputs(run(MEALS, "prandial/median", training=str(table)))
    assert {o.metadata[providers.DETAIL]["value"] for o in found.values()} == {20.0}
    lines = tmp_path / "questions.jsonl"
    lines.write_text("".join(json.dumps(forms.question_to(m)) + "\n" for m in MEALS), "utf-8")
    assert read_training(lines) == tuple(MEALS)
    log = run(MEALS[:1], "prandial/median", training=str(lines))
    assert "learned from this very group" in log.samples[0].error.message
    for name, body in (("a.csv", "text,carb_g\n"), ("b.csv", "text,group\nx,1\n")):
        (tmp_path / name).write_text(body, "utf-8")
        with pytest.raises(SchemaError):
            read_training(tmp_path / name)
    (tmp_path / "c.jsonl").write_text('{"benchmark": "nutribench", "x": 1}\n', "utf-8")
    with pytest.raises(SchemaError, match="not the questions"):
        read_training(tmp_path / "c.jsonl")


@pytest.mark.parametrize(
    ("model", "args", "why"),
    [
        ("prandial/oracle", {}, "no model prandial/oracle"),
        ("prandial/constant", {}, "value"),
        ("prandial/local", {}, "which local model"),
        ("prandial/local", {"name": "smollm2-135m", "file": "x"}, "which local model"),
        ("prandial/local", {"name": "smollm3"}, "no weights 'smollm3'"),
        ("prandial/local", {"file": "none.gguf"}, "no model file"),
        ("prandial/local", {"file": "none.gguf", "wheels": 4}, "no option 'wheels'"),
        ("prandial/replay", {"file": "none.csv"}, "no such file"),
    ],
)
def test_a_model_that_cannot_be_made(model, args, why):
    with pytest.raises(PrerequisiteError) as caught:
        get_model(model, memoize=False, **args)
    assert isinstance(caught.value.__cause__, PrandialError)
    assert why in str(caught.value.message)


def test_missing_weights_name_the_command(monkeypatch, tmp_path):
    monkeypatch.setenv("PRANDIAL_WEIGHTS", str(tmp_path))
    with pytest.raises(MissingDataError) as caught:
        providers.local_path({"name": "qwen2.5-0.5b"})
    assert caught.value.hint == "prandial models pull qwen2.5-0.5b"
    with pytest.raises(InputError):
        providers.local_record({})


def test_the_local_model():
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: prandial[bench]")
    try:
        weights_path("smollm2-135m", weights_home())
    except PrandialError as error:
        pytest.skip(f"WEIGHTS ABSENT: {error.hint} (or PRANDIAL_WEIGHTS=FOLDER)")
    args = {"name": "smollm2-135m", "threads": 1, "context": 512, "parallel": 2}
    schema = JSONSchema(
        type="object",
        properties={"total_carbohydrates": JSONSchema(type="integer", minimum=0, maximum=400)},
        required=["total_carbohydrates"],
    )
    config = GenerateConfig(
        max_tokens=32, response_schema=ResponseSchema(name="answer", json_schema=schema)
    )
    log = run(MEALS, "prandial/local", config=config, **args)
    for output in outputs(log).values():
        assert 0 <= json.loads(output.completion)["total_carbohydrates"] <= 400
        assert output.usage.input_tokens > 5
        assert 0 < output.usage.output_tokens <= 32
    again = run(MEALS, "prandial/local", config=config, **args)
    assert {k: o.completion for k, o in outputs(log).items()} == {
        k: o.completion for k, o in outputs(again).items()
    }
    bound = GenerateConfig(max_tokens=8, extra_body={"grammar": 'root ::= "yes" | "no"'})
    (word,) = outputs(run(MEALS[:1], "prandial/local", config=bound, **args)).values()
    assert word.completion in ("yes", "no")
    assert get_model("prandial/local", **args).api.max_connections() == 2
    record = providers.local_record(args)
    assert record["sha256"].startswith("b179c9523d0e6a0f")
    assert (record["bytes"], record["threads"]) == (98_362_432, 1)
