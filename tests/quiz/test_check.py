"""The check: 50 of 50 real rows, each kind of change named, each problem counted."""

from __future__ import annotations

import csv
import json

import pytest
from tests.quiz.made import food, person

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.quiz import COLUMNS, check_file, make_row, rules_of_file, write_published

PUBLISHED = "as-published"


@pytest.fixture
def sample(shared_dir):
    return shared_dir / "data/ngqa/ngqa_benchmark_sample50.csv"


def _changed(source, target, row, column, old, new):
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert old in rows[row - 1][column]
    rows[row - 1][column] = rows[row - 1][column].replace(old, new, 1)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return target


def test_all_real_rows_are_rebuilt(sample):
    report = check_file(sample)
    assert (report.rows, report.rows_equal, report.rows_same_text) == (50, 50, 50)
    assert report.differences == ()
    found = {k: len(v) for k, v in report.problems.items()}
    # spec 7, C.18: "Ate more" in all 50 rows, together with "Ate less" in 39
    assert found["habit_pair"] == 39
    assert found["label_edges_inside"] == 50
    assert found["malformed"] == found["not_rebuilt"] == found["other_text"] == 0


@pytest.mark.parametrize(
    ("column", "old", "new", "differs"),
    [
        ("answer_easy", "No", "Yes", {"answer_easy"}),
        ("answer_easy", "No", "no", {"answer_easy"}),
        ("answer_medium", "high_sodium", "low_carb", {"answer_medium"}),
        ("answer_hard", ". ", ".", {"answer_hard"}),
        ("question_hard", "short", "long", {"question_hard"}),
        ("difficulty", "easy", "hard", {"difficulty"}),
        ("edge_list", "contradict", "match", {"edge_list"}),
        ("edge_list", ", [26, 'contradict', 13]", "", {"edge_list"}),
        ("node_list", "high_sodium", "low_sodium",
         {"edge_list", "answer_easy", "answer_medium", "answer_hard"}),
        ("node_list", "'status'", "'condition'",
         {"node_list", "edge_list", "answer_medium", "answer_hard", "difficulty"}),
    ],
)  # fmt: skip
def test_a_change_is_found_in_its_row(sample, tmp_path, column, old, new, differs):
    report = check_file(_changed(sample, tmp_path / "x.csv", 1, column, old, new))
    assert report.rows_equal == 49
    assert {d.row for d in report.differences} == {1}
    assert {d.column for d in report.differences} == differs
    assert report.problems["not_rebuilt"] == (1,)


def test_same_values_in_other_writing_are_equal(sample, tmp_path):
    path = _changed(sample, tmp_path / "x.csv", 2, "edge_list", "[[1, 'belongs", "[ [1,'belongs")
    report = check_file(path)
    assert (report.rows_equal, report.rows_same_text) == (50, 49)
    assert report.problems["other_text"] == (2,)


def test_an_unknown_status_is_named(sample, tmp_path):
    path = _changed(sample, tmp_path / "x.csv", 1, "node_list", "'hypertension'", "'tired'")
    report = check_file(path)
    assert report.problems["unknown_status"] == (1,)
    assert "tired" in report.differences[0].found


@pytest.mark.parametrize("rules", ["as-published", "default"])
@pytest.mark.parametrize("mode", ["published", "no-verdict"])
def test_the_rule_set_is_found(rules, mode, tmp_path):
    who = person("diabetes", "Sugar free/Low sugar diet")
    row = make_row(food("low_carb"), who, level="sparse", rules=rules, mode=mode)
    path = tmp_path / "x.csv"
    write_published([row], path, rules=rules)
    found = check_file(path)
    assert (found.rules, found.rules_by, found.rows_equal) == (rules, "wording", 1)
    assert check_file(path, rules=rules).rules_by == "given"
    assert rules_of_file(path) == (rules, "wording")
    # worded otherwise, the rows tell; where they do not either, nothing does
    text = path.read_text()
    path.write_text(text.replace("Answer Yes or No.", "Yes?").replace("answer with yes", "say yes"))
    if mode == "published":
        assert rules_of_file(path) == (rules, "rows")
    path.write_text(path.read_text().replace("'status'", "'condition'"))
    assert rules_of_file(path) == ("as-published", "nothing")


def test_what_repeats_as_published_does_not_by_default(tmp_path):
    asked = food("low_carb", ingredients=("Salt", "Salt"))
    who = person("diabetes", "Sugar free/Low sugar diet")
    for rules, repeats in (("as-published", (1,)), ("default", ())):
        row = make_row(asked, who, level="sparse", rules=rules)
        write_published([row], tmp_path / "x.csv", rules=rules)
        problems = check_file(tmp_path / "x.csv").problems
        assert problems["repeated_need"] == problems["repeated_ingredient"] == repeats


def test_files_of_another_kind_are_named(tmp_path):
    row = make_row(food("low_carb"), person("diabetes"), level="sparse", rules=PUBLISHED)
    write_published([row], tmp_path / "NGQA_benchmark.csv", rules=PUBLISHED)
    (tmp_path / "questions.parquet").write_bytes(b"PAR1 and more")
    for name, what, error in (
        ("", "a folder", NotFoundError), ("questions.parquet", "Parquet", SchemaError)
    ):  # fmt: skip
        with pytest.raises(error, match=what) as caught:
            check_file(tmp_path / name)
        assert caught.value.hint.endswith("NGQA_benchmark.csv")
    for mark, word in (("\t", "tabs"), (";", "semicolons")):
        (tmp_path / "x.csv").write_text(mark.join(COLUMNS) + "\n")
        with pytest.raises(SchemaError, match=word):
            check_file(tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text(",".join(COLUMNS) + "\n")
    with pytest.raises(SchemaError, match="no rows"):
        check_file(tmp_path / "x.csv")


def test_unknown_rules_are_refused(sample):
    with pytest.raises(InputError):
        check_file(sample, rules="mine")


def _problems(tmp_path, asked, who, **options):
    row = make_row(asked, who, level="sparse", rules=PUBLISHED)
    write_published([row, row], tmp_path / "x.csv", rules=PUBLISHED)
    report = check_file(tmp_path / "x.csv", **options)
    return {name for name, rows in report.problems.items() if 1 in rows}, report


CASES = {
    "tie": (food("low_carb", "high_sugar"), person("diabetes")),
    "match_and_contradict": (
        food("high_protein"), person("High protein diet", "Renal/Kidney diet")),
    "conflicting_needs": (food("low_carb"), person("High protein diet", "Renal/Kidney diet")),
    "edges_disagree": (
        food("low_carb", "low_sugar", "high_sodium"),
        person("hypertension", "diabetes", "opioid_misuse", "Low salt/Low sodium diet")),
    "winning_side_only": (food("low_carb", "high_sugar"), person("diabetes")),
    "renal_protein_only": (food("high_protein"), person("Renal/Kidney diet")),
    "low_and_high": (food("low_carb", "high_carb"), person("diabetes")),
    "habit_pair": (
        food("low_carb"),
        person("diabetes", habits=("Ate less food than usual", "Ate more food than usual"))),
    "diet_habit_differs": (
        food("low_carb"), person("Diabetic diet", habits=("Eats high fiber diet",))),
    "repeated_need": (food("low_carb"), person("diabetes", "Sugar free/Low sugar diet")),
    "repeated_ingredient": (
        food("low_carb", ingredients=("Salt", "Salt")), person("diabetes")),
    "label_edges_inside": (food("low_carb"), person("diabetes")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_problem_is_seen_where_it_is(name, tmp_path):
    found, report = _problems(tmp_path, *CASES[name])
    assert name in found
    assert report.problems["repeated_row"] == (2,)


def test_a_plain_row_has_only_the_leak(tmp_path):
    found, _ = _problems(
        tmp_path, food("low_calorie"), person("obesity", habits=("Drinks little water",))
    )
    assert found - {"not_rebuilt"} == {"label_edges_inside"}


def test_low_carb_on_a_cake_needs_amounts(tmp_path):
    asked, who = food("low_carb", code=53101200), person("Low carbohydrate diet")
    found, report = _problems(tmp_path, asked, who)
    assert "low_carb_most_energy" not in found
    assert report.not_checked == ("low_carb_most_energy",)
    cake = {53101200: {"carb": 52.0, "calorie": 380.0}}  # 55 % of its energy
    found, report = _problems(tmp_path, asked, who, amounts=cake)
    assert "low_carb_most_energy" in found
    assert report.not_checked == ()
    meat = {53101200: {"carb": 5.0, "calorie": 200.0}}
    assert "low_carb_most_energy" not in _problems(tmp_path, asked, who, amounts=meat)[0]


def test_json_form(sample):
    told = json.loads(json.dumps(check_file(sample).to_dict()))
    assert {"rows", "rows_equal", "differences", "problems"} <= set(told)
    assert told["problems"]["habit_pair"]["rows"] == 39
