"""The page and the folder: nothing of a stranger's text is markup, everything can be reached."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.made_report import (
    MEALS,
    answer,
    meal_run,
    meals,
    quiz_answer,
    quiz_questions,
    write,
)

from prandial.bench.report import (
    Cell,
    Report,
    check_folder,
    check_page,
    html_of,
    json_of,
    markdown_of,
    report_of,
    write_folder,
    write_page,
)
from prandial.bench.report.cells import LONGEST, cut, for_html, for_markdown, shown
from prandial.bench.runs import read_run
from prandial.errors import InputError, NotFoundError

EVIL = (
    "<script>alert(1)</script> | pipe | [link](http://evil.example) ![x](http://evil.example/p)"
    " <img src=x onerror=alert(2)> `code` \u202eturned\u202c\x07\n# heading\n* list & &amp;"
)


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("page")
    asked = meals()
    far = [answer(q.id, q.label + 60, text=f"{EVIL} {q.id}", error="") for q in asked]
    graph = quiz_questions("TG")
    said: list[Any] = [
        quiz_answer(q, EVIL, {"verdict": "No", "tags": ("low_protein",), "why": EVIL})
        for q in graph
    ]
    return [
        write(folder / "a", asked, far, model=f"made/{EVIL}", method="cot"),
        meal_run(folder / "b", [m[0] for m in MEALS], model="prandial/median"),
        write(folder / "c", graph, said, model="made/graph", method="plain"),
        meal_run(folder / "p", [m[0] + 3 for m in MEALS], model="person/R1", method="look-up"),
        meal_run(folder / "q", [m[0] - 3 for m in MEALS], model="person/R2", method="look-up"),
    ]


@pytest.fixture(scope="module")
def made(folders: list[Path]) -> Report:
    return report_of([read_run(f) for f in folders], draws=20)


@pytest.fixture(scope="module")
def page(made: Report) -> Page:
    return Page(html_of(made))


def test_page_is_whole_and_no_text_is_markup(page: Page) -> None:
    assert page.open == []
    tags = {t for t, _ in page.tags}
    assert "script" not in tags
    assert "a" in tags
    assert all((a.get("href") or "").startswith("#") for t, a in page.tags if t == "a")
    assert not any(k.startswith("on") for _, a in page.tags for k in a)
    assert "<script>alert(1)</script>" in " ".join(page.text)


def test_page_needs_nothing_from_elsewhere(page: Page, made: Report) -> None:
    sources = [a["src"] or "" for t, a in page.tags if "src" in a]
    assert len(sources) == len(made.figures) > 5
    assert all(s.startswith("data:image/svg+xml;base64,") for s in sources)
    assert not any(t in ("link", "iframe", "object", "embed") for t, _ in page.tags)
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv"))
    assert "default-src 'none'" in (policy or "")
    styles = re.findall(r"<style>(.*?)</style>", html_of(made), re.DOTALL)
    assert not any("url(" in s or "@import" in s for s in styles)


def test_page_can_be_read_without_eyes(page: Page, made: Report) -> None:
    images = [a for t, a in page.tags if t == "img"]
    assert all(len(a["alt"] or "") > 30 for a in images)
    heads = [a for t, a in page.tags if t == "th"]
    assert all(a.get("scope") in ("col", "row", "rowgroup") for a in heads)
    html = [a for t, a in page.tags if t == "html"]
    assert html == [{"lang": "en"}]
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids))
    links = {(a["href"] or "")[1:] for t, a in page.tags if t == "a"}
    assert links <= set(ids)
    named = [a["aria-labelledby"] for _, a in page.tags if "aria-labelledby" in a]
    assert set(named) == {t.name for t in made.tables}


def test_page_holds_no_character_that_steers(made: Report) -> None:
    text = html_of(made)
    assert "\u202e" not in text
    assert "\x07" not in text


def test_markdown_tables_keep_their_columns(made: Report) -> None:
    lines = markdown_of(made).splitlines()
    wide: int | None = None
    rows = 0
    for line in lines:
        if not line.startswith("|"):
            wide = None
            continue
        bars = len(re.findall(r"(?<!\\)\|", line))
        wide = wide or bars
        assert bars == wide, line
        rows += 1
    assert rows > 100


def test_markdown_has_no_markup_of_strangers(made: Report) -> None:
    text = markdown_of(made)
    assert "<script" not in re.sub(r"\\<script", "", text)
    assert not re.search(r"(?<!\\)\[link", text)
    assert "http://" not in text
    images = re.findall(r"(?<!\\)!\[[^\n]*?\]\(([^)\s]+)\)$", text, re.MULTILINE)
    assert images == [f"figures/{f.name}.png" for f in made.figures]
    assert not re.search(r"^# heading", text, re.MULTILINE)


def test_json_has_no_nan_and_undefined_has_a_reason(made: Report) -> None:
    text = json.dumps(json_of(made), allow_nan=False)
    body = json.loads(text)
    cells = [
        c
        for s in body["sections"]
        for t in s["tables"]
        for r in t["rows"]
        for c in r.values()
        if isinstance(c, dict) and c.get("value") is None
    ]
    assert all(c.get("why") for c in cells)


@pytest.mark.parametrize(
    ("cell", "form", "expected"),
    [
        (Cell(value=0.66824), "share", "66.82 %"),
        (Cell(value=0.5, low=0.25, high=0.75, n=8), "share", "50.00 % [25.00 %, 75.00 %] (n=8)"),
        (Cell(value=None, why="nothing was scored"), "share", "undefined (nothing was scored)"),
        (Cell(value=float("nan")), "amount", "undefined"),
        (Cell(value=0.0002), "p", "< 0.001"),
        (Cell(value=0.25), "p", "0.250"),
        (Cell(value=0.12345), "ratio", "0.1235"),
        (Cell(value=3.0), "count", "3"),
        (Cell(value=3.5), "count", "3.50"),
        (Cell(value=0), "count", "0"),
        (None, "count", "–"),
    ],
)
def test_cells(cell: Cell | None, form: Any, expected: str) -> None:
    assert shown(cell, form) == expected


def test_long_texts_are_cut_with_a_mark() -> None:
    assert cut("a" * LONGEST) == "a" * LONGEST
    assert cut("a" * (LONGEST + 1)) == "a" * LONGEST + " […]"


def test_escapes() -> None:
    assert for_html('<a href="x">&') == "&lt;a href=&quot;x&quot;&gt;&amp;"
    assert for_markdown("a|b") == "a\\|b"
    assert for_markdown("- a\n# b") == "\\- a # b"
    assert for_markdown("https://x.example") == "https\\://x.example"


def test_folder_holds_report_figures_and_json(made: Report, tmp_path: Path) -> None:
    place = tmp_path / "out"
    written = write_folder(made, place)
    assert written[0] == place / "report.md"
    names = {p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file()}
    wanted = {f"figures/{f.name}.{e}" for f in made.figures for e in ("svg", "png")}
    assert names == wanted | {"report.md", "report.json"}
    assert all((place / n).read_bytes()[:4] == b"\x89PNG" for n in names if n.endswith("png"))
    assert json.loads((place / "report.json").read_text("utf-8"))["title"] == made.title
    with pytest.raises(InputError, match="not empty"):
        write_folder(made, place)


def test_outputs_that_cannot_be_meant_are_refused(made: Report, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="format"):
        check_page(tmp_path / "report.pdf")
    with pytest.raises(NotFoundError):
        check_page(tmp_path / "none" / "report.html")
    file = tmp_path / "there.html"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="there already"):
        write_page(made, file)
    assert file.read_text("utf-8") == "mine"
    with pytest.raises(InputError, match="no folder"):
        check_folder(file)
