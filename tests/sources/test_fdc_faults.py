"""Downloads of FoodData Central that are cut, damaged or written in other ways."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from tests.sources import fdczip as z
from tests.sources.test_fdc_reading import APPLE, NAME, members, read

from prandial.errors import MissingDataError, PrandialError, SchemaError
from prandial.sources.fdc import read_fdc
from prandial.sources.fdc.notes import FdcNotes
from prandial.sources.fdc.table import words


def refused(path: Path) -> PrandialError:
    with pytest.raises(PrandialError) as caught:
        list(read_fdc(path))
    error = caught.value
    assert error.what
    assert str(path.name) in error.where
    assert error.hint
    return error


def stored(made: dict[str, bytes]) -> bytes:
    """Pack without compression, so that a byte can be changed in place."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, body in made.items():
            archive.writestr(f"x/{name}", body)
    return out.getvalue()


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.999])
def test_a_zip_that_was_cut(tmp_path, kept) -> None:
    body = z.pack(members())
    error = refused(z.put(tmp_path / NAME, body[: int(len(body) * kept)]))
    assert isinstance(error, SchemaError)
    assert "cut" in error.what
    assert error.hint == "get it again: prandial data get fdc"


def test_a_zip_with_a_changed_byte_names_the_table(tmp_path) -> None:
    body = stored(members()).replace(b"13.81", b"73.81")
    error = refused(z.put(tmp_path / NAME, body))
    assert "damaged" in error.what
    assert "food_nutrient.csv" in error.where


def changed(body: bytes, *, at_local: int, at_central: int, value: bytes) -> bytes:
    """Change a field of every header of a zip."""
    out = bytearray(body)
    for mark, at in ((b"PK\x03\x04", at_local), (b"PK\x01\x02", at_central)):
        start = 0
        while (start := body.find(mark, start)) >= 0:
            out[start + at : start + at + len(value)] = value
            start += 4
    return bytes(out)


def test_a_zip_with_a_password_or_an_unknown_compression(tmp_path) -> None:
    body = stored(members())
    locked = changed(body, at_local=6, at_central=8, value=b"\x01\x00")
    other = changed(body, at_local=8, at_central=10, value=b"\x63\x00")
    for name, sent in (("locked", locked), ("other", other)):
        error = refused(z.put(tmp_path / name / NAME, sent))
        assert isinstance(error, SchemaError)
        assert "cannot be unpacked" in error.what
        assert "another program" in error.hint


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html>\n<html><body>Not found</body></html>", "web page"),
        (b"\x1f\x8b" + bytes(50), "gzip"),
        (b"PK\x03\x04" + bytes(50), "cut"),
        (b'{"FoundationFoods": []}', "JSON"),
        (z.pack({"readme.txt": b"x"}), "neither"),
        (z.pack({"a.json": b"{}", "b.json": b"{}"}), "neither"),
    ],
)
def test_what_is_no_download(tmp_path, sent, told) -> None:
    assert told in refused(z.put(tmp_path / NAME, sent)).what


def test_no_file_at_all(tmp_path) -> None:
    assert isinstance(refused(tmp_path / NAME), MissingDataError)


@pytest.mark.parametrize("table", ["nutrient.csv", "food_nutrient.csv"])
def test_a_missing_table_is_named(tmp_path, table) -> None:
    made = members()
    del made[table]
    error = refused(z.put(tmp_path / NAME, z.pack(made)))
    assert error.what == f"the table {table} is missing"
    assert "food.csv" in error.hint


def test_tables_that_can_be_done_without_are_noted(tmp_path) -> None:
    made = members()
    for name in ("food_portion.csv", "survey_fndds_food.csv", "food_category.csv"):
        del made[name]
    foods, notes = read(z.put(tmp_path / NAME, z.pack(made)))
    assert len(foods) == 3
    assert not any(f.portions or f.category for f in foods.values())
    assert sorted(notes.absent) == [
        "food_category.csv", "food_portion.csv", "survey_fndds_food.csv"
    ]  # fmt: skip


def test_labels_cannot_be_done_without(tmp_path) -> None:
    foods = [(1, "branded_food", "BAR", "", "")]
    error = refused(z.put(tmp_path / NAME, z.pack(z.tables(foods, {1: {1005: 1}}))))
    assert "branded_food.csv is missing" in error.what


def rewritten(made: dict[str, bytes], how) -> dict[str, bytes]:
    return {name: how(body) for name, body in made.items()}


def moved(body: bytes) -> bytes:
    """Put the columns in the opposite order."""
    import csv

    rows = list(csv.reader(io.StringIO(body.decode(), newline="")))
    return "".join(z.cells(r[::-1]) + "\n" for r in rows).encode()


def semicolons(body: bytes) -> bytes:
    import csv

    rows = list(csv.reader(io.StringIO(body.decode(), newline="")))
    out = []
    for i, row in enumerate(rows):
        told = [c.replace(".", ",") if i and c.replace(".", "").isdigit() else c for c in row]
        out.append(z.cells(told, ";"))
    return ("\r\n".join(out) + "\r\n").encode()


@pytest.mark.parametrize(
    ("how", "counted"),
    [
        (moved, ""),
        (lambda b: b"\xef\xbb\xbf" + b, "byte-order mark removed"),
        (lambda b: b.decode().encode("utf-16"), ""),
        (lambda b: b.replace(b"\n", b"\r\n"), ""),
        (lambda b: b.replace(b'"', b""), ""),
        (lambda b: b.replace(b'","', b'"\t"'), ""),
        (semicolons, "numbers with a decimal comma"),
    ],
    ids=["moved", "bom", "utf-16", "crlf", "bare", "tabs", "semicolons"],
)
def test_tables_written_in_other_ways_are_the_same(tmp_path, how, counted) -> None:
    made = {n: b.replace(b", ", b" ").replace(b'""', b" in") for n, b in members().items()}
    made = {n: b.replace(b" in,", b'"",').replace(b" in\n", b'""\n') for n, b in made.items()}
    plain, _ = read(z.put(tmp_path / "plain" / NAME, z.pack(made)))
    foods, notes = read(z.put(tmp_path / "other" / NAME, z.pack(rewritten(made, how))))
    assert list(foods) == list(plain)
    for fdc_id, food in foods.items():
        assert food.nutrients == plain[fdc_id].nutrients
        assert food.portions == plain[fdc_id].portions
    if counted:
        assert notes.repairs[counted]


def test_a_renamed_column_is_told_with_those_there_are(tmp_path) -> None:
    made = members()
    made["food_nutrient.csv"] = made["food_nutrient.csv"].replace(b'"amount"', b'"value"')
    error = refused(z.put(tmp_path / NAME, z.pack(made)))
    assert error.what == "no column 'amount'"
    assert "food_nutrient.csv" in error.where
    assert "value" in error.hint


def test_a_column_twice(tmp_path) -> None:
    made = members()
    made["food.csv"] = made["food.csv"].replace(b'"publication_date"', b'"description"')
    assert "twice" in refused(z.put(tmp_path / NAME, z.pack(made))).what


def test_an_unknown_unit_is_an_error_and_no_guess(tmp_path) -> None:
    for spelling, what in (("CUPS", "unknown unit 'CUPS'"), ("KCAL", "cannot be in KCAL")):
        made = members()
        rows = [(*n[:2], spelling if n[0] == 1005 else n[2], n[3]) for n in z.NUTRIENTS]
        made["nutrient.csv"] = z.table("nutrient.csv", rows)
        error = refused(z.put(tmp_path / spelling / NAME, z.pack(made)))
        assert what in error.what
        assert "nutrient 1005" in error.where


def test_latin_1_and_texts_encoded_twice(tmp_path) -> None:
    made = members()
    made["food.csv"] = made["food.csv"].replace(b"Apples", "Crème".encode("latin-1"))
    made["food.csv"] = made["food.csv"].replace(b"Hummus", "Cr\u00c3\u00a8me\x07".encode())
    foods, notes = read(z.put(tmp_path / NAME, z.pack(made)))
    assert foods[171688].description == "Crème, raw, with skin"
    assert foods[321358].description == "Crème, commercial"
    assert notes.repairs["bytes that are not UTF-8, read as Windows-1252"] == 1
    assert notes.repairs["texts encoded twice"] == 1
    assert notes.repairs["texts with control characters, removed"] == 1
    assert words("half \ud83d of one", notes, "x") == "half \ufffd of one"


def test_line_breaks_in_quotes_are_part_of_a_cell(tmp_path) -> None:
    made = members()
    made["food.csv"] = made["food.csv"].replace(b"Apples, raw", b"Apples,\n\r\n raw")
    made["food.csv"] = made["food.csv"].replace(b'"food_category_id"', b'"food\ncategory"')
    foods, notes = read(z.put(tmp_path / NAME, z.pack(made)))
    assert foods[171688].description == APPLE[2]
    assert foods[171688].category == ""  # its column has another name now
    assert notes.rows["food.csv"] == 4


def test_rows_of_another_length_are_left_out_and_named(tmp_path) -> None:
    made = members()
    made["food_nutrient.csv"] += (
        b'"9","171688","1093"\n"9","171688","1093","1"' + b',""' * 11 + b"\n"
    )
    made["food_nutrient.csv"] += b'"9","171688","1093","1"' + b',"x"' * 11 + b"\n"
    foods, notes = read(z.put(tmp_path / NAME, z.pack(made)))
    why = "rows of another length than the heading"
    assert notes.left_out[why] == 2  # empty cells at the end of a row are dropped
    assert notes.places(why)[0].startswith("food_nutrient.csv line ")
    assert foods[171688].nutrients["sodium_mg"] == 1


def test_a_quotation_mark_that_is_never_closed(tmp_path) -> None:
    made = members()
    rows = "".join(z.cells([i, 171688, 1093, 1, *[""] * 9]) + "\n" for i in range(40))
    made["food_nutrient.csv"] += b'"9","171688","1093","1 \n' + rows.replace('"', "").encode()
    error = refused(z.put(tmp_path / NAME, z.pack(made)))
    assert "quotation mark" in error.hint
    assert "food_nutrient.csv" in error.where


@pytest.mark.parametrize("foods", [3, 3000])
@pytest.mark.parametrize("header", ["fdc_id,data_type,description", "fdc_id,description,data_type"])
def test_an_open_quotation_mark_loses_no_food_silently(tmp_path, foods, header) -> None:
    """The last cell of a row takes all that follows, in a row of the right length or not."""
    made = members()
    order = header.split(",")
    rows = [
        {"fdc_id": str(i), "data_type": "foundation_food", "description": f"Food {i}"}
        for i in range(1, foods + 1)
    ]
    rows[1]["description"] = '"Food 2'
    made["food.csv"] = "\n".join([header, *(",".join(r[c] for c in order) for r in rows)]).encode()
    error = refused(z.put(tmp_path / NAME, z.pack(made)))
    assert isinstance(error, SchemaError)
    assert "quotation mark" in error.what
    assert "food.csv, line 3" in error.where


def test_cells_that_are_no_numbers(tmp_path) -> None:
    made = members()
    odd = ["Tr", "< 0.5", "1,5", ",0,02", "n/a", "some", "1.2.3", "inf", "nan", "2 mg", "0.003 g"]
    food = "".join(
        z.cells([i, 5_000_000 + i, 1093, cell, *[""] * 9]) + "\n" for i, cell in enumerate(odd)
    )
    made["food_nutrient.csv"] += food.encode()
    made["food.csv"] += "".join(
        z.cells([5_000_000 + i, "survey_fndds_food", f"odd {i}", "", ""]) + "\n"
        for i in range(len(odd))
    ).encode()
    foods, notes = read(z.put(tmp_path / NAME, z.pack(made)))
    found = {c: foods[5_000_000 + i].nutrients.get("sodium_mg") for i, c in enumerate(odd)}
    assert found == {
        "Tr": None, "< 0.5": None, "1,5": 1.5, ",0,02": 0.02, "n/a": None, "some": None,
        "1.2.3": None, "inf": None, "nan": None, "2 mg": 2.0, "0.003 g": pytest.approx(3.0),
    }  # fmt: skip
    assert notes.repairs["traces and amounts below a limit, unknown"] == 2
    assert notes.repairs["numbers with a decimal comma"] == 2
    assert notes.repairs["cells that are no number, unknown"] == 3


def test_below_the_limit_of_quantification_is_unknown_and_not_zero(tmp_path) -> None:
    made = members()
    row = [1, 171688, 1093, "", "", "", "", "", "", "0.3", "", "", ""]
    made["food_nutrient.csv"] += z.cells(row).encode() + b"\n"
    foods, notes = read(z.put(tmp_path / NAME, z.pack(made)))
    assert "sodium_mg" not in foods[171688].nutrients
    assert notes.repairs["amounts below a limit of quantification, unknown"] == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"FoundationFoods": [{"fdcId": 1, "descr', "was cut after 0 foods"),
        (b'{"FoundationFoods": [{"fdcId": 1}, {"fdcId": 2}', "was cut after 2 foods"),
        (b'{"error": "no"}', "no list of foods"),
        (b"", "no list of foods"),
        (b"[1, 2, 3", "was cut after"),
        (b"[" * 100_000, "cannot be read after 0 foods"),
        (b"[1, " + b"9" * 5000 + b"]", "cannot be read after 1 foods"),
    ],
)
def test_a_json_list_that_was_cut(tmp_path, body, told) -> None:
    path = z.put(tmp_path / NAME, z.pack({"foundationDownload.json": body}))
    assert told in refused(path).what


def test_a_json_list_with_a_unit_that_is_not_known(tmp_path) -> None:
    food = {
        "fdcId": 1, "description": "X", "dataType": "Foundation",
        "foodNutrients": [{"nutrient": {"id": 1005, "unitName": "spoons"}, "amount": 1}],
    }  # fmt: skip
    error = refused(z.put(tmp_path / NAME, z.listed("FoundationFoods", [food])))
    assert "unknown unit 'spoons'" in error.what


def test_no_byte_lost_gets_past_as_anything_but_a_clear_error(tmp_path) -> None:
    """Every 151st byte of a download changed: read the same, or refused with a hint."""
    whole = stored(members())
    plain, _ = read(z.put(tmp_path / "plain" / NAME, whole))
    refusals = 0
    for at in range(0, len(whole), 151):
        body = bytearray(whole)
        body[at] ^= 0x55
        path = z.put(tmp_path / f"{at}" / NAME, bytes(body))
        try:
            foods, _ = read(path)
        except PrandialError as error:
            refusals += bool(error.hint)
        else:
            assert {i: f.nutrients for i, f in foods.items()} == {
                i: f.nutrients for i, f in plain.items()
            }
    assert refusals > len(whole) // 151 // 2


def test_notes_can_be_told_as_json(tmp_path) -> None:
    _, notes = read(z.put(tmp_path / NAME, z.pack(members())))
    told = notes.to_dict()
    assert set(told) == {"rows", "foods", "left_out", "repairs", "flags", "absent"}
    assert told["rows"]["food.csv"] == 4
    assert isinstance(FdcNotes().to_dict(), dict)
