"""The figures in docs/glucose.md, made from the kept result lines of ``benchmarks.risk``.

Run as ``python -m benchmarks.risk_page`` (``make docs`` does); a test checks that the page is
current.
"""

from __future__ import annotations

import json
import re
from typing import Any

from benchmarks.pages import ROOT, with_block

KEPT = ROOT / "benchmarks" / "history" / "risk"
PAGE = ROOT / "docs" / "glucose.md"
_COLUMNS = ("tir_percent", "tbr_percent", "tar_percent", "bgri_1_401", "bgri_20_600")
_HEADINGS = "TIR % | TBR % | TAR % | BGRI [1,401] | BGRI [20,600]"
_SETUPS = {"all": "both", "manual": "manual", "loop_accept": "loop_accept"}


def last_line() -> dict[str, Any]:
    """Return the newest kept line."""
    path = max(KEPT.glob("*.jsonl"), key=lambda p: [int(n) for n in re.findall(r"\d+", p.stem)])
    found: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[-1])
    return found


def _cell(three: list[float]) -> str:
    value, low, high = (f"{v + 0.0:.1f}" for v in three)
    return f"{value} [{low}, {high}]"


def _rows(part: dict[str, Any]) -> str:
    lines = [
        f"| estimator | setup | MAE g | {_HEADINGS} | fell below 1 mg/dL, % |",
        "|---" * 9 + "|",
    ]
    for r in part["rows"]:
        cells = " | ".join(_cell(r[c]) for c in _COLUMNS)
        floor = f"{100 * r['below_1'][0]:.1f}"
        name = r["estimator"]
        lines.append(f"| {name} | {_SETUPS[r['setup']]} | {r['mae_g']:.1f} | {cells} | {floor} |")
    return "\n".join(lines)


def _differences(part: dict[str, Any]) -> str:
    lines = [f"| difference, both setups | {_HEADINGS} |", "|---" * 6 + "|"]
    for r in part["differences"]:
        if r["setup"] == "all":
            cells = " | ".join(_cell(r[c]) for c in _COLUMNS)
            lines.append(f"| {r['estimator']} - {r['reference']} | {cells} |")
    return "\n".join(lines)


def _changed(base: dict[str, Any], row: dict[str, Any], apart: dict[Any, Any]) -> str:
    """Say whether the order changed between estimators that the base tells apart."""
    if not row["order_changed"]:
        return "same"
    ours, names = row["values"], [n for n in base["values"] if n != "perfect"]
    order = sorted(names, key=base["values"].__getitem__)
    swapped = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if ours[a] > ours[b]]
    ends = [apart[frozenset(pair)] for pair in swapped]
    return "within noise" if all(low <= 0 <= high for _, low, high in ends) else "changed"


def _sensitivity(rows: list[dict[str, Any]], differences: list[dict[str, Any]]) -> str:
    apart = {
        frozenset((d["estimator"], d["reference"])): d["bgri_1_401"]
        for d in differences
        if d["setup"] == "all"
    }
    names = list(rows[0]["values"])
    lines = [f"| choice | {' | '.join(names)} | order |", "|---" * (len(names) + 2) + "|"]
    for r in rows:
        said = "as given" if r["choice"] == "base" else f"{r['choice']}: {r['value']}"
        cells = " | ".join(f"{r['values'][n]:.1f}" for n in names)
        lines.append(f"| {said} | {cells} | {_changed(rows[0], r, apart)} |")
    return "\n".join(lines)


def _second(found: dict[str, Any]) -> str:
    if "not_run" in found:
        return f"The second patient model was not run: {found['not_run']}."
    index = found["bgri_20_600"]
    lines = ["| manual bolus, BGRI [20,600] | Tidepool model | UVA/Padova |", "|---|---|---|"]
    for name, ours in index["tidepool"].items():
        lines.append(f"| {name} | {ours:.1f} | {index['uva_padova'][name]:.1f} |")
    taus = ", ".join(
        f"{metric} {found[metric]['tau']:.2f}"
        for metric in ("bgri_1_401", "bgri_20_600", "tir_percent")
    )
    return "\n".join(
        [*lines, "", f"Kendall's tau of the two orders: {taus} ({found['patients']} patients)."]
    )


def _surface(found: dict[str, Any]) -> str:
    errors = found["relative_errors"]
    picked = [i for i, e in enumerate(errors) if round(e * 10) % 2 == 0]
    heads = " | ".join(f"{100 * errors[i]:+.0f} %" for i in picked)
    lines = [f"| CSF mg/dL per g | {heads} |", "|---" * (len(picked) + 1) + "|"]
    for csf, row in zip(found["csf_mg_dl_per_g"], found["bgri_1_401"], strict=True):
        lines.append(f"| {csf:.2f} | " + " | ".join(f"{row[i]:.0f}" for i in picked) + " |")
    return "\n".join(lines)


def _agreement(found: dict[str, Any]) -> str:
    rows = [
        (
            f"Tidepool, `{t['file']}`, {t['engine']}",
            f"{t['below_1e-5']} of {t['traces']} traces < 1e-5 mg/dL, boluses {t['same_boluses']}",
            f"{t['largest_mg_dl']:.0e} mg/dL (stored to 1e-6)",
        )
        for t in found["traces"]
    ]
    s, d, v = found["steps"], found["dosing_cases"], found["risk_vectors"]
    close, temp, bolus = s["prediction_below_1e-4"], s["same_temp_basal"], s["same_bolus"]
    said = f"prediction < 1e-4 {close}, temp basal {temp}, bolus {bolus} of {s['steps']}"
    rows.append(("PyLoopKit, single steps", said, f"{s['largest_mg_dl']:.0e} mg/dL"))
    kind, temp, bolus = d["same_class"], d["same_temp_basal"], d["same_bolus"]
    said = f"class {kind}, temp basal {temp}, bolus {bolus} of {d['cases']}"
    rows.append(("PyLoopKit, dosing cases", said, ""))
    rows.append((f"risk index, {v['vectors']} vectors", "", f"{v['largest']:.0e}"))
    u = found["uva_padova"]
    if "not_run" not in u:
        one = u["largest_mg_dl_at_1_min"]
        said = f"plasma {one['plasma']:.4f}, subcutaneous {one['subcutaneous']:.4f} mg/dL"
        rows.append((f"simglucose 0.2.11, {u['traces']} traces at 1-min steps", "", said))
    return _markdown("reference | equal | largest difference", rows)


def _markdown(heads: str, rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {heads} |", "|---" * len(rows[0]) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _speed(found: dict[str, Any]) -> str:
    rows = [
        (
            f"{d['runs']:,} traces",
            f"{d['engine']}, {said}",
            f"{d[call]['wall_s']:.2f}",
            f"{d[call]['cpu_s']:.2f}",
            f"{d['peak_mb']:.0f}",
        )
        for d in found["designs"]
        for call, said in (("first_call", "first call"), ("warm", "warm"))
    ]
    rows += [
        (
            f"{g['runs']:,}, {g['what']}",
            g["engine"],
            f"{g['wall_s']:.1f}",
            f"{g['cpu_s']:.1f}",
            f"{g['peak_mb']:.0f}",
        )
        for g in found["growth"]
    ]
    peer = found["peer"]
    ratios = ", ".join(
        f"{d['engine']} {d['loop_step_us']:.2f} µs ({d['times_faster_than_peer_per_step']:,} times)"
        for d in found["designs"]
    )
    told = (
        f"A Loop step of `{peer['peer']}`, in an environment of its own and fed with net units,"
        f" takes {peer['peer_step_ms']:.1f} ms of CPU in the same run"
        f" ({peer['same_temp_basal']} of {peer['steps']} temp basals equal); one by our function"
        f" with all effects {peer['our_one_step_ms']:.2f} ms; one within a batch: {ratios}."
    )
    return _markdown("runs | engine | wall s | CPU s | peak MB", rows) + f"\n\n{told}"


_PUBLISHED = (
    "These meals were drawn by carbohydrate band, so large ones are more frequent than in the"
    " published table, and the texts of many come from the tables that our estimator looks up."
    " The published table (other meals and patients): GPT-4o with chain of thought 69.9 / 4.2 /"
    " 25.9 / 17.8, three nutritionists 65.9-67.0 / 6.8-8.8 / 24.2-26.4 / 20.8-24.0 (TIR / TBR /"
    " TAR / BGRI)."
)


_CHOICES = (
    "**Open choices**, one at a time (BGRI [1,401]; the window row [20,600]). Within noise: the"
    " order changed between estimators that the base does not tell apart either."
)
_INVERSION = (
    "Fewer grams of error are not always less risk: where a country lowers the mean error and"
    " raises BGRI [1,401], a few meals estimated too high fall below 1 mg/dL, which the window"
    " [20,600] weighs less. The answers of gpt-4o-2024-08-06 are those its authors recorded with a"
    " chain of thought in English; nothing was asked again."
)


def _what(line: dict[str, Any]) -> str:
    table = line["table"]
    part, csf = table["all"], table["csf"]
    return (
        f"Commit {line['commit']}; two shared cores. **The table of estimators**, on the same"
        f" {part['meals']} meals for everybody ({part['simulations']:,} simulations; CSF"
        f" {csf['min']:.2f} to {csf['max']:.2f} mg/dL per g): English originals of the"
        " 18-language NutriBench file with gpt-4o's recorded answers"
        f" ({table['read_again']} of them read again from the raw text), our untrained estimator"
        " without and with the meal's country, a constant (the median of other meals), and no"
        " error. Brackets: 95 %."
    )


def _range(part: dict[str, Any]) -> str:
    band = part["ranges"][0]
    return (
        f"Our range pushed through (BGRI [1,401], {band['meals']} meals): insulin for the low"
        f" ends {band['at_low']:.1f}, the estimate {band['at_estimate']:.1f}, the high ends"
        f" {band['at_high']:.1f}."
    )


def block() -> str:
    """Return the figures as they should stand on the page."""
    line = last_line()
    table = line["table"]
    everybody, unseen = table["all"], table["test_half"]
    half = f"The half that nothing was ever chosen on (n {unseen['meals']}), both setups:"
    parts = (
        _what(line),
        _PUBLISHED,
        _rows(everybody),
        "Paired differences:",
        _differences(everybody),
        half,
        _rows({"rows": [r for r in unseen["rows"] if r["setup"] == "all"]}),
        _differences(unseen),
        _range(everybody),
        _INVERSION,
        _CHOICES,
        _sensitivity(table["sensitivity"], everybody["differences"]),
        "**A second patient model**:",
        _second(table["second_patient"]),
        "**Risk by relative error and CSF** (BGRI [1,401], nine typical meals, both setups):",
        _surface(table["surface"]),
        "**Agreement with the references**:",
        _agreement(line["agreement"]),
        "**Time and memory**, each in a process of its own:",
        _speed(line["speed"]),
    )
    return "\n\n".join(parts) + "\n"


def filled() -> str:
    """Return the page with its block made anew."""
    return with_block(PAGE, block())


if __name__ == "__main__":
    PAGE.write_text(filled(), "utf-8")
