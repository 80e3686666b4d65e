"""Same seed and files, same bytes: on two runs, with rows in another order, from another form."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import duckdb
import numpy as np
import pytest
from tests.bench_ngqa.conftest import CYCLE
from tests.bench_ngqa.plain import digests

import prandial
from prandial.sources.nhanes import read_table

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")
sys.path.insert(0, TOOLS)
from write_xpt import write_xpt  # noqa: E402

sys.path.remove(TOOLS)

SHUFFLED = ["DEMO", "BMX", "BPX", "BIOPRO", "DIQ", "DR1TOT", "DR1IFF", "DR2IFF", "RXQ_RX", "DBQ",
            "DRXFCD"]  # fmt: skip
ANY_ORDER = """
select * exclude (file_row_number) from read_parquet(?, file_row_number = true)
order by hash(file_row_number)
"""


def to_parquet(source: Path, target: Path, order: str = "from read_parquet(?)") -> None:
    """Write a table as Parquet, whatever form it has."""
    with duckdb.connect() as con:
        if source.suffix.upper() == ".XPT":
            whole = read_table(source)
            columns = {
                n: v if isinstance(v, np.ndarray) else np.array(v, dtype=object)
                for n, v in whole.values.items()
            }
            con.register("columns", columns)
            plain = target.with_name(f"plain-{target.name}")
            con.execute(f"copy (from columns) to '{plain}' (format parquet)")
            con.execute(f"copy ({order}) to '{target}' (format parquet)", [str(plain)])
            plain.unlink()
        else:
            con.execute(f"copy ({order}) to '{target}' (format parquet)", [str(source)])


@pytest.mark.parametrize("graph", ["no-verdict", "merged"])
def test_two_runs(tmp_path, graph):
    for name in ("a", "b"):
        prandial.build_ngqa(tmp_path / name, people="demo", per_food=(1, 1, 1), graph=graph, seed=5)
    found = digests(tmp_path / "a")
    assert len(found) == (8 if graph == "merged" else 5)
    assert digests(tmp_path / "b") == found


def test_another_seed_differs(tmp_path):
    for seed in (0, 1):
        prandial.build_ngqa(tmp_path / str(seed), people="demo", per_food=(1, 1, 1), seed=seed)
    first, second = digests(tmp_path / "0"), digests(tmp_path / "1")
    assert [n for n in first if first[n] == second[n]] == []


@pytest.fixture(scope="module")
def shuffled_root(root, tmp_path_factory):
    """One cycle and the food releases, the rows of each big table in another order."""
    made = tmp_path_factory.mktemp("shuffled")
    (made / "nhanes" / CYCLE).mkdir(parents=True)
    (made / "foods").mkdir()
    (made / "nhanes" / "all-cycles").mkdir()
    drugs = "nhanes/all-cycles/RXQ_DRUG.parquet"
    to_parquet(root / drugs, made / drugs, ANY_ORDER)
    for file in sorted((root / "nhanes" / CYCLE).iterdir()):
        name = file.name.split(".")[0]
        to = made / "nhanes" / CYCLE
        if name.removesuffix("_J") in SHUFFLED:
            to_parquet(file, to / f"{name}.parquet", ANY_ORDER)
        else:
            (to / file.name).symlink_to(file)
    for file in sorted((root / "foods").glob("*.parquet")):
        if file.name.startswith(("fndds_", "wweia")) and "portions" not in file.name:
            to_parquet(file, made / "foods" / file.name, ANY_ORDER)
    return made


@pytest.mark.parametrize("rules", ["default", "as-published"])
def test_rows_in_another_order(request, shuffled_root, tmp_path, rules):
    built = request.getfixturevalue(f"{rules.removeprefix('as-')}_build")
    out = tmp_path / "b"
    prandial.build_ngqa(out, root=shuffled_root, cycles=[CYCLE], per_food=(1, 1, 1), rules=rules)
    assert digests(out) == digests(built)


def test_the_shuffle_is_one(root, shuffled_root):
    before = read_table(root / "nhanes" / CYCLE / "DEMO_J.XPT", ["SEQN"])["SEQN"]
    after = read_table(shuffled_root / "nhanes" / CYCLE / "DEMO_J.parquet", ["SEQN"])["SEQN"]
    assert sorted(after) == sorted(before)
    assert list(after) != list(before)


@pytest.mark.full
@pytest.mark.parametrize("rules", ["default", "as-published"])
def test_transport_files_and_parquet(root, tmp_path, rules):
    """Every table as XPT on one side and as Parquet on the other: the same questions."""
    for form in ("xpt", "parquet"):
        to = tmp_path / form / "nhanes" / CYCLE
        to.mkdir(parents=True)
        (tmp_path / form / "foods").symlink_to(root / "foods")
        (to.parent / "all-cycles").mkdir()
        drugs = root / "nhanes" / "all-cycles" / "RXQ_DRUG.parquet"
        for file in [*sorted((root / "nhanes" / CYCLE).iterdir()), drugs]:
            name = file.name.split(".")[0]
            if name in ("FPED_1718", "DR2TOT_J"):
                continue  # no transport file at CDC; not read by a build
            folder = to.parent / "all-cycles" if file == drugs else to
            if form == "parquet":
                to_parquet(file, folder / f"{name}.parquet")
            elif file.suffix.upper() == ".XPT":
                shutil.copyfile(file, folder / file.name)
            else:
                write_xpt(folder / f"{name}.XPT", read_table(file).values, name)
        assert not list(to.glob("*.XPT" if form == "parquet" else "*.parquet"))
        prandial.build_ngqa(tmp_path / f"out-{form}", root=tmp_path / form, rules=rules)
    first, second = digests(tmp_path / "out-xpt"), digests(tmp_path / "out-parquet")
    assert first == second


def test_a_tampered_build_is_no_build(tmp_path):
    """A card without files, of unknown rules, or a changed graph is refused by name."""
    out = tmp_path / "b"
    prandial.build_ngqa(out, people="demo", per_food=(1, 0, 0), graph="merged")
    card = out / "card.json"
    whole = json.loads(card.read_text("utf-8"))
    assert {"graph/nodes.parquet", "graph/edges.parquet"} <= set(whole["files"])
    for change in ({"files": {}}, {"rules": "foo"}, {"graph": "drawn"}):
        card.write_text(json.dumps(whole | change), "utf-8")
        with pytest.raises(prandial.SchemaError, match="card"):
            prandial.ngqa_stats(out)
    up = whole["files"] | {"../x": whole["files"]["questions.parquet"]}
    card.write_text(json.dumps(whole | {"files": up}), "utf-8")
    with pytest.raises(prandial.SchemaError, match="card"):
        prandial.ngqa_stats(out)
    card.write_text(json.dumps(whole), "utf-8")
    nodes = out / "graph" / "nodes.parquet"
    nodes.write_bytes(nodes.read_bytes() + b"junk")
    with pytest.raises(prandial.ChecksumError, match="card"):
        prandial.ngqa_stats(out)
