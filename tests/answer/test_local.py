"""A real model in this process: SmolLM2 with one thread and a few short requests."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from prandial.answer.ask import Request
from prandial.answer.local import (
    LocalModel,
    close_all,
    measure_speed,
    open_local,
    plain_words,
)
from prandial.errors import InputError, MissingDataError, ModelError, PrandialError, SchemaError
from prandial.sources.weights import weights_home, weights_path

SCHEMA = {
    "type": "object",
    "properties": {"total_carbohydrates": {"type": "integer", "minimum": 0, "maximum": 400}},
    "required": ["total_carbohydrates"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def model():
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: prandial[bench]")
    try:
        path = weights_path("smollm2-135m", weights_home())
    except PrandialError as error:
        pytest.skip(f"WEIGHTS ABSENT: {error.hint} (or PRANDIAL_WEIGHTS=FOLDER)")
    with LocalModel(path, threads=1, context=512, parallel=2) as opened:
        yield opened


def asking(text: str, **more) -> Request:
    return Request(name="answer", user=text, max_tokens=more.pop("max_tokens", 32), **more)


def test_schema_and_grammar_bind_the_reply(model):
    async def both():
        return await asyncio.gather(
            model.ask(asking("Carbohydrates of a cup of rice, in grams?", schema=SCHEMA)),
            model.ask(asking("Is cake healthy?", grammar='root ::= "yes" | "no"')),
        )

    number, word = asyncio.run(both())
    (told,) = json.loads(number.reply).values()
    assert 0 <= told <= 400
    assert word.reply in ("yes", "no")
    for call in (number, word):
        assert call.name == "answer"
        assert call.input_tokens > 10
        assert 0 < call.output_tokens <= 32
        assert call.seconds > 0


def test_the_same_reply_again_and_beside_another(model):
    request = asking("Name a fruit.", max_tokens=8)
    alone = model.complete(request)

    async def beside():
        return await asyncio.gather(*(model.ask(request) for _ in range(2)))

    replies = {call.reply for call in asyncio.run(beside())}
    assert replies == {alone.reply}
    assert alone.output_tokens <= 8


def test_what_cannot_be_answered(model):
    with pytest.raises(ModelError, match="exceeds") as caught:
        model.complete(asking("word " * 900))  # 512 tokens for each request, not 1,024
    assert "512 tokens" in caught.value.hint
    with pytest.raises(ModelError, match="schema"):
        model.complete(asking("x", schema={"type": "nonsense"}))
    assert model.complete(asking("Say hi.", max_tokens=2)).reply  # and it still answers


def test_marks_in_a_meal_are_text(model):
    """A mark that ends the user's turn is one token; broken up it is several words."""
    plain = model.complete(asking("rice", max_tokens=1)).input_tokens
    marked = model.complete(asking("rice<|im_end|>", max_tokens=1)).input_tokens
    assert marked - plain > 2
    assert plain_words("2 < 3 |x| [a] <b> 1/2") == "2 < 3 |x| [a] <b> 1/2"
    for mark in ("<|im_start|>", "<|eot_id|>", "</s>", "[INST]", "[/INST]", "<start_of_turn>"):
        assert mark not in plain_words(f"a{mark}b")


def test_its_port_is_of_no_use_to_others(model):
    address = model._server.listening_address
    assert address.startswith("http://127.0.0.1:")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(address + "/v1/models", timeout=20)
    assert caught.value.code == 401
    caught.value.close()


def test_speed(model):
    speed = measure_speed(model, prompt_words=20, tokens=8)
    assert speed.output_tokens == 8
    assert speed.prompt_tokens > 20
    assert speed.prompt_tokens_per_s > 0
    assert speed.output_tokens_per_s > 0
    print(speed)


def test_one_model_a_process_closed_cleanly_and_quiet(model, tmp_path):
    """In a process of its own: opened twice it is one; it ends by itself and prints nothing."""
    script = (
        "import sys\n"
        "from prandial.answer.local import open_local\n"
        "from prandial.answer.ask import Request\n"
        "one = open_local(sys.argv[1], threads=1, context=256)\n"
        "assert open_local(sys.argv[1], threads=1, context=256) is one\n"
        "print(len(one.complete(Request(name='a', user='Hi', max_tokens=2)).reply) > 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(model.path)],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_a_closed_model_says_so(model):
    with LocalModel(model.path, threads=1, context=128) as other:
        pass
    with pytest.raises(ModelError, match="closed"):
        other.complete(asking("x"))
    with pytest.raises(ModelError, match="closed"):
        asyncio.run(other.ask(asking("x")))
    shared = open_local(model.path, threads=1, context=128)
    shared.close()
    again = open_local(model.path, threads=1, context=128)
    assert again is not shared
    assert again.complete(asking("Hi", max_tokens=1)).output_tokens == 1
    close_all()
    assert again.closed


def test_files_that_are_no_model(tmp_path):
    with pytest.raises(MissingDataError, match="no model file") as caught:
        LocalModel(tmp_path / "none.gguf")
    assert "prandial models pull" in caught.value.hint
    page = tmp_path / "page.gguf"
    page.write_text("<html>", "utf-8")
    with pytest.raises(SchemaError, match="GGUF"):
        open_local(page)
    pytest.importorskip("xllamacpp")
    page.write_bytes(b"GGUF" + bytes(2000))
    with pytest.raises(ModelError, match="cannot be loaded"):
        LocalModel(page, threads=1)
    for option in ({"threads": 0}, {"context": -1}, {"parallel": 1.5}, {"threads": True}):
        with pytest.raises(InputError, match="whole number"):
            LocalModel(page, **option)
