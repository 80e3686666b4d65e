"""Drawings are whole SVG and PNG files, show what they should, and are the same twice."""

from __future__ import annotations

import builtins
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path
from typing import Any

import pytest

from prandial import api
from prandial.bench.risk.plots import draw_surface, draw_table, save_chart
from prandial.errors import InputError, MissingDataError, NotFoundError

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [
    {
        "estimator": e,
        "setup": m,
        "bgri_1_401": v,
        "bgri_1_401_low": v - 1,
        "bgri_1_401_high": v + 2,
        "bgri_20_600": v,
    }
    for e, v in (("ours", 14.0), ("constant", 25.0))
    for m in ("manual", "loop_accept")
]
CELLS = [
    {"relative_error": e / 10, "csf_mg_dl_per_g": c, "bgri_1_401": abs(e) * c}
    for e in range(-3, 4)
    for c in (3.0, 5.0)
]


@pytest.fixture(scope="module")
def simulation() -> Any:
    return api.risk_simulate(
        isf_mg_dl_per_u=50, cir_g_per_u=10, basal_u_per_h=0.8, true_carb_g=60, estimated_carb_g=90
    )


def texts(path: Path) -> str:
    return " | ".join("".join(t.itertext()) for t in ET.parse(path).iter(f"{SVG}text"))


def is_png(data: bytes) -> tuple[int, int]:
    """Width and height of a whole PNG: every chunk has its checksum, the last is its end."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, kinds = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        body = data[at + 4 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(body)
        kinds.append(body[:4])
        at += 12 + length
    assert (kinds[0], kinds[-1]) == (b"IHDR", b"IEND")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_glucose(simulation, tmp_path):
    simulation.plot(tmp_path / "a.svg")
    told = texts(tmp_path / "a.svg")
    for words in (
        "60 g carbohydrate", "ISF 50 mg/dL per U", "mode manual", "not dosing advice.",
        "minutes since the meal", "glucose, mg/dL", "estimate 90 g", "perfect estimate 60 g", "360",
    ):  # fmt: skip
        assert words in told
    svg = (tmp_path / "a.svg").read_text("utf-8")
    fills = [m.lower() for m in re.findall(r'fill="(#[0-9a-fA-F]{6})"', svg)]
    assert {"#f4b6b0", "#cfe8c8", "#fbeab0"} <= set(fills)
    assert "4.5" not in told  # nothing of the insulin that was given
    assert "bolus" not in told.lower()


def test_the_same_bytes_twice(simulation, tmp_path):
    for suffix in ("svg", "png"):
        for name in ("a", "b"):
            simulation.plot(tmp_path / f"{name}.{suffix}")
            save_chart(draw_table(ROWS), tmp_path / f"t{name}.{suffix}")
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
        assert (tmp_path / f"ta.{suffix}").read_bytes() == (tmp_path / f"tb.{suffix}").read_bytes()
    width, height = is_png((tmp_path / "a.png").read_bytes())
    assert width > height > 500


def test_the_table_of_estimators(tmp_path):
    save_chart(draw_table(ROWS), tmp_path / "t.svg")
    told = texts(tmp_path / "t.svg")
    assert all(w in told for w in ("ours", "constant", "manual", "loop_accept", "BGRI", "Research"))
    without = [{"estimator": "a", "bgri_1_401": 1.0, "bgri_20_600": 1.0}]
    save_chart(draw_table(without), tmp_path / "u.svg")
    assert "a" in texts(tmp_path / "u.svg")
    with pytest.raises(InputError, match="'bgri_1_401'"):
        draw_table([{"estimator": "a"}])
    with pytest.raises(InputError, match="nothing"):
        draw_table([])


def test_the_surface(tmp_path):
    save_chart(draw_surface(CELLS), tmp_path / "s.svg")
    told = texts(tmp_path / "s.svg")
    assert all(w in told for w in ("−30%", "+30%", "relative error", "sensitivity", "Research use"))


def test_what_cannot_be_written(simulation, tmp_path):
    with pytest.raises(InputError, match="format"):
        simulation.plot(tmp_path / "a.pdf")
    with pytest.raises(NotFoundError, match="folder"):
        simulation.plot(tmp_path / "no" / "a.svg")
    (tmp_path / "a.svg").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="there already"):
        simulation.plot(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == "mine"
    simulation.plot(tmp_path / "a.svg", replace=True)
    assert texts(tmp_path / "a.svg")


def test_no_name_ends_the_process(tmp_path):
    """In a process of its own: the library that draws aborts on what no XML may hold."""
    code = """
import sys
from pathlib import Path
from prandial.bench.risk.plots import draw_surface, draw_table, save_chart
odd = "".join(map(chr, (0x61, 0x1B, 7, 0, 0xFFFE, 0xFFFF, 0xD800, 0x62)))
rows = [{"estimator": odd, "setup": odd, "bgri_1_401": 1.0, "bgri_20_600": 2.0}]
for name in ("t.svg", "t.png"):
    save_chart(draw_table(rows, lines=[odd], title=odd), Path(sys.argv[1]) / name)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr[-400:]
    assert "a\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdb" in texts(tmp_path / "t.svg")
    is_png((tmp_path / "t.png").read_bytes())


@pytest.mark.parametrize("absent", ["altair", "vl_convert"])
def test_without_the_libraries(simulation, tmp_path, monkeypatch, absent):
    real = builtins.__import__

    def fake(name: str, *rest: Any, **more: Any) -> Any:
        if name == absent:
            raise ImportError(name, name=name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", fake)
    with pytest.raises(MissingDataError, match=absent) as error:
        simulation.plot(tmp_path / "a.svg")
    assert error.value.hint == "pip install 'prandial[risk]'"
