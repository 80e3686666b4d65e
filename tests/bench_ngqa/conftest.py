"""Builds of one real cycle, made once; tests only read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import prandial

CYCLE = "2017-2018"


@pytest.fixture(scope="session")
def root(shared_dir: Path) -> Path:
    return shared_dir / "data"


@pytest.fixture(scope="session")
def default_build(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bench") / "default"
    prandial.build_ngqa(out, root=root, cycles=[CYCLE], per_food=(1, 1, 1), graph="published")
    return out


@pytest.fixture(scope="session")
def published_build(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bench") / "published"
    prandial.build_ngqa(out, root=root, cycles=[CYCLE], per_food=(1, 1, 1), rules="as-published")
    return out


@pytest.fixture
def linked(root: Path, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that makes a root of links to one cycle, with tables left out."""

    def make(*without: str) -> Path:
        made = tmp_path / "root"
        (made / "nhanes" / CYCLE).mkdir(parents=True)
        (made / "nhanes" / "all-cycles").symlink_to(root / "nhanes" / "all-cycles")
        (made / "foods").symlink_to(root / "foods")
        for file in (root / "nhanes" / CYCLE).iterdir():
            if file.name.split(".")[0].removesuffix("_J") not in without:
                (made / "nhanes" / CYCLE / file.name).symlink_to(file)
        return made

    return make
