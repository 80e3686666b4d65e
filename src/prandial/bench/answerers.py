"""Models that answer a question themselves: ours, recorded ones and trivial ones.

Those that learn do so from the other half: meals (or foods) whose group falls into ``tune`` are
answered by what was learned from ``test``, and the other way round; a slice or a draw does
not shrink what is learned from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from prandial.answer.direct import ANSWERS, DIRECT, TRAINED, Direct, make_direct
from prandial.bench.questions import HALVES, half_of
from prandial.errors import InputError
from prandial.records.bench import Benchmark, GraphQuestion, MealQuestion, Replied

__all__ = ["PREFIX", "TRAINING", "answerer_name", "find_answerer", "training_of"]

PREFIX: Final = "prandial/"
#: what the record says of those that learn
TRAINING: Final = "the other half of the data, by group"

_Questions = Sequence[MealQuestion | GraphQuestion]


def answerer_name(model: str) -> str:
    """Return the name of a model that answers by itself, empty for any other."""
    name = model.removeprefix(PREFIX)
    return name if model.startswith(PREFIX) and name in DIRECT else ""


def training_of(model: str, options: Mapping[str, Any]) -> str:
    """Return what a model learns from, empty when it does not learn or its options say it."""
    return TRAINING if answerer_name(model) in TRAINED and "training" not in options else ""


def find_answerer(
    model: str,
    benchmark: Benchmark,
    options: Mapping[str, Any],
    everything: Callable[[], _Questions],
) -> Direct | None:
    """Return what answers in place of a language model, None when the model is one.

    Parameters
    ----------
    model : str
        Such as ``prandial/grounded``.
    benchmark : {'nutribench', 'ngqa'}
    options : mapping
        Of the answerer.
    everything : callable
        Gives all questions of the data, for those that learn.

    Raises
    ------
    InputError
        When it answers another benchmark, or has no such option.
    """
    from prandial.bench.training import read_training

    name = answerer_name(model)
    if not name:
        return None
    if benchmark not in ANSWERS[name]:
        known = [PREFIX + n for n in DIRECT if benchmark in ANSWERS[n]]
        raise InputError(
            f"{model} does not answer {benchmark}",
            where="model",
            hint="known: " + ", ".join(known),
        )
    if name not in TRAINED:
        return make_direct(name, **options)
    if "training" in options:
        return make_direct(name, **{**options, "training": read_training(options["training"])})
    pool = everything()
    made = {
        half: make_direct(
            name, **{**options, "training": [q for q in pool if half_of(q.group) != half]}
        )
        for half in HALVES
    }

    def answer(question: MealQuestion | GraphQuestion) -> Replied:
        return made[half_of(question.group)](question)

    return answer
