"""The index of facts: BM25 and vectors against slow versions, fusion by hand, faults."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.compose.facts_at_hand import two_releases

from prandial.compose.facts import build_facts
from prandial.compose.index import Fusing, Weighting, build_index, open_index
from prandial.compose.index.embedded import KeptVectors
from prandial.compose.index.fusing import fuse
from prandial.compose.index.lexical import best_of, build_lexical, open_lexical
from prandial.compose.index.spoken import without_amounts
from prandial.compose.index.terms import terms_of
from prandial.compose.index.vectors import build_vectors, open_vectors
from prandial.errors import (
    ChecksumError,
    InputError,
    MissingDataError,
    SchemaError,
)

NAMES = (
    "Rice, brown, cooked, no added fat",
    "Black beans and brown rice",
    "Rice flour, brown",
    "Banana, raw",
    "Milk, whole",
    "MILK CHOCOLATE BARS, MILK",
    "BROWN RICE",
)
FIRST_LABEL = 5


class Letters:
    """An encoder for tests: counts of letters, as a unit vector."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked += texts
        rows = np.array([[t.count(chr(97 + i)) for i in range(26)] for t in texts], np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def test_terms_are_lower_case_singular_and_plain() -> None:
    said = "Crêpes with 2% milk, McDonald's FRIES & potatoes; berries, glass, 7-UP, cheeses"
    assert terms_of(said) == (
        "crepe with 2 milk mcdonald fry potato berry glass 7 up cheese".split()
    )
    assert terms_of("") == []


@pytest.mark.parametrize("piece", ["1", "1 ", "a ", "half-", "1/", "1.", "small ", "dozen"])
def test_long_runs_of_numbers_take_no_time(piece: str) -> None:
    """Linear: what took a minute at 24 figures is done at 50,000 (a test that hangs fails)."""
    without_amounts(piece * (50_000 // len(piece)))
    assert without_amounts(piece * 40 + " cups of rice")


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("2 cups of brown rice", "brown rice"),
        ("100g DARK CHOCOLATE CACAO", "DARK CHOCOLATE CACAO"),
        ("90.0g of CASEY'S gummi candy", "CASEY'S gummi candy"),
        ("100g serving of POWER UP JAVA", "POWER UP JAVA"),
        ("half a cup of strawberry drink syrup", "strawberry drink syrup"),
        ("a packet of ramen noodle soup", "ramen noodle soup"),
        ("1 1/2 oz top loin steak", "top loin steak"),
        ("8 fl oz lemonade", "lemonade"),
        ("2% milk", "2% milk"),
        ("7-Up", "7-Up"),
        ("a banana", "a banana"),
        ("3 large eggs", "3 large eggs"),
        ("1 cup", "1 cup"),
        ("pancake", "pancake"),
    ],
)
def test_amounts_leave_a_query(query: str, left: str) -> None:
    assert without_amounts(query) == left


def slow_bm25(names: Sequence[str], query: str, weighting: Weighting) -> list[float]:
    """Textbook BM25."""

    def counted(name: str) -> dict[str, float]:
        counts: dict[str, float] = {}
        for term in terms_of(name):
            counts[term] = counts.get(term, 0.0) + 1.0
        return counts

    documents = [counted(n) for n in names]

    def idf(term: str, among: Sequence[dict[str, float]]) -> float:
        within = sum(term in d for d in among)
        return math.log(1 + (len(among) - within + 0.5) / (within + 0.5))

    kinds = [documents[:FIRST_LABEL], documents[FIRST_LABEL:]]
    lengths = []
    for kind in kinds:
        own = [sum(d.values()) for d in kind]
        lengths += [n / (sum(own) / len(own)) for n in own]
    scores = []
    for document, length in zip(documents, lengths, strict=True):
        total = 0.0
        for term in set(terms_of(query)):
            f = document.get(term, 0.0)
            norm = weighting.k1 * (1 - weighting.b + weighting.b * length)
            total += idf(term, documents) * f * (weighting.k1 + 1) / (f + norm)
        scores.append(total)
    return scores


def test_bm25_agrees_with_a_slow_version(tmp_path: Path) -> None:
    weighting = Weighting(k1=1.3, b=0.6, other=0.0)
    build_lexical(NAMES, [""] * 7, tmp_path, first_label=FIRST_LABEL, weighting=weighting)
    index = open_lexical(tmp_path, len(NAMES))
    for query in ("brown rice", "milk", "raw bananas", "rice rice flour", "cooked brown beans"):
        slow = slow_bm25(NAMES, query, weighting)
        foods, scores = index.search(query, 10)
        assert sorted(foods.tolist()) == [i for i, s in enumerate(slow) if s > 0]
        assert scores == pytest.approx([slow[f] for f in foods], rel=1e-5)
        assert all(a >= b for a, b in pairwise(scores))
    assert len(index.search("xylophone", 5)[0]) == 0


def test_other_names_are_found_by_their_weight(tmp_path: Path) -> None:
    others = ["basmati; arroz"] + [""] * 6
    for other, found in ((0.5, [0]), (0.0, [])):
        weighting = Weighting(other=other)
        build_lexical(NAMES, others, tmp_path, first_label=FIRST_LABEL, weighting=weighting)
        assert open_lexical(tmp_path, len(NAMES)).search("arroz", 5)[0].tolist() == found


def test_best_of_keeps_order_of_equal_scores() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        scores = rng.integers(0, 6, rng.integers(0, 30)).astype(np.float32)
        k = int(rng.integers(1, 12))
        slow = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]
        assert best_of(scores, k).tolist() == slow


def test_fused_ranks_by_hand() -> None:
    fusing = Fusing(constant=60, lexical=1.0, vector=1.0, label=1.0)
    found = fuse([5, 7], [7, 9], fusing, first_label=100)
    assert [f.food for f in found] == [7, 5, 9]
    assert found[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert (found[1].lexical_rank, found[1].vector_rank) == (1, None)
    assert (found[2].score, found[2].vector_rank) == (pytest.approx(1 / 62), 2)
    # one place in each list, equal scores: what words found comes first
    assert [f.food for f in fuse([4], [3], fusing, first_label=100)] == [4, 3]
    # foods from 6 have no vectors: words' place counts twice, 2/62 of 7 before 1/61 of 4
    found = fuse([4, 7], [3], fusing, first_label=6, with_vectors=6)
    assert [(f.food, f.vector_rank) for f in found] == [(7, None), (4, None), (3, 1)]
    low = Fusing(constant=60, label=0.5)
    assert [f.food for f in fuse([7, 5], [7, 5], low, first_label=6)] == [5, 7]


def unit(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float16]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)


def test_vectors_agree_with_plain_cosines(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    # a few directions tell most, as with names
    rows = unit(rng.normal(size=(6000, 96)) * np.geomspace(1, 0.02, 96))
    build_vectors(rows, tmp_path)
    index = open_vectors(tmp_path)
    queries = unit(rng.normal(size=(30, 96)) * np.geomspace(1, 0.02, 96)).astype(np.float32)
    same = 0
    for query in queries:
        plain = rows.astype(np.float32) @ query
        slow = np.argsort(-plain, kind="stable")[:10]
        whole, scores = index.search(query, 10, exact=True)
        assert scores == pytest.approx(plain[whole], abs=0.01)  # int8
        assert len(set(whole.tolist()) & set(slow.tolist())) >= 8
        quick, _ = index.search(query, 10)
        same += len(set(quick.tolist()) & set(whole.tolist()))
    assert same >= 295


def test_embedding_goes_on_where_it_broke_off(tmp_path: Path) -> None:
    first, texts = Letters(), [f"food {chr(97 + i % 26)}{i}" for i in range(9000)]

    class BrokenError(Exception):
        pass

    def stop(done: int, of: int) -> None:
        if done >= 4096:
            raise BrokenError

    kept = KeptVectors(tmp_path, "letters")
    with pytest.raises(BrokenError):
        kept.fill(texts, first, stop)
    assert len(first.asked) == 4096
    (next(tmp_path.glob("*")) / "part-00001.npy").write_bytes(b"half a file")  # no texts: no part
    second, told = Letters(), []
    again = KeptVectors(tmp_path, "letters")
    assert again.fill(texts, second, lambda d, n: told.append((d, n))) == 9000 - 4096
    assert not set(first.asked) & set(second.asked)
    assert told == [(4096, 4904), (4904, 4904)]
    assert again.of(texts[:50]).astype(np.float32) == pytest.approx(first(texts[:50]), abs=1e-3)
    third = Letters()
    assert KeptVectors(tmp_path, "letters").fill([t.upper() for t in texts], third) == 0
    assert KeptVectors(tmp_path, "another").fill(texts[:3], third) == 3


def made(folder: Path, embed: Letters | None = None) -> Path:
    build_facts(two_releases(folder), folder / "facts")
    build_index(folder / "facts", embed=embed, encoder="letters" if embed else "")
    return folder / "facts"


def test_foods_are_found_by_words_by_vectors_and_by_both(tmp_path: Path) -> None:
    embed = Letters()
    folder = made(tmp_path, embed)
    index = open_index(folder, embed=embed, encoder="letters", verify=True)
    found = index.retrieve("2 cups of brown rice", 3, how="lexical")
    assert found[0].food.name == "Rice, brown, cooked, no added fat"
    assert found[0].food.sources[0].id == "56205101"
    assert found[0].food.fdc_ids == (2708001, 2342001)
    assert (found[0].lexical_rank, found[0].vector_rank) == (1, None)
    # no word in common, nearly the same letters
    near = index.retrieve("delemona", 1, how="vector")[0]
    assert near.food.name == "Lemonade"
    assert near.score == pytest.approx(1.0, abs=0.01)
    both = index.retrieve("banana raw", 10)
    assert {f.food.name for f in both[:2]} == {"Banana, raw", "BANANA, RAW"}
    assert both[0].food.kind == "reference"
    assert both[0].vector_rank is not None
    assert index.retrieve("  ", 3) == ()
    assert [f.food.name for f in index.retrieve("older fat not added", 1)] == [
        "Rice, brown, cooked, no added fat"
    ]


@pytest.mark.parametrize(
    "query",
    [
        'NEAR("banana", 3) OR raw*',
        "'); DROP TABLE foods; --banana",
        '"banana',
        "banana " * 1500,
        "\u0000banana\u202e",
        "ＢＡＮＡＮＡ",
    ],
)
def test_a_query_is_words_and_nothing_else(tmp_path: Path, query: str) -> None:
    """No operator, quote or length means more than the words that stand in it."""
    index = open_index(made(tmp_path))
    assert "banana" in index.retrieve(query, 1)[0].food.name.lower()


@pytest.mark.parametrize("query", ["", " ", '"*"', "香蕉", "банан", "🍌", "موز"])
def test_nothing_known_finds_nothing(tmp_path: Path, query: str) -> None:
    assert open_index(made(tmp_path)).retrieve(query) == ()


def test_vectors_of_reference_foods_leave_labels_to_words(tmp_path: Path) -> None:
    embed = Letters()
    build_facts(two_releases(tmp_path), tmp_path / "facts")
    build_index(tmp_path / "facts", embed=embed, encoder="letters", vectors_of="reference")
    index = open_index(tmp_path / "facts", embed=embed, encoder="letters")
    assert len(embed.asked) == 3
    near = index.retrieve("cereal", 10, how="vector")
    assert {f.food.kind for f in near} == {"reference"}
    assert len(near) == 3
    assert index.retrieve("cereal", 1)[0].food.name == "CEREAL"
    with pytest.raises(InputError, match="no vectors of"):
        build_index(tmp_path / "facts", vectors_of="some")  # type: ignore[arg-type]


def test_without_an_encoder_words_alone(tmp_path: Path) -> None:
    index = open_index(made(tmp_path))
    assert index.retrieve("cereal")[0].food.name == "CEREAL"
    assert "portions, 5 foods, sha256:" in index.id
    with pytest.raises(MissingDataError, match="no vectors"):
        index.retrieve("cereal", how="vector")
    with pytest.raises(InputError):
        index.retrieve("cereal", 0)
    with pytest.raises(InputError):
        index.retrieve("cereal", how="magic")  # type: ignore[arg-type]


def test_faults_of_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no table of facts"):
        open_index(tmp_path)
    embed = Letters()
    with pytest.raises(InputError, match="without an id"):
        build_index(tmp_path, embed=embed)
    build_facts(two_releases(tmp_path), tmp_path / "bare")
    with pytest.raises(MissingDataError, match="have no index"):
        open_index(tmp_path / "bare")
    folder = made(tmp_path, embed)
    with pytest.raises(InputError, match="encoder"):
        open_index(folder, embed=embed, encoder="another")
    with pytest.raises(MissingDataError, match="no encoder"):
        open_index(folder).retrieve("rice", how="fused")
    lines = (folder / "foods.jsonl").read_bytes()
    (folder / "foods.jsonl").write_bytes(lines.replace(b"Banana", b"Ananas"))
    open_index(folder)
    with pytest.raises(ChecksumError):
        open_index(folder, verify=True)
    (folder / "foods.jsonl").write_bytes(lines + b"{}")
    with pytest.raises(ChecksumError):
        open_index(folder)
    (folder / "foods.jsonl").unlink()
    with pytest.raises(MissingDataError, match=r"foods\.jsonl is missing"):
        open_index(folder)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps(card | {"layout": 99}), encoding="utf-8")
    with pytest.raises(SchemaError, match="another layout"):
        open_index(folder)
    (folder / "card.json").write_text("{", encoding="utf-8")
    with pytest.raises(SchemaError, match="not a card"):
        open_index(folder)


@pytest.mark.parametrize(
    "said",
    [
        {"form": "poem"},
        {"index": {"foods": 3, "first_label": "x", "encoder": ""}},
        {"index": {"foods": -3, "first_label": 0, "encoder": ""}},
        {"index": {"foods": 3, "first_label": 0, "encoder": None}},
        {"index": {"foods": 3}},
        {"index": "all of them"},
        {"files": ["facts.parquet"]},
        {"files": {"facts.parquet": {"bytes": "many", "sha256": "0"}}},
        {"files": {"facts.parquet": {"bytes": 1, "sha256": "0"}, "../x": {"bytes": 1}}},
    ],
)
def test_a_card_that_was_changed_is_refused(tmp_path: Path, said: dict[str, object]) -> None:
    folder = made(tmp_path, Letters())
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps(card | said), encoding="utf-8")
    with pytest.raises(SchemaError, match="card") as caught:
        open_index(folder)
    assert "prandial facts build" in caught.value.hint


def test_a_matcher_of_everyday_words_is_heard(tmp_path: Path) -> None:
    """Words find the flour first; the matcher knows that the rice is meant."""
    fused = fuse([7, 1, 2], [], Fusing(constant=20, lexical=8, known=4), first_label=9, known=[2])
    scores = {f.food: f.score for f in fused}
    assert scores[2] == pytest.approx(8 / 23 + 4 / 21)
    assert scores[7] == pytest.approx(8 / 21)
    assert [f.food for f in fused] == [2, 7, 1]
    alone = fuse([], [], Fusing(constant=20, known=4), first_label=9, known=[5])
    assert [f.food for f in alone] == [5]


def test_what_all_words_are_taken_for_comes_first(tmp_path: Path) -> None:
    made(tmp_path, Letters())
    words = {"drink of lemons": "92205000", "raw banana": "92205000"}

    def taken(said: str) -> tuple[str, str] | None:
        return ("fndds", words[said]) if said in words else None

    index = open_index(tmp_path / "facts", known=lambda *_: [], taken=taken)
    first = index.retrieve("2 cups of drink of lemons", 3)[0]
    assert first.food.name == "Lemonade"
    assert first.lexical_rank is None
    # but a reference food of just these words is what they name
    found = index.retrieve("raw banana", 3)
    assert [f.food.name for f in found][:2] == ["Banana, raw", "BANANA, RAW"]
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)
    # nothing is known of others, nor of foods that the table lacks
    assert index.retrieve("cereal", 1)[0].food.name == "CEREAL"
    words["cereal"] = "11111000"
    assert index.retrieve("cereal", 1)[0].food.name == "CEREAL"
