"""A model as a plain callable: variants, the draw, repair, and what cannot be read."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.compose.describe.made import BREAKFAST, meal

from prandial.compose.describe import (
    Prompts,
    describe_by_model,
    describe_meal,
    read_variants,
)
from prandial.errors import InputError, ModelError

GOOD = [describe_meal(BREAKFAST, serving_type="metric", seed=k).text for k in range(5)]
BAD = "For breakfast I had 366g of milk and two eggs."


class Fake:
    """Replies in turn, and keeps what it was asked."""

    def __init__(self, *replies: object) -> None:
        self.replies, self.asked = list(replies), []

    def __call__(self, prompt: str) -> str:
        self.asked.append(prompt)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, str) else json.dumps({"descriptions": reply})


def run(fake, **more):
    return asyncio.run(describe_by_model(BREAKFAST, fake, serving_type="metric", **more))


def test_one_of_five_is_drawn_by_the_seed() -> None:
    drawn = {run(Fake(GOOD), seed=s).described.text for s in range(30)}
    assert drawn == set(GOOD)
    again = [run(Fake(GOOD), seed=4).described.text for _ in range(2)]
    assert again[0] == again[1]
    made = run(Fake(GOOD), by="some-model")
    assert (made.status, made.asked, made.repaired) == ("described", 1, 0)
    assert sorted((made.described.text, *made.described.variants)) == sorted(GOOD)
    assert made.described.by == "some-model"


def test_variants_that_fail_are_not_drawn() -> None:
    for seed in range(8):
        assert run(Fake([BAD, BAD + " ", GOOD[1]]), seed=seed).described.text == GOOD[1]


def test_repair_is_told_what_is_missing() -> None:
    fake = Fake([BAD], [GOOD[0]])
    made = run(fake)
    assert (made.status, made.asked, made.repaired) == ("described", 2, 1)
    assert BAD in fake.asked[1]
    assert "Bread, whole wheat, toasted (29 g) is not named" in fake.asked[1]


def test_repair_ends() -> None:
    made = run(Fake([BAD], [BAD], "no"), tries=2)
    assert (made.status, made.asked) == ("faulty", 3)
    assert not made.verification.passed
    assert run(Fake([BAD]), tries=0).asked == 1


@pytest.mark.parametrize(
    "reply", ["", "I cannot do that.", '{"descriptions": []}', "[1, 2]", "{" * 9]
)
def test_unreadable_replies_are_a_status(reply: str) -> None:
    made = run(Fake(reply))
    assert (made.status, made.described, made.replies) == ("unreadable", None, (reply,))


def test_a_model_that_fails_is_a_status() -> None:
    made = run(Fake(ModelError("no answer", where="model")))
    assert made.status == "failed"
    assert "no answer" in made.reason


def test_async_callables() -> None:
    async def ask(prompt: str) -> str:
        await asyncio.sleep(0)
        return json.dumps(GOOD)

    assert run(ask).status == "described"


def test_the_prompt_holds_the_items_as_data() -> None:
    fake = Fake(GOOD)
    run(fake)
    assert '"food": "Milk, reduced fat (2%)"' in fake.asked[0]
    assert '"amount": "366 g"' in fake.asked[0]
    assert "{{" not in fake.asked[0]
    own = Prompts(describe="Say {{items}} {{other}}", repair="")
    fake = Fake(GOOD)
    run(fake, prompts=own)
    assert fake.asked[0].startswith("Say [")
    assert fake.asked[0].endswith("{{other}}")


@pytest.mark.parametrize(
    "reply",
    [
        '{"descriptions": ["a b", "c"]}',
        'Here you are:\n```json\n["a  b", "c"]\n```',
        'Sure {x} [{"description": "a b"}, {"text": "c"}] done',
        '<think>{"a": 1}</think>{"descriptions": ["a b", "c", "c"]}',
    ],
)
def test_replies_read(reply: str) -> None:
    assert read_variants(reply) == ["a b", "c"]


def test_what_cannot_be_asked() -> None:
    with pytest.raises(InputError):
        asyncio.run(describe_by_model(meal(), Fake(), serving_type="metric"))
