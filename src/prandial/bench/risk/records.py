"""Records of scenarios: one JSON object a line, with Tidepool's names.

Read: ``id``, ``patient`` {``name``, ``isf`` mg/dL per U, ``cir`` g per U, ``basal`` U/h}, ``mode``,
``variant``, ``true_carbs`` and ``est_carbs`` g, ``bg0`` mg/dL, ``true_absorption_min``,
``reported_absorption_min``, ``settings``. Written: the same keys in their order, further ones of
the user's too, and what the simulation gave.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np

from prandial.bench.risk.metrics import NOTICE, metrics_of
from prandial.bench.risk.numbers import one_number
from prandial.bench.risk.settings import settings_of, settings_record
from prandial.errors import InputError
from prandial.glucose.arrays import Traces
from prandial.glucose.kernels import GRID_MIN
from prandial.records import MODES, Mode, Patient, Quirks, Scenario, Setup

__all__ = [
    "RecordReader",
    "ScenarioRecord",
    "finite",
    "record_of",
    "without_results",
    "written",
]

#: key -> (field of a scenario, quantity of the table of bounds)
_MEAL: Final[dict[str, tuple[str, str]]] = {
    "true_carbs": ("true_carb_g", "carb"),
    "est_carbs": ("estimated_carb_g", "carb"),
    "bg0": ("start_glucose_mg_dl", "start_glucose"),
    "true_absorption_min": ("true_absorption_min", "absorption"),
    "reported_absorption_min": ("reported_absorption_min", "absorption"),
}
_PATIENT: Final[dict[str, tuple[str, str]]] = {
    "isf": ("isf_mg_dl_per_u", "isf"),
    "cir": ("cir_g_per_u", "cir"),
    "basal": ("basal_u_per_h", "basal"),
}
_NEEDED: Final = ("patient", "mode", "true_carbs", "est_carbs", "bg0")
_ABSORPTION_MIN: Final = 180.0
_DIGITS: Final = 6
#: keys that a simulation writes
_RESULTS: Final = frozenset(
    {
        "bg",
        "iob",
        "basal_delivered_U",
        "bolus_U",
        "temp_basal_U_per_h",
        "metrics",
        "metrics_20_600",
        "quirks",
        "notice",
    }
)
#: brackets of a line from which on it is seen to that it can be written again
_DEEP: Final = 300
_BEYOND: Final = "a number beyond all bounds"


@dataclass(frozen=True, kw_only=True, slots=True)
class ScenarioRecord:
    """A scenario, and the object it was read from."""

    line: int
    given: Mapping[str, Any]
    scenario: Scenario


class RecordReader:
    """Reads lines of one file.

    Parameters
    ----------
    file : str
        Its name, for errors.
    quirks : Quirks
    large_meals : bool
        Whether meals above 250 g are meant.
    """

    def __init__(self, file: str, *, quirks: Quirks, large_meals: bool = False) -> None:
        self._file = file
        self._quirks = quirks
        self._large = large_meals
        self._setups: dict[tuple[str, str], Setup] = {}
        self._no_numbers: list[str] = []
        self._twice: list[str] = []
        self._decoder = json.JSONDecoder(
            parse_constant=self._note, parse_float=self._float, object_pairs_hook=self._object
        )

    def _note(self, word: str) -> float:
        self._no_numbers.append(word)
        return float(word.replace("Infinity", "inf"))

    def _float(self, word: str) -> float:
        """Read a number; one such as 1e999 is noted, which no JSON can hold once it is read."""
        value = float(word)
        if math.isinf(value):
            self._no_numbers.append(_BEYOND)
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(pairs)
        if len(out) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self._twice.append(key)
                seen.add(key)
        return out

    def read(self, line: int, text: str) -> ScenarioRecord:
        """Return the record of a line.

        Raises
        ------
        InputError
            Naming line, key and bound (or what is supported).
        """
        where = f"{self._file}, line {line}"
        given = self._parse(text, where)
        patient = self._patient(given, where)
        meal = {
            field: one_number(
                quantity,
                given.get(key, _ABSORPTION_MIN),
                where=f"{where}, {key}",
                large_meals=self._large,
            )
            for key, (field, quantity) in _MEAL.items()
        }
        setup = self._setup(given, where)
        if self._no_numbers:
            raise InputError(
                f"{self._no_numbers[0]} is no JSON", where=where, hint="write null for unknown"
            )
        return ScenarioRecord(
            line=line, given=given, scenario=Scenario(patient=patient, setup=setup, **meal)
        )

    def _decode(self, text: str, where: str) -> Any:
        self._no_numbers.clear()
        self._twice.clear()
        try:
            given = self._decoder.decode(text.strip())
            if text.count("[") + text.count("{") > _DEEP:
                json.dumps(given)
        except json.JSONDecodeError as error:
            problem = f"not JSON: {error.msg} (column {error.colno})"
        except RecursionError:
            problem = "brackets are nested too deeply"
        except ValueError:  # an integer of some thousand digits
            problem = f"{_BEYOND} is no JSON"
        else:
            if self._twice:
                raise InputError(
                    f"the key {self._twice[0][:40]!r} stands twice in one object",
                    where=where,
                    hint="leave one of them out",
                )
            return given
        raise InputError(problem, where=where, hint="write one JSON object a line")

    def _parse(self, text: str, where: str) -> dict[str, Any]:
        given = self._decode(text, where)
        if not isinstance(given, dict):
            raise InputError(
                "not a JSON object",
                where=where,
                hint="write one object a line, for example with: jq -c '.[]'",
            )
        for key in _NEEDED:
            if key not in given:
                raise InputError(
                    f"no key {key!r}",
                    where=where,
                    hint=f"needed: {', '.join(_NEEDED)}; found: {', '.join(given) or 'none'}"[:400],
                )
        return given

    @staticmethod
    def _patient(given: Mapping[str, Any], where: str) -> Patient:
        patient = given["patient"]
        if not isinstance(patient, dict):
            raise InputError(
                "the patient is no JSON object",
                where=f"{where}, patient",
                hint='such as {"isf": 50, "cir": 10, "basal": 0.8}',
            )
        numbers = {}
        for key, (field, quantity) in _PATIENT.items():
            if key not in patient:
                raise InputError(
                    f"no key {key!r}",
                    where=f"{where}, patient",
                    hint=f"needed: isf, cir, basal; found: {', '.join(patient) or 'none'}"[:400],
                )
            numbers[field] = one_number(quantity, patient[key], where=f"{where}, patient.{key}")
        return Patient(name=str(patient.get("name") or ""), **numbers)

    def _setup(self, given: Mapping[str, Any], where: str) -> Setup:
        mode, settings = given["mode"], given.get("settings")
        if mode not in MODES:
            raise InputError(
                f"no mode {json.dumps(mode)[:40]}",
                where=f"{where}, mode",
                hint="known: " + ", ".join(MODES),
            )
        key = (mode, json.dumps(settings))
        if key not in self._setups:
            if len(self._setups) > _MANY_SETUPS:
                self._setups.clear()
            self._setups[key] = Setup(
                mode=cast("Mode", mode),
                settings=settings_of(settings, where=where),
                quirks=self._quirks,
            )
        return self._setups[key]


#: setups remembered while reading
_MANY_SETUPS: Final = 1000


def finite(word: str) -> float | None:
    """Return a number, or None for one beyond all bounds."""
    value = float(word)
    return None if math.isinf(value) else value


def without_results(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without what an earlier simulation wrote into it."""
    return {k: v for k, v in _unfailed(given).items() if k not in _RESULTS}


def _unfailed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without ``status`` and ``error`` of an earlier failure."""
    error = given.get("error")
    if given.get("status") != "failed" or not isinstance(error, Mapping) or "what" not in error:
        return dict(given)
    return {k: v for k, v in given.items() if k not in ("status", "error")}


def record_of(scenario: Scenario, **more: Any) -> dict[str, Any]:
    """Return a scenario as a record is read; ``more`` are further keys, first."""
    p = scenario.patient
    out: dict[str, Any] = {
        **more,
        "patient": {
            **({"name": p.name} if p.name else {}),
            **{key: getattr(p, field) for key, (field, _) in _PATIENT.items()},
        },
        "mode": scenario.setup.mode,
    }
    return out | {key: getattr(scenario, field) for key, (field, _) in _MEAL.items()}


def written(records: list[ScenarioRecord], traces: Traces) -> list[dict[str, Any]]:
    """Return the objects to write: what was given, what was taken by default, what came out.

    Parameters
    ----------
    records : list of ScenarioRecord
    traces : Traces
        One row a record.

    Returns
    -------
    list of dict
        With ``bg`` (73 values, true, not clipped, mg/dL), ``iob`` U, ``basal_delivered_U``,
        ``bolus_U`` [[min, U], ...], ``temp_basal_U_per_h`` (null where none runs; in manual mode
        everywhere), ``metrics`` and ``metrics_20_600``, ``quirks`` and ``notice``.
    """
    columns = {
        "bg": _rounded(traces.glucose_mg_dl),
        "iob": _rounded(traces.iob_u),
        "basal_delivered_U": _rounded(traces.basal_delivered_u),
    }
    boluses = traces.bolus_u
    temps = np.round(traces.temp_basal_u_per_h, _DIGITS)
    metrics = metrics_of(traces.glucose_mg_dl)
    out = []
    for i, record in enumerate(records):
        scenario = record.scenario
        defaults: dict[str, Any] = {
            key: getattr(scenario, _MEAL[key][0])
            for key in ("true_absorption_min", "reported_absorption_min")
        }
        body = defaults_behind(_unfailed(record.given), defaults)
        for name, column in columns.items():
            body[name] = column[i]
        given_at = np.flatnonzero(boluses[i] > 0)
        body["bolus_U"] = [
            [int(GRID_MIN[k]), round(float(boluses[i, k]), _DIGITS)] for k in given_at
        ]
        body["temp_basal_U_per_h"] = [None if r != r else r for r in temps[i].tolist()]
        body |= metrics[i]
        if scenario.setup.mode != "manual" and body.get("settings") is None:
            body["settings"] = settings_record(scenario.setup.settings)
        body["quirks"] = scenario.setup.quirks.name
        body["notice"] = NOTICE
        out.append(body)
    return out


def defaults_behind(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given, in its order, then defaults that were not."""
    return {**given, **{k: v for k, v in defaults.items() if k not in given}}


def _rounded(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[list[float]]:
    out: list[list[float]] = (np.round(values, _DIGITS) + 0.0).tolist()
    return out
