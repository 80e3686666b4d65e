"""Column files: what is written comes back, and damage is named."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from prandial.errors import SchemaError
from prandial.tables import builtin, cards, load_foods, read_columns


def write(path: Path, members: dict[str, object]) -> Path:
    """Write a column file by hand, without the compile script."""
    with zipfile.ZipFile(path, "w") as zf:
        for name, value in members.items():
            if isinstance(value, np.ndarray):
                with zf.open(f"{name}.npy", "w") as handle:
                    np.lib.format.write_array(handle, value)
            else:
                zf.writestr(f"{name}.txt", str(value))
    return path


def test_arrays_texts_and_labels(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.npz",
        {
            "grams": np.array([1.5, np.nan], dtype=np.float32),
            "name": "crème brûlée\n\n",
            "kind": np.array([1, 0, 1], dtype=np.uint16),
            "kind_levels": "raw\ncooked\n",
        },
    )
    columns = read_columns(path)
    assert columns.text("name") == ("crème brûlée", "")
    assert columns.labels("kind") == ("cooked", "raw", "cooked")
    assert columns.array("grams")[0] == 1.5
    assert np.isnan(columns.array("grams")[1])
    assert columns.array("grams").dtype == np.float32


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    columns = read_columns(write(tmp_path / "a.npz", {"name": "x\n"}))
    for ask in (columns.array, columns.text, columns.labels):
        with pytest.raises(SchemaError) as caught:
            ask("grams")
        assert "grams" in caught.value.what
        assert caught.value.where == "a.npz"


def test_a_label_outside_its_list_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", {"kind": np.array([2]), "kind_levels": "raw\ncooked\n"})
    with pytest.raises(SchemaError):
        read_columns(path).labels("kind")


@pytest.mark.parametrize("kept", [0, 40, 0.5, 0.99])
def test_a_file_cut_short_is_a_schema_error(tmp_path: Path, kept: float) -> None:
    whole = (cards._folder() / "sr28.measures.npz").read_bytes()
    path = tmp_path / "cut.npz"
    path.write_bytes(whole[: int(kept if kept > 1 else kept * len(whole))])
    with pytest.raises(SchemaError) as caught:
        read_columns(path)
    assert "cut.npz" in caught.value.what
    assert "reinstall" in caught.value.hint


def test_a_plain_array_is_no_column_file(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with path.open("wb") as handle:
        np.save(handle, np.array([1.0]))
    with pytest.raises(SchemaError):
        read_columns(path)


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    np.savez(path, bad=np.array([{"a": 1}], dtype=object))
    with pytest.raises(SchemaError):
        read_columns(path)


def _with_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grams: float, foods: int
) -> None:
    """Point the loader at a copy whose SR28 measures are one wrong measure."""
    for path in cards._folder().iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    per_food = np.zeros(foods, dtype=np.uint16)
    per_food[0] = 1
    write(
        tmp_path / "sr28.measures.npz",
        {
            "per_food": per_food,
            "name": np.array([0]),
            "name_levels": "1 cup\n",
            "grams": np.array([grams], dtype=np.float32),
        },
    )
    card = (tmp_path / "sr28.measures.card.json").read_text(encoding="utf-8")
    (tmp_path / "sr28.measures.card.json").write_text(
        card.replace('"rows": 15438', '"rows": 1'), encoding="utf-8"
    )
    monkeypatch.setattr(cards, "_folder", lambda: tmp_path)
    builtin._builtin.cache_clear()


@pytest.mark.parametrize(
    ("grams", "foods", "says"),
    [(-1.0, 8789, "not above 0"), (np.nan, 8789, "not above 0"), (100.0, 8788, "do not fit")],
)
def test_loading_refuses_wrong_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grams: float, foods: int, says: str
) -> None:
    _with_measures(tmp_path, monkeypatch, grams, foods)
    try:
        with pytest.raises(SchemaError) as caught:
            load_foods()
    finally:
        builtin._builtin.cache_clear()
    assert says in caught.value.what


def test_loading_refuses_a_row_count_that_is_not_the_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with_measures(tmp_path, monkeypatch, 100.0, 8789)
    path = tmp_path / "sr28.measures.card.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"rows": 1,', '"rows": 2,'))
    try:
        with pytest.raises(SchemaError) as caught:
            load_foods()
    finally:
        builtin._builtin.cache_clear()
    assert "1 rows, the card says 2" in caught.value.what


def test_the_good_measures_of_that_copy_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The three refusals above are for their reason and no other."""
    _with_measures(tmp_path, monkeypatch, 100.0, 8789)
    try:
        table = load_foods()
    finally:
        builtin._builtin.cache_clear()
    row = table.row_of("01001", "sr")
    assert [(m.name, m.grams) for m in table.food(row).measures] == [("1 cup", 100.0)]


def test_loading_the_foods_needs_no_query_engine() -> None:
    """The start of the command line pays for numpy alone (docs/data/storage.md)."""
    code = (
        "import sys; from prandial.tables import load_foods; load_foods();"
        " print(sorted({'duckdb', 'pandas', 'pyarrow', 'rapidfuzz'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
