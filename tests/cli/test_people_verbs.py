"""``prandial people``: one real person, counts over real and made-up people, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

CYCLE = "2017-2018"
#: of 2017-2018, adults by the documentation of the shared files
MEASURED_OBESE, TOLD_DIABETES, ADULTS = 2236, 878, 5856


@pytest.fixture
def root(shared_dir: Path) -> Path:
    return shared_dir / "data"


@pytest.fixture
def person(shared_dir: Path) -> tuple[int, dict[str, float]]:
    """A measured adult with a high BMI, read from the raw file without prandial's reader."""
    import pyreadstat

    body, _ = pyreadstat.read_xport(
        str(shared_dir / "data" / "nhanes" / CYCLE / "BMX_J.XPT"), output_format="dict"
    )
    at = next(i for i, bmi in enumerate(body["BMXBMI"]) if (bmi or 0) > 45)
    return int(body["SEQN"][at]), {
        "bmi_kg_m2": body["BMXBMI"][at],
        "waist_cm": body["BMXWAIST"][at],
    }


def test_show_a_real_person(command, root, person, narrow):
    number, raw = person
    done = command("people", "show", number, "--from", root)
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert f"person {number}: " in done.out
    assert f"survey {CYCLE}, rules default" in done.out
    assert "\ufffd" not in done.out
    assert "no diagnosis" in done.out
    body = command("people", "show", number, "--from", root, "--json").json
    assert set(body) == {
        "person", "about", "cycle", "rules", "measures", "conditions", "diets", "habits",
        "severity", "because", "reasons",
    }  # fmt: skip
    assert body["person"] == number
    assert body["conditions"]["obesity"] == "yes"
    assert body["because"]["obesity"].startswith(f"BMI {raw['bmi_kg_m2']:g} kg/m2, limit 30")
    (reason,) = body["reasons"]["obesity"]
    assert set(reason) == {"rule", "words", "source", "value", "limit", "unit"}
    assert (reason["rule"], reason["value"]) == ("def-obesity-1", raw["bmi_kg_m2"])
    assert (reason["limit"], reason["unit"]) == (30, "kg/m2")
    assert set(body["reasons"]) == set(body["because"]) == body["conditions"].keys() | body["diets"]
    assert body["measures"]["bmi_kg_m2"] == raw["bmi_kg_m2"]
    for part in ("conditions", "diets", "habits"):
        assert set(body[part].values()) <= {"yes", "no", "unknown"}
    assert None in body["measures"].values()  # nobody has everything measured
    assert -1 not in body["measures"].values()


def test_a_person_whose_diets_and_reasons_are_known(command, root, narrow):
    """A woman of 66: DEMO, BMX, CBC and DIQ of her number, read by eye."""
    done = command("people", "show", 93705, "--from", root)
    narrow(done.out)
    text = " ".join(done.out.split())
    assert "person 93705: woman, 66 years" in text
    assert "diets: none, said to be on no special diet" in text
    for line in done.out.splitlines():
        assert "_code" not in line
    assert "HbA1c 6.2 %, limit" in text
    assert "pregnant" not in text


def test_the_rule_set_is_the_one_asked_for(command, root, person):
    number, _ = person
    done = command(
        "people", "show", number, "--from", root, "--rules", "as-published", "--cycle", CYCLE,
        "--json",
    )  # fmt: skip
    assert done.json["rules"] == "as-published"
    assert len(done.json["conditions"]) == 4
    assert len(done.json["diets"]) == 9


def test_stats_of_a_real_cycle(command, root, narrow):
    done = command("people", "stats", "--from", root, "--cycle", CYCLE)
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert f"9,254 people ({ADULTS:,} adults) of {CYCLE}; rules default" in done.out


def test_json_of_stats(command, root):
    done = command("people", "stats", "--from", root, "--cycle", CYCLE, "--json")
    body = done.json
    assert set(body) == {
        "rules", "made_up", "cycles", "people", "adults", "statuses", "pairs", "habits",
        "prevalence", "published_prevalence", "notes",
    }  # fmt: skip
    assert (body["made_up"], body["cycles"], body["people"]) == (False, [CYCLE], 9254)
    by_status = {s["status"]: s for s in body["statuses"]}
    for row in by_status.values():
        assert set(row) == {"status", "yes", "no", "unknown", "as_counted", "published"}
        assert row["yes"] + row["no"] + row["unknown"] == 9254
    # pregnant women of a high BMI are unknown under the default rules
    assert 0.97 * MEASURED_OBESE < by_status["obesity"]["yes"] <= MEASURED_OBESE
    assert by_status["diabetes"]["yes"] >= TOLD_DIABETES
    assert by_status["obesity"]["unknown"] >= 9254 - ADULTS
    for row in body["prevalence"]:
        assert set(row) == {
            "cycle", "status", "share", "low", "high", "standard_error", "people",
            "people_unknown", "ages", "weight",
        }  # fmt: skip
        assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
    assert body["published_prevalence"]
    for row in body["published_prevalence"]:
        assert set(row) == {
            "cycles", "status", "ages", "share", "standard_error", "people", "people_unknown",
            "weight", "published_percent", "source",
        }  # fmt: skip
        # CDC rounds to a tenth of a percent; ours by its definitions
        assert 100 * row["share"] == pytest.approx(row["published_percent"], abs=0.2)
    for row in body["habits"]:
        assert set(row) == {
            "label", "variable", "cut", "count", "answered", "prevalence", "note"
        }  # fmt: skip


def test_what_cannot_be_told_has_no_prevalence(command, root, narrow):
    """Heroin was not asked of in 2003-2004, and of nobody above 69 years in 2017-2018."""
    run = ("people", "stats", "--from", root, "--cycle", "2003-2004", "--cycle", CYCLE)
    body = command(*run, "--json").json
    assert "opioid_misuse" not in {row["status"] for row in body["prevalence"]}
    notes = [n for n in body["notes"] if "opioid_misuse" in n]
    assert len(notes) == 2
    assert "never no" in notes[0]
    assert "more than 25 %" in notes[1]
    weights = {row["status"]: row["weight"] for row in body["prevalence"]}
    assert weights["high_ldl"] == weights["diabetes"] == "fasting"
    assert weights["osteoporosis"] == "interview"
    assert weights["obesity"] == "exam"
    done = command(*run)
    narrow(done.out)
    assert "US adults 20 and over, age-adjusted" in done.out
    assert "chronic_kidney_disease" in done.out.split("prevalence in percent")[1]


def test_the_paper_s_rules_give_no_prevalence(command, root):
    body = command(
        "people", "stats", "--from", root, "--cycle", CYCLE, "--rules", "as-published", "--json"
    ).json
    assert body["prevalence"] == []
    assert sum("no prevalence by the rules as-published" in n for n in body["notes"]) == 1


def test_made_up_people_are_marked_and_repeatable(command, narrow):
    run = ("people", "stats", "--demo", 500, "--seed", 3)
    done = command(*run)
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert "made up" in done.out
    body = command(*run, "--json").json
    assert (body["made_up"], body["people"], body["prevalence"]) == (True, 500, [])
    assert body == command(*run, "--json").json
    assert body != command("people", "stats", "--demo", 500, "--seed", 4, "--json").json


@pytest.mark.parametrize(
    ("code", "arguments", "named"),
    [
        (4, ("show", 93704), "prandial data get nhanes"),
        (4, ("show", 93704, "--from", "/no/such/folder"), "prandial data get nhanes"),
        (4, ("stats",), "prandial data get nhanes"),
        (2, ("show", "somebody"), "--help"),
        (2, ("show",), "--help"),
        (2, ("stats", "--demo", 0), "--help"),
        (2, ("stats", "--demo", 10, "--seed", -1), "0, 1, 2"),
        (2, ("stats", "--demo", 10, "--rules", "paper"), "as-published"),
    ],
)
def test_what_cannot_be_asked_for(refused, code, arguments, named):
    assert named in refused(code, "people", *arguments)["hint"]


def test_a_root_without_nhanes(refused, tmp_path):
    (tmp_path / "foods").mkdir()
    error = refused(4, "people", "stats", "--from", tmp_path)
    assert (error["kind"], error["what"]) == ("MissingDataError", "no NHANES files are at hand")


def test_a_root_whose_nhanes_is_empty(refused, tmp_path):
    (tmp_path / "nhanes" / CYCLE).mkdir(parents=True)
    assert "DEMO" in refused(4, "people", "stats", "--from", tmp_path)["what"]


def test_a_cycle_that_is_not_at_hand(refused, root):
    error = refused(3, "people", "stats", "--from", root, "--cycle", "2021-2023")
    assert CYCLE in error["hint"]
    refused(3, "people", "stats", "--from", root, "--cycle", "2018")


def test_a_person_of_a_cycle_that_is_not_at_hand(refused, root):
    error = refused(3, "people", "show", 130378, "--from", root, "--cycle", CYCLE)
    assert error["hint"].endswith("prandial data get nhanes --cycle 2021-2023")


def test_a_number_that_nobody_has(refused, root):
    error = refused(3, "people", "show", 5, "--from", root, "--cycle", CYCLE)
    assert "21005" in error["hint"]  # the first number of the first cycle


def test_damaged_people(refused, tmp_path, shared_dir):
    folder = tmp_path / "nhanes" / CYCLE
    folder.mkdir(parents=True)
    whole = (shared_dir / "data" / "nhanes" / CYCLE / "DEMO_J.XPT").read_bytes()
    (folder / "DEMO_J.XPT").write_bytes(whole[:100_000])
    error = refused(4, "people", "stats", "--from", tmp_path)
    assert error["kind"] == "SchemaError"
    assert "DEMO_J.XPT" in error["where"]
