"""The example of the page on user tables is run, and prints what the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import prandial
from prandial.nutrients import NUTRIENTS
from prandial.tables.user.columns import PLAIN_NAMES

PAGE = Path(__file__).parents[2] / "docs" / "user-tables.md"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_example_runs(tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    code = re.search(r"```bash\n(.*?)```", page, re.DOTALL)[1]
    expected = re.search(r"```text\n(.*?)```", page, re.DOTALL)[1]
    environ = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(Path(prandial.__file__).parents[1]),
        "PYTHONUTF8": "1",
    }
    done = subprocess.run(
        ["bash", "-c", code], cwd=tmp_path, env=environ, capture_output=True, encoding="utf-8"
    )
    assert done.stderr == ""
    assert done.stdout == expected


def test_every_plain_house_name_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    table = page.split("## The column map")[1].split("## Options")[0]
    named = set(re.findall(r"`([a-z_]+)`", table))
    assert set(PLAIN_NAMES) <= named
    assert {"carb_g", "sodium_mg"} <= named & set(NUTRIENTS)
