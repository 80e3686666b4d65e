"""What happened in a run, before anything is scored: answers by status, failures by kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

from prandial.bench.methods import lacks_items
from prandial.bench.runs import Run
from prandial.records.bench import Prediction

__all__ = ["run_summary"]


def run_summary(run: Run) -> dict[str, Any]:
    """Return counts, tokens and time of a run.

    Parameters
    ----------
    run : Run

    Returns
    -------
    dict
        ``questions``; ``answered``, ``refused``, ``unreadable``, ``failed`` and ``not_asked``
        add up to it; ``incomplete``, answered ones that lack an item; ``failures`` by kind,
        ``failed_at`` the first of each kind; ``calls``, ``input_tokens`` and ``output_tokens``
        (None when some answer does not tell); ``seconds`` of the run, ``seconds_a_question``.
    """
    found = list(run.predictions.values())
    statuses = Counter(p.reading.status for p in found)
    failed = [(*p.error.partition(":")[::2], p.question) for p in found if _failed(p)]
    kinds = Counter(kind for kind, _, _ in failed)
    first = {kind: f"{name}: {why.strip()}" for kind, why, name in reversed(failed)}
    asked = [p for p in found if p.calls]
    took = [p.seconds for p in found if p.seconds is not None]
    return {
        "questions": len(run.questions),
        **{s: statuses[s] for s in ("answered", "refused", "unreadable", "failed")},
        "incomplete": sum(p.reading.status == "answered" and lacks_items(p.detail) for p in found),
        "not_asked": len(run.questions) - len(found),
        "failures": dict(kinds.most_common()),
        "failed_at": {kind: first[kind] for kind, _ in kinds.most_common()},
        "calls": sum(p.calls for p in found),
        "input_tokens": _total([p.input_tokens for p in asked]),
        "output_tokens": _total([p.output_tokens for p in asked]),
        "seconds": run.record.seconds,
        "seconds_a_question": sum(took) / len(took) if took else None,
        "sittings": run.record.sittings,
    }


def _failed(prediction: Prediction) -> bool:
    return prediction.reading.status == "failed"


def _total(counts: list[int | None]) -> int | None:
    told = [c for c in counts if c is not None]
    return sum(told) if len(told) == len(counts) else None
