"""Agreement of annotators beyond chance: Cohen's kappa and Krippendorff's alpha.

Sources: J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46;
K. Krippendorff, Content Analysis (2004), chapter 11 (nominal data, missing allowed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from prandial.errors import MissingDataError

__all__ = ["cohens_kappa", "krippendorffs_alpha"]


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return (observed - expected) / (1 - expected) agreement of two annotators.

    None without pairs, or when both always give the same one label: nothing could differ by
    chance then.
    """
    if not pairs:
        return None
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(a == b for a, b in pairs) / n
    expected = sum(first[label] * second[label] for label in first) / n**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorffs_alpha(table: Sequence[Sequence[str | None]]) -> float | None:
    """Return the nominal alpha of a table of annotators by items, None being no label.

    None when no item has two labels, or when all labels of such items are the same.

    Raises
    ------
    MissingDataError
        When the library ``krippendorff`` is not installed.
    """
    columns = [c for c in zip(*table, strict=True) if sum(x is not None for x in c) > 1]
    labels = sorted({x for c in columns for x in c if x is not None})
    if len(labels) < 2:
        return None
    try:
        import krippendorff
    except ImportError as error:
        raise MissingDataError(
            "the library krippendorff is not installed",
            where="agreement",
            hint="pip install 'prandial[ngqa]'",
        ) from error
    number = {label: float(i) for i, label in enumerate(labels)}
    coded = np.array([[np.nan if x is None else number[x] for x in c] for c in columns]).T
    return float(krippendorff.alpha(reliability_data=coded, level_of_measurement="nominal"))
