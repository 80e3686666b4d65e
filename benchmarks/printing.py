"""The tables of the benchmarks as Markdown; every cell that is a share has n and interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "CAVEAT",
    "ablation_table",
    "accuracy_table",
    "asking_table",
    "compared_table",
    "confidence_table",
    "cycles_table",
    "languages_table",
    "peers_table",
    "ranges_table",
    "rewritten_table",
]

CAVEAT = (
    "These texts were generated from FNDDS names and portions, so looking them up inverts the"
    " generator: a high figure here is not proof of better counting of real plates."
)


def _markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines)


def _mae(value: float | None) -> str:
    return "none answered" if value is None else f"{value:.2f}"


def _acc(cell: dict[str, Any]) -> str:
    return f"{cell['acc']:.1f} [{cell['acc_low']:.1f}, {cell['acc_high']:.1f}]"


def _change(cell: dict[str, Any]) -> str:
    return f"{cell['change']:+.1f} [{cell['change_low']:+.1f}, {cell['change_high']:+.1f}]"


def accuracy_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the accuracy of each set."""
    body = []
    for r in rows:
        c = r["carb_g"]
        other = [
            f"{r[k]['acc']:.1f} (MAE {r[k]['mae']:.1f})" if k in r else "no label"
            for k in ("protein_g", "fat_g", "energy_kcal")
        ]
        body.append(
            [
                r["title"],
                c["n"],
                _acc(c),
                _mae(c["mae"]),
                f"{c['answered']:.1f} %",
                *other,
                f"{r['range']['covers']:.1f} %",
                f"{r['range']['median_width_g']:.1f}",
                f"{r['constant_median_acc']:.1f}",
            ]
        )
    head = [
        "set",
        "n",
        "carb Acc@7.5 [95 %]",
        "MAE g",
        "answered",
        "protein ±5 g",
        "fat ±5 g",
        "energy ±50 kcal",
        "range covers",
        "median width g",
        "constant",
    ]
    return _markdown(head, body)


def ranges_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the ranges of each set beside their rivals."""
    head = ["set", "band", "n", "covers", "median width g", "mean width g", "interval score g"]
    body = []
    for r in rows:
        found = r["range"]
        bands = [("90 %, shipped", found), ("50 %, shipped", found["half"])]
        if "complete" in found:
            bands.append(("90 %, shipped, estimates that say complete", found["complete"]))
        if "constant_width" in found:
            rival = found["constant_width"]
            bands.append((f"90 %, constant ±{rival['half_width_g']:.1f} g (labels)", rival))
            bands.append(("90 %, shipped, then fitted on labels", found["label_calibrated"]))
        for name, band in bands:
            body.append(
                [
                    r["title"],
                    name,
                    band.get("n", found["n"]),
                    f"{band['covers']:.1f} %",
                    f"{band['median_width_g']:.1f}",
                    f"{band['mean_width_g']:.1f}",
                    f"{band['interval_score_g']:.1f}",
                ]
            )
    return _markdown(head, body)


def confidence_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return accuracy, coverage and width by quarter of confidence, the least sure first."""
    head = ["set", "quarter", "Acc@7.5", "90 % band covers", "median width g"]
    body = [
        [
            r["title"],
            ("least sure", "second", "third", "surest")[k],
            f"{q['acc']:.1f}",
            f"{q['covers']:.1f} %",
            f"{q['median_width_g']:.1f}",
        ]
        for r in rows
        for k, q in enumerate(r["range"]["by_confidence"])
    ]
    return _markdown(head, body)


def asking_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the accuracy before and after one answered question."""
    head = ["set", "n", "gold foods known", "asked", "answered", "Acc@7.5 before", "after"]
    head += ["MAE g before", "after"]
    body = [
        [
            r["title"],
            r["before"]["n"],
            f"{r['gold_known']:.1f} %",
            f"{r['asked']:.1f} %",
            f"{r['answered']:.1f} %",
            _acc(r["before"]),
            _acc(r["after"]),
            _mae(r["before"]["mae"]),
            _mae(r["after"]["mae"]),
        ]
        for r in rows
    ]
    return _markdown(head, body)


def rewritten_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the change of each kind of rewriting on each set."""
    head = [
        "set",
        "kind",
        "n",
        "texts changed",
        "Acc@7.5 before",
        "after",
        "change in points [95 %]",
        "change where the text changed [95 %]",
        "MAE g before",
        "after",
    ]
    body = []
    for r in rows:
        own = r.get("only_changed")
        body.append(
            [
                r["set"],
                r["kind"],
                r["n"],
                f"{r['changed']:.1f} %",
                f"{r['acc_before']:.1f}",
                f"{r['acc_after']:.1f}",
                _change(r),
                f"{_change(own)} (n {own['n']})" if own else "",
                _mae(r["mae_before"]),
                _mae(r["mae_after"]),
            ]
        )
    return _markdown(head, body)


def cycles_table(found: dict[str, Any]) -> str:
    """Return which recall cycles hold the meals, by number of items."""
    names = list(found["rows"][0]["shares"])
    body = []
    for name in names:
        cells = [r["shares"][name] for r in found["rows"]]
        body.append([name, *(f"{c['share']:.1f} [{c['low']:.1f}, {c['high']:.1f}]" for c in cells)])
    head = ["recalls that hold the meal, % [95 %]"]
    head += [f"{r['items']} items (n {r['n']})" for r in found["rows"]]
    return _markdown(head, body)


def compared_table(rows: Sequence[dict[str, Any]], *, before: str, after: str) -> str:
    """Return a paired comparison of two estimators on each set."""
    head = ["set", "n", before, after, "change in points [95 %]", "MAE g before", "after"]
    body = [
        [
            r["set"],
            r["n"],
            f"{r['acc_before']:.1f}",
            f"{r['acc_after']:.1f}",
            _change(r),
            _mae(r["mae_before"]),
            _mae(r["mae_after"]),
        ]
        for r in rows
    ]
    return _markdown(head, body)


def ablation_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return what accuracy loses without each ingredient, the dearest first."""
    kinds = [k for k in ("natural", "metric") if k in rows[0]]
    head = ["without"]
    for k in kinds:
        whole = rows[0][k]
        head += [f"{k}: Acc@7.5 (whole {whole['acc_before']:.1f}, n {whole['n']})", "change [95 %]"]
        head += [f"MAE g (whole {_mae(whole['mae_before'])})"]
    body = []
    for r in sorted(rows, key=lambda r: sum(r[k]["change"] for k in kinds)):
        cells: list[object] = [r["ingredient"]]
        for k in kinds:
            cells += [f"{r[k]['acc_after']:.1f}", _change(r[k]), _mae(r[k]["mae_after"])]
        body.append(cells)
    return _markdown(head, body)


def peers_table(found: dict[str, Any]) -> str:
    """Return the comparison with other parsers."""
    head = ["parser", "does", "lines", "lines/s", "p50 ms", "p99 ms", "quantity and unit right"]
    body = []
    for name, r in found.items():
        if name == "left_out":
            continue
        q = r["quantity_and_unit"]
        title = f"{name} {r['version']}" if "version" in r else name
        body.append(
            [
                title,
                r["does"],
                r["lines"],
                r["per_s"],
                r["p50_ms"],
                r["p99_ms"],
                f"{_acc(q)} (n {q['n']})",
            ]
        )
    table = _markdown(head, body)
    if "left_out" in found:
        table += f"\n\nPEER LEFT OUT: {found['left_out']}"
    return table


def languages_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return ours beside the recorded answers of gpt-4o."""
    head = ["meals", "by", "n", "Acc@7.5 [95 %]", "MAE g", "answered"]
    body = []
    for r in rows:
        for by in ("prandial", "prandial, country given", "gpt-4o, recorded"):
            c = r[by]
            body.append([r["meals"], by, c["n"], _acc(c), _mae(c["mae"]), f"{c['answered']:.1f} %"])
        d = r["prandial against gpt-4o"]
        body.append([r["meals"], "prandial less gpt-4o, points", d["n"], _change(d), "", ""])
    return _markdown(head, body)
