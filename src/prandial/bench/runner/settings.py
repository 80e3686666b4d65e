"""What a run is asked to do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prandial.bench.runner.cost import Price
from prandial.records.bench import Benchmark
from prandial.sources.fetch import file_sha256

__all__ = ["DIRECT", "BenchSettings", "public_args", "split_args"]

#: the method of a model that answers the question itself
DIRECT: Final = "direct"
#: model arguments that are settings of a request, by Inspect's names
_REQUEST: Final = frozenset(
    "temperature top_p top_k seed max_tokens stop_seqs frequency_penalty presence_penalty"
    " best_of reasoning_effort reasoning_tokens reasoning_history system_message logit_bias"
    " num_choices effort verbosity".split()
)
#: and those that say how to reach it, which decide no answer
_REACH: Final = frozenset({"base_url", "api_key"})
_SECRET: Final = re.compile(
    r"key|token(?!s\b|izer)|secret|password|credential|authorization", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchSettings:
    """Settings of one run.

    Parameters
    ----------
    benchmark : {'nutribench', 'ngqa'}
    model : str
        ``prandial/grounded`` and the like, or a model of Inspect, such as
        ``openai-api/local/qwen``; empty for a method that asks no model.
    data : str or Path
        As :func:`~prandial.bench.questions.meal_questions`, or
        :func:`~prandial.bench.graph_questions.graph_questions`.
    method : str
        Empty for the model itself where it answers without prompts, else for the plainest.
    nutrient, serving, country, items, half, columns
        NutriBench, as :func:`~prandial.bench.questions.meal_questions`.
    level, task, mode, split, rules
        NGQA, as :func:`~prandial.bench.graph_questions.graph_questions`.
    limit, seed : int, optional
    options : mapping
        Of the method.
    prompts : mapping
        Prompt name to the file in its place.
    retriever, textualizer, encoder, graph
        As :func:`~prandial.bench.kits.kit_of`.
    model_args : mapping
        Temperature (0 when not given) and all else the model is given.
    max_connections : int, optional
        Requests at a time; 10 when None, for models within this process their own number.
    max_retries : int
        Times a request is sent again after an error that may pass.
    attempt_timeout_s, timeout_s : int
        Seconds for one try and for all tries of a request.
    price : Price, optional
    max_cost : float, optional
        In the price's currency; asking stops when it is reached.
    """

    benchmark: Benchmark
    model: str
    data: str | Path
    method: str = ""
    nutrient: str = "carb_g"
    serving: str = ""
    country: Sequence[str] = ()
    items: str = ""
    half: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    level: str | Sequence[str] = "all"
    task: str | Sequence[str] = "all"
    mode: str = ""
    split: str = ""
    rules: str = ""
    limit: int | None = None
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    prompts: Mapping[str, str | Path] = field(default_factory=dict)
    retriever: str = ""
    textualizer: str = ""
    encoder: str = ""
    graph: str | Path = ""
    model_args: Mapping[str, Any] = field(default_factory=dict)
    max_connections: int | None = None
    max_retries: int = 4
    attempt_timeout_s: int = 180
    timeout_s: int = 900
    price: Price | None = None
    max_cost: float | None = None


def split_args(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of requests, and the arguments of the model, as Inspect parts them."""
    request = {k: v for k, v in given.items() if k in _REQUEST}
    return request, {k: v for k, v in given.items() if k not in _REQUEST}


def public_args(given: Mapping[str, Any], *, sampled: bool) -> dict[str, Any]:
    """Return model arguments without addresses and secrets.

    Parameters
    ----------
    given : mapping
        A path of a file is told as its name and sha256, so that the run's name rests on what it
        holds and not on where it is.
    sampled : bool
        Whether it is a language model: then the temperature that is used is told.
    """
    kept = {k: _told(v) for k, v in given.items() if k not in _REACH and not _SECRET.search(k)}
    return {"temperature": 0, **kept} if sampled else kept


def _told(value: Any) -> Any:
    if isinstance(value, str | Path) and str(value) and Path(value).is_file():
        return {"file": Path(value).name, "sha256": file_sha256(Path(value))}
    return value
