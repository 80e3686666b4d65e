"""Rule tables: cards agree, and the needs are the paper's."""

from __future__ import annotations

from pathlib import Path

import pytest

from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.tables import rules
from prandial.tables.rules import reading

FOLDER = Path(rules.__file__).parent
NAMES = sorted(p.stem for p in FOLDER.glob("*.csv"))
#: the paper's Table 7 and its section on diets, by hand, in its order
PAPER = {
    "obesity": "low_calorie",
    "opioid_misuse": "high_protein low_sugar low_sodium",
    "hypertension": "low_sodium",
    "diabetes": "low_sugar low_carb",
    "Weight loss/Low calorie diet": "low_calorie",
    "Low fat/Low cholesterol diet": "low_cholesterol low_saturated_fat",
    "Low salt/Low sodium diet": "low_sodium",
    "Sugar free/Low sugar diet": "low_sugar",
    "Diabetic diet": "low_sugar low_carb",
    "Weight gain/Muscle building diet": "high_calorie high_protein",
    "Low carbohydrate diet": "low_carb",
    "High protein diet": "high_protein",
    "Renal/Kidney diet": "low_protein",
}


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_a_card_that_agrees(name):
    rows = rules.read_rules(name)
    card = rules.rules_card(name)
    assert rows
    assert {"file", "title", "licence", "source", "origin", "rows", "columns", "gaps"} <= set(card)
    assert card["file"] == f"{name}.csv"
    for column in rows[0]:
        assert column in card["columns"], f"{name}: the card does not tell what {column} is"


def test_needs_as_published():
    needs = rules.load_needs("as-published")
    assert {k: " ".join(v) for k, v in needs.tags.items()} == PAPER
    assert list(needs.tags) == list(PAPER)


def test_every_need_names_a_nutrient_and_a_source():
    for name in ("as-published", "default"):
        needs = rules.load_needs(name)
        assert set(needs.kinds.values()) == {"condition", "diet"}
        for status, tags in needs.tags.items():
            for tag in tags:
                direction, _, nutrient = tag.partition("_")
                assert direction in ("low", "high")
                assert nutrient in rules.NUTRIENT_ORDER
                assert len(needs.sources[status, tag]) > 10


def test_default_keeps_what_the_paper_needs():
    published, ours = rules.load_needs("as-published"), rules.load_needs("default")
    for status, tags in published.tags.items():
        assert set(tags) <= set(ours.tags[status]), status


def test_an_unknown_rule_set_is_named():
    with pytest.raises(InputError, match="no rule set 'paper'") as caught:
        rules.load_needs("paper")
    assert "as-published" in caught.value.hint


def test_orders_hold_the_same_nutrients():
    assert sorted(rules.NUTRIENT_ORDER) == sorted(rules.FOOD_TAG_ORDER)
    assert len(set(rules.NUTRIENT_ORDER)) == len(rules.NUTRIENT_ORDER) == 16


def test_a_missing_or_changed_table(tmp_path, monkeypatch):
    with pytest.raises(MissingDataError, match="no_such"):
        rules.read_rules("no_such")
    (tmp_path / "t.csv").write_text("a\n1\n2\n", "utf-8")
    (tmp_path / "t.card.json").write_text('{"rows": 3}', "utf-8")
    monkeypatch.setattr(reading, "_path", tmp_path.joinpath)
    reading.read_rules.cache_clear()
    reading.rules_card.cache_clear()
    with pytest.raises(SchemaError, match="2 rows, its card says 3"):
        reading.read_rules("t")
    reading.read_rules.cache_clear()
    reading.rules_card.cache_clear()
