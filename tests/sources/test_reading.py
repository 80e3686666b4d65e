"""Reading raw files, against the counts stated with the data and byte-for-byte rewriting."""

from __future__ import annotations

import csv
import gzip
import json
import struct
import sys
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conftest import HTML, TOOLS, made_up

from prandial.errors import DataError, MissingDataError, NotFoundError, SchemaError
from prandial.sources.nhanes import NhanesFolder, find_file, list_files, load_cycles, read_table
from prandial.sources.nhanes.xpt import xpt_header

sys.path.insert(0, TOOLS)
from write_xpt import ibm_doubles, write_xpt, xpt_bytes

sys.path.remove(TOOLS)

#: 28 rows of 40 bytes: 1,120 bytes are 14 records
SMALL = {
    "SEQN": np.arange(93703.0, 93731.0),
    "LBXGH": np.array([5.5, np.nan, 0.0, -1.25] * 7),
    "MCQ160a": np.ones(28),
    "RXDDRUG": tuple(["ASPIRIN", "", "X", "AMOXICILLIN 250"] * 7),
}


@pytest.fixture
def nhanes(shared_dir):
    return shared_dir / "data" / "nhanes"


@pytest.fixture
def small(tmp_path) -> Path:
    path = tmp_path / "RXQ_RX_J.XPT"
    write_xpt(path, SMALL, "RXQ_RX_J")
    return path


def same(a, b) -> bool:
    if isinstance(a, tuple) or isinstance(b, tuple):
        return a == b
    return np.array_equal(a, b, equal_nan=True)


def zeros(read) -> int:
    columns = (read[n] for n in read.names)
    return sum(int(np.count_nonzero(c == 0)) for c in columns if not isinstance(c, tuple))


# values


def test_zero_missing_and_text(small) -> None:
    read = read_table(small)
    assert (read.kind, read.rows, len(read)) == ("xpt", 28, 28)
    assert read.names == ("SEQN", "LBXGH", "MCQ160a", "RXDDRUG")
    assert read.numbers("LBXGH")[:4].tolist()[2:] == [0.0, -1.25]
    assert np.isnan(read.numbers("LBXGH")[1])
    assert read.text("RXDDRUG")[:4] == ("ASPIRIN", "", "X", "AMOXICILLIN 250")
    assert np.signbit(read.numbers("LBXGH")[2]) == np.False_


def test_by_hand_one_number_in_ibm_form() -> None:
    """-118.625 = -0x76.A0 = -0x.76A0 * 16^2: C2 76 A0 (the example of the IBM/360 manual)."""
    assert ibm_doubles(np.array([-118.625]))[0].tobytes().hex() == "c276a00000000000"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.floats(-1e70, 1e70, allow_subnormal=False).filter(
                lambda x: x == 0 or abs(x) > 1e-70
            ),
            st.just(float("nan")),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_every_double_in_range_comes_back_exactly(tmp_path_factory, values) -> None:
    path = tmp_path_factory.getbasetemp() / "doubles.xpt"
    column = np.array(values)
    write_xpt(path, {"SEQN": np.arange(float(len(values))), "X": column}, "T")
    read = read_table(path)
    assert read.rows == len(values)
    assert same(read.numbers("X"), column)


@pytest.mark.parametrize("rows", range(1, 25))
@pytest.mark.parametrize("width", [1, 2, 3, 11])
def test_padding_is_never_taken_for_rows(tmp_path, rows, width) -> None:
    """The last record is filled with blanks: with 16-byte rows up to four rows of them."""
    path = tmp_path / "pad.XPT"
    write_xpt(path, {f"V{k}": np.arange(1.0, rows + 1) for k in range(width)}, "T")
    assert read_table(path, ["V0"]).numbers("V0").tolist() == list(range(1, rows + 1))
    assert read_table(path, []).rows == rows


def test_names_in_any_case_are_named_as_asked(small) -> None:
    read = read_table(small, ["seqn", "MCQ160A"], optional=["lbxgh", "LBXXX"])
    assert read.names == ("seqn", "MCQ160A", "lbxgh")
    assert "LBXXX" not in read
    assert read.numbers("seqn")[0] == 93703


def test_a_lacking_column_names_the_nearest(small) -> None:
    with pytest.raises(SchemaError, match="lacks the column LBXGHX, NOPE") as caught:
        read_table(small, ["SEQN", "LBXGHX", "NOPE"])
    assert "LBXGH" in caught.value.hint
    read = read_table(small, ["LBXGH"])
    with pytest.raises(NotFoundError, match="SEQN"):
        read.numbers("SEQN")
    with pytest.raises(SchemaError, match="not text"):
        read.text("LBXGH")
    with pytest.raises(SchemaError, match="holds text"):
        read_table(small, ["RXDDRUG"]).numbers("RXDDRUG")


def test_text_that_is_no_utf8_is_windows_1252(tmp_path) -> None:
    """An e with an acute accent is the byte E9 in Windows-1252."""
    path = tmp_path / "t.XPT"
    raw = xpt_bytes({"SEQN": np.array([1.0]), "T": ("CAF#",)}, "T")
    path.write_bytes(raw.replace(b"CAF#", b"CAF\xe9"))
    assert read_table(path).text("T") == ("CAFé",)


# the data at hand


def test_rows_and_columns_of_every_file_are_those_stated(nhanes) -> None:
    with (nhanes / "MANIFEST.csv").open(newline="") as file:
        stated = list(csv.DictReader(file))
    assert len(stated) == 243
    with duckdb.connect(config={"threads": 1}) as con:
        for row in stated:
            path = nhanes / row["file"]
            read = read_table(path, [])
            if read.kind == "xpt":
                columns = len(xpt_header(path).names)
            else:
                sql = "describe from read_parquet(?)"
                columns = len(con.execute(sql, [str(path)]).fetchall())
            assert (read.rows, columns) == (int(row["rows"]), int(row["columns"])), row["file"]


def test_sas_zeros_are_zeros(nhanes) -> None:
    """The data's notes: 7,614 zero cells in ALQ_J, 249 in BPX_C, 394 diastolic in BPX_J."""
    assert zeros(read_table(nhanes / "2017-2018/ALQ_J.XPT")) == 7614
    assert zeros(read_table(nhanes / "2003-2004/BPX_C.parquet")) == 249
    pressure = read_table(nhanes / "2017-2018/BPX_J.XPT", [f"BPXDI{k}" for k in (1, 2, 3, 4)])
    assert zeros(pressure) == 394


def test_counts_of_people_stated_with_the_data(nhanes) -> None:
    """2,408 of all ages with BMI >= 30 and 893 with DIQ010 = 1 in 2017-2018."""
    folder = NhanesFolder(nhanes)
    assert int((folder.read("2017-2018", "BMX", ["BMXBMI"]).numbers("BMXBMI") >= 30).sum()) == 2408
    assert int((folder.read("2017-2018", "DIQ", ["DIQ010"]).numbers("DIQ010") == 1).sum()) == 893


def test_originals_rewritten_have_the_same_rows_byte_for_byte(nhanes) -> None:
    """Reading and writing are inverse on every original without text (BPXO_J, RXQ_RX_D have)."""
    originals = sorted(nhanes.glob("*/*.XPT"))
    assert len(originals) == 20
    compared = 0
    for path in originals:
        header = xpt_header(path)
        if header.texts:
            continue
        again = xpt_bytes(read_table(path).values, path.stem)
        assert again[header.start :] == path.read_bytes()[header.start :], path.name
        compared += 1
    assert compared == 18


@pytest.mark.parametrize(
    "file", ["2017-2018/RXQ_RX_J.parquet", "2017-2018/DRXFCD_J.parquet", "2003-2004/BPX_C.parquet"]
)
def test_transport_and_parquet_are_equal(nhanes, tmp_path, file) -> None:
    parquet = read_table(nhanes / file)
    path = tmp_path / "again.XPT"
    write_xpt(path, parquet.values, "AGAIN")
    xpt = read_table(path)
    assert (xpt.kind, parquet.kind) == ("xpt", "parquet")
    assert xpt.names == parquet.names
    assert all(same(xpt[n], parquet[n]) for n in xpt.names)


def test_a_whole_small_cycle_in_transport_files(nhanes, tmp_path) -> None:
    """Forty rows of each table of 2017-2018, written and read through the folder."""
    real, made = NhanesFolder(nhanes), NhanesFolder(tmp_path, check_rows=False)
    (tmp_path / "2017-2018").mkdir()
    tables = [f for f in list_files("2017-2018") if f.table not in {"FPED", "DR1IFF", "DR2IFF"}]
    for entry in tables:
        whole = real.read("2017-2018", entry.table)
        some = {n: whole[n][:40] for n in whole.names}
        write_xpt(tmp_path / "2017-2018" / f"{entry.file}.xpt", some, entry.file)
        read = made.read("2017-2018", entry.table)
        assert read.rows == 40
        assert all(same(read[n], some[n]) for n in whole.names), entry.table
    assert len(tables) == 33
    assert made.cycles() == ("2017-2018",)


# folders


def test_a_folder_prefers_the_original_and_a_part_last(tmp_path) -> None:
    folder = tmp_path / "2017-2018"
    folder.mkdir()
    there = NhanesFolder(tmp_path)
    assert not there.has("2017-2018", "VID")
    for name in ("VID_J.slim.parquet", "vid_j.parquet", "Vid_J.xpt"):
        (folder / name).write_bytes(b"")
        assert there.path("2017-2018", "vid").name == name
    assert there.has("2017-2018", "VID")
    assert there.path("2017-2018", "VID_J").name == "Vid_J.xpt"


def test_a_missing_table_names_the_command(tmp_path) -> None:
    there = NhanesFolder(tmp_path)
    with pytest.raises(MissingDataError, match="BPX_J") as caught:
        there.read("2017-2018", "BPX", ["SEQN"])
    assert caught.value.hint == "prandial data get nhanes --cycle 2017-2018 --table BPX"
    assert there.cycles() == ()
    assert not there.has("2017-2020", "BPX")
    with pytest.raises(NotFoundError) as none:
        there.path("2017-2020", "BPX")
    assert "BPXO" in none.value.hint
    with pytest.raises(NotFoundError, match="1999-2000"):
        there.has("1999-2000", "BPX")


def test_fewer_rows_than_the_registry_states(tmp_path) -> None:
    """Cut between two rows, a transport file looks sound: only the registry can tell."""
    (tmp_path / "2017-2018").mkdir()
    path = tmp_path / "2017-2018" / "VID_J.XPT"
    path.write_bytes(made_up("2017-2018", "VID", rows=8300))
    with pytest.raises(SchemaError, match="8,300 rows, the registry states 8,366") as caught:
        NhanesFolder(tmp_path).read("2017-2018", "VID", ["SEQN"])
    assert "data get nhanes" in caught.value.hint
    assert NhanesFolder(tmp_path, check_rows=False).read("2017-2018", "VID").rows == 8300


# registry


def test_the_registry_holds_the_facts_of_the_data(nhanes) -> None:
    """SEQN 93703-102956 in 2017-2018; the nine cycles add up to 95,872, 2021-2023 has 11,933."""
    cycles = load_cycles()
    assert (cycles["2017-2018"].first_seqn, cycles["2017-2018"].last_seqn) == (93703, 102956)
    nine = [c for c in cycles.values() if c.cycle != "2021-2023"]
    assert sum(c.respondents for c in nine) == 95_872
    assert all(c.last_seqn - c.first_seqn + 1 == c.respondents for c in cycles.values())
    assert cycles["2017-2020"].contains == "2017-2018"
    with (nhanes / "MANIFEST.csv").open(newline="") as file:
        originals = [r for r in csv.DictReader(file) if r["kind"] == "original XPT"]
    stated = {f.file: f.sha256 for c in [*cycles, "all-cycles"] for f in list_files(c) if f.sha256}
    assert stated == {r["table"]: r["sha256"] for r in originals}


@pytest.mark.parametrize(
    ("cycle", "table", "file"),
    [
        ("2003-2004", "GHB", "L10_C"),
        ("2003-2004", "GLU", "L10AM_C"),
        ("2003-2004", "TRIGLY", "L13AM_C"),
        ("2003-2004", "ALB_CR", "L16_C"),
        ("2003-2004", "CBC", "L25_C"),
        ("2003-2004", "BIOPRO", "L40_C"),
        ("2005-2006", "DSQTOT", "DSQ1_D"),
        ("2017-2018", "KIQ_U", "KIQ_U_J"),
        ("2017-2020", "KIQ_U", "P_KIQ_U"),
        ("2021-2023", "DR1IFF", "DR1IFF_L"),
    ],
)
def test_one_name_of_a_table_in_all_cycles(cycle, table, file) -> None:
    entry = find_file(cycle, table)
    assert entry.file == file
    assert entry.url.endswith(f"/{file}.xpt")


# faults


def _v8(raw: bytes) -> bytes:
    return raw.replace(b"LIBRARY HEADER", b"LIBV8   HEADER", 1)


SAS7BDAT = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(400)
XPT = xpt_bytes(SMALL, "RXQ_RX_J")
FAULTS = {
    "cut to an odd length": (XPT[:-81], "cut: .* no whole number of 80-byte records"),
    "cut within a row": (XPT[:-80], "ends in the middle of a row"),
    "cut in the list of columns": (XPT[: 80 * 10], "cut in its header"),
    "cut after two records": (XPT[:160], "cut in its header"),
    "cut in the first record": (XPT[:50], "cut in its header"),
    "a damaged header": (XPT.replace(b"NAMESTR", b"NAMESTX"), "without a list of columns"),
    "no number of columns": (XPT.replace(b"!!!!!!!000000000400", b"!!!!!!!0000xxxx00"), "cannot"),
    "two data sets": (XPT + XPT[240:], "several data sets"),
    "version 8": (_v8(XPT), "version 8"),
    "a SAS data set": (SAS7BDAT, "SAS7BDAT"),
    "a CPORT file": (b"**COMPRESSED** **COMPRESSED** **COMPRESSED**" * 9, "CPORT"),
    "CSV": (b"SEQN,LBXGH\n93703,5.5\n", "CSV"),
    "CSV with a mark": (b"\xef\xbb\xbfSEQN;LBXGH\r\n1;2\r\n", "CSV"),
    "a page": (HTML, "web page"),
    "a page after blanks": (b"\r\n\r\n  <HTML><head>", "web page"),
    "XML": (b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>", "XML"),
    "JSON": (json.dumps({"error": "gone"}).encode(), "JSON"),
    "plain text": (b"Service Unavailable\n", "plain text"),
    "gzip": (gzip.compress(XPT), "gzip"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS"),
    "nothing": (b"", "empty"),
    "zeros": (bytes(800), "zero bytes"),
    "noise": (bytes(range(256)) * 4, "unknown kind"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_says_what_it_is_and_what_to_do(tmp_path, fault) -> None:
    body, looks = FAULTS[fault]
    path = tmp_path / "ALQ_J.XPT"
    path.write_bytes(body)
    with pytest.raises(SchemaError, match=looks) as caught:
        read_table(path)
    assert caught.value.where == str(path)
    assert caught.value.hint


def test_zip_and_spreadsheets(tmp_path) -> None:
    path = tmp_path / "ALQ_J.XPT"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ALQ_J.XPT", XPT)
    with pytest.raises(SchemaError, match="zip archive"):
        read_table(path)


def test_parquet_that_was_cut_damaged_or_misnamed(tmp_path) -> None:
    path = tmp_path / "A.parquet"
    with duckdb.connect() as con:
        con.execute(f"copy (select range::double as SEQN from range(9000)) to '{path}'")
    whole = path.read_bytes()
    assert read_table(path, ["seqn"]).numbers("seqn").tolist() == list(range(9000))
    path.write_bytes(whole[:-100])
    with pytest.raises(SchemaError, match="Parquet file that was cut"):
        read_table(path)
    path.write_bytes(b"XXXX" + whole[4:])
    with pytest.raises(SchemaError, match="unknown kind"):
        read_table(path)
    path.write_bytes(whole[:-60] + b"\xff" * 40 + whole[-20:])
    with pytest.raises(SchemaError, match="damaged"):
        read_table(path)
    wrong = tmp_path / "A.XPT"
    wrong.write_bytes(whole)
    with pytest.raises(SchemaError, match="looks like Parquet, but its name") as caught:
        read_table(wrong)
    assert caught.value.hint == "rename it to A.parquet"
    path.write_bytes(XPT)
    with pytest.raises(SchemaError, match="looks like SAS transport"):
        read_table(path)
    with pytest.raises(MissingDataError, match="no such file"):
        read_table(tmp_path / "none.XPT")
    with pytest.raises(MissingDataError):
        read_table(tmp_path)


def test_missing_text_in_parquet_is_blank_and_whole_numbers_are_numbers(tmp_path) -> None:
    path = tmp_path / "with ' and [1]*.parquet"
    sql = "copy (select * from (values (1, 'a', true), (null, null, null)) t(n, s, b)) to '{}'"
    with duckdb.connect() as con:
        con.execute(sql.format(str(path).replace("'", "''")))
    read = read_table(path)
    assert read.text("s") == ("a", "")
    assert same(read.numbers("n"), np.array([1.0, np.nan]))
    assert same(read.numbers("b"), np.array([1.0, np.nan]))


@pytest.mark.parametrize("value", ["'a'::blob", "date '2020-01-01'", "[1, 2]"])
def test_parquet_of_neither_numbers_nor_text(tmp_path, value) -> None:
    """Text as bytes is what some readers of SAS files make of it."""
    path = tmp_path / "A.parquet"
    with duckdb.connect() as con:
        con.execute(f"copy (select 1 as SEQN, {value} as X) to '{path}'")
    assert read_table(path, ["SEQN"]).rows == 1
    with pytest.raises(SchemaError):
        read_table(path, ["X"])


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_no_damage_gets_past_as_anything_but_a_data_error(tmp_path_factory, data) -> None:
    """Any bytes changed or cut: values are read, or a DataError says why. Never anything else."""
    raw = bytearray(XPT)
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw) - 1)) :]
    path = tmp_path_factory.getbasetemp() / "damaged.xpt"
    path.write_bytes(raw)
    try:
        read = read_table(path)
    except DataError:
        return
    assert all(len(read[n]) == read.rows for n in read.names)


def test_a_length_of_a_number_that_is_none_is_no_crash(tmp_path) -> None:
    """SAS allows numbers of 3 to 8 bytes; a stated length of 0 or 70 is damage."""
    for length in (0, 70):
        raw = bytearray(XPT)
        raw[640 + 4 : 640 + 6] = struct.pack(">H", length)
        path = tmp_path / f"l{length}.xpt"
        path.write_bytes(raw)
        with pytest.raises(DataError):
            read_table(path)
