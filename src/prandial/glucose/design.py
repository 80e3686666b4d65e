"""What is assessed: estimates of meals, and the named choices of a full factorial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError
from prandial.glucose.bounds import check_within, numbers_of, whole_number
from prandial.glucose.kernels import GRID_MIN, STEP_MIN
from prandial.glucose.population import check_patients, csf_summary, draw_patients
from prandial.records import Patient, Setup

__all__ = [
    "PERFECT",
    "POLICIES",
    "Design",
    "Estimates",
    "Policy",
    "setup_labels",
]

Floats = NDArray[np.float64]

#: name of the baseline that estimates every meal without error
PERFECT: Final = "perfect"
#: what happens to a meal that an estimator gave no estimate for: ``exclude`` leaves it out for
#: all estimators; ``no_bolus`` takes it as 0 g (Loop still corrects what it sees); ``skip`` leaves
#: it out for that estimator only, so that its row is of other meals than the other rows
Policy = Literal["exclude", "no_bolus", "skip"]
POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)


def _column(values: Any, length: int, where: str) -> Floats:
    column = numbers_of(values, where=where).copy()
    if column.shape != (length,):
        raise InputError(
            f"{where} has shape {column.shape}, there are {length:,} meals",
            where=where,
            hint="give one value for each meal",
        )
    return column


@dataclass(frozen=True, kw_only=True)
class Estimates:
    """Meals with their true carbohydrate and what each estimator said, in g.

    Parameters
    ----------
    meal_ids : sequence of str
        One a meal, each once.
    true_g : array_like
        Shape (m,): weighed or otherwise known carbohydrate.
    columns : mapping of str to array_like
        For each estimator shape (m,); NaN where it abstained.
    bands : mapping of str to (array_like, array_like), optional
        Low and high end for some of the estimators, with low <= estimate <= high; NaN where
        it told no range.
    large_meals : bool
        Whether amounts above 250 g are meant.

    Raises
    ------
    InputError
        On no meals, an id twice, columns of another length, amounts outside their bound, an
        estimator named ``perfect``, ends of a range in the wrong order: names the meal.
    """

    meal_ids: Sequence[str]
    true_g: Any
    columns: Mapping[str, Any]
    bands: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    large_meals: bool = False

    def __post_init__(self) -> None:
        ids = tuple(str(i) for i in self.meal_ids)
        self._check_names(ids)
        true_g = _column(self.true_g, len(ids), "true_g")
        self._check(true_g, ids, "true_g", allow_nan=False)
        columns = {n: _column(v, len(ids), n) for n, v in self.columns.items()}
        for name, column in columns.items():
            self._check(column, ids, name, allow_nan=True)
        bands = {
            name: (
                _column(band[0], len(ids), f"low of {name}"),
                _column(band[1], len(ids), f"high of {name}"),
            )
            for name, band in self.bands.items()
        }
        for name, (low, high) in bands.items():
            self._check_band(name, columns[name], low, high, ids)
        for column in (true_g, *columns.values(), *(e for band in bands.values() for e in band)):
            column.setflags(write=False)
        object.__setattr__(self, "meal_ids", ids)
        object.__setattr__(self, "true_g", true_g)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "bands", bands)

    def _check_names(self, ids: tuple[str, ...]) -> None:
        if not ids:
            raise InputError("no meals", where="meal_id", hint="give at least one meal")
        if len(set(ids)) < len(ids):
            first = {name: row for row, name in reversed(list(enumerate(ids, start=1)))}
            row, name = next((r, n) for r, n in enumerate(ids, start=1) if first[n] < r)
            raise InputError(
                f"two meals have the id {name!r}",
                where=f"meal_id, rows {first[name]} and {row}",
                hint="keep one row a meal",
            )
        if not self.columns:
            raise InputError(
                "no estimator", where="columns", hint="give one column for each estimator"
            )
        if PERFECT in self.columns:
            raise InputError(
                f"an estimator is named {PERFECT!r}, the name of the baseline",
                where="columns",
                hint="rename the column",
            )
        for name in self.bands:
            if name not in self.columns:
                raise InputError(
                    f"a range of {name!r}, which is no estimator",
                    where="bands",
                    hint="estimators: " + ", ".join(self.columns),
                )

    def _check(self, column: Floats, ids: tuple[str, ...], where: str, *, allow_nan: bool) -> None:
        rows = np.flatnonzero(~np.isnan(column)) if allow_nan else np.arange(len(ids))
        check_within(
            "carb_when_asked" if self.large_meals else "carb",
            column[rows],
            where=where,
            rows=[f"{r + 1} ({ids[r]})" for r in rows.tolist()],
            hint=""
            if self.large_meals
            else "give grams of carbohydrate; above 250 g say that large meals are meant",
        )

    def _check_band(
        self, name: str, mid: Floats, low: Floats, high: Floats, ids: tuple[str, ...]
    ) -> None:
        self._check(low, ids, f"low of {name}", allow_nan=True)
        self._check(high, ids, f"high of {name}", allow_nan=True)
        with np.errstate(invalid="ignore"):
            wrong = (low > mid) | (mid > high) | (low > high)
        half = np.isnan(low) != np.isnan(high)
        for bad, says in ((wrong, "ends of a range in the wrong order"), (half, "half a range")):
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                raise InputError(
                    f"{says}: {low[row]:g}, {mid[row]:g}, {high[row]:g} g",
                    where=f"{name}, row {row + 1} ({ids[row]})",
                    hint="give low <= estimate <= high, or neither end",
                )

    def __len__(self) -> int:
        return len(self.meal_ids)

    @property
    def names(self) -> tuple[str, ...]:
        """The estimators, without the baseline."""
        return tuple(self.columns)

    @property
    def abstained(self) -> dict[str, int]:
        """For each estimator, the number of meals it gave no estimate for."""
        return {n: int(np.isnan(c).sum()) for n, c in self.columns.items()}


def setup_labels(setups: Sequence[Setup]) -> tuple[str, ...]:
    """Return a name for each setup: its mode, numbered where a mode comes twice."""
    modes = [s.mode for s in setups]
    return tuple(
        mode if modes.count(mode) == 1 else f"{mode}#{modes[: i + 1].count(mode)}"
        for i, mode in enumerate(modes)
    )


@dataclass(frozen=True, kw_only=True)
class Design:
    """The choices of an assessment, all recorded; the defaults are the published study's.

    Parameters
    ----------
    patients : sequence of Patient
        20 drawn with seed 0 unless given.
    patients_origin : str
        In words, for the record.
    start_glucose_mg_dl : sequence of float
        Glucose when the meal begins, each once.
    setups : sequence of Setup
        Ways of giving insulin; a manual bolus and Loop's accepted recommendation.
    true_absorption_min, reported_absorption_min : float
        Absorption time of the meal, and as told to Loop.
    policy : {'exclude', 'no_bolus', 'skip'}
        What a missing estimate does, see :data:`Policy`.
    bootstrap : int
        Number of resamples, at least 100; 0 for no intervals.
    level : float
        Of the intervals, between 0.5 and 1.
    seed : int
        Of the bootstrap.
    reference : str, optional
        Column from which the others are told apart; every pair of columns unless given.

    Raises
    ------
    InputError
        On an empty or doubled list, a value outside its bound, an unknown policy.
    """

    patients: Sequence[Patient] = ()
    patients_origin: str = ""
    start_glucose_mg_dl: Sequence[float] = (80.0, 120.0, 160.0, 200.0)
    setups: Sequence[Setup] = (Setup(mode="manual"), Setup(mode="loop_accept"))
    true_absorption_min: float = 180.0
    reported_absorption_min: float = 180.0
    policy: Policy = "exclude"
    bootstrap: int = 2000
    level: float = 0.95
    seed: int = 0
    reference: str | None = None

    def __post_init__(self) -> None:
        origin = self.patients_origin
        patients = tuple(self.patients)
        if not patients:
            patients = draw_patients(20, seed=0)
            origin = origin or "synthetic, 20 drawn with seed 0"
        check_patients(patients)
        starts = tuple(float(g) for g in self.start_glucose_mg_dl)
        for name, items in (("start_glucose_mg_dl", starts), ("setups", tuple(self.setups))):
            if not items or len(set(items)) < len(items):
                raise InputError(
                    f"{name} is empty or names a value twice",
                    where=name,
                    hint="give each value once",
                )
        check_within("start_glucose", starts, where="start_glucose_mg_dl")
        check_within("absorption", self.true_absorption_min, where="true_absorption_min")
        check_within("absorption", self.reported_absorption_min, where="reported_absorption_min")
        self._check_choices()
        object.__setattr__(self, "patients", patients)
        object.__setattr__(self, "patients_origin", origin or "given")
        object.__setattr__(self, "start_glucose_mg_dl", starts)
        object.__setattr__(self, "setups", tuple(self.setups))

    def _check_choices(self) -> None:
        if self.policy not in POLICIES:
            raise InputError(
                f"no policy {self.policy!r}", where="policy", hint="known: " + ", ".join(POLICIES)
            )
        whole_number(self.bootstrap, where="bootstrap", low=0)
        if 0 < self.bootstrap < 100:
            raise InputError(
                f"{self.bootstrap} resamples", where="bootstrap", hint="give 100 or more, or 0"
            )
        if not 0.5 <= self.level < 1:
            raise InputError(
                f"level {self.level:g}", where="level", hint="give a share such as 0.95"
            )
        whole_number(self.seed, where="seed", low=0)

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each setup."""
        return setup_labels(self.setups)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: every choice with its value."""
        return {
            "patients": [p.to_dict() for p in self.patients],
            "patients_origin": self.patients_origin,
            "csf_mg_dl_per_g": {k: round(v, 6) for k, v in csf_summary(self.patients).items()},
            "start_glucose_mg_dl": list(self.start_glucose_mg_dl),
            "setups": [
                {
                    "label": label,
                    "mode": setup.mode,
                    "settings": None if setup.mode == "manual" else setup.settings.to_dict(),
                    "quirks": None
                    if setup.mode == "manual"
                    else {"set": setup.quirks.name, **asdict(setup.quirks)},
                }
                for label, setup in zip(self.labels, self.setups, strict=True)
            ],
            "duration_min": float(GRID_MIN[-1]),
            "step_min": STEP_MIN,
            "true_absorption_min": self.true_absorption_min,
            "reported_absorption_min": self.reported_absorption_min,
            "policy": self.policy,
            "reference": self.reference,
            "bootstrap": {
                "resamples": self.bootstrap,
                "level": self.level,
                "seed": self.seed,
                "kind": "percentile interval; meals and patients resampled apart from each other",
            },
        }
