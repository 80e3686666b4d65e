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


PARTS = re.split(r"^## ", PAGE, flags=re.MULTILINE)
#: sections of options that several verbs take -> those verbs
SHARED = {
    "Options of several verbs": ("prandial estimate",),
    "Options of bench run, cost and export lm-eval": (
        "prandial bench run", "prandial bench cost", "prandial bench export lm-eval",
    ),
}  # fmt: skip


def _sections(verb: str) -> str:
    shared = [p for p in PARTS for name, verbs in SHARED.items() if verb in verbs and
              p.startswith(f"{name}\n")]  # fmt: skip
    return "".join([p for p in PARTS if p.startswith(verb)] + shared)


def test_the_verbs_are_those_of_the_page():
    assert set(VERBS) == {
        "prandial estimate", "prandial explain", "prandial doctor", "prandial errors",
        "prandial foods search",
        "prandial foods show", "prandial foods add", "prandial foods list",
        "prandial data get", "prandial data list", "prandial people show", "prandial people stats",
        "prandial ngqa build", "prandial ngqa stats", "prandial ngqa show", "prandial ngqa check",
        "prandial ngqa review export", "prandial ngqa review import", "prandial ngqa review apply",
        "prandial graph export",
        "prandial suits",
        "prandial risk simulate", "prandial risk assess", "prandial risk patients",
        "prandial bench run", "prandial bench cost", "prandial bench methods",
        "prandial bench import", "prandial bench get", "prandial bench score",
        "prandial bench compare", "prandial bench report", "prandial bench people export",
        "prandial bench people import", "prandial bench people figures",
        "prandial bench export lm-eval",
        "prandial models pull", "prandial models list", "prandial models remove",
        "prandial nutribench build", "prandial nutribench stats", "prandial nutribench verify",
        "prandial nutribench map", "prandial nutribench review export",
        "prandial nutribench review import", "prandial retrieve", "prandial facts build",
        "prandial finetune rows", "prandial finetune train", "prandial finetune reply",
        "prandial finetune merge", "prandial finetune gguf", "prandial finetune launch",
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


def _named(text: str) -> set[str]:
    """Return the options in the first cells of a page's tables."""
    told = re.findall(r"^\| (`-[^|]*) \|", text, flags=re.MULTILINE)
    return {o for cell in told for o in re.findall(r"--?[A-Za-z][a-z0-9-]*", cell)}


@pytest.mark.parametrize("verb", VERBS)
def test_options_that_the_page_lists_exist(verb):
    """A section's table names no option that its verb lacks."""
    there = {o for p in VERBS[verb].params for o in (*p.opts, *p.secondary_opts)}
    assert _named("".join(p for p in PARTS if p.startswith(verb))) <= there
    if verb.startswith("prandial bench"):
        assert _named(_sections(verb)) <= there


@pytest.mark.parametrize(
    "folder", ["prandial", "prandial data", "prandial people", "prandial ngqa",
               "prandial ngqa review", "prandial graph", "prandial foods", "prandial risk",
               "prandial bench", "prandial bench people", "prandial bench export",
               "prandial models", "prandial nutribench", "prandial nutribench review",
               "prandial facts", "prandial finetune"],
)  # fmt: skip
def test_a_noun_alone_prints_its_help(command, folder):
    done = command(*folder.split()[1:])
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: {folder} ")


def test_help_names_the_real_defaults():
    assert options.DEFAULT_RELEASE == api.DEFAULT_RELEASE
    assert all(release in PAGE for release in api.RELEASES)
