"""Checks and reviews of builds: planted faults are named, decisions make a new build."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import prandial
from prandial.compose.describe import verify_described
from prandial.compose.written import meal_of, open_build, read_rows, write_build
from prandial.errors import ChecksumError, InputError, NotFoundError, SchemaError

Built = Callable[..., Path]


def replanted(folder: Path, out: Path, plant: Callable[[int, str], str]) -> Path:
    """Write a build again with other texts."""
    from dataclasses import replace

    build = open_build(folder)
    meals = (
        replace(meal, text=plant(number, meal.text)) for number, meal in enumerate(build.meals())
    )
    write_build(
        meals, out, seed=0, arguments=build.card["arguments"], prandial_version="0",
        sources=build.card["sources"],
    )  # fmt: skip
    return out


def test_a_good_build_passes_and_is_told_so(build: Built) -> None:
    out = build(meals=20)
    found = prandial.nutribench_verify(out)
    assert found.ok
    assert (found.rows, found.verified, found.failing) == (40, 40, 0)
    assert found.leaks is None
    assert "40 texts were verified: 0 fail" in (out / "README.md").read_text("utf-8")
    assert json.loads((out / "verified.json").read_text("utf-8"))["failing"] == 0
    assert {p.name for p in out.iterdir()} == {
        "README.md", "card.json", "meals.parquet", "verified.json", "faults.csv", "quality.json",
        "findings.csv",
    }  # fmt: skip


def test_planted_faults_are_named_by_row(build: Built, tmp_path: Path) -> None:
    out = build(meals=8, serving="metric")

    def plant(number: int, text: str) -> str:
        if number == 2:
            return text.rstrip(".") + ", along with 77 grams of chocolate cake."
        return "I had something." if number == 5 else text

    bad = replanted(out, tmp_path / "bad", plant)
    found = prandial.nutribench_verify(bad, workers=2)
    rows = [r["id"] for r in open_build(bad).rows()]
    assert not found.ok
    assert found.failing == 2
    assert {f.row for f in found.faults} == {rows[2], rows[5]}
    assert "food_invented" in {f.kind for f in found.faults if f.row == rows[2]}
    assert "food_missing" in {f.kind for f in found.faults if f.row == rows[5]}
    written = list(csv.DictReader((bad / "faults.csv").read_text("utf-8").splitlines()))
    assert [w["reason"] for w in written] == [f.reason for f in found.faults]


def test_a_repeated_set_is_found(build: Built) -> None:
    out = build(meals=10)
    found = prandial.nutribench_verify(out, against=[out / "meals.parquet"])
    assert found.leaks is not None
    assert sum(leak.kind == "same_text" for leak in found.leaks.leaks) == 20
    assert "20 of 20 rows repeat a text" in (out / "README.md").read_text("utf-8")


def test_a_file_is_checked_and_nothing_is_written(build: Built, tmp_path: Path) -> None:
    out = build(meals=10, serving="metric")
    file = tmp_path / "copy.parquet"
    file.write_bytes((out / "meals.parquet").read_bytes())
    found = prandial.nutribench_verify(file)
    assert (found.rows, found.verified, found.failing) == (10, 10, 0)
    assert prandial.nutribench_stats(file)["serving_type"] == {"metric": 10}
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
def test_a_build_s_own_file_is_verified_whole(build: Built, tmp_path: Path, form: str) -> None:
    """Household rows, too: the file tells what they should state."""
    good = build(meals=4, forms=(form,))
    found = prandial.nutribench_verify(good / f"meals.{form}")
    assert (found.rows, found.verified, found.failing, found.ok) == (8, 8, 0, True)
    natural = [n for n, r in enumerate(open_build(good).rows()) if r["serving_type"] == "natural"]
    bad = replanted(good, tmp_path / "bad", lambda n, t: "I ate." if n == natural[0] else t)
    (path,) = bad.glob("meals.*")
    found = prandial.nutribench_verify(path)
    assert (found.verified, found.failing, found.ok) == (8, 1, False)


def test_a_file_without_foods_is_not_passed(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("said,carb\nI ate an apple.,20\n", "utf-8")
    with pytest.raises(SchemaError, match="no column holds the meals"):
        prandial.nutribench_verify(path)
    columns = {"text": "said", "carb_g": "carb"}
    found = prandial.nutribench_verify(path, columns=columns)
    assert (found.rows, found.verified, found.failing, found.ok) == (1, 0, 0, False)
    assert prandial.nutribench_stats(path, columns=columns)["rows"] == 1
    with pytest.raises(NotFoundError, match="no such file"):
        prandial.nutribench_stats(tmp_path / "nope.csv")


def test_a_build_that_was_changed_is_refused(build: Built) -> None:
    out = build(meals=3)
    with (out / "meals.parquet").open("ab") as file:
        file.write(b"x")
    for door in (prandial.nutribench_stats, prandial.nutribench_verify):
        with pytest.raises(ChecksumError):
            door(out)
    other = build(meals=3)
    card = json.loads((other / "card.json").read_text("utf-8"))
    card["counts"]["rows"] = 999
    (other / "card.json").write_text(json.dumps(card), "utf-8")
    for door in (prandial.nutribench_stats, prandial.nutribench_verify):
        with pytest.raises(ChecksumError, match=r"the card counts 999 rows, meals\.parquet has 6"):
            door(other)
    (out / "card.json").write_text("{}", "utf-8")
    with pytest.raises(SchemaError):
        prandial.nutribench_stats(out)
    with pytest.raises(NotFoundError):
        prandial.nutribench_verify(out / "nowhere")


@pytest.mark.parametrize("lost", ["occasion", "rows", "serving_rules"])
def test_a_card_that_lacks_counts_is_refused(build: Built, lost: str) -> None:
    out = build(meals=2)
    card = json.loads((out / "card.json").read_text("utf-8"))
    del card["counts"][lost]
    (out / "card.json").write_text(json.dumps(card), "utf-8")
    with pytest.raises(SchemaError, match="another form"):
        prandial.nutribench_stats(out)


def test_counts_of_a_build_are_those_of_its_rows(build: Built) -> None:
    out = build()
    found, rows = prandial.nutribench_stats(out), list(open_build(out).rows())
    assert found["rows"] == len(rows) == sum(found["cycle"].values())
    assert found["foods"] == sum(r["n_items"] for r in rows)
    assert found["items"]["1"] == sum(r["n_items"] == 1 for r in rows)
    assert found["published_rows"] == {"v1": 11857, "v2": 15617}


def fill(queue: Path, to: Path, reviewer: str, words: dict[str, tuple[str, str]]) -> Path:
    rows = list(csv.DictReader(queue.read_text("utf-8").splitlines()))
    for row in rows:
        decision, text = words.get(row["id"], ("", ""))
        if decision:
            row |= {"reviewer": reviewer, "when": "2026-01-02", "decision": decision,
                    "corrected_text": text, "why": "read"}  # fmt: skip
    with to.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return to


def test_decisions_make_a_reviewed_build(build: Built, tmp_path: Path) -> None:
    good = build(meals=8, serving="metric")
    bad = replanted(good, tmp_path / "bad", lambda n, t: "I had something." if n < 4 else t)
    queue = tmp_path / "queue.csv"
    told = prandial.nutribench_review_export(bad, queue)
    assert (told.rows, told.failing, told.looked_at) == (4, 4, 8)
    ids = [r["id"] for r in open_build(bad).rows()]
    right = {r["id"]: r["meal_description"] for r in open_build(good).rows()}
    words = {
        ids[0]: ("correct", right[ids[0]]),
        ids[1]: ("reject", ""),
        ids[2]: ("correct", "I still had something."),
    }
    one = fill(queue, tmp_path / "one.csv", "ann", words)
    two = fill(queue, tmp_path / "two.csv", "bea", {**words, ids[1]: ("keep", "")})
    found = prandial.nutribench_review_import(bad, [one], out=tmp_path / "reviewed")
    assert (found.decisions, found.settled.rejected) == (3, (ids[1],))
    assert found.settled.open == (ids[2],)
    assert found.settled.unreviewed == (ids[3],)
    rows = {r["id"]: r for r in open_build(tmp_path / "reviewed").rows()}
    assert set(rows) == {ids[0], *ids[4:]}
    assert rows[ids[0]]["meal_description"] == right[ids[0]]
    assert all(verify_described(meal_of(r)).passed for r in rows.values())
    assert "A reviewed build" in (tmp_path / "reviewed" / "README.md").read_text("utf-8")
    log = json.loads((tmp_path / "reviewed" / "reviewed.json").read_text("utf-8"))
    assert [e["reviewer"] for e in log] == ["ann"] * 3
    both = prandial.nutribench_review_import(bad, [one, two])
    assert both.agreement.shared == 3
    assert both.agreement.equal == 2
    assert set(both.settled.open) == {ids[1], ids[2]}


def test_decisions_on_other_rows_are_told(build: Built, tmp_path: Path) -> None:
    good = build(meals=4, serving="metric")
    bad = replanted(good, tmp_path / "bad", lambda n, t: "I had something." if n == 0 else t)
    queue = tmp_path / "queue.jsonl"
    prandial.nutribench_review_export(bad, queue)
    row = json.loads(queue.read_text("utf-8").splitlines()[0])
    row |= {"id": "wweia-nobody", "reviewer": "ann", "when": "2026-01-02", "decision": "keep"}
    queue.write_text(json.dumps(row) + "\n", "utf-8")
    found = prandial.nutribench_review_import(bad, [queue])
    assert found.decisions == 0
    assert "wweia-nobody" in found.problems[0]


def test_decisions_on_another_text_are_not_taken(build: Built, tmp_path: Path) -> None:
    """A queue of another build has the same ids; its reviewers saw other texts."""
    good = build(meals=4, serving="metric")
    bad = replanted(good, tmp_path / "bad", lambda n, t: "I had something." if n == 0 else t)
    other = replanted(good, tmp_path / "other", lambda n, t: "I had more." if n == 0 else t)
    queue = tmp_path / "queue.csv"
    prandial.nutribench_review_export(bad, queue)
    (first,) = (r["id"] for r in list(open_build(bad).rows())[:1])
    filled = fill(queue, tmp_path / "one.csv", "ann", {first: ("keep", "")})
    assert prandial.nutribench_review_import(bad, [filled]).decisions == 1
    found = prandial.nutribench_review_import(other, [filled], out=tmp_path / "reviewed")
    assert found.decisions == 0
    assert "is another in this build" in found.problems[0]
    assert (found.rows, found.left_out) == (3, 1)
    # a reviewer who says two things on a day says nothing
    twice = fill(queue, tmp_path / "two.csv", "ann", {first: ("reject", "")})
    found = prandial.nutribench_review_import(bad, [filled, twice])
    assert (found.decisions, len(found.problems)) == (0, 1)
    assert found.settled.unreviewed == (first,)


def test_a_file_that_is_no_queue_is_told_first(
    build: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking at every text of a large build takes minutes."""
    out = build(meals=3)
    monkeypatch.setattr("prandial.bench.nutribench.review._queue", None)
    with pytest.raises(NotFoundError):
        prandial.nutribench_review_import(out, [tmp_path / "nope.csv"])
    with pytest.raises(InputError, match="a folder"):
        prandial.nutribench_review_import(out, [tmp_path])


def test_files_are_not_written_over(build: Built, tmp_path: Path) -> None:
    out = build(meals=3)
    queue = tmp_path / "queue.csv"
    queue.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="already"):
        prandial.nutribench_review_export(out, queue)
    prandial.nutribench_review_export(out, queue, replace=True)
    with pytest.raises(InputError, match="was reviewed"):
        prandial.nutribench_review_import(out, [queue], out=out)


def test_rows_of_all_forms_are_read_back(build: Built) -> None:
    out = build(meals=3, forms=("csv",))
    assert prandial.nutribench_verify(out).ok
    assert len(list(read_rows(out / "meals.csv"))) == 6
