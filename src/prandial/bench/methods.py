"""Methods of both benchmarks, ours and those of installed packages, and how replies are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from prandial.answer.methods import Method
from prandial.answer.plugins import Plugin, find_method, methods_of
from prandial.errors import InputError
from prandial.records.bench import Benchmark, GraphQuestion, MealQuestion, Reading, Replied

__all__ = [
    "LACKS",
    "all_methods",
    "lacks_items",
    "method_named",
    "method_options",
    "read_reply",
    "shipped_methods",
]


#: said of an amount that is not of all that was eaten
LACKS: Final = "items are missing in it"


def shipped_methods(benchmark: Benchmark) -> tuple[Method, ...]:
    """Return our methods of a benchmark."""
    given: Mapping[str, Method] | Iterable[Method]
    if benchmark == "nutribench":
        from prandial.answer import meals

        given = meals.METHODS
    else:
        from prandial.answer import graphs

        given = graphs.METHODS
    return tuple(given.values() if isinstance(given, Mapping) else given)


def all_methods(benchmark: Benchmark) -> tuple[dict[str, Method], tuple[Plugin, ...]]:
    """Return the methods of a benchmark by name, and plug-ins that cannot be used."""
    return methods_of(benchmark, shipped_methods(benchmark))


def method_named(name: str, benchmark: Benchmark) -> Method:
    """Return a method by its name.

    Raises
    ------
    NotFoundError, InputError
        Naming those there are; or why a package's cannot be used.
    """
    return find_method(name, benchmark, shipped_methods(benchmark))


def method_options(method: Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a method's options with what is given in place of its defaults.

    A text is read as what the default is: a number, or yes or no.

    Raises
    ------
    InputError
        On an option that the method does not have, or a value of another kind.
    """
    options = dict(method.options)
    for name, value in given.items():
        if name not in options:
            raise InputError(
                f"the method {method.name!r} has no option {name!r}",
                where="option",
                hint="it has: " + (", ".join(options) or "none"),
            )
        options[name] = _like(options[name], value, name)
    return options


def _like(default: Any, value: Any, name: str) -> Any:
    if not isinstance(value, str) or isinstance(default, str) or default is None:
        return value
    try:
        if isinstance(default, bool):
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[
                value.casefold()
            ]
        return type(default)(value)
    except (KeyError, ValueError, TypeError):
        raise InputError(
            f"{value!r} is no {type(default).__name__}", where=name, hint=f"such as {default}"
        ) from None


def lacks_items(detail: Mapping[str, Any]) -> bool:
    """Whether a method tells that its amount is not of all that was eaten."""
    return detail.get("status") == "incomplete" or detail.get("complete") is False


def read_reply(question: MealQuestion | GraphQuestion, replied: Replied, method: str) -> Reading:
    """Read what a method returned.

    An amount that the method computed itself is taken as it is; ``why`` says where it lacks items.
    """
    if isinstance(question, GraphQuestion):
        from prandial.answer.reading.graphs import read_graph_reply

        return read_graph_reply(replied.text, question.task)
    from prandial.answer.reading.meals import read_meal_reply, read_meal_value

    if replied.value is not None:
        reading = read_meal_value(replied.value)
        lacking = reading.status == "answered" and lacks_items(replied.detail)
        return replace(reading, why=f"{reading.why}, {LACKS}") if lacking else reading
    return read_meal_reply(replied.text, question.nutrient, method=method)
