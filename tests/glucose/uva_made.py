"""UVA/Padova patients for the tests, and the model written once more, slow and plain."""

from __future__ import annotations

import csv
import math
from importlib.util import find_spec
from pathlib import Path

import pytest

from prandial.glucose.uva import UvaPatients, load_uva_patients

#: near the averages of Dalla Man, Rizza, Cobelli 2007 and of the meal of 2006; no real patient
AVERAGE = {
    "BW": 78.0, "kabs": 0.057, "kmax": 0.0558, "kmin": 0.0080, "b": 0.82, "d": 0.010, "f": 0.90,
    "Vg": 1.88, "k1": 0.065, "k2": 0.079, "Vi": 0.05, "m1": 0.190, "m2": 0.484, "m4": 0.194,
    "m30": 0.285, "kp2": 0.0021, "kp3": 0.009, "ki": 0.0079, "Fsnc": 1.0, "Vmx": 0.047,
    "Km0": 225.59, "p2u": 0.0331, "ke1": 0.0005, "ke2": 339.0, "kd": 0.0164, "ka1": 0.0018,
    "ka2": 0.0182, "ksc": 0.1, "CR": 10.0, "CF": 40.0,
}  # fmt: skip
#: three invented patients around the average
MADE = {
    "average": {},
    "slow": {"kabs": 0.03, "kmax": 0.03, "kmin": 0.004, "d": 0.2, "b": 0.7, "CR": 15.0},
    "small": {"BW": 30.0, "kabs": 1.2, "ka1": 0.006, "CR": 25.0, "d": 0.3, "b": 0.9},
}


def steady(own: dict[str, float], *, glucose: float = 140.0, insulin: float = 100.0):
    """Fill in what keeps a level steady: worked by hand, state by state."""
    p = {**AVERAGE, **own}
    gp, made = glucose * p["Vg"], 2.4
    gt = (p["Fsnc"] + p["k1"] * gp - made) / p["k2"]
    ip = insulin * p["Vi"]
    il = p["m2"] * ip / (p["m1"] + p["m30"])
    given = (p["m2"] + p["m4"]) * ip - p["m1"] * il
    first = given / (p["ka1"] + p["kd"])
    second = p["kd"] * first / p["ka2"]
    state = [0, 0, 0, gp, gt, ip, 0, insulin, insulin, il, first, second, gp]
    p |= {f"x0_{i:>2}": float(v) for i, v in enumerate(state, start=1)}
    p["Ib"], p["u2ss"] = insulin, given
    p["Vm0"] = (made - p["Fsnc"]) * (p["Km0"] + gt) / gt
    p["kp1"] = made + p["kp2"] * gp + p["kp3"] * insulin
    return p


def write_patients(folder: Path, made: dict[str, dict[str, float]] | None = None) -> Path:
    """Write the two files as simglucose has them."""
    rows = {name: steady(own) for name, own in (MADE if made is None else made).items()}
    columns = [c for c in next(iter(rows.values())) if c not in ("CR", "CF")]
    for file, wanted in (("vpatient_params.csv", columns), ("Quest.csv", ["CR", "CF"])):
        with (folder / file).open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["Name", *wanted])
            writer.writerows([name, *(repr(p[c]) for c in wanted)] for name, p in rows.items())
    return folder


def published_patients() -> UvaPatients:
    """Return the 30 published patients, or skip loudly."""
    if find_spec("simglucose") is None:
        pytest.skip(
            "UVA/PADOVA PARAMETERS ABSENT: pip install --no-deps simglucose==0.2.11 to run this"
        )
    return load_uva_patients()


def plain_slopes(x, p, eaten, insulin, size):
    """The thirteen equations, one after the other, as the papers have them."""
    solid, liquid, gut, gp, gt, ip, act, delay, prod, il, first, second, gs = x
    empty = p["kmax"]
    if size > 0:
        empty = p["kmin"] + (p["kmax"] - p["kmin"]) / 2 * (
            math.tanh(5 / (2 * size * (1 - p["b"])) * (solid + liquid - p["b"] * size))
            - math.tanh(5 / (2 * size * p["d"]) * (solid + liquid - p["d"] * size))
            + 2
        )
    appear = p["f"] * p["kabs"] * gut / p["BW"]
    liver = max(p["kp1"] - p["kp2"] * gp - p["kp3"] * prod, 0.0)
    kidney = p["ke1"] * max(gp - p["ke2"], 0.0)
    uptake = (p["Vm0"] + p["Vmx"] * act) * gt / (p["Km0"] + gt)
    level = ip / p["Vi"]
    dx = [
        eaten - p["kmax"] * solid,
        p["kmax"] * solid - empty * liquid,
        empty * liquid - p["kabs"] * gut,
        liver + appear - p["Fsnc"] - kidney - p["k1"] * gp + p["k2"] * gt,
        -uptake + p["k1"] * gp - p["k2"] * gt,
        -(p["m2"] + p["m4"]) * ip + p["m1"] * il + p["ka1"] * first + p["ka2"] * second,
        p["p2u"] * (level - p["Ib"] - act),
        p["ki"] * (level - delay),
        p["ki"] * (delay - prod),
        p["m2"] * ip - (p["m1"] + p["m30"]) * il,
        insulin - (p["ka1"] + p["kd"]) * first,
        p["kd"] * first - p["ka2"] * second,
        p["ksc"] * (gp - gs),
    ]
    for i in (3, 4, 5, 9, 10, 11, 12):
        if x[i] < 0:
            dx[i] = 0.0
    return dx


def plain_trace(p, carb_g, bolus_u, *, state=None, steps=6, minutes=360):
    """Plasma and subcutaneous glucose every five minutes, mg/dL, one state at a time."""
    x = [p[f"x0_{i:>2}"] for i in range(1, 14)] if state is None else list(state)
    left, size, h = carb_g, x[0] + x[1], 1 / steps
    plasma, skin, least = [], [], 0.0
    for minute in range(minutes + 1):
        if minute % 5 == 0:
            plasma.append(x[3] / p["Vg"])
            skin.append(x[12] / p["Vg"])
        bite = min(5.0, left)
        left -= bite
        size += 1000 * bite
        insulin = p["u2ss"] + (bolus_u * 6000 / p["BW"] if minute == 0 else 0.0)
        for _ in range(steps):
            slopes = [plain_slopes(x, p, 1000 * bite, insulin, size)]
            for far in (h / 2, h / 2, h):
                at = [v + far * s for v, s in zip(x, slopes[-1], strict=True)]
                slopes.append(plain_slopes(at, p, 1000 * bite, insulin, size))
            x = [
                v + h / 6 * (a + 2 * b + 2 * c + d)
                for v, a, b, c, d in zip(x, *slopes, strict=True)
            ]
            least = min(least, *x[5:6], *x[7:12])
    assert least == 0.0, "insulin became negative"
    return plasma, skin
