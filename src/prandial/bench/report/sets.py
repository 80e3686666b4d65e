"""What runs were asked: parts of one run on one kind of question, sets of parts on the same ones.

Runs are put beside each other only where they were asked the same questions, word for word and
label for label. What differs is another set, with its own name and n.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.bench.report.records import RowKind
from prandial.bench.runs import Run
from prandial.records.bench import Benchmark, GraphQuestion, MealQuestion, Prediction

__all__ = ["BASELINES", "STATUSES", "Part", "QuestionSet", "labels_of", "sets_of", "statuses_of"]

#: every fate of a question, in the order of a table
STATUSES: Final = ("answered", "refused", "unreadable", "failed", "not run")
#: last parts of model names that look at no meal or no graph, or only at its edges
BASELINES: Final = frozenset(
    "constant median ridge always-no always-yes all-tags edges majority".split()
)
#: settings that choose what is asked, or how fast
_OF_QUESTIONS: Final = frozenset(
    "nutrient level levels task tasks graph mode rules limit serving servings country countries"
    " items language seed minutes per_rater shared rater arm max_connections".split()
)
_MOST_TOLD: Final = 3
_LEVELS: Final = ("sparse", "standard", "complex")
_TASKS: Final = ("B", "ML", "TG")
Key = tuple[str, ...]
Mark = tuple[Benchmark, Key, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """The questions of one kind that a run was asked, and what came back."""

    run: Run
    label: str
    questions: tuple[MealQuestion | GraphQuestion, ...]
    predictions: tuple[Prediction, ...]

    @property
    def model(self) -> str:
        """Model as given."""
        return self.run.record.model

    @property
    def method(self) -> str:
        """Method of the run."""
        return self.run.record.method

    @property
    def kind(self) -> RowKind:
        """What its rows are."""
        return "baseline" if self.is_baseline else "run"

    @property
    def is_baseline(self) -> bool:
        """Whether the model is one that looks at no meal and no graph."""
        return any(
            name.rsplit("/", 1)[-1].replace("_", "-") in BASELINES
            for name in (self.model, self.method)
        )

    def statuses(self) -> dict[str, int]:
        """Count questions by what became of them; those never asked are ``not run``."""
        return statuses_of(len(self.questions), self.predictions)


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionSet:
    """Parts of runs that were asked the same questions.

    ``key`` is what they have in common: the nutrient, or task, level, graph mode and rules.
    """

    name: str
    title: str
    benchmark: Benchmark
    key: Key
    parts: tuple[Part, ...]

    @property
    def questions(self) -> tuple[Any, ...]:
        """The questions, as the first part has them."""
        return self.parts[0].questions

    @property
    def n(self) -> int:
        """How many questions."""
        return len(self.questions)


def statuses_of(asked: int, predictions: Sequence[Prediction]) -> dict[str, int]:
    """Count questions by what became of them; those without a prediction are ``not run``."""
    counts = Counter(p.reading.status for p in predictions)
    out = {s: counts.get(s, 0) for s in STATUSES[:-1]}
    return {**out, "not run": asked - sum(out.values())}


def labels_of(runs: Sequence[Run]) -> list[str]:
    """Return a name for each run: model and method, and what else tells runs on one thing apart.

    Runs of one model and method on other data may share a name: they never stand in one set.
    """
    plain = [" · ".join(n for n in (r.record.model, r.record.method) if n) for r in runs]
    told = [_told(r) for r in runs]
    named = []
    for name, own in zip(plain, told, strict=True):
        others = [t for n, t in zip(plain, told, strict=True) if n == name]
        apart = [k for k in own if any(t.get(k) != own[k] for t in others)]
        more = ", ".join(f"{k} {own[k]}" for k in apart[:_MOST_TOLD])
        named.append(f"{name} · {more}" if more else name)
    data = [(n, _data(r)) for n, r in zip(named, runs, strict=True)]
    counts, seen = Counter(data), Counter[tuple[str, str]]()
    for k, (run, place) in enumerate(zip(runs, data, strict=True)):
        if counts[place] > 1:
            seen[place] += 1
            named[k] += f" · {run.record.run[:8]} ({seen[place]})"
    return named


def _told(run: Run) -> dict[str, str]:
    """Return the settings that change answers, flat; what chooses questions is left out."""
    found: dict[str, str] = {}
    for source in (run.record.settings, run.record.model_args):
        for key, value in source.items():
            inner = value if isinstance(value, Mapping) else {key: value}
            found |= {
                str(k): str(v) for k, v in sorted(inner.items()) if str(k) not in _OF_QUESTIONS
            }
    return found


def _data(run: Run) -> str:
    settings = run.record.settings
    return json.dumps(
        [
            run.record.benchmark,
            str(run.record.data.get("sha256")),
            {k: str(settings[k]) for k in sorted(_OF_QUESTIONS & settings.keys())},
        ],
        sort_keys=True,
    )


def sets_of(runs: Sequence[Run]) -> list[QuestionSet]:
    """Put the parts of all runs into sets of equal questions, in the order of tables."""
    found: dict[Mark, list[Part]] = {}
    for run, label in zip(runs, labels_of(runs), strict=True):
        for key, questions in _kinds(run).items():
            mark: Mark = (run.record.benchmark, key, _digest(questions))
            # a run may hold answers to questions it no longer asks: they have no part in it
            predictions = tuple(run.predictions[q.id] for q in questions if q.id in run.predictions)
            part = Part(run=run, label=label, questions=tuple(questions), predictions=predictions)
            found.setdefault(mark, []).append(part)
    out = []
    for k, mark in enumerate(sorted(found, key=_order), 1):
        parts = found[mark]
        out.append(
            QuestionSet(
                name=f"set {k}",
                title=f"set {k}: {_title(parts[0], mark[1])}",
                benchmark=mark[0],
                key=mark[1],
                parts=tuple(parts),
            )
        )
    return out


def _kinds(run: Run) -> dict[Key, list[Any]]:
    kinds: dict[Key, list[Any]] = {}
    for q in run.questions:
        kinds.setdefault(_key(q), []).append(q)
    return kinds


def _key(question: MealQuestion | GraphQuestion) -> Key:
    if isinstance(question, MealQuestion):
        return (question.nutrient,)
    return (question.task, question.row.level, question.mode, question.rules)


def _digest(questions: Sequence[MealQuestion | GraphQuestion]) -> str:
    """Return a digest of what was asked and what is right, whatever the order."""
    lines = sorted(json.dumps(_content(q), ensure_ascii=True) for q in questions)
    return hashlib.sha256("\n".join(lines).encode("ascii")).hexdigest()


def _content(q: MealQuestion | GraphQuestion) -> list[Any]:
    if isinstance(q, MealQuestion):
        return [q.id, q.text, q.label]
    edges = [[e.source, e.relation, e.target] for e in q.row.graph.edges]
    return [q.id, q.text, q.row.gold.verdict, list(q.row.gold.tags), q.row.gold.sentence, edges]


def _order(mark: Mark) -> tuple[Any, ...]:
    benchmark, key, _ = mark
    if benchmark == "nutribench":
        return (0, key[0] != "carb_g", key)
    return (1, _TASKS.index(key[0]), key[2], key[3], _LEVELS.index(key[1]))


def _title(part: Part, key: Key) -> str:
    data = part.run.record.data
    name = str(data.get("name") or data.get("file") or "unnamed data")
    sha = str(data.get("sha256") or "")[:8]
    what = ", ".join(key) if part.run.record.benchmark == "nutribench" else _graph_words(key)
    told = f" (sha256 {sha})" if sha else ""
    n = len(part.questions)
    return f"{n} question{'' if n == 1 else 's'} of {name}{told}, {what}"


def _graph_words(key: Key) -> str:
    task, level, mode, rules = key
    return f"task {task}, {level}, graph {mode}, rules {rules}"
