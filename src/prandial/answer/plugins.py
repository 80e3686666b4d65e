"""Methods, retrievers and textualizers of third parties, by entry points.

A package names what it brings in its ``pyproject.toml``::

    [project.entry-points."prandial.methods"]
    my-method = "my_package:METHOD"          # a Method, or a function that returns one

    [project.entry-points."prandial.retrievers"]
    my-table = "my_package:facts_about"      # (food in words, how many) -> texts

    [project.entry-points."prandial.textualizers"]
    my-form = "my_package:as_text"           # graph -> text

A package that cannot be loaded stops only those who ask for what it brings.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal, cast

from prandial.answer.methods import Method, Retriever, Textualizer
from prandial.errors import InputError, NotFoundError

__all__ = [
    "GROUPS",
    "Plugin",
    "find_method",
    "find_retriever",
    "find_textualizer",
    "methods_of",
    "plugins",
]

Kind = Literal["methods", "retrievers", "textualizers"]
GROUPS: Final[dict[Kind, str]] = {
    "methods": "prandial.methods",
    "retrievers": "prandial.retrievers",
    "textualizers": "prandial.textualizers",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Plugin:
    """What one package brings; ``problem`` says why it cannot be used."""

    kind: Kind
    name: str
    package: str
    value: str
    problem: str = ""
    loaded: Any = None


def plugins(kind: Kind) -> tuple[Plugin, ...]:
    """Return everything that installed packages bring of a kind, in order of names.

    Nothing is raised: what cannot be loaded, and a name that two packages use, has its
    problem stated.
    """
    points = sorted(entry_points(group=GROUPS[kind]), key=lambda p: (p.name, _package(p)))
    # a package that is installed twice on the path is one package
    unique = {(p.name, _package(p), p.value): p for p in points}
    counts: dict[str, list[str]] = {}
    for name, package, _ in unique:
        counts.setdefault(name, []).append(package)
    return tuple(_loaded(kind, p, counts[p.name]) for p in unique.values())


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else ""


def _loaded(kind: Kind, point: EntryPoint, packages: list[str]) -> Plugin:
    brought, problem = None, ""
    if len(packages) > 1:
        problem = f"{', '.join(packages)} all bring {point.name!r}: remove all but one"
    else:
        try:
            brought = _checked(kind, point.name, point.load())
        except Exception as error:  # noqa: BLE001 - code of strangers may raise anything
            problem = f"{type(error).__name__}: {error}"
    return Plugin(
        kind=kind,
        name=point.name,
        package=_package(point),
        value=point.value,
        problem=problem,
        loaded=brought,
    )


def _checked(kind: Kind, name: str, brought: object) -> object:
    if kind != "methods":
        if not callable(brought):
            raise TypeError(f"a {type(brought).__name__} cannot be called")
        return brought
    made = brought() if callable(brought) and not isinstance(brought, Method) else brought
    if not isinstance(made, Method):
        raise TypeError(f"a {type(made).__name__}, not a prandial.answer.methods.Method")
    if made.name != name:
        raise ValueError(f"the entry point is named {name!r}, its method {made.name!r}")
    return made


def methods_of(
    benchmark: str, shipped: Iterable[Method]
) -> tuple[dict[str, Method], tuple[Plugin, ...]]:
    """Return the methods of a benchmark by name, and plug-ins that cannot be used.

    Parameters
    ----------
    benchmark : {'nutribench', 'ngqa'}
    shipped : iterable of Method
        Ours; a plug-in may not take one's name.
    """
    found = {m.name: m for m in shipped if m.benchmark == benchmark}
    broken = []
    for one in plugins("methods"):
        if one.problem:
            broken.append(one)
        elif one.loaded.benchmark == benchmark:
            if one.name in found:
                broken.append(_clashing(one))
            else:
                found[one.name] = one.loaded
    return found, tuple(broken)


def _clashing(one: Plugin) -> Plugin:
    return Plugin(
        kind=one.kind,
        name=one.name,
        package=one.package,
        value=one.value,
        problem=f"prandial has its own {one.name!r}: the package must take another name",
    )


def find_method(name: str, benchmark: str, shipped: Iterable[Method]) -> Method:
    """Return a method by its name.

    Raises
    ------
    InputError
        When a package brings it and it cannot be used, or its name is taken.
    NotFoundError
        Naming the methods there are.
    """
    found, broken = methods_of(benchmark, shipped)
    for one in broken:
        if one.name == name:
            raise _unusable(one)
    if name not in found:
        near = difflib.get_close_matches(name, found, n=3, cutoff=0.5)
        raise NotFoundError(
            f"no method {name!r} for {benchmark}",
            where="method",
            hint=("nearest: " + ", ".join(near)) if near else "known: " + ", ".join(found),
        )
    return found[name]


def _unusable(one: Plugin) -> InputError:
    return InputError(
        f"the {one.kind[:-1]} {one.name!r} cannot be used: {one.problem}",
        where=f"package {one.package or '?'}, {one.value}",
        hint="update or remove the package",
    )


def _find(kind: Kind, name: str) -> Any:
    there = {p.name: p for p in plugins(kind)}
    if name not in there:
        raise NotFoundError(
            f"no {kind[:-1]} {name!r}",
            where=kind[:-1],
            hint="installed: " + (", ".join(there) or "none; packages bring them"),
        )
    if there[name].problem:
        raise _unusable(there[name])
    return there[name].loaded


def find_retriever(name: str) -> Retriever:
    """Return a package's retriever by its name.

    Raises
    ------
    NotFoundError, InputError
        When there is none, or it cannot be used.
    """
    return cast("Retriever", _find("retrievers", name))


def find_textualizer(name: str) -> Textualizer:
    """Return a package's text form of graphs by its name.

    Raises
    ------
    NotFoundError, InputError
        When there is none, or it cannot be used.
    """
    return cast("Textualizer", _find("textualizers", name))
