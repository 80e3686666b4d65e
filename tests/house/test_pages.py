"""The pages are true: examples run, links lead somewhere, the shown output is current."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest
from tests.house import readme

import prandial

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(p for p in ROOT.glob("docs/**/*.md") if "data" not in p.parts)]
)
_PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
_LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)\)")


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _examples(page: Path) -> list[str]:
    return [b for b in _PYTHON.findall(page.read_text("utf-8")) if ">>>" in b]


@pytest.mark.parametrize("page", [p for p in PAGES if _examples(p)], ids=_name)
def test_examples_print_what_the_page_says(page: Path) -> None:
    blocks = "\n".join(_examples(page))
    example = doctest.DocTestParser().get_doctest(blocks, {}, _name(page), str(page), 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(example, out=told.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(told)


def test_readme_and_pages_have_examples() -> None:
    assert {"README.md", "docs/index.md", "docs/errors.md"} <= {
        _name(p) for p in PAGES if _examples(p)
    }


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = _LINK.findall(page.read_text("utf-8"))
    assert [t for t in targets if not (page.parent / t).exists()] == []


def test_readme_shows_the_current_output(tmp_path: Path) -> None:
    assert readme.shown() == readme.run_demo(tmp_path), "run: make docs"


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_pages_say_what_prandial_is_not(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert "no dosing advice" in text
    assert "no diagnosis" in text


def test_every_public_function_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    functions = [n for n in prandial.__all__ if callable(getattr(prandial, n)) and n.islower()]
    assert len(functions) >= 10
    assert [n for n in functions if n not in text] == []


def test_every_error_is_on_its_page() -> None:
    from prandial import errors

    table = (ROOT / "docs" / "errors.md").read_text("utf-8")
    for name in errors.__all__:
        kind = getattr(errors, name)
        assert f"| `{name}` | {kind.exit_code} | {kind.http_status} |" in table


@pytest.mark.parametrize("name", ["prandial", "prandial.api.estimates"])
def test_examples_of_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0
