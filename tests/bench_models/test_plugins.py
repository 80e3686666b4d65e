"""Methods, retrievers and text forms of third parties, by entry points of installed packages."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from prandial.answer.ask import AskedModel
from prandial.answer.methods import Method
from prandial.answer.plugins import find_retriever, find_textualizer, plugins
from prandial.bench.graph_questions import graph_questions
from prandial.bench.kits import kit_of
from prandial.bench.methods import all_methods, method_named
from prandial.bench.questions import meal_questions
from prandial.bench.runner import BenchSettings, run_bench
from prandial.errors import InputError, NotFoundError

EXAMPLE = Path(__file__).with_name("example_plugin")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package as an installer leaves it, by its own ``pyproject.toml``."""
    target = tmp_path_factory.mktemp("site")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in project["entry-points"].items()
    ]
    distribution(target, project["name"].replace("-", "_"), project["name"], "\n".join(points))
    shutil.copytree(EXAMPLE / "src" / "tiny_methods", target / "tiny_methods")
    return target


def distribution(folder: Path, stem: str, name: str, points: str) -> None:
    info = folder / f"{stem}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(points)


@pytest.fixture
def tiny(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(installed))
    return installed


def test_nothing_is_there_without_the_package() -> None:
    assert "halves" not in all_methods("nutribench")[0]
    with pytest.raises(NotFoundError, match="no method 'halves'"):
        method_named("halves", "nutribench")


def test_methods_of_a_package_stand_beside_ours(tiny: Path) -> None:
    found, broken = all_methods("nutribench")
    assert {"base", "extract", "halves", "count_words"} <= set(found)
    assert broken == ()
    assert "halves" not in all_methods("ngqa")[0]
    assert [(p.name, p.package) for p in plugins("retrievers")] == [("pantry", "tiny-methods")]


def test_a_method_asks_with_a_retriever_and_options(tiny: Path, meals: Path) -> None:
    method = method_named("halves", "nutribench")
    kit = kit_of(method, options={"scale": "2"}, retriever="pantry")
    question = meal_questions(meals).questions[0]
    replies = iter(["10", "20"])
    model = AskedModel(lambda _: next(replies))
    replied = asyncio.run(method.run(question, model, kit))
    assert replied.value == 30.0
    assert "1 piece of a slice of toast wit has 12 g carb" in model.requests[0].user
    with pytest.raises(InputError, match="no option 'size'"):
        kit_of(method, options={"size": 1})
    with pytest.raises(InputError, match="'big' is no float"):
        kit_of(method, options={"scale": "big"})


def test_a_method_without_a_model_is_run_by_the_plain_loop(
    tiny: Path, meals: Path, tmp_path: Path
) -> None:
    settings = BenchSettings(benchmark="nutribench", model="", method="count_words", data=meals)
    run = run_bench(settings, tmp_path / "run", prandial_version="0")
    told = {p.question: p.reading.value for p in run.predictions.values()}
    assert told["meals-0"] == 60.0  # a slice of toast with butter
    assert len(told) == 12


def test_a_text_form_is_found(tiny: Path, build: Path) -> None:
    graph = graph_questions(build, limit=1).questions[0].row.graph  # type: ignore[union-attr]
    text = find_textualizer("shout")(graph)
    assert text == text.upper()
    assert text.count("\n") == len(graph.edges) - 1


def test_the_command_line_lists_them(installed: Path) -> None:
    paths = os.pathsep.join([str(installed), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "prandial", "bench", "methods", "nutribench", "--json"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = {r["method"]: r for r in json.loads(done.stdout)["methods"]}
    assert rows["halves"]["about"] == "asks twice and takes the middle"
    assert rows["halves"]["options"] == {"scale": 1.0}


def package(folder: Path, name: str, points: str, code: str = "") -> None:
    """Write a package of one module as an installer leaves it."""
    distribution(folder, name, name, points)
    (folder / f"{name}.py").write_text(code)


METHOD = """
from prandial.answer.methods import Method
M = Method(name={name!r}, benchmark="nutribench", about="", run=None)
"""


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        ("mine", "import a_package_that_is_not_there", "ModuleNotFoundError"),
        ("mine", "1 / 0", "ZeroDivisionError"),
        ("mine", "M = 3", "a int, not a prandial.answer.methods.Method"),
        ("mine", METHOD.format(name="other"), "its method 'other'"),
        ("base", METHOD.format(name="base"), "must take another name"),
    ],
)
def test_a_broken_package_stops_only_who_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: str, why: str
) -> None:
    module = f"broken_{abs(hash((name, code)))}"
    package(tmp_path, module, f"[prandial.methods]\n{name} = {module}:M\n", code)
    monkeypatch.syspath_prepend(str(tmp_path))
    found, broken = all_methods("nutribench")
    assert "cot" in found
    assert isinstance(found["base"], Method)
    ((one,),) = (broken,)
    assert (one.name, one.package) == (name, module)
    assert why in one.problem
    with pytest.raises(InputError) as caught:
        method_named(name, "nutribench")
    assert why in caught.value.what
    assert module in caught.value.where
    assert method_named("cot", "nutribench").name == "cot"


def test_a_name_that_two_packages_use_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one_pantry", "two_pantry"):
        points = f"[prandial.retrievers]\npantry = {name}:facts\n"
        package(tmp_path, name, points, "def facts(food, k):\n    return []\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="one_pantry, two_pantry all bring 'pantry'"):
        find_retriever("pantry")
    with pytest.raises(NotFoundError, match="no retriever 'shelf'"):
        find_retriever("shelf")
