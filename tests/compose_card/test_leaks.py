"""Leaks: what is equal, what is near, nothing missed beside the slow and obvious way."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.compose.leaks import KnownTexts, check_leaks, jaccard, leaks_of_files
from prandial.compose.quality import CheckedMeal, plain_text, words_of
from prandial.errors import InputError

LABELS = {"carb_g": 40.0, "protein_g": 3.0, "fat_g": 1.0, "energy_kcal": 181.0}
KNOWN = CheckedMeal(
    id="known",
    text="For lunch, I had 126 grams of plain bun with 27g of raw sugar and 200.0 g of milk.",
    labels=LABELS,
    names=("Bun", "Sugar", "Milk"),
    grams=(126.0, 27.0, 200.0),
)


def _kinds(meal: CheckedMeal, *known: CheckedMeal) -> dict[str, str]:
    report = check_leaks([meal], known or (KNOWN,), name="a", against="b")
    return {leak.kind: leak.known for leak in report.leaks}


def test_words():
    assert words_of("I had 126 grams (1,250.50g) — ½ cup, Café 5.0") == [
        *("i", "had", "126", "g", "1250.5", "g", "1", "2", "cup", "café", "5"),
    ]
    assert plain_text("RICE,  rice!") == "rice rice"


def test_share_in_common_by_hand():
    """Seven pairs each, the last word differs: six in common of eight."""
    assert jaccard("a b c d e f g h", "a b c d e f g x") == pytest.approx(6 / 8)
    assert jaccard("water", "Water!") == 1.0
    assert jaccard("water", "") == 0.0


def test_each_kind():
    other = replace(KNOWN, id="new", text="Something else altogether.", grams=None, names=None)
    assert _kinds(other) == {}
    assert _kinds(replace(other, text=KNOWN.text)) == {"same_text": "known"}
    spelt = KNOWN.text.upper().replace("27G", "27 grams").replace("200.0 G", "200g")
    assert _kinds(replace(other, text=spelt)) == {"same_words": "known"}
    near = KNOWN.text.replace("lunch", "dinner")
    assert _kinds(replace(other, text=near)) == {"near_text": "known"}
    meal = replace(other, names=("milk", "bun", "sugar"), grams=(200.0, 126.04, 27.0))
    assert _kinds(meal) == {"same_meal": "known"}
    assert _kinds(replace(meal, grams=(200.0, 126.2, 27.0))) == {"same_foods_and_labels": "known"}
    assert _kinds(replace(meal, grams=(200.0, 126.2, 27.0), labels={**LABELS, "carb_g": 41})) == {}
    assert _kinds(replace(meal, names=("milk", "bun", "bun"))) == {}


def test_the_nearest_known_row_is_named():
    near = replace(KNOWN, id="nearer", text=KNOWN.text.replace("lunch", "supper"))
    far = replace(KNOWN, id="farther", text=KNOWN.text.replace("lunch, I had", "supper, I ate"))
    meal = replace(KNOWN, id="new", text=KNOWN.text.replace("lunch", "dinner"), names=None)
    assert _kinds(meal, far, near) == {"near_text": "nearer"}


def test_what_was_compared_is_told(tmp_path):
    bare = CheckedMeal(id="bare", text="Two cups of rice", labels={})
    report = check_leaks(
        [KNOWN, bare, replace(bare, id="empty", text="")], [bare], name="a", against="b"
    )
    body = report.write(tmp_path / "r")
    assert body == json.loads((tmp_path / "r" / "leaks.json").read_text("utf-8"))
    assert body["kinds"]["same_text"] == {"n": 1, "checked": 2}
    assert body["kinds"]["same_meal"] == {"n": 0, "checked": 0}
    assert body["rows"] == 3
    assert body["rows_with_text_leak"] == 1
    assert (tmp_path / "r" / "leaks.csv").read_text("utf-8").splitlines()[1:] == [
        "bare,same_text,bare,1.0"
    ]
    assert report.rows_of("same_text") == {"bare"}


def test_shares_and_sets_that_cannot_be():
    for least in (0.0, -0.1, 1.01, float("nan")):
        with pytest.raises(InputError, match="share"):
            KnownTexts(["a b"], least=least)
    with pytest.raises(InputError, match="nothing to compare"):
        check_leaks([], [KNOWN], name="a", against="b")
    with pytest.raises(InputError, match="nothing to compare"):
        check_leaks([KNOWN], [], name="a", against="b")


def _slow(texts, known, least):
    return {
        (i, j): jaccard(a, b)
        for i, a in enumerate(texts)
        for j, b in enumerate(known)
        if jaccard(a, b) >= least - 1e-12
    }


_TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d e f 1 2.50".split()), max_size=9).map(" ".join), max_size=8
)


@settings(max_examples=150, deadline=None)
@given(texts=_TEXTS, known=_TEXTS, least=st.sampled_from([0.2, 0.5, 0.6, 0.75, 0.8, 1.0]))
def test_nothing_is_missed_and_nothing_added(texts, known, least):
    found = {(i, j): share for i, j, share in KnownTexts(known, least=least).near(texts)}
    assert found == pytest.approx(_slow(texts, known, least))


def test_changed_sentences_beside_the_slow_way():
    """Sentences of 12 to 25 words of 300, each with up to nine words changed."""
    rng = Random(5)
    letters = "abcdefghij"
    words = [f"{x}{y}{z}" for x in letters for y in letters for z in letters[:3]]
    known = [" ".join(rng.choices(words, k=rng.randint(12, 25))) for _ in range(60)]
    texts = []
    for text in known:
        parts = text.split()
        for _ in range(rng.randint(0, 9)):
            parts[rng.randrange(len(parts))] = rng.choice(words)
        texts.append(" ".join(parts))
    found = {(i, j): share for i, j, share in KnownTexts(known, least=0.4).near(texts)}
    slow = _slow(texts, known, 0.4)
    assert 15 < len(slow) < 60
    assert found == pytest.approx(slow)


def test_published_v1_in_v2(shared_dir):
    """v2 keeps most US texts of v1's meals anew; whatever is equal is found, as SQL says."""
    import duckdb

    folder = shared_dir / "data" / "nutribench"
    v1, v2 = folder / "nutribench_v1.parquet", folder / "nutribench_v2.parquet"
    report = leaks_of_files(v1, v2)
    (equal,) = (
        duckdb.connect(config={"threads": 1})
        .execute(
            "SELECT count(*) FROM read_parquet(?) WHERE meal_description IN"
            " (SELECT meal_description FROM read_parquet(?))",
            [str(v1), str(v2)],
        )
        .fetchone()
    )
    assert report.rows == 8905
    assert report.known_rows == 11768
    assert len(report.rows_of("same_text")) == equal
    assert report.checked["same_meal"] == 0, "v1 tells no items"
    assert set(report.files) == {v1.name, v2.name}
