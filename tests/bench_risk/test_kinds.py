"""Files that are sent: encodings, first lines, and what is no file of estimates."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from prandial.bench.risk.estimates import read_estimates
from prandial.bench.risk.sheets import read_sheet
from prandial.errors import InputError, NotFoundError

TEXT = "meal_id,true_g,Zoë\nm1,60,45\n"


def put(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_a_guessed_encoding_is_told(tmp_path):
    found = read_estimates(put(tmp_path, "e.csv", TEXT.encode("cp1252")))
    assert found.estimators == ("Zoë",)
    assert any("e.csv: lines that are not UTF-8" in n and "line 1" in n for n in found.notes)
    assert not any("UTF-8" in n for n in read_estimates(put(tmp_path, "u.csv", TEXT)).notes)
    lines = json.dumps({"meal_id": 1, "true_g": 2, "Zoë": 3}, ensure_ascii=False)
    found = read_estimates(put(tmp_path, "e.jsonl", lines.encode("latin-1")))
    assert any("e.jsonl: lines that are not UTF-8" in n for n in found.notes)
    truth = put(tmp_path, "t.csv", "meal_id,true_g,who\nm1,60,Zoë\n".encode("cp1252"))
    found = read_estimates(put(tmp_path, "f.csv", "meal_id,a\nm1,4\n"), truth=truth)
    assert any("t.csv: lines that are not UTF-8" in n for n in found.notes)


def test_utf_16(tmp_path):
    assert read_estimates(put(tmp_path, "m.csv", TEXT.encode("utf-16"))).estimators == ("Zoë",)
    for coding in ("utf-16-le", "utf-16-be"):
        for name in ("e.csv", "e.jsonl"):
            with pytest.raises(InputError, match="UTF-16 without its mark") as error:
                read_estimates(put(tmp_path, name, TEXT.encode(coding)))
            assert "UTF-8" in error.value.hint


@pytest.mark.parametrize("first", ["sep=;\n", "sep=;\r\n", '"sep=;"\n', "\ufeffSEP=;\n"])
def test_the_separator_that_excel_tells(tmp_path, first):
    path = put(tmp_path, "e.csv", first + "meal_id;true_g;a\nm1;60;12,5\n")
    assert read_estimates(path).mid_g.tolist() == [[12.5]]
    wrong = put(tmp_path, "w.csv", first + "meal_id;true_g;a\nm1;60;much\n")
    with pytest.raises(InputError) as error:
        read_estimates(wrong)
    assert error.value.where.startswith("w.csv, line 3 ")


def test_keys_that_are_there_twice(tmp_path):
    for line in ('{"id":1,"truth":2,"a":3,"a":4}', '{"id":1,"totals":{"carb_g":1,"carb_g":2}}'):
        with pytest.raises(InputError, match="twice") as error:
            read_estimates(put(tmp_path, "e.jsonl", '{"id":2,"truth":1}\n' + line))
        assert error.value.where == "e.jsonl, line 2"
    with pytest.raises(InputError, match="with and without spaces"):
        read_estimates(put(tmp_path, "e.jsonl", '{"id":1,"truth":2,"a":3,"a ":4}'))
    assert read_estimates(put(tmp_path, "e.jsonl", '{"id":1,"truth":2," a ":3}')).estimators == (
        "a",
    )


def test_what_is_no_file(tmp_path):
    (tmp_path / "runs.csv").mkdir()
    put(tmp_path / "runs.csv", "inner.csv", TEXT)
    os.mkfifo(tmp_path / "pipe.csv")
    put(tmp_path, "e.csv.gz", b"\x1f\x8b")
    put(tmp_path, "e.xls", b"")
    for path, what, hint in (
        (tmp_path / "runs.csv", "a folder", "inner.csv"),
        (tmp_path / "pipe.csv", "a pipe", "COMMAND > estimates.csv"),
        (Path("-"), "stdin", "into a file"),
        (tmp_path / "e.csv.gz", "compressed", "gunzip -k e.csv.gz"),
        (tmp_path / "e.xls", "another kind", ".xlsx"),
    ):
        with pytest.raises(InputError, match=what) as error:
            read_sheet(path)
        assert hint in error.value.hint
    with pytest.raises(NotFoundError):
        read_sheet(tmp_path / "none.csv")


def test_a_report_is_no_file_of_estimates(tmp_path):
    """As `prandial errors g.csv --json` prints it, saved by any name."""
    body = {"file": "g.csv", "rows": 2, "summaries": {}, "wrong": 0, "worst": [], "with_gold": 0}
    for name, text in (
        ("r.json", json.dumps(body, indent=2)),
        ("r.jsonl", json.dumps(body, indent=2)),
        ("c.jsonl", json.dumps(body)),
    ):
        with pytest.raises(InputError, match="prandial errors --json") as error:
            read_estimates(put(tmp_path, name, text))
        assert "prandial estimate g.csv" in error.value.hint
        assert "--truth" in error.value.hint


def test_one_json_document(tmp_path):
    for name in ("a.json", "a.jsonl"):
        with pytest.raises(InputError, match="one JSON array"):
            read_estimates(put(tmp_path, name, '[\n{"id": 1}\n]'))
    with pytest.raises(InputError, match="one JSON document"):
        read_estimates(put(tmp_path, "b.json", '{"id": 1}'))


def test_many_columns_take_no_quadratic_time(tmp_path):
    names = [f"e{i}" for i in range(20_000)]
    path = put(tmp_path, "e.csv", ",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    start = time.process_time()
    assert len(read_sheet(path).header) == 20_000
    # counting each name among all takes more than ten times as long
    assert time.process_time() - start < 1
