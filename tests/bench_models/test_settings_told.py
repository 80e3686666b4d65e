"""Wrong prompts, options, prices and arguments are told before a question is asked."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from prandial.bench.runner import Price
from prandial.bench.runner.cost import spent
from prandial.bench.runner.keeping import Keeper
from prandial.records.bench import Call, Prediction, Reading

pytest.importorskip("inspect_ai")


MODEL = ("-m", "openai-api/test/m", "-M", "base_url=http://127.0.0.1:9/v1", "-M", "api_key=k")


@pytest.mark.parametrize(
    ("more", "what", "where"),
    [
        (("-O", "bound=foo"), "bound cannot be 'foo'", "option bound"),
        (("-O", "max_tokens=-4"), "max_tokens must be", "option max_tokens"),
        (("--prompt", "nutribench_base=bad.txt"), "leaves out the meal", "nutribench_base"),
        (("--prompt", "nutribench_cot=bad.txt"), "does not use the prompt", "--prompt"),
        (("-M", "temperature=hot"), "no such value of temperature", "-M"),
        (("--price-in", "-1", "--price-out", "1"), "-1 is no price", "--price-in"),
        (("--price-in", "nan", "--price-out", "1"), "nan is no price", "--price-in"),
        (("--max-cost", "nan"), "a maximum cost of nan", "--max-cost"),
        (("--max-cost", "0"), "a maximum cost of 0", "--max-cost"),
    ],
)
def test_told_at_once_and_nothing_is_written(
    bench: Any,
    meals: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: tuple[str, ...],
    what: str,
    where: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text("no field here", encoding="utf-8")
    told = bench("run", "nutribench", *MODEL, "--data", str(meals), "-o", "run", *more, code=2)
    assert what in told
    assert where in told
    assert not Path("run").exists()


def test_a_cost_is_not_nothing_where_no_prompt_can_be_made(bench: Any, meals: Path) -> None:
    argv = ("cost", "nutribench", "-m", "a/b", "--data", str(meals), "-O", "bound=foo")
    assert "bound cannot be 'foo'" in bench(*argv, code=2)


def test_a_run_of_which_every_question_failed_says_why_and_ends_with_5(
    bench: Any, meals: Path, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("id,value\nzz,5\n", encoding="utf-8")
    argv = ("run", "nutribench", "-m", "prandial/replay", "-M", f"file={answers}")
    told = bench(*argv, "--data", str(meals), "-o", str(tmp_path / "run"), code=5)
    assert "12 failed" in told
    assert "not in the file, which has ids such as 'zz'" in told
    answers.write_text("id,value\nmeals-3,5\n", encoding="utf-8")
    told = bench(*argv, "--data", str(meals), "-o", str(tmp_path / "some"), "--json")
    summary = json.loads(told)["runs"][0]["summary"]
    assert (summary["answered"], summary["failed"]) == (1, 11)
    assert list(summary["failed_at"]) == ["not recorded"]


def test_rows_without_a_label_are_told(bench: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("meal,carbs\nan apple,25\ntoast,NaN\nrice,\n", encoding="utf-8")
    argv = ("run", "nutribench", "-m", "prandial/grounded", "-o", str(tmp_path / "run"))
    assert "2 rows without carb_g" in bench(*argv, "--data", str(path))
    path.write_text("meal,carbs\ntoast,\n", encoding="utf-8")
    assert "no row has a label of carb_g" in bench(*argv, "--data", str(path), code=2)


def test_scores_without_draws_have_no_interval(bench: Any, meals: Path, tmp_path: Path) -> None:
    argv = ("run", "nutribench", "-m", "prandial/grounded", "--data", str(meals))
    bench(*argv, "-o", str(tmp_path / "run"))
    told = json.loads(bench("score", str(tmp_path / "run"), "--bootstrap", "0", "--json"))
    for scores in told["runs"][0]["scores"].values():
        assert all(s["low"] is None and s["high"] is None for s in scores)
        assert any(s["value"] is not None for s in scores)
    assert "--by" in bench("score", str(tmp_path / "run"), "--by", "nix", code=2)


def test_prompts_count_where_a_model_tells_no_tokens() -> None:
    """Two calls of 500 tokens in at 2 a million, 8 characters back at 4 a million."""
    calls = (Call(name="a", reply="1234"), Call(name="b", reply="5678"))
    one = Prediction(
        question="q", raw_text="x", reading=Reading(status="refused"), calls=2, replies=calls
    )
    price = Price(input_per_million=2.0, output_per_million=4.0)
    cost = spent([one], price, input_tokens_a_call=500)
    assert cost == pytest.approx((1000 * 2 + 2 * 4) / 1e6)


class FullDisk:
    def add(self, prediction: Prediction) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_nothing_more_is_asked_when_answers_cannot_be_kept() -> None:
    keeper = Keeper(FullDisk(), {}, 2)  # type: ignore[arg-type]
    assert not keeper.is_over()
    with pytest.raises(OSError, match="No space"):
        keeper(Prediction(question="q", raw_text="x", reading=Reading(status="refused")))
    assert keeper.is_over()
    assert keeper.heard == 0
