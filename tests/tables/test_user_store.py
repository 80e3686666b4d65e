"""Keeping compiled tables: round trip, digests, names, folders."""

import csv
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prandial.errors import (
    ChecksumError,
    InputError,
    MissingDataError,
    NotFoundError,
    SchemaError,
)
from prandial.tables.user import (
    add_user_table,
    list_user_tables,
    load_user_table,
    read_user_table,
    user_tables_home,
)

COLUMNS = {"name": "N", "carb_g": "C", "measures": "M"}
TEXT = "N,C,M\nbread,45,1 slice=30\nrice,28,\nbad,-1,\n"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "my foods.csv"
    path.write_text(TEXT)
    return path


@pytest.fixture
def home(tmp_path):
    return tmp_path / "deep" / "tables"


def same(a, b):
    for field in ("name", "ids", "names", "alt_names", "categories", "nutrient_keys"):
        assert getattr(a, field) == getattr(b, field)
    for field in ("measures", "rows_read", "rows_kept", "problems", "notes"):
        assert getattr(a, field) == getattr(b, field)
    assert a.per_100g.dtype == b.per_100g.dtype
    assert np.array_equal(a.per_100g, b.per_100g, equal_nan=True)
    assert not b.per_100g.flags.writeable


def test_round_trip_and_card(source, home):
    added = add_user_table(source, name="mine", columns=COLUMNS, home=home)
    same(added, load_user_table(home, "mine"))
    same(added, read_user_table(source, columns=COLUMNS, name="mine"))
    names = sorted(p.name for p in home.iterdir())
    assert names == ["mine.card.json", "mine.measures.parquet", "mine.parquet"]
    card = json.loads((home / "mine.card.json").read_text(encoding="utf-8"))
    assert card["source"] == {
        "file": "my foods.csv",
        "sha256": hashlib.sha256(TEXT.encode()).hexdigest(),
    }
    assert card["columns"] == COLUMNS
    assert (card["rows_read"], card["rows"], len(card["problems"])) == (3, 2, 1)
    assert card["nutrients"] == ["carb_g"]
    assert str(source.parent) not in json.dumps(card)


TEXTS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12)
ROWS = st.lists(
    st.tuples(
        TEXTS, st.one_of(st.none(), st.floats(0, 100)), st.lists(st.floats(0.001, 5000), max_size=3)
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ROWS)
def test_what_is_added_is_what_is_loaded(tmp_path, rows):
    path = tmp_path / "t.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["N", "C", "M"])
        for name, carb, grams in rows:
            cells = "; ".join(f"m{i}={g!r}" for i, g in enumerate(grams))
            writer.writerow([name, "" if carb is None else repr(carb), cells])
    added = add_user_table(path, name="t", columns=COLUMNS, home=tmp_path / "h", replace=True)
    assert added.rows_kept == len(rows)
    assert [m[2] for m in added.measures] == [g for r in rows for g in r[2]]
    same(added, load_user_table(tmp_path / "h", "t"))


def test_replace_only_when_told(source, home):
    add_user_table(source, name="mine", columns=COLUMNS, home=home)
    with pytest.raises(InputError, match="already"):
        add_user_table(source, name="mine", columns=COLUMNS, home=home)
    source.write_text("N,C,M\noat,60,\n")
    add_user_table(source, name="mine", columns=COLUMNS, home=home, replace=True)
    assert load_user_table(home, "mine").names == ("oat",)


def test_nothing_is_left_when_adding_fails(source, home, monkeypatch):
    add_user_table(source, name="mine", columns=COLUMNS, home=home)
    before = {p.name: p.read_bytes() for p in home.iterdir()}
    source.write_text("N,C,M\noat,60,\n")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("prandial.tables.user.store.write_measures", full)
    with pytest.raises(InputError, match="No space left"):
        add_user_table(source, name="mine", columns=COLUMNS, home=home, replace=True)
    assert {p.name: p.read_bytes() for p in home.iterdir()} == before


def test_no_row_kept_is_no_table(source, home):
    source.write_text("N,C,M\nbad,-1,\n")
    with pytest.raises(
        InputError, match=r"none of the 1 rows.*line 2, column 'C': '-1' is negative"
    ):
        add_user_table(source, name="mine", columns=COLUMNS, home=home)
    assert not home.exists()


@pytest.mark.parametrize(
    "name", ["", "Mine", "-a", "a b", "../a", "a.b", "x'; DROP TABLE", "é", "a" * 42, "a\n"]
)
def test_names_that_cannot_be(source, home, name):
    with pytest.raises(InputError, match="cannot be called"):
        add_user_table(source, name=name, columns=COLUMNS, home=home)
    with pytest.raises(NotFoundError):
        load_user_table(home, name)
    assert not home.exists()


def test_longest_name(source, home):
    assert add_user_table(source, name="a" * 41, columns=COLUMNS, home=home).rows_kept == 2


def test_no_such_table_names_the_nearest(source, home):
    add_user_table(source, name="canteen", columns=COLUMNS, home=home)
    with pytest.raises(NotFoundError) as caught:
        load_user_table(home, "kanteen")
    assert caught.value.hint == "nearest: canteen"
    with pytest.raises(NotFoundError, match="known: none"):
        load_user_table(home / "other", "x")


@pytest.mark.parametrize("file", ["mine.parquet", "mine.measures.parquet"])
def test_a_changed_or_missing_file_is_noticed(source, home, file):
    add_user_table(source, name="mine", columns=COLUMNS, home=home)
    raw = bytearray((home / file).read_bytes())
    raw[20] ^= 1
    (home / file).write_bytes(raw)
    with pytest.raises(ChecksumError, match=file):
        load_user_table(home, "mine")
    (home / file).unlink()
    with pytest.raises(MissingDataError, match=file):
        load_user_table(home, "mine")


def test_list(source, home):
    assert list_user_tables(home) == ()
    add_user_table(source, name="b", columns=COLUMNS, home=home)
    add_user_table(source, name="a", columns=COLUMNS, home=home)
    (home / "c.card.json").write_text("{")
    (home / "Not A Name.card.json").write_text("{}")
    a, b, c = list_user_tables(home)
    assert (a.name, b.name, c.name) == ("a", "b", "c")
    assert (a.state, c.state, c.rows_kept) == ("ok", "damaged", None)
    assert (a.source_file, a.rows_read, a.rows_kept, a.problems) == ("my foods.csv", 3, 2, 1)
    assert a.nutrients == ("carb_g",)
    with pytest.raises(SchemaError, match="card of 'c'"):
        load_user_table(home, "c")


@pytest.mark.parametrize("part", ["sha256", "problems", "source", "form"])
def test_a_card_without_a_part(source, home, part):
    add_user_table(source, name="mine", columns=COLUMNS, home=home)
    path = home / "mine.card.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    del card[part]
    path.write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(SchemaError, match="card of 'mine'"):
        load_user_table(home, "mine")


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"PRANDIAL_HOME": "/p", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "linux", "/p/tables"),
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, "linux", "/x/prandial/tables"),
        ({"XDG_DATA_HOME": "x", "HOME": "/h"}, "linux", "/h/.local/share/prandial/tables"),
        ({"PRANDIAL_HOME": "", "HOME": "/h"}, "darwin", "/h/.local/share/prandial/tables"),
        ({"LOCALAPPDATA": "/l", "XDG_DATA_HOME": "/x"}, "win32", "/l/prandial/tables"),
        ({"USERPROFILE": "/u", "HOME": "/h"}, "win32", "/u/AppData/Local/prandial/tables"),
    ],
)
def test_home(environ, platform, folder):
    assert user_tables_home(environ, platform=platform) == Path(folder)


def test_no_home_at_all():
    with pytest.raises(InputError, match="no home folder") as caught:
        user_tables_home({}, platform="linux")
    assert "PRANDIAL_HOME" in caught.value.hint
