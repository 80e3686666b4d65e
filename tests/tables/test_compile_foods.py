"""The compile script, against hand arithmetic and against plain counting of the recalls."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from prandial.tables import RELEASES, cards, load_foods, read_card

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")
sys.path.insert(0, TOOLS)
from foodtables import checks, columnfile, page, priors, successors  # noqa: E402

sys.path.remove(TOOLS)

CYCLES = ("2003-2004", "2005-2006", "2007-2008", "2009-2010", "2011-2012")


# successors of discontinued codes


def test_a_count_is_shared_equally_and_followed_through_releases() -> None:
    """1 becomes 2 and 3; 3 becomes 4 and 5: 1/2 to 2, 1/4 to 4, 1/4 to 5."""
    table = {1: [2, 3], 3: [4, 5]}
    assert successors.shares(1, {2, 4, 5}, table) == {2: 0.5, 4: 0.25, 5: 0.25}


def test_two_ways_to_one_code_add_up() -> None:
    assert successors.shares(1, {4}, {1: [2, 3], 2: [4], 3: [4]}) == {4: 1.0}


def test_a_known_code_keeps_its_count_though_a_successor_is_listed() -> None:
    assert successors.shares(1, {1, 2}, {1: [2]}) == {1: 1.0}


def test_a_dead_end_and_a_circle_lose_their_share() -> None:
    assert successors.shares(1, {9}, {1: [9, 2]}) == {9: 0.5}
    assert successors.shares(1, {9}, {1: [2], 2: [1]}) == {}


def test_successors_chosen_by_hand_are_foods_of_their_release() -> None:
    with successors.BY_HAND.open(encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    tables = {r: load_foods(r) for r in RELEASES}
    assert len(rows) > 150
    for row in rows:
        table = tables[row["release"]]
        assert table.names[table.row_of(row["new_code"], "fndds")] == row["new_description"]
        assert row["old_code"] not in table.ids, "a food that still exists needs no successor"
    pairs = [(r["release"], r["old_code"], r["new_code"]) for r in rows]
    assert len(set(pairs)) == len(pairs)


# the prior


def recalls(amounts: dict[int, dict[int, int]], without: int = 0) -> priors.Recalls:
    n = sum(sum(a.values()) for a in amounts.values())
    return priors.Recalls(amounts, n + without, without, [])


def test_records_are_all_accounted_for() -> None:
    """10 direct, 6 by a published successor, 4 by hand, 3 lost, 2 without an amount."""
    source = recalls({1: {10000: 10}, 2: {5000: 6}, 3: {7000: 4}, 4: {100: 3}}, without=2)
    prior = priors.count(source, [1, 7], [[], []], {2: [7]}, {3: [1]})
    assert prior.eaten.tolist() == [14.0, 6.0]
    assert prior.facts == {
        "records": 25,
        "records_without_an_amount": 2,
        "records_of_a_code_in_this_release": 10.0,
        "records_through_published_successors": 6.0,
        "records_through_successors_chosen_by_hand": 4.0,
        "records_without_a_successor": 3.0,
        "records_behind_a_kept_amount": 20.0,
    }


def test_percentiles_by_hand() -> None:
    """Of 10 records, the 1st, 5th and 9th: 10, 50 and 90 g."""
    amounts = {g * 1000: 1 for g in range(1, 11)}
    prior = priors.count(recalls({1: amounts}), [1], [[]], {}, {})
    assert prior.percentiles[0].tolist() == [10.0, 50.0, 90.0]


def test_percentiles_need_five_records() -> None:
    prior = priors.count(recalls({1: {1000: 4}, 2: {1000: 5}}), [1, 2], [[], []], {}, {})
    assert np.isnan(prior.percentiles[0]).all()
    assert prior.percentiles[1].tolist() == [10.0, 10.0, 10.0]


def test_which_amounts_are_kept() -> None:
    """The 40 commonest, and multiples of a measure (240 g); never an amount seen once."""
    common = dict.fromkeys(range(1000, 41000, 1000), 100)  # 40 amounts of 10 to 400 g
    rare = {50000: 2, 48000: 2, 48300: 2, 72000: 1, 96250: 2}
    prior = priors.count(recalls({1: {**common, **rare}}), [1], [[240.0]], {}, {})
    kept = [g for g, _ in prior.amount_of[0]]
    assert kept[:40] == [float(g) for g in range(10, 410, 10)]
    # 480 = 2 x 240; 962.5 is 0.26 % off 4 x 240; 483 is 0.6 % off; 500 is none; 720 was seen once
    assert kept[40:] == [480.0, 962.5]


def test_a_share_below_two_records_is_not_an_amount() -> None:
    prior = priors.count(recalls({5: {1000: 3}}), [1, 2], [[], []], {5: [1, 2]}, {})
    assert prior.amount_of == [[], []]
    assert prior.eaten.tolist() == [1.5, 1.5]


@pytest.mark.parametrize("release", RELEASES)
def test_the_cards_account_for_every_record(release: str) -> None:
    facts = read_card(f"{release}.foods").body["prior"]
    parts = (
        "records_without_an_amount",
        "records_of_a_code_in_this_release",
        "records_through_published_successors",
        "records_through_successors_chosen_by_hand",
        "records_without_a_successor",
    )
    assert sum(facts[p] for p in parts) == pytest.approx(facts["records"], abs=0.5)
    # 1,316,906 rows in CDC's files of the five cycles
    assert facts["records"] == 1_316_906
    table = load_foods(release)
    assert float(table.eaten_count.sum()) == pytest.approx(sum(facts[p] for p in parts[1:4]), abs=2)
    assert float(table.amount_count.sum()) == pytest.approx(
        facts["records_behind_a_kept_amount"], abs=2
    )
    assert table.eaten_count[np.array(table.table_of) == "sr"].sum() == 0


def test_no_amount_is_counted_more_often_than_its_food() -> None:
    for release in RELEASES:
        table = load_foods(release)
        owner = np.repeat(np.arange(len(table.ids)), np.diff(table.amount_offset))
        total = np.bincount(owner, weights=table.amount_count, minlength=len(table.ids))
        assert (total <= table.eaten_count * 1.0001 + 0.01).all()
        assert (table.amount_count >= 2).all()
        assert (np.diff(table.amount_grams)[np.diff(owner) == 0] > 0).all()


def test_counts_against_the_food_records(shared_dir: Path) -> None:
    """Banana (63107010) and cola (92410310): counted and ranked by SQL, code by code.

    No other code becomes either of them, so the plain count is the whole count.
    """
    files = [
        (path, path.name[2])
        for cycle in CYCLES
        for path in sorted((shared_dir / "data" / "nhanes" / cycle).glob("DR[12]IFF_*"))
    ]
    sql = " UNION ALL ".join(
        f"SELECT CAST(DR{d}IFDCD AS BIGINT) AS code, DR{d}IGRMS AS g FROM '{p}'" for p, d in files
    )
    table = load_foods()
    for code in (63107010, 92410310):
        row = table.row_of(str(code))
        with duckdb.connect() as con:
            found = con.execute(
                "SELECT count(*), quantile_disc(g, [0.1, 0.5, 0.9]), mode(round(g, 2))"
                f" FROM ({sql}) WHERE code = ? AND g > 0",
                [code],
            ).fetchone()
        assert found is not None
        assert table.eaten_count[row] == found[0]
        eaten = [t[row] for t in (table.eaten_p10, table.eaten_p50, table.eaten_p90)]
        assert eaten == pytest.approx(found[1], rel=1e-4)
        lo, hi = table.amount_offset[row], table.amount_offset[row + 1]
        top = table.amount_grams[lo:hi][table.amount_count[lo:hi].argmax()]
        assert top == pytest.approx(found[2], abs=0.006)


# writing


def test_written_columns_come_back_and_bytes_repeat(tmp_path: Path) -> None:
    from prandial.tables import read_columns

    codes, levels = columnfile.labelled(["b", "a", "b"])
    columns: dict[str, Any] = {"name": ["x", ""], "kind": codes, "kind_levels": levels}
    first = columnfile.write_columns(tmp_path / "1.npz", columns)
    second = columnfile.write_columns(tmp_path / "2.npz", columns)
    assert first == second
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()
    back = read_columns(tmp_path / "1.npz")
    assert back.text("name") == ("x", "")
    assert back.labels("kind") == ("b", "a", "b")


def test_a_text_with_a_line_break_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="line break"):
        columnfile.write_columns(tmp_path / "1.npz", {"name": ["a\nb"]})


def _values(**given: float) -> dict[str, np.ndarray]:
    keys = ("carb_g", "protein_g", "fat_g", "alcohol_g", "water_g", "energy_kcal")
    return {k: np.array([given.get(k, np.nan)]) for k in keys}


def test_energy_check_by_hand() -> None:
    """4 x 50 + 4 x 10 + 9 x 10 = 330 kcal; 15 % of the larger is allowed."""
    food = {"carb_g": 50.0, "protein_g": 10.0, "fat_g": 10.0}
    assert checks.energy_offenders(_values(**food, energy_kcal=330))[0] == 0
    assert checks.energy_offenders(_values(**food, energy_kcal=281))[0] == 0  # 49 of 49.5
    assert checks.energy_offenders(_values(**food, energy_kcal=280))[0] == -50
    assert np.isnan(checks.energy_offenders(_values(**food))[0])


@pytest.mark.parametrize(
    "values",
    [_values(carb_g=-0.1), _values(carb_g=60.0, water_g=45.5)],
    ids=["negative", "heavier than itself"],
)
def test_impossible_foods_stop_the_compiling(values: dict[str, np.ndarray]) -> None:
    with pytest.raises(SystemExit):
        checks.check_foods(["1"], ["a food"], values)


def test_the_same_id_twice_stops_the_compiling() -> None:
    with pytest.raises(SystemExit):
        checks.check_foods(["1", "1"], ["a", "b"], {"carb_g": np.array([1.0, 1.0])})


# the page


def test_the_page_is_what_the_cards_say(tmp_path: Path, repo: Path) -> None:
    page.write_page(tmp_path / "page.md", cards._folder())
    written = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert written == (repo / "docs" / "data" / "builtin-foods.md").read_text(encoding="utf-8")
    for card in page.read_cards(cards._folder()):
        assert card["sha256"][:16] in written


def test_the_example_on_the_page_runs(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (repo / "docs" / "data" / "builtin-foods.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    printed = re.search(r"```text\n(.*?)```", text, re.DOTALL)
    assert code is not None
    assert printed is not None
    exec(code[1].replace('"src/', f'"{repo}/src/'), {})
    assert capsys.readouterr().out == printed[1]
