"""Getting files over a real local server that cuts, stalls, lies and changes its mind."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conftest import HTML, Site, made_up

from prandial.errors import DataError, InputError, MissingDataError, NotFoundError
from prandial.sources.download import StopError, disk, download
from prandial.sources.nhanes import NhanesFolder, find_file, get_nhanes, list_files, nhanes_home
from prandial.sources.web import FakeWeb, HttpxWeb, LinkError

CYCLE = "2017-2018"
#: 8,366 rows, no digest in the registry
PATH = "/2017-2018/VID_J.XPT"
VID = made_up(CYCLE, "VID")


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def get(site: Site, tmp_path: Path, pauses: list[float]):
    site.files[PATH] = VID

    def call(tables=("VID",), cycles=(CYCLE,), **options):
        options = {"source": site.url, "target": tmp_path / "to", "pause": pauses.append, **options}
        return get_nhanes(cycles, tables, **options)

    return call


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.rglob("*") if p.is_file())


def test_a_file_is_got_verified_and_kept_the_next_time(get, site, tmp_path) -> None:
    report = get()
    (one,) = report.files
    assert (one.status, one.bytes, one.downloaded) == ("got", len(VID), len(VID))
    assert one.sha256 == hashlib.sha256(VID).hexdigest()
    assert one.path == tmp_path / "to" / CYCLE / "VID_J.XPT"
    assert one.path.read_bytes() == VID
    assert names(tmp_path / "to") == ["VID_J.XPT"]
    assert report.ok
    assert report.counts == {"got": 1, "kept": 0, "absent": 0, "failed": 0}
    (again,) = get().files
    assert (again.status, again.downloaded, again.sha256) == ("kept", 0, one.sha256)
    assert site.sent(PATH) == len(VID)
    assert json.loads(json.dumps(report.to_dict()))["files"][0]["why"] is None


def test_a_cut_line_is_taken_up_where_it_broke(get, site, pauses) -> None:
    site.plan[PATH] = [("cut", 50_000), ("cut", 30_000)]
    (one,) = get().files
    assert one.path.read_bytes() == VID
    assert site.asked(PATH) == [0, 50_000, 80_000]
    assert site.sent(PATH) == len(VID)
    assert len(pauses) == 2


def test_a_later_run_goes_on_with_the_part(get, site, tmp_path) -> None:
    site.plan[PATH] = [("cut", 60_000)] + [("status", 503)] * 5
    (one,) = get().files
    assert one.status == "failed"
    assert "503" in one.why
    assert "continued" in one.why
    assert names(tmp_path) == ["VID_J.XPT.part", "VID_J.XPT.part.json"]
    (two,) = get().files
    assert (two.status, two.downloaded) == ("got", len(VID) - 60_000)
    assert two.path.read_bytes() == VID
    assert site.sent(PATH) == len(VID)
    assert names(tmp_path) == ["VID_J.XPT"]


def test_a_server_without_ranges_sends_the_whole_again(get, site) -> None:
    site.ranges = False
    site.plan[PATH] = [("cut", 50_000)]
    (one,) = get().files
    assert one.path.read_bytes() == VID
    assert site.asked(PATH) == [0, 50_000]
    assert site.sent(PATH) == 50_000 + len(VID)


@pytest.mark.parametrize("if_range", [True, False])
def test_a_file_changed_in_between_is_started_again(get, site, if_range) -> None:
    """With If-Range the server sends all; without, the ETag of the partial answer tells."""
    site.if_range = if_range
    site.plan[PATH] = [("cut", 60_000)] + [("status", 500)] * 5
    get()
    new = made_up(CYCLE, "VID", seed=1)
    assert len(new) == len(VID)
    site.files[PATH] = new
    (one,) = get().files
    assert one.status == "got"
    assert one.path.read_bytes() == new


def test_without_any_mark_of_the_release_nothing_is_glued(get, site) -> None:
    site.etags = False
    site.plan[PATH] = [("cut", 60_000)] + [("status", 500)] * 5
    get()
    new = made_up(CYCLE, "VID", seed=2)
    site.files[PATH] = new
    (one,) = get().files
    assert one.path.read_bytes() == new


def test_a_date_is_mark_enough(get, site) -> None:
    site.etags, site.dates, site.if_range = False, True, False
    site.plan[PATH] = [("cut", 60_000)]
    (one,) = get().files
    assert one.path.read_bytes() == VID
    assert site.sent(PATH) == len(VID)


def test_a_spoilt_part_is_fetched_once_more_as_a_whole(get, site, tmp_path) -> None:
    site.plan[PATH] = [("cut", 60_000)] + [("status", 500)] * 5
    get()
    part = tmp_path / "to" / CYCLE / "VID_J.XPT.part"
    part.write_bytes(b"?" * 60_000)
    (one,) = get().files
    assert one.path.read_bytes() == VID
    assert site.asked(PATH)[-2:] == [60_000, 0]


def test_a_complete_part_needs_no_request(get, site, tmp_path) -> None:
    site.plan[PATH] = [("cut", 60_000)] + [("status", 500)] * 5
    get()
    (tmp_path / "to" / CYCLE / "VID_J.XPT.part").write_bytes(VID)
    before = len(site.log)
    (one,) = get().files
    assert (one.status, one.downloaded, len(site.log)) == ("got", 0, before)


def test_a_server_in_trouble_is_asked_again_with_growing_pauses(get, site, pauses) -> None:
    site.plan[PATH] = [("status", 500), ("status", 502), ("status", 429)]
    (one,) = get().files
    assert one.status == "got"
    assert pauses == [1.0, 2.0, 7.0]


def test_a_server_always_in_trouble_is_given_up(get, site) -> None:
    site.plan[PATH] = [("status", 500)] * 99
    (one,) = get().files
    assert one.status == "failed"
    assert "HTTP 500" in one.why
    assert len(site.log) == 5


def test_a_server_that_always_cuts_is_given_up(get, site) -> None:
    site.plan[PATH] = [("cut", 10)] * 99
    (one,) = get().files
    assert one.status == "failed"
    assert len(site.log) == 25


def test_a_stalling_server_is_asked_again(get, site) -> None:
    site.plan[PATH] = [("wait", 0.6)]
    web = HttpxWeb(seconds=0.2)
    (one,) = get(web=web).files
    web.close()
    assert one.path.read_bytes() == VID
    assert site.most_open == 2


def test_a_page_in_place_of_the_file_is_refused(get, site, tmp_path) -> None:
    site.files = {PATH: HTML}
    (one,) = get().files
    assert one.status == "failed"
    assert "web page (HTML)" in one.why
    assert site.url in one.why
    assert names(tmp_path) == []
    assert site.asked(PATH) == [0]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (VID[: 80 * 900], "rows, the registry states 8,366: it was cut"),
        (VID[:70_001], "no whole number of 80-byte records"),
        (made_up("2015-2016", "BMX", rows=8366), "not a file of 2017-2018"),
        (made_up(CYCLE, "VID", rows=8400), "newer release"),
        (b"", "empty"),
    ],
)
def test_a_wrong_file_is_refused_and_nothing_is_left(get, site, tmp_path, body, why) -> None:
    site.files[PATH] = body
    (one,) = get().files
    assert one.status == "failed"
    assert why in one.why
    assert names(tmp_path) == []


def test_a_digest_that_differs_is_refused_unless_a_revision_is_welcome(get, site, tmp_path) -> None:
    """GHB_J has a digest in the registry; made-up numbers have another."""
    site.files["/2017-2018/GHB_J.XPT"] = made_up(CYCLE, "GHB")
    (one,) = get(["GHB"]).files
    assert one.status == "failed"
    assert find_file(CYCLE, "GHB").sha256 in one.why
    assert "--accept-revised" in one.why
    assert names(tmp_path) == []
    (one,) = get(["GHB"], revised=True).files
    assert one.status == "got"


def test_an_absent_file_fails_only_when_asked_for_by_name(get, site) -> None:
    del site.files[PATH]
    (one,) = get().files
    assert (one.status, one.why) == ("failed", "the source has no such file (HTTP 404)")
    site.files[PATH] = VID
    report = get(None, jobs=8)
    assert report.counts["got"] == 1
    assert report.counts["absent"] == len(report.files) - 1
    assert report.ok
    assert "RXQ_DRUG" in {f.table for f in report.files}


def test_no_way_to_the_source(tmp_path, pauses) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(DataError, match="no way to the source") as caught:
        get_nhanes([CYCLE], source=url, target=tmp_path, pause=pauses.append)
    assert "--from FOLDER" in caught.value.hint
    assert len(pauses) < 60


@pytest.mark.parametrize("jobs", [1, 4])
def test_as_many_files_at_a_time_as_asked_for(get, site, jobs, tmp_path) -> None:
    tables = ["VID", "MCQ", "DBQ", "CBC", "OSQ", "SMQ", "FSQ", "KIQ_U"]
    site.together = jobs
    for table in tables:
        site.files[f"/{CYCLE}/{find_file(CYCLE, table).file}.XPT"] = made_up(CYCLE, table)
    steps = []
    report = get(tables, jobs=jobs, on_progress=steps.append)
    assert site.most_open == jobs
    assert [f.table for f in report.files] == sorted(tables)
    assert report.counts["got"] == 8
    assert all(p.path.read_bytes() == site.files[f"/{CYCLE}/{p.file}.XPT"] for p in report.files)
    ends = [s for s in steps if s.status != "fetching"]
    assert sorted(s.table for s in ends) == sorted(tables)
    assert all(s.done == s.total for s in ends)


def test_an_interrupt_leaves_no_file_in_place(get, site, tmp_path) -> None:
    def stop(step) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(on_progress=stop)
    assert "VID_J.XPT" not in names(tmp_path)


def test_a_damaged_file_that_is_there_is_put_aside(get, tmp_path) -> None:
    folder = tmp_path / "to" / CYCLE
    folder.mkdir(parents=True)
    (folder / "vid_j.xpt").write_bytes(VID[:4000])
    (one,) = get().files
    assert one.status == "got"
    assert names(folder) == ["VID_J.XPT", "vid_j.xpt.bad"]


# mirrors


@pytest.mark.parametrize("path", ["/VID_J.XPT", "/VID_J.xpt", "/2017-2018/VID_J.xpt"])
def test_mirrors_on_the_web_nested_or_flat(get, site, path) -> None:
    site.files = {path: VID}
    (one,) = get().files
    assert (one.status, one.path.name) == ("got", "VID_J.XPT")


def test_the_way_that_held_a_file_is_tried_first(get, site) -> None:
    site.files = {f"/{n}.xpt": made_up(CYCLE, t) for n, t in [("VID_J", "VID"), ("MCQ_J", "MCQ")]}
    assert get(["MCQ", "VID"], jobs=1).ok
    assert [p for p, _, _ in site.log][-1] == "/VID_J.xpt"
    assert len([p for p, _, _ in site.log if "VID" in p]) == 1


def test_a_mirror_folder_nested_or_flat_without_network(tmp_path) -> None:
    for layout in ("", CYCLE):
        source = tmp_path / f"from{layout}"
        (source / layout).mkdir(parents=True)
        (source / layout / "vid_j.XPT").write_bytes(VID)
        (source / layout / "GHB_J.xpt").write_bytes(HTML)
        to = tmp_path / f"to{layout}"
        report = get_nhanes(CYCLE, source=source, target=to)
        assert report.counts["got"] == report.counts["failed"] == 1
        assert names(to) == ["VID_J.XPT"]
        (bad,) = (f for f in report.files if f.status == "failed")
        assert "HTML" in bad.why
        assert str(source) in bad.why
        assert ".part" not in bad.why
        again = get_nhanes([CYCLE], ["VID"], source=source, target=to)
        assert again.counts["kept"] == 1


def test_a_folder_that_is_no_source(tmp_path) -> None:
    with pytest.raises(MissingDataError, match="no such folder"):
        get_nhanes(CYCLE, source=tmp_path / "none", target=tmp_path)
    with pytest.raises(InputError, match="same folder"):
        get_nhanes(CYCLE, source=tmp_path, target=tmp_path)
    with pytest.raises(InputError, match="ftp"):
        get_nhanes(CYCLE, source="ftp://host/x", target=tmp_path)
    with pytest.raises(InputError, match="0 jobs"):
        get_nhanes(CYCLE, source=tmp_path, jobs=0)


def test_names_that_are_none(tmp_path) -> None:
    with pytest.raises(NotFoundError, match="2019-2020"):
        get_nhanes(["2019-2020"], source=tmp_path, target=tmp_path / "to")
    with pytest.raises(NotFoundError) as caught:
        get_nhanes(["2017-2020"], ["BPX"], source=tmp_path, target=tmp_path / "to")
    assert "2017-2018" in caught.value.hint


def test_a_table_that_only_some_of_the_cycles_have(get, site) -> None:
    site.files["/2015-2016/BPX_I.XPT"] = made_up("2015-2016", "BPX")
    report = get(["BPX"], cycles=["2017-2020", "2015-2016"])
    assert [(f.cycle, f.status) for f in report.files] == [("2015-2016", "got")]


def test_proxy_settings_that_cannot_be_used(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://x")
    with pytest.raises(InputError, match="network settings") as caught:
        get_nhanes(CYCLE, target=tmp_path)
    assert "ALL_PROXY" in caught.value.hint


def test_cdc_is_asked_at_its_own_addresses(tmp_path) -> None:
    entries = [find_file("2017-2020", "MCQ"), find_file("2017-2020", "RXQ_DRUG")]
    body = made_up("2017-2020", "MCQ")
    web = FakeWeb({entries[0].url: body})
    report = get_nhanes(["2017-2020"], ["MCQ", "RXQ_DRUG"], target=tmp_path, web=web, jobs=1)
    base = "https://wwwn.cdc.gov/Nchs/Data/Nhanes/Public/"
    assert [u for u, _ in web.requests] == [
        base + "2017/DataFiles/P_MCQ.xpt",
        base + "1988/DataFiles/RXQ_DRUG.xpt",
    ]
    assert report.counts == {"got": 1, "kept": 0, "absent": 0, "failed": 1}
    (fped,) = get_nhanes([CYCLE], ["FPED"], target=tmp_path, web=web).files
    assert fped.status == "failed"
    assert "no transport file" in fped.why


def test_home_of_the_files(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path / "d"))
    assert nhanes_home() == tmp_path / "d" / "nhanes"
    monkeypatch.delenv("PRANDIAL_DATA")
    monkeypatch.setenv("PRANDIAL_HOME", str(tmp_path / "h"))
    assert nhanes_home() == tmp_path / "h" / "data" / "nhanes"


# disk


def test_a_target_that_cannot_be_written(get, tmp_path) -> None:
    (tmp_path / "to").write_text("a file")
    with pytest.raises(InputError, match="not a folder") as caught:
        get()
    assert "--to" in caught.value.hint
    (tmp_path / "to").unlink()
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / CYCLE).write_text("a file in place of a cycle")
    with pytest.raises(DataError, match="cannot write") as caught:
        get()
    assert "target" in caught.value.hint


def test_a_folder_that_holds_the_mirror(get, tmp_path) -> None:
    mirror = tmp_path / "data" / "nhanes" / CYCLE
    mirror.mkdir(parents=True)
    (mirror / "VID_J.XPT").write_bytes(VID)
    for source in (tmp_path / "data", tmp_path / "data" / "nhanes"):
        (one,) = get(source=source, target=tmp_path / f"to-{source.name}").files
        assert one.status == "got"
    with pytest.raises(InputError, match="same folder"):
        get(source=tmp_path / "data", target=tmp_path / "data" / "nhanes")


def test_a_full_disk_says_so(tmp_path) -> None:
    with pytest.raises(StopError) as caught, disk(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.error is not None
    assert "free some space" in caught.value.error.hint


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full disk to offer")
def test_a_disk_that_fills_up_while_writing(tmp_path) -> None:
    """Writing to /dev/full fails with 'no space left', as a full disk does."""
    part = tmp_path / "VID_J.XPT.part"
    part.symlink_to("/dev/full")
    web = FakeWeb({"http://x/VID": VID * 9})
    with pytest.raises(StopError) as caught:
        download(web, "http://x/VID", part, pause=lambda s: None, on_bytes=lambda *a: None)
    assert "No space left" in caught.value.error.what


# laws, on the shipped fake

STEPS = st.lists(
    st.one_of(
        st.sampled_from([500, 503, 429]),
        st.integers(0, 999).map(lambda n: (n,)),
        st.sampled_from(["cut", "timeout"]).map(LinkError),
    ),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(body=st.binary(min_size=1, max_size=1000), steps=STEPS)
def test_whatever_happens_first_the_bytes_are_right_and_none_comes_twice(
    tmp_path_factory, body, steps
) -> None:
    part = tmp_path_factory.mktemp("law") / "x.part"
    web = FakeWeb({"http://x/f": body}, {"http://x/f": steps})
    done = download(
        web, "http://x/f", part, pause=lambda seconds: None, on_bytes=lambda have, total: None
    )
    assert part.read_bytes() == body
    assert (done.bytes, done.downloaded) == (len(body), len(body))
    starts = [start for _, start in web.requests]
    assert starts == sorted(starts)


# the real files


def test_real_files_from_a_server_pass_their_digests(get, site, shared_dir) -> None:
    source = shared_dir / "data" / "nhanes" / CYCLE
    tables = [f.table for f in list_files(CYCLE) if f.sha256 and (f.bytes or 0) < 500_000]
    for table in tables:
        file = find_file(CYCLE, table).file
        site.files[f"/{CYCLE}/{file}.XPT"] = (source / f"{file}.XPT").read_bytes()
    assert len(tables) == 6
    report = get(tables)
    assert report.counts["got"] == 6


def test_the_whole_layout_is_a_mirror(shared_dir, tmp_path) -> None:
    """2003-2004: 2 transport files, 3 parts of tables, all rows; a transport file beats Parquet."""
    source = shared_dir / "data" / "nhanes"
    report = get_nhanes(["2003-2004"], source=source, target=tmp_path)
    assert report.counts["failed"] == report.counts["absent"] == 0
    there = NhanesFolder(tmp_path)
    assert there.cycles() == ("2003-2004",)
    assert there.read("2003-2004", "DR1IFF", ["SEQN"]).rows == 131_164
    assert there.path("2003-2004", "GHB").name == "L10_C.XPT"
    assert len(there.read("2003-2004", "RXQ_DRUG", ["RXDDRGID"])) == 1551
    again = get_nhanes(["2003-2004"], source=source, target=tmp_path)
    assert again.counts["kept"] == len(report.files)
    shutil.rmtree(tmp_path / "2003-2004")
