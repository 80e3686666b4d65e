"""Every verb and every option of the command line is on its page, and in its help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from prandial import api
from prandial.cli import options
from prandial.cli.app import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text("utf-8")


def _verbs(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child, body in children.items():
        yield from _verbs(body, f"{name} {child}")


VERBS = dict(_verbs(typer.main.get_command(app), "prandial"))


def _sections(verb: str) -> str:
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    shared = [p for p in parts if p.startswith("Options of several verbs")]
    return "".join(
        [p for p in parts if p.startswith(verb)] + (shared if verb.endswith("estimate") else [])
    )


def test_the_verbs_are_those_of_the_page():
    assert set(VERBS) == {
        "prandial estimate", "prandial explain", "prandial doctor", "prandial errors",
        "prandial foods search",
        "prandial foods show", "prandial foods add", "prandial foods list",
    }  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_on_the_page_and_has_help(verb):
    section = _sections(verb)
    assert section, f"no section '## {verb}'"
    for parameter in VERBS[verb].params:
        if parameter.name == "help":
            continue
        assert parameter.help, (verb, parameter.name)
        if parameter.param_type_name == "argument":
            continue
        for spelling in (*parameter.opts, *parameter.secondary_opts):
            if spelling == "--no-user-foods" and not verb.endswith("estimate"):
                continue  # told once, among the options of several verbs
            assert spelling in section, (verb, spelling)


def test_help_names_the_real_defaults():
    assert options.DEFAULT_RELEASE == api.DEFAULT_RELEASE
    assert all(release in PAGE for release in api.RELEASES)
