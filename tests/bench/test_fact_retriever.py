"""A folder of facts as the bench's retriever: nutrient and servings told, named in the record."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.compose.facts_at_hand import two_releases

from prandial.answer.meals.retrieved import retriever_of
from prandial.answer.meals.settings import Settings
from prandial.answer.methods import FactRetriever, Kit
from prandial.answer.texts import Prompts
from prandial.bench.fact_retriever import facts_retriever
from prandial.bench.kits import kit_of
from prandial.bench.methods import shipped_methods
from prandial.compose.facts import build_facts
from prandial.compose.index import build_index
from prandial.errors import MissingDataError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build_facts(two_releases(tmp_path), tmp_path / "facts")
    build_index(tmp_path / "facts")
    return tmp_path / "facts"


def test_facts_are_told_for_nutrient_and_servings_of_the_method(folder: Path) -> None:
    retriever = facts_retriever(folder)
    assert isinstance(retriever, FactRetriever)
    assert "".join(retriever("a cup of banana", 1)) == (
        "Banana, raw: 1 cup, sliced (150 g) has 34.1 g carbohydrates;"
        " 1 banana (126 g) has 28.6 g carbohydrates; 100 g has 22.7 g carbohydrates"
    )
    kit = Kit(prompts=Prompts({}), retriever=retriever)
    settings = Settings({"servings": 1, "retriever": "auto", "release": ""}, {})
    asked = retriever_of(kit, settings, "energy_kcal")
    assert "".join(asked("banana", 1)) == (
        "Banana, raw: 1 banana (126 g) has 126 kcal energy; 100 g has 100 kcal energy"
    )
    assert list(retriever("xylophone", 3)) == []


def test_a_folder_is_named_by_its_prefix(folder: Path) -> None:
    rag = next(m for m in shipped_methods("nutribench") if m.name == "rag")
    kit = kit_of(rag, retriever=f"facts:{folder}")
    assert kit.retriever is not None
    assert "portions, 5 foods" in kit.retriever.id  # type: ignore[attr-defined]
    with pytest.raises(MissingDataError):
        kit_of(rag, retriever=f"facts:{folder.parent}")
