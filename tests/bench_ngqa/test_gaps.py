"""What is missing is unknown: a table, a person's laboratory values, a food's sodium."""

from __future__ import annotations

import json

import duckdb
import pytest
from tests.bench_ngqa.conftest import CYCLE
from tests.bench_ngqa.plain import needs, rows_of, wanted

import prandial
from prandial.quiz import gold_of_facts, unknown_needs
from prandial.records import FoodFacts, PersonFacts
from prandial.sources.nhanes import read_table

PRESSURE = ("BPX", "BPXO")


def test_a_cycle_without_blood_pressure(linked, tmp_path):
    """No reading: nobody is free of hypertension, those on medicine still have it."""
    root = linked(*PRESSURE)
    found = prandial.people_stats(root=root, cycles=[CYCLE])
    row = {s["status"]: s for s in found.statuses}["hypertension"]
    assert row["no"] == 0
    assert row["yes"] > 500
    assert row["yes"] + row["unknown"] == found.people == 9254
    (note,) = (n for n in found.notes if " BPX:" in n)
    assert note.startswith(f"{CYCLE} BPX: not at hand, unknown: ")
    # nor is a share of nobody compared with CDC's figure
    assert "hypertension" not in {p["status"] for p in found.published}
    assert any("CDC's hypertension not compared" in n for n in found.notes)

    report = prandial.build_ngqa(tmp_path / "b", root=root, per_food=(1, 0, 0))
    card = json.loads((tmp_path / "b" / "card.json").read_text("utf-8"))
    assert note in card["notes"]["remarks"]
    assert note in report.notes
    salty = 0
    for r in rows_of(tmp_path / "b"):
        assert ("hypertension" in r["statuses"]) != ("hypertension" in r["statuses_unknown"])
        told = {t.split("_", 1)[1] for t in r["food_tags"]}
        if "sodium" in told and "hypertension" in r["statuses_unknown"]:
            # asked about a salty food only when another status needs little salt anyway
            assert wanted(r["statuses"], "default")["sodium"] == {"low"}
            salty += 1
    assert salty > 0


def test_as_published_still_notes_the_missing_table(linked):
    found = prandial.people_stats(root=linked(*PRESSURE), rules="as-published")
    row = {s["status"]: s for s in found.statuses}["hypertension"]
    assert (row["yes"], row["unknown"]) == (0, 0)  # quirk: missing is no
    assert any(n.startswith(f"{CYCLE} BPX: not at hand") for n in found.notes)


def test_a_cycle_without_people(linked):
    with pytest.raises(prandial.MissingDataError, match="DEMO") as caught:
        prandial.people_stats(root=linked("DEMO"))
    assert "prandial data get nhanes" in caught.value.hint


def test_a_person_without_laboratory_values(root, default_build):
    """Raw files decide who has none; what hangs on them is unknown and not asked about."""
    folder = root / "nhanes" / CYCLE

    examined = {
        int(n)
        for table, column in (("GHB_J", "LBXGH"), ("GLU_J", "LBXGLU"), ("BIOPRO_J", "LBXSGL"))
        for read in [read_table(folder / f"{table}.XPT", ["SEQN", column])]
        for n, value in zip(read["SEQN"], read[column], strict=True)
        if value == value
    }
    demo = read_table(folder / "DEMO_J.XPT", ["SEQN", "RIDAGEYR"])
    age = dict(zip(demo["SEQN"].astype(int).tolist(), demo["RIDAGEYR"].tolist(), strict=True))
    asked = read_table(folder / "DIQ_J.XPT", ["SEQN", "DIQ010"])
    not_told = {int(n) for n, v in zip(asked["SEQN"], asked["DIQ010"], strict=True) if v == 2}
    bare = not_told - examined
    assert len(bare) > 1000
    for r in (r for r in rows_of(default_build) if r["person"] in bare):
        assert "diabetes" in r["statuses_unknown"]
        told = {t.split("_", 1)[1] for t in r["food_tags"]}
        for tag in needs("default")["diabetes"]:
            direction, nutrient = tag.split("_", 1)
            if nutrient in told:
                sides = wanted(r["statuses"], "default").get(nutrient)
                assert sides in ({direction}, {"low", "high"})
    found = [
        prandial.show_person(n, root=root, cycles=[CYCLE])
        for n in sorted(n for n in bare if age[n] >= 18)[:2]
    ]
    for one in found:
        assert one.conditions["diabetes"] is prandial.Truth.UNKNOWN
        assert one.to_dict()["measures"]["hba1c_percent"] is None


def test_a_food_without_sodium():
    person = PersonFacts(person=1, statuses=("hypertension", "obesity"))
    stew = FoodFacts(
        code=27111000, name="Stew", category="Meat mixed dishes", ingredients=(),
        tags=("high_calorie",), unknown=("sodium",), per_100g={"sodium": float("nan")},
    )  # fmt: skip
    gold = gold_of_facts(stew, person, rules="default")
    assert gold.tags == ("high_calorie",)
    assert unknown_needs(stew, person, rules="default") == ("sodium",)


@pytest.fixture
def without_sodium(root, tmp_path):
    """Food releases in which no soup has a sodium value; people are made up."""
    made = tmp_path / "root"
    (made / "foods").mkdir(parents=True)
    with duckdb.connect() as con:
        for file in sorted((root / "foods").glob("fndds_*")):
            if not file.name.endswith("_foods.parquet"):
                (made / "foods" / file.name).symlink_to(file)
                continue
            con.execute(
                "copy (select * replace (if(wweia_category ilike '%soup%', null, sodium_mg)"
                f" as sodium_mg) from read_parquet(?)) to '{made / 'foods' / file.name}'",
                [str(file)],
            )
    return made


def test_nobody_who_needs_little_salt_is_asked_about_it(without_sodium, root, tmp_path):
    soups = {}
    for name, folder in (("without", without_sodium), ("with", root)):
        out = tmp_path / name
        prandial.build_ngqa(out, root=folder, people="demo", per_food=(4, 2, 2))
        soups[name] = [r for r in rows_of(out) if "soup" in r["category"].lower()]
    salt = {s for s, tags in needs("default").items() if {"low_sodium", "high_sodium"} & set(tags)}
    assert any(salt & set(r["statuses"]) for r in soups["with"])
    assert soups["without"]
    for r in soups["without"]:
        assert "sodium" in r["food_unknown"]
        assert r["per_100g"]["sodium"] is None
        assert not {"low_sodium", "high_sodium"} & set(r["food_tags"])
        assert not salt & {*r["statuses"], *r["statuses_unknown"]}
