"""Records of a benchmark: what is asked, what came back, how it was read, what it scores.

One set of records serves language models, our own estimator and people, and both
benchmarks: meals (NutriBench) and questions over a graph (NGQA).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from prandial.records.quiz import GraphMode, QuizRow

__all__ = [
    "NO_TAG",
    "Benchmark",
    "Call",
    "GraphQuestion",
    "MealQuestion",
    "Prediction",
    "Reading",
    "ReadingStatus",
    "Replied",
    "RunRecord",
    "Score",
    "TaskName",
]

Benchmark = Literal["nutribench", "ngqa"]
#: yes or no, tags, sentence
TaskName = Literal["B", "ML", "TG"]
#: in :attr:`Reading.why`: what a reply names like a tag and is none follows
NO_TAG: Final = "no tag: "
#: ``failed``: no reply was had (listed as not run, never scored)
ReadingStatus = Literal["answered", "refused", "unreadable", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MealQuestion:
    """A meal in words and the label of one nutrient.

    Parameters
    ----------
    id : str
        Unique in a run and the same in every run of the same data.
    text : str
        The meal as described; data, never an instruction.
    nutrient : {'carb_g', 'protein_g', 'fat_g', 'energy_kcal'}
    label : float
        Amount in the whole meal, in the unit of the nutrient's name.
    group : str
        Rows of one meal share it (natural, metric, translated); the bootstrap draws groups.
    serving : {'natural', 'metric', ''}
    country : str
        ISO 3166 alpha-3, empty if unknown.
    items : int, optional
        Foods in the meal.
    language : str
        Empty if English or unknown.
    """

    id: str
    text: str
    nutrient: str
    label: float
    group: str
    serving: str = ""
    country: str = ""
    items: int | None = None
    language: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class GraphQuestion:
    """One task about one food and one person, with the graph and the gold.

    Parameters
    ----------
    id : str
        Level, food code, person, task.
    text : str
        The question in words.
    task : {'B', 'ML', 'TG'}
    row : QuizRow
        Food, person, graph, gold, level.
    mode : {'published', 'no-verdict', 'merged'}
    rules : {'as-published', 'default'}
    """

    id: str
    text: str
    task: TaskName
    row: QuizRow
    mode: GraphMode
    rules: str

    @property
    def group(self) -> str:
        """Rows of one food share it; the bootstrap draws groups."""
        return str(self.row.food.code)


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One request to a model. Unknown token counts are None, never 0."""

    name: str
    reply: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Replied:
    """What a method returns: the text to be read, and how it came about.

    Parameters
    ----------
    text : str
        The last reply, unread.
    calls : tuple of Call
        Every request, in order; empty when no model was asked.
    retrieved : tuple of int, optional
        NGQA: ids of the graph's nodes put before the model; None if none were looked for.
    detail : mapping
        JSON-able facts for the error analysis: items parsed, facts shown, paths kept.
    value : float, optional
        NutriBench: the amount, where the method computes it itself (``extract``, our
        estimator), so that nobody has to read it back from a text.
    """

    text: str
    calls: tuple[Call, ...] = ()
    retrieved: tuple[int, ...] | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    value: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A reply as read by us and as the published code reads it.

    Parameters
    ----------
    status : {'answered', 'refused', 'unreadable', 'failed'}
    value : float, optional
        NutriBench: amount, only when answered.
    published_value : float, optional
        NutriBench: what the published reader takes; -1 where it finds nothing.
    verdict : {'Yes', 'No'}, optional
        NGQA -B and -TG.
    tags : tuple of str, optional
        NGQA -ML and -TG: tags named; None if not read.
    why : str
        Which rule read it, or what stood in the way.
    """

    status: ReadingStatus
    value: float | None = None
    published_value: float | None = None
    verdict: Literal["Yes", "No"] | None = None
    tags: tuple[str, ...] | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prediction:
    """One question's answer in a run.

    Parameters
    ----------
    question : str
        Id of the question.
    raw_text : str
        The reply, unread; empty when failed.
    reading : Reading
    calls : int
        Requests made for this question, without repeats after errors.
    input_tokens, output_tokens : int, optional
        Over all calls; None when a call does not tell.
    seconds : float, optional
        From question to answer.
    retrieved : tuple of int, optional
        As :class:`Replied`.
    detail : mapping
        As :class:`Replied`.
    replies : tuple of Call
        Every call.
    error : str
        Why there is no reply.
    """

    question: str
    raw_text: str
    reading: Reading
    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    retrieved: tuple[int, ...] | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    replies: tuple[Call, ...] = ()
    error: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """One figure with its n and interval.

    Parameters
    ----------
    metric : str
        Such as ``acc_all``, ``mae_g``, ``answer_rate``, ``jaccard``.
    value, low, high : float, optional
        Shares are of 1. None is undefined, as the mean of nothing is. The interval is a
        95 % percentile bootstrap over groups.
    n_scored, n_unscored : int
        Questions the value rests on, and those left out (unreadable, refused, failed).
    rules : str
        Rule set: ``ours`` or ``published`` (NutriBench), ``strict`` or ``published`` (NGQA).
    slice : str
        Empty for all, else ``name=value``, such as ``serving=natural``.
    unit : str
        Empty for shares.
    """

    metric: str
    value: float | None
    n_scored: int
    n_unscored: int
    rules: str
    higher_is_better: bool
    low: float | None = None
    high: float | None = None
    slice: str = ""
    unit: str = ""
    seed: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRecord:
    """What a run was: enough to do it again.

    Parameters
    ----------
    run : str
        Hash of everything that decides the answers (data, task, method, prompts, model,
        its arguments); the same settings have the same name.
    benchmark : {'nutribench', 'ngqa'}
    model : str
        As given, such as ``prandial/grounded`` or ``openai-api/local/qwen``.
    method : str
    settings : mapping
        Nutrient, slices, level, task, graph mode, rules, limit, seed.
    data : mapping
        Name, file, sha256 and rows of what was asked.
    prompts : mapping
        Prompt name to sha256 of its text.
    model_args : mapping
        Temperature and all else the model was given; for local weights file and sha256.
    versions : mapping
        prandial, Python, packages that matter, tables release.
    commit : str
        With ``-dirty`` when files were changed; empty outside a checkout.
    started : str
        ISO 8601, UTC.
    seconds : float, optional
        Wall time so far, over all sittings.
    sittings : int
        1, and one more for each time the run was resumed.
    """

    run: str
    benchmark: Benchmark
    model: str
    method: str
    settings: Mapping[str, Any]
    data: Mapping[str, Any]
    prompts: Mapping[str, str]
    model_args: Mapping[str, Any]
    versions: Mapping[str, str]
    commit: str
    started: str
    seconds: float | None = None
    sittings: int = 1
