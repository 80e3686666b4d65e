"""Prompts: golden texts, the matched set alike for all methods, the published set as published."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.answer.graphs.asked import made_question, run

from prandial.answer.graphs import METHODS
from prandial.answer.texts import Prompts, prompt_names

GOLDEN = Path(__file__).parent / "golden"
ASKING = [name for name, method in METHODS.items() if method.asks]
FRAMES = ("plain", "cot_zero", "cot_zero_two_stage", "cot_bag", "tog")


def said(method: str, wording: str, task: str = "B") -> list[str]:
    """Every message of a run: system, user."""
    # a graph as small as can be, so that the golden files can be read
    question = made_question(
        task, tags=("low_carb",), statuses=("diabetes",), ingredients=(), habits=()
    )
    options = {"wording": wording, "prune_from": 1, "width": 1, "depth": 2}
    _, model = run(method, question, lambda _: "1", options)
    return [f"[{r.name}] {r.system}\n\n{r.user}" for r in model.requests]


@pytest.mark.parametrize("wording", ["matched", "published"])
@pytest.mark.parametrize("method", FRAMES)
def test_prompts_are_the_golden_ones(method, wording):
    """Change a prompt on purpose, read the difference, then write the file anew."""
    told = []
    for task in ("B", "ML", "TG"):
        told += [f"##### {task}", *said(method, wording, task)]
    golden = GOLDEN / f"{method}_{wording}.txt"
    assert "\n\n".join(told) + "\n" == golden.read_text(encoding="utf-8")


def test_the_matched_set_treats_all_methods_alike():
    hint = Prompts()["ngqa_matched_hint"].strip()
    for task in ("B", "ML", "TG"):
        ends = set()
        for method in ASKING:
            last = said(method, "matched", task)[-1]
            assert last.count(hint) == 1
            assert "step by step" in last or "reason briefly" in last
            ends.add(last[last.index("Your last line must be") :])
        assert len(ends) == 1  # one form of the answer for all


def test_the_matched_form_is_no_answer_that_can_be_copied():
    """A small model said the example of the form back, to every question."""
    for task in ("ML", "TG"):
        last = said("plain", "matched", task)[-1]
        form = last[last.index("Your last line must be") :].partition("one of:")[2]
        assert not re.search(r"\b(?:low|high)(?:_| in )[a-z]", form)


def test_the_published_set_is_confounded_as_it_was():
    for method in ASKING:
        for task in ("B", "ML", "TG"):
            last = said(method, "published", task)[-1]
            thinking = method.startswith("cot")
            assert ("step by step" in last) == thinking
            assert ("too strictly" in last) == thinking  # only chain of thought is told so
            assert "no general knowledge" in last
            assert "last line" not in last
            only = {"B": "with Yes or No only", "ML": "of tags only", "TG": "Yes or No, followed"}
            assert only[task] in last
    longer = len(said("cot_bag", "published")[-1]) - len(said("cot_zero", "published")[-1])
    assert longer > 0


def test_published_order_is_question_method_graph_task():
    for method in ("plain", "cot_zero"):
        user = said(method, "published")[-1].partition("\n\n")[2]
        parts = ("Based on", "Use nothing but", "(Lentil pie belongs to", "Reply with")
        at = [user.index(p) for p in parts]
        assert at == sorted(at)
        assert at[0] == 0


@pytest.mark.parametrize("method", ["plain", "kaping_published", "cot_zero", "cot_bag"])
def test_tasks_share_the_start_of_a_matched_prompt(method):
    """A server that keeps prefixes computes the graph once for the three tasks."""
    firsts = [said(method, "matched", task)[0] for task in ("B", "ML", "TG")]
    shared = firsts[0][: firsts[0].index("Based on")]
    assert "(Lentil pie" in shared or "node Lentil pie" in shared
    assert all(f.startswith(shared) for f in firsts)


def test_prompts_named_are_prompts_shipped_and_used():
    ours = {n for n in prompt_names() if n.startswith("ngqa_")}
    assert ours == {p for m in METHODS.values() for p in m.prompts}
    for method in METHODS.values():
        assert len(set(method.prompts)) == len(method.prompts)
        assert len(Prompts().hashes(*method.prompts)) == len(method.prompts)


class Watched(Prompts):
    """Prompts that remember which were read."""

    def __init__(self):
        super().__init__()
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)


def test_a_method_reads_no_prompt_that_it_does_not_name():
    import asyncio

    from prandial.answer.ask import AskedModel
    from prandial.answer.methods import Kit

    for method in METHODS.values():
        watched = Watched()
        for rules in ("as-published", "default"):
            for task in ("B", "ML", "TG"):
                for wording in ("matched", "published"):
                    kit = Kit(prompts=watched, options={"wording": wording})
                    question = made_question(task, rules=rules)
                    asyncio.run(method.run(question, AskedModel(lambda _: "1"), kit))
        assert watched.read == set(method.prompts)


def test_a_users_prompt_stands_in(tmp_path):
    import asyncio

    from prandial.answer.ask import AskedModel
    from prandial.answer.methods import Kit

    mine = tmp_path / "mine.txt"
    mine.write_text("Say yes. {{graph}} {{question}}", encoding="utf-8")
    model = AskedModel(lambda _: "yes")
    kit = Kit(prompts=Prompts({"ngqa_matched_plain": mine}))
    asyncio.run(METHODS["plain"].run(made_question(), model, kit))
    assert model.requests[0].user.startswith("Say yes. (Lentil pie belongs to Pies)")
