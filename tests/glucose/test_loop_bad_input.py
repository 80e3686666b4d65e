"""Bad input to the Loop function: each error names field, row and bound."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from prandial.errors import InputError
from prandial.glucose.loop import Schedule, recommend


def good() -> dict[str, Any]:
    return {
        "now_min": 0,
        "glucose": [{"at_min": -5.0 * k, "glucose_mg_dl": 120} for k in range(4, -1, -1)],
        "doses": [{"kind": "bolus", "start_min": -10, "end_min": -10, "value": 1}],
        "carb_entries": [{"at_min": -10, "carb_g": 30, "absorption_min": 180}],
        "isf_mg_dl_per_u": 50,
        "cir_g_per_u": [[0, 10], [720, 12]],
        "basal_u_per_h": 1,
    }


def test_the_good_one_is_good_and_its_answer_is_json() -> None:
    out = recommend(good())
    assert json.loads(json.dumps(out.to_dict()))["prediction"]["mg_dl"][0] == 120


def changed(path: str, value: Any) -> dict[str, Any]:
    given = good()
    *steps, last = path.split("/")
    place: Any = given
    for step in steps:
        place = place[int(step)] if step.isdigit() else place[step]
    place[int(last) if last.isdigit() else last] = value
    return given


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        ("glucose/2/glucose_mg_dl", math.nan, "glucose, row 3", "no number is outside 20 to 600"),
        ("glucose/2/glucose_mg_dl", 5.6, "glucose, row 3", "5.6 mg/dL is outside 20 to 600"),
        ("glucose/2/at_min", -25, "glucose, row 3", "comes after"),
        ("glucose/4/at_min", 5, "glucose, row 5", "does not reach now"),
        ("glucose/1/at_min", "noon", "glucose, row 2, at_min", "no time"),
        ("glucose/1/at_min", "2026-01-01T12:00:00", "glucose, row 2", "does not go with"),
        ("glucose/1/mmol", 5, "glucose, row 2", "no field 'mmol'"),
        ("glucose/1/glucose_mg_dl", "high", "glucose, row 2, glucose_mg_dl", "no number"),
        ("glucose", [], "glucose", "no glucose reading"),
        ("carb_entries/0/carb_g", -1, "carb_entries carb_g, row 1", "-1 g is outside 0 to"),
        ("carb_entries/0/carb_g", math.nan, "carb_entries carb_g, row 1", "no number"),
        ("carb_entries/0/absorption_min", 20, "absorption_min, row 1", "outside 25 to 595 min"),
        ("carb_entries/0/absorption_min", 600, "absorption_min, row 1", "outside 25 to 595 min"),
        ("doses/0/kind", "square", "doses, row 1", "no kind of dose 'square'"),
        ("doses/0/value", -1, "doses, row 1", "value -1 is no amount"),
        ("doses/0/delivered_u", math.nan, "doses, row 1", "delivered_u nan is no amount"),
        ("doses/0/end_min", -11, "doses, row 1", "before its start"),
        ("doses/0/start_min", None, "doses, row 1", "'start_min' is missing"),
        ("doses/0/value", None, "doses, row 1", "'value' is missing"),
        ("settings", {"dia_min": "long"}, "settings dia_min", "'long' is no number"),
        ("settings", {"dia_min": True}, "settings dia_min", "True is no number"),
        ("settings", {"dynamic_carbs": 1}, "settings dynamic_carbs", "1 is no true or false"),
        ("settings", {"dia_min": math.nan}, "settings dia_min", "Loop is no number"),
        ("quirks", {"temp_runs_out": "no"}, "quirks temp_runs_out", "'no' is no true or false"),
        ("quirks", {"temp": True}, "quirks", "no field 'temp'"),
        ("glucose", [5], "glucose, row 1", "no object"),
        ("isf_mg_dl_per_u", 2.8, "isf_mg_dl_per_u", "outside 5 to 1000 mg/dL per U"),
        ("basal_u_per_h", 0.01, "basal_u_per_h", "outside 0.05 to 10 U/h"),
        ("cir_g_per_u/1/0", 0, "cir_g_per_u, row 2", "out of order"),
        ("cir_g_per_u/0/0", 60, "cir_g_per_u, row 1", "begins at 60 min"),
        ("cir_g_per_u/1/1", 500, "cir_g_per_u, row 2", "outside 1 to 150"),
        ("cir_g_per_u", {"start_min": [0, 720], "value": [10]}, "cir_g_per_u", "2 starts for 1"),
        ("cir_g_per_u", "ten", "cir_g_per_u", "no schedule"),
        ("target_low_mg_dl", 130, "target at 0 min", "upside down"),
        ("settings", {"suspend_mg_dl": 4}, "settings suspend_mg_dl", "outside 40 to 200"),
        ("settings", {"peak_min": 150, "dia_min": 300}, "settings peak_min", "half of 300"),
        ("settings", {"max": 4}, "settings", "no field 'max'"),
        ("quirks", "swift", "quirks", "no quirk set 'swift'"),
        ("now_min", None, "input", "'now_min' is missing"),
        ("now_min", True, "now_min", "no time"),
        ("colour", 1, "input", "no field 'colour'"),
    ],
)
def test_each_error_says_what_and_where(path: str, value: Any, where: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        recommend(changed(path, value))
    assert what in caught.value.what
    assert where in caught.value.where
    assert caught.value.hint


def test_a_dose_that_has_not_begun() -> None:
    given = good()
    given["doses"][0] |= {"start_min": 5, "end_min": 5}
    with pytest.raises(InputError, match="doses that have begun"):
        recommend(given)


def test_an_old_last_reading() -> None:
    given = good()
    given["now_min"] = 400
    with pytest.raises(InputError, match="row 5"):
        recommend(given)


def test_unequal_schedule() -> None:
    with pytest.raises(InputError, match="1 starts for 2 values"):
        Schedule(start_min=(0.0,), value=(1.0, 2.0))
