"""Outlines and places of countries for the map of a report, from TopoJSON of Natural Earth.

``python tools/compile_outlines.py countries-110m.json countries-10m.json`` (of the npm package
world-atlas 2.0.2, a redistribution of Natural Earth 4.1.0, public domain) writes
``world_outlines.json`` and ``world_places.csv`` of ``src/prandial/bench/report``, and prints what
their cards say. It needs pycountry for the codes.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "src/prandial/bench/report"
OUT = FOLDER / "world_outlines.json"
PLACES = FOLDER / "world_places.csv"
#: a grid of a tenth of a degree: finer than a drawing of 700 pixels shows
GRID = 10
#: drawn, but no country of its own in ISO 3166: they keep an empty id
ANTARCTICA = "ATA"


def numeric_to_alpha3() -> dict[str, str]:
    """Return ISO 3166 numeric codes to alpha-3."""
    import pycountry

    return {c.numeric: c.alpha_3 for c in pycountry.countries}


def absolute(arc: list[list[int]], transform: dict[str, list[float]]) -> list[tuple[int, int]]:
    """Return an arc's points on our grid, without repeats."""
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    x = y = 0
    points: list[tuple[int, int]] = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        point = (round((x * sx + tx) * GRID), round((y * sy + ty) * GRID))
        if not points or points[-1] != point:
            points.append(point)
    if len(points) == 1:
        points.append(points[0])
    return points


def deltas(points: list[tuple[int, int]]) -> list[list[int]]:
    """Return points as TopoJSON wants them: the first, then differences."""
    out, last = [], (0, 0)
    for point in points:
        out.append([point[0] - last[0], point[1] - last[1]])
        last = point
    return out


def main(source: Path) -> None:
    """Compile the outlines."""
    given: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    codes = numeric_to_alpha3()
    shapes = [
        {"type": g["type"], "arcs": g["arcs"], "id": codes.get(g.get("id") or "", "")}
        for g in given["objects"]["countries"]["geometries"]
        if codes.get(g.get("id") or "") != ANTARCTICA
    ]
    used = sorted({a if a >= 0 else ~a for s in shapes for a in numbers(s["arcs"])})
    place = {old: new for new, old in enumerate(used)}
    body = {
        "type": "Topology",
        "transform": {"scale": [1 / GRID, 1 / GRID], "translate": [0, 0]},
        "objects": {
            "countries": {
                "type": "GeometryCollection",
                "geometries": [{**s, "arcs": renumber(s["arcs"], place)} for s in shapes],
            }
        },
        "arcs": [deltas(absolute(given["arcs"][k], given["transform"])) for k in used],
    }
    OUT.write_text(json.dumps(body, separators=(",", ":")) + "\n", encoding="utf-8")
    print(len(shapes), OUT.stat().st_size, hashlib.sha256(OUT.read_bytes()).hexdigest())


def numbers(arcs: Any) -> list[int]:
    """Return all arc numbers at any depth."""
    return [arcs] if isinstance(arcs, int) else [n for a in arcs for n in numbers(a)]


def renumber(arcs: Any, place: dict[int, int]) -> Any:
    """Return arcs by their new numbers; a negative one is walked backwards."""
    if isinstance(arcs, int):
        return place[arcs] if arcs >= 0 else ~place[~arcs]
    return [renumber(a, place) for a in arcs]


def places(source: Path) -> None:
    """Write name and middle of every country: the centroid of its largest ring."""
    given: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    codes = numeric_to_alpha3()
    arcs = [absolute(a, given["transform"]) for a in given["arcs"]]
    rows = {}
    for shape in given["objects"]["countries"]["geometries"]:
        code = codes.get(shape.get("id") or "")
        if code is None:
            continue
        parts = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        area, x, y = max(centroid(ring(p[0], arcs)) for p in parts)
        if code not in rows or area > rows[code][0]:
            rows[code] = (area, shape["properties"]["name"], x / GRID, y / GRID)
    with PLACES.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["code", "name", "longitude", "latitude"])
        for code in sorted(rows):
            _, name, x, y = rows[code]
            out.writerow([code, name, f"{x:.1f}", f"{y:.1f}"])
    print(len(rows), hashlib.sha256(PLACES.read_bytes()).hexdigest())


def ring(numbered: list[int], arcs: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the points of a ring of arcs."""
    return [p for k in numbered for p in (arcs[k] if k >= 0 else arcs[~k][::-1])]


def centroid(points: list[tuple[int, int]]) -> tuple[float, float, float]:
    """Return area and centroid of a polygon by the shoelace formula; of a point, itself."""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        cross = x0 * y1 - x1 * y0
        area, x, y = area + cross, x + (x0 + x1) * cross, y + (y0 + y1) * cross
    if area == 0:
        return 0.0, float(points[0][0]), float(points[0][1])
    return abs(area) / 2, x / (3 * area), y / (3 * area)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    places(Path(sys.argv[2]))
