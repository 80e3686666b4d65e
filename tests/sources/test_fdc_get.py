"""Getting downloads of FoodData Central, FNDDS, GIFT and NutriBench: verified and resumed."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

import duckdb
import pytest
from tests.sources import fdczip as z
from tests.sources.conftest import HTML, Site
from tests.sources.test_fdc_reading import JSON_FOODS, members

from prandial.errors import (
    ChecksumError,
    InputError,
    MissingDataError,
    NotFoundError,
    SchemaError,
)
from prandial.sources.datasets import DATASETS, get_dataset
from prandial.sources.fdc import (
    chosen_fdc_files,
    fdc_at_hand,
    fdc_home,
    get_fdc,
    load_fdc_files,
    read_fdc,
    registry,
    verify_fdc_file,
)
from prandial.sources.fdc import get as getting
from prandial.sources.gift import read_gift
from prandial.sources.gift_get import get_gift, gift_home, load_gift_files, verify_gift_file
from prandial.sources.web import FakeWeb

BODY = z.pack(members())
(SURVEY,) = chosen_fdc_files(["survey"])


def on_record(monkeypatch, **changes):
    """Let the registry hold our small download as the newest survey file."""
    entry = dataclasses.replace(SURVEY, **({"sha256": (), "foods": 1, "bytes": None} | changes))
    monkeypatch.setattr(registry, "load_fdc_files", lambda: (entry,))
    monkeypatch.setattr(getting, "load_fdc_files", lambda: (entry,))
    return entry


@pytest.fixture
def mirror(site: Site, tmp_path: Path):
    site.files["/" + SURVEY.file] = BODY

    def call(**options):
        options = {"source": site.url, "target": tmp_path / "fdc", **options}
        return get_fdc(["survey"], pause=lambda _: None, **options)

    return call


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.rglob("*") if p.is_file())


def test_a_download_comes_over_a_line_that_cuts(mirror, site, tmp_path, monkeypatch) -> None:
    on_record(monkeypatch)
    path = "/" + SURVEY.file
    site.plan[path] = [("cut", 700), ("status", 503), ("cut", 300)]
    report = mirror()
    assert report.ok
    assert [(f.table, f.cycle, f.status) for f in report.files] == [("survey", "2024-10-31", "got")]
    assert site.asked(path) == [0, 700, 700, 1000]  # a part is continued
    assert names(tmp_path / "fdc") == [SURVEY.file]
    assert {f.release for f in read_fdc(tmp_path / "fdc" / SURVEY.file)} == {"2024-10-31"}
    assert mirror().counts["kept"] == 1


def test_a_checksum_on_record_is_enough(mirror, monkeypatch) -> None:
    digest = hashlib.sha256(BODY).hexdigest()
    on_record(monkeypatch, sha256=("0" * 64, digest), foods=99)
    assert mirror().files[0].sha256 == digest


def test_another_checksum_is_refused_and_taken_when_told_so(mirror, tmp_path, monkeypatch) -> None:
    on_record(monkeypatch, sha256=("0" * 64,))
    report = mirror()
    assert not report.ok
    assert "000000000000…" in report.files[0].why
    assert "--accept-revised" in report.files[0].why
    assert names(tmp_path) == []
    assert mirror(revised=True).ok
    on_record(monkeypatch, sha256=("0" * 64,), foods=2)
    with pytest.raises(SchemaError, match="1 rows, the registry states 2: it was cut"):
        verify_fdc_file(tmp_path / "fdc" / SURVEY.file, registry.load_fdc_files()[0], revised=True)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (HTML, "web page"),
        (BODY[:-50], "cut"),
        (BODY[:40], "cut"),
        (b"\x1f\x8b" + bytes(40), "gzip"),
        (z.pack({"other.csv": b"x"}), "neither"),
        (z.pack({k: v for k, v in members().items() if k != "food.csv"}), "neither"),
    ],
)
def test_what_is_no_download_is_named(mirror, site, tmp_path, monkeypatch, sent, told) -> None:
    on_record(monkeypatch)
    site.files["/" + SURVEY.file] = sent
    report = mirror()
    assert not report.ok
    assert told in report.files[0].why
    assert names(tmp_path) == []


def test_rows_are_those_of_the_registry(tmp_path, monkeypatch) -> None:
    path = z.put(tmp_path / SURVEY.file, BODY)
    assert len(verify_fdc_file(path, on_record(monkeypatch))) == 64
    with pytest.raises(SchemaError, match="it was cut"):
        verify_fdc_file(path, on_record(monkeypatch, foods=2))
    with pytest.raises(SchemaError, match="newer release"):
        verify_fdc_file(path, on_record(monkeypatch, foods=0))
    verify_fdc_file(path, on_record(monkeypatch, foods=0), revised=True)
    listed = z.put(tmp_path / "x.zip", z.listed("SurveyFoods", JSON_FOODS))
    verify_fdc_file(listed, on_record(monkeypatch))
    with pytest.raises(ChecksumError):
        verify_fdc_file(path, SURVEY)


def test_a_folder_and_a_damaged_file_in_place(tmp_path, monkeypatch) -> None:
    on_record(monkeypatch)
    z.put(tmp_path / "given" / "fdc" / SURVEY.file, BODY)
    z.put(tmp_path / "to" / SURVEY.file, BODY[:-9])
    report = get_fdc(["survey"], source=tmp_path / "given", target=tmp_path / "to")
    assert report.ok
    assert names(tmp_path / "to") == [SURVEY.file, SURVEY.file + ".bad"]
    (hand,) = fdc_at_hand(tmp_path / "to")
    assert hand.path == tmp_path / "to" / SURVEY.file
    empty = get_fdc(["survey"], source=tmp_path / "to" / "..", target=tmp_path / "none")
    assert "does not hold it" in empty.files[0].why


def test_usda_is_asked_at_its_address(tmp_path, monkeypatch) -> None:
    on_record(monkeypatch)
    web = FakeWeb({SURVEY.url: BODY})
    assert get_fdc(["survey"], target=tmp_path, web=web).ok
    assert web.requests == [(SURVEY.url, 0)]


def test_what_the_registry_holds() -> None:
    files = load_fdc_files()
    base = "https://fdc.nal.usda.gov/fdc-datasets/"
    for entry in files:
        assert entry.url == base + entry.file
        assert entry.cycle in entry.file
        assert entry.form in entry.file
        assert all(len(s) == 64 and int(s, 16) >= 0 for s in entry.sha256)
    newest = {f.table: f for f in chosen_fdc_files(registry.KINDS)}
    assert newest["survey"].foods == 5432
    assert newest["sr_legacy"].foods == 7793
    assert newest["branded"].foods == 1_999_950
    assert [f.table for f in chosen_fdc_files()] == ["foundation", "sr_legacy", "survey"]
    assert chosen_fdc_files(["survey"], release="2022-10-28")[0].foods == 5624


def test_what_cannot_be_asked_for(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path / "mine"))
    assert fdc_home() == tmp_path / "mine" / "fdc"
    assert gift_home() == tmp_path / "mine" / "gift"
    assert all(h.path is None for h in fdc_at_hand())
    with pytest.raises(NotFoundError) as caught:
        get_fdc(["experimental"], source=tmp_path)
    assert "branded" in caught.value.hint
    with pytest.raises(NotFoundError) as caught:
        get_fdc(["survey"], release="1999-01-01", source=tmp_path)
    assert "2024-10-31" in caught.value.hint
    with pytest.raises(InputError, match="no form 'xml'"):
        get_fdc(["survey"], form="xml", source=tmp_path)
    with pytest.raises(InputError, match="same folder"):
        get_fdc(["survey"], source=tmp_path, target=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="not a folder"):
        fdc_at_hand(tmp_path / "file")


# --- GIFT, and all data sets by name ---------------------------------------------------------

GIFT = (
    "ADM0_CODE,SURVEY_DAY,SUBJECT,MEAL,INGREDIENT,FOODEX2_INGR_CODE,FOODEX2_INGR_DESCR,"
    "FOOD_AMOUNT_PROC\n"
    '33,1,101,8,"Oil, soybean",A036N,"Soya bean oil",4\n'
)
PEOPLE = "SUBJECT,SEX,AGE_YEAR\n101,1,21\n"


def test_gift_from_a_folder(shared_dir, tmp_path) -> None:
    report = get_gift(source=shared_dir / "data", target=tmp_path)
    assert report.counts == {"got": 2, "kept": 0, "absent": 0, "failed": 0}
    assert {f.cycle for f in report.files} == {"BOL-00006"}
    path = report.files[0].path
    assert path is not None
    assert duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall() == [(7908,)]
    assert get_gift(source=shared_dir / "data", target=tmp_path).counts["kept"] == 2


def test_gift_as_the_platform_gives_it(tmp_path) -> None:
    given = tmp_path / "given"
    z.put(given / "BGR_00440" / "consumption_user.csv", b"\xef\xbb\xbf" + GIFT.encode())
    z.put(given / "BGR_00440" / "subject_user.csv", PEOPLE.replace(",", ";").encode())
    report = get_gift(["BGR-00440"], source=given, target=tmp_path / "to")
    assert report.ok
    assert names(tmp_path / "to" / "BGR-00440") == ["consumption_user.csv", "subject_user.csv"]
    sent = {"consumption_user.csv": GIFT.encode(), "subject_user.csv": PEOPLE.encode()}
    web = FakeWeb({f"https://m.example/gift/ROU-00001/{n}": b for n, b in sent.items()})
    report = get_gift(["ROU-00001"], source="https://m.example", target=tmp_path / "to", web=web)
    assert report.ok


def test_gift_files_that_the_reader_reads_are_taken(tmp_path) -> None:
    """Amounts as eaten alone, words for the meal, UTF-16: what can be read can be had."""
    entry = dataclasses.replace(load_gift_files(["BOL-00006"])[0], rows=1)
    body = GIFT.replace("MEAL", "MEAL_NAME").replace("FOOD_AMOUNT_PROC", "FOOD_AMOUNT_CONS")
    for data in (body.encode(), body.encode("utf-16"), body.replace(",", ";").encode("cp1252")):
        path = z.put(tmp_path / "consumption_user.csv", data)
        assert verify_gift_file(path, entry) == hashlib.sha256(data).hexdigest()
        assert read_gift(path, cycle="BOL-00006").rows == 1


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", "empty"),
        (HTML, "web page"),
        (b"PK\x03\x04" + bytes(40), "zip"),
        (GIFT.replace("FOODEX2_INGR_DESCR", "WORDS").encode(), "no column FOODEX2_INGR_DESCR"),
        (GIFT.splitlines()[0].encode(), "no row"),
        (GIFT.encode(), "it was cut"),
    ],
)
def test_gift_files_that_are_none(tmp_path, sent, told) -> None:
    entry = load_gift_files(["BOL-00006"])[0]
    with pytest.raises(SchemaError, match=told) as caught:
        verify_gift_file(z.put(tmp_path / "consumption_user.csv", sent), entry)
    assert caught.value.hint


def test_gift_needs_a_source_and_a_code(tmp_path) -> None:
    with pytest.raises(MissingDataError) as caught:
        get_gift(target=tmp_path)
    assert "--from" in caught.value.hint
    with pytest.raises(NotFoundError) as unknown:
        get_gift(["bolivia"], source=tmp_path)
    assert "BOL-00006" in unknown.value.hint


def test_one_way_to_all_data_sets(tmp_path, shared_dir, monkeypatch) -> None:
    on_record(monkeypatch)
    z.put(tmp_path / "given" / SURVEY.file, BODY)
    assert get_dataset("fdc", ["survey"], source=tmp_path / "given", target=tmp_path / "a").ok
    data = shared_dir / "data"
    foods = get_dataset("fndds", ["2021-2023"], source=data, target=tmp_path / "b")
    assert foods.counts["failed"] == 0
    assert {f.table for f in foods.files} == {"foods", "ingredients", "portions", "crosswalk"}
    assert get_dataset("gift", source=data, target=tmp_path / "c").ok
    meals = get_dataset("nutribench", source=tmp_path / "given", target=tmp_path / "d")
    assert [f.cycle for f in meals.files] == ["v1"] * 4 + ["v2"]
    assert not meals.ok
    with pytest.raises(NotFoundError) as caught:
        get_dataset("sr", source=data)
    assert caught.value.hint == "there are: " + ", ".join(DATASETS)
