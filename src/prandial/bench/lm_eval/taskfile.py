"""The two files that lm-eval reads: the task's YAML, and the module its functions come from.

YAML is written by hand: every value is a JSON text, which YAML holds as it is, and functions
need a tag of the harness.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from prandial.bench.lm_eval.figures import Figure

__all__ = ["scores_module", "task_yaml"]


def task_yaml(
    name: str,
    *,
    figures: Sequence[Figure],
    generation: Mapping[str, Any],
    has_system: bool,
    about: str,
    command: str,
    version: str,
) -> str:
    """Return the YAML of a task.

    Parameters
    ----------
    name : str
    figures : sequence of Figure
        Names of the metrics.
    generation : mapping
        Arguments of the model.
    has_system : bool
        Whether there is a system's text: lm-eval's ``description``.
    about, command, version : str
        For the reader.
    """
    lines = [
        f"# {_one_line(about)}",
        f"# {_one_line(command)}",
        f"task: {_json(name)}",
        # a path of a file would be looked for from where the harness is started; the module
        # knows where it lies, so a folder of tasks can be moved
        f"custom_dataset: !function {name}_scores.dataset",
        'test_split: "test"',
        'output_type: "generate_until"',
        "num_fewshot: 0",
    ]
    if has_system:
        lines.append('description: "system"')
    lines += [
        'doc_to_text: "user"',
        'doc_to_target: "target"',
        f"process_results: !function {name}_scores.process_results",
        f"generation_kwargs: {_json(dict(generation))}",
        "metric_list:",
    ]
    for figure in figures:
        lines += [
            f"  - metric: {_json(figure.name)}",
            f"    aggregation: !function {name}_scores.{figure.name}",
            f"    higher_is_better: {_json(figure.higher_is_better)}",
        ]
    lines += ["metadata:", "  version: 1.0", f"  prandial: {_json(version)}"]
    return "\n".join(lines) + "\n"


def scores_module(name: str, figures: Sequence[str], version: str) -> str:
    """Return the module by which the harness calls prandial's reader and scorer."""
    made = "\n".join(f'{f} = _task.figure("{f}")' for f in figures)
    return f'''"""Scores of the task {name}, by prandial itself; written by prandial {version}."""

from pathlib import Path

from prandial.bench.lm_eval.scoring import TaskScores

_task = TaskScores(Path(__file__).with_name("{name}.json"))

dataset = _task.dataset
process_results = _task.process_results
{made}
'''


def _json(value: Any) -> str:
    # ASCII: YAML 1.1 knows line ends that JSON does not
    return json.dumps(value, ensure_ascii=True)


def _one_line(text: str) -> str:
    return " ".join(text.split())
