"""``prandial models``: what is listed, taken in, removed, and refused."""

from __future__ import annotations

import hashlib

import pytest

from prandial.cli import models
from prandial.cli.app import app

BODY = b"GGUF" + bytes(range(256)) * 20
SHA = hashlib.sha256(BODY).hexdigest()


@pytest.fixture(autouse=True)
def wired(monkeypatch, tmp_path):
    """The group is there, and weights are in a folder of the test."""
    monkeypatch.setenv("PRANDIAL_WEIGHTS", str(tmp_path / "weights"))
    if any(g.name == "models" for g in app.registered_groups):
        yield
        return
    app.add_typer(models.app, name="models")
    yield
    app.registered_groups.pop()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.gguf"
    path.write_bytes(BODY)
    return path


def test_list_names_licence_and_variant(command):
    done = command("models", "list")
    assert done.code == 0
    for words in ("smollm2-135m", "qwen2.5-0.5b", "qwen2.5-1.5b", "minilm-l6", "Apache-2.0"):
        assert words in done.out
    assert done.out.count("Coder") >= 2
    body = command("models", "list", "--json").json
    assert [w["at_hand"] for w in body] == [False] * 4
    assert {"name", "title", "licence", "bytes", "files", "path", "origin"} <= set(body[0])


def test_pull_list_remove(command, file, tmp_path):
    done = command("models", "pull", file, "--no-progress")
    assert done.code == 0, done.err
    assert SHA in done.out.replace("\n", "")
    assert "licence: not known to prandial" in done.out
    (own,) = [w for w in command("models", "list", "--json").json if w["own"]]
    assert (own["name"], own["at_hand"]) == ("own", True)
    again = command("models", "pull", file, "--sha256", SHA, "--json", "--no-progress").json
    assert (again["name"], again["licence"], again["files"][0]["sha256"]) == ("own", None, SHA)
    assert command("models", "remove", "own", "--json").json["name"] == "own"
    assert not (tmp_path / "weights" / "own").exists()
    assert file.read_bytes() == BODY


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (("pull", "nope"), 3, "NotFoundError"),
        (("pull", "nope.gguf"), 3, "NotFoundError"),
        (("pull", "smollm2-135m", "--sha256", SHA), 2, "InputError"),
        (("remove", "smollm2-135m"), 3, "NotFoundError"),
        (("pull",), 2, "InputError"),
    ],
)
def test_refusals(command, arguments, code, kind):
    done = command("models", *arguments, "--json")
    assert (done.code, done.error["kind"]) == (code, kind)
    assert done.error["hint"]


def test_a_wrong_digest(command, file):
    done = command("models", "pull", file, "--sha256", "0" * 64, "--json")
    assert (done.code, done.error["kind"]) == (4, "ChecksumError")
    assert command("models", "list", "--json").json[-1]["name"] == "minilm-l6"
