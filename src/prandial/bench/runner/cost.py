"""What a run costs: an estimate before it is paid for, and a count while it runs.

Before a run tokens are characters divided by four, a rule of thumb for English text and the
tokenizers of 2023 to 2026: an estimate, and said to be one. While it runs the counts that the model
tells are used, and the rule where it tells none.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.answer.ask import Question, Request, messages_of
from prandial.answer.methods import Kit, Method
from prandial.bench.rehearsal import made_up
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.records.bench import Call, Prediction

__all__ = ["CHARS_PER_TOKEN", "CostEstimate", "Price", "estimate_cost", "read_price", "spent"]

CHARS_PER_TOKEN: Final = 4
_MILLION: Final = 1_000_000
_SAMPLE: Final = 20
_COLUMNS: Final = ("model", "input_per_million", "output_per_million")


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """Price of a million tokens, in whatever currency it is given."""

    input_per_million: float
    output_per_million: float

    def __post_init__(self) -> None:
        for price in (self.input_per_million, self.output_per_million):
            if not 0 <= price < float("inf"):
                raise InputError(f"{price:g} is no price", where="price", hint="0 or more")

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """Return the price of some tokens."""
        return (
            input_tokens * self.input_per_million + output_tokens * self.output_per_million
        ) / _MILLION


@dataclass(frozen=True, kw_only=True, slots=True)
class CostEstimate:
    """What a run may need.

    Parameters
    ----------
    questions : int
    sampled : int
        Questions whose prompts were made and counted.
    calls : float
        Requests a question. Replies were made up, so a method that asks on depending on
        replies may ask more or less.
    input_tokens : float
        Over all questions, characters / 4.
    most_output_tokens : float
        If every reply were as long as it may be.
    cost, most_cost : float, optional
        Of the input alone, and with the longest replies; None without a price.
    """

    questions: int
    sampled: int
    calls: float
    input_tokens: float
    most_output_tokens: float
    cost: float | None = None
    most_cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "tokens_by": f"characters / {CHARS_PER_TOKEN}, an estimate"
        }


def sum_of(estimates: Sequence[CostEstimate]) -> CostEstimate:
    """Return the sum of estimates of runs with the same price, or with none."""
    questions = sum(e.questions for e in estimates)
    priced = all(e.cost is not None for e in estimates)
    return CostEstimate(
        questions=questions,
        sampled=sum(e.sampled for e in estimates),
        calls=sum(e.calls * e.questions for e in estimates) / (questions or 1),
        input_tokens=sum(e.input_tokens for e in estimates),
        most_output_tokens=sum(e.most_output_tokens for e in estimates),
        cost=sum(e.cost or 0.0 for e in estimates) if priced else None,
        most_cost=sum(e.most_cost or 0.0 for e in estimates) if priced else None,
    )


def read_price(path: Path, model: str) -> Price:
    """Read the price of a model from a CSV table.

    Parameters
    ----------
    path : Path
        Columns ``model, input_per_million, output_per_million``.
    model : str

    Raises
    ------
    NotFoundError
        When there is no such file, or it does not name the model.
    SchemaError
        When a column is missing or a price is no number.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise NotFoundError(
            "the price table cannot be read", where=str(path), hint=error.strerror or ""
        ) from error
    for number, row in enumerate(rows, start=2):
        if not set(_COLUMNS) <= set(row):
            raise SchemaError(
                "not a price table", where=str(path), hint="columns: " + ", ".join(_COLUMNS)
            )
        if row["model"] == model:
            try:
                return Price(
                    input_per_million=_amount(row["input_per_million"]),
                    output_per_million=_amount(row["output_per_million"]),
                )
            except ValueError:
                raise SchemaError(
                    "a price is no number", where=f"{path}, line {number}", hint="such as 2.5"
                ) from None
    raise NotFoundError(
        f"no price of {model!r}",
        where=str(path),
        hint="known: " + (", ".join(r.get("model") or "?" for r in rows) or "none"),
    )


def _amount(text: str) -> float:
    price = float(text)
    if not 0 <= price < float("inf"):
        raise ValueError(text)
    return price


def tokens_of(text: str) -> float:
    """Return how many tokens a text is about."""
    return len(text) / CHARS_PER_TOKEN


def estimate_cost(
    questions: Sequence[Question], method: Method, kit: Kit, price: Price | None = None
) -> CostEstimate:
    """Make the prompts of some questions and count them; no model is asked.

    Parameters
    ----------
    questions : sequence
        Those that are still to be asked.
    method : Method
    kit : Kit
    price : Price, optional
    """
    step = max(1, len(questions) // _SAMPLE)
    sample = list(questions[::step][:_SAMPLE])
    asked: list[Request] = []

    async def ask(request: Request) -> Call:
        asked.append(request)
        return made_up(request)

    async def every() -> None:
        for question in sample:
            try:
                await method.run(question, ask, kit)
            except Exception:  # noqa: BLE001, S112 - a made-up reply may lead nowhere
                continue

    asyncio.run(every())
    n = len(sample) or 1
    scale = len(questions) / n
    into = sum(tokens_of(text) for r in asked for _, text in messages_of(r)) * scale
    out = float(sum(r.max_tokens for r in asked)) * scale
    return CostEstimate(
        questions=len(questions),
        sampled=len(sample),
        calls=len(asked) / n,
        input_tokens=into,
        most_output_tokens=out,
        cost=None if price is None else price.of(into, 0),
        most_cost=None if price is None else price.of(into, out),
    )


def spent(
    predictions: Iterable[Prediction], price: Price, *, input_tokens_a_call: float = 0.0
) -> float:
    """Return what answers have cost so far; failed ones too, as far as their calls were answered.

    Parameters
    ----------
    predictions : iterable of Prediction
    price : Price
    input_tokens_a_call : float
        What prompts count where a model tells no counts, as estimated before the run; replies count
        as characters / 4 there.
    """
    return sum(_cost(p, price, input_tokens_a_call) for p in predictions)


def _cost(one: Prediction, price: Price, guess: float) -> float:
    into, out = one.input_tokens, one.output_tokens
    sent = float(into) if into is not None else guess * one.calls
    told = float(out) if out is not None else sum(tokens_of(c.reply) for c in one.replies)
    return price.of(sent, told)


def check_budget(estimate: CostEstimate, max_cost: float, already: float = 0.0) -> None:
    """Refuse a run whose prompts alone cost more than they may.

    Raises
    ------
    InputError
        Saying the estimate.
    """
    if estimate.cost is not None and already + estimate.cost > max_cost:
        raise InputError(
            f"the prompts alone would cost about {already + estimate.cost:.2f}, more than"
            f" {max_cost:.2f}",
            where="max_cost",
            hint="ask fewer questions (limit), or raise the maximum",
        )
