"""Descriptions by a model: kept as they come, gone on with, no meal lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import prandial
from prandial.bench.nutribench.by_model import ByModel, read_journal
from prandial.compose.written import open_build
from prandial.errors import InputError, ModelError, SchemaError

Built = Callable[..., Path]
MODEL = {"describe": "model:fake/one", "meals": 6, "serving": "metric"}


def stated(prompt: str) -> str:
    """Return a plain text that states all items of a prompt."""
    items = json.loads(prompt[prompt.rindex("\n[") :] if "\n[" in prompt else "[]")
    return "I had " + ", ".join(f"{i['amount']} of {i['food']}" for i in items) + "."


class Fake:
    """A model that answers as it is told, and counts what it was asked."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.say: Callable[[str, int], str] = lambda prompt, _: json.dumps(
            {"descriptions": [stated(prompt)]}
        )

    async def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.say(prompt, len(self.prompts))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = Fake()

    @asynccontextmanager
    async def opened(_: ByModel) -> AsyncIterator[Callable]:
        yield fake.ask

    monkeypatch.setattr(ByModel, "opened", opened)
    return fake


def test_every_meal_is_described_and_kept(model: Fake, build: Built) -> None:
    out = build(**MODEL)
    card = open_build(out).card
    assert card["notes"]["described"] == {
        "described": 6, "faulty": 0, "unreadable": 0, "failed": 0,
    }  # fmt: skip
    assert card["arguments"]["describe"]["model"] == "fake/one"
    assert len(list(read_journal(out))) == len(model.prompts) == 6
    assert prandial.nutribench_verify(out).ok
    assert {r["described_by"] for r in open_build(out).rows()} == {"fake/one"}


def test_a_function_describes(build: Built, survey: Path) -> None:
    asked: list[str] = []

    def describe(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) == 2:
            raise ValueError("no more")
        return json.dumps({"descriptions": [stated(prompt)]})

    out = build(describe=describe, meals=4, serving="metric")
    card = open_build(out).card
    assert card["notes"]["described"] == {
        "described": 3, "faulty": 0, "unreadable": 0, "failed": 1,
    }  # fmt: skip
    told = card["arguments"]["describe"]["model"]
    assert told.startswith("python:")
    assert told.endswith("describe")
    (failed,) = (e for e in read_journal(out) if e["status"] == "failed")
    assert "no more" in failed["reason"]
    # templates do not go on with what a function said
    with pytest.raises(InputError, match="descriptions of a model"):
        prandial.build_nutribench(out, root=survey, meals=4, replace=True)


def test_texts_that_fail_go_to_the_reviewers(model: Fake, build: Built, tmp_path: Path) -> None:
    good = model.say
    model.say = lambda prompt, n: (
        json.dumps({"descriptions": ["I had a feast."]}) if n == 1 or "feast" in prompt
        else "no JSON" if n == 8 else good(prompt, n)
    )  # fmt: skip
    out = build(**MODEL, tries=2)
    notes = open_build(out).card["notes"]
    assert notes["described"] == {"described": 4, "faulty": 1, "unreadable": 1, "failed": 0}
    assert notes["corrections"] == 2
    told = prandial.nutribench_review_export(out, tmp_path / "queue.csv")
    assert (told.rows, told.failing, told.looked_at) == (1, 1, 5)


def test_a_stopped_build_goes_on(model: Fake, build: Built, survey: Path, tmp_path: Path) -> None:
    good = model.say

    def failing(prompt: str, n: int) -> str:
        if n > 3:
            raise ModelError("the server is gone", where="fake/one")
        return good(prompt, n)

    model.say = failing
    out = tmp_path / "out"
    options = {"root": survey, **MODEL}
    report = prandial.build_nutribench(out, **options)
    assert report.card["notes"]["described"]["failed"] == 3
    model.say, asked = good, len(model.prompts)
    with (out / "described.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "cut off')
    report = prandial.build_nutribench(out, **options, replace=True)
    assert report.card["notes"]["described"]["described"] == 6
    assert len(model.prompts) - asked == 3
    whole = build(**MODEL)
    assert (whole / "meals.parquet").read_bytes() == (out / "meals.parquet").read_bytes()
    with pytest.raises(InputError, match="another build \\(seed\\)"):
        prandial.build_nutribench(out, **options, seed=5, replace=True)


def test_a_model_that_is_no_use_is_an_error(model: Fake, build: Built) -> None:
    def broken(_: str, __: int) -> str:
        raise ModelError("no such server", where="fake/one")

    model.say = broken
    with pytest.raises(ModelError, match="no reply to any of 6"):
        build(**MODEL)
    model.say = lambda *_: "I am a teapot"
    with pytest.raises(ModelError, match="none of 6 descriptions"):
        build(**MODEL)


def test_a_journal_that_is_none(model: Fake, survey: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "described.jsonl").write_text("hello\n", "utf-8")
    with pytest.raises(SchemaError, match="journal"):
        prandial.build_nutribench(tmp_path / "out", root=survey, **MODEL)
    assert not model.prompts


@pytest.mark.parametrize(
    "options",
    [{"variants": 0}, {"variants": 99}, {"tries": -1}, {"connections": 0},
     {"prompts": {"sonnet": Path("x")}}],
)  # fmt: skip
def test_settings_that_make_no_sense(model: Fake, build: Built, options: dict) -> None:
    with pytest.raises(InputError):
        build(**MODEL, **options)
    assert not model.prompts


def test_own_prompts_are_told_by_their_digest(model: Fake, build: Built, tmp_path: Path) -> None:
    prompt = tmp_path / "mine.txt"
    prompt.write_text("Say it.\n{{items}}\n", "utf-8")
    out = build(**MODEL, prompts={"describe": prompt})
    digests = open_build(out).card["arguments"]["describe"]["prompts_sha256"]
    ours = open_build(build(**MODEL)).card["arguments"]["describe"]["prompts_sha256"]
    assert digests["describe"] != ours["describe"]
    assert digests["repair"] == ours["repair"]
    assert model.prompts[0].startswith("Say it.")
    with pytest.raises(InputError, match="cannot be read"):
        build(**MODEL, prompts={"describe": tmp_path / "absent.txt"})


def test_a_key_stays_out_of_card_and_journal(model: Fake, build: Built) -> None:
    out = build(**MODEL, model_args={"api_key": "s3cret", "temperature": 0.5})
    held = (out / "card.json").read_text("utf-8") + (out / "described.jsonl").read_text("utf-8")
    assert "s3cret" not in held
    assert '"temperature": 0.5' in held
    assert model.prompts
