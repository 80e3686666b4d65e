"""Two methods for meals: one asks a model twice and takes the middle, one asks none."""

from prandial.answer.ask import Ask, Request
from prandial.answer.methods import Kit, Method
from prandial.records.bench import MealQuestion, Replied

__all__ = ["HALVES", "count_words"]


async def _halves(question: MealQuestion, ask: Ask, kit: Kit) -> Replied:
    facts = kit.retriever(question.text, 2) if kit.retriever else ()
    prompt = f"{question.text}\n{'; '.join(facts)}\nGrams of carbohydrate, a number only:"
    calls = [await ask(Request(name=f"try {n}", user=prompt, max_tokens=8)) for n in (1, 2)]
    middle = sum(float(c.reply) for c in calls) / 2
    return Replied(
        text=" / ".join(c.reply for c in calls),
        calls=tuple(calls),
        value=middle * kit.options["scale"],
        detail={"facts": list(facts)},
    )


HALVES = Method(
    name="halves",
    benchmark="nutribench",
    about="asks twice and takes the middle",
    run=_halves,
    options={"scale": 1.0},
)


async def _count(question: MealQuestion, ask: Ask, kit: Kit) -> Replied:
    return Replied(text="", value=10.0 * len(question.text.split()))


def count_words() -> Method:
    """Ten grams a word."""
    return Method(
        name="count_words",
        benchmark="nutribench",
        about="ten grams a word",
        run=_count,
        asks=False,
    )
