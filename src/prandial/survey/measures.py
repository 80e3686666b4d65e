"""Measures that rules look at: the columns of people and what follows from several of them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.records import PeopleTable
from prandial.records.people import RuleSet
from prandial.survey.kidney import albumin_creatinine, egfr
from prandial.survey.opioids import opioid_days

__all__ = ["derive", "mean_pressure"]

_Numbers = npt.NDArray[np.float64]
_CUFF: Final = (1, 2, 3, 4)
_DEVICE: Final = (1, 2, 3)
#: days a year of each answer to "how often", 2017 on: never, every day, nearly every day ...
_TIMES_A_YEAR: Final = (0.0, 365.0, 300.0, 182.0, 104.0, 52.0, 30.0, 12.0, 9.0, 4.5, 1.5)
#: times a year of one a week, a month, a year
_UNITS: Final = ((1.0, 365.25 / 7), (2.0, 12.0), (3.0, 1.0))
_WEEKS_A_YEAR: Final = 365.25 / 7
#: years of a unit of time since: days, weeks, months, years
_AGO: Final = ((1.0, 1 / 365.25), (2.0, 7 / 365.25), (3.0, 1 / 12), (4.0, 1.0))


def _mean(readings: _Numbers) -> _Numbers:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=RuntimeWarning)
        return np.asarray(np.nanmean(readings, axis=0), dtype=np.float64)


def mean_pressure(people: PeopleTable, which: str, rules: RuleSet | str) -> _Numbers:
    """Return the mean of a person's pressure readings, mmHg; NaN without any.

    Readings with cuff and stethoscope come first; the device serves for a cycle without
    them, in ``default`` also for each person whom the cuff did not. A zero is no reading
    (NCHS, Health, United States, sources and definitions: hypertension), save for
    ``as-published``, where zeros count and the mean is floored, and for ``cdc`` when there
    is nothing else (NHANES, documentation of BPX: then the average is zero).

    Parameters
    ----------
    people : PeopleTable
    which : {'systolic', 'diastolic'}
    rules : str
    """
    cuff = np.stack([people[f"{which}_{i}_mmhg"] for i in _CUFF])
    device = np.stack([people[f"{which}_device_{i}_mmhg"] for i in _DEVICE])
    only_zeros = (cuff == 0).any(axis=0)
    if rules != "as-published":
        cuff, device = (np.where(r == 0, np.nan, r) for r in (cuff, device))
    first, second = _mean(cuff), _mean(device)
    if rules == "cdc":
        first = np.where(np.isnan(first) & only_zeros, 0.0, first)
    if rules == "default":
        return np.where(np.isnan(first), second, first)
    with_cuff = np.unique(people.cycle[~np.isnan(first)])
    mean = np.where(np.isin(people.cycle, with_cuff), first, second)
    return np.floor(mean) if rules == "as-published" else mean


def _smoking(people: PeopleTable) -> _Numbers:
    """Return 1 every day, 2 some days, 3 not any more, 4 never 100 cigarettes."""
    never = (people["smoked_100_code"] == 2) & np.isnan(people["smokes_now_code"])
    return np.where(never, 4.0, people["smokes_now_code"])


def _drinks_per_week(people: PeopleTable) -> _Numbers:
    count, unit = people["drinking_times_count"], people["drinking_times_unit_code"]
    often = people["drinking_often_code"]
    times = np.where(count == 0, 0.0, np.nan)
    for code, factor in _UNITS:
        times = np.where((unit == code) & (count > 0), count * factor, times)
    answered = np.isfinite(often)
    place = np.where(answered, often, 0.0).astype(np.int64)
    times = np.where(answered, np.array(_TIMES_A_YEAR)[place], times)
    drinks = np.where(times == 0, 0.0, people["drinks_per_drinking_day"])
    return np.minimum(times, 365.25) * drinks / _WEEKS_A_YEAR


def _heroin_years(people: PeopleTable) -> _Numbers:
    count, unit = people["heroin_last_count"], people["heroin_last_unit_code"]
    years = np.full(len(people), np.nan)
    for code, length in _AGO:
        years = np.where(unit == code, count * length, years)
    return years


def derive(people: PeopleTable, rules: RuleSet | str) -> Mapping[str, _Numbers]:
    """Return the columns of people with those that follow from them, by name.

    Added: mean pressures, eGFR, urinary albumin-creatinine ratio, days of opioid
    prescription, years since heroin, smoking, drinks a week, salt at the table with those
    who use none (0), haemoglobin of pregnant women and of all others.
    """
    pregnant = people["pregnant_code"] == 1
    haemoglobin = people["haemoglobin_g_dl"]
    out = dict(people.values)
    out |= {
        "systolic_mean_mmhg": mean_pressure(people, "systolic", rules),
        "diastolic_mean_mmhg": mean_pressure(people, "diastolic", rules),
        "egfr_ml_min_173m2": egfr(
            creatinine_mg_dl=people["creatinine_mg_dl"],
            age_years=people["age_years"],
            sex_code=people["sex_code"],
        ),
        "albumin_creatinine_mg_g": albumin_creatinine(
            urine_albumin_mg_l=people["urine_albumin_mg_l"],
            urine_creatinine_mg_dl=people["urine_creatinine_mg_dl"],
        ),
        "opioid_prescription_days": opioid_days(people, rules),
        "heroin_last_years": _heroin_years(people),
        "smoking_code": _smoking(people),
        "drinks_per_week": _drinks_per_week(people),
        "salt_use_code": np.where(people["salt_kind_code"] == 4, 0.0, people["salt_at_table_code"]),
        "haemoglobin_pregnant_g_dl": np.where(pregnant, haemoglobin, np.nan),
        "haemoglobin_not_pregnant_g_dl": np.where(pregnant, np.nan, haemoglobin),
    }
    if rules != "as-published":
        none = (people["meals_out_per_week"] == 0) & np.isnan(people["fast_food_per_week"])
        out["fast_food_per_week"] = np.where(none, 0.0, people["fast_food_per_week"])
    return out
