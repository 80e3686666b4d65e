"""Decoding and repair, against Python's own codecs and hand-made cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.tables.user.text import clean, decode, repair

# without the letters that begin a double encoding (Â Ã Ä Å Æ Ë â): those are tried by hand
LETTERS = "ÀÇÈÉÊÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáãäåæçèéêëìíîïñòóôõöøùúûüýÿœŒšŽ°µ½"


@pytest.mark.parametrize(
    ("double", "single"),
    [
        ("CRÃˆME", "CRÈME"),
        ("CÃ”TE DE BÅ’UF", "CÔTE DE BŒUF"),
        ("Ã©pinards Ã\xa0 la crÃ¨me", "épinards à la crème"),
        ("25 Âµg", "25 µg"),
        ("farmerâ€™s cheese", "farmer’s cheese"),
        ("CRÃƒË†ME", "CRÈME"),  # encoded three times
    ],
)
def test_double_encoding_is_undone(double, single):
    assert repair(double) == single


@pytest.mark.parametrize(
    "text", ["CRÈME", "“MAÇÃ”", "café\xa0» bar", "voilà\xa0«", "Ärger", "«Å»", "50 °C", "Â"]
)
def test_text_encoded_once_is_left_alone(text):
    assert repair(text) == text


@given(st.text(alphabet=LETTERS, min_size=1, max_size=6))
def test_repair_undoes_what_the_codecs_do(word):
    raw = word.encode()
    try:
        double = raw.decode("cp1252")
    except UnicodeDecodeError:
        double = raw.decode("latin-1")
    assert repair(double + "x") == word + "x"


def test_byte_order_mark_is_no_text():
    assert decode(b"\xef\xbb\xbfname").text == "name"
    assert decode("näme".encode("utf-16")).text == "näme"


def test_bytes_that_are_not_utf8_are_read_and_counted():
    got = decode("crème\n".encode() + "crème fraîche\n".encode("cp1252") + b"\x80\x81")
    assert got.text == "crème\ncrème fraîche\n€\x81"
    assert (got.bad_bytes, got.first_bad_line) == (4, 2)


@given(st.text())
def test_utf8_is_read_as_it_is(text):
    got = decode(text.encode("utf-8"))
    assert (got.text, got.bad_bytes) == (text.lstrip("\ufeff"), 0)


def test_control_characters_go_and_white_space_is_squeezed():
    assert clean("  br\x00ea\x1fd\x9d \u200b \n white\xa0 ") == ("bread white", False, True)
    assert clean("bread") == ("bread", False, False)
