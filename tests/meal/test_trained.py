"""A learned ranking: kept in a file, named in results, and absent by default."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from prandial import api
from prandial.cli.run import run
from prandial.errors import NotFoundError, SchemaError
from prandial.meal import ESTIMATOR, Estimator
from prandial.meal.trained import LearnedFood, Trained, load_trained, save_trained
from prandial.tables import load_foods

MEALS = (
    "a cup of oatmeal with half a sliced banana and a glass of orange juice",
    "two slices of whole wheat toast, 15 g of butter and a mug of black coffee",
    "120 g cooked white rice with 80 g grilled chicken breast",
    "my dog ran home",
)
#: the untrained ranking's scores, taken as log odds
PLAIN = {
    f"{name} {tag}": sign * 2.5
    for name, sign in (
        ("food score", 1),
        ("measure score", 1),
        ("span cost", -1),
        ("left-out cost", -1),
    )
    for tag in ("n", "m", "same", "other")
}
DISH = LearnedFood("Grumbleroot porridge, boiled", "KEN", (20.0, 2.0, 1.0, 97.0), 3)


def small(weights: dict[str, float] | None = None) -> Trained:
    """Return a ranking like the untrained one, with a few weights of our own."""
    mine = {**PLAIN, "En|\n": 0.25, 'En|"': 0.5, **(weights or {})}  # marks that break lines, too
    card = {"meals": 4, "half": "tune", "licence": "none: written for this test"}
    return Trained(weights=mine, abroad=mine, foods=(DISH,), card=card)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trained") / "small.npz"
    save_trained(small(), path)
    return path


def test_round_trip(kept: Path, tmp_path: Path) -> None:
    read = load_trained(kept)
    assert read.weights == pytest.approx(small().weights)
    assert read.abroad == pytest.approx(small().abroad)
    assert read.foods == (DISH,)
    assert read.card["half"] == "tune"
    save_trained(read, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == kept.read_bytes()


def test_named(kept: Path) -> None:
    found = api.estimate(MEALS[0], trained=kept)
    digest = load_trained(kept).sha256[:12]
    assert found.estimator == (
        f"prandial-words-0.1 (trained on 4 meals, half tune, sha256 {digest})"
    )
    assert api.estimate(MEALS[0]).estimator == ESTIMATOR


@pytest.mark.parametrize("text", MEALS)
def test_untrained_stays_the_same(estimator: Estimator, kept: Path, text: str) -> None:
    before = estimator.estimate(text).to_dict()
    api.estimate(text, trained=kept)
    assert estimator.estimate(text).to_dict() == before
    assert api.estimate(text).to_dict() == before


@pytest.mark.parametrize("text", [*MEALS[2:], "a cup of whole milk"])
def test_plain_weights_choose_as_untrained(estimator: Estimator, kept: Path, text: str) -> None:
    ours = api.estimate(text, trained=kept)
    theirs = estimator.estimate(text)
    assert [i.food and i.food.food_id for i in ours.items] == [
        i.food and i.food.food_id for i in theirs.items
    ]
    assert ours.totals["carb_g"] is None or ours.totals["carb_g"].mid == pytest.approx(
        theirs.totals["carb_g"].mid
    )


def test_a_weight_changes_the_food(estimator: Estimator) -> None:
    plain = estimator.estimate("a glass of milk").items[0]
    other = next(c.food_id for c in plain.candidates if c.food_id != plain.food.food_id)
    taught = Estimator(load_foods(), trained=small({f"WF|milk|{other}": 30.0}))
    assert taught.estimate("a glass of milk").items[0].food.food_id == other


def test_learned_food_only_abroad(kept: Path) -> None:
    text = "200 g of boiled grumbleroot porridge"
    abroad = api.estimate(text, country="KEN", trained=kept)
    assert abroad.items[0].food.name == DISH.name
    assert abroad.items[0].food.source.table == "trained"
    assert abroad.totals["carb_g"].mid == pytest.approx(40.0)
    at_home = api.estimate(text, trained=kept)
    assert all(i.food is None or i.food.name != DISH.name for i in at_home.items)


def test_batch_gives_the_same(kept: Path, tmp_path: Path) -> None:
    one = [api.estimate(t, trained=kept).to_dict() for t in MEALS]
    assert [e.to_dict() for e in api.estimate_batch(MEALS, trained=kept)] == one
    source = tmp_path / "meals.txt"
    source.write_text("\n".join(MEALS) + "\n", encoding="utf-8")
    api.estimate_file(source, tmp_path / "out.jsonl", trained=kept)
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["estimator"] for line in lines] == [one[0]["estimator"]] * 4


def test_missing_and_damaged(tmp_path: Path, kept: Path) -> None:
    with pytest.raises(NotFoundError):
        api.estimate(MEALS[0], trained=tmp_path / "none.npz")
    with pytest.raises(NotFoundError):
        load_trained(tmp_path / "none.npz")
    raw = kept.read_bytes()
    array = tmp_path / "array.npz"
    np.savez(array, weights=np.zeros(3))
    for name, content in (
        ("empty.npz", b""),
        ("text.npz", b"not a ranking"),
        ("cut.npz", raw[: len(raw) // 2]),
        ("bit.npz", raw[:200] + bytes([raw[200] ^ 255]) + raw[201:]),
        ("array.npz", array.read_bytes()),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(SchemaError) as caught:
            api.estimate(MEALS[0], trained=path)
        assert str(path) in caught.value.where
        assert "benchmarks.train" in caught.value.hint


def test_odd_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.npz"
    save_trained(small({"food score n": float("nan")}), path)
    with pytest.raises(SchemaError, match="not a number"):
        load_trained(path)


def test_command_line(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["estimate", MEALS[0], "--json", "--trained", str(kept)]) == 0
    assert "trained on 4 meals" in json.loads(capsys.readouterr().out)["estimator"]
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"PK")
    assert run(["estimate", MEALS[0], "--trained", str(bad)]) == SchemaError.exit_code
    shown = capsys.readouterr()
    assert not shown.out
    assert "Traceback" not in shown.err
