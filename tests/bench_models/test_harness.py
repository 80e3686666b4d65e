"""Runs by Inspect, in processes of their own, against a server of our own: kills, faults, logs."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.server import Answer, Server, prompt_of
from tests.cli.interrupts import hears_interrupt

from prandial.bench.runner import BenchSettings, import_log, run_bench
from prandial.bench.runs import read_run

pytest.importorskip("inspect_ai")

SRC = Path(__file__).resolve().parents[2] / "src"
GOOD = '{"total_carbohydrates": 30}'


def site(folder: Path) -> Path:
    """Name prandial's entry point to Inspect, as an installed prandial does."""
    info = folder / "prandial-99.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: prandial\nVersion: 99\n")
    (info / "entry_points.txt").write_text(
        "[inspect_ai]\nprandial = prandial.bench.inspect_registry\n"
    )
    origin = {"url": SRC.parent.as_uri(), "dir_info": {"editable": True}}
    (info / "direct_url.json").write_text(json.dumps(origin))
    return folder


def environment(*first: Path) -> dict[str, str]:
    paths = [*map(str, first), str(SRC), *filter(None, sys.path)]
    env = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
    return {**env, "PYTHONPATH": os.pathsep.join(paths)}


def command(meals: Path, out: Path, server: Server, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "prandial", "bench", "run", "nutribench"),
        *("-m", "openai-api/test/m", "-M", f"base_url={server.url}", "-M", "api_key=hush-hush"),
        *("-M", "max_retries=0"),  # of the client itself, which else tries three times
        *("--method", "base", "--data", str(meals), "--out", str(out), "--json"),
        *more,
    ]


def run(argv: list[str], *first: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        argv, env=environment(*first), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def asked(server: Server, meals: Path) -> Counter[str]:
    """Count the requests by meal."""
    import csv

    texts = [r["meal_description"] for r in csv.DictReader(meals.read_text().splitlines())]
    counts: Counter[str] = Counter()
    for request in server.requests:
        prompt = prompt_of(request)
        # the longest: one meal's text may be part of another's
        found = max((t for t in texts if f"<meal>{t}" in prompt.replace(">\n", ">")), key=len)
        counts[found] += 1
    return counts


def test_a_killed_run_loses_only_what_is_in_flight(meals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Server(lambda _, __: Answer(GOOD, after_s=0.25)) as server:
        argv = command(meals, out, server, "--max-connections", "2")
        first = subprocess.Popen(
            argv, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        answers = out / "answers.jsonl"
        deadline = time.monotonic() + 120
        while not answers.exists() or answers.read_bytes().count(b"\n") < 4:
            assert time.monotonic() < deadline
            assert first.poll() is None
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        kept = answers.read_bytes().count(b"\n")
        before = len(server.requests)
        assert 4 <= kept < 12
        assert before <= kept + 2  # no more than were in flight are lost
        run(argv)
        counts = asked(server, meals)
    found = read_run(out)
    lines = [json.loads(x)["question"] for x in answers.read_text().splitlines()]
    assert sorted(lines) == sorted(q.id for q in found.questions)  # none twice, none lost
    assert len(lines) == 12
    assert {p.reading.status for p in found.predictions.values()} == {"answered"}
    assert sum(counts.values()) == before + 12 - kept
    assert max(counts.values()) <= 2
    assert found.record.sittings == 2


def test_an_interrupted_run_says_so_and_goes_on(meals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Server(lambda _, __: Answer(GOOD, after_s=1.0)) as server:
        argv = command(meals, out, server, "--max-connections", "1")
        first = subprocess.Popen(
            argv,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hears_interrupt,
        )
        while len(server.requests) < 3:
            assert first.poll() is None
            time.sleep(0.02)
        first.send_signal(signal.SIGINT)
        _, told = first.communicate(timeout=60)
        assert first.returncode == 130
        assert "nterrupted" in told
        kept = (out / "answers.jsonl").read_bytes().count(b"\n")
        assert 2 <= kept <= 4
        assert read_run(out).record.seconds > 0
        server.answer = lambda _, __: Answer(GOOD)
        assert json.loads(run(argv).stdout)["runs"][0]["summary"]["answered"] == 12


def faulty(request: dict[str, Any], _: int) -> Answer:
    """Fail by meal, always the same way."""
    prompt = prompt_of(request)
    faults = {
        "two boiled eggs": Answer(
            status=429, body='{"error": {"message": "slow down"}}', headers={"Retry-After": "0"}
        ),
        "corn chips": Answer(status=500, body='{"error": {"message": "broken"}}'),
        "black coffee": Answer(body='{"id": "c", "choices": [{"ind'),
        "an apple": Answer(GOOD, after_s=60),
        "a tuna sandwich": Answer(""),
        "boiled potatoes": Answer("I am sorry, I cannot help with that."),
    }
    meal = prompt.rsplit("<meal>", 1)[1]
    return next((a for part, a in faults.items() if part in meal), Answer(GOOD))


def test_every_fault_is_counted_apart_and_none_is_an_answer(meals: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Server(faulty) as server:
        more = ("--max-retries", "0", "--attempt-timeout", "6", "--max-connections", "12")
        done = run(command(meals, out, server, *more))
        told = json.loads(done.stdout)["runs"][0]["summary"]
        counts = {k: told[k] for k in ("answered", "refused", "unreadable", "failed", "not_asked")}
        # six good ones and the toast in grams; empty; sorry; 429, 500, garbage, late
        assert counts["failed"] == 4
        assert counts["answered"] == 6
        assert counts["refused"] + counts["unreadable"] == 2
        assert counts["not_asked"] == 0
        assert told["failures"] == {
            "rate limit": 1,
            "server error": 1,
            "garbled answer": 1,
            "timeout": 1,
        }
        found = read_run(out)
        by_text = {q.text: found.predictions[q.id] for q in found.questions}
        empty = by_text["a tuna sandwich"]
        assert (empty.reading.status, empty.raw_text) == ("unreadable", "")
        for prediction in found.predictions.values():
            if prediction.reading.status != "answered":
                assert prediction.reading.value is None
            assert (prediction.reading.status == "failed") == bool(prediction.error)
        answered = [p for p in found.predictions.values() if p.reading.status == "answered"]
        assert {(p.input_tokens, p.output_tokens) for p in answered} == {(11, 7)}
        # what failed is asked again, and only that
        server_calls = len(server.requests)
        server.answer = lambda _, __: Answer(GOOD)
        again = json.loads(run(command(meals, out, server, *more)).stdout)["runs"][0]["summary"]
        assert len(server.requests) == server_calls + 4
        assert (again["failed"], again["answered"]) == (0, 10)
    # nothing secret is kept, not in Inspect's log either
    for path in out.rglob("*"):
        if path.is_file():
            assert b"hush-hush" not in path.read_bytes()
    assert done.stderr == ""


def test_errors_that_pass_are_tried_again(meals: Path, tmp_path: Path) -> None:
    def once_broken(_: dict[str, Any], number: int) -> Answer:
        if number == 1:
            return Answer(status=503, body='{"error": {"message": "warming up"}}')
        return Answer(GOOD)

    with Server(once_broken) as server:
        done = run(command(meals, tmp_path / "run", server, "--limit", "2"))
        assert json.loads(done.stdout)["runs"][0]["summary"]["answered"] == 2
        assert len(server.requests) == 3


def test_asking_stops_when_the_money_is_spent(meals: Path, tmp_path: Path) -> None:
    """An answer costs 11 x 0 + 7 x 1,000 / 1e6 = 0.007; after the third 0.021 > 0.02."""
    out = tmp_path / "run"
    price = ("--price-in", "0", "--price-out", "1000", "--max-connections", "1")
    with Server(lambda _, __: Answer(GOOD)) as server:
        told = json.loads(run(command(meals, out, server, *price, "--max-cost", "0.02")).stdout)
        summary = told["runs"][0]["summary"]
        assert (summary["answered"], summary["not_asked"], summary["failed"]) == (3, 9, 0)
        more = json.loads(run(command(meals, out, server, *price, "--max-cost", "1")).stdout)
        assert more["runs"][0]["summary"]["answered"] == 12
        assert len(server.requests) == 12


def test_the_same_answers_by_inspect_eval_and_by_bench_run(meals: Path, tmp_path: Path) -> None:
    """Our estimator by the plain loop, by ``inspect eval``, and read out of its log."""
    logs = tmp_path / "logs"
    argv = [
        *(sys.executable, "-m", "inspect_ai", "eval", "prandial/nutribench"),
        *("--model", "prandial/grounded", "-T", f"data={meals}", "-T", "method=base"),
        *("-T", "limit=9", "--log-dir", str(logs), "--display", "plain"),
    ]
    run(argv, site(tmp_path / "site"))
    (log,) = logs.glob("*.eval")
    theirs = import_log(log, tmp_path / "imported", prandial_version="1")
    settings = BenchSettings(benchmark="nutribench", model="prandial/grounded", data=meals, limit=9)
    ours = run_bench(settings, tmp_path / "run", prandial_version="1")
    assert theirs.questions == ours.questions
    for id_, prediction in ours.predictions.items():
        assert theirs.predictions[id_].reading.value == prediction.reading.value
    figures = metrics(log)
    labels = {q.id: q.label for q in ours.questions}
    errors = [abs(p.reading.value - labels[k]) for k, p in ours.predictions.items()]
    assert figures["acc_all"] == pytest.approx(sum(e <= 7.5 for e in errors) / 9)
    assert figures["mae"] == pytest.approx(sum(errors) / 9)
    assert (figures["answer_rate"], figures["n_answered"], figures["n_unscored"]) == (1, 9, 0)


def metrics(log: Path) -> dict[str, float]:
    code = (
        "import json, sys; from inspect_ai.log import read_eval_log;"
        "log = read_eval_log(sys.argv[1], header_only=True);"
        "print(json.dumps({k: m.value for k, m in log.results.scores[0].metrics.items()}))"
    )
    return json.loads(run([sys.executable, "-c", code, str(log)]).stdout)


def test_a_log_with_failed_and_unread_answers_becomes_a_run(meals: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    with Server(faulty) as server:
        argv = [
            *(sys.executable, "-m", "inspect_ai", "eval", "prandial/nutribench"),
            *("--model", "openai-api/test/m", "--model-base-url", server.url),
            *("-M", "max_retries=0"),
            *("-T", f"data={meals}", "--max-retries", "0", "--attempt-timeout", "3"),
            *("--log-dir", str(logs), "--display", "plain"),
        ]
        env = environment(site(tmp_path / "site")) | {"TEST_API_KEY": "hush-hush"}
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        by_bench = run(
            command(meals, tmp_path / "run", server, "--max-retries", "0", "--attempt-timeout", "3")
        )
    (log,) = logs.glob("*.eval")
    figures = metrics(log)
    assert figures["n_answered"] == 6
    assert figures["answer_rate"] == pytest.approx(6 / 8)  # failed ones are no answers at all
    assert all(v == v for v in figures.values())  # no NaN
    found = import_log(log, tmp_path / "imported", prandial_version="1")
    ours = read_run(tmp_path / "run")
    assert by_bench.returncode == 0
    assert {k: p.reading for k, p in found.predictions.items() if not p.error} == {
        k: p.reading for k, p in ours.predictions.items() if not p.error
    }
    assert Counter(p.reading.status for p in found.predictions.values()) == Counter(
        p.reading.status for p in ours.predictions.values()
    )
    assert found.record.model == "openai-api/test/m"
    assert found.record.prompts == ours.record.prompts
    assert found.record.data["sha256"] == ours.record.data["sha256"]


def test_our_own_logs_can_be_read_back(meals: Path, tmp_path: Path) -> None:
    with Server(lambda _, __: Answer(GOOD)) as server:
        run(command(meals, tmp_path / "run", server, "--limit", "3"))
    (log,) = (tmp_path / "run" / "logs").glob("*.eval")
    again = import_log(log, tmp_path / "again", prandial_version="1")
    first = read_run(tmp_path / "run")
    assert again.predictions == first.predictions
    assert again.record.run == first.record.run


def test_questions_over_graphs_through_inspect(build: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    argv = [
        *(sys.executable, "-m", "inspect_ai", "eval", "prandial/ngqa"),
        *("--model", "prandial/edges", "-T", f"data={build}", "-T", "limit=3"),
        *("-T", "method=plain", "--log-dir", str(logs), "--display", "plain"),
    ]
    run(argv, site(tmp_path / "site"))
    (log,) = logs.glob("*.eval")
    theirs = import_log(log, tmp_path / "imported", prandial_version="1")
    settings = BenchSettings(benchmark="ngqa", model="prandial/edges", data=build, limit=3)
    ours = run_bench(settings, tmp_path / "run", prandial_version="1")
    assert len(ours.predictions) == 9
    assert theirs.questions == ours.questions
    assert {k: p.reading for k, p in theirs.predictions.items()} == {
        k: p.reading for k, p in ours.predictions.items()
    }


def test_half_a_character_in_a_reply_does_not_end_the_run(meals: Path, tmp_path: Path) -> None:
    """A server may send half a surrogate pair as a JSON escape."""
    with Server(lambda _, __: Answer(GOOD + " \ud83d")) as server:
        done = run(command(meals, tmp_path / "run", server, "--limit", "3"))
    assert json.loads(done.stdout)["runs"][0]["summary"]["answered"] == 3
    for prediction in read_run(tmp_path / "run").predictions.values():
        assert (prediction.raw_text, prediction.reading.value) == (GOOD + " \ufffd", 30)


def test_inspect_shows_the_limit_of_the_nutrient_and_no_error_of_nothing(
    meals: Path, tmp_path: Path
) -> None:
    """Energy is right within 50 kcal; of no answer there is no error, and 0 would be perfect."""
    answers = tmp_path / "answers.csv"
    figures = {}
    for name, nutrient, values in (
        ("energy", "energy", {"meals-0": 155, "meals-6": 274}),  # 40 and 51 off
        ("refused", "carb", {"meals-0": -1, "meals-6": -1}),
    ):
        rows = "".join(f"{k},{v}\n" for k, v in values.items())
        answers.write_text("id,value\n" + rows, encoding="utf-8")
        argv = [
            *(sys.executable, "-m", "inspect_ai", "eval", "prandial/nutribench"),
            *("--model", "prandial/replay", "-M", f"file={answers}", "-T", f"data={meals}"),
            *("-T", f"nutrient={nutrient}", "-T", "country=USA,MEX", "-T", "options=bound=none"),
            *("--log-dir", str(tmp_path / name), "--display", "plain", "--no-fail-on-error"),
        ]
        run(argv, site(tmp_path / f"site-{name}"))
        (log,) = (tmp_path / name).glob("*.eval")
        figures[name] = metrics(log)
        found = import_log(log, tmp_path / f"run-{name}", prandial_version="1")
        assert {q.country for q in found.questions} == {"USA", "MEX"}
    assert figures["energy"]["acc_answered"] == 0.5
    assert figures["energy"]["mae"] == pytest.approx((40 + 51) / 2)
    assert figures["refused"]["acc_all"] == 0
    assert figures["refused"]["n_unscored"] == 2
    assert math.isnan(figures["refused"]["mae"])
    assert math.isnan(figures["refused"]["acc_answered"])


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("level=mid", "no level 'mid' | where: level | hint: known: all, sparse"),
        ("options=k=0", "k is 0 | where: method option | hint: a whole number from 1 to 10000"),
    ],
)
def test_what_cannot_be_asked_is_told_by_inspect_in_a_line(
    task: str, told: str, build: Path, tmp_path: Path
) -> None:
    argv = [
        *(sys.executable, "-m", "inspect_ai", "eval", "prandial/ngqa", "-T", f"data={build}"),
        *("--model", "prandial/rules", "-T", "method=kaping", "-T", "encoder=lexical", "-T", task),
        *("--log-dir", str(tmp_path / "logs"), "--display", "plain"),
    ]
    done = run(argv, site(tmp_path / "site"), code=1)
    assert told in " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in done.stdout + done.stderr
