"""The figures in docs/bench-figures.md and the lists in docs/bench.md, made from what is kept.

Figures come from ``benchmarks/history/bench``: the recorded answers in 18 languages
(``multilingual.json``) and runs of models (``runs.jsonl``, see ``benchmarks.bench_keep``). The
lists of methods, models and prompts come from the program. Run as
``python -m benchmarks.bench_page`` (``make docs`` does); a test checks that both are current.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.bench_keep import read_kept
from benchmarks.pages import NONE, ROOT, filled

__all__ = ["FIGURES", "GUIDE", "blocks", "refresh", "runs_block"]

FIGURES = ROOT / "docs" / "bench-figures.md"
GUIDE = ROOT / "docs" / "bench.md"
MULTILINGUAL = ROOT / "benchmarks" / "history" / "bench" / "multilingual.json"
#: metric -> heading, and how many times the value is shown
_MEALS = {
    "ours": {
        "acc_all": ("accuracy, %", 100),
        "acc_answered": ("accuracy of the answered, %", 100),
        "mae_g": ("mean error, g", 1),
        "mae_kcal": ("mean error, kcal", 1),
        "bias_g": ("bias, g", 1),
        "bias_kcal": ("bias, kcal", 1),
        "answer_rate": ("answered, %", 100),
        "unreadable": ("unreadable, %", 100),
    },
    "published": {
        "acc_all": ("accuracy, %", 100),
        "mae_g": ("mean error, g", 1),
        "mae_kcal": ("mean error, kcal", 1),
        "answer_rate": ("answered, %", 100),
    },
}
_GRAPHS = {
    "strict": {
        "b_accuracy_all": ("B accuracy", 1),
        "b_balanced_accuracy": ("B balanced accuracy", 1),
        "b_answer_rate": ("B answered", 1),
        "ml_jaccard_all": ("ML Jaccard", 1),
        "ml_micro_f1": ("ML micro F1", 1),
        "ml_answer_rate": ("ML answered", 1),
        "tg_accuracy_all": ("TG accuracy", 1),
        "tg_tags_jaccard_all": ("TG Jaccard", 1),
        "tg_answer_rate": ("TG answered", 1),
    },
    "published": {
        "b_accuracy": ("B accuracy", 1),
        "b_f1": ("B F1", 1),
        "ml_accuracy": ("ML Jaccard", 1),
        "ml_f1": ("ML F1", 1),
        "tg_rougeL": ("TG ROUGE-L", 1),
        "tg_bleu": ("TG BLEU", 1),
        "tg_bertscore": ("TG BERTScore", 1),
    },
}
_COST = {
    "seconds": ("seconds a question", 1),
    "calls": ("requests a question", 1),
    "input_tokens": ("tokens in a question", 1),
    "output_tokens": ("tokens out a question", 1),
    "output_tokens_per_s": ("tokens out a second", 1),
}
SHOWN: Mapping[tuple[str, str], Mapping[str, tuple[str, int]]] = {
    **{("nutribench", rules): shown for rules, shown in _MEALS.items()},
    **{("ngqa", rules): shown for rules, shown in _GRAPHS.items()},
    ("nutribench", "cost"): _COST,
    ("ngqa", "cost"): _COST,
}
#: what each model of ours is
_ABOUT = {
    "grounded": "our estimator: the middle of its range",
    "rules": "the rules over the food's tags and the person's statuses",
    "replay": "recorded answers of anybody, by the question's id or the exact text of the meal",
    "constant": "always one amount",
    "median": "always the median label",
    "ridge": "ridge regression on TF-IDF of words and pairs of words",
    "always_no": "always No; its sentences name one reason",
    "always_yes": "always Yes; its sentences name one reason",
    "all_tags": "every tag of the food, whoever asks",
    "edges": "the verdict read off match and contradict edges",
    "majority": "the most frequent verdict, tags and sentence",
}
_TITLES = {"nutribench": "NutriBench", "ngqa": "NGQA"}
_RULES = {"ours": "our rules", "strict": "our rules (strict)", "published": "published rules"}
Line = Mapping[str, Any]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(r) + " |" for r in rows)])


def _text(value: object) -> str:
    return str(value).replace("|", "/").replace("\n", " ").replace("<", "&lt;")


def _cell(line: Line | None, times: int = 1) -> str:
    """Return a value with its interval; a gap where there is no line."""
    if line is None:
        return NONE
    if line["value"] is None:
        return "undefined"
    if line.get("rules") == "cost":
        return f"{line['value']:.3g}" if line["value"] < 1000 else f"{line['value']:.0f}"
    digits = 3 if not line["unit"] and times == 1 else 1
    value, low, high = (
        None if line[k] is None else f"{times * line[k] + 0.0:.{digits}f}"
        for k in ("value", "low", "high")
    )
    return f"{value}" if low is None or high is None else f"{value} [{low}, {high}]"


def _counted(lines: Sequence[Line]) -> str:
    """Return how many questions the figures of a row rest on."""
    counts = [line["n_scored"] for line in lines]
    least, most = min(counts), max(counts)
    return str(most) if least == most else f"{least} to {most}"


def _grouped(lines: Sequence[Line], *keys: str) -> dict[tuple[Any, ...], list[Line]]:
    found: dict[tuple[Any, ...], list[Line]] = {}
    for line in lines:
        found.setdefault(tuple(line.get(k, "") for k in keys), []).append(line)
    return found


def _who(line: Line) -> list[str]:
    method = line["method"] if line["method"] != "direct" else "itself"
    options = line.get("options") or ""
    return [
        _text(line["model"] or "no model"),
        _text(f"{method} ({options})" if options else method),
    ]


def _runs_table(lines: Sequence[Line], shown: Mapping[str, tuple[str, int]]) -> str:
    """Return a table of runs; a metric that no run has gets no column."""
    encoders = dict.fromkeys(line["metric"] for line in lines if "[" in line["metric"])
    lines = [{**line, "metric": line["metric"].split("[")[0]} for line in lines]
    there = {line["metric"] for line in lines}
    columns = {m: told for m, told in shown.items() if m in there}
    sliced = any(line["slice"] for line in lines)
    rows = []
    for (_, name), own in _grouped(lines, "run", "slice").items():
        by_metric = {line["metric"]: line for line in own}
        told = [by_metric[m] for m in columns if m in by_metric]
        if told:
            cells = [_cell(by_metric.get(m), times) for m, (_, times) in columns.items()]
            part = [_text(name) or "all"] if sliced else []
            rows.append([*_who(own[0]), *part, _counted(told), *cells])
    head = [
        "model",
        "method",
        *(["part"] if sliced else []),
        "n",
        *(h for h, _ in columns.values()),
    ]
    table = _table(head, rows)
    if encoders and "tg_bertscore" in columns:
        names = "; ".join(_text(m.split("[", 1)[1].removesuffix("]")) for m in encoders)
        table += f"\n\nBERTScore with the encoder {names}: no value of another encoder compares."
    return table


def _pairs_table(lines: Sequence[Line]) -> str:
    rows = []
    for line in lines:
        times = 1 if line["unit"] else 100
        first, second = (_cell({**line, "value": line[k], "low": None}, times)
                         for k in ("first", "second"))  # fmt: skip
        p = NONE if line["p"] is None else f"{line['p']:.4f}"
        metric = f"{line['metric']}, %" if not line["unit"] else line["metric"]
        other = f"{line['versus_model'] or 'no model'}, {line['versus_method']}"
        own = f"{line['model'] or 'no model'}, {line['method']}"
        before, after = line.get("versus_options"), line["options"]
        if other == own and before is not None and before != after:  # else nothing parts them
            other, own = f"{other} ({before or 'no options'})", f"{own} ({after or 'no options'})"
        rows.append([_text(other), _text(own), metric, str(line["n_scored"]), first, second,
                     _cell(line, times), p])  # fmt: skip
    head = ("first", "second", "figure", "pairs", "first", "second", "second - first", "p")
    return _table(head, rows)


def runs_block(lines: Sequence[Line]) -> str:
    """Return the tables of runs: a section for each set of questions, a table a rule set."""
    if not lines:
        return "No runs are kept yet.\n"
    parts = []
    for (benchmark, data, asked), own in _grouped(lines, "benchmark", "data", "asked").items():
        versions = ", ".join(sorted({f"prandial {x['version']}" for x in own}))
        parts.append(f"### {_TITLES[benchmark]} {_text(data)}: {_text(asked)}\n\n{versions}.")
        single = [x for x in own if not x.get("versus")]
        for (rules,), some in _grouped(single, "rules").items():
            title = "Time and tokens" if rules == "cost" else f"Scored by {_RULES[rules]}"
            parts.append(f"{title}:\n\n{_runs_table(some, SHOWN[benchmark, rules])}")
        pairs = [x for x in own if x.get("versus")]
        for (rules,), some in _grouped(pairs, "rules").items():
            parts.append(f"In pairs, {_RULES[rules]}:\n\n{_pairs_table(some)}")
    return "\n\n".join(parts) + "\n"


def multilingual_block(path: Path = MULTILINGUAL) -> str:
    """Return the scores of the recorded answers in 18 languages under both rule sets."""
    line = json.loads(path.read_text("utf-8"))
    others = len(line["differences"])
    read = f"{line['rows']:,} replies, read in {line['read_s']} s"
    parts = [
        (
            f"prandial {line['version']}, commit {line['commit']}: {read}; {others} of them"
            " otherwise than by the answers' authors."
        )
    ]
    for rules, scores in line["scores"].items():
        shown = {
            m: told for m, told in _MEALS[rules].items() if any(s["metric"] == m for s in scores)
        }
        rows = []
        for (name,), own in _grouped(scores, "slice").items():
            by_metric = {s["metric"]: s for s in own}
            cells = [_cell(by_metric[m], times) for m, (_, times) in shown.items()]
            n = str(by_metric["acc_all"]["n_scored"])
            rows.append([name.removeprefix("language=") or "all", n, *cells])
        head = ("language", "n", *(h for h, _ in shown.values()))
        parts.append(f"Scored by {_RULES[rules]}:\n\n{_table(head, rows)}")
    far = line["beyond_50_g"]
    told = ", ".join(f"{_text(k)} {v}" for k, v in far.items() if k != "answers")
    parts.append(
        f"{far['answers']} answers are off by more than 50 g; first fault by rule: {told}."
    )
    return "\n\n".join(parts) + "\n"


def methods_block() -> str:
    """Return the methods that ship, as ``bench methods`` lists them."""
    from prandial.bench.methods import shipped_methods

    rows = [
        [name, f"`{m.name}`", _text(m.about), ", ".join(f"`{k}={v}`" for k, v in m.options.items())]
        for name in ("nutribench", "ngqa")
        for m in shipped_methods(name)
    ]
    return (
        _table(("benchmark", "method", "what it does", "options and their defaults"), rows) + "\n"
    )


def models_block() -> str:
    """Return our own models and the benchmarks that each answers."""
    import inspect

    from prandial.answer.direct import ANSWERS, DIRECT, TRAINED

    rows = []
    for name, make in DIRECT.items():
        options = ", ".join(f"`{p}`" for p in inspect.signature(make).parameters)
        learns = "; learns from the other half" if name in TRAINED else ""
        both = ", ".join(ANSWERS[name])
        rows.append([f"`prandial/{name}`", both, _ABOUT[name] + learns, options])
    return _table(("model", "answers", "what it is", "`-M` options"), rows) + "\n"


def prompts_block() -> str:
    """Return the prompts, the fields that each may use, and who uses it."""
    from prandial.answer.texts import Prompts, prompt_names
    from prandial.bench.methods import shipped_methods

    methods = {b: [m for m in shipped_methods(b) if m.asks] for b in ("nutribench", "ngqa")}
    texts, rows = Prompts(), []
    for name in prompt_names():
        own = methods[name.split("_")[0]]
        users = [m.name for m in own if name in m.prompts]
        others = [m.name for m in own if name not in m.prompts]
        told = "all" if not others else f"all but {others[0]}" if len(others) == 1 else None
        fields = dict.fromkeys(re.findall(r"\{\{([a-z_]+)\}\}", texts[name]))
        used = ", ".join(f"`{{{{{f}}}}}`" for f in fields)
        rows.append([f"`{name}`", used, told or ", ".join(users)])
    return _table(("prompt", "fields in it", "methods"), rows) + "\n"


def blocks() -> dict[Path, dict[str, str]]:
    """Return the current blocks of each page."""
    return {
        FIGURES: {"multilingual": multilingual_block(), "runs": runs_block(read_kept())},
        GUIDE: {"methods": methods_block(), "models": models_block(), "prompts": prompts_block()},
    }


def refresh() -> None:
    """Write the current blocks into the pages."""
    for page, parts in blocks().items():
        page.write_text(filled(page, parts), "utf-8")


if __name__ == "__main__":
    refresh()
