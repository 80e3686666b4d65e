"""``prandial data``: real files from a folder and over a socket, and what goes wrong."""

from __future__ import annotations

import json
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

CYCLE = "2017-2018"
FILES = {"DEMO": 9254, "BMX": 8704, "GHB": 6401}  # rows by CDC's documentation
FILE_KEYS = {
    "cycle", "table", "file", "status", "path", "bytes", "downloaded", "sha256", "why",
}  # fmt: skip


@pytest.fixture
def nhanes(shared_dir: Path) -> Path:
    return shared_dir / "data" / "nhanes"


@pytest.fixture
def get(command, tmp_path):
    def call(source: object, *more: object, tables=FILES):
        wanted = [x for t in tables for x in ("--table", t)]
        return command(
            "data", "get", "nhanes", "--cycle", CYCLE, "--from", source,
            "--to", tmp_path / "got", "--no-progress", *wanted, *more,
        )  # fmt: skip

    return call


def test_a_folder_mirror(get, nhanes, tmp_path, narrow):
    done = get(nhanes)
    assert done.code == 0, done.err
    assert "3 got" in done.out
    narrow(done.out)
    for table in FILES:
        name = f"{CYCLE}/{table}_J.XPT"
        assert (tmp_path / "got" / name).read_bytes() == (nhanes / name).read_bytes()
    assert not list((tmp_path / "got").rglob("*.part"))


def test_json_shape_and_second_run_keeps(get, nhanes, tmp_path):
    first, second = get(nhanes, "--json").json, get(nhanes, "--json").json
    for body, status in ((first, "got"), (second, "kept")):
        assert set(body) == {"target", "counts", "files"}
        assert body["target"] == str(tmp_path / "got")
        assert body["counts"] == {"got": 0, "kept": 0, "absent": 0, "failed": 0} | {status: 3}
        for file in body["files"]:
            assert set(file) == FILE_KEYS
            assert (file["cycle"], file["status"], file["why"]) == (CYCLE, status, None)
            assert Path(file["path"]).stat().st_size == file["bytes"]
            assert len(file["sha256"]) == 64


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


def test_a_web_mirror(get, nhanes, tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(nhanes))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            done = get(f"http://127.0.0.1:{server.server_address[1]}/", "--json")
        finally:
            server.shutdown()
            thread.join()
    assert done.code == 0, done.err
    assert done.json["counts"]["got"] == 3
    size = (nhanes / CYCLE / "BMX_J.XPT").stat().st_size
    (bmx,) = (f for f in done.json["files"] if f["table"] == "BMX")
    assert bmx["downloaded"] == bmx["bytes"] == size
    assert (tmp_path / "got" / CYCLE / "BMX_J.XPT").stat().st_size == size


def test_a_file_that_fails_ends_with_4_and_names_it(get, nhanes, tmp_path, narrow):
    mirror = tmp_path / "mirror" / CYCLE
    mirror.mkdir(parents=True)
    (mirror / "BMX_J.XPT").write_bytes((nhanes / CYCLE / "BMX_J.XPT").read_bytes()[:10_000])
    (mirror / "GHB_J.XPT").write_bytes((nhanes / CYCLE / "GHB_J.XPT").read_bytes())
    (mirror / "DEMO_J.XPT").write_bytes(b"<!DOCTYPE html>\n<html><body>Not found</body></html>")
    done = get(mirror.parent)
    assert done.code == 4
    assert "1 got, 2 failed" in " ".join(done.out.split())
    narrow(done.out)
    body = get(mirror.parent, "--json")
    assert body.code == 4
    by_table = {f["table"]: f for f in body.json["files"]}
    assert "cut" in by_table["BMX"]["why"]
    assert "HTML" in by_table["DEMO"]["why"]
    assert (by_table["GHB"]["status"], by_table["BMX"]["path"]) == ("kept", None)
    assert not (tmp_path / "got" / CYCLE / "BMX_J.XPT").exists()


def test_a_table_asked_for_by_name_that_the_mirror_lacks(get, tmp_path):
    (tmp_path / "mirror").mkdir()
    done = get(tmp_path / "mirror", "--json", tables=["BMX"])
    assert done.code == 4
    assert done.json["counts"]["failed"] == 1
    assert done.json["files"][0]["why"]


@pytest.mark.parametrize(
    ("code", "arguments", "named"),
    [
        (2, ("get", "gifts", "--cycle", CYCLE), "foods"),
        (2, ("list", "gifts"), "nhanes"),
        (2, ("get", "gift", "--cycle", CYCLE), "--help"),
        (2, ("get", "nutribench", "--form", "json"), "--help"),
        (2, ("get", "fdc", "--form", "xml"), "csv, json"),
        (3, ("get", "fdc", "--part", "moon"), "foundation"),
        (3, ("get", "nutribench", "--part", "v9"), "v1"),
        (3, ("get", "gift", "--part", "bolivia", "--from", "/tmp"), "BOL-00006"),
        (4, ("get", "gift"), "--from"),
        (3, ("get", "nhanes", "--cycle", "1999-2000"), "2003-2004"),
        (3, ("get", "nhanes", "--cycle", CYCLE, "--table", "NOPE"), "DEMO"),
        (4, ("get", "nhanes", "--cycle", CYCLE, "--from", "/no/such/folder"), "--from"),
        (2, ("get", "nhanes", "--cycle", CYCLE, "--from", "ftp://example.org/x"), "https://"),
        (2, ("get", "nhanes"), "--help"),
        (2, ("get", "nhanes", "--cycle", CYCLE, "--release", CYCLE), "--help"),
        (2, ("get", "foods", "--cycle", CYCLE), "--help"),
        (3, ("get", "foods", "--release", "2013-2014"), "2015-2016"),
        (2, ("get", "nhanes", "--cycle", CYCLE, "--jobs", "0"), "--help"),
    ],
)
def test_what_cannot_be_asked_for(refused, code, arguments, named):
    error = refused(code, "data", *arguments)
    assert named in error["hint"]


def test_a_target_that_is_a_file(refused, nhanes, tmp_path):
    (tmp_path / "taken").write_text("")
    to = ("--to", tmp_path / "taken")
    wanted = ("--cycle", CYCLE, "--table", "BMX", "--from", nhanes, "--no-progress")
    refused(2, "data", "get", "nhanes", *wanted, *to)
    refused(2, "data", "get", "foods", "--from", nhanes.parent, "--no-progress", *to)
    refused(2, "data", "list", "nhanes", *to)
    refused(2, "data", "list", "foods", *to)


def test_foods_from_a_folder_go_where_a_build_looks(command, nhanes, tmp_path, monkeypatch, narrow):
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path / "mine"))
    done = command("data", "get", "foods", "--from", nhanes.parent, "--no-progress")
    assert done.code == 0, done.err
    assert "10 got, 4 absent" in " ".join(done.out.split())
    narrow(done.out)
    assert (tmp_path / "mine" / "foods" / "fndds_2019_2020_foods.parquet").is_file()
    listed = command("data", "list", "foods")
    narrow(listed.out)
    assert "crosswalk" in listed.out
    body = command("data", "list", "foods", "--json").json
    assert [r["release"] for r in body if not r["missing"]] == [
        "2017-2018", "2019-2020", "2021-2023", "all-releases"
    ]  # fmt: skip
    again = command("data", "get", "foods", "--release", "2015-2016", "--from", nhanes.parent,
                    "--no-progress", "--json")  # fmt: skip
    assert again.code == 4, "a release asked for by name that the folder lacks"
    assert again.json["counts"] == {"got": 0, "kept": 1, "absent": 0, "failed": 4}
    assert set(again.json["files"][0]) == FILE_KEYS


def test_hints_keep_their_brackets(command, nhanes, tmp_path, monkeypatch):
    """A name in square brackets is no markup."""
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    book = tmp_path / "mirror" / "2015-2016 FNDDS At A Glance - Foods and Beverages.xlsx"
    book.parent.mkdir()
    book.write_bytes(b"PK\x03\x04")
    done = command("data", "get", "foods", "--from", book.parent, "--to", tmp_path / "to",
                   "--no-progress")  # fmt: skip
    assert done.code == 4
    assert "prandial[ngqa]" in done.out.replace("\n", "").replace(" ", "")


def test_list(command, shared_dir, tmp_path, narrow):
    done = command("data", "list", "--to", tmp_path, "--json")
    assert done.code == 0
    by_cycle = {c["cycle"]: c for c in done.json}
    assert list(by_cycle) == sorted(by_cycle)
    assert set(by_cycle[CYCLE]) == {
        "cycle", "title", "respondents", "files", "at_hand", "missing"
    }  # fmt: skip
    assert by_cycle[CYCLE]["respondents"] == 9254
    assert by_cycle["2017-2020"]["respondents"] == 15560
    assert all(c["at_hand"] == 0 and len(c["missing"]) == c["files"] for c in by_cycle.values())

    here = shared_dir / "data" / "nhanes"
    done = command("data", "list", "--to", here)
    assert done.code == 0
    narrow(done.out)
    (line,) = (x for x in done.out.splitlines() if x.startswith(" 2017-2020"))
    assert "15,560" in line
    assert "DR1IFF" in line  # the one file of that release that is not to be had


def test_list_counts_what_get_put_there(get, command, nhanes, tmp_path):
    get(nhanes)
    found = json.loads(command("data", "list", "--to", tmp_path / "got", "--json").out)
    (cycle,) = (c for c in found if c["cycle"] == CYCLE)
    assert cycle["at_hand"] == 3
    assert not set(FILES) & set(cycle["missing"])


def test_the_data_folder_of_the_environment(command, nhanes, tmp_path, monkeypatch):
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path / "mine"))
    done = command(
        "data", "get", "nhanes", "--cycle", CYCLE, "--table", "GHB", "--from", nhanes,
        "--no-progress",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert (tmp_path / "mine" / "nhanes" / CYCLE / "GHB_J.XPT").is_file()
    assert "1 " in command("data", "list").out
