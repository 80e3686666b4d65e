"""``prandial data get fdc|gift|nutribench|fndds``: what goes wrong, through the command line."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import zipfile
from pathlib import Path

import pytest
from tests.sources import fdczip as z
from tests.sources.conftest import HTML, Site, site  # noqa: F401 - a fixture
from tests.sources.test_fdc_faults import semicolons
from tests.sources.test_fdc_reading import members

from prandial.sources.fdc import chosen_fdc_files, registry
from prandial.sources.fdc import get as getting

(SURVEY,) = chosen_fdc_files(["survey"])
BODY = z.pack(members())
PATH = "/" + SURVEY.file
SAY_NOTHING = "--no-progress"


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("food.csv", bytes(20_000_000))
    return out.getvalue()


def without(table: str) -> bytes:
    return z.pack({n: b for n, b in members().items() if n != table})


@pytest.fixture
def on_record(monkeypatch):
    """Let the registry hold our small download, with a checksum or without."""

    def put(*sha256: str) -> None:
        entry = dataclasses.replace(SURVEY, sha256=sha256, foods=1, bytes=None)
        for where in (registry, getting):
            monkeypatch.setattr(where, "load_fdc_files", lambda: (entry,))

    put()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("time.sleep", lambda _: None)
    return put


@pytest.fixture
def survey(command, site: Site, tmp_path: Path):  # noqa: F811
    def call(*more: object, body: bytes = BODY, source: object = None):
        site.files[PATH] = body
        return command(
            "data", "get", "fdc", "--part", "survey", "--from", source or site.url,
            "--to", tmp_path / "to", SAY_NOTHING, "--json", *more,
        )  # fmt: skip

    return call


def test_a_cut_transfer_goes_on(on_record, survey, site, tmp_path) -> None:  # noqa: F811
    site.plan[PATH] = [("cut", 700), ("status", 503), ("cut", 300)]
    done = survey()
    assert done.code == 0, done.err
    assert done.json["counts"] == {"got": 1, "kept": 0, "absent": 0, "failed": 0}
    assert (tmp_path / "to" / SURVEY.file).read_bytes() == BODY
    assert site.sent(PATH) == len(BODY)  # no byte twice
    assert survey().json["counts"]["kept"] == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (HTML, "web page"),
        (b"", "empty"),
        (BODY[: len(BODY) // 2], "cut or damaged"),
        (bomb(), "would unpack to 20,000,000"),
        (without("food_nutrient.csv"), "the table food_nutrient.csv is missing"),
        (without("food.csv"), "neither food.csv"),
    ],
    ids=["html", "empty", "cut", "bomb", "no amounts", "no foods"],
)
def test_what_is_no_download(on_record, survey, tmp_path, body, told) -> None:
    done = survey(body=body)
    assert done.code == 4
    (file,) = done.json["files"]
    assert (file["status"], file["path"]) == ("failed", None)
    assert told in file["why"]
    assert not (tmp_path / "to" / SURVEY.file).exists()


def test_a_file_that_the_source_lacks(on_record, command, site, tmp_path) -> None:  # noqa: F811
    done = command("data", "get", "fdc", "--part", "survey", "--from", site.url, "--to", tmp_path,
                   SAY_NOTHING, "--json")  # fmt: skip
    assert done.code == 4
    assert "404" in done.json["files"][0]["why"]


def test_another_checksum(on_record, survey) -> None:
    on_record("0" * 64)
    done = survey()
    assert done.code == 4
    assert "another file than the one on record" in done.json["files"][0]["why"]
    done = survey("--accept-revised")
    assert done.code == 0, done.out
    assert done.json["files"][0]["sha256"] == hashlib.sha256(BODY).hexdigest()


@pytest.mark.parametrize(("start", "code"), [("../../", 4), ("x/../../", 0)])
def test_names_that_climb_out_of_the_zip_write_nothing(
    on_record, survey, tmp_path, start, code
) -> None:
    """Members are read in place, by their last name; none is ever written."""
    done = survey(body=z.pack({start + n: b for n, b in members().items()}, ""))
    assert done.code == code, done.out
    assert not list(tmp_path.rglob("*.csv"))


def test_a_folder_and_one_that_is_missing(on_record, survey, tmp_path) -> None:
    z.put(tmp_path / "disk" / "fdc" / SURVEY.file, BODY)
    assert survey(source=tmp_path / "disk").json["counts"]["got"] == 1
    assert survey(source=tmp_path / "nowhere").code == 4


ROWS = (
    "SUBJECT,SURVEY_DAY,MEAL,FOODEX2_INGR_CODE,FOODEX2_INGR_DESCR,FOOD_AMOUNT_PROC,INGREDIENT\n"
    '101,1,1,A000L,Bread,50.5,"Pan\nblanco"\n'
    "101,1,4,A01SP,Coffee,7.25,Café\n"
)


@pytest.mark.parametrize(
    "body",
    [
        ROWS.encode(),
        b"\xef\xbb\xbf" + ROWS.encode(),
        ROWS.encode("latin-1"),
        semicolons(ROWS.encode()),
    ],
    ids=["plain", "bom", "latin-1", "semicolons and decimal commas"],
)
def test_gift_in_any_writing(command, tmp_path, body) -> None:
    z.put(tmp_path / "given" / "BGR-00440" / "consumption_user.csv", body)
    people = b"SUBJECT,SEX,AGE_YEAR\n101,1,21\n"
    z.put(tmp_path / "given" / "BGR-00440" / "subject_user.csv", people)
    get = ("data", "get", "gift", "--part", "BGR-00440", "--from", tmp_path / "given",
           "--to", tmp_path / "to", SAY_NOTHING, "--json")  # fmt: skip
    done = command(*get)
    assert done.code == 0, done.out
    assert done.json["counts"]["got"] == 2
    assert (tmp_path / "to" / "BGR-00440" / "consumption_user.csv").read_bytes() == body


def test_gift_without_people(command, tmp_path) -> None:
    z.put(tmp_path / "given" / "BGR-00440" / "consumption_user.csv", ROWS.encode())
    done = command("data", "get", "gift", "--part", "BGR-00440", "--from", tmp_path / "given",
                   "--to", tmp_path / "to", SAY_NOTHING, "--json")  # fmt: skip
    assert done.code == 4
    assert done.json["counts"] == {"got": 1, "kept": 0, "absent": 0, "failed": 1}


def test_gift_and_nutribench_of_the_shared_folder(command, shared_dir, tmp_path) -> None:
    data = shared_dir / "data"
    done = command("data", "get", "gift", "--from", data, "--to", tmp_path / "g", SAY_NOTHING,
                   "--json")  # fmt: skip
    assert (done.code, done.json["counts"]["got"]) == (0, 2)
    listed = command("data", "list", "gift", "--to", tmp_path / "g", "--json").json
    assert [p["part"] for p in listed] == ["BOL-00006"] * 2
    foods, fndds = (
        command("data", "get", name, "--release", "2021-2023", "--from", data, "--to",
                tmp_path / name, SAY_NOTHING, "--json").json["files"]
        for name in ("foods", "fndds")
    )  # fmt: skip
    assert [f["sha256"] for f in foods] == [f["sha256"] for f in fndds]
    # three quarters of the published rows, under other names: not what is on record
    done = command("data", "get", "nutribench", "--part", "v2", "--from", data, "--to",
                   tmp_path / "n", SAY_NOTHING, "--json")  # fmt: skip
    assert done.code == 4
    assert all(f["why"] for f in done.json["files"])
