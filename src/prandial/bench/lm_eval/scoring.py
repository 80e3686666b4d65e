"""What an exported task does within lm-eval: read a reply, and score all of them.

A metric's value of one question is its id and its reading; the figure over all of them is
made by the scorer of our bench from the exported questions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from prandial.answer.methods import Kit, Method
from prandial.answer.texts import Prompts
from prandial.bench.kits import kit_of
from prandial.bench.lm_eval.export import FORMAT
from prandial.bench.lm_eval.figures import figures_of
from prandial.bench.lm_eval.once import answered_by
from prandial.bench.methods import method_named
from prandial.bench.runs import forms
from prandial.errors import MissingDataError, SchemaError
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction

__all__ = ["TaskScores"]

_AGAIN = "export the task again: prandial bench export lm-eval"


class TaskScores:
    """Scores of one exported task.

    Parameters
    ----------
    settings : Path
        ``NAME.json``; the questions lie beside it.
    """

    def __init__(self, settings: Path) -> None:
        self._path = settings
        self._figures: tuple[str, dict[str, float]] = ("", {})

    @cached_property
    def _settings(self) -> dict[str, Any]:
        body = json.loads(_text(self._path))
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            raise SchemaError("not the settings of a task", where=str(self._path), hint=_AGAIN)
        return body

    @cached_property
    def _method(self) -> tuple[Method, Kit]:
        body = self._settings
        method = method_named(body["method"], body["benchmark"])
        kit = kit_of(method, options=body["options"], **body["kit"])
        prompts = _Given(body["replaced"])
        if prompts.hashes(*method.prompts) != body["prompts"]:
            raise SchemaError("prompts have changed", where=str(self._path), hint=_AGAIN)
        return method, replace(kit, prompts=prompts)

    @cached_property
    def _questions(self) -> dict[str, MealQuestion | GraphQuestion]:
        lines = _text(self._path.with_suffix(".jsonl")).split("\n")
        bodies = [json.loads(json.loads(line)["question"]) for line in lines if line]
        return {q.id: q for q in map(forms.question_from, bodies)}

    def dataset(self, **_: Any) -> dict[str, Any]:
        """Return the questions as the harness takes them: a split of its own kind of table.

        It hands over what is told of the model and the task, which changes nothing.
        """
        from importlib import import_module

        lines = _text(self._path.with_suffix(".jsonl")).split("\n")
        # the harness brings it; prandial itself has no use for it
        made = import_module("datasets").Dataset.from_list([json.loads(s) for s in lines if s])
        return {"test": made}

    def process_results(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
        """Read the reply to one question: the same item for every metric."""
        method, kit = self._method
        question = forms.question_from(json.loads(doc["question"]))
        sent = (doc["system"], doc["user"])
        prediction = answered_by(question, method, kit, str(results[0]), sent=sent)
        # sentences are scored from their words, amounts by their readings
        text = prediction.raw_text if isinstance(question, GraphQuestion) else ""
        item = json.dumps([question.id, asdict(prediction.reading), text])
        return dict.fromkeys(self._settings["figures"], item)

    def figure(self, name: str) -> Callable[[Sequence[str]], float]:
        """Return what makes a figure of the items of all questions; NaN where it is undefined."""

        def of(items: Sequence[str]) -> float:
            return self._all(items)[name]

        return of

    def _all(self, items: Sequence[str]) -> dict[str, float]:
        """Return every figure of the same items, computed once."""
        joined = "\n".join(items)
        if self._figures[0] != joined:
            predictions = {}
            for item in items:
                name, reading, text = json.loads(item)
                body = {"question": name, "raw_text": text, "reading": reading, "replies": ()}
                predictions[name] = forms.prediction_from(body)
            self._figures = (joined, self._of(predictions))
        return self._figures[1]

    def _of(self, predictions: Mapping[str, Prediction]) -> dict[str, float]:
        asked = [q for k, q in self._questions.items() if k in predictions]
        found = figures_of(asked, predictions)
        return {f.name: float("nan") if f.value is None else f.value for f in found}


class _Given(Prompts):
    """Prompts of which some are given as texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__()
        self._texts.update(texts)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise MissingDataError("the task is not whole", where=str(path), hint=_AGAIN) from error
