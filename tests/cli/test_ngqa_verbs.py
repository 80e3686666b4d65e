"""``prandial ngqa``: builds of made-up and of real people, looked at, checked and reviewed."""

from __future__ import annotations

import csv
import json
import operator
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from prandial.cli.run import run
from prandial.quiz import read_dataset

CYCLE = "2017-2018"
LEVELS = ["sparse", "standard", "complex"]
FIGURES = {"rows", "yes_ratio", "nodes", "edges", "node_snr", "tag_snr"}
FILES = [
    "NGQA_benchmark.csv", "alternatives.jsonl", "card.json", "people.parquet", "questions.parquet",
]  # fmt: skip


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Path:
    """A small build of made-up people; tests only read it."""
    out = tmp_path_factory.mktemp("ngqa") / "demo"
    arguments = ["--people", "demo", "--per-food", "1,1,1", "--no-progress", "--json"]
    assert run(["ngqa", "build", "--out", str(out), *arguments]) == 0
    return out


@pytest.fixture
def own(demo, tmp_path) -> Path:
    """A copy of that build to tamper with."""
    return Path(shutil.copytree(demo, tmp_path / "own"))


@pytest.fixture
def sample(shared_dir: Path) -> Path:
    return shared_dir / "data" / "ngqa" / "ngqa_benchmark_sample50.csv"


def some(demo: Path, level: str = "complex", verdict: str = "No") -> str:
    """Return the id of a row, from the published form alone."""
    word = {"sparse": "easy", "standard": "medium", "complex": "hard"}[level]
    with (demo / "NGQA_benchmark.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["difficulty"] == word and row["answer_easy"] == verdict:
                ids = re.findall(r"\[([01]), \{'name': (\d+)", row["node_list"])
                of = {int(i): n for i, n in ids}
                return f"{level}-{of[1]}-{of[0]}"
    raise AssertionError("no such row")


def test_build_a_real_cycle(command, shared_dir, tmp_path, narrow):
    out = tmp_path / "real"
    done = command(
        "ngqa", "build", "--from", shared_dir / "data", "--cycle", CYCLE, "--per-food", "1,1,1",
        "--out", out,
    )  # fmt: skip
    assert done.code == 0, done.err
    narrow(done.out)
    assert "not medical advice" in done.out
    assert "5/5" in done.err
    assert sorted(p.name for p in out.iterdir()) == FILES
    body = command("ngqa", "stats", out, "--json").json
    assert list(body["levels"]) == LEVELS
    for level in LEVELS:
        assert set(body["levels"][level]) >= FIGURES
        assert 0 < body["levels"][level]["rows"] <= body["card"]["counts"]["foods"]
    assert body["splits"]["clean"] is True
    assert body["card"]["notes"]["people"] == "survey respondents"
    assert body["card"]["sources"][0]["name"] == f"NHANES {CYCLE}"
    # the paper's Tables 1 and 2
    assert body["published"]["complex"]["rows"] == 1690
    assert body["published"]["sparse"]["yes_ratio"] == pytest.approx(0.4814, abs=1e-4)


def test_json_of_a_build(command, tmp_path):
    done = command(
        "ngqa", "build", "--people", "demo", "--per-food", "1,0,0", "--out", tmp_path / "b",
        "--no-progress", "--json", "--graph", "no-verdict",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    body = done.json
    assert set(body) == {"folder", "card", "stats", "seconds", "notes"}
    assert body["card"]["graph"] == "no-verdict"
    assert body["card"]["notes"]["people"] == "made up, for trials only"
    assert list(body["seconds"]) == ["people", "foods", "pairs", "questions", "files"]
    assert body["stats"]["levels"]["standard"]["rows"] == 0
    assert body["stats"]["levels"]["standard"]["yes_ratio"] is None
    assert any("made up" in n for n in body["notes"])


@pytest.mark.parametrize(
    ("code", "arguments", "named"),
    [
        (4, (), "prandial data get nhanes"),
        (4, ("--from", "/no/such/folder"), "prandial data get nhanes"),
        (2, ("--people", "demo", "--rules", "paper"), "as-published"),
        (2, ("--people", "demo", "--graph", "none"), "no-verdict"),
        (2, ("--people", "invented"), "demo"),
        (2, ("--people", "demo", "--weighted"), "--rules default"),
        (2, ("--weighted", "--rules", "as-published"), "--rules default"),
        (2, ("--people", "demo", "--seed", "-1"), "0, 1, 2"),
        (2, ("--people", "demo", "--seed", "x"), "--help"),
        *((2, ("--people", "demo", "--per-food", x), "10,5,2")
          for x in ("10", "1,2", "1,2,3,4", "a,b,c", "1,,2", "1,-2,3", "", "1,²,3", "0,0,0")),
    ],
)  # fmt: skip
def test_builds_that_cannot_be(refused, tmp_path, code, arguments, named):
    error = refused(code, "ngqa", "build", "--out", tmp_path / "b", "--no-progress", *arguments)
    assert named in error["hint"]
    assert not (tmp_path / "b").exists()


def test_a_root_without_nhanes(refused, shared_dir, tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "foods").symlink_to(shared_dir / "data" / "foods")
    out = ("--out", tmp_path / "b", "--no-progress")
    error = refused(4, "ngqa", "build", "--from", tmp_path / "root", *out)
    assert "--people demo" in error["hint"]


def test_a_cycle_that_is_not_at_hand(refused, shared_dir, tmp_path):
    error = refused(
        3, "ngqa", "build", "--from", shared_dir / "data", "--cycle", "2021-2023",
        "--out", tmp_path / "b", "--no-progress",
    )  # fmt: skip
    assert CYCLE in error["hint"]


def test_a_folder_in_use(refused, own, tmp_path):
    build = ("ngqa", "build", "--people", "demo", "--no-progress", "--out")
    assert "--replace" in refused(2, *build, own)["hint"]
    (own / "thesis.docx").write_text("mine")
    before = {p.name: p.read_bytes() for p in own.iterdir()}
    assert "thesis.docx" in refused(2, *build, own, "--replace")["what"]
    assert {p.name: p.read_bytes() for p in own.iterdir()} == before
    (tmp_path / "taken").write_text("a file")
    assert refused(2, *build, tmp_path / "taken")["what"] == "this is a file"
    assert "taken" in refused(2, *build, tmp_path / "taken" / "below")["hint"]


def test_replace_leaves_nothing_of_the_old_build(command, tmp_path):
    out = tmp_path / "b"
    build = (
        "ngqa", "build", "--people", "demo", "--no-progress", "--per-food", "1,0,0", "--out", out,
    )  # fmt: skip
    assert command(*build, "--graph", "merged").code == 0
    assert sorted(p.name for p in out.iterdir()) == sorted([*FILES, "graph"])
    assert json.loads((out / "card.json").read_text("utf-8"))["merged_graph"]["folder"] == "graph"
    assert command("ngqa", "stats", out).code == 0
    assert command(*build, "--replace").code == 0
    assert sorted(p.name for p in out.iterdir()) == FILES


def test_stats_table(command, demo, narrow):
    done = command("ngqa", "stats", demo)
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert "no food and no person in two" in done.out
    assert "by answering None" in done.out
    assert done.out.count("published") == 4  # three levels, and the graph's mode


def test_show(command, demo, tmp_path, narrow):
    name = some(demo)
    done = command("ngqa", "show", demo, name)
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    for part in ("complex question", "gold: No", "why", "counted: nutrients"):
        assert part in done.out
    flat = " ".join(done.out.split())
    body = command("ngqa", "show", demo, name, "--json").json
    assert set(body) == {
        "id", "level", "split", "rules", "graph", "food", "person", "questions", "answers",
        "matches", "contradicts", "conflicts", "unknown_needs", "counts", "reasons", "instead",
        "nodes", "edges", "text", "tags", "reviewed",
    }  # fmt: skip
    assert body["id"] == name
    assert body["reviewed"] == []
    assert {t["tag"] for t in body["tags"] if t["decides"]} == set(
        body["answers"]["ML"].split(", ")
    )
    for tag in body["tags"]:
        holds = {"<=": operator.le, ">=": operator.ge, ">": operator.gt}[tag["sign"]]
        assert holds(tag["amount"], tag["threshold"])
        if tag["decides"]:
            assert f"{tag['tag']}: {tag['amount']:.4g} {tag['unit']} per 100 g" in flat
    assert "--draw FILE" in done.out
    assert all(r[0].startswith("person ") for r in body["reasons"])
    assert set(body["questions"]) == set(body["answers"]) == {"B", "ML", "TG"}
    assert set(body["answers"]["ML"].split(", ")) == {*body["matches"], *body["contradicts"]}
    assert len(body["matches"]) <= len(body["contradicts"])
    assert len(body["reasons"]) == body["counts"]["edges_for"] + body["counts"]["edges_against"]
    for form, first in (("svg", b"<svg"), ("png", b"\x89PNG")):
        done = command("ngqa", "show", demo, name, "--draw", tmp_path / f"x.{form}")
        assert done.code == 0
        assert "drew the graph" in done.err
        assert "--draw" not in done.out
        assert (tmp_path / f"x.{form}").read_bytes().startswith(first)


def test_a_drawing_for_annotators(command, refused, demo, tmp_path):
    name, file = some(demo), tmp_path / "x.svg"
    body = command("ngqa", "show", demo, name, "--draw", file, "--json").json
    assert body["answers"]["TG"][:40] in file.read_text("utf-8")
    assert "<title>contradict</title>" in file.read_text("utf-8")
    again = ("ngqa", "show", demo, name, "--draw", file, "--no-answers")
    assert "--replace" in refused(2, *again)["hint"]
    assert "<title>contradict</title>" in file.read_text("utf-8")
    assert command(*again, "--replace").code == 0
    drawn = file.read_text("utf-8")
    for told in (body["answers"]["TG"][:40], "<title>contradict</title>", "<title>match</title>",
                 "<title>need</title>", "TG:", body["level"]):  # fmt: skip
        assert told not in drawn
    assert " per 100 g" in drawn
    assert "--draw" in refused(2, "ngqa", "show", demo, name, "--no-answers")["hint"]
    missing = refused(2, "ngqa", "show", demo, name, "--draw", tmp_path / "none" / "x.svg")
    assert "make the folder" in missing["hint"]


def test_what_is_shown_instead_is_the_question_of_the_build(command, demo):
    told = [
        json.loads(line) for line in (demo / "alternatives.jsonl").read_text("utf-8").splitlines()
    ]
    by_person = {(q["person"], q["category"]): q for q in told}
    body = command("ngqa", "show", demo, some(demo), "--json").json
    expected = by_person.get((body["person"]["seqn"], body["food"]["category"]))
    assert body["instead"] == expected
    yes = command("ngqa", "show", demo, some(demo, verdict="Yes"), "--json").json
    assert yes["instead"] is None


@pytest.mark.parametrize("picture", ["x.gif", "x", "no-folder/x.svg"])
def test_pictures_that_cannot_be(refused, demo, tmp_path, picture):
    refused(2, "ngqa", "show", demo, some(demo), "--draw", tmp_path / picture)
    assert list(tmp_path.glob("x*")) == []


def test_an_unknown_question_names_near_ones(refused, demo):
    name = some(demo)
    error = refused(3, "ngqa", "show", demo, name + "0")
    assert name in error["hint"]


@pytest.mark.parametrize("verb", [("stats",), ("show", "x"), ("export", "-o", "q.csv")])
def test_folders_that_are_no_build(refused, own, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)

    def opened(code, folder):
        name, *rest = verb
        words = ("ngqa", "review", name) if name == "export" else ("ngqa", name)
        return refused(code, *words, folder, *rest)

    assert opened(3, tmp_path / "none")["what"] == "no such folder"
    (tmp_path / "empty").mkdir()
    assert "card.json" in opened(4, tmp_path / "empty")["what"]
    card = own / "card.json"
    whole = json.loads(card.read_text("utf-8"))
    for text in ("", "[]", "{}", "{", json.dumps(whole | {"form": 99}),
                 json.dumps({k: v for k, v in whole.items() if k != "seed"}),
                 json.dumps(whole | {"files": {"questions.parquet": 3}})):  # fmt: skip
        card.write_text(text, "utf-8")
        assert opened(4, own)["kind"] == "SchemaError"
    assert not (tmp_path / "q.csv").exists()


@pytest.mark.parametrize("name", [f for f in FILES if f != "card.json"])
def test_a_tampered_build(refused, own, name):
    whole = (own / name).read_bytes()
    at = len(whole) // 2
    (own / name).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    error = refused(4, "ngqa", "stats", own)
    assert error["kind"] == "ChecksumError"
    assert error["where"].endswith(name)
    (own / name).unlink()
    assert refused(4, "ngqa", "stats", own)["kind"] == "MissingDataError"


def test_check_the_released_rows(command, sample, narrow):
    done = command("ngqa", "check", sample)
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert "50 of 50 rows rebuilt equal" in done.out
    assert "rules as-published, by the wording" in done.out
    body = command("ngqa", "check", sample, "--json").json
    assert set(body) == {
        "rules", "rules_by", "rows", "rows_equal", "rows_same_text", "differences", "problems",
        "not_checked",
    }  # fmt: skip
    assert (body["rules"], body["rules_by"]) == ("as-published", "wording")
    assert (body["rows"], body["rows_equal"], body["differences"]) == (50, 50, [])
    assert body["problems"]["label_edges_inside"]["rows"] == 50


def test_check_names_each_difference(command, sample, tmp_path, narrow):
    with sample.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[2]["answer_easy"] = {"Yes": "No", "No": "Yes"}[rows[2]["answer_easy"]]
    rows[4]["answer_hard"] = rows[4]["answer_hard"].rstrip()
    rows[7]["edge_list"] = rows[7]["edge_list"].replace("'has'", "'had'", 1)
    rows[9]["node_list"] = "__import__('os').system('true')"
    with (tmp_path / "wrong.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    done = command("ngqa", "check", tmp_path / "wrong.csv")
    assert done.code == 0
    narrow(done.out)
    body = command("ngqa", "check", tmp_path / "wrong.csv", "--json").json
    assert (body["rows"], body["rows_equal"]) == (50, 46)
    found = {(d["row"], d["column"]) for d in body["differences"]}
    assert found >= {(3, "answer_easy"), (8, "edge_list")}
    assert {r for r, _ in found} == {3, 5, 8, 10}
    assert ". '" in done.out  # a blank at the end, in quotes
    assert all(set(d) == {"row", "column", "expected", "found"} for d in body["differences"])


def test_check_a_build_under_its_own_rules(command, demo):
    file = demo / "NGQA_benchmark.csv"
    ours = command("ngqa", "check", file, "--rules", "default", "--json").json
    assert ours["rows_equal"] == ours["rows"] > 0
    assert ours["problems"]["repeated_need"]["rows"] == 0
    assert ours["problems"]["repeated_ingredient"]["rows"] == 0
    found = command("ngqa", "check", file, "--json").json
    assert found == ours | {"rules_by": "wording"}
    told = command("ngqa", "check", file, "--rules", "as-published")
    assert f"none of {ours['rows']} rows follows" in told.out
    assert "in the file" not in told.out
    assert len(told.out.splitlines()) < 45


def test_files_that_cannot_be_checked(refused, sample, tmp_path):
    contents = {"empty.csv": b"", "random.csv": bytes(range(256)) * 8, "other.csv": b"a,b\n1,2\n"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        error = refused(4, "ngqa", "check", tmp_path / name)
        assert (error["kind"], error["where"]) == ("SchemaError", str(tmp_path / name))
    refused(3, "ngqa", "check", tmp_path / "none.csv")
    assert refused(3, "ngqa", "check", tmp_path)["what"] == "a folder, not a file"
    refused(2, "ngqa", "check", sample, "--rules", "paper")
    assert "--raw" in refused(2, "ngqa", "check", sample, "--from", tmp_path)["hint"]
    refused(4, "ngqa", "check", sample, "--raw", "--from", tmp_path)


def test_review_there_and_back(command, demo, tmp_path, narrow):
    queue = tmp_path / "queue.csv"
    done = command("ngqa", "review", "export", demo, "-o", queue, "--rows", 6, "--json")
    assert done.code == 0, done.err
    assert set(done.json) == {"rows", "output", "blind", "flagged", "columns_to_fill"}
    with queue.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == done.json["rows"] == 6
    assert {r["level"] for r in rows} == set(LEVELS)
    assert set(done.json["columns_to_fill"]) <= set(rows[0])
    other = {"Yes": "No", "No": "Yes"}
    filled = []
    for who in ("ada", "ben"):
        for at, row in enumerate(rows):
            row |= {"annotator": who, "when": "2026-03-01", "review_verdict": row["verdict"]}
            if at == 0:  # both change it
                row |= {"review_verdict": other[row["verdict"]], "why": f"{who} knows better"}
            if at == 1 and who == "ben":  # they differ
                row |= {"review_verdict": other[row["verdict"]], "why": "too salty"}
            if at == 2 and who == "ben":  # cannot be taken
                row |= {"review_verdict": "maybe"}
        filled.append(tmp_path / f"{who}.csv")
        with filled[-1].open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    done = command("ngqa", "review", "import", demo, *filled, "-o", tmp_path / "log.json")
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert "ada" in done.out
    assert "left out: ben.csv: row 3" in " ".join(done.out.split())
    body = command("ngqa", "review", "import", demo, *filled, "--json").json
    assert set(body) == {"agreement", "labels", "problems"}
    assert json.loads((tmp_path / "log.json").read_text("utf-8")) == body
    (change,) = body["labels"]["changes"]
    assert (change["id"], change["label"]) == (rows[0]["id"], "verdict")
    assert (change["old"], change["new"]) == (rows[0]["verdict"], other[rows[0]["verdict"]])
    assert "ada" in change["who"]
    assert change["when"] == "2026-03-01"
    assert body["labels"]["open"] == [rows[1]["id"]]
    assert len(body["problems"]) == 1
    # five items judged by both, one of them differently
    (pair,) = body["agreement"]["cohen_kappa"]
    assert (pair["items"], pair["annotators"]) == (5, ["ada", "ben"])


def test_reviews_that_cannot_be(refused, command, demo, tmp_path):
    review = ("ngqa", "review")
    refused(2, *review, "export", demo, "-o", tmp_path / "queue.xlsx")
    refused(2, *review, "export", demo, "-o", tmp_path / "none" / "queue.csv")
    refused(2, *review, "export", demo, "-o", tmp_path / "q.csv", "--rows", 0)
    refused(2, *review, "import", demo)
    refused(3, *review, "import", demo, tmp_path / "none.csv")
    (tmp_path / "foreign.csv").write_text("a,b\n1,2\n")
    refused(4, *review, "import", demo, tmp_path / "foreign.csv")
    (tmp_path / "bare.csv").write_text("a,b\n")
    refused(4, *review, "import", demo, tmp_path / "bare.csv")
    (tmp_path / "empty.csv").write_text("")
    refused(4, *review, "import", demo, tmp_path / "empty.csv")
    queue = tmp_path / "queue.csv"
    assert command(*review, "export", demo, "-o", queue).code == 0
    error = refused(2, *review, "import", demo, queue, "-o", tmp_path / "none" / "log.json")
    assert "make the folder" in error["hint"]
    before = queue.read_bytes()
    assert "--replace" in refused(2, *review, "export", demo, "-o", queue)["hint"]
    for more in ((), ("--replace",)):  # never over what is read
        refused(2, *review, "import", demo, queue, "-o", queue, *more)
    (tmp_path / "log.json").write_text("mine")
    refused(2, *review, "import", demo, queue, "-o", tmp_path / "log.json")
    assert queue.read_bytes() == before
    assert (tmp_path / "log.json").read_text() == "mine"
    assert command(*review, "export", demo, "-o", queue, "--replace").code == 0
    refused(2, *review, "import", demo, queue, "--reviewers", 0)
    with queue.open(encoding="utf-8", newline="") as file:
        (row, *_) = csv.DictReader(file)
    row |= {"id": "complex-1-2", "annotator": "ada", "when": "2026-03-01", "review_verdict": "No"}
    with queue.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    assert "complex-1-2" in refused(3, *review, "import", demo, queue)["what"]


def filled(queue: Path, target: Path, who: str, says) -> list[dict[str, str]]:
    """Fill a queue in for somebody, who says something of each row by its number."""
    with queue.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows = [r | {"annotator": who, "when": "2026-03-01"} | says(i, r) for i, r in enumerate(rows)]
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rows


def test_a_row_of_another_build_is_left_out(command, demo, tmp_path):
    queue = tmp_path / "queue.csv"
    command("ngqa", "review", "export", demo, "-o", queue, "--rows", 3)
    filled(queue, queue, "ada", lambda i, r: {"review_verdict": r["verdict"]} | (
        {"id": "sparse-9-9"} if i == 1 else {}))  # fmt: skip
    body = command("ngqa", "review", "import", demo, queue, "--json").json
    (problem,) = body["problems"]
    assert problem == "queue.csv: row 2: no question 'sparse-9-9' in this build"
    assert body["agreement"]["items"] == 2
    assert body["labels"]["few"] == 2


def test_blind_review_decided_and_applied(command, refused, demo, tmp_path):
    queue, labels, out = tmp_path / "q.csv", tmp_path / "labels.json", tmp_path / "reviewed"
    command("ngqa", "review", "export", demo, "-o", queue, "--rows", 3, "--blind")
    plain = command("ngqa", "review", "export", demo, "-o", tmp_path / "open.csv", "--rows", 3)
    assert plain.code == 0
    with (tmp_path / "open.csv").open(encoding="utf-8", newline="") as file:
        gold = {r["id"]: r for r in csv.DictReader(file)}
    other = {"Yes": "No", "No": "Yes"}

    def says(turned):
        def say(at, row):
            assert row["verdict"] == row["tags"] == row["sentence"] == row["because"] == ""
            was = gold[row["id"]]["verdict"]
            verdict = other[was] if at in turned else was
            return {"review_verdict": verdict, "why": "so it is" if at in turned else ""}

        return say

    ada, ben, chief = (tmp_path / f"{w}.csv" for w in ("ada", "ben", "chief"))
    rows = filled(queue, ada, "ada", says({0, 1}))
    filled(queue, ben, "ben", says({0}))
    filled(queue, chief, "chief", lambda i, r: says({1})(i, r) if i == 1 else
           {"annotator": "", "review_verdict": ""})  # fmt: skip
    command("ngqa", "review", "import", demo, ada, ben, "--decisions", chief, "-o", labels)
    told = json.loads(labels.read_text("utf-8"))["labels"]
    assert [(c["id"], c["label"], c["who"]) for c in told["changes"]] == [
        (rows[0]["id"], "verdict", "ada, ben"), (rows[1]["id"], "verdict", "chief"),
    ]  # fmt: skip
    report = command("ngqa", "review", "apply", demo, labels, "--out", out, "--json").json
    assert (report["changed"], len(report["changes"])) == (2, 2)
    assert command("ngqa", "stats", out).code == 0  # every file is as on the card
    card = json.loads((out / "card.json").read_text("utf-8"))
    assert card["review"]["changes"] == told["changes"]
    assert (out / "review.json").read_bytes() == labels.read_bytes()
    assert (out / "alternatives.jsonl").read_bytes() == (demo / "alternatives.jsonl").read_bytes()
    import duckdb

    marked = duckdb.sql(
        f"SELECT id, verdict, sentence FROM '{out / 'questions.parquet'}' WHERE reviewed = 1"
    ).fetchall()
    assert {m[0] for m in marked} == {rows[0]["id"], rows[1]["id"]}
    for name, verdict, sentence in marked:
        assert verdict == other[gold[name]["verdict"]]
        assert sentence.startswith(f"{verdict}, the food")
    shown = command("ngqa", "show", out, rows[0]["id"])
    assert "reviewed: verdict" in shown.out
    checked = command("ngqa", "check", out / "NGQA_benchmark.csv", "--json").json
    assert checked["rows"] - checked["rows_equal"] == 2
    # not twice, not over anything, not to another build
    refused(2, "ngqa", "review", "apply", demo, labels, "--out", out)
    refused(4, "ngqa", "review", "apply", out, labels, "--out", tmp_path / "again")
    refused(4, "ngqa", "review", "apply", demo, demo / "card.json", "--out", tmp_path / "again")
    whole = json.loads(labels.read_text("utf-8"))
    for part in ({"tags": {}}, {"changes": [3]}, {"changes": 3}, {"verdicts": []},
                 {"tags": {k: [3] for k in told["tags"]}},
                 {"tags": {k: ["salty"] for k in told["tags"]}}):  # fmt: skip
        labels.write_text(json.dumps(whole | {"labels": told | part}), "utf-8")
        error = refused(4, "ngqa", "review", "apply", demo, labels, "--out", tmp_path / "again")
        assert error["kind"] == "SchemaError"
    refused(3, "ngqa", "review", "apply", demo, tmp_path / "none", "--out", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_graph_in_words(command, tmp_path):
    """Each edge of the JSON stands in words, food and person at its ends."""
    out = tmp_path / "b"
    command("ngqa", "build", "--people", "demo", "--out", out, "--per-food", "1,0,0")
    rows = (out / "alternatives.jsonl").read_text("utf-8").splitlines()
    one = json.loads(rows[0])["id"] if rows else ""
    found = command("ngqa", "stats", out, "--json").json
    assert found["levels"]["sparse"]["rows"] > 0
    missing = command("ngqa", "show", out, one or "sparse-1-1")
    name = missing.err.split("such as: ")[1].split(",")[0].split()[0] if missing.code else one
    body = command("ngqa", "show", out, name, "--json").json
    shown = command("ngqa", "show", out, name, "--graph")
    assert shown.code == 0
    flat = " ".join(shown.out.split())
    nodes = {i: a for i, _, a in body["nodes"]}
    for source, relation, target in body["edges"]:
        assert " ".join(f"{nodes[source]} {relation} {nodes[target]}".split()) in flat


def test_a_file_of_the_build_is_no_queue(refused, demo):
    body = (demo / "NGQA_benchmark.csv").read_bytes()
    found = refused(
        2, "ngqa", "review", "export", demo, "-o", demo / "NGQA_benchmark.csv", "--replace"
    )
    assert "elsewhere" in found["hint"]
    assert (demo / "NGQA_benchmark.csv").read_bytes() == body


def test_questions_over_one_graph_are_not_checked(command, refused, tmp_path):
    out = tmp_path / "m"
    command("ngqa", "build", "--people", "demo", "--out", out, "--per-food", "1,0,0",
            "--graph", "merged")  # fmt: skip
    found = refused(4, "ngqa", "check", out / "NGQA_benchmark.csv")
    assert "no graph" in found["what"]


def test_questions_a_person_are_of_the_default_rules(command, refused, tmp_path):
    refused(2, "ngqa", "build", "--people", "demo", "--out", tmp_path / "x", "--rules",
            "as-published", "--per-person", "3")  # fmt: skip
    out = tmp_path / "y"
    command("ngqa", "build", "--people", "demo", "--out", out, "--per-person", "2")
    rows = read_dataset(out).rows
    assert max(Counter(r.person.person for r in rows).values()) == 2
