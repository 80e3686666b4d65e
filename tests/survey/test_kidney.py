"""Albumin to creatinine beside its threshold, and filtration by hand."""

from __future__ import annotations

import numpy as np
import pytest

from prandial import survey


@pytest.mark.parametrize(
    ("albumin", "creatinine"), [(10.2, 34.0), (19.2, 64.0), (5.1, 17.0), (40.8, 136.0), (9.3, 31.0)]
)
def test_thirty_is_thirty(albumin, creatinine):
    """Ratios that are 30 by arithmetic with decimals reach the threshold of 30 mg/g."""
    found = survey.albumin_creatinine(
        urine_albumin_mg_l=np.array([albumin]), urine_creatinine_mg_dl=np.array([creatinine])
    )
    assert found[0] == 30.0


def test_nothing_follows_from_nothing():
    found = survey.albumin_creatinine(
        urine_albumin_mg_l=np.array([np.nan, 5.0, 5.0]),
        urine_creatinine_mg_dl=np.array([50.0, np.nan, 0.0]),
    )
    assert np.isnan(found).all()


def test_filtration_by_hand():
    """CKD-EPI 2021, man of 50 with 0.9 mg/dL: 142 x 1 x 1 x 0.9938^50 = 104.06; woman of 0.7 so too
    times 1.012."""
    found = survey.egfr(
        creatinine_mg_dl=np.array([0.9, 0.7, 0.9]),
        age_years=np.array([50.0, 50.0, 17.0]),
        sex_code=np.array([1.0, 2.0, 1.0]),
    )
    assert found[0] == pytest.approx(142 * 0.9938**50)
    assert found[1] == pytest.approx(142 * 0.9938**50 * 1.012)
    assert np.isnan(found[2])
