"""Arguments of Inspect's tasks: what a task does not know is refused, not dropped."""

from __future__ import annotations

import pytest

pytest.importorskip("inspect_ai", reason="INSPECT ABSENT: pip install 'prandial[bench]'")

from inspect_ai._util.error import PrerequisiteError

from prandial.bench.tasks.ngqa import ngqa
from prandial.bench.tasks.nutribench import nutribench


@pytest.mark.parametrize("task", [nutribench, ngqa])
def test_mistyped_argument_is_refused(task):
    with pytest.raises(PrerequisiteError, match=r"'lmit'.*did you mean limit\?"):
        task(data="absent.csv", lmit=3)


def test_argument_like_none_lists_what_there_is():
    with pytest.raises(PrerequisiteError, match=r"'zzz'.*known: data, nutrient, method") as caught:
        nutribench(zzz=1)
    assert "unknown" not in str(caught.value).partition("known:")[2]


def test_what_inspect_hands_on_by_itself_is_let_through():
    with pytest.raises(PrerequisiteError, match=r"absent\.csv"):
        nutribench(data="absent.csv", model="mockllm/model")
