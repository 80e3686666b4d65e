"""Questions for tests: meals of our own words, and rows of the published sample."""

from __future__ import annotations

from pathlib import Path

from prandial.quiz import facts_of, gold_of, question_text, read_published
from prandial.records.bench import GraphQuestion, MealQuestion, TaskName
from prandial.records.quiz import FoodFacts, PersonFacts, QuizRow

LEVELS = {"easy": "sparse", "medium": "standard", "hard": "complex"}


def meal(text: str, label: float = 0.0, **more) -> MealQuestion:
    given = {"id": f"m-{text[:20]}", "nutrient": "carb_g", "group": text} | more
    return MealQuestion(text=text, label=label, **given)


def sample(shared_dir: Path, task: TaskName = "B") -> list[tuple[GraphQuestion, dict[str, str]]]:
    """Return the 50 real rows of the published benchmark with their published answers."""
    found = []
    for row in read_published(shared_dir / "data/ngqa/ngqa_benchmark_sample50.csv").rows:
        food, person = facts_of(row.graph)
        quiz = QuizRow(
            level=LEVELS[row.texts["difficulty"]],
            food=food,
            person=person,
            graph=row.graph,
            gold=gold_of(row.graph),
        )
        found.append((asked(quiz, task, id=f"s-{row.row}-{task}"), row.texts))
    return found


def asked(row: QuizRow, task: TaskName, **more) -> GraphQuestion:
    given = {"id": f"q-{task}", "mode": "published", "rules": "as-published"} | more
    return GraphQuestion(
        text=question_text(task, row.food.name, rules=given["rules"]), task=task, row=row, **given
    )


def row_of(
    food_tags: tuple[str, ...],
    statuses: tuple[str, ...],
    *,
    mode: str = "published",
    rules: str = "as-published",
    unknown: tuple[str, ...] = (),
    code: int = 58150530,
) -> QuizRow:
    from prandial.graph.question import question_graph
    from prandial.quiz import gold_of_facts

    food = FoodFacts(
        code=code, name="Stew", category="Soups", ingredients=(), tags=food_tags, unknown=unknown
    )
    person = PersonFacts(person=21005, statuses=statuses)
    return QuizRow(
        level="sparse",
        food=food,
        person=person,
        graph=question_graph(food, person, rules=rules, mode=mode),
        gold=gold_of_facts(food, person, rules=rules),
    )
