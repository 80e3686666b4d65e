"""Answerers that are no language models: our estimator, rules, recorded answers, baselines.

Each entry of :data:`DIRECT` makes one from its options; what it makes answers a question at
once and the same way every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from prandial.answer.direct.floors import all_tags, always_no, always_yes, constant, edges, rules
from prandial.answer.direct.grounded import grounded
from prandial.answer.direct.replay import Replay, replay
from prandial.answer.direct.replies import Direct
from prandial.answer.direct.trained import majority, median, ridge
from prandial.errors import InputError, NotFoundError
from prandial.records.bench import Benchmark

__all__ = ["ANSWERS", "DIRECT", "TRAINED", "Direct", "Replay", "make_direct"]

#: name to what makes the answerer
DIRECT: Final[Mapping[str, Callable[..., Direct]]] = MappingProxyType(
    {
        "grounded": grounded,
        "rules": rules,
        "replay": replay,
        "constant": constant,
        "median": median,
        "ridge": ridge,
        "always_no": always_no,
        "always_yes": always_yes,
        "all_tags": all_tags,
        "edges": edges,
        "majority": majority,
    }
)
#: those that learn: option ``training``, questions of other groups than those asked
TRAINED: Final = frozenset(("median", "ridge", "majority"))
#: benchmarks that each can answer
ANSWERS: Final[Mapping[str, tuple[Benchmark, ...]]] = MappingProxyType(
    {
        name: ("nutribench", "ngqa")
        if name == "replay"
        else ("nutribench",)
        if name in ("grounded", "constant", "median", "ridge")
        else ("ngqa",)
        for name in DIRECT
    }
)


def make_direct(name: str, **options: Any) -> Direct:
    """Make an answerer by name.

    Raises
    ------
    NotFoundError
        On an unknown name.
    InputError
        On an option that it has not, or one that is missing.
    """
    import inspect

    if name not in DIRECT:
        raise NotFoundError(
            f"no answerer {name!r}", where="model", hint="known: " + ", ".join(DIRECT)
        )
    make = DIRECT[name]
    try:
        inspect.signature(make).bind(**options)
    except TypeError as error:
        names = ", ".join(inspect.signature(make).parameters) or "none"
        raise InputError(f"{name}: {error}", where="model_args", hint=f"options: {names}") from None
    return make(**options)
