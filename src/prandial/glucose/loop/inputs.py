"""What the Loop function is given: readings, doses, carbohydrate, schedules, settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any, Final, Literal, get_args

from prandial.errors import InputError
from prandial.glucose.loop.schedules import Schedule
from prandial.glucose.loop.times import minutes
from prandial.records.glucose import LoopSettings, Quirks

__all__ = ["DOSE_KINDS", "CarbEntry", "Dose", "DoseKind", "LoopInput", "Reading", "RunningTemp"]

DoseKind = Literal["bolus", "temp_basal", "suspend", "basal"]
DOSE_KINDS: Final[tuple[DoseKind, ...]] = get_args(DoseKind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A glucose reading; a calibration (``display_only``) is shown and not computed with."""

    at_min: float
    glucose_mg_dl: float
    display_only: bool = False
    #: device the reading comes from
    provenance: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dose:
    """Insulin given: ``value`` is U for a bolus, U/h for a basal rate, 0 for a suspend.

    ``delivered_u`` is absolute, scheduled basal included; None: as planned by ``value``.
    """

    kind: DoseKind
    start_min: float
    end_min: float
    value: float = 0.0
    delivered_u: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CarbEntry:
    """Carbohydrate told to the pump, with the time its absorption takes."""

    at_min: float
    carb_g: float
    absorption_min: float = 180.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningTemp:
    """The temporary basal rate that runs now, and when it will end."""

    rate_u_per_h: float
    until_min: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopInput:
    """All that one decision of Loop rests on; times in minutes since some midnight.

    ``target`` is low and high; where left out it is that of the settings.
    """

    now_min: float
    glucose: tuple[Reading, ...]
    isf_mg_dl_per_u: Schedule
    cir_g_per_u: Schedule
    basal_u_per_h: Schedule
    doses: tuple[Dose, ...] = ()
    carb_entries: tuple[CarbEntry, ...] = ()
    target_low_mg_dl: Schedule | None = None
    target_high_mg_dl: Schedule | None = None
    running_temp: RunningTemp | None = None
    settings: LoopSettings = field(default_factory=LoopSettings)
    quirks: Quirks = field(default_factory=Quirks)

    @property
    def target(self) -> tuple[Schedule, Schedule]:
        """Low and high end of the correction target, mg/dL."""
        low, high = self.target_low_mg_dl, self.target_high_mg_dl
        return (
            low if low is not None else Schedule.constant(self.settings.target_low_mg_dl),
            high if high is not None else Schedule.constant(self.settings.target_high_mg_dl),
        )

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> LoopInput:
        """Return the input from its JSON form.

        Times are minutes, or all dates (ISO 8601 or datetimes), then counted from the midnight
        before ``now_min``. Schedules are numbers or pairs ``[minutes since midnight, value]``;
        ``quirks`` is a name or a mapping.

        Raises
        ------
        InputError
            On a missing or unknown field, and a value of a wrong form: names field and row.
        """
        _known(given, cls, "input")
        now = given.get("now_min")
        if isinstance(now, str):
            try:
                now = datetime.fromisoformat(now)
            except ValueError:
                raise InputError(f"no time: {now!r}", where="now_min", hint="ISO 8601") from None
        origin = None
        if isinstance(now, datetime):
            origin = now.replace(hour=0, minute=0, second=0, microsecond=0)

        def time(value: Any, where: str) -> float:
            return minutes(value, origin=origin, where=where)

        kept: dict[str, Any] = {"now_min": time(now, "now_min")}
        for name, record in _ROWS.items():
            kept[name] = _rows(given.get(name) or (), record, name, time)
        for name in _SCHEDULES:
            if given.get(name) is not None:
                kept[name] = Schedule.of(given[name], where=name)
        if given.get("running_temp") is not None:
            kept["running_temp"] = _rows(
                [given["running_temp"]], RunningTemp, "running_temp", time
            )[0]
        kept["settings"] = _settings(given.get("settings") or {})
        kept["quirks"] = _quirks(given.get("quirks") or "pyloopkit")
        return cls(**kept)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, which :meth:`from_dict` reads again."""
        kept: dict[str, Any] = {"now_min": self.now_min}
        for name in _ROWS:
            kept[name] = [asdict(row) for row in getattr(self, name)]
        for name in _SCHEDULES:
            schedule = getattr(self, name)
            kept[name] = None if schedule is None else schedule.to_list()
        kept["running_temp"] = None if self.running_temp is None else asdict(self.running_temp)
        kept["settings"] = self.settings.to_dict()
        kept["quirks"] = asdict(self.quirks)
        return kept


_ROWS: Final[dict[str, Any]] = {"glucose": Reading, "doses": Dose, "carb_entries": CarbEntry}
_SCHEDULES: Final = (
    "isf_mg_dl_per_u",
    "cir_g_per_u",
    "basal_u_per_h",
    "target_low_mg_dl",
    "target_high_mg_dl",
)


def _known(given: Any, record: Any, where: str) -> None:
    if not isinstance(given, Mapping):
        raise InputError(f"no object: {given!r}", where=where, hint="an object with named fields")
    names = [f.name for f in fields(record)]
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise InputError(
            f"no field {unknown[0]!r}", where=where, hint="fields: " + ", ".join(names)
        )
    needed = {"now_min", "glucose", "isf_mg_dl_per_u", "cir_g_per_u", "basal_u_per_h"}
    needed |= {"at_min", "glucose_mg_dl", "carb_g", "kind", "start_min", "end_min"}
    needed |= {"rate_u_per_h", "until_min"}
    missing = [n for n in names if n in needed and given.get(n) is None]
    if missing:
        raise InputError(f"{missing[0]!r} is missing", where=where, hint="give it")


def _rows(given: Any, record: Any, name: str, time: Callable[[Any, str], float]) -> tuple[Any, ...]:
    rows = []
    for number, row in enumerate(given, 1):
        if isinstance(row, record):
            rows.append(row)
            continue
        where = f"{name}, row {number}"
        _known(row, record, where)
        if row.get("kind") in ("bolus", "temp_basal") and row.get("value") is None:
            raise InputError("'value' is missing", where=where, hint="U of a bolus, U/h of a rate")
        told = {k: v for k, v in row.items() if v is not None}
        rows.append(record(**{k: _value(k, v, f"{where}, {k}", time) for k, v in told.items()}))
    return tuple(rows)


def _value(name: str, value: Any, where: str, time: Callable[[Any, str], float]) -> Any:
    if name in ("at_min", "start_min", "end_min", "until_min"):
        return time(value, where)
    if name in ("kind", "provenance", "display_only"):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"no number: {value!r}", where=where, hint="a number") from None


def _settings(given: Any) -> LoopSettings:
    if isinstance(given, LoopSettings):
        return given
    _known(given, LoopSettings, "settings")
    for name, value in given.items():
        switch = name in ("retrospective_correction", "dynamic_carbs")
        either = name == "correction_interval_min" and isinstance(value, bool)
        if either or (name == "step_u" and value is None):
            continue
        if isinstance(value, bool) != switch or not isinstance(value, int | float):
            raise InputError(
                f"{value!r} is no {'true or false' if switch else 'number'}",
                where=f"settings {name}",
                hint="true or false" if switch else "a number",
            )
    return LoopSettings(**given)


def _quirks(given: Any) -> Quirks:
    if isinstance(given, Quirks):
        return given
    if isinstance(given, str):
        return Quirks.named(given)
    _known(given, Quirks, "quirks")
    for name, value in given.items():
        if not isinstance(value, bool):
            raise InputError(
                f"{value!r} is no true or false", where=f"quirks {name}", hint="true or false"
            )
    return Quirks(**given)
