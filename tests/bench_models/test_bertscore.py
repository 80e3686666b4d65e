"""BERTScore of sentences: an encoder at hand, named beside the figure, never the papers'."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.bench_models.made_report import quiz_answer, quiz_questions, write
from typer.testing import CliRunner

from prandial.bench import encoders
from prandial.bench.sentences import bert_of
from prandial.cli import run as cli
from prandial.cli.app import app
from prandial.errors import InputError, MissingDataError, NotFoundError

DIGEST = "0123456789abcdef" * 4


class Words:
    """An encoder of our own: a word is its own direction, so F1 can be had by hand."""

    id = f"words sha256:{DIGEST}"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def token_states(self, texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        self.seen += texts
        known = "yes no because the food is low high in sugar sodium carb".split()
        rows = [t.casefold().replace(",", "").strip(".").split() for t in texts]
        return [
            np.array([[float(w == k) for k in known] for w in row], dtype=np.float32).reshape(
                len(row), len(known)
            )
            for row in rows
        ]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    questions = quiz_questions("TG")
    answers = [
        quiz_answer(q, "Yes, because the food is low in sodium.", {"verdict": "Yes"})
        for q in questions
    ]
    return write(tmp_path / "run", questions, answers)


def said(*words: object) -> str:
    ran = CliRunner().invoke(app, [str(w) for w in words])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_the_encoder_at_hand_stands_beside_its_figure(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Words()
    monkeypatch.setattr(encoders, "load_encoder", lambda folder: words)
    told = json.loads(said("bench", "score", run, "--encoder", tmp_path, "--json"))
    scores = told["runs"][0]["scores"]
    name = f"tg_bertscore[words sha256:{DIGEST}]"
    (whole,) = [s for s in scores["published"] if s["metric"] == name and not s["slice"]]
    # the golds: all tokens are shared but the tag, or the verdict and the tag
    assert 0 < whole["value"] <= 1
    assert whole["n_scored"] == 3
    assert not [s for s in scores["strict"] if "bert" in s["metric"]]
    text = said("bench", "score", run, "--encoder", tmp_path)
    assert f"with the encoder words sha256:{DIGEST}\n" in text
    assert "do not compare" in text
    page = tmp_path / "page.html"
    said("bench", "report", run, "--encoder", tmp_path, "--html", page, "--bootstrap", 10)
    html = page.read_text("utf-8")
    assert "BERTScore F1 (words sha256:0123456789ab)" in html
    assert "BERTScore F1 (roberta-large)" in html
    assert f"ours is of words sha256:{DIGEST}" in html
    # a pair is encoded once, whatever run or slice it comes again in
    before = len(words.seen)
    scorer = bert_of(str(tmp_path))
    assert scorer is not None
    first = scorer.f1(["the food", "the food"], ["the food", "food"])
    assert first[0] == 1
    # precision 1, recall a half
    assert first[1] == pytest.approx(2 / 3)
    assert scorer.f1(["the food"], ["food"]) == first[1:]
    assert len(words.seen) == before + 2


def test_no_encoder_no_figure(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRANDIAL_WEIGHTS", str(tmp_path / "empty"))
    for words in ((), ("--encoder", "none")):
        assert "bertscore" not in said("bench", "score", run, *words)


@pytest.mark.parametrize(
    ("name", "error"),
    [("lexical", InputError), ("nosuch", NotFoundError), ("minilm-l6", MissingDataError)],
)
def test_an_encoder_that_cannot_be_had(
    name: str, error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRANDIAL_WEIGHTS", str(tmp_path))
    with pytest.raises(error):
        bert_of(name)


def test_a_language_model_is_no_encoder(
    tmp_path: Path, run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gguf = tmp_path / "weights.gguf"
    gguf.write_bytes(b"GGUF")
    monkeypatch.setattr("prandial.sources.weights.weights_path", lambda *_: gguf)
    assert cli.run(["bench", "score", str(run), "--encoder", "smollm2-135m"]) == 2
    told = capsys.readouterr().err
    assert "not of an encoder" in told
    assert "--encoder" in told
