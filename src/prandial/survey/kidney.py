"""Kidney function: estimated filtration and albumin in urine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["albumin_creatinine", "egfr"]

_Numbers = npt.NDArray[np.float64]
_WOMAN = 2.0
#: far beyond what is measured, and short of the last digits of a double
_DECIMALS = 9


def egfr(*, creatinine_mg_dl: _Numbers, age_years: _Numbers, sex_code: _Numbers) -> _Numbers:
    """Estimate glomerular filtration by CKD-EPI 2021, creatinine, without race.

    ``142 min(Scr/k, 1)^a max(Scr/k, 1)^-1.2 0.9938^age`` and 1.012 times that for women, k 0.7
    and a -0.241 for women, k 0.9 and a -0.302 for men. Source: Inker et al., N Engl J Med
    2021;385:1737-49 (doi 10.1056/NEJMoa2102953). It holds for adults.

    Returns
    -------
    ndarray of float64
        mL/min per 1.73 m2; NaN where anything is missing or the age is below 18 years.
    """
    woman = sex_code == _WOMAN
    ratio = creatinine_mg_dl / np.where(woman, 0.7, 0.9)
    low = np.minimum(ratio, 1.0) ** np.where(woman, -0.241, -0.302)
    rate = 142.0 * low * np.maximum(ratio, 1.0) ** -1.2 * 0.9938**age_years
    rate = rate * np.where(woman, 1.012, 1.0)
    known = np.isfinite(sex_code) & (age_years >= 18) & (creatinine_mg_dl > 0)
    return np.where(known, rate, np.nan)


def albumin_creatinine(
    *, urine_albumin_mg_l: _Numbers, urine_creatinine_mg_dl: _Numbers
) -> _Numbers:
    """Return milligrams of albumin per gram of creatinine; NaN where either is missing."""
    creatinine = np.where(urine_creatinine_mg_dl > 0, urine_creatinine_mg_dl, np.nan)
    ratio = 100.0 * urine_albumin_mg_l / creatinine
    # 10.2 mg/L over 34 mg/dL is 30 mg/g, not a hair below the threshold
    return np.round(ratio, _DECIMALS)
