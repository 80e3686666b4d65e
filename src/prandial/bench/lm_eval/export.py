"""Task files for lm-evaluation-harness 0.4: YAML, questions as JSON lines, a module of scores.

Of a task ``NAME`` there are ``NAME.yaml``, ``NAME.jsonl`` with the very requests our bench
sends, ``NAME.json`` with the settings of the method, and ``NAME_scores.py``, through which the
harness gets the questions and calls prandial's own reader and scorer. Several tasks may share a
folder, and it may be moved.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.answer.ask import Question, Request, one_message
from prandial.answer.methods import Kit, Method
from prandial.answer.texts import Prompts
from prandial.bench.kits import GRAPH, kit_of
from prandial.bench.lm_eval.figures import names_of
from prandial.bench.lm_eval.once import requests_of
from prandial.bench.lm_eval.taskfile import scores_module, task_yaml
from prandial.bench.methods import method_named
from prandial.bench.questions import digest_of
from prandial.bench.runs import forms
from prandial.errors import InputError
from prandial.records.bench import Benchmark, GraphQuestion, MealQuestion

__all__ = ["FORMAT", "ExportedTasks", "export_lm_eval"]

FORMAT: Final = "prandial lm-eval task 1"


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportedTasks:
    """What was written: names of tasks, and the files."""

    tasks: tuple[str, ...]
    files: tuple[Path, ...]
    questions: int
    command: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "tasks": list(self.tasks),
            "files": [str(f) for f in self.files],
            "questions": self.questions,
            "command": self.command,
        }


def export_lm_eval(
    questions: Sequence[MealQuestion | GraphQuestion],
    folder: Path,
    *,
    method: str,
    version: str,
    options: Mapping[str, Any] | None = None,
    prompts: Mapping[str, str | Path] | None = None,
    retriever: str = "",
    textualizer: str = "",
    encoder: str = "",
    graph: str | Path = "",
    replace: bool = False,
) -> ExportedTasks:
    """Write tasks that run in lm-eval and score as our bench does.

    Parameters
    ----------
    questions : sequence of MealQuestion or GraphQuestion
        Of one benchmark. Those over a graph make a task for each of B, ML and TG.
    folder : Path
        Made when it is missing.
    method : str
        One that sends a single request a question.
    version : str
        Of prandial.
    options, prompts, retriever, textualizer, encoder, graph
        As :func:`prandial.bench.kits.kit_of`.
    replace : bool
        Write over tasks of the same name.

    Returns
    -------
    ExportedTasks

    Raises
    ------
    InputError
        When there is nothing to ask, the method asks more or less than once, its requests
        are bound differently from question to question, or a task is there already.
    NotFoundError
        On a method, prompt, retriever or text form that there is not.
    """
    parts = _parts(questions)
    benchmark: Benchmark = "nutribench" if isinstance(questions[0], MealQuestion) else "ngqa"
    chosen = method_named(method, benchmark)
    if not chosen.asks:
        raise InputError(
            f"the method {method!r} asks no model", where="method", hint="prandial bench run"
        )
    named = {
        "retriever": retriever,
        "textualizer": textualizer,
        "encoder": str(Path(encoder).resolve()) if Path(encoder).is_dir() and encoder else encoder,
        "graph": str(Path(graph).resolve()) if graph else "",
    }
    kit = kit_of(chosen, options=options, prompts=prompts, **named)
    made: dict[Path, str] = {}
    names = []
    for part, asked in parts.items():
        name = _slug(f"prandial_{benchmark}_{method}_{part}")
        names.append(name)
        settings = {
            "format": FORMAT,
            "prandial": version,
            "benchmark": benchmark,
            "method": method,
            "options": {k: v for k, v in kit.options.items() if k != GRAPH},
            "prompts": kit.prompts.hashes(*chosen.prompts),
            "replaced": _replaced(chosen, kit),
            "kit": named,
            "questions": len(asked),
            "questions_sha256": digest_of(asked),
        }
        made |= _task(name, asked, chosen, kit, settings, folder)
    _write(made, folder, replace=replace)
    return ExportedTasks(
        tasks=tuple(names),
        files=tuple(made),
        questions=len(questions),
        command=_command(names, folder),
    )


def _parts(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Return the questions of each task by nutrient, or by B, ML, TG."""
    found: dict[str, list[Question]] = {}
    for q in questions:
        found.setdefault(q.nutrient if isinstance(q, MealQuestion) else q.task, []).append(q)
    kinds = {type(q) for q in questions}
    if len(kinds) != 1:
        raise InputError(
            "nothing to ask" if not kinds else "questions of two benchmarks",
            where="questions",
            hint="export one benchmark at a time",
        )
    if len({q.id for q in questions}) < len(questions):
        raise InputError("two questions have one id", where="questions", hint="name each once")
    return found


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def _replaced(method: Method, kit: Kit) -> dict[str, str]:
    """Return the prompts that stand in the place of ours."""
    ours = Prompts()
    return {n: kit.prompts[n] for n in method.prompts if kit.prompts[n] != ours[n]}


def _task(
    name: str,
    questions: Sequence[Question],
    method: Method,
    kit: Kit,
    settings: Mapping[str, Any],
    folder: Path,
) -> dict[Path, str]:
    requests = requests_of(questions, method, kit)
    lines = [
        json.dumps(
            {
                "id": q.id,
                "system": r.system,
                "user": one_message(r),
                "target": _target(q),
                # a text, so that the harness makes no columns of it
                "question": json.dumps(forms.question_to(q), ensure_ascii=False),
            },
            ensure_ascii=False,
        )
        for q, r in zip(questions, requests, strict=True)
    ]
    figures = names_of(questions)
    return {
        folder / f"{name}.jsonl": "".join(f"{line}\n" for line in lines),
        folder / f"{name}.json": json.dumps(
            {**settings, "figures": [f.name for f in figures]}, ensure_ascii=False, indent=1
        )
        + "\n",
        folder / f"{name}_scores.py": scores_module(
            name, [f.name for f in figures], str(settings["prandial"])
        ),
        folder / f"{name}.yaml": task_yaml(
            name,
            figures=figures,
            generation=_generation(requests),
            has_system=any(r.system for r in requests),
            about=f"{method.about}; {len(questions)} questions",
            command=_command([name], folder),
            version=str(settings["prandial"]),
        ),
    }


def _target(question: Question) -> str:
    if isinstance(question, MealQuestion):
        return f"{question.label:g}"
    gold = question.row.gold
    tags = ", ".join(gold.tags)
    return {"B": str(gold.verdict), "ML": tags}.get(question.task, f"{gold.verdict}; {tags}")


def _generation(requests: Sequence[Request]) -> dict[str, Any]:
    """Return what lm-eval passes to the model: greedy, and bound as the requests are.

    Raises
    ------
    InputError
        When requests are bound differently: a task has one setting.
    """
    bounds = {json.dumps([r.schema, r.grammar], sort_keys=True) for r in requests}
    if len(bounds) > 1:
        raise InputError(
            "the replies are bound differently from question to question",
            where="method option",
            hint="lm-eval has one setting a task: leave replies unbound",
        )
    found: dict[str, Any] = {
        "do_sample": False,
        "temperature": 0.0,
        "max_gen_toks": max(r.max_tokens for r in requests),
        "until": [],
    }
    schema, grammar = requests[0].schema, requests[0].grammar
    if schema is not None:
        found["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
        }
    if grammar is not None:
        found["grammar"] = grammar
    return found


def _command(names: Sequence[str], folder: Path) -> str:
    return (
        "lm-eval run --model local-chat-completions --model_args"
        " model=MODEL,base_url=http://127.0.0.1:8080/v1/chat/completions,"
        "tokenized_requests=False,num_concurrent=1"
        f" --tasks {','.join(names)} --include_path {shlex.quote(str(folder))}"
        " --apply_chat_template"
        " --output_path results --log_samples"
    )


def _write(made: Mapping[Path, str], folder: Path, *, replace: bool) -> None:
    there = [p for p in made if p.exists()]
    if there and not replace:
        raise InputError(
            "the task is there already", where=str(there[0]), hint="name another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in made.items():
            part = path.with_name(path.name + ".part")
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(path)
    except OSError as error:
        raise InputError(
            "the tasks cannot be written", where=str(folder), hint=error.strerror or ""
        ) from error
